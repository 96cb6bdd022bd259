//! A written row of pots, the form shared by notation, families and rulesets.
//!
//! A [`Row`] records only the text. It knows no game: normal forms, full-pot caps and legality
//! belong to the rulesets.
//!
//! Notation: one digit a pot, `[12]` for ten or more, `e` or `•` for a full pot, `...e` (or `…e`)
//! at the left and `e...` at the right for endless full pots. Blanks separate and are ignored.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::blank::is_blank;

/// The most seeds that one pot of a written row may hold.
pub const POT_SEEDS_MAX: u32 = 999_999;

/// One pot of a written row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Pot {
    /// A pot with this many seeds, possibly none.
    Seeds(u32),
    /// A full pot: more seeds than its distance to either end, so no player can ever sow from it.
    Full,
}

/// A row of pots, perhaps with endless full pots at either end.
///
/// ```
/// use cggames::board::row::{Pot, Row};
///
/// let row: Row = "3 [12] e 1".parse()?;
/// assert_eq!(row.pots, [Pot::Seeds(3), Pot::Seeds(12), Pot::Full, Pot::Seeds(1)]);
/// assert_eq!(row.to_string(), "3[12]e1");
/// assert_eq!("...e 11 e...".parse::<Row>()?.to_string(), "...e11e...");
/// # Ok::<(), cggames::board::row::RowError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Row {
    /// The pots from left to right, without the endless ends.
    pub pots: Vec<Pot>,
    /// Whether endless full pots extend to the left.
    pub endless_left: bool,
    /// Whether endless full pots extend to the right.
    pub endless_right: bool,
}

/// The error for a text that is not a row of pots.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RowError {
    /// The text has no pots.
    #[error("an empty position; write one digit a pot, for example 312")]
    Empty,
    /// A character that is not part of the notation.
    #[error(
        "unexpected {found:?} at character {at}; a position is one digit a pot, [12] for ten or \
         more, e for a full pot, ...e and e... for endless full pots"
    )]
    Unexpected {
        /// The offending character.
        found: char,
        /// Its place, counted in characters from 1.
        at: usize,
    },
    /// A bracket without its number or its partner.
    #[error("the bracket at character {at} is not of the form [12] (0 to {POT_SEEDS_MAX} seeds)")]
    Bracket {
        /// The place of the opening bracket, counted in characters from 1.
        at: usize,
    },
    /// Dots that do not mark an endless end.
    #[error(
        "the dots at character {at} mark no endless end; write ...e first or e... last, \
         for example ...e 11 e..."
    )]
    Dots {
        /// The place of the dots, counted in characters from 1.
        at: usize,
    },
}

impl RowError {
    /// Returns the place of the error in characters from 1, or `None` where it is the whole text.
    pub(super) fn at(&self) -> Option<usize> {
        match *self {
            RowError::Empty => None,
            RowError::Unexpected { at, .. } | RowError::Bracket { at } | RowError::Dots { at } => {
                Some(at)
            }
        }
    }
}

impl FromStr for Row {
    type Err = RowError;

    fn from_str(text: &str) -> Result<Row, RowError> {
        let chars: Vec<char> = text.chars().collect();
        let mut row = Row::default();
        let mut closed = false;
        let mut i = 0;
        let mut any = false;
        while i < chars.len() {
            let at = i + 1;
            let c = chars[i];
            if is_blank(c) {
                i += 1;
                continue;
            }
            if closed {
                return Err(RowError::Unexpected { found: c, at });
            }
            if let Some(digit) = c.to_digit(10) {
                row.pots.push(Pot::Seeds(digit));
                i += 1;
            } else if c == '[' {
                let close = chars[i..]
                    .iter()
                    .position(|&c| c == ']')
                    .ok_or(RowError::Bracket { at })?;
                let number: String = chars[i + 1..i + close].iter().collect();
                let seeds = number
                    .trim()
                    .parse::<u32>()
                    .ok()
                    .filter(|&n| n <= POT_SEEDS_MAX);
                row.pots
                    .push(Pot::Seeds(seeds.ok_or(RowError::Bracket { at })?));
                i += close + 1;
            } else if is_full(c) {
                i += 1;
                if let Some(width) = dots(&chars[i..]) {
                    row.endless_right = true;
                    closed = true;
                    i += width;
                } else {
                    row.pots.push(Pot::Full);
                }
            } else if let Some(width) = dots(&chars[i..]) {
                let after = chars.get(i + width).copied();
                if any || !after.is_some_and(is_full) {
                    return Err(RowError::Dots { at });
                }
                row.endless_left = true;
                i += width + 1;
            } else {
                return Err(RowError::Unexpected { found: c, at });
            }
            any = true;
        }
        if any { Ok(row) } else { Err(RowError::Empty) }
    }
}

impl Row {
    /// Parses a text in place; after an error the row is unspecified.
    ///
    /// PERF: most rows of large results are digits only. Reading these without the parser, into the
    /// row's own memory, takes a tenth of the time.
    pub(crate) fn read(&mut self, text: &str) -> Result<(), RowError> {
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            *self = text.parse()?;
            return Ok(());
        }
        (self.endless_left, self.endless_right) = (false, false);
        self.pots.clear();
        let seeds = text.bytes().map(|digit| u32::from(digit - b'0'));
        self.pots.extend(seeds.map(Pot::Seeds));
        Ok(())
    }

    /// Writes the row as it displays.
    pub(crate) fn write_to(&self, text: &mut impl fmt::Write) -> fmt::Result {
        if self.endless_left {
            text.write_str("...e")?;
        }
        for pot in &self.pots {
            match pot {
                Pot::Full => text.write_str("e")?,
                // PERF: writing a character costs less than formatting a number.
                Pot::Seeds(seeds @ 0..=9) => text.write_char(char::from(b'0' + *seeds as u8))?,
                Pot::Seeds(seeds) => write!(text, "[{seeds}]")?,
            }
        }
        if self.endless_right {
            text.write_str("e...")?;
        }
        if self.pots.is_empty() && !self.endless_left && !self.endless_right {
            text.write_str("0")?;
        }
        Ok(())
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_to(f)
    }
}

fn is_full(c: char) -> bool {
    c == 'e' || c == '•'
}

/// Returns the width in characters of an ellipsis at the start of `chars`, if there is one.
fn dots(chars: &[char]) -> Option<usize> {
    match chars {
        ['…', ..] => Some(1),
        ['.', '.', '.', ..] => Some(3),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_prints_what_it_read() {
        let mut reused: Row = "...e1e...".parse().unwrap();
        for text in [
            "0",
            "312",
            "[12]0[10]",
            "e11e",
            "...e11",
            "11e...",
            "...ee...",
            "...ee11ee...",
        ] {
            assert_eq!(text.parse::<Row>().unwrap().to_string(), text);
            reused.read(text).unwrap();
            assert_eq!(Ok(&reused), text.parse().as_ref());
        }
        assert_eq!(reused.read(""), Err(RowError::Empty));
        assert_eq!("• 1 • ".parse::<Row>().unwrap().to_string(), "e1e");
        assert_eq!("…e1e…".parse::<Row>().unwrap().to_string(), "...e1e...");
        assert_eq!("[3][012]".parse::<Row>().unwrap().to_string(), "3[12]");
    }

    #[test]
    fn errors_name_the_character_and_what_is_accepted() {
        assert_eq!("  ".parse::<Row>(), Err(RowError::Empty));
        assert_eq!(
            "31x".parse::<Row>(),
            Err(RowError::Unexpected { found: 'x', at: 3 })
        );
        assert_eq!(
            "1e...1".parse::<Row>(),
            Err(RowError::Unexpected { found: '1', at: 6 })
        );
        for text in ["[12", "[]", "[a]", "[1000000]", "[-1]"] {
            assert_eq!(
                text.parse::<Row>(),
                Err(RowError::Bracket { at: 1 }),
                "{text}"
            );
        }
        assert_eq!("1...e".parse::<Row>(), Err(RowError::Dots { at: 2 }));
        assert_eq!("...1".parse::<Row>(), Err(RowError::Dots { at: 1 }));
        let message = "3-1".parse::<Row>().unwrap_err().to_string();
        assert!(message.contains("'-' at character 2"), "{message}");
    }
}
