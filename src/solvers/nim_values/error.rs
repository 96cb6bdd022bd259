//! The limits of the engines, and the errors for exceeding them.

use thiserror::Error;

/// The largest nim-value that engines can represent.
pub const VALUE_MAX: u16 = 0x7FFF;

/// The most heaps, from heap 0 on, whose values can be computed.
pub const HEAPS_MAX: usize = 100_000_000_000;

/// The reason why nim-values cannot be found.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NimValueError {
    /// A value is too large.
    #[error(
        "the nim-value of {heap} tokens exceeds {VALUE_MAX}, the largest supported; limit the job to the \
         heaps below it"
    )]
    LargeValue {
        /// The heap.
        heap: usize,
    },
    /// More heaps than supported.
    #[error("{found} heaps; at most {HEAPS_MAX} are accepted")]
    ManyHeaps {
        /// The requested number of heaps.
        found: usize,
    },
}
