//! Positions of games without cycles as two words, their moves by addition, and their ranks.
//!
//! A side is a word with a byte for each pit; byte 0 is the last pit, before the store. Where play
//! cannot return to a position, a sowing adds seeds to both sides that depend only on the pit and on
//! its seeds. It captures if its last seed falls into an own pit that was empty. So a table of the
//! sowings of single pits gives all moves. It is made with [`Scored::each_sowing`].

use cggames::board::two_rows::{SIDE_PITS_MAX, Side, TWO_ROWS_SEEDS_MAX, TwoRows};
use cggames::game::scored::{Effect, Scored};

use super::{Scores, margin, positions_of};

/// The bits of a rank; positions with so many seeds that ranks do not fit have none.
pub(super) const RANK_BITS: u32 = 58;

const EACH_PIT: u64 = 0x0101_0101_0101_0101;
const SEEDS: usize = TWO_ROWS_SEEDS_MAX as usize + 1;

/// A position, seen by the player to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Packed {
    pub(super) mover: u64,
    pub(super) opponent: u64,
}

impl Packed {
    pub(super) fn of(position: &TwoRows) -> Packed {
        Packed {
            mover: packed(&position.mover),
            opponent: packed(&position.opponent),
        }
    }
}

fn packed(side: &Side) -> u64 {
    let pits = side.pits().iter();
    pits.fold(0, |side, &seeds| side << 8 | u64::from(seeds))
}

/// Returns the seeds of a side.
#[inline]
pub(super) fn seeds_of(side: u64) -> u32 {
    (side.wrapping_mul(EACH_PIT) >> 56) as u32
}

/// The sowing of a pit with some number of seeds.
#[derive(Clone, Copy, Debug, Default)]
struct Sowing {
    /// The seeds that the pits of the mover's side receive.
    own: u64,
    /// The seeds that the pits of the other side receive.
    other: u64,
    stored: u8,
    moves_again: bool,
    /// The lowest bits of the own pit of the last seed and of the pit that faces it, if that may
    /// be a capture.
    captures: Option<(u8, u8)>,
}

/// A move.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PackedOption {
    pub(super) gain: i32,
    pub(super) moves_again: bool,
    /// The position, from the view of the player to move in it.
    pub(super) position: Packed,
}

/// The moves and ranks of the positions with some number of pits a side.
#[derive(Debug)]
pub(super) struct Boards {
    pits: usize,
    /// By pit, counted from the store, and by seeds.
    sowings: Vec<[Sowing; SEEDS]>,
    captures_empty: bool,
    /// `ways[i][n]`: the number of ways to put fewer than n seeds into i + 1 pits.
    ways: [[u64; SEEDS]; SIDE_PITS_MAX],
    /// The numbers of sides by seeds.
    sides: Vec<u64>,
    /// The first rank by seeds and opponent's seeds, as far as ranks fit.
    firsts: Vec<Vec<u64>>,
}

impl Boards {
    pub(super) fn new<G: Scored>(game: G, pits: usize) -> Boards {
        let sowing = |pit: usize, seeds: usize| {
            let mut side = Side::empty(pits);
            side.pits_mut()[pits - 1 - pit] = seeds as u8;
            let mut found = Sowing::default();
            game.each_sowing(&side, 1, &mut |sowing| {
                let (after, stored) = sowing.after[0];
                let mut other = Side::empty(pits);
                for (pit, seeds) in other.pits_mut().iter_mut().enumerate() {
                    let effect = sowing.effect;
                    *seeds = effect.each + u8::from(pit < usize::from(effect.first));
                }
                // A pit that is not empty after a lap holds two seeds.
                let captures = sowing.effect.from;
                found = Sowing {
                    own: packed(&after),
                    other: packed(&other),
                    stored,
                    moves_again: sowing.moves_again,
                    captures: captures.map(|facing| (8 * facing, 8 * (pits as u8 - 1 - facing))),
                };
            });
            found
        };
        let sowings = (0..pits).map(|pit| std::array::from_fn(|seeds| sowing(pit, seeds)));
        let capture = Effect {
            from: Some(0),
            ..Effect::default()
        };
        let count = |pits, seeds| binomial(seeds + pits - 1, pits - 1) as u64;
        let sides: Vec<u64> = (0..SEEDS).map(|seeds| count(pits, seeds)).collect();
        let mut firsts = Vec::new();
        let mut first = 0;
        for seeds in 0..SEEDS {
            let ranks = positions_of(pits, seeds as u32).and_then(|ranks| ranks.checked_add(first));
            if ranks.is_none_or(|ranks| ranks >> RANK_BITS > 0) {
                break;
            }
            let next = |opponent: usize| {
                let here = first;
                first += sides[opponent] * sides[seeds - opponent];
                here
            };
            firsts.push((0..=seeds).map(next).collect());
        }
        Boards {
            pits,
            sowings: sowings.collect(),
            captures_empty: game.meet(capture, Side::empty(pits)).fork,
            ways: std::array::from_fn(|pit| {
                std::array::from_fn(|seeds| match seeds {
                    0 => 0,
                    _ => count(pit + 2, seeds - 1),
                })
            }),
            sides,
            firsts,
        }
    }

    /// Returns the move of a pit, counted from the store, unless it is empty.
    #[inline]
    pub(super) fn option(&self, position: Packed, pit: usize) -> Option<PackedOption> {
        let seeds = (position.mover >> (8 * pit)) as u8;
        if seeds == 0 {
            return None;
        }
        let sowing = &self.sowings[pit][usize::from(seeds) % SEEDS];
        let mut own = (position.mover & !(0xff << (8 * pit))) + sowing.own;
        let mut other = position.opponent + sowing.other;
        let mut gain = i32::from(sowing.stored);
        if let Some((last, facing)) = sowing.captures
            && (own >> last) as u8 == 1
        {
            let taken = (other >> facing) as u8;
            if taken > 0 || self.captures_empty {
                own &= !(0xff << last);
                other &= !(0xff << facing);
                gain += 1 + i32::from(taken);
            }
        }
        let (mover, opponent) = match sowing.moves_again {
            true => (own, other),
            false => (other, own),
        };
        Some(PackedOption {
            gain,
            moves_again: sowing.moves_again,
            position: Packed { mover, opponent },
        })
    }

    pub(super) fn pits(&self) -> usize {
        self.pits
    }

    /// Returns the number of pits from which the mover can reach the store and move again with a
    /// single lap.
    #[inline]
    pub(super) fn again(&self, position: Packed) -> i32 {
        let hits = |pit: &usize| (position.mover >> (8 * pit)) as u8 as usize == pit + 1;
        (0..self.pits).filter(hits).count() as i32
    }

    /// Returns the rank of a position among all with equally many pits; the first ranks are of the
    /// fewest seeds.
    #[inline]
    pub(super) fn rank(&self, position: Packed, seeds: u32) -> Option<u64> {
        let opponent = seeds_of(position.opponent) as usize;
        let first = self.firsts.get(seeds as usize)?[opponent];
        let movers = self.sides[seeds as usize - opponent];
        Some(first + self.place(position.opponent) * movers + self.place(position.mover))
    }

    /// Returns a side's index in the reversed lexicographic order of the sides with its number of
    /// seeds.
    // PERF: the product has the seeds of all pits from each pit to the store.
    #[inline]
    fn place(&self, side: u64) -> u64 {
        let sums = side.wrapping_mul(EACH_PIT);
        let ways = |pit: usize| self.ways[pit][(sums >> (8 * pit)) as usize % SEEDS];
        (0..self.pits - 1).map(ways).sum()
    }

    /// Returns the score of a position whose tier, given as its bytes, is scored.
    #[inline]
    pub(super) fn score<G: Scored>(
        &self,
        scores: &Scores<G>,
        tier: &[u8],
        position: Packed,
        seeds: u32,
    ) -> i32 {
        let opponent = seeds_of(position.opponent);
        let number = |side, seeds: u32| {
            let place = self.sides[seeds as usize] - 1 - self.place(side);
            u64::from(scores.numbering.number_at(seeds, place as usize))
        };
        let mover = seeds - opponent;
        let place = scores.numbering.start(seeds, opponent)
            + number(position.opponent, opponent) * self.sides[mover as usize]
            + number(position.mover, mover);
        margin::<G>(tier[place as usize]).into()
    }
}

fn binomial(n: usize, k: usize) -> u128 {
    (1..=k as u128).fold(1, |product, i| product * (n as u128 - k as u128 + i) / i)
}

#[cfg(test)]
mod tests {
    use cggames::game::scored::{Capture, Kalah};

    use super::*;
    use crate::Control;

    /// Moves from random positions, with a few large pits, are those of literal play.
    #[test]
    fn moves_are_those_of_literal_play() {
        let mut random = fastrand::Rng::with_seed(71);
        for capture in [Capture::Empty, Capture::Standard] {
            let game = Kalah { capture };
            for pits in 1..=SIDE_PITS_MAX {
                let boards = Boards::new(game, pits);
                for _ in 0..2_000 {
                    let mut position = TwoRows {
                        mover: Side::empty(pits),
                        opponent: Side::empty(pits),
                    };
                    for side in [&mut position.mover, &mut position.opponent] {
                        side.pits_mut().fill_with(|| random.u8(0..=3));
                    }
                    position.mover.pits_mut()[random.usize(0..pits)] = random.u8(0..=50);
                    if position.mover.seeds() == 0 || position.opponent.seeds() == 0 {
                        continue;
                    }
                    let expected = game.literal_options(&position);
                    let found = (0..pits)
                        .rev()
                        .filter_map(|pit| boards.option(Packed::of(&position), pit));
                    let found: Vec<PackedOption> = found.collect();
                    assert_eq!(found.len(), expected.len(), "{position}");
                    for (found, expected) in found.iter().zip(expected) {
                        let after = Packed::of(&expected.position);
                        assert_eq!(found.position, after, "{position}");
                        assert_eq!(found.gain, expected.gain as i32, "{position}");
                        assert_eq!(found.moves_again, expected.moves_again, "{position}");
                        assert_eq!(seeds_of(after.mover), expected.position.mover.seeds());
                    }
                }
            }
        }
    }

    #[test]
    fn each_position_has_a_rank_of_its_own_and_its_score() {
        let game = Kalah::default();
        for (pits, seeds_max) in [(1, 12), (2, 8), (3, 6), (4, 4)] {
            let scores = Scores::up_to(game, pits, seeds_max, &Control::default()).unwrap();
            let boards = Boards::new(game, pits);
            let mut ranks = Vec::new();
            for seeds in 0..=seeds_max {
                for rank in 0..scores.numbering().positions(seeds) {
                    let position = scores.numbering().unrank(seeds, rank);
                    let packed = Packed::of(&position);
                    ranks.extend(boards.rank(packed, seeds));
                    let found = boards.score(&scores, &scores.tiers[seeds as usize], packed, seeds);
                    assert_eq!(Some(found), scores.get(&position), "{position}");
                }
            }
            ranks.sort_unstable();
            assert!(ranks.iter().copied().eq(0..ranks.len() as u64), "{pits}");
        }
        let boards = Boards::new(game, SIDE_PITS_MAX);
        let position: TwoRows = "127 0 0 0 0 0 0 0 / 0 0 0 0 0 0 0 0".parse().unwrap();
        assert_eq!(boards.rank(Packed::of(&position), 127), None);
    }
}
