//! The words of all records.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::id::{CHUNK_WORDS, ValueId};
use super::record::Form;

/// The words of all records, in chunks that are allocated on demand and never move.
pub(super) struct Chunks(pub(super) Box<[OnceLock<Box<[AtomicU32]>>]>);

impl Chunks {
    #[inline]
    pub(super) fn form(&self, id: ValueId) -> Form<'_> {
        let word = id.word();
        let chunk = self.0[word / CHUNK_WORDS]
            .get()
            .expect("an id refers to a stored form");
        Form::new(&chunk[word % CHUNK_WORDS..], id)
    }

    /// Returns the record at a place, or `None` where its stripe has moved to the next chunk.
    pub(super) fn record(&self, id: ValueId) -> Option<Form<'_>> {
        let chunk = self.0[id.word() / CHUNK_WORDS].get()?;
        let first = chunk[id.word() % CHUNK_WORDS].load(Relaxed);
        // A form with an empty first half is a number, so no record starts with an empty word.
        (first != 0).then(|| self.form(id))
    }

    /// Writes a record of `len` words.
    pub(super) fn write(&self, word: usize, len: usize, words: impl Iterator<Item = u32>) {
        let chunk = self.0[word / CHUNK_WORDS].get_or_init(|| zeros(len.max(CHUNK_WORDS)));
        for (place, word) in chunk[word % CHUNK_WORDS..].iter().zip(words) {
            place.store(word, Relaxed);
        }
    }
}

/// Returns `len` zeros, in memory that the system allocates only when it is written.
pub(super) fn zeros(len: usize) -> Box<[AtomicU32]> {
    let zeros = vec![0u32; len].into_boxed_slice();
    // SAFETY: `AtomicU32` has the size, alignment and bit validity of `u32`, so a box of the one is
    // a box of the other; the box is owned, so no other reference to its content exists.
    unsafe { Box::from_raw(Box::into_raw(zeros) as *mut [AtomicU32]) }
}
