//! The interface between play and a game: the moves of a position, the positions after them, and their worth.

use std::fmt;

use cggames::game::Player;
use cgsolvers::Ending;

use crate::run::RunError;

/// Knows the moves of one game and their worth.
///
/// The two players are Left and Right. If both have the same moves, Left is the player who moves first in the game.
pub trait Referee {
    /// A position. Its text reads back as the same position.
    type Position: Clone + fmt::Display;

    /// Returns the moves of the player in a position.
    ///
    /// # Errors
    ///
    /// A position whose moves cannot be judged, or the reason that stopped the work.
    fn study(
        &mut self,
        position: &Self::Position,
        mover: Player,
    ) -> Result<Study<Self::Position>, RunError>;

    /// Returns whether play can return to a position of this game.
    ///
    /// The default is that it cannot.
    fn can_recur(&self) -> bool {
        false
    }
}

/// A position with a player to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Study<P> {
    /// The position's value, if it has one that can be shown.
    pub value: Option<String>,
    /// The worth of the position to the player to move. Without a move left, this is how the game ends.
    pub worth: Worth,
    /// The moves, in a fixed order.
    pub choices: Vec<Choice<P>>,
}

/// A legal move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice<P> {
    /// The move in words: `pot 2 to 3`, `kayles(5) -> kayles(3)`.
    pub act: String,
    /// The position that it leads to.
    pub leaves: P,
    /// The value of that position, if it has one that can be shown.
    pub value: Option<String>,
    /// The worth of the move to the player who makes it.
    pub worth: Worth,
    /// Whether no other move of the player is better; `None` if moves are not compared.
    pub best: Option<bool>,
    /// Whether it is best, but reversible; see [`JudgedMove`](crate::evaluate::JudgedMove::reversible).
    pub reversible: Option<bool>,
    /// The seeds that it wins, in a scored game.
    pub gain: u32,
    /// Whether the same player moves again.
    pub moves_again: bool,
}

/// The worth of a position or a move to a player, with best play from then on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worth {
    /// How play ends for the player.
    Ending(Ending),
    /// The seeds that the player wins from then on, less those that the opponent wins.
    Margin(i32),
}

impl Worth {
    /// Returns a number that is greater for a better worth.
    pub fn rank(self) -> i32 {
        match self {
            Worth::Ending(Ending::Win) => 1,
            Worth::Ending(Ending::Draw) => 0,
            Worth::Ending(Ending::Loss) => -1,
            Worth::Margin(margin) => margin,
        }
    }

    /// Returns whether the player loses against best play.
    pub(super) fn is_lost(self) -> bool {
        self == Worth::Ending(Ending::Loss)
    }

    /// Returns whether the player wins with best play.
    pub fn is_won(self) -> bool {
        self == Worth::Ending(Ending::Win)
    }
}

impl<P: fmt::Display> Choice<P> {
    /// Returns the move with the position after it: `pot 2 to 3 -> 303`.
    pub fn text(&self) -> String {
        format!("{} -> {}", self.act, self.leaves)
    }

    /// Returns the remarks about its worth: ` = 0, best, wins`, or with a margin ` = 2, best`.
    pub fn remarks(&self) -> String {
        let value = self.value.as_ref().map(|value| format!(" = {value}"));
        value.unwrap_or_default() + &self.marks()
    }

    /// Returns the remarks without the value: `, best, reversible, wins`.
    pub fn marks(&self) -> String {
        let marks = [
            (self.best == Some(true), ", best"),
            (self.reversible == Some(true), ", reversible"),
            (self.worth.is_won(), ", wins"),
            (self.worth == Worth::Ending(Ending::Draw), ", draws"),
        ];
        let marks = marks.iter().filter(|(holds, _)| *holds);
        marks.map(|&(_, mark)| mark).collect()
    }
}
