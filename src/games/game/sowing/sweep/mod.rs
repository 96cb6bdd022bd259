//! Orders of Sowing rows in which every option comes before its row.
//!
//! With such an order, values need no recursion and no hash table: rows are numbered densely, their
//! values fill a flat array from one end to the other, and the values of a row's options are ready
//! when the row is visited.
//!
//! # The order
//!
//! Rows are in normal form, with seeds in both end pots. Rows of fewer pots come first. Two rows
//! with equal numbers of pots and seeds are compared at the leftmost pot in which they differ: the
//! row with the later count in this sequence comes first,
//!
//! ```text
//! 1, 2, 3, ..., 0
//! ```
//!
//! so each pot runs through the counts 0, ..., 3, 2, 1, the leftmost slowest.
//!
//! Every option comes before its row. A move that empties an end pot makes the row shorter.
//! Otherwise look at the leftmost pot that the move changes. If Left moves, it is the pot sown
//! from, whose count becomes 0, the latest of all. If Right moves, it is the pot where the last
//! seed lands, which was not empty and gains one, so that its count becomes a later one. Pots left
//! of it are unchanged.
//!
//! That proves the claim for rows whose number of seeds never changes ([`BySeeds`]). Where the
//! counts of full pots are capped ([`ByPots`]), the pot in which the last seed lands may stay
//! unchanged. But then a seed is lost, so in that order rows of fewer seeds come before rows of
//! more.
//!
//! Mirroring reverses the argument, but not the order: the mirror image of an option may come late.
//! So only the first row of a mirror pair is visited, and both rows get their values then.
//!
//! # Several workers
//!
//! The rows with equal numbers of pots and of seeds form a [`Level`]. They mostly depend on their
//! neighbours in the order, so workers cannot simply take one range each. But the argument also
//! holds from the right: an option comes earlier, too, when rows are compared from the right. So
//! let X be a visited row and Y an option of the same level. Every beginning of Y equals that of X
//! or comes earlier, and so does every ending. If the mirror image Z of Y comes before Y and is
//! visited in its place, then
//!
//! - the beginning of Z is no later than that of X, since Z comes before Y, and Y before X;
//! - the ending of Z, mirrored, is the beginning of Y, and Y comes before X, which comes no later
//!   than its own mirror image: so the ending of Z is no later than that of X.
//!
//! A [`SowingGrid`] divides a level both ways. Rows with an early beginning and a late ending do not
//! depend on rows with a late beginning and an early ending, so workers can share a diagonal of its
//! blocks.

mod by_pots;
mod by_seeds;
mod grid;

pub use by_pots::ByPots;
pub use by_seeds::BySeeds;
pub use grid::SowingGrid;

use crate::game::sweep::{SWEEP_CELLS_MAX, SWEEP_POTS_MAX, SweepGrid, SweepOrder, Visit};

/// A family of Sowing rows in the order above; the levels of fewer pots come first.
pub trait SowingOrder: SweepOrder<Level = Level> {
    /// Returns the number of rows of a level that begin and end with these pots, including mirror
    /// images. At least one pot must remain between them, unless the rows have only one pot.
    fn rows(&self, level: Level, beginning: &[u8], ending: &[u8]) -> u64;

    /// Visits the rows of a level that begin and end with these pots, in order. Only the first row
    /// of each mirror pair is visited, if it is among them.
    ///
    /// The beginning and the ending must each belong to some row, and at least one pot must remain
    /// between them.
    fn visit_between(
        &self,
        level: Level,
        beginning: &[u8],
        ending: &[u8],
        visit: &mut impl FnMut(&Visit<'_>),
    );
}

/// Returns the number of cells of the rows that have at most as many pots as those of the first
/// `levels` levels.
fn cells_through(order: &impl SowingOrder, levels: usize) -> u64 {
    let all = order.levels();
    let Some(last) = all.get(levels.saturating_sub(1)) else {
        return order.cells();
    };
    let through = all.iter().filter(|level| level.pots <= last.pots);
    through.map(|&level| order.rows(level, &[], &[])).sum()
}

/// The rows with a given number of pots and of seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// The number of pots.
    pub pots: usize,
    /// The number of seeds.
    pub seeds: usize,
}

/// Returns whether a row comes no later than its mirror image.
fn comes_first(pots: &[u8]) -> bool {
    may_come_first(pots, pots)
}

/// Returns whether some row with this beginning and ending may come no later than its mirror image.
#[inline]
fn may_come_first(beginning: &[u8], ending: &[u8]) -> bool {
    // Zero is the latest count, so it wraps around to the greatest number.
    let lateness = |pot: u8| pot.wrapping_sub(1);
    for (&pot, &opposite) in beginning.iter().zip(ending.iter().rev()) {
        if pot != opposite {
            return lateness(pot) > lateness(opposite);
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::board::row::Row;
    use crate::game::{Player, Ruleset, Sowing};

    /// The rows of a family by brute force: all rows of pots within bounds that have a cell.
    fn rows(order: &impl SowingOrder, pots: usize, seeds_max: u8) -> BTreeMap<usize, Vec<u8>> {
        let mut found = BTreeMap::new();
        for len in 1..=pots {
            let mut row = vec![0u8; len];
            loop {
                if let Some(cell) = order.cell_of(&row) {
                    assert_eq!(found.insert(cell, row.clone()), None, "{row:?}");
                }
                let Some(place) = row.iter().position(|&pot| pot < seeds_max) else {
                    break;
                };
                row[place] += 1;
                row[..place].fill(0);
            }
        }
        found
    }

    fn mirror(row: &[u8]) -> Vec<u8> {
        row.iter().rev().copied().collect()
    }

    /// Left's options straight from the rules, with empty ends stripped.
    fn sowings_to_the_right(row: &[u8]) -> Vec<Vec<u8>> {
        let mut options = Vec::new();
        for from in 0..row.len() {
            let seeds = usize::from(row[from]);
            if seeds == 0 || from + seeds >= row.len() || row[from + seeds] == 0 {
                continue;
            }
            let mut option = row.to_vec();
            option[from] = 0;
            for pot in &mut option[from + 1..=from + seeds] {
                *pot += 1;
            }
            let first = option.iter().position(|&pot| pot > 0);
            options.push(option.split_off(first.expect("seeds stay in the row")));
        }
        options
    }

    /// Checks that visits find each row, its options and its mirror image, and that a block depends
    /// only on the blocks that [`SowingGrid`] names.
    fn check(
        order: &impl SowingOrder,
        workers: usize,
        rows: &BTreeMap<usize, Vec<u8>>,
        left_options: impl Fn(&[u8]) -> Vec<Vec<u8>>,
    ) {
        assert!(rows.keys().copied().eq(0..order.cells() as usize));
        let mut seen = BTreeSet::new();
        for level in order.levels() {
            let grid = SowingGrid::new(order, level, workers);
            let blocks = grid.bands() * grid.columns();
            // Visits the diagonals in order, each in the reverse of the usual direction, so that
            // only the required blocks are ready.
            let mut order_of_blocks: Vec<(usize, usize)> = (0..grid.bands())
                .flat_map(|band| (0..grid.columns()).map(move |column| (band, column)))
                .collect();
            order_of_blocks.sort_by_key(|&(band, column)| (band + column, column));
            assert_eq!(order_of_blocks.len(), blocks);
            let before = seen.len();
            for (band, column) in order_of_blocks {
                let (beginning, endings) = grid.block(band, column);
                for ending in endings {
                    order.visit_between(level, beginning, ending, &mut |visit| {
                        let row = &rows[&visit.cell];
                        assert_eq!(row, visit.pots);
                        assert!(row.starts_with(beginning) && row.ends_with(ending));
                        assert_eq!(rows[&visit.mirror], mirror(row));
                        let options = |deltas: &[i64]| {
                            let cells = deltas.iter().map(|delta| visit.cell as i64 + delta);
                            let cells: Vec<usize> = cells.map(|cell| cell as usize).collect();
                            assert!(cells.iter().all(|cell| seen.contains(cell)), "{row:?}");
                            let mut rows: Vec<_> =
                                cells.iter().map(|cell| rows[cell].clone()).collect();
                            rows.sort();
                            rows
                        };
                        let mut left = left_options(row);
                        left.sort();
                        assert_eq!(options(visit.left), left, "Left from {row:?}");
                        let mut right: Vec<_> = left_options(&mirror(row))
                            .iter()
                            .map(|option| mirror(option))
                            .collect();
                        right.sort();
                        assert_eq!(options(visit.right), right, "Right from {row:?}");
                        assert!(seen.insert(visit.cell), "{row:?} is visited again");
                        seen.insert(visit.mirror);
                    });
                }
            }
            let of_level = (seen.len() - before) as u64;
            assert_eq!(of_level, order.rows(level, &[], &[]), "{level:?}");
        }
        assert_eq!(seen.len() as u64, order.cells());
    }

    #[test]
    fn rows_of_as_many_seeds_come_after_their_options() {
        for seeds in 1..=7 {
            for pots in 1..=7 {
                let order = BySeeds::new(seeds, pots).unwrap();
                let rows = rows(&order, pots, seeds as u8);
                for workers in [1, 2, 4] {
                    check(&order, workers, &rows, sowings_to_the_right);
                }
            }
        }
    }

    #[test]
    fn a_family_too_large_to_enumerate_keeps_the_order() {
        // The slow enumeration is too slow here: the rows come from the visits themselves.
        let order = BySeeds::new(11, 11).unwrap();
        let mut rows = BTreeMap::new();
        order.visit_all(&mut |visit| {
            assert_eq!(order.cell_of(visit.pots), Some(visit.cell));
            rows.insert(visit.cell, visit.pots.to_vec());
            rows.insert(visit.mirror, mirror(visit.pots));
        });
        for workers in [1, 2, 16] {
            check(&order, workers, &rows, sowings_to_the_right);
        }
    }

    #[test]
    fn rows_of_as_many_pots_come_after_their_options() {
        let order = ByPots::new(6).unwrap();
        let rows = rows(&order, 6, 6);
        let left_options = |row: &[u8]| {
            let text: Vec<String> = row.iter().map(u8::to_string).collect();
            let row: Row = text.concat().parse().unwrap();
            let position = Sowing.position(&row).unwrap();
            let mut options = Vec::new();
            Sowing
                .each_option(&position, Player::Left, &mut |option| {
                    options.push(option.pots().to_vec());
                })
                .unwrap();
            options
        };
        for workers in [1, 2, 8] {
            check(&order, workers, &rows, left_options);
        }
    }

    #[test]
    fn families_count_as_the_formulas_say() {
        // C(2n-2, n-1), the followers of 1^n.
        let counts = [1, 2, 6, 20, 70, 252, 924, 3432, 12870, 48620];
        for (seeds, count) in (1..).zip(counts) {
            assert_eq!(BySeeds::new(seeds, seeds).unwrap().cells(), count);
        }
        assert_eq!(BySeeds::new(18, 18).unwrap().cells(), 2_333_606_220);
        assert_eq!(BySeeds::new(19, 19).unwrap().cells(), 9_075_135_300);
        assert_eq!(ByPots::new(10).unwrap().cells(), 2_671_304_488);
        assert!(BySeeds::new(64, 3).is_none() && ByPots::new(11).is_none());
        assert_eq!(BySeeds::new(20, 20).unwrap().cells(), SWEEP_CELLS_MAX);
        assert!(BySeeds::new(21, 21).is_none() && BySeeds::new(3, 0).is_none());
    }

    #[test]
    fn rows_outside_a_family_have_no_cell() {
        let order = BySeeds::new(5, 3).unwrap();
        for row in [
            &[][..],
            &[5, 0],
            &[0, 5],
            &[1, 1, 1, 2],
            &[2, 2],
            &[200, 61],
        ] {
            assert_eq!(order.cell_of(row), None, "{row:?}");
        }
        let order = ByPots::new(3).unwrap();
        for row in [
            &[][..],
            &[1, 3, 1],
            &[4, 1],
            &[0, 1],
            &[1, 0],
            &[1, 1, 1, 1],
        ] {
            assert_eq!(order.cell_of(row), None, "{row:?}");
        }
    }
}
