//! The tables of the memo: open addressing, so a lookup reads one place in memory.
//!
//! An entry is a key and a value, `W` words together, in the home slot of the key's hash or the
//! first free one after it. At most three slots in four are occupied. The hash alone determines the
//! address that a lookup reads, so several addresses can be [prefetched](Hint::prefetch) before the
//! first is read.

use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering::Relaxed};

use seedbank_memory::prefetch;

/// The number of slots of a table when it gets its first entry.
const SLOTS_FIRST: usize = 16;

/// Entries of `W` words: the words of the key, then a nonzero value.
#[derive(Debug, Default)]
pub(super) struct Slots<const W: usize> {
    /// A slot with the value zero is free.
    slots: Vec<[u32; W]>,
    len: usize,
}

impl<const W: usize> Slots<W> {
    /// Returns the value of a key, given its words and its hash.
    #[inline]
    pub(super) fn get(&self, key: &[u32], hash: u64) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let from = home(hash, self.slots.len());
        let (before, after) = self.slots.split_at(from);
        for slot in after.iter().chain(before) {
            let value = slot[W - 1];
            if value == 0 || slot[..W - 1] == *key {
                return (value != 0).then_some(value);
            }
        }
        unreachable!("some slot is free")
    }

    /// Adds an entry whose key is not in the table, given the hashes of all entries.
    pub(super) fn insert(&mut self, entry: [u32; W], hash: impl Fn(&[u32; W]) -> u64) {
        debug_assert_ne!(entry[W - 1], 0);
        if self.is_full(self.len + 1) {
            let slots = vec![[0; W]; self.slots_next()];
            let old = std::mem::replace(&mut self.slots, slots);
            for entry in old.into_iter().filter(|entry| entry[W - 1] != 0) {
                self.put(entry, hash(&entry));
            }
        }
        self.put(entry, hash(&entry));
        self.len += 1;
    }

    /// Puts an entry into the slot where a lookup finds it.
    fn put(&mut self, entry: [u32; W], hash: u64) {
        let from = home(hash, self.slots.len());
        let is_free = |slot: &[u32; W]| slot[W - 1] == 0;
        let (before, after) = self.slots.split_at_mut(from);
        let mut slots = after.iter_mut().chain(before);
        *slots.find(|slot| is_free(slot)).expect("some slot is free") = entry;
    }

    /// Returns the number of entries.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Returns the memory of the table in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.slots)
    }

    /// Returns the bytes by which the table is about to grow. That is so from fourteen fifteenths
    /// of its capacity on, unless it is tiny.
    pub(super) fn growth(&self) -> usize {
        if self.is_full(self.len + self.len / 14) {
            self.slots_next() * size_of::<[u32; W]>() - self.bytes()
        } else {
            0
        }
    }

    fn is_full(&self, len: usize) -> bool {
        4 * len > 3 * self.slots.len()
    }

    /// Returns the number of slots after the next growth.
    fn slots_next(&self) -> usize {
        SLOTS_FIRST.max(self.slots.len() + self.slots.len() / 2)
    }
}

/// Returns the home of a hash among `slots` slots.
#[inline]
fn home(hash: u64, slots: usize) -> usize {
    // Bits from the 44th on select the table.
    ((u128::from(hash << 20) * slots as u128) >> 64) as usize
}

/// The address of a table's slots, for threads that do not hold its lock.
#[derive(Debug, Default)]
pub(super) struct Hint<const W: usize> {
    first: AtomicPtr<[u32; W]>,
    slots: AtomicUsize,
}

impl<const W: usize> Hint<W> {
    /// Updates the address of the slots.
    pub(super) fn set(&self, table: &mut Slots<W>) {
        let first = if table.slots.is_empty() {
            ptr::null_mut()
        } else {
            table.slots.as_mut_ptr()
        };
        self.first.store(first, Relaxed);
        self.slots.store(table.slots.len(), Relaxed);
    }

    /// Prefetches the home slot of a hash. While the table grows, it may prefetch some other
    /// address, which is harmless.
    #[inline]
    pub(super) fn prefetch(&self, hash: u64) {
        let slot = home(hash, self.slots.load(Relaxed));
        prefetch(self.first.load(Relaxed).wrapping_add(slot).cast_const());
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    /// A hash that crowds keys at the end, so that entries wrap around to the beginning.
    fn crowding(entry: &[u32; 3]) -> u64 {
        (u64::from(entry[0] % 7) | 0xFFFF_FFF8) << 12
    }

    #[test]
    fn a_table_is_a_map_whatever_the_hash() {
        let mut table = Slots::<3>::default();
        let mut map = HashMap::new();
        assert_eq!((table.get(&[1, 2], 5), table.bytes()), (None, 0));
        for i in 0..600u32 {
            let key = [i.wrapping_mul(0x9e37_79b9), i % 5];
            let entry = [key[0], key[1], i + 1];
            assert_eq!(table.get(&key, crowding(&entry)), None);
            let (bytes, growth) = (table.bytes(), table.growth());
            table.insert(entry, crowding);
            let unforeseen = table.bytes() - bytes > growth;
            assert!(!unforeseen || i < 14, "growth is foreseen: {i}");
            map.insert(key, i + 1);
            assert_eq!(table.len(), map.len());
            assert!(4 * table.len() * 12 <= 3 * table.bytes());
        }
        for (key, value) in map {
            let hash = crowding(&[key[0], key[1], 0]);
            assert_eq!(table.get(&key, hash), Some(value));
            assert_eq!(table.get(&[key[0], 9], hash), None);
        }
    }
}
