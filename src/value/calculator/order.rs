//! The partial order: `g <= h` from what records keep, from a memo, or by playing.
//!
//! Most comparisons end at once on the two [edges](Head) of each value; the rest go through a direct-mapped lossy
//! memo of bounded size. What that does not know is played, which may take as many moves as the birthdays of
//! both together: the questions on the way wait on a stack of the calculator's own.

use super::Calculator;
use crate::value::arena::{Flags, Head, Ids};
use crate::value::{Arena, ValueId};

/// Entries of the first memo: 8 bytes each, so that it stays in the first-level cache.
// PERF: of 2^10, 2^12, 2^14, 2^16 and 2^18 entries the fewest are the fastest (0.55 to 0.68 CPU s for all of
// Sowing 1^13), though they know 15 % of the answers asked for and not 20 %.
const FIRST_ENTRIES: usize = 1 << 10;

/// Entries of the second memo, which is there for comparisons that would take long without it.
const SECOND_ENTRIES: usize = 1 << 16;

/// How many comparisons one question may take by play before the second memo is used.
const PLAYS_WITHOUT_SECOND: u32 = 64;

/// A longer stack is given back once it is empty again. Unit: waiting questions, some 100 bytes each.
const PLAYS_KEPT: usize = 1 << 12;

impl Calculator<'_> {
    /// Returns whether `g <= h`: whether Right, moving second, wins `g - h`.
    pub fn le(&mut self, g: ValueId, h: ValueId) -> bool {
        self.memo.start();
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
        let mut play = match self.le_without_play(g, h) {
            Ok(known) => return known,
            Err(key) => Play::new(arena, key, g, h),
        };
        // Empty, but for what a panic may have left there.
        let bottom = self.plays.len();
        loop {
            // `play` holds unless one of the replies does.
            let mut holds = loop {
                let Some((x, y)) = play.next(arena) else {
                    break true;
                };
                if x.id == y.id {
                    break false;
                }
                let known = match le_by_edges(&x, &y) {
                    Some(known) => Ok(known),
                    None => self.le_without_play(&x, &y),
                };
                match known {
                    Ok(true) => break false,
                    Ok(false) => {}
                    Err(key) => {
                        let reply = Play::new(arena, key, &x, &y);
                        if !self.step(reply.left.len() + reply.negative_right.len()) {
                            // Unfinished comparisons leave nothing in the memo.
                            self.plays.truncate(bottom);
                            return false;
                        }
                        self.plays.push(std::mem::replace(&mut play, reply));
                    }
                }
            };
            loop {
                self.memo.insert(&play.key, holds);
                if self.plays.len() == bottom {
                    if self.plays.capacity() > PLAYS_KEPT {
                        self.plays.shrink_to(PLAYS_KEPT);
                    }
                    return holds;
                }
                play = self.plays.pop().expect("there are some above the bottom");
                if !holds {
                    // The reply fails; there may be others.
                    break;
                }
                holds = false;
            }
        }
    }

    /// Returns whether `g <= h`, where the edges do not tell, or else the key under which the answer is to be kept.
    #[inline]
    fn le_without_play(&mut self, g: &Head, h: &Head) -> Result<bool, MemoKey> {
        let arena = self.arena;
        if !(g.is_known() && h.is_known())
            && arena.form(g.id).flags().has(Flags::NUMBER)
            && arena.form(h.id).flags().has(Flags::NUMBER)
        {
            return Ok(arena.left_stop(g.id) <= arena.left_stop(h.id));
        }
        let key = MemoKey::new(g.id, h.id);
        if let Some(holds) = self.memo.get(&key) {
            return Ok(holds);
        }
        if arena.form(g.id).flags().has(Flags::NIMBER)
            && arena.form(h.id).flags().has(Flags::NIMBER)
        {
            // Two nimbers are confused. By play, *j and *k would take j times k comparisons.
            return Ok(false);
        }
        Err(key)
    }
}

/// The question whether `g <= h`, and what may still refute it: Left's options of g that are `>= h`, and
/// Right's of h that are `<= g`.
pub(super) struct Play<'a> {
    key: MemoKey,
    g: Head,
    h: Head,
    left: Ids<'a>,
    negative_right: Ids<'a>,
}

impl<'a> Play<'a> {
    #[inline]
    fn new(arena: &'a Arena, key: MemoKey, g: &Head, h: &Head) -> Play<'a> {
        Play {
            key,
            g: *g,
            h: *h,
            left: arena.form(g.id).left(),
            negative_right: arena.form(h.id).negative_left(),
        }
    }

    /// Returns the next reply, which refutes the question where its first value is at most its second.
    #[inline]
    fn next(&mut self, arena: &Arena) -> Option<(Head, Head)> {
        if let Some(option) = self.left.next() {
            return Some((self.h, arena.head(option)));
        }
        let negative = self.negative_right.next()?;
        Some((arena.head(negative.negative()), self.g))
    }
}

/// Decides `g <= h` from the edges of both, where they can tell.
///
/// `g <= h` implies the same of both stops, and `g < h` follows when g's Left stop is less than h's
/// Right stop (Siegel, chapter II, on stops). Where a stop of the one is a stop of the other, the
/// [infinitesimals](crate::value::arena::Near) beside it may tell.
// PERF: of the 7.8 comparisons a position in Sowing 1^13, 47 % end on the stops and 30 % on what is beside
// them, and 3 % compare a value with itself; of 17 in Atomic Wari 3^7, where all stops are 0, 74 % end beside
// them.
#[inline]
pub(super) fn le_by_edges(g: &Head, h: &Head) -> Option<bool> {
    if !(g.is_known() && h.is_known()) {
        return None;
    }
    let (g_up, g_down) = (g.up_stop.fixed(), g.down_stop.fixed());
    let (h_up, h_down) = (h.up_stop.fixed(), h.down_stop.fixed());
    // Without branches, since they go either way at random. Stops fit 31 bits, so sums do not overflow.
    let gap = g_up + h_down;
    let fails = (g_up > h_up)
        | (g_down < h_down)
        | (g_up == h_up) & !h.up_near.is_within(g.up_near)
        | (g_down == h_down) & !g.down_near.is_within(h.down_near);
    let holds = (gap < 0) | (gap == 0) & g.up_near.meets(h.down_near.negatives());
    (fails | holds).then_some(holds)
}

/// A pair of values as the memo keeps it.
struct MemoKey {
    /// The pair, but for as many low bits of its first value as tell the slot in the first memo.
    pair: u64,
    mixed: u64,
}

impl MemoKey {
    #[inline]
    fn new(g: ValueId, h: ValueId) -> MemoKey {
        // g <= h exactly when -h <= -g, so the two share an entry.
        let pair = (g.to_raw(), h.to_raw());
        let mirrored = (h.negative().to_raw(), g.negative().to_raw());
        let (first, second) = pair.min(mirrored);
        // The second and the slot tell the low bits of the first.
        let mixed = u64::from(second).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40 ^ u64::from(first);
        let high = u64::from(first) / FIRST_ENTRIES as u64;
        MemoKey {
            pair: (high << 32 | u64::from(second)) << 1,
            mixed,
        }
    }
}

/// The latest answers, in two tables. An empty entry is the pair of no values.
#[derive(Default)]
pub(super) struct OrderMemo {
    first: Box<[u64]>,
    second: Box<[u64]>,
    /// How many comparisons have gone by play since the last question from outside.
    plays: u32,
}

impl OrderMemo {
    /// Starts to count comparisons.
    #[inline]
    pub(super) fn start(&mut self) {
        self.plays = 0;
    }

    #[inline]
    fn get(&mut self, key: &MemoKey) -> Option<bool> {
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
    fn insert(&mut self, key: &MemoKey, holds: bool) {
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
                let slot = key.mixed as usize % FIRST_ENTRIES;
                let known = *pairs.entry((slot, key.pair)).or_insert(pair);
                assert_eq!(known, pair);
                assert!(key.pair != 0 && key.pair & 1 == 0);
            }
        }
        assert!(pairs.len() > 10_000);
    }
}
