//! Written sums of components.
//!
//! ```text
//! sum       = group { ">" group }
//! group     = component { "+" component } | "0"
//! component = "wythoff(x,y)" | "knight(x,y)" | "nim(n,...)" | "checkers(square,...)" | "kayles(n)"
//!           | GAME "(n)"                         where GAME is a heap game: 0.137, grundy, subtraction(1,3), ...
//! ```
//!
//! Components joined by `+` may be started in any order. Components before a `>` must be finished
//! before any after it is started, which describes an obligated sum in the middle of play:
//! `kayles(1) + kayles(3) > nim(3)` is `kayles(5) + nim(3)` after a throw that left one pin and
//! three. `0` is the empty group. Blanks are ignored between names, numbers and signs.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{Component, ComponentError};
use crate::game::heap::{HeapGame, HeapGameError};

/// The form of components, for messages.
const ACCEPTED: &str = "a component is written like wythoff(1,4), knight(3,4), nim(3), checkers(4,3), \
     kayles(5), 0.137(9), grundy(7) or subtraction(1,3)(9)";

/// At least one group of components, the first to be finished in front.
///
/// ```
/// use cggames::game::impartial::Sum;
///
/// let sum: Sum = "wythoff(0,1)+ .77( 5 )".parse()?;
/// assert_eq!(sum.to_string(), "wythoff(0,1) + 0.77(5)");
/// let error = "kayles(5) + nim(x)".parse::<Sum>().unwrap_err();
/// assert_eq!(error.at, 17);
/// # Ok::<(), cggames::game::impartial::SumError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sum {
    groups: Vec<Vec<Component>>,
}

/// The error for a text that is not a sum, with its place.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{kind} (at character {at} of the sum)")]
pub struct SumError {
    /// The place, in characters from 1.
    pub at: usize,
    /// The error.
    pub kind: SumErrorKind,
}

/// The kinds of errors in the text of a sum.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SumErrorKind {
    /// A component is missing.
    #[error("a component is missing; {ACCEPTED}")]
    Missing,
    /// A component without its numbers.
    #[error("{name:?} without its numbers; {ACCEPTED}")]
    NoNumbers {
        /// The name.
        name: String,
    },
    /// A name of no game.
    #[error("{0}; further games are wythoff, knight, nim and checkers")]
    Game(HeapGameError),
    /// A game whose play need not end.
    #[error(
        "play of poker-nim need not end, so it is no component; a heap of it has the nim-value of nim(n)"
    )]
    PokerNim,
    /// A text that is not a number.
    #[error("{found:?} is no number; whole numbers are accepted, with commas between them")]
    NoNumber {
        /// What stands there.
        found: String,
    },
    /// A number that no game accepts.
    #[error("{found} is too large a number; no game takes numbers beyond 32 bits")]
    Huge {
        /// What stands there.
        found: String,
    },
    /// Too few or too many numbers.
    #[error("{name} takes {wanted}, {found} are given")]
    Count {
        /// The game.
        name: String,
        /// The accepted number, in words.
        wanted: &'static str,
        /// The number found.
        found: usize,
    },
    /// A parenthesis that is not closed.
    #[error("a parenthesis that is not closed; add \")\"")]
    Unclosed,
    /// A character that is not a sign between components.
    #[error("{found:?} where \"+\", \">\" or the end is expected")]
    NoSign {
        /// The character.
        found: char,
    },
    /// A component that is too large.
    #[error("{0}")]
    Component(#[from] ComponentError),
}

impl Sum {
    /// Returns a sum of components, none of them started.
    pub fn new(components: impl IntoIterator<Item = Component>) -> Sum {
        Sum {
            groups: vec![components.into_iter().collect()],
        }
    }

    /// Returns a sum of groups, the first to be finished in front.
    pub fn of_groups(groups: impl IntoIterator<Item = Vec<Component>>) -> Sum {
        let mut groups: Vec<_> = groups.into_iter().collect();
        if groups.is_empty() {
            groups.push(Vec::new());
        }
        Sum { groups }
    }

    /// Reads a sum like [`FromStr`], and accepts heaps and rows of pins beyond the limits of
    /// components, up to 32 bits.
    ///
    /// Such a heap has a value if its game has a proved period:
    /// a solver finds a smaller one of the same value. Nothing else should be done with it.
    ///
    /// # Errors
    ///
    /// As for [`FromStr`].
    ///
    /// ```
    /// use cggames::game::impartial::Sum;
    ///
    /// let text = "kayles(1000000000) + nim(3)";
    /// assert_eq!(Sum::of_any_heaps(text)?.to_string(), text);
    /// assert!(text.parse::<Sum>().is_err());
    /// # Ok::<(), cggames::game::impartial::SumError>(())
    /// ```
    pub fn of_any_heaps(text: &str) -> Result<Sum, SumError> {
        read(text, true)
    }

    /// Returns the groups, the first to be finished in front.
    pub fn groups(&self) -> &[Vec<Component>] {
        &self.groups
    }

    /// Returns the components, group after group.
    pub fn components(&self) -> impl Iterator<Item = &Component> {
        self.groups.iter().flatten()
    }
}

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, group) in self.groups.iter().enumerate() {
            f.write_str(if i == 0 { "" } else { " > " })?;
            if group.is_empty() {
                f.write_str("0")?;
            }
            for (j, component) in group.iter().enumerate() {
                write!(f, "{}{component}", if j == 0 { "" } else { " + " })?;
            }
        }
        Ok(())
    }
}

impl FromStr for Sum {
    type Err = SumError;

    fn from_str(text: &str) -> Result<Sum, SumError> {
        read(text, false)
    }
}

/// Reads a sum, of heaps of any size or within the limits of components.
fn read(text: &str, any_heaps: bool) -> Result<Sum, SumError> {
    let mut reader = Reader {
        text,
        at: 0,
        any_heaps,
    };
    let mut groups = Vec::new();
    loop {
        let mut group = Vec::new();
        if reader.take_nothing() {
            groups.push(group);
        } else {
            group.push(reader.component()?);
            while reader.take('+') {
                group.push(reader.component()?);
            }
            groups.push(group);
        }
        if reader.take('>') {
            continue;
        }
        return match reader.peek() {
            None => Ok(Sum { groups }),
            Some(found) => Err(reader.error(reader.at, SumErrorKind::NoSign { found })),
        };
    }
}

/// A text and the number of bytes read.
struct Reader<'a> {
    text: &'a str,
    at: usize,
    any_heaps: bool,
}

impl<'a> Reader<'a> {
    /// Skips blanks and returns the next character.
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    /// Reads this character if it comes next.
    fn take(&mut self, wanted: char) -> bool {
        let there = self.peek() == Some(wanted);
        self.at += if there { wanted.len_utf8() } else { 0 };
        there
    }

    /// Reads a `0` for the empty group, if one comes next.
    fn take_nothing(&mut self) -> bool {
        self.peek();
        let after = self.text[self.at..].strip_prefix('0');
        let there =
            after.is_some_and(|rest| matches!(rest.trim_start().chars().next(), None | Some('>')));
        self.at += usize::from(there);
        there
    }

    /// Returns an error at a place, given in bytes.
    fn error(&self, at: usize, kind: SumErrorKind) -> SumError {
        let at = self.text[..at].chars().count() + 1;
        SumError { at, kind }
    }

    /// Reads a component.
    fn component(&mut self) -> Result<Component, SumError> {
        if matches!(self.peek(), None | Some('+' | '>')) {
            return Err(self.error(self.at, SumErrorKind::Missing));
        }
        let start = self.at;
        let rest = &self.text[start..];
        let length = rest.find(['(', ')', '+', '>']).unwrap_or(rest.len());
        let mut name = rest[..length].trim_end().to_owned();
        self.at += length;
        if !self.text[self.at..].starts_with('(') {
            // A malformed name is reported before missing numbers.
            let kind = match named(&name) {
                Err(kind) => kind,
                Ok(()) => SumErrorKind::NoNumbers { name },
            };
            return Err(self.error(start, kind));
        }
        if name == "subtraction" {
            name += self.parenthesis()?;
            if self.peek() != Some('(') {
                return Err(self.error(start, SumErrorKind::NoNumbers { name }));
            }
        }
        named(&name).map_err(|kind| self.error(start, kind))?;
        let numbers = self.numbers()?;
        build(&name, &numbers, self.any_heaps).map_err(|kind| self.error(start, kind))
    }

    /// Reads a pair of parentheses and returns its content.
    fn parenthesis(&mut self) -> Result<&'a str, SumError> {
        let start = self.at;
        let rest = &self.text[start..];
        let Some(length) = rest.find(')') else {
            return Err(self.error(start, SumErrorKind::Unclosed));
        };
        self.at += length + 1;
        Ok(&rest[..=length])
    }

    /// Reads numbers in a parenthesis.
    fn numbers(&mut self) -> Result<Vec<u32>, SumError> {
        let inside = self.parenthesis()?;
        let mut place = self.at - inside.len() + 1;
        let mut numbers = Vec::new();
        for part in inside[1..inside.len() - 1].split(',') {
            let number = part.trim();
            let at = place + part.len() - part.trim_start().len();
            let digits = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
            let found = || number.to_owned();
            if !digits {
                return Err(self.error(at, SumErrorKind::NoNumber { found: found() }));
            }
            let value = number.parse();
            numbers.push(value.map_err(|_| self.error(at, SumErrorKind::Huge { found: found() }))?);
            place += part.len() + 1;
        }
        Ok(numbers)
    }
}

/// Refuses names of no game.
fn named(name: &str) -> Result<(), SumErrorKind> {
    match name {
        "wythoff" | "knight" | "nim" | "checkers" | "kayles" | "subtraction" => Ok(()),
        "poker-nim" => Err(SumErrorKind::PokerNim),
        _ => name
            .parse::<HeapGame>()
            .map(|_| ())
            .map_err(SumErrorKind::Game),
    }
}

/// Makes a component from the name of a game and its numbers.
fn build(name: &str, numbers: &[u32], any_heaps: bool) -> Result<Component, SumErrorKind> {
    let count = |wanted| SumErrorKind::Count {
        name: name.to_owned(),
        wanted,
        found: numbers.len(),
    };
    let component = match (name, numbers) {
        ("wythoff", &[x, y]) => Component::wythoff(x, y),
        ("knight", &[x, y]) => Component::knight(x, y),
        ("wythoff" | "knight", _) => return Err(count("2 numbers, the column and the row")),
        ("nim", heaps) => Component::nim(heaps),
        ("checkers", squares) => Component::checkers(squares),
        ("kayles", &[pins]) if any_heaps => Ok(Component::Kayles(pins)),
        ("kayles", &[pins]) => Component::kayles(pins),
        (_, &[size]) if any_heaps => {
            let game = name.parse().map_err(SumErrorKind::Game)?;
            Ok(Component::Heap(game, size as usize))
        }
        (_, &[size]) => {
            let game = name.parse().map_err(SumErrorKind::Game)?;
            Component::heap(game, size as usize)
        }
        _ => return Err(count("1 number, the size")),
    };
    Ok(component?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_read_and_printed_again() {
        for (text, printed) in [
            (
                "wythoff(0,1) + wythoff(1,4) + kayles(5) + knight(3,4) + nim(3) + grundy(7) + 0.137(9)",
                "",
            ),
            (
                " nim( 3 ,4)>0.77 (5)+checkers(4,3) ",
                "nim(3,4) > 0.77(5) + checkers(4,3)",
            ),
            ("dawsons-chess(9)", "0.137(9)"),
            (
                "subtraction(1, 3)(9)+ C.0F(3)",
                "subtraction(1,3)(9) + C.0F(3)",
            ),
            ("0", ""),
            ("0 > nim(1)", ""),
            ("nim(1) > 0", ""),
            (".07(3)", "0.07(3)"),
        ] {
            let sum: Sum = text.parse().expect(text);
            let printed = if printed.is_empty() { text } else { printed };
            assert_eq!(sum.to_string(), printed);
            assert_eq!(printed.parse(), Ok(sum));
        }
    }

    #[test]
    fn malformed_sums_are_refused_with_place_and_reason() {
        for (text, at, part) in [
            (
                "",
                1,
                "a component is missing; a component is written like wythoff(1,4)",
            ),
            ("nim(3) +", 9, "a component is missing"),
            ("+ nim(3)", 1, "a component is missing"),
            ("nim(3) > > nim(1)", 10, "a component is missing"),
            ("nim", 1, "\"nim\" without its numbers"),
            ("nim(3) + chess(4)", 10, "unknown heap game \"chess\""),
            (
                "chess(4)",
                1,
                "further games are wythoff, knight, nim and checkers",
            ),
            ("0.7z(4)", 1, "'z' at character 4 of the code"),
            (
                "nim(3) + wythoff(1)",
                10,
                "takes 2 numbers, the column and the row, 1 are given",
            ),
            (
                "kayles(1,2)",
                1,
                "kayles takes 1 number, the size, 2 are given",
            ),
            ("kayles(5) + nim(x)", 17, "\"x\" is no number"),
            ("nim(1, -2)", 8, "\"-2\" is no number"),
            ("nim()", 5, "\"\" is no number"),
            ("é(4)", 1, "\"é\""),
            (
                "nim(3) é",
                8,
                "'é' where \"+\", \">\" or the end is expected",
            ),
            ("nim(3", 4, "not closed"),
            ("nim(3) nim(4)", 8, "'n' where"),
            ("nim)3(", 1, "\"nim\" without its numbers"),
            ("poker-nim(3)", 1, "need not end"),
            (
                "nim(1) + wythoff(5,1001)",
                10,
                "1001 is too large for a queen's coordinate; at most 1000",
            ),
            (
                "nim(99999999999999999999)",
                5,
                "99999999999999999999 is too large a number; no game takes numbers beyond 32 bits",
            ),
            ("nim(10001)", 1, "10001 is too large for a heap of nim"),
            (
                "grundy(4294967295)",
                1,
                "4294967295 is too large for a heap of grundy",
            ),
            (
                "subtraction(1,3)",
                1,
                "\"subtraction(1,3)\" without its numbers",
            ),
            ("subtraction(0)(4)", 1, "0 in a subtraction set"),
            ("00", 1, "unknown heap game \"00\""),
        ] {
            let error = text.parse::<Sum>().expect_err(text);
            let message = error.to_string();
            assert!(message.contains(part), "{text}: {message}");
            assert_eq!(error.at, at, "{text}: {message}");
        }
    }
}
