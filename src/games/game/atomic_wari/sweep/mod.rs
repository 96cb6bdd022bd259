//! An order of rows of Atomic Wari in which every option comes before its row.
//!
//! # The order
//!
//! Rows of fewer seeds come first; among these, rows with more nonempty pots. The *support* of a
//! row is the set of the places of its nonempty pots. Rows with the same support and equally many
//! seeds are compared at the leftmost pot in which they differ: the row with the later count in
//! this sequence comes later,
//!
//! ```text
//! 1, ..., 5, 4, 3, 2
//! ```
//!
//! Every option comes before its row, in partisan and in impartial play. A move that captures
//! leaves fewer seeds. Any other move empties no pot, since a pot sown from keeps a seed; if it
//! fills one, there are more nonempty pots. Otherwise the support stays the same. Look at the
//! leftmost pot that the move changes. If Left moves, it is the pot sown from, whose count becomes
//! 1, the first of all. If Right moves, it is the pot where the last seed lands. It was not empty
//! and nothing is captured, so it gains one on three or more, and its count becomes an earlier one.
//!
//! Rows with different supports and equally many seeds and nonempty pots do not depend on each
//! other. So workers share the supports of a level. A support and its mirror image have the same
//! rows up to mirror images; only those of one of them are visited.
//!
//! # The family
//!
//! It has the rows that play can reach from all rows within bounds. These are listed backwards,
//! rows before their options, and marked in a bit set ([`Wanted`]). A row is longer than the bounds
//! allow if seeds were sown beyond its ends.
//!
//! # Numbering
//!
//! The rows of a support lie together. Let pot j of m nonempty ones have `R_j` seeds in it and
//! behind it. The number of a row on its support is
//!
//! ```text
//! sum over j = 0 .. m-1 of C(R_j - 1, m - j)
//! ```
//!
//! The terms behind a pot depend on the pots behind it alone, so a move within a beginning of the
//! row changes the cell by the same amount whatever is behind it.

mod supports;
mod terms;
mod walk;
mod wanted;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

pub use self::supports::{GoesOn, Stopped};
use self::supports::{Support, Supports};
use self::terms::Terms;
use self::walk::{SupportedRows, Walk, WalkDirection};
use self::wanted::Wanted;
use crate::game::{SWEEP_POTS_MAX, SweepGrid, SweepOrder, Visit};

/// The supports that a worker takes at once.
const BAND: usize = 64;

/// The rows of Atomic Wari that play can reach from all rows of at most some number of pots and
/// some number of seeds.
///
/// ```
/// use cggames::game::{ReachableRows, SweepOrder};
///
/// let rows = ReachableRows::from_all(3, 3, 1000, &|_| true).unwrap().unwrap();
/// let mut found = Vec::new();
/// rows.visit_all(&mut |row| found.push(row.pots.to_vec()));
/// found.sort();
/// // The first stands for all rows of single seeds, which have no options.
/// let expected: [&[u8]; 7] = [&[], &[1, 0, 2], &[1, 2], &[2], &[2, 0, 1], &[2, 1], &[3]];
/// assert_eq!(found, expected);
/// assert_eq!(rows.cell_of(&[1, 1, 1]), Some(0));
/// ```
pub struct ReachableRows {
    rows: SupportedRows,
    /// The number of rows visited.
    positions: u64,
    seeds: usize,
}

/// Rows with one number of seeds and one number of nonempty pots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SupportLevel {
    pots: usize,
    seeds: usize,
}

impl SupportLevel {
    /// The empty row, which stands for all rows without a surplus.
    const ENDED: SupportLevel = SupportLevel { pots: 0, seeds: 0 };
}

/// The supports of a level; a band has some of them.
#[derive(Clone, Copy, Debug)]
pub struct SupportGrid {
    level: SupportLevel,
    supports: usize,
}

impl SweepGrid for SupportGrid {
    const DEPENDS: bool = false;

    fn bands(&self) -> usize {
        self.supports.div_ceil(BAND)
    }

    fn columns(&self) -> usize {
        1
    }
}

impl ReachableRows {
    /// Returns the rows that play can reach from all rows of at most `pots` pots and `seeds` seeds,
    /// on the threads of the current pool; `None` if they would take more than `cells_max` cells,
    /// or are too long to be numbered.
    ///
    /// Visits each of these rows once, one of each mirror pair unless both rows have seeds in the
    /// same places, and takes a bit for each row on their supports. Calls `goes_on` with the number
    /// of rows visited since the last call.
    ///
    /// # Errors
    ///
    /// When `goes_on` returned false.
    pub fn from_all(
        pots: usize,
        seeds: usize,
        cells_max: u64,
        goes_on: &GoesOn,
    ) -> Result<Option<ReachableRows>, Stopped> {
        let terms = Terms::new();
        let Some(supports) = Supports::reached_from(pots, seeds, cells_max, &terms, goes_on)?
        else {
            return Ok(None);
        };
        let Ok(wanted) = Wanted::new(supports.cells) else {
            return Ok(None);
        };
        let rows = SupportedRows {
            wanted,
            terms,
            supports,
            pots,
        };
        for support in rows.supports.by_pots.iter().flatten() {
            if support.length() <= pots {
                let count = rows.count(*support) as usize;
                rows.wanted.add_all(support.first as usize, count);
            }
        }
        let mut reachable = ReachableRows {
            rows,
            positions: 1,
            seeds,
        };
        reachable.positions += reachable.mark(goes_on)?;
        Ok(Some(reachable))
    }

    /// Returns the number of cells of [`from_all`](Self::from_all), rows beyond those reached
    /// included; `None` if there are more than `cells_max`, or the rows cannot be numbered.
    ///
    /// Cost: the number of moves from the supports, of which there are a million for 14 pots and 18
    /// seeds.
    ///
    /// ```
    /// use cggames::game::{ReachableRows, SweepOrder};
    ///
    /// let rows = ReachableRows::from_all(6, 8, u64::MAX, &|_| true).unwrap().unwrap();
    /// let cells = rows.cells();
    /// assert_eq!(ReachableRows::cells_from_all(6, 8, cells), Some(cells));
    /// assert_eq!(ReachableRows::cells_from_all(6, 8, cells - 1), None);
    /// assert_eq!(ReachableRows::cells_from_all(30, 40, u64::MAX), None);
    /// ```
    pub fn cells_from_all(pots: usize, seeds: usize, cells_max: u64) -> Option<u64> {
        let found = Supports::reached_from(pots, seeds, cells_max, &Terms::new(), &|_| true);
        found.ok().flatten().map(|supports| supports.cells)
    }

    /// Marks the options of all wanted rows. Returns the number of wanted rows.
    fn mark(&self, goes_on: &GoesOn) -> Result<u64, Stopped> {
        let pots = self.rows.pots;
        let (marked, stopped) = (AtomicU64::new(0), AtomicBool::new(false));
        for level in self.levels().into_iter().rev() {
            let supports = self.rows.supports.with(level.pots, level.seeds);
            // Options lie on either of a support and its mirror image.
            supports.par_chunks(BAND).for_each(|supports| {
                let mut walk = Walk::new(&self.rows).with_options_longer_than(SWEEP_POTS_MAX);
                let may_lack =
                    |support: &&Support| !support.is_symmetric() && support.length() > pots;
                for support in supports.iter().filter(may_lack) {
                    let mirror = support.mirror();
                    walk.walk(mirror, level.seeds, WalkDirection::Backwards, &mut |row| {
                        self.rows.wanted.add(row.mirror);
                    });
                }
            });
            supports.par_chunks(BAND).for_each(|supports| {
                // All rows within bounds are marked already.
                let mut walk = Walk::new(&self.rows).with_options_longer_than(pots);
                let mut rows = 0;
                for &support in supports {
                    walk.walk(support, level.seeds, WalkDirection::Backwards, &mut |row| {
                        rows += 1;
                        for option in row.left.iter().chain(row.right) {
                            self.rows.wanted.add((row.cell as i64 + option) as usize);
                        }
                    });
                }
                marked.fetch_add(rows, Relaxed);
                if !goes_on(rows) {
                    stopped.store(true, Relaxed);
                }
            });
            if stopped.load(Relaxed) {
                return Err(Stopped);
            }
        }
        Ok(marked.into_inner())
    }
}

impl SweepOrder for ReachableRows {
    type Level = SupportLevel;
    type Grid = SupportGrid;

    const LOOKS_AHEAD: bool = true;

    fn cells(&self) -> u64 {
        self.rows.supports.cells
    }

    fn positions(&self) -> u64 {
        self.positions
    }

    fn levels(&self) -> Vec<SupportLevel> {
        let levels = (1..=self.seeds).flat_map(|seeds| {
            let pots = (1..seeds).rev();
            pots.map(move |pots| SupportLevel { pots, seeds })
        });
        std::iter::once(SupportLevel::ENDED).chain(levels).collect()
    }

    fn cells_through(&self, _levels: usize) -> u64 {
        self.cells()
    }

    fn grid(&self, level: SupportLevel, _workers: usize) -> SupportGrid {
        SupportGrid {
            level,
            supports: match level {
                SupportLevel::ENDED => 1,
                SupportLevel { pots, seeds } => self.rows.supports.with(pots, seeds).len(),
            },
        }
    }

    fn visit(
        &self,
        grid: &SupportGrid,
        (band, _): (usize, usize),
        visit: &mut impl FnMut(&Visit<'_>),
    ) {
        if grid.level == SupportLevel::ENDED {
            visit(&Visit {
                cell: 0,
                mirror: 0,
                left: &[],
                right: &[],
                pots: &[],
            });
            return;
        }
        let SupportLevel { pots, seeds } = grid.level;
        let supports = &self.rows.supports.with(pots, seeds)[band * BAND..];
        let mut walk = Walk::new(&self.rows);
        for &support in supports.iter().take(BAND) {
            walk.walk(support, seeds, WalkDirection::Forwards, visit);
        }
    }

    fn cell_of(&self, pots: &[u8]) -> Option<usize> {
        let mut mask = 0u64;
        let (mut behind, mut seeds, mut number) = (0, 0, 0);
        for &pot in pots.iter().rev() {
            mask <<= 1;
            if pot > 0 {
                mask |= 1;
                behind += 1;
                seeds += usize::from(pot);
                if seeds > self.seeds {
                    return None;
                }
                number += self.rows.terms.term(behind, seeds);
            }
        }
        if seeds == behind {
            return Some(0);
        }
        let cell = (self.rows.supports.first(mask)? + number) as usize;
        Some(cell)
    }
}

#[cfg(test)]
mod tests;
