//! Ordinal sums `G:H = {G^L, G:H^L | G^R, G:H^R}` of loopy games.
//!
//! As of short games, the sum depends on the form of G, here its canonical form, and on the value of H alone: who answers a move in one
//! of two copies of G by the same move in the other is left with a difference of equal stoppers, and survives. So `G:H >= G:K` if `H >= K`, but the converse fails for loopy bases. G has to be
//! a stopper, and the sides of `G:H` are those of G under the sides of H.

use foldhash::fast::RandomState;
use hashbrown::HashMap;

use super::calculator::{LoopyCalculator, LoopyError};
use super::graph::{BOTH, LoopyGraph, Target};
use super::stopper::{Sides, Stopper};
use crate::ValueId;

impl LoopyCalculator<'_> {
    /// Returns the ordinal sum of the canonical form of the base, a stopper, and a game; `None` where a side of it was not found to be
    /// a stopper.
    ///
    /// Cost: that of the [sides](LoopyCalculator::sides) of a graph with a node for each follower of a side of `above`.
    ///
    /// # Errors
    ///
    /// [`LoopyError::NoForm`] if the base has two sides; as [`sides`](LoopyCalculator::sides).
    ///
    /// ```
    /// use cgvalues::{Arena, LoopyCalculator};
    ///
    /// let arena = Arena::new();
    /// let mut c = LoopyCalculator::new(&arena);
    /// for (base, above, sum) in [("on", "off", "{on|pass}"), ("1", "off", "over"), ("*", "on", "^[on]*")] {
    ///     let [base, above, sum] = [base, above, sum].map(|text| c.parse(text).unwrap());
    ///     assert_eq!(c.ordinal_sum(base, above)?, Some(sum));
    /// }
    /// # Ok::<(), cgvalues::LoopyError>(())
    /// ```
    pub fn ordinal_sum(&mut self, base: Sides, above: Sides) -> Result<Option<Sides>, LoopyError> {
        let base = base.stopper().ok_or(LoopyError::NoForm)?;
        let onsides = self.ordinal_graph(base, above.onside)?;
        if above.stopper().is_some() {
            return self.sides_of(&onsides, &onsides, 0);
        }
        let offsides = self.ordinal_graph(base, above.offside)?;
        self.sides_of(&onsides, &offsides, 0)
    }

    /// Returns the graph of the ordinal sum of two stoppers, which is its first node.
    fn ordinal_graph(&mut self, base: Stopper, above: Stopper) -> Result<LoopyGraph, LoopyError> {
        let of_base = self.options_of(base);
        let mut graph = LoopyGraph::default();
        let mut places: HashMap<Stopper, u32, RandomState> = HashMap::default();
        let mut followers = vec![above];
        places.insert(above, graph.node());
        let mut at = 0;
        while let Some(&follower) = followers.get(at) {
            let mut options = self.options_of(follower).map(|options| {
                let target = |option| match option {
                    Stopper::Short(ValueId::ZERO) => Target::Form(base),
                    option => Target::Node(*places.entry(option).or_insert_with(|| {
                        followers.push(option);
                        graph.node()
                    })),
                };
                options.into_iter().map(target).collect::<Vec<Target>>()
            });
            for player in BOTH {
                options[player].extend(of_base[player].iter().copied().map(Target::Form));
            }
            graph.set(at as u32, options);
            at += 1;
            self.step()?;
        }
        Ok(graph)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{endings, graph, random_moves, sum};
    use super::*;
    use crate::{Arena, Comparison, Ending};

    /// The moves of the ordinal sum of the first positions of two games.
    fn ordinal(base: &[[Vec<usize>; 2]], above: &[[Vec<usize>; 2]]) -> Vec<[Vec<usize>; 2]> {
        let in_base =
            |options: &Vec<usize>| options.iter().map(|next| next + above.len()).collect();
        let of_above = above.iter().map(|moves| {
            BOTH.map(|player| {
                let ends = base[0][player].iter().map(|next| next + above.len());
                moves[player].iter().copied().chain(ends).collect()
            })
        });
        let of_base = base.iter().map(|moves| moves.each_ref().map(in_base));
        of_above.chain(of_base).collect()
    }

    /// The moves in the canonical form of a stopper.
    fn moves_of(c: &LoopyCalculator<'_>, stopper: Stopper) -> Vec<[Vec<usize>; 2]> {
        let mut followers = vec![stopper];
        let mut moves = Vec::new();
        while let Some(&follower) = followers.get(moves.len()) {
            moves.push(c.options_of(follower).map(|options| {
                let mut place = |option| {
                    let known = followers.iter().position(|&known| known == option);
                    known.unwrap_or_else(|| {
                        followers.push(option);
                        followers.len() - 1
                    })
                };
                options.into_iter().map(&mut place).collect::<Vec<usize>>()
            }));
        }
        moves
    }

    #[test]
    fn ordinal_sums_end_as_play_of_their_moves() {
        let arena = Arena::new();
        let mut random = fastrand::Rng::with_seed(7);
        let (mut loopy_bases, mut two_sided, mut refused) = (0, 0, 0);
        for _ in 0..600 {
            let mut c = LoopyCalculator::new(&arena);
            let games: Vec<_> = (0..3).map(|_| random_moves(&mut random, 4, 2)).collect();
            let mut sides = Vec::new();
            for moves in &games {
                sides.extend(c.sides(&graph(moves)).unwrap()[0]);
            }
            let [base, above, beside] = sides[..] else {
                continue;
            };
            let Some(form) = base.stopper() else {
                assert_eq!(c.ordinal_sum(base, above), Err(LoopyError::NoForm));
                refused += 1;
                continue;
            };
            loopy_bases += usize::from(matches!(form, Stopper::Loopy(_)));
            two_sided += usize::from(above.stopper().is_none());
            let found = c.ordinal_sum(base, above).unwrap().unwrap();
            let beside_it = c.sum(found, beside).unwrap().unwrap();
            let literal = ordinal(&moves_of(&c, form), &games[1]);
            let played = endings(&sum(&literal, &games[2]))[0];
            let ending = |result| match result {
                1 => Ending::Win,
                0 => Ending::Draw,
                _ => Ending::Loss,
            };
            assert_eq!(c.endings(beside_it), Ok(played.map(ending)), "{games:?}");
        }
        assert!(
            loopy_bases > 50 && two_sided > 50 && refused > 50,
            "{loopy_bases} {two_sided} {refused}"
        );
    }

    /// The colon principle, of which only one direction holds for loopy bases: `off:1` is `off`.
    #[test]
    fn ordinal_sums_of_one_base_compare_as_the_games_above() {
        let arena = Arena::new();
        let mut c = LoopyCalculator::new(&arena);
        let above = [
            "0", "1", "*", "^", "over", "under", "on", "off", "dud", "upon", "^<on>", "tis",
            "+-over",
        ];
        let above = above.map(|text| c.parse(text).unwrap());
        let mut coarser = 0;
        for text in [
            "0",
            "*",
            "1/2",
            "+-1",
            "over",
            "off",
            "upon",
            "{over|-1}",
            "+-{1|off}",
        ] {
            let base = c.parse(text).unwrap();
            for g in above {
                for h in above {
                    let [over_g, over_h] = [g, h].map(|x| c.ordinal_sum(base, x).unwrap().unwrap());
                    let (found, expected) = (c.compare(over_g, over_h), c.compare(g, h));
                    if found != expected {
                        assert_ne!(expected, Ok(Comparison::Equal), "{text}");
                        assert!(matches!(base.stopper(), Some(Stopper::Loopy(_))), "{text}");
                        let reversed = [Comparison::Less, Comparison::Greater];
                        assert!(
                            found == Ok(Comparison::Equal)
                                || !reversed.contains(&expected.unwrap()),
                            "{text}"
                        );
                        coarser += 1;
                    }
                }
            }
        }
        assert!(coarser > 50, "{coarser}");
    }
}
