//! Canonical forms, hash-consed: equal values have equal [`ValueId`]s.
//!
//! The arena is append-only and shared by all workers. A form and its negative share one record; the
//! negative is the same id with its sign bit set, so negation costs nothing. Beside its options a
//! record keeps what decides most comparisons without recursion: both stops, birthday and kind.
//!
//! Invariant: every stored form is canonical (no dominated and no reversible options, each option
//! canonical in turn), its option lists are sorted by id and without duplicates. [`Calculator`]
//! establishes this; the arena itself only stores and finds.
//!
//! # Layout
//!
//! ```text
//! word 0   number of Left options (16 bits) | number of Right options (16 bits)
//! word 1   flags (8 bits) | birthday (24 bits)
//! word 2   Left stop  * 2^12, or UNKNOWN_STOP where that is no 32-bit integer
//! word 3   Right stop * 2^12, likewise
//! word 4.. Left's options, then Right's: one id each
//! ```
//!
//! A record starts at an even word and stays within a chunk of 2^18 words; chunks are allocated as
//! they are needed and never move. So a form costs 16 + 4 (options) bytes, for it and its negative,
//! and a look costs one cache line as a rule.
//!
//! [`Calculator`]: super::Calculator

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use hashbrown::HashTable;
use thiserror::Error;

use super::Dyadic;

/// The most options that a form may have on one side.
pub const OPTIONS_MAX: usize = u16::MAX as usize;
/// The greatest birthday that a form may have.
pub const BIRTHDAY_MAX: u32 = (1 << 24) - 1;

const CHUNK_WORDS: usize = 1 << 18;
const CHUNKS: usize = 1 << 13;
const HEADER_WORDS: usize = 4;
/// A stop is kept in units of 2^-12, which leaves room for half a million to either side; others are
/// kept in a table beside the records.
const STOP_SHIFT: u32 = 12;
const UNKNOWN_STOP: i32 = i32::MIN;
const SHARDS: usize = 64;

/// A canonical form in an [`Arena`], or the negative of one.
///
/// Ids compare equal exactly when the values are equal. Their order means nothing, and differs from
/// run to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValueId(u32);

impl ValueId {
    const NEGATED: u32 = 1;
    const SYMMETRIC: u32 = 2;

    /// The form `0`, in every arena.
    pub const ZERO: ValueId = ValueId(ValueId::SYMMETRIC);

    /// Returns the negative of the form. A form that is its own negative yields itself.
    #[must_use]
    pub const fn negative(self) -> ValueId {
        ValueId(self.0 ^ (!(self.0 >> 1) & ValueId::NEGATED))
    }

    /// Returns the form or its negative.
    #[must_use]
    pub const fn negated_if(self, negated: bool) -> ValueId {
        if negated { self.negative() } else { self }
    }

    /// Returns whichever of the form and its negative the arena's record holds.
    #[must_use]
    pub(crate) const fn unsigned(self) -> ValueId {
        ValueId(self.0 & !ValueId::NEGATED)
    }

    /// Returns whether the form equals its own negative.
    pub const fn is_symmetric(self) -> bool {
        self.0 & ValueId::SYMMETRIC != 0
    }

    /// Returns the id as a number, never zero, for tables that hold nothing but words.
    pub const fn to_raw(self) -> u32 {
        self.0
    }

    /// Returns the id that [`to_raw`](ValueId::to_raw) gave, in the same arena.
    pub(crate) const fn from_raw(raw: u32) -> ValueId {
        ValueId(raw)
    }

    const fn is_negated(self) -> bool {
        self.0 & ValueId::NEGATED != 0
    }

    const fn word(self) -> usize {
        (self.0 >> 2) as usize * 2
    }
}

/// Why a form cannot be stored.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ArenaError {
    /// All ids are used up: 8 GiB of records.
    #[error(
        "the arena of canonical forms is full (8 GiB of records); split the job into smaller ones"
    )]
    Full,
    /// More options on a side than a record can count.
    #[error("a canonical form with {0} options on a side; at most {OPTIONS_MAX} are supported")]
    TooManyOptions(usize),
    /// An integer so large that its followers are not made.
    #[error(
        "the integer {0} has as many followers; at most a million more than are known are made"
    )]
    IntegerTooLarge(i64),
    /// A birthday beyond the record's field.
    #[error("a canonical form born on day {0}; at most {BIRTHDAY_MAX} is supported")]
    TooDeep(u32),
}

/// What is known of a form without looking at its options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Flags(u8);

impl Flags {
    pub(crate) const NONE: Flags = Flags(0);
    pub(crate) const NUMBER: Flags = Flags(1);
    pub(crate) const NIMBER: Flags = Flags(2);
    pub(crate) const DICOTIC: Flags = Flags(4);

    pub(crate) fn with(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }

    pub(crate) fn has(self, other: Flags) -> bool {
        self.0 & other.0 != 0
    }
}

/// A stop as a record keeps it: a multiple of 2^-12, or not representable so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PackedStop(i32);

impl PackedStop {
    pub(crate) fn new(stop: Dyadic) -> PackedStop {
        let scaled = STOP_SHIFT
            .checked_sub(stop.exponent())
            .and_then(|shift| stop.numerator().checked_mul(1 << shift))
            .and_then(|scaled| i32::try_from(scaled).ok());
        PackedStop(
            scaled
                .filter(|&s| s != UNKNOWN_STOP)
                .unwrap_or(UNKNOWN_STOP),
        )
    }

    pub(crate) fn dyadic(self) -> Option<Dyadic> {
        self.fixed()
            .map(|fixed| Dyadic::new(i128::from(fixed), STOP_SHIFT))
    }

    /// Returns the stop in units of 2^-12.
    pub(crate) fn fixed(self) -> Option<i32> {
        (self.0 != UNKNOWN_STOP).then_some(self.0)
    }

    fn negative(self) -> PackedStop {
        // i32::MIN stands for itself, and is its own wrapping negative.
        PackedStop(self.0.wrapping_neg())
    }
}

/// A form's record, seen from the form or from its negative.
#[derive(Clone, Copy)]
pub(crate) struct Form<'a> {
    words: &'a [AtomicU32],
    negated: bool,
}

impl<'a> Form<'a> {
    fn counts(self) -> (usize, usize) {
        let word = self.words[0].load(Relaxed);
        ((word & 0xffff) as usize, (word >> 16) as usize)
    }

    /// Returns the ids of one side's options, in the record's order.
    pub(crate) fn left(self) -> impl ExactSizeIterator<Item = ValueId> + Clone + 'a {
        self.side(self.negated)
    }

    pub(crate) fn right(self) -> impl ExactSizeIterator<Item = ValueId> + Clone + 'a {
        self.side(!self.negated)
    }

    fn side(self, stored_right: bool) -> impl ExactSizeIterator<Item = ValueId> + Clone + 'a {
        let (left, right) = self.counts();
        let range = if stored_right {
            left..left + right
        } else {
            0..left
        };
        let negated = self.negated;
        self.words[HEADER_WORDS..][range]
            .iter()
            .map(move |word| ValueId(word.load(Relaxed)).negated_if(negated))
    }

    pub(crate) fn flags(self) -> Flags {
        Flags((self.words[1].load(Relaxed) >> 24) as u8)
    }

    pub(crate) fn birthday(self) -> u32 {
        self.words[1].load(Relaxed) & BIRTHDAY_MAX
    }

    pub(crate) fn left_stop(self) -> PackedStop {
        self.stop(self.negated)
    }

    pub(crate) fn right_stop(self) -> PackedStop {
        self.stop(!self.negated)
    }

    fn stop(self, stored_right: bool) -> PackedStop {
        let stop = PackedStop(self.words[2 + usize::from(stored_right)].load(Relaxed) as i32);
        if self.negated { stop.negative() } else { stop }
    }
}

/// What a new record holds beside its options.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Header {
    pub(crate) flags: Flags,
    pub(crate) birthday: u32,
    pub(crate) left_stop: Dyadic,
    pub(crate) right_stop: Dyadic,
}

/// The append-only store of canonical forms.
///
/// ```
/// use seedbank::value::{Arena, ValueId};
///
/// let arena = Arena::new();
/// let star = arena.calculator().nimber(1)?;
/// assert_eq!(arena.left_options(star), [ValueId::ZERO]);
/// assert_eq!(star.negative(), star);
/// # Ok::<(), seedbank::value::ArenaError>(())
/// ```
pub struct Arena {
    chunks: Box<[OnceLock<Box<[AtomicU32]>>]>,
    /// The next free word, in pairs of words.
    next: AtomicU64,
    forms: AtomicU64,
    interned: Box<[Mutex<HashTable<u32>>]>,
    table_bytes: AtomicU64,
    /// Both stops, by raw id, of the few forms whose records cannot keep them.
    exact_stops: Mutex<HashMap<u32, (Dyadic, Dyadic)>>,
}

impl Default for Arena {
    fn default() -> Arena {
        Arena::new()
    }
}

impl Arena {
    /// Returns an arena that holds the form 0 and nothing else.
    pub fn new() -> Arena {
        let arena = Arena {
            chunks: (0..CHUNKS).map(|_| OnceLock::new()).collect(),
            next: AtomicU64::new(0),
            forms: AtomicU64::new(0),
            interned: (0..SHARDS).map(|_| Mutex::new(HashTable::new())).collect(),
            table_bytes: AtomicU64::new(0),
            exact_stops: Mutex::new(HashMap::new()),
        };
        let header = Header {
            flags: Flags::NUMBER.with(Flags::NIMBER).with(Flags::DICOTIC),
            birthday: 0,
            left_stop: Dyadic::ZERO,
            right_stop: Dyadic::ZERO,
        };
        let id = arena
            .intern(&[], &[], header)
            .expect("an empty arena holds a form");
        assert_eq!(id, ValueId::ZERO, "the first form has the first id");
        arena
    }

    /// Returns the number of forms stored, a form and its negative counting once.
    pub fn len(&self) -> u64 {
        self.forms.load(Relaxed)
    }

    /// Returns false: every arena holds the form 0.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Returns the bytes that records and the interning table take.
    pub fn bytes(&self) -> u64 {
        self.next.load(Relaxed) * 8 + self.table_bytes.load(Relaxed)
    }

    /// Returns Left's options of a form.
    pub fn left_options(&self, id: ValueId) -> Vec<ValueId> {
        self.form(id).left().collect()
    }

    /// Returns Right's options of a form.
    pub fn right_options(&self, id: ValueId) -> Vec<ValueId> {
        self.form(id).right().collect()
    }

    /// Returns the form's birthday: the depth of its canonical game tree.
    pub fn birthday(&self, id: ValueId) -> u32 {
        self.form(id).birthday()
    }

    /// Returns the number that the form equals, if it is one.
    pub fn number(&self, id: ValueId) -> Option<Dyadic> {
        self.form(id)
            .flags()
            .has(Flags::NUMBER)
            .then(|| self.left_stop(id))
    }

    /// Returns `n` where the form is the nimber `*n`.
    pub fn nimber(&self, id: ValueId) -> Option<u32> {
        let form = self.form(id);
        form.flags()
            .has(Flags::NIMBER)
            .then(|| form.left().len() as u32)
    }

    /// Returns whether the form is dicotic (all-small): in every follower either both players can
    /// move or neither.
    pub fn is_dicotic(&self, id: ValueId) -> bool {
        self.form(id).flags().has(Flags::DICOTIC)
    }

    /// Returns the Left stop: the number reached when Left starts and both play well until a number.
    pub fn left_stop(&self, id: ValueId) -> Dyadic {
        self.form(id)
            .left_stop()
            .dyadic()
            .unwrap_or_else(|| self.exact_stop(id))
    }

    /// Returns the Right stop.
    pub fn right_stop(&self, id: ValueId) -> Dyadic {
        -self.left_stop(id.negative())
    }

    /// Returns the Left stop of a form whose record cannot keep it.
    fn exact_stop(&self, id: ValueId) -> Dyadic {
        let stops = lock(&self.exact_stops);
        let (left, right) = stops[&id.unsigned().0];
        if id.is_negated() { -right } else { left }
    }

    pub(crate) fn form(&self, id: ValueId) -> Form<'_> {
        let word = id.word();
        let chunk = self.chunks[word / CHUNK_WORDS]
            .get()
            .expect("an id refers to a stored form");
        Form {
            words: &chunk[word % CHUNK_WORDS..],
            negated: id.is_negated(),
        }
    }

    /// Returns the id of the form with these options, storing it if it is new.
    ///
    /// Both lists are sorted and without duplicates, and the form is canonical.
    pub(crate) fn intern(
        &self,
        left: &[ValueId],
        right: &[ValueId],
        header: Header,
    ) -> Result<ValueId, ArenaError> {
        let most = left.len().max(right.len());
        if most > OPTIONS_MAX {
            return Err(ArenaError::TooManyOptions(most));
        }
        if header.birthday > BIRTHDAY_MAX {
            return Err(ArenaError::TooDeep(header.birthday));
        }
        // Of the form and its negative the record holds the one whose lists come first.
        let mirrored = |side: &[ValueId]| {
            let mut side: Vec<ValueId> = side.iter().map(|option| option.negative()).collect();
            side.sort_unstable();
            side
        };
        let by_length = left.len().cmp(&right.len());
        let (negative_left, negative_right);
        let order = if by_length.is_eq() {
            (negative_left, negative_right) = (mirrored(right), mirrored(left));
            (left, right).cmp(&(&negative_left[..], &negative_right[..]))
        } else if by_length.is_gt() {
            (negative_left, negative_right) = (mirrored(right), mirrored(left));
            by_length
        } else {
            (negative_left, negative_right) = (Vec::new(), Vec::new());
            by_length
        };
        if order.is_gt() {
            let header = Header {
                left_stop: -header.right_stop,
                right_stop: -header.left_stop,
                ..header
            };
            let id = self.intern_oriented(&negative_left, &negative_right, header, false)?;
            return Ok(ValueId(id.0 | ValueId::NEGATED));
        }
        self.intern_oriented(left, right, header, order.is_eq())
    }

    fn intern_oriented(
        &self,
        left: &[ValueId],
        right: &[ValueId],
        header: Header,
        symmetric: bool,
    ) -> Result<ValueId, ArenaError> {
        let hash = hash_options(left, right);
        let mut table = lock(&self.interned[(hash >> 40) as usize % SHARDS]);
        let same = |&raw: &u32| {
            let form = self.form(ValueId(raw));
            form.counts() == (left.len(), right.len())
                && form.left().eq(left.iter().copied())
                && form.right().eq(right.iter().copied())
        };
        if let Some(&raw) = table.find(hash, same) {
            return Ok(ValueId(raw));
        }
        let raw =
            self.append(left, right, header)? << 2 | if symmetric { ValueId::SYMMETRIC } else { 0 };
        let stops = (header.left_stop, header.right_stop);
        if PackedStop::new(stops.0).fixed().is_none() || PackedStop::new(stops.1).fixed().is_none()
        {
            lock(&self.exact_stops).insert(raw, stops);
        }
        let before = table.capacity();
        table.insert_unique(hash, raw, |&raw| {
            let form = self.form(ValueId(raw));
            hash_ids(form.left().chain(form.right()), form.counts().0)
        });
        // A slot is four bytes and a control byte; the table is at most seven eighths full.
        let grown = (table.capacity() - before) as u64;
        self.table_bytes.fetch_add(grown * 5 * 8 / 7, Relaxed);
        self.forms.fetch_add(1, Relaxed);
        Ok(ValueId(raw))
    }

    /// Writes a record and returns its place, in pairs of words.
    ///
    /// Readers learn of the record only through an id that reaches them through a lock (the
    /// interning table here, the memo elsewhere), so relaxed stores suffice.
    fn append(
        &self,
        left: &[ValueId],
        right: &[ValueId],
        header: Header,
    ) -> Result<u32, ArenaError> {
        const CHUNK_PAIRS: u64 = (CHUNK_WORDS / 2) as u64;
        let left_stop = PackedStop::new(header.left_stop);
        let right_stop = PackedStop::new(header.right_stop);
        let words = HEADER_WORDS + left.len() + right.len();
        let pairs = words.div_ceil(2) as u64;
        let place = |next: u64| {
            let within = next % CHUNK_PAIRS;
            if within + pairs > CHUNK_PAIRS {
                next - within + CHUNK_PAIRS
            } else {
                next
            }
        };
        let next = self
            .next
            .fetch_update(Relaxed, Relaxed, |next| {
                let end = place(next) + pairs;
                (end <= CHUNK_PAIRS * CHUNKS as u64).then_some(end)
            })
            .map_err(|_| ArenaError::Full)?;
        let start = place(next);
        let chunk = self.chunks[(start / CHUNK_PAIRS) as usize]
            .get_or_init(|| (0..CHUNK_WORDS).map(|_| AtomicU32::new(0)).collect());
        let record = &chunk[(start % CHUNK_PAIRS) as usize * 2..];
        let head = [
            left.len() as u32 | (right.len() as u32) << 16,
            u32::from(header.flags.0) << 24 | header.birthday,
            left_stop.0 as u32,
            right_stop.0 as u32,
        ];
        let options = left.iter().chain(right).map(|option| option.0);
        for (word, value) in record.iter().zip(head.into_iter().chain(options)) {
            word.store(value, Relaxed);
        }
        Ok(start as u32)
    }
}

/// Locks a table. A panic elsewhere while it was held leaves it whole: every step appends.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn hash_options(left: &[ValueId], right: &[ValueId]) -> u64 {
    hash_ids(left.iter().chain(right).copied(), left.len())
}

/// Hashes a list of ids by multiplying and folding, a word at a time.
fn hash_ids(ids: impl Iterator<Item = ValueId>, left_len: usize) -> u64 {
    const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
    let fold = |hash: u64, word: u64| {
        let product = u128::from(hash ^ word).wrapping_mul(u128::from(MULTIPLIER));
        (product as u64) ^ (product >> 64) as u64
    };
    let start = fold(MULTIPLIER.rotate_left(17), left_len as u64 + 1);
    let hash = ids.fold(start, |hash, id| fold(hash.rotate_left(5), u64::from(id.0)));
    hash.wrapping_mul(MULTIPLIER)
}
