//! Tables of reconstructions.

use cggames::family::written_fixed;

use super::columns::ReconstructionRow;
use super::{ReconstructionsLayout, ReconstructionsTask};
use crate::dataset::Wanted;
use crate::report::ReportError;
use crate::report::table::plain::block;
use crate::report::table::{Block, Cell, Table};
use crate::run::{Described, Reading, Tabulated};

/// The number of reconstructions with the most stones that a summary lists.
const GREATEST: usize = 10;

impl Tabulated for ReconstructionsTask {
    /// A line for each reconstruction, or a summary.
    fn table(&self, reading: &Reading<'_>) -> Result<Table, ReportError> {
        let blocks = match self.layout {
            ReconstructionsLayout::List => vec![reading.list(self.rows(), &HEADER, line)?],
            ReconstructionsLayout::Summary => summary(reading.rows_of(Wanted::all())?)?,
        };
        Ok(reading.table(blocks))
    }
}

const HEADER: [&str; 5] = [
    "bins",
    "n",
    "n of a long board",
    "residues",
    "or why there is none",
];

fn or_blank(value: Option<i64>) -> Cell {
    value.map_or(Cell::Blank, Cell::number)
}

/// Writes the fixed bins as jobs do.
fn bins(row: &ReconstructionRow) -> String {
    let stones = row.stones.iter().map(|stones| stones.unsigned_abs());
    let bins = row.bins.iter().map(|bin| bin.unsigned_abs());
    written_fixed(&bins.zip(stones).collect())
}

fn line(row: ReconstructionRow) -> Vec<Cell> {
    let residues = row
        .residues
        .zip(row.period)
        .map(|(count, period)| format!("{count} mod {period}"));
    let why = match (&row.contradiction, row.n) {
        (Some(why), _) => why.clone(),
        (None, None) => format!("none of at most {} stones", row.searched_to),
        (None, Some(_)) => String::new(),
    };
    vec![
        Cell::Label(bins(&row)),
        or_blank(row.n),
        or_blank(row.n_long),
        residues.map_or(Cell::Blank, Cell::Label),
        Cell::Label(why),
    ]
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
            if place < GREATEST {
                greatest.insert(place, row);
                greatest.truncate(GREATEST);
            }
        }
    }
    let counts = [
        ("ways to fix bins", all),
        ("with a board", possible),
        ("without", ruled_out),
        ("not known", open),
    ];
    let counts =
        counts.map(|(name, count)| vec![Cell::Label(name.to_owned()), Cell::number(count)]);
    let mut blocks = vec![Block {
        name: "summary",
        keys: &["what", "number"],
        header: Vec::new(),
        labelled: true,
        rows: counts.into(),
    }];
    if !greatest.is_empty() {
        let lines = greatest.iter().map(|row| {
            vec![
                Cell::Label(bins(row)),
                or_blank(row.n),
                or_blank(row.n_long),
            ]
        });
        let header = ["bins whose least n is greatest", "n", "n of a long board"];
        blocks.push(Block {
            name: "greatest",
            ..block(&header, lines.collect())
        });
    }
    Ok(blocks)
}
