//! From options to the canonical form: numbers recognised, dominated options removed, reversible
//! ones bypassed.
//!
//! Both players are treated alike: Right's options are stored as their negatives, which are the
//! Left options of the negative game. Each option's record is read once.

use super::Calculator;
use super::edges::{Replies, edges, edges_of_exact, le_by_edges};
use super::game::Game;
use crate::arena::{Head, Ids, STOP_SHIFT};
use crate::{ArenaError, Dyadic, ValueId};

/// Longer lists are sorted and deduplicated first. Shorter ones lose duplicates in the search for
/// dominated options.
const LONG_LIST: usize = 32;

/// Small numbers, the multiples of 1/64 below 32, are looked up by index.
const SMALL_SHIFT: u32 = STOP_SHIFT - 6;
const SMALL_NUMBERS: i64 = 1 << 12;

impl<'a> Calculator<'a> {
    /// Returns the canonical form of the game with these options, each given by its value.
    ///
    /// The lists may be in any order and contain duplicates; their content afterwards is
    /// unspecified. Costs O(l^2 + r^2) comparisons for l and r distinct options, and O(l m) for l
    /// options with m reversing candidates each.
    ///
    /// # Errors
    ///
    /// When the arena cannot hold the form.
    pub fn canonical(
        &mut self,
        left: &mut Vec<ValueId>,
        right: &mut Vec<ValueId>,
    ) -> Result<ValueId, ArenaError> {
        let unknown = match self.lists.form(left, right) {
            Ok(form) => return Ok(form),
            Err(unknown) => unknown,
        };
        for list in [&mut *left, &mut *right] {
            if list.len() > LONG_LIST {
                list.sort_unstable();
                list.dedup();
            }
        }
        // Taken out while the calculator compares, which borrows it mutably.
        let mut game = std::mem::take(&mut self.scratch.game);
        self.memo.start();
        game.left.clear();
        game.negative_left.clear();
        for &option in &*left {
            game.left.push(self.arena.head(option));
        }
        for &option in &*right {
            game.negative_left.push(self.arena.head(option.negative()));
        }
        let form = self.canonical_of(&mut game);
        self.scratch.game = game;
        if let (Some(unknown), Ok(form)) = (unknown, &form) {
            self.lists.insert(unknown, *form);
        }
        form
    }

    fn canonical_of(&mut self, game: &mut Game) -> Result<ValueId, ArenaError> {
        let left = Replies::to(&game.left);
        let right = Replies::to(&game.negative_left);
        let mut stops = None;
        if left.all_known && right.all_known {
            if left.leave_a_number(&right) {
                return self.simplest_number(&left, &right);
            }
            (game.up, game.down) = edges(&left, &right);
        } else {
            // A few stops are not multiples of 2^-12, or are very large.
            match self.exact_stops(game)? {
                Exact::Number(number) => return self.number(number),
                Exact::Stops(left, right) => {
                    stops = Some((left, right));
                    (game.up, game.down) =
                        edges_of_exact(&game.left, &game.negative_left, (left, right));
                }
            }
        }
        // The game is not a number, so both sides have options, and simplification changes neither
        // edge.
        for options in [&mut game.left, &mut game.negative_left] {
            let before = options.len();
            self.remove_dominated(options, stops.is_none());
            // An upper bound: each option was compared with at most all that remain.
            self.step(before * options.len());
        }
        // The number of options on each side that are known to be irreversible. An option stays
        // irreversible when others change, since the value of the game does not change.
        let mut checked = [0, 0];
        loop {
            if checked[0] < game.left.len() {
                self.check_reversible(game, &mut checked[0]);
            } else if checked[1] < game.negative_left.len() {
                game.negate();
                self.check_reversible(game, &mut checked[1]);
                game.negate();
            } else {
                break;
            }
        }
        self.check_steps()?;
        self.store_heads(&game.left, &game.negative_left, (game.up, game.down), stops)
    }

    /// Returns the number that a game equals; the caller knows that there is one.
    fn simplest_number(&mut self, left: &Replies, right: &Replies) -> Result<ValueId, ArenaError> {
        // One bit more, so that a number lies between any two stops.
        let low = left
            .least
            .map(|stop| (-2 * i64::from(stop), left.allow_the_end()));
        let high = right
            .least
            .map(|stop| (2 * i64::from(stop), right.allow_the_end()));
        let fixed = simplest_fixed(low, high, STOP_SHIFT + 1);
        let small = SMALL_SHIFT + 1;
        let place = (fixed >> small) + SMALL_NUMBERS / 2;
        if fixed >> small << small != fixed || !(0..SMALL_NUMBERS).contains(&place) {
            return self.number(Dyadic::new(i128::from(fixed), STOP_SHIFT + 1));
        }
        if let Some(&Some(id)) = self.small_numbers.get(place as usize) {
            return Ok(id);
        }
        let id = self.number(Dyadic::new(i128::from(fixed), STOP_SHIFT + 1))?;
        if self.small_numbers.is_empty() {
            self.small_numbers = vec![None; SMALL_NUMBERS as usize].into_boxed_slice();
        }
        self.small_numbers[place as usize] = Some(id);
        Ok(id)
    }

    /// Returns the number that a game equals, or its stops if it is not a number, by exact
    /// arithmetic.
    ///
    /// By the Simplest Number Theorem it equals the simplest number x with no Left option >= x and
    /// no Right option <= x, if there is one. All x strictly between the greatest Right stop of a
    /// Left option and the least Left stop of a Right option qualify, none outside, and the two
    /// ends themselves exactly when no option attains them with the wrong player to move.
    #[cold]
    fn exact_stops(&mut self, game: &Game) -> Result<Exact, ArenaError> {
        let arena = self.arena;
        let greatest = |options: &[Head]| {
            let stops = options.iter().map(|option| arena.right_stop(option.id));
            stops.max()
        };
        let low = greatest(&game.left);
        let high = greatest(&game.negative_left).map(|stop| -stop);
        if let (Some(low), Some(high)) = (low, high)
            && low > high
        {
            return Ok(Exact::Stops(low, high));
        }
        let mut is_below = |options: &[Head], x: Dyadic| {
            let number = self.number(x)?;
            Ok::<bool, ArenaError>(!options.iter().any(|option| self.le(number, option.id)))
        };
        let low_allowed = match low {
            Some(low) => is_below(&game.left, low)?,
            None => false,
        };
        let high_allowed = match high {
            Some(high) => is_below(&game.negative_left, -high)?,
            None => false,
        };
        self.check_steps()?;
        if let (Some(low), Some(high)) = (low, high)
            && low == high
            && !(low_allowed && high_allowed)
        {
            return Ok(Exact::Stops(low, high));
        }
        let number = Dyadic::simplest_between(low, low_allowed, high, high_allowed);
        number.map(Exact::Number).ok_or(ArenaError::TooManyBits)
    }

    /// Removes duplicates and dominated Left options. `all_known` means that all stops are known.
    fn remove_dominated(&mut self, options: &mut Vec<Head>, all_known: bool) {
        sort_by_size(options);
        let mut kept = 0;
        for i in 0..options.len() {
            let option = options[i];
            // Among the options before it, this one can dominate only those with the same stops.
            let is_less = |other: &Head| size(&option) < size(other);
            if all_known && options[..kept].last().is_none_or(is_less) {
                let mut others = options[..kept].iter();
                if !others.any(|other| self.le_heads(&option, other)) {
                    options[kept] = option;
                    kept += 1;
                }
            } else {
                kept = self.keep_undominated(options, kept, &option, &mut 0);
            }
        }
        options.truncate(kept);
    }

    /// Adds an option to the first `kept` options of a list, unless one of them dominates it, and
    /// drops those that it dominates. Returns the new number of options, and lowers `checked` by
    /// the number of dropped options among the first `checked`.
    #[inline]
    fn keep_undominated(
        &mut self,
        options: &mut [Head],
        kept: usize,
        option: &Head,
        checked: &mut usize,
    ) -> usize {
        let mut others = options[..kept].iter();
        if others.any(|other| self.le_heads(option, other)) {
            return kept;
        }
        let mut end = 0;
        let before = *checked;
        for i in 0..kept {
            let other = options[i];
            if self.le_heads(&other, option) {
                *checked -= usize::from(i < before);
            } else {
                options[end] = other;
                end += 1;
            }
        }
        options[end] = *option;
        end + 1
    }

    /// Checks Left's first unchecked option. If it is reversible, the Left options of the follower
    /// that it reverses through replace it.
    fn check_reversible(&mut self, game: &mut Game, checked: &mut usize) {
        let arena = self.arena;
        let option = game.left[*checked];
        let mut replies = arena.form(option.id).negative_left();
        if !self.step(replies.len()) {
            *checked += 1;
            return;
        }
        let through = replies.find(|&reply| {
            let reply = arena.head(reply.negative());
            self.value_le_unstored(&reply, game)
        });
        let Some(reply) = through else {
            *checked += 1;
            return;
        };
        let left = &mut game.left;
        left.swap_remove(*checked);
        for follower in arena.form(reply.negative()).left() {
            let kept = left.len();
            self.step(kept);
            // A placeholder, which is overwritten.
            left.push(option);
            let kept = self.keep_undominated(left, kept, &arena.head(follower), checked);
            left.truncate(kept);
        }
    }

    /// Returns whether `x <= game` for a game that is not stored yet.
    fn value_le_unstored(&mut self, x: &Head, game: &Game) -> bool {
        let mut options = match self.beside_unstored(x, true, game) {
            Ok(known) => return known,
            Err(options) => options,
        };
        // Whether the comparison on top is `x <= game` rather than `game <= x`. Right and Left move
        // in turn, so the direction alternates from one follower of x to the next; one reply that
        // holds refutes a comparison.
        let mut below = true;
        self.replies.clear();
        loop {
            let mut holds = loop {
                let Some(option) = options.next() else {
                    break true;
                };
                // The replies to `game <= x` are Right's options of x, which are stored as
                // negatives.
                let option = self.arena.head(option.negated_if(!below));
                match self.beside_unstored(&option, !below, game) {
                    Ok(true) => break false,
                    Ok(false) => {}
                    Err(replies) => {
                        self.replies.push(std::mem::replace(&mut options, replies));
                        below = !below;
                    }
                }
            };
            loop {
                let Some(before) = self.replies.pop() else {
                    return holds;
                };
                options = before;
                below = !below;
                if !holds {
                    break;
                }
                holds = false;
            }
        }
    }

    /// Returns whether `x <= game` (or `game <= x` if `below` is false) where that does not depend
    /// on x's options. Otherwise returns these options, Left's or the negatives of Right's: the
    /// comparison holds unless the opposite one holds for one of them.
    #[inline]
    fn beside_unstored(&mut self, x: &Head, below: bool, game: &Game) -> Result<bool, Ids<'a>> {
        let head = game.head();
        let (edges, negative);
        let (x, options) = if below {
            edges = le_by_edges(x, &head);
            negative = x.negative();
            (&negative, &game.negative_left)
        } else {
            edges = le_by_edges(&head, x);
            (x, &game.left)
        };
        if let Some(known) = edges {
            return Ok(known);
        }
        let replies = self.arena.form(x.id).negative_left();
        if !self.step(options.len() + replies.len()) {
            return Ok(false);
        }
        // In both cases x is now compared with Left's options, of the game or of its negative.
        if options.iter().any(|option| self.le_heads(x, option)) {
            return Ok(false);
        }
        Err(replies)
    }
}

/// Returns a number that grows with both stops, so a dominating option has the greater number.
#[inline]
fn size(option: &Head) -> i32 {
    let (up, down) = (option.up_stop.fixed(), option.down_stop.fixed());
    up.wrapping_sub(down)
}

/// Sorts by size, the greatest first, so that undominated options tend to come first.
#[inline]
fn sort_by_size(options: &mut [Head]) {
    for i in 1..options.len() {
        let option = options[i];
        let mut place = i;
        while place > 0 && size(&options[place - 1]) < size(&option) {
            options[place] = options[place - 1];
            place -= 1;
        }
        options[place] = option;
    }
}

/// The result of exact arithmetic for a game.
enum Exact {
    Number(Dyadic),
    Stops(Dyadic, Dyadic),
}

/// Returns the simplest number between two ends, in units of `2^-shift`, as
/// [`Dyadic::simplest_between`] does. A flag with each end says whether it is allowed as the
/// result. Some multiple of the unit must lie between the ends.
fn simplest_fixed(low: Option<(i64, bool)>, high: Option<(i64, bool)>, shift: u32) -> i64 {
    let low = low.map(|(end, allowed)| if allowed { end } else { end + 1 });
    let high = high.map(|(end, allowed)| if allowed { end } else { end - 1 });
    let low_is_below = low.is_none_or(|low| low <= 0);
    let high_is_above = high.is_none_or(|high| high >= 0);
    match (low, high) {
        _ if low_is_below && high_is_above => 0,
        (Some(low), high) if !low_is_below => simplest_positive(low, high, shift),
        (low, Some(high)) => -simplest_positive(-high, low.map(|low| -low), shift),
        _ => unreachable!("an end excludes 0"),
    }
}

/// Returns the simplest number from `low` to `high`, both included, where `low` is positive.
fn simplest_positive(low: i64, high: Option<i64>, shift: u32) -> i64 {
    let unit = 1 << shift;
    let integer = (low + unit - 1) & -unit;
    match high {
        Some(high) if integer > high => {
            // Between two integers the simplest is the one with the most trailing zeros: the
            // greatest of those that agree with `high` in the digits before the first in which
            // `low - 1` differs from it.
            let differ = (low - 1) ^ high;
            high >> differ.ilog2() << differ.ilog2()
        }
        _ => integer,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Arena, ValueMap};

    /// The order by its definition, without edges.
    struct Play<'a> {
        arena: &'a Arena,
        known: ValueMap<ValueMap<bool>>,
    }

    impl Play<'_> {
        fn le(&mut self, g: ValueId, h: ValueId) -> bool {
            if let Some(&known) = self.known.get(&g).and_then(|of_g| of_g.get(&h)) {
                return known;
            }
            let (left, right) = (self.arena.left_options(g), self.arena.right_options(h));
            let holds = !left.into_iter().any(|option| self.le(h, option))
                && !right.into_iter().any(|option| self.le(option, g));
            self.known.entry(g).or_default().insert(h, holds);
            holds
        }

        fn is_canonical(&mut self, id: ValueId) -> bool {
            let negative = id.negative();
            [id, negative].into_iter().all(|id| {
                let left = self.arena.left_options(id);
                let dominated = left
                    .iter()
                    .any(|&a| left.iter().any(|&b| a != b && self.le(a, b)));
                let mut replies = left.iter().flat_map(|&a| self.arena.right_options(a));
                !dominated && !replies.any(|reply| self.le(reply, id))
            })
        }
    }

    proptest! {
        /// Numbers of these sizes have records of all kinds: short ones, long ones, and those that
        /// cannot hold a stop.
        #[test]
        fn games_of_fine_numbers_are_canonical(
            games in proptest::collection::vec(
                (
                    proptest::collection::vec((-3i128..=3, 0usize..3, 0usize..8), 1..4),
                    proptest::collection::vec((-3i128..=3, 0usize..3, 0usize..8), 1..4),
                ),
                8,
            ),
        ) {
            let arena = Arena::new();
            let mut c = arena.calculator();
            let mut made: Vec<ValueId> = Vec::new();
            let mut known = Play { arena: &arena, known: ValueMap::default() };
            for (left, right) in games {
                let mut side = |options: Vec<(i128, usize, usize)>| -> Vec<ValueId> {
                    let option = |(number, scale, game): (i128, usize, usize)| {
                        // Half of the options are games made before, or their negatives.
                        if game % 2 == 1 && !made.is_empty() {
                            made[game / 2 % made.len()].negated_if(number < 0)
                        } else {
                            c.number(Dyadic::new(number, [0, 9, 14][scale])).unwrap()
                        }
                    };
                    options.into_iter().map(option).collect()
                };
                let (left, right) = (side(left), side(right));
                let id = c.canonical(&mut left.clone(), &mut right.clone()).unwrap();
                prop_assert!(known.is_canonical(id), "{}", arena.notation(id));
                // id <= G and G <= id, where G is the game before simplification.
                prop_assert!(!left.iter().any(|&option| known.le(id, option)));
                prop_assert!(!right.iter().any(|&option| known.le(option, id)));
                for option in arena.left_options(id) {
                    prop_assert!(answers(&arena, &mut known, option, &left, &right, true));
                }
                for option in arena.right_options(id) {
                    prop_assert!(answers(&arena, &mut known, option, &left, &right, false));
                }
                made.push(id);
            }
        }
    }

    /// Returns whether `x >= G` is false (or `x <= G` if `above` is false), where G is the game
    /// with these options.
    fn answers(
        arena: &Arena,
        play: &mut Play<'_>,
        x: ValueId,
        left: &[ValueId],
        right: &[ValueId],
        above: bool,
    ) -> bool {
        if above {
            left.iter().any(|&option| play.le(x, option))
                || (arena.right_options(x).into_iter())
                    .any(|reply| !answers(arena, play, reply, left, right, false))
        } else {
            right.iter().any(|&option| play.le(option, x))
                || (arena.left_options(x).into_iter())
                    .any(|reply| !answers(arena, play, reply, left, right, true))
        }
    }

    /// Agrees with the search by exact arithmetic on all intervals between multiples of 1/8 up to
    /// 4.
    #[test]
    fn simplest_numbers_are_those_of_exact_arithmetic() {
        let shift = 4;
        let ends = || (-32..=32).flat_map(|end| [(end, false), (end, true)]);
        let options = || std::iter::once(None).chain(ends().map(Some));
        let mut intervals = 0;
        for low in options() {
            for high in options() {
                if let (Some(low), Some(high)) = (low, high)
                    && (low.0 > high.0 || low.0 == high.0 && !(low.1 && high.1))
                {
                    continue;
                }
                // In half the unit of the ends, so that a number lies between any two.
                let doubled =
                    |end: Option<(i64, bool)>| end.map(|(end, allowed)| (2 * end, allowed));
                let exact = |end: Option<(i64, bool)>| {
                    end.map(|(end, _)| Dyadic::new(i128::from(end), shift - 1))
                };
                let allowed = |end: Option<(i64, bool)>| end.is_some_and(|(_, allowed)| allowed);
                let expected =
                    Dyadic::simplest_between(exact(low), allowed(low), exact(high), allowed(high));
                let fixed = simplest_fixed(doubled(low), doubled(high), shift);
                let found = Dyadic::new(i128::from(fixed), shift);
                assert_eq!(Some(found), expected, "{low:?} {high:?}");
                intervals += 1;
            }
        }
        assert!(intervals > 8_000);
    }
}
