//! Compares sums with published values: a fact lists sums, and each row that confirms one is an
//! agreement.

use super::SumsTask;
use super::columns::SumRow;
use crate::dataset::{RowSource, Wanted};
use crate::report::ReportError;
use crate::report::check::CheckReport;
use crate::report::check::met::{Met, finish};
use crate::report::reference::SumFact;
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
    facts: &[SumFact],
) -> Result<CheckReport, ReportError> {
    let mut report = CheckReport {
        job: job.name.clone(),
        ..CheckReport::default()
    };
    let mut met: Vec<Met<'_, SumFact>> = facts
        .iter()
        .enumerate()
        .filter(|(_, fact)| fact.added == task.added)
        .map(|(index, fact)| Met::new(index, fact))
        .collect();
    for row in rows.rows(Wanted::columns(["position", "value"]))? {
        let row = row?;
        report.rows += 1;
        for met in &mut met {
            let fact = met.fact;
            let Some(expected) = fact.value(&row.position) else {
                continue;
            };
            let texts = || (expected.to_owned(), row.value.to_string());
            met.listed(
                &mut report,
                *row.value == *expected,
                || row.position.clone(),
                texts,
            );
        }
    }
    finish(&mut report, &met);
    Ok(report)
}
