//! Periods of the values of heaps, and their proofs.
//!
//! # Theorem
//!
//! Let `V(n)` be the obligated values of a code, or its nim-values, `n0 >= 1` and `p >= 1`, and let
//! `k_s` be the most tokens that a move leaving `s` parts takes. If `V(n + p) = V(n)` for all `n`
//! from `n0` to below
//!
//! ```text
//! B = max( k_0 + 1,  s n0 + (s - 1) p + k_s - s + 1  for s = 1, 2, 3 where there is such a move )
//! ```
//!
//! then `V(n + p) = V(n)` for all `n >= n0`.
//!
//! *Proof.* Let `n >= B`, and let the equation hold from `n0` to `n - 1`. It suffices to find for
//! each option of `n + p` an option of `n` with the same value, and conversely: then both heaps
//! have options or neither has, and their values are equal. As `n > k_0`, every option leaves at
//! least one part. Let an option of `n + p` take `j` tokens and leave the parts `a_1 + ... + a_s =
//! n + p - j`. Were all of them below `n0 + p`, the sum would be at most `s (n0 + p - 1)`; but `n
//! >= B` gives `n + p - j >= n + p - k_s >= s (n0 + p - 1) + 1`. So some `a` is at least `n0 + p`.
//! Replace it by `a - p`: a part of at least `n0 >= 1` tokens, which taking `j` of `n` may leave.
//! It has the same value, as `a - p` is at least `n0` and below `n` (a move takes a token, or
//! leaves other parts). The other parts do not change. So the option's value does not change: it
//! depends only on the values of the parts, for nim-values as their xor, for obligated values by
//! Theorem 1 of Ferguson's paper. Conversely an option `a_1 + ... + a_s = n - j` of `n` has a part
//! of at least `n0`, as `n - j > s (n0 - 1)`; and `a + p` in its place gives an option of `n + p`,
//! with `V(a + p) = V(a)` because `a < n`. ∎
//!
//! So `B + p` values must be known. `n0` must be at least 1 because a part has at least one token.
//! A sequence that is periodic from 0 has its certificate from `n0 = 1`, and in addition `V(p) =
//! V(0)`.
//!
//! # Theorem of Guy and Smith
//!
//! Where a move takes at most `k` tokens and leaves at most `t` parts, the same holds with `t n0 +
//! (t - 1) p + k` in place of `B`, which is at least `B`. Nim-values are certified by this bound
//! ([`guy_smith_bound`]); so are the columns of results.
//!
//! # Theorem for Grundy's game
//!
//! For obligated values the same holds with `B = 2 n0 + 2 p - 1`; a move splits `n` into two
//! different parts.
//!
//! *Proof.* Let `n + p = a + b` with `a > b`. Then `2 a >= n + p + 1 >= 2 n0 + 3 p`, so `a >= n0 +
//! p` and `(a - p) + b` is an option of `n` of the same value, unless `a - p = b`. In that case
//! `n = 2 b`, thus `b >= n0 + p` (as `n >= 2 (n0 + p) - 1` is even), and `a + (b - p)` is such an
//! option: its parts differ, and `a < n` because `b - p >= 1`. Conversely let `n = a + b` with `a >
//! b`; then `a >= n0`, and `(a + p) + b` is an option of `n + p`. ∎
//!
//! This confirms Ferguson's remark that his list for Grundy's game "is easy to check": with `n0 =
//! p = 3` the equation must hold below 11, which takes the values to 13, one less than he prints.
//!
//! No such theorem is used for nim-values of Grundy's game.
//!
//! Source: the argument is that of Guy and Smith for nim-values (*The G-values of various games*,
//! 1956; *Winning Ways*, chapter 4; Siegel, *Combinatorial Game Theory*, theorem IV.2.7), with
//! "same value" instead of "same nim-value"; `B` is a little lower, since the longest move need not
//! leave the most parts. It cannot be lowered: there are codes for which the equation holds to `B -
//! 2` and fails at `B - 1`, with one, two and three parts, and Grundy's game is one such case for
//! its bound (see the tests).

use cggames::game::heap::HeapGame;

use super::moves::Moves;

/// A proved period of the values of heaps.
///
/// Let `n0 >= 1` be the preperiod, `k` the most tokens that a move takes, `k_s` the most taken by
/// one that leaves `s` parts, and `t` the most parts. If `V(n + p) = V(n)` from `n0` to below a
/// bound, then it holds for all `n >= n0`. The bound is `t n0 + (t - 1) p + k` for nim-values. For
/// obligated values it is the largest of `k_0 + 1` and `s n0 + (s - 1) p + k_s - s + 1`, or `2 n0 +
/// 2 p - 1` in Grundy's game. The proofs are in the source of this module.
///
/// ```
/// use cgsolvers::obligated::{Certificate, HeapValues};
///
/// let mut kayles = HeapValues::new(&"kayles".parse()?);
/// kayles.extend(100);
/// let period = kayles.certificate().expect("kayles is periodic");
/// assert_eq!((period.preperiod, period.period), (0, 8));
/// // 2 * 1 + 8 + 2 - 1: taking two tokens and splitting, from heap 1 on.
/// assert_eq!((period.bound, period.checked_to), (11, 92));
/// # Ok::<(), cggames::game::heap::HeapGameError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Certificate {
    /// The least `n0` such that `V(n + period) = V(n)` for all `n >= n0`.
    pub preperiod: usize,
    /// The least period.
    pub period: usize,
    /// The bound: the equation below it proves the equation for all heaps.
    pub bound: usize,
    /// The equation has been checked for all `n` from the preperiod up to, but not including, this;
    /// at least `bound`.
    pub checked_to: usize,
}

impl Certificate {
    /// Returns the number of values that suffice for the proof, from heap 0 on.
    pub fn needed(&self) -> usize {
        self.bound + self.period
    }

    /// Returns the heap below `preperiod + period` with the value of `heap`.
    ///
    /// ```
    /// use cgsolvers::nim_values::Certificate;
    ///
    /// let certificate = Certificate { preperiod: 1, period: 2, bound: 5, checked_to: 5 };
    /// assert_eq!((certificate.same_heap(0), certificate.same_heap(1_000_001)), (0, 1));
    /// ```
    pub fn same_heap(&self, heap: usize) -> usize {
        match heap.checked_sub(self.preperiod) {
            Some(beyond) => self.preperiod + beyond % self.period,
            None => heap,
        }
    }
}

/// Returns the bound of Guy and Smith, unless it overflows.
pub(crate) fn guy_smith_bound(game: &HeapGame, preperiod: usize, period: usize) -> Option<usize> {
    // The proof needs n0 >= 1; the values from heap 1 on are periodic if those from 0 on are.
    let heaps = preperiod.max(1).checked_add(period)?;
    let needed = heaps.checked_mul(game.splits_max())?;
    Some(needed.checked_add(game.taken_max())? - period)
}

impl Moves {
    /// Returns the `B` of the theorems for `n0 >= 1`.
    pub(crate) fn bound(&self, n0: usize, period: usize) -> usize {
        if self.distinct {
            return 2 * n0 + 2 * period - 1;
        }
        let least = self.taken_max[0].map_or(1, |taken| taken + 1);
        let parts = (1..4).filter_map(|s| {
            let taken = self.taken_max[s]?;
            Some(s * n0 + (s - 1) * period + taken + 1 - s)
        });
        parts.fold(least, usize::max)
    }
}
