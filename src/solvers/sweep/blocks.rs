//! The blocks of a level that have been visited, and those that can be next.

use std::sync::atomic::{
    AtomicUsize,
    Ordering::{AcqRel, Acquire, Relaxed, Release},
};

use cggames::game::SweepGrid;

/// The number of bands beyond the first unfinished one that are searched for a ready block.
const BANDS_AHEAD: usize = 64;

/// The blocks of a level, and the progress through them.
pub(super) struct Blocks<G> {
    pub(super) grid: G,
    /// For each band, twice the number of its visited blocks, plus one while a worker visits the
    /// next.
    visited: Vec<AtomicUsize>,
    /// All bands before this one are finished.
    first: AtomicUsize,
}

impl<G: SweepGrid> Blocks<G> {
    pub(super) fn new(grid: G) -> Blocks<G> {
        Blocks {
            visited: (0..grid.bands()).map(|_| AtomicUsize::new(0)).collect(),
            first: AtomicUsize::new(0),
            grid,
        }
    }

    /// Returns whether all blocks have been visited.
    pub(super) fn all_visited(&self) -> bool {
        self.first.load(Relaxed) == self.visited.len()
    }

    /// Returns whether the blocks on which this one depends have been visited; if so, makes their
    /// values visible.
    pub(super) fn is_ready(&self, band: usize, column: usize) -> bool {
        match band.checked_sub(1) {
            Some(before) if G::DEPENDS => self.visited[before].load(Acquire) / 2 > column,
            _ => true,
        }
    }

    /// Claims the first band whose next block is ready. Returns it and the column.
    pub(super) fn take(&self) -> Option<(usize, usize)> {
        let first = self.first.load(Relaxed);
        let last = self.visited.len().min(first + BANDS_AHEAD);
        for band in first..last {
            let visited = &self.visited[band];
            let state = visited.load(Acquire);
            let column = state / 2;
            if column == self.grid.columns() {
                // Nothing happens unless all bands before it are finished.
                let _ = self
                    .first
                    .compare_exchange(band, band + 1, Relaxed, Relaxed);
                continue;
            }
            let free = state.is_multiple_of(2) && self.is_ready(band, column);
            if free
                && visited
                    .compare_exchange(state, state + 1, AcqRel, Relaxed)
                    .is_ok()
            {
                return Some((band, column));
            }
            if G::DEPENDS && column == 0 {
                // No band after this one has been started either.
                break;
            }
        }
        None
    }

    /// Marks the band's blocks before a column as visited, and releases the band.
    pub(super) fn release(&self, band: usize, column: usize) {
        self.visited[band].store(2 * column, Release);
    }

    /// Marks the band's blocks before a column as visited, and keeps the claim.
    pub(super) fn advance(&self, band: usize, column: usize) {
        self.visited[band].store(2 * column + 1, Release);
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;
    use std::collections::BinaryHeap;

    use super::*;
    use cggames::game::{BySeeds, SweepOrder};

    /// Simulates a level's blocks and workers that take a unit of time for each row. Returns the
    /// rows and the time.
    fn simulated<O: SweepOrder>(order: &O, level: O::Level, workers: usize) -> (u64, u64) {
        let blocks = Blocks::new(order.grid(level, workers));
        let (mut now, mut all) = (0, 0);
        let mut rows = |block: (usize, usize)| {
            let mut rows = 0;
            order.visit(&blocks.grid, block, &mut |_| rows += 1);
            all += rows;
            rows
        };
        let mut idle = workers;
        // The blocks that are visited, with the time when each is finished.
        let mut busy = BinaryHeap::new();
        loop {
            while idle > 0
                && let Some((band, column)) = blocks.take()
            {
                idle -= 1;
                busy.push(Reverse((now + rows((band, column)), band, column)));
            }
            let Some(Reverse((then, band, column))) = busy.pop() else {
                break;
            };
            now = then;
            let column = column + 1;
            if column < blocks.grid.columns() && blocks.is_ready(band, column) {
                blocks.advance(band, column);
                busy.push(Reverse((now + rows((band, column)), band, column)));
            } else {
                blocks.release(band, column);
                idle += 1;
            }
        }
        assert!(blocks.all_visited());
        (all, now)
    }

    /// Prints how many workers' worth of work some workers do who wait for blocks and for nothing
    /// else.
    #[test]
    fn workers_seldom_wait_for_blocks() {
        for (seeds, workers, least) in [(12, 2, 1.9), (12, 4, 3.0), (13, 8, 5.0), (13, 16, 8.0)] {
            let order = BySeeds::new(seeds, seeds).expect("few rows");
            let levels = order.levels().into_iter();
            let (rows, time) = levels
                .map(|level| simulated(&order, level, workers))
                .fold((0, 0), |sum, level| (sum.0 + level.0, sum.1 + level.1));
            let mut expected = 0;
            order.visit_all(&mut |_| expected += 1);
            assert_eq!(rows, expected);
            let working = rows as f64 / time as f64;
            println!("1^{seeds}, {workers} workers: {working:.2}");
            assert!((least..=workers as f64).contains(&working), "{working}");
        }
    }
}
