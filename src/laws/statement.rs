//! Laws in words, with the bits that they save.

use std::fmt;

use thiserror::Error;

pub use super::column::NEXT_MAX;
pub use super::values::{Law as ValueLaw, Region};

/// The findings in a column.
#[derive(Clone, Debug, Default)]
pub struct Mined {
    /// The laws.
    pub laws: Vec<Statement>,
    /// The number of laws that fitted the entries they were found on and failed on the rest.
    pub failed: usize,
    /// The number of entries that no law gives.
    pub unexplained: usize,
    /// The entry that a law predicts for the requested place; `None` if no law does.
    pub predicted: Option<String>,
}

/// A law in words.
#[derive(Clone, Debug, Default)]
pub struct Statement {
    /// The cases, of which the first that applies holds; most laws have one.
    pub cases: Vec<String>,
    /// Equivalent or additional statements: a closed form, a generating function, the entries that
    /// repeat.
    pub also: Vec<String>,
    /// The region where the statement holds.
    pub region: String,
    /// The number of entries that it gives.
    pub cells: usize,
    /// The number of entries held out: it was tested on them, not found on them.
    pub tested: usize,
    /// The bits that it saves.
    pub bits: f64,
    /// The predictions for the nearest places beyond the data, at most [`NEXT_MAX`].
    pub next: Vec<Prediction>,
    /// The law as a function of the place, if it is a law of values along variables.
    pub values: Option<ValueLaw>,
}

/// A place beyond the data that a law gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prediction {
    /// The numbers of the variables; empty for rows.
    pub at: Vec<i64>,
    /// The place in words: a number for each variable, or a row.
    pub place: String,
    /// The predicted entry.
    pub value: String,
}

/// An entry of a column that cannot be read as a value or an integer.
#[derive(Debug, Error)]
#[error("{subject}: the entry {text:?} cannot be read: {source}")]
pub struct EntryError {
    /// The subject of the column.
    pub subject: String,
    /// The entry.
    pub text: String,
    /// The reason.
    pub source: Box<dyn std::error::Error + Send + Sync>,
}

impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} for {}", self.cases.join("; "), self.region)
    }
}
