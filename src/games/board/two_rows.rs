//! Two rows of pits that face each other, as in mancala.
//!
//! Notation: the pits of the player to move in the order of sowing, ` / `, and the opponent's pits
//! in the order of sowing, with blanks between pits: `3 2 0 / 1 0 3`. Sowing passes through a
//! player's own pits and then through the other's, so pit i of n faces the other's pit n + 1 - i.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::blank::words;

/// The most pits of a side.
pub const SIDE_PITS_MAX: usize = 8;

/// The most seeds of a position.
pub const TWO_ROWS_SEEDS_MAX: u32 = 127;

/// The pits of a player, in the order of sowing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Side {
    pits: u8,
    /// The seeds; 0 beyond the last pit.
    seeds: [u8; SIDE_PITS_MAX],
}

impl Side {
    /// Returns a side without seeds.
    ///
    /// # Panics
    ///
    /// If `pits` is 0 or more than [`SIDE_PITS_MAX`].
    pub fn empty(pits: usize) -> Side {
        assert!(
            (1..=SIDE_PITS_MAX).contains(&pits),
            "a side has 1 to 8 pits"
        );
        Side {
            pits: pits as u8,
            seeds: [0; SIDE_PITS_MAX],
        }
    }

    /// Returns the seeds of each pit.
    pub fn pits(&self) -> &[u8] {
        &self.seeds[..usize::from(self.pits)]
    }

    /// Returns the seeds of each pit, mutably.
    pub fn pits_mut(&mut self) -> &mut [u8] {
        &mut self.seeds[..usize::from(self.pits)]
    }

    /// Returns the number of seeds.
    pub fn seeds(&self) -> u32 {
        self.seeds.iter().map(|&seeds| u32::from(seeds)).sum()
    }
}

/// Two rows of pits, seen by the player to move.
///
/// ```
/// use cggames::board::two_rows::TwoRows;
///
/// let position: TwoRows = "3 2 0/1 0 3".parse()?;
/// assert_eq!(position.mover.pits(), [3, 2, 0]);
/// assert_eq!(position.seeds(), 9);
/// assert_eq!(position.swapped().to_string(), "1 0 3 / 3 2 0");
/// # Ok::<(), cggames::board::two_rows::TwoRowsError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TwoRows {
    /// The pits of the player to move.
    pub mover: Side,
    /// The pits of the opponent, of the same number.
    pub opponent: Side,
}

impl TwoRows {
    /// Returns the position with the other player to move.
    pub fn swapped(&self) -> TwoRows {
        TwoRows {
            mover: self.opponent,
            opponent: self.mover,
        }
    }

    /// Returns the number of seeds in the pits.
    pub fn seeds(&self) -> u32 {
        self.mover.seeds() + self.opponent.seeds()
    }
}

/// The error for a text that is not a position of two rows. Places count characters from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TwoRowsError {
    /// The number of slashes is not one.
    #[error(
        "{found} slashes; write the pits of the player to move, one slash and the opponent's pits, for example 3 2 0 / 1 0 3"
    )]
    Slashes {
        /// The slashes found.
        found: usize,
    },
    /// A word that is not a number of seeds.
    #[error(
        "{found:?} at character {at} is no pit; a pit is a number from 0 to {TWO_ROWS_SEEDS_MAX}, with blanks between pits"
    )]
    Pit {
        /// The text in its place.
        found: String,
        /// Its place.
        at: usize,
    },
    /// A side is empty or too long.
    #[error(
        "the side that ends at character {at} has {found} pits; a side has 1 to {SIDE_PITS_MAX}"
    )]
    Pits {
        /// The place after it.
        at: usize,
        /// Its pits.
        found: usize,
    },
    /// The sides differ.
    #[error("{mover} pits face {opponent}; both sides have equally many")]
    Unequal {
        /// The pits of the player to move.
        mover: usize,
        /// The opponent's.
        opponent: usize,
    },
    /// Too many seeds.
    #[error("{found} seeds; a position has at most {TWO_ROWS_SEEDS_MAX}")]
    Seeds {
        /// The seeds found.
        found: u32,
    },
}

impl TwoRowsError {
    /// Returns the place of the error in characters from 1, or `None` where it is the whole text.
    pub fn at(&self) -> Option<usize> {
        match *self {
            TwoRowsError::Pit { at, .. } | TwoRowsError::Pits { at, .. } => Some(at),
            TwoRowsError::Slashes { .. }
            | TwoRowsError::Unequal { .. }
            | TwoRowsError::Seeds { .. } => None,
        }
    }
}

impl FromStr for TwoRows {
    type Err = TwoRowsError;

    fn from_str(text: &str) -> Result<TwoRows, TwoRowsError> {
        let Some((mover, opponent)) = text
            .split_once('/')
            .filter(|(_, opponent)| !opponent.contains('/'))
        else {
            let found = text.matches('/').count();
            return Err(TwoRowsError::Slashes { found });
        };
        let before = mover.chars().count();
        let mover = read_side(mover, 0)?;
        let opponent = read_side(opponent, before + 1)?;
        let (of_mover, of_opponent) = (mover.pits().len(), opponent.pits().len());
        if of_mover != of_opponent {
            return Err(TwoRowsError::Unequal {
                mover: of_mover,
                opponent: of_opponent,
            });
        }
        let position = TwoRows { mover, opponent };
        match position.seeds() {
            0..=TWO_ROWS_SEEDS_MAX => Ok(position),
            found => Err(TwoRowsError::Seeds { found }),
        }
    }
}

/// Reads a side that begins after `before` characters.
fn read_side(text: &str, before: usize) -> Result<Side, TwoRowsError> {
    let mut seeds = [0; SIDE_PITS_MAX];
    let words = words(text);
    let found = words.clone().count();
    if !(1..=SIDE_PITS_MAX).contains(&found) {
        let at = before + text.chars().count() + 1;
        return Err(TwoRowsError::Pits { at, found });
    }
    for (pit, word) in seeds.iter_mut().zip(words) {
        let number = word.parse().ok();
        let number = number.filter(|&seeds: &u8| u32::from(seeds) <= TWO_ROWS_SEEDS_MAX);
        *pit = number.ok_or_else(|| {
            let start = word.as_ptr() as usize - text.as_ptr() as usize;
            TwoRowsError::Pit {
                found: word.to_owned(),
                at: before + text[..start].chars().count() + 1,
            }
        })?;
    }
    Ok(Side {
        pits: found as u8,
        seeds,
    })
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, seeds) in self.pits().iter().enumerate() {
            let blank = if i == 0 { "" } else { " " };
            write!(f, "{blank}{seeds}")?;
        }
        Ok(())
    }
}

impl fmt::Display for TwoRows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} / {}", self.mover, self.opponent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_reads_back() {
        for text in [
            "0 / 0",
            "3 2 0 / 1 0 3",
            "4 4 4 4 4 4 / 4 4 4 4 4 4",
            "120 / 7",
        ] {
            let position: TwoRows = text.parse().unwrap();
            assert_eq!(position.to_string(), text);
            assert_eq!(position.swapped().swapped(), position);
        }
    }

    #[test]
    fn faults_name_their_place() {
        let error = |text: &str| text.parse::<TwoRows>().unwrap_err();
        for (text, says, at) in [
            ("3 2 0", "0 slashes", None),
            ("1 / 2 / 3", "2 slashes", None),
            ("3 x 0 / 1 0 3", "\"x\" at character 3", Some(3)),
            ("3 2 0 / 1 -1 3", "\"-1\" at character 11", Some(11)),
            ("1 / 128", "\"128\" at character 5", Some(5)),
            ("1 2 /", "ends at character 6 has 0 pits", Some(6)),
            ("1 1 1 1 1 1 1 1 1 / 1", "has 9 pits", Some(19)),
            ("1 2 / 3", "2 pits face 1", None),
            ("100 / 100", "200 seeds", None),
        ] {
            let error = error(text);
            assert!(error.to_string().contains(says), "{text}: {error}");
            assert_eq!(error.at(), at, "{text}");
        }
    }
}
