//! Jobs over Tchuka Ruma: a row for each position of a family.

use std::fmt;
use std::sync::Arc;

use cggames::game::tchuka_ruma::{RING_PITS_MAX, RING_STONES_MAX, Ring, RingError};
use seedbank_specs::form::{FamilyKind, integer, list, parsed, table};
use seedbank_specs::{POSITIONS_MAX, choice, keys, kinds};

use crate::run::Task;
use crate::task::forms::range;
use crate::task::kind::{Spec, of_alternative};

/// The default of the most positions to visit for a row: a table of 2^23 places.
pub const POSITIONS_MAX_DEFAULT: u64 = 7_000_000;

/// The most positions to look at for a row that a job may give.
const POSITIONS_LIMIT_MAX: u64 = 1 << 40;

/// A job over Tchuka Ruma.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RingsTask {
    /// The family that rows are about.
    pub family: RingFamily,
    /// The most positions to visit for a row.
    pub positions_max: u64,
    /// How the result is printed.
    pub layout: RingsLayout,
}

/// Positions of Tchuka Ruma.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RingFamily {
    /// Starting positions, with the same number of stones in each pit: one for each number of pits
    /// and each number of stones of a pit.
    Starts {
        /// The least and the greatest number of pits.
        pits: (u64, u64),
        /// The least and the greatest number of stones of a pit.
        stones: (u64, u64),
    },
    /// All positions, by the number of stones, then in lexicographic order.
    All {
        /// The pits.
        pits: u64,
        /// The least and the greatest number of stones.
        stones: (u64, u64),
    },
    /// Listed positions.
    Listed(Vec<Ring>),
}

choice! {
    /// How `seedbank table` prints a result.
    pub enum RingsLayout {
        /// A line for each row.
        List = "list",
        /// For starting positions: a line for each number of pits and a column for each number of
        /// stones.
        Grid = "grid",
    }
}

impl RingFamily {
    /// Returns the number of positions.
    pub fn len(&self) -> u64 {
        match self {
            RingFamily::Starts { pits, stones } => {
                (pits.1 - pits.0 + 1) * (stones.1 - stones.0 + 1)
            }
            RingFamily::All { pits, stones } => {
                let positions = (stones.0..=stones.1).map(|stones| ways(stones, *pits));
                positions.fold(0, u64::saturating_add)
            }
            RingFamily::Listed(rings) => rings.len() as u64,
        }
    }

    /// Returns whether there are no positions, which no valid spec allows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the position of a rank.
    ///
    /// # Panics
    ///
    /// If there is no such rank.
    pub fn get(&self, mut rank: u64) -> Ring {
        assert!(rank < self.len(), "a rank is less than the positions");
        match self {
            RingFamily::Starts { pits, stones } => {
                let width = stones.1 - stones.0 + 1;
                let mut ring = Ring::empty((pits.0 + rank / width) as usize);
                ring.pits_mut().fill((stones.0 + rank % width) as u8);
                ring
            }
            RingFamily::All { pits, stones } => {
                // Returns the number that the rank belongs to, and subtracts the positions before
                // it from the rank.
                let mut skip = |numbers: &mut dyn Iterator<Item = (u64, u64)>| {
                    for (number, positions) in numbers {
                        if rank < positions {
                            return number;
                        }
                        rank -= positions;
                    }
                    unreachable!("a rank is less than the positions")
                };
                let mut left = skip(&mut (stones.0..=stones.1).map(|n| (n, ways(n, *pits))));
                let mut ring = Ring::empty(*pits as usize);
                for (pit, behind) in ring.pits_mut().iter_mut().zip((0..*pits).rev()) {
                    let here = match behind {
                        0 => left,
                        _ => skip(&mut (0..=left).map(|n| (n, ways(left - n, behind)))),
                    };
                    *pit = here as u8;
                    left -= here;
                }
                ring
            }
            RingFamily::Listed(rings) => rings[rank as usize],
        }
    }
}

/// Returns the number of ways to place stones in one pit or more; `u64::MAX` if there are more.
fn ways(stones: u64, pits: u64) -> u64 {
    let others = 1..u128::from(pits);
    // Less than 2^128 for all that a ring holds.
    let ways = others.fold(1, |ways, i| ways * (u128::from(stones) + i) / i);
    ways.try_into().unwrap_or(u64::MAX)
}

impl fmt::Display for RingFamily {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RingFamily::Starts { pits, stones } => write!(
                f,
                "starts of {} to {} pits, {} to {} stones a pit",
                pits.0, pits.1, stones.0, stones.1
            ),
            RingFamily::All { pits, stones } => {
                write!(f, "all of {pits} pits, {} to {} stones", stones.0, stones.1)
            }
            RingFamily::Listed(rings) => write!(f, "{} positions", rings.len()),
        }
    }
}

/// The sections of a job of this kind.
pub(super) fn spec(spec: &mut Spec<'_, '_, '_>) -> Option<Arc<dyn Task>> {
    let alternative = spec.alternative();
    let family = spec.family(|keys| {
        let meaning = "the most positions to look at for a row";
        let limit = integer(1, POSITIONS_LIMIT_MAX);
        let positions_max = keys.optional("positions_max", meaning, limit);
        let family = keys.one_of(of_alternative(families(), alternative));
        Some((family?, positions_max?.unwrap_or(POSITIONS_MAX_DEFAULT)))
    });
    let has_grid = match &family {
        Some((family, _)) => matches!(family, RingFamily::Starts { .. }),
        None => alternative != Some(1),
    };
    let layout = spec.layout_with_grid(has_grid, RingsLayout::NAMED);
    let (family, positions_max) = family?;
    Some(Arc::new(RingsTask {
        family,
        positions_max,
        layout: layout?,
    }))
}

/// The kinds of families; only starting positions have a grid.
fn families<'f>() -> Vec<FamilyKind<'f, RingFamily>> {
    let pits_max = RING_PITS_MAX as u64;
    let stones_max = u64::from(RING_STONES_MAX);
    let starts = keys!(RingFamily::Starts {
        /// the numbers of pits, such as "1..=6"
        pits: range("pits", 1, pits_max), required "pits = \"1..=6\"";
        /// the numbers of stones, such as "1..=6"
        stones: range("stones of a pit", 0, stones_max), required "stones = \"1..=6\"";
    });
    let accepted = "a table, such as { pits = \"1..=6\", stones = \"1..=6\" }";
    let starts = table(accepted, starts).then(|problems, field, family| match family {
        RingFamily::Starts { pits, stones } if pits.1 * stones.1 > RING_STONES_MAX.into() => {
            let found = (pits.1 * stones.1) as u32;
            field.refuse(problems, RingError::Stones { found })
        }
        family => Some(family),
    });
    let all = keys!(RingFamily::All {
        /// the pits
        pits: integer(1, pits_max), required "pits = 4";
        /// the numbers of stones, such as "1..=6"
        stones: range("stones", 0, stones_max), required "stones = \"0..=12\"";
    });
    let all = table("a table, such as { pits = 4, stones = \"0..=12\" }", all);
    let position = parsed("a string, such as \"2 2 2 2\"");
    let listed = list("a list, such as [\"2 2 2 2\"]", position);
    kinds! {
        /// starting positions, with equally many stones in every pit
        starts: starts;
        /// every position with these stones
        all: all.at_most("positions", POSITIONS_MAX, RingFamily::len);
        /// positions written out
        positions: listed.map(RingFamily::Listed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_positions_come_once_and_in_order() {
        for (pits, stones) in [(1, (0, 9)), (2, (3, 7)), (4, (0, 6)), (6, (5, 5))] {
            let family = RingFamily::All { pits, stones };
            let rings: Vec<Ring> = (0..family.len()).map(|rank| family.get(rank)).collect();
            let key = |ring: &Ring| (ring.stones(), *ring);
            assert!(rings.is_sorted_by(|a, b| key(a) < key(b)), "{family}");
            let (first, last) = (&rings[0], &rings[rings.len() - 1]);
            assert_eq!(u64::from(first.stones()), stones.0);
            assert_eq!(u64::from(last.stones()), stones.1);
            // C(last + pits, pits) - C(first - 1 + pits, pits)
            let up_to = |stones: u64| (1..=pits).fold(1, |product, i| product * (stones + i) / i);
            let fewer = stones.0.checked_sub(1).map_or(0, up_to);
            assert_eq!(family.len(), up_to(stones.1) - fewer);
        }
    }
}
