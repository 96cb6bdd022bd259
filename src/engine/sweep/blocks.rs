//! The blocks of a level that have been visited, and those that can be next.

use std::sync::atomic::{
    AtomicUsize,
    Ordering::{AcqRel, Acquire, Relaxed, Release},
};

use crate::game::SweepGrid;

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
