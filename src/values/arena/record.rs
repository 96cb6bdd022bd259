//! Records: how a form and its negative are laid out in the arena.
//!
//! A record reads the same for the form and for its negative, with its two halves exchanged: the
//! Left options of one are the negatives of the Right options of the other. So it holds the Left
//! options of the form, then the Left options of the negative, and for each half its *edge*: the
//! Left stop x, and the [infinitesimals](super::infinitesimals) e for which the value is at most
//! `x + e`.
//!
//! ```text
//! word 0    number of its edge (10 bits) | of the negative's (10) | birthday (8) | options (2) | of the negative (2)
//! word 1..  the form's Left options, then the negative's: one id each
//! ```
//!
//! The numbers are those of a [table](super::edge_table) of edges:
//!
//! ```text
//! edge      Left stop * 2^6 (12 bits) | set of e (12) | a mark | class, with the edge of the form
//! ```
//!
//! A record that does not fit (a stop beyond 31 or finer than 1/64, more than three options a side,
//! a birthday beyond 255, an edge without a number) is long: five words come before the options.
//!
//! ```text
//! word 0    a mark (10 bits) | birthday (22)
//! word 1    options of the form (16) | options of the negative (16)
//! word 2    set of e (12) | that of the negative (12) | class
//! word 3    Left stop * 2^12, or UNKNOWN where that does not fit 31 bits
//! word 4    the same of the negative
//! ```

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::edge_table::{EdgeTable, NUMBER_BITS, NUMBERS};
use super::infinitesimals::{INFINITESIMALS, InfinitesimalSet};
use super::{ArenaError, BIRTHDAY_MAX, OPTIONS_MAX, ValueId};
use crate::Dyadic;

/// A stop is read in units of 2^-12, up to a quarter of a million in size; other stops are in a
/// table beside the records.
pub(crate) const STOP_SHIFT: u32 = 12;
const STOP_MAX: i32 = (1 << 30) - 1;
const UNKNOWN_STOP: i32 = i32::MIN;

/// The words before the options, in short records and in long ones.
const SHORT_WORDS: usize = 1;
const LONG_WORDS: usize = 5;

/// A short record holds a stop in units of 2^-6.
const SHORT_UNIT: u32 = STOP_SHIFT - 6;
const SHORT_STOP_MAX: i32 = 2047;
const SHORT_OPTIONS_MAX: usize = 3;
const SHORT_BIRTHDAY_MAX: u32 = 255;

/// The first bits of a short record's fields.
const UP_PLACE: u32 = 22;
const DOWN_PLACE: u32 = 12;
const BIRTHDAY_PLACE: u32 = 4;
const FIRST_PLACE: u32 = 2;

/// The first bits of an edge's fields, and the mark that makes an edge differ from 0.
const STOP_PLACE: u32 = 20;
const INFINITESIMALS_PLACE: u32 = 8;
const EDGE: u32 = 1 << 7;

/// The mark of a long record, and the words of its fields.
const LONG: u32 = NUMBERS as u32 - 1;
const COUNTS: usize = 1;
const SETS: usize = 2;
const STOPS: usize = 3;

/// The flags that the two bits of the class stand for. The form 0 has them all.
const CLASSES: [Flags; 4] = [
    Flags::NONE,
    Flags::NUMBER,
    Flags::DICOTIC,
    Flags::DICOTIC.with(Flags::NIMBER),
];

/// Properties of a form that are known without reading its options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Flags(u8);

impl Flags {
    pub(crate) const NONE: Flags = Flags(0);
    pub(crate) const NUMBER: Flags = Flags(1);
    pub(crate) const NIMBER: Flags = Flags(2);
    pub(crate) const DICOTIC: Flags = Flags(4);
    pub(crate) const ALL: Flags = Flags(7);

    pub(crate) const fn with(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }

    pub(crate) fn has(self, other: Flags) -> bool {
        self.0 & other.0 != 0
    }
}

/// A stop as read from a record: a multiple of 2^-12, or unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PackedStop(i32);

impl PackedStop {
    pub(crate) const UNKNOWN: PackedStop = PackedStop(UNKNOWN_STOP);

    pub(crate) fn new(stop: Dyadic) -> PackedStop {
        let scaled = STOP_SHIFT
            .checked_sub(stop.exponent())
            .and_then(|shift| stop.numerator().checked_mul(1 << shift))
            .and_then(|scaled| i32::try_from(scaled).ok());
        scaled
            .filter(|&s| s.unsigned_abs() <= STOP_MAX as u32)
            .map_or(PackedStop::UNKNOWN, PackedStop)
    }

    /// Returns the stop `fixed * 2^-12`.
    #[inline]
    pub(crate) fn from_fixed(fixed: i32) -> PackedStop {
        debug_assert!(fixed.unsigned_abs() <= STOP_MAX as u32, "{fixed}");
        PackedStop(fixed)
    }

    pub(crate) fn dyadic(self) -> Option<Dyadic> {
        self.is_known()
            .then(|| Dyadic::new(i128::from(self.0), STOP_SHIFT))
    }

    #[inline]
    pub(crate) fn is_known(self) -> bool {
        self.0 != UNKNOWN_STOP
    }

    /// Returns the stop in units of 2^-12, where it is known.
    #[inline]
    pub(crate) fn fixed(self) -> i32 {
        self.0
    }
}

/// The upper edge of a value: its Left stop x, and the infinitesimals e for which the value is `<=
/// x + e`. Where the stop is unknown, so are the infinitesimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    pub(crate) stop: PackedStop,
    pub(crate) infinitesimals: InfinitesimalSet,
}

impl Edge {
    pub(crate) const UNKNOWN: Edge = Edge {
        stop: PackedStop::UNKNOWN,
        infinitesimals: InfinitesimalSet::NONE,
    };

    /// Returns the edge of a number.
    pub(crate) fn of_number(number: Dyadic) -> Edge {
        match PackedStop::new(number) {
            PackedStop::UNKNOWN => Edge::UNKNOWN,
            stop => Edge {
                stop,
                infinitesimals: InfinitesimalSet::OF_NUMBER,
            },
        }
    }
}

/// The edges of a value, `up`, and of its negative, `down`, which decide most comparisons.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head {
    pub(crate) id: ValueId,
    pub(crate) up_stop: PackedStop,
    pub(crate) down_stop: PackedStop,
    pub(crate) up_infinitesimals: InfinitesimalSet,
    pub(crate) down_infinitesimals: InfinitesimalSet,
}

impl Head {
    #[inline]
    pub(crate) fn new(id: ValueId, up: Edge, down: Edge) -> Head {
        Head {
            id,
            up_stop: up.stop,
            down_stop: down.stop,
            up_infinitesimals: up.infinitesimals,
            down_infinitesimals: down.infinitesimals,
        }
    }

    #[inline]
    pub(crate) fn negative(&self) -> Head {
        Head {
            id: self.id.negative(),
            up_stop: self.down_stop,
            down_stop: self.up_stop,
            up_infinitesimals: self.down_infinitesimals,
            down_infinitesimals: self.up_infinitesimals,
        }
    }

    #[inline]
    pub(crate) fn is_known(&self) -> bool {
        self.up_stop.is_known() & self.down_stop.is_known()
    }
}

/// The content of a new record beside its options.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Header {
    pub(crate) flags: Flags,
    pub(crate) birthday: u32,
    pub(crate) up: Edge,
    pub(crate) down: Edge,
}

/// A form's record, seen from the form or from its negative.
#[derive(Clone, Copy)]
pub struct Form<'a> {
    words: &'a [AtomicU32],
    edges: &'a EdgeTable,
    id: ValueId,
}

impl<'a> Form<'a> {
    /// Returns the record that starts with these words, seen from `id`.
    #[inline]
    pub(super) fn new(words: &'a [AtomicU32], edges: &'a EdgeTable, id: ValueId) -> Form<'a> {
        Form { words, edges, id }
    }

    #[inline]
    fn word(self, place: usize) -> u32 {
        self.words[place].load(Relaxed)
    }

    /// Returns the number of options in each half and the number of words before them.
    #[inline]
    fn shape(self) -> (usize, usize, usize) {
        let word = self.word(0);
        if word >> UP_PLACE != LONG {
            let count = |place| (word >> place) as usize & SHORT_OPTIONS_MAX;
            (count(FIRST_PLACE), count(0), SHORT_WORDS)
        } else {
            let counts = self.word(COUNTS);
            (
                (counts & 0xffff) as usize,
                (counts >> 16) as usize,
                LONG_WORDS,
            )
        }
    }

    /// Returns the ids of one half: the form's Left options, or those of its negative.
    #[inline]
    fn half(self, of_negative: bool) -> &'a [AtomicU32] {
        let (first, second, before) = self.shape();
        let options = &self.words[before..before + first + second];
        if of_negative != self.id.is_negated() {
            &options[first..]
        } else {
            &options[..first]
        }
    }

    /// Returns the ids of Left's options, in the record's order.
    #[inline]
    pub fn left(self) -> Ids<'a> {
        Ids(self.half(false).iter())
    }

    /// Returns the ids of Right's options, in the record's order.
    #[inline]
    pub fn right(self) -> impl ExactSizeIterator<Item = ValueId> + Clone + 'a {
        self.negative_left().map(ValueId::negative)
    }

    /// Returns the ids of the negatives of Right's options, in the record's order.
    #[inline]
    pub(crate) fn negative_left(self) -> Ids<'a> {
        Ids(self.half(true).iter())
    }

    pub(crate) fn flags(self) -> Flags {
        if self.id == ValueId::ZERO {
            return Flags::ALL;
        }
        let class = match self.word(0) >> UP_PLACE {
            LONG => self.word(SETS),
            up => self.edges.edge(up),
        };
        CLASSES[class as usize % CLASSES.len()]
    }

    pub(crate) fn birthday(self) -> u32 {
        let word = self.word(0);
        match word >> UP_PLACE {
            LONG => word & BIRTHDAY_MAX,
            _ => word >> BIRTHDAY_PLACE & SHORT_BIRTHDAY_MAX,
        }
    }

    pub(crate) fn left_stop(self) -> PackedStop {
        self.head().up_stop
    }

    /// Returns the edges of the form and its negative.
    #[inline(always)]
    pub(crate) fn head(self) -> Head {
        let word = self.word(0);
        // Shifted rather than swapped: a branch on the sign would be unpredictable.
        let negated = u32::from(self.id.is_negated());
        let turn = negated * (UP_PLACE - DOWN_PLACE);
        let mut up = self.edges.edge(word >> (UP_PLACE - turn));
        let mut down = self.edges.edge(word >> (DOWN_PLACE + turn));
        let stop = |edge: u32| PackedStop((edge as i32 >> STOP_PLACE) << SHORT_UNIT);
        let (mut up_stop, mut down_stop) = (stop(up), stop(down));
        // PERF: a head made elsewhere would come in memory, and be read from there at once, which
        // costs 10 % of the time of Sowing 1^14.
        if word >> UP_PLACE == LONG {
            let sets = self.word(SETS);
            let turn = negated * INFINITESIMALS;
            (up, down) = (sets >> (INFINITESIMALS - turn), sets >> turn);
            let stop = |half: u32| PackedStop(self.word(STOPS + half as usize) as i32);
            (up_stop, down_stop) = (stop(negated), stop(1 - negated));
        }
        Head {
            id: self.id,
            up_stop,
            down_stop,
            up_infinitesimals: InfinitesimalSet::from_bits(up >> INFINITESIMALS_PLACE),
            down_infinitesimals: InfinitesimalSet::from_bits(down >> INFINITESIMALS_PLACE),
        }
    }

    /// Returns whether the record, in its stored orientation, has these options.
    #[inline]
    pub(super) fn has_options(self, options: Options<'_>) -> bool {
        let (first, second, before) = self.shape();
        if (first, second) != (options.left.len(), options.negative_left.len()) {
            return false;
        }
        let stored = self.words[before..before + first + second].iter();
        stored
            .map(|word| word.load(Relaxed))
            .eq(options.iter().map(|id| id.0))
    }

    /// Returns the hash of the options, the key of the record.
    pub(super) fn hash(self) -> u64 {
        let (first, second, before) = self.shape();
        let options = self.words[before..before + first + second].iter();
        hash_ids(options.map(|word| word.load(Relaxed)), first)
    }

    /// Returns the number of words in the record.
    pub(super) fn words(self) -> usize {
        let (first, second, before) = self.shape();
        before + first + second
    }
}

/// The ids of one half of a record, in its order.
#[derive(Clone)]
pub struct Ids<'a>(std::slice::Iter<'a, AtomicU32>);

impl Iterator for Ids<'_> {
    type Item = ValueId;

    #[inline]
    fn next(&mut self) -> Option<ValueId> {
        self.0.next().map(|word| ValueId(word.load(Relaxed)))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for Ids<'_> {}

/// The options of a form as stored in a record: Left's, and the negatives of Right's.
#[derive(Clone, Copy)]
pub(crate) struct Options<'a> {
    pub(crate) left: &'a [ValueId],
    pub(crate) negative_left: &'a [ValueId],
}

impl<'a> Options<'a> {
    /// Returns the options of the negative.
    pub(super) fn negative(self) -> Options<'a> {
        Options {
            left: self.negative_left,
            negative_left: self.left,
        }
    }

    /// Returns all ids in the order of a record.
    #[inline]
    pub(super) fn iter(self) -> impl Iterator<Item = ValueId> + 'a {
        self.left.iter().chain(self.negative_left).copied()
    }
}

/// Returns the most words that a record with these options can have.
#[inline]
pub(super) fn words_max(options: Options<'_>) -> usize {
    LONG_WORDS + options.left.len() + options.negative_left.len()
}

/// The words of a new record before its options.
pub(super) struct Words {
    words: [u32; LONG_WORDS],
    len: usize,
}

impl Words {
    /// Returns the words for a form with these options.
    ///
    /// # Errors
    ///
    /// When the form exceeds the fields of a long record.
    pub(super) fn new(
        options: Options<'_>,
        header: &Header,
        edges: &EdgeTable,
    ) -> Result<Words, ArenaError> {
        let (first, second) = (options.left.len(), options.negative_left.len());
        let most = first.max(second);
        if most > OPTIONS_MAX {
            return Err(ArenaError::TooManyOptions(most));
        }
        if header.birthday > BIRTHDAY_MAX {
            return Err(ArenaError::TooDeep(header.birthday));
        }
        let flags = header.flags;
        let class = if flags.has(Flags::NUMBER) {
            Flags::NUMBER
        } else {
            flags
        };
        let class = CLASSES.iter().position(|&known| known == class);
        let class = class.expect("nimbers are dicotic") as u32;
        let number = |edge: Edge, class: u32| {
            let stop = edge.stop.0 >> SHORT_UNIT;
            let fits = stop << SHORT_UNIT == edge.stop.0
                && (-SHORT_STOP_MAX..=SHORT_STOP_MAX).contains(&stop);
            let set = edge.infinitesimals.bits() << INFINITESIMALS_PLACE;
            fits.then(|| edges.number((stop as u32) << STOP_PLACE | set | EDGE | class))?
        };
        let mut words = [0; LONG_WORDS];
        if most <= SHORT_OPTIONS_MAX
            && header.birthday <= SHORT_BIRTHDAY_MAX
            && let Some(up) = number(header.up, class)
            && let Some(down) = number(header.down, 0)
        {
            words[0] = up << UP_PLACE
                | down << DOWN_PLACE
                | header.birthday << BIRTHDAY_PLACE
                | (first as u32) << FIRST_PLACE
                | second as u32;
            return Ok(Words {
                words,
                len: SHORT_WORDS,
            });
        }
        words[0] = LONG << UP_PLACE | header.birthday;
        words[COUNTS] = first as u32 | (second as u32) << 16;
        let set = |edge: Edge| edge.infinitesimals.bits() << INFINITESIMALS_PLACE;
        words[SETS] = set(header.up) << INFINITESIMALS | set(header.down) | class;
        words[STOPS] = header.up.stop.0 as u32;
        words[STOPS + 1] = header.down.stop.0 as u32;
        Ok(Words {
            words,
            len: LONG_WORDS,
        })
    }

    pub(super) fn as_slice(&self) -> &[u32] {
        &self.words[..self.len]
    }
}

const _: () = assert!(
    STOP_PLACE - INFINITESIMALS_PLACE == INFINITESIMALS
        && INFINITESIMALS_PLACE + 2 * INFINITESIMALS == 32
        && UP_PLACE + NUMBER_BITS == 32
        && DOWN_PLACE + NUMBER_BITS == UP_PLACE
        && SHORT_BIRTHDAY_MAX >> (DOWN_PLACE - BIRTHDAY_PLACE) == 0
        && SHORT_OPTIONS_MAX >> (BIRTHDAY_PLACE - FIRST_PLACE) == 0
        && BIRTHDAY_MAX == (1 << UP_PLACE) - 1
);

/// Hashes the ids of a record by multiplying and folding, a word at a time.
#[inline]
pub(super) fn hash_ids(ids: impl Iterator<Item = u32>, left_len: usize) -> u64 {
    const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
    let fold = |hash: u64, word: u64| {
        let product = u128::from(hash ^ word).wrapping_mul(u128::from(MULTIPLIER));
        (product as u64) ^ (product >> 64) as u64
    };
    let start = MULTIPLIER.rotate_left(17) ^ left_len as u64;
    ids.fold(start, |hash, id| fold(hash.rotate_left(29), u64::from(id)))
}
