//! Tables of Tchoukaillon boards.

use std::ops::Range;

use super::columns::BoardRow;
use super::{BoardsLayout, BoardsTask, ListedBins};
use crate::dataset::{RowSource, Wanted};
use crate::report::ReportError;
use crate::report::table::plain::{Column, counted, fits, lines, table};
use crate::report::table::{Cell, Table};
use crate::run::JobHeader;

/// Lays out boards: a line for each, optionally with a column for each bin, as in the paper's
/// Figure 2.
///
/// # Errors
///
/// If rows cannot be read, if their number differs from that of the job's boards, or if a table has
/// more than [`CELLS_MAX`](crate::report::table::CELLS_MAX) cells.
pub(super) fn build(
    job: &JobHeader,
    task: &BoardsTask,
    ranks: &[Range<u64>],
    rows: impl RowSource<BoardRow>,
) -> Result<Table, ReportError> {
    let heading = job.heading();
    fits(heading, task.rows().saturating_mul(LIST.len() as u64))?;
    let rows = counted(heading, ranks, rows, Wanted::all())?;
    let block = match task.layout {
        BoardsLayout::List if task.bins == ListedBins::None => lines(rows, &LIST[..NUMBERS])?,
        BoardsLayout::List => lines(rows, LIST)?,
        BoardsLayout::Bins => {
            let mut width = 0;
            let mut boards: Vec<Vec<u32>> = Vec::new();
            let mut counted: Vec<BoardRow> = Vec::new();
            for row in rows {
                let mut row = row?;
                let bins = row.bins.take().unwrap_or_default();
                width = width.max(bins.len());
                fits(
                    heading,
                    task.rows().saturating_mul((NUMBERS + width) as u64),
                )?;
                boards.push(bins);
                counted.push(row);
            }
            let mut block = lines(counted.into_iter().map(Ok), &LIST[..NUMBERS])?;
            let names = (1..=width).map(|bin| Cell::label(format_args!("b_{bin}")));
            block.header.extend(names);
            for (line, bins) in block.rows.iter_mut().zip(boards) {
                line.extend(bins.into_iter().map(Cell::number));
                line.resize(NUMBERS + width, Cell::Blank);
            }
            block
        }
    };
    Ok(table(heading, vec![block]))
}

const LIST: &[Column<BoardRow>] = &[
    ("n", |row| Cell::number(row.n)),
    ("length", |row| Cell::number(row.length)),
    ("first play", |row| Cell::number_or_blank(row.first_play)),
    ("board", |row| {
        Cell::label_or_blank(row.bins.as_ref().map(|bins| board(bins, row.length)))
    }),
];

/// The number of columns before the bins.
const NUMBERS: usize = 3;

/// Writes a board as the paper does, with dots if farther bins are not listed.
fn board(bins: &[u32], length: i32) -> String {
    let listed: Vec<String> = bins.iter().map(u32::to_string).collect();
    let more = if bins.len() < length as usize {
        ", ..."
    } else {
        ""
    };
    format!("({}{more})", listed.join(", "))
}
