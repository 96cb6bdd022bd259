//! Tables of sowing graphs.

use std::ops::Range;

use super::columns::GraphRow;
use super::{GraphsLayout, GraphsTask};
use crate::dataset::{RowSource, Wanted};
use crate::report::ReportError;
use crate::report::table::plain::{block, counted, fits, table};
use crate::report::table::{Cell, Table};
use crate::run::{Described, JobHeader};

/// Lays out graphs: their properties, the number of boards with each total, or the results of
/// strategies.
///
/// # Errors
///
/// If rows cannot be read, if their number differs from that of the job's graphs, or if a table has
/// more than [`CELLS_MAX`](crate::report::table::CELLS_MAX) cells.
pub(super) fn build(
    job: &JobHeader,
    task: &GraphsTask,
    ranks: &[Range<u64>],
    rows: impl RowSource<GraphRow>,
) -> Result<Table, ReportError> {
    type Line = fn(&GraphRow) -> Vec<Cell>;
    let (header, line): (&[&str], Line) = match task.layout {
        GraphsLayout::List => (
            &[
                "graph",
                "vertices",
                "edges",
                "boards",
                "up to",
                "longest play",
                "infinite",
            ],
            list,
        ),
        GraphsLayout::Totals => (&["graph", "boards", "by total"], totals),
        GraphsLayout::Strategies => (
            &[
                "graph",
                "boards tried",
                "fewest",
                "most",
                "most home",
                "foremost",
                "fewest fails at",
            ],
            strategies,
        ),
    };
    let graphs = task.rows();
    fits(job.heading(), graphs.saturating_mul(header.len() as u64))?;
    let rows = counted(job.heading(), ranks, rows, Wanted::all())?;
    let lines = rows.map(|row| Ok(line(&row?)));
    let lines = lines.collect::<Result<_, ReportError>>()?;
    Ok(table(job.heading(), vec![block(header, lines)]))
}

fn label(value: impl ToString) -> Cell {
    Cell::Label(value.to_string())
}

fn or_blank(value: Option<impl std::fmt::Display>) -> Cell {
    value.map_or(Cell::Blank, Cell::number)
}

/// The number of boards counted, with a mark if there may be more.
fn boards(row: &GraphRow) -> Cell {
    match (&row.boards, &row.boards_counted) {
        (Some(all), _) => Cell::number(all),
        (None, Some(counted)) => label(format!("{counted}+")),
        (None, None) => Cell::Blank,
    }
}

fn list(row: &GraphRow) -> Vec<Cell> {
    vec![
        label(&row.name),
        Cell::number(row.vertices),
        Cell::number(row.edges),
        boards(row),
        or_blank(row.total_complete),
        or_blank(row.moves_greatest),
        row.cycle.as_ref().map_or(Cell::Blank, label),
    ]
}

fn totals(row: &GraphRow) -> Vec<Cell> {
    let all = row.boards_by_total.as_deref().unwrap_or_default();
    // If each total has one board, only the totals are listed.
    let words: Vec<String> = if all.iter().all(|&boards| boards == 1) {
        row.totals.iter().map(i64::to_string).collect()
    } else {
        (row.totals.iter().zip(all))
            .map(|(total, boards)| format!("{total}:{boards}"))
            .collect()
    };
    vec![label(&row.name), boards(row), label(words.join(" "))]
}

fn strategies(row: &GraphRow) -> Vec<Cell> {
    vec![
        label(&row.name),
        or_blank(row.strategy_boards),
        or_blank(row.fewest_safe),
        or_blank(row.most_safe),
        or_blank(row.home_safe),
        or_blank(row.foremost_safe),
        row.fewest_unsafe_at.as_ref().map_or(Cell::Blank, label),
    ]
}
