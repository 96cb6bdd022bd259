//! An engine at work for a job, with a store to read from and to seal values into.
//!
//! A thread beside the workers seals new values as store segments with every checkpoint. It seals earlier where sealing would
//! take longer than a second, because a run that must stop seals all values it has and should end within two seconds; and where
//! memory is near the budget, to forget in the memo what the store has.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use cggames::game::{Game, Manner, PotGame, Ruleset};
use cgsolvers::{Engine, Memo, StopReason};
use seedbank_memory::spawn_in;
use valuestore::{Namespace, Reader, Store, StoreError};

use super::dispatch::{Visitor, dispatch};
use super::evaluator::{AtWork, Evaluator, MisereEngines};
use super::known::KnownStore;
use super::seal::{Sealer, namespace};
use super::stored::Stored;
use crate::run::memory::{give_back, memory_in_use};
use crate::run::{Held, Phase, Run, RunError};

/// The interval at which the sealing thread checks memory and time.
const LOOK_INTERVAL: Duration = Duration::from_millis(50);

/// Sealing takes up to two records of 32 bytes for each new value.
const SEALING_BYTES: u64 = 64;

/// Values are sealed early when their records would take this fraction of the budget.
const SEALING_PART: u64 = 8;

/// The memo drops stored values when it has grown to this fraction of the budget.
const MEMO_PART: u64 = 4;

/// Sealing also numbers the forms, so they may take up to this fraction of the budget.
const FORMS_PART: u64 = 2;

/// Sealing the forms may always take this fraction of the budget, even when all of it is in use.
const ROOM_PART: u64 = 8;

/// Does some work with a new engine for a game and how it is played. Values found are sealed in the store, however the work
/// ends.
///
/// # Errors
///
/// A failure of the store, or else that of the work; [`RunError::Memory`] if it takes more than the budget.
pub(crate) fn with_engine<T>(
    run: &Run<'_>,
    game: Game,
    manner: impl Into<Manner>,
    work: impl FnOnce(&dyn Evaluator) -> Result<T, RunError>,
) -> Result<T, RunError> {
    let mut done = None;
    let work = Box::new(|evaluator: &dyn Evaluator| {
        done = Some(work(evaluator)?);
        Ok(())
    });
    dispatch(game, manner.into(), WithStore { run, work })?;
    Ok(done.expect("work without an error is done"))
}

type Work<'a> = dyn FnOnce(&dyn Evaluator) -> Result<(), RunError> + 'a;

struct WithStore<'a> {
    run: &'a Run<'a>,
    work: Box<Work<'a>>,
}

impl Visitor for WithStore<'_> {
    type Output = Result<(), RunError>;

    fn visit<R: PotGame, V: Stored + Default>(self, ruleset: R) -> Self::Output {
        let WithStore { run, work } = self;
        let session = &run.session;
        let engine = Engine::with_memo(ruleset, V::default(), Memo::new(true));
        let engine = engine.controlled_by(Arc::clone(&session.control));
        let held = Arc::new(HeldEngine::new(engine, true));
        let engine = &held.engine;
        let namespace = namespace(&engine.ruleset, &engine.valuation);
        let base = match &run.place.base {
            Some(base) => Some(sound_reader(&Store::open(base)?, &namespace)),
            None => None,
        };
        let store = Store::open(&run.place.store)?;
        let is_to_stop = || session.control.draining() || session.control.stopped().is_some();
        let segments_seen = match store.writer_in_turn(&is_to_stop) {
            Err(StoreError::Locked { .. }) => {
                let reason = session.control.stopped();
                return Err(reason.unwrap_or(StopReason::Interrupted).into());
            }
            writer => writer?.segments_written(),
        };
        let own = sound_reader(&store, &namespace);
        let reader = match &base {
            Some(base) => own.over(base),
            None => own,
        };
        let known = KnownStore::new(&engine.valuation, reader, Some(&*engine.control))
            .leaving_out_refused();
        let mut sealer = Sealer::new(&known, store, segments_seen, namespace, base);
        session.watched.hold(Arc::clone(&held) as Arc<dyn Held>);
        let done = AtomicBool::new(false);
        let (result, sealing) = thread::scope(|scope| {
            let sealing = spawn_in(scope, || {
                seal_until_done(run, &held, &mut sealer, &done)?;
                session
                    .tracker
                    .begin(Phase::Sealing, "value", None, engine.control.evaluated());
                // Values are stored however the work ended, unless storing them failed.
                seal_rest(session.limits.memory.0, engine, &mut sealer)
            });
            // The thread was made just now.
            let _ = held.sealing.set(sealing.thread().clone());
            let result = {
                let _done = DoneOnDrop(&done, sealing.thread());
                work(&AtWork::new(engine, &held.misere, &known))
            };
            (result, sealing.join())
        });
        run.ended(engine.valuation.arena().len(), sealer.sealed());
        sealing.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        result.map_err(|error| {
            let remedy =
                "run it again with a larger --memory: it resumes with the values in the store";
            let forms = engine.valuation.arena().bytes();
            session.out_of_memory(error, || run.job.name.clone(), remedy, forms)
        })
    }
}

/// An engine, as the watch sees it.
pub(super) struct HeldEngine<R, V> {
    pub(super) engine: Engine<R, V>,
    pub(super) misere: MisereEngines<R>,
    has_store: bool,
    /// The watch sets it when memory must be released; the sealing thread clears it afterwards.
    release: AtomicBool,
    sealing: OnceLock<Thread>,
}

impl<R: PotGame, V> HeldEngine<R, V> {
    pub(super) fn new(engine: Engine<R, V>, has_store: bool) -> HeldEngine<R, V> {
        HeldEngine {
            misere: MisereEngines::new(&engine.ruleset, &engine.control),
            engine,
            has_store,
            release: AtomicBool::new(false),
            sealing: OnceLock::new(),
        }
    }
}

impl<R: PotGame, V: Stored> Held for HeldEngine<R, V> {
    fn forms(&self) -> u64 {
        self.engine.valuation.arena().len()
    }

    fn bytes(&self) -> u64 {
        self.engine.bytes() + self.misere.bytes()[0]
    }

    fn bytes_next(&self) -> u64 {
        let memo = &self.engine.memo;
        memo.growth() + self.misere.bytes()[1] + memo.unstored() * SEALING_BYTES
    }

    fn has_store(&self) -> bool {
        self.has_store
    }

    fn release(&self) {
        self.release.store(true, Relaxed);
        if let Some(sealing) = self.sealing.get() {
            sealing.unpark();
        }
    }

    fn is_releasing(&self) -> bool {
        self.release.load(Relaxed)
    }
}

/// Seals values until the workers are done. Stops them when it fails.
fn seal_until_done<R: PotGame, V: Stored>(
    run: &Run<'_>,
    held: &HeldEngine<R, V>,
    sealer: &mut Sealer<'_, V>,
    done: &AtomicBool,
) -> Result<(), RunError> {
    let engine = &held.engine;
    let mut last_checkpoint = Instant::now();
    let budget = run.session.limits.memory.0;
    while !done.load(Relaxed) {
        if engine.valuation.arena().bytes() > budget / FORMS_PART {
            engine.control.stop(StopReason::MemoryBudget);
        }
        let due = last_checkpoint.elapsed() >= run.options.checkpoint;
        let release = held.release.load(Relaxed);
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
                held.release.store(false, Relaxed);
            }
            last_checkpoint = Instant::now();
        }
        if !held.release.load(Relaxed) || engine.control.stopped().is_some() {
            thread::park_timeout(LOOK_INTERVAL);
        }
    }
    Ok(())
}

/// Seals the values that the workers have left in the memo. If memory is short, it first drops the others.
fn seal_rest<R: Ruleset, V: Stored>(
    budget: u64,
    engine: &Engine<R, V>,
    sealer: &mut Sealer<'_, V>,
) -> Result<(), RunError> {
    // The workers' memory is free now. PERF: if little is in use, returning it takes 1 % of a run of a second.
    if memory_in_use().is_none_or(|in_use| in_use > budget / 2) {
        give_back();
    }
    let needed = memory_in_use().unwrap_or(budget) + engine.memo.unstored() * SEALING_BYTES;
    if needed > budget {
        sealer.forget_stored(engine);
    }
    sealer.seal(engine, room(budget))
}

/// Returns the bytes left for sealing, beside its records.
fn room(budget: u64) -> u64 {
    let in_use = memory_in_use().unwrap_or(budget / 2);
    budget.saturating_sub(in_use).max(budget / ROOM_PART)
}

/// Returns a reader of the sound segments of a store, and warns of the others.
pub(super) fn sound_reader(store: &Store, namespace: &Namespace) -> Reader {
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

/// Tells the sealing thread that the workers are done, even where one of them panicked.
struct DoneOnDrop<'a>(&'a AtomicBool, &'a Thread);

impl Drop for DoneOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
        self.1.unpark();
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    #[test]
    fn a_worker_that_panics_does_not_keep_the_sealing_thread_waiting() {
        let done = AtomicBool::new(false);
        let run = || {
            thread::scope(|scope| {
                let sealing = scope.spawn(|| {
                    while !done.load(Relaxed) {
                        thread::park_timeout(Duration::from_millis(5));
                    }
                });
                let _done = DoneOnDrop(&done, sealing.thread());
                panic!("a worker fails");
            })
        };
        assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
    }
}
