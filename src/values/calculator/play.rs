//! A comparison `g <= h` that is decided by playing, and the replies not yet tried.

use super::memo::MemoKey;
use crate::Arena;
use crate::arena::{Head, Ids};

/// The claim `g <= h`, and the options that may still refute it: Left's options of g that are `>=
/// h`, and Right's options of h that are `<= g`.
pub(super) struct Play<'a> {
    pub(super) key: MemoKey,
    g: Head,
    h: Head,
    pub(super) left: Ids<'a>,
    pub(super) negative_right: Ids<'a>,
}

impl<'a> Play<'a> {
    #[inline]
    pub(super) fn new(arena: &'a Arena, key: MemoKey, g: &Head, h: &Head) -> Play<'a> {
        let (left, negative_right) = (arena.form(g.id).left(), arena.form(h.id).negative_left());
        // PERF: Sowing 1^15 takes 1 to 2 % less time, 1^16 some 4 %, 1^13 the same.
        for option in left.clone().chain(negative_right.clone()) {
            arena.prefetch(option);
        }
        Play {
            key,
            g: *g,
            h: *h,
            left,
            negative_right,
        }
    }

    /// Returns the next reply, which refutes `g <= h` if its first value is at most its second.
    #[inline]
    pub(super) fn next(&mut self, arena: &Arena) -> Option<(Head, Head)> {
        if let Some(option) = self.left.next() {
            return Some((self.h, arena.head(option)));
        }
        let negative = self.negative_right.next()?;
        Some((arena.head(negative.negative()), self.g))
    }
}
