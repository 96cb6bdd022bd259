//! One worker: a search, a describer, and the rows that they make; rows that take long are made by all workers.

use std::borrow::Cow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

use cggames::board::AnyBoard;
use cggames::family::Member;
use cggames::game::{Convention, Play};
use cgsolvers::{Ending, EngineError, Followers, LOOPY, StopReason, Word};
use cgvalues::{Calculator, Digester, ValueId};
use rayon::prelude::*;
use seedbank_memory::lock;

use super::describe::{Describer, ValueDescription, Writing};
use super::evaluator::{BoardSearch, Evaluator};
use super::loopy::LoopySolution;
use super::position_row::{MemberColumns, RowValue, Undigested, valued};
use super::swept::Swept;
use crate::dataset::{PositionRow, RowLimit};
use crate::run::{RunError, Watched};

/// Idle workers, whose scratch memory is reused.
pub(crate) struct Workers<'a> {
    pub(crate) evaluator: &'a dyn Evaluator,
    writing: Writing,
    pub(crate) swept: Option<Swept>,
    resting: Mutex<Vec<Scratch<'a>>>,
}

struct Scratch<'a> {
    search: Box<dyn BoardSearch + 'a>,
    describer: Describer<'a>,
    digester: Digester<'a>,
    /// Adds values; most jobs have no sums.
    calculator: Option<Calculator<'a>>,
}

/// A busy worker; it becomes idle again when dropped.
pub(crate) struct Worker<'w, 'a> {
    workers: &'w Workers<'a>,
    scratch: Option<Scratch<'a>>,
}

impl<'a> Workers<'a> {
    pub(crate) fn new(
        evaluator: &'a dyn Evaluator,
        writing: Writing,
        swept: Option<Swept>,
    ) -> Workers<'a> {
        Workers {
            evaluator,
            writing,
            swept,
            resting: Mutex::new(Vec::new()),
        }
    }

    pub(crate) fn take(&self) -> Worker<'_, 'a> {
        let arena = self.evaluator.arena();
        let scratch = lock(&self.resting).pop().unwrap_or_else(|| Scratch {
            search: self.evaluator.search(),
            describer: Describer::new(arena, self.writing),
            digester: Digester::new(arena),
            calculator: None,
        });
        Worker {
            workers: self,
            scratch: Some(scratch),
        }
    }
}

impl Workers<'_> {
    /// Frees the scratch memory of idle workers, on the threads of the current pool.
    pub(crate) fn free(&self) {
        let resting = std::mem::take(&mut *lock(&self.resting));
        resting.into_par_iter().for_each(drop);
    }
}

impl Drop for Worker<'_, '_> {
    fn drop(&mut self) {
        lock(&self.workers.resting).extend(self.scratch.take());
    }
}

/// The number of digests that a worker caches before it clears the cache.
const DIGESTS_MAX: usize = 1 << 18;

/// The number of positions that one worker evaluates for a row before all workers join it: a hundredth of a second's work.
pub(crate) const POSITIONS_ALONE: u64 = 1 << 12;

/// How far rows are evaluated before they are set aside.
#[derive(Clone, Copy)]
pub(crate) struct Attempt<'a> {
    /// The most positions to evaluate for a row.
    pub(crate) positions: u64,
    /// What a row may take in this run.
    pub(crate) limit: Option<RowLimit>,
    /// The memory in use.
    pub(crate) watched: &'a Watched,
    /// Whether the rows are no longer wanted.
    pub(crate) is_useless: &'a (dyn Fn() -> bool + Sync),
}

/// The end of an attempt to make a row.
#[derive(Debug)]
pub(crate) enum Tried<U> {
    /// The row.
    Made(U),
    /// Its value takes more positions than this attempt may evaluate.
    SetAside,
    /// Its value takes more than the run's limit for a row.
    OverLimit,
    /// The run was stopped before.
    Stopped,
}

/// An attempt at one row, on all threads.
struct Trial<'a> {
    attempt: &'a Attempt<'a>,
    begun: Instant,
    /// The memory in use at the beginning.
    bytes: u64,
    evaluated: AtomicU64,
    over_limit: AtomicBool,
}

impl Attempt<'_> {
    /// Returns the most positions of an attempt on one thread.
    fn positions_alone(&self) -> u64 {
        let of_limit = match self.limit {
            Some(RowLimit::Positions(positions)) => positions,
            _ => u64::MAX,
        };
        POSITIONS_ALONE.min(of_limit).min(self.positions)
    }

    /// Returns how an attempt ended that did not find the value on one thread, if that ends it.
    fn ended_alone<U>(&self) -> Option<Tried<U>> {
        let alone = self.positions_alone();
        match self.limit {
            Some(RowLimit::Positions(positions)) if positions <= alone => Some(Tried::OverLimit),
            _ => (self.positions <= alone).then_some(Tried::SetAside),
        }
    }

    fn begin(&self) -> Trial<'_> {
        Trial {
            attempt: self,
            begun: Instant::now(),
            bytes: self.watched.bytes(),
            evaluated: AtomicU64::new(0),
            over_limit: AtomicBool::new(false),
        }
    }
}

impl Trial<'_> {
    /// Counts evaluated positions, and returns whether the attempt may go on.
    fn goes_on(&self, positions: u64) -> bool {
        let evaluated = self.evaluated.fetch_add(positions, Relaxed) + positions;
        let is_over = self.attempt.limit.is_some_and(|limit| match limit {
            RowLimit::Time(time) => self.begun.elapsed() >= time,
            RowLimit::Positions(most) => evaluated >= most,
            RowLimit::Memory(bytes) => {
                self.attempt.watched.bytes().saturating_sub(self.bytes) >= bytes.0
            }
        });
        if is_over {
            self.over_limit.store(true, Relaxed);
        }
        !is_over && evaluated < self.attempt.positions && !(self.attempt.is_useless)()
    }

    /// Returns how an attempt ended that did not find the value.
    fn ended<U>(self) -> Tried<U> {
        if self.over_limit.into_inner() {
            Tried::OverLimit
        } else {
            Tried::SetAside
        }
    }
}

impl<'a> Workers<'a> {
    /// Makes rows on the threads of the current pool. First each row has one thread. Then the rows that take long are made
    /// one after another, on all threads.
    ///
    /// `make` makes a row, or returns `None` if that takes more than `positions_max` positions. The rows come in the order
    /// of the items.
    pub(crate) fn rows<T: Sync, U: Send>(
        &self,
        items: &[T],
        board_of: impl Fn(&T) -> &AnyBoard,
        make: impl Fn(&mut Worker<'_, 'a>, &T, u64) -> Result<Option<U>, RunError> + Sync,
    ) -> Result<Vec<U>, RunError> {
        let positions_max = match rayon::current_num_threads() {
            1 => u64::MAX,
            _ => POSITIONS_ALONE,
        };
        let mut made = Vec::with_capacity(items.len());
        self.rows_in_turn(items, positions_max, board_of, make, &mut |row| {
            made.push(row)
        })?;
        Ok(made)
    }

    /// Makes rows as [`rows`](Self::rows), but sets aside those that take more than an attempt may, and those that are left
    /// when the run is stopped, unless the rows became useless.
    pub(crate) fn rows_tried<T: Sync, U: Send>(
        &self,
        items: &[T],
        attempt: &Attempt<'_>,
        board_of: impl Fn(&T) -> &AnyBoard,
        make: impl Fn(&mut Worker<'_, 'a>, &T, u64) -> Result<Option<U>, RunError> + Sync,
    ) -> Result<Vec<Tried<U>>, RunError> {
        let threads = rayon::current_num_threads();
        let try_row = |item: &T, alone: Result<Option<U>, RunError>| {
            let ended = match alone? {
                Some(row) => Some(Tried::Made(row)),
                None => attempt.ended_alone(),
            };
            if let Some(ended) = ended {
                return Ok(ended);
            }
            let trial = attempt.begin();
            let goes_on = |positions| trial.goes_on(positions);
            let board = board_of(item);
            let found = (self.evaluator).evaluate_together(board, threads, &goes_on)?;
            if found {
                Ok(Tried::Made(self.found(item, &make)?))
            } else {
                Ok(trial.ended())
            }
        };
        let alone = self.alone(items, attempt.positions_alone(), &make)?;
        let is_stop = |reason: StopReason| reason != StopReason::Abandoned;
        let stopped = || self.evaluator.control().stopped().is_some_and(is_stop);
        let mut tried = Vec::with_capacity(items.len());
        for (item, alone) in items.iter().zip(alone) {
            // A row begun after a stop would evaluate some positions, too: minutes for a part of a million rows.
            if matches!(alone, Ok(None)) && stopped() {
                tried.push(Tried::Stopped);
                continue;
            }
            tried.push(match try_row(item, alone) {
                Err(RunError::Engine(EngineError::Stopped(reason))) if is_stop(reason) => {
                    Tried::Stopped
                }
                tried => tried?,
            });
        }
        Ok(tried)
    }

    /// Makes rows as [`rows`](Self::rows), first those that take at most `positions_max` positions,
    /// and passes each on when all before it are made. On an error, all rows before it have been
    /// passed on.
    pub(crate) fn rows_in_turn<T: Sync, U: Send>(
        &self,
        items: &[T],
        positions_max: u64,
        board_of: impl Fn(&T) -> &AnyBoard,
        make: impl Fn(&mut Worker<'_, 'a>, &T, u64) -> Result<Option<U>, RunError> + Sync,
        each: &mut impl FnMut(U),
    ) -> Result<(), RunError> {
        let threads = rayon::current_num_threads();
        for (item, alone) in items.iter().zip(self.alone(items, positions_max, &make)?) {
            if let Some(row) = alone? {
                each(row);
                continue;
            }
            self.evaluator
                .evaluate_together(board_of(item), threads, &|_| true)?;
            each(self.found(item, &make)?);
        }
        Ok(())
    }

    /// Makes the rows that take at most `positions_max` positions, each on one thread; the others are `None`. All rows
    /// before the first error are made.
    ///
    /// # Errors
    ///
    /// For a row that is not a position, so that it is reported before the rows that take long are begun.
    fn alone<T: Sync, U: Send>(
        &self,
        items: &[T],
        positions_max: u64,
        make: &(impl Fn(&mut Worker<'_, 'a>, &T, u64) -> Result<Option<U>, RunError> + Sync),
    ) -> Result<Vec<Result<Option<U>, RunError>>, RunError> {
        // Rows after a failed one are useless. Earlier rows may still fail, and the first failure counts.
        let failed = AtomicUsize::new(usize::MAX);
        let mut alone: Vec<Result<Option<U>, RunError>> = items
            .par_iter()
            .enumerate()
            .map_init(
                || self.take(),
                |worker, (place, item)| {
                    if place > failed.load(Relaxed) {
                        return Ok(None);
                    }
                    let row = make(worker, item, positions_max);
                    if row.is_err() {
                        failed.fetch_min(place, Relaxed);
                    }
                    row
                },
            )
            .collect();
        let is_misfit = |row: &Result<Option<U>, RunError>| {
            matches!(row, Err(RunError::Engine(EngineError::Position(_))))
        };
        if let Some(misfit) = alone.iter().position(is_misfit)
            && alone[..misfit].iter().all(Result::is_ok)
        {
            alone.swap_remove(misfit)?;
        }
        Ok(alone)
    }

    /// Makes a row whose value was just found. It is in the memo or, if that has just been emptied, in the store.
    fn found<T, U>(
        &self,
        item: &T,
        make: &impl Fn(&mut Worker<'_, 'a>, &T, u64) -> Result<Option<U>, RunError>,
    ) -> Result<U, RunError> {
        let row = make(&mut self.take(), item, u64::MAX)?;
        Ok(row.expect("a row that is not limited is made"))
    }
}

impl<'a> Worker<'_, 'a> {
    fn scratch(&mut self) -> &mut Scratch<'a> {
        self.scratch
            .as_mut()
            .expect("a worker at work has its scratch memory")
    }

    /// Returns the value of a board, or `None` if the search would take more than `positions_max` positions.
    pub(crate) fn value(
        &mut self,
        board: &AnyBoard,
        positions_max: u64,
    ) -> Result<Option<Word>, RunError> {
        // A search checks the stop flag every few hundred positions, but a row with a known value needs no search.
        if let Some(reason) = self.evaluator().control().stopped_or_held() {
            return Err(EngineError::Stopped(reason).into());
        }
        let swept = self.workers.swept.as_ref();
        self.scratch().search.value(board, swept, positions_max)
    }

    /// Returns the value of a board like [`value`](Self::value); also if play of the board need not end, but the value is one
    /// of games that end. It is [`LOOPY`] for other boards from which play can return to a position.
    pub(crate) fn short_value(
        &mut self,
        board: &AnyBoard,
        positions_max: u64,
    ) -> Result<Option<Word>, RunError> {
        let evaluator = self.evaluator();
        let is_misere = evaluator.manner().convention == Convention::Misere;
        Ok(match self.value(board, positions_max)? {
            Some(LOOPY) if !is_misere => match evaluator.loopy(board)? {
                LoopySolution::Ends(word) => Some(word),
                _ => Some(LOOPY),
            },
            word => word,
        })
    }

    /// Returns the evaluator.
    pub(crate) fn evaluator(&self) -> &'a dyn Evaluator {
        self.workers.evaluator
    }

    /// Returns a calculator for the values.
    pub(crate) fn calculator(&mut self) -> &mut Calculator<'a> {
        let arena = self.evaluator().arena();
        let calculator = &mut self.scratch().calculator;
        calculator.get_or_insert_with(|| arena.calculator())
    }

    /// Returns the facts about a value that the tables hold.
    pub(crate) fn describe(&mut self, word: Word) -> Result<&ValueDescription, RunError> {
        let form_of = self.evaluator().form_of();
        Ok(self.scratch().describer.describe(word, form_of)?)
    }

    /// Returns the facts about a form that the tables hold.
    pub(crate) fn describe_form(&mut self, form: ValueId) -> Result<ValueDescription, RunError> {
        Ok(self.scratch().describer.describe_form(form)?)
    }

    /// Returns the digest of a value.
    pub(crate) fn digest(&mut self, form: ValueId) -> [u8; 16] {
        let arena = self.evaluator().arena();
        let digester = &mut self.scratch().digester;
        if digester.remembered() > DIGESTS_MAX {
            *digester = Digester::new(arena);
        }
        digester.digest(form).0
    }

    /// Evaluates a position and returns its row without the digest of its value, which the writer of the forms adds.
    /// Returns `None` if the search would take more than `positions_max` positions.
    pub(crate) fn row(
        &mut self,
        board: &AnyBoard,
        member: Option<&Member>,
        labels: &MemberColumns<'_>,
        positions_max: u64,
    ) -> Result<Option<Undigested>, RunError> {
        let evaluator = self.evaluator();
        let Some(word) = self.value(board, positions_max)? else {
            return Ok(None);
        };
        let is_misere = evaluator.manner().convention == Convention::Misere;
        let (value, endings) = match word {
            LOOPY if is_misere => (RowValue::Misere(None), evaluator.endings(board)?),
            LOOPY => {
                let value = match evaluator.loopy(board)? {
                    LoopySolution::Ends(word) => RowValue::Ends(self.describe(word)?, true),
                    LoopySolution::Loopy(value) => RowValue::Loopy(value),
                    LoopySolution::Unknown => RowValue::Unknown,
                };
                (value, evaluator.endings(board)?)
            }
            word => {
                let value = self.describe(word)?;
                let endings = Ending::of(value.outcome);
                if is_misere {
                    let is_impartial = evaluator.play() == Play::Impartial;
                    let nim_value = value.nim_value.filter(|_| is_impartial);
                    (RowValue::Misere(nim_value), endings)
                } else {
                    (RowValue::Ends(value, false), endings)
                }
            }
        };
        let asked = labels.columns;
        let count = || evaluator.followers(board);
        let followers = match (asked.needs_followers(), labels.counts, member) {
            (false, _, _) => None,
            (true, Some(counts), Some(member)) => {
                let (count, depth, moves) = counts.get_again(member.rank, || {
                    let found = count()?;
                    Ok((found.count, found.depth, found.moves))
                })?;
                Some(Followers {
                    count,
                    depth,
                    moves,
                })
            }
            (true, _, _) => Some(count()?),
        };
        let row = PositionRow {
            followers: followers
                .filter(|_| asked.followers)
                .map(|followers| followers.count as i64),
            depth: followers
                .filter(|_| asked.depth)
                .and_then(|followers| Some(followers.depth? as i32)),
            branching: followers
                .filter(|_| asked.branching)
                .map(|followers| followers.branching()),
            misere_form: if asked.misere_form {
                evaluator.misere_form(board)?.map(Cow::from)
            } else {
                None
            },
            ..labels.unvalued(board, member, None)
        };
        let genus = if asked.genus {
            evaluator.genus(board)?
        } else {
            None
        };
        let valued = valued(row, value, endings, evaluator.is_loopy());
        Ok(Some(valued.with_genus(genus.as_deref())))
    }
}
