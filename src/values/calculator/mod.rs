//! Order, simplification and sums of canonical forms: one worker's view of an [`Arena`].
//!
//! [`order`] compares, [`simplify`] makes canonical forms of options, [`build`] makes numbers and
//! nimbers, [`sum`] adds.
//!
//! Source: Winning Ways, chapters 1 and 2; Siegel, Combinatorial Game Theory, chapter II (dominated
//! and reversible options, the Simplest Number Theorem, the Number Translation Theorem).

mod build;
mod edges;
mod game;
mod lists;
mod memo;
mod order;
mod play;
mod simplify;
mod sum;

use std::cmp::Ordering;
use std::fmt;

use hashbrown::HashMap;

use super::arena::{Ids, Recent};
use super::{Arena, ArenaError, Dyadic, OutcomeClass, ValueId};
use game::Scratch;
use lists::ListMemo;
use memo::OrderMemo;
use play::Play;
pub(crate) use sum::{SumMemo, in_order, sum_of_numbers};

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

impl Comparison {
    /// Returns the ordering of two values that are not confused.
    ///
    /// ```
    /// use std::cmp::Ordering;
    /// use cgvalues::Comparison;
    ///
    /// assert_eq!(Comparison::Less.ordering(), Some(Ordering::Less));
    /// assert_eq!(Comparison::Confused.ordering(), None);
    /// ```
    pub fn ordering(self) -> Option<Ordering> {
        match self {
            Comparison::Less => Some(Ordering::Less),
            Comparison::Equal => Some(Ordering::Equal),
            Comparison::Greater => Some(Ordering::Greater),
            Comparison::Confused => None,
        }
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Comparison::Less => "less",
            Comparison::Equal => "equal",
            Comparison::Greater => "greater",
            Comparison::Confused => "confused",
        })
    }
}

/// Compares, simplifies and adds the forms of an arena.
///
/// Each worker has its own: it owns scratch memory, of up to three megabytes.
///
/// ```
/// use cgvalues::{Arena, Comparison};
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
    memo: OrderMemo,
    lists: ListMemo,
    /// The comparisons that wait for others; empty between queries.
    plays: Vec<Play<'a>>,
    /// The replies not yet tried in comparisons with an unstored game; empty between queries.
    replies: Vec<Ids<'a>>,
    numbers: HashMap<Dyadic, ValueId, foldhash::fast::RandomState>,
    /// The forms of the integers from 0 up to the largest one needed so far.
    integers: Vec<ValueId>,
    /// The forms of small numbers, by the number in units of 1/64.
    small_numbers: Box<[Option<ValueId>]>,
    scratch: Scratch,
    recent: Recent,
    /// The steps taken, and their limit.
    steps: u64,
    steps_max: u64,
    /// What raises the limit.
    watch: Option<Watch>,
}

/// An interval in steps, and a function that decides after each whether to continue.
type Watch = (u64, Box<dyn FnMut() -> bool + Send>);

/// A limit of steps, and what was used of it.
pub(crate) struct Limit {
    steps: u64,
    steps_max: u64,
    watch: Option<Watch>,
}

impl Arena {
    /// Returns a calculator over the arena.
    pub fn calculator(&self) -> Calculator<'_> {
        Calculator {
            arena: self,
            memo: OrderMemo::default(),
            lists: ListMemo::default(),
            plays: Vec::new(),
            replies: Vec::new(),
            numbers: HashMap::default(),
            integers: vec![ValueId::ZERO],
            small_numbers: Box::default(),
            scratch: Scratch::default(),
            recent: Recent::default(),
            steps: 0,
            steps_max: u64::MAX,
            watch: None,
        }
    }
}

impl<'a> Calculator<'a> {
    /// Returns the arena whose forms this calculator works on.
    pub fn arena(&self) -> &'a Arena {
        self.arena
    }

    /// Limits the work of this calculator from now on, in steps: an option compared with another or
    /// stored, some nanoseconds each.
    ///
    /// Beyond the limit, forms are refused with [`ArenaError::Steps`]. A comparison cannot fail, so
    /// [`check_steps`](Calculator::check_steps) reports whether its answer is valid.
    ///
    /// ```
    /// use cgvalues::{Arena, ArenaError};
    ///
    /// let arena = Arena::new();
    /// let mut c = arena.calculator();
    /// c.limit_steps(1_000);
    /// let (g, h) = (c.parse("{5|^*}")?, c.parse("{*|-3}")?);
    /// assert!(c.sum(g, h).is_ok());
    /// c.limit_steps(2);
    /// assert_eq!(c.sum(g, h), Err(ArenaError::Steps(2)));
    /// # Ok::<(), cgvalues::ParseValueError>(())
    /// ```
    pub fn limit_steps(&mut self, steps: u64) {
        (self.steps, self.steps_max) = (0, steps);
        self.watch = None;
    }

    /// Calls a function at intervals of `steps` steps from now on. Once it returns `false`, the calculator is at its
    /// [limit](Calculator::limit_steps).
    ///
    /// ```
    /// use cgvalues::{Arena, ArenaError};
    ///
    /// let arena = Arena::new();
    /// let mut c = arena.calculator();
    /// let (g, h) = (c.parse("{5|^*}")?, c.parse("{*|-3}")?);
    /// let mut calls = 0;
    /// c.watch_steps(1, move || {
    ///     calls += 1;
    ///     calls != 3
    /// });
    /// assert!(matches!(c.sum(g, h), Err(ArenaError::Steps(_))));
    /// # Ok::<(), cgvalues::ParseValueError>(())
    /// ```
    pub fn watch_steps(&mut self, steps: u64, goes_on: impl FnMut() -> bool + Send + 'static) {
        self.limit_steps(steps);
        self.watch = Some((steps, Box::new(goes_on)));
    }

    /// Returns the steps left within the [limit](Calculator::limit_steps).
    pub fn steps_left(&self) -> u64 {
        self.steps_max.saturating_sub(self.steps)
    }

    /// Fails once the limit of steps is reached; comparisons after that are meaningless.
    ///
    /// # Errors
    ///
    /// [`ArenaError::Steps`].
    pub fn check_steps(&self) -> Result<(), ArenaError> {
        if self.steps > self.steps_max {
            Err(ArenaError::Steps(self.steps_max))
        } else {
            Ok(())
        }
    }

    /// Counts steps, and returns whether they are within the limit.
    #[inline]
    fn step(&mut self, steps: usize) -> bool {
        self.steps += steps as u64;
        self.steps <= self.steps_max || self.goes_on()
    }

    /// Raises the limit, if the work is to continue.
    #[cold]
    fn goes_on(&mut self) -> bool {
        let Some((steps, goes_on)) = &mut self.watch else {
            return false;
        };
        let goes_on = goes_on();
        if goes_on {
            self.steps_max = self.steps + *steps;
        } else {
            self.watch = None;
        }
        goes_on
    }

    /// Does some work within a limit of steps, unless the calculator's own limit is nearer.
    pub(crate) fn within<T>(&mut self, steps: u64, work: impl FnOnce(&mut Self) -> T) -> T {
        if self.steps_left() <= steps {
            return work(self);
        }
        let before = self.narrow(steps);
        let done = work(self);
        self.widen(before);
        done
    }

    /// Limits the next steps, and returns the limit before.
    pub(crate) fn narrow(&mut self, steps: u64) -> Limit {
        let before = Limit {
            steps: self.steps,
            steps_max: self.steps_max,
            watch: self.watch.take(),
        };
        self.limit_steps(steps);
        before
    }

    /// Brings back the limit before [`narrow`](Calculator::narrow), of which the steps since then are taken.
    pub(crate) fn widen(&mut self, before: Limit) {
        self.steps += before.steps;
        self.steps_max = before.steps_max;
        self.watch = before.watch;
    }

    /// Counts a step outside of this module, and fails beyond the limit.
    pub(crate) fn one_step(&mut self) -> Result<(), ArenaError> {
        self.step(1);
        self.check_steps()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ArenaError;

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
        // Each such number is a simplest number between two others that the records cannot hold.
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
    }

    #[test]
    fn numbers_that_no_arena_holds_are_refused_whatever_came_before() {
        let arena = Arena::new();
        let mut c = arena.calculator();
        let greatest = crate::INTEGER_MAX;
        for integer in [greatest + 1, -greatest - 1, 1 << 40, i64::MAX, i64::MIN] {
            let error = ArenaError::IntegerTooLarge(integer);
            assert_eq!(c.number(Dyadic::integer(integer)), Err(error));
        }
        let huge = Dyadic::new((1 << 100) + 1, 1);
        assert_eq!(c.number(huge), Err(ArenaError::TooManyBits));
        let fine = Dyadic::new(-1, 127);
        assert_eq!(c.number(fine), Err(ArenaError::TooManyBits));
        assert_eq!(
            ArenaError::IntegerTooLarge(-(1 << 40)).to_string(),
            "the integer -1099511627776 is too large: its form has all integers between 0 and it as followers; up to 2097152 and \
             down to -2097152 are supported"
        );
        assert_eq!(arena.len(), 1);
        // The greatest integers are built until the limit of steps.
        for integer in [greatest, -greatest] {
            c.limit_steps(10);
            assert_eq!(
                c.number(Dyadic::integer(integer)),
                Err(ArenaError::Steps(10))
            );
        }
        c.limit_steps(u64::MAX);
        let fine = c.number(Dyadic::new(1, 126)).unwrap();
        let two = c.number(Dyadic::integer(2)).unwrap();
        assert_eq!(c.sum(fine, two), Err(ArenaError::TooManyBits));
        let (hot, fine_hot) = (
            c.parse("{2|0}").unwrap(),
            c.canonical(&mut vec![fine], &mut vec![]),
        );
        assert!(fine_hot.is_ok());
        assert_eq!(c.sum(hot, fine), Err(ArenaError::TooManyBits));
    }
}
