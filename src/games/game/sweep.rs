//! Orders of positions in which every option comes before its position.
//!
//! With such an order, values need no recursion and no hash table: positions are numbered densely,
//! their values fill a flat array, and the values of a position's options are ready when the
//! position is visited. [`BySeeds`](super::BySeeds) and [`ByPots`](super::ByPots) order the rows of
//! Sowing, [`ReachableRows`](super::ReachableRows) those of Atomic Wari.

/// The most pots of a row in a sweep.
pub const SWEEP_POTS_MAX: usize = 32;

/// The most cells of a sweep: the number of followers of `1^20` in Sowing, C(38, 19). There are fewer
/// rows of Sowing of at most 10 pots.
pub const SWEEP_CELLS_MAX: u64 = 35_345_263_800;

/// A numbered family of rows that is closed under moves, in an order that puts options first.
pub trait SweepOrder: Sync {
    /// A set of rows; their options are in earlier levels or among them.
    type Level: Copy;

    /// A level divided into blocks.
    type Grid: SweepGrid;

    /// Whether the cells of options are so far apart that it pays off to prefetch them some rows
    /// ahead, even if a cell takes one byte.
    const LOOKS_AHEAD: bool = false;

    /// Returns the number of cells for the family's values; a row and its mirror image have one
    /// each.
    fn cells(&self) -> u64;

    /// Returns the number of rows visited.
    ///
    /// The default is half the number of cells: of the rows that are their own mirror images it
    /// counts only half.
    fn positions(&self) -> u64 {
        self.cells().div_ceil(2)
    }

    /// Returns the levels, first to last.
    fn levels(&self) -> Vec<Self::Level>;

    /// Returns a number of cells, from the first on, that has all cells of the first `levels`
    /// levels.
    fn cells_through(&self, levels: usize) -> u64;

    /// Divides a level into blocks for some workers.
    fn grid(&self, level: Self::Level, workers: usize) -> Self::Grid;

    /// Visits the rows of a block, in order. Of each mirror pair one row is visited, in a block that
    /// is the same for the same level and number of workers, or both in the same block.
    fn visit(&self, grid: &Self::Grid, block: (usize, usize), visit: &mut impl FnMut(&Visit<'_>));

    /// Returns the cell of a row in normal form, or `None` if it is not in the family.
    fn cell_of(&self, pots: &[u8]) -> Option<usize>;

    /// Visits all rows in order.
    fn visit_all(&self, visit: &mut impl FnMut(&Visit<'_>)) {
        for level in self.levels() {
            self.visit_level(level, visit);
        }
    }

    /// Visits the rows of a level in order.
    fn visit_level(&self, level: Self::Level, visit: &mut impl FnMut(&Visit<'_>)) {
        let grid = self.grid(level, 1);
        for band in 0..grid.bands() {
            for column in 0..grid.columns() {
                self.visit(&grid, (band, column), visit);
            }
        }
    }
}

/// The blocks of a level, each at the crossing of a band and a column.
pub trait SweepGrid: Sync {
    /// Whether a block depends on the block before it in its band and the block before it in its
    /// column; otherwise on no other block of the level.
    const DEPENDS: bool;

    /// Returns the number of bands.
    fn bands(&self) -> usize;

    /// Returns the number of columns.
    fn columns(&self) -> usize;
}

/// A row as a sweep visits it.
#[derive(Clone, Copy, Debug)]
pub struct Visit<'a> {
    /// The row's cell.
    pub cell: usize,
    /// The cell of its mirror image.
    pub mirror: usize,
    /// The cells of Left's options, relative to the row's.
    pub left: &'a [i64],
    /// The cells of Right's options, relative to the row's.
    pub right: &'a [i64],
    /// The row itself.
    pub pots: &'a [u8],
}
