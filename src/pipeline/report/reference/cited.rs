//! Facts of any kind with their sources, and the files that they are read from.

use std::ops::Deref;
use std::path::{Path, PathBuf};

use cggames::game::Play;
use cgvalues::{Calculator, Nimber, OutcomeClass};

use super::ReferenceError;

/// A published fact with its source. Dereferences to the fact.
#[derive(Clone, Debug)]
pub struct Cited<F> {
    /// Its number among the loaded facts, in the order of [`Facts`](super::Facts); 0 before they are all loaded.
    pub number: usize,
    /// Its subject, as the file names it.
    pub label: String,
    /// The fact.
    pub fact: F,
    /// The publication and the place in it.
    pub citation: String,
    /// The file.
    pub file: PathBuf,
    /// The entry in the file, such as `partisan[3]`, counted from 0.
    pub key: String,
}

impl<F> Deref for Cited<F> {
    type Target = F;

    fn deref(&self) -> &F {
        &self.fact
    }
}

impl<F> Cited<F> {
    /// Returns the file and the entry in it.
    pub fn reference(&self) -> String {
        format!("{}: {}", self.file.display(), self.key)
    }
}

/// A file of one publication, and the facts read from it so far.
pub(super) struct Publication<'p, F> {
    path: &'p Path,
    source: String,
    pub(super) facts: Vec<Cited<F>>,
}

impl<'p, F> Publication<'p, F> {
    pub(super) fn new(path: &'p Path, source: String) -> Publication<'p, F> {
        Publication {
            path,
            source,
            facts: Vec::new(),
        }
    }

    /// Adds a fact; `cite` is its place in the publication, `key` its entry in the file.
    pub(super) fn push(
        &mut self,
        label: impl Into<String>,
        fact: F,
        cite: &str,
        key: impl Into<String>,
    ) {
        self.facts.push(Cited {
            number: 0,
            label: label.into(),
            fact,
            citation: format!("{}, {cite}", self.source),
            file: self.path.to_owned(),
            key: key.into(),
        });
    }

    /// Returns the error of an entry that makes no sense.
    pub(super) fn wrong(
        &self,
        key: impl Into<String>,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> ReferenceError {
        ReferenceError::Entry {
            path: self.path.to_owned(),
            key: key.into(),
            expected: expected.into(),
            found: found.into(),
        }
    }

    /// Returns the text of a value. In impartial play, an integer is a nim-value.
    pub(super) fn value(
        &self,
        calculator: &mut Calculator<'_>,
        key: &str,
        play: Play,
        value: &toml::Value,
    ) -> Result<String, ReferenceError> {
        let text = match value {
            toml::Value::String(text) => text.clone(),
            toml::Value::Integer(n) if play == Play::Partisan => n.to_string(),
            other => match other.as_integer().map(u32::try_from) {
                Some(Ok(n)) => Nimber(n).to_string(),
                _ => return Err(self.wrong(key, "a value or a nim-value", other.to_string())),
            },
        };
        match calculator.parse(&text) {
            Ok(_) => Ok(text),
            Err(error) => Err(self.wrong(key, "a value", format!("{text:?}: {error}"))),
        }
    }

    /// Returns the outcome class of a letter.
    pub(super) fn outcome(&self, key: &str, letter: &str) -> Result<OutcomeClass, ReferenceError> {
        let mut classes = OutcomeClass::ALL.into_iter();
        let class = classes.find(|class| class.letter() == letter);
        let accepted = || OutcomeClass::ALL.map(OutcomeClass::letter).join(", ");
        class.ok_or_else(|| self.wrong(key, accepted(), letter))
    }
}
