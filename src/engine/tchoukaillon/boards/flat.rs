//! Boards of consecutive numbers of stones side by side in flat arrays, as columnar formats keep lists.
//!
//! Row i has the bins from `offsets[i]` to `offsets[i + 1]`. Offsets are `i32` because that is what lists in Arrow are
//! numbered with: the arrays can be handed over as they are.

use super::Boards;

/// The most bins that all rows of one [`FlatBoards`] may have together.
pub const ENTRIES_MAX: usize = i32::MAX as usize;

/// Boards of consecutive numbers of stones, or their nearest bins, with their first plays and lengths.
///
/// The invariant: there is one offset more than there are rows; the first is 0 and the last the number of all bins.
///
/// ```
/// use seedbank::engine::tchoukaillon::boards::{Boards, ENTRIES_MAX, FlatBoards};
///
/// let mut rows = FlatBoards::new();
/// Boards::starting_at(2)?.append(3, ENTRIES_MAX, &mut rows);
/// assert_eq!(rows.bins(), [0, 2, 1, 2, 0, 1, 3]);
/// assert_eq!(rows.offsets(), [0, 2, 4, 7]);
/// assert_eq!((rows.first_plays(), rows.lengths()), (&[2, 1, 3][..], &[2, 2, 3][..]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlatBoards {
    nearest: usize,
    offsets: Vec<i32>,
    bins: Vec<u32>,
    first_plays: Vec<u32>,
    lengths: Vec<u32>,
}

impl Default for FlatBoards {
    fn default() -> FlatBoards {
        FlatBoards::new()
    }
}

impl FlatBoards {
    /// Returns no rows; boards appended to it keep all their bins.
    pub fn new() -> FlatBoards {
        FlatBoards::keeping(usize::MAX)
    }

    /// Returns no rows; of each board appended to it only the nearest bins are kept, no more than so many.
    ///
    /// The boards of 10^8 stones have 17,723 bins each, so that whole ones of all n up to there would take terabytes.
    pub fn keeping(nearest: usize) -> FlatBoards {
        FlatBoards {
            nearest,
            offsets: vec![0],
            bins: Vec::new(),
            first_plays: Vec::new(),
            lengths: Vec::new(),
        }
    }

    /// Returns how many rows there are.
    pub fn len(&self) -> usize {
        self.first_plays.len()
    }

    /// Returns whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.first_plays.is_empty()
    }

    /// Returns where each row's bins begin, and behind that where the last row's end.
    pub fn offsets(&self) -> &[i32] {
        &self.offsets
    }

    /// Returns the bins of all rows, one row after the other, nearest bin first.
    pub fn bins(&self) -> &[u32] {
        &self.bins
    }

    /// Returns for each row the bin that wins; 0 for the empty board.
    pub fn first_plays(&self) -> &[u32] {
        &self.first_plays
    }

    /// Returns for each row the length of the board, all its bins counted.
    pub fn lengths(&self) -> &[u32] {
        &self.lengths
    }

    /// Returns the bins of one row.
    ///
    /// # Panics
    ///
    /// When there is no such row.
    pub fn row(&self, row: usize) -> &[u32] {
        &self.bins[self.offsets[row] as usize..self.offsets[row + 1] as usize]
    }

    /// Takes all rows out, and keeps the memory for the next ones.
    pub fn clear(&mut self) {
        self.offsets.truncate(1);
        self.bins.clear();
        self.first_plays.clear();
        self.lengths.clear();
    }

    /// Returns the arrays: offsets, bins, first plays, lengths.
    pub fn into_arrays(self) -> (Vec<i32>, Vec<u32>, Vec<u32>, Vec<u32>) {
        (self.offsets, self.bins, self.first_plays, self.lengths)
    }
}

impl Boards {
    /// Appends the next boards to the rows and goes on behind them; returns how many.
    ///
    /// There are `count` of them, or fewer where the rows would come to have more than `entries_max` bins, or more than
    /// [`ENTRIES_MAX`]: so 0 means that the next board does not fit behind the rows that there are. The cost of a row is
    /// that of copying its bins, which is the memory's speed, and some 15 ns.
    pub fn append(&mut self, count: usize, entries_max: usize, rows: &mut FlatBoards) -> usize {
        let entries_max = entries_max.min(ENTRIES_MAX);
        for appended in 0..count {
            let bins = self.bins();
            let kept = &bins[..bins.len().min(rows.nearest)];
            if kept.len() > entries_max.saturating_sub(rows.bins.len()) {
                return appended;
            }
            // A board has at most BINS_MAX bins, which fits in 32 bits.
            rows.lengths.push(bins.len() as u32);
            rows.bins.extend_from_slice(kept);
            rows.offsets.push(rows.bins.len() as i32);
            rows.first_plays.push(self.first_play().unwrap_or(0) as u32);
            self.advance();
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::tchoukaillon::boards::board;

    #[test]
    fn rows_are_the_boards() {
        for (start, nearest) in [(0u128, usize::MAX), (0, 0), (0, 3), (123_456_789, 40)] {
            let mut rows = FlatBoards::keeping(nearest);
            let mut boards = Boards::starting_at(start).expect("a board that fits");
            assert_eq!(boards.append(700, ENTRIES_MAX, &mut rows), 700);
            assert_eq!(boards.append(77, ENTRIES_MAX, &mut rows), 77);
            assert_eq!((rows.len(), boards.stones()), (777, start + 777));
            for row in 0..777 {
                let board = board(start + row as u128).expect("a board that fits");
                let kept = &board.bins()[..board.length().min(nearest)];
                assert_eq!(rows.row(row), kept);
                assert_eq!(rows.lengths()[row] as usize, board.length());
                let first = board.first_play().unwrap_or(0);
                assert_eq!(rows.first_plays()[row] as usize, first);
            }
            let (offsets, bins, first_plays, lengths) = rows.clone().into_arrays();
            assert_eq!((offsets.len(), lengths.len()), (778, first_plays.len()));
            assert_eq!(offsets[777] as usize, bins.len());
            rows.clear();
            assert_eq!(rows, FlatBoards::keeping(nearest));
        }
    }

    #[test]
    fn rows_end_where_there_is_no_room() {
        let mut rows = FlatBoards::new();
        let mut boards = Boards::starting_at(0).expect("a short board");
        // The boards of 0 to 4 stones have 0, 1, 2, 2 and 3 bins.
        assert_eq!(boards.append(9, 7, &mut rows), 4);
        assert_eq!(boards.append(9, 7, &mut rows), 0);
        assert_eq!(boards.stones(), 4);
        assert_eq!(boards.append(1, 8, &mut rows), 1);
        assert_eq!(rows.offsets(), [0, 0, 1, 3, 5, 8]);
        assert_eq!(boards.append(1, 0, &mut FlatBoards::new()), 0);
        assert!(FlatBoards::default().is_empty());
    }
}
