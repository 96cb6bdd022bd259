//! Kalah: Erickson's Mancala (Erickson 1996, section 4; Irving, Donkers and Uiterwijk 2000).
//!
//! # Rules
//!
//! Each player has a row of pits and a store behind its last pit. The mover takes all the seeds of
//! an own pit and sows them one by one into the following pits, the own store and the opponent's
//! pits, and so on around the board; the opponent's store is skipped. If the last seed falls into
//! the own store, the same player moves again. If it falls into an own pit that was empty, it and
//! the seeds of the pit that faces it go to the own store; [`Capture`] decides whether that also
//! happens when the facing pit is empty. Play is over when a side is empty after a move, and the
//! seeds on the other side go to its owner.
//!
//! The *margin* is the future gain of the mover's store minus that of the opponent's. From `3 2 0 /
//! 1 0 3` sowing the second pit ends in the store: it leads to `3 0 1 / 1 0 3` with one seed won,
//! and the same player moves again.
//!
//! # Termination
//!
//! A sowing that reaches the own store, or captures, leaves fewer seeds in the pits. Any other
//! sowing moves seeds forward within the own pits. So each move decreases the number of seeds in
//! the pits or, if that stays the same, their total distance from the stores.

use super::{Effect, Met, Scored, ScoredOption, SideMove};
use crate::board::two_rows::{Side, TwoRows};

/// The rules and one move, for the help.
pub(in crate::game) const RULES: &str = "\
Kalah: two rows of pits, and a store behind each. Take all the seeds of an own
pit and sow them one by one into the following pits, the own store and the
opponent's pits, around the board. If the last falls into the own store, move
again; if it falls into an own pit that was empty, it and the seeds of the pit
that faces it go to the own store. Play ends when a side is empty after a move;
the other side's seeds are its owner's. The margin of the player to move counts.
Positions are the mover's pits and the opponent's, both in the order of sowing.
The pit in parentheses is sown:

    3 (2) 0 / 1 0 3  ->  3 0 1 / 1 0 3
";

/// The condition for a capture when the last seed falls into an empty own pit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Capture {
    /// Always, even if the pit that faces it is empty: the rule of Erickson and of Irving, Donkers
    /// and Uiterwijk.
    #[default]
    Empty,
    /// Only if the pit that faces it holds seeds.
    Standard,
}

/// The rules of Kalah.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Kalah {
    /// The condition for captures.
    pub capture: Capture,
}

impl Scored for Kalah {
    const IS_LOOPY: bool = false;

    fn id(&self) -> String {
        match self.capture {
            Capture::Empty => "kalah-empty".to_owned(),
            Capture::Standard => "kalah-standard".to_owned(),
        }
    }

    fn version(&self) -> u32 {
        1
    }

    fn each_sowing(&self, mover: &Side, opponent_seeds: u32, visit: &mut impl FnMut(SideMove)) {
        if opponent_seeds == 0 {
            return;
        }
        let pits = mover.pits().len();
        for (from, &seeds) in mover.pits().iter().enumerate() {
            if seeds == 0 {
                continue;
            }
            // A lap is both rows and a store.
            let (laps, rest) = (
                seeds / (2 * pits as u8 + 1),
                usize::from(seeds) % (2 * pits + 1),
            );
            let mut side = *mover;
            side.pits_mut()[from] = 0;
            side.pits_mut().iter_mut().for_each(|seeds| *seeds += laps);
            let to_store = pits - from;
            let behind = rest.saturating_sub(to_store + pits);
            let ahead = rest.min(to_store - 1);
            side.pits_mut()[from + 1..][..ahead]
                .iter_mut()
                .for_each(|seeds| *seeds += 1);
            side.pits_mut()[..behind]
                .iter_mut()
                .for_each(|seeds| *seeds += 1);
            let stored = laps + u8::from(rest >= to_store);
            // The own pit of the last seed, if it falls into one.
            let last = match rest {
                _ if rest < to_store => Some(from + rest),
                _ if behind > 0 => Some(behind - 1),
                _ => None,
            };
            let captures = last.filter(|&last| side.pits()[last] == 1);
            let mut captured = side;
            if let Some(last) = captures {
                captured.pits_mut()[last] = 0;
            }
            visit(SideMove {
                pit: Some(from as u8),
                after: [(side, stored), (captured, stored + 1)],
                effect: Effect {
                    each: laps,
                    first: rest.saturating_sub(to_store).min(pits) as u8,
                    from: captures.map(|last| (pits - 1 - last) as u8),
                    goes_round: false,
                },
                moves_again: rest == to_store,
            });
        }
    }

    /// Forks where the last seed captures.
    fn meet(&self, effect: Effect, opponent: Side) -> Met {
        let mut side = opponent;
        effect.sow(&mut side);
        let (mut taken, mut fork) = (0, false);
        if let Some(facing) = effect.from {
            let facing = &mut side.pits_mut()[usize::from(facing)];
            if self.capture == Capture::Empty || *facing > 0 {
                (taken, fork) = (u32::from(*facing), true);
                *facing = 0;
            }
        }
        Met { side, taken, fork }
    }

    fn margin_without_sowing(&self, mover_seeds: u32, opponent_seeds: u32) -> i32 {
        mover_seeds as i32 - opponent_seeds as i32
    }

    fn literal_options(&self, position: &TwoRows) -> Vec<ScoredOption> {
        let pits = position.mover.pits().len();
        let mut options = Vec::new();
        if position.mover.seeds() == 0 || position.opponent.seeds() == 0 {
            return options;
        }
        for pit in 0..pits {
            // The mover's pits, the mover's store, the opponent's pits.
            let mut ring: Vec<u8> = position.mover.pits().to_vec();
            ring.push(0);
            ring.extend(position.opponent.pits());
            let in_hand = std::mem::take(&mut ring[pit]);
            if in_hand == 0 {
                continue;
            }
            let mut place = pit;
            let mut was_empty = false;
            for _ in 0..in_hand {
                place = (place + 1) % ring.len();
                was_empty = ring[place] == 0;
                ring[place] += 1;
            }
            let moves_again = place == pits;
            if place < pits && was_empty {
                let facing = ring.len() - 1 - place;
                if ring[facing] > 0 || self.capture == Capture::Empty {
                    ring[pits] += ring[place] + ring[facing];
                    (ring[place], ring[facing]) = (0, 0);
                }
            }
            let mut after = *position;
            after.mover.pits_mut().copy_from_slice(&ring[..pits]);
            after.opponent.pits_mut().copy_from_slice(&ring[pits + 1..]);
            options.push(ScoredOption {
                pit: Some(pit as u8),
                gain: ring[pits].into(),
                moves_again,
                position: if moves_again { after } else { after.swapped() },
            });
        }
        options
    }
}
