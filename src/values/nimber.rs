//! Nimbers: the values of impartial games under normal play.
//!
//! Every position of an impartial game equals one heap of Nim (R. P. Sprague, *Über mathematische
//! Kampfspiele*, 1935; P. M. Grundy, *Mathematics and games*, 1939). The size of that heap is the
//! nim-value. Arrays of nim-values hold bare integers; this type formats and parses them.

use std::fmt;
use std::iter::Sum;
use std::str::FromStr;

use thiserror::Error;

/// The nimber `*n`, with nim-value n: written `0`, `*`, `*2`, `*3`, ...
///
/// The sum of nimbers is their nim-sum: nim-values are added in binary without carries.
///
/// ```
/// use cgvalues::Nimber;
///
/// assert_eq!([0, 1, 2].map(|n| Nimber(n).to_string()), ["0", "*", "*2"]);
/// let star_three: Nimber = "*3".parse()?;
/// assert_eq!([star_three, Nimber(1)].into_iter().sum::<Nimber>(), Nimber(2));
/// # Ok::<(), cgvalues::ParseNimberError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Nimber(pub u32);

/// The error for a text that is not a nimber.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} is no nimber; expected 0, * or * with a number, such as *2")]
pub struct ParseNimberError(pub String);

impl fmt::Display for Nimber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.write_str("0"),
            1 => f.write_str("*"),
            n => write!(f, "*{n}"),
        }
    }
}

impl FromStr for Nimber {
    type Err = ParseNimberError;

    fn from_str(text: &str) -> Result<Nimber, ParseNimberError> {
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let n = match (text, text.strip_prefix('*')) {
            ("0", _) => Some(0),
            ("*", _) => Some(1),
            (_, Some(number)) if is_number(number) => number.parse().ok(),
            _ => None,
        };
        n.map(Nimber).ok_or(ParseNimberError(text.to_owned()))
    }
}

impl Sum for Nimber {
    fn sum<I: Iterator<Item = Nimber>>(nimbers: I) -> Nimber {
        Nimber(nimbers.fold(0, |sum, nimber| sum ^ nimber.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nimbers_are_read_as_they_are_written() {
        for n in (0..300).chain([u32::MAX]) {
            assert_eq!(Nimber(n).to_string().parse(), Ok(Nimber(n)));
        }
        assert_eq!("*1".parse(), Ok(Nimber(1)));
        for text in ["", "1", "**", "*-2", "*+2", "* 2", "^", "*4294967296"] {
            let error = text.parse::<Nimber>().unwrap_err().to_string();
            assert!(error.contains("is no nimber"), "{error}");
        }
    }

    #[test]
    fn notation_of_values_writes_the_same() {
        let arena = crate::Arena::new();
        for n in [0, 1, 2, 3, 100, 255] {
            let value = arena.calculator().nimber(n).unwrap();
            let text = arena.notation(value).to_string();
            assert_eq!(text, Nimber(n).to_string());
        }
    }
}
