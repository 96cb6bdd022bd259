//! Tchoukaillon: a solitaire in which stones are sown towards the Ruma, the store that all of them
//! must reach.
//!
//! Bins 1, 2, 3, ... lie in a row beside the Ruma, bin 1 next to it. To play a bin is to take all
//! its stones and put one into each following bin towards the Ruma and the last one into the Ruma.
//! So only a *harvestable* bin may be played, one whose number of stones equals its own number. The
//! board is won when it is empty. Each play brings exactly one stone into the Ruma.
//!
//! If several bins are harvestable, only a play of the nearest can win: a play of a farther one
//! would give the nearest more stones than its number, and these never leave it. So a winning board
//! is won in exactly one way. Backwards, *unplaying* picks one stone out of the Ruma and one out of
//! each bin from the nearest on, and drops them into the first empty bin: from the empty board it
//! makes the one winning board of each number of stones.
//!
//! Source: Jones, Taalman and Tongen, "Solitaire Mancala Games and the Chinese Remainder Theorem",
//! Section 1 (rules, unplaying) and Theorem 3.2 (which boards are winning). Their Figure 1:
//!
//! ```
//! use cggames::game::tchoukaillon::TchoukaillonBoard;
//!
//! let mut board: TchoukaillonBoard = "(0, 1, 3)".parse()?;
//! let mut seen = vec![board.to_string()];
//! while let Some(bin) = board.first_play() {
//!     board.play(bin)?;
//!     seen.push(board.to_string());
//! }
//! assert_eq!(seen, ["(0, 1, 3)", "(1, 2)", "(0, 2)", "(1)", "()"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Invariant: the last bin of a [`TchoukaillonBoard`] is not empty. The module knows only the rules; the engine
//! finds the winning board of a number of stones and does all counting.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// The rules and one move, for the help.
pub const RULES: &str = "\
Tchoukaillon: a solitaire; bins 1, 2, 3, ... lie in a row beside the Ruma, the
store that all stones must reach. Take all the stones of a bin and sow one into
each bin towards the Ruma, the last into the Ruma itself: so bin k can be played
only with k stones. The board is won when it is empty. Bin 3 is played:

    Ruma | 0 1 (3)  ->  Ruma | 1 2 0
";

/// The stones of each bin, nearest bin first, without the empty bins beyond the last stone.
///
/// Any numbers of stones are accepted, including boards that cannot be won.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TchoukaillonBoard {
    bins: Vec<u32>,
}

/// The reason why a bin cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlayError {
    /// The bin's number of stones differs from its own number.
    #[error(
        "bin {bin} holds {found}, not {bin}, and cannot be played; only a bin whose stones equal \
         its number can, counted from 1 beside the Ruma"
    )]
    NotHarvestable {
        /// The bin.
        bin: usize,
        /// The stones that it holds.
        found: u32,
    },
    /// A bin that the play passes can take no more stones.
    #[error("bin {bin} holds {} stones and can take no more", u32::MAX)]
    Full {
        /// The full bin.
        bin: usize,
    },
}

/// The reason why a text is not a board.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParseBoardError {
    /// The parentheses are missing.
    #[error(
        "expected a board in parentheses, nearest bin first, for example (1, 2, 0, 2, 4, 6); found {found:?}"
    )]
    Parentheses {
        /// The text.
        found: String,
    },
    /// Something between commas is not a number of stones.
    #[error("bin {bin} is {found:?}; a bin holds 0 to {} stones", u32::MAX)]
    Stones {
        /// The bin, counted from 1 beside the Ruma.
        bin: usize,
        /// The text in its place.
        found: String,
    },
}

impl TchoukaillonBoard {
    /// Returns the board with these stones, nearest bin first; empty bins at the end are dropped.
    pub fn new(mut bins: Vec<u32>) -> TchoukaillonBoard {
        let length = bins.iter().rposition(|&stones| stones > 0);
        bins.truncate(length.map_or(0, |last| last + 1));
        TchoukaillonBoard { bins }
    }

    /// Returns the stones of each bin, nearest bin first; the last is not 0.
    pub fn bins(&self) -> &[u32] {
        &self.bins
    }

    /// Returns the stones in a bin, counted from 1 beside the Ruma; 0 beyond the last stone.
    pub fn bin(&self, bin: usize) -> u32 {
        let index = bin.checked_sub(1);
        index
            .and_then(|index| self.bins.get(index))
            .copied()
            .unwrap_or(0)
    }

    /// Returns the number of the farthest bin with a stone, the board's length; 0 when empty.
    pub fn length(&self) -> usize {
        self.bins.len()
    }

    /// Returns the number of stones on the board.
    pub fn stones(&self) -> u128 {
        self.bins.iter().map(|&stones| u128::from(stones)).sum()
    }

    /// Returns whether all stones can be brought into the Ruma, in O(length).
    ///
    /// Theorem 3.2: no bin holds more stones than its number, and the stones of bin i and beyond
    /// are together a multiple of i, for each i.
    ///
    /// ```
    /// use cggames::game::tchoukaillon::TchoukaillonBoard;
    ///
    /// assert!(TchoukaillonBoard::new(vec![0, 1, 3]).is_winning());
    /// assert!(!TchoukaillonBoard::new(vec![1, 1, 0]).is_winning());
    /// ```
    pub fn is_winning(&self) -> bool {
        let mut beyond = 0u128;
        self.bins.iter().enumerate().rev().all(|(index, &stones)| {
            let bin = index as u128 + 1;
            beyond += u128::from(stones);
            u128::from(stones) <= bin && beyond.is_multiple_of(bin)
        })
    }

    /// Returns the nearest harvestable bin, the only one that can win; `None` if there is none.
    pub fn first_play(&self) -> Option<usize> {
        let harvestable = |(index, &stones): (usize, &u32)| stones as usize == index + 1;
        Some(self.bins.iter().enumerate().position(harvestable)? + 1)
    }

    /// Sows the stones of a bin, any harvestable one, in O(bin).
    ///
    /// # Errors
    ///
    /// [`PlayError`] when the rules forbid it; the board is then as before.
    pub fn play(&mut self, bin: usize) -> Result<(), PlayError> {
        let found = self.bin(bin);
        if bin == 0 || found as usize != bin {
            return Err(PlayError::NotHarvestable { bin, found });
        }
        let passed = &self.bins[..bin - 1];
        if let Some(full) = passed.iter().position(|&stones| stones == u32::MAX) {
            return Err(PlayError::Full { bin: full + 1 });
        }
        for stones in &mut self.bins[..bin - 1] {
            *stones += 1;
        }
        self.bins[bin - 1] = 0;
        while self.bins.last() == Some(&0) {
            self.bins.pop();
        }
        Ok(())
    }

    /// Undoes a play and returns its bin, the first empty one.
    ///
    /// ```
    /// use cggames::game::tchoukaillon::TchoukaillonBoard;
    ///
    /// let mut board = TchoukaillonBoard::new(vec![1, 2, 2, 4]);
    /// assert_eq!(board.unplay(), 5);
    /// assert_eq!(board.to_string(), "(0, 1, 1, 3, 5)");
    /// ```
    pub fn unplay(&mut self) -> usize {
        let empty = self.bins.iter().position(|&stones| stones == 0);
        let index = empty.unwrap_or(self.bins.len());
        for stones in &mut self.bins[..index] {
            *stones -= 1;
        }
        // A board of 2^32 bins would take 16 GiB; its last bin cannot be written in 32 bits.
        let dropped = u32::try_from(index + 1).expect("a board has fewer than 2^32 bins");
        match self.bins.get_mut(index) {
            Some(stones) => *stones = dropped,
            None => self.bins.push(dropped),
        }
        index + 1
    }

    /// Returns the bins in the order in which they are played: nearest harvestable bin first, until
    /// none is harvestable.
    ///
    /// A winning board of n stones is empty after n plays. See [`Plays::board`] for the rest.
    ///
    /// ```
    /// use cggames::game::tchoukaillon::TchoukaillonBoard;
    ///
    /// let board = TchoukaillonBoard::new(vec![0, 1, 3]);
    /// assert_eq!(board.plays().collect::<Vec<_>>(), [3, 1, 2, 1]);
    /// ```
    pub fn plays(&self) -> Plays {
        Plays {
            board: self.clone(),
        }
    }
}

/// Plays the nearest harvestable bin repeatedly; see [`TchoukaillonBoard::plays`].
#[derive(Clone, Debug)]
pub struct Plays {
    board: TchoukaillonBoard,
}

impl Plays {
    /// Returns the board after the plays so far.
    pub fn board(&self) -> &TchoukaillonBoard {
        &self.board
    }
}

impl Iterator for Plays {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let bin = self.board.first_play()?;
        // A bin too full to take a stone holds more stones than its number, so the board is lost.
        self.board.play(bin).ok()?;
        Some(bin)
    }
}

impl fmt::Display for TchoukaillonBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for (index, stones) in self.bins.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(f, "{comma}{stones}")?;
        }
        f.write_str(")")
    }
}

impl FromStr for TchoukaillonBoard {
    type Err = ParseBoardError;

    /// Reads `(1, 2, 0, 2)`: numbers of stones, nearest bin first; blanks and empty bins at the end
    /// do not matter.
    fn from_str(text: &str) -> Result<TchoukaillonBoard, ParseBoardError> {
        let trimmed = text.trim();
        let inside = trimmed.strip_prefix('(').and_then(|t| t.strip_suffix(')'));
        let inside = inside.ok_or_else(|| ParseBoardError::Parentheses { found: text.into() })?;
        if inside.trim().is_empty() {
            return Ok(TchoukaillonBoard::default());
        }
        let bin = |(index, word): (usize, &str)| {
            let found = word.trim();
            found.parse().map_err(|_| ParseBoardError::Stones {
                bin: index + 1,
                found: found.to_owned(),
            })
        };
        let bins = inside.split(',').enumerate().map(bin);
        Ok(TchoukaillonBoard::new(bins.collect::<Result<_, _>>()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns whether some order of plays, not only nearest first, clears the board.
    fn winnable(board: &TchoukaillonBoard) -> bool {
        let tries = 1..=board.length();
        board.length() == 0
            || tries.into_iter().any(|bin| {
                let mut next = board.clone();
                next.play(bin).is_ok() && winnable(&next)
            })
    }

    #[test]
    fn the_test_agrees_with_trying_all_plays() {
        let mut winning = 0;
        for code in 0..2 * 3 * 4 * 5 * 6 * 7u32 {
            let mut rest = code;
            let digit = |size| {
                let stones = rest % size;
                rest /= size;
                stones
            };
            // Each bin holds up to one stone more than its number allows.
            let board = TchoukaillonBoard::new([2, 3, 4, 5, 6, 7].map(digit).to_vec());
            assert_eq!(board.is_winning(), winnable(&board), "{board}");
            winning += u32::from(board.is_winning());
        }
        // Boards of at most 6 bins are those of fewer than N(7) = 18 stones.
        assert_eq!(winning, 18);
        assert!(!TchoukaillonBoard::new(vec![2]).is_winning());
        assert!(!winnable(&TchoukaillonBoard::new(vec![1, 3])));
    }

    #[test]
    fn unplaying_undoes_playing() {
        let mut board = TchoukaillonBoard::default();
        for stones in 1..3000u128 {
            let before = board.clone();
            let bin = board.unplay();
            assert!(board.is_winning());
            assert_eq!(board.stones(), stones);
            assert_eq!(board.first_play(), Some(bin));
            assert_eq!(board.to_string().parse(), Ok(board.clone()));
            let mut after = board.clone();
            assert_eq!(after.play(bin), Ok(()));
            assert_eq!(after, before);
        }
        let plays = board.plays();
        assert_eq!(plays.count(), 2999);
    }

    #[test]
    fn lost_boards_end_with_stones() {
        let mut plays = TchoukaillonBoard::new(vec![1, 1]).plays();
        assert_eq!(plays.by_ref().collect::<Vec<_>>(), [1]);
        assert_eq!(plays.board().to_string(), "(0, 1)");
        let mut board = TchoukaillonBoard::new(vec![u32::MAX, 2]);
        assert_eq!(board.plays().next(), None);
        assert_eq!(board.play(2), Err(PlayError::Full { bin: 1 }));
    }

    #[test]
    fn errors_say_what_is_accepted() {
        let mut board = TchoukaillonBoard::new(vec![1, 1]);
        assert_eq!(
            board.play(2).unwrap_err().to_string(),
            "bin 2 holds 1, not 2, and cannot be played; only a bin whose stones equal its \
             number can, counted from 1 beside the Ruma"
        );
        assert!(board.play(0).is_err() && board.play(9).is_err());
        let error = |text: &str| text.parse::<TchoukaillonBoard>().unwrap_err().to_string();
        assert_eq!(
            error("1, 2"),
            "expected a board in parentheses, nearest bin first, for example (1, 2, 0, 2, 4, 6); \
             found \"1, 2\""
        );
        assert_eq!(
            error("(1, x)"),
            "bin 2 is \"x\"; a bin holds 0 to 4294967295 stones"
        );
        assert_eq!(
            error("(1,,2)"),
            "bin 2 is \"\"; a bin holds 0 to 4294967295 stones"
        );
        assert_eq!("( 0,2 , 0)".parse(), Ok(TchoukaillonBoard::new(vec![0, 2])));
        assert_eq!("()".parse(), Ok(TchoukaillonBoard::default()));
    }
}
