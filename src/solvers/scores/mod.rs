//! Scores: the exact margins of all positions of a scored game, tier by tier.
//!
//! A *tier* is the set of all positions with a given number of seeds in their pits, and a score is
//! a byte. A move wins seeds or stays in its tier, so a tier depends on the smaller ones. The games
//! differ in how a tier depends on itself.
//!
//! # Games without cycles
//!
//! In Kalah a move that wins nothing moves seeds forward on the mover's own side. The tier is
//! scored in the order of the total distance of its seeds, each position once.
//!
//! # Loopy games
//!
//! Play in Wari and its variants can repeat positions, and endless play is worth 0. So a player's
//! margin is at least b > 0 if the player can force it within some number of moves, and at least -b
//! if the opponent cannot force more than b.
//!
//! Let X be 0 for every position of the tier, and the score outside the tier. As long as some X
//! changes, set X(p) to the maximum of gain - X(q) over the options q of a position p, in any
//! order. *X converges to the score V.* Call a state X *sound* if each X(p) lies between 0 and
//! V(p).
//!
//! 1. A sound state stays sound. Suppose X(p) becomes t > 0. Then an option has gain - X(q) >= t.
//!    If q is in the tier, the gain is 0 and X(q) <= -t, so V(q) <= -t and V(p) >= t. Suppose X(p)
//!    becomes -t < 0. Then all options have gain - X(q) <= -t, hence also gain - V(q) <= -t, and
//!    V(p) <= -t.
//! 2. Let X and Y be sound states, with Y nowhere nearer to 0 than X. Then the new Y(p) is not
//!    nearer to 0 than the new X(p): t > 0 needs an option outside the tier or one with X(q) <= -t,
//!    and Y(q) <= X(q) there; -t < 0 needs X(q) >= t for all options in the tier, and Y(q) >= X(q).
//! 3. So from 0 on no X(p) ever moves back towards 0, and X converges. The limit is V: suppose the
//!    mover of p can force b > 0 in n moves. Then after some option b can be forced in n - 1 moves,
//!    whatever the opponent does, and by induction on n X(p) >= b. Likewise X(p) <= -b if the
//!    opponent can force b.
//! 4. By 2, the iteration may start from any sound state instead of 0. The bytes of an interrupted
//!    sweep are one, even if those of some positions are older than those of others.
//!
//! In addition to its score a position has a bit that is set if play from it must end: if all its
//! options have the bit. The same sweeps set the bits, starting from 0. Play that need not end
//! reaches a cycle, whose positions never get the bit.
//!
//! Sources: van der Goot, *Awari retrograde analysis* (2000), for sweeps that make only forward
//! moves; Irving, Donkers and Uiterwijk, *Solving Kalah* (2000), for databases of Kalah.

mod alpha_beta;
mod byte;
mod endgames;
mod numbering;
mod packed;
mod perft;
mod plans;
mod search;
mod tier;
mod transpositions;

use std::fmt;
use std::ops::Deref;
use std::sync::atomic::AtomicU8;

use cggames::board::two_rows::TwoRows;
use cggames::game::scored::Scored;

use self::byte::{can_be_endless, margin};
use self::plans::{Plans, SIDES_MAX};
use self::tier::Tier;
use crate::{Control, StopReason};
pub use endgames::{each_endgame, endgame_of, is_determined};
pub use numbering::{TierNumbering, positions_of};
pub use perft::perft;
pub use search::{Line, ScoreSearch};

/// The most seeds of scored positions in loopy games, where a score and a bit share a byte.
pub const LOOPY_SEEDS_MAX: u32 = 63;

/// The bytes of a tier, one for each position in the order of their numbers.
pub type TierBytes = Box<dyn Deref<Target = [u8]> + Send + Sync>;

/// Scores of all positions of a game on boards of one size with at most some number of seeds.
///
/// ```
/// use cgsolvers::Control;
/// use cgsolvers::scores::Scores;
/// use cggames::game::scored::Wari;
///
/// let scores = Scores::up_to(Wari::AWARI, 3, 7, &Control::default())
///     .map_err(|reason| reason.to_string())?;
/// assert_eq!(scores.get(&"0 0 3 / 0 2 2".parse()?), Some(5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Scores<G> {
    game: G,
    numbering: TierNumbering,
    plans: Plans,
    /// The tiers, by seeds.
    tiers: Vec<TierBytes>,
    /// The number of visits of positions.
    visited: u64,
}

impl<G: Scored> Scores<G> {
    /// Returns scores without tiers.
    ///
    /// # Panics
    ///
    /// If sides do not have 1 to 8 pits.
    pub fn new(game: G, pits: usize) -> Scores<G> {
        Scores {
            game,
            numbering: TierNumbering::new(pits),
            plans: Plans::new(),
            tiers: Vec::new(),
            visited: 0,
        }
    }

    /// Scores all tiers up to some number of seeds, in memory.
    ///
    /// # Errors
    ///
    /// The reason why it was stopped.
    ///
    /// # Panics
    ///
    /// As [`Scores::score`].
    pub fn up_to(
        game: G,
        pits: usize,
        seeds_max: u32,
        control: &Control,
    ) -> Result<Scores<G>, StopReason> {
        let mut scores = Scores::new(game, pits);
        for _ in 0..=seeds_max {
            scores.score_next(control)?;
        }
        Ok(scores)
    }

    /// Scores the next tier in memory.
    fn score_next(&mut self, control: &Control) -> Result<(), StopReason> {
        let positions = positions_of(self.numbering.pits(), self.tiers());
        let mut bytes = Vec::new();
        bytes.resize_with(
            positions.expect("tiers fit in memory") as usize,
            AtomicU8::default,
        );
        self.score(&bytes, 0, control, &mut |_| Ok::<_, StopReason>(()))?;
        let bytes: Vec<u8> = bytes.into_iter().map(AtomicU8::into_inner).collect();
        self.push(Box::new(bytes));
        Ok(())
    }

    /// Returns the number of scored tiers: those of 0 seeds, 1 seed, and so on.
    pub fn tiers(&self) -> u32 {
        self.tiers.len() as u32
    }

    /// Returns the numbering of positions in the scored tiers.
    pub fn numbering(&self) -> &TierNumbering {
        &self.numbering
    }

    /// Returns the number of visits of positions for the scores.
    pub fn visited(&self) -> u64 {
        self.visited
    }

    /// Scores the next tier into `bytes`.
    ///
    /// Work proceeds in rounds: one for each sweep, or for each sum of distances. After each round
    /// `after` is called with the number of finished rounds. `bytes` and `rounds` are 0 at first,
    /// or as an interrupted call left them.
    ///
    /// # Errors
    ///
    /// The reason why it was stopped, or the error of `after`.
    ///
    /// # Panics
    ///
    /// If more than 2^24 sides have the seeds of a tier, if the game is loopy and the seeds exceed
    /// [`LOOPY_SEEDS_MAX`], or if there is not one byte for each position.
    pub fn score<E: From<StopReason>>(
        &mut self,
        bytes: &[AtomicU8],
        rounds: u64,
        control: &Control,
        after: &mut dyn FnMut(u64) -> Result<(), E>,
    ) -> Result<(), E> {
        let seeds = self.tiers();
        assert!(
            !G::IS_LOOPY || seeds <= LOOPY_SEEDS_MAX,
            "a margin fits in seven bits"
        );
        self.numbering.extend(seeds);
        assert!(
            self.numbering.count(seeds) <= SIDES_MAX,
            "sides have numbers"
        );
        self.plans.extend(self.game, &self.numbering, seeds);
        let smaller: Vec<&[u8]> = self.tiers.iter().map(|tier| &tier[..]).collect();
        let tier = Tier {
            game: self.game,
            numbering: &self.numbering,
            plans: &self.plans,
            seeds,
            smaller: &smaller,
            scores: bytes,
        };
        assert_eq!(bytes.len() as u64, self.numbering.positions(seeds));
        self.visited += if G::IS_LOOPY {
            tier.to_fixed_point(rounds, control, after)?
        } else {
            tier.in_order(rounds, control, after)?
        };
        Ok(())
    }

    /// Adds the scores of the next tier.
    ///
    /// # Panics
    ///
    /// If there is not one byte for each position.
    pub fn push(&mut self, bytes: TierBytes) {
        let seeds = self.tiers();
        self.numbering.extend(seeds);
        assert_eq!(bytes.len() as u64, self.numbering.positions(seeds));
        self.tiers.push(bytes);
    }

    /// Returns the margin of the player to move, if the tier of the position is scored.
    ///
    /// # Panics
    ///
    /// If the position is on a board of another size.
    pub fn get(&self, position: &TwoRows) -> Option<i32> {
        self.byte(position).map(margin::<G>).map(i32::from)
    }

    /// Returns whether play from a position can be endless, if the tier of the position is scored.
    ///
    /// # Panics
    ///
    /// If the position is on a board of another size.
    pub fn can_be_endless(&self, position: &TwoRows) -> Option<bool> {
        self.byte(position).map(can_be_endless::<G>)
    }

    fn byte(&self, position: &TwoRows) -> Option<u8> {
        let tier = self.tiers.get(position.seeds() as usize)?;
        Some(tier[self.numbering.rank(position) as usize])
    }

    /// Returns the margins of a tier in the order of positions, each with whether play can be
    /// endless.
    pub fn of_tier(&self, seeds: u32) -> impl Iterator<Item = (i32, bool)> {
        let bytes = self.tiers[seeds as usize].iter();
        bytes.map(|&byte| (i32::from(margin::<G>(byte)), can_be_endless::<G>(byte)))
    }
}

impl<G: fmt::Debug> fmt::Debug for Scores<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = f.debug_struct("Scores");
        let fields = fields.field("game", &self.game);
        fields
            .field("tiers", &self.tiers.len())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
