//! A lossy memo of comparisons: two direct-mapped tables of bounded size.
//!
//! Slot and entry together determine the pair of values, so the memo forgets answers but never
//! gives a wrong one.

use crate::ValueId;

/// Entries of the first memo: 8 bytes each, so that it stays in the first-level cache.
// PERF: of 2^10, 2^12, 2^14, 2^16 and 2^18 entries the smallest number is the fastest (0.55 to 0.68
// CPU s for all of Sowing 1^13), although it holds 15 % of the answers instead of 20 %.
const FIRST_ENTRIES: usize = 1 << 10;

/// Entries of the second memo, which serves only long comparisons.
const SECOND_ENTRIES: usize = 1 << 16;

/// Comparisons that one query may decide by play before it uses the second memo.
const PLAYS_WITHOUT_SECOND: u32 = 64;

/// The latest answers, in two tables. An empty entry is the pair of no values.
#[derive(Default)]
pub(super) struct OrderMemo {
    first: Box<[u64]>,
    second: Box<[u64]>,
    /// Comparisons decided by play since the last call of [`start`](Self::start).
    plays: u32,
}

impl OrderMemo {
    /// Starts a query: resets the count of comparisons.
    #[inline]
    pub(super) fn start(&mut self) {
        self.plays = 0;
    }

    #[inline]
    pub(super) fn get(&mut self, key: &MemoKey) -> Option<bool> {
        let entry = *self.first.get(key.mixed as usize % FIRST_ENTRIES)?;
        if entry & !1 == key.pair {
            return Some(entry & 1 != 0);
        }
        self.plays += 1;
        if self.plays <= PLAYS_WITHOUT_SECOND {
            return None;
        }
        let entry = *self.second.get(key.mixed as usize % SECOND_ENTRIES)?;
        (entry & !1 == key.pair).then_some(entry & 1 != 0)
    }

    #[inline]
    pub(super) fn insert(&mut self, key: &MemoKey, holds: bool) {
        let entry = key.pair | u64::from(holds);
        if self.first.is_empty() {
            self.first = vec![0; FIRST_ENTRIES].into_boxed_slice();
        }
        self.first[key.mixed as usize % FIRST_ENTRIES] = entry;
        if self.plays > PLAYS_WITHOUT_SECOND {
            if self.second.is_empty() {
                self.second = vec![0; SECOND_ENTRIES].into_boxed_slice();
            }
            self.second[key.mixed as usize % SECOND_ENTRIES] = entry;
        }
    }
}

/// A pair of values as the memo stores it.
pub(super) struct MemoKey {
    /// The pair, without the low bits of its first value, which follow from its first slot.
    pair: u64,
    mixed: u64,
}

impl MemoKey {
    #[inline]
    pub(super) fn new(g: ValueId, h: ValueId) -> MemoKey {
        // g <= h exactly when -h <= -g, so the two share an entry.
        let pair = (g.to_raw(), h.to_raw());
        let mirrored = (h.negative().to_raw(), g.negative().to_raw());
        let (first, second) = pair.min(mirrored);
        // The second value and the slot determine the low bits of the first value.
        let mixed = u64::from(second).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40 ^ u64::from(first);
        let high = u64::from(first) / FIRST_ENTRIES as u64;
        MemoKey {
            pair: (high << 32 | u64::from(second)) << 1,
            mixed,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    /// The memo must not take one pair for another: slot and entry together determine the pair.
    #[test]
    fn pairs_with_the_same_slot_have_different_entries() {
        let ids = (0..40u32).flat_map(|i| {
            let far = (1 << 26) + i * 0x0333_3333;
            [far, far ^ 1, 2 + 2 * i, far ^ 1 << 16]
        });
        let ids: Vec<ValueId> = ids.map(ValueId::from_raw).collect();
        let mut pairs = HashMap::new();
        for &g in &ids {
            for &h in &ids {
                let key = MemoKey::new(g, h);
                let mirrored = (h.negative(), g.negative());
                let pair = (g, h).min(mirrored);
                let slot = key.mixed as usize % FIRST_ENTRIES;
                let known = *pairs.entry((slot, key.pair)).or_insert(pair);
                assert_eq!(known, pair);
                assert!(key.pair != 0 && key.pair & 1 == 0);
            }
        }
        assert!(pairs.len() > 10_000);
    }
}
