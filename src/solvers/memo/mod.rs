//! The memo: values of positions found so far, shared by all workers.
//!
//! It maps exact keys to value words, in 256 [tables](table) for each of two widths of keys; two
//! tables share a lock. A slot takes 12 bytes for keys below 2^64 and 20 for longer ones. A table
//! is at most three quarters full and grows by half. Tables grow one by one, so growth never needs
//! the whole memo twice.
//!
//! For checkpoints the memo can list the keys that are not stored elsewhere yet. Entries stay after
//! they have been stored, so checkpoints do not slow a run down. Only when memory is short are they
//! [forgotten](Memo::forget_stored) and looked up in the store.

mod table;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use cggames::board::Key;
use seedbank_memory::Padded;
use seedbank_memory::lock;

use self::table::{Hint, Slots};
use super::Word;

const STRIPES: usize = 256;

/// Positions' values, shared by all workers.
pub struct Memo {
    stripes: Box<[Padded<Mutex<Stripe>>]>,
    /// The addresses of each stripe's tables.
    hints: Box<[Hints]>,
    bytes: AtomicU64,
    /// Whether keys that are not stored elsewhere are listed.
    lists_unstored: bool,
}

#[derive(Default)]
struct Stripe {
    tables: Tables,
    unstored: Unstored,
}

/// The tables of a stripe, by the width of their keys.
#[derive(Default)]
struct Tables {
    narrow: Slots<3>,
    wide: Slots<5>,
}

/// The addresses of tables.
#[derive(Default)]
struct Hints {
    narrow: Hint<3>,
    wide: Hint<5>,
}

/// Lists of unstored keys, by width.
#[derive(Default)]
struct Unstored {
    narrow: Vec<u64>,
    wide: Vec<Key>,
}

impl Memo {
    /// Returns an empty memo; with `lists_unstored` it lists keys that are not stored elsewhere.
    pub fn new(lists_unstored: bool) -> Memo {
        Memo {
            stripes: (0..STRIPES).map(|_| Padded::default()).collect(),
            hints: (0..STRIPES).map(|_| Hints::default()).collect(),
            bytes: AtomicU64::new(0),
            lists_unstored,
        }
    }

    /// Returns the value of a position, if it is in the memo.
    pub fn get(&self, key: Key) -> Option<Word> {
        let hash = hash(key);
        lock(self.stripe(hash)).tables.get(key, hash)
    }

    /// Prefetches the memory that [`get`](Memo::get) will read for a position.
    #[inline]
    pub fn prefetch(&self, key: Key) {
        let hash = hash(key);
        let hints = &self.hints[stripe_of(hash)];
        match narrow(key) {
            Some(_) => hints.narrow.prefetch(hash),
            None => hints.wide.prefetch(hash),
        }
    }

    /// Adds a position's value, and returns the existing value, if any.
    ///
    /// An existing value stays.
    pub fn insert(&self, key: Key, value: Word) -> Option<Word> {
        self.add(key, value, self.lists_unstored)
    }

    /// Adds a position's value that was looked up in a store.
    pub fn insert_stored(&self, key: Key, value: Word) {
        self.add(key, value, false);
    }

    fn add(&self, key: Key, value: Word, unstored: bool) -> Option<Word> {
        let hash = hash(key);
        let mut stripe = lock(self.stripe(hash));
        let there = stripe.tables.get(key, hash);
        if there.is_none() {
            let before = stripe.bytes();
            stripe.tables.insert(key, value);
            if unstored {
                stripe.unstored.push(key);
            }
            let grown = stripe.bytes() - before;
            // PERF: a counter that all workers update at every position would slow them down.
            if grown > 0 {
                self.bytes.fetch_add(grown, Relaxed);
                self.publish_hints(stripe_of(hash), &mut stripe.tables);
            }
        }
        there
    }

    /// Returns the memory of the memo in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Relaxed)
    }

    /// Returns the memory of the memo in bytes once its nearly full tables have grown.
    pub fn bytes_soon(&self) -> u64 {
        self.bytes() + self.growth()
    }

    /// Returns the bytes that will be added when the nearly full tables grow.
    ///
    /// Keys are spread evenly, so all 256 tables fill up and grow at nearly the same time: memory
    /// use can jump within a moment.
    pub fn growth(&self) -> u64 {
        self.sum(|stripe| stripe.tables.growth())
    }

    /// Returns the number of positions in the memo.
    pub fn len(&self) -> u64 {
        self.sum(|stripe| stripe.tables.len())
    }

    /// Returns whether there are no positions in the memo.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of positions listed as not stored elsewhere.
    pub fn unstored(&self) -> u64 {
        self.sum(|stripe| stripe.unstored.len())
    }

    fn sum(&self, count: impl Fn(&Stripe) -> usize) -> u64 {
        let stripes = self.stripes.iter();
        stripes.map(|stripe| count(&lock(&stripe.0)) as u64).sum()
    }

    /// Returns the positions that are not stored elsewhere, with their values, in arbitrary order,
    /// and clears the list: the caller must store them.
    pub fn take_unstored(&self) -> Vec<(Key, Word)> {
        let mut taken = Vec::with_capacity(self.unstored() as usize);
        for stripe in &self.stripes {
            let mut stripe = lock(&stripe.0);
            let before = stripe.bytes();
            let keys = std::mem::take(&mut stripe.unstored);
            self.bytes.fetch_sub(before - stripe.bytes(), Relaxed);
            taken.extend(keys.iter().map(|key| {
                let value = stripe.tables.get(key, hash(key));
                (key, value.expect("a key that is listed is in the table"))
            }));
        }
        taken
    }

    /// Forgets all entries that are stored elsewhere, which frees nearly all memory.
    pub fn forget_stored(&self) {
        for (i, stripe) in self.stripes.iter().enumerate() {
            let mut stripe = lock(&stripe.0);
            let before = stripe.bytes();
            let old = std::mem::take(&mut stripe.tables);
            let Stripe { tables, unstored } = &mut *stripe;
            for key in unstored.iter() {
                let hash = hash(key);
                let value = old
                    .get(key, hash)
                    .expect("a key that is listed is in the table");
                tables.insert(key, value);
            }
            self.publish_hints(i, tables);
            self.bytes.fetch_sub(before - stripe.bytes(), Relaxed);
        }
    }

    fn stripe(&self, hash: u64) -> &Mutex<Stripe> {
        &self.stripes[stripe_of(hash)].0
    }

    /// Publishes the addresses of a stripe's tables.
    fn publish_hints(&self, stripe: usize, tables: &mut Tables) {
        self.hints[stripe].narrow.set(&mut tables.narrow);
        self.hints[stripe].wide.set(&mut tables.wide);
    }
}

impl Stripe {
    fn bytes(&self) -> u64 {
        self.tables.bytes() + self.unstored.bytes()
    }
}

impl Unstored {
    fn push(&mut self, key: Key) {
        match u64::try_from(key) {
            Ok(narrow) => self.narrow.push(narrow),
            Err(_) => self.wide.push(key),
        }
    }

    fn iter(&self) -> impl Iterator<Item = Key> + '_ {
        self.narrow
            .iter()
            .map(|&key| Key::from(key))
            .chain(self.wide.iter().copied())
    }

    fn len(&self) -> usize {
        self.narrow.len() + self.wide.len()
    }

    fn bytes(&self) -> u64 {
        (self.narrow.capacity() * 8 + self.wide.capacity() * 16) as u64
    }
}

impl Tables {
    fn get(&self, key: Key, hash: u64) -> Option<Word> {
        let raw = match narrow(key) {
            Some(words) => self.narrow.get(&words, hash),
            None => self.wide.get(&words(key), hash),
        };
        raw.map(|raw| Word::new(raw).expect("a memo holds words that are not zero"))
    }

    fn insert(&mut self, key: Key, value: Word) {
        let value = value.get();
        match narrow(key) {
            Some([a, b]) => {
                let hash = |entry: &[u32; 3]| hash(key_of_narrow(entry));
                self.narrow.insert([a, b, value], hash);
            }
            None => {
                let [a, b, c, d] = words(key);
                let hash = |entry: &[u32; 5]| hash(key_of_wide(entry));
                self.wide.insert([a, b, c, d, value], hash);
            }
        }
    }

    fn len(&self) -> usize {
        self.narrow.len() + self.wide.len()
    }

    fn growth(&self) -> usize {
        self.narrow.growth() + self.wide.growth()
    }

    fn bytes(&self) -> u64 {
        (self.narrow.bytes() + self.wide.bytes()) as u64
    }
}

/// Returns the stripe of a hash.
#[inline]
fn stripe_of(hash: u64) -> usize {
    // The tables use the bits below.
    (hash >> 44) as usize % STRIPES
}

fn narrow(key: Key) -> Option<[u32; 2]> {
    let low = u64::try_from(key).ok()?;
    Some([low as u32, (low >> 32) as u32])
}

fn words(key: Key) -> [u32; 4] {
    [
        key as u32,
        (key >> 32) as u32,
        (key >> 64) as u32,
        (key >> 96) as u32,
    ]
}

fn key_of_narrow(entry: &[u32; 3]) -> Key {
    Key::from(entry[0]) | Key::from(entry[1]) << 32
}

fn key_of_wide(entry: &[u32; 5]) -> Key {
    (0..4).map(|i| Key::from(entry[i]) << (32 * i)).sum()
}

fn hash(key: Key) -> u64 {
    const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
    let high = ((key >> 64) as u64)
        .wrapping_mul(0xd6e8_feb8_6659_fd93)
        .rotate_left(32);
    let product = u128::from(key as u64 ^ high ^ MULTIPLIER) * u128::from(MULTIPLIER);
    ((product as u64) ^ (product >> 64) as u64).wrapping_mul(0xff51_afd7_ed55_8ccd)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(raw: u32) -> Word {
        Word::new(raw).unwrap()
    }

    #[test]
    fn entries_stay_readable_through_a_checkpoint_and_are_listed_once() {
        let memo = Memo::new(true);
        let keys: Vec<Key> = (1..2000u128).flat_map(|k| [k, k << 60, k << 100]).collect();
        for (i, &key) in keys.iter().enumerate() {
            assert_eq!(memo.insert(key, word(i as u32 + 1)), None);
        }
        memo.insert_stored(5 << 70, word(99));
        assert_eq!(memo.unstored(), keys.len() as u64);
        let taken: std::collections::HashMap<Key, Word> =
            memo.take_unstored().into_iter().collect();
        assert_eq!(taken.len(), keys.len());
        assert!(
            keys.iter()
                .enumerate()
                .all(|(i, key)| taken[key] == word(i as u32 + 1))
        );
        // Stored entries are still there, once, and are not listed again.
        memo.insert(0, word(7));
        assert_eq!(memo.insert(keys[5], word(9)), Some(word(6)));
        for (i, &key) in keys.iter().enumerate() {
            assert_eq!(memo.get(key), Some(word(i as u32 + 1)));
        }
        assert_eq!(memo.unstored(), 1);
        memo.forget_stored();
        assert_eq!(
            (memo.len(), memo.get(0), memo.get(keys[5])),
            (1, Some(word(7)), None)
        );
        assert_eq!(memo.get(5 << 70), None);
        assert_eq!(memo.take_unstored(), [(0, word(7))]);
    }

    #[test]
    fn what_is_about_to_double_is_counted_before_it_does() {
        let memo = Memo::new(false);
        let mut soon = 0;
        for key in 0..200_000 {
            memo.insert(key * 7, word(1));
            if key % 200 == 0 {
                // A few of the small tables may fill up and grow between two checks.
                let counted = soon + soon / 8 + (1 << 16);
                assert!(memo.bytes() <= counted, "{key}: {counted}");
                soon = memo.bytes_soon();
            }
        }
    }

    #[test]
    fn bytes_are_counted_and_given_back() {
        let memo = Memo::new(false);
        for key in 0..100_000 {
            memo.insert(key, word(1));
        }
        assert!(
            (1_300_000..4_000_000).contains(&memo.bytes()),
            "{}",
            memo.bytes()
        );
        assert!(memo.take_unstored().is_empty());
        memo.forget_stored();
        assert_eq!((memo.bytes(), memo.len()), (0, 0));
    }
}
