//! Stretches of a sweep made ready for several workers.
//!
//! Neighbours in the order of a sweep mostly depend on each other, so that workers cannot just take one
//! stretch each. A batch holds the rows of a stretch with their options, sorted by level: a row's
//! level is one more than the highest among its options in the stretch. Rows of one level do not
//! depend on each other, and there are enough of them: in Sowing `1^13` the 4,000 rows of a batch have
//! some 60 levels on average, and 1 % of the rows have to wait for an option with two threads.

use std::ops::Range;

use crate::ruleset::{SweepOrder, Visit};

/// The rows of a stretch, sorted so that rows close to each other rarely depend on each other.
pub(super) struct Batch {
    rows: Vec<BatchRow>,
    /// The rows by level.
    sorted: Vec<u32>,
    options: Vec<i64>,
}

struct BatchRow {
    cell: usize,
    mirror: usize,
    /// Where its options begin.
    options: u32,
    left: u16,
    right: u16,
}

impl Batch {
    /// Returns the batch of a part.
    pub(super) fn new<O: SweepOrder>(order: &O, part: &O::Part) -> Batch {
        let mut batch = Batch {
            rows: Vec::new(),
            sorted: Vec::new(),
            options: Vec::new(),
        };
        order.visit(part, &mut |visit| batch.push(visit));
        batch.sort(order.cells_of(part));
        batch
    }

    /// Returns the number of rows.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns a row: the `index`th by level.
    #[inline]
    pub(super) fn visit(&self, index: usize) -> Visit<'_> {
        let row = &self.rows[self.sorted[index] as usize];
        let (left, right) = (usize::from(row.left), usize::from(row.right));
        let options = &self.options[row.options as usize..][..left + right];
        Visit {
            cell: row.cell,
            mirror: row.mirror,
            left: &options[..left],
            right: &options[left..],
            pots: &[],
        }
    }

    fn push(&mut self, visit: &Visit<'_>) {
        self.rows.push(BatchRow {
            cell: visit.cell,
            mirror: visit.mirror,
            options: self.options.len() as u32,
            left: visit.left.len() as u16,
            right: visit.right.len() as u16,
        });
        self.options.extend_from_slice(visit.left);
        self.options.extend_from_slice(visit.right);
    }

    /// Sorts the rows by level, those of one level as they came.
    fn sort(&mut self, cells: Range<usize>) {
        let least = cells.start;
        // Rows that are not visited have the level of their mirror image, if that is of the part.
        let mut levels = vec![0u32; cells.len()];
        let mut level_of_row = Vec::with_capacity(self.rows.len());
        let mut rows_of_level = vec![0u32];
        for row in &self.rows {
            let options = &self.options[row.options as usize..];
            let options = &options[..usize::from(row.left) + usize::from(row.right)];
            let offset = (row.cell - least) as i64;
            let level = options
                .iter()
                .filter_map(|delta| levels.get(usize::try_from(offset + delta).ok()?))
                .max()
                .map_or(0, |&level| level + 1)
                .max(1);
            levels[row.cell - least] = level;
            if let Some(mirror) = row.mirror.checked_sub(least)
                && let Some(cell) = levels.get_mut(mirror)
            {
                *cell = level;
            }
            if rows_of_level.len() <= level as usize {
                rows_of_level.push(0);
            }
            rows_of_level[level as usize] += 1;
            level_of_row.push(level);
        }
        let mut next = 0;
        for rows in &mut rows_of_level {
            next += std::mem::replace(rows, next);
        }
        self.sorted = vec![0; self.rows.len()];
        for (row, &level) in (0..).zip(&level_of_row) {
            let place = &mut rows_of_level[level as usize];
            self.sorted[*place as usize] = row;
            *place += 1;
        }
    }
}
