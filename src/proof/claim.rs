//! Claims, and moves without an answer among them.

use std::fmt;

use super::bound::Value;
use super::rows::{RowText, Rows};
use crate::game::Player;
use crate::game::reading::Pot;

/// A claim about all rows of a family: upper and lower bounds on their values.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The rows.
    pub rows: Rows,
    /// An upper bound on their values, in terms of the counts.
    pub at_most: Option<Value>,
    /// A lower bound on their values.
    pub at_least: Option<Value>,
}

impl Claim {
    /// Returns the players who must not win by moving first in the row minus the bound.
    pub fn firsts(&self) -> impl Iterator<Item = Player> {
        let at_most = self.at_most.as_ref().map(|_| Player::Left);
        let at_least = self.at_least.as_ref().map(|_| Player::Right);
        at_most.into_iter().chain(at_least)
    }

    /// Returns the bound from the view of the player who must not win by moving first: Right's is
    /// negated.
    pub fn bound(&self, first: Player) -> Option<Value> {
        match first {
            Player::Left => self.at_most.clone(),
            Player::Right => self.at_least.as_ref().map(Value::negative),
        }
    }
}

/// A row of a claim with a move that has no answer.
#[derive(Clone, Debug)]
pub struct Gap {
    /// The player who moves.
    pub first: Player,
    /// The row, pot by pot, from the first to the last pot that belongs to it or is changed.
    pub steps: Vec<Step>,
    /// The option of the bound that has no answer; `None` if the move is in the row.
    pub option: Option<Value>,
}

impl Step {
    /// Returns an unchanged pot outside of any family.
    pub fn of(pot: Pot) -> Step {
        Step {
            before: pot,
            after: pot,
            within: None,
            counts: None,
        }
    }
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let before: Vec<Pot> = self.steps.iter().map(|step| step.before).collect();
        let after: Vec<Pot> = self.steps.iter().map(|step| step.after).collect();
        let player = match self.first {
            Player::Left => "Left",
            Player::Right => "Right",
        };
        match self.option {
            None => write!(
                f,
                "no answer among the claims to {player}'s move {} -> {}",
                RowText(&before),
                RowText(&after)
            ),
            Some(_) => write!(
                f,
                "at {} there is no answer among the claims to {player}'s move in the value",
                RowText(&before)
            ),
        }
    }
}

/// A pot of a row, and of the row after a move.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The pot.
    pub before: Pot,
    /// The pot after the move.
    pub after: Pot,
    /// The block of the pot, and the place in it; `None` beyond the ends.
    pub within: Option<(usize, usize)>,
    /// The count that grows at this pot.
    pub counts: Option<usize>,
}

/// Why a claim is not proved.
#[derive(Clone, Debug)]
pub enum Unproved {
    /// A move has no answer.
    Gap(Gap),
    /// A game without full pots has claims with full pots.
    FullPots,
    /// The check reaches more than this number of states.
    TooLarge(usize),
}

impl fmt::Display for Unproved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unproved::Gap(gap) => write!(f, "{gap}"),
            Unproved::FullPots => f.write_str("the game has no full pots"),
            Unproved::TooLarge(states) => write!(f, "its check takes more than {states} states"),
        }
    }
}
