//! Where a run works and what it may use.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use bytesize::ByteSize;

/// The time between two checkpoints.
pub const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(120);

/// Where a run works and what it may use.
#[derive(Clone, Debug)]
pub struct Options {
    /// The number of workers.
    pub threads: usize,
    /// The memory budget, without mapped store files.
    pub memory: ByteSize,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// The time between two checkpoints.
    pub checkpoint: Duration,
    /// The store's folder.
    pub store: PathBuf,
    /// The folder of all result sets.
    pub out: PathBuf,
}
