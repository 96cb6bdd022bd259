//! Every position within bounds, up to mirror image.
//!
//! The positions are the rows in normal form of a [`RowShape`] with a number of pots and a number
//! of seeds within [`Bounds`]. One row of each mirror pair is listed: the one whose left pot holds
//! less in the first pair of pots that differ, from the ends inwards. In every game its mirror
//! image has the same value or the negative, so half of the rows suffice.
//!
//! - A full pot of Sowing is written as the least number of seeds that fills it, and *seeds* counts
//!   these: the fewest seeds with which the position can be laid out.
//! - The empty position, `0`, has no pots and no seeds. It comes first where the bounds allow both.
//! - On a board every row has all the pots of the board, and ends may be empty.
//!
//! Positions with equal numbers of pots and seeds form a *cell*; [`Order`] orders the cells. Within
//! a cell positions ascend by the pots outside in: first, last, second, last but one, and so on.
//!
//! Tables of counts (`cell`) make length, rank and unrank cheap compared with evaluating a
//! position. Advancing to the next position (`cursor`) does not even use them.

mod cell;
mod cursor;

use std::ops::{Range, RangeInclusive};

use thiserror::Error;

use self::cell::RowTable;
pub(super) use self::cursor::Cursor;
use crate::board::row::{Pot, Row};
use crate::board::{Caps, RowShape};

/// The most pots that bounds may name.
pub const ALL_POTS_MAX: u32 = 120;

/// The most seeds that bounds may name, which also bounds the tables of counts.
pub const ALL_SEEDS_MAX: u32 = 1_000;

/// The bounds on the numbers of pots and seeds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bounds {
    /// The fewest pots; 0 if not given.
    pub pots_min: Option<u32>,
    /// The most pots; required, except on a board, where it is not accepted.
    pub pots_max: Option<u32>,
    /// The fewest seeds; 0 if not given.
    pub seeds_min: Option<u32>,
    /// The most seeds; required where a pot may hold any number.
    pub seeds_max: Option<u32>,
    /// The most seeds in any one pot.
    pub pot_seeds_max: Option<u32>,
}

/// The primary order of the positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// By the number of pots, then the number of seeds.
    #[default]
    Pots,
    /// By the number of seeds, then the number of pots.
    Seeds,
}

impl Order {
    /// Both orders.
    pub const ALL: [Order; 2] = [Order::Pots, Order::Seeds];

    /// Returns the name that jobs use.
    pub fn name(self) -> &'static str {
        match self {
            Order::Pots => "pots",
            Order::Seeds => "seeds",
        }
    }
}

/// One of the bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// [`Bounds::pots_min`].
    PotsMin,
    /// [`Bounds::pots_max`].
    PotsMax,
    /// [`Bounds::seeds_min`].
    SeedsMin,
    /// [`Bounds::seeds_max`].
    SeedsMax,
    /// [`Bounds::pot_seeds_max`].
    PotSeedsMax,
}

impl Bound {
    /// Returns the name that jobs use.
    pub fn name(self) -> &'static str {
        match self {
            Bound::PotsMin => "pots_min",
            Bound::PotsMax => "pots_max",
            Bound::SeedsMin => "seeds_min",
            Bound::SeedsMax => "seeds_max",
            Bound::PotSeedsMax => "pot_seeds_max",
        }
    }
}

/// The reason why bounds give no family.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BoundsError {
    /// A bound that this shape of rows needs.
    #[error("no {}; without it there would be infinitely many positions", .bound.name())]
    Missing {
        /// The bound.
        bound: Bound,
    },
    /// A number of pots on a board, whose number is fixed.
    #[error("{} on a board of {board_pots} pots; every row has all of them", .bound.name())]
    Board {
        /// The bound.
        bound: Bound,
        /// The board's number of pots.
        board_pots: u32,
    },
    /// A bound beyond the limits of the tables of counts.
    #[error("{} is {found}; accepted: 0 to {max}", .bound.name())]
    TooLarge {
        /// The bound.
        bound: Bound,
        /// Its value.
        found: u32,
        /// The greatest value accepted.
        max: u32,
    },
    /// A lower bound above the upper bound.
    #[error("{} is {min}, above {}, which is {max}", .bound.name(), .above.name())]
    Crossed {
        /// The lower bound.
        bound: Bound,
        /// The upper bound.
        above: Bound,
        /// The lower bound's value.
        min: u32,
        /// The upper bound's value.
        max: u32,
    },
    /// No row lies within the bounds.
    #[error("no position lies within the bounds")]
    Empty,
    /// More than 2^64 rows lie within the bounds.
    #[error("more than 2^64 positions lie within the bounds; lower pots_max or seeds_max")]
    TooMany,
}

/// Every position within bounds, each once, up to mirror image.
///
/// ```
/// use cggames::family::{AllPositions, Bounds, Order};
/// use cggames::game::Game;
///
/// let bounds = Bounds { pots_max: Some(2), ..Bounds::default() };
/// let shape = Game::SOWING.shape().of_rows().expect("a game on rows");
/// let all = AllPositions::new(shape, bounds, Order::Pots)?;
/// let rows: Vec<String> = (0..all.len()).map(|rank| all.get(rank).to_string()).collect();
/// // 21 is the mirror image of 12; in a row of two pots 2 seeds make a pot full.
/// assert_eq!(rows, ["0", "1", "11", "12", "22"]);
/// # Ok::<(), cggames::family::BoundsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct AllPositions {
    shape: RowShape,
    bounds: Bounds,
    order: Order,
    /// The tables of the numbers of pots `pots.start()..=pots.end()`, in that order.
    tables: Vec<RowTable>,
    pots: RangeInclusive<u32>,
    /// In the order of the family; no cell is empty.
    cells: Vec<CellStart>,
    len: u64,
}

/// The positions with a number of pots and a number of seeds.
#[derive(Clone, Copy, Debug)]
struct CellStart {
    pots: u32,
    seeds: u32,
    /// The rank of its first position.
    start: u64,
}

/// The positions with a number of pots and a number of seeds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellOfAll {
    /// The number of pots.
    pub pots: u32,
    /// The number of seeds.
    pub seeds: u32,
    /// The ranks of its positions in the family.
    pub ranks: Range<u64>,
}

impl AllPositions {
    /// Counts the positions of `shape` within `bounds`.
    ///
    /// Costs O(p^2 s c) at worst for p pots, s seeds and c seeds a pot; bounds with too many
    /// positions are refused much earlier.
    ///
    /// # Errors
    ///
    /// A bound that is missing, out of place, out of range or crossed by another; no position
    /// within the bounds, or more than 2^64.
    pub fn new(shape: RowShape, bounds: Bounds, order: Order) -> Result<Self, BoundsError> {
        let pots = pots_range(shape, bounds)?;
        let seeds_min = bounds.seeds_min.unwrap_or(0);
        for (bound, found) in [
            (Bound::SeedsMin, bounds.seeds_min),
            (Bound::SeedsMax, bounds.seeds_max),
            (Bound::PotSeedsMax, bounds.pot_seeds_max),
        ] {
            too_large(bound, found, ALL_SEEDS_MAX)?;
        }
        match bounds.seeds_max {
            None if shape.caps == Caps::Unlimited && bounds.pot_seeds_max.is_none() => {
                return Err(BoundsError::Missing {
                    bound: Bound::SeedsMax,
                });
            }
            Some(max) if seeds_min > max => {
                return Err(BoundsError::Crossed {
                    bound: Bound::SeedsMin,
                    above: Bound::SeedsMax,
                    min: seeds_min,
                    max,
                });
            }
            _ => {}
        }
        let seeds_max = bounds.seeds_max.unwrap_or(ALL_SEEDS_MAX);

        let mut tables = Vec::new();
        let mut cells = Vec::new();
        let mut total = 0u128;
        for pots in pots.clone() {
            let table = RowTable::new(shape, pots, seeds_max, bounds.pot_seeds_max);
            for seeds in seeds_min..=table.seeds_max() {
                let count = table.count(seeds);
                if count > 0 {
                    total = total.saturating_add(count);
                    cells.push((pots, seeds, count));
                }
            }
            // More pots have more positions, so the total is too large.
            if total > u128::from(u64::MAX) {
                return Err(BoundsError::TooMany);
            }
            tables.push(table);
        }
        if order == Order::Seeds {
            cells.sort_by_key(|&(pots, seeds, _)| (seeds, pots));
        }
        let mut start = 0u64;
        let cells: Vec<CellStart> = cells
            .into_iter()
            .map(|(pots, seeds, count)| {
                let cell = CellStart { pots, seeds, start };
                start += count as u64;
                cell
            })
            .collect();
        if cells.is_empty() {
            return Err(BoundsError::Empty);
        }
        Ok(AllPositions {
            shape,
            bounds,
            order,
            tables,
            pots,
            cells,
            len: start,
        })
    }

    /// Returns the shape of the rows.
    pub fn shape(&self) -> RowShape {
        self.shape
    }

    /// Returns the bounds as given.
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Returns the order of the positions.
    pub fn order(&self) -> Order {
        self.order
    }

    /// Returns the number of positions.
    #[expect(
        clippy::len_without_is_empty,
        reason = "a family without positions is refused"
    )]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Returns the rank of `row`, or `None` if it is not listed. Listed rows are in normal form and
    /// the right ones of their mirror pairs, with full pots written as the number that fills them.
    pub fn rank(&self, row: &Row) -> Option<u64> {
        if row.endless_left || row.endless_right {
            return None;
        }
        let empty = [Pot::Seeds(0)];
        let written: &[Pot] = match self.shape.board_pots {
            None if row.pots == empty => &[],
            _ => &row.pots,
        };
        let mut pots = Vec::with_capacity(written.len());
        for pot in written {
            match *pot {
                Pot::Seeds(seeds) => pots.push(seeds),
                Pot::Full => return None,
            }
        }
        let seeds = pots
            .iter()
            .try_fold(0u32, |sum, &pot| sum.checked_add(pot))?;
        let table = self.table(u32::try_from(pots.len()).ok()?)?;
        let key = |cell: &CellStart| match self.order {
            Order::Pots => (cell.pots, cell.seeds),
            Order::Seeds => (cell.seeds, cell.pots),
        };
        let wanted = CellStart {
            pots: table.pots(),
            seeds,
            start: 0,
        };
        let cell = self.cells.binary_search_by_key(&key(&wanted), key).ok()?;
        Some(self.cells[cell].start + table.rank(&pots)?)
    }

    /// Returns the cells in the family's order: the positions with equal numbers of pots and of
    /// seeds. A cell's positions depend only on the shape and on [`Bounds::pot_seeds_max`], not on
    /// the other bounds or the order.
    pub fn cells(&self) -> impl ExactSizeIterator<Item = CellOfAll> + '_ {
        self.cells.iter().enumerate().map(|(i, cell)| {
            let end = self.cells.get(i + 1).map_or(self.len, |next| next.start);
            CellOfAll {
                pots: cell.pots,
                seeds: cell.seeds,
                ranks: cell.start..end,
            }
        })
    }

    fn table(&self, pots: u32) -> Option<&RowTable> {
        let index = pots.checked_sub(*self.pots.start())?;
        self.tables.get(index as usize)
    }
}

fn pots_range(shape: RowShape, bounds: Bounds) -> Result<RangeInclusive<u32>, BoundsError> {
    if let Some(board_pots) = shape.board_pots {
        let given = [
            (Bound::PotsMin, bounds.pots_min),
            (Bound::PotsMax, bounds.pots_max),
        ];
        return match given.into_iter().find(|(_, value)| value.is_some()) {
            Some((bound, _)) => Err(BoundsError::Board { bound, board_pots }),
            None => Ok(board_pots..=board_pots),
        };
    }
    let bound = Bound::PotsMax;
    let max = bounds.pots_max.ok_or(BoundsError::Missing { bound })?;
    too_large(bound, Some(max), ALL_POTS_MAX)?;
    let min = bounds.pots_min.unwrap_or(0);
    if min > max {
        return Err(BoundsError::Crossed {
            bound: Bound::PotsMin,
            above: bound,
            min,
            max,
        });
    }
    Ok(min..=max)
}

fn too_large(bound: Bound, found: Option<u32>, max: u32) -> Result<(), BoundsError> {
    match found {
        Some(found) if found > max => Err(BoundsError::TooLarge { bound, found, max }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
