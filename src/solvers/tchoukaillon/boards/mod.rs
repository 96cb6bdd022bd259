//! The winning board of n stones, directly, and the boards of consecutive n.
//!
//! Theorem 2.1 gives the bins of n stones one after another: the stones that remain after bin i are
//! the greatest multiple of i + 1 that does not exceed those before it. So no earlier board is
//! needed, and a range of n can be divided anywhere. Within a range [`Boards`] unplays from board
//! to board, which takes about ten bins each instead of all; [`FirstPlays`] stores only the data
//! for first plays.

mod consecutive;
mod first_plays;

use cggames::game::tchoukaillon::TchoukaillonBoard;
use thiserror::Error;

use super::lengths::length;
use super::quotient::last_bin;
pub use consecutive::{Boards, of_length};
pub use first_plays::FirstPlays;

/// The most bins of a board that is stored as a whole, each with its stones in 32 bits.
pub const BINS_MAX: u64 = u32::MAX as u64;

/// A board has too many bins to be stored as a whole.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "the board of {stones} stones has {length} bins, more than can be stored in memory here (at most \
     {BINS_MAX}); read them one by one with `bins`"
)]
pub struct TooLong {
    /// The stones of the board.
    pub stones: u128,
    /// Its length.
    pub length: u128,
}

/// Returns the bins of the winning board of n stones, nearest first, one by one: O(length) for all.
///
/// Theorem 2.1 by quotients (see [the module above](super)). No bin of a board of less than 2^126
/// stones exceeds 64 bits.
///
/// ```
/// use cgsolvers::tchoukaillon::boards::bins;
///
/// assert_eq!(bins(15).collect::<Vec<_>>(), [1, 2, 0, 2, 4, 6]);
/// ```
pub fn bins(stones: u128) -> Bins {
    Bins {
        quotient: stones,
        divisor: 2,
    }
}

/// The bins of a board, nearest first; see [`bins`].
#[derive(Clone, Debug)]
pub struct Bins {
    quotient: u128,
    divisor: u64,
}

impl Iterator for Bins {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        if self.quotient == 0 {
            return None;
        }
        let divisor = self.divisor;
        let remainder = match u64::try_from(self.quotient) {
            Ok(quotient) => {
                self.quotient = u128::from(quotient - quotient.div_ceil(divisor));
                quotient % divisor
            }
            Err(_) => {
                let wide = u128::from(divisor);
                let remainder = (self.quotient % wide) as u64;
                self.quotient -= self.quotient.div_ceil(wide);
                remainder
            }
        };
        self.divisor += 1;
        Some(if remainder == 0 {
            0
        } else {
            divisor - remainder
        })
    }
}

/// Returns the winning board of n stones, O(length), which is about sqrt(pi n).
///
/// # Errors
///
/// [`TooLong`] beyond [`BINS_MAX`] bins, or when memory does not suffice.
///
/// ```
/// use cgsolvers::tchoukaillon::boards::board;
///
/// assert_eq!(board(15)?.to_string(), "(1, 2, 0, 2, 4, 6)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn board(stones: u128) -> Result<TchoukaillonBoard, TooLong> {
    Ok(TchoukaillonBoard::new(collect(stones)?))
}

/// Returns the bins of n stones as a vector of exactly that capacity.
fn collect(stones: u128) -> Result<Vec<u32>, TooLong> {
    let too_long = || TooLong {
        stones,
        length: length(stones),
    };
    let length = last_bin(stones);
    let small = u64::try_from(length).ok().filter(|&l| l <= BINS_MAX);
    let length = small.ok_or_else(too_long)?;
    let mut collected = Vec::new();
    let room = collected.try_reserve_exact(length as usize);
    room.map_err(|_| too_long())?;
    // No bin holds more stones than its number, which is at most BINS_MAX.
    collected.extend(bins(stones).map(|stones| stones as u32));
    Ok(collected)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tchoukaillon::lengths::shortest;

    #[test]
    fn boards_agree_with_unplaying() {
        let mut unplayed = TchoukaillonBoard::default();
        for n in 0..3000u128 {
            assert_eq!(board(n), Ok(unplayed.clone()), "{n}");
            assert_eq!(length(n), unplayed.length() as u128);
            unplayed.unplay();
        }
    }

    #[test]
    fn large_boards_are_winning_and_have_their_stones() {
        for n in [999_999_999_999u128, (1 << 64) - 1, 1 << 64, (1 << 64) + 1] {
            // Boards of 2^64 stones have 7.6 billion bins, so the sums are checked on the first
            // ones: the remaining stones are a multiple of the next bin's number, Theorem 2.1.
            let mut hand = n;
            for (bin, stones) in (1u128..200_000).zip(bins(n)) {
                assert!(u128::from(stones) <= bin);
                hand -= u128::from(stones);
                assert_eq!(hand % (bin + 1), 0);
            }
        }
        let long = board(1_000_000_000_000).expect("a board of two million bins");
        assert!(long.is_winning());
        assert_eq!(long.stones(), 1_000_000_000_000);
    }

    #[test]
    fn too_long_boards_are_refused() {
        let stones = 1 << 66;
        let error = board(stones).expect_err("too long");
        let l = error.length as u64;
        assert!(shortest(l) <= stones && stones < shortest(l + 1));
        let text = format!("the board of {stones} stones has {l} bins, more than can be stored");
        assert!(error.to_string().starts_with(&text), "{error}");
    }

    /// All boards of a length, built from the farthest bin down by the conditions of Theorem 3.2.
    fn built_from_the_end(length: usize) -> Vec<Vec<u32>> {
        let mut boards = vec![vec![length as u32]];
        for bin in (1..length as u32).rev() {
            boards = boards
                .iter()
                .flat_map(|beyond| {
                    let sum: u32 = beyond.iter().sum();
                    let fits = (0..=bin).filter(move |b| (sum + b).is_multiple_of(bin));
                    fits.map(|b| [&[b], beyond.as_slice()].concat())
                })
                .collect();
        }
        boards.sort_by_key(|board| board.iter().sum::<u32>());
        boards
    }

    #[test]
    fn boards_of_a_length_are_those_of_theorem_3_2() {
        for length in 1..25 {
            let boards: Vec<Vec<u32>> = of_length(length as u64)
                .expect("short boards")
                .map(|board| board.bins().to_vec())
                .collect();
            assert_eq!(boards, built_from_the_end(length));
        }
        let empty: Vec<TchoukaillonBoard> = of_length(0).expect("a short board").collect();
        assert_eq!(empty, [TchoukaillonBoard::default()]);
    }
}
