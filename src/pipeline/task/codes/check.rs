//! Compares surveys of codes with published facts about the heaps of games.

use super::CodesTask;
use super::columns::CodeRow;
use crate::dataset::{RowSource, Wanted};
use crate::report::ReportError;
use crate::report::check::CheckReport;
use crate::report::check::met::{Met, finish};
use crate::report::reference::{HeapClaim, HeapFact, HeapStatement};
use crate::run::JobHeader;
use crate::task::heaps::look;

/// Compares the codes of a survey with the facts about them.
///
/// Periods are compared if both the fact and the row have one, and P-positions as far as the row
/// lists them.
///
/// # Errors
///
/// If rows cannot be read.
pub(super) fn check(
    job: &JobHeader,
    task: &CodesTask,
    rows: impl RowSource<CodeRow>,
    facts: &[HeapFact],
) -> Result<CheckReport, ReportError> {
    let mut report = CheckReport {
        job: job.name.clone(),
        ..CheckReport::default()
    };
    let of_sum = facts.iter().enumerate();
    let of_sum = of_sum.filter(|(_, fact)| fact.sum == task.sum);
    let by_code: Vec<(String, usize)> = of_sum.map(|(i, f)| (f.game.to_string(), i)).collect();
    let mut met = Vec::new();
    for row in rows.rows(Wanted::all())? {
        let row = row?;
        report.rows += 1;
        for (_, index) in by_code.iter().filter(|(code, _)| *code == row.code) {
            let mut fact = Met::new(*index, &facts[*index]);
            code(&mut report, &mut fact, &row);
            met.push(fact);
        }
    }
    finish(&mut report, &met);
    Ok(report)
}

/// Compares a code with a fact about it.
fn code(report: &mut CheckReport, met: &mut Met<'_, HeapFact>, row: &CodeRow) {
    let found = row.preperiod.zip(row.period);
    if let HeapStatement::Values {
        period: Some((preperiod, period)),
        ..
    } = met.fact.statement
        && let Some((found_preperiod, found_period)) = found
    {
        met.rest = true;
        let same = found == Some((preperiod as i64, period as i64));
        if !same {
            let expected = format!("preperiod {preperiod}, period {period}");
            let found = format!("preperiod {found_preperiod}, period {found_period}");
            met.disagree(report, row.code.clone(), expected, found);
        }
    }
    let Some(p_positions) = &row.p_positions else {
        return;
    };
    let known = match found {
        Some((preperiod, period)) => preperiod + period,
        None => row.verified_to,
    };
    for heap in 0..known.unsigned_abs() {
        let expected = match met.fact.claim(heap) {
            Some(HeapClaim::IsP(is_p)) => is_p,
            Some(HeapClaim::Value(value)) => value.starts_with('0'),
            // A statement begins with some heap and may end with one.
            None if met.seen() => break,
            None => continue,
        };
        let is_p = p_positions.binary_search(&(heap as i64)).is_ok();
        let name = |is_p| {
            if is_p {
                "a P-position"
            } else {
                "no P-position"
            }
        };
        let (expected_name, found) = (name(expected), name(is_p));
        look(met, report, is_p == expected, heap, expected_name, found);
    }
}
