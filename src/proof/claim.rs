//! Claims, and the moves that have no answer among them.

use std::fmt;

use super::bound::Value;
use super::rows::{RowText, Rows};
use crate::game::Player;
use crate::game::reading::Pot;

/// A claim about all rows of a family: that their values are at most, or at least, what it says.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The rows.
    pub rows: Rows,
    /// What their values are at most, in terms of the counts.
    pub at_most: Option<Value>,
    /// What their values are at least.
    pub at_least: Option<Value>,
}

impl Claim {
    /// Returns the players who must not win by moving first in the row less the bound.
    pub fn firsts(&self) -> impl Iterator<Item = Player> {
        let at_most = self.at_most.as_ref().map(|_| Player::Left);
        let at_least = self.at_least.as_ref().map(|_| Player::Right);
        at_most.into_iter().chain(at_least)
    }

    /// Returns the bound as the player sees it who must not win by moving first: Right's is negated.
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
    /// Who moves.
    pub first: Player,
    /// The row, pot by pot, from the first that the row has or the move changes to the last.
    pub steps: Vec<Step>,
    /// The option of the bound that has no answer; `None` where it is the move in the row.
    pub option: Option<Value>,
}

impl Step {
    /// Returns a pot that stays as it is, of no family.
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
    /// Its block, and the place in it; `None` beyond the ends.
    pub within: Option<(usize, usize)>,
    /// The count that grows here.
    pub counts: Option<usize>,
}

/// Why a claim is not proved.
#[derive(Clone, Debug)]
pub enum Unproved {
    /// A move has no answer.
    Gap(Gap),
    /// Full pots in a game that has none.
    FullPots,
    /// The check reaches more states than this.
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
