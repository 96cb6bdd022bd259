//! Jobs over Tchuka Ruma: a row for each position of a family.

use std::fmt;
use std::sync::Arc;

use cggames::game::tchuka_ruma::{RING_PITS_MAX, RING_STONES_MAX, Ring, RingError};
use seedbank_specs::sections::{
    RangeKey, at_most_rows, one_kind, read_range, read_ranges, read_table,
};
use seedbank_specs::{Field, Fields, POSITIONS_MAX, Problems};

use crate::run::Task;
use crate::task::kind::Sections;

/// The default of the most positions to visit for a row: a table of 2^23 places.
pub const POSITIONS_MAX_DEFAULT: u64 = 7_000_000;

/// The most positions to look at for a row that a job may give.
pub(super) const POSITIONS_LIMIT_MAX: i64 = 1 << 40;

/// The kinds of families.
const KINDS: [&str; 3] = ["starts", "all", "positions"];

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

/// How `seedbank table` prints a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RingsLayout {
    /// A line for each row.
    List,
    /// For starting positions: a line for each number of pits and a column for each number of
    /// stones.
    Grid,
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

/// Reads the sections of a job of this kind.
pub(super) fn read(
    problems: &mut Problems<'_>,
    sections: Sections<'_, '_>,
) -> Option<Arc<dyn Task>> {
    if let Some(ruleset) = sections.ruleset {
        ruleset.finish(problems);
    }
    let family = sections
        .family
        .and_then(|fields| read_family(problems, fields));
    let layouts: &[&str] = match family {
        None | Some((RingFamily::Starts { .. }, _)) => &["list", "grid"],
        Some(_) => &["list"],
    };
    let layout = read_table(problems, sections.others, layouts, false);
    let (family, positions_max) = family?;
    Some(Arc::new(RingsTask {
        family,
        positions_max,
        layout: match layout?.0 {
            "grid" => RingsLayout::Grid,
            _ => RingsLayout::List,
        },
    }))
}

fn read_family(problems: &mut Problems<'_>, mut fields: Fields<'_>) -> Option<(RingFamily, u64)> {
    let positions_max = match fields.take("positions_max") {
        Some(field) => field
            .integer(problems, 1, POSITIONS_LIMIT_MAX)
            .map(i64::unsigned_abs),
        None => Some(POSITIONS_MAX_DEFAULT),
    };
    let kind = one_kind(problems, &mut fields, &KINDS);
    fields.finish(problems);
    let kind = kind?;
    let family = match kind.name.as_str() {
        "starts" => read_starts(problems, &kind),
        "all" => read_all(problems, &kind),
        _ => read_positions(problems, &kind),
    };
    Some((family?, positions_max?))
}

fn read_starts(problems: &mut Problems<'_>, field: &Field<'_>) -> Option<RingFamily> {
    let example = "a table, such as { pits = \"1..=6\", stones = \"1..=6\" }";
    let pits = RangeKey {
        name: "pits",
        example: "pits = \"1..=6\"",
        what: "pits",
        min: 1,
        max: RING_PITS_MAX as u64,
    };
    let stones = RangeKey {
        name: "stones",
        example: "stones = \"1..=6\"",
        what: "stones of a pit",
        min: 0,
        max: RING_STONES_MAX.into(),
    };
    let [pits, stones] = read_ranges(problems, field, example, [pits, stones])?;
    let found = (pits.1 * stones.1) as u32;
    if found > RING_STONES_MAX {
        let fault = RingError::Stones { found };
        problems.add(&field.key, field.span.clone(), fault);
        return None;
    }
    Some(RingFamily::Starts { pits, stones })
}

fn read_all(problems: &mut Problems<'_>, field: &Field<'_>) -> Option<RingFamily> {
    let mut fields = field.table(
        problems,
        "a table, such as { pits = 4, stones = \"0..=12\" }",
    )?;
    let pits = fields
        .require(problems, "pits", "pits = 4")
        .and_then(|field| field.integer(problems, 1, RING_PITS_MAX as i64));
    let stones = fields
        .require(problems, "stones", "stones = \"0..=12\"")
        .and_then(|field| read_range(problems, &field, "stones", RING_STONES_MAX.into()));
    fields.finish(problems);
    let family = RingFamily::All {
        pits: pits?.unsigned_abs(),
        stones: stones?,
    };
    let found = family.len();
    at_most_rows(problems, field, "positions", found, POSITIONS_MAX)?;
    Some(family)
}

fn read_positions(problems: &mut Problems<'_>, field: &Field<'_>) -> Option<RingFamily> {
    let elements = field.array(problems, "a list, such as [\"2 2 2 2\"]")?;
    let read = |element: &Field<'_>| {
        let text = element.string(problems, "a string, such as \"2 2 2 2\"")?;
        problems.ok(element, text.parse::<Ring>())
    };
    let rings: Vec<Option<Ring>> = elements.iter().map(read).collect();
    rings
        .into_iter()
        .collect::<Option<_>>()
        .map(RingFamily::Listed)
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
