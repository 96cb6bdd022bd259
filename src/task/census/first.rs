//! The first of some positions, in an order by pots, seeds, squares or followers.

use super::question::Fewest;
use crate::board::Features;
use crate::dataset::CensusRow;

/// The two counts that say first where a position comes in the order; unknown ones come last.
pub(super) type Place = (u64, u64);

/// The first position that has something.
#[derive(Clone, Debug)]
pub(super) struct First {
    /// How many followers it has, where that is the order.
    pub(super) followers: Option<u64>,
    pub(super) place: Place,
    /// How many positions of the same place come before it.
    pub(super) rank: u64,
    pub(super) row: CensusRow<'static>,
}

impl First {
    /// Returns what positions are compared by.
    pub(super) fn order(&self) -> (Option<u64>, Place, u64) {
        (self.followers, self.place, self.rank)
    }
}

/// Returns where positions of a size come in an order.
pub(super) fn place(fewest: Fewest, features: Features) -> Place {
    let (pots, seeds) = (u64::from(features.pots), features.seeds.unwrap_or(u64::MAX));
    match fewest {
        Fewest::Seeds => (seeds, pots),
        Fewest::Squares => (features.squares.map_or(u64::MAX, u64::from), seeds),
        Fewest::Pots | Fewest::Followers => (pots, seeds),
    }
}
