//! What games are played on: rows of pots, as people write them, as play works on them, and as keys.
//!
//! A board knows no rules. What a normal form is, and which moves there are, is a game's business.

pub(crate) mod clusters;
mod cost;
pub mod row;
mod shape;
mod strip;

pub(crate) use cost::{ROW_COST_MAX, ways};
pub use shape::{Caps, RowShape, UnfitRow};
pub(crate) use strip::{FULL, brief};
pub use strip::{Key, PositionError, STRIP_POTS_MAX, STRIP_SEEDS_MAX, Strip};
