//! Boards of consecutive numbers of stones by unplaying.

use cggames::game::tchoukaillon::TchoukaillonBoard;

use super::{BINS_MAX, TooLong, collect};
use crate::tchoukaillon::lengths::shortest;

/// Winning boards of consecutive numbers of stones, from any number on.
///
/// Starting costs O(length); each step changes only the bins up to the first empty one, about
/// ln(length) on average. A board's bins are borrowed as a slice; memory is allocated only for the
/// growth of the board.
///
/// ```
/// use cgsolvers::tchoukaillon::boards::Boards;
///
/// let mut boards = Boards::starting_at(9)?;
/// assert_eq!(boards.bins(), [1, 2, 2, 4]);
/// boards.advance();
/// assert_eq!((boards.stones(), boards.bins()), (10, &[0, 1, 1, 3, 5][..]));
/// assert_eq!(boards.first_play(), Some(5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Boards {
    stones: u128,
    bins: Vec<u32>,
    first_play: Option<usize>,
}

impl Boards {
    /// Starts with the board of this many stones.
    ///
    /// # Errors
    ///
    /// [`TooLong`] beyond [`BINS_MAX`] bins, or when memory does not suffice.
    pub fn starting_at(stones: u128) -> Result<Boards, TooLong> {
        let bins = collect(stones)?;
        let mut indexed = (1..).zip(&bins);
        let first_play = indexed.find(|&(bin, &stones)| stones == bin);
        let first_play = first_play.map(|(bin, _)| bin as usize);
        Ok(Boards {
            stones,
            bins,
            first_play,
        })
    }

    /// Returns the number of stones of the board.
    pub fn stones(&self) -> u128 {
        self.stones
    }

    /// Returns the stones of each bin, nearest bin first; the last is not 0.
    pub fn bins(&self) -> &[u32] {
        &self.bins
    }

    /// Returns the bin to play, the nearest harvestable one; `None` for the empty board.
    pub fn first_play(&self) -> Option<usize> {
        self.first_play
    }

    /// Advances to the board with one stone more.
    ///
    /// # Panics
    ///
    /// When the board would have more than [`BINS_MAX`] bins: 2^62 steps after the empty one.
    pub fn advance(&mut self) {
        let index = unplay(&mut self.bins);
        self.first_play = Some(index + 1);
        self.stones += 1;
    }

    /// Proceeds to the board of this many stones: by unplaying if that takes no more moves than the board has bins, which is
    /// cheaper than a new board.
    ///
    /// # Errors
    ///
    /// As [`Boards::starting_at`].
    pub fn seek(&mut self, stones: u128) -> Result<(), TooLong> {
        match stones.checked_sub(self.stones) {
            Some(moves) if moves <= self.bins.len() as u128 => {
                (0..moves).for_each(|_| self.advance());
            }
            _ => *self = Boards::starting_at(stones)?,
        }
        Ok(())
    }
}

/// The number of bins that are tested together.
const TOGETHER: usize = 16;

/// Unplays into a row of bins; returns the index of the filled bin, whose stones now equal its
/// number.
///
/// PERF: bins from the 17th on are processed 16 at a time, so a distant first empty bin takes a few
/// vector steps; the nearest bins, where most unplays end, are processed one by one.
fn unplay(bins: &mut Vec<u32>) -> usize {
    let mut index = 0;
    while index < bins.len().min(TOGETHER) {
        if bins[index] == 0 {
            bins[index] = (index + 1) as u32;
            return index;
        }
        bins[index] -= 1;
        index += 1;
    }
    while let Some(some) = bins.get_mut(index..index + TOGETHER) {
        if some.contains(&0) {
            break;
        }
        for stones in some {
            *stones -= 1;
        }
        index += TOGETHER;
    }
    while index < bins.len() {
        if bins[index] == 0 {
            bins[index] = (index + 1) as u32;
            return index;
        }
        bins[index] -= 1;
        index += 1;
    }
    assert!((index as u64) < BINS_MAX, "bins are numbered in 32 bits");
    bins.push((index + 1) as u32);
    index
}

/// Returns the boards of one length in the order of their stones, N(l) to N(l+1) - 1.
///
/// These are the boards that Theorem 3.2 builds from the farthest bin, which holds l stones.
///
/// # Errors
///
/// [`TooLong`] beyond [`BINS_MAX`] bins, or when memory does not suffice.
///
/// ```
/// use cgsolvers::tchoukaillon::boards::of_length;
///
/// let boards: Vec<String> = of_length(3)?.map(|board| board.to_string()).collect();
/// assert_eq!(boards, ["(0, 1, 3)", "(1, 1, 3)"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn of_length(length: u64) -> Result<impl Iterator<Item = TchoukaillonBoard>, TooLong> {
    let first = shortest(length);
    let end = length.checked_add(1).map_or(u128::MAX, shortest);
    let mut boards = Boards::starting_at(first)?;
    let count = if length == 0 { 1 } else { end - first };
    Ok((0..count).map(move |_| {
        let board = TchoukaillonBoard::new(boards.bins().to_vec());
        boards.advance();
        board
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cggames::game::tchoukaillon::TchoukaillonBoard;

    #[test]
    fn parts_meet() {
        let mut unplayed = TchoukaillonBoard::default();
        let mut boards = Boards::starting_at(0).expect("a small board");
        for n in 0..5000u128 {
            assert_eq!((boards.stones(), boards.bins()), (n, unplayed.bins()));
            assert_eq!(boards.first_play(), unplayed.first_play());
            let fresh = Boards::starting_at(n).expect("a small board");
            assert_eq!(fresh.bins(), boards.bins());
            assert_eq!(fresh.first_play(), boards.first_play());
            boards.advance();
            unplayed.unplay();
        }
        let mut far = Boards::starting_at(10_000_000_000).expect("a board that fits");
        for _ in 0..3000 {
            far.advance();
        }
        let there = Boards::starting_at(10_000_003_000).expect("a board that fits");
        assert_eq!(far.bins(), there.bins());
        assert_eq!(far.first_play(), there.first_play());
    }
}
