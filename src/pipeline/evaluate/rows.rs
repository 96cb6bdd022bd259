//! Evaluates positions without a job; writes no files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use cggames::board::AnyBoard;
use cggames::game::{Game, Manner, PotGame};
use cgsolvers::{Engine, KnownValues, NothingKnown};
use valuestore::Store;

use super::describe::Writing;
use super::dispatch::{Visitor, dispatch};
use super::evaluator::{AtWork, Evaluator};
use super::known::KnownStore;
use super::position_row::{ExtraColumns, MemberColumns};
use super::seal::namespace;
use super::session::{HeldEngine, sound_reader};
use super::stored::Stored;
use super::sweeps::{Size, is_swept, sweep_ones};
use super::swept::Room;
use super::worker::{POSITIONS_ALONE, Workers};
use crate::dataset::PositionRow;
use crate::run::{Held, Phase, RunError, Session};

/// The game to evaluate positions of, and the columns to compute.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The game.
    pub game: Game,
    /// How it is played.
    pub manner: Manner,
    /// A store whose values are used.
    pub store: Option<PathBuf>,
    /// How values are written.
    pub writing: Writing,
    /// Whether followers are counted.
    pub followers: bool,
    /// Whether genera are found, in impartial play.
    pub genus: bool,
    /// Whether misère canonical forms are found, in impartial play.
    pub misere_form: bool,
}

impl Evaluation {
    /// Returns an evaluation that uses no store, counts no followers and finds no genera.
    pub fn of(game: Game, manner: impl Into<Manner>) -> Evaluation {
        Evaluation {
            game,
            manner: manner.into(),
            store: None,
            writing: Writing::default(),
            followers: false,
            genus: false,
            misere_form: false,
        }
    }
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
/// use seedbank::run::{Limits, Session, Signals, Silent};
///
/// let evaluation = Evaluation::of(Game::SOWING, Play::Partisan);
/// let limits = Limits::new(1, bytesize::ByteSize::gib(1));
/// let signals = Signals::default();
/// let session = Session::new(limits, &signals, &Silent);
/// let mut values = Vec::new();
/// let rows = [BoardKind::Row.read("312")?, BoardKind::Row.read("11")?];
/// evaluate(&evaluation, &session, &rows, |_, row| {
///     values.push(row.value.and_then(|value| value.value));
/// })?;
/// assert_eq!(values, [Some("{0|-2}".into()), Some("*".into())]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn evaluate(
    evaluation: &Evaluation,
    session: &Session<'_>,
    rows: &[AnyBoard],
    mut each: impl FnMut(usize, PositionRow) + Send,
) -> Result<Counts, RunError> {
    let each: &mut (dyn FnMut(usize, PositionRow) + Send) = &mut each;
    with_evaluator(evaluation, session, |evaluator| {
        // A row that is not a position is reported before any row is evaluated.
        for row in rows {
            evaluator.check(row)?;
        }
        if rows.len() > 1 || !rows.iter().all(is_swept) {
            // The work of the other rows is not known in advance.
            session.tracker.expect_unknown();
        }
        session.evaluating(rows.len(), || {
            evaluate_rows(evaluation, session, evaluator, rows, each)
        })
    })
}

fn evaluate_rows(
    evaluation: &Evaluation,
    session: &Session<'_>,
    evaluator: &dyn Evaluator,
    rows: &[AnyBoard],
    each: &mut (dyn FnMut(usize, PositionRow) + Send),
) -> Result<Counts, RunError> {
    let workers = Workers::new(evaluator, evaluation.writing, None);
    let labels = evaluation.labels();
    let pool = session.pool()?;
    let room = evaluation.room(session);
    let mut largest = Size::default();
    let (mut place, mut chunk) = (0, CHUNK_MIN);
    while place < rows.len() {
        let now = together(evaluation.game, &rows[place..], chunk);
        let swept = sweep_ones(evaluator, now.iter(), &[], room, &pool)?;
        largest = largest.max(swept);
        session.begin(Phase::Searching, "row", rows.len());
        let each_row = &mut |row| {
            each(place, row);
            place += 1;
            session.count_item();
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
    let (arena, memo) = (evaluator.arena(), evaluator.memo());
    Ok(Counts {
        positions: session.control.evaluated(),
        positions_held: largest.positions + memo.len(),
        positions_bytes: largest.bytes + memo.bytes(),
        forms: arena.len(),
        forms_bytes: arena.bytes(),
    })
}

impl Evaluation {
    /// Returns the labels of the rows.
    pub(super) fn labels(&self) -> MemberColumns<'static> {
        let columns = ExtraColumns {
            followers: self.followers,
            genus: self.genus,
            misere_form: self.misere_form,
            ..ExtraColumns::default()
        };
        MemberColumns::of_positions(self.game, self.manner.play, columns)
    }

    /// Returns the room for sweeps.
    pub(super) fn room<'a>(&'a self, session: &'a Session<'_>) -> Room<'a> {
        Room {
            memory: session.limits.memory.0,
            folder: self.store.as_deref(),
            checkpoint: None,
            tracker: &session.tracker,
            narrow: false,
        }
    }
}

/// Calls `work` with an evaluator under the session's control, which uses the values of the store if there is one.
///
/// # Errors
///
/// A store that cannot be read, or those of the work; [`RunError::Memory`] if it takes more than the budget.
pub(super) fn with_evaluator<T>(
    evaluation: &Evaluation,
    session: &Session<'_>,
    work: impl FnOnce(&dyn Evaluator) -> Result<T, RunError>,
) -> Result<T, RunError> {
    let store = evaluation.store.as_deref();
    let visitor = WithEvaluator {
        session,
        store,
        work,
    };
    dispatch(evaluation.game, evaluation.manner, visitor)
}

struct WithEvaluator<'a, F> {
    session: &'a Session<'a>,
    store: Option<&'a Path>,
    work: F,
}

impl<T, F> Visitor for WithEvaluator<'_, F>
where
    F: FnOnce(&dyn Evaluator) -> Result<T, RunError>,
{
    type Output = Result<T, RunError>;

    fn visit<R: PotGame, V: Stored + Default>(self, ruleset: R) -> Self::Output {
        let engine = Engine::new(ruleset, V::default());
        let engine = engine.controlled_by(Arc::clone(&self.session.control));
        let held = Arc::new(HeldEngine::new(engine, false));
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
        self.session
            .watched
            .hold(Arc::clone(&held) as Arc<dyn Held>);
        let worked = (self.work)(&AtWork::new(engine, &held.misere, known));
        self.session.watched.let_go();
        worked.map_err(|error| {
            let job = || "the evaluation".to_owned();
            let remedy = "try again with a larger --memory";
            let forms = engine.valuation.arena().bytes();
            self.session.out_of_memory(error, job, remedy, forms)
        })
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
    use crate::run::{Limits, Signals, Silent};
    use cggames::board::BoardKind;
    use cgsolvers::EngineError;

    /// The first of these rows would take all the memory there is, and more time than anyone has.
    #[test]
    fn a_row_that_is_no_position_is_reported_before_others_are_evaluated() {
        for (threads, wrong) in [(1, "1".repeat(63)), (2, "1".repeat(125))] {
            let evaluation = Evaluation::of(Game::SOWING, cggames::game::Play::Partisan);
            let (limits, signals) = (
                Limits::new(threads, bytesize::ByteSize::mib(64)),
                Signals::default(),
            );
            let session = Session::new(limits, &signals, &Silent);
            let rows = ["4".repeat(12), wrong].map(|text| BoardKind::Row.read(&text).unwrap());
            let error = {
                let each = |_, _| panic!("a row is passed on");
                evaluate(&evaluation, &session, &rows, each).unwrap_err()
            };
            let misfit = matches!(error, RunError::Engine(EngineError::Position(_)));
            assert!(misfit, "{error}");
        }
    }
}
