//! What a result has said of a fact so far, where facts are compared one by one.

use super::{CheckReport, DISAGREEMENTS_MAX, Disagreement};
use crate::report::reference::Cited;

/// A fact, and what a result has said of it so far.
pub(super) struct Met<'f, F> {
    index: usize,
    pub(super) fact: &'f F,
    /// How many of the things that the fact lists were confirmed.
    pub(super) confirmed: usize,
    /// Whether a row was about what the fact says of the others.
    pub(super) rest: bool,
    contradicted: bool,
}

impl<'f, F: Cited> Met<'f, F> {
    pub(super) fn new(index: usize, fact: &'f F) -> Met<'f, F> {
        Met {
            index,
            fact,
            confirmed: 0,
            rest: false,
            contradicted: false,
        }
    }

    /// Returns whether the result has said anything of the fact.
    pub(super) fn seen(&self) -> bool {
        self.confirmed > 0 || self.rest || self.contradicted
    }

    /// Enters that something is not as the fact says.
    pub(super) fn disagree(
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

/// Counts what was met.
pub(super) fn finish<F: Cited>(report: &mut CheckReport, met: &[Met<'_, F>]) {
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
