//! Work under supervision: with a store to read from and to seal into, and a monitor beside the workers.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc;
use std::thread;
use std::time::Instant;

use bytesize::ByteSize;

use super::guard::guard;
use super::kept_sweep::Keeping;
use super::known::KnownStore;
use super::monitor::{Observer, Watch, seal_rest, watch};
use super::seal::{Sealer, namespace};
use super::shares::Place;
use super::signals::Signals;
use super::stage::Tracker;
use super::stored::Stored;
use super::{Options, RunError, Summary};
use crate::engine::{Engine, EngineError, Memo, StopReason};
use crate::game::Ruleset;
use crate::job::Job;
use crate::store::{Namespace, Reader, Store};

/// What a run works for and with.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub(super) job: &'a Job,
    pub(super) options: &'a Options,
    pub(super) place: &'a Place,
    pub(super) signals: &'a Signals,
    pub(super) observer: &'a dyn Observer,
    pub(super) tracker: &'a Tracker,
    pub(super) started: Instant,
}

impl<'a> Context<'a> {
    /// Returns where sweeps are kept, and how often.
    pub(super) fn keeping(self) -> Keeping<'a> {
        Keeping {
            folder: &self.place.dir,
            interval: self.options.checkpoint,
        }
    }
}

/// Does some work, and returns what came of it with what it took; the summary's rows are left to the caller.
///
/// The rows are all those to be made, and those of them that are there. Values found are sealed in the store, however the work ended.
///
/// # Errors
///
/// When the store fails; what the work itself returns comes inside.
pub(super) fn supervise<R: Ruleset, V: Stored + Default, T>(
    context: Context<'_>,
    ruleset: R,
    (rows_total, rows_before): (u64, u64),
    work: impl FnOnce(&Engine<R, V>, &KnownStore<'_, V>, &Watch) -> Result<T, RunError>,
) -> Result<(Result<T, RunError>, Summary), RunError> {
    let engine = Engine::with_memo(ruleset, V::default(), Memo::new(true));
    let namespace = namespace(&engine.ruleset, &engine.valuation);
    let base = match &context.place.base {
        Some(base) => Some(sound_reader(&Store::open(base)?, &namespace)),
        None => None,
    };
    let store = Store::open(&context.place.store)?;
    let writer = store.writer()?;
    let own = sound_reader(&store, &namespace);
    let reader = match &base {
        Some(base) => own.over(base),
        None => own,
    };
    let known =
        KnownStore::new(&engine.valuation, reader, Some(&engine.control)).leaving_out_refused();
    let mut sealer = Sealer::new(&known, store, writer, namespace, base);
    let watched = Watch::new(rows_total, rows_before);
    let budget = context.options.memory.0;
    let (result, watched_result) = thread::scope(|scope| {
        let monitor = scope.spawn(|| {
            watch(context, &engine, &mut sealer, &watched)?;
            // What was found is kept, however the run ended, unless keeping it is what failed.
            seal_rest(budget, &engine, &mut sealer)
        });
        // The guard ends when the sender is dropped.
        let (_working, ends) = mpsc::channel();
        let thread = monitor.thread().clone();
        let (engine, watched) = (&engine, &watched);
        scope.spawn(move || guard(context, engine, watched, &thread, &ends));
        let result = {
            let _done = DoneOnDrop(watched, monitor.thread());
            work(engine, &known, watched)
        };
        (result, monitor.join())
    });
    watched_result.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
    let summary = Summary {
        rows: 0,
        positions: engine.control.evaluated(),
        forms: engine.valuation.arena().len(),
        sealed: sealer.sealed(),
        elapsed: context.started.elapsed(),
        bytes_max: watched.bytes_max.load(Relaxed),
        witnesses: None,
    };
    let result = result.map_err(|error| match error {
        RunError::Engine(EngineError::Stopped(StopReason::MemoryBudget)) => RunError::Memory {
            job: context.job.name.clone(),
            budget: context.options.memory,
            positions: engine.control.evaluated(),
            in_use: ByteSize(watched.bytes_max.load(Relaxed) + engine.control.memory_refused()),
            remedy: "run it again with a larger --memory, and it goes on from what is in the store",
            forms: ByteSize(engine.valuation.arena().bytes()),
        },
        error => error,
    });
    Ok((result, summary))
}

/// Returns a reader of what is sound in a store, and warns of what is not.
fn sound_reader(store: &Store, namespace: &Namespace) -> Reader {
    for refused in store.refused() {
        tracing::warn!(
            "leaving out a store segment, its values are computed again: {}",
            refused.error
        );
    }
    let (reader, damaged) = store.reader(namespace).without_damaged();
    for error in damaged {
        tracing::warn!("leaving out a store segment, its values are computed again: {error}");
    }
    reader
}

/// Tells the monitor that the workers are done, even where one of them panicked.
pub(super) struct DoneOnDrop<'a>(pub(super) &'a Watch, pub(super) &'a thread::Thread);

impl Drop for DoneOnDrop<'_> {
    fn drop(&mut self) {
        self.0.done.store(true, Relaxed);
        self.1.unpark();
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_worker_that_panics_does_not_keep_the_monitor_waiting() {
        let watched = Watch::new(0, 0);
        let run = || {
            thread::scope(|scope| {
                let monitor = scope.spawn(|| {
                    while !watched.done.load(Relaxed) {
                        thread::park_timeout(Duration::from_millis(5));
                    }
                });
                let _done = DoneOnDrop(&watched, monitor.thread());
                panic!("a worker fails");
            })
        };
        assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
    }
}
