//! Compares surveys of codes with published facts about the heaps of games.

use super::CodesTask;
use super::columns::CodeRow;
use crate::dataset::Wanted;
use crate::report::ReportError;
use crate::report::check::CheckReport;
use crate::report::check::compare::{Comparison, Verdict};
use crate::report::reference::{Facts, HeapClaim, HeapFact, HeapStatement};
use crate::run::{Checked, Reading};
use crate::task::heaps;

impl Checked for CodesTask {
    /// Compares the codes of a survey with the facts about them.
    ///
    /// Periods are compared if both the fact and the row have one, and P-positions as far as the row
    /// lists them.
    fn check(&self, reading: &Reading<'_>, facts: &Facts) -> Result<CheckReport, ReportError> {
        let of_sum = facts.heaps.iter().filter(|fact| fact.sum == self.sum);
        let by_code: Vec<_> = of_sum.map(|fact| (fact.game.to_string(), fact)).collect();
        let mut comparison = Comparison::new(&reading.job.name, []);
        for row in reading.scan().rows::<CodeRow>(Wanted::all())? {
            let row = row?;
            comparison.report.rows += 1;
            for (_, fact) in by_code.iter().filter(|(code, _)| *code == row.code) {
                comparison.meet(fact, verdicts(fact, &row));
            }
        }
        Ok(comparison.finish())
    }
}

/// Compares a code with a fact about it.
fn verdicts(fact: &HeapFact, row: &CodeRow) -> Vec<Verdict> {
    let mut verdicts = Vec::new();
    let found = row.preperiod.zip(row.period);
    if let HeapStatement::Values {
        period: Some((preperiod, period)),
        ..
    } = fact.statement
        && let Some((found_preperiod, found_period)) = found
    {
        verdicts.push(Verdict::rest(
            found == Some((preperiod as i64, period as i64)),
            &row.code,
            format_args!("preperiod {preperiod}, period {period}"),
            format_args!("preperiod {found_preperiod}, period {found_period}"),
        ));
    }
    let Some(p_positions) = &row.p_positions else {
        return verdicts;
    };
    let known = match found {
        Some((preperiod, period)) => preperiod + period,
        None => row.verified_to,
    };
    let name = |is_p| {
        if is_p {
            "a P-position"
        } else {
            "no P-position"
        }
    };
    for heap in 0..known.unsigned_abs() {
        let expected = match fact.claim(heap) {
            Some(HeapClaim::IsP(is_p)) => is_p,
            Some(HeapClaim::Value(value)) => value.starts_with('0'),
            // A statement begins with some heap and may end with one.
            None if !verdicts.is_empty() => break,
            None => continue,
        };
        let is_p = p_positions.binary_search(&(heap as i64)).is_ok();
        let (holds, expected, found) = (is_p == expected, name(expected), name(is_p));
        verdicts.push(heaps::verdict(fact, holds, heap, expected, found));
    }
    verdicts
}
