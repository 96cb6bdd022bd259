//! Which of a strip of heaps reach a number each, by all shifts.
//!
//! Where a [block](super::window) asks for one number and 1016 heaps, this asks for a number of its own for each of 64
//! heaps in a row. A [`Shift`](super::super::sparse::Shift) leads from these to 64 heaps in a row, so that their values are
//! read together and compared at once. One kernel serves for values of 16 bits and of 8 (see [`bytes`](super::bytes)).

use std::ops::BitXor;

use crate::engine::heaps::vectors::with_widest_vectors;

/// How many heaps a strip holds.
pub(crate) const STRIP: usize = 64;

/// How many numbers are tried for each heap of a strip at once.
///
/// PERF: for 0.37 with AVX2, 4 and 8 take a tenth more time for all.
pub(crate) const TRIED: usize = 6;

/// Numbers to be tried for each heap of a strip.
pub(crate) type Trial<N> = [[N; STRIP]; TRIED];

/// A shift by a strip's length or more.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FarShift<N> {
    pub(crate) offset: u32,
    pub(crate) value: N,
}

/// Whole numbers that hold values.
trait Unsigned: Copy + Ord + BitXor<Output = Self> {
    const ZERO: Self;
    const MAX: Self;
}

impl Unsigned for u8 {
    const ZERO: u8 = 0;
    const MAX: u8 = u8::MAX;
}

impl Unsigned for u16 {
    const ZERO: u16 = 0;
    const MAX: u16 = u16::MAX;
}

with_widest_vectors! {
    /// Returns, for each of the numbers, which heaps of the strip from `start` on have an option of it by a shift:
    /// bit `i` of the first word stands for `trial[0][i]` and the heap `start + i`.
    ///
    /// The heaps before `start` must be in `values`, and all offsets be from [`STRIP`] to `start`. Costs O(shifts).
    pub(crate) fn reached(
        values: &[u16],
        start: usize,
        shifts: &[FarShift<u16>],
        trial: &Trial<u16>,
    ) -> [u64; TRIED] = kernel::<u16, 32>, or kernel::<u16, 16>;
}

with_widest_vectors! {
    /// Does so for values of 8 bits.
    pub(crate) fn reached_bytes(
        values: &[u8],
        start: usize,
        shifts: &[FarShift<u8>],
        trial: &Trial<u8>,
    ) -> [u64; TRIED] = kernel::<u8, 64>, or kernel::<u8, 32>;
}

/// Compares `LANES` heaps at a time, with as many lanes as registers hold for all numbers.
#[inline(always)]
#[expect(
    clippy::needless_range_loop,
    reason = "the compiler makes vectors of plain loops"
)]
fn kernel<N: Unsigned, const LANES: usize>(
    values: &[N],
    start: usize,
    shifts: &[FarShift<N>],
    trial: &Trial<N>,
) -> [u64; TRIED] {
    let mut reached = [0; TRIED];
    for from in (0..STRIP).step_by(LANES) {
        let mut wanted = [[N::ZERO; LANES]; TRIED];
        for j in 0..TRIED {
            wanted[j].copy_from_slice(&trial[j][from..from + LANES]);
        }
        // The least difference between a number and a nim-sum; 0 where one equals the other.
        let mut least = [[N::MAX; LANES]; TRIED];
        for shift in shifts {
            let read = values[start + from - shift.offset as usize..].first_chunk::<LANES>();
            let read = read.expect("an offset of a strip or more leads to known heaps");
            // PERF: plain loops, of which the compiler makes vectors; see `union::or_moved`.
            for j in 0..TRIED {
                for i in 0..LANES {
                    least[j][i] = least[j][i].min(read[i] ^ shift.value ^ wanted[j][i]);
                }
            }
        }
        for j in 0..TRIED {
            for i in 0..LANES {
                reached[j] |= u64::from(least[j][i] == N::ZERO) << (from + i);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::heaps::vectors::Vectors;

    #[test]
    fn numbers_are_reached_as_pair_by_pair() {
        let mut random = fastrand::Rng::with_seed(11);
        let values: Vec<u16> = (0..1000).map(|_| random.usize(..64) as u16).collect();
        let bytes: Vec<u8> = values.iter().map(|&value| value as u8).collect();
        let shifts: Vec<FarShift<u16>> = (0..30)
            .map(|_| FarShift {
                offset: 64 + random.usize(..600) as u32,
                value: random.usize(..64) as u16,
            })
            .collect();
        let narrow = shifts.iter().map(|shift| FarShift {
            offset: shift.offset,
            value: shift.value as u8,
        });
        let narrow: Vec<FarShift<u8>> = narrow.collect();
        for start in [700, 900, 936] {
            let trial: Trial<u16> =
                std::array::from_fn(|_| std::array::from_fn(|_| random.usize(..64) as u16));
            let slow = trial.map(|numbers| {
                (0..STRIP).fold(0, |word, i| {
                    let is_hit = |shift: &FarShift<u16>| {
                        values[start + i - shift.offset as usize] ^ shift.value == numbers[i]
                    };
                    word | u64::from(shifts.iter().any(is_hit)) << i
                })
            });
            assert!(slow.iter().all(|&word| word != 0 && word != u64::MAX));
            let trial_of_bytes = trial.map(|numbers| numbers.map(|number| number as u8));
            Vectors::each(|| {
                assert_eq!(reached(&values, start, &shifts, &trial), slow);
                let by_bytes = reached_bytes(&bytes, start, &narrow, &trial_of_bytes);
                assert_eq!(by_bytes, slow);
            });
        }
    }
}
