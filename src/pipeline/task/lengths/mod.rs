//! Lengths of Tchoukaillon boards: a row for each, with the fewest stones of a board of this
//! length.

mod charts;
mod check;
mod columns;
mod make;
mod schema;
mod spec;
mod table;

use std::ops::Range;

use bytesize::ByteSize;
use cggames::game::GameKind;

pub(super) use self::check::compare;
pub use self::columns::{LengthColumns, LengthRow};
pub use self::spec::{LENGTH_MAX, LengthsLayout, LengthsTask};
use super::kind::{Kind, Mark};
use crate::dataset::{Join, ResultSet, Tables};
use crate::report::ReportError;
use crate::report::check::CheckReport;
use crate::report::page::Figure;
use crate::report::reference::Facts;
use crate::report::table::Table;
use crate::run::estimate::{Amount, Workload, quick_rows};
use crate::run::{Parts, Phase, RowTask, RowsRead, RunError, Subject};

/// The size of a row of the table `lengths`.
///
/// Unit: bytes. A hundred thousand rows have 16.9 a row, ten million 13.6.
const ROW_BYTES: u64 = 13;

/// The registry entry of this kind.
pub(super) const KIND: Kind = Kind {
    plays: |game| game == GameKind::Tchoukaillon,
    mark: Mark::Family("lengths", &[]),
    family: "a section [family], for example with boards = \"0..=1000\"",
    read: |problems, sections| sections.marked(problems, spec::read),
    schema: schema::sections,
};

impl RowTask for LengthsTask {
    fn noun(&self) -> &'static str {
        "length"
    }

    fn rows(&self) -> u64 {
        self.rows()
    }

    fn meaning(&self) -> String {
        let LengthsTask { first, last, .. } = self;
        format!("seedbank job 1\ntchoukaillon lengths\nfrom {first} to {last}")
    }

    fn subject(&self) -> Subject {
        Subject {
            game: "fewest stones of a board".to_owned(),
            detail: ("family", format!("lengths {} to {}", self.first, self.last)),
            listed: None,
        }
    }

    fn tables(&self) -> Tables {
        Tables::of::<LengthRow>()
    }

    fn join(&self) -> Join {
        ResultSet::join::<LengthRow>
    }

    fn part_rows(&self) -> u64 {
        make::PART_ROWS
    }

    /// The sum of the lengths.
    fn cost(&self, ranks: &Range<u64>) -> u64 {
        if ranks.is_empty() {
            return 1;
        }
        let (first, last) = (self.first + ranks.start, self.first + ranks.end - 1);
        let sum = u128::from(first + last) * u128::from(ranks.end - ranks.start) / 2;
        u64::try_from(sum).unwrap_or(u64::MAX).max(1)
    }

    fn row_bytes(&self, rows: u64, _is_begun: bool) -> u64 {
        rows.saturating_mul(ROW_BYTES)
    }

    fn effort(&self, least: u64) -> (Workload, Amount<ByteSize>) {
        quick_rows(least)
    }

    fn phase(&self) -> Phase {
        Phase::Writing
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

    fn charts(&self, read: RowsRead<'_>) -> Result<Vec<Figure>, ReportError> {
        charts::charts(self.rows(), read.rows)
    }

    fn check(&self, read: RowsRead<'_>, facts: &Facts) -> Result<CheckReport, ReportError> {
        let report = check::check(read.job, read.rows, &facts.boards)?;
        Ok(report.numbered_from(facts.first_of_boards()))
    }
}
