//! The rows that play can reach, as a bit set of cells.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use memmap2::MmapMut;
use seedbank_memory::zeroed;

/// A bit for each cell.
pub(super) struct Wanted(MmapMut);

impl Wanted {
    /// Returns the empty set.
    ///
    /// # Errors
    ///
    /// When the system cannot allocate it.
    pub(super) fn new(cells: u64) -> io::Result<Wanted> {
        Ok(Wanted(zeroed(8 * cells.div_ceil(64) as usize, 0)?))
    }

    #[inline]
    fn words(&self) -> &[AtomicU64] {
        // SAFETY: the map is page-aligned, lives as long as the borrow, and is never exposed
        // otherwise; all bit patterns of an integer are valid.
        unsafe { std::slice::from_raw_parts(self.0.as_ptr().cast(), self.0.len() / 8) }
    }

    /// Adds a cell.
    #[inline]
    pub(super) fn add(&self, cell: usize) {
        let (word, bit) = (&self.words()[cell / 64], 1 << (cell % 64));
        // PERF: most options are there already, and a read does not take the word from other
        // workers.
        if word.load(Relaxed) & bit == 0 {
            word.fetch_or(bit, Relaxed);
        }
    }

    /// Adds `len` cells from the first on.
    pub(super) fn add_all(&self, first: usize, len: usize) {
        for (word, mask) in words_of(first, len) {
            self.words()[word].fetch_or(mask, Relaxed);
        }
    }

    /// Returns whether one of `len` cells from the first on is there.
    #[inline]
    pub(super) fn any(&self, first: usize, len: usize) -> bool {
        let words = self.words();
        words_of(first, len).any(|(word, mask)| words[word].load(Relaxed) & mask != 0)
    }
}

/// Returns the words that have `len` cells from the first on, with the bits of these cells.
#[inline]
fn words_of(first: usize, len: usize) -> impl Iterator<Item = (usize, u64)> {
    let end = first + len;
    (first / 64..end.div_ceil(64)).map(move |word| {
        let from = first.saturating_sub(64 * word);
        let until = (end - 64 * word).min(64);
        (word, u64::MAX << from & u64::MAX >> (64 - until))
    })
}
