//! Tables of sowing graphs.

use super::columns::GraphRow;
use super::{GraphsLayout, GraphsTask};
use crate::report::ReportError;
use crate::report::table::plain::Column;
use crate::report::table::{Cell, Table};
use crate::run::{Described, Reading, Tabulated};

impl Tabulated for GraphsTask {
    /// The graphs' properties, the number of boards with each total, or the results of strategies.
    fn table(&self, reading: &Reading<'_>) -> Result<Table, ReportError> {
        let columns = match self.layout {
            GraphsLayout::List => LIST,
            GraphsLayout::Totals => TOTALS,
            GraphsLayout::Strategies => STRATEGIES,
        };
        let block = reading.list(self.rows(), columns)?;
        Ok(reading.table(vec![block]))
    }
}

const LIST: &[Column<GraphRow>] = &[
    ("graph", |row| Cell::label(&row.name)),
    ("vertices", |row| Cell::number(row.vertices)),
    ("edges", |row| Cell::number(row.edges)),
    ("boards", boards),
    ("up to", |row| Cell::number_or_blank(row.total_complete)),
    ("longest play", |row| {
        Cell::number_or_blank(row.moves_greatest)
    }),
    ("infinite", |row| Cell::label_or_blank(row.cycle.as_ref())),
];

const TOTALS: &[Column<GraphRow>] = &[
    ("graph", |row| Cell::label(&row.name)),
    ("boards", boards),
    ("by total", totals),
];

const STRATEGIES: &[Column<GraphRow>] = &[
    ("graph", |row| Cell::label(&row.name)),
    ("boards tried", |row| {
        Cell::number_or_blank(row.strategy_boards)
    }),
    ("fewest", |row| Cell::number_or_blank(row.fewest_safe)),
    ("most", |row| Cell::number_or_blank(row.most_safe)),
    ("most home", |row| Cell::number_or_blank(row.home_safe)),
    ("foremost", |row| Cell::number_or_blank(row.foremost_safe)),
    ("fewest fails at", |row| {
        Cell::label_or_blank(row.fewest_unsafe_at.as_ref())
    }),
];

/// The number of boards counted, with a mark if there may be more.
fn boards(row: &GraphRow) -> Cell {
    match (&row.boards, &row.boards_counted) {
        (Some(all), _) => Cell::number(all),
        (None, counted) => Cell::label_or_blank(counted.as_ref().map(|n| format!("{n}+"))),
    }
}

/// The number of boards with each total; if each has one board, only the totals.
fn totals(row: &GraphRow) -> Cell {
    let all = row.boards_by_total.as_deref().unwrap_or_default();
    let words: Vec<String> = if all.iter().all(|&boards| boards == 1) {
        row.totals.iter().map(i64::to_string).collect()
    } else {
        (row.totals.iter().zip(all))
            .map(|(total, boards)| format!("{total}:{boards}"))
            .collect()
    };
    Cell::label(words.join(" "))
}
