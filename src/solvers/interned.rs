//! Things found while positions are valued, each with one word, shared by all workers.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, PoisonError, RwLock};

use super::Word;

/// Different things, each with a word: one more than its place.
pub(super) struct Interned<T> {
    found: RwLock<Found<T>>,
}

struct Found<T> {
    things: Vec<Arc<T>>,
    words: HashMap<Arc<T>, Word>,
}

impl<T> Default for Interned<T> {
    fn default() -> Interned<T> {
        Interned {
            found: RwLock::new(Found {
                things: Vec::new(),
                words: HashMap::new(),
            }),
        }
    }
}

impl<T: Eq + Hash> Interned<T> {
    /// Returns the thing with a word.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub(super) fn get(&self, word: Word) -> Arc<T> {
        let found = self.found.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&found.things[word.get() as usize - 1])
    }

    /// Returns the word of a thing.
    pub(super) fn word(&self, thing: T) -> Word {
        let found = self.found.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(&word) = found.words.get(&thing) {
            return word;
        }
        drop(found);
        let mut found = self.found.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(&word) = found.words.get(&thing) {
            return word;
        }
        let thing = Arc::new(thing);
        found.things.push(Arc::clone(&thing));
        let word = Word::new(found.things.len() as u32).expect("there is one thing at least");
        found.words.insert(thing, word);
        word
    }

    /// Returns the number of things.
    pub(super) fn len(&self) -> usize {
        let found = self.found.read().unwrap_or_else(PoisonError::into_inner);
        found.things.len()
    }

    /// Returns a worker's copy, which is empty.
    pub(super) fn copy(&self) -> InternedCopy<'_, T> {
        InternedCopy {
            all: self,
            things: Vec::new(),
        }
    }
}

/// A worker's copy of the things that it has met.
pub(super) struct InternedCopy<'a, T> {
    all: &'a Interned<T>,
    things: Vec<Arc<T>>,
}

impl<'a, T: Eq + Hash> InternedCopy<'a, T> {
    /// Returns all things.
    pub(super) fn all(&self) -> &'a Interned<T> {
        self.all
    }

    /// Returns the things with these words.
    pub(super) fn get(&mut self, words: &[Word]) -> Vec<&T> {
        let last = words.iter().max().map_or(0, |word| word.get() as usize);
        if last > self.things.len() {
            let found = self
                .all
                .found
                .read()
                .unwrap_or_else(PoisonError::into_inner);
            self.things
                .extend_from_slice(&found.things[self.things.len()..]);
        }
        let thing = |word: &Word| &*self.things[word.get() as usize - 1];
        words.iter().map(thing).collect()
    }
}
