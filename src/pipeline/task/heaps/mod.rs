//! Heaps: a row for each heap of a game; and, without a job, a few heaps and sums.

mod charts;
mod check;
mod columns;
mod evaluate;
mod found;
mod make;
mod spec;
mod sums;
mod table;
mod values;

use cggames::family::Progression;
use cggames::game::GameKind;
use cglaws::{Column, Entries, Material};

pub(super) use self::check::verdict;
pub use self::columns::{HeapColumns, HeapLabel, HeapRow, OUTCOMES};
pub(super) use self::columns::{ROW_BYTES, with_more};
pub use self::evaluate::{HeapEvaluation, HeapsEvaluated, evaluate_heaps, period_heaps};
pub(super) use self::found::{FOUND_BYTES, Found};
pub(super) use self::spec::rules;
pub use self::spec::{HEAP_MAX, HeapsLayout, HeapsTask, OBLIGATED_HEAP_MAX, heap_max};
pub(super) use self::sums::evaluate;
pub use self::sums::{SumEvaluated, SumEvaluation, evaluate_sums};
pub use self::values::{HeapValue, Period};
use super::kind::{Kind, Mark};
use crate::dataset::{RowSource, Wanted};
use crate::report::ReportError;
use crate::report::check::CheckReport;
use crate::report::page::Figure;
use crate::report::reference::Facts;
use crate::report::table::Table;
use crate::run::{Checked, Described, Description, Mined, Reading, RunError, Session, Tabulated};

/// The registry entry of this kind.
pub(super) const KIND: Kind = Kind {
    plays: |game| matches!(game, GameKind::Heaps(_)),
    mark: Mark::Family("heaps", &[]),
    family: "a section [family], for example with heaps = \"0..=1000\"",
    titles: |_| &["a row for each heap of a game"],
    is_mined: true,
    spec: spec::spec,
};

impl Described for HeapsTask {
    fn description(&self) -> Description {
        Description::new("heap", self.game.to_string(), "sum", self.sum.name())
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
}

impl Tabulated for HeapsTask {
    fn table(&self, reading: &Reading<'_>) -> Result<Table, ReportError> {
        table::build(reading.job, self, reading.ranks, reading.scan())
    }

    fn charts(&self, reading: &Reading<'_>) -> Result<Vec<Figure>, ReportError> {
        charts::charts(self.rows(), reading.scan())
    }
}

impl Checked for HeapsTask {
    fn check(&self, reading: &Reading<'_>, facts: &Facts) -> Result<CheckReport, ReportError> {
        check::check(reading.job, self, reading.scan(), &facts.heaps)
    }
}

impl Mined for HeapsTask {
    fn mined_variables(&self) -> Option<Vec<String>> {
        Some(vec!["n".to_owned()])
    }

    /// The values by the size of the heap.
    fn material(&self, reading: &Reading<'_>) -> Result<Material, ReportError> {
        let mut column: Option<Column> = None;
        for row in
            RowSource::<HeapRow>::rows(reading.scan(), Wanted::columns(["code", "n", "value"]))?
        {
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

    fn entry(
        &self,
        _: &Column,
        at: &[i64],
        session: &Session<'_>,
    ) -> Result<Option<String>, RunError> {
        let heap = at[0].unsigned_abs();
        let evaluation = HeapEvaluation {
            game: self.game.clone(),
            sum: self.sum,
            heaps: vec![Progression::single(heap)],
            period: false,
        };
        let mut rows = evaluate_heaps(&evaluation, session)?.rows.into_iter();
        Ok(rows.next().map(|row| row.value.to_string()))
    }
}
