//! Tables of reconstructions.

use cggames::family::written_fixed;

use super::columns::ReconstructionRow;
use super::{ReconstructionsLayout, ReconstructionsTask};
use crate::dataset::Wanted;
use crate::report::ReportError;
use crate::report::table::plain::{self, Column, lines};
use crate::report::table::{Block, Cell, Table};
use crate::run::{Described, Reading, Tabulated};

/// The number of reconstructions with the most stones that a summary lists.
const GREATEST_MAX: usize = 10;

impl Tabulated for ReconstructionsTask {
    /// A line for each reconstruction, or a summary.
    fn table(&self, reading: &Reading<'_>) -> Result<Table, ReportError> {
        let blocks = match self.layout {
            ReconstructionsLayout::List => vec![reading.list(self.rows(), LIST)?],
            ReconstructionsLayout::Summary => summary(reading.counted(Wanted::all())?)?,
        };
        Ok(reading.table(blocks))
    }
}

const LIST: &[Column<ReconstructionRow>] = &[
    ("bins", |row| Cell::label(bins(row))),
    ("n", |row| Cell::number_or_blank(row.n)),
    ("n of a long board", |row| Cell::number_or_blank(row.n_long)),
    ("residues", |row| {
        let residues = row.residues.zip(row.period);
        Cell::label_or_blank(residues.map(|(count, period)| format!("{count} mod {period}")))
    }),
    ("or why there is none", |row| {
        match (&row.contradiction, row.n) {
            (Some(why), _) => Cell::label(why),
            (None, None) => Cell::label(format_args!("none of at most {} stones", row.searched_to)),
            (None, Some(_)) => Cell::label(""),
        }
    }),
];

const GREATEST: &[Column<ReconstructionRow>] = &[
    ("bins whose least n is greatest", |row| {
        Cell::label(bins(row))
    }),
    ("n", |row| Cell::number_or_blank(row.n)),
    ("n of a long board", |row| Cell::number_or_blank(row.n_long)),
];

/// Writes the fixed bins as jobs do.
fn bins(row: &ReconstructionRow) -> String {
    let stones = row.stones.iter().map(|stones| stones.unsigned_abs());
    let bins = row.bins.iter().map(|bin| bin.unsigned_abs());
    written_fixed(&bins.zip(stones).collect())
}

/// The number of reconstructions, the number that have a board, and those whose smallest board has
/// the most stones.
fn summary(
    rows: impl Iterator<Item = Result<ReconstructionRow, ReportError>>,
) -> Result<Vec<Block>, ReportError> {
    let (mut all, mut possible, mut ruled_out, mut open) = (0u64, 0u64, 0u64, 0u64);
    let mut greatest: Vec<ReconstructionRow> = Vec::new();
    for row in rows {
        let row = row?;
        all += 1;
        match row.possible {
            Some(true) => possible += 1,
            Some(false) => ruled_out += 1,
            None => open += 1,
        }
        if row.n.is_some() {
            // Among equals the first stays.
            let place = greatest.partition_point(|other| other.n >= row.n);
            if place < GREATEST_MAX {
                greatest.insert(place, row);
                greatest.truncate(GREATEST_MAX);
            }
        }
    }
    let counts = [
        ("ways to fix bins", all),
        ("with a board", possible),
        ("without", ruled_out),
        ("not known", open),
    ];
    let counts = counts.map(|(name, count)| vec![Cell::label(name), Cell::number(count)]);
    let mut blocks = vec![plain::summary(&["what", "number"], counts.into())];
    if !greatest.is_empty() {
        blocks.push(Block {
            name: "greatest",
            ..lines(greatest.into_iter().map(Ok), GREATEST)?
        });
    }
    Ok(blocks)
}
