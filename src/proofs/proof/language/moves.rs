//! The moves of a player as a rational relation between rows.
//!
//! The [machine of a move](cggames::game::reading) reads a word and writes one of the same length: it
//! is a finite transducer. The rows that it writes when it reads a regular language are a regular
//! language, and so are the rows from which it writes one (Nivat's theorem; Berstel, Transductions
//! and Context-Free Languages, 1979, chapter III). Both are the product of the language's automaton
//! and the machine, with one of the two pots of each letter forgotten.

use cggames::game::reading::{Direction, FULL, Pot, Reading, State};
use cggames::game::{Play, Player};

use super::automaton::Automaton;
use crate::proof::claim::directions;

/// The moves of a player.
#[derive(Clone, Copy, Debug)]
pub struct Moves {
    /// How the game's moves are read.
    pub reading: Reading,
    /// The way of playing.
    pub play: Play,
    /// The player.
    pub mover: Player,
}

impl Moves {
    /// Returns the directions in which the player sows.
    pub fn directions(self) -> &'static [Direction] {
        directions(self.play, self.mover)
    }

    /// Returns the options of the rows of a language.
    ///
    /// The product has O(n k) states before it is determinised: n states of the automaton, k seeds
    /// of the fullest pot.
    pub fn image(self, rows: &Automaton) -> Automaton {
        let most = rows.seeds_most();
        let next = |&(place, state): &(usize, State)| {
            let mut written = Vec::new();
            for (pot, to) in rows.transitions(place) {
                self.reading.step(state, pot, most, &mut |state, after| {
                    written.push((after, (to, state)));
                });
            }
            written
        };
        self.product(rows, next)
    }

    /// Returns the rows with an option in a language, of those whose pots are full or have at most
    /// `most` seeds. Without that bound there would be a letter for every number of seeds.
    pub fn preimage(self, options: &Automaton, most: Pot) -> Automaton {
        let full = self.reading.has_full_pots().then_some(FULL);
        let next = |&(place, state): &(usize, State)| {
            let mut read = Vec::new();
            for pot in (0..=most).chain(full) {
                self.reading.step(state, pot, most, &mut |state, after| {
                    let to = options.step(place, after);
                    read.extend(to.map(|to| (pot, (to, state))));
                });
            }
            read
        };
        self.product(options, next)
    }

    /// Returns the automaton of one side of the pairs of words that the machine accepts, where the
    /// other side is in a language.
    ///
    /// A word stands for the row on its side only if the move ends within it, that is if its first
    /// and last pot are unchanged. A move makes no pot empty or full that is beyond the ends, so
    /// these are the words on both sides that begin and end with an empty or full pot. Shorter words
    /// for the same rows may have no room for the move, so they are added.
    fn product(
        self,
        language: &Automaton,
        next: impl Fn(&(usize, State)) -> Vec<(Pot, (usize, State))>,
    ) -> Automaton {
        let starts = self.directions().iter();
        let starts = starts.map(|&direction| (0, State::Before(direction)));
        let accepts = |&(place, state): &(usize, State)| {
            state == State::After && language.is_accepting(place)
        };
        Automaton::determinised(starts.collect(), next, accepts).stripped()
    }
}
