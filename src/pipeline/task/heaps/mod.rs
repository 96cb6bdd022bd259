//! Heaps: a row for each heap of a game; and, without a job, a few heaps and sums.

mod charts;
mod check;
mod columns;
mod evaluate;
mod found;
mod make;
pub(super) mod schema;
mod spec;
mod sums;
mod table;
mod values;

use bytesize::ByteSize;
use cggames::family::Progression;
use cggames::game::GameKind;
use cglaws::{Column, Entries, Material};

pub(super) use self::check::look;
pub use self::columns::{HeapColumns, HeapLabel, HeapRow, OUTCOMES};
pub use self::evaluate::{HeapEvaluation, HeapsEvaluated, evaluate_heaps, period_heaps};
pub(super) use self::found::{FOUND_BYTES, Found};
pub(super) use self::spec::read_rules;
pub use self::spec::{HEAP_MAX, HeapsLayout, HeapsTask, OBLIGATED_HEAP_MAX, heap_max};
pub(super) use self::sums::evaluate;
pub use self::sums::{SumEvaluated, SumEvaluation, evaluate_sums};
pub(super) use self::values::stopped;
pub use self::values::{HeapValue, Period};
use super::kind::{Kind, Mark};
use crate::dataset::{Join, ResultSet, RowSource, Tables, Wanted};
use crate::report::ReportError;
use crate::report::check::CheckReport;
use crate::report::page::Figure;
use crate::report::reference::Facts;
use crate::report::table::Table;
use crate::run::estimate::{Amount, Workload};
use crate::run::{EvaluationLimits, PART_ROWS, Parts, Phase, RowTask, RowsRead, RunError, Subject};

/// The size of a row of the tables `heaps` and `codes`.
///
/// Unit: bytes. Finished result sets of 262 thousand to 100 million rows have 3.1 to 5.6 a row.
/// Those of 0.77 and 0.16, whose values are soon periodic, have 1.1 and 1.3.
pub(super) const ROW_BYTES: u64 = 1;

/// The bytes of results per heap or code beyond the lower bound. Games that are soon periodic have
/// 0.1, 0.37 has 2.1, others up to 4.6.
pub(super) const MORE_A_ROW: f64 = 1.2;

/// The registry entry of this kind.
pub(super) const KIND: Kind = Kind {
    plays: |game| matches!(game, GameKind::Heaps(_)),
    mark: Mark::Family("heaps", &[]),
    family: "a section [family], for example with heaps = \"0..=1000\"",
    read: spec::read,
    schema: schema::sections,
};

impl RowTask for HeapsTask {
    fn noun(&self) -> &'static str {
        "heap"
    }

    fn rows(&self) -> u64 {
        self.rows()
    }

    fn meaning(&self) -> String {
        let HeapsTask {
            game,
            sum,
            first,
            last,
            ..
        } = self;
        format!("seedbank job 1\nheaps of {game}\nsum {sum}\nfrom {first} to {last}")
    }

    fn subject(&self) -> Subject {
        Subject {
            game: self.game.to_string(),
            detail: ("sum", self.sum.name().to_owned()),
            listed: None,
        }
    }

    fn tables(&self) -> Tables {
        Tables::of::<HeapRow>()
    }

    fn join(&self) -> Join {
        ResultSet::join::<HeapRow>
    }

    fn part_rows(&self) -> u64 {
        PART_ROWS
    }

    fn row_bytes(&self, rows: u64, _is_begun: bool) -> u64 {
        rows.saturating_mul(ROW_BYTES)
    }

    fn effort(&self, least: u64) -> (Workload, Amount<ByteSize>) {
        let about = least as f64 + self.rows() as f64 * MORE_A_ROW;
        let results = Amount::About(ByteSize(about as u64));
        let (held, _) = make::memory(self, self.rows());
        let workload = Workload::Plain {
            is_fast: false,
            held: Some(held),
        };
        (workload, results)
    }

    fn is_sequential(&self) -> bool {
        true
    }

    fn phase(&self) -> Phase {
        Phase::Valuing
    }

    fn memory(&self, end: u64, _threads: u64) -> Option<(u64, &'static str)> {
        Some(make::memory(self, end))
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
        let report = check::check(read.job, self, read.rows, &facts.heaps)?;
        Ok(report.numbered_from(facts.first_of_heaps()))
    }

    fn entry(
        &self,
        _: &Column,
        at: &[i64],
        limits: &EvaluationLimits<'_>,
    ) -> Result<Option<String>, RunError> {
        let heap = at[0].unsigned_abs();
        let evaluation = HeapEvaluation {
            game: self.game.clone(),
            sum: self.sum,
            heaps: Progression::parse(&heap.to_string(), heap, heap)
                .into_iter()
                .collect(),
            period: false,
            threads: limits.threads,
            memory: limits.memory,
        };
        let mut rows = evaluate_heaps(&evaluation, limits.signals)?
            .rows
            .into_iter();
        Ok(rows.next().map(|row| row.value.to_string()))
    }

    fn mined_variables(&self) -> Option<Vec<String>> {
        Some(vec!["n".to_owned()])
    }

    /// The values by the size of the heap.
    fn material(&self, read: RowsRead<'_>) -> Result<Material, ReportError> {
        let mut column: Option<Column> = None;
        for row in RowSource::<HeapRow>::rows(read.rows, Wanted::columns(["code", "n", "value"]))? {
            let row = row?;
            let column = column.get_or_insert_with(|| {
                Column::new(row.code.to_string(), vec!["n".to_owned()], Entries::Words)
            });
            column.push(&[row.n], &row.value);
        }
        Ok(Material {
            columns: column.into_iter().collect(),
            ..Material::default()
        })
    }
}
