//! What is observed of a run: its progress, and the memory of its engine.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use seedbank_memory::lock;

use super::stage::{Phase, Stage};

/// The progress of a run.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// What a row is about, in the singular: a position, a heap, a code.
    pub noun: &'static str,
    /// The rows of the family.
    pub rows_total: u64,
    /// The rows finished, including those of earlier runs.
    pub rows: u64,
    /// The rows finished by earlier runs.
    pub rows_before: u64,
    /// The positions evaluated, followers included; the heaps or codes valued.
    pub positions: u64,
    /// The canonical forms met.
    pub forms: u64,
    /// The memory in use.
    pub bytes: u64,
    /// The time since the run began.
    pub elapsed: Duration,
    /// Whether the run is about to stop and begins no new work.
    pub draining: bool,
    /// The phase of the run, and the progress of its work.
    pub stage: Stage,
}

impl Progress {
    /// Returns the progress of a phase over `total` rows, of which `done` are done.
    pub(crate) fn of_rows(phase: Phase, unit: &'static str, done: u64, total: u64) -> Progress {
        Progress {
            noun: unit,
            rows_total: total,
            rows: done,
            stage: Stage {
                phase,
                unit,
                done,
                total: Some(total),
                cost_done: done,
                cost_total: Some(total),
            },
            ..Progress::default()
        }
    }
}

/// Receives the progress of a run.
pub trait Observer: Sync {
    /// Called several times a second.
    fn progress(&self, job: &str, progress: &Progress);
}

/// An observer that ignores everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn progress(&self, _: &str, _: &Progress) {}
}

/// The memory of an engine, as the watch counts it.
pub trait Held: Send + Sync {
    /// Returns the number of canonical forms.
    fn forms(&self) -> u64;

    /// Returns the bytes in use, by the engine's own count.
    fn bytes(&self) -> u64;

    /// Returns the bytes that the engine needs next: for tables about to double, and for records to
    /// seal.
    fn bytes_next(&self) -> u64;

    /// Returns whether values can be stored and then forgotten.
    fn has_store(&self) -> bool;

    /// Begins to store and forget values. Searches wait in the meantime.
    fn release(&self);

    /// Returns whether values are being stored and forgotten.
    fn is_releasing(&self) -> bool;
}

/// The state that the watch shares with the work.
#[derive(Default)]
pub(crate) struct Watched {
    held: Mutex<Option<Arc<dyn Held>>>,
    bytes: AtomicU64,
    bytes_max: AtomicU64,
}

impl Watched {
    /// Counts the memory of an engine from now on.
    pub(crate) fn hold(&self, held: Arc<dyn Held>) {
        *lock(&self.held) = Some(held);
    }

    /// Returns the engine whose memory counts.
    pub(super) fn held(&self) -> Option<Arc<dyn Held>> {
        lock(&self.held).clone()
    }

    /// Records the memory in use.
    pub(super) fn record(&self, bytes: u64) {
        self.bytes.store(bytes, Relaxed);
        self.bytes_max.fetch_max(bytes, Relaxed);
    }

    /// Counts no engine from now on.
    pub(crate) fn let_go(&self) {
        *lock(&self.held) = None;
    }

    /// Returns the canonical forms met.
    pub(crate) fn forms(&self) -> u64 {
        lock(&self.held).as_ref().map_or(0, |held| held.forms())
    }

    /// Returns the memory in use at the last check.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.load(Relaxed)
    }

    /// Returns the peak of memory in use, over all checks.
    pub(crate) fn bytes_max(&self) -> u64 {
        self.bytes_max.load(Relaxed)
    }

    /// Records memory that was needed and could not be allocated.
    pub(crate) fn needed(&self, bytes: u64) {
        self.bytes_max.fetch_max(bytes, Relaxed);
    }
}
