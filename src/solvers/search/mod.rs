//! The search: evaluates every follower of a position once, options first.
//!
//! It runs depth first with an explicit stack, so deep positions use heap instead of stack. A
//! position is expanded once: its options are generated, keyed and looked up together. Those
//! without a value are then evaluated one after another, and each returns its value to the entry
//! that waits for it. If values [add](Valuation::ADDS), a position that [splits](Ruleset::components) is expanded not into its
//! options but into its components, whose values are added. The first position is split, and those
//! followers [for which it pays off](Ruleset::splits_follower). From time to time, positions that
//! have waited long are tried by [playing](super::outcome): P-positions have the value 0, whatever their
//! followers are. If play [can return](Ruleset::is_loopy) to a position, an option on the path lies
//! on a cycle, and all positions on the path have it as a follower: the search ends with [`LOOPY`]
//! for each of them. So a position with a value has no cycle among its followers. Several workers
//! may share a memo; if two evaluate the same position at once, they find the same value. They may
//! also share one position: each takes the options in a different order, so they seldom evaluate
//! the same follower at the same time, and finds the others' values in the memo.

mod attempts;
mod path;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use cggames::board::{Key, PositionError};
use cggames::game::{Play, Player, Ruleset};
use cgvalues::ArenaError;
use hashbrown::HashSet;

use self::attempts::{Attempts, POSITIONS_A_TRY, TRY_FACTOR};
use self::path::{Entry, Frame};
use super::outcome::LimitedSearch;
use super::{Control, EngineError, KnownValues, LOOPY, Memo, Valuation, Word};

/// The length of the path at which it is first searched for a cycle.
const CYCLE_CHECK_FIRST: usize = 1024;

/// The number of positions that a worker evaluates between two checks of the stop flag.
const POSITIONS_A_CHECK: u64 = 256;

/// The steps of one canonical form before the search checks whether to stop: about a tenth of a
/// second. The form is then begun again with more steps.
const STEPS_A_CHECK: u64 = 1 << 24;

/// A ruleset, a valuation, and the memo that all workers share.
pub struct Engine<R, V> {
    /// The rules.
    pub ruleset: R,
    /// The valuation.
    pub valuation: V,
    /// The values found so far.
    pub memo: Memo,
    /// The stop flag and the count of positions.
    pub control: Arc<Control>,
}

impl<R: Ruleset, V: Valuation> Engine<R, V> {
    /// Returns an engine with an empty memo.
    pub fn new(ruleset: R, valuation: V) -> Engine<R, V> {
        Engine::with_memo(ruleset, valuation, Memo::new(false))
    }

    /// Returns an engine with the given memo, which is empty or holds values of the same kind.
    pub fn with_memo(ruleset: R, valuation: V, memo: Memo) -> Engine<R, V> {
        Engine {
            ruleset,
            valuation,
            memo,
            control: Arc::default(),
        }
    }

    /// Returns the engine with another control, which may be shared.
    pub fn controlled_by(self, control: Arc<Control>) -> Engine<R, V> {
        Engine { control, ..self }
    }

    /// Returns a worker's search, which also uses the values in `known`.
    pub fn search<'e>(&'e self, known: &'e dyn KnownValues) -> Search<'e, R, V> {
        Search {
            engine: self,
            known,
            worker: self.valuation.worker(),
            frames: Vec::new(),
            on_path: HashSet::default(),
            met_cycle: false,
            entries: Vec::new(),
            cycle_check: CYCLE_CHECK_FIRST,
            left: Vec::new(),
            right: Vec::new(),
            uncounted: 0,
            evaluated: 0,
            attempts: Attempts::NONE_YET,
            number: 0,
        }
    }

    /// Returns the keys of positions from whose values that of the position follows: [those of its
    /// summands](Ruleset::summand_keys) if values [add](Valuation::ADDS), otherwise its own.
    ///
    /// # Errors
    ///
    /// When one of them is too long for a key.
    pub fn keys(&self, position: &R::Position) -> Result<Vec<(Key, bool)>, PositionError> {
        if V::ADDS {
            self.ruleset.summand_keys(position)
        } else {
            Ok(vec![self.ruleset.key(position)?])
        }
    }

    /// Returns the memory of memo and values in bytes.
    pub fn bytes(&self) -> u64 {
        self.memo.bytes() + self.valuation.bytes()
    }
}

/// One worker's search through an engine's positions.
///
/// ```
/// use cgsolvers::{CanonicalForms, Engine, NothingKnown};
/// use cggames::game::{Ruleset, Sowing};
///
/// let engine = Engine::new(Sowing, CanonicalForms::default());
/// let position = Sowing.position(&"312".parse()?)?;
/// let word = engine.search(&NothingKnown).evaluate(&position)?;
/// let arena = &engine.valuation.arena;
/// assert_eq!(arena.left_stop(CanonicalForms::value(word)).to_string(), "0");
/// assert_eq!(arena.right_stop(CanonicalForms::value(word)).to_string(), "-2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Search<'e, R: Ruleset, V: Valuation + 'e> {
    engine: &'e Engine<R, V>,
    known: &'e dyn KnownValues,
    worker: V::Worker<'e>,
    frames: Vec<Frame>,
    /// The positions on the path, for a loopy ruleset.
    on_path: HashSet<Key, foldhash::fast::RandomState>,
    /// Whether the last of them has an option on the path, or a cycle among its followers.
    met_cycle: bool,
    /// The options of all positions on the path, or the components of those that split, in the
    /// order of the path.
    entries: Vec<Entry>,
    /// The length at which the path is next searched for a repeated position.
    cycle_check: usize,
    left: Vec<Word>,
    right: Vec<Word>,
    /// Evaluated positions that are not in the shared count yet.
    uncounted: u64,
    /// Positions evaluated for the current root.
    evaluated: u64,
    /// The attempts to settle positions by playing.
    attempts: Attempts,
    /// The number of this worker among those on one position, from 0.
    number: usize,
}

/// A position that several workers evaluate together.
pub struct Shared<'p, P> {
    position: &'p P,
    goes_on: &'p (dyn Fn(u64) -> bool + Sync),
    /// Set when a worker has found the value.
    found: AtomicBool,
}

impl<'p, P> Shared<'p, P> {
    /// Shares a position among several workers. Each reports every few hundred positions how many
    /// it has evaluated since its last report; they give the position up once `goes_on` returns
    /// false.
    pub fn new(position: &'p P, goes_on: &'p (dyn Fn(u64) -> bool + Sync)) -> Shared<'p, P> {
        Shared {
            position,
            goes_on,
            found: AtomicBool::new(false),
        }
    }

    /// Returns whether a worker has found the value, which is then in the memo.
    pub fn is_found(&self) -> bool {
        self.found.load(Relaxed)
    }
}

/// The limits at which a search gives up a position.
#[derive(Clone, Copy)]
struct Until<'a> {
    /// The most positions to evaluate.
    positions: u64,
    /// Passed the positions evaluated since the last call; false gives up.
    goes_on: &'a dyn Fn(u64) -> bool,
}

impl Until<'_> {
    /// Returns a limit on the number of positions.
    fn positions(positions: u64) -> Until<'static> {
        Until {
            positions,
            goes_on: &|_| true,
        }
    }
}

impl<'e, R: Ruleset, V: Valuation> Search<'e, R, V> {
    /// Returns the engine.
    pub fn engine(&self) -> &'e Engine<R, V> {
        self.engine
    }

    /// Returns this worker's scratch memory for values.
    pub fn worker(&mut self) -> &mut V::Worker<'e> {
        &mut self.worker
    }

    /// Returns the value of a position, or [`LOOPY`].
    ///
    /// Time and memory are proportional to the number of its followers that are not in the memo
    /// yet.
    ///
    /// # Errors
    ///
    /// When the search was stopped, when a follower or a value is too large, or when play need not
    /// end. The values found so far stay in the memo.
    pub fn evaluate(&mut self, position: &R::Position) -> Result<Word, EngineError> {
        let value = self.evaluate_until(position, Until::positions(u64::MAX))?;
        Ok(value.expect("a search that is not limited ends with a value"))
    }

    /// Returns the value of a position, or `None` if that takes more than `positions_max`
    /// positions.
    ///
    /// # Errors
    ///
    /// As for [`evaluate`](Search::evaluate). The values found so far stay in the memo in any case.
    pub fn evaluate_within(
        &mut self,
        position: &R::Position,
        positions_max: u64,
    ) -> Result<Option<Word>, EngineError> {
        self.evaluate_until(position, Until::positions(positions_max))
    }

    /// Evaluates a position together with other workers, which are numbered from 0. Returns its
    /// value or, if another worker was first or the workers gave it up, `None`.
    ///
    /// # Errors
    ///
    /// As for [`evaluate`](Search::evaluate).
    pub fn evaluate_shared(
        &mut self,
        shared: &Shared<'_, R::Position>,
        worker: usize,
    ) -> Result<Option<Word>, EngineError> {
        self.number = worker;
        let until = Until {
            goes_on: &|positions| !shared.is_found() && (shared.goes_on)(positions),
            ..Until::positions(u64::MAX)
        };
        let result = self.evaluate_until(shared.position, until);
        self.number = 0;
        if !matches!(result, Ok(None)) {
            shared.found.store(true, Relaxed);
        }
        result
    }

    /// The limits hold for each of the positions whose keys are taken.
    fn evaluate_until(
        &mut self,
        position: &R::Position,
        until: Until<'_>,
    ) -> Result<Option<Word>, EngineError> {
        let keys = self.engine.keys(position)?;
        if let [key] = keys[..] {
            return self.evaluate_root(key, until);
        }
        let mut values = Vec::with_capacity(keys.len());
        for key in keys {
            match self.evaluate_root(key, until)? {
                Some(LOOPY) => return Ok(Some(LOOPY)),
                Some(value) => values.push(value),
                None => return Ok(None),
            }
        }
        self.left = values;
        let sum = self.sum_of_left();
        self.combined(sum, || position.to_string()).map(Some)
    }

    fn evaluate_root(
        &mut self,
        (key, negated): (Key, bool),
        until: Until<'_>,
    ) -> Result<Option<Word>, EngineError> {
        let value = match self.look_up(key)? {
            Some(value) => Some(value),
            None => {
                let result = self.evaluate_key(key, until);
                self.frames.clear();
                self.on_path.clear();
                self.met_cycle = false;
                self.entries.clear();
                self.cycle_check = CYCLE_CHECK_FIRST;
                self.engine
                    .control
                    .count_evaluated(std::mem::take(&mut self.uncounted));
                result?
            }
        };
        Ok(value.map(|value| signed::<V>(value, negated)))
    }

    /// Stores a value in the memo.
    fn remember(&self, key: Key, value: Word) -> Result<(), EngineError> {
        if value == LOOPY {
            // It must not be written to the store.
            self.engine.memo.insert_stored(key, value);
            return Ok(());
        }
        match self.engine.memo.insert(key, value) {
            Some(there) if there != value => Err(EngineError::Conflict {
                position: self.name(key),
                first: there.get(),
                second: value.get(),
            }),
            _ => Ok(()),
        }
    }

    fn evaluate_key(&mut self, key: Key, until: Until<'_>) -> Result<Option<Word>, EngineError> {
        self.evaluated = 0;
        self.attempts = Attempts::NONE_YET;
        self.expand(key)?;
        loop {
            if self.met_cycle {
                return self.settle_path();
            }
            let frame = self.frames.last_mut().expect("the path ends at the root");
            let number = self.number;
            while frame.step < frame.len && self.entries[frame.place(number)].value.is_some() {
                frame.step += 1;
            }
            if frame.step < frame.len {
                let place = frame.place(number);
                let option = self.entries[place].key;
                // Another branch or worker may have found it since.
                match self.look_up(option)? {
                    Some(LOOPY) => self.met_cycle = true,
                    Some(value) => self.entries[place].value = Some(value),
                    None if self.engine.ruleset.is_loopy() && self.on_path.contains(&option) => {
                        self.met_cycle = true
                    }
                    None => self.expand(option)?,
                }
                continue;
            }
            let Some(value) = self.combine(until)? else {
                return Ok(None);
            };
            self.evaluated += 1;
            self.uncounted += 1;
            if let Some(value) = self.settle(value)? {
                return Ok(Some(value));
            }
            if V::ADDS
                && !self.engine.ruleset.is_loopy()
                && self.attempts.is_due(self.evaluated)
                && let Some(value) = self.try_to_play()?
            {
                return Ok(Some(value));
            }
            if self.evaluated >= until.positions {
                return Ok(None);
            }
            if self.uncounted >= POSITIONS_A_CHECK {
                let counted = std::mem::take(&mut self.uncounted);
                self.engine.control.count_evaluated(counted);
                if !self.goes_on(counted, until)? {
                    return Ok(None);
                }
            }
        }
    }

    /// Returns whether the search goes on within its limits.
    ///
    /// # Errors
    ///
    /// If it was stopped.
    fn goes_on(&self, counted: u64, until: Until<'_>) -> Result<bool, EngineError> {
        match self.engine.control.stopped_or_paused() {
            Some(reason) => Err(EngineError::Stopped(reason)),
            None => Ok((until.goes_on)(counted)),
        }
    }

    /// Pops the last position off the path and stores its value in the entry of the position
    /// before. For the root, returns the value to the caller.
    fn settle(&mut self, value: Word) -> Result<Option<Word>, EngineError> {
        let frame = self
            .frames
            .pop()
            .expect("the position just valued is on the path");
        self.entries.truncate(frame.first);
        if self.engine.ruleset.is_loopy() {
            self.on_path.remove(&frame.key);
        }
        self.remember(frame.key, value)?;
        match self.frames.last() {
            Some(parent) => {
                let place = parent.place(self.number);
                self.entries[place].value = Some(value);
                Ok(None)
            }
            None => Ok(Some(value)),
        }
    }

    /// Tries to settle the positions that have been on the path for long by playing them, the first
    /// ones first. Returns the value of the root if that was settled.
    fn try_to_play(&mut self) -> Result<Option<Word>, EngineError> {
        self.attempts.begin(self.evaluated);
        for depth in 0..self.frames.len() {
            let frame = &self.frames[depth];
            let waited = self.evaluated - frame.started;
            if self.attempts.credit == 0 || waited < POSITIONS_A_TRY {
                break;
            }
            if self.evaluated < frame.next_try {
                continue;
            }
            let Engine {
                ruleset, valuation, ..
            } = self.engine;
            let key = frame.key;
            let mut limited = LimitedSearch::new(ruleset, valuation.play(), self.attempts.credit);
            // An option that is too large does not settle anything here; the evaluation will meet
            // it, or never need it.
            let settled = limited.is_previous_win(&ruleset.position_of(key)) == Some(true);
            self.attempts.credit = limited.options_left();
            if !settled {
                self.frames[depth].next_try = self.evaluated + TRY_FACTOR * waited;
                continue;
            }
            self.frames.truncate(depth + 1);
            self.attempts.succeed(self.evaluated);
            let zero =
                V::combine(&mut self.worker, &[], &[]).map_err(|source| EngineError::Form {
                    position: self.name(key),
                    source,
                })?;
            self.uncounted += 1;
            return self.settle(zero);
        }
        Ok(None)
    }

    /// Pops all positions off the path: they have a cycle among their followers.
    fn settle_path(&mut self) -> Result<Option<Word>, EngineError> {
        self.uncounted += self.frames.len() as u64;
        for frame in std::mem::take(&mut self.frames) {
            self.remember(frame.key, LOOPY)?;
        }
        Ok(Some(LOOPY))
    }

    /// Pushes a position on the path, with its options or components and their known values.
    fn expand(&mut self, key: Key) -> Result<(), EngineError> {
        if self.engine.ruleset.is_loopy() {
            self.on_path.insert(key);
        } else if self.frames.len() >= self.cycle_check {
            self.check_for_cycle()?;
        }
        let ruleset = &self.engine.ruleset;
        let position = ruleset.position_of(key);
        let first = self.entries.len();
        let may_split = V::ADDS && (self.frames.is_empty() || ruleset.splits_follower(&position));
        let first_right = if may_split && self.push_components(&position)? {
            None
        } else {
            let first_right = self.push_options(&position, false)?;
            self.push_options(&ruleset.negative(&position), true)?;
            Some(first_right)
        };
        for i in first..self.entries.len() {
            let value = self.look_up(self.entries[i].key)?;
            self.met_cycle |= value == Some(LOOPY);
            self.entries[i].value = value;
        }
        self.frames.push(Frame {
            key,
            first,
            first_right,
            len: self.entries.len() - first,
            step: 0,
            started: self.evaluated,
            next_try: 0,
        });
        Ok(())
    }

    /// Refuses a path that contains a position twice.
    ///
    /// Play in a cycle makes the path longer and longer, so it suffices to check whenever the path
    /// has doubled.
    // PERF: maintaining a set of the positions on the path took 10 % of the time of Atomic Wari
    // 3^7.
    fn check_for_cycle(&mut self) -> Result<(), EngineError> {
        self.cycle_check *= 2;
        let mut seen = HashSet::with_capacity_and_hasher(
            self.frames.len(),
            foldhash::fast::RandomState::default(),
        );
        match self.frames.iter().find(|frame| !seen.insert(frame.key)) {
            Some(twice) => Err(EngineError::Cycle {
                position: self.name(twice.key),
                ruleset: self.engine.ruleset.id(),
            }),
            None => Ok(()),
        }
    }

    /// Appends the components of a position if it splits, and returns whether it does.
    fn push_components(&mut self, position: &R::Position) -> Result<bool, EngineError> {
        let ruleset = &self.engine.ruleset;
        let components = ruleset.components(position);
        if components.len() == 1 && components[0] == *position {
            return Ok(false);
        }
        for component in &components {
            let (key, negated) = ruleset.key(component)?;
            self.entries.push(Entry {
                key,
                negated,
                value: None,
            });
        }
        Ok(true)
    }

    /// Appends Left's options of a position, and returns the index after them.
    ///
    /// Right's options are the negatives of Left's options of the negative, and an option and
    /// its negative have the same key, so neither needs to be built.
    fn push_options(
        &mut self,
        position: &R::Position,
        negated: bool,
    ) -> Result<usize, EngineError> {
        let ruleset = &self.engine.ruleset;
        let memo = &self.engine.memo;
        let entries = &mut self.entries;
        let mut failed = None;
        ruleset.each_option(
            position,
            Player::Left,
            &mut |option| match ruleset.key(option) {
                Ok((key, is_negative)) => {
                    // PERF: all options are looked up next, and without prefetching each would wait
                    // for memory separately.
                    memo.prefetch(key);
                    entries.push(Entry {
                        key,
                        negated: is_negative != negated,
                        value: None,
                    });
                }
                Err(error) => failed = failed.take().or(Some(error)),
            },
        )?;
        match failed {
            Some(error) => Err(error.into()),
            None => Ok(self.entries.len()),
        }
    }

    fn look_up(&self, key: Key) -> Result<Option<Word>, EngineError> {
        if let Some(value) = self.engine.memo.get(key) {
            return Ok(Some(value));
        }
        let known = self.known.known(key)?;
        if let Some(value) = known {
            // A position is typically an option of a dozen others, and the memo is faster than the
            // store.
            self.engine.memo.insert_stored(key, value);
        }
        Ok(known)
    }

    /// Returns the value of the last position on the path from those of its options or components,
    /// or `None` if the search's limits are reached before.
    fn combine(&mut self, until: Until<'_>) -> Result<Option<Word>, EngineError> {
        let frame = self.frames.last().expect("a position is being evaluated");
        let value = |entry: &Entry| {
            let value = entry.value.expect("all options have been evaluated");
            signed::<V>(value, entry.negated)
        };
        let impartial = self.engine.valuation.play() == Play::Impartial;
        let middle = match frame.first_right {
            Some(first_right) if !impartial => first_right,
            _ => self.entries.len(),
        };
        self.left.clear();
        self.left
            .extend(self.entries[frame.first..middle].iter().map(value));
        self.right.clear();
        self.right.extend(self.entries[middle..].iter().map(value));
        let (key, splits) = (frame.key, frame.first_right.is_none());
        if splits {
            let sum = self.sum_of_left();
            return self.combined(sum, || self.name(key)).map(Some);
        }
        let mut steps = STEPS_A_CHECK;
        let found = loop {
            V::limit_steps(&mut self.worker, steps);
            match V::combine(&mut self.worker, &self.left, &self.right) {
                Err(ArenaError::Steps(_)) if !self.goes_on(0, until)? => return Ok(None),
                Err(ArenaError::Steps(_)) => steps = steps.saturating_mul(2),
                found => break found.map(Some),
            }
        };
        V::limit_steps(&mut self.worker, u64::MAX);
        self.combined(found, || self.name(key)).map(Some)
    }

    /// Returns the value of a position, unless it is too large or the search was stopped.
    fn combined(
        &self,
        found: Result<Option<Word>, ArenaError>,
        name: impl Fn() -> String,
    ) -> Result<Word, EngineError> {
        match found {
            Ok(Some(value)) => Ok(value),
            Ok(None) => {
                let reason = self.engine.control.stopped();
                let reason = reason.expect("only a stopped search abandons a sum");
                Err(EngineError::Stopped(reason))
            }
            Err(source) => Err(EngineError::Form {
                position: name(),
                source,
            }),
        }
    }

    /// Returns the sum of the values in `left`, or `None` if the search was stopped.
    fn sum_of_left(&mut self) -> Result<Option<Word>, ArenaError> {
        let control = &self.engine.control;
        let mut sum = V::combine(&mut self.worker, &[], &[])?;
        for &value in &self.left {
            let mut wanted = || control.stopped().is_none();
            match V::sum(&mut self.worker, sum, value, &mut wanted)? {
                Some(more) => sum = more,
                None => return Ok(None),
            }
        }
        Ok(Some(sum))
    }

    fn name(&self, key: Key) -> String {
        self.engine.ruleset.position_of(key).to_string()
    }
}

/// Returns a value or its negative; [`LOOPY`] is its own negative.
fn signed<V: Valuation>(value: Word, negated: bool) -> Word {
    if negated && value != LOOPY {
        V::negative(value)
    } else {
        value
    }
}

#[cfg(test)]
mod tests;
