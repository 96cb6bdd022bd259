//! Compares Tchoukaillon lengths with published facts.
//!
//! If a fact lists a length, each row that confirms it is an agreement. A statement about all
//! lengths is one agreement if rows tested it and none contradicted it.

use super::columns::LengthRow;
use crate::dataset::{RowSource, Wanted};
use crate::report::ReportError;
use crate::report::check::CheckReport;
use crate::report::check::compare::{Comparison, Verdict};
use crate::report::reference::{BoardStatement, Cited};
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
    facts: &[Cited<BoardStatement>],
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
    facts: &[Cited<BoardStatement>],
) -> Result<CheckReport, ReportError> {
    let facts = facts.iter().filter(|cited| {
        matches!(
            cited.fact,
            BoardStatement::Fewest { .. }
                | BoardStatement::FewestByRounding
                | BoardStatement::OfLength { .. }
        )
    });
    let mut comparison = Comparison::new(&job.name, facts);
    for length in lengths {
        let (l, fewest) = length?;
        let (l, fewest) = (l.unsigned_abs(), fewest.unsigned_abs());
        comparison.row(|cited| {
            let (expected, is_listed) = match &cited.fact {
                BoardStatement::Fewest { length, n } if *length == l => (*n, true),
                BoardStatement::OfLength { length, first, .. } if *length == l => (*first, true),
                BoardStatement::OfLength { length, last, .. } if *length + 1 == l => {
                    (*last + 1, true)
                }
                BoardStatement::FewestByRounding if l <= ROUNDED_MAX => {
                    let rounded = (1..l).rev().fold(l, |stones, i| stones.div_ceil(i) * i);
                    (rounded, false)
                }
                _ => return None,
            };
            Some(Verdict::of(
                (expected == fewest).then_some(usize::from(is_listed)),
                format_args!("length {l}"),
                format_args!("N({l}) = {expected}"),
                fewest,
            ))
        });
    }
    Ok(comparison.finish())
}
