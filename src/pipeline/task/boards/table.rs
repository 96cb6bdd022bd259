//! Tables of Tchoukaillon boards.

use std::ops::Range;

use super::columns::BoardRow;
use super::{BoardsLayout, BoardsTask, ListedBins};
use crate::dataset::{RowSource, Wanted};
use crate::report::ReportError;
use crate::report::table::plain::{block, counted, fits, table};
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
    fits(job.heading(), task.rows().saturating_mul(4))?;
    let mut width = 0;
    let mut read: Vec<BoardRow> = Vec::new();
    for row in counted(job.heading(), ranks, rows, Wanted::all())? {
        let row = row?;
        width = width.max(row.bins.as_ref().map_or(0, Vec::len));
        if task.layout == BoardsLayout::Bins {
            fits(job.heading(), task.rows().saturating_mul(width as u64 + 3))?;
        }
        read.push(row);
    }
    let rows = read;
    let label = |n: &dyn std::fmt::Display| Cell::number(n);
    let first_play = |row: &BoardRow| row.first_play.map_or(Cell::Blank, |bin| label(&bin));
    let block = match task.layout {
        BoardsLayout::List => {
            let has_bins = task.bins != ListedBins::None;
            let line = |row: &BoardRow| {
                let mut line = vec![label(&row.n), label(&row.length), first_play(row)];
                line.extend(
                    row.bins
                        .as_ref()
                        .map(|bins| Cell::Label(board(bins, row.length))),
                );
                line
            };
            let header = ["n", "length", "first play", "board"];
            let header = if has_bins { &header[..] } else { &header[..3] };
            block(header, rows.iter().map(line).collect())
        }
        BoardsLayout::Bins => {
            let header: Vec<String> = ["n", "length", "first play"]
                .map(str::to_owned)
                .into_iter()
                .chain((1..=width).map(|bin| format!("b_{bin}")))
                .collect();
            let header: Vec<&str> = header.iter().map(String::as_str).collect();
            let line = |row: &BoardRow| {
                let mut line = vec![label(&row.n), label(&row.length), first_play(row)];
                line.extend(row.bins.iter().flatten().map(|bin| label(bin)));
                line.resize(width + 3, Cell::Blank);
                line
            };
            block(&header, rows.iter().map(line).collect())
        }
    };
    Ok(table(job.heading(), vec![block]))
}

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
