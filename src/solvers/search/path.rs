//! The path of a search: positions that wait for values, and what they wait for.

use cggames::board::Key;

use crate::Word;

/// A position being evaluated.
pub(super) struct Frame {
    pub(super) key: Key,
    /// The index of its first option, or of its first component if it splits.
    pub(super) first: usize,
    /// The index of Right's first option; `None` if it splits.
    pub(super) first_right: Option<usize>,
    /// The number of its options or components.
    pub(super) len: usize,
    /// The number of them visited so far, in this worker's order.
    pub(super) step: usize,
    /// The count of evaluated positions when it was pushed on the path.
    pub(super) started: u64,
    /// The count from which on it may be tried by playing.
    pub(super) next_try: u64,
}

impl Frame {
    /// Returns the index of the current option.
    ///
    /// The first of several workers takes the options in order. Each other worker starts elsewhere,
    /// differently at every position, so no two work in parallel on the same options for long.
    pub(super) fn place(&self, worker: usize) -> usize {
        if worker == 0 {
            return self.first + self.step;
        }
        const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
        let mixed = (self.key as u64 ^ (self.key >> 64) as u64).wrapping_mul(MULTIPLIER);
        let start = (mixed >> 40).wrapping_mul(worker as u64) as usize;
        self.first + start.wrapping_add(self.step) % self.len
    }
}

/// An option or a component: its key, and its value once it is known.
pub(super) struct Entry {
    pub(super) key: Key,
    pub(super) negated: bool,
    pub(super) value: Option<Word>,
}
