//! The limits on an evaluation beyond a result.

use std::time::Instant;

use bytesize::ByteSize;

use super::Signals;

/// The time, memory and threads that an evaluation may use, and the signals that stop it.
pub struct Means<'a> {
    /// The number of workers.
    pub threads: usize,
    /// The memory budget.
    pub memory: ByteSize,
    /// When to stop.
    pub deadline: Instant,
    /// The signals that stop it.
    pub signals: &'a Signals,
}
