//! A grid of pots in words of 64 bits: its normal form, its key, and sets of its pots.
//!
//! It knows no moves. A row is a word, four bits a pot; a set of pots is an integer of 128 bits.

use std::fmt;

use crate::board::grid::{GRID_POTS_MAX, GRID_SIDE_MAX, Grid};
use crate::board::{Key, PositionError, brief};

/// The most seeds of a pot; no player can sow so large a pot.
pub const GRID_SEEDS_MAX: u32 = GRID_SIDE_MAX as u32;

/// A grid in working form. Grids are ordered by their sides, then by their rows from top to bottom.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GridPosition {
    pub(super) rows: u8,
    pub(super) columns: u8,
    /// The rows, four bits a pot, the first pot highest; lines below the last row are 0.
    pub(super) lines: [u64; GRID_SIDE_MAX],
}

const EMPTY: GridPosition = GridPosition {
    rows: 0,
    columns: 0,
    lines: [0; GRID_SIDE_MAX],
};

/// The bits of a pot.
pub(super) const POT_BITS: usize = 4;
pub(super) const POT: u64 = 15;

/// The lowest bit of every pot of a line.
pub(super) const ONES: u64 = 0x1111_1111_1111_1111;

/// Returns the bit offset of a column's pot in its line.
fn shift(column: usize) -> usize {
    u64::BITS as usize - POT_BITS * (column + 1)
}

/// Returns a line with one seed in each pot that holds seeds.
pub(super) fn occupied(line: u64) -> u64 {
    (line | line >> 1 | line >> 2 | line >> 3) & ONES
}

/// Returns a bit for each pot of a line of zeros and ones, the first pot lowest.
fn packed(ones: u64) -> u64 {
    let bits = ones.reverse_bits() >> 3;
    let bits = (bits | bits >> 3) & 0x0303_0303_0303_0303;
    let bits = (bits | bits >> 6) & 0x000f_000f_000f_000f;
    let bits = (bits | bits >> 12) & 0x0000_00ff_0000_00ff;
    (bits | bits >> 24) & 0xffff
}

/// Returns the line that [`packed`] takes to these bits.
fn unpacked(bits: u64) -> u64 {
    let line = (bits | bits << 24) & 0x0000_00ff_0000_00ff;
    let line = (line | line << 12) & 0x000f_000f_000f_000f;
    let line = (line | line << 6) & 0x0303_0303_0303_0303;
    let line = (line | line << 3) & ONES;
    (line << 3).reverse_bits()
}

/// Returns the line with its sixteen pots in reverse order.
fn mirrored(line: u64) -> u64 {
    const HIGH: u64 = 0xf0f0_f0f0_f0f0_f0f0;
    let bytes = line.swap_bytes();
    (bytes & HIGH) >> POT_BITS | (bytes & !HIGH) << POT_BITS
}

impl GridPosition {
    /// Returns a grid as it is written.
    ///
    /// # Errors
    ///
    /// If it is too large, or a pot has more than [`GRID_SEEDS_MAX`] seeds.
    pub(super) fn of(grid: &Grid) -> Result<GridPosition, PositionError> {
        let (rows, columns) = (grid.rows(), grid.columns);
        if rows.max(columns) > GRID_SIDE_MAX || grid.pots.len() > GRID_POTS_MAX {
            return Err(PositionError::OffGrid {
                grid: brief(grid),
                rows,
                columns,
            });
        }
        if let Some(&found) = grid.pots.iter().find(|&&seeds| seeds > GRID_SEEDS_MAX) {
            return Err(PositionError::TooManySeeds {
                row: brief(grid),
                found,
                most: GRID_SEEDS_MAX,
            });
        }
        let mut position = GridPosition {
            rows: rows as u8,
            columns: columns as u8,
            ..EMPTY
        };
        for (line, pots) in position
            .lines
            .iter_mut()
            .zip(grid.pots.chunks(columns.max(1)))
        {
            for (column, &seeds) in pots.iter().enumerate() {
                *line |= u64::from(seeds) << shift(column);
            }
        }
        Ok(position)
    }

    pub(super) fn sides(&self) -> (usize, usize) {
        (usize::from(self.rows), usize::from(self.columns))
    }

    /// Returns the rows from top to bottom.
    pub(super) fn lines(&self) -> &[u64] {
        &self.lines[..usize::from(self.rows)]
    }

    /// Returns the seeds of the pots, row by row.
    pub(super) fn pots(&self) -> impl Iterator<Item = u32> {
        let columns = usize::from(self.columns);
        let pots =
            move |&line: &u64| (0..columns).map(move |column| (line >> shift(column) & POT) as u32);
        self.lines().iter().flat_map(pots)
    }

    /// Returns whether no pot has two seeds or more.
    pub(super) fn is_plain(&self) -> bool {
        self.lines().iter().all(|line| line & !ONES == 0)
    }

    pub(super) fn transposed(&self) -> GridPosition {
        let mut grid = GridPosition {
            rows: self.columns,
            columns: self.rows,
            ..EMPTY
        };
        for (row, &line) in self.lines().iter().enumerate() {
            for (column, transposed) in grid.lines[..self.sides().1].iter_mut().enumerate() {
                *transposed |= (line >> shift(column) & POT) << shift(row);
            }
        }
        grid
    }

    /// Returns the first of the grids that are equal to this one by symmetry, without empty
    /// borders.
    pub(super) fn normal(&self) -> GridPosition {
        let lines = self.lines();
        let Some(top) = lines.iter().position(|&line| line > 0) else {
            return EMPTY;
        };
        let used = lines.iter().fold(0, |used, line| used | line);
        let left = used.leading_zeros() as usize / POT_BITS;
        let right = used.trailing_zeros() as usize / POT_BITS;
        let lines = &lines[top..];
        let lines =
            &lines[..lines.len() - lines.iter().rev().take_while(|&&line| line == 0).count()];
        let mut seen = GridPosition {
            rows: lines.len() as u8,
            columns: (GRID_SIDE_MAX + 1 - left - right) as u8,
            ..EMPTY
        };
        let mut in_mirror = seen;
        let copies = seen.lines.iter_mut().zip(&mut in_mirror.lines);
        for (&line, (seen, in_mirror)) in lines.iter().zip(copies) {
            *seen = line << (POT_BITS * left);
            *in_mirror = mirrored(line) << (POT_BITS * right);
        }
        seen.first_way_up().min(in_mirror.first_way_up())
    }

    /// Returns the grid or its vertical flip, whichever comes first.
    fn first_way_up(mut self) -> GridPosition {
        let lines = &mut self.lines[..usize::from(self.rows)];
        if lines.iter().rev().lt(lines.iter()) {
            lines.reverse();
        }
        self
    }

    /// Returns the key: the sides, whether no pot has two seeds or more, and the pots.
    pub(super) fn code(&self) -> Option<Key> {
        let is_plain = self.is_plain();
        let mut bits =
            Key::from(self.rows) | Key::from(self.columns) << 4 | Key::from(is_plain) << 8;
        let mut len = 9;
        if is_plain {
            // One bit per pot.
            for &line in self.lines() {
                bits |= Key::from(packed(line)) << len;
                len += u32::from(self.columns);
            }
            return Some(bits);
        }
        // PERF: shifting words of 64 bits takes half the time of words of 128 bits.
        let (mut word, mut word_len) = (0u64, 0);
        for pot in self.pots() {
            // Each pot is written in unary: a one for each seed, then a zero.
            if word_len + pot + 1 > u64::BITS {
                bits |= Key::from(word).checked_shl(len)?;
                len += word_len;
                (word, word_len) = (0, 0);
            }
            word |= ((1 << pot) - 1) << word_len;
            word_len += pot + 1;
        }
        bits |= Key::from(word).checked_shl(len)?;
        // The highest bit of a key is 0.
        (len + word_len < Key::BITS).then_some(bits)
    }

    /// Returns the grid that has the key, or `None` if its sides are invalid.
    pub(super) fn decoded(key: Key) -> Option<GridPosition> {
        let (rows, columns) = ((key & 15) as usize, (key >> 4 & 15) as usize);
        if rows * columns > GRID_POTS_MAX {
            return None;
        }
        let is_plain = key >> 8 & 1 == 1;
        let mut rest = key >> 9;
        let mut grid = GridPosition {
            rows: rows as u8,
            columns: columns as u8,
            ..EMPTY
        };
        for line in &mut grid.lines[..rows] {
            if is_plain {
                *line = unpacked((rest & ((1 << columns) - 1)) as u64);
                rest >>= columns;
                continue;
            }
            for column in 0..columns {
                let seeds = rest.trailing_ones();
                if seeds > GRID_SEEDS_MAX {
                    return None;
                }
                *line |= u64::from(seeds) << shift(column);
                rest >>= seeds + 1;
            }
        }
        (rest == 0).then_some(grid)
    }

    pub(super) fn to_grid(self) -> Grid {
        Grid {
            columns: self.columns.into(),
            pots: self.pots().collect(),
        }
    }

    /// Returns the distance in bits between a pot and the one below it in a set of pots. The bit
    /// after each row belongs to no pot, so the last pot of a row and the first of the next are not
    /// neighbours.
    pub(super) fn stride(&self) -> usize {
        usize::from(self.columns) + 1
    }

    /// Returns the pots that hold seeds, as a set.
    pub(super) fn occupied(&self) -> u128 {
        let in_place = |(row, &line): (usize, &u64)| {
            u128::from(packed(occupied(line))) << (row * self.stride())
        };
        self.lines().iter().enumerate().map(in_place).sum()
    }

    /// Returns the connected component of the first pot in a set of pots.
    pub(super) fn joined(&self, pots: u128) -> u128 {
        let stride = self.stride();
        let mut joined = pots & pots.wrapping_neg();
        loop {
            let beside = joined << 1 | joined >> 1 | joined << stride | joined >> stride;
            let more = (joined | beside) & pots;
            if more == joined {
                return joined;
            }
            joined = more;
        }
    }

    /// Returns the grid with all other pots empty.
    pub(super) fn within(&self, pots: u128) -> GridPosition {
        let stride = self.stride();
        let mut grid = *self;
        for (row, line) in grid.lines[..usize::from(self.rows)].iter_mut().enumerate() {
            let bits = (pots >> (row * stride)) as u64 & ((1 << self.columns) - 1);
            *line &= unpacked(bits) * POT;
        }
        grid
    }
}

impl fmt::Display for GridPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_grid().fmt(f)
    }
}

impl fmt::Debug for GridPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GridPosition({self})")
    }
}
