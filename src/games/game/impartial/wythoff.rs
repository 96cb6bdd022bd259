//! Wythoff's game: a queen that moves left, down, or diagonally left and down.
//!
//! The board is a quarter plane with squares `(x, y)` from `(0,0)`; the queen moves any number of
//! squares. Equivalently, there are two piles, and a move takes any number from one pile, or the
//! same number from both. The only square without moves is `(0,0)`. A queen on `(1,2)` may go to
//! `(0,2)`, `(1,1)`, `(1,0)` or `(0,1)`; each of these has a move to `(0,0)`, so the player who
//! starts at `(1,2)` loses under normal play.
//!
//! Every move lowers a coordinate and raises none, so play ends.
//!
//! Source: W. A. Wythoff, *A modification of the game of nim* (1907); Ferguson, Example 1.

use std::fmt;

use super::Impartial;

/// The rules of Wythoff's game.
///
/// ```
/// use cggames::game::impartial::{Impartial, Square, Wythoff};
///
/// let options = Wythoff.options(&Square::new(1, 2));
/// let options: Vec<String> = options.iter().map(|option| option[0].to_string()).collect();
/// assert_eq!(options, ["0,2", "1,1", "1,0", "0,1"]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wythoff;

/// A square of a quarter plane: columns and rows are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square {
    /// The column.
    pub x: u32,
    /// The row.
    pub y: u32,
}

impl Square {
    /// Returns the square in column `x` and row `y`.
    pub fn new(x: u32, y: u32) -> Square {
        Square { x, y }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

impl Impartial for Wythoff {
    type Position = Square;

    /// Visits moves to the left, then down, then along the diagonal, short moves first.
    fn options(&self, &Square { x, y }: &Square) -> Vec<Vec<Square>> {
        let left = (1..=x).map(|by| Square::new(x - by, y));
        let down = (1..=y).map(|by| Square::new(x, y - by));
        let both = (1..=x.min(y)).map(|by| Square::new(x - by, y - by));
        left.chain(down)
            .chain(both)
            .map(|square| vec![square])
            .collect()
    }
}
