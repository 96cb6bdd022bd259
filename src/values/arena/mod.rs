//! Canonical forms, hash-consed: equal values have equal [`ValueId`]s.
//!
//! The arena is append-only and shared by all workers. A form and its negative share one record;
//! the negative is the same id with its sign bit set, so negation costs nothing. Beside its options
//! a record holds both stops, the birthday and the kind, which decide most comparisons without
//! recursion.
//!
//! Invariant: every stored form is canonical (no dominated and no reversible options, each option
//! canonical in turn), its option lists are sorted by id and without duplicates. [`Calculator`]
//! establishes this; the arena itself only stores and looks up.
//!
//! The hash of its options assigns each [record](record) to one of 256 [stripes](stripe). Each
//! stripe has its own chunks and its own hash table, so workers seldom wait for one another. Forms
//! that are their own negatives have a separate stripe, so their ids reveal them; so have forms with
//! more options than a chunk holds. A form costs 4 + 4 (options) bytes, 16 more if its record is
//! long, for it and its negative, and 5 bytes in the table. Records of Sowing `1^13` to `1^16` take
//! 14.1 to 14.5 bytes, those of `1^18` take 18.1.
//!
//! [`Calculator`]: super::Calculator

mod chunks;
mod edge_table;
mod error;
mod id;
mod infinitesimals;
mod recent;
mod record;
mod snapshot;
mod stripe;

use std::collections::HashMap;
use std::sync::Mutex;

use seedbank_memory::{Padded, lock};

use super::Dyadic;
use chunks::Chunks;
pub use error::{ArenaError, BIRTHDAY_MAX, INTEGER_MAX, OPTIONS_MAX};
pub use id::ValueId;
use id::{CHUNK_WORDS, LONG_STRIPE, STRIPES, SYMMETRIC_STRIPE, WHOLE_REGIONS};
pub(crate) use infinitesimals::InfinitesimalSet;
pub(crate) use recent::Recent;
use record::hash_ids;
pub(crate) use record::{Edge, Flags, Head, Header, Options, PackedStop, STOP_SHIFT};
pub use record::{Form, Ids};
pub use snapshot::{ExactStops, Extent};
use stripe::Stripe;

/// The append-only store of canonical forms.
///
/// ```
/// use cgvalues::{Arena, ValueId};
///
/// let arena = Arena::new();
/// let star = arena.calculator().nimber(1)?;
/// assert_eq!(arena.left_options(star), [ValueId::ZERO]);
/// assert_eq!(star.negative(), star);
/// # Ok::<(), cgvalues::ArenaError>(())
/// ```
pub struct Arena {
    chunks: Chunks,
    stripes: Box<[Padded<Mutex<Stripe>>]>,
    /// Both stops, by raw id, of the few forms whose records cannot hold them.
    exact_stops: Mutex<HashMap<u32, (Dyadic, Dyadic)>>,
}

impl Default for Arena {
    fn default() -> Arena {
        Arena::new()
    }
}

impl Arena {
    /// Returns an arena that holds only the form 0.
    pub fn new() -> Arena {
        let stripes = 0..STRIPES + WHOLE_REGIONS;
        let stripes = stripes.map(|index| Padded(Mutex::new(Stripe::new(index))));
        let arena = Arena {
            chunks: Chunks::new(),
            stripes: stripes.collect(),
            exact_stops: Mutex::new(HashMap::new()),
        };
        let header = Header {
            flags: Flags::ALL,
            birthday: 0,
            up: Edge::of_number(Dyadic::ZERO),
            down: Edge::of_number(Dyadic::ZERO),
        };
        let id = arena
            .intern(&[], &[], || header, None, &mut Recent::default())
            .expect("an empty arena holds a form");
        assert_eq!(id, ValueId::ZERO, "the first form has the first id");
        arena
    }

    /// Returns the number of forms stored, a form and its negative counting once.
    pub fn len(&self) -> u64 {
        self.sum(Stripe::forms)
    }

    /// Returns false: every arena holds the form 0.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Returns the bytes that records and the interning table take.
    pub fn bytes(&self) -> u64 {
        self.sum(|stripe| stripe.records_bytes() + stripe.table_bytes())
    }

    /// Returns the bytes that records take.
    pub fn records_bytes(&self) -> u64 {
        self.sum(Stripe::records_bytes)
    }

    /// Returns the bytes that the interning table takes.
    pub fn table_bytes(&self) -> u64 {
        self.sum(Stripe::table_bytes)
    }

    // PERF: counters that all workers add to cost each of two workers on Sowing 1^14 about 2 % of
    // its time.
    fn sum(&self, count: impl Fn(&Stripe) -> u64) -> u64 {
        self.stripes
            .iter()
            .map(|stripe| count(&lock(&stripe.0)))
            .sum()
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

    /// Returns the Left stop: the number reached when Left starts and both play well until a
    /// number.
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

    /// Returns whether the form is an infinitesimal: less than every positive number and greater
    /// than every negative one. Such are the games whose stops are both 0 (Siegel, Combinatorial
    /// Game Theory, section II.3).
    ///
    /// ```
    /// use cgvalues::Arena;
    ///
    /// let arena = Arena::new();
    /// let mut c = arena.calculator();
    /// for (text, expected) in [("0", true), ("^*", true), ("Tiny(2)", true), ("1*", false), ("+-1", false)] {
    ///     assert_eq!(arena.is_infinitesimal(c.parse(text)?), expected);
    /// }
    /// # Ok::<(), cgvalues::ParseValueError>(())
    /// ```
    pub fn is_infinitesimal(&self, id: ValueId) -> bool {
        self.stops_agree(id) && self.left_stop(id) == Dyadic::ZERO
    }

    /// Returns whether the Left stop is the Right stop: the form is a number or infinitesimally
    /// close to one.
    pub(crate) fn stops_agree(&self, id: ValueId) -> bool {
        let head = self.form(id).head();
        if head.is_known() {
            head.up_stop.fixed() == -head.down_stop.fixed()
        } else {
            self.left_stop(id) == self.right_stop(id)
        }
    }

    /// Returns the Left stop of a form whose record cannot hold it.
    fn exact_stop(&self, id: ValueId) -> Dyadic {
        let stops = lock(&self.exact_stops);
        let (left, right) = stops[&id.unsigned().0];
        if id.is_negated() { -right } else { left }
    }

    /// Returns the options of a form, which lie in the arena.
    ///
    /// # Panics
    ///
    /// If the form is of another arena, which is not always noticed.
    #[inline]
    pub fn form(&self, id: ValueId) -> Form<'_> {
        self.chunks.form(id)
    }

    /// Prefetches the record of a form that will be read soon.
    #[inline]
    pub fn prefetch(&self, id: ValueId) {
        self.chunks.prefetch(id);
    }

    /// Returns the edges of a form and its negative.
    #[inline(always)]
    pub(crate) fn head(&self, id: ValueId) -> Head {
        self.form(id).head()
    }

    /// Returns the id of the form with these options, storing it if it is new.
    ///
    /// `left` has Left's options and `negative_left` the negatives of Right's; both are sorted and
    /// without duplicates, and the form is canonical. `header` is called only when the form is new.
    /// `stops` holds the stops when they may not fit a record.
    #[inline]
    pub(crate) fn intern(
        &self,
        left: &[ValueId],
        negative_left: &[ValueId],
        header: impl FnOnce() -> Header,
        stops: Option<(Dyadic, Dyadic)>,
        recent: &mut Recent,
    ) -> Result<ValueId, ArenaError> {
        let options = Options {
            left,
            negative_left,
        };
        // The record holds the form or its negative, whichever has the lists that come first.
        let order = left
            .len()
            .cmp(&negative_left.len())
            .then_with(|| left.cmp(negative_left));
        if order.is_le() {
            return self.intern_oriented(options, header, order.is_eq(), stops, recent);
        }
        let negative = || {
            let header = header();
            Header {
                up: header.down,
                down: header.up,
                ..header
            }
        };
        let stops = stops.map(|(left, right)| (-right, -left));
        let id = self.intern_oriented(options.negative(), negative, false, stops, recent)?;
        Ok(ValueId(id.0 | ValueId::NEGATED))
    }

    #[inline]
    fn intern_oriented(
        &self,
        options: Options<'_>,
        header: impl FnOnce() -> Header,
        symmetric: bool,
        stops: Option<(Dyadic, Dyadic)>,
        recent: &mut Recent,
    ) -> Result<ValueId, ArenaError> {
        let hash = hash_ids(options.iter().map(|id| id.0), options.left.len());
        if let Some(id) = recent.get(hash)
            && self.form(id).has_options(options)
        {
            return Ok(id);
        }
        let index = if symmetric {
            SYMMETRIC_STRIPE
        } else if record::words_max(options) > CHUNK_WORDS {
            LONG_STRIPE
        } else {
            (hash >> 56) as usize % STRIPES
        };
        let mut stripe = lock(&self.stripes[index].0);
        let (id, is_new) = stripe.intern(&self.chunks, options, hash, header)?;
        if is_new
            && let Some(stops) = stops
            && !self.head(id).is_known()
        {
            // The stripe is still locked, so no other worker knows the form yet.
            lock(&self.exact_stops).insert(id.0, stops);
        }
        recent.note(hash, id);
        Ok(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Records of all lengths are found again after the tables have grown, even those longer than a
    /// chunk. The byte counts are those of the records and the slots.
    #[test]
    fn forms_are_found_again_and_counted() {
        let arena = Arena::new();
        let header = || Header {
            flags: Flags::NONE,
            birthday: 1,
            up: Edge::of_number(Dyadic::ONE),
            down: Edge::of_number(Dyadic::ONE),
        };
        // The arena does not check that options exist or that a form is canonical.
        let ids = |from: u32, len: usize| -> Vec<ValueId> {
            let raw = (1 << 30) + 2 * from;
            (0..len as u32).map(|i| ValueId(raw + 2 * i)).collect()
        };
        let lists = |i: u32| {
            let (left, right) = match i % 1000 {
                999 => (OPTIONS_MAX, OPTIONS_MAX - i as usize / 1000),
                // Nearly a chunk.
                k if k % 100 == 50 => (2000, 2000 - i as usize / 100),
                _ => (1 + i as usize % 7, 1 + i as usize % 9),
            };
            (ids(i, left), ids(2 * i + 1, right))
        };
        let intern = |i: u32| {
            let (left, right) = lists(i);
            arena
                .intern(&left, &right, header, None, &mut Recent::default())
                .unwrap()
        };
        let forms = 5_000;
        let made: Vec<ValueId> = (0..forms).map(intern).collect();
        assert_eq!(arena.len(), 1 + u64::from(forms));
        let mut words = 1;
        for (i, &id) in (0..forms).zip(&made) {
            assert_eq!(intern(i), id);
            let (left, right) = lists(i);
            assert_eq!(arena.left_options(id), left);
            let negatives: Vec<ValueId> = right.iter().map(|id| id.negative()).collect();
            assert_eq!(arena.right_options(id), negatives);
            assert_eq!(arena.left_stop(id), Dyadic::ONE);
            assert_eq!(arena.right_stop(id), -Dyadic::ONE);
            let mirrored = arena
                .intern(&right, &left, header, None, &mut Recent::default())
                .unwrap();
            assert_eq!(mirrored, id.negative());
            let head = if left.len().max(right.len()) > 3 {
                5
            } else {
                1
            };
            words += head + left.len() as u64 + right.len() as u64;
        }
        assert_eq!(arena.len(), 1 + u64::from(forms));
        // A chunk ends with words too few for the next record; fifty records nearly fill one.
        let spared = arena.records_bytes() - 4 * words;
        assert!(spared < 4 * 60 * CHUNK_WORDS as u64, "{spared}");
        let slots = arena.table_bytes() / 4;
        assert!((u64::from(forms) * 10 / 9..u64::from(forms) * 2).contains(&slots));
    }

    #[test]
    fn what_a_record_cannot_hold_is_refused() {
        let arena = Arena::new();
        let intern = |options: usize, birthday: u32| {
            let left: Vec<ValueId> = (0..options as u32)
                .map(|i| ValueId((1 << 30) + 2 * i))
                .collect();
            let edge = Edge::of_number(Dyadic::ONE);
            let header = Header {
                flags: Flags::DICOTIC,
                birthday,
                up: edge,
                down: edge,
            };
            let id = arena.intern(
                &left,
                &[ValueId::ZERO],
                || header,
                None,
                &mut Recent::default(),
            )?;
            assert_eq!(arena.birthday(id), birthday);
            assert!(arena.is_dicotic(id) && arena.number(id).is_none());
            Ok(id)
        };
        for birthday in [1, 2, 31, 32, 255, 256, BIRTHDAY_MAX] {
            intern(birthday as usize % 50 + 1, birthday).unwrap();
        }
        assert_eq!(
            intern(OPTIONS_MAX + 1, 1),
            Err(ArenaError::TooManyOptions(OPTIONS_MAX + 1))
        );
        assert_eq!(
            intern(60, BIRTHDAY_MAX + 1),
            Err(ArenaError::TooDeep(BIRTHDAY_MAX + 1))
        );
        assert_eq!(arena.len(), 8);
    }
}
