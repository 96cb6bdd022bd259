//! The orders of sweeps under one name.

use super::{ByPots, BySeeds, ReachableRows, SweepOrder};

/// An order of any kind.
pub enum AnyOrder {
    /// Sowing rows of a limited number of pots.
    ByPots(ByPots),
    /// Sowing rows of some number of seeds.
    BySeeds(BySeeds),
    /// Rows of Atomic Wari that play can reach from some others.
    Reachable(ReachableRows),
}

impl AnyOrder {
    /// Returns [`SweepOrder::cells`].
    pub fn cells(&self) -> u64 {
        match self {
            AnyOrder::ByPots(order) => order.cells(),
            AnyOrder::BySeeds(order) => order.cells(),
            AnyOrder::Reachable(order) => order.cells(),
        }
    }

    /// Returns [`SweepOrder::positions`].
    pub fn positions(&self) -> u64 {
        match self {
            AnyOrder::ByPots(order) => order.positions(),
            AnyOrder::BySeeds(order) => order.positions(),
            AnyOrder::Reachable(order) => order.positions(),
        }
    }

    /// Returns [`SweepOrder::cell_of`] a row.
    #[inline]
    pub fn cell_of(&self, pots: &[u8]) -> Option<usize> {
        match self {
            AnyOrder::ByPots(order) => order.cell_of(pots),
            AnyOrder::BySeeds(order) => order.cell_of(pots),
            AnyOrder::Reachable(order) => order.cell_of(pots),
        }
    }
}
