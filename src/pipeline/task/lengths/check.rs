//! Compares Tchoukaillon lengths with published facts.
//!
//! If a fact lists a length, each row that confirms it is an agreement. A statement about all
//! lengths is one agreement if rows tested it and none contradicted it.

use super::LengthsTask;
use super::columns::LengthRow;
use crate::dataset::{DatasetError, Wanted};
use crate::report::ReportError;
use crate::report::check::CheckReport;
use crate::report::check::compare::{Comparison, Verdict};
use crate::report::reference::{BoardStatement, Facts};
use crate::run::{Checked, Reading};

/// The greatest length whose fewest stones are computed again by rounding, once for each smaller
/// number.
const ROUNDED_MAX: u64 = 10_000;

impl Checked for LengthsTask {
    /// Compares lengths with the facts about lengths.
    fn check(&self, reading: &Reading<'_>, facts: &Facts) -> Result<CheckReport, ReportError> {
        let rows = reading
            .scan()
            .rows::<LengthRow>(Wanted::columns(["l", "n"]))?;
        compare(
            reading,
            rows.map(|row| row.map(|row| (row.l, row.n))),
            facts,
        )
    }
}

/// Compares lengths, each with its fewest stones, with the facts about lengths.
///
/// # Errors
///
/// The first error among the lengths.
pub(in crate::task) fn compare(
    reading: &Reading<'_>,
    lengths: impl Iterator<Item = Result<(i64, i64), DatasetError>>,
    facts: &Facts,
) -> Result<CheckReport, ReportError> {
    let facts = facts.boards.iter().filter(|cited| {
        matches!(
            cited.fact,
            BoardStatement::Fewest { .. }
                | BoardStatement::FewestByRounding
                | BoardStatement::OfLength { .. }
        )
    });
    let mut comparison = Comparison::new(&reading.job.name, facts);
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
