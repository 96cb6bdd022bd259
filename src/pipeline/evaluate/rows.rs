//! Evaluates positions without a job; writes no files.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use bytesize::ByteSize;
use cggames::board::AnyBoard;
use cggames::game::{Game, Play, PotGame};
use cgsolvers::{Engine, EngineError, KnownValues, NothingKnown, StopReason};
use valuestore::Store;

use super::describe::Writing;
use super::dispatch::{Visitor, dispatch};
use super::evaluator::{AtWork, Evaluator};
use super::known::KnownStore;
use super::seal::namespace;
use super::session::{HeldEngine, sound_reader};
use super::stored::Stored;
use super::sweeps::{Size, is_swept, sweep_ones};
use super::swept::Room;
use super::worker::{Labels, POSITIONS_ALONE, Workers};
use crate::dataset::PositionRow;
use crate::run::{Held, Observer, Phase, RunError, Signals, Tracker, Watch, Watched, thread_pool};

/// The game to evaluate positions of, and the threads, memory and store to do it with.
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
    /// A store whose values are used.
    pub store: Option<PathBuf>,
    /// How values are written.
    pub writing: Writing,
    /// Whether followers are counted.
    pub followers: bool,
    /// The deadline.
    pub deadline: Option<Instant>,
}

/// The size of an evaluation. A position and its negative count once, and so do a form and its negative.
#[derive(Clone, Copy, Debug)]
pub struct Counts {
    /// The positions evaluated.
    pub positions: u64,
    /// The positions whose values were in memory at once, in the largest sweep and the memo.
    pub positions_held: u64,
    /// The bytes that these took.
    pub positions_bytes: u64,
    /// The canonical forms.
    pub forms: u64,
    /// The bytes that these took, the table that finds them included.
    pub forms_bytes: u64,
}

/// The number of rows evaluated together: few at first, so that the first answers come early.
const CHUNK_MIN: usize = 1;
const CHUNK_MAX: usize = 1024;

/// Evaluates positions and calls `each` with their rows in the order given, as soon as all earlier
/// rows have been passed on.
///
/// # Errors
///
/// Before any evaluation, the first row that is not a position of the game. Later, the first position
/// that has no value, or the reason that stopped the search: Ctrl-C, SIGTERM, the deadline or the
/// memory budget.
/// All rows before it have been passed on.
///
/// ```
/// use seedbank::board::BoardKind;
/// use seedbank::game::{Game, Play};
/// use seedbank::evaluate::{Evaluation, evaluate};
/// use seedbank::run::{Signals, Silent};
///
/// let evaluation = Evaluation {
///     game: Game::SOWING,
///     play: Play::Partisan,
///     threads: 1,
///     memory: bytesize::ByteSize::gib(1),
///     store: None,
///     writing: Default::default(),
///     followers: false,
///     deadline: None,
/// };
/// let mut values = Vec::new();
/// let rows = [BoardKind::Row.read("312")?, BoardKind::Row.read("11")?];
/// evaluate(&evaluation, &rows, &Signals::default(), &Silent, |_, row| {
///     values.push(row.value.and_then(|value| value.value));
/// })?;
/// assert_eq!(values, [Some("{0|-2}".into()), Some("*".into())]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn evaluate(
    evaluation: &Evaluation,
    rows: &[AnyBoard],
    signals: &Signals,
    observer: &dyn Observer,
    mut each: impl FnMut(usize, PositionRow) + Send,
) -> Result<Counts, RunError> {
    let rows = EvaluateRows {
        evaluation,
        rows,
        signals,
        observer,
        each: &mut each,
    };
    with_evaluator(evaluation, |evaluator, held| rows.evaluate(evaluator, held))
}

/// Calls `work` with an evaluator, which uses the values of the store if there is one, and with the memory in use.
pub(super) fn with_evaluator<T>(
    evaluation: &Evaluation,
    work: impl FnOnce(&dyn Evaluator, Arc<dyn Held>) -> Result<T, RunError>,
) -> Result<T, RunError> {
    let store = evaluation.store.as_deref();
    dispatch(
        evaluation.game,
        evaluation.play,
        WithEvaluator { store, work },
    )
}

struct WithEvaluator<'a, F> {
    store: Option<&'a Path>,
    work: F,
}

impl<T, F> Visitor for WithEvaluator<'_, F>
where
    F: FnOnce(&dyn Evaluator, Arc<dyn Held>) -> Result<T, RunError>,
{
    type Output = Result<T, RunError>;

    fn visit<R: PotGame, V: Stored + Default>(self, ruleset: R) -> Self::Output {
        let held = Arc::new(HeldEngine::new(Engine::new(ruleset, V::default()), false));
        let engine = &held.engine;
        let known_store = match self.store {
            Some(dir) => {
                let namespace = namespace(&engine.ruleset, &engine.valuation);
                let reader = sound_reader(&Store::open(dir)?, &namespace);
                let known = KnownStore::new(&engine.valuation, reader, Some(&*engine.control));
                Some(known.leaving_out_refused())
            }
            None => None,
        };
        let known: &dyn KnownValues = known_store.as_ref().map_or(&NothingKnown, |known| known);
        let held = Arc::clone(&held) as Arc<dyn Held>;
        (self.work)(&AtWork::new(engine, known), held)
    }
}

struct EvaluateRows<'a> {
    evaluation: &'a Evaluation,
    rows: &'a [AnyBoard],
    signals: &'a Signals,
    observer: &'a dyn Observer,
    each: &'a mut (dyn FnMut(usize, PositionRow) + Send),
}

impl EvaluateRows<'_> {
    fn evaluate(self, evaluator: &dyn Evaluator, held: Arc<dyn Held>) -> Result<Counts, RunError> {
        let EvaluateRows {
            evaluation,
            rows,
            signals,
            observer,
            each,
        } = self;
        // A row that is not a position is reported before any row is evaluated.
        for row in rows {
            evaluator.check(row)?;
        }
        let (arena, control) = (evaluator.arena(), evaluator.control());
        let workers = Workers::new(evaluator, evaluation.writing, None);
        let labels = Labels::of_positions(evaluation.game, evaluation.play, evaluation.followers);
        let pool = thread_pool(evaluation.threads)?;
        let tracker = Tracker::default();
        let done = AtomicU64::new(0);
        if rows.len() > 1 || !rows.iter().all(is_swept) {
            // The work of the other rows is not known in advance.
            tracker.expect_unknown();
        }
        let watched = Watched::default();
        watched.hold(held);
        let watch = Watch {
            deadline: evaluation.deadline,
            ..Watch::without_job(control, signals, evaluation.memory, &watched)
        };
        let evaluated = watch.evaluating(rows.len(), &done, &tracker, observer, || {
            let room = Room {
                memory: evaluation.memory.0,
                folder: evaluation.store.as_deref(),
                checkpoint: None,
                tracker: &tracker,
                narrow: false,
            };
            let mut largest = Size::default();
            let (mut place, mut chunk) = (0, CHUNK_MIN);
            while place < rows.len() {
                let now = together(evaluation.game, &rows[place..], chunk);
                let swept = sweep_ones(evaluator, now.iter(), &[], room, &pool)?;
                largest = largest.max(swept);
                let evaluated = control.evaluated();
                tracker.begin(Phase::Searching, "row", Some(rows.len() as u64), evaluated);
                tracker.add(place as u64, 0);
                let each_row = &mut |row| {
                    each(place, row);
                    place += 1;
                    done.store(place as u64, Relaxed);
                    tracker.add(1, 0);
                };
                pool.install(|| {
                    workers.rows_in_turn(
                        now,
                        POSITIONS_ALONE,
                        |row| row,
                        |worker, row, positions_max| {
                            let row = worker.row(row, None, &labels, positions_max)?;
                            row.map(|row| row.digested(|(form, _)| Ok(worker.digest(form))))
                                .transpose()
                        },
                        each_row,
                    )
                })?;
                chunk = (2 * chunk).min(CHUNK_MAX);
            }
            let memo = evaluator.memo();
            Ok(Counts {
                positions: control.evaluated(),
                positions_held: largest.positions + memo.len(),
                positions_bytes: largest.bytes + memo.bytes(),
                forms: arena.len(),
                forms_bytes: arena.bytes(),
            })
        });
        evaluated.map_err(|error| out_of_memory(evaluation, evaluator, &watched, error))
    }
}

/// Returns an error, and adds to one about memory what the memory was used for.
pub(super) fn out_of_memory(
    evaluation: &Evaluation,
    evaluator: &dyn Evaluator,
    watched: &Watched,
    error: RunError,
) -> RunError {
    match error {
        RunError::Engine(EngineError::Stopped(StopReason::MemoryBudget)) => RunError::Memory {
            job: "the evaluation".to_owned(),
            budget: evaluation.memory,
            positions: evaluator.control().evaluated(),
            remedy: "try again with a larger --memory",
            in_use: ByteSize(watched.bytes_max() + evaluator.control().memory_refused()),
            forms: ByteSize(evaluator.arena().bytes()),
        },
        error => error,
    }
}

/// Returns the next rows to evaluate together, at most `most`. A row that takes a sweep comes alone,
/// so that earlier rows need not wait for the sweep.
fn together(game: Game, rows: &[AnyBoard], most: usize) -> &[AnyBoard] {
    let alone = |row: &AnyBoard| game.is_swept() && is_swept(row);
    let others = rows.iter().take(most).take_while(|row| !alone(row));
    &rows[..others.count().max(1)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Silent;
    use cggames::board::BoardKind;

    /// The first of these rows would take all the memory there is, and more time than anyone has.
    #[test]
    fn a_row_that_is_no_position_is_reported_before_others_are_evaluated() {
        for (threads, wrong) in [(1, "1".repeat(63)), (2, "1".repeat(125))] {
            let evaluation = Evaluation {
                game: Game::SOWING,
                play: Play::Partisan,
                threads,
                memory: ByteSize::mib(64),
                store: None,
                writing: Writing::default(),
                followers: false,
                deadline: None,
            };
            let rows = ["4".repeat(12), wrong].map(|text| BoardKind::Row.read(&text).unwrap());
            let error = {
                let each = |_, _| panic!("a row is passed on");
                evaluate(&evaluation, &rows, &Signals::default(), &Silent, each).unwrap_err()
            };
            let misfit = matches!(error, RunError::Engine(EngineError::Position(_)));
            assert!(misfit, "{error}");
        }
    }
}
