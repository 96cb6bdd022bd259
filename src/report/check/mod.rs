//! The report of comparing a result with print. Each task reads its rows and compares them itself.
//!
//! - An *agreement* is a fact, or one case of a theorem, that some row confirms and none contradicts.
//! - A *disagreement* is a row that contradicts a fact. Nothing may: the result, or the reference,
//!   is wrong.
//! - A *finding* is a place where the print itself is at fault, or cannot be read.
//!
//! Memory grows with the facts, and with the disagreements up to [`DISAGREEMENTS_MAX`], never with
//! the rows.

pub(crate) mod met;
mod text;

use serde::Serialize;

/// The most disagreements that are listed; a wrong result would list every row.
pub const DISAGREEMENTS_MAX: usize = 1000;

/// What comparing a result with the facts of its game and way of playing gave.
///
/// Displays as text: a line for each disagreement and finding, and a summary.
#[derive(Clone, Debug, Default, Serialize)]
pub struct CheckReport {
    /// The job.
    pub job: String,
    /// The rows read.
    pub rows: u64,
    /// Facts and cases of theorems confirmed.
    pub agreements: usize,
    /// Where the print is at fault or cannot be read.
    pub findings: Vec<Finding>,
    /// Where the result contradicts a fact; the first [`DISAGREEMENTS_MAX`].
    pub disagreements: Vec<Disagreement>,
    /// Further disagreements, not listed.
    pub disagreements_unlisted: usize,
    /// Values too long to be compared, each with the reason.
    pub not_comparable: Vec<String>,
    /// The number of facts of the job's game and way of playing, or of adding, that no row is about.
    pub not_covered: usize,
    /// The facts that some row is about, by their numbers among [all](super::reference::Facts), ascending.
    #[serde(skip)]
    pub covered: Vec<usize>,
}

impl CheckReport {
    /// Adds `first` to the numbers of the facts covered: they were counted among the facts of one sort.
    pub(crate) fn numbered_from(mut self, first: usize) -> CheckReport {
        for number in &mut self.covered {
            *number += first;
        }
        self
    }

    /// Tells whether nothing in the result contradicts a fact.
    pub fn passed(&self) -> bool {
        self.disagreements.is_empty()
    }
}

/// A place where the print differs from the rules, or cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The publication and the place in it.
    pub citation: String,
    /// The position that is meant.
    pub position: String,
    /// Its value, recomputed; for a sum, its components.
    pub value: String,
    /// The position in print, where it can be read.
    pub printed_position: Option<String>,
    /// The value in print, where it can be read.
    pub printed_value: Option<String>,
    /// What the position in print evaluates to, where it is in the result.
    pub printed_position_value: Option<String>,
    /// What the source shows, in words.
    pub note: Option<String>,
}

/// A row that contradicts a fact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Disagreement {
    /// The fact's position, or its case of a theorem.
    pub fact: String,
    /// The position as the result has it.
    pub position: String,
    /// The fact's statement about the position.
    pub expected: String,
    /// What the result says.
    pub found: String,
    /// The publication and the place in it.
    pub citation: String,
    /// The file and the entry of the fact.
    pub reference: String,
}

/// Returns the numbers of the facts, out of `facts`, that none of the reports covers.
pub fn not_covered_by_any(facts: usize, reports: &[CheckReport]) -> Vec<usize> {
    let is_covered = |number: &usize| {
        let covers = |report: &CheckReport| report.covered.binary_search(number).is_ok();
        reports.iter().any(covers)
    };
    (0..facts).filter(|number| !is_covered(number)).collect()
}
