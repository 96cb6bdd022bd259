//! What games are played on: rows of pots, as people write them, as play works on them, and as keys.
//!
//! A board knows no rules. What a normal form is, and which moves there are, is a game's business.

use std::error::Error;
use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::str::FromStr;

pub(crate) mod clusters;
pub mod coloured;
mod cost;
pub mod grid;
pub mod row;
mod shape;
mod strip;

pub(crate) use cost::{ROW_COST_MAX, ways};
pub use shape::{Caps, RowShape, UnfitRow};
pub(crate) use strip::{FULL, brief};
pub use strip::{Key, PositionError, STRIP_POTS_MAX, STRIP_SEEDS_MAX, Strip};

/// A position as people write it, on a board of one kind.
pub trait Board:
    Clone + Debug + Display + Eq + FromStr<Err: Error> + Hash + Send + Sync + 'static
{
    /// Returns what results say of the position beside its text.
    fn features(&self) -> Features;
}

/// What results say of a position beside its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Features {
    /// The pots written.
    pub pots: usize,
    /// The seeds in all of them; `None` where they are endlessly many.
    pub seeds: Option<u64>,
}
