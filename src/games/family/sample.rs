//! A seeded random sample of all positions within bounds.
//!
//! Every draw is a function of the seed and its own number alone. So a process can start anywhere,
//! and the sample does not depend on threads or on the order of work. Draws are independent: a
//! position may occur more than once.
//!
//! The generator is SplitMix64 (Steele, Lea and Flood 2014): draw `i` runs the generator from the
//! state `mix(seed + g) ^ mix(i + g)` and takes the first output below the greatest multiple of the
//! number of positions; the remainder is the rank. Two of these runs coincide only where two states
//! do.

use std::sync::Arc;

use super::all::AllPositions;
use super::filled::Filled;
use crate::board::AnyBoard;

/// The golden ratio in 64 bits, SplitMix64's increment.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// Positions drawn at random, each equally likely at each draw.
///
/// ```
/// use std::sync::Arc;
///
/// use cggames::family::{AllPositions, Bounds, Order, Population, Sample};
/// use cggames::game::Game;
///
/// let shape = Game::SOWING.shape().of_rows().expect("a game on rows");
/// let bounds = Bounds { pots_max: Some(9), ..Bounds::default() };
/// let all = AllPositions::new(shape, bounds, Order::Pots)?;
/// let sample = Sample::new(1000, 42, Arc::new(Population::All(all)));
/// assert_eq!(sample.get(7), sample.get(7));
/// # Ok::<(), cggames::family::BoundsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sample {
    count: u64,
    seed: u64,
    of: Arc<Population>,
}

/// The positions from which a sample is drawn.
#[derive(Clone, Debug)]
pub enum Population {
    /// Rows of one colour.
    All(AllPositions),
    /// Positions on other boards.
    Filled(Filled),
}

impl Population {
    fn len(&self) -> u64 {
        match self {
            Population::All(all) => all.len(),
            Population::Filled(filled) => filled.len(),
        }
    }

    fn get(&self, rank: u64) -> AnyBoard {
        match self {
            Population::All(all) => all.get(rank).into(),
            Population::Filled(filled) => filled.get(rank),
        }
    }

    fn rank(&self, position: &AnyBoard) -> Option<u64> {
        match self {
            Population::All(all) => all.rank(position.row()?),
            Population::Filled(filled) => filled.rank(position),
        }
    }
}

impl Sample {
    /// Draws `count` positions.
    pub fn new(count: u64, seed: u64, of: Arc<Population>) -> Sample {
        Sample { count, seed, of }
    }

    /// Returns the positions drawn from.
    pub fn of(&self) -> &Population {
        &self.of
    }

    /// Returns the seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns the number of draws.
    pub fn len(&self) -> u64 {
        self.count
    }

    /// Returns whether there are no draws.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the position drawn at `index`.
    ///
    /// # Panics
    ///
    /// If `index` is not below [`Sample::len`].
    pub fn get(&self, index: u64) -> AnyBoard {
        assert!(index < self.count, "the index is below the number of draws");
        self.of.get(draw(self.seed, index, self.of.len()))
    }

    /// Returns the first draw of `row`, by trying all draws.
    pub fn rank(&self, row: &AnyBoard) -> Option<u64> {
        let wanted = self.of.rank(row)?;
        (0..self.count).find(|&index| draw(self.seed, index, self.of.len()) == wanted)
    }
}

/// Returns draw `index`, a number below `len`.
pub fn draw(seed: u64, index: u64, len: u64) -> u64 {
    let mut state = mix(seed.wrapping_add(GOLDEN)) ^ mix(index.wrapping_add(GOLDEN));
    // 2^64 mod len numbers at the top would favour the lowest remainders; they are drawn again.
    let surplus = (u64::MAX % len + 1) % len;
    loop {
        state = state.wrapping_add(GOLDEN);
        let output = mix(state);
        if output <= u64::MAX - surplus {
            return output % len;
        }
    }
}

/// SplitMix64's bijective output function.
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::super::{AllPositions, Bounds, Order};
    use super::*;
    use crate::game::Game;

    #[test]
    fn the_output_function_is_the_published_one() {
        // The first output of the reference implementation seeded with 0.
        assert_eq!(mix(GOLDEN), 0xE220_A839_7B1D_CDAF);
        // The first outputs when seeded with 1234567.
        let outputs = [1, 2].map(|k| mix(1_234_567u64.wrapping_add(GOLDEN.wrapping_mul(k))));
        assert_eq!(
            outputs,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]
        );
    }

    #[test]
    fn draws_are_even() {
        for len in [1u64, 3, 10, 1 << 20, (1 << 63) + 1] {
            let buckets = len.min(10);
            let mut counts = [0u32; 10];
            for index in 0..20_000 {
                let value = draw(7, index, len);
                assert!(value < len);
                counts[(u128::from(value) * u128::from(buckets) / u128::from(len)) as usize] += 1;
            }
            let expected = 20_000.0 / buckets as f64;
            for count in &counts[..buckets as usize] {
                let deviation = (f64::from(*count) - expected).abs();
                assert!(deviation < 6.0 * expected.sqrt(), "{len}: {counts:?}");
            }
        }
    }

    #[test]
    fn a_sample_is_a_function_of_its_seed() {
        let bounds = Bounds {
            pots_max: Some(5),
            ..Bounds::default()
        };
        let shape = Game::SOWING.shape().of_rows().unwrap();
        let all = AllPositions::new(shape, bounds, Order::Pots).unwrap();
        let all = Arc::new(Population::All(all));
        let rows = |seed| {
            let sample = Sample::new(50, seed, all.clone());
            let rows: Vec<_> = (0..50).map(|index| sample.get(index)).collect();
            for row in &rows {
                let first = rows.iter().position(|other| other == row).unwrap();
                assert_eq!(sample.rank(row), Some(first as u64));
            }
            rows
        };
        assert_eq!(rows(1), rows(1));
        assert_ne!(rows(1), rows(2));
        let longer = Sample::new(60, 1, all.clone());
        assert_eq!(longer.get(3), rows(1)[3], "more draws leave the first ones");
    }
}
