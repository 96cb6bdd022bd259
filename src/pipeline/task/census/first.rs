//! The first of some positions, by pots, seeds, squares or followers.

use cggames::board::Features;

use super::question::Fewest;
use crate::dataset::CensusRow;

/// The two counts by which positions are ordered; unknown counts come last.
pub(super) type Place = (u64, u64);

/// The first position with some property.
#[derive(Clone, Debug)]
pub(super) struct First {
    /// The number of its followers, if the order is by followers.
    pub(super) followers: Option<u64>,
    pub(super) place: Place,
    /// The number of positions of the same place before it.
    pub(super) rank: u64,
    pub(super) row: CensusRow<'static>,
    /// Whether the negative of the row's position is meant.
    pub(super) negated: bool,
}

impl First {
    /// Returns the key by which positions are compared.
    pub(super) fn order(&self) -> (Option<u64>, Place, u64) {
        (self.followers, self.place, self.rank)
    }
}

/// Returns the place of positions of a size in an order.
pub(super) fn place(fewest: Fewest, features: Features) -> Place {
    let (pots, seeds) = (u64::from(features.pots), features.seeds.unwrap_or(u64::MAX));
    match fewest {
        Fewest::Seeds => (seeds, pots),
        Fewest::Squares => (features.squares.map_or(u64::MAX, u64::from), seeds),
        Fewest::Pots | Fewest::Followers => (pots, seeds),
    }
}
