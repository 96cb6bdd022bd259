//! Arithmetic progressions in the users' notation: `1..=14`, `0..13`, `0..=100/5`, `7`.
//!
//! Every range in job specs and on the command line is one; the integer type is generic.

use std::fmt;
use std::iter;
use std::ops::{Add, Div, Rem, Sub};
use std::str::FromStr;

/// An integer that a [`Progression`] may have.
pub trait Number:
    Copy
    + Ord
    + From<u8>
    + FromStr
    + fmt::Display
    + Add<Output = Self>
    + Sub<Output = Self>
    + Div<Output = Self>
    + Rem<Output = Self>
{
}

impl<T> Number for T where
    T: Copy
        + Ord
        + From<u8>
        + FromStr
        + fmt::Display
        + Add<Output = T>
        + Sub<Output = T>
        + Div<Output = T>
        + Rem<Output = T>
{
}

/// The numbers from `first` to `last`, each `step` more than the one before. Never empty.
///
/// ```
/// use cggames::family::Progression;
///
/// let heaps = Progression::<u64>::parse("0..=10/4", 0, 1000)?;
/// assert_eq!(heaps.iter().collect::<Vec<_>>(), [0, 4, 8]);
/// assert_eq!(heaps.to_string(), "0..=8/4");
/// # Ok::<(), cggames::family::ProgressionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progression<T> {
    first: T,
    /// One of the numbers: `first` plus a multiple of `step`.
    last: T,
    step: T,
}

/// The error for a text that is not a progression.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProgressionError {
    /// Neither a range nor an integer.
    #[error("neither a range nor an integer")]
    Malformed,
    /// A range that ends before it starts.
    #[error("an empty range")]
    Empty,
    /// A number that is not accepted.
    #[error("{found} is out of range")]
    OutOfRange {
        /// The number as written.
        found: String,
    },
    /// A step that is not accepted.
    #[error("the step {found} is out of range")]
    Step {
        /// The step as written.
        found: String,
    },
}

impl<T: Number> Progression<T> {
    /// Reads `1..=14`, `0..13` (without 13), `0..=100/5` (every fifth number from 0 on) or `7`;
    /// blanks beside numbers are ignored.
    ///
    /// # Errors
    ///
    /// Any other text, an empty range, a number below `min` or above `max`, a step below 1 or above
    /// `max`.
    pub fn parse(text: &str, min: T, max: T) -> Result<Progression<T>, ProgressionError> {
        let one = T::from(1);
        let out_of_range = |found: &str| ProgressionError::OutOfRange {
            found: found.trim().to_owned(),
        };
        let number = |text: &str| {
            let number = text.trim();
            let digits = number.strip_prefix('-').unwrap_or(number);
            if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(ProgressionError::Malformed);
            }
            number.parse::<T>().map_err(|_| out_of_range(number))
        };
        let checked = |number: T| {
            if (min..=max).contains(&number) {
                Ok(number)
            } else {
                Err(out_of_range(&number.to_string()))
            }
        };
        let Some((first, rest)) = text.split_once("..") else {
            let number = checked(number(text)?)?;
            return Ok(Progression::single(number));
        };
        let (end, step) = match rest.split_once('/') {
            Some((end, step)) => (end, number(step)?),
            None => (rest, one),
        };
        if step < one || step > max {
            let found = step.to_string();
            return Err(ProgressionError::Step { found });
        }
        let first = number(first)?;
        let last = match end.strip_prefix('=') {
            Some(last) => number(last)?,
            None => match number(end)? {
                end if end > first => end - one,
                _ => return Err(ProgressionError::Empty),
            },
        };
        let (first, last) = (checked(first)?, checked(last)?);
        if first > last {
            return Err(ProgressionError::Empty);
        }
        let last = last - (last - first) % step;
        Ok(Progression { first, last, step })
    }

    /// Returns the numbers `first..=last`; `first` is at most `last`.
    pub(crate) fn consecutive(first: T, last: T) -> Progression<T> {
        let step = T::from(1);
        Progression { first, last, step }
    }

    /// Returns one number.
    pub fn single(number: T) -> Progression<T> {
        Progression::consecutive(number, number)
    }

    /// Returns the least number.
    pub fn first(&self) -> T {
        self.first
    }

    /// Returns the greatest number.
    pub fn last(&self) -> T {
        self.last
    }

    /// Returns the distance between neighbours.
    pub fn step(&self) -> T {
        self.step
    }

    /// Returns the number of terms. They must not be all numbers of the type, whose count would
    /// overflow.
    pub fn len(&self) -> T {
        (self.last - self.first) / self.step + T::from(1)
    }

    /// Returns whether a number is among them.
    pub fn contains(&self, number: T) -> bool {
        (self.first..=self.last).contains(&number)
            && (number - self.first) % self.step == T::from(0)
    }

    /// Returns the numbers, ascending.
    pub fn iter(self) -> impl Iterator<Item = T> {
        iter::successors(Some(self.first), move |&number| {
            (number < self.last).then(|| number + self.step)
        })
    }
}

impl<T: Number> fmt::Display for Progression<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Progression { first, last, step } = self;
        if first == last {
            return write!(f, "{first}");
        }
        write!(f, "{first}..={last}")?;
        if *step == T::from(1) {
            Ok(())
        } else {
            write!(f, "/{step}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progressions_ascend_within_bounds() {
        for (text, numbers) in [
            ("0..=9/4", Some(vec![0, 4, 8])),
            ("3..6", Some(vec![3, 4, 5])),
            ("3..9 / 3", Some(vec![3, 6])),
            (" 7 ", Some(vec![7])),
            ("9", Some(vec![9])),
            ("8..10", Some(vec![8, 9])),
            ("2..=9/9", Some(vec![2])),
            ("10", None),
            ("0..=10", None),
            ("0..11", None),
            ("4..=3", None),
            ("4..4", None),
            ("0..0", None),
            ("0..=9/0", None),
            ("0..=9/10", None),
            ("0..=9/-1", None),
            ("0..=9/", None),
            ("7/2", None),
            ("", None),
            ("-1..=3", None),
            ("+1", None),
            ("1..2..3", None),
            ("99999999999999999999", None),
        ] {
            let read = Progression::<u64>::parse(text, 0, 9);
            let found = read.map(|read| {
                let numbers: Vec<u64> = read.iter().collect();
                assert_eq!(numbers.len() as u64, read.len(), "{text}");
                assert!((0..20).all(|n| read.contains(n) == numbers.contains(&n)));
                numbers
            });
            assert_eq!(found.ok(), numbers, "{text}");
        }
    }

    #[test]
    fn the_greatest_numbers_do_not_overflow() {
        let text = format!("{}..={}/3", u128::MAX - 7, u128::MAX);
        let read = Progression::parse(&text, 0, u128::MAX).unwrap();
        assert!(read.iter().eq([7, 4, 1].map(|less| u128::MAX - less)));
    }
}
