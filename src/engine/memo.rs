//! The memo: values of positions found so far, shared by all workers.
//!
//! Exact keys to value words, in 256 tables each behind its own lock. Keys below 2^64 take 12 bytes a
//! slot and longer ones 20; a table is at most seven eighths full and doubles alone, so that
//! growing never needs the whole memo twice.
//!
//! For a checkpoint the tables are [frozen](Memo::freeze): they stay readable while they are written
//! elsewhere, and are [dropped](Memo::drop_frozen) once the values can be read from there.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use hashbrown::HashTable;

use super::Word;
use crate::ruleset::Key;
use crate::value::lock;

const SHARDS: usize = 256;

/// Positions' values, shared by all workers.
pub struct Memo {
    shards: Box<[Mutex<Shard>]>,
    bytes: AtomicU64,
    entries: AtomicU64,
}

#[derive(Default)]
struct Shard {
    active: Tables,
    frozen: Option<Arc<Tables>>,
}

/// Entries by the width of their keys, key words first.
#[derive(Default)]
struct Tables {
    narrow: HashTable<[u32; 3]>,
    wide: HashTable<[u32; 5]>,
}

/// The entries of a memo at the time it was frozen.
pub struct Frozen {
    tables: Vec<Arc<Tables>>,
}

impl Default for Memo {
    fn default() -> Memo {
        Memo {
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
            bytes: AtomicU64::new(0),
            entries: AtomicU64::new(0),
        }
    }
}

impl Memo {
    /// Returns the value of a position, if it is in the memo.
    pub fn get(&self, key: Key) -> Option<Word> {
        let hash = hash(key);
        let shard = lock(self.shard(hash));
        shard
            .active
            .get(key, hash)
            .or_else(|| shard.frozen.as_ref()?.get(key, hash))
    }

    /// Adds a position's value, and returns the value that it had already, if any.
    ///
    /// The value that was there stays.
    pub fn insert(&self, key: Key, value: Word) -> Option<Word> {
        let hash = hash(key);
        let mut shard = lock(self.shard(hash));
        let there = shard
            .active
            .get(key, hash)
            .or_else(|| shard.frozen.as_ref()?.get(key, hash));
        if there.is_none() {
            let before = shard.active.bytes();
            shard.active.insert(key, hash, value);
            self.bytes.fetch_add(shard.active.bytes() - before, Relaxed);
            self.entries.fetch_add(1, Relaxed);
        }
        there
    }

    /// Returns the bytes that the tables take, frozen ones included.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Relaxed)
    }

    /// Returns the number of positions, frozen ones included.
    pub fn len(&self) -> u64 {
        self.entries.load(Relaxed)
    }

    /// Returns whether there are no positions in the memo.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Sets all entries aside, readable still, and returns them.
    ///
    /// # Panics
    ///
    /// When entries are frozen already: only one checkpoint runs at a time.
    pub fn freeze(&self) -> Frozen {
        let freeze = |shard: &Mutex<Shard>| {
            let mut shard = lock(shard);
            assert!(shard.frozen.is_none(), "only one checkpoint runs at a time");
            let tables = Arc::new(std::mem::take(&mut shard.active));
            shard.frozen = Some(Arc::clone(&tables));
            tables
        };
        Frozen {
            tables: self.shards.iter().map(freeze).collect(),
        }
    }

    /// Forgets the frozen entries, which can be read elsewhere now.
    pub fn drop_frozen(&self, frozen: Frozen) {
        for (shard, tables) in self.shards.iter().zip(frozen.tables) {
            lock(shard).frozen = None;
            self.bytes.fetch_sub(tables.bytes(), Relaxed);
            self.entries.fetch_sub(tables.len() as u64, Relaxed);
        }
    }

    fn shard(&self, hash: u64) -> &Mutex<Shard> {
        // The table inside uses the lowest and the seven highest bits.
        &self.shards[(hash >> 44) as usize % SHARDS]
    }
}

impl Frozen {
    /// Returns the number of positions.
    pub fn len(&self) -> usize {
        self.tables.iter().map(|tables| tables.len()).sum()
    }

    /// Returns whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns all positions with their values, in no defined order.
    pub fn iter(&self) -> impl Iterator<Item = (Key, Word)> + '_ {
        self.tables.iter().flat_map(|tables| tables.iter())
    }
}

impl Tables {
    fn get(&self, key: Key, hash: u64) -> Option<Word> {
        let raw = match narrow(key) {
            Some([a, b]) => self.narrow.find(hash, |entry| entry[..2] == [a, b])?[2],
            None => self.wide.find(hash, |entry| entry[..4] == words(key))?[4],
        };
        Some(Word::new(raw).expect("a memo holds words that are not zero"))
    }

    fn insert(&mut self, key: Key, hash_of_key: u64, value: Word) {
        match narrow(key) {
            Some([a, b]) => {
                let entry = [a, b, value.get()];
                self.narrow
                    .insert_unique(hash_of_key, entry, |entry| hash(key_of_narrow(entry)));
            }
            None => {
                let [a, b, c, d] = words(key);
                let entry = [a, b, c, d, value.get()];
                self.wide
                    .insert_unique(hash_of_key, entry, |entry| hash(key_of_wide(entry)));
            }
        }
    }

    fn iter(&self) -> impl Iterator<Item = (Key, Word)> + '_ {
        let word = |raw| Word::new(raw).expect("a memo holds words that are not zero");
        let narrow = self
            .narrow
            .iter()
            .map(move |entry| (key_of_narrow(entry), word(entry[2])));
        let wide = self
            .wide
            .iter()
            .map(move |entry| (key_of_wide(entry), word(entry[4])));
        narrow.chain(wide)
    }

    fn len(&self) -> usize {
        self.narrow.len() + self.wide.len()
    }

    fn bytes(&self) -> u64 {
        (self.narrow.allocation_size() + self.wide.allocation_size()) as u64
    }
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
    fn entries_stay_readable_through_a_checkpoint() {
        let memo = Memo::default();
        let keys: Vec<Key> = (1..2000u128).flat_map(|k| [k, k << 60, k << 100]).collect();
        for (i, &key) in keys.iter().enumerate() {
            assert_eq!(memo.insert(key, word(i as u32 + 1)), None);
        }
        let frozen = memo.freeze();
        assert_eq!(frozen.len(), keys.len());
        memo.insert(0, word(7));
        // A frozen value is found, and is not doubled.
        assert_eq!(memo.insert(keys[5], word(9)), Some(word(6)));
        for (i, &key) in keys.iter().enumerate() {
            assert_eq!(memo.get(key), Some(word(i as u32 + 1)));
        }
        let all: std::collections::HashMap<Key, Word> = frozen.iter().collect();
        assert_eq!(all.len(), keys.len());
        assert!(
            keys.iter()
                .enumerate()
                .all(|(i, key)| all[key] == word(i as u32 + 1))
        );
        memo.drop_frozen(frozen);
        assert_eq!(
            (memo.len(), memo.get(0), memo.get(keys[5])),
            (1, Some(word(7)), None)
        );
    }

    #[test]
    fn bytes_are_counted_and_given_back() {
        let memo = Memo::default();
        for key in 0..100_000 {
            memo.insert(key, word(1));
        }
        assert!(
            (1_300_000..4_000_000).contains(&memo.bytes()),
            "{}",
            memo.bytes()
        );
        let frozen = memo.freeze();
        memo.drop_frozen(frozen);
        assert_eq!(memo.bytes(), 0);
    }
}
