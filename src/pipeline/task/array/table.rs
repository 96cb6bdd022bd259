//! Tables of the Tchoukaillon array.

use std::ops::Range;

use super::columns::ArrayRow;
use super::spec::{ArrayEntries, ArrayLayout, ArrayTask};
use crate::dataset::{RowSource, Wanted};
use crate::report::ReportError;
use crate::report::table::plain::{block, counted, fits, table};
use crate::report::table::{Block, Cell, Table};
use crate::run::JobHeader;

/// Lays out entries: a line for each, or a line for each row of the array.
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
    let entries = &task.entries;
    fits(job.heading(), entries.number().saturating_mul(4))?;
    let rows = counted(job.heading(), ranks, rows, Wanted::all())?;
    let block = match (task.layout, entries) {
        (
            ArrayLayout::Grid,
            ArrayEntries::Block {
                rows: down,
                columns,
            },
        ) => grid(*down, *columns, rows)?,
        _ => {
            let line = |row: Result<ArrayRow, ReportError>| {
                let row = row?;
                let numbers = [row.i, row.j, row.n].map(Cell::number);
                let deviation = Cell::Number(format!("{:.3}", row.deviation));
                Ok(numbers.into_iter().chain([deviation]).collect())
            };
            let lines = rows.map(line).collect::<Result<_, ReportError>>()?;
            block(&["i", "j", "n", "deviation"], lines)
        }
    };
    Ok(table(job.heading(), vec![block]))
}

/// A line for each row of the array; entries that are not there stay blank.
fn grid(
    down: (u64, u64),
    across: (u64, u64),
    rows: impl Iterator<Item = Result<ArrayRow, ReportError>>,
) -> Result<Block, ReportError> {
    let columns: Vec<String> = (across.0..=across.1)
        .map(|column| column.to_string())
        .collect();
    let mut lines: Vec<Vec<Cell>> = (down.0..=down.1)
        .map(|row| [vec![Cell::number(row)], vec![Cell::Blank; columns.len()]].concat())
        .collect();
    for row in rows {
        let row = row?;
        let [line, place] = [
            row.i.unsigned_abs() - down.0,
            row.j.unsigned_abs() - across.0,
        ];
        lines[line as usize][1 + place as usize] = Cell::number(row.n);
    }
    let header: Vec<&str> = ["i"]
        .into_iter()
        .chain(columns.iter().map(String::as_str))
        .collect();
    Ok(block(&header, lines))
}
