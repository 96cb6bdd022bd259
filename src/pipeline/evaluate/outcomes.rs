//! Who wins positions, and which nimbers they equal, by searching for wins instead of evaluating.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use bytesize::ByteSize;
use cggames::board::{AnyBoard, brief};
use cggames::game::{Convention, Game, GameVisitor, Manner, PotGame};
use cgsolvers::{Control, Ending, Endings, EngineError, OutcomeSearch};
use seedbank_memory::lock;

use super::evaluator::no_value;
use crate::run::memory::memory_in_use;
use crate::run::{Limits, Phase, RunError, Session, thread_pool};

/// The question about some positions.
#[derive(Clone, Debug)]
pub struct Outcomes {
    /// The game.
    pub game: Game,
    /// How it is played.
    pub manner: Manner,
    /// The largest nimber that positions are compared with; under misère play they are compared with none.
    pub nimber_max: u8,
}

/// The result of a search for wins from a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionOutcome {
    /// How play ends for Left and Right where they move first.
    pub endings: [Ending; 2],
    /// The nimber that the position equals, if it equals one of those it was compared with. Positions of games in which play
    /// need not end, or under misère play, are compared with none.
    pub nimber: Option<u8>,
    /// The positions that the search met; those with different heaps or another player to move count
    /// as different.
    pub positions: u64,
}

/// Searches positions and calls `tell` for each in the order given, as soon as the results of all
/// earlier ones have been passed on.
///
/// Each thread searches a position of its own; the threads share the memory equally.
///
/// # Errors
///
/// The first position, in that order, whose search failed; or the reason that stopped the search:
/// Ctrl-C, SIGTERM or the memory budget. All positions before it have been passed on.
///
/// ```
/// use seedbank::board::BoardKind;
/// use seedbank::game::{Game, Play};
/// use seedbank::evaluate::{Outcomes, outcomes};
/// use seedbank::run::{Limits, Session, Signals, Silent};
///
/// let question = Outcomes {
///     game: Game::SOWING,
///     manner: Play::Partisan.into(),
///     nimber_max: 2,
/// };
/// let limits = Limits::new(1, bytesize::ByteSize::mib(64));
/// let signals = Signals::default();
/// let session = Session::new(limits, &signals, &Silent);
/// let mut nimbers = Vec::new();
/// let read = |text| BoardKind::Row.read(text);
/// let rows = [read("11111111")?, read("111111111")?, read("312")?];
/// outcomes(&question, &session, &rows, |_, found| nimbers.push(found.nimber))?;
/// assert_eq!(nimbers, [Some(1), Some(0), None]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn outcomes(
    question: &Outcomes,
    session: &Session<'_>,
    rows: &[AnyBoard],
    mut tell: impl FnMut(usize, PositionOutcome) + Send,
) -> Result<(), RunError> {
    question.game.visit(FindOutcomes {
        question,
        session,
        rows,
        tell: &mut tell,
    })
}

struct FindOutcomes<'a> {
    question: &'a Outcomes,
    session: &'a Session<'a>,
    rows: &'a [AnyBoard],
    tell: &'a mut (dyn FnMut(usize, PositionOutcome) + Send),
}

impl GameVisitor for FindOutcomes<'_> {
    type Output = Result<(), RunError>;

    fn visit<R: PotGame>(self, ruleset: R) -> Self::Output {
        let Outcomes {
            manner, nimber_max, ..
        } = *self.question;
        let is_misere = manner.convention == Convention::Misere;
        self.find_all(&|row, memory, control| {
            let position = ruleset.position_on(row).map_err(EngineError::from)?;
            if ruleset.is_loopy() {
                let mut endings = Endings::new(manner);
                let found = endings.of(&ruleset, &position, control);
                return Ok(PositionOutcome {
                    endings: found.map_err(|error| no_value(row, error))?,
                    nimber: None,
                    positions: endings.len() as u64,
                });
            }
            let mut search = OutcomeSearch::new(&ruleset, manner, memory, control);
            let outcome = search.outcome(&position);
            let nimber = outcome.and_then(|outcome| {
                let nimber = if is_misere {
                    None
                } else {
                    search.nimber(&position, nimber_max)?
                };
                Ok((outcome, nimber))
            });
            let (outcome, nimber) = nimber.map_err(|error| no_value(row, error))?;
            Ok(PositionOutcome {
                endings: Ending::of(outcome),
                nimber,
                positions: search.positions(),
            })
        })
    }
}

/// Finds who wins a row within a memory limit.
type Find<'f> =
    dyn Fn(&AnyBoard, ByteSize, &Control) -> Result<PositionOutcome, RunError> + Sync + 'f;

impl FindOutcomes<'_> {
    fn find_all(self, find: &Find<'_>) -> Result<(), RunError> {
        let FindOutcomes {
            question,
            session,
            rows,
            tell,
        } = self;
        let Limits {
            threads, memory, ..
        } = session.limits;
        let threads = threads.min(rows.len()).max(1);
        let pool = thread_pool(threads)?;
        let in_use = memory_in_use().unwrap_or(0);
        let each = ByteSize(memory.0.saturating_sub(in_use) / threads as u64);
        // A search for wins bounds its own memory; retrograde analysis needs it watched.
        let watched = if question.game.is_loopy() {
            memory
        } else {
            ByteSize(u64::MAX)
        };
        let limits = Limits {
            memory: watched,
            ..session.limits
        };
        let mut watch = Session::new(limits, session.signals, session.observer);
        let told = Mutex::new(InOrder::new(tell));
        let next = AtomicUsize::new(0);
        watch.tracker.expect_unknown();
        watch.begin(Phase::Searching, "row", rows.len());
        watch.watch(
            ("outcome", "position"),
            (rows.len() as u64, 0),
            None,
            || {
                pool.broadcast(|_| {
                    while let place = next.fetch_add(1, Relaxed)
                        && let Some(row) = rows.get(place)
                    {
                        let found = watch.check_stop();
                        let found = found.and_then(|()| find(row, each, &watch.control));
                        if found.is_err() {
                            // Rows before the failed one may still be reported; rows after it are useless.
                            next.fetch_max(rows.len(), Relaxed);
                        }
                        lock(&told).put(place, found);
                        watch.count_item();
                    }
                });
            },
        );
        let InOrder { failed, .. } = told
            .into_inner()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        // The error names the whole budget.
        watch.limits = session.limits;
        failed.map_or(Ok(()), |(place, error)| {
            let job = || format!("the search for the winner of {}", brief(&rows[place]));
            Err(watch.out_of_memory(error, job, "try again with a larger --memory", 0))
        })
    }
}

/// Results that arrive in any order and are reported in order of rows, up to the first that failed.
struct InOrder<F> {
    tell: F,
    next: usize,
    waiting: BTreeMap<usize, Result<PositionOutcome, RunError>>,
    /// The first failure, with the place of its row.
    failed: Option<(usize, RunError)>,
}

impl<F: FnMut(usize, PositionOutcome)> InOrder<F> {
    fn new(tell: F) -> InOrder<F> {
        InOrder {
            tell,
            next: 0,
            waiting: BTreeMap::new(),
            failed: None,
        }
    }

    fn put(&mut self, place: usize, found: Result<PositionOutcome, RunError>) {
        self.waiting.insert(place, found);
        while self.failed.is_none()
            && let Some(found) = self.waiting.remove(&self.next)
        {
            match found {
                Ok(found) => (self.tell)(self.next, found),
                Err(error) => self.failed = Some((self.next, error)),
            }
            self.next += 1;
        }
    }
}
