//! Claims, and moves without an answer among them.

use std::fmt;

use cggames::game::reading::{Direction, FULL, Pot, Reading, State};
use cggames::game::{Play, Player};

use super::bound::Value;
use super::rows::{RowText, Rows};

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

/// Returns the directions in which a player sows.
pub fn directions(play: Play, player: Player) -> &'static [Direction] {
    match (play, player) {
        (Play::Impartial, _) => &[Direction::Rightwards, Direction::Leftwards],
        (Play::Partisan, Player::Left) => &[Direction::Rightwards],
        (Play::Partisan, Player::Right) => &[Direction::Leftwards],
    }
}

/// Returns the rows reached by moves in one of these directions, pot by pot with those of the
/// original row. Pots beyond the ends are included as far as a move can reach.
pub fn moves(
    reading: Reading,
    row: &[Step],
    ends: [Pot; 2],
    directions: &[Direction],
) -> Vec<Vec<Step>> {
    let most = row
        .iter()
        .map(|step| step.after)
        .filter(|&pot| pot != FULL)
        .max()
        .unwrap_or(0);
    let margin = usize::from(most);
    let mut steps = vec![Step::of(ends[0]); margin];
    steps.extend(row.iter().map(|step| Step {
        before: step.after,
        ..*step
    }));
    steps.extend(vec![Step::of(ends[1]); margin]);
    let mut open: Vec<(State, Vec<Pot>)> = directions
        .iter()
        .map(|&direction| (State::Before(direction), Vec::new()))
        .collect();
    for step in &steps {
        let mut next = Vec::new();
        for (state, pots) in &open {
            reading.step(*state, step.before, most, &mut |state, pot| {
                next.push((state, [&pots[..], &[pot]].concat()));
            });
        }
        open = next;
    }
    let whole = open.into_iter().filter(|(state, _)| *state == State::After);
    whole
        .map(|(_, pots)| {
            steps
                .iter()
                .zip(pots)
                .map(|(step, after)| Step { after, ..*step })
                .collect()
        })
        .collect()
}

/// Removes the pots beyond the ends that the move does not change.
pub(super) fn within_row(mut steps: Vec<Step>) -> Vec<Step> {
    let is_outside = |step: &Step| step.within.is_none() && step.before == step.after;
    while steps.last().is_some_and(is_outside) {
        steps.pop();
    }
    let start = steps
        .iter()
        .position(|step| !is_outside(step))
        .unwrap_or(steps.len());
    steps.split_off(start)
}
