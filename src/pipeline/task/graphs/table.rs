//! Tables of sowing graphs.

use super::columns::GraphRow;
use super::{GraphsLayout, GraphsTask};
use crate::report::ReportError;
use crate::report::table::{Cell, Table};
use crate::run::{Described, Reading, Tabulated};

impl Tabulated for GraphsTask {
    /// The properties of graphs, the number of boards with each total, or the results of strategies.
    fn table(&self, reading: &Reading<'_>) -> Result<Table, ReportError> {
        let rows = self.rows();
        let block = match self.layout {
            GraphsLayout::List => reading.list(rows, &LIST, list)?,
            GraphsLayout::Totals => reading.list(rows, &["graph", "boards", "by total"], totals)?,
            GraphsLayout::Strategies => reading.list(rows, &STRATEGIES, strategies)?,
        };
        Ok(reading.table(vec![block]))
    }
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

const LIST: [&str; 7] = [
    "graph",
    "vertices",
    "edges",
    "boards",
    "up to",
    "longest play",
    "infinite",
];

const STRATEGIES: [&str; 7] = [
    "graph",
    "boards tried",
    "fewest",
    "most",
    "most home",
    "foremost",
    "fewest fails at",
];

fn list(row: GraphRow) -> Vec<Cell> {
    vec![
        label(&row.name),
        Cell::number(row.vertices),
        Cell::number(row.edges),
        boards(&row),
        or_blank(row.total_complete),
        or_blank(row.moves_greatest),
        row.cycle.map_or(Cell::Blank, label),
    ]
}

fn totals(row: GraphRow) -> Vec<Cell> {
    let all = row.boards_by_total.as_deref().unwrap_or_default();
    // If each total has one board, only the totals are listed.
    let words: Vec<String> = if all.iter().all(|&boards| boards == 1) {
        row.totals.iter().map(i64::to_string).collect()
    } else {
        (row.totals.iter().zip(all))
            .map(|(total, boards)| format!("{total}:{boards}"))
            .collect()
    };
    vec![label(&row.name), boards(&row), label(words.join(" "))]
}

fn strategies(row: GraphRow) -> Vec<Cell> {
    vec![
        label(&row.name),
        or_blank(row.strategy_boards),
        or_blank(row.fewest_safe),
        or_blank(row.most_safe),
        or_blank(row.home_safe),
        or_blank(row.foremost_safe),
        row.fewest_unsafe_at.map_or(Cell::Blank, label),
    ]
}
