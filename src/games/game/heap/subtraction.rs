//! Subtraction games: a move takes a number of tokens that is in a given set.
//!
//! A move may take the whole heap, so `subtraction(1,3)` is the code 0.303. The set is written out
//! because its numbers may be larger than a code has digits.
//!
//! Invariant: there is at least one number, the numbers ascend strictly, and each is from 1 to
//! [`SUBTRACTION_MAX`].

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// The largest number that a subtraction set may hold.
pub const SUBTRACTION_MAX: usize = 1 << 20;

/// The numbers of tokens that may be taken.
///
/// ```
/// use cggames::game::heap::SubtractionSet;
///
/// let set: SubtractionSet = "4, 1,3".parse()?;
/// assert_eq!(set.numbers(), [1, 3, 4]);
/// assert_eq!(set.to_string(), "1,3,4");
/// # Ok::<(), cggames::game::heap::SubtractionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SubtractionSet {
    numbers: Vec<usize>,
}

/// The reason why a text or a list of numbers is not a subtraction set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SubtractionError {
    /// There is no number.
    #[error("an empty subtraction set; name the numbers that may be taken, for example 1,3,4")]
    Empty,
    /// A fragment that is not a number.
    #[error("{found:?} in a subtraction set; write whole numbers with commas, for example 1,3,4")]
    NoNumber {
        /// The fragment.
        found: String,
    },
    /// A number that cannot be taken, or is too large.
    #[error("{found} in a subtraction set; numbers from 1 to {SUBTRACTION_MAX} are accepted")]
    OutOfRange {
        /// The number as written.
        found: String,
    },
    /// A number that occurs twice.
    #[error("{found} occurs twice in a subtraction set; name each number once")]
    Twice {
        /// The number.
        found: usize,
    },
}

impl SubtractionSet {
    /// Returns the set of these numbers, in any order.
    ///
    /// # Errors
    ///
    /// Where there are none, one is 0 or exceeds [`SUBTRACTION_MAX`], or one occurs twice.
    pub fn new(mut numbers: Vec<usize>) -> Result<SubtractionSet, SubtractionError> {
        numbers.sort_unstable();
        let out_of_range = |n: &&usize| **n == 0 || **n > SUBTRACTION_MAX;
        if let Some(found) = numbers.iter().find(out_of_range) {
            let found = found.to_string();
            return Err(SubtractionError::OutOfRange { found });
        }
        if let Some(pair) = numbers.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(SubtractionError::Twice { found: pair[0] });
        }
        if numbers.is_empty() {
            return Err(SubtractionError::Empty);
        }
        Ok(SubtractionSet { numbers })
    }

    /// Returns the numbers, ascending.
    pub fn numbers(&self) -> &[usize] {
        &self.numbers
    }

    /// Returns the largest number.
    pub fn taken_max(&self) -> usize {
        let last = self.numbers.last();
        *last.expect("a subtraction set holds a number")
    }
}

impl FromStr for SubtractionSet {
    type Err = SubtractionError;

    /// Reads numbers with commas between them; blanks around numbers are ignored.
    fn from_str(text: &str) -> Result<SubtractionSet, SubtractionError> {
        if text.trim().is_empty() {
            return Err(SubtractionError::Empty);
        }
        let number = |part: &str| {
            let part = part.trim();
            let found = part.to_owned();
            if part.is_empty() || !part.bytes().all(|b| b.is_ascii_digit()) {
                return Err(SubtractionError::NoNumber { found });
            }
            let too_large = |_| SubtractionError::OutOfRange { found };
            part.parse().map_err(too_large)
        };
        let numbers: Result<Vec<usize>, _> = text.split(',').map(number).collect();
        SubtractionSet::new(numbers?)
    }
}

impl fmt::Display for SubtractionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, number) in self.numbers.iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            write!(f, "{comma}{number}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn malformed_sets_are_refused_with_a_reason() {
        for (text, part) in [
            ("", "empty"),
            (" ", "empty"),
            ("1,,2", "\"\""),
            ("1,x", "\"x\""),
            ("1,-2", "\"-2\""),
            ("+1", "\"+1\""),
            ("0,1", "0 in a subtraction set; numbers from 1 to 1048576"),
            ("1048577", "1048577"),
            ("99999999999999999999999", "99999999999999999999999"),
            ("3,1,3", "3 occurs twice"),
        ] {
            let error = text.parse::<SubtractionSet>().expect_err(text).to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn sets_are_read_and_printed_again() {
        let set: SubtractionSet = "9 ,2,1048576".parse().expect("a set");
        assert_eq!(set.to_string(), "2,9,1048576");
        assert_eq!(set.to_string().parse(), Ok(set));
    }
}
