//! The errors of texts that are not patterns.

use thiserror::Error;

use super::pattern::{PATTERN_DEPTH_MAX, PATTERN_POTS_MAX};
use crate::board::row::POT_SEEDS_MAX;

/// The error for a text that is not a pattern. Places count characters from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PatternError {
    /// The text has no pots.
    #[error("an empty pattern; write pots with exponents, for example 1^n or (10)^m 03")]
    Empty,
    /// A character that cannot stand there.
    #[error(
        "unexpected {found:?} at character {at}; a pattern is made of digits, [12], e, variables \
         (a to z but e and v), groups in parentheses, each perhaps with an exponent such as ^3, ^n or \
         ^n+1, and of ...e first and e... last"
    )]
    Unexpected {
        /// The character found.
        found: char,
        /// Its place.
        at: usize,
    },
    /// A character that cannot stand there, among pots with seeds of two colours.
    #[error(
        "unexpected {found:?} at character {at}; a pattern is made of pots with blanks between them, each 0 or blue and red seeds \
         (b, 3r, 2br, or xb with a variable, which is any letter from a to z but b, e, r and v), and of groups in parentheses, each perhaps \
         with an exponent such as ^3, ^n or ^n+1"
    )]
    Coloured {
        /// The character found.
        found: char,
        /// Its place.
        at: usize,
    },
    /// A variable with the name of something else.
    #[error(
        "{found} at character {at} is no name of a variable, since v is down in values and e is a full pot; accepted: the other \
         letters from a to z{}", if *is_coloured { " but b and r" } else { "" }
    )]
    Reserved {
        /// The letter.
        found: char,
        /// Its place.
        at: usize,
        /// Whether the pots have seeds of two colours.
        is_coloured: bool,
    },
    /// A number that counts no seeds, before a colour or without one.
    #[error(
        "the number at character {at} counts no seeds; write 1 to {POT_SEEDS_MAX} before b or r, for example 3b, or 0 alone for an \
         empty pot"
    )]
    Number {
        /// The place of its first digit.
        at: usize,
    },
    /// A `^` without an exponent.
    #[error(
        "the exponent at character {at} is neither an integer up to {PATTERN_POTS_MAX}, nor a \
         variable (a to z but e and v), nor a variable plus or minus an integer, for example n+1"
    )]
    Exponent {
        /// The place where the exponent should start.
        at: usize,
    },
    /// A bracket without its number or its partner.
    #[error(
        "the bracket at character {at} is neither of the form [12] (0 to {POT_SEEDS_MAX} seeds) \
         nor of the form [x] or [x+1]"
    )]
    Bracket {
        /// The place of the opening bracket.
        at: usize,
    },
    /// A group that is never closed.
    #[error("the parenthesis at character {at} is never closed; write a group like (01)^n")]
    Unclosed {
        /// The place of the opening parenthesis.
        at: usize,
    },
    /// A group without pots.
    #[error("the group at character {at} holds no pot; write a group like (01)^n")]
    EmptyGroup {
        /// The place of the opening parenthesis.
        at: usize,
    },
    /// Groups nested beyond [`PATTERN_DEPTH_MAX`].
    #[error("the group at character {at} is nested more than {PATTERN_DEPTH_MAX} deep")]
    TooDeep {
        /// The place of the opening parenthesis.
        at: usize,
    },
    /// Dots that do not mark an endless end.
    #[error(
        "the dots at character {at} mark no endless end; write ...e first or e... last, \
         for example ...e 1^n e..."
    )]
    Dots {
        /// The place of the dots.
        at: usize,
    },
}

impl PatternError {
    /// Returns the place of the error in characters from 1, or `None` if there is no text.
    pub fn at(&self) -> Option<usize> {
        match *self {
            PatternError::Empty => None,
            PatternError::Unexpected { at, .. }
            | PatternError::Coloured { at, .. }
            | PatternError::Reserved { at, .. }
            | PatternError::Number { at }
            | PatternError::Exponent { at }
            | PatternError::Bracket { at }
            | PatternError::Unclosed { at }
            | PatternError::EmptyGroup { at }
            | PatternError::TooDeep { at }
            | PatternError::Dots { at } => Some(at),
        }
    }
}
