//! What an evaluation beyond a result may take.

use std::time::Instant;

use bytesize::ByteSize;

use super::Signals;

/// The time, the memory and the threads of an evaluation, and what stops it.
pub struct Means<'a> {
    /// The number of workers.
    pub threads: usize,
    /// The memory.
    pub memory: ByteSize,
    /// When to stop.
    pub deadline: Instant,
    /// The signals that stop it.
    pub signals: &'a Signals,
}
