//! Order, simplification and sums of canonical forms: one worker's view of an [`Arena`].
//!
//! This file has the order; [`simplify`] makes canonical forms of options, [`build`] numbers and
//! nimbers, [`sum`] sums.
//!
//! Source: Winning Ways, chapters 1 and 2; Siegel, Combinatorial Game Theory, chapter II (dominated
//! and reversible options, the Simplest Number Theorem, the Number Translation Theorem).
//!
//! Comparisons recurse over the forms of two values, at most as deep as their birthdays together.
//! Most end at once on the stops that each record keeps; the rest go through a direct-mapped lossy
//! memo of bounded size.

mod build;
mod simplify;
mod sum;

use hashbrown::HashMap;

use super::arena::{Flags, PackedStop};
use super::{Arena, Dyadic, OutcomeClass, ValueId};

/// Entries of the comparison memo: 12 bytes each, so that it stays in the second-level cache.
const MEMO_ENTRIES: usize = 1 << 16;

/// How two values compare in the partial order of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// The first is less: Right wins the difference.
    Less,
    /// The two are equal.
    Equal,
    /// The first is greater: Left wins the difference.
    Greater,
    /// The two are confused (incomparable): the player to move wins the difference.
    Confused,
}

#[derive(Clone, Copy, Default)]
struct MemoEntry {
    lesser: u32,
    greater: u32,
    holds: bool,
}

/// Compares, simplifies and adds the forms of an arena.
///
/// One per worker: it owns scratch memory of about a megabyte, and none of it is shared.
///
/// ```
/// use seedbank::value::{Arena, Comparison};
///
/// let arena = Arena::new();
/// let mut calculator = arena.calculator();
/// let up = calculator.parse("^")?;
/// let star = calculator.parse("*")?;
/// assert_eq!(calculator.compare(up, star), Comparison::Confused);
/// let double_up = calculator.sum(up, up)?;
/// assert_eq!(calculator.compare(double_up, star), Comparison::Greater);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Calculator<'a> {
    arena: &'a Arena,
    memo: Vec<MemoEntry>,
    numbers: HashMap<Dyadic, ValueId, foldhash::fast::RandomState>,
}

impl Arena {
    /// Returns a calculator over the arena.
    pub fn calculator(&self) -> Calculator<'_> {
        Calculator {
            arena: self,
            memo: Vec::new(),
            numbers: HashMap::default(),
        }
    }
}

impl<'a> Calculator<'a> {
    /// Returns the arena whose forms this calculator works on.
    pub fn arena(&self) -> &'a Arena {
        self.arena
    }

    /// Returns whether `g <= h`: whether Right, moving second, wins `g - h`.
    pub fn le(&mut self, g: ValueId, h: ValueId) -> bool {
        if g == h {
            return true;
        }
        let (form_g, form_h) = (self.arena.form(g), self.arena.form(h));
        if let Some(known) = le_by_stops(
            (form_g.left_stop(), form_g.right_stop()),
            (form_h.left_stop(), form_h.right_stop()),
        ) {
            return known;
        }
        if form_g.flags().has(Flags::NUMBER) && form_h.flags().has(Flags::NUMBER) {
            return self.arena.left_stop(g) <= self.arena.left_stop(h);
        }
        // g <= h exactly when -h <= -g, so the two share an entry.
        let (mirror_g, mirror_h) = (h.negative(), g.negative());
        let (lesser, greater) = if (mirror_g, mirror_h) < (g, h) {
            (mirror_g.to_raw(), mirror_h.to_raw())
        } else {
            (g.to_raw(), h.to_raw())
        };
        if self.memo.is_empty() {
            self.memo = vec![MemoEntry::default(); MEMO_ENTRIES];
        }
        let slot = memo_slot(lesser, greater);
        let entry = self.memo[slot];
        if (entry.lesser, entry.greater) == (lesser, greater) {
            return entry.holds;
        }
        let holds = !form_g.left().any(|option| self.le(h, option))
            && !form_h.right().any(|option| self.le(option, g));
        self.memo[slot] = MemoEntry {
            lesser,
            greater,
            holds,
        };
        holds
    }

    /// Returns how `g` compares with `h`.
    pub fn compare(&mut self, g: ValueId, h: ValueId) -> Comparison {
        if g == h {
            return Comparison::Equal;
        }
        match (self.le(g, h), self.le(h, g)) {
            (true, _) => Comparison::Less,
            (_, true) => Comparison::Greater,
            (false, false) => Comparison::Confused,
        }
    }

    /// Returns who wins the value.
    pub fn outcome(&mut self, g: ValueId) -> OutcomeClass {
        match self.compare(g, ValueId::ZERO) {
            Comparison::Less => OutcomeClass::Right,
            Comparison::Equal => OutcomeClass::Previous,
            Comparison::Greater => OutcomeClass::Left,
            Comparison::Confused => OutcomeClass::Next,
        }
    }
}

/// Decides `g <= h` from the (Left, Right) stops of both, where they can tell.
///
/// `g <= h` implies the same of both stops, and `g < h` follows when g's Left stop is less than h's
/// Right stop (Siegel, chapter II, on stops).
// PERF: ends 48 % of the 5.3 M comparisons of distinct values in Sowing 1^12; numbers and the memo end
// another 27 %.
fn le_by_stops(g: (PackedStop, PackedStop), h: (PackedStop, PackedStop)) -> Option<bool> {
    let (g_left, g_right) = (g.0.fixed()?, g.1.fixed()?);
    let (h_left, h_right) = (h.0.fixed()?, h.1.fixed()?);
    if g_left > h_left || g_right > h_right {
        Some(false)
    } else if g_left < h_right {
        Some(true)
    } else {
        None
    }
}

fn memo_slot(lesser: u32, greater: u32) -> usize {
    let key = u64::from(lesser) << 32 | u64::from(greater);
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize % MEMO_ENTRIES
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::ArenaError;

    fn game(calculator: &mut Calculator<'_>, left: &[ValueId], right: &[ValueId]) -> ValueId {
        calculator
            .canonical(&mut left.to_vec(), &mut right.to_vec())
            .unwrap()
    }

    #[test]
    fn the_games_born_by_day_two_are_twenty_two() {
        let arena = Arena::new();
        let mut calculator = arena.calculator();
        let mut born = vec![ValueId::ZERO];
        for expected in [4, 22] {
            let mut next = std::collections::BTreeSet::new();
            for left in 0u32..1 << born.len() {
                for right in 0u32..1 << born.len() {
                    let pick = |mask: u32| -> Vec<ValueId> {
                        (0..born.len())
                            .filter(|i| mask >> i & 1 == 1)
                            .map(|i| born[i])
                            .collect()
                    };
                    next.insert(game(&mut calculator, &pick(left), &pick(right)));
                }
            }
            assert_eq!(next.len(), expected);
            born = next.into_iter().collect();
        }
        // Day 2 in Winning Ways: integers -2..2, halves, * and its translates, ups, switches.
        assert!(born.iter().all(|&g| arena.birthday(g) <= 2));
        assert_eq!(
            born.iter().filter(|&&g| arena.number(g).is_some()).count(),
            7
        );
        assert_eq!(
            born.iter().filter(|&&g| arena.nimber(g).is_some()).count(),
            3
        );
        for &g in &born {
            assert!(born.contains(&g.negative()));
            assert_eq!(calculator.difference(g, g), Ok(ValueId::ZERO));
        }
    }

    #[test]
    fn up_is_positive_and_confused_with_star() {
        let arena = Arena::new();
        let mut c = arena.calculator();
        let star = c.nimber(1).unwrap();
        let up = game(&mut c, &[ValueId::ZERO], &[star]);
        assert_eq!(c.outcome(up), OutcomeClass::Left);
        assert_eq!(c.outcome(up.negative()), OutcomeClass::Right);
        assert_eq!(c.outcome(star), OutcomeClass::Next);
        assert_eq!(c.compare(up, star), Comparison::Confused);
        let up_star = c.sum(up, star).unwrap();
        assert_eq!(
            up_star,
            game(&mut c, &[ValueId::ZERO, star], &[ValueId::ZERO])
        );
        let double_up = c.sum(up, up).unwrap();
        assert_eq!(double_up, game(&mut c, &[ValueId::ZERO], &[up_star]));
        assert_eq!(c.compare(double_up, star), Comparison::Greater);
        assert!(arena.is_dicotic(double_up) && !arena.is_dicotic(c.number(Dyadic::ONE).unwrap()));
    }

    #[test]
    fn numbers_are_simplest_and_stops_are_exact_beyond_the_packed_range() {
        let arena = Arena::new();
        let mut c = arena.calculator();
        let one = c.number(Dyadic::ONE).unwrap();
        let half = game(&mut c, &[ValueId::ZERO], &[one]);
        assert_eq!(arena.number(half), Some(Dyadic::new(1, 1)));
        let fine = Dyadic::new(5, 40);
        let fine_id = c.number(fine).unwrap();
        assert_eq!(arena.number(fine_id), Some(fine));
        assert_eq!(arena.number(fine_id.negative()), Some(-fine));
        let switch = game(&mut c, &[fine_id], &[fine_id.negative()]);
        assert_eq!(
            (arena.left_stop(switch), arena.right_stop(switch)),
            (fine, -fine)
        );
        assert!(switch.is_symmetric());
        assert_eq!(c.compare(switch, one), Comparison::Less);
        // Each such number is a simplest number between two others that the records cannot keep.
        let deep = Dyadic::new(384_307_168_202_282_325, 59);
        let deep_id = c.number(deep).unwrap();
        assert_eq!(arena.number(deep_id.negative()), Some(-deep));
        let hot = game(&mut c, &[deep_id], &[deep_id.negative()]);
        assert_eq!(arena.left_stop(hot), deep);
        let large = c.number(Dyadic::integer(700_000)).unwrap();
        assert_eq!(
            arena.number(large.negative()),
            Some(Dyadic::integer(-700_000))
        );
        let too_large = Dyadic::integer(1 << 40);
        assert_eq!(
            c.number(too_large),
            Err(ArenaError::IntegerTooLarge(1 << 40))
        );
        assert!(c.number(-too_large).is_err());
    }
}
