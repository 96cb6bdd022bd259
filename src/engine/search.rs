//! The search: every follower of a position evaluated once, options before the positions they come from.
//!
//! Depth first on an explicit stack, so that deep positions cost heap and not stack. A position is
//! expanded once: its options are generated, keyed and looked up together; those without a value are
//! then evaluated one after the other, and each returns its value to the place that waits for it.
//! Positions that wait for long are now and then tried by [playing](super::outcome): those that the
//! previous player wins have the value 0, whatever their followers are.
//! Several workers may search the same memo; where two evaluate the same position at once, they find the same value.

use hashbrown::HashSet;

use super::outcome::Tries;
use super::{Control, EngineError, KnownValues, Memo, Valuation, Word};
use crate::ruleset::{Key, Play, Player, Ruleset};

/// How many positions a worker evaluates between two looks at the stop flag.
const POSITIONS_A_LOOK: u64 = 256;

/// How many positions a worker evaluates between two tries to settle those on its path by playing.
const POSITIONS_A_TRY: u64 = 1024;

/// How many options such a try may generate; what it does not use is left for the next. Evaluating 1024
/// positions generates some 14,000 in Sowing `1^12`, so that tries cost little where they are of no
/// use: it took 0.56 CPU s before there were any and 0.52 to 0.61 since, in different runs.
const OPTIONS_A_TRY: usize = 1024;

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
    pub control: Control,
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
            control: Control::default(),
        }
    }

    /// Returns a worker's search, which also uses the values known from elsewhere.
    pub fn search<'e>(&'e self, known: &'e dyn KnownValues) -> Search<'e, R, V> {
        Search {
            engine: self,
            known,
            worker: self.valuation.worker(),
            frames: Vec::new(),
            entries: Vec::new(),
            path: HashSet::default(),
            left: Vec::new(),
            right: Vec::new(),
            uncounted: 0,
            evaluated: 0,
            credit: 0,
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
/// use seedbank::ruleset::{Ruleset, Sowing};
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
    /// The options of all positions on the path, those of the last position last.
    entries: Vec<Entry>,
    /// The keys on the path: an option among them closes a cycle.
    path: HashSet<Key, foldhash::fast::RandomState>,
    left: Vec<Word>,
    right: Vec<Word>,
    /// Positions evaluated that the shared count does not have yet.
    uncounted: u64,
    /// Positions evaluated for the one asked for.
    evaluated: u64,
    /// Options that tries to settle positions by playing may still generate.
    credit: usize,
}

/// A position in the course of evaluation.
struct Frame {
    key: Key,
    /// Where its options begin, and where Right's do.
    first: usize,
    first_right: usize,
    /// The next option to look at.
    next: usize,
    /// How many positions had been evaluated when it came on the path.
    started: u64,
    /// From how many on it may be tried to settle it by playing.
    next_try: u64,
}

/// An option: its key, and its value once that is known.
struct Entry {
    key: Key,
    mirrored: bool,
    value: Option<Word>,
}

impl<'e, R: Ruleset, V: Valuation> Search<'e, R, V> {
    /// Returns this worker's scratch memory for values.
    pub fn worker(&mut self) -> &mut V::Worker<'e> {
        &mut self.worker
    }

    /// Returns the value of a position.
    ///
    /// Time and memory grow with the number of its followers that are not in the memo yet.
    ///
    /// # Errors
    ///
    /// When the search was stopped, when a follower or a value cannot be held, or when play need not
    /// end. What was found until then stays in the memo.
    pub fn evaluate(&mut self, position: &R::Position) -> Result<Word, EngineError> {
        let (key, mirrored) = self.engine.ruleset.key(position)?;
        let value = match self.look_up(key)? {
            Some(value) => value,
            None => {
                let result = self.evaluate_key(key);
                self.frames.clear();
                self.entries.clear();
                self.path.clear();
                self.engine
                    .control
                    .count_evaluated(std::mem::take(&mut self.uncounted));
                result?
            }
        };
        Ok(if mirrored { V::mirrored(value) } else { value })
    }

    fn evaluate_key(&mut self, key: Key) -> Result<Word, EngineError> {
        self.evaluated = 0;
        self.credit = 0;
        self.expand(key)?;
        loop {
            let frame = self
                .frames
                .last_mut()
                .expect("the path ends at the position asked for");
            let waiting = self.entries[frame.next..]
                .iter()
                .position(|e| e.value.is_none());
            if let Some(offset) = waiting {
                frame.next += offset;
                let option = self.entries[frame.next].key;
                let place = frame.next;
                // Another branch, or another worker, may have found it since.
                match self.look_up(option)? {
                    Some(value) => self.entries[place].value = Some(value),
                    None => self.expand(option)?,
                }
                continue;
            }
            let value = self.combine()?;
            self.evaluated += 1;
            self.uncounted += 1;
            if let Some(value) = self.settle(value)? {
                return Ok(value);
            }
            if self.evaluated.is_multiple_of(POSITIONS_A_TRY)
                && let Some(value) = self.try_to_play()?
            {
                return Ok(value);
            }
            if self.uncounted >= POSITIONS_A_LOOK {
                self.engine
                    .control
                    .count_evaluated(std::mem::take(&mut self.uncounted));
                if let Some(reason) = self.engine.control.stopped() {
                    return Err(EngineError::Stopped(reason));
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
        self.path.remove(&frame.key);
        if let Some(there) = self.engine.memo.insert(frame.key, value)
            && there != value
        {
            return Err(EngineError::Conflict {
                position: self.name(frame.key),
                first: there.get(),
                second: value.get(),
            });
        }
        match self.frames.last() {
            Some(parent) => {
                self.entries[parent.next].value = Some(value);
                Ok(None)
            }
            None => Ok(Some(value)),
        }
    }

    /// Tries to settle the positions that have been on the path for long by playing them, the first
    /// ones first, and returns the value of the position asked for if that is among those settled.
    fn try_to_play(&mut self) -> Result<Option<Word>, EngineError> {
        self.credit += OPTIONS_A_TRY;
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
            for frame in self.frames.drain(depth + 1..) {
                self.path.remove(&frame.key);
            }
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

    /// Puts a position on the path, with its options and those of their values that are known.
    fn expand(&mut self, key: Key) -> Result<(), EngineError> {
        if !self.path.insert(key) {
            return Err(EngineError::Cycle {
                position: self.name(key),
                ruleset: self.engine.ruleset.id(),
            });
        }
        let ruleset = &self.engine.ruleset;
        let position = ruleset.position_of(key);
        let first = self.entries.len();
        let first_right = self.push_options(&position, false)?;
        self.push_options(&ruleset.mirror(&position), true)?;
        for i in first..self.entries.len() {
            self.entries[i].value = self.look_up(self.entries[i].key)?;
        }
        self.frames.push(Frame {
            key,
            first,
            first_right,
            next: first,
            started: self.evaluated,
            next_try: 0,
        });
        Ok(())
    }

    /// Appends Left's options of a position, and returns where the next ones go.
    ///
    /// Right's options are the mirror images of Left's options of the mirror image, and an option and
    /// its mirror image have the same key, so neither needs to be built.
    fn push_options(
        &mut self,
        position: &R::Position,
        mirrored: bool,
    ) -> Result<usize, EngineError> {
        let ruleset = &self.engine.ruleset;
        let entries = &mut self.entries;
        let mut failed = None;
        ruleset.each_option(
            position,
            Player::Left,
            &mut |option| match ruleset.key(option) {
                Ok((key, is_mirror)) => {
                    entries.push(Entry {
                        key,
                        mirrored: is_mirror != mirrored,
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

    /// Returns the value of the last position on the path, all of whose options have theirs.
    fn combine(&mut self) -> Result<Word, EngineError> {
        let frame = self.frames.last().expect("a position is being evaluated");
        let value = |entry: &Entry| {
            let value = entry.value.expect("all options have been evaluated");
            if entry.mirrored {
                V::mirrored(value)
            } else {
                value
            }
        };
        let impartial = self.engine.valuation.play() == Play::Impartial;
        let middle = if impartial {
            self.entries.len()
        } else {
            frame.first_right
        };
        self.left.clear();
        self.left
            .extend(self.entries[frame.first..middle].iter().map(value));
        self.right.clear();
        self.right.extend(self.entries[middle..].iter().map(value));
        V::combine(&mut self.worker, &self.left, &self.right).map_err(|source| EngineError::Form {
            position: self.name(frame.key),
            source,
        })
    }

    fn name(&self, key: Key) -> String {
        self.engine.ruleset.position_of(key).to_string()
    }
}
