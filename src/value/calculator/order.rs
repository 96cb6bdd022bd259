//! The partial order: `g <= h` from what records keep, from a memo, or by playing.
//!
//! Comparisons recurse over the forms of two values, at most as deep as their birthdays together.
//! Most end at once on the two [edges](Head) of each value; the rest go through a direct-mapped lossy
//! memo of bounded size.

use super::Calculator;
use crate::value::ValueId;
use crate::value::arena::{Flags, Head};

/// Entries of the comparison memo: 8 bytes each, so that it stays in the second-level cache.
const MEMO_ENTRIES: usize = 1 << 16;

impl Calculator<'_> {
    /// Returns whether `g <= h`: whether Right, moving second, wins `g - h`.
    pub fn le(&mut self, g: ValueId, h: ValueId) -> bool {
        let (g, h) = (self.arena.head(g), self.arena.head(h));
        self.le_heads(&g, &h)
    }

    #[inline]
    pub(super) fn le_heads(&mut self, g: &Head, h: &Head) -> bool {
        if g.id == h.id {
            return true;
        }
        match le_by_edges(g, h) {
            Some(known) => known,
            None => self.le_by_play(g, h),
        }
    }

    fn le_by_play(&mut self, g: &Head, h: &Head) -> bool {
        let arena = self.arena;
        if !(g.is_known() && h.is_known())
            && arena.form(g.id).flags().has(Flags::NUMBER)
            && arena.form(h.id).flags().has(Flags::NUMBER)
        {
            return arena.left_stop(g.id) <= arena.left_stop(h.id);
        }
        let key = MemoKey::new(g.id, h.id);
        if let Some(holds) = self.memo.get(&key) {
            return holds;
        }
        let mut left = arena.form(g.id).left();
        let mut right = arena.form(h.id).right();
        let holds = !left.any(|option| self.le_heads(h, &arena.head(option)))
            && !right.any(|option| self.le_heads(&arena.head(option), g));
        self.memo.insert(&key, holds);
        holds
    }
}

/// Decides `g <= h` from the edges of both, where they can tell.
///
/// `g <= h` implies the same of both stops, and `g < h` follows when g's Left stop is less than h's
/// Right stop (Siegel, chapter II, on stops). Where a stop of the one is a stop of the other, the
/// [infinitesimals](crate::value::arena::Near) beside it may tell.
#[inline]
pub(super) fn le_by_edges(g: &Head, h: &Head) -> Option<bool> {
    if !(g.is_known() && h.is_known()) {
        return None;
    }
    let (g_up, g_down) = (g.up.stop.fixed(), g.down.stop.fixed());
    let (h_up, h_down) = (h.up.stop.fixed(), h.down.stop.fixed());
    if g_up > h_up || g_down < h_down {
        return Some(false);
    }
    // Stops fit 31 bits, so their sum does not overflow.
    if g_up + h_down < 0 {
        return Some(true);
    }
    if g_up == h_up && !h.up.near.is_within(g.up.near)
        || g_down == h_down && !g.down.near.is_within(h.down.near)
    {
        return Some(false);
    }
    if g_up + h_down == 0 && g.up.near.meets(h.down.near.negatives()) {
        return Some(true);
    }
    None
}

/// A pair of values as the memo keeps it.
struct MemoKey {
    slot: usize,
    /// The pair, but for what the slot tells, and a zero for the answer.
    pair: u64,
}

impl MemoKey {
    #[inline]
    fn new(g: ValueId, h: ValueId) -> MemoKey {
        // g <= h exactly when -h <= -g, so the two share an entry.
        let pair = (g.to_raw(), h.to_raw());
        let mirrored = (h.negative().to_raw(), g.negative().to_raw());
        let (lesser, greater) = pair.min(mirrored);
        let mixed = u64::from(greater).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        // The greater and the slot tell the low bits of the lesser.
        let slot = (mixed as usize ^ lesser as usize) % MEMO_ENTRIES;
        let high = u64::from(lesser) / MEMO_ENTRIES as u64;
        MemoKey {
            slot,
            pair: (high << 32 | u64::from(greater)) << 1,
        }
    }
}

/// The latest answers. An empty entry is the pair of no values.
#[derive(Default)]
pub(super) struct OrderMemo {
    entries: Box<[u64]>,
}

impl OrderMemo {
    #[inline]
    fn get(&self, key: &MemoKey) -> Option<bool> {
        let entry = *self.entries.get(key.slot)?;
        (entry & !1 == key.pair).then_some(entry & 1 != 0)
    }

    #[inline]
    fn insert(&mut self, key: &MemoKey, holds: bool) {
        if self.entries.is_empty() {
            self.entries = vec![0; MEMO_ENTRIES].into_boxed_slice();
        }
        self.entries[key.slot] = key.pair | u64::from(holds);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    /// The memo must not take one pair for another: what it keeps of a pair is all of it.
    #[test]
    fn pairs_with_the_same_slot_differ_in_what_is_kept() {
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
                let known = *pairs.entry((key.slot, key.pair)).or_insert(pair);
                assert_eq!(known, pair);
                assert!(key.pair != 0 && key.pair & 1 == 0);
            }
        }
        assert!(pairs.len() > 10_000);
    }
}
