//! Tchuka Ruma: a row for each position, which says whether and how it can be won.
//!
//! [`evaluate_rings`] evaluates a few positions without a job.

mod columns;
mod evaluate;
mod make;
mod schema;
mod spec;
mod table;

use cggames::game::GameKind;

use super::kind::{Kind, Mark};
use crate::dataset::{Join, ResultSet, RowSource, Tables};
use crate::report::ReportError;
use crate::report::check::CheckReport;
use crate::report::reference::Facts;
use crate::report::table::Table;
use crate::run::{Parts, Phase, RowTask, RowsRead, RunError, Subject};
pub use columns::RingRow;
pub use evaluate::{RingEvaluation, evaluate_rings};
pub use spec::{POSITIONS_MAX_DEFAULT, RingFamily, RingsLayout, RingsTask};

/// The registry entry of this kind.
pub(super) const KIND: Kind = Kind {
    plays: |game| game == GameKind::TchukaRuma,
    mark: Mark::None,
    family: "a section [family], for example with starts = { pits = \"1..=6\", stones = \"1..=6\" }",
    read: spec::read,
    schema: schema::sections,
};

impl RowTask for RingsTask {
    fn noun(&self) -> &'static str {
        "position"
    }

    fn rows(&self) -> u64 {
        self.family.len()
    }

    fn meaning(&self) -> String {
        let RingsTask {
            family,
            positions_max,
            ..
        } = self;
        let mut meaning =
            format!("seedbank job 1\ntchuka-ruma\npositions to {positions_max}\n{family}");
        if let RingFamily::Listed(rings) = family {
            for ring in rings {
                meaning.push_str(&format!("\n{ring}"));
            }
        }
        meaning
    }

    fn subject(&self) -> Subject {
        Subject {
            game: "Tchuka Ruma".to_owned(),
            detail: ("family", self.family.to_string()),
            listed: None,
        }
    }

    fn tables(&self) -> Tables {
        Tables::of::<RingRow>()
    }

    fn join(&self) -> Join {
        ResultSet::join::<RingRow>
    }

    fn part_rows(&self) -> u64 {
        match self.family {
            RingFamily::Starts { .. } | RingFamily::Listed(_) => 1,
            RingFamily::All { .. } => 1 << 10,
        }
    }

    fn is_uneven(&self) -> bool {
        true
    }

    fn phase(&self) -> Phase {
        Phase::Searching
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

    /// Counts the rows; there are no published facts about single positions.
    fn check(&self, read: RowsRead<'_>, _: &Facts) -> Result<CheckReport, ReportError> {
        let rows = RowSource::<RingRow>::row_count(&read.rows)?;
        Ok(CheckReport {
            job: read.job.name.clone(),
            rows: rows.unwrap_or(0),
            ..CheckReport::default()
        })
    }
}
