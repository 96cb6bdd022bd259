//! The third rung: the sparse space in vectors, a block of 1016 heaps at a time.
//!
//! # Formula
//!
//! That of [`sparse`](super::sparse), rearranged. A [`Shift`](super::sparse::Shift) of value `g` by `o` says that heap `n` reaches
//! `g xor G(n - o)`. So the heaps of a block that reach a number by some shifts are a union of rows of bits, each moved by an
//! offset ([`shift_or`]); which shifts are worth trying is chosen by the values found last ([`set_cover`]). The numbers that are
//! left to each heap are tried by all shifts, for 64 heaps at once ([`strip`]), in 16 bits or in 8 ([`bytes`]). Without a mask
//! rows of frequent values come first ([`frequent_rows`]), and pairs decide ([`pairs`]).
//!
//! # Cost
//!
//! O(n (r + s) / w): r heaps of rare value, s shifts of the cover, vectors of w heaps. Without a mask up to O(n^2 / w).
//!
//! # What it adds
//!
//! Vectors, by portable kernels ([`vectors`](crate::engine::heaps::vectors)). Rare numbers are passed over where there is a mask,
//! so that values are speculative until [`verify`](super::verify) has proved them.
//!
//! Invariant: row `v` of the window has the heaps of value `v`, heap 0 left out, from its first heap on.

mod bytes;
mod candidates;
mod frequent_rows;
pub(super) mod kernels;
pub(super) mod pairs;
mod search;
pub(super) mod set_cover;
pub(super) mod shift_or;
mod strip;
mod union;
pub(super) mod window;

use super::error::NimValueError;
use super::sparse::Sparse;
use kernels::{Kernels, best_mask};
use search::Search;

/// The number of heaps from which on blocks are used.
pub(super) const START: usize = 2048;

/// The values of a game with splits in two at most, those after heap [`START`] found in blocks.
#[derive(Clone, Debug)]
pub(super) struct Wide {
    pub(super) sparse: Sparse,
    kernels: Option<Kernels>,
    search: Search,
    /// The number of heaps at which the mask is chosen anew.
    pub(super) review: usize,
}

impl Wide {
    /// Returns an engine that goes on from some values.
    pub(super) fn new(sparse: Sparse) -> Wide {
        Wide {
            sparse,
            kernels: None,
            search: Search::new(),
            review: START,
        }
    }

    /// Returns whether [`prepare`](Self::prepare) must come before the next block.
    pub(super) fn is_stale(&self) -> bool {
        let n = self.sparse.values.len();
        let is_stale = |kernels: &Kernels| kernels.is_stale(n);
        n >= self.review || self.kernels.as_ref().is_none_or(is_stale)
    }

    /// Returns whether the next block can be found with the rows and shifts that there are, if need be with a heap of rare value
    /// more or less.
    pub(super) fn goes_on(&self) -> bool {
        let has_rows = self
            .kernels
            .as_ref()
            .is_some_and(|kernels| !kernels.outgrown);
        has_rows && self.sparse.values.len() < self.review
    }

    /// Returns whether bytes decide for the next heap.
    #[cfg(test)]
    pub(super) fn has_bytes(&self) -> bool {
        let n = self.sparse.values.len();
        let kernels = self.kernels.as_ref();
        kernels.is_some_and(|kernels| kernels.deciding_bytes(n & !7).is_some())
    }

    /// Makes rows and shifts for the next blocks; before, if it is time to and the mask is free, chooses the mask.
    pub(super) fn prepare(&mut self, mask_is_free: bool) {
        let heaps = self.sparse.values.len();
        if heaps >= self.review {
            self.review = 2 * heaps;
            if mask_is_free {
                self.sparse.set_mask(best_mask(&self.sparse));
            }
        }
        self.kernels = Some(Kernels::new(&self.sparse));
    }

    /// Finds the values of the next block, or of the heaps up to `heaps` in it; speculative ones where there is a mask.
    ///
    /// # Panics
    ///
    /// Where nothing was [prepared](Self::prepare).
    pub(super) fn block(&mut self, heaps: usize) -> Result<(), NimValueError> {
        let kernels = self.kernels.as_mut().expect("prepared before");
        self.search.block(&mut self.sparse, kernels, heaps)
    }

    /// Removes the values from heap `n` on, and appends the rare one that it has.
    pub(super) fn take_back(&mut self, n: usize, value: u16) {
        if let Some(kernels) = &mut self.kernels {
            kernels.take_back(&self.sparse, n, value);
        }
        self.sparse.truncate(n);
        let pushed = self.sparse.push(value);
        pushed.expect("it is below a value that was found");
    }
}
