//! Nim: a move takes any number of tokens from one heap.
//!
//! From heaps of 1 and 2 a move leads to 0 and 2, to 1 and 1, or to 1 and 0. The second is a win
//! for the player who moved, who answers every move by the same move in the other heap.
//!
//! Every move takes a token, so play ends.
//!
//! Source: C. L. Bouton, *Nim, a game with a complete mathematical theory* (1901); AMS Feature
//! Column, *Combinatorial games*, parts 4 and 5.

use std::fmt;

use super::{Impartial, write_numbers};

/// The rules of Nim, played with all heaps as one game.
///
/// ```
/// use cggames::game::impartial::{Impartial, Nim, NimHeaps};
///
/// let heaps = NimHeaps::new([1, 2]);
/// let options: Vec<String> = Nim.options(&heaps).iter().map(|o| o[0].to_string()).collect();
/// assert_eq!(options, ["0,2", "1,1", "1,0"]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Nim;

/// The heaps of tokens, in order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NimHeaps {
    heaps: Vec<u32>,
}

impl NimHeaps {
    /// Returns these heaps.
    pub fn new(heaps: impl IntoIterator<Item = u32>) -> NimHeaps {
        NimHeaps {
            heaps: heaps.into_iter().collect(),
        }
    }

    /// Returns the sizes of the heaps.
    pub fn sizes(&self) -> &[u32] {
        &self.heaps
    }
}

impl fmt::Display for NimHeaps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_numbers(f, &self.heaps)
    }
}

impl Impartial for Nim {
    type Position = NimHeaps;

    fn options(&self, position: &NimHeaps) -> Vec<Vec<NimHeaps>> {
        let mut options = Vec::new();
        for (i, &size) in position.heaps.iter().enumerate() {
            for taken in 1..=size {
                let mut after = position.clone();
                after.heaps[i] = size - taken;
                options.push(vec![after]);
            }
        }
        options
    }
}
