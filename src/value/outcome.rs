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
    /// Returns the field's letter: N, P, L or R.
    pub fn letter(self) -> &'static str {
        match self {
            OutcomeClass::Next => "N",
            OutcomeClass::Previous => "P",
            OutcomeClass::Left => "L",
            OutcomeClass::Right => "R",
        }
    }
}

impl fmt::Display for OutcomeClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.letter())
    }
}
