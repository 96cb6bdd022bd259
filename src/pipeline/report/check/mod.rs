//! The report of a comparison with print. Each task reads and compares its own rows.
//!
//! - An *agreement* is a fact, or one case of a theorem, that some row confirms and none contradicts.
//! - A *disagreement* is a row that contradicts a fact. It is always an error of the result or of the
//!   reference.
//! - A *finding* is a place where the print itself is at fault, or cannot be read.
//!
//! Memory grows with the facts, and with the disagreements up to [`DISAGREEMENTS_MAX`], never with
//! the rows.

pub(crate) mod compare;
mod text;

use serde::Serialize;

use super::reference::Cited;

/// The most disagreements that are listed; a wrong result would list every row.
pub const DISAGREEMENTS_MAX: usize = 1000;

/// The outcome of comparing a result with the facts of its game and way of playing.
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
    /// The places where the print is at fault or cannot be read.
    pub findings: Vec<Finding>,
    /// The first [`DISAGREEMENTS_MAX`] rows that contradict a fact.
    pub disagreements: Vec<Disagreement>,
    /// The number of further disagreements.
    pub disagreements_unlisted: usize,
    /// The values that are too long to be compared, each with the reason.
    pub not_comparable: Vec<String>,
    /// The number of facts of the job's game and way of playing, or of adding, that no row is about.
    pub not_covered: usize,
    /// The facts that some row is about, by their numbers among [all](super::reference::Facts), ascending.
    #[serde(skip)]
    pub covered: Vec<usize>,
}

impl CheckReport {
    /// Adds a row that contradicts a fact, or the case of a theorem with this label.
    pub(crate) fn disagree<F>(
        &mut self,
        cited: &Cited<F>,
        case: Option<&str>,
        position: String,
        [expected, found]: [String; 2],
    ) {
        if self.disagreements.len() >= DISAGREEMENTS_MAX {
            self.disagreements_unlisted += 1;
            return;
        }
        self.disagreements.push(Disagreement {
            fact: case.unwrap_or(&cited.label).to_owned(),
            position,
            expected,
            found,
            citation: cited.citation.clone(),
            reference: cited.reference(),
        });
    }

    /// Returns whether no row of the result contradicts a fact.
    pub fn passed(&self) -> bool {
        self.disagreements.is_empty()
    }
}

/// A place where the print differs from the rules, or cannot be read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The publication and the place in it.
    pub citation: String,
    /// The intended position.
    pub position: String,
    /// Its value, recomputed; for a sum, its components.
    pub value: String,
    /// The position in print, if it can be read.
    pub printed_position: Option<String>,
    /// The value in print, if it can be read.
    pub printed_value: Option<String>,
    /// The computed value of the position in print, if the result has it.
    pub printed_position_value: Option<String>,
    /// The reading of the source, in words.
    pub note: Option<String>,
}

/// A row that contradicts a fact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Disagreement {
    /// The fact's position, or its case of a theorem.
    pub fact: String,
    /// The position in the result.
    pub position: String,
    /// The fact's statement about the position.
    pub expected: String,
    /// The value in the result.
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
