//! Periods of obligated values, and when they are proved.
//!
//! # Theorem
//!
//! Let `V(n)` be the obligated values of a code, `n0 >= 1` and `p >= 1`, and let `k_s` be the most tokens
//! that a move leaving `s` parts takes. If `V(n + p) = V(n)` for all `n` from `n0` to below
//!
//! ```text
//! B = max( k_0 + 1,  s n0 + (s - 1) p + k_s - s + 1  for s = 1, 2, 3 where there is such a move )
//! ```
//!
//! then `V(n + p) = V(n)` for all `n >= n0`.
//!
//! *Proof.* Let `n >= B`, and let the equation hold from `n0` to `n - 1`. It suffices to find for each
//! option of `n + p` one of `n` of the same value, and conversely: then both heaps have options or
//! neither has, and their values are equal. As `n > k_0`, no option leaves nothing. Let an option
//! of `n + p` take `j` tokens and leave the parts `a_1 + ... + a_s = n + p - j`. Were all of them below
//! `n0 + p`, the sum would be at most `s (n0 + p - 1)`; but `n >= B` gives
//! `n + p - j >= n + p - k_s >= s (n0 + p - 1) + 1`. So some `a` is at least `n0 + p`. Put `a - p`
//! in its place: a part of at least `n0 >= 1` tokens, which taking `j` of `n` may leave, and of the same
//! value, as `a - p` is at least `n0` and below `n` (a move takes a token, or leaves other parts). The
//! other parts stay, so the option's value stays, which by Theorem 1 of the paper depends on
//! the values of the parts only. Conversely an option `a_1 + ... + a_s = n - j` of `n` has a part of at
//! least `n0`, as `n - j > s (n0 - 1)`; and `a + p` in its place gives an option of `n + p`, with
//! `V(a + p) = V(a)` because `a < n`. ∎
//!
//! So `B + p` values have to be known. That `n0` must be at least 1 is because a part of no tokens is no
//! part; a sequence that is periodic from 0 has its certificate from `n0 = 1`, and `V(p) = V(0)` besides.
//!
//! # Theorem for Grundy's game
//!
//! The same with `B = 2 n0 + 2 p - 1`, where `n` is split into different parts.
//!
//! *Proof.* Let `n + p = a + b` with `a > b`. Then `2 a >= n + p + 1 >= 2 n0 + 3 p`, so `a >= n0 + p`
//! and `(a - p) + b` is an option of `n` of the same value, unless `a - p = b`. In that case `n = 2 b`, thus
//! `b >= n0 + p` (as `n >= 2 (n0 + p) - 1` is even), and `a + (b - p)` will do: its parts differ, and
//! `a < n` because `b - p >= 1`. Conversely let `n = a + b` with `a > b`; then `a >= n0`, and `(a + p) + b`
//! is an option of `n + p`. ∎
//!
//! Ferguson's remark that his list for Grundy's game "is easy to check" is thereby made good: with
//! `n0 = p = 3` the equation has to hold to below 11, which takes the values to 13, one less than he
//! prints.
//!
//! Source: the argument is that of Guy and Smith for nim-values (*The G-values of various games*, 1956),
//! with "same value" instead of "same nim-value"; the bound here is a little lower, since the longest
//! move need not leave the most parts. It cannot be lowered: there are codes for which the equation
//! holds to `B - 2` and fails at `B - 1`, with one, two and three parts, and Grundy's game is one such
//! case for its bound (see the tests).

use super::HeapValues;
use super::bits::window;
use crate::engine::heaps::moves::Moves;

/// A proved period of the values of heaps.
///
/// Let `k_s` be the most tokens taken by a move that leaves `s` parts, and `n0 >= 1` the preperiod. If
/// `V(n + p) = V(n)` from `n0` to below the largest of `k_0 + 1` and `s n0 + (s - 1) p + k_s - s + 1`, or
/// below `2 n0 + 2 p - 1` in Grundy's game, then it holds for all `n >= n0`. The proofs are in
/// the source of this module.
///
/// ```
/// use seedbank::engine::obligated::{Certificate, HeapValues};
///
/// let mut kayles = HeapValues::new(&"kayles".parse()?);
/// kayles.extend(100);
/// let period = kayles.certificate().expect("kayles is periodic");
/// assert_eq!((period.preperiod, period.period), (0, 8));
/// // 2 * 1 + 8 + 2 - 1: taking two tokens and splitting, from heap 1 on.
/// assert_eq!((period.bound, period.checked_to), (11, 92));
/// # Ok::<(), seedbank::game::heap::HeapGameError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Certificate {
    /// The least `n0` such that `V(n + period) = V(n)` for all `n >= n0`.
    pub preperiod: usize,
    /// The least period.
    pub period: usize,
    /// The `B` of the theorem: the equation below it proves the equation for all heaps.
    pub bound: usize,
    /// The equation has been checked for all `n` from the preperiod to below this; at least `bound`.
    pub checked_to: usize,
}

impl HeapValues {
    /// Returns the period of the values, where those that are known prove one.
    ///
    /// The preperiod and period are the least there are. Cost: O(len), in words where the values look
    /// nearly periodic.
    pub fn certificate(&self) -> Option<Certificate> {
        for period in 1..=self.len {
            let checked_to = self.len - period;
            if self.moves.bound(1, period) > checked_to {
                break;
            }
            let preperiod = checked_to - self.agreement(period);
            let bound = self.moves.bound(preperiod.max(1), period);
            if bound <= checked_to {
                return Some(Certificate {
                    preperiod,
                    period,
                    bound,
                    checked_to,
                });
            }
        }
        None
    }

    /// Returns how many of the last known heaps have the value of the heap smaller by `period`, without
    /// a break.
    fn agreement(&self, period: usize) -> usize {
        let [normal, misere] = &self.digits;
        let (mut end, mut agreed) = (self.len, 0);
        while end > period {
            let width = (end - period).min(64);
            let from = end - width;
            let differ = (window(normal, from) ^ window(normal, from - period))
                | (window(misere, from) ^ window(misere, from - period));
            let differ = differ << (64 - width);
            if differ != 0 {
                return agreed + differ.leading_zeros() as usize;
            }
            agreed += width;
            end -= width;
        }
        agreed
    }
}

impl Moves {
    /// Returns the `B` of the theorems for `n0 >= 1`.
    pub(super) fn bound(&self, n0: usize, period: usize) -> usize {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::heap::HeapGame;

    fn values(game: &str, len: usize) -> HeapValues {
        let game: HeapGame = game.parse().expect("a game");
        let mut values = HeapValues::new(&game);
        values.extend(len);
        values
    }

    /// Returns how far below its bound an equation `V(n + p) = V(n)` that holds for a while breaks, at least,
    /// and for which `n0` and `p`; checks that none breaks at its bound or later.
    fn closest_break(values: &HeapValues) -> Option<(usize, usize, usize)> {
        let mut closest: Option<(usize, usize, usize)> = None;
        for period in 1..values.len() / 2 {
            let mut from = 1;
            for n in 1..values.len() - period {
                if values.value(n) == values.value(n + period) {
                    continue;
                }
                // It holds from `from` to below `n`; for later beginnings the bound is higher.
                let bound = values.moves.bound(from, period);
                assert!(n < bound, "{from} {period} breaks at {n}, beyond {bound}");
                if closest.is_none_or(|(gap, ..)| bound - n < gap) {
                    closest = Some((bound - n, from, period));
                }
                from = n + 1;
            }
        }
        closest
    }

    #[test]
    fn no_equation_breaks_at_its_bound_or_later() {
        let octal = (0..4096u32).map(|code| format!("0.{code:04o}"));
        let hexadecimal = (0..256u32).map(|code| format!("0.{code:02X}"));
        let wholes = [
            "4.0",
            "4.1",
            "4.2",
            "4.04",
            "C.0",
            "8.2",
            "grundy",
            "subtraction(2,5,70)",
        ];
        let games = octal.chain(hexadecimal).chain(wholes.map(String::from));
        for game in games {
            closest_break(&values(&game, 200));
        }
    }

    #[test]
    fn the_bounds_are_sharp() {
        for game in [
            "0.02", "0.1113", "0.04", "0.1512", "4.0", "0.08", "0.5D", "8.0", "grundy",
        ] {
            let closest = closest_break(&values(game, 200));
            assert_eq!(closest.map(|(gap, ..)| gap), Some(1), "{game}");
        }
        // Three heaps from 1 on are equal in 0.04, of which the bound asks for four and one more.
        assert_eq!(values("0.04", 1).moves.bound(1, 1), 4);
        assert!(values("0.04", 4).certificate().is_none());
    }

    #[test]
    fn certificates_name_the_least_preperiod_and_period() {
        for game in [
            "0.77", "0.137", "0.007", "0.147", "0.143", "0.1", "0.0", "0.3", "0.39", "grundy",
        ] {
            let values = values(game, 12_000);
            let found = values.certificate().expect(game);
            let holds = |n0: usize, p: usize| {
                (n0..values.len() - p).all(|n| values.value(n) == values.value(n + p))
            };
            assert!(holds(found.preperiod, found.period), "{game}");
            assert!(
                found.preperiod == 0 || !holds(found.preperiod - 1, found.period),
                "{game}"
            );
            assert!(
                (1..found.period).all(|p| !holds(values.len() / 2, p)),
                "{game}"
            );
            // As early as the bound allows, and not before.
            let enough = found.bound + found.period;
            let mut short = HeapValues::new(&game.parse().expect("a game"));
            short.extend(enough - 1);
            assert_eq!(short.certificate(), None, "{game}");
            short.extend(enough);
            let early = short.certificate().expect(game);
            assert_eq!(
                (early.preperiod, early.period),
                (found.preperiod, found.period),
                "{game}"
            );
        }
    }

    #[test]
    fn published_periods_are_proved() {
        for (game, preperiod, period) in [
            ("grundy", 3, 3),
            ("kayles", 0, 8),
            ("dawsons-chess", 0, 14),
            ("james-bond", 0, 22),
        ] {
            let found = values(game, 300).certificate().expect(game);
            assert_eq!(
                (found.preperiod, found.period),
                (preperiod, period),
                "{game}"
            );
        }
        assert!(values("grundy", 14).certificate().is_some());
        assert!(values("grundy", 13).certificate().is_none());
    }

    #[test]
    fn games_whose_period_is_not_known_have_no_certificate() {
        for game in ["0.10143", "0.71472", "0.B9"] {
            assert_eq!(values(game, 3_000).certificate(), None, "{game}");
        }
    }
}
