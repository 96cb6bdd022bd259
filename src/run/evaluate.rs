//! Positions evaluated for their own sake, without a job and without writing anything.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use bytesize::ByteSize;

use super::dispatch::{Visitor, dispatch};
use super::known::KnownStore;
use super::memory::{give_back, memory_in_use};
use super::seal::namespace;
use super::stage::Tracker;
use super::stored::Stored;
use super::sweeps::{Room, sweep_ones};
use super::worker::{Labels, Workers};
use super::{RunError, Signals, thread_pool};
use crate::dataset::PositionRow;
use crate::engine::{Control, Engine, EngineError, KnownValues, NothingKnown, StopReason};
use crate::ruleset::row::Row;
use crate::ruleset::{Game, Play, Ruleset};
use crate::store::Store;
use crate::value::Notation;

/// What to evaluate, and with what means.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The game.
    pub game: Game,
    /// The way of playing.
    pub play: Play,
    /// The number of workers.
    pub threads: usize,
    /// The memory that it may take.
    pub memory: ByteSize,
    /// A store whose values to use.
    pub store: Option<PathBuf>,
    /// How values are written.
    pub notation: Notation,
    /// Whether to count followers.
    pub followers: bool,
}

/// The rows of some positions, and what it took to find them.
#[derive(Clone, Debug)]
pub struct Evaluated {
    /// A row for each position, in the order given.
    pub rows: Vec<PositionRow>,
    /// What there was in the end.
    pub counts: Counts,
}

/// What an evaluation held. A position and its mirror image count once, and so do a form and its negative.
#[derive(Clone, Copy, Debug)]
pub struct Counts {
    /// The positions evaluated.
    pub positions: u64,
    /// The positions whose values were held at once, by the largest sweep and the memo.
    pub positions_held: u64,
    /// The bytes that these took.
    pub positions_bytes: u64,
    /// The canonical forms.
    pub forms: u64,
    /// The bytes that these took, the table that finds them included.
    pub forms_bytes: u64,
}

/// Evaluates positions.
///
/// # Errors
///
/// The first row, in that order, that is no position of the game, before any is evaluated; else the first position that
/// has no value; or what stopped the search: Ctrl-C, SIGTERM
/// or the memory budget.
///
/// ```
/// use seedbank::ruleset::{Game, Play};
/// use seedbank::run::{Evaluation, Signals, evaluate};
///
/// let evaluation = Evaluation {
///     game: Game::Sowing,
///     play: Play::Partisan,
///     threads: 1,
///     memory: bytesize::ByteSize::gib(1),
///     store: None,
///     notation: Default::default(),
///     followers: false,
/// };
/// let evaluated = evaluate(&evaluation, &["312".parse()?], &Signals::default())?;
/// assert_eq!(evaluated.rows[0].value.as_deref(), Some("{0|-2}"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn evaluate(
    evaluation: &Evaluation,
    rows: &[Row],
    signals: &Signals,
) -> Result<Evaluated, RunError> {
    let visitor = EvaluateRows {
        evaluation,
        rows,
        signals,
    };
    dispatch(evaluation.game, evaluation.play, visitor)
}

struct EvaluateRows<'a> {
    evaluation: &'a Evaluation,
    rows: &'a [Row],
    signals: &'a Signals,
}

impl Visitor for EvaluateRows<'_> {
    type Output = Result<Evaluated, RunError>;

    fn visit<R: Ruleset, V: Stored + Default>(self, ruleset: R) -> Self::Output {
        let EvaluateRows {
            evaluation,
            rows,
            signals,
        } = self;
        // A row that is no position is told before any time goes into those before it.
        let positions = rows.iter().map(|row| {
            let position = ruleset.position(row).map_err(EngineError::from)?;
            ruleset.key(&position).map_err(EngineError::from)?;
            Ok(position)
        });
        let positions: Vec<R::Position> = positions.collect::<Result<_, RunError>>()?;
        let engine = Engine::new(ruleset, V::default());
        let known_store = match &evaluation.store {
            Some(dir) => {
                let store = Store::open(dir)?;
                for refused in store.refused() {
                    tracing::warn!("leaving out a store segment: {}", refused.error);
                }
                let reader = store.reader(&namespace(&engine.ruleset, &engine.valuation));
                let (reader, damaged) = reader.without_damaged();
                for error in damaged {
                    tracing::warn!("leaving out a store segment: {error}");
                }
                Some(KnownStore::new(&engine.valuation, reader))
            }
            None => None,
        };
        let known: &dyn KnownValues = known_store.as_ref().map_or(&NothingKnown, |known| known);
        let workers = Workers::new(&engine, known, evaluation.notation, None);
        let labels = Labels::of_positions(evaluation.game, evaluation.play, evaluation.followers);
        let pool = thread_pool(evaluation.threads)?;
        let bytes_max = AtomicU64::new(0);
        let tracker = Tracker::default();
        let look = || {
            let in_use = || memory_in_use().unwrap_or(0).max(engine.bytes());
            // What is about to double is counted before it does, which may be between two looks.
            let growth = engine.memo.growth();
            let mut bytes = in_use() + growth;
            if bytes > evaluation.memory.0 {
                give_back();
                bytes = in_use() + growth;
            }
            bytes_max.fetch_max(bytes, Relaxed);
            let left = evaluation.memory.0.saturating_sub(bytes);
            engine.control.set_memory_left(left);
            if bytes > evaluation.memory.0 {
                engine.control.stop(StopReason::MemoryBudget);
            }
        };
        let evaluated = watched(&engine.control, signals, look, || {
            let room = Room {
                memory: evaluation.memory.0,
                folder: evaluation.store.as_deref(),
                keeping: None,
                tracker: &tracker,
            };
            let positions = positions.into_iter();
            let largest = sweep_ones(&engine, known, positions, room, &pool, &|| false)?;
            let rows = pool.install(|| {
                workers.rows(
                    rows,
                    |row| row,
                    |worker, row, positions_max| {
                        let row = worker.row(row, None, &labels, positions_max)?;
                        Ok(row.map(|(mut row, (form, _))| {
                            row.value_digest = worker.digest(form);
                            row
                        }))
                    },
                )
            })?;
            let arena = engine.valuation.arena();
            let counts = Counts {
                positions: engine.control.evaluated(),
                positions_held: largest.positions + engine.memo.len(),
                positions_bytes: largest.bytes + engine.memo.bytes(),
                forms: arena.len(),
                forms_bytes: arena.bytes(),
            };
            Ok(Evaluated { rows, counts })
        });
        evaluated.map_err(|error| match error {
            RunError::Engine(EngineError::Stopped(StopReason::MemoryBudget)) => RunError::Memory {
                job: "the evaluation".to_owned(),
                budget: evaluation.memory,
                positions: engine.control.evaluated(),
                remedy: "try again with a larger --memory",
                in_use: ByteSize(bytes_max.load(Relaxed) + engine.control.memory_refused()),
                forms: ByteSize(engine.valuation.arena().bytes()),
            },
            error => error,
        })
    }
}

/// How often signals and memory are looked at.
const LOOK_INTERVAL: Duration = Duration::from_millis(10);

/// Works while someone else watches the signals, and looks at what else there is to be looked at.
pub(super) fn watched<T>(
    control: &Control,
    signals: &Signals,
    look: impl Fn() + Send,
    work: impl FnOnce() -> T,
) -> T {
    thread::scope(|scope| {
        let (working, wait) = mpsc::channel::<()>();
        scope.spawn(move || {
            // Ends when the sender is dropped, which is when the work is done.
            while wait.recv_timeout(LOOK_INTERVAL) == Err(mpsc::RecvTimeoutError::Timeout) {
                if signals.interrupted() || signals.terminated() {
                    control.stop(StopReason::Interrupted);
                }
                look();
            }
        });
        let done = work();
        drop(working);
        done
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first of these rows would take all the memory there is, and more time than anyone has.
    #[test]
    fn a_row_that_cannot_be_held_is_told_before_others_are_evaluated() {
        for (threads, wrong) in [(1, "1".repeat(63)), (2, "1".repeat(125))] {
            let evaluation = Evaluation {
                game: Game::Sowing,
                play: Play::Partisan,
                threads,
                memory: ByteSize::mib(64),
                store: None,
                notation: Notation::default(),
                followers: false,
            };
            let rows = ["4".repeat(12), wrong].map(|text| text.parse().unwrap());
            let error = evaluate(&evaluation, &rows, &Signals::default()).unwrap_err();
            let misfit = matches!(error, RunError::Engine(EngineError::Position(_)));
            assert!(misfit, "{error}");
        }
    }
}
