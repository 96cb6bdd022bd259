//! Tables of reconstructions.

use std::ops::Range;

use cggames::family::written_fixed;

use super::columns::ReconstructionRow;
use super::{ReconstructionsLayout, ReconstructionsTask};
use crate::dataset::{RowSource, Wanted};
use crate::report::ReportError;
use crate::report::table::plain::{block, counted, fits, table};
use crate::report::table::{Block, Cell, Table};
use crate::run::{Described, JobHeader};

/// The number of reconstructions with the most stones that a summary lists.
const GREATEST: usize = 10;

/// Lays out reconstructions: a line for each, or a summary.
///
/// # Errors
///
/// If rows cannot be read, if their number differs from that of the job's ways to fix bins, or if a
/// table has more than [`CELLS_MAX`](crate::report::table::CELLS_MAX) cells.
pub(super) fn build(
    job: &JobHeader,
    task: &ReconstructionsTask,
    ranks: &[Range<u64>],
    rows: impl RowSource<ReconstructionRow>,
) -> Result<Table, ReportError> {
    let rows = counted(job.heading(), ranks, rows, Wanted::all())?;
    let blocks = match task.layout {
        ReconstructionsLayout::List => {
            fits(
                job.heading(),
                task.rows().saturating_mul(HEADER.len() as u64),
            )?;
            let lines = rows.map(|row| Ok(line(&row?)));
            let lines = lines.collect::<Result<_, ReportError>>()?;
            vec![block(&HEADER, lines)]
        }
        ReconstructionsLayout::Summary => summary(rows)?,
    };
    Ok(table(job.heading(), blocks))
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

fn line(row: &ReconstructionRow) -> Vec<Cell> {
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
        Cell::Label(bins(row)),
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
