//! How games compare, and how play ends.

use super::calculator::{LoopyCalculator, LoopyError};
use super::graph::{LEFT, LoopyGraph, RIGHT, Target};
use super::order::{Infinite, Order};
use super::stopper::{Sides, Stopper};
use crate::{Comparison, Ending, ValueId};

impl LoopyCalculator<'_> {
    /// Returns whether `g >= h`.
    ///
    /// # Errors
    ///
    /// When the comparison has too many pairs of followers.
    pub fn ge(&mut self, g: Stopper, h: Stopper) -> Result<bool, LoopyError> {
        self.survives(g, h, RIGHT)
    }

    /// Returns how two games compare: `G >= H` holds if it does for their onsides and for their offsides.
    ///
    /// # Errors
    ///
    /// As [`ge`](LoopyCalculator::ge).
    pub fn compare(&mut self, g: Sides, h: Sides) -> Result<Comparison, LoopyError> {
        let at_least = self.ge(g.onside, h.onside)? && self.ge(g.offside, h.offside)?;
        let at_most = self.ge(h.onside, g.onside)? && self.ge(h.offside, g.offside)?;
        Ok(match (at_least, at_most) {
            (true, true) => Comparison::Equal,
            (true, false) => Comparison::Greater,
            (false, true) => Comparison::Less,
            (false, false) => Comparison::Confused,
        })
    }

    /// Returns how play ends for Left when Left moves first, and for Right when Right does.
    ///
    /// # Errors
    ///
    /// As [`ge`](LoopyCalculator::ge).
    ///
    /// ```
    /// use cgvalues::{Arena, Ending, LoopyCalculator};
    ///
    /// let arena = Arena::new();
    /// let mut c = LoopyCalculator::new(&arena);
    /// let tis = c.parse("tis")?;
    /// assert_eq!(c.endings(tis)?, [Ending::Draw, Ending::Loss]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn endings(&mut self, game: Sides) -> Result<[Ending; 2], LoopyError> {
        let zero = Stopper::Short(ValueId::ZERO);
        let negative = self.negative(game.offside);
        let mut endings = [Ending::Draw; 2];
        for (to_move, ending) in endings.iter_mut().enumerate() {
            // Right survives a game if Left survives its negative, moving in Right's place.
            let left = self.survives(game.onside, zero, to_move)?;
            let right = self.survives(negative, zero, 1 - to_move)?;
            let [mover, other] = match to_move {
                LEFT => [left, right],
                _ => [right, left],
            };
            *ending = match (mover, other) {
                (true, true) => Ending::Draw,
                (true, false) => Ending::Win,
                (false, _) => Ending::Loss,
            };
        }
        Ok(endings)
    }

    /// Returns whether Left survives `g - h` with a player to move.
    pub(super) fn survives(
        &mut self,
        g: Stopper,
        h: Stopper,
        to_move: usize,
    ) -> Result<bool, LoopyError> {
        let graph = LoopyGraph::default();
        let mut order = Order::new(&graph, Infinite::Survived);
        order.survives(self, (Target::Form(g), Target::Form(h), to_move))
    }
}
