//! Compares sowing graphs with published facts.

use super::columns::GraphRow;
use crate::dataset::{RowSource, Wanted};
use crate::report::ReportError;
use crate::report::check::met::{Met, finish};
use crate::report::check::{CheckReport, Finding};
use crate::report::reference::{BoardFact, BoardStatement};
use crate::run::JobHeader;
use crate::task::boards::fewest_stones;

/// Compares sowing graphs with the facts about them.
///
/// If the printed condition for finitely many boards differs from the rules, this is a finding,
/// because the print is wrong there.
///
/// # Errors
///
/// If rows cannot be read.
pub(super) fn check(
    job: &JobHeader,
    rows: impl RowSource<GraphRow>,
    facts: &[BoardFact],
) -> Result<CheckReport, ReportError> {
    let mut report = CheckReport {
        job: job.name.clone(),
        ..CheckReport::default()
    };
    let is_one = |fact: &BoardFact| {
        let of_graphs = [BoardStatement::FiniteIff, BoardStatement::Stars];
        of_graphs.contains(&fact.statement)
            || matches!(fact.statement, BoardStatement::CycleOfFour { .. })
    };
    let mut met: Vec<Met<'_, BoardFact>> = (facts.iter().enumerate())
        .filter(|(_, fact)| is_one(fact))
        .map(|(index, fact)| Met::new(index, fact))
        .collect();
    let mut wrong_in_print: Vec<Finding> = Vec::new();
    for row in rows.rows(Wanted::all())? {
        let row = row?;
        report.rows += 1;
        for met in &mut met {
            match &met.fact.statement {
                BoardStatement::FiniteIff if row.finite == row.finite_in_print => met.rest = true,
                BoardStatement::FiniteIff => {
                    met.rest = true;
                    // One graph suffices as a counterexample.
                    if wrong_in_print.is_empty() {
                        let cycle = row.cycle.clone().unwrap_or_default();
                        wrong_in_print.push(Finding {
                            citation: met.fact.citation.clone(),
                            position: row.name.clone(),
                            value: format!("infinitely many winning boards, by {cycle}"),
                            printed_position: None,
                            printed_value: Some("finitely many".to_owned()),
                            printed_position_value: None,
                            note: None,
                        });
                    }
                }
                BoardStatement::Stars if &*row.family == "star" => {
                    let [spokes, length] = row.arguments[..] else {
                        continue;
                    };
                    // The path of this length has a board for each number of stones below N(l + 1).
                    let of_path = u128::from(fewest_stones(length.unsigned_abs() + 1));
                    let all = u32::try_from(spokes)
                        .ok()
                        .and_then(|k| of_path.checked_pow(k));
                    let (Some(all), Some(found)) = (all, &row.boards) else {
                        continue;
                    };
                    if *found == all.to_string() {
                        met.rest = true;
                    } else {
                        met.disagree(
                            &mut report,
                            row.name.clone(),
                            all.to_string(),
                            found.clone(),
                        );
                    }
                }
                BoardStatement::CycleOfFour { totals } if row.name == "cycle(4)" => {
                    let last = totals.last().copied().unwrap_or(0) as i64;
                    if row.total_complete.is_none_or(|complete| complete < last) {
                        continue;
                    }
                    let found = row.totals.iter().take_while(|&&total| total <= last);
                    let found: Vec<u64> = found.map(|total| total.unsigned_abs()).collect();
                    if found == *totals {
                        met.confirmed += totals.len();
                    } else {
                        let (expected, found) = (format!("{totals:?}"), format!("{found:?}"));
                        met.disagree(&mut report, row.name.clone(), expected, found);
                    }
                }
                _ => {}
            }
        }
    }
    report.findings = wrong_in_print;
    finish(&mut report, &met);
    Ok(report)
}
