//! The one loop that watches work: signals, the time limit, the memory budget, progress.
//!
//! It counts the memory that the process itself holds: engine and rows, buffers of files being
//! written, losses of the allocator. Pages of mapped files do not count, since the system can drop
//! them.

use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use cgsolvers::StopReason;
use seedbank_memory::{spawn_in, was_refused};

use super::memory::{give_back, memory_in_use};
use super::observer::Held;
use super::session::Session;

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
        let held = self.watched.held();
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
        self.watched.record(bytes);
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
