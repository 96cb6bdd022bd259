//! Numbers for the sides of a board, and for its positions by their seeds.
//!
//! The sides of p pits with n seeds are the C(n + p - 1, p - 1) ways to write n as an ordered sum
//! of p numbers. They are numbered by their *distance*, the sum over all seeds of the number of
//! pits of the side behind them, and then in lexicographic order. So moving seeds forward on their
//! own side gives a smaller number, and sides of equal distance have consecutive numbers.
//!
//! The positions of a tier are ordered by the opponent's seeds, then by the number of the
//! opponent's side, then by that of the mover's.

use std::ops::Range;

use cggames::board::two_rows::{SIDE_PITS_MAX, Side, TWO_ROWS_SEEDS_MAX, TwoRows};

/// The numbers of the sides with a number of pits and at most some seeds, and of their positions.
#[derive(Debug)]
pub struct TierNumbering {
    pits: usize,
    /// The sides with n seeds, in the order of their numbers.
    sides: Vec<Vec<Side>>,
    /// `numbers[n][k]`: the number of the k-th side with n seeds in lexicographic order.
    numbers: Vec<Vec<u32>>,
    /// `levels[n][d]`: the numbers of the sides with n seeds and distance d.
    levels: Vec<Vec<Range<u32>>>,
    /// `starts[s][o]`: in the tier of s seeds, the rank of the first position whose opponent has o
    /// seeds.
    starts: Vec<Vec<u64>>,
    ways: Ways,
}

impl TierNumbering {
    /// Returns an empty numbering.
    ///
    /// # Panics
    ///
    /// If sides do not have 1 to 8 pits.
    pub fn new(pits: usize) -> TierNumbering {
        assert!(
            (1..=SIDE_PITS_MAX).contains(&pits),
            "a side has 1 to 8 pits"
        );
        TierNumbering {
            pits,
            sides: Vec::new(),
            numbers: Vec::new(),
            levels: Vec::new(),
            starts: Vec::new(),
            ways: Ways::new(pits, TWO_ROWS_SEEDS_MAX),
        }
    }

    /// Extends the numbering to the sides of at most `seeds_max` seeds, in O(sides log sides).
    pub fn extend(&mut self, seeds_max: u32) {
        for seeds in self.sides.len() as u32..=seeds_max {
            self.add(seeds);
        }
    }

    fn add(&mut self, seeds: u32) {
        let pits = self.pits;
        let mut sides = Vec::with_capacity(self.ways.of(seeds, pits) as usize);
        each_side(Side::empty(pits), 0, seeds, &mut |side| sides.push(side));
        // The stable sort preserves the lexicographic order of sides of equal distance.
        sides.sort_by_key(distance);
        let mut numbers = vec![0; sides.len()];
        let mut levels = vec![0..0; (pits - 1) * seeds as usize + 1];
        for (number, side) in (0..).zip(&sides) {
            numbers[self.ways.place(side)] = number;
            let level = &mut levels[distance(side)];
            if level.end == 0 {
                level.start = number;
            }
            level.end = number + 1;
        }
        self.sides.push(sides);
        self.numbers.push(numbers);
        self.levels.push(levels);
        let mut starts = vec![0];
        for opponent in 0..=seeds {
            let block = self.count(opponent) * self.count(seeds - opponent);
            starts.push(starts[opponent as usize] + block);
        }
        self.starts.push(starts);
    }

    /// Returns the number of pits of a side.
    pub fn pits(&self) -> usize {
        self.pits
    }

    /// Returns the number of sides with `seeds` seeds.
    pub fn count(&self, seeds: u32) -> u64 {
        self.sides[seeds as usize].len() as u64
    }

    /// Returns the sides with `seeds` seeds, in the order of their numbers.
    pub fn sides(&self, seeds: u32) -> &[Side] {
        &self.sides[seeds as usize]
    }

    /// Returns the number of a side.
    pub fn number(&self, side: &Side) -> u32 {
        self.numbers[side.seeds() as usize][self.ways.place(side)]
    }

    /// Returns the number of the side with `seeds` seeds at an index of the lexicographic order.
    #[inline]
    pub(super) fn number_at(&self, seeds: u32, place: usize) -> u32 {
        self.numbers[seeds as usize][place]
    }

    /// Returns the numbers of the sides with `seeds` seeds, for each distance from 0; some are
    /// empty.
    pub(super) fn levels(&self, seeds: u32) -> &[Range<u32>] {
        &self.levels[seeds as usize]
    }

    /// Returns the number of positions in a tier.
    pub fn positions(&self, seeds: u32) -> u64 {
        *self.starts[seeds as usize]
            .last()
            .expect("starts have an end")
    }

    /// Returns the rank of a tier's first position whose opponent has `opponent` of the seeds.
    pub(super) fn start(&self, seeds: u32, opponent: u32) -> u64 {
        self.starts[seeds as usize][opponent as usize]
    }

    /// Returns the number of a position within its tier.
    pub fn rank(&self, position: &TwoRows) -> u64 {
        let (mover, opponent) = (position.mover.seeds(), position.opponent.seeds());
        self.start(mover + opponent, opponent)
            + u64::from(self.number(&position.opponent)) * self.count(mover)
            + u64::from(self.number(&position.mover))
    }

    /// Returns the position of a tier with this number.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub fn unrank(&self, seeds: u32, rank: u64) -> TwoRows {
        assert!(
            rank < self.positions(seeds),
            "a rank is less than the number of positions"
        );
        let starts = &self.starts[seeds as usize];
        let opponent = starts.partition_point(|&start| start <= rank) as u32 - 1;
        let mover = seeds - opponent;
        let rest = rank - self.start(seeds, opponent);
        TwoRows {
            mover: self.sides(mover)[(rest % self.count(mover)) as usize],
            opponent: self.sides(opponent)[(rest / self.count(mover)) as usize],
        }
    }
}

/// Returns the number of positions with `pits` pits a side and exactly `seeds` seeds,
/// C(seeds + 2 pits - 1, 2 pits - 1), if it is less than 2^64.
pub fn positions_of(pits: usize, seeds: u32) -> Option<u64> {
    let others = 2 * pits as u128 - 1;
    let mut count = 1u128;
    for i in 1..=others {
        count = count * (u128::from(seeds) + i) / i;
    }
    count.try_into().ok()
}

/// Returns the sum over all seeds of the pits of the side behind them.
fn distance(side: &Side) -> usize {
    let pits = side.pits().iter().rev().enumerate();
    pits.map(|(behind, &seeds)| behind * usize::from(seeds))
        .sum()
}

/// Visits the sides that agree with this one before `pit` and hold `seeds` seeds from there on, in
/// lexicographic order.
pub(super) fn each_side(mut side: Side, pit: usize, seeds: u32, visit: &mut impl FnMut(Side)) {
    if pit + 1 == side.pits().len() {
        side.pits_mut()[pit] = seeds as u8;
        return visit(side);
    }
    for here in 0..=seeds {
        side.pits_mut()[pit] = here as u8;
        each_side(side, pit + 1, seeds - here, visit);
    }
}

/// The numbers of ways to put n seeds into p pits.
#[derive(Debug)]
struct Ways {
    /// The table, by n and then by p.
    table: Vec<u64>,
    pits: usize,
}

impl Ways {
    fn new(pits: usize, seeds_max: u32) -> Ways {
        let mut ways = Ways {
            table: Vec::new(),
            pits,
        };
        for seeds in 0..=seeds_max {
            ways.table.push(u64::from(seeds == 0));
            for pits in 1..=pits {
                // The first pit is empty, or one seed can be removed from it.
                let with_first = seeds.checked_sub(1).map_or(0, |seeds| ways.of(seeds, pits));
                ways.table.push(ways.of(seeds, pits - 1) + with_first);
            }
        }
        ways
    }

    fn of(&self, seeds: u32, pits: usize) -> u64 {
        self.table[seeds as usize * (self.pits + 1) + pits]
    }

    /// Returns a side's index in the lexicographic order of the sides with its number of seeds, in
    /// O(pits).
    fn place(&self, side: &Side) -> usize {
        let mut left = side.seeds();
        let mut place = 0;
        for (&seeds, pits) in side.pits().iter().zip((1..=self.pits).rev()) {
            // Fewer seeds in this pit leave more for the pits behind.
            place += self.of(left, pits);
            left -= u32::from(seeds);
            place -= self.of(left, pits);
        }
        place as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_and_positions_of_a_tier_invert_each_other() {
        for pits in 1..=4 {
            let mut numbering = TierNumbering::new(pits);
            numbering.extend(7);
            for seeds in 0..=7 {
                let positions = numbering.positions(seeds);
                assert_eq!(positions_of(pits, seeds), Some(positions));
                for rank in 0..positions {
                    let position = numbering.unrank(seeds, rank);
                    assert_eq!(position.seeds(), seeds);
                    assert_eq!(numbering.rank(&position), rank, "{position}");
                }
            }
        }
    }

    #[test]
    fn sides_of_equal_distance_have_consecutive_numbers() {
        let mut numbering = TierNumbering::new(4);
        numbering.extend(9);
        for seeds in 0..=9 {
            let mut next = 0;
            for (level, numbers) in numbering.levels(seeds).iter().enumerate() {
                for number in numbers.clone() {
                    assert_eq!(number, next);
                    assert_eq!(distance(&numbering.sides(seeds)[number as usize]), level);
                    next += 1;
                }
            }
            assert_eq!(u64::from(next), numbering.count(seeds));
        }
    }

    #[test]
    fn sizes_are_those_of_the_literature() {
        // Irving, Donkers and Uiterwijk, section 2: positions of Kalah of six pits a side up to n
        // seeds, without those in which a side is empty.
        let up_to = |pits, seeds: u32| {
            (0..=seeds)
                .map(|n| positions_of(pits, n).unwrap())
                .sum::<u64>()
        };
        let halves = |seeds: u64| (1..=6).fold(1, |ways, i| ways * (seeds + i) / i);
        assert_eq!(up_to(6, 20) - 2 * halves(20) + 1, 225_332_381);
        assert_eq!(up_to(6, 24) - 2 * halves(24) + 1, 1_250_490_151);
    }
}
