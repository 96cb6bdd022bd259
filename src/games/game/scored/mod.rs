//! Mancala games in which players win seeds, and the *margin* counts.
//!
//! A board has two [sides](Side) of pits. A move is a [`SideMove`]: it changes the mover's side in a
//! way that depends on that side alone, except for one fork, and changes the opponent's side by an
//! [`Effect`] that depends on the mover's side alone. So each side has few sowings and meets few
//! effects, and both can be tabulated: the 84,672,315 positions of 20 seeds in 12 pits have 230,230
//! sides.
//!
//! [`Scored::literal_options`] makes the same moves seed by seed, word by word from the rules, and
//! is their specification.

mod kalah;
mod registry;
mod wari;

use std::fmt;

pub(super) use kalah::RULES as KALAH_RULES;
pub use kalah::{Capture, Kalah};
pub use registry::{ScoredGame, ScoredVisitor};
pub(super) use wari::RULES as WARI_RULES;
pub use wari::{Begin, Captures, GrandSlam, Stuck, Wari};

use crate::board::two_rows::{Side, TwoRows};

/// The rules of a scored game, on boards of any size.
pub trait Scored: Copy + fmt::Debug + Send + Sync + 'static {
    /// Whether play can return to a position.
    ///
    /// If it cannot, a sowing that wins nothing only moves seeds forward on the mover's own side,
    /// and all seeds are won in the end.
    const IS_LOOPY: bool;

    /// Returns the name of the game and its rules under which scores are stored.
    fn id(&self) -> String;

    /// Returns the version of the rules as implemented; it changes when any score could change.
    fn version(&self) -> u32;

    /// Visits the sowings of a side whose opponent has `opponent_seeds` seeds, in the order of
    /// pits; a pass counts as one if the rules allow it.
    fn each_sowing(&self, mover: &Side, opponent_seeds: u32, visit: &mut impl FnMut(SideMove));

    /// Applies an effect to a side.
    fn meet(&self, effect: Effect, opponent: Side) -> Met;

    /// Returns whether a move that takes all of the opponent's seeds is legal only if there is no
    /// other.
    fn shuns_grand_slams(&self) -> bool {
        false
    }

    /// Returns whether the owner of a side could only pass; if that holds for both players, play is
    /// over.
    fn is_stuck(&self, _side: &Side) -> bool {
        false
    }

    /// Returns the margin of a mover who has no sowing: then play is over, and the rules assign the
    /// remaining seeds.
    fn margin_without_sowing(&self, mover_seeds: u32, opponent_seeds: u32) -> i32;

    /// Returns the options, made seed by seed: the specification of the moves above.
    fn literal_options(&self, position: &TwoRows) -> Vec<ScoredOption>;

    /// Returns the options, in the order of pits.
    fn options(&self, position: &TwoRows) -> Vec<ScoredOption> {
        let mut options = Vec::new();
        self.add_options(position, &mut options);
        options
    }

    /// Appends the options, in the order of pits.
    fn add_options(&self, position: &TwoRows, options: &mut Vec<ScoredOption>) {
        let start = options.len();
        let seeds = position.opponent.seeds();
        // A bit for each option; a side has at most eight.
        let mut slams = 0u16;
        self.each_sowing(&position.mover, seeds, &mut |sowing| {
            if sowing.pit.is_none() && self.is_stuck(&position.opponent) {
                return;
            }
            let met = self.meet(sowing.effect, position.opponent);
            let (mover, gain) = sowing.after[usize::from(met.fork)];
            let after = TwoRows {
                mover,
                opponent: met.side,
            };
            let is_slam = met.taken > 0 && met.side.seeds() == 0;
            slams |= u16::from(is_slam) << (options.len() - start);
            options.push(ScoredOption {
                pit: sowing.pit,
                gain: u32::from(gain) + met.taken,
                moves_again: sowing.moves_again,
                position: if sowing.moves_again {
                    after
                } else {
                    after.swapped()
                },
            });
        });
        let all = (1 << (options.len() - start)) - 1;
        if self.shuns_grand_slams() && slams != 0 && slams != all {
            let mut place = 0;
            options.retain(|_| {
                let keeps = place < start || slams >> (place - start) & 1 == 0;
                place += 1;
                keeps
            });
        }
    }
}

/// The result of sowing the seeds of a pit: the mover's new side, and the effect on the opponent's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SideMove {
    /// The pit, counted from 0; `None` is a pass.
    pub pit: Option<u8>,
    /// The mover's new side, and the seeds won in the mover's pits or store; the second entry
    /// applies where the effect [forks](Met::fork).
    pub after: [(Side, u8); 2],
    /// The effect on the opponent's side.
    pub effect: Effect,
    /// Whether the same player moves again.
    pub moves_again: bool,
}

/// The effect of a sowing on the opponent's side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Effect {
    /// The seeds that every pit receives.
    pub each: u8,
    /// The number of pits, from the first, that receive one more.
    pub first: u8,
    /// The pit at which captures start, if any.
    pub from: Option<u8>,
    /// Whether captures that have taken every pit from there back to the first continue from the
    /// last pit.
    pub goes_round: bool,
}

impl Effect {
    /// Returns the number of seeds that a side of `pits` pits receives.
    pub fn sown(&self, pits: usize) -> u32 {
        u32::from(self.each) * pits as u32 + u32::from(self.first)
    }

    /// Sows onto a side.
    fn sow(&self, side: &mut Side) {
        for (pit, seeds) in side.pits_mut().iter_mut().enumerate() {
            *seeds += self.each + u8::from(pit < usize::from(self.first));
        }
    }
}

/// A side after an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Met {
    /// The side.
    pub side: Side,
    /// The seeds taken from it.
    pub taken: u32,
    /// Whether the mover's side becomes the second of [`SideMove::after`].
    pub fork: bool,
}

/// A move and the position after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ScoredOption {
    /// The pit, counted from 0; `None` is a pass.
    pub pit: Option<u8>,
    /// The seeds that it wins.
    pub gain: u32,
    /// Whether the same player moves again.
    pub moves_again: bool,
    /// The position, from the view of the player to move in it.
    pub position: TwoRows,
}

impl ScoredOption {
    /// Returns the margin of the player who makes the move, given that of the position.
    pub fn margin(&self, of_position: i32) -> i32 {
        let further = if self.moves_again {
            of_position
        } else {
            -of_position
        };
        self.gain as i32 + further
    }
}

#[cfg(test)]
mod tests;
