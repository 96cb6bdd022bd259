//! Which blocks of a level have been visited, and which can be next.

use std::sync::atomic::{
    AtomicUsize,
    Ordering::{AcqRel, Acquire, Relaxed, Release},
};

use crate::game::Grid;

/// How many stretches beyond the first unfinished one are looked at for a block to visit.
const STRETCHES_AHEAD: usize = 64;

/// The blocks of a level, and which have been visited.
pub(super) struct Blocks {
    pub(super) grid: Grid,
    /// For each stretch, the number of its blocks that have been visited, times two; plus one while a
    /// worker has the next in hand.
    visited: Vec<AtomicUsize>,
    /// All stretches before this one are finished.
    first: AtomicUsize,
}

impl Blocks {
    pub(super) fn new(grid: Grid) -> Blocks {
        Blocks {
            visited: (0..grid.stretches()).map(|_| AtomicUsize::new(0)).collect(),
            first: AtomicUsize::new(0),
            grid,
        }
    }

    /// Returns whether all blocks have been visited.
    pub(super) fn all_visited(&self) -> bool {
        self.first.load(Relaxed) == self.visited.len()
    }

    /// Returns whether the blocks that this one needs have been visited; and if so, makes visible what was
    /// found there.
    pub(super) fn is_ready(&self, stretch: usize, column: usize) -> bool {
        match stretch.checked_sub(1) {
            None => true,
            Some(before) => self.visited[before].load(Acquire) / 2 > column,
        }
    }

    /// Takes a stretch whose next block is ready, the first one there is. Returns it and the column.
    pub(super) fn take(&self) -> Option<(usize, usize)> {
        let first = self.first.load(Relaxed);
        let last = self.visited.len().min(first + STRETCHES_AHEAD);
        for stretch in first..last {
            let visited = &self.visited[stretch];
            let state = visited.load(Acquire);
            let column = state / 2;
            if column == self.grid.columns() {
                // Stretches are finished in order, for each needs the one before it.
                let _ = self
                    .first
                    .compare_exchange(stretch, stretch + 1, Relaxed, Relaxed);
                continue;
            }
            let free = state.is_multiple_of(2) && self.is_ready(stretch, column);
            if free
                && visited
                    .compare_exchange(state, state + 1, AcqRel, Relaxed)
                    .is_ok()
            {
                return Some((stretch, column));
            }
            if column == 0 {
                // Nor has any stretch after this one been begun.
                break;
            }
        }
        None
    }

    /// Notes that the stretch's blocks before a column have been visited, and gives the stretch back.
    pub(super) fn give_back(&self, stretch: usize, column: usize) {
        self.visited[stretch].store(2 * column, Release);
    }

    /// Notes that the stretch's blocks before a column have been visited, and keeps the stretch.
    pub(super) fn go_on(&self, stretch: usize, column: usize) {
        self.visited[stretch].store(2 * column + 1, Release);
    }
}
