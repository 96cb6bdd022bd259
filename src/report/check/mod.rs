//! How a result compares with print.
//!
//! Facts are indexed by the keys of their positions, then the rows are read once; a row meets a fact
//! where their normal forms are the same, and where one is the other's mirror image, with the
//! value's sign changed. Values are compared as values.
//!
//! - An *agreement* is a fact, or one case of a theorem, that some row confirms and none contradicts.
//! - A *disagreement* is a row that contradicts a fact. Nothing may: the result, or the reference,
//!   is wrong.
//! - A *finding* is a place where the print itself is at fault, or cannot be read.
//!
//! Memory goes with the facts, and with the disagreements up to [`DISAGREEMENTS_MAX`], never with the
//! rows. Theorem 3.1 alone looks at every row.

mod claims;
mod deuces;
mod heaps;
mod met;
mod reconstructions;
mod scan;
mod tchoukaillon;
mod text;

pub use heaps::{check_codes, check_heaps};
pub use reconstructions::{check_graphs, check_reconstructions};
use serde::Serialize;
pub use tchoukaillon::{check_boards, check_lengths};

use super::ReportError;
use super::reference::Fact;
use crate::dataset::{PositionRow, RowSource};
use crate::job::StripJob;

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
    /// The facts that some row is about, by their index in the list that they were given in, ascending.
    #[serde(skip)]
    pub covered: Vec<usize>,
}

impl CheckReport {
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
    /// What the fact says of the result's position.
    pub expected: String,
    /// What the result says.
    pub found: String,
    /// The publication and the place in it.
    pub citation: String,
    /// The file and the entry of the fact.
    pub reference: String,
}

/// Compares a job's rows with the facts of its game and way of playing; other facts are left out.
///
/// Costs a look-up for each row. On a board of fixed width no fact applies: the publications' row is
/// endless.
///
/// # Errors
///
/// Rows that cannot be read, or that are no positions and values.
pub fn check(
    job: StripJob<'_>,
    rows: impl RowSource<PositionRow>,
    facts: &[Fact],
) -> Result<CheckReport, ReportError> {
    scan::check(job, rows, facts)
}

/// Returns the facts that none of the reports' jobs covers. All reports are of the same `facts`.
pub fn not_covered_by_any<'f, F>(facts: &'f [F], reports: &[CheckReport]) -> Vec<&'f F> {
    let covered = |index: usize| {
        let covers = |report: &CheckReport| report.covered.binary_search(&index).is_ok();
        reports.iter().any(covers)
    };
    let facts = facts.iter().enumerate();
    facts
        .filter(|(index, _)| !covered(*index))
        .map(|(_, fact)| fact)
        .collect()
}
