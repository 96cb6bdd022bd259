//! A written rectangle of pots.
//!
//! Notation: the rows from top to bottom with `/` between them, one digit a pot, `[12]` for ten or
//! more. Blanks are ignored.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::blank::is_blank;
use super::row::POT_SEEDS_MAX;

/// The most rows, and the most columns, of a grid that can be played on.
pub const GRID_SIDE_MAX: usize = 15;

/// The most pots of a grid that can be played on.
pub const GRID_POTS_MAX: usize = 100;

/// A rectangle of pots.
///
/// ```
/// use cggames::board::grid::Grid;
///
/// let grid: Grid = "101 / 1[12]1".parse()?;
/// assert_eq!((grid.rows(), grid.columns), (2, 3));
/// assert_eq!(grid.pots, [1, 0, 1, 1, 12, 1]);
/// assert_eq!(grid.to_string(), "101/1[12]1");
/// # Ok::<(), cggames::board::grid::GridError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Grid {
    /// The pots in a row.
    pub columns: usize,
    /// The seeds of the pots, row by row from top to bottom, each from left to right; full rows.
    pub pots: Vec<u32>,
}

/// The error for a text that is not a rectangle of pots. Places count characters from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GridError {
    /// A row without pots.
    #[error(
        "the row that ends at character {at} is empty; write one digit a pot and / between rows, for example 111/101"
    )]
    Empty {
        /// The place after the row.
        at: usize,
    },
    /// A character that is not part of the notation.
    #[error(
        "unexpected {found:?} at character {at}; a grid is one digit a pot, [12] for ten or more, and / between rows"
    )]
    Unexpected {
        /// The offending character.
        found: char,
        /// Its place.
        at: usize,
    },
    /// A bracket without its number or its partner.
    #[error("the bracket at character {at} is not of the form [12] (0 to {POT_SEEDS_MAX} seeds)")]
    Bracket {
        /// The place of the opening bracket.
        at: usize,
    },
    /// Rows of different lengths.
    #[error(
        "row {row} has {found} pots, but the rows before it have {expected}; write 0 for an empty pot"
    )]
    Ragged {
        /// The row, counted from 1.
        row: usize,
        /// Its pots.
        found: usize,
        /// The pots of the rows before.
        expected: usize,
    },
}

impl GridError {
    /// Returns the place of the error in characters from 1, or `None` where it is the whole text.
    pub(super) fn at(&self) -> Option<usize> {
        match *self {
            GridError::Empty { at }
            | GridError::Unexpected { at, .. }
            | GridError::Bracket { at } => Some(at),
            GridError::Ragged { .. } => None,
        }
    }
}

impl FromStr for Grid {
    type Err = GridError;

    fn from_str(text: &str) -> Result<Grid, GridError> {
        let chars: Vec<char> = text.chars().collect();
        let mut grid = Grid {
            columns: 0,
            pots: Vec::new(),
        };
        let (mut row, mut start) = (1, 0);
        let mut i = 0;
        loop {
            let at = i + 1;
            match chars.get(i) {
                None | Some('/') => {
                    let found = grid.pots.len() - start;
                    if found == 0 {
                        return Err(GridError::Empty { at });
                    }
                    if row > 1 && found != grid.columns {
                        let expected = grid.columns;
                        return Err(GridError::Ragged {
                            row,
                            found,
                            expected,
                        });
                    }
                    grid.columns = found;
                    (row, start) = (row + 1, grid.pots.len());
                    if i >= chars.len() {
                        return Ok(grid);
                    }
                }
                Some('[') => {
                    let inner = chars[at..].iter().take_while(|&&c| c != ']');
                    let number: String = inner.collect();
                    i = at + number.chars().count();
                    let seeds = number.trim().parse().ok();
                    let seeds = seeds.filter(|&seeds| seeds <= POT_SEEDS_MAX && i < chars.len());
                    grid.pots.push(seeds.ok_or(GridError::Bracket { at })?);
                }
                Some(&c) if is_blank(c) => {}
                Some(&found) => match found.to_digit(10) {
                    Some(seeds) => grid.pots.push(seeds),
                    None => return Err(GridError::Unexpected { found, at }),
                },
            }
            i += 1;
        }
    }
}

impl Grid {
    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.pots.len() / self.columns.max(1)
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.pots.is_empty() {
            return f.write_str("0");
        }
        for (row, pots) in self.pots.chunks(self.columns).enumerate() {
            if row > 0 {
                f.write_str("/")?;
            }
            for seeds in pots {
                match seeds {
                    0..=9 => write!(f, "{seeds}")?,
                    _ => write!(f, "[{seeds}]")?,
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    #[test]
    fn a_grid_prints_what_it_read() {
        for (text, printed) in [
            ("0", "0"),
            ("111/101", "111/101"),
            (" 1 [ 12 ] / 0 3 ", "1[12]/03"),
            ("[7]", "7"),
        ] {
            let grid: Grid = text.parse().unwrap();
            assert_eq!(grid.to_string(), printed);
            assert_eq!(printed.parse(), Ok(grid));
        }
        let features = "20/13".parse::<Grid>().unwrap().features();
        assert_eq!((features.pots, features.seeds), (4, Some(6)));
    }

    #[test]
    fn errors_name_the_place_and_what_is_accepted() {
        let error = |text: &str| text.parse::<Grid>().unwrap_err();
        assert_eq!(error(""), GridError::Empty { at: 1 });
        assert_eq!(error("11/"), GridError::Empty { at: 4 });
        assert_eq!(error("1//1"), GridError::Empty { at: 3 });
        assert_eq!(error("1a"), GridError::Unexpected { found: 'a', at: 2 });
        for text in ["1[12", "1[]", "1[x]", "1[1000000]"] {
            assert_eq!(error(text), GridError::Bracket { at: 2 }, "{text}");
        }
        let ragged = error("111/11/111");
        assert_eq!(
            ragged.to_string(),
            "row 2 has 2 pots, but the rows before it have 3; write 0 for an empty pot"
        );
    }
}
