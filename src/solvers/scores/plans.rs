//! Tables of the moves of every side.
//!
//! A side's sowings depend on that side alone, and the result of an effect on the other side
//! depends on the other side alone (see [`game::scored`](cggames::game::scored)). So two short lists
//! give the moves of all positions of a tier: the sowings of each side, and for each effect the
//! resulting sides.

use std::collections::HashMap;

use cggames::game::scored::{Effect, Scored};

use super::numbering::TierNumbering;

/// A sowing, with sides given by their numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Planned {
    /// The number of the effect.
    pub(super) effect: u16,
    pub(super) moves_again: bool,
    pub(super) is_pass: bool,
    /// The seeds of the mover's new side, for both forks; the seeds won are in the next field.
    pub(super) seeds: [u8; 2],
    pub(super) gain: [u8; 2],
    /// The number of the mover's new side, for both forks.
    pub(super) side: [u32; 2],
}

/// The sowings of all sides with a given number of seeds.
#[derive(Debug, Default)]
struct OfSides {
    /// The end of the sowings of each side.
    ends: Vec<u32>,
    sowings: Vec<Planned>,
}

/// A side after an effect: seven bits for the seeds taken, one for the fork, and the side's number.
pub(super) type MetWord = u32;

/// The most sides with equal numbers of seeds that a [`MetWord`] can number.
pub(super) const SIDES_MAX: u64 = 1 << 24;

/// The moves of the sides of a numbering.
#[derive(Debug)]
pub(super) struct Plans {
    /// The sowings, by whether the opponent has seeds, and then by the mover's seeds.
    sowings: [Vec<OfSides>; 2],
    effects: Vec<Effect>,
    numbers: HashMap<Effect, u16>,
    /// The sides after effects, by effect and by the seeds of the side before it; empty if no tier
    /// needs it.
    met: Vec<Vec<Vec<MetWord>>>,
}

impl Plans {
    pub(super) fn new() -> Plans {
        Plans {
            sowings: [Vec::new(), Vec::new()],
            effects: Vec::new(),
            numbers: HashMap::new(),
            met: Vec::new(),
        }
    }

    /// Extends the tables to the moves of all tiers up to `seeds_max` seeds.
    pub(super) fn extend<G: Scored>(&mut self, game: G, numbering: &TierNumbering, seeds_max: u32) {
        for seeds in self.sowings[0].len() as u32..=seeds_max {
            self.add(game, numbering, seeds);
        }
    }

    fn add<G: Scored>(&mut self, game: G, numbering: &TierNumbering, seeds: u32) {
        for has_seeds in [false, true] {
            let of_sides = self.sowings_of(game, numbering, seeds, u32::from(has_seeds));
            self.sowings[usize::from(has_seeds)].push(of_sides);
        }
        for mover in 0..=seeds {
            let opponent = seeds - mover;
            let of_sides = &self.sowings[usize::from(opponent > 0)][mover as usize];
            let mut is_used = vec![false; self.effects.len()];
            for planned in &of_sides.sowings {
                is_used[usize::from(planned.effect)] = true;
            }
            for (number, _) in is_used.iter().enumerate().filter(|(_, used)| **used) {
                let by_seeds = &mut self.met[number];
                by_seeds.resize_with(by_seeds.len().max(opponent as usize + 1), Vec::new);
                let words = &mut by_seeds[opponent as usize];
                if words.is_empty() {
                    *words = met(game, numbering, self.effects[number], opponent);
                }
            }
        }
    }

    fn sowings_of<G: Scored>(
        &mut self,
        game: G,
        numbering: &TierNumbering,
        seeds: u32,
        opponent_seeds: u32,
    ) -> OfSides {
        let mut of_sides = OfSides::default();
        for side in numbering.sides(seeds) {
            game.each_sowing(side, opponent_seeds, &mut |sowing| {
                let number = self.effects.len() as u16;
                let number = *self.numbers.entry(sowing.effect).or_insert(number);
                if usize::from(number) == self.effects.len() {
                    self.effects.push(sowing.effect);
                    self.met.push(Vec::new());
                }
                of_sides.sowings.push(Planned {
                    effect: number,
                    moves_again: sowing.moves_again,
                    is_pass: sowing.pit.is_none(),
                    seeds: sowing.after.map(|(side, _)| side.seeds() as u8),
                    gain: sowing.after.map(|(_, gain)| gain),
                    side: sowing.after.map(|(side, _)| numbering.number(&side)),
                });
            });
            of_sides.ends.push(of_sides.sowings.len() as u32);
        }
        of_sides
    }

    /// Returns the sowings of a side, given by its seeds and number.
    pub(super) fn sowings(&self, seeds: u32, side: u32, opponent_seeds: u32) -> &[Planned] {
        let of_sides = &self.sowings[usize::from(opponent_seeds > 0)][seeds as usize];
        let start = match side {
            0 => 0,
            _ => of_sides.ends[side as usize - 1],
        };
        &of_sides.sowings[start as usize..of_sides.ends[side as usize] as usize]
    }

    /// Returns the results of an effect on the sides with `seeds` seeds, in the order of their
    /// numbers, and the number of seeds that it sows.
    pub(super) fn met(&self, effect: u16, seeds: u32, pits: usize) -> (&[MetWord], u32) {
        let number = usize::from(effect);
        let words = &self.met[number][seeds as usize];
        (words, self.effects[number].sown(pits))
    }
}

fn met<G: Scored>(game: G, numbering: &TierNumbering, effect: Effect, seeds: u32) -> Vec<MetWord> {
    let word = |&side| {
        let met = game.meet(effect, side);
        numbering.number(&met.side) << 8 | u32::from(met.fork) << 7 | met.taken
    };
    numbering.sides(seeds).iter().map(word).collect()
}
