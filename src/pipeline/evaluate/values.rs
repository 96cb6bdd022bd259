//! Finds the values of many small positions, one after another, with one engine.

use cggames::board::AnyBoard;
use cggames::game::{Game, Play};
use cgsolvers::{LOOPY, StopReason};
use cgvalues::{Arena, ValueId};

use super::evaluator::Evaluator;
use super::loopy::LoopySolution;
use super::rows::{Evaluation, with_evaluator};
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
    let evaluation = Evaluation::of(game, play);
    let worked = with_evaluator(&evaluation, session, |evaluator| {
        Ok(work(&WithinLimits { evaluator, session }))
    });
    worked.expect("without a store nothing fails before the work")
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
            Ok(None) => Ok(None),
            Ok(Some(LOOPY)) => match self.evaluator.loopy(board)? {
                LoopySolution::Ends(word) => {
                    let form = (self.evaluator.form_of())(&mut arena.calculator(), word);
                    Ok(Some(form?))
                }
                _ => Ok(None),
            },
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
