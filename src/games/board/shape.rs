//! The shape of a game's positions in normal form, as enumerating them requires.

use thiserror::Error;

use super::row::{Pot, Row};
use super::{AnyBoard, BoardKind};

/// The shape of a game's positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// Rows of pots of this shape.
    Rows(RowShape),
    /// Rows of pots with seeds of two colours, of any length.
    ColouredRows,
    /// Rectangles of pots.
    Grids,
}

impl Shape {
    /// Returns the shape of endless rows of pots.
    pub const fn rows(caps: Caps) -> Shape {
        Shape::Rows(RowShape {
            board_pots: None,
            caps,
        })
    }

    /// Returns the kind of board.
    pub fn kind(self) -> BoardKind {
        match self {
            Shape::Rows(_) => BoardKind::Row,
            Shape::ColouredRows => BoardKind::Coloured,
            Shape::Grids => BoardKind::Grid,
        }
    }

    /// Returns the shape of its rows, if these are rows of pots of one colour.
    pub fn of_rows(self) -> Option<RowShape> {
        match self {
            Shape::Rows(shape) => Some(shape),
            Shape::ColouredRows | Shape::Grids => None,
        }
    }

    /// Returns whether pots can be full.
    pub fn has_full_pots(self) -> bool {
        self.of_rows()
            .is_some_and(|shape| shape.caps != Caps::Unlimited)
    }

    /// Checks that a board of the shape's kind can be a position.
    ///
    /// # Errors
    ///
    /// As [`RowShape::check`].
    pub fn check(self, board: &AnyBoard) -> Result<(), Unfit> {
        match (self, board) {
            (Shape::Rows(shape), AnyBoard::Row(row)) => shape.check(row),
            _ => Ok(()),
        }
    }
}

/// The shape of a game's rows in normal form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RowShape {
    /// The number of pots of every row, or `None` where empty ends are dropped, so that the first
    /// and the last pot of a row hold a seed.
    pub board_pots: Option<u32>,
    /// The most seeds in a pot.
    pub caps: Caps,
}

/// The most seeds that a pot of a row in normal form holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Caps {
    /// Any number.
    Unlimited,
    /// One more than the distance to the farther end. A pot with this number is full: no player
    /// sows from it, so the exact number of its seeds does not matter.
    FartherEnd,
}

impl Caps {
    /// Returns the most seeds that pot `pot` (counted from 0) of a row of `pots` pots holds.
    pub fn cap(self, pots: u32, pot: u32) -> Option<u32> {
        match self {
            Caps::Unlimited => None,
            Caps::FartherEnd => Some(pot.max(pots - 1 - pot) + 1),
        }
    }
}

/// Why a board cannot be a position of a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unfit {
    /// A full pot where every seed counts.
    #[error("full pots (e, ...e, e...) exist in sowing only; write the number of seeds")]
    FullPot,
    /// More pots than the board has.
    #[error("{found} pots on a board of {board_pots} pots; shorten the row or widen the board")]
    TooLong {
        /// The number of pots found.
        found: u64,
        /// The number of pots of the board.
        board_pots: u32,
    },
}

impl RowShape {
    /// Checks that `row` can be a position: it fits the board and has full pots only where the game
    /// does.
    ///
    /// # Errors
    ///
    /// [`Unfit`], counting the pots as written; the ruleset decides whether some could be dropped.
    pub fn check(&self, row: &Row) -> Result<(), Unfit> {
        let full = row.endless_left || row.endless_right || row.pots.contains(&Pot::Full);
        self.check_pots(full, row.pots.len() as u64)
    }

    /// Checks, as [`RowShape::check`] does, a row of `pots` pots, some of which are full if `full`
    /// is true.
    ///
    /// # Errors
    ///
    /// [`Unfit`], for the row.
    pub fn check_pots(&self, full: bool, pots: u64) -> Result<(), Unfit> {
        if full && self.caps == Caps::Unlimited {
            return Err(Unfit::FullPot);
        }
        match self.board_pots {
            Some(board_pots) if pots > u64::from(board_pots) => Err(Unfit::TooLong {
                found: pots,
                board_pots,
            }),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pot_fills_when_neither_end_is_in_reach() {
        let caps: Vec<_> = (0..5).map(|pot| Caps::FartherEnd.cap(5, pot)).collect();
        assert_eq!(caps, [Some(5), Some(4), Some(3), Some(4), Some(5)]);
        assert_eq!(Caps::FartherEnd.cap(1, 0), Some(1));
    }

    #[test]
    fn rows_that_a_game_cannot_hold_are_refused() {
        let row = |text: &str| text.parse::<Row>().unwrap();
        let sowing = RowShape {
            board_pots: None,
            caps: Caps::FartherEnd,
        };
        let endless = RowShape {
            board_pots: None,
            caps: Caps::Unlimited,
        };
        let board = RowShape {
            board_pots: Some(3),
            caps: Caps::Unlimited,
        };
        assert_eq!(sowing.check(&row("...e1e2")), Ok(()));
        for full in ["e", "...e1", "1e..."] {
            assert_eq!(endless.check(&row(full)), Err(Unfit::FullPot), "{full}");
        }
        assert_eq!(endless.check(&row("1111")), Ok(()));
        assert_eq!(board.check(&row("[12]03")), Ok(()));
        assert_eq!(
            board.check(&row("1110")).unwrap_err().to_string(),
            "4 pots on a board of 3 pots; shorten the row or widen the board"
        );
    }
}
