//! What an arena does not hold.

use thiserror::Error;

/// The most options that a form may have on one side.
pub const OPTIONS_MAX: usize = u16::MAX as usize;
/// The greatest birthday that a form may have.
pub const BIRTHDAY_MAX: u32 = (1 << 24) - 1;

/// Why a form cannot be stored.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ArenaError {
    /// All ids are used up: 8 GiB of records, or 128 MiB of those that are their own negatives.
    #[error(
        "the arena of canonical forms is full (8 GiB of records, 128 MiB of these for forms that are their \
         own negatives); split the job into smaller ones"
    )]
    Full,
    /// More options on a side than a record can count.
    #[error("a canonical form with {0} options on a side; at most {OPTIONS_MAX} are supported")]
    TooManyOptions(usize),
    /// An integer so large that its followers are not made.
    #[error(
        "the integer {0} has as many followers; at most a million more than are known are made"
    )]
    IntegerTooLarge(i64),
    /// More work than a [calculator](crate::value::Calculator::limit_steps) was allowed.
    #[error("it takes more than {0} steps of comparing and storing options")]
    Steps(u64),
    /// A birthday beyond the record's field.
    #[error("a canonical form born on day {0}; at most {BIRTHDAY_MAX} is supported")]
    TooDeep(u32),
}
