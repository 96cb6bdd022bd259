//! The guard of the memory budget, the time limit and the signals, on a thread that waits for
//! nothing else.
//!
//! What the process holds for itself is what counts: engine and rows, the buffers of files being written, the allocator's
//! losses. Pages of mapped files do not, since the system can drop them. What comes next is counted ahead:
//! tables that are about to double, and the records that sealing makes.
//!
//! Near the budget the guard has the searches wait, and the monitor store and forget what can be
//! looked up again. Where that does not suffice, the run is stopped.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc;
use std::thread::Thread;
use std::time::{Duration, Instant};

use super::memory::memory_in_use;
use super::monitor::Watch;
use super::stored::Stored;
use super::supervise::Context;
use crate::engine::{Engine, StopReason};
use crate::game::Ruleset;

/// How often the guard looks.
///
/// Unit: time. A look takes some 50 microseconds, and two workers fill at most some megabytes between two.
const LOOK_INTERVAL: Duration = Duration::from_millis(10);

/// Sealing takes up to two records of 32 bytes for each new value.
pub(super) const SEALING_BYTES: u64 = 64;

/// Memory is given back when it is used up but for this part of the budget, and again when so much has been added since.
const RESERVE_PART: u64 = 16;

/// Guards a run until the sender of `ends` is dropped.
pub(super) fn guard<R: Ruleset, V: Stored>(
    work: Context<'_>,
    engine: &Engine<R, V>,
    watch: &Watch,
    monitor: &Thread,
    ends: &mpsc::Receiver<()>,
) {
    let budget = work.options.memory.0;
    let reserve = budget / RESERVE_PART;
    // What was in use after memory was given back last.
    let mut least = 0;
    let mut pause = None;
    loop {
        work.signals.heed(&engine.control);
        let deadline = work.options.deadline;
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            engine.control.stop(StopReason::TimeLimit);
        }
        let in_use = memory_in_use().unwrap_or(0).max(engine.bytes());
        watch.bytes.store(in_use, Relaxed);
        watch.bytes_max.fetch_max(in_use, Relaxed);
        engine
            .control
            .set_memory_left(budget.saturating_sub(in_use));
        let needed = in_use + engine.memo.growth() + engine.memo.unstored() * SEALING_BYTES;
        if watch.release.load(Relaxed) {
            // The monitor is at it.
        } else {
            if pause.take().is_some() {
                least = in_use;
            }
            if needed + reserve > budget && in_use >= least + reserve {
                pause = Some(engine.control.pause());
                watch.release.store(true, Relaxed);
                monitor.unpark();
            } else if in_use > budget {
                engine.control.stop(StopReason::MemoryBudget);
            }
        }
        if wait_is_over(ends) {
            return;
        }
    }
}

fn wait_is_over(ends: &mpsc::Receiver<()>) -> bool {
    ends.recv_timeout(LOOK_INTERVAL) != Err(mpsc::RecvTimeoutError::Timeout)
}
