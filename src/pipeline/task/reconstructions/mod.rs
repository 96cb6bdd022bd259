//! Reconstructions: a row for each way to fix some bins of a Tchoukaillon board.

mod check;
mod columns;
mod make;
mod schema;
mod spec;
mod table;

use cggames::game::GameKind;

pub use self::columns::ReconstructionRow;
pub use self::spec::{ReconstructionsLayout, ReconstructionsTask, SEARCHED_DEFAULT, SEARCHED_MAX};
use super::kind::{Kind, Mark};
use crate::dataset::{Join, ResultSet, Tables};
use crate::report::ReportError;
use crate::report::check::CheckReport;
use crate::report::reference::Facts;
use crate::report::table::Table;
use crate::run::{Parts, Phase, RowTask, RowsRead, RunError, Subject};

/// The registry entry of this kind.
pub(super) const KIND: Kind = Kind {
    plays: |game| game == GameKind::Tchoukaillon,
    mark: Mark::Family("reconstructions", &[]),
    family: "a section [family], for example with boards = \"0..=1000\"",
    read: |problems, sections| sections.marked(problems, spec::read),
    schema: schema::sections,
};

impl RowTask for ReconstructionsTask {
    fn noun(&self) -> &'static str {
        "reconstruction"
    }

    fn rows(&self) -> u64 {
        self.family.len()
    }

    fn meaning(&self) -> String {
        let (family, up_to) = (self.family.meaning(), self.up_to);
        format!("seedbank job 1\ntchoukaillon reconstructions\n{family}\nup to {up_to}")
    }

    fn subject(&self) -> Subject {
        let numbering = format!("numbering {}", self.family.numbers().name());
        Subject {
            game: "boards with fixed bins".to_owned(),
            detail: ("numbering", numbering),
            listed: None,
        }
    }

    fn tables(&self) -> Tables {
        Tables::of::<ReconstructionRow>()
    }

    fn join(&self) -> Join {
        ResultSet::join::<ReconstructionRow>
    }

    fn part_rows(&self) -> u64 {
        make::part_rows(self)
    }

    fn is_uneven(&self) -> bool {
        true
    }

    fn phase(&self) -> Phase {
        Phase::Searching
    }

    fn memory(&self, _end: u64, threads: u64) -> Option<(u64, &'static str)> {
        Some(make::memory(threads))
    }

    fn make(&self, parts: &Parts<'_>) -> Result<(), RunError> {
        make::make(self, parts)
    }

    fn table(&self, read: RowsRead<'_>) -> Result<Table, ReportError> {
        table::build(read.job, self, read.ranks, read.rows)
    }

    fn check(&self, read: RowsRead<'_>, facts: &Facts) -> Result<CheckReport, ReportError> {
        let report = check::check(read.job, self, read.rows, &facts.boards)?;
        Ok(report.numbered_from(facts.first_of_boards()))
    }
}
