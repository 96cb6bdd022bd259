//! Compares sums with published values: a fact lists sums, and each row that confirms one is an
//! agreement.

use super::SumsTask;
use super::columns::SumRow;
use crate::dataset::{RowSource, Wanted};
use crate::report::ReportError;
use crate::report::check::CheckReport;
use crate::report::check::compare::{Verdict, compared};
use crate::report::reference::{Cited, SumFact};
use crate::run::JobHeader;

/// Compares sums with the facts about the same kind of sum; other facts are ignored.
///
/// # Errors
///
/// If rows cannot be read.
pub(super) fn check(
    job: &JobHeader,
    task: &SumsTask,
    rows: impl RowSource<SumRow>,
    facts: &[Cited<SumFact>],
) -> Result<CheckReport, ReportError> {
    let facts = facts.iter().filter(|fact| fact.added == task.added);
    let wanted = Wanted::columns(["position", "value"]);
    compared(&job.name, rows, wanted, facts, |row: &SumRow, fact| {
        let expected = fact.value(&row.position)?;
        let holds = *row.value == *expected;
        Some(Verdict::listed(holds, &row.position, expected, &row.value))
    })
}
