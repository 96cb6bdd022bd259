//! Stoppers by id, and games by their sides.

use crate::ValueId;

/// A stopper in canonical form. Equal stoppers of a calculator are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stopper {
    /// A short game.
    Short(ValueId),
    /// A loopy one.
    Loopy(LoopyId),
}

/// The number of a loopy canonical form of a calculator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LoopyId(pub(super) u32);

/// The stoppers that a game's sides equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sides {
    /// The game with its infinite plays won by Left.
    pub onside: Stopper,
    /// The game with its infinite plays won by Right.
    pub offside: Stopper,
}

impl Sides {
    /// Returns the sides if both were found.
    pub fn of(onside: Option<Stopper>, offside: Option<Stopper>) -> Option<Sides> {
        Some(Sides {
            onside: onside?,
            offside: offside?,
        })
    }

    /// Returns the stopper that the game equals, if it equals one: its sides are equal then.
    pub fn stopper(self) -> Option<Stopper> {
        (self.onside == self.offside).then_some(self.onside)
    }
}

impl From<Stopper> for Sides {
    fn from(stopper: Stopper) -> Sides {
        Sides {
            onside: stopper,
            offside: stopper,
        }
    }
}
