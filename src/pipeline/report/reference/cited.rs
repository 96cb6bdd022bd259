//! Facts of any kind with their sources, and the files that they are read from.

use std::ops::Deref;
use std::path::{Path, PathBuf};

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
}
