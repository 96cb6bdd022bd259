//! Margins of scored games straight from the definitions, by literal play and a map of all
//! positions reached.

use std::collections::{BTreeMap, HashMap};

use cggames::board::two_rows::TwoRows;
use cggames::game::scored::{Scored, ScoredOption};

/// Finds margins of single positions of a scored game.
///
/// Cost: rounds times the moves of all followers. The number of rounds is at most the number of
/// moves in which a margin can be forced.
///
/// ```
/// use cgsolvers::reference::ReferenceScores;
/// use cggames::game::scored::Kalah;
///
/// let mut scores = ReferenceScores::new(Kalah::default());
/// assert_eq!(scores.margin(&"1 1 1 1 1 1 / 1 1 1 1 1 1".parse()?), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ReferenceScores<G> {
    game: G,
    margins: HashMap<TwoRows, i32>,
}

impl<G: Scored> ReferenceScores<G> {
    /// Returns a finder without known margins.
    pub fn new(game: G) -> ReferenceScores<G> {
        ReferenceScores {
            game,
            margins: HashMap::new(),
        }
    }

    /// Returns the margin of the player to move.
    ///
    /// Positions are processed by their number of seeds. Among those with equal numbers, consider
    /// play that stops after k moves unless a seed has been won: it has a margin for each k. The
    /// margin of a position is the limit of these, since a margin that can be forced is forced
    /// within some number of moves.
    pub fn margin(&mut self, position: &TwoRows) -> i32 {
        let mut by_seeds: BTreeMap<u32, HashMap<TwoRows, Vec<ScoredOption>>> = BTreeMap::new();
        let mut left = vec![*position];
        while let Some(position) = left.pop() {
            let tier = by_seeds.entry(position.seeds()).or_default();
            if !tier.contains_key(&position) && !self.margins.contains_key(&position) {
                let options = self.game.literal_options(&position);
                left.extend(options.iter().map(|option| option.position));
                tier.insert(position, options);
            }
        }
        for tier in by_seeds.values() {
            let mut margins = HashMap::new();
            loop {
                let next = tier
                    .iter()
                    .map(|(position, options)| (*position, self.best(position, options, &margins)));
                let next = next.collect();
                if next == margins {
                    break;
                }
                margins = next;
            }
            self.margins.extend(margins);
        }
        self.margins[position]
    }

    /// Returns the margin of a position from those of its options; a missing margin counts as 0.
    fn best(
        &self,
        position: &TwoRows,
        options: &[ScoredOption],
        margins: &HashMap<TwoRows, i32>,
    ) -> i32 {
        let margin = |option: &ScoredOption| {
            let after = &option.position;
            let known = self.margins.get(after).or(margins.get(after));
            option.margin(known.copied().unwrap_or(0))
        };
        let (mover, opponent) = (position.mover.seeds(), position.opponent.seeds());
        let at_the_end = || self.game.margin_without_sowing(mover, opponent);
        options.iter().map(margin).max().unwrap_or_else(at_the_end)
    }
}
