//! The monitor beside the workers: checkpoints, the limit of the forms, progress.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use super::RunError;
use super::guard::SEALING_BYTES;
use super::memory::{give_back, memory_in_use};
use super::seal::Sealer;
use super::stage::{Phase, Stage};
use super::stored::Stored;
use super::supervise::Context;
use crate::engine::{Engine, StopReason};
use crate::game::Ruleset;

/// How often the monitor looks.
const LOOK_INTERVAL: Duration = Duration::from_millis(50);

/// Sealing is done early when its records would come to this part of the budget.
const SEALING_PART: u64 = 8;

/// The memo forgets what is stored when it has grown to this part of the budget.
const MEMO_PART: u64 = 4;

/// Sealing also numbers the forms, so they may take up to this part of the budget.
const FORMS_PART: u64 = 2;

/// How far a run has come.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// What a row is about, in the singular: a position, a heap, a code.
    pub noun: &'static str,
    /// The rows of the family.
    pub rows_total: u64,
    /// The rows finished, those of earlier runs included.
    pub rows: u64,
    /// The rows finished by earlier runs.
    pub rows_before: u64,
    /// The positions evaluated, followers included; the heaps or codes worked out.
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
    pub(super) fn of_rows(phase: Phase, unit: &'static str, done: u64, total: u64) -> Progress {
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

/// Someone who is told how a run goes.
pub trait Observer: Sync {
    /// Told several times a second how far the run has come.
    fn progress(&self, job: &str, progress: &Progress);
}

/// An observer that ignores everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn progress(&self, _: &str, _: &Progress) {}
}

/// What monitor and workers share.
pub(super) struct Watch {
    /// Rows evaluated, those of earlier runs included.
    pub(super) rows: AtomicU64,
    /// Rows to be made, those of earlier runs included.
    rows_total: u64,
    /// Rows of earlier runs.
    rows_before: u64,
    /// Set when the workers are done.
    pub(super) done: AtomicBool,
    /// Set by the guard when memory has to be given back, cleared by the monitor when it has been.
    pub(super) release: AtomicBool,
    /// The memory in use.
    pub(super) bytes: AtomicU64,
    /// The most memory seen in use.
    pub(super) bytes_max: AtomicU64,
}

impl Watch {
    pub(super) fn new(rows_total: u64, rows_before: u64) -> Watch {
        Watch {
            rows: AtomicU64::new(rows_before),
            rows_total,
            rows_before,
            done: AtomicBool::new(false),
            release: AtomicBool::new(false),
            bytes: AtomicU64::new(0),
            bytes_max: AtomicU64::new(0),
        }
    }

    /// Returns the rows to be made, those of earlier runs included.
    pub(super) fn rows_total(&self) -> u64 {
        self.rows_total
    }

    /// Returns the rows of earlier runs.
    pub(super) fn rows_before(&self) -> u64 {
        self.rows_before
    }
}

/// Seals what the workers have left in the memo, after forgetting the rest of it where there is little room.
pub(super) fn seal_rest<R: Ruleset, V: Stored>(
    budget: u64,
    engine: &Engine<R, V>,
    sealer: &mut Sealer<'_, V>,
) -> Result<(), RunError> {
    // What the workers held is free now. PERF: where little is in use, giving it back takes a hundredth of a run of a second.
    if memory_in_use().is_none_or(|in_use| in_use > budget / 2) {
        give_back();
    }
    let needed = memory_in_use().unwrap_or(budget) + engine.memo.unstored() * SEALING_BYTES;
    if needed > budget {
        sealer.forget_stored(engine);
    }
    sealer.seal(engine, room(budget))
}

/// Sealing the forms may always take this part of the budget, even where all of it is in use.
const ROOM_PART: u64 = 8;

/// Returns the bytes that there are for what sealing needs beside its records.
pub(super) fn room(budget: u64) -> u64 {
    let in_use = memory_in_use().unwrap_or(budget / 2);
    budget.saturating_sub(in_use).max(budget / ROOM_PART)
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
    loop {
        let done = watch.done.load(Relaxed);
        if engine.valuation.arena().bytes() > budget / FORMS_PART {
            engine.control.stop(StopReason::MemoryBudget);
        }
        let evaluated = engine.control.evaluated();
        let mut stage = work.tracker.stage(evaluated);
        if done {
            // The workers have ended; the rest is sealed now.
            stage = Stage {
                phase: Phase::Sealing,
                unit: "value",
                done: 0,
                total: None,
                ..stage
            };
        }
        work.observer.progress(
            &work.job.name,
            &Progress {
                noun: work.job.task.noun(),
                rows_total: watch.rows_total,
                rows: watch.rows.load(Relaxed),
                rows_before: watch.rows_before,
                positions: evaluated,
                forms: engine.valuation.arena().len(),
                bytes: watch.bytes.load(Relaxed),
                elapsed: work.started.elapsed(),
                draining: engine.control.draining(),
                stage,
            },
        );
        if done {
            return Ok(());
        }
        let due = last_checkpoint.elapsed() >= work.options.checkpoint;
        let release = watch.release.load(Relaxed);
        let memo_is_large = release || engine.memo.bytes_soon() > budget / MEMO_PART;
        let unstored = engine.memo.unstored();
        let many = unstored * SEALING_BYTES > budget / SEALING_PART || sealer.takes_long(unstored);
        if (due || many || memo_is_large) && engine.control.stopped().is_none() {
            if let Err(error) = sealer.seal(engine, room(budget)) {
                engine.control.stop(StopReason::Abandoned);
                return Err(error);
            }
            if memo_is_large {
                sealer.forget_stored(engine);
            }
            if release {
                watch.release.store(false, Relaxed);
            }
            last_checkpoint = Instant::now();
        }
        if !watch.release.load(Relaxed) {
            thread::park_timeout(LOOK_INTERVAL);
        }
    }
}
