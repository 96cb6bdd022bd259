//! The rows that play can reach, as a bit set of cells.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A bit for each cell.
pub(super) struct Wanted(Box<[AtomicU64]>);

impl Wanted {
    /// Returns the empty set.
    pub(super) fn new(cells: u64) -> Wanted {
        let words = cells.div_ceil(64) as usize;
        Wanted((0..words).map(|_| AtomicU64::new(0)).collect())
    }

    /// Adds a cell.
    #[inline]
    pub(super) fn add(&self, cell: usize) {
        let (word, bit) = (&self.0[cell / 64], 1 << (cell % 64));
        // PERF: most options are there already, and a read does not take the word from other
        // workers.
        if word.load(Relaxed) & bit == 0 {
            word.fetch_or(bit, Relaxed);
        }
    }

    /// Adds `len` cells from the first on.
    pub(super) fn add_all(&self, first: usize, len: usize) {
        for (word, mask) in words(first, len) {
            self.0[word].fetch_or(mask, Relaxed);
        }
    }

    /// Returns whether one of `len` cells from the first on is there.
    #[inline]
    pub(super) fn any(&self, first: usize, len: usize) -> bool {
        words(first, len).any(|(word, mask)| self.0[word].load(Relaxed) & mask != 0)
    }
}

/// Returns the words that have `len` cells from the first on, with the bits of these cells.
#[inline]
fn words(first: usize, len: usize) -> impl Iterator<Item = (usize, u64)> {
    let end = first + len;
    (first / 64..end.div_ceil(64)).map(move |word| {
        let from = first.saturating_sub(64 * word);
        let until = (end - 64 * word).min(64);
        (word, u64::MAX << from & u64::MAX >> (64 - until))
    })
}
