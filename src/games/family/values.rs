//! The values that a variable of a pattern takes.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{Progression, ProgressionError};

/// The greatest absolute value that a variable may take: one more than the seeds that a pot may
/// hold.
pub const VARIABLE_MAX: i64 = 1_000_000;

/// The values of one variable, in the order in which a family takes them. Never empty.
///
/// ```
/// use cggames::family::Values;
///
/// let values: Values = "1..=3".parse()?;
/// assert_eq!(values.iter().collect::<Vec<_>>(), [1, 2, 3]);
/// assert_eq!("0..13".parse::<Values>()?.to_string(), "0..=12");
/// assert_eq!("7".parse::<Values>()?.to_string(), "7");
/// assert_eq!("1..=9/3".parse::<Values>()?.iter().collect::<Vec<_>>(), [1, 4, 7]);
/// # Ok::<(), cggames::family::ValuesError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Values(Kind);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Range(Progression<i64>),
    List(Vec<i64>),
}

/// The reason why a text or a list gives no values.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ValuesError {
    /// A text that is neither a range nor an integer.
    #[error(
        "malformed range {found:?}; accepted: \"1..=14\", \"0..13\" (without 13), \"0..=100/5\" (every \
         fifth), \"7\", or a list [1, 2, 5]"
    )]
    Malformed {
        /// The text found.
        found: String,
    },
    /// A range that ends before it starts, or a list without values.
    #[error("the range {found} is empty; a range ascends, for example \"1..=14\"")]
    Empty {
        /// The range found.
        found: String,
    },
    /// A value beyond [`VARIABLE_MAX`].
    #[error("{found} is out of range; accepted: -{VARIABLE_MAX} to {VARIABLE_MAX}")]
    TooLarge {
        /// The value found.
        found: String,
    },
    /// A step below 1 or beyond [`VARIABLE_MAX`].
    #[error(
        "the step {found} is out of range; accepted: 1 to {VARIABLE_MAX}, for example \"0..=100/5\""
    )]
    Step {
        /// The step found.
        found: String,
    },
    /// A value that a list names twice.
    #[error("the list names {value} twice; name each value once")]
    Duplicate {
        /// The value.
        value: i64,
    },
}

impl Values {
    /// Returns the values `first..=last`.
    ///
    /// # Errors
    ///
    /// An empty range, or a bound beyond [`VARIABLE_MAX`].
    pub fn range(first: i64, last: i64) -> Result<Values, ValuesError> {
        check(first)?;
        check(last)?;
        if first > last {
            return Err(ValuesError::Empty {
                found: format!("{first}..={last}"),
            });
        }
        Ok(Values(Kind::Range(Progression::consecutive(first, last))))
    }

    /// Returns the values of a list, in its order.
    ///
    /// # Errors
    ///
    /// An empty list, a value twice, or one beyond [`VARIABLE_MAX`].
    pub fn list(values: Vec<i64>) -> Result<Values, ValuesError> {
        if values.is_empty() {
            return Err(ValuesError::Empty {
                found: "[]".to_owned(),
            });
        }
        let mut sorted = values.clone();
        sorted.sort_unstable();
        for value in &sorted {
            check(*value)?;
        }
        match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(ValuesError::Duplicate { value: pair[0] }),
            None => Ok(Values(Kind::List(values))),
        }
    }

    /// Returns the number of values.
    #[expect(clippy::len_without_is_empty, reason = "values are never empty")]
    pub fn len(&self) -> u64 {
        match &self.0 {
            Kind::Range(range) => range.len().unsigned_abs(),
            Kind::List(values) => values.len() as u64,
        }
    }

    /// Returns the value at `index`, counted from 0.
    ///
    /// # Panics
    ///
    /// If `index` is not below [`Values::len`].
    pub fn get(&self, index: u64) -> i64 {
        assert!(
            index < self.len(),
            "the index is below the number of values"
        );
        match &self.0 {
            Kind::Range(range) => range.first() + range.step() * index as i64,
            Kind::List(values) => values[index as usize],
        }
    }

    /// Returns the values in order.
    pub fn iter(&self) -> impl Iterator<Item = i64> + '_ {
        (0..self.len()).map(|index| self.get(index))
    }

    /// Returns the least value.
    pub fn min(&self) -> i64 {
        match &self.0 {
            Kind::Range(range) => range.first(),
            Kind::List(values) => values.iter().copied().fold(i64::MAX, i64::min),
        }
    }

    /// Returns the greatest value.
    pub fn max(&self) -> i64 {
        match &self.0 {
            Kind::Range(range) => range.last(),
            Kind::List(values) => values.iter().copied().fold(i64::MIN, i64::max),
        }
    }
}

fn check(value: i64) -> Result<(), ValuesError> {
    if (-VARIABLE_MAX..=VARIABLE_MAX).contains(&value) {
        Ok(())
    } else {
        Err(ValuesError::TooLarge {
            found: value.to_string(),
        })
    }
}

impl FromStr for Values {
    type Err = ValuesError;

    /// Reads `1..=14`, `0..13`, `0..=100/5` (every fifth value from the first on) or `7`.
    fn from_str(text: &str) -> Result<Values, ValuesError> {
        let range = Progression::parse(text, -VARIABLE_MAX, VARIABLE_MAX);
        let range = range.map_err(|error| match error {
            ProgressionError::Malformed => ValuesError::Malformed {
                found: text.to_owned(),
            },
            ProgressionError::Empty => ValuesError::Empty {
                found: text.trim().to_owned(),
            },
            ProgressionError::OutOfRange { found } => ValuesError::TooLarge { found },
            ProgressionError::Step { found } => ValuesError::Step { found },
        });
        Ok(Values(Kind::Range(range?)))
    }
}

impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Range(range) => range.fmt(f),
            Kind::List(values) => {
                f.write_str("[")?;
                for (i, value) in values.iter().enumerate() {
                    write!(f, "{}{value}", if i == 0 { "" } else { ", " })?;
                }
                f.write_str("]")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<i64>, ValuesError> {
        text.parse::<Values>().map(|values| values.iter().collect())
    }

    #[test]
    fn ranges_and_lists_give_their_values() {
        assert_eq!(read("1..=3"), Ok(vec![1, 2, 3]));
        assert_eq!(read(" -1 .. 2 "), Ok(vec![-1, 0, 1]));
        assert_eq!(read("7"), Ok(vec![7]));
        assert_eq!(read("0..1"), Ok(vec![0]));
        let list = Values::list(vec![5, 1, 2]).unwrap();
        assert_eq!(list.iter().collect::<Vec<_>>(), [5, 1, 2]);
        assert_eq!((list.min(), list.max(), list.len()), (1, 5, 3));
        assert_eq!(list.to_string(), "[5, 1, 2]");
    }

    #[test]
    fn a_step_leaves_values_out() {
        for (text, values, printed) in [
            ("0..=100/25", &[0, 25, 50, 75, 100][..], "0..=100/25"),
            ("0..100 / 25", &[0, 25, 50, 75], "0..=75/25"),
            ("-3..=4/3", &[-3, 0, 3], "-3..=3/3"),
            ("1..=3/1", &[1, 2, 3], "1..=3"),
            ("1..=3/7", &[1], "1"),
        ] {
            let parsed: Values = text.parse().unwrap();
            assert_eq!(parsed.iter().collect::<Vec<_>>(), values, "{text}");
            assert_eq!(parsed.len(), values.len() as u64);
            assert_eq!(Some(&parsed.max()), values.last());
            assert_eq!(parsed.min(), values[0]);
            // The text is part of a job's digest, so it must parse to the same values.
            assert_eq!(parsed.to_string(), printed);
            assert_eq!(printed.parse::<Values>().unwrap().to_string(), printed);
            assert!(parsed.iter().eq(printed.parse::<Values>().unwrap().iter()));
        }
        for text in ["1..=9/0", "1..=9/-2", "1..=9/1000001"] {
            let error = read(text).unwrap_err();
            assert!(matches!(error, ValuesError::Step { .. }), "{text}: {error}");
        }
        for text in ["7/2", "1/2..=9", "1..=9/", "1..=9/2/2"] {
            let error = read(text).unwrap_err();
            assert!(
                matches!(error, ValuesError::Malformed { .. }),
                "{text}: {error}"
            );
        }
    }

    #[test]
    fn what_is_no_range_is_refused() {
        for text in [
            "", "..", "1..", "..=3", "1...3", "a", "1..=n", "+1", "1..==2", "1, 2",
        ] {
            assert!(
                matches!(read(text), Err(ValuesError::Malformed { .. })),
                "{text}: {:?}",
                read(text)
            );
        }
        for text in ["5..=3", "3..3", "0..-1"] {
            let error = read(text).unwrap_err().to_string();
            assert_eq!(
                error,
                format!("the range {text} is empty; a range ascends, for example \"1..=14\"")
            );
        }
        for text in [
            "0..=1000001",
            "-1000001",
            "9999999999999999999999",
            "0..=9223372036854775807",
        ] {
            assert!(
                matches!(read(text), Err(ValuesError::TooLarge { .. })),
                "{text}"
            );
        }
        assert_eq!(
            Values::list(vec![1, 2, 1]),
            Err(ValuesError::Duplicate { value: 1 })
        );
        assert!(Values::list(vec![]).is_err());
        assert!(Values::list(vec![i64::MIN]).is_err());
    }
}
