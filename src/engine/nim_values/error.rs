//! The limits of the engines, and the errors of exceeding them.

use thiserror::Error;

/// The largest nim-value that engines hold.
pub const VALUE_MAX: u16 = 0x7FFF;

/// The most heaps, from that of no tokens on, whose values can be asked for.
pub const HEAPS_MAX: usize = 4_000_000_000;

/// Why nim-values cannot be found.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NimValueError {
    /// A value is too large to be held.
    #[error(
        "the nim-value of {heap} tokens exceeds {VALUE_MAX}, the largest that is held; ask for the \
         heaps below it"
    )]
    LargeValue {
        /// The heap.
        heap: usize,
    },
    /// More heaps than can be held.
    #[error("{found} heaps asked for; at most {HEAPS_MAX} can be")]
    ManyHeaps {
        /// How many were asked for.
        found: usize,
    },
}
