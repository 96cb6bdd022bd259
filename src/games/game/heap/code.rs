//! Octal and hexadecimal codes of heap games.
//!
//! A code is `d0.d1d2d3...`; its digit `dk` determines what may remain of a heap when `k` tokens
//! are taken. A digit is a sum of
//!
//! | bit | after taking `k` tokens from a heap of `n` | needs |
//! |---|---|---|
//! | 1 | nothing is left | `n = k` |
//! | 2 | one heap is left | `n >= k + 1` |
//! | 4 | two heaps are left | `n >= k + 2` |
//! | 8 | three heaps are left | `n >= k + 3` |
//!
//! where each remaining heap holds at least one token. A code whose digits are all below 8 is
//! octal, any other hexadecimal. When no token is taken (`d0`), leaving the heap as it is would be
//! no move and leaving none is impossible, so only the bits 4 and 8 may stand before the point.
//! Then every move takes a token or increases the number of heaps, so play ends.
//!
//! Invariant: the last digit after the point is not 0, and there are at most [`CODE_DIGITS_MAX`]
//! digits after it. So two codes are equal if and only if they allow the same moves.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// The most digits that a code may have after its point.
pub const CODE_DIGITS_MAX: usize = 255;

/// The form of a code, for messages.
const ACCEPTED: &str = "a code is written like 0.77, .137, 4.7 or 0.3F";

/// The octal or hexadecimal code of a heap game.
///
/// Codes are ordered lexicographically by their digits, as in surveys: 0.07 < 0.1 < 0.137 < 4.0.
///
/// ```
/// use cggames::game::heap::Code;
///
/// let kayles: Code = ".77".parse()?;
/// assert_eq!(kayles.to_string(), "0.77");
/// assert_eq!((kayles.digit(0), kayles.digit(2), kayles.digit(3)), (0, 7, 0));
/// assert_eq!((kayles.taken_max(), kayles.splits_max()), (2, 2));
/// # Ok::<(), cggames::game::heap::CodeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Code {
    /// The digit before the point, then those after it, the last of which is not 0.
    digits: Vec<u8>,
}

/// The reason why a text or a list of digits is not a code.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CodeError {
    /// There is no point.
    #[error("no point in the code; {ACCEPTED}")]
    NoPoint,
    /// There is no digit after the point.
    #[error("no digit after the point; {ACCEPTED}, the game without moves 0.0")]
    NoDigits,
    /// More than one digit before the point.
    #[error("{found} digits before the point, where one is expected; {ACCEPTED}")]
    LongWhole {
        /// Their number.
        found: usize,
    },
    /// A character that is neither a point nor a digit.
    #[error("unexpected {found:?} at character {at} of the code; digits are 0 to 9 and A to F")]
    Unexpected {
        /// The offending character.
        found: char,
        /// Its place, from 1.
        at: usize,
    },
    /// A number above 15 in a list of digits.
    #[error("digit {found} for taking {taken}; digits are 0 to 15")]
    LargeDigit {
        /// The number.
        found: u8,
        /// The number of tokens that it is for.
        taken: usize,
    },
    /// A digit before the point that allows moves without effect.
    #[error(
        "digit {found:X} before the point; only 0, 4, 8 and C may stand there, since a move that takes \
         nothing has to split the heap or play might not end"
    )]
    Endless {
        /// The offending digit.
        found: u8,
    },
    /// More digits than codes may have.
    #[error("{found} digits after the point; at most {CODE_DIGITS_MAX} are accepted")]
    TooLong {
        /// Their number, not counting final zeros.
        found: usize,
    },
}

impl Code {
    /// Returns the code with these digits, the first of them the one before the point; final zeros
    /// do not count.
    ///
    /// # Errors
    ///
    /// Where a digit exceeds 15, the first is not 0, 4, 8 or 12, or there are more than
    /// [`CODE_DIGITS_MAX`] after it.
    ///
    /// ```
    /// use cggames::game::heap::Code;
    ///
    /// assert_eq!(Code::from_digits(&[0, 1, 3, 7, 0])?.to_string(), "0.137");
    /// assert!(Code::from_digits(&[3, 1]).is_err());
    /// # Ok::<(), cggames::game::heap::CodeError>(())
    /// ```
    pub fn from_digits(digits: &[u8]) -> Result<Code, CodeError> {
        let end = digits.iter().rposition(|&d| d != 0).map_or(0, |i| i + 1);
        let digits = &digits[..end];
        if let Some(taken) = digits.iter().position(|&d| d > 15) {
            let found = digits[taken];
            return Err(CodeError::LargeDigit { found, taken });
        }
        let whole = digits.first().copied().unwrap_or(0);
        if whole & 3 != 0 {
            return Err(CodeError::Endless { found: whole });
        }
        if end > CODE_DIGITS_MAX + 1 {
            return Err(CodeError::TooLong { found: end - 1 });
        }
        let digits = if end == 0 { vec![0] } else { digits.to_vec() };
        Ok(Code { digits })
    }

    /// Returns the digit for taking `k` tokens, 0 to 15; 0 where none is written.
    pub fn digit(&self, k: usize) -> u8 {
        self.digits.get(k).copied().unwrap_or(0)
    }

    /// Returns the digits, the one before the point first, without final zeros after the point.
    pub fn digits(&self) -> &[u8] {
        &self.digits
    }

    /// Returns the most tokens that a move may take: the index of the last nonzero digit.
    pub fn taken_max(&self) -> usize {
        self.digits.len() - 1
    }

    /// Returns the most heaps that a move may leave: 3, 2 or 1, and 1 also if all moves leave none.
    pub fn splits_max(&self) -> usize {
        match self.digits.iter().max() {
            Some(8..) => 3,
            Some(4..) => 2,
            _ => 1,
        }
    }
}

impl FromStr for Code {
    type Err = CodeError;

    /// Reads `0.77`, `.77`, `4.7`, `0.3F` or `0.3f`.
    fn from_str(text: &str) -> Result<Code, CodeError> {
        let (whole, fraction) = text.split_once('.').ok_or(CodeError::NoPoint)?;
        let whole_length = whole.chars().count();
        let mut digits = digits_of(whole, 1)?;
        if whole_length > 1 {
            return Err(CodeError::LongWhole {
                found: whole_length,
            });
        }
        if fraction.is_empty() {
            return Err(CodeError::NoDigits);
        }
        digits.resize(1, 0);
        digits.extend(digits_of(fraction, whole_length + 2)?);
        Code::from_digits(&digits)
    }
}

/// Reads digits, of which the first is the character `first` of the whole text, from 1.
fn digits_of(text: &str, first: usize) -> Result<Vec<u8>, CodeError> {
    let digit = |(i, found): (usize, char)| match found.to_digit(16) {
        Some(digit) => Ok(digit as u8),
        None => Err(CodeError::Unexpected {
            found,
            at: first + i,
        }),
    };
    text.chars().enumerate().map(digit).collect()
}

impl fmt::Display for Code {
    /// Writes one digit before the point and those after it up to the last that is not 0, letters
    /// in upper case; a code without digits after the point has one zero there (`4.0`).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:X}.", self.digits[0])?;
        if self.digits.len() == 1 {
            return f.write_str("0");
        }
        self.digits[1..].iter().try_for_each(|d| write!(f, "{d:X}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_and_printed_again() {
        for (text, printed) in [
            ("0.77", "0.77"),
            (".77", "0.77"),
            ("0.7700", "0.77"),
            ("4.7", "4.7"),
            ("c.0", "C.0"),
            ("0.3f", "0.3F"),
            (".0", "0.0"),
            ("0.007", "0.007"),
        ] {
            let code: Code = text.parse().expect(text);
            assert_eq!(code.to_string(), printed);
            assert_eq!(printed.parse(), Ok(code));
        }
    }

    #[test]
    fn malformed_codes_are_refused_with_place_and_reason() {
        for (text, part) in [
            ("77", "no point"),
            ("", "no point"),
            (".", "no digit after the point"),
            ("4.", "no digit after the point"),
            ("00.7", "2 digits before the point"),
            ("0.7g", "'g' at character 4"),
            (".7 7", "' ' at character 3"),
            ("0.7.7", "'.' at character 4"),
            ("é.7", "'é' at character 1"),
            ("-1.7", "'-' at character 1"),
            ("1.7", "digit 1 before the point; only 0, 4, 8 and C"),
            ("F.7", "digit F before the point"),
        ] {
            let error = text.parse::<Code>().expect_err(text).to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
        let long = format!("0.{}", "7".repeat(CODE_DIGITS_MAX + 1));
        assert_eq!(long.parse::<Code>(), Err(CodeError::TooLong { found: 256 }));
        let zeros = format!("0.{}{}", "7".repeat(CODE_DIGITS_MAX), "0".repeat(300));
        assert!(zeros.parse::<Code>().is_ok());
    }

    #[test]
    fn codes_are_ordered_as_surveys_list_them() {
        let texts = [
            "0.0", "0.007", "0.07", "0.1", "0.137", "0.2", "0.F", "4.0", "4.7",
        ];
        let codes: Vec<Code> = texts.iter().map(|t| t.parse().expect("a code")).collect();
        assert!(codes.is_sorted_by(|a, b| a < b));
    }
}
