//! A strip: the working form of a row of pots, and its exact packed key.
//!
//! Both sowing games are played on strips. A strip is a plain array, so that making a move
//! allocates nothing; its key is a prefix code of at most 127 bits, so that equal keys mean equal
//! strips, never a hash that may collide. The ruleset defines the normal form (stripped ends,
//! capped pots).
//!
//! # The key
//!
//! From the lowest bit: one bit each for an endless left and right end, then every pot from left to
//! right, then a final 1 that marks the end. A pot of v seeds is written
//!
//! | v | code, first bit first |
//! |---|---|
//! | 0 | `0` |
//! | 1 | `10` |
//! | 2 or more | `11`, then v - 1 in Elias' gamma code: n zeros, a one, the n lower bits of v - 1 |
//!
//! So n single seeds on n pots cost 2n + 3 bits, and all followers of `1^n` fit 64 bits up to n =
//! 26.

use std::fmt;
use std::ops::Range;

use thiserror::Error;

use super::AnyBoardError;
use super::grid::{GRID_POTS_MAX, GRID_SIDE_MAX};
use super::row::{Pot, Row};

/// The most pots of a strip.
pub const STRIP_POTS_MAX: usize = 124;
/// The most seeds of one pot of a strip.
pub const STRIP_SEEDS_MAX: u32 = 250;
/// A full pot on a strip with an endless end; elsewhere a full pot is a count like any other.
pub const FULL: u8 = 255;

/// The exact code of a normal form; equal keys mean equal positions of the same ruleset.
pub type Key = u128;

/// The error for a row that is not a position of a ruleset, or that seedbank cannot represent.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PositionError {
    /// The text is not a position on any board.
    #[error(transparent)]
    Text(#[from] AnyBoardError),
    /// A position on another kind of board than the game's.
    #[error("position {board} is not on a board of {game}")]
    OtherBoard {
        /// The game.
        game: &'static str,
        /// The position.
        board: String,
    },
    /// Full pots in a game that has none.
    #[error("position {row} has full pots (e), which only Sowing has; write the number of seeds")]
    FullPots {
        /// The row.
        row: String,
    },
    /// More pots than the fixed board has.
    #[error(
        "position {row} has {found} pots, but the board has {board}; shorten it or widen the board with --pots"
    )]
    OffBoard {
        /// The row.
        row: String,
        /// Its pots.
        found: usize,
        /// The board's pots.
        board: usize,
    },
    /// More pots than a strip can hold.
    #[error("position {row} is {found} pots long; at most {STRIP_POTS_MAX} are supported")]
    TooLong {
        /// The row, or the beginning of it.
        row: String,
        /// Its pots.
        found: usize,
    },
    /// More seeds in a pot than a strip can hold.
    #[error("position {row} has a pot of {found} seeds; at most {most} are supported")]
    TooManySeeds {
        /// The row.
        row: String,
        /// The seeds of the pot.
        found: u32,
        /// The limit.
        most: u32,
    },
    /// More rows, columns or pots than a grid can hold.
    #[error(
        "position {grid} has {rows} rows and {columns} columns; at most {GRID_SIDE_MAX} of each and {GRID_POTS_MAX} pots are \
         supported"
    )]
    OffGrid {
        /// The grid.
        grid: String,
        /// Its rows.
        rows: usize,
        /// Its columns.
        columns: usize,
    },
    /// A position whose key would be too long.
    #[error("position {row} does not fit a key of 127 bits; it has too many pots and seeds")]
    KeyTooLong {
        /// The row.
        row: String,
    },
}

/// The most characters of a row, or of the text given for a value, that a message repeats.
const BRIEF_CHARS: usize = 60;

/// Returns the text of a row for a message, truncated if it is long.
pub fn brief(row: &impl fmt::Display) -> String {
    let text = row.to_string();
    match text.char_indices().nth(BRIEF_CHARS) {
        Some((end, _)) => format!("{}... ({} characters)", &text[..end], text.chars().count()),
        None => text,
    }
}

/// A row of pots in working form. The pots beyond its length are empty.
#[derive(Clone, Copy)]
pub struct Strip {
    pub(crate) len: usize,
    pub(crate) endless_left: bool,
    pub(crate) endless_right: bool,
    pub(crate) pots: [u8; STRIP_POTS_MAX],
}

impl PartialEq for Strip {
    fn eq(&self, other: &Strip) -> bool {
        self.endless_left == other.endless_left
            && self.endless_right == other.endless_right
            && self.pots() == other.pots()
    }
}

impl Eq for Strip {}

impl std::hash::Hash for Strip {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.endless_left, self.endless_right, self.pots()).hash(state);
    }
}

impl Default for Strip {
    fn default() -> Strip {
        Strip {
            len: 0,
            endless_left: false,
            endless_right: false,
            pots: [0; STRIP_POTS_MAX],
        }
    }
}

impl Strip {
    /// Returns a row without full pots, on a board of fixed width at its left end, or else without
    /// empty ends.
    ///
    /// # Errors
    ///
    /// When the row has full pots, or does not fit the board or a strip.
    pub fn counted(row: &Row, board_pots: Option<usize>) -> Result<Strip, PositionError> {
        if row.endless_left || row.endless_right || row.pots.contains(&Pot::Full) {
            return Err(PositionError::FullPots { row: brief(row) });
        }
        let mut pots = &row.pots[..];
        if let Some(board) = board_pots {
            if pots.len() > board {
                let found = pots.len();
                return Err(PositionError::OffBoard {
                    row: brief(row),
                    found,
                    board,
                });
            }
        } else {
            while let [inner @ .., Pot::Seeds(0)] = pots {
                pots = inner;
            }
            while let [Pot::Seeds(0), inner @ ..] = pots {
                pots = inner;
            }
        }
        if pots.len().max(board_pots.unwrap_or(0)) > STRIP_POTS_MAX {
            return Err(PositionError::TooLong {
                row: brief(row),
                found: pots.len(),
            });
        }
        let mut strip = Strip {
            len: board_pots.unwrap_or(pots.len()),
            ..Strip::default()
        };
        for (place, pot) in strip.pots.iter_mut().zip(pots) {
            let Pot::Seeds(found) = *pot else {
                unreachable!("full pots were refused above")
            };
            if found > STRIP_SEEDS_MAX {
                return Err(PositionError::TooManySeeds {
                    row: brief(row),
                    found,
                    most: STRIP_SEEDS_MAX,
                });
            }
            *place = found as u8;
        }
        Ok(strip)
    }

    /// Returns the pots from left to right.
    #[inline]
    pub fn pots(&self) -> &[u8] {
        &self.pots[..self.len]
    }

    /// Returns the strip seen from the other side.
    pub fn mirror(&self) -> Strip {
        let mut mirror = *self;
        mirror.pots[..self.len].reverse();
        (mirror.endless_left, mirror.endless_right) = (self.endless_right, self.endless_left);
        mirror
    }

    /// Returns whether the mirror image comes first and so represents both.
    pub(crate) fn mirror_comes_first(&self) -> bool {
        if self.endless_left != self.endless_right {
            return self.endless_left;
        }
        let pots = self.pots();
        let half = self.len / 2;
        let inward = pots[..half].iter().zip(pots.iter().rev());
        inward
            .map(|(a, b)| a.cmp(b))
            .find(|order| order.is_ne())
            .is_some_and(|order| order.is_gt())
    }

    /// Returns the key of the strip or of its mirror image, whichever comes first, and whether it
    /// is the mirror's.
    ///
    /// # Errors
    ///
    /// If the strip takes more than 127 bits.
    pub fn key(&self) -> Result<(Key, bool), PositionError> {
        let mirrored = self.mirror_comes_first();
        let key = if mirrored {
            let ends = (self.endless_right, self.endless_left);
            KeyBits::of(ends, self.pots().iter().rev())
        } else {
            KeyBits::of((self.endless_left, self.endless_right), self.pots().iter())
        };
        match key {
            Some(key) => Ok((key, mirrored)),
            None => Err(PositionError::KeyTooLong { row: brief(self) }),
        }
    }

    /// Returns the strip that has the key.
    pub fn position_of(key: Key) -> Strip {
        let mut strip = Strip {
            endless_left: key & 1 != 0,
            endless_right: key & 2 != 0,
            ..Strip::default()
        };
        let mut rest = key >> 2;
        while rest != 1 {
            let (pot, width) = match rest & 3 {
                0 | 2 => (0, 1),
                1 => (1, 2),
                _ => {
                    let zeros = (rest >> 2).trailing_zeros();
                    let low = (rest >> (3 + zeros)) as u32 & ((1 << zeros) - 1);
                    ((1 << zeros | low) + 1, 3 + 2 * zeros)
                }
            };
            strip.pots[strip.len] = pot as u8;
            strip.len += 1;
            rest >>= width;
        }
        strip
    }

    /// Returns the strip that has the key, or `None` if no strip has.
    pub fn position_of_stored(key: Key) -> Option<Strip> {
        let mut rest = key >> 2;
        let mut pots = 0;
        while rest != 1 {
            let width = match rest & 3 {
                _ if rest == 0 => return None,
                0 | 2 => 1,
                1 => 2,
                _ => {
                    let zeros = (rest >> 2).trailing_zeros();
                    // A pot holds at most 255 seeds, and 1 << 7 | 127 is followed by one more.
                    if zeros > 7 {
                        return None;
                    }
                    let low = (rest >> (3 + zeros)) as u32 & ((1 << zeros) - 1);
                    if (1 << zeros | low) + 1 > u32::from(u8::MAX) {
                        return None;
                    }
                    3 + 2 * zeros
                }
            };
            pots += 1;
            if pots > STRIP_POTS_MAX {
                return None;
            }
            rest >>= width;
        }
        let strip = Strip::position_of(key);
        // Each position has one code, so a non-canonical code is rejected.
        (strip.key().ok()? == (key, false)).then_some(strip)
    }

    /// Returns the written row.
    pub fn to_row(self) -> Row {
        let pot = |&seeds: &u8| {
            if seeds == FULL {
                Pot::Full
            } else {
                Pot::Seeds(seeds.into())
            }
        };
        Row {
            pots: self.pots().iter().map(pot).collect(),
            endless_left: self.endless_left,
            endless_right: self.endless_right,
        }
    }

    /// Returns the strip with all pots outside of the range empty, and no endless ends.
    pub(crate) fn only(&self, range: Range<usize>) -> Strip {
        let mut strip = Strip {
            len: self.len,
            ..Strip::default()
        };
        strip.pots[range.clone()].copy_from_slice(&self.pots[range]);
        strip
    }

    /// Removes the empty pots at the ends that are not endless.
    pub(crate) fn strip_empty_ends(&mut self) {
        if !self.endless_right {
            while self.len > 0 && self.pots[self.len - 1] == 0 {
                self.len -= 1;
            }
        }
        if !self.endless_left {
            let empty = self.pots().iter().take_while(|&&pot| pot == 0).count();
            self.remove_left(empty);
        }
    }

    /// Removes the first pots.
    pub(crate) fn remove_left(&mut self, count: usize) {
        if count > 0 {
            self.pots.copy_within(count..self.len, 0);
            self.pots[self.len - count..self.len].fill(0);
            self.len -= count;
        }
    }
}

impl fmt::Display for Strip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_row().fmt(f)
    }
}

impl fmt::Debug for Strip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Strip({self})")
    }
}

/// The bits of a key under construction.
struct KeyBits {
    bits: u128,
    len: u32,
}

impl KeyBits {
    /// Returns the key of pots and ends, if it is short enough.
    #[inline]
    fn of<'p>(
        (endless_left, endless_right): (bool, bool),
        pots: impl Iterator<Item = &'p u8> + Clone,
    ) -> Option<Key> {
        // Most keys fit one machine word, and shifting two costs several times as much.
        let mut bits = u64::from(endless_left) | u64::from(endless_right) << 1;
        let mut len = 2;
        for &pot in pots.clone() {
            let (pot_bits, width) = CODES[pot as usize];
            if len + u32::from(width) >= 64 {
                let mut code = KeyBits::new(endless_left, endless_right);
                pots.for_each(|&pot| code.push(pot));
                return code.finish();
            }
            bits |= u64::from(pot_bits) << len;
            len += u32::from(width);
        }
        Some(Key::from(bits | 1 << len))
    }

    fn new(endless_left: bool, endless_right: bool) -> KeyBits {
        KeyBits {
            bits: u128::from(endless_left) | u128::from(endless_right) << 1,
            len: 2,
        }
    }

    fn push(&mut self, pot: u8) {
        let (bits, width) = CODES[pot as usize];
        // Bits beyond the word are lost, but the length says so in the end.
        self.bits |= u128::from(bits) << self.len.min(127);
        self.len += u32::from(width);
    }

    fn finish(self) -> Option<Key> {
        (self.len < 127).then(|| self.bits | 1 << self.len)
    }
}

/// The code of each count of seeds: its bits and their number.
const CODES: [(u32, u8); 256] = {
    let mut codes = [(0, 1); 256];
    codes[1] = (0b01, 2);
    let mut seeds = 2;
    while seeds < 256 {
        let number = seeds as u32 - 1;
        let zeros = number.ilog2();
        let low = number & ((1 << zeros) - 1);
        let bits = 0b11 | (1 << zeros) << 2 | low << (3 + zeros);
        codes[seeds] = (bits, 3 + 2 * zeros as u8);
        seeds += 1;
    }
    codes
};

#[cfg(test)]
mod tests;
