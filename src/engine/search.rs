//! The search: every follower of a position evaluated once, options before the positions they come from.
//!
//! Depth first on an explicit stack, so that deep positions cost heap and not stack. A position is
//! expanded once: its options are generated, keyed and looked up together; those without a value are
//! then evaluated one after the other, and each returns its value to the place that waits for it.
//! A position that [splits](Ruleset::components) is not expanded into its options but into its components, whose values are
//! added. The first position is split, and its followers where [that is worth it](Ruleset::FOLLOWERS_SPLIT).
//! Positions that wait for long are now and then tried by [playing](super::outcome): those that the
//! previous player wins have the value 0, whatever their followers are.
//! Where play [can come back](Ruleset::IS_LOOPY) to a position, an option that is on the path lies on a circle, and all positions
//! on the path have it for a follower: the search ends with [`LOOPY`] for each of them. So what gets a value has no
//! circle among its followers.
//! Several workers may search the same memo; where two evaluate the same position at once, they find the same value.
//! They may also share one position: each takes the options in another order, so that they seldom evaluate the
//! same follower at the same time, and finds in the memo what the others have done.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use hashbrown::HashSet;

use super::outcome::Tries;
use super::{Control, EngineError, KnownValues, LOOPY, Memo, Valuation, Word};
use crate::board::Key;
use crate::game::{Play, Player, Ruleset};
use crate::value::ArenaError;

/// The length of the path at which it is first searched for a circle.
const CIRCLE_CHECK_FIRST: usize = 1024;

/// How many positions a worker evaluates between two looks at the stop flag.
const POSITIONS_A_LOOK: u64 = 256;

/// How many positions a worker evaluates between two tries to settle those on its path by playing, after one that
/// settled something. Where tries are of no use the interval doubles, up to a limit.
// PERF: without the doubling tries took 14 % of the time of the positions xy of Atomic Wari.
const POSITIONS_A_TRY: u64 = 1024;
const TRY_INTERVALS_MAX: u64 = 16 * POSITIONS_A_TRY;

/// How many options such a try may generate; what it does not use is left for the next. Evaluating 1024
/// positions generates some 14,000 in Sowing `1^12`, so that tries cost little where they are of no
/// use: it took 0.56 CPU s before there were any and 0.52 to 0.61 since, in different runs.
const OPTIONS_A_TRY: usize = 1024;

/// How many options may be left over from tries, so that no try takes long or much memory.
const CREDIT_MAX: usize = 1 << 20;

/// How many times as long as before a position must have waited to be tried once more.
const TRY_FACTOR: u64 = 15;

/// A ruleset, a way of valuing its positions, and the memo that all workers share.
pub struct Engine<R, V> {
    /// The rules.
    pub ruleset: R,
    /// The way of valuing.
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

    /// Returns the engine with another control, which others may share.
    pub fn controlled_by(self, control: Arc<Control>) -> Engine<R, V> {
        Engine { control, ..self }
    }

    /// Returns a worker's search, which also uses the values known from elsewhere.
    pub fn search<'e>(&'e self, known: &'e dyn KnownValues) -> Search<'e, R, V> {
        Search {
            engine: self,
            known,
            worker: self.valuation.worker(),
            frames: Vec::new(),
            on_path: HashSet::default(),
            met_circle: false,
            entries: Vec::new(),
            circle_check: CIRCLE_CHECK_FIRST,
            left: Vec::new(),
            right: Vec::new(),
            uncounted: 0,
            evaluated: 0,
            credit: 0,
            try_interval: POSITIONS_A_TRY,
            next_try: POSITIONS_A_TRY,
            number: 0,
        }
    }

    /// Returns the bytes that memo and values take.
    pub fn bytes(&self) -> u64 {
        self.memo.bytes() + self.valuation.arena().bytes()
    }
}

/// One worker's search through an engine's positions.
///
/// ```
/// use seedbank::engine::{CanonicalForms, Engine, NothingKnown};
/// use seedbank::game::{Ruleset, Sowing};
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
    /// The positions on the path, of a ruleset that is loopy.
    on_path: HashSet<Key, foldhash::fast::RandomState>,
    /// Whether the last of them has an option that is on the path, or has a circle among its followers.
    met_circle: bool,
    /// The options of all positions on the path, or the components of those that split, those of the last position last.
    entries: Vec<Entry>,
    /// The length at which the path is next searched for a position that is on it twice.
    circle_check: usize,
    left: Vec<Word>,
    right: Vec<Word>,
    /// Positions evaluated that the shared count does not have yet.
    uncounted: u64,
    /// Positions evaluated for the one asked for.
    evaluated: u64,
    /// Options that tries to settle positions by playing may still generate.
    credit: usize,
    /// How many positions lie between two such tries now, and at which count the next one is due.
    try_interval: u64,
    next_try: u64,
    /// Which of several workers on one position this is, from 0.
    number: usize,
}

/// A position that several workers evaluate together.
pub struct Shared<'p, P> {
    position: &'p P,
    /// Set when one of them has found the value.
    found: AtomicBool,
}

impl<'p, P> Shared<'p, P> {
    /// Returns the position, to be evaluated together.
    pub fn new(position: &'p P) -> Shared<'p, P> {
        Shared {
            position,
            found: AtomicBool::new(false),
        }
    }
}

/// When a search gives a position up.
#[derive(Clone, Copy)]
struct Until<'a> {
    /// When it has evaluated so many positions.
    positions: u64,
    /// When someone else has found the value.
    found: Option<&'a AtomicBool>,
}

impl Until<'_> {
    /// Only when it has the value.
    const FOUND: Until<'static> = Until {
        positions: u64::MAX,
        found: None,
    };
}

/// A position in the course of evaluation.
struct Frame {
    key: Key,
    /// Where its options begin, or its components where it splits.
    first: usize,
    /// Where Right's options begin; `None` where it splits.
    first_right: Option<usize>,
    /// How many options or components it has.
    len: usize,
    /// How many of them have been looked at, in this worker's order.
    step: usize,
    /// How many positions had been evaluated when it came on the path.
    started: u64,
    /// From how many on it may be tried to settle it by playing.
    next_try: u64,
}

impl Frame {
    /// Returns the place of the option that is looked at.
    ///
    /// The first of several workers takes the options in their order. Each other one begins somewhere else, at
    /// every position anew, so that no two stay together for long.
    fn place(&self, worker: usize) -> usize {
        if worker == 0 {
            return self.first + self.step;
        }
        const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
        let mixed = (self.key as u64 ^ (self.key >> 64) as u64).wrapping_mul(MULTIPLIER);
        let start = (mixed >> 40).wrapping_mul(worker as u64) as usize;
        self.first + start.wrapping_add(self.step) % self.len
    }
}

/// An option or a component: its key, and its value once that is known.
struct Entry {
    key: Key,
    negated: bool,
    value: Option<Word>,
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
    /// Time and memory grow with the number of its followers that are not in the memo yet.
    ///
    /// # Errors
    ///
    /// When the search was stopped, when a follower or a value cannot be held, or when play need not
    /// end. What was found until then stays in the memo.
    pub fn evaluate(&mut self, position: &R::Position) -> Result<Word, EngineError> {
        let value = self.evaluate_until(position, Until::FOUND)?;
        Ok(value.expect("a search that is not limited ends with a value"))
    }

    /// Returns the value of a position, or `None` where that takes more than `positions_max` positions.
    ///
    /// # Errors
    ///
    /// As for [`evaluate`](Search::evaluate). What was found until then stays in the memo in any case.
    pub fn evaluate_within(
        &mut self,
        position: &R::Position,
        positions_max: u64,
    ) -> Result<Option<Word>, EngineError> {
        let until = Until {
            positions: positions_max,
            found: None,
        };
        self.evaluate_until(position, until)
    }

    /// Helps to evaluate a position, as one of several workers that are numbered from 0, and returns its
    /// value or, where another worker was first, `None`: then it is in the memo.
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
            positions: u64::MAX,
            found: Some(&shared.found),
        };
        let result = self.evaluate_until(shared.position, until);
        self.number = 0;
        if !matches!(result, Ok(None)) {
            shared.found.store(true, Relaxed);
        }
        result
    }

    fn evaluate_until(
        &mut self,
        position: &R::Position,
        until: Until<'_>,
    ) -> Result<Option<Word>, EngineError> {
        let (key, negated) = self.engine.ruleset.key(position)?;
        let value = match self.look_up(key)? {
            Some(value) => Some(value),
            None => {
                let result = self.evaluate_key(key, until);
                self.frames.clear();
                self.on_path.clear();
                self.met_circle = false;
                self.entries.clear();
                self.circle_check = CIRCLE_CHECK_FIRST;
                self.engine
                    .control
                    .count_evaluated(std::mem::take(&mut self.uncounted));
                result?
            }
        };
        Ok(value.map(|value| signed::<V>(value, negated)))
    }

    /// Puts a value into the memo.
    fn remember(&self, key: Key, value: Word) -> Result<(), EngineError> {
        if value == LOOPY {
            // It is nothing to store.
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
        self.credit = 0;
        self.try_interval = POSITIONS_A_TRY;
        self.next_try = POSITIONS_A_TRY;
        self.expand(key)?;
        loop {
            if self.met_circle {
                return self.settle_path();
            }
            let frame = self
                .frames
                .last_mut()
                .expect("the path ends at the position asked for");
            let number = self.number;
            while frame.step < frame.len && self.entries[frame.place(number)].value.is_some() {
                frame.step += 1;
            }
            if frame.step < frame.len {
                let place = frame.place(number);
                let option = self.entries[place].key;
                // Another branch, or another worker, may have found it since.
                match self.look_up(option)? {
                    Some(LOOPY) => self.met_circle = true,
                    Some(value) => self.entries[place].value = Some(value),
                    None if R::IS_LOOPY && self.on_path.contains(&option) => self.met_circle = true,
                    None => self.expand(option)?,
                }
                continue;
            }
            let value = self.combine()?;
            self.evaluated += 1;
            self.uncounted += 1;
            if let Some(value) = self.settle(value)? {
                return Ok(Some(value));
            }
            if !R::IS_LOOPY
                && self.evaluated >= self.next_try
                && let Some(value) = self.try_to_play()?
            {
                return Ok(Some(value));
            }
            if self.evaluated >= until.positions {
                return Ok(None);
            }
            if self.uncounted >= POSITIONS_A_LOOK {
                self.engine
                    .control
                    .count_evaluated(std::mem::take(&mut self.uncounted));
                if let Some(reason) = self.engine.control.stopped_or_paused() {
                    return Err(EngineError::Stopped(reason));
                }
                if until.found.is_some_and(|found| found.load(Relaxed)) {
                    return Ok(None);
                }
            }
        }
    }

    /// Takes the last position off the path and gives its value to whoever waits for it: the option
    /// of the position before, or the caller, to whom it is returned.
    fn settle(&mut self, value: Word) -> Result<Option<Word>, EngineError> {
        let frame = self
            .frames
            .pop()
            .expect("the position just valued is on the path");
        self.entries.truncate(frame.first);
        if R::IS_LOOPY {
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
    /// ones first, and returns the value of the position asked for if that is among those settled.
    fn try_to_play(&mut self) -> Result<Option<Word>, EngineError> {
        self.credit = CREDIT_MAX.min(self.credit + OPTIONS_A_TRY);
        self.try_interval = TRY_INTERVALS_MAX.min(2 * self.try_interval);
        self.next_try = self.evaluated + self.try_interval;
        for depth in 0..self.frames.len() {
            let frame = &self.frames[depth];
            let waited = self.evaluated - frame.started;
            if self.credit == 0 || waited < POSITIONS_A_TRY {
                break;
            }
            if self.evaluated < frame.next_try {
                continue;
            }
            let Engine {
                ruleset, valuation, ..
            } = self.engine;
            let key = frame.key;
            let mut tries = Tries::new(ruleset, valuation.play(), self.credit);
            // An option too large to hold is no answer here; evaluating will meet it, or never need it.
            let settled = tries.is_previous_win(&ruleset.position_of(key)) == Some(true);
            self.credit = tries.options_left();
            if !settled {
                self.frames[depth].next_try = self.evaluated + TRY_FACTOR * waited;
                continue;
            }
            self.frames.truncate(depth + 1);
            self.try_interval = POSITIONS_A_TRY;
            self.next_try = self.evaluated + self.try_interval;
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

    /// Takes all positions off the path: they have a circle among their followers.
    fn settle_path(&mut self) -> Result<Option<Word>, EngineError> {
        self.uncounted += self.frames.len() as u64;
        for frame in std::mem::take(&mut self.frames) {
            self.remember(frame.key, LOOPY)?;
        }
        Ok(Some(LOOPY))
    }

    /// Puts a position on the path, with its options or components and those of their values that are known.
    fn expand(&mut self, key: Key) -> Result<(), EngineError> {
        if R::IS_LOOPY {
            self.on_path.insert(key);
        } else if self.frames.len() >= self.circle_check {
            self.check_for_circle()?;
        }
        let ruleset = &self.engine.ruleset;
        let position = ruleset.position_of(key);
        let first = self.entries.len();
        let may_split = R::FOLLOWERS_SPLIT || self.frames.is_empty();
        let first_right = match may_split && self.push_components(&position)? {
            true => None,
            false => {
                let first_right = self.push_options(&position, false)?;
                self.push_options(&ruleset.negative(&position), true)?;
                Some(first_right)
            }
        };
        for i in first..self.entries.len() {
            let value = self.look_up(self.entries[i].key)?;
            self.met_circle |= value == Some(LOOPY);
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

    /// Refuses a path that leads to some position twice.
    ///
    /// Play in a circle makes the path longer and longer, so it is enough to look whenever the path is twice as long
    /// as the last time.
    // PERF: a set of the positions on the path, kept as it changes, took 10 % of the time of Atomic Wari 3^7.
    fn check_for_circle(&mut self) -> Result<(), EngineError> {
        self.circle_check *= 2;
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

    /// Appends the components of a position, unless it is the only one, and returns whether it did.
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

    /// Appends Left's options of a position, and returns where the next ones go.
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
                    // PERF: all options are looked up next, and each would wait for memory by itself.
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
            // A position is an option of a dozen others as a rule, and the memo is the faster place.
            self.engine.memo.insert_stored(key, value);
        }
        Ok(known)
    }

    /// Returns the value of the last position on the path, all of whose options or components have theirs.
    fn combine(&mut self) -> Result<Word, EngineError> {
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
        let found = match splits {
            true => self.sum_of_left(),
            false => V::combine(&mut self.worker, &self.left, &self.right).map(Some),
        };
        match found {
            Ok(Some(value)) => Ok(value),
            Ok(None) => {
                let reason = self.engine.control.stopped();
                let reason = reason.expect("only a search that was stopped gives a sum up");
                Err(EngineError::Stopped(reason))
            }
            Err(source) => Err(EngineError::Form {
                position: self.name(key),
                source,
            }),
        }
    }

    /// Returns the sum of the values in `left`, or `None` where the search was stopped.
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

/// Returns a value or its negative; [`LOOPY`] is its own.
fn signed<V: Valuation>(value: Word, negated: bool) -> Word {
    match negated && value != LOOPY {
        true => V::negative(value),
        false => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{CanonicalForms, NimValues, NothingKnown};
    use crate::game::{AtomicWari, PotGame, Sowing};

    fn evaluated<R: Ruleset, V: Valuation>(engine: &Engine<R, V>, text: &str) -> Word {
        let position = engine.ruleset.position(&text.parse().unwrap()).unwrap();
        engine.search(&NothingKnown).evaluate(&position).unwrap()
    }

    /// Values do not depend on the order in which options are evaluated, which is another one for each worker.
    #[test]
    fn every_worker_finds_the_same_value_alone() {
        for text in ["1111111", "3123", "222222", "e111e", "...e21312e..."] {
            let engine = Engine::new(Sowing, CanonicalForms::default());
            let expected = evaluated(&engine, text);
            let position = Sowing.position(&text.parse().unwrap()).unwrap();
            for worker in 0..5 {
                let memo = Memo::new(false);
                let Engine { valuation, .. } = Engine::new(Sowing, CanonicalForms::default());
                let other = Engine::with_memo(Sowing, valuation, memo);
                let mut search = other.search(&NothingKnown);
                let word = search.evaluate_shared(&Shared::new(&position), worker);
                let value = CanonicalForms::value(word.unwrap().unwrap());
                let expected = CanonicalForms::value(expected);
                assert_eq!(
                    other.valuation.arena.notation(value).to_string(),
                    engine.valuation.arena.notation(expected).to_string(),
                    "{text}, worker {worker}"
                );
                assert_eq!(other.memo.len(), engine.memo.len());
            }
        }
    }

    #[test]
    fn workers_share_a_position_and_evaluate_hardly_any_twice() {
        fn shared<R: Ruleset, V: Valuation + Default>(ruleset: R, text: &str) {
            let alone = Engine::new(ruleset.clone(), V::default());
            let expected = evaluated(&alone, text);
            let engine = Engine::new(ruleset, V::default());
            let position = engine.ruleset.position(&text.parse().unwrap()).unwrap();
            let shared = Shared::new(&position);
            let words: Vec<Option<Word>> = std::thread::scope(|scope| {
                let (engine, shared) = (&engine, &shared);
                let threads: Vec<_> = (0..3)
                    .map(|worker| {
                        scope.spawn(move || {
                            let mut search = engine.search(&NothingKnown);
                            search.evaluate_shared(shared, worker).unwrap()
                        })
                    })
                    .collect();
                threads.into_iter().map(|t| t.join().unwrap()).collect()
            });
            let found = evaluated(&engine, text);
            assert!(words.iter().any(Option::is_some));
            assert!(words.into_iter().flatten().all(|word| word == found));
            if alone.valuation.play() == Play::Impartial {
                assert_eq!(found, expected);
            }
            let twice = engine.control.evaluated() - engine.memo.len();
            assert!(twice * 2 < engine.memo.len(), "{twice} positions twice");
        }
        shared::<_, CanonicalForms>(Sowing, "1111111111");
        shared::<_, NimValues>(Sowing, "1111111111");
        shared::<_, CanonicalForms>(AtomicWari::on(None), "33333");
    }

    #[test]
    fn a_limited_search_gives_up_and_keeps_what_it_has() {
        let engine = Engine::new(Sowing, CanonicalForms::default());
        let position = Sowing.position(&"1111111111".parse().unwrap()).unwrap();
        let mut search = engine.search(&NothingKnown);
        assert_eq!(search.evaluate_within(&position, 500).unwrap(), None);
        assert_eq!((engine.memo.len(), engine.control.evaluated()), (500, 500));
        let value = search.evaluate(&position).unwrap();
        assert_eq!(search.evaluate_within(&position, 0).unwrap(), Some(value));
        assert_eq!(engine.memo.len(), engine.control.evaluated());
    }
}
