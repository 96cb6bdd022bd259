//! The third rung: a sparse space in vectors, a block of 1016 heaps at a time.
//!
//! # Formula
//!
//! That of [`sparse`](super::sparse), rearranged. A [`Shift`](super::space::Shift) of value `g` by
//! `o` means that heap `n` reaches `g xor G(n - o)`. So the heaps of a block that reach a number by
//! some shifts are a union of rows of bits, each shifted by an offset ([`shift_or`]). The last
//! values determine which shifts are worth trying ([`set_cover`]). The remaining numbers of each
//! heap are tried by all shifts, for 64 heaps at once ([`strip`]), in 16 bits or in 8 ([`bytes`]).
//! While all numbers are rare, [`dense`](super::dense) finds the values.
//!
//! # Cost
//!
//! O(n (r + s) / w) for r rare heaps, s shifts of the set cover and vectors of w heaps.
//!
//! # What it adds
//!
//! Vectors, by portable kernels ([`vectors`](crate::heaps::vectors)). In a sparse
//! space rare numbers are skipped, so values are speculative until [`verify`](super::verify) has proved them.
//!
//! Invariant: row `l` of the window has the heaps whose value has the label `l`, except heap 0, from
//! the window's first heap on.

mod bytes;
mod candidates;
pub(super) mod kernels;
pub(super) mod pairs;
mod search;
pub(super) mod set_cover;
pub(super) mod shift_or;
mod strip;
mod union;
pub(super) mod window;

use super::dense::Dense;
use super::error::NimValueError;
use super::sparse::Sparse;
use kernels::{Kernels, best_space};
use search::Search;
use window::BLOCK;

/// The first heap that is found in a block.
pub(super) const START: usize = 2048;

/// The values of a game with splits into at most two heaps, found in blocks from heap [`START`] on.
#[derive(Clone, Debug)]
pub(super) struct Wide {
    pub(super) sparse: Sparse,
    /// Present in a sparse space, once they are needed.
    kernels: Option<Kernels>,
    search: Search,
    dense: Dense,
    /// The number of heaps at which the space is chosen again.
    pub(super) review: usize,
}

impl Wide {
    /// Returns an engine that continues from some values.
    pub(super) fn new(sparse: Sparse) -> Wide {
        Wide {
            sparse,
            kernels: None,
            search: Search::new(),
            dense: Dense::new(),
            review: START,
        }
    }

    /// Returns whether [`prepare`](Self::prepare) must be called before the next block.
    pub(super) fn is_stale(&self) -> bool {
        let n = self.sparse.values.len();
        n >= self.review || !self.sparse.space().is_whole() && self.lacks_kernels()
    }

    fn lacks_kernels(&self) -> bool {
        let n = self.sparse.values.len();
        let is_stale = |kernels: &Kernels| kernels.is_stale(n);
        self.kernels.as_ref().is_none_or(is_stale)
    }

    /// Returns whether the next block can be found with the existing rows and shifts, even if rare
    /// heaps are added or removed.
    pub(super) fn can_continue(&self) -> bool {
        let has_rows = self
            .kernels
            .as_ref()
            .is_some_and(|kernels| !kernels.outgrown);
        has_rows && self.sparse.values.len() < self.review
    }

    /// Returns whether bytes suffice for the next heap.
    #[cfg(test)]
    pub(super) fn has_bytes(&self) -> bool {
        let n = self.sparse.values.len();
        let kernels = self.kernels.as_ref();
        kernels.is_some_and(|kernels| kernels.deciding_bytes(n & !7).is_some())
    }

    /// Builds rows and shifts for the next blocks of a sparse space, unless the present ones serve. Before that, chooses the space
    /// if it is time to and `space_is_free`.
    pub(super) fn prepare(&mut self, space_is_free: bool) {
        let heaps = self.sparse.values.len();
        if heaps >= self.review {
            if space_is_free {
                self.sparse.set_space(best_space(&self.sparse));
            }
            self.kernels = None;
            self.review = match self.sparse.space().is_whole() {
                true => heaps + heaps / 4,
                false => 2 * heaps,
            };
        }
        if !self.sparse.space().is_whole() && self.lacks_kernels() {
            self.kernels = Some(Kernels::new(&self.sparse));
        }
    }

    /// Finds the values of the next block, or of its heaps up to `heaps`; in a sparse space they
    /// are speculative.
    ///
    /// # Panics
    ///
    /// If nothing was [prepared](Self::prepare).
    pub(super) fn block(&mut self, heaps: usize) -> Result<(), NimValueError> {
        if self.sparse.space().is_whole() {
            let to = heaps.min(self.sparse.values.len() + BLOCK);
            while self.sparse.values.len() < to {
                let value = self.dense.next_value(&self.sparse);
                self.sparse.push(value)?;
            }
            return Ok(());
        }
        let kernels = self.kernels.as_mut().expect("prepared before");
        self.search.block(&mut self.sparse, kernels, heaps)
    }

    /// Removes the values from heap `n` on, and appends its rare value.
    pub(super) fn withdraw(&mut self, n: usize, value: u16) {
        if let Some(kernels) = &mut self.kernels {
            kernels.withdraw(&self.sparse, n, value);
        }
        self.sparse.truncate(n);
        let pushed = self.sparse.push(value);
        pushed.expect("it is below a value that was found");
    }
}
