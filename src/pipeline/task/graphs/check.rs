//! Compares sowing graphs with published facts.

use super::GraphsTask;
use super::columns::GraphRow;
use crate::dataset::Wanted;
use crate::report::ReportError;
use crate::report::check::compare::Verdict;
use crate::report::check::{CheckReport, Finding};
use crate::report::reference::{BoardStatement, Facts};
use crate::run::{Checked, Reading};
use crate::task::boards::fewest_stones;

impl Checked for GraphsTask {
    /// Compares sowing graphs with the facts about them.
    ///
    /// If the printed condition for finitely many boards differs from the rules, this is a finding,
    /// because the print is wrong there.
    fn check(&self, reading: &Reading<'_>, facts: &Facts) -> Result<CheckReport, ReportError> {
        let facts = facts.boards.iter().filter(|cited| {
            matches!(
                cited.fact,
                BoardStatement::FiniteIff
                    | BoardStatement::Stars
                    | BoardStatement::CycleOfFour { .. }
            )
        });
        let mut findings = Vec::new();
        let report = reading.compared(Wanted::all(), facts, |row: &GraphRow, cited| {
            match &cited.fact {
                BoardStatement::FiniteIff => {
                    // One graph suffices as a counterexample.
                    if row.finite != row.finite_in_print && findings.is_empty() {
                        let cycle = row.cycle.as_deref().unwrap_or_default();
                        findings.push(Finding {
                            citation: cited.citation.clone(),
                            position: row.name.clone(),
                            value: format!("infinitely many winning boards, by {cycle}"),
                            printed_value: Some("finitely many".to_owned()),
                            ..Finding::default()
                        });
                    }
                    Some(Verdict::Agrees { listed: 0 })
                }
                BoardStatement::Stars if &*row.family == "star" => {
                    let [spokes, length] = row.arguments[..] else {
                        return None;
                    };
                    // The path of this length has a board for each number of stones below N(l + 1).
                    let of_path = u128::from(fewest_stones(length.unsigned_abs() + 1));
                    let all = of_path.checked_pow(u32::try_from(spokes).ok()?)?;
                    let found = row.boards.as_ref()?;
                    Some(Verdict::rest(
                        *found == all.to_string(),
                        &row.name,
                        all,
                        found,
                    ))
                }
                BoardStatement::CycleOfFour { totals } if row.name == "cycle(4)" => {
                    let last = totals.last().copied().unwrap_or(0) as i64;
                    row.total_complete.filter(|&complete| complete >= last)?;
                    let found = row.totals.iter().take_while(|&&total| total <= last);
                    let found: Vec<u64> = found.map(|total| total.unsigned_abs()).collect();
                    Some(Verdict::of(
                        (found == *totals).then_some(totals.len()),
                        &row.name,
                        format_args!("{totals:?}"),
                        format_args!("{found:?}"),
                    ))
                }
                _ => None,
            }
        })?;
        Ok(CheckReport { findings, ..report })
    }
}
