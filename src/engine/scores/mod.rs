//! Scores: the exact margins of all positions of a scored game, tier by tier.
//!
//! A *tier* is all positions with equally many seeds in their pits, and a score is a byte. A move
//! wins seeds or stays in its tier, so a tier needs the smaller ones. What it needs of itself is
//! where the games differ.
//!
//! # Without circles
//!
//! In Kalah a move that wins nothing moves seeds ahead on the mover's own side. The tier is scored
//! in the order of the distances of all its seeds, each position once.
//!
//! # With circles
//!
//! Wari and its kin can go round in circles, and endless play is worth 0. So a player has a margin
//! of at least b > 0 where the player can force it within some number of moves, and of at least -b
//! where the opponent cannot force more than b.
//!
//! Let X be 0 for every position of the tier. As long as some X changes, let X(p) become the
//! greatest of gain - X(q) over the options q of a position p, in any order; outside the tier X is
//! the score. *X ends as the score V.*
//!
//! 1. X(p) always lies between 0 and V(p). Let X(p) become t > 0. Then an option has gain - X(q) >= t. If q is in the tier, the
//!    gain is 0 and X(q) <= -t, so that V(q) <= -t by induction, and V(p) >= t. Let X(p) become -t < 0. Then all options have
//!    gain - X(q) <= -t, by induction also gain - V(q) <= -t, and V(p) <= -t.
//! 2. X(p) never comes back towards 0. An option that gave t > 0 still gives as much, since its X has only fallen; options that
//!    kept X(p) at -t < 0 still do, since their X have only risen. So X comes to rest.
//! 3. Then it is V. Let the mover of p force b > 0 in n moves. Then an option leaves b to force in n - 1 moves, whatever the
//!    opponent does, and by induction on n X(p) >= b. Likewise X(p) <= -b where the opponent forces b.
//!
//! Sources: van der Goot, *Awari retrograde analysis* (2000), for sweeps with moves forward alone;
//! Irving, Donkers and Uiterwijk, *Solving Kalah* (2000), for databases of Kalah.

mod numbering;
mod perft;
mod plans;
mod search;
mod tier;

use std::sync::atomic::AtomicI8;

pub use numbering::{Numbering, positions_of};
pub use perft::perft;
pub use search::{Line, ScoreSearch};

use self::plans::{Plans, SIDES_MAX};
use self::tier::Tier;
use crate::board::two_rows::TwoRows;
use crate::engine::{Control, StopReason};
use crate::game::scored::Scored;

/// Scores tiers of a game on boards of one size.
///
/// ```
/// use seedbank::engine::Control;
/// use seedbank::engine::scores::Scorer;
/// use seedbank::game::scored::Wari;
///
/// let scorer = Scorer::new(Wari::AWARI, 3, 7);
/// let scores = scorer.all(&Control::default()).map_err(|reason| reason.to_string())?;
/// assert_eq!(scores.get(&"0 0 3 / 0 2 2".parse()?), Some(5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Scorer<G> {
    game: G,
    numbering: Numbering,
    plans: Plans,
}

/// Scores of all positions of some game with at most some number of seeds.
#[derive(Debug)]
pub struct Scores<'a> {
    numbering: &'a Numbering,
    /// By seeds.
    tiers: Vec<Vec<i8>>,
    /// How many positions were visited in each tier.
    pub visited: Vec<u64>,
}

impl<G: Scored> Scorer<G> {
    /// Tabulates the moves on boards with `pits` pits a side and at most `seeds_max` seeds.
    ///
    /// # Panics
    ///
    /// If more than 2^24 sides have `seeds_max` seeds.
    pub fn new(game: G, pits: usize, seeds_max: u32) -> Scorer<G> {
        let numbering = Numbering::new(pits, seeds_max);
        assert!(
            numbering.count(seeds_max) <= SIDES_MAX,
            "sides have numbers"
        );
        let mut plans = Plans::new();
        for seeds in 0..=seeds_max {
            plans.add(game, &numbering, seeds);
        }
        Scorer {
            game,
            numbering,
            plans,
        }
    }

    /// Returns the numbers of positions.
    pub fn numbering(&self) -> &Numbering {
        &self.numbering
    }

    /// Scores a tier, given the scores of all smaller ones, and returns how many positions it
    /// visited.
    ///
    /// `scores` are 0 at first, or what an earlier call left there when it was stopped.
    ///
    /// # Errors
    ///
    /// The reason for which it was stopped.
    pub fn score(
        &self,
        seeds: u32,
        smaller: &[&[i8]],
        scores: &[AtomicI8],
        control: &Control,
    ) -> Result<u64, StopReason> {
        let tier = Tier {
            game: self.game,
            numbering: &self.numbering,
            plans: &self.plans,
            seeds,
            smaller,
            scores,
        };
        match G::IS_LOOPY {
            true => tier.to_fixed_point(control),
            false => tier.in_order(control),
        }
    }

    /// Scores all tiers, in memory.
    ///
    /// # Errors
    ///
    /// The reason for which it was stopped.
    pub fn all(&self, control: &Control) -> Result<Scores<'_>, StopReason> {
        let mut scores = Scores {
            numbering: &self.numbering,
            tiers: Vec::new(),
            visited: Vec::new(),
        };
        for seeds in 0..=self.numbering.seeds_max() {
            let smaller: Vec<&[i8]> = scores.tiers.iter().map(Vec::as_slice).collect();
            let mut tier = Vec::new();
            tier.resize_with(self.numbering.positions(seeds) as usize, AtomicI8::default);
            let visited = self.score(seeds, &smaller, &tier, control)?;
            scores.visited.push(visited);
            let tier = tier.into_iter().map(AtomicI8::into_inner).collect();
            scores.tiers.push(tier);
        }
        Ok(scores)
    }
}

impl Scores<'_> {
    /// Returns the margin of the player to move, if the tier of the position was scored.
    ///
    /// # Panics
    ///
    /// If the position is on a board of another size.
    pub fn get(&self, position: &TwoRows) -> Option<i32> {
        let tier = self.tiers.get(position.seeds() as usize)?;
        Some(tier[self.numbering.rank(position) as usize].into())
    }

    /// Returns the scores of a tier.
    pub fn tier(&self, seeds: u32) -> &[i8] {
        &self.tiers[seeds as usize]
    }
}

#[cfg(test)]
mod tests;
