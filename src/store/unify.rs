//! The forms of several segments in one table, each form once.
//!
//! Each segment has its own numbering of forms. Two forms are the same if their options are. One is
//! the negative of the other if its options are the negatives of the other's, Left's and Right's
//! exchanged. Options come before forms, so one upward pass over each segment detects both. Nothing
//! is simplified here: stored forms are canonical, and canonical forms are equal only if they are
//! identical.

use std::hash::BuildHasher;
use std::sync::Arc;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

use super::forms::{FormError, FormTable, form_index, form_negated, form_ref};
use super::{Hit, SegmentReader, StoreError};

/// The forms of some segments in one table, and the place there of each segment's forms.
///
/// Memory: the table, 4 bytes a form of each segment, and about 9 bytes a form of the table.
pub(crate) struct Unified {
    table: FormTable,
    /// For each segment and each of its forms, the reference into the table.
    references: Vec<Vec<u32>>,
    /// The forms that are their own negatives; references to them have no sign.
    symmetric: Vec<bool>,
}

impl Unified {
    /// Unifies the forms of some segments.
    ///
    /// # Errors
    ///
    /// A damaged segment, or more forms than a table holds.
    pub(crate) fn new(segments: &[Arc<SegmentReader>]) -> Result<Unified, StoreError> {
        let mut unified = Unified {
            table: FormTable::new(),
            references: Vec::with_capacity(segments.len()),
            symmetric: Vec::new(),
        };
        let mut finder = Finder::default();
        for segment in segments {
            let mut references: Vec<u32> = Vec::new();
            for index in 0..segment.forms_len() {
                // A sound segment has no more forms than fit a reference.
                let form = segment.form(u32::try_from(index).unwrap_or(u32::MAX))?;
                let of = |option: u32| {
                    unified.signed(
                        references[form_index(option) as usize],
                        form_negated(option),
                    )
                };
                let left = sorted(form.left().map(of));
                let right = sorted(form.right().map(of));
                let reference = finder.enter(&mut unified, left, right).map_err(|error| {
                    StoreError::Contents {
                        namespace: segment.namespace().clone(),
                        reason: error.to_string(),
                    }
                })?;
                references.push(reference);
            }
            unified.references.push(references);
        }
        Ok(unified)
    }

    /// Returns the table of all forms.
    pub(crate) fn table(&self) -> &FormTable {
        &self.table
    }

    /// Returns a value of a segment as a reference into the unified table.
    ///
    /// # Errors
    ///
    /// A value that refers to no form of its segment; the error is the reason.
    pub(crate) fn reference(&self, hit: Hit) -> Result<u32, String> {
        let forms = &self.references[hit.segment];
        let index = form_index(hit.value);
        match forms.get(index as usize) {
            Some(&reference) => Ok(self.signed(reference, form_negated(hit.value))),
            None => Err(format!("a value refers to form {index} of {}", forms.len())),
        }
    }

    /// Returns a reference, or the one to the negative.
    fn signed(&self, reference: u32, negated: bool) -> u32 {
        let index = form_index(reference);
        if self.symmetric[index as usize] {
            form_ref(index, false)
        } else {
            form_ref(index, form_negated(reference) != negated)
        }
    }
}

/// Finds forms by their options.
#[derive(Default)]
struct Finder {
    places: HashTable<u32>,
    hasher: FixedState,
}

impl Finder {
    /// Returns the reference to the form with these options, which are sorted, after adding it if
    /// it is new.
    fn enter(
        &mut self,
        unified: &mut Unified,
        left: Vec<u32>,
        right: Vec<u32>,
    ) -> Result<u32, FormError> {
        if let Some(place) = self.place(unified, &left, &right) {
            return Ok(form_ref(place, false));
        }
        let negative =
            |options: &[u32]| sorted(options.iter().map(|&option| unified.signed(option, true)));
        let (negative_left, negative_right) = (negative(&right), negative(&left));
        if let Some(place) = self.place(unified, &negative_left, &negative_right) {
            return Ok(form_ref(place, true));
        }
        let place = unified.table.push(&left, &right)?;
        unified
            .symmetric
            .push(negative_left == left && negative_right == right);
        let Finder { places, hasher } = self;
        let hash = |&place: &u32| hasher.hash_one(unified.table.form(place));
        places.insert_unique(hash(&place), place, hash);
        Ok(form_ref(place, false))
    }

    fn place(&self, unified: &Unified, left: &[u32], right: &[u32]) -> Option<u32> {
        let wanted = Some((left, right));
        let hash = self.hasher.hash_one(wanted);
        let found = self
            .places
            .find(hash, |&place| unified.table.form(place) == wanted);
        found.copied()
    }
}

fn sorted(options: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut options: Vec<u32> = options.collect();
    options.sort_unstable();
    options.dedup();
    options
}
