//! Positions by rank, and in order: each is made from the one before by changing as few pots as
//! possible.

use std::ops::Range;

use super::AllPositions;
use super::cell::{PartialRow, RowTable, pot_of_step};
use crate::board::row::{Pot, Row};

/// A position of [`AllPositions`], with the pots by step.
#[derive(Clone, Debug)]
pub(in crate::family) struct Cursor<'a> {
    all: &'a AllPositions,
    cell: usize,
    table: &'a RowTable,
    /// The pots by step.
    steps: Vec<Step>,
}

/// A filled pot.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// The state before it.
    state: PartialRow,
    value: u32,
    /// The most seeds that it can have.
    most: u32,
}

impl AllPositions {
    /// Returns the position at `rank`, in O(p c^2) steps for p pots and c seeds a pot.
    ///
    /// # Panics
    ///
    /// If `rank` is not below [`AllPositions::len`].
    pub fn get(&self, rank: u64) -> Row {
        self.cursor(rank).row()
    }

    /// Visits the pots of the positions of these ranks in order.
    ///
    /// This is the fastest way through the family: a position costs only its change from the one
    /// before.
    ///
    /// # Panics
    ///
    /// If the range ends beyond [`AllPositions::len`].
    pub fn each_row(&self, ranks: Range<u64>, visit: &mut impl FnMut(&[u8])) {
        assert!(
            ranks.end <= self.len,
            "the ranks are below the length of the family"
        );
        if ranks.is_empty() {
            return;
        }
        let mut cursor = self.cursor(ranks.start);
        let mut pots = Vec::new();
        for _ in ranks {
            cursor.write_pots(&mut pots);
            visit(&pots);
            cursor.advance();
        }
    }

    /// Returns a cursor at `rank`.
    pub(in crate::family) fn cursor(&self, rank: u64) -> Cursor<'_> {
        assert!(
            rank < self.len,
            "the rank is below the length of the family"
        );
        let cell = self.cells.partition_point(|cell| cell.start <= rank) - 1;
        Cursor::at(self, cell, rank - self.cells[cell].start)
    }
}

impl<'a> Cursor<'a> {
    /// Returns a cursor at the position of `rank` within `cell`.
    fn at(all: &'a AllPositions, cell: usize, rank: u64) -> Cursor<'a> {
        let mut cursor = Cursor::enter(all, cell);
        let mut rank = u128::from(rank);
        for _ in 0..cursor.table.pots() {
            let state = cursor.next_state();
            let (least, most) = cursor.table.choices(state);
            let mut value = least;
            loop {
                let completions = cursor.table.completions(state, value);
                if rank < completions {
                    break;
                }
                assert!(
                    value < most,
                    "a rank within a cell belongs to one of its rows"
                );
                rank -= completions;
                value += 1;
            }
            cursor.steps.push(Step { state, value, most });
        }
        cursor
    }

    fn enter(all: &'a AllPositions, cell: usize) -> Cursor<'a> {
        let table = all
            .table(all.cells[cell].pots)
            .expect("a cell's number of pots has its table");
        Cursor {
            all,
            cell,
            table,
            steps: Vec::with_capacity(table.pots() as usize),
        }
    }

    fn next_state(&self) -> PartialRow {
        match self.steps.last() {
            Some(step) => step.state.after(step.value),
            None => PartialRow::start(self.all.cells[self.cell].seeds),
        }
    }

    /// Sets every pot from the next step on to its least possible value.
    fn fill(&mut self) {
        while self.steps.len() < self.table.pots() as usize {
            let state = self.next_state();
            let (value, most) = self.table.choices(state);
            self.steps.push(Step { state, value, most });
        }
    }

    /// Advances to the next position; returns whether there is one.
    pub(in crate::family) fn advance(&mut self) -> bool {
        while let Some(last) = self.steps.last_mut() {
            if last.value < last.most {
                last.value += 1;
                self.fill();
                return true;
            }
            self.steps.pop();
        }
        if self.cell + 1 == self.all.cells.len() {
            return false;
        }
        *self = Cursor::enter(self.all, self.cell + 1);
        self.fill();
        true
    }

    /// Writes the pots, none for the empty position where ends are dropped. Counts above 255 are
    /// capped at 255.
    fn write_pots(&self, pots: &mut Vec<u8>) {
        let count = self.table.pots();
        pots.resize(count as usize, 0);
        for (place, step) in (0..count).zip(&self.steps) {
            pots[pot_of_step(count, place) as usize] = step.value.min(255) as u8;
        }
    }

    /// Returns the position.
    pub(in crate::family) fn row(&self) -> Row {
        let pots = self.table.pots();
        // The empty position is written 0, so that its text reads back.
        let mut row = Row {
            pots: vec![Pot::Seeds(0); pots.max(1) as usize],
            ..Row::default()
        };
        for (place, step) in (0..pots).zip(&self.steps) {
            row.pots[pot_of_step(pots, place) as usize] = Pot::Seeds(step.value);
        }
        row
    }
}
