//! From options to the canonical form: numbers recognised, dominated options removed, reversible ones
//! bypassed.

use super::{Calculator, le_by_stops};
use crate::value::arena::PackedStop;
use crate::value::{ArenaError, Dyadic, ValueId};

impl Calculator<'_> {
    /// Returns the canonical form of the game with these options, each given by its value.
    ///
    /// The lists come in any order and with duplicates; they are scratch and left in no defined
    /// state. Costs O(l^2 + r^2) comparisons for l and r distinct options, and O(l m) for l options with m
    /// reversing candidates each.
    ///
    /// # Errors
    ///
    /// When the arena cannot hold the form.
    pub fn canonical(
        &mut self,
        left: &mut Vec<ValueId>,
        right: &mut Vec<ValueId>,
    ) -> Result<ValueId, ArenaError> {
        if left.is_empty() && right.is_empty() {
            return Ok(ValueId::ZERO);
        }
        sort_and_dedup(left);
        sort_and_dedup(right);
        if let Some(number) = self.equal_number(left, right)? {
            return self.number(number);
        }
        // No number, so the stops come from the options, both sides
        // have options, and simplification changes neither stop.
        let left_stop = self
            .greatest_right_stop(left)
            .expect("a non-number has Left options");
        let right_stop = self
            .least_left_stop(right)
            .expect("a non-number has Right options");
        let stops = (PackedStop::new(left_stop), PackedStop::new(right_stop));
        loop {
            self.remove_dominated(left, Side::Left);
            self.remove_dominated(right, Side::Right);
            let game = Game { left, right, stops };
            let Some((side, index, through)) = self.find_reversible(&game) else {
                break;
            };
            // Bypass the option: in its place come the same player's options of the follower.
            let form = self.arena.form(through);
            match side {
                Side::Left => {
                    left.swap_remove(index);
                    left.extend(form.left());
                    sort_and_dedup(left);
                }
                Side::Right => {
                    right.swap_remove(index);
                    right.extend(form.right());
                    sort_and_dedup(right);
                }
            }
        }
        sort_and_dedup(left);
        sort_and_dedup(right);
        self.store(left, right, (left_stop, right_stop))
    }

    /// Returns the number that `{left | right}` equals, if it equals one.
    ///
    /// By the Simplest Number Theorem it equals the simplest number x with no Left option >= x and no
    /// Right option <= x, if there is such a number. All x strictly between the greatest Right stop
    /// of a Left option and the least Left stop of a Right option qualify, none outside, and the two
    /// ends themselves exactly when no option attains them with the wrong player to move.
    fn equal_number(
        &mut self,
        left: &[ValueId],
        right: &[ValueId],
    ) -> Result<Option<Dyadic>, ArenaError> {
        if let Some(true) = self.hot_by_packed_stops(left, right) {
            return Ok(None);
        }
        let low = self.greatest_right_stop(left);
        let high = self.least_left_stop(right);
        if let (Some(low), Some(high)) = (low, high)
            && low > high
        {
            return Ok(None);
        }
        let low_allowed = match low {
            Some(low) => self.is_below(left, low)?,
            None => false,
        };
        let high_allowed = match high {
            Some(high) => {
                let negatives: Vec<ValueId> = right.iter().map(|id| id.negative()).collect();
                self.is_below(&negatives, -high)?
            }
            None => false,
        };
        if low.is_some() && low == high && !(low_allowed && high_allowed) {
            return Ok(None);
        }
        Ok(Some(Dyadic::simplest_between(
            low,
            low_allowed,
            high,
            high_allowed,
        )))
    }

    /// Returns whether the stops rule out a number, where packed stops can tell.
    fn hot_by_packed_stops(&self, left: &[ValueId], right: &[ValueId]) -> Option<bool> {
        let mut low = i32::MIN;
        for &option in left {
            low = low.max(self.arena.form(option).right_stop().fixed()?);
        }
        let mut high = i32::MAX;
        for &option in right {
            high = high.min(self.arena.form(option).left_stop().fixed()?);
        }
        Some(!left.is_empty() && !right.is_empty() && low > high)
    }

    /// Returns whether no value of the list is greater than or equal to the number `x`, their
    /// greatest Right stop.
    fn is_below(&mut self, values: &[ValueId], x: Dyadic) -> Result<bool, ArenaError> {
        let number = self.number(x)?;
        Ok(values.iter().all(|&value| !self.le(number, value)))
    }

    fn greatest_right_stop(&self, left: &[ValueId]) -> Option<Dyadic> {
        left.iter()
            .map(|&option| self.arena.right_stop(option))
            .max()
    }

    fn least_left_stop(&self, right: &[ValueId]) -> Option<Dyadic> {
        right
            .iter()
            .map(|&option| self.arena.left_stop(option))
            .min()
    }

    /// Removes options that another option of the same player makes useless.
    fn remove_dominated(&mut self, options: &mut Vec<ValueId>, side: Side) {
        let mut i = 0;
        while i < options.len() {
            let option = options[i];
            let dominated = (0..options.len()).any(|j| {
                j != i
                    && match side {
                        Side::Left => self.le(option, options[j]),
                        Side::Right => self.le(options[j], option),
                    }
            });
            if dominated {
                options.swap_remove(i);
            } else {
                i += 1;
            }
        }
    }

    /// Returns a reversible option: whose, its place, and the follower through which it reverses.
    fn find_reversible(&mut self, game: &Game<'_>) -> Option<(Side, usize, ValueId)> {
        for (index, &option) in game.left.iter().enumerate() {
            for reply in self.arena.form(option).right() {
                if self.le_game(reply, game) {
                    return Some((Side::Left, index, reply));
                }
            }
        }
        for (index, &option) in game.right.iter().enumerate() {
            for reply in self.arena.form(option).left() {
                if self.game_le(game, reply) {
                    return Some((Side::Right, index, reply));
                }
            }
        }
        None
    }

    /// Returns whether `x <= game`, where the game is not stored yet.
    fn le_game(&mut self, x: ValueId, game: &Game<'_>) -> bool {
        let form = self.arena.form(x);
        if let Some(known) = le_by_stops((form.left_stop(), form.right_stop()), game.stops) {
            return known;
        }
        !game.right.iter().any(|&option| self.le(option, x))
            && !form.left().any(|option| self.game_le(game, option))
    }

    /// Returns whether `game <= x`, where the game is not stored yet.
    fn game_le(&mut self, game: &Game<'_>, x: ValueId) -> bool {
        let form = self.arena.form(x);
        if let Some(known) = le_by_stops(game.stops, (form.left_stop(), form.right_stop())) {
            return known;
        }
        !game.left.iter().any(|&option| self.le(x, option))
            && !form.right().any(|option| self.le_game(option, game))
    }
}

#[derive(Clone, Copy)]
enum Side {
    Left,
    Right,
}

/// A game in the course of simplification: its options so far, and its stops.
struct Game<'a> {
    left: &'a [ValueId],
    right: &'a [ValueId],
    stops: (PackedStop, PackedStop),
}

fn sort_and_dedup(options: &mut Vec<ValueId>) {
    options.sort_unstable();
    options.dedup();
}
