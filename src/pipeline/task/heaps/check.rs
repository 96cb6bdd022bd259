//! Compares heaps and surveys with published facts about the heaps of games.
//!
//! If a fact lists a heap or P-position, a row that confirms it is an agreement. A statement about
//! all others (that values repeat, or that there are no further P-positions) is one agreement if
//! rows tested it and none contradicted it.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::HeapsTask;
use super::columns::HeapRow;
use crate::dataset::Wanted;
use crate::report::ReportError;
use crate::report::check::CheckReport;
use crate::report::check::compare::{Comparison, Verdict};
use crate::report::reference::{Facts, HeapClaim, HeapFact};
use crate::run::{Checked, Reading};

impl Checked for HeapsTask {
    /// Compares the heaps of a game with the facts about it; other facts are ignored.
    ///
    /// Costs a lookup for each row and each fact of the game.
    fn check(&self, reading: &Reading<'_>, facts: &Facts) -> Result<CheckReport, ReportError> {
        let facts = facts.heaps.iter();
        let facts = facts.filter(|fact| fact.game == self.game && fact.sum == self.sum);
        let mut comparison = Comparison::new(&reading.job.name, facts.clone());
        let rows = reading.scan().count::<HeapRow>()?;
        for row in reading
            .scan()
            .rows::<HeapRow>(wanted(facts.map(|cited| &cited.fact).collect()))?
        {
            let row = row?;
            let heap = row.n.unsigned_abs();
            comparison.row(|fact| {
                let (expected, holds) = compared(fact, heap, &row.value, &row.normal)?;
                Some(verdict(fact, holds, heap, expected, &row.value))
            });
        }
        let report = comparison.finish();
        Ok(CheckReport { rows, ..report })
    }
}

/// Returns the heaps to compare: those that a fact lists, those that contradict one, and one of the
/// others that it covers.
fn wanted<'f>(facts: Vec<&'f HeapFact>) -> Wanted<'f> {
    let wanted = Wanted::columns(["n", "value", "normal"]);
    if facts.is_empty() {
        return wanted.where_columns(&[], |_, columns| vec![false; columns.rows()]);
    }
    let seen: Vec<AtomicBool> = facts.iter().map(|_| AtomicBool::new(false)).collect();
    wanted.where_columns(&["n", "value", "normal"], move |_, columns| {
        let (n, value, normal) = (
            columns.int64("n"),
            columns.labels("value"),
            columns.labels("normal"),
        );
        let keeps = |row: usize| {
            let heap = n.value(row).unsigned_abs();
            facts.iter().zip(&seen).any(|(fact, seen)| {
                match compared(fact, heap, value.text(row), normal.text(row)) {
                    None => false,
                    Some((_, false)) => true,
                    Some((_, true)) if fact.lists(heap) => true,
                    Some((_, true)) => !seen.load(Relaxed) && !seen.swap(true, Relaxed),
                }
            })
        };
        (0..columns.rows()).map(keeps).collect()
    })
}

/// Returns a fact's claim about a heap and whether it holds; `None` if the fact does not cover the
/// heap.
fn compared<'f>(
    fact: &'f HeapFact,
    heap: u64,
    value: &str,
    normal: &str,
) -> Option<(&'f str, bool)> {
    let is_p = normal == "P";
    Some(match fact.claim(heap)? {
        HeapClaim::Value(expected) => (expected, value == expected),
        HeapClaim::IsP(true) => ("a P-position", is_p),
        HeapClaim::IsP(false) => ("no P-position", !is_p),
    })
}

/// Returns whether a fact's claim about a heap holds, given its text and the row's.
pub(in crate::task) fn verdict(
    fact: &HeapFact,
    holds: bool,
    heap: u64,
    expected: &str,
    found: &str,
) -> Verdict {
    Verdict::of(
        holds.then_some(usize::from(fact.lists(heap))),
        format_args!("heap {heap} of {}", fact.game),
        expected,
        found,
    )
}
