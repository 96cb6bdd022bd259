//! The known heap games and their names.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{Code, CodeError, SubtractionError, SubtractionSet};

/// The codes with names; the first name of a code is the one printed.
///
/// *Winning Ways*, chapter 4. James Bond is a joke on the code 0.007; Treblecross is the game on a
/// strip in which three crosses in a row win.
const NAMES: [(&str, &str); 7] = [
    ("kayles", "0.77"),
    ("dawsons-chess", "0.137"),
    ("dawsons-kayles", "0.07"),
    ("james-bond", "0.007"),
    ("treblecross", "0.007"),
    ("officers", "0.6"),
    ("guiles", "0.15"),
];

/// The rules of a heap game: the moves in a single heap.
///
/// ```
/// use cggames::game::heap::HeapGame;
///
/// let game: HeapGame = "dawsons-chess".parse()?;
/// assert_eq!(game.to_string(), "0.137");
/// assert_eq!(game.name(), Some("dawsons-chess"));
/// let game: HeapGame = "subtraction(1, 3, 4)".parse()?;
/// assert_eq!(game.to_string(), "subtraction(1,3,4)");
/// # Ok::<(), cggames::game::heap::HeapGameError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum HeapGame {
    /// The moves that an octal or hexadecimal code allows.
    Code(Code),
    /// Grundy's game: a heap is split into two of different sizes.
    Grundy,
    /// A number of tokens from a set is taken; it may be the whole heap.
    Subtraction(SubtractionSet),
}

/// The reason why a text names no heap game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum HeapGameError {
    /// A code that is malformed.
    #[error("{0}")]
    Code(#[from] CodeError),
    /// A subtraction set that is malformed.
    #[error("{0}")]
    Subtraction(#[from] SubtractionError),
    /// Neither a code nor a name.
    #[error(
        "unknown heap game {found:?}; accepted are codes like 0.77, grundy, subtraction(1,3,4), and {}",
        names()
    )]
    Unknown {
        /// The text.
        found: String,
    },
}

/// Returns all names of codes, for messages.
fn names() -> String {
    NAMES.map(|(name, _)| name).join(", ")
}

/// Returns whether a code has this name.
pub(crate) fn is_code_name(name: &str) -> bool {
    NAMES.iter().any(|(known, _)| *known == name)
}

impl HeapGame {
    /// Returns the name of the game, if it has one.
    pub fn name(&self) -> Option<&'static str> {
        match self {
            HeapGame::Grundy => Some("grundy"),
            HeapGame::Subtraction(_) => None,
            HeapGame::Code(code) => {
                let text = code.to_string();
                let known = NAMES.iter().find(|(_, code)| *code == text);
                known.map(|(name, _)| *name)
            }
        }
    }

    /// Returns the most heaps that a move may leave: 1, 2 or 3.
    pub fn splits_max(&self) -> usize {
        match self {
            HeapGame::Code(code) => code.splits_max(),
            HeapGame::Grundy => 2,
            HeapGame::Subtraction(_) => 1,
        }
    }

    /// Returns the most tokens that a move may take; 0 for Grundy's game.
    pub fn taken_max(&self) -> usize {
        match self {
            HeapGame::Code(code) => code.taken_max(),
            HeapGame::Grundy => 0,
            HeapGame::Subtraction(set) => set.taken_max(),
        }
    }
}

impl From<Code> for HeapGame {
    fn from(code: Code) -> HeapGame {
        HeapGame::Code(code)
    }
}

impl FromStr for HeapGame {
    type Err = HeapGameError;

    /// Reads a code, `grundy`, `subtraction(1,3,4)`, or the name of a code.
    fn from_str(text: &str) -> Result<HeapGame, HeapGameError> {
        if text == "grundy" {
            return Ok(HeapGame::Grundy);
        }
        if let Some((_, code)) = NAMES.iter().find(|(name, _)| *name == text) {
            return Ok(HeapGame::Code(code.parse()?));
        }
        let set = text.strip_prefix("subtraction(");
        if let Some(set) = set.and_then(|rest| rest.strip_suffix(')')) {
            return Ok(HeapGame::Subtraction(set.parse()?));
        }
        if text.contains('.') {
            return Ok(HeapGame::Code(text.parse()?));
        }
        Err(HeapGameError::Unknown { found: text.into() })
    }
}

impl fmt::Display for HeapGame {
    /// Writes a code, `grundy` or `subtraction(1,3,4)`, so that the text reads back.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HeapGame::Code(code) => write!(f, "{code}"),
            HeapGame::Grundy => f.write_str("grundy"),
            HeapGame::Subtraction(set) => write!(f, "subtraction({set})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_read_and_printed_again() {
        for text in ["0.77", "grundy", "subtraction(1,3,4)", "C.3F"] {
            let game: HeapGame = text.parse().expect(text);
            assert_eq!(game.to_string(), text);
        }
    }

    #[test]
    fn every_name_stands_for_a_code_as_printed() {
        for (name, code) in NAMES {
            let game: HeapGame = name.parse().expect(name);
            assert_eq!(game.to_string(), code);
            assert!(game.name().is_some());
        }
        let treblecross: HeapGame = "treblecross".parse().expect("a name");
        assert_eq!(treblecross.name(), Some("james-bond"));
    }

    #[test]
    fn unknown_games_are_refused_with_what_is_accepted() {
        for (text, part) in [
            (
                "chess",
                "unknown heap game \"chess\"; accepted are codes like 0.77, grundy",
            ),
            ("", "unknown heap game"),
            ("0.7x", "'x' at character 4"),
            ("subtraction()", "empty subtraction set"),
            ("subtraction(1", "unknown heap game"),
        ] {
            let error = text.parse::<HeapGame>().expect_err(text).to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
