//! The division of rows by the surplus of groups of pots, for games in which a pot sown from keeps a
//! seed. [Atomic Wari](super::AtomicWari) and [rules of rows](super::RowGame) have the proofs.

use std::ops::Range;

use crate::board::Strip;
use crate::board::clusters::clusters;

/// How far play of a group of pots goes beyond it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reach {
    /// Whether two groups may reach the same pot.
    pub(super) is_shared: bool,
    /// Whether groups of pots of at most two seeds have the reach 1.
    pub(super) has_sparse: bool,
}

/// The surplus of a group of pots, which determines its reach.
#[derive(Clone, Copy)]
struct Surplus {
    /// The number of seeds minus the number of nonempty pots.
    seeds: usize,
    /// Whether no pot has more than two seeds.
    sparse: bool,
}

impl Surplus {
    fn of(pot: u8) -> Surplus {
        Surplus {
            seeds: usize::from(pot) - 1,
            sparse: pot <= 2,
        }
    }

    fn and(self, other: Surplus) -> Surplus {
        Surplus {
            seeds: self.seeds + other.seeds,
            sparse: self.sparse && other.sparse,
        }
    }
}

impl Reach {
    /// Returns the groups of pots that no other group reaches and that have a surplus. The row is
    /// their sum.
    pub(super) fn groups(self, row: &Strip) -> Vec<Range<usize>> {
        let places = row.pots().iter().enumerate();
        let nonempty = places.filter(|&(_, &seeds)| seeds > 0);
        let pots = nonempty.map(|(place, &seeds)| (place..place + 1, Surplus::of(seeds)));
        let shared = usize::from(self.is_shared);
        let apart =
            |left: Surplus, right: Surplus, gap| self.of(left) + self.of(right) <= gap + shared;
        clusters(pots, Surplus::and, apart)
            .into_iter()
            .filter(|(_, surplus)| surplus.seeds > 0)
            .map(|(group, _)| group)
            .collect()
    }

    fn of(self, surplus: Surplus) -> usize {
        if self.has_sparse && surplus.sparse {
            surplus.seeds.min(1)
        } else {
            surplus.seeds
        }
    }
}
