//! Errors of an arena: the forms that it cannot store.

use thiserror::Error;

/// The most options that a form may have on one side.
pub const OPTIONS_MAX: usize = u16::MAX as usize;
/// The greatest birthday that a form may have.
pub const BIRTHDAY_MAX: u32 = (1 << 22) - 1;

/// The greatest integer, twice the greatest that the parser reads.
///
/// Each integer has all smaller ones as followers. Beyond 2^18 these take about 260 bytes each, since
/// records cannot hold their stops.
pub const INTEGER_MAX: i64 = 1 << 21;

/// Why a form cannot be stored.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ArenaError {
    /// All ids are used up: 8 GiB of records, or 128 MiB of those that are their own negatives, or
    /// 128 MiB of others with more than 4,090 options.
    #[error(
        "the arena of canonical forms is full (8 GiB of records, 128 MiB of these for forms that are their \
         own negatives, and 128 MiB for others with more than 4,090 options); split the job into smaller ones"
    )]
    Full,
    /// More options on a side than a record can count.
    #[error("a canonical form with {0} options on a side; at most {OPTIONS_MAX} are supported")]
    TooManyOptions(usize),
    /// An integer beyond [`INTEGER_MAX`].
    #[error(
        "the integer {0} is too large: its form has all integers between 0 and it as followers; up to {INTEGER_MAX} and down to \
         -{INTEGER_MAX} are supported"
    )]
    IntegerTooLarge(i64),
    /// An integer of more than 63 bits, or a fraction whose numerator has more than 127 or whose denominator exceeds 2^126.
    #[error(
        "a number that takes too many bits; integers have up to 63, numerators up to 127, and denominators are up to 2^126"
    )]
    TooManyBits,
    /// More work than a [calculator](crate::Calculator::limit_steps) was allowed.
    #[error("it takes more than {0} steps of comparing and storing options")]
    Steps(u64),
    /// A birthday beyond the record's field.
    #[error("a canonical form born on day {0}; at most {BIRTHDAY_MAX} is supported")]
    TooDeep(u32),
}
