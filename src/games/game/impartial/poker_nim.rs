//! Poker Nim: Nim in which players keep the tokens that they take, and may put some of them back.
//!
//! A move takes any number of tokens from a heap into the player's supply, or adds any number of
//! tokens from the supply to one heap. The player who takes the last token from the table wins,
//! since the opponent has no heap to add to and cannot move.
//!
//! Play need not end: both players may add tokens and take them back. Still every position is a win
//! for one of the players, the one who wins Nim with these heaps. The winner makes the winning
//! moves of Nim and, whenever the opponent adds tokens to a heap, takes the same number off it.
//! Each such exchange shrinks the opponent's supply and enlarges the winner's, so it can happen
//! only finitely often. Heaps that may grow in such a reversible way are *bogus* nim-heaps: a heap
//! of `n` has the nim-value `n` whatever the supplies. In other words, its sum with a heap of Nim
//! is lost for the player to move if and only if the two heaps are equal; the tests check this by
//! retrograde analysis.
//!
//! Example: heaps 1 and 1, the player to move has a token and adds it, making 2 and 1. The opponent
//! takes one of the 2, and the heaps are 1 and 1 again, but the supply is used up.
//!
//! Source: AMS Feature Column, *Combinatorial games*, part 5; *Winning Ways*, chapter 3.

use std::fmt;

use super::{Impartial, write_numbers};

/// The rules of Poker Nim; play need not end.
///
/// ```
/// use cggames::game::impartial::{Impartial, PokerNim, PokerNimPosition};
///
/// let position = PokerNimPosition::new([1, 2], [], 1, 0);
/// let rules = PokerNim { refill: false };
/// let options: Vec<String> = rules.options(&position).iter().map(|o| o[0].to_string()).collect();
/// assert_eq!(options, ["0,2 supplies 0,2", "2,2 supplies 0,0", "1,1 supplies 0,2", "1,0 supplies 0,3",
///                      "1,3 supplies 0,0"]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PokerNim {
    /// Whether tokens may be added to an empty heap. The column speaks of adding to a pile; the
    /// outcome is the same either way.
    pub refill: bool,
}

/// The heaps and the players' supplies.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PokerNimPosition {
    heaps: Vec<u32>,
    nim: Vec<u32>,
    supply: u32,
    opponents: u32,
}

impl PokerNimPosition {
    /// Returns a position with heaps of Poker Nim and, beside them, heaps of ordinary Nim, whose
    /// tokens are lost when they are taken; then the supplies of the player to move and of the
    /// other.
    pub fn new(
        heaps: impl IntoIterator<Item = u32>,
        nim: impl IntoIterator<Item = u32>,
        supply: u32,
        opponents: u32,
    ) -> PokerNimPosition {
        PokerNimPosition {
            heaps: heaps.into_iter().collect(),
            nim: nim.into_iter().collect(),
            supply,
            opponents,
        }
    }

    /// Returns the sizes of all heaps, those of Poker Nim first.
    pub fn sizes(&self) -> impl Iterator<Item = u32> + '_ {
        self.heaps.iter().chain(&self.nim).copied()
    }

    /// Returns the position with the other player to move, where `supply` is that of the player who
    /// has moved.
    fn handed_over(&self, supply: u32) -> PokerNimPosition {
        PokerNimPosition {
            supply: self.opponents,
            opponents: supply,
            ..self.clone()
        }
    }
}

impl fmt::Display for PokerNimPosition {
    /// Writes the heaps, then the supply of the player to move and that of the other.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_numbers(f, &self.heaps)?;
        if !self.nim.is_empty() {
            f.write_str(" nim ")?;
            write_numbers(f, &self.nim)?;
        }
        write!(f, " supplies {},{}", self.supply, self.opponents)
    }
}

impl Impartial for PokerNim {
    type Position = PokerNimPosition;

    /// Visits, heap by heap, the moves that take and those that add; then the moves in heaps of
    /// Nim. The numbers of tokens must add up to less than 2^32.
    fn options(&self, position: &PokerNimPosition) -> Vec<Vec<PokerNimPosition>> {
        let mut options = Vec::new();
        for (i, &size) in position.heaps.iter().enumerate() {
            for taken in 1..=size {
                let mut after = position.handed_over(position.supply + taken);
                after.heaps[i] = size - taken;
                options.push(vec![after]);
            }
            let most = if size > 0 || self.refill {
                position.supply
            } else {
                0
            };
            for added in 1..=most {
                let mut after = position.handed_over(position.supply - added);
                after.heaps[i] = size + added;
                options.push(vec![after]);
            }
        }
        for (i, &size) in position.nim.iter().enumerate() {
            for left in 0..size {
                let mut after = position.handed_over(position.supply);
                after.nim[i] = left;
                options.push(vec![after]);
            }
        }
        options
    }
}
