//! The first of some positions, in an order by pots, seeds or followers.

use super::question::Fewest;
use crate::dataset::CensusRow;

/// The first of a row's columns that say where it comes in the order; unknown counts of seeds come last.
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

/// Returns where positions of so many pots and seeds come in an order.
pub(super) fn place(fewest: Fewest, pots: u32, seeds: Option<u64>) -> Place {
    let (pots, seeds) = (u64::from(pots), seeds.unwrap_or(u64::MAX));
    match fewest {
        Fewest::Seeds => (seeds, pots),
        Fewest::Pots | Fewest::Followers => (pots, seeds),
    }
}
