//! Who wins positions, and which nimbers they equal, by searching for wins instead of evaluating.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

use bytesize::ByteSize;
use cggames::board::{AnyBoard, brief};
use cggames::game::{Game, Play, PotGame};
use cgsolvers::{Control, Ending, Endings, EngineError, OutcomeSearch, StopReason};
use seedbank_memory::lock;

use super::dispatch::{Visitor, dispatch};
use super::evaluator::no_value;
use super::stored::Stored;
use crate::run::memory::memory_in_use;
use crate::run::{
    Observer, Phase, Progress, RunError, Signals, Stage, Watch, Watched, thread_pool,
};

/// The question about some positions, and the threads and memory to answer it with.
#[derive(Clone, Debug)]
pub struct Outcomes {
    /// The game.
    pub game: Game,
    /// The way of playing.
    pub play: Play,
    /// The largest nimber that positions are compared with.
    pub nimber_max: u8,
    /// The number of positions searched at the same time; they share the memory equally.
    pub threads: usize,
    /// The memory that it may take.
    pub memory: ByteSize,
}

/// The result of a search for wins from a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionOutcome {
    /// How play ends for Left and Right where they move first.
    pub endings: [Ending; 2],
    /// The nimber that the position equals, if it equals one of those it was compared with. Positions of games in which play
    /// need not end are compared with none.
    pub nimber: Option<u8>,
    /// The positions that the search met; those with different heaps or another player to move count
    /// as different.
    pub positions: u64,
}

/// Searches positions and calls `tell` for each in the order given, as soon as the results of all
/// earlier ones have been passed on.
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
/// use seedbank::run::{Signals, Silent};
///
/// let question = Outcomes {
///     game: Game::SOWING,
///     play: Play::Partisan,
///     nimber_max: 2,
///     threads: 1,
///     memory: bytesize::ByteSize::mib(64),
/// };
/// let mut nimbers = Vec::new();
/// let read = |text| BoardKind::Row.read(text);
/// let rows = [read("11111111")?, read("111111111")?, read("312")?];
/// outcomes(&question, &rows, &Signals::default(), &Silent, |_, found| nimbers.push(found.nimber))?;
/// assert_eq!(nimbers, [Some(1), Some(0), None]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn outcomes(
    question: &Outcomes,
    rows: &[AnyBoard],
    signals: &Signals,
    observer: &dyn Observer,
    mut tell: impl FnMut(usize, PositionOutcome) + Send,
) -> Result<(), RunError> {
    let visitor = FindOutcomes {
        question,
        rows,
        signals,
        observer,
        tell: &mut tell,
    };
    dispatch(question.game, question.play, visitor)
}

struct FindOutcomes<'a> {
    question: &'a Outcomes,
    rows: &'a [AnyBoard],
    signals: &'a Signals,
    observer: &'a dyn Observer,
    tell: &'a mut (dyn FnMut(usize, PositionOutcome) + Send),
}

impl Visitor for FindOutcomes<'_> {
    type Output = Result<(), RunError>;

    fn visit<R: PotGame, V: Stored + Default>(self, ruleset: R) -> Self::Output {
        let play = self.question.play;
        let nimber_max = self.question.nimber_max;
        self.find_all(&|row, memory, control| {
            let position = ruleset.position_on(row).map_err(EngineError::from)?;
            if R::IS_LOOPY {
                let mut endings = Endings::new(play);
                let found = endings.of(&ruleset, &position, control);
                return Ok(PositionOutcome {
                    endings: found.map_err(|error| no_value(row, error))?,
                    nimber: None,
                    positions: endings.len() as u64,
                });
            }
            let mut search = OutcomeSearch::new(&ruleset, play, memory, control);
            let outcome = search.outcome(&position);
            let nimber = outcome.and_then(|outcome| {
                let nimber = search.nimber(&position, nimber_max)?;
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
            rows,
            signals,
            observer,
            tell,
        } = self;
        let (started, done) = (Instant::now(), AtomicU64::new(0));
        let control = Control::default();
        let threads = question.threads.min(rows.len()).max(1);
        let pool = thread_pool(threads)?;
        let in_use = memory_in_use().unwrap_or(0);
        let memory = ByteSize(question.memory.0.saturating_sub(in_use) / threads as u64);
        let find = |row: &AnyBoard| match control.stopped() {
            Some(reason) => Err(EngineError::Stopped(reason).into()),
            None => find(row, memory, &control),
        };
        let told = Mutex::new(InOrder::new(tell));
        let next = AtomicUsize::new(0);
        let watched = Watched::default();
        // A search for wins bounds its own memory; retrograde analysis needs it watched.
        let memory_watched = if question.game.is_loopy() {
            question.memory
        } else {
            ByteSize(u64::MAX)
        };
        let watch = Watch::without_job(&control, signals, memory_watched, &watched);
        watch.during(
            || {
                let done = done.load(Relaxed);
                let positions = control.evaluated();
                observer.progress(
                    "outcome",
                    &Progress {
                        noun: "position",
                        rows_total: rows.len() as u64,
                        rows: done,
                        positions,
                        bytes: watched.bytes(),
                        elapsed: started.elapsed(),
                        stage: Stage {
                            phase: Phase::Searching,
                            unit: "row",
                            done,
                            total: Some(rows.len() as u64),
                            ..Stage::default()
                        },
                        ..Progress::default()
                    },
                );
            },
            || {
                pool.broadcast(|_| {
                    while let place = next.fetch_add(1, Relaxed)
                        && let Some(row) = rows.get(place)
                    {
                        let found = find(row);
                        if found.is_err() {
                            // Rows before the failed one may still be reported; rows after it are useless.
                            next.fetch_max(rows.len(), Relaxed);
                        }
                        lock(&told).put(place, found);
                        done.fetch_add(1, Relaxed);
                    }
                });
            },
        );
        let InOrder { failed, .. } = told
            .into_inner()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        failed.map_or(Ok(()), |(place, error)| match error {
            RunError::Engine(EngineError::Stopped(StopReason::MemoryBudget)) => {
                Err(RunError::Memory {
                    job: format!("the search for the winner of {}", brief(&rows[place])),
                    budget: question.memory,
                    positions: control.evaluated(),
                    in_use: ByteSize(watched.bytes_max() + control.memory_refused()),
                    remedy: "try again with a larger --memory",
                    forms: ByteSize(0),
                })
            }
            error => Err(error),
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
