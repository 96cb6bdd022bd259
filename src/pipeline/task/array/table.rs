//! Tables of the Tchoukaillon array.

use std::ops::Range;

use super::columns::ArrayRow;
use super::spec::{ArrayEntries, ArrayLayout, ArrayTask};
use crate::dataset::{RowSource, Wanted};
use crate::report::ReportError;
use crate::report::table::plain::{Column, Grid, counted, fits, list, table};
use crate::report::table::{Cell, Table};
use crate::run::JobHeader;

/// Lays out entries: a line for each, or a line for each row of the array, in which entries that are not there stay blank.
///
/// # Errors
///
/// If rows cannot be read, if their number differs from the job's, or if the table has more than
/// [`CELLS_MAX`](crate::report::table::CELLS_MAX) cells.
pub(super) fn build(
    job: &JobHeader,
    task: &ArrayTask,
    ranks: &[Range<u64>],
    rows: impl RowSource<ArrayRow>,
) -> Result<Table, ReportError> {
    let (heading, number) = (job.heading(), task.entries.number());
    let block = match (task.layout, &task.entries) {
        (
            ArrayLayout::Grid,
            ArrayEntries::Block {
                rows: down,
                columns,
            },
        ) => {
            fits(heading, number.saturating_mul(LIST.len() as u64))?;
            let across = (columns.0..=columns.1).map(Cell::label);
            let mut grid = Grid::new("i", (down.0..=down.1).map(Cell::number), across);
            for row in counted(heading, ranks, rows, Wanted::all())? {
                let row: ArrayRow = row?;
                let [i, j] = [row.i, row.j].map(i64::unsigned_abs);
                grid.set(i - down.0, j - columns.0, Cell::number(row.n));
            }
            grid.block()
        }
        _ => list(heading, number, ranks, rows, LIST)?,
    };
    Ok(table(heading, vec![block]))
}

const LIST: &[Column<ArrayRow>] = &[
    ("i", |row| Cell::number(row.i)),
    ("j", |row| Cell::number(row.j)),
    ("n", |row| Cell::number(row.n)),
    ("deviation", |row| Cell::decimals(row.deviation)),
];
