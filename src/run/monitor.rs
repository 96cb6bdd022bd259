//! The monitor beside the workers: checkpoints, limits, signals, progress.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use super::RunError;
use super::memory::memory_in_use;
use super::seal::Sealer;
use super::stored::Stored;
use super::supervise::Context;
use crate::engine::{Engine, StopReason};
use crate::ruleset::Ruleset;

/// How often the monitor looks.
const LOOK_INTERVAL: Duration = Duration::from_millis(50);

/// Sealing takes up to two records of 32 bytes for each new value; it is done early when that would come to this
/// part of the budget.
const SEALING_PART: u64 = 8;
const SEALING_BYTES: u64 = 64;

/// The memo forgets what is stored when it has grown to this part of the budget.
const MEMO_PART: u64 = 4;

/// Sealing also numbers the forms, so they may take up to this part of the budget.
const FORMS_PART: u64 = 2;

/// How far a run has come.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// The rows of the family.
    pub rows_total: u64,
    /// The rows finished, those of earlier runs included.
    pub rows: u64,
    /// The rows finished by earlier runs.
    pub rows_before: u64,
    /// The positions evaluated, followers included.
    pub positions: u64,
    /// The canonical forms met.
    pub forms: u64,
    /// The memory in use.
    pub bytes: u64,
    /// The time since the run began.
    pub elapsed: Duration,
    /// Whether the run only finishes what is in hand.
    pub draining: bool,
}

/// Someone who is told how a run goes.
pub trait Observer: Sync {
    /// Told several times a second how far the run has come.
    fn progress(&self, job: &str, progress: &Progress);
}

/// What monitor and workers share.
pub(super) struct Watch {
    /// Rows evaluated, those of earlier runs included.
    pub(super) rows: AtomicU64,
    /// Rows of earlier runs.
    rows_before: u64,
    /// Set when no new shard is to be begun.
    pub(super) draining: AtomicBool,
    /// Set when the workers are done.
    pub(super) done: AtomicBool,
    /// The most memory seen in use.
    pub(super) bytes_max: AtomicU64,
}

impl Watch {
    pub(super) fn new(rows_before: u64) -> Watch {
        Watch {
            rows: AtomicU64::new(rows_before),
            rows_before,
            draining: AtomicBool::new(false),
            done: AtomicBool::new(false),
            bytes_max: AtomicU64::new(0),
        }
    }
}

/// Watches until the workers are done. Stops them when it fails itself.
pub(super) fn watch<R: Ruleset, V: Stored>(
    work: Context<'_>,
    engine: &Engine<R, V>,
    sealer: &mut Sealer<'_, V>,
    watch: &Watch,
) -> Result<(), RunError> {
    let mut last_checkpoint = Instant::now();
    let budget = work.options.memory.0;
    let mut released = false;
    loop {
        let done = watch.done.load(Relaxed);
        if work.signals.interrupted() && !watch.draining.swap(true, Relaxed) {
            tracing::warn!("finishing what is in hand; press Ctrl-C again to stop at once");
        }
        if work.signals.terminated() {
            engine.control.stop(StopReason::Interrupted);
        }
        if work
            .options
            .deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
        {
            engine.control.stop(StopReason::TimeLimit);
        }
        let bytes = memory_in_use()
            .unwrap_or(0)
            .max(engine.bytes() + sealer.known.bytes());
        watch.bytes_max.fetch_max(bytes, Relaxed);
        let forms_are_large = engine.valuation.arena().bytes() > budget / FORMS_PART;
        let over_budget = bytes > budget;
        if forms_are_large || over_budget && released {
            engine.control.stop(StopReason::MemoryBudget);
        }
        // Over the budget, what can be given back is given back first, and the next look decides.
        released = over_budget;
        work.observer.progress(
            &work.job.name,
            &Progress {
                rows_total: work.job.family.len(),
                rows: watch.rows.load(Relaxed),
                rows_before: watch.rows_before,
                positions: engine.control.evaluated(),
                forms: engine.valuation.arena().len(),
                bytes,
                elapsed: work.started.elapsed(),
                draining: watch.draining.load(Relaxed),
            },
        );
        if done {
            return Ok(());
        }
        let due = last_checkpoint.elapsed() >= work.options.checkpoint;
        let memo_is_large = over_budget || engine.memo.bytes() > budget / MEMO_PART;
        let many = engine.memo.unstored() * SEALING_BYTES > budget / SEALING_PART;
        if (due || many || memo_is_large) && engine.control.stopped().is_none() {
            if let Err(error) = sealer.seal(engine) {
                engine.control.stop(StopReason::Abandoned);
                return Err(error);
            }
            if memo_is_large {
                engine.memo.forget_stored();
            }
            last_checkpoint = Instant::now();
        }
        thread::park_timeout(LOOK_INTERVAL);
    }
}
