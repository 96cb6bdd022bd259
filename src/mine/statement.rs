//! Laws in words, with what they are worth.

use std::fmt;

use thiserror::Error;

pub use super::column::NEXT_MAX;
pub use super::values::{Law as ValueLaw, Region};

/// What was found in a column.
#[derive(Clone, Debug, Default)]
pub struct Mined {
    /// The laws.
    pub laws: Vec<Statement>,
    /// How many laws held where they were found and failed on the rest.
    pub failed: usize,
    /// The entries that no law gives.
    pub unexplained: usize,
    /// The entry that a law predicts for the place that was given; `None` where none does.
    pub predicted: Option<String>,
}

/// A law in words.
#[derive(Clone, Debug, Default)]
pub struct Statement {
    /// What the entries are; a rule has several cases, of which the first that applies holds.
    pub says: Vec<String>,
    /// The same in other words, or more of it: a closed form, a generating function, the entries that repeat.
    pub also: Vec<String>,
    /// Where they are so.
    pub region: String,
    /// The entries that it gives.
    pub cells: usize,
    /// How many of them were held out: it was not found on them, but tested.
    pub tested: usize,
    /// The bits that it saves.
    pub bits: f64,
    /// What it predicts for the nearest places beyond the data, at most [`NEXT_MAX`].
    pub next: Vec<Prediction>,
    /// The law as a function of the place, if it is about values along variables.
    pub values: Option<ValueLaw>,
}

/// A place beyond the data that a law gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prediction {
    /// The numbers of the variables; none for rows.
    pub at: Vec<i64>,
    /// The place in words: a number for each variable, or a row.
    pub place: String,
    /// The entry there.
    pub says: String,
}

/// An entry of a column that is no value, or no integer.
#[derive(Debug, Error)]
#[error("{subject}: the entry {text:?} cannot be read: {source}")]
pub struct EntryError {
    /// What the column belongs to.
    pub subject: String,
    /// The entry.
    pub text: String,
    /// Why.
    pub source: Box<dyn std::error::Error + Send + Sync>,
}

impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} for {}", self.says.join("; "), self.region)
    }
}
