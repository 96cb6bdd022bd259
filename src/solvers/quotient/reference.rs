//! Misère play of sums of heaps by definition: the reference for quotients.
//!
//! Slow on purpose. It shares only the [literal options](HeapGame::options) with the solver.

use cggames::game::heap::HeapGame;
use std::collections::HashMap;

/// The outcomes of sums of heaps of one game if the last player to move loses.
///
/// ```
/// use cgsolvers::quotient::reference::MisereOutcomes;
///
/// let mut kayles = MisereOutcomes::new("kayles".parse()?);
/// // Whoever takes the only token, or the last of three, loses.
/// assert!(kayles.is_p(&[1]) && kayles.is_p(&[1, 1, 1]));
/// assert!(!kayles.is_p(&[]) && !kayles.is_p(&[2]) && kayles.is_p(&[2, 2]));
/// # Ok::<(), cggames::game::heap::HeapGameError>(())
/// ```
#[derive(Debug)]
pub struct MisereOutcomes {
    game: HeapGame,
    known: HashMap<Vec<usize>, bool>,
}

impl MisereOutcomes {
    /// Returns the outcomes of a game, none of them known.
    pub fn new(game: HeapGame) -> MisereOutcomes {
        let known = HashMap::new();
        MisereOutcomes { game, known }
    }

    /// Returns whether the player to move loses, who wins if there is no move.
    ///
    /// Cost: O(options) for each position that can follow. The recursion is as deep as play is long.
    pub fn is_p(&mut self, heaps: &[usize]) -> bool {
        let mut heaps: Vec<usize> = heaps.iter().copied().filter(|&heap| heap > 0).collect();
        heaps.sort_unstable();
        if let Some(&known) = self.known.get(&heaps) {
            return known;
        }
        let options = self.options(&heaps);
        let is_p = !options.is_empty() && !options.iter().any(|option| self.is_p(option));
        self.known.insert(heaps, is_p);
        is_p
    }

    /// Returns the sums after each move.
    fn options(&self, heaps: &[usize]) -> Vec<Vec<usize>> {
        let mut options = Vec::new();
        for i in 0..heaps.len() {
            for parts in self.game.options(heaps[i]) {
                let mut option = heaps.to_vec();
                option.remove(i);
                option.extend(parts.as_slice());
                options.push(option);
            }
        }
        options
    }
}
