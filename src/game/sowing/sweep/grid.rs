//! Levels of a sweep cut into blocks for several workers.

use std::ops::Range;

use super::{Level, SweepOrder};

/// The rows of a stretch at most, mirror images included: few enough for their cells to stay in a cache.
const STRETCH_ROWS: u64 = 1 << 16;

/// A level has so many stretches for each worker, if it is large enough for stretches of
/// `STRETCH_ROWS_MIN` rows.
const STRETCHES: u64 = 8;
const STRETCH_ROWS_MIN: u64 = 1 << 8;

/// A column has at least one row of a level in so many for each worker, endings that are more frequent
/// aside.
const COLUMNS: u64 = 16;

/// A level as stretches of rows that begin alike, crossed by columns of rows that end alike.
///
/// The rows that stand where a stretch crosses a column are a block. Their options, or the mirror images of
/// these where they come first, are in earlier levels, in the block, or in blocks of which neither stretch nor
/// column comes later, as is argued where [`SweepOrder`] is defined. So a block can be visited when those
/// at the same place in the stretch before and in the column before have been: then all earlier ones have.
#[derive(Clone, Debug)]
pub struct Grid {
    level: Level,
    /// How the rows of each stretch begin.
    beginnings: Vec<Box<[u8]>>,
    /// How the rows of each column end, and which endings belong to each.
    endings: Vec<Box<[u8]>>,
    columns: Vec<Range<usize>>,
}

impl Grid {
    /// Cuts a level of an order into blocks: into enough columns to keep so many workers busy, one for one
    /// worker.
    pub fn new(order: &impl SweepOrder, level: Level, workers: usize) -> Grid {
        // The most frequent ending of k pots, all empty but the last with its single seed, has about one
        // row in 2^k, and its blocks need one another.
        // PERF: one pot more makes two workers wait less, 3 % of Sowing 1^14; two more help no further.
        let ending_pots = match workers {
            1 => 0,
            _ => 2 + workers.next_power_of_two().ilog2() as usize,
        };
        let ending_pots = ending_pots.min(level.pots.saturating_sub(2));
        let rows = order.rows(level, &[], &[]);
        let mut grid = Grid {
            level,
            beginnings: Vec::new(),
            endings: Vec::new(),
            columns: Vec::new(),
        };
        let stretch = match workers {
            1 => STRETCH_ROWS,
            _ => (rows / (STRETCHES * workers as u64)).clamp(STRETCH_ROWS_MIN, STRETCH_ROWS),
        };
        let free = level.pots - ending_pots - 1;
        grid.begin(order, &mut Vec::new(), free, stretch);
        grid.end(order, &mut Vec::new(), ending_pots);
        grid.gather(order, rows / (COLUMNS * workers as u64));
        grid
    }

    /// Returns the level.
    pub fn level(&self) -> Level {
        self.level
    }

    /// Returns the number of stretches.
    pub fn stretches(&self) -> usize {
        self.beginnings.len()
    }

    /// Returns the number of columns.
    pub fn columns(&self) -> usize {
        self.columns.len()
    }

    /// Returns how the rows of a block begin and end: one beginning, and the endings in order.
    pub fn block(&self, stretch: usize, column: usize) -> (&[u8], &[Box<[u8]>]) {
        let endings = &self.endings[self.columns[column].clone()];
        (&self.beginnings[stretch], endings)
    }

    /// Adds all beginnings that go on like this, with as many pots as make stretches small enough.
    fn begin(
        &mut self,
        order: &impl SweepOrder,
        beginning: &mut Vec<u8>,
        pots_max: usize,
        rows_max: u64,
    ) {
        let rows = order.rows(self.level, beginning, &[]);
        if rows == 0 {
            return;
        }
        if rows <= rows_max || beginning.len() == pots_max {
            self.beginnings.push(beginning.as_slice().into());
            return;
        }
        for count in self.counts() {
            beginning.push(count);
            self.begin(order, beginning, pots_max, rows_max);
            beginning.pop();
        }
    }

    /// Adds all endings that go on like this to the left, of so many pots more.
    fn end(&mut self, order: &impl SweepOrder, reversed: &mut Vec<u8>, pots: usize) {
        let ending: Box<[u8]> = reversed.iter().rev().copied().collect();
        if order.rows(self.level, &[], &ending) == 0 {
            return;
        }
        if pots == 0 {
            self.endings.push(ending);
            return;
        }
        for count in self.counts() {
            reversed.push(count);
            self.end(order, reversed, pots - 1);
            reversed.pop();
        }
    }

    /// Makes columns of neighbouring endings, of so many rows or more.
    fn gather(&mut self, order: &impl SweepOrder, rows_min: u64) {
        let mut first = 0;
        let mut rows = 0;
        for (ending, end) in self.endings.iter().zip(1..) {
            rows += order.rows(self.level, &[], ending);
            if rows >= rows_min.max(1) || end == self.endings.len() {
                self.columns.push(first..end);
                (first, rows) = (end, 0);
            }
        }
    }

    /// Returns the counts that a pot may have, the latest first.
    fn counts(&self) -> impl Iterator<Item = u8> + use<> {
        std::iter::once(0).chain((1..=self.level.seeds as u8).rev())
    }
}
