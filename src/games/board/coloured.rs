//! A written row of pots that hold seeds of two colours.
//!
//! Notation: pots with blanks between them. `b` is a blue seed, `3b` is three blue seeds, `r` is a
//! red seed, `2b1r` or `2br` is two blue seeds and a red one, `0` is an empty pot.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::blank::is_blank;
use super::row::POT_SEEDS_MAX;

/// The seeds of a pot, by their colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ColouredPot {
    /// The blue seeds.
    pub blue: u32,
    /// The red seeds.
    pub red: u32,
}

/// A row of pots with blue and red seeds.
///
/// ```
/// use cggames::board::coloured::{ColouredPot, ColouredRow};
///
/// let row: ColouredRow = "b 2b1r 0 3r".parse()?;
/// assert_eq!(row.pots[1], ColouredPot { blue: 2, red: 1 });
/// assert_eq!(row.to_string(), "b 2br 0 3r");
/// # Ok::<(), cggames::board::coloured::ColouredRowError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ColouredRow {
    /// The pots from left to right.
    pub pots: Vec<ColouredPot>,
}

/// The error for a text that is not a row of pots with seeds of two colours.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ColouredRowError {
    /// The text has no pots.
    #[error("an empty position; write pots with blanks between them, for example b 2br 0")]
    Empty,
    /// A character that the notation does not allow there.
    #[error(
        "unexpected {found:?} at character {at}; pots have blanks between them, and a pot is 0, or blue seeds (b, 3b), or red ones \
         (r, 3r), or blue and then red ones (2b3r, br)"
    )]
    Unexpected {
        /// The offending character.
        found: char,
        /// Its place, counted in characters from 1.
        at: usize,
    },
    /// A number without a colour, or a count of 0 or too many seeds.
    #[error(
        "the number at character {at} counts no seeds; write 1 to {POT_SEEDS_MAX} before b or r, for example 3b, or 0 alone for an \
         empty pot"
    )]
    Number {
        /// The place of its first digit, counted in characters from 1.
        at: usize,
    },
}

impl ColouredRowError {
    /// Returns the place of the error in characters from 1, or `None` where it is the whole text.
    pub(super) fn at(&self) -> Option<usize> {
        match *self {
            ColouredRowError::Empty => None,
            ColouredRowError::Unexpected { at, .. } | ColouredRowError::Number { at } => Some(at),
        }
    }
}

impl FromStr for ColouredRow {
    type Err = ColouredRowError;

    fn from_str(text: &str) -> Result<ColouredRow, ColouredRowError> {
        let chars: Vec<char> = text.chars().collect();
        let mut pots = Vec::new();
        let mut start = 0;
        while start < chars.len() {
            if is_blank(chars[start]) {
                start += 1;
                continue;
            }
            let rest = chars[start..].iter();
            let end = start + rest.take_while(|&&c| !is_blank(c)).count();
            pots.push(pot(&chars[start..end], start + 1)?);
            start = end;
        }
        if pots.is_empty() {
            Err(ColouredRowError::Empty)
        } else {
            Ok(ColouredRow { pots })
        }
    }
}

/// Reads the pot that begins at this character.
fn pot(chars: &[char], at: usize) -> Result<ColouredPot, ColouredRowError> {
    let mut pot = ColouredPot::default();
    if chars == ['0'] {
        return Ok(pot);
    }
    let mut next = 0;
    for (colour, seeds) in [('b', &mut pot.blue), ('r', &mut pot.red)] {
        let digits = chars[next..].iter().take_while(|c| c.is_ascii_digit());
        let end = next + digits.count();
        if chars.get(end) != Some(&colour) {
            continue;
        }
        let number: String = chars[next..end].iter().collect();
        let number = match number.as_str() {
            "" => Some(1),
            number => number.parse().ok(),
        };
        let counts = number.filter(|seeds| (1..=POT_SEEDS_MAX).contains(seeds));
        *seeds = counts.ok_or(ColouredRowError::Number { at: at + next })?;
        next = end + 1;
    }
    let digits = chars[next..].iter().take_while(|c| c.is_ascii_digit());
    match chars.get(next + digits.count()) {
        None if next == chars.len() => Ok(pot),
        None => Err(ColouredRowError::Number { at: at + next }),
        Some(&found) => {
            let place = chars[next..].iter().position(|&c| c == found);
            Err(ColouredRowError::Unexpected {
                found,
                at: at + next + place.unwrap_or(0),
            })
        }
    }
}

impl fmt::Display for ColouredPot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == ColouredPot::default() {
            return f.write_str("0");
        }
        for (seeds, colour) in [(self.blue, 'b'), (self.red, 'r')] {
            match seeds {
                0 => {}
                1 => write!(f, "{colour}")?,
                _ => write!(f, "{seeds}{colour}")?,
            }
        }
        Ok(())
    }
}

impl fmt::Display for ColouredRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.pots.is_empty() {
            return f.write_str("0");
        }
        for (place, pot) in self.pots.iter().enumerate() {
            if place > 0 {
                f.write_str(" ")?;
            }
            pot.fmt(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    #[test]
    fn a_row_prints_what_it_read() {
        for (text, printed) in [
            ("0", "0"),
            ("b br", "b br"),
            (" 2b1r  0 12r ", "2br 0 12r"),
            ("1b01r", "br"),
        ] {
            let row: ColouredRow = text.parse().unwrap();
            assert_eq!(row.to_string(), printed);
            assert_eq!(printed.parse(), Ok(row));
        }
        let row: ColouredRow = "2b3r 0 r".parse().unwrap();
        assert_eq!((row.features().pots, row.features().seeds), (3, Some(6)));
    }

    #[test]
    fn errors_name_the_character_and_what_is_accepted() {
        let error = |text: &str| text.parse::<ColouredRow>().unwrap_err();
        assert_eq!(error("  "), ColouredRowError::Empty);
        for (text, found, at) in [
            ("b x", 'x', 3),
            ("rb", 'b', 2),
            ("r2b", 'b', 3),
            ("bb", 'b', 2),
            ("b3br", 'b', 3),
            ("2b-r", '-', 3),
        ] {
            assert_eq!(
                error(text),
                ColouredRowError::Unexpected { found, at },
                "{text}"
            );
        }
        for (text, at) in [
            ("b 3", 3),
            ("0b", 1),
            ("2b0r", 3),
            ("b 1000000r", 3),
            ("2b3", 3),
        ] {
            assert_eq!(error(text), ColouredRowError::Number { at }, "{text}");
        }
        let message = error("b rb").to_string();
        assert!(message.contains("'b' at character 4"), "{message}");
    }
}
