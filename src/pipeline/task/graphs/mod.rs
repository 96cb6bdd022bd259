//! Sowing graphs: a row for each graph of a family.

mod check;
mod columns;
mod make;
mod schema;
mod spec;
mod table;

use cggames::game::GameKind;
use cglaws::Material;

pub use self::columns::GraphRow;
pub use self::spec::{GraphsLayout, GraphsTask, TOTAL_MAX_INFINITE};
use super::kind::{Kind, Mark};
use crate::dataset::{Join, ResultSet, Tables};
use crate::report::ReportError;
use crate::report::check::CheckReport;
use crate::report::reference::Facts;
use crate::report::table::Table;
use crate::run::{Parts, Phase, RowTask, RowsRead, RunError, Subject};

/// The registry entry of this kind.
pub(super) const KIND: Kind = Kind {
    plays: |game| game == GameKind::SowingGraph,
    mark: Mark::None,
    family: "a section [family], for example with graphs = \"path(1..=9)\"",
    read: spec::read,
    schema: schema::sections,
};

impl RowTask for GraphsTask {
    fn noun(&self) -> &'static str {
        "graph"
    }

    fn rows(&self) -> u64 {
        self.graphs.len()
    }

    fn meaning(&self) -> String {
        let GraphsTask {
            graphs,
            total_max,
            boards_max,
            held_max,
            strategy_boards_max,
            ..
        } = self;
        let total_max = total_max.map_or_else(|| "any".to_owned(), |total| total.to_string());
        format!(
            "seedbank job 1\nsowing graphs\ntotals to {total_max}\nboards {boards_max} held {held_max}\n\
             strategies on {strategy_boards_max}\n{}",
            graphs.meaning()
        )
    }

    fn subject(&self) -> Subject {
        let limits = match self.total_max {
            Some(total) => format!("totals to {total}"),
            None => "all totals".to_owned(),
        };
        Subject {
            game: "winning boards of sowing graphs".to_owned(),
            detail: ("totals", limits),
            listed: None,
        }
    }

    fn tables(&self) -> Tables {
        Tables::of::<GraphRow>()
    }

    fn join(&self) -> Join {
        ResultSet::join::<GraphRow>
    }

    fn part_rows(&self) -> u64 {
        make::PART_ROWS
    }

    fn is_uneven(&self) -> bool {
        true
    }

    fn phase(&self) -> Phase {
        Phase::Counting
    }

    fn memory(&self, _end: u64, threads: u64) -> Option<(u64, &'static str)> {
        Some(make::memory(self, threads))
    }

    fn make(&self, parts: &Parts<'_>) -> Result<(), RunError> {
        make::make(self, parts)
    }

    fn table(&self, read: RowsRead<'_>) -> Result<Table, ReportError> {
        table::build(read.job, self, read.ranks, read.rows)
    }

    fn check(&self, read: RowsRead<'_>, facts: &Facts) -> Result<CheckReport, ReportError> {
        let report = check::check(read.job, read.rows, &facts.boards)?;
        Ok(report.numbered_from(facts.first_of_boards()))
    }

    fn mined_variables(&self) -> Option<Vec<String>> {
        Some(columns::VARIABLES.map(str::to_owned).to_vec())
    }

    fn material(&self, read: RowsRead<'_>) -> Result<Material, ReportError> {
        columns::material(read.rows)
    }
}
