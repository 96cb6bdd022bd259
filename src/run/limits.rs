//! The limits on evaluations that make no result set: entries beyond a result, and values for
//! proofs.

use std::time::Instant;

use bytesize::ByteSize;

use super::Signals;

/// The time, memory and threads that an evaluation may use, and the signals that stop it.
pub struct EvaluationLimits<'a> {
    /// The number of workers.
    pub threads: usize,
    /// The memory budget.
    pub memory: ByteSize,
    /// When to stop.
    pub deadline: Instant,
    /// The signals that stop it.
    pub signals: &'a Signals,
}
