//! Outcome classes: who wins under normal play, and how play ends that need not end.

use std::fmt;

/// Who wins a position with best play (Winning Ways, chapter 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OutcomeClass {
    /// The next player wins: the value is confused with 0.
    Next,
    /// The previous player wins: the value is 0.
    Previous,
    /// Left wins, whoever starts: the value is positive.
    Left,
    /// Right wins, whoever starts: the value is negative.
    Right,
}

impl OutcomeClass {
    /// All classes.
    pub const ALL: [OutcomeClass; 4] = [
        OutcomeClass::Next,
        OutcomeClass::Previous,
        OutcomeClass::Left,
        OutcomeClass::Right,
    ];

    /// Returns the field's letter: N, P, L or R.
    pub fn letter(self) -> &'static str {
        match self {
            OutcomeClass::Next => "N",
            OutcomeClass::Previous => "P",
            OutcomeClass::Left => "L",
            OutcomeClass::Right => "R",
        }
    }

    /// Returns the class of the negative.
    pub fn negative(self) -> OutcomeClass {
        match self {
            OutcomeClass::Left => OutcomeClass::Right,
            OutcomeClass::Right => OutcomeClass::Left,
            either => either,
        }
    }
}

impl fmt::Display for OutcomeClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.letter())
    }
}

/// The result for the player to move under normal play, with best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// This player wins.
    Win,
    /// Neither player wins: play is endless.
    Draw,
    /// The other player wins.
    Loss,
}

impl Ending {
    /// Returns the endings for Left and Right when they move first, from an outcome class.
    pub fn of(outcome: OutcomeClass) -> [Ending; 2] {
        match outcome {
            OutcomeClass::Next => [Ending::Win, Ending::Win],
            OutcomeClass::Previous => [Ending::Loss, Ending::Loss],
            OutcomeClass::Left => [Ending::Win, Ending::Loss],
            OutcomeClass::Right => [Ending::Loss, Ending::Win],
        }
    }

    /// Returns the outcome class of a position with these endings for Left and Right; `None` if one
    /// is a draw.
    pub fn class(endings: [Ending; 2]) -> Option<OutcomeClass> {
        match endings {
            [Ending::Win, Ending::Win] => Some(OutcomeClass::Next),
            [Ending::Loss, Ending::Loss] => Some(OutcomeClass::Previous),
            [Ending::Win, Ending::Loss] => Some(OutcomeClass::Left),
            [Ending::Loss, Ending::Win] => Some(OutcomeClass::Right),
            _ => None,
        }
    }

    /// Returns the name used in results.
    pub fn name(self) -> &'static str {
        match self {
            Ending::Win => "win",
            Ending::Draw => "draw",
            Ending::Loss => "loss",
        }
    }
}
