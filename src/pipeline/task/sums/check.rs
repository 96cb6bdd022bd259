//! Compares sums with published values: a fact lists sums, and each row that confirms one is an
//! agreement.

use super::SumsTask;
use super::columns::SumRow;
use crate::dataset::Wanted;
use crate::report::ReportError;
use crate::report::check::CheckReport;
use crate::report::check::compare::Verdict;
use crate::report::reference::Facts;
use crate::run::{Checked, Reading};

impl Checked for SumsTask {
    /// Compares sums with the facts about the same kind of sum; other facts are ignored.
    fn check(&self, reading: &Reading<'_>, facts: &Facts) -> Result<CheckReport, ReportError> {
        let facts = facts.sums.iter().filter(|fact| fact.added == self.added);
        let wanted = Wanted::columns(["position", "value"]);
        reading.compared(wanted, facts, |row: &SumRow, fact| {
            let expected = fact.value(&row.position)?;
            let holds = *row.value == *expected;
            Some(Verdict::listed(holds, &row.position, expected, &row.value))
        })
    }
}
