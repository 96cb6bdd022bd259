//! The limits of texts of values, and the error for a text beyond them or outside of the grammar.

use thiserror::Error;

use super::super::super::dyadic::EXPONENT_MAX;
use super::super::super::{ArenaError, LoopyError, NortonError};

/// What a reader of texts returns.
pub type Parsed<T> = Result<T, ParseValueError>;

/// The letters that name no variable, because the notation of values or of rows reads them: `v` is
/// down, and `e` a full pot.
pub const RESERVED: [char; 2] = ['e', 'v'];

pub(super) const CHARS_MAX: usize = 1 << 20;
/// The most brackets or signs one in another.
pub const NESTING_MAX: usize = 200;
pub(super) const INTEGER_MAX: i64 = 1_000_000;
pub(super) const STAR_MAX: u32 = 255;
pub(super) const UPS_MAX: i32 = 255;
pub(super) const SLASHES_MAX: usize = 64;

pub(super) const INTEGER: Limit = Limit::new("integer", i128::MAX as u128);
pub(super) const DENOMINATOR: Limit = Limit::new("denominator", 1 << EXPONENT_MAX);
pub(super) const UPS: Limit = Limit::new("multiple of up", UPS_MAX as u128);
pub(super) const NIMBER: Limit = Limit::new("nimber", STAR_MAX as u128);
pub(super) const POWER: Limit = Limit::new("power of up", 64);

/// The most of some quantity.
pub(super) struct Limit {
    what: &'static str,
    max: u128,
}

impl Limit {
    pub(super) const fn new(what: &'static str, max: u128) -> Limit {
        Limit { what, max }
    }

    /// Returns a number at a place, counted from 0, if it is within the limit.
    pub(super) fn check(&self, number: u128, at: usize) -> Parsed<u128> {
        if number <= self.max {
            Ok(number)
        } else {
            Err(self.exceeded(at))
        }
    }

    pub(super) fn exceeded(&self, at: usize) -> ParseValueError {
        let (position, what) = (at + 1, self.what);
        match u64::try_from(self.max) {
            Ok(max) => ParseValueError::TooLarge {
                position,
                what,
                max,
            },
            // PERF: a limit of 128 bits in the error would take stack in every frame of the reader.
            Err(_) => ParseValueError::TooWide {
                position,
                what,
                exponent: (self.max + 1).ilog2(),
                is_less: !self.max.is_power_of_two(),
            },
        }
    }
}

/// The error for a text that denotes no value.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParseValueError {
    /// An unexpected character, or the end of the text.
    #[error("character {position}: expected {expected}, found {found}")]
    Unexpected {
        /// The place, counted in characters from 1.
        position: usize,
        /// The text at that place.
        found: String,
        /// The accepted continuation.
        expected: &'static str,
    },
    /// The longest run of slashes occurs twice, so the game has no unique middle.
    #[error(
        "character {position}: a second run of {slashes} slashes in one game; write braces around one side"
    )]
    Ambiguous {
        /// The place of the second run, counted in characters from 1.
        position: usize,
        /// Its length.
        slashes: usize,
    },
    /// A number or a game beyond the limits.
    #[error("character {position}: {what} too large; at most {max} is read")]
    TooLarge {
        /// The place, counted in characters from 1.
        position: usize,
        /// The name of the quantity that is too large.
        what: &'static str,
        /// The limit.
        max: u64,
    },
    /// An integer or a denominator beyond the limits.
    #[error("character {position}: {what} too large; at most 2^{exponent}{} is read", if *is_less { " - 1" } else { "" })]
    TooWide {
        /// The place, counted in characters from 1.
        position: usize,
        /// The name of the number that is too large.
        what: &'static str,
        /// The binary logarithm of the limit, or of the number after it.
        exponent: u32,
        /// Whether the limit is one less than a power of two.
        is_less: bool,
    },
    /// A variable that has no number.
    #[error(
        "character {position}: {name} is no variable; accepted: {}",
        listed(accepted)
    )]
    Unbound {
        /// The place, counted in characters from 1.
        position: usize,
        /// The variable.
        name: char,
        /// The variables.
        accepted: Vec<char>,
    },
    /// A letter that the notation reads as something else.
    #[error(
        "character {position}: {name} is no name of a variable, since v is down and e is a full pot; accepted: the other \
         letters from a to z"
    )]
    Reserved {
        /// The place, counted in characters from 1.
        position: usize,
        /// The letter.
        name: char,
    },
    /// A number in terms of variables that is beyond all limits.
    #[error("character {position}: an exponent is below 0, or a number takes more than 127 bits")]
    Beyond {
        /// The place, counted in characters from 1.
        position: usize,
    },
    /// A variable in a place where only a constant can stand.
    #[error(
        "character {position}: a value for all numbers has variables in integers alone: in sums such as 2m-n+1, such a number \
         with a constant such as n* or n^3, and in braces, +-, Tiny or Miny around these"
    )]
    NotAnInteger {
        /// The place, counted in characters from 1.
        position: usize,
    },
    /// A product that does not exist or is too large.
    #[error("character {position}: {source}")]
    Product {
        /// The place of the point, counted in characters from 1.
        position: usize,
        /// The reason.
        source: NortonError,
    },
    /// A loopy value.
    #[error("character {position}: a loopy value, but only short ones are accepted here")]
    Loopy {
        /// The place, counted in characters from 1.
        position: usize,
    },
    /// A game that refers to itself other than as an option.
    #[error(
        "character {position}: a game that is not ended can only be an option; write it out, without sums, signs and products"
    )]
    Unended {
        /// The place of the game, counted in characters from 1.
        position: usize,
    },
    /// A Norton product of a loopy game, or too large a multiple.
    #[error(
        "character {position}: a Norton product of a loopy game is not defined, and of its multiples n.G those with integers up to \
         {max} are read"
    )]
    NoProduct {
        /// The place of the point, counted in characters from 1.
        position: usize,
        /// The greatest multiple.
        max: u64,
    },
    /// A loopy game without a value.
    #[error("character {position}: {source}")]
    NoStopper {
        /// The place of the part in question, counted in characters from 1.
        position: usize,
        /// The reason.
        source: LoopyError,
    },
    /// The arena cannot hold the value.
    #[error("character {position}: {source}")]
    Arena {
        /// The place of the part in question, counted in characters from 1.
        position: usize,
        /// The arena's error.
        source: ArenaError,
    },
}

impl ParseValueError {
    /// The error for a loopy value at a place, counted from 0, where only short ones are accepted.
    pub(super) fn loopy(at: usize) -> ParseValueError {
        ParseValueError::Loopy { position: at + 1 }
    }
}

/// Writes the names of variables.
fn listed(names: &[char]) -> String {
    match names {
        [] => "none".to_owned(),
        names => names
            .iter()
            .map(char::to_string)
            .collect::<Vec<_>>()
            .join(", "),
    }
}
