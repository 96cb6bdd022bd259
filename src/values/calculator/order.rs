//! The partial order: `g <= h` from the records, from a memo, or by playing.
//!
//! The two [edges](Head) of each value decide most comparisons. The others are looked up in a
//! [lossy memo](super::memo) of bounded size. A comparison that is not in the memo is
//! [played](super::play). That may go as deep as the sum of the birthdays, so the calculator keeps
//! the waiting comparisons on its own stack.

use super::Calculator;
use super::edges::le_by_edges;
use super::memo::MemoKey;
use super::play::Play;
use crate::ValueId;
use crate::arena::{Flags, Head};

/// A longer stack is freed once it is empty. Unit: waiting comparisons, about 100 bytes each.
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
        // Empty, except for entries that a panic may have left.
        let bottom = self.plays.len();
        loop {
            // `play` holds unless one of its replies holds.
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
                            // Unfinished comparisons do not enter the memo.
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
                    // The reply fails; the next one is tried.
                    break;
                }
                holds = false;
            }
        }
    }

    /// Returns whether `g <= h` where the edges or the memo decide it, or else the key under which
    /// the memo will store the answer.
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
