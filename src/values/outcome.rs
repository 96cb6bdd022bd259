//! Outcome classes: who wins under normal play.

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
