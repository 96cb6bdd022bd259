//! Boards: rows and rectangles of pots in written form, in working form, and as keys.
//!
//! A board knows no rules. The game defines normal forms and moves.

mod any;
mod blank;
pub(crate) mod clusters;
pub mod coloured;
mod cost;
pub mod grid;
pub mod row;
mod shape;
mod strip;
pub mod two_rows;

pub use any::{AnyBoard, AnyBoardError, Board, BoardKind, Features};
pub use blank::{is_blank, words};
pub use cost::{ROW_COST_MAX, ways};
pub use shape::{Caps, RowShape, Shape, Unfit};
pub use strip::{FULL, brief};
pub use strip::{Key, PositionError, STRIP_POTS_MAX, STRIP_SEEDS_MAX, Strip};
