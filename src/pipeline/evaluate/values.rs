//! Finds the values of many small positions, one after another, with one engine.

use cggames::board::AnyBoard;
use cggames::game::{Game, Play, PotGame};
use cgsolvers::{Engine, LOOPY, NothingKnown, StopReason};
use cgvalues::{Arena, ValueId};

use super::dispatch::{Visitor, dispatch};
use super::evaluator::{AtWork, Evaluator};
use super::stored::Stored;
use crate::run::{RunError, Session};

/// Finds and remembers values of positions of one game.
pub trait Values {
    /// The arena that holds the values.
    fn arena(&self) -> &Arena;

    /// Returns the value of a position. Returns `None` if it is not a position of the game, has no value, or takes a search
    /// of more than `positions_max` positions.
    ///
    /// # Errors
    ///
    /// The reason that stopped the search: a signal, the deadline or the memory budget.
    fn value(&self, board: &AnyBoard, positions_max: u64) -> Result<Option<ValueId>, RunError>;
}

/// Calls `work` with a finder of values.
///
/// ```
/// use std::time::{Duration, Instant};
///
/// use seedbank::board::BoardKind;
/// use seedbank::evaluate::with_values;
/// use seedbank::game::{Game, Play};
/// use seedbank::run::{Limits, Session, Signals, Silent};
///
/// let limits = Limits {
///     deadline: Some(Instant::now() + Duration::from_secs(10)),
///     ..Limits::new(1, bytesize::ByteSize::gib(1))
/// };
/// let signals = Signals::default();
/// let session = Session::new(limits, &signals, &Silent);
/// let board = BoardKind::Row.read("312")?;
/// let text = with_values(Game::SOWING, Play::Partisan, &session, |values| {
///     let value = values.value(&board, 1000).ok().flatten();
///     value.map(|value| values.arena().notation(value).to_string())
/// });
/// assert_eq!(text.as_deref(), Some("{0|-2}"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn with_values<T>(
    game: Game,
    play: Play,
    session: &Session<'_>,
    work: impl FnOnce(&dyn Values) -> T,
) -> T {
    dispatch(game, play, WithValues { session, work })
}

struct WithValues<'a, F> {
    session: &'a Session<'a>,
    work: F,
}

impl<T, F: FnOnce(&dyn Values) -> T> Visitor for WithValues<'_, F> {
    type Output = T;

    fn visit<R: PotGame, V: Stored + Default>(self, ruleset: R) -> T {
        let engine = Engine::new(ruleset, V::default());
        let evaluator = AtWork::new(&engine, &NothingKnown);
        (self.work)(&WithinLimits {
            evaluator: &evaluator,
            session: self.session,
        })
    }
}

struct WithinLimits<'a> {
    evaluator: &'a dyn Evaluator,
    session: &'a Session<'a>,
}

impl Values for WithinLimits<'_> {
    fn arena(&self) -> &Arena {
        self.evaluator.arena()
    }

    fn value(&self, board: &AnyBoard, positions_max: u64) -> Result<Option<ValueId>, RunError> {
        self.session.check()?;
        let arena = self.arena();
        if arena.bytes() + self.evaluator.memo().bytes() > self.session.limits.memory.0 {
            return Err(StopReason::MemoryBudget.into());
        }
        if self.evaluator.check(board).is_err() {
            return Ok(None);
        }
        let word = self.evaluator.search().value(board, None, positions_max);
        match word {
            Ok(Some(LOOPY)) | Ok(None) => Ok(None),
            Ok(Some(word)) => {
                let form = (self.evaluator.form_of())(&mut arena.calculator(), word);
                Ok(Some(form?))
            }
            // A follower is too large to be held.
            Err(RunError::Follower { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }
}
