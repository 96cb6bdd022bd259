//! Compares Tchoukaillon lengths with published facts.
//!
//! If a fact lists a length, each row that confirms it is an agreement. A statement about all
//! lengths is one agreement if rows tested it and none contradicted it.

use super::columns::LengthRow;
use crate::dataset::{RowSource, Wanted};
use crate::report::ReportError;
use crate::report::check::CheckReport;
use crate::report::check::met::{Met, finish};
use crate::report::reference::{BoardFact, BoardStatement};
use crate::run::JobHeader;

/// The greatest length whose fewest stones are computed again by rounding, once for each smaller
/// number.
const ROUNDED_MAX: u64 = 10_000;

/// Compares lengths with the facts about lengths.
///
/// # Errors
///
/// If rows cannot be read.
pub(super) fn check(
    job: &JobHeader,
    rows: impl RowSource<LengthRow>,
    facts: &[BoardFact],
) -> Result<CheckReport, ReportError> {
    let rows = rows.rows(Wanted::columns(["l", "n"]))?;
    compare(
        job,
        rows.map(|row| Ok(row.map(|row| (row.l, row.n))?)),
        facts,
    )
}

/// Compares lengths, each with its fewest stones, with the facts about lengths.
///
/// # Errors
///
/// The first error among the lengths.
pub(in crate::task) fn compare(
    job: &JobHeader,
    lengths: impl Iterator<Item = Result<(i64, i64), ReportError>>,
    facts: &[BoardFact],
) -> Result<CheckReport, ReportError> {
    let mut report = CheckReport {
        job: job.name.clone(),
        ..CheckReport::default()
    };
    let facts = facts.iter().enumerate();
    let mut met: Vec<Met<'_, BoardFact>> = facts
        .filter(|(_, fact)| {
            let about = &fact.statement;
            matches!(
                about,
                BoardStatement::Fewest { .. }
                    | BoardStatement::FewestByRounding
                    | BoardStatement::OfLength { .. }
            )
        })
        .map(|(index, fact)| Met::new(index, fact))
        .collect();
    for length in lengths {
        let (l, fewest) = length?;
        report.rows += 1;
        let (l, fewest) = (l.unsigned_abs(), fewest.unsigned_abs());
        let what = || format!("length {l}");
        for met in &mut met {
            match &met.fact.statement {
                BoardStatement::Fewest { length, n } if *length == l => {
                    let texts = || (format!("N({l}) = {n}"), format!("{fewest}"));
                    met.listed(&mut report, *n == fewest, what, texts);
                }
                BoardStatement::OfLength {
                    length,
                    first,
                    last,
                } if *length == l || *length + 1 == l => {
                    let expected = if *length == l { *first } else { *last + 1 };
                    let texts = || (format!("N({l}) = {expected}"), format!("{fewest}"));
                    met.listed(&mut report, expected == fewest, what, texts);
                }
                BoardStatement::FewestByRounding if l <= ROUNDED_MAX => {
                    let rounded = (1..l).rev().fold(l, |stones, i| stones.div_ceil(i) * i);
                    let texts = || (format!("N({l}) = {rounded}"), format!("{fewest}"));
                    if rounded == fewest {
                        met.rest = true;
                    } else {
                        let (expected, found) = texts();
                        met.disagree(&mut report, what(), expected, found);
                    }
                }
                _ => {}
            }
        }
    }
    finish(&mut report, &met);
    Ok(report)
}
