//! The queue of rows to be valued, whose data are prefetched some rows ahead.

use cggames::game::{SWEEP_POTS_MAX, Visit};
use seedbank_memory::prefetch;

use super::{CellContent, SweepValuation};

/// The length of the queue.
const ROWS: usize = 8;

/// The number of rows after which the cells of a row's options have arrived and the forms that they
/// refer to are prefetched.
const ROWS_FOR_CELLS: usize = 5;

/// A player cannot sow from the last pot in the direction of sowing.
const OPTIONS_MAX: usize = 2 * (SWEEP_POTS_MAX - 1);

/// The last few visited rows, which have no values yet.
// PERF: saves 8 % of the time of all of Sowing 1^14, where most cells and forms are in the
// third-level cache.
pub(super) struct Queue {
    rows: [Row; ROWS],
    /// The number of rows that have entered; the next field counts those that have left.
    entered: usize,
    left: usize,
}

/// A row with its options, as cells of the family.
pub(super) struct Row {
    pub(super) cell: usize,
    pub(super) mirror: usize,
    lefts: usize,
    options: usize,
    cells: [usize; OPTIONS_MAX],
}

impl Queue {
    pub(super) fn new() -> Queue {
        Queue {
            rows: [const { Row::EMPTY }; ROWS],
            entered: 0,
            left: 0,
        }
    }

    /// Adds a row; the queue must not be full.
    #[inline]
    pub(super) fn push<V: SweepValuation>(
        &mut self,
        visit: &Visit<'_>,
        cells: &[<V::Content as CellContent>::Shared],
        valuation: &V,
    ) {
        let row = &mut self.rows[self.entered % ROWS];
        row.fill(visit);
        for &cell in row.cells().iter().chain([&row.mirror]) {
            prefetch(&cells[cell / V::Content::SHARING]);
        }
        if let Some(earlier) = self.entered.checked_sub(ROWS_FOR_CELLS) {
            for &cell in self.rows[earlier % ROWS].cells() {
                valuation.prefetch(V::Content::load(cells, cell));
            }
        }
        self.entered += 1;
    }

    /// Returns whether a row must leave before another enters.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.entered - self.left == ROWS
    }

    /// Removes and returns the oldest row.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<&Row> {
        if self.left == self.entered {
            return None;
        }
        self.left += 1;
        Some(&self.rows[(self.left - 1) % ROWS])
    }
}

impl Row {
    const EMPTY: Row = Row {
        cell: 0,
        mirror: 0,
        lefts: 0,
        options: 0,
        cells: [0; OPTIONS_MAX],
    };

    #[inline]
    fn fill(&mut self, visit: &Visit<'_>) {
        self.cell = visit.cell;
        self.mirror = visit.mirror;
        self.lefts = visit.left.len();
        self.options = visit.left.len() + visit.right.len();
        let deltas = visit.left.iter().chain(visit.right);
        for (cell, delta) in self.cells[..self.options].iter_mut().zip(deltas) {
            *cell = (visit.cell as i64 + delta) as usize;
        }
    }

    #[inline]
    fn cells(&self) -> &[usize] {
        &self.cells[..self.options]
    }

    /// Returns the cells of Left's options and of Right's.
    #[inline]
    pub(super) fn sides(&self) -> (&[usize], &[usize]) {
        self.cells().split_at(self.lefts)
    }
}
