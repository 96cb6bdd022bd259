//! Levels of a sweep, divided into blocks for several workers.

use std::ops::Range;

use super::{Level, SowingOrder, SweepGrid, Visit};

/// The most rows of a band, including mirror images: few enough for their cells to stay in a cache.
const BAND_ROWS: u64 = 1 << 16;

/// The number of bands of a level for each worker, if the level is large enough for bands of
/// `BAND_ROWS_MIN` rows.
const BANDS: u64 = 8;
const BAND_ROWS_MIN: u64 = 1 << 8;

/// The number of columns of a level for each worker; a column may be larger if one of its endings
/// is more frequent.
const COLUMNS: u64 = 16;

/// A level as bands of rows with one beginning, crossed by columns of rows with certain endings.
///
/// The rows at the crossing of a band and a column form a block. Their options, or the mirror
/// images of these if they come first, are in earlier levels, in the block, or in blocks of which
/// neither band nor column comes later, as the module of [`SowingOrder`] proves. So a block can be
/// visited once the block before it in its band and the block before it in its column have been:
/// then all blocks that it needs have been.
#[derive(Clone, Debug)]
pub struct SowingGrid {
    level: Level,
    /// The beginning of the rows of each band.
    beginnings: Vec<Box<[u8]>>,
    /// All endings in order, and the range of endings of each column.
    endings: Vec<Box<[u8]>>,
    columns: Vec<Range<usize>>,
}

impl SowingGrid {
    /// Divides a level of an order into blocks, with enough columns to keep `workers` workers busy;
    /// one worker gets one column.
    pub fn new(order: &impl SowingOrder, level: Level, workers: usize) -> SowingGrid {
        // The most frequent ending of k pots, all empty but the last with its single seed, has
        // about one row in 2^k, and its blocks depend on one another. PERF: one pot more lets two
        // workers wait less, by 3 % of the time of Sowing 1^14; two more do not help further.
        let ending_pots = match workers {
            1 => 0,
            _ => 2 + workers.next_power_of_two().ilog2() as usize,
        };
        let ending_pots = ending_pots.min(level.pots.saturating_sub(2));
        let rows = order.rows(level, &[], &[]);
        let mut grid = SowingGrid {
            level,
            beginnings: Vec::new(),
            endings: Vec::new(),
            columns: Vec::new(),
        };
        let band = match workers {
            1 => BAND_ROWS,
            _ => (rows / (BANDS * workers as u64)).clamp(BAND_ROWS_MIN, BAND_ROWS),
        };
        let free = level.pots - ending_pots - 1;
        grid.begin(order, &mut Vec::new(), free, band);
        grid.end(order, &mut Vec::new(), ending_pots);
        grid.gather(order, rows / (COLUMNS * workers as u64));
        grid
    }

    /// Visits the rows of a block in order.
    pub(super) fn visit(
        &self,
        order: &impl SowingOrder,
        (band, column): (usize, usize),
        visit: &mut impl FnMut(&Visit<'_>),
    ) {
        let (beginning, endings) = self.block(band, column);
        for ending in endings {
            order.visit_between(self.level, beginning, ending, visit);
        }
    }

    /// Returns the beginning of the rows of a block, and their endings in order.
    pub(super) fn block(&self, band: usize, column: usize) -> (&[u8], &[Box<[u8]>]) {
        let endings = &self.endings[self.columns[column].clone()];
        (&self.beginnings[band], endings)
    }

    /// Adds all extensions of a beginning, with just enough pots to make bands small enough.
    fn begin(
        &mut self,
        order: &impl SowingOrder,
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

    /// Adds all extensions of an ending to the left by `pots` pots.
    fn end(&mut self, order: &impl SowingOrder, reversed: &mut Vec<u8>, pots: usize) {
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

    /// Groups neighbouring endings into columns of `rows_min` rows or more.
    fn gather(&mut self, order: &impl SowingOrder, rows_min: u64) {
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

    /// Returns the possible counts of a pot, the latest first.
    fn counts(&self) -> impl Iterator<Item = u8> + use<> {
        std::iter::once(0).chain((1..=self.level.seeds as u8).rev())
    }
}

impl SweepGrid for SowingGrid {
    const DEPENDS: bool = true;

    fn bands(&self) -> usize {
        self.beginnings.len()
    }

    fn columns(&self) -> usize {
        self.columns.len()
    }
}
