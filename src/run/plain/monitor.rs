//! The monitor beside a maker: limits, signals, memory, progress.

use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::{Duration, Instant};

use crate::engine::{Control, StopReason};
use crate::run::Progress;
use crate::run::memory::memory_in_use;
use crate::run::monitor::Watch;
use crate::run::supervise::Context;

/// How often the monitor looks.
const LOOK_INTERVAL: Duration = Duration::from_millis(20);

/// Watches until the maker is done.
pub(super) fn watch(work: Context<'_>, control: &Control, watch: &Watch) {
    let Context {
        job,
        options,
        signals,
        observer,
        started,
        ..
    } = work;
    loop {
        let done = watch.done.load(Relaxed);
        signals.heed(control);
        if options.deadline.is_some_and(|at| Instant::now() >= at) {
            control.stop(StopReason::TimeLimit);
        }
        let in_use = memory_in_use().unwrap_or(0);
        watch.bytes.store(in_use, Relaxed);
        watch.bytes_max.fetch_max(in_use, Relaxed);
        if in_use > options.memory.0 {
            control.stop(StopReason::MemoryBudget);
        }
        observer.progress(
            &job.name,
            &Progress {
                noun: job.task.noun(),
                rows_total: watch.rows_total(),
                rows: watch.rows.load(Relaxed),
                rows_before: watch.rows_before(),
                positions: control.evaluated(),
                forms: 0,
                bytes: in_use,
                elapsed: started.elapsed(),
                draining: control.draining(),
            },
        );
        if done {
            return;
        }
        thread::park_timeout(LOOK_INTERVAL);
    }
}
