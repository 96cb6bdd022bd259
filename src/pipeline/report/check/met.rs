//! The outcome of comparing a result with one fact, for comparisons fact by fact.

use super::{CheckReport, DISAGREEMENTS_MAX, Disagreement};
use crate::report::reference::Cited;

/// A fact, and the outcome of its comparison so far.
pub(crate) struct Met<'f, F> {
    index: usize,
    pub(crate) fact: &'f F,
    /// The number of confirmed entries of the fact's list.
    pub(crate) confirmed: usize,
    /// Whether a row was about an entry that the fact covers but does not list.
    pub(crate) rest: bool,
    contradicted: bool,
}

impl<'f, F: Cited> Met<'f, F> {
    pub(crate) fn new(index: usize, fact: &'f F) -> Met<'f, F> {
        Met {
            index,
            fact,
            confirmed: 0,
            rest: false,
            contradicted: false,
        }
    }

    /// Returns whether a row was about the fact.
    pub(crate) fn seen(&self) -> bool {
        self.confirmed > 0 || self.rest || self.contradicted
    }

    /// Records whether a row confirms an entry of the fact's list.
    pub(crate) fn listed(
        &mut self,
        report: &mut CheckReport,
        holds: bool,
        what: impl FnOnce() -> String,
        texts: impl FnOnce() -> (String, String),
    ) {
        if holds {
            self.confirmed += 1;
        } else {
            let (expected, found) = texts();
            self.disagree(report, what(), expected, found);
        }
    }

    /// Records that a row contradicts the fact.
    pub(crate) fn disagree(
        &mut self,
        report: &mut CheckReport,
        position: String,
        expected: String,
        found: String,
    ) {
        self.contradicted = true;
        if report.disagreements.len() >= DISAGREEMENTS_MAX {
            report.disagreements_unlisted += 1;
            return;
        }
        report.disagreements.push(Disagreement {
            fact: self.fact.label().to_owned(),
            position,
            expected,
            found,
            citation: self.fact.citation().to_owned(),
            reference: self.fact.reference(),
        });
    }
}

/// Adds the counts of agreements, and the numbers of the facts that rows were about, to the report.
pub(crate) fn finish<F: Cited>(report: &mut CheckReport, met: &[Met<'_, F>]) {
    for met in met {
        report.agreements += met.confirmed + usize::from(met.rest && !met.contradicted);
        if met.seen() {
            report.covered.push(met.index);
        } else {
            report.not_covered += 1;
        }
    }
    report.covered.sort_unstable();
    report.covered.dedup();
}
