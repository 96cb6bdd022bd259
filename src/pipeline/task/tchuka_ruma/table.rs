//! Tables of Tchuka Ruma.

use std::ops::Range;

use super::columns::RingRow;
use super::spec::{RingFamily, RingsLayout, RingsTask};
use crate::dataset::{RowSource, Wanted};
use crate::report::ReportError;
use crate::report::table::plain::{Column, Grid, counted, list, table};
use crate::report::table::{Cell, Table};
use crate::run::JobHeader;

/// Lays out rows as the job requests.
///
/// # Errors
///
/// If rows cannot be read, if their number differs from the job's, or if the table has more than
/// [`CELLS_MAX`](crate::report::table::CELLS_MAX) cells.
pub(super) fn build(
    job: &JobHeader,
    task: &RingsTask,
    ranks: &[Range<u64>],
    rows: impl RowSource<RingRow>,
) -> Result<Table, ReportError> {
    let heading = job.heading();
    let block = match (&task.family, task.layout) {
        (RingFamily::Starts { pits, stones }, RingsLayout::Grid) => {
            let across = (stones.0..=stones.1).map(Cell::label);
            // Starting positions without a row stay blank.
            let mut grid = Grid::new("pits", (pits.0..=pits.1).map(Cell::label), across);
            let wanted = Wanted::columns(["pits", "stones", "won", "winning"]);
            for row in counted(heading, ranks, rows, wanted)? {
                let row = row?;
                let across = (row.stones / row.pits) as u64 - stones.0;
                grid.set(row.pits as u64 - pits.0, across, ways(&row));
            }
            grid.block()
        }
        _ => list(heading, task.family.len(), ranks, rows, LIST)?,
    };
    Ok(table(heading, vec![block]))
}

const LIST: &[Column<RingRow>] = &[
    ("position", |row| Cell::label(&row.position)),
    ("won", |row| Cell::label(won(row))),
    ("ways", |row| Cell::number_or_blank(row.winning)),
    ("fewest plays", |row| Cell::number_or_blank(row.fewest)),
    ("left", |row| Cell::number_or_blank(row.left)),
    ("pits", |row| Cell::label_or_blank(row.line.as_ref())),
];

fn won(row: &RingRow) -> &'static str {
    match row.won {
        Some(true) => "yes",
        Some(false) => "no",
        None => "unknown",
    }
}

/// The number of ways to win, or only whether the position can be won if that number is unknown.
fn ways(row: &RingRow) -> Cell {
    match row.winning {
        Some(ways) => Cell::number(ways),
        None => Cell::number(won(row)),
    }
}
