//! Tables of Tchuka Ruma.

use std::ops::Range;

use super::columns::RingRow;
use super::spec::{RingFamily, RingsLayout, RingsTask};
use crate::dataset::{RowSource, Wanted};
use crate::report::ReportError;
use crate::report::table::plain::{block, counted, fits, table};
use crate::report::table::{Block, Cell, Table};
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
    let block = match (&task.family, task.layout) {
        (RingFamily::Starts { pits, stones }, RingsLayout::Grid) => {
            grid(job, *pits, *stones, ranks, rows)?
        }
        _ => list(job, task, ranks, rows)?,
    };
    Ok(table(job.heading(), vec![block]))
}

fn number(count: Option<i64>) -> Cell {
    count.map_or(Cell::Blank, Cell::number)
}

fn won(row: &RingRow) -> &'static str {
    match row.won {
        Some(true) => "yes",
        Some(false) => "no",
        None => "unknown",
    }
}

fn list(
    job: &JobHeader,
    task: &RingsTask,
    ranks: &[Range<u64>],
    rows: impl RowSource<RingRow>,
) -> Result<Block, ReportError> {
    let header = ["position", "won", "ways", "fewest plays", "left", "pits"];
    let cells = task.family.len().saturating_mul(header.len() as u64);
    fits(job.heading(), cells)?;
    let rows = counted(job.heading(), ranks, rows, Wanted::all())?;
    let lines = rows.map(|row| {
        let row = row?;
        Ok(vec![
            Cell::Label(row.position.clone()),
            Cell::Label(won(&row).to_owned()),
            number(row.winning),
            number(row.fewest),
            number(row.left),
            row.line.map_or(Cell::Blank, Cell::Label),
        ])
    });
    Ok(block(&header, lines.collect::<Result<_, ReportError>>()?))
}

/// A line for each number of pits: the number of ways to win each starting position, or only
/// whether it can be won if that number is unknown. Starting positions without a row stay blank.
fn grid(
    job: &JobHeader,
    pits: (u64, u64),
    stones: (u64, u64),
    ranks: &[Range<u64>],
    rows: impl RowSource<RingRow>,
) -> Result<Block, ReportError> {
    let width = stones.1 - stones.0 + 1;
    let mut cells = vec![vec![Cell::Blank; width as usize]; (pits.1 - pits.0 + 1) as usize];
    let wanted = Wanted::columns(["pits", "stones", "won", "winning"]);
    for row in counted(job.heading(), ranks, rows, wanted)? {
        let row = row?;
        let line = (row.pits as u64 - pits.0) as usize;
        let column = ((row.stones / row.pits) as u64 - stones.0) as usize;
        cells[line][column] = match row.winning {
            Some(ways) => Cell::number(ways),
            None => Cell::Number(won(&row).to_owned()),
        };
    }
    let header: Vec<String> = std::iter::once("pits".to_owned())
        .chain((stones.0..=stones.1).map(|stones| stones.to_string()))
        .collect();
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let lines = (pits.0..).zip(cells).map(|(pits, cells)| {
        let label = Cell::Label(pits.to_string());
        std::iter::once(label).chain(cells).collect()
    });
    Ok(block(&header, lines.collect()))
}
