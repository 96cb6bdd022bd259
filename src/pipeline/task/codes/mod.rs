//! Surveys: a row for each code with a given number of digits.

mod check;
mod columns;
mod make;
mod schema;
mod spec;
mod table;

use bytesize::ByteSize;
use cggames::game::GameKind;
use cglaws::Material;

pub use self::columns::CodeRow;
pub use self::spec::{CODES_MAX, CodesLayout, CodesTask, SURVEY_HEAP_MAX, SURVEY_HEAP_MIN};
use super::heaps::{MORE_A_ROW, ROW_BYTES};
use super::kind::{Kind, Mark};
use crate::dataset::{Join, ResultSet, Tables};
use crate::report::ReportError;
use crate::report::check::CheckReport;
use crate::report::reference::Facts;
use crate::report::table::Table;
use crate::run::estimate::{Amount, FEW, Workload};
use crate::run::{Parts, Phase, RowTask, RowsRead, RunError, Subject};

/// The codes of a part.
const PART_ROWS: u64 = 1 << 16;

/// The registry entry of this kind.
pub(super) const KIND: Kind = Kind {
    plays: |game| matches!(game, GameKind::Heaps(_)),
    mark: Mark::Family("codes", &["heaps_max"]),
    family: "a section [family], for example with heaps = \"0..=1000\"",
    read: spec::read,
    schema: schema::sections,
};

impl RowTask for CodesTask {
    fn noun(&self) -> &'static str {
        "code"
    }

    fn rows(&self) -> u64 {
        self.rows()
    }

    fn meaning(&self) -> String {
        let CodesTask {
            digits,
            max_digit,
            heaps_max,
            sum,
            ..
        } = self;
        format!(
            "seedbank job 1\ncodes of {digits} digits to {max_digit}\nsum {sum}\nheaps to {heaps_max}"
        )
    }

    fn subject(&self) -> Subject {
        Subject {
            game: format!("codes of {} digits to {}", self.digits, self.max_digit),
            detail: ("sum", self.sum.name().to_owned()),
            listed: None,
        }
    }

    fn tables(&self) -> Tables {
        Tables::of::<CodeRow>()
    }

    fn join(&self) -> Join {
        ResultSet::join::<CodeRow>
    }

    fn part_rows(&self) -> u64 {
        PART_ROWS
    }

    fn row_bytes(&self, rows: u64, _is_begun: bool) -> u64 {
        rows.saturating_mul(ROW_BYTES)
    }

    fn effort(&self, least: u64) -> (Workload, Amount<ByteSize>) {
        let rows = self.rows();
        let results = if rows < FEW {
            // The lists in the rows may take more than the rows.
            Amount::AtLeast(ByteSize(least))
        } else {
            Amount::About(ByteSize((least as f64 + rows as f64 * MORE_A_ROW) as u64))
        };
        (
            Workload::Plain {
                is_fast: false,
                held: None,
            },
            results,
        )
    }

    fn phase(&self) -> Phase {
        Phase::Valuing
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
        let report = check::check(read.job, self, read.rows, &facts.heaps)?;
        Ok(report.numbered_from(facts.first_of_heaps()))
    }

    fn mined_variables(&self) -> Option<Vec<String>> {
        Some(Vec::new())
    }

    fn material(&self, read: RowsRead<'_>) -> Result<Material, ReportError> {
        let subject = format!("codes of {} digits, {} sums", self.digits, self.sum);
        columns::material(subject, read.rows)
    }
}
