//! Tchuka Ruma: a solitaire of sowing around a ring of pits and a store, the Ruma.
//!
//! Pits lie in a row and the Ruma behind the last of them. To play a pit is to take all its stones
//! and sow one into each place behind it. After the Ruma sowing continues with the first pit, and
//! does not skip the pit played. If the last stone falls into the Ruma, the player chooses a pit
//! again. If it falls into a pit with stones, all stones there are sown on in the same way. If it
//! falls into an empty pit, the game is lost. It is won when all stones are in the Ruma.
//!
//! Play ends: each sowing of a play that puts no stone into the Ruma ends in a later pit than it
//! began, and stones never leave the Ruma. So the number of sowings of a play is at most the number
//! of pits times the number of stones that it brings home.
//!
//! Notation: the stones of each pit in the order of sowing, with blanks between them; Delannoy's
//! game starts from `2 2 2 2`. Plays are named by their pits, counted from 1.
//!
//! Source: Campbell and Chavey, *Tchuka Ruma Solitaire*, UMAP Journal 16(4), 1995, after Degrazia.
//!
//! ```
//! use cggames::game::tchuka_ruma::{Played, Ring};
//!
//! let mut ring: Ring = "2 2 2 2".parse()?;
//! assert_eq!(ring.play(2), Played::Ended);
//! assert_eq!(ring.to_string(), "2 2 0 3");
//! assert_eq!(ring.play(0), Played::Lost);
//! # Ok::<(), cggames::game::tchuka_ruma::RingError>(())
//! ```

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::board::words;

/// The rules and one move, for the help.
pub const RULES: &str = "\
Tchuka Ruma: a solitaire; pits lie in a row and behind them the Ruma, the store
that all stones must reach. Take all the stones of a pit and sow one into each
place behind it, and behind the Ruma on from the first pit. If the last stone
falls into the Ruma, choose a pit again; if into a pit with stones, sow on with
all that lie there; if into an empty pit, the game is lost. Pit 3 is played:

    2 2 (2) 2 | Ruma  ->  2 2 0 3 | Ruma
";

/// The most pits of a ring.
pub const RING_PITS_MAX: usize = 16;

/// The most stones in the pits of a ring.
pub const RING_STONES_MAX: u32 = 255;

/// The stones in each pit, in the order of sowing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ring {
    pits: u8,
    /// The stones of each pit; 0 beyond the last.
    stones: [u8; RING_PITS_MAX],
}

/// The end of a play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Played {
    /// In the Ruma: there is another play, or the game is won.
    Ended,
    /// In an empty pit.
    Lost,
}

impl Ring {
    /// Returns a ring of empty pits.
    ///
    /// # Panics
    ///
    /// If `pits` is 0 or more than [`RING_PITS_MAX`].
    pub fn empty(pits: usize) -> Ring {
        assert!(
            (1..=RING_PITS_MAX).contains(&pits),
            "a ring has 1 to 16 pits"
        );
        Ring {
            pits: pits as u8,
            stones: [0; RING_PITS_MAX],
        }
    }

    /// Returns the stones of each pit.
    pub fn pits(&self) -> &[u8] {
        &self.stones[..usize::from(self.pits)]
    }

    /// Returns the stones of each pit, mutably; their sum must be at most [`RING_STONES_MAX`].
    pub fn pits_mut(&mut self) -> &mut [u8] {
        &mut self.stones[..usize::from(self.pits)]
    }

    /// Returns the number of stones in the pits.
    pub fn stones(&self) -> u32 {
        self.stones.iter().map(|&stones| u32::from(stones)).sum()
    }

    /// Plays a pit, counted from 0, to the end, in O(pits) for each sowing.
    ///
    /// # Panics
    ///
    /// If the pit is empty, or there is none.
    pub fn play(&mut self, pit: usize) -> Played {
        let places = self.pits().len() + 1;
        let mut from = pit;
        loop {
            let in_hand = usize::from(std::mem::take(&mut self.pits_mut()[from]));
            assert!(in_hand > 0, "the pit that is played holds seeds");
            let (laps, rest) = (in_hand / places, in_hand % places);
            for (place, stones) in self.pits_mut().iter_mut().enumerate() {
                let behind = (place + places - from - 1) % places;
                *stones += (laps + usize::from(behind < rest)) as u8;
            }
            let last = (from + in_hand) % places;
            match self.pits().get(last) {
                None => return Played::Ended,
                Some(1) => return Played::Lost,
                Some(_) => from = last,
            }
        }
    }
}

/// The reason why a text is not a ring. Places count characters from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RingError {
    /// A word that is not a number of stones.
    #[error(
        "{found:?} at character {at} is no pit; a pit is a number from 0 to {RING_STONES_MAX}, with blanks between pits"
    )]
    Pit {
        /// The text in its place.
        found: String,
        /// Its place.
        at: usize,
    },
    /// No pits, or too many.
    #[error(
        "{found} pits; write 1 to {RING_PITS_MAX}, in the order of sowing, for example 2 2 2 2"
    )]
    Pits {
        /// The pits found.
        found: usize,
    },
    /// Too many stones.
    #[error("{found} stones; a ring has at most {RING_STONES_MAX}")]
    Stones {
        /// The stones found.
        found: u32,
    },
}

impl FromStr for Ring {
    type Err = RingError;

    fn from_str(text: &str) -> Result<Ring, RingError> {
        let found = words(text).count();
        if !(1..=RING_PITS_MAX).contains(&found) {
            return Err(RingError::Pits { found });
        }
        let mut ring = Ring::empty(found);
        for (pit, word) in ring.pits_mut().iter_mut().zip(words(text)) {
            *pit = word.parse().map_err(|_| {
                let start = word.as_ptr() as usize - text.as_ptr() as usize;
                RingError::Pit {
                    found: word.to_owned(),
                    at: text[..start].chars().count() + 1,
                }
            })?;
        }
        match ring.stones() {
            0..=RING_STONES_MAX => Ok(ring),
            found => Err(RingError::Stones { found }),
        }
    }
}

impl fmt::Display for Ring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (pit, stones) in self.pits().iter().enumerate() {
            let blank = if pit == 0 { "" } else { " " };
            write!(f, "{blank}{stones}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As [`Ring::play`], stone by stone and word by word from the rules; the Ruma is the last
    /// place.
    fn played_literally(ring: &Ring, pit: usize) -> (Played, Ring) {
        let mut places: Vec<u32> = ring.pits().iter().map(|&stones| stones.into()).collect();
        let ruma = places.len();
        places.push(0);
        let mut place = pit;
        let played = loop {
            let mut in_hand = std::mem::take(&mut places[place]);
            let mut was_empty = false;
            while in_hand > 0 {
                place = (place + 1) % places.len();
                was_empty = places[place] == 0;
                places[place] += 1;
                in_hand -= 1;
            }
            if place == ruma {
                break Played::Ended;
            }
            if was_empty {
                break Played::Lost;
            }
        };
        let mut after = *ring;
        for (pit, &stones) in after.pits_mut().iter_mut().zip(&places) {
            *pit = stones as u8;
        }
        (played, after)
    }

    #[test]
    fn plays_are_those_of_the_rules() {
        let mut generator = fastrand::Rng::with_seed(7);
        let mut ended = 0;
        for _ in 0..20_000 {
            let mut ring = Ring::empty(generator.usize(1..=RING_PITS_MAX));
            let most = generator.u8(1..=15);
            ring.pits_mut()
                .iter_mut()
                .for_each(|stones| *stones = generator.u8(0..=most));
            for pit in 0..ring.pits().len() {
                if ring.pits()[pit] == 0 {
                    continue;
                }
                let mut after = ring;
                let played = after.play(pit);
                assert_eq!(
                    (played, after),
                    played_literally(&ring, pit),
                    "{ring}, {pit}"
                );
                ended += u32::from(played == Played::Ended);
            }
        }
        assert!(ended > 10_000, "{ended}");
    }

    #[test]
    fn texts_and_rings_invert_each_other() {
        let ring: Ring = " 2 0  12 ".parse().expect("a ring");
        assert_eq!((ring.pits(), ring.stones()), (&[2, 0, 12][..], 14));
        assert_eq!(ring.to_string().parse(), Ok(ring));
        let error = |text: &str| text.parse::<Ring>().unwrap_err().to_string();
        for (text, part) in [
            ("", "0 pits; write 1 to 16"),
            ("1 x", "\"x\" at character 3 is no pit"),
            ("1 256", "\"256\" at character 3"),
            ("200 56", "256 stones"),
        ] {
            assert!(error(text).contains(part), "{}", error(text));
        }
    }
}
