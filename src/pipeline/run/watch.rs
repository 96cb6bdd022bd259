//! The one loop that watches work: signals, the time limit, the memory budget, progress.
//!
//! It counts the memory that the process itself holds: engine and rows, buffers of files being
//! written, losses of the allocator. Pages of mapped files do not count, since the system can drop
//! them.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use cgsolvers::StopReason;
use seedbank_memory::{lock, spawn_in, was_refused};

use super::memory::{give_back, memory_in_use};
use super::session::Session;
use super::stage::{Phase, Stage};

/// The time between two checks.
///
/// Unit: time. A check takes some 50 microseconds, and two workers allocate at most some megabytes
/// between two checks.
const LOOK_INTERVAL: Duration = Duration::from_millis(10);

/// The number of checks between two reports of progress.
const LOOKS_A_REPORT: u32 = 3;

/// The denominator of the reserve: the budget divided by it. Memory is released when only the
/// reserve is left, and again when memory in use has grown by the reserve.
const RESERVE_PART: u64 = 16;

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

impl Session<'_> {
    /// Runs the work on this thread while another thread watches it. Progress is reported during
    /// the work and once more after it. The first check precedes the work.
    pub(super) fn during<T>(&self, report: impl Fn() + Send, work: impl FnOnce() -> T) -> T {
        let mut memory = Memory::default();
        self.look(&mut memory);
        thread::scope(|scope| {
            // The loop ends when the sender is dropped, even if the work panics.
            let (working, ends) = mpsc::channel::<()>();
            spawn_in(scope, move || self.look_until(&ends, memory, report));
            let done = work();
            drop(working);
            done
        })
    }

    fn look_until<'c>(
        &'c self,
        ends: &mpsc::Receiver<()>,
        mut memory: Memory<'c>,
        report: impl Fn(),
    ) {
        for look in 0u32.. {
            if look.is_multiple_of(LOOKS_A_REPORT) {
                report();
            }
            if ends.recv_timeout(LOOK_INTERVAL) != Err(mpsc::RecvTimeoutError::Timeout) {
                break;
            }
            self.look(&mut memory);
        }
        report();
    }

    fn look<'c>(&'c self, memory: &mut Memory<'c>) {
        if self.drains {
            self.signals.heed(&self.control);
        } else if self.signals.interrupted() || self.signals.terminated() {
            self.control.stop(StopReason::Interrupted);
        }
        if self.limits.deadline.is_some_and(|at| Instant::now() >= at) {
            self.control.stop(StopReason::TimeLimit);
        }
        if was_refused() {
            self.control.stop(StopReason::MemoryBudget);
        }
        self.look_at_memory(memory);
    }

    /// Near the budget, searches wait while values are stored and forgotten, if possible. If that
    /// does not suffice, the work is stopped.
    fn look_at_memory<'c>(&'c self, memory: &mut Memory<'c>) {
        let held = lock(&self.watched.held).clone();
        let held = held.as_deref();
        let in_use = || {
            let own = held.map_or(0, Held::bytes);
            memory_in_use().unwrap_or(0).max(own)
        };
        let (budget, reserve) = (self.limits.memory.0, self.limits.memory.0 / RESERVE_PART);
        let mut bytes = in_use();
        let next = held.map_or(0, Held::bytes_next);
        if held.is_some_and(Held::is_releasing) {
            // A later check notices its end.
        } else {
            if memory.pause.take().is_some() {
                memory.least = bytes;
            }
            let is_near = bytes + next + reserve > budget && bytes >= memory.least + reserve;
            match held.filter(|held| held.has_store()) {
                Some(held) if is_near => {
                    memory.pause = Some(self.control.pause());
                    held.release();
                }
                Some(_) if bytes > budget => self.control.stop(StopReason::MemoryBudget),
                None if bytes + next > budget => {
                    give_back();
                    bytes = in_use();
                    if bytes + next > budget {
                        self.control.stop(StopReason::MemoryBudget);
                    }
                }
                _ => {}
            }
        }
        self.watched.bytes.store(bytes, Relaxed);
        self.watched.bytes_max.fetch_max(bytes, Relaxed);
        self.control.set_memory_left(budget.saturating_sub(bytes));
    }
}

/// The state of the memory between two checks.
#[derive(Default)]
struct Memory<'c> {
    pause: Option<cgsolvers::Pause<'c>>,
    /// The bytes in use after the last release of memory.
    least: u64,
}
