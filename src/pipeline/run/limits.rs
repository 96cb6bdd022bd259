//! The limits on work that makes no result set: searches for laws, entries beyond a result, and
//! values for proofs.

use std::time::Instant;

use bytesize::ByteSize;

use super::Signals;

/// The time, memory and threads that such work may use, and the signals that stop it.
#[derive(Clone, Copy)]
pub struct EvaluationLimits<'a> {
    /// The number of workers.
    pub threads: usize,
    /// The memory budget.
    pub memory: ByteSize,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// The signals that stop it.
    pub signals: &'a Signals,
}
