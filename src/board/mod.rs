//! What games are played on: rows and rectangles of pots, as people write them, as play works on them, and as keys.
//!
//! A board knows no rules. What a normal form is, and which moves there are, is a game's business.

mod any;
pub(crate) mod clusters;
pub mod coloured;
mod cost;
pub mod grid;
pub mod row;
mod shape;
mod strip;
pub mod two_rows;

pub use any::{AnyBoard, AnyBoardError, Board, BoardKind, Features};
pub(crate) use cost::{ROW_COST_MAX, ways};
pub use shape::{Caps, RowShape, Shape, Unfit};
pub(crate) use strip::{FULL, brief};
pub use strip::{Key, PositionError, STRIP_POTS_MAX, STRIP_SEEDS_MAX, Strip};
