//! Records: how a form and its negative are laid out in the arena.
//!
//! A record reads the same for the form and for its negative, with its two halves exchanged: the
//! Left options of one are the negatives of the Right options of the other. So it holds the Left
//! options of the form, then the Left options of the negative, and for each half its *edge*: the
//! Left stop x, and the [infinitesimals](super::infinitesimals) e for which the value is at most
//! `x + e`.
//!
//! ```text
//! word 0    Left stop * 2^6 (12 bits) | set of e (12) | options (3) | class (2) | birthday mod 4 (2) | long
//! word 1    the same three of the negative                         | birthday / 4 (4)               | long
//! word 2..  the form's Left options, then the negative's: one id each
//! ```
//!
//! A record that does not fit (a stop beyond 31 or finer than 1/64, more than seven options a side,
//! a birthday beyond 63) is long: four more words come before the options.
//!
//! ```text
//! word 2    options of the form (16 bits) | options of the negative (16)
//! word 3    birthday
//! word 4    Left stop * 2^12, or UNKNOWN where that does not fit 31 bits
//! word 5    the same of the negative
//! ```

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::infinitesimals::{INFINITESIMALS, InfinitesimalSet};
use super::{ArenaError, BIRTHDAY_MAX, OPTIONS_MAX, ValueId};
use crate::value::Dyadic;

/// A stop is read in units of 2^-12, up to a quarter of a million in size; other stops are in a
/// table beside the records.
pub(crate) const STOP_SHIFT: u32 = 12;
const STOP_MAX: i32 = (1 << 30) - 1;
const UNKNOWN_STOP: i32 = i32::MIN;

/// The words before the options, in short records and in long ones.
const SHORT_WORDS: usize = 2;
const LONG_WORDS: usize = 6;

/// A short record holds a stop in units of 2^-6.
const SHORT_UNIT: u32 = STOP_SHIFT - 6;
const SHORT_STOP_MAX: i32 = 2047;
const SHORT_OPTIONS_MAX: usize = 7;
const SHORT_BIRTHDAY_MAX: u32 = 63;
const STOP_PLACE: u32 = 20;
const INFINITESIMALS_PLACE: u32 = 8;
const COUNT_PLACE: u32 = 5;
const CLASS_PLACE: u32 = 3;
const BIRTHDAY_PLACE: u32 = 1;
const BIRTHDAY_LOW_BITS: u32 = 2;
const LONG: u32 = 1;

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
pub(crate) struct Form<'a> {
    words: &'a [AtomicU32],
    id: ValueId,
}

impl<'a> Form<'a> {
    /// Returns the record that starts with these words, seen from `id`.
    #[inline]
    pub(super) fn new(words: &'a [AtomicU32], id: ValueId) -> Form<'a> {
        Form { words, id }
    }

    #[inline]
    fn word(self, place: usize) -> u32 {
        self.words[place].load(Relaxed)
    }

    /// Returns the number of options in each half and the number of words before them.
    #[inline]
    fn shape(self) -> (usize, usize, usize) {
        let count = |place| (self.word(place) >> COUNT_PLACE) as usize & SHORT_OPTIONS_MAX;
        if self.word(0) & LONG == 0 {
            (count(0), count(1), SHORT_WORDS)
        } else {
            let counts = self.word(2);
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
    pub(crate) fn left(self) -> Ids<'a> {
        Ids(self.half(false).iter())
    }

    /// Returns the ids of Right's options, in the record's order.
    #[inline]
    pub(crate) fn right(self) -> impl ExactSizeIterator<Item = ValueId> + Clone + 'a {
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
        CLASSES[(self.word(0) >> CLASS_PLACE) as usize % CLASSES.len()]
    }

    pub(crate) fn birthday(self) -> u32 {
        if self.word(0) & LONG != 0 {
            return self.word(3);
        }
        let low = (self.word(0) >> BIRTHDAY_PLACE) & ((1 << BIRTHDAY_LOW_BITS) - 1);
        let high = (self.word(1) >> BIRTHDAY_PLACE) & (SHORT_BIRTHDAY_MAX >> BIRTHDAY_LOW_BITS);
        low | high << BIRTHDAY_LOW_BITS
    }

    pub(crate) fn left_stop(self) -> PackedStop {
        self.head().up_stop
    }

    /// Returns the edges of the form and its negative.
    #[inline]
    pub(crate) fn head(self) -> Head {
        // Indexed rather than swapped: a branch on the sign would be unpredictable.
        let negated = usize::from(self.id.is_negated());
        let halves = &self.words[..SHORT_WORDS];
        let (up, down) = (
            halves[negated].load(Relaxed),
            halves[1 - negated].load(Relaxed),
        );
        let stop = |word: u32| PackedStop((word as i32 >> STOP_PLACE) << SHORT_UNIT);
        let mut head = Head {
            id: self.id,
            up_stop: stop(up),
            down_stop: stop(down),
            up_infinitesimals: InfinitesimalSet::from_bits(up >> INFINITESIMALS_PLACE),
            down_infinitesimals: InfinitesimalSet::from_bits(down >> INFINITESIMALS_PLACE),
        };
        if up & LONG != 0 {
            head.up_stop = PackedStop(self.word(4 + negated) as i32);
            head.down_stop = PackedStop(self.word(5 - negated) as i32);
        }
        head
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
pub(crate) struct Ids<'a>(std::slice::Iter<'a, AtomicU32>);

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
    pub(super) fn new(options: Options<'_>, header: &Header) -> Result<Words, ArenaError> {
        let (first, second) = (options.left.len(), options.negative_left.len());
        let most = first.max(second);
        if most > OPTIONS_MAX {
            return Err(ArenaError::TooManyOptions(most));
        }
        if header.birthday > BIRTHDAY_MAX {
            return Err(ArenaError::TooDeep(header.birthday));
        }
        let stops = [header.up.stop.0, header.down.stop.0];
        let fits = |stop: i32| {
            let short = stop >> SHORT_UNIT;
            short << SHORT_UNIT == stop && (-SHORT_STOP_MAX..=SHORT_STOP_MAX).contains(&short)
        };
        let is_short = stops.into_iter().all(fits)
            && most <= SHORT_OPTIONS_MAX
            && header.birthday <= SHORT_BIRTHDAY_MAX;
        let edge = |edge: Edge| edge.infinitesimals.bits() << INFINITESIMALS_PLACE;
        let mut words = [0; LONG_WORDS];
        let flags = header.flags;
        let class = if flags.has(Flags::NUMBER) {
            Flags::NUMBER
        } else {
            flags
        };
        let class = CLASSES.iter().position(|&known| known == class);
        let class = class.expect("nimbers are dicotic") as u32;
        words[0] = edge(header.up) | class << CLASS_PLACE;
        words[1] = edge(header.down);
        if is_short {
            words[0] |= ((stops[0] >> SHORT_UNIT) as u32) << STOP_PLACE
                | (first as u32) << COUNT_PLACE
                | (header.birthday % (1 << BIRTHDAY_LOW_BITS)) << BIRTHDAY_PLACE;
            words[1] |= ((stops[1] >> SHORT_UNIT) as u32) << STOP_PLACE
                | (second as u32) << COUNT_PLACE
                | header.birthday >> BIRTHDAY_LOW_BITS << BIRTHDAY_PLACE;
        } else {
            words[0] |= LONG;
            words[1] |= LONG;
            words[2] = first as u32 | (second as u32) << 16;
            words[3] = header.birthday;
            words[4] = stops[0] as u32;
            words[5] = stops[1] as u32;
        }
        let len = if is_short { SHORT_WORDS } else { LONG_WORDS };
        Ok(Words { words, len })
    }

    pub(super) fn as_slice(&self) -> &[u32] {
        &self.words[..self.len]
    }
}

const _: () = assert!(
    STOP_PLACE - INFINITESIMALS_PLACE == INFINITESIMALS && INFINITESIMALS_PLACE - COUNT_PLACE == 3
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
