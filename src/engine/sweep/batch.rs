//! Stretches of a sweep made ready for several workers.
//!
//! Neighbours in the order of a sweep mostly depend on each other, so that workers cannot just take one
//! stretch each. A batch holds the rows of a stretch with their options, sorted by level: a row's
//! level is one more than the highest among its options in the stretch. Rows of one level do not
//! depend on each other, and there are enough of them: in Sowing `1^13` the 4,000 rows of a batch have
//! some 60 levels on average, and 1 % of the rows have to wait for an option with two threads.

use crate::ruleset::{SweepOrder, Visit};

/// The rows of a stretch, sorted so that rows close to each other rarely depend on each other.
#[derive(Default)]
pub(super) struct Batch {
    rows: Vec<BatchRow>,
    /// The rows by level.
    sorted: Vec<u32>,
    /// The cells of the options of all rows.
    options: Vec<u32>,
    /// The level of each cell of the stretch, zero for rows that have not come yet.
    levels: Vec<u32>,
    /// How many rows have each level; then, where the next one goes.
    rows_of_level: Vec<u32>,
}

struct BatchRow {
    cell: u32,
    mirror: u32,
    level: u32,
    /// Where its options begin.
    options: u32,
    /// How many options it has, and how many of these are Left's.
    count: u16,
    left: u16,
}

/// A row of a batch, all cells as they are numbered in the family.
#[derive(Clone, Copy)]
pub(super) struct Row<'a> {
    pub(super) cell: usize,
    pub(super) mirror: usize,
    pub(super) left: &'a [u32],
    pub(super) right: &'a [u32],
}

impl Batch {
    /// Takes in the rows of a part, instead of those that there were. Keeps its memory.
    pub(super) fn fill<O: SweepOrder>(&mut self, order: &O, part: &O::Part) {
        let cells = order.cells_of(part);
        self.rows.clear();
        self.options.clear();
        self.levels.clear();
        self.levels.resize(cells.len(), 0);
        self.rows_of_level.clear();
        order.visit(part, &mut |visit| self.push(cells.start, visit));
        self.sort();
    }

    /// Returns the number of rows.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns a row: the `index`th by level.
    #[inline]
    pub(super) fn row(&self, index: usize) -> Row<'_> {
        let row = &self.rows[self.sorted[index] as usize];
        let options = &self.options[row.options as usize..][..usize::from(row.count)];
        let (left, right) = options.split_at(usize::from(row.left));
        Row {
            cell: row.cell as usize,
            mirror: row.mirror as usize,
            left,
            right,
        }
    }

    fn push(&mut self, first_cell: usize, visit: &Visit<'_>) {
        let place = visit.cell - first_cell;
        let first_option = self.options.len();
        let options = visit.left.iter().chain(visit.right);
        let cells = options.map(|delta| (visit.cell as i64 + delta) as u32);
        self.options.extend(cells);
        let mut level = 0;
        for &option in &self.options[first_option..] {
            // Options of other parts are below or above the levels, or wrap round.
            let option = (option as usize).wrapping_sub(first_cell);
            level = level.max(self.levels.get(option).copied().unwrap_or(0));
        }
        level += 1;
        self.levels[place] = level;
        // A row that is not visited has the level of its mirror image, if that is of the part.
        if let Some(mirror) = self.levels.get_mut(visit.mirror.wrapping_sub(first_cell)) {
            *mirror = level;
        }
        if self.rows_of_level.len() < level as usize {
            self.rows_of_level.push(0);
        }
        self.rows_of_level[level as usize - 1] += 1;
        self.rows.push(BatchRow {
            cell: visit.cell as u32,
            mirror: visit.mirror as u32,
            level,
            options: first_option as u32,
            count: (self.options.len() - first_option) as u16,
            left: visit.left.len() as u16,
        });
    }

    /// Sorts the rows by level, those of one level as they came.
    fn sort(&mut self) {
        let mut next = 0;
        for rows in &mut self.rows_of_level {
            next += std::mem::replace(rows, next);
        }
        self.sorted.clear();
        self.sorted.resize(self.rows.len(), 0);
        for (index, row) in (0..).zip(&self.rows) {
            let place = &mut self.rows_of_level[row.level as usize - 1];
            self.sorted[*place as usize] = index;
            *place += 1;
        }
    }
}
