//! Checkers to the wall: one checker a row, moved any number of squares to the left.
//!
//! Each row ends in a wall at its left. A move slides one checker left by one square or more, over
//! free squares. In the column's picture the first checker can move one, two or three squares and
//! the second one or two:
//!
//! ```text
//! |# . . . o
//! |# . . o
//! ```
//!
//! A row with `k` free squares is a Nim heap of `k` tokens in disguise: sliding by `j` corresponds
//! to taking `j`. So the first player wins here, by sliding the first checker one square.
//!
//! Every move brings a checker closer to its wall, so play ends.
//!
//! Source: AMS Feature Column, *Combinatorial games*, part 5.

use std::fmt;

use super::{Impartial, write_numbers};

/// The rules of checkers to the wall.
///
/// ```
/// use cggames::game::impartial::{Checkers, Impartial, Rows};
///
/// let rows: Rows = Rows::new([4, 3])?;
/// assert_eq!(rows.free(), [3, 2]);
/// assert_eq!(Checkers.options(&rows).len(), 5);
/// # Ok::<(), cggames::game::impartial::InTheWall>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checkers;

/// The squares on which the checkers stand, one a row; square 1 is the one at the wall.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rows {
    squares: Vec<u32>,
}

/// A checker on square 0, which is the wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a checker on square 0, which is the wall; squares are counted from 1")]
pub struct InTheWall;

impl Rows {
    /// Returns rows with checkers on these squares, counted from 1 at the wall.
    ///
    /// # Errors
    ///
    /// Where a square is 0.
    pub fn new(squares: impl IntoIterator<Item = u32>) -> Result<Rows, InTheWall> {
        let squares: Vec<u32> = squares.into_iter().collect();
        if squares.contains(&0) {
            return Err(InTheWall);
        }
        Ok(Rows { squares })
    }

    /// Returns the number of free squares between each checker and its wall.
    pub fn free(&self) -> Vec<u32> {
        self.squares.iter().map(|square| square - 1).collect()
    }
}

impl fmt::Display for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_numbers(f, &self.squares)
    }
}

impl Impartial for Checkers {
    type Position = Rows;

    fn options(&self, position: &Rows) -> Vec<Vec<Rows>> {
        let mut options = Vec::new();
        for (row, &square) in position.squares.iter().enumerate() {
            for nearer in 1..square {
                let mut after = position.clone();
                after.squares[row] = nearer;
                options.push(vec![after]);
            }
        }
        options
    }
}
