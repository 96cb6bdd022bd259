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
    /// The first of them, at most [`REFUTED_MAX`], each with an entry that refutes it.
    pub refuted: Vec<Refuted>,
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
    /// The entries that speak for and against the law, if it is one of a short sequence.
    pub evidence: Option<Evidence>,
}

/// The entries that speak for and against a law of a short sequence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The entries that the law was found on.
    pub found_on: Vec<Prediction>,
    /// The entries that it was tested on.
    pub held_out: Vec<Prediction>,
    /// The entries before its first place that it does not give.
    pub exceptions: Vec<Contradiction>,
}

/// An entry that differs from that of a law.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// The place in words.
    pub place: String,
    /// The entry that the law gives.
    pub predicted: String,
    /// The entry in the result.
    pub found: String,
}

/// A law that an entry held out refutes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refuted {
    /// The law in words, with the region where it was to hold.
    pub law: String,
    /// An entry that refutes it.
    pub by: Contradiction,
}

/// The most refuted laws of a column that are listed.
pub const REFUTED_MAX: usize = 12;

/// How far a law is established.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is proved for all places.
    Proved,
    /// It is a conjecture.
    Conjecture(Confidence),
}

/// How unlikely it is that chance gives a law like a conjecture.
///
/// A law that saves b bits occurs by chance in at most one in 2^b columns. Where all entries are
/// equal no law saves bits; there each entry held out counts as a bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// Less than `Fair`: chance gives such a law to as many as one in 16 columns.
    Slight,
    /// At least 10 bits and 3 entries held out: one in a thousand columns.
    Fair,
    /// At least 20 bits and 8 entries held out: one in a million columns.
    Strong,
}

impl Confidence {
    /// The meaning of the words, for readers of laws.
    pub const MEANING: &'static str = "A law that saves b bits in describing the entries occurs by chance in at most one of 2^b \
        columns. A conjecture is strong if it saves at least 20 bits and was tested on at least 8 entries held out, \
        fair from 10 bits and 3 entries on, and slight otherwise. Where all entries are equal, each entry held \
        out counts as a bit.";

    /// Returns the confidence in a law that saves some bits and was tested on some entries.
    ///
    /// ```
    /// use cglaws::Confidence;
    ///
    /// assert_eq!(Confidence::of(809.0, 80), Confidence::Strong);
    /// assert_eq!(Confidence::of(809.0, 5), Confidence::Fair);
    /// assert_eq!(Confidence::of(4.8, 80), Confidence::Slight);
    /// // All entries are equal.
    /// assert_eq!(Confidence::of(0.0, 80), Confidence::Strong);
    /// ```
    pub fn of(bits: f64, tested: usize) -> Confidence {
        let bits = if bits > 0.0 { bits } else { tested as f64 };
        match (bits, tested) {
            (20.0.., 8..) => Confidence::Strong,
            (10.0.., 3..) => Confidence::Fair,
            _ => Confidence::Slight,
        }
    }

    /// Returns the word for it.
    pub fn name(self) -> &'static str {
        match self {
            Confidence::Slight => "slight",
            Confidence::Fair => "fair",
            Confidence::Strong => "strong",
        }
    }
}

impl Standing {
    /// Returns the standing of a law that saves some bits and was tested on some entries; a law
    /// that was tested on none is not found but proved.
    pub fn of(bits: f64, tested: usize) -> Standing {
        match tested {
            0 => Standing::Proved,
            _ => Standing::Conjecture(Confidence::of(bits, tested)),
        }
    }

    /// Returns `proved` or `conjecture`.
    pub fn name(self) -> &'static str {
        match self {
            Standing::Proved => "proved",
            Standing::Conjecture(_) => "conjecture",
        }
    }

    /// Returns the confidence in a conjecture.
    pub fn confidence(self) -> Option<Confidence> {
        match self {
            Standing::Proved => None,
            Standing::Conjecture(confidence) => Some(confidence),
        }
    }
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Standing::Proved => f.write_str("proved"),
            Standing::Conjecture(confidence) => write!(f, "conjecture, {}", confidence.name()),
        }
    }
}

impl Statement {
    /// Returns how far the law is established.
    pub fn standing(&self) -> Standing {
        Standing::of(self.bits, self.tested)
    }
}

impl Mined {
    /// Counts a law that failed on entries held out, and lists it with an entry that refutes it.
    pub(super) fn refute(&mut self, law: &Statement, by: Option<Contradiction>) {
        self.failed += 1;
        // The same law from another place on is nothing new.
        let cases = format!("{} for ", law.cases.join("; "));
        let mut refuted = self.refuted.iter();
        let is_new = !refuted.any(|refuted| refuted.law.starts_with(&cases));
        if let Some(by) = by.filter(|_| is_new && self.refuted.len() < REFUTED_MAX) {
            let law = law.to_string();
            self.refuted.push(Refuted { law, by });
        }
    }
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
