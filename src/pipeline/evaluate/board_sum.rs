//! Sums of positions on pots and of values, as people write them: `312 + *2 + {1|0}`.
//!
//! ` + `, with its blanks, separates components. A component that can be read as a position of the game is that position:
//! `312` is a row of three pots, and `value(312)` an integer. Any other component is a value in notation.

use std::fmt;

use cggames::board::{AnyBoard, BoardKind, Features, Shape, brief};
use cggames::family::{BoundPattern, Pattern};
use cgvalues::Arena;
use thiserror::Error;

/// A component of a sum.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Summand {
    /// A position of the game.
    Board(AnyBoard),
    /// A value.
    Value(WrittenValue),
}

/// A value in notation. Play in it follows its canonical form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WrittenValue {
    text: String,
    /// Whether the text alone would be read as a position.
    is_ambiguous: bool,
}

/// A position of a game on pots: a board, or a sum of boards and values.
///
/// ```
/// use seedbank::evaluate::BoardSum;
/// use seedbank::game::Game;
///
/// let shape = Game::SOWING.shape();
/// let sum = BoardSum::read("1^3 + {1|0} + value(2)", shape)?;
/// assert_eq!(sum.to_string(), "111 + {1|0} + value(2)");
/// assert_eq!(BoardSum::read(&sum.to_string(), shape)?, sum);
/// # Ok::<(), seedbank::evaluate::BoardSumError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BoardSum {
    /// The components, at least one.
    pub summands: Vec<Summand>,
}

/// Why a text is not a sum of positions and values.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BoardSumError {
    /// A component is empty.
    #[error(
        "component {place} is empty; write components with \" + \" between them, for example 312 + *2"
    )]
    Empty {
        /// The place of the component, from 1.
        place: usize,
    },
    /// A component has a variable.
    #[error("{component:?} has a variable, and here one position is meant; write the number")]
    Variable {
        /// The component.
        component: String,
    },
    /// A component is neither a position nor a value.
    #[error("{component:?} is neither a position ({position}) nor a value ({value})")]
    Neither {
        /// The component.
        component: String,
        /// Why it is not a position.
        position: String,
        /// Why it is not a value.
        value: String,
    },
}

/// The marks around a value whose text alone would be a position.
const VALUE: (&str, &str) = ("value(", ")");

impl WrittenValue {
    /// Returns a value in notation, on boards of some kind.
    pub fn new(text: impl Into<String>, kind: BoardKind) -> WrittenValue {
        let text = text.into();
        // A position without seeds has the value 0 as well.
        let is_ambiguous = text != "0" && is_position(&text, kind);
        WrittenValue { text, is_ambiguous }
    }

    /// Returns the notation.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl BoardSum {
    /// Returns the sum of one position.
    pub fn of(board: AnyBoard) -> BoardSum {
        BoardSum {
            summands: vec![Summand::Board(board)],
        }
    }

    /// Returns whether a text has several components.
    pub fn is_written(text: &str) -> bool {
        components(text).len() > 1
    }

    /// Reads a sum.
    ///
    /// # Errors
    ///
    /// A component that is neither a position nor a value.
    pub fn read(text: &str, shape: Shape) -> Result<BoardSum, BoardSumError> {
        let summands =
            (1..)
                .zip(components(text))
                .map(|(place, component)| match component.trim() {
                    "" => Err(BoardSumError::Empty { place }),
                    component => summand(component, shape),
                });
        Ok(BoardSum {
            summands: summands.collect::<Result<_, _>>()?,
        })
    }

    /// Returns the board if it is the only component of the sum.
    pub fn board(&self) -> Option<&AnyBoard> {
        match &self.summands[..] {
            [Summand::Board(board)] => Some(board),
            _ => None,
        }
    }

    /// As [`board`](BoardSum::board), without a copy.
    pub fn into_board(mut self) -> Option<AnyBoard> {
        match (self.summands.pop(), self.summands.is_empty()) {
            (Some(Summand::Board(board)), true) => Some(board),
            _ => None,
        }
    }

    /// Returns the boards among the components.
    pub fn boards(&self) -> impl Iterator<Item = &AnyBoard> {
        self.summands.iter().filter_map(|summand| match summand {
            Summand::Board(board) => Some(board),
            Summand::Value(_) => None,
        })
    }

    /// Returns the features of the boards together.
    pub fn features(&self) -> Features {
        let both = |a: Option<u64>, b: Option<u64>| Some(a? + b?);
        let all = self.boards().map(AnyBoard::features);
        let sum = all.reduce(|a, b| Features {
            pots: a.pots.saturating_add(b.pots),
            seeds: both(a.seeds, b.seeds),
            blue: both(a.blue, b.blue),
            red: both(a.red, b.red),
            squares: a.squares.zip(b.squares).map(|(a, b)| a.saturating_add(b)),
        });
        sum.unwrap_or_default()
    }

    /// Returns the sum with another component in the place of one.
    pub(super) fn with(&self, place: usize, summand: Summand) -> BoardSum {
        let mut sum = self.clone();
        sum.summands[place] = summand;
        sum
    }
}

impl fmt::Display for Summand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Summand::Board(board) => write!(f, "{board}"),
            Summand::Value(value) if value.is_ambiguous => {
                write!(f, "{}{}{}", VALUE.0, value.text, VALUE.1)
            }
            Summand::Value(value) => f.write_str(&value.text),
        }
    }
}

impl fmt::Display for BoardSum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, summand) in self.summands.iter().enumerate() {
            if place > 0 {
                f.write_str(" + ")?;
            }
            write!(f, "{summand}")?;
        }
        Ok(())
    }
}

/// Splits a text at each plus sign that stands between blanks and outside brackets.
fn components(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut start, mut depth) = (0, 0i32);
    for (at, letter) in text.char_indices() {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            '+' if depth == 0 => {
                let (before, after) = (&text[..at], &text[at + 1..]);
                let is_apart = |side: Option<char>| side.is_none_or(char::is_whitespace);
                if is_apart(before.chars().next_back()) && is_apart(after.chars().next()) {
                    found.push(&text[start..at]);
                    start = at + 1;
                }
            }
            _ => {}
        }
    }
    found.push(&text[start..]);
    found
}

fn summand(text: &str, shape: Shape) -> Result<Summand, BoardSumError> {
    let inner = text.strip_prefix(VALUE.0);
    if let Some(inner) = inner.and_then(|inner| inner.strip_suffix(VALUE.1)) {
        let inner = inner.trim();
        return match as_value(inner) {
            Ok(()) => Ok(Summand::Value(WrittenValue::new(inner, shape.kind()))),
            Err(value) => Err(BoardSumError::Neither {
                component: brief(&text),
                position: "it is marked as a value".to_owned(),
                value,
            }),
        };
    }
    let position = match as_position(text, shape)? {
        Ok(board) => return Ok(Summand::Board(board)),
        Err(why) => why,
    };
    match as_value(text) {
        Ok(()) => Ok(Summand::Value(WrittenValue::new(text, shape.kind()))),
        Err(value) => Err(BoardSumError::Neither {
            component: brief(&text),
            position,
            value,
        }),
    }
}

/// Reads a position, or returns why the text is not one. A pattern with variables is an error.
fn as_position(text: &str, shape: Shape) -> Result<Result<AnyBoard, String>, BoardSumError> {
    let kind = shape.kind();
    if kind == BoardKind::Grid {
        return Ok(kind.read(text).map_err(|error| error.to_string()));
    }
    let pattern = match Pattern::read(text, kind) {
        Ok(pattern) => pattern,
        Err(error) => return Ok(Err(error.to_string())),
    };
    if !pattern.variables().is_empty() {
        return Err(BoardSumError::Variable {
            component: brief(&text),
        });
    }
    let bound = match BoundPattern::new(pattern, Vec::new()) {
        Ok(bound) => bound,
        Err(error) => return Ok(Err(error.to_string())),
    };
    if let Err(error) = bound.check(shape) {
        return Ok(Err(error.to_string()));
    }
    Ok(bound
        .pattern()
        .expand(&[])
        .map_err(|error| error.to_string()))
}

fn is_position(text: &str, kind: BoardKind) -> bool {
    match kind {
        BoardKind::Grid => kind.read(text).is_ok(),
        _ => Pattern::read(text, kind).is_ok(),
    }
}

/// Returns why a text is not a value.
fn as_value(text: &str) -> Result<(), String> {
    let arena = Arena::new();
    let parsed = arena.calculator().parse(text);
    parsed.map(|_| ()).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use cggames::game::Game;

    fn read(text: &str) -> Result<BoardSum, BoardSumError> {
        BoardSum::read(text, Game::SOWING.shape())
    }

    #[test]
    fn a_plus_between_blanks_separates_and_no_other_does() {
        assert_eq!(components("312 + *2 + {1|0}"), ["312 ", " *2 ", " {1|0}"]);
        for whole in ["312", "+-1", "{1 + *|0}", "e 1^(n + 1)", "1+2"] {
            assert_eq!(components(whole), [whole]);
            assert!(!BoardSum::is_written(whole));
        }
    }

    #[test]
    fn positions_come_before_values_and_marked_values_read_back() {
        let sum = read("312 + 2 + value(2) + +-1 + ...e 11 e...").unwrap();
        let text = "312 + 2 + value(2) + +-1 + ...e11e...";
        assert_eq!(sum.to_string(), text);
        assert_eq!(read(text), Ok(sum));
        let value = Summand::Value(WrittenValue::new("1/2", BoardKind::Grid));
        assert_eq!(value.to_string(), "value(1/2)");
        let value = Summand::Value(WrittenValue::new("1/2", BoardKind::Row));
        assert_eq!(value.to_string(), "1/2");
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        assert_eq!(read("312 + "), Err(BoardSumError::Empty { place: 2 }));
        let error = read("1^n + 312").unwrap_err().to_string();
        assert!(error.contains("\"1^n\" has a variable"), "{error}");
        let error = read("312 + {1|").unwrap_err().to_string();
        assert!(error.contains("neither a position"), "{error}");
        assert!(read("312 + value(x)").is_err());
    }
}
