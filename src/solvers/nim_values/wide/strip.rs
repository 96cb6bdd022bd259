//! The heaps of a strip that reach a number each, by all shifts.
//!
//! A [block](super::window) tests one number for 1016 heaps; this tests a separate number for each
//! of 64 consecutive heaps. A [`Shift`](super::super::space::Shift) leads from these to 64
//! consecutive heaps, whose values are read and compared together. One kernel serves values of 16
//! bits and of 8 (see [`bytes`](super::bytes)).

use std::ops::BitXor;

use crate::heaps::vectors::with_widest_vectors;

/// The number of heaps in a strip.
pub(crate) const STRIP: usize = 64;

/// The number of numbers that are tried at once for each heap of a strip.
///
/// PERF: for 0.37 with AVX2, 4 and 8 take a tenth more time in total.
pub(crate) const TRIED: usize = 6;

/// The numbers to try for each heap of a strip.
pub(crate) type Trial<N> = [[N; STRIP]; TRIED];

/// A shift by a strip's length or more.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FarShift<N> {
    pub(crate) offset: u32,
    pub(crate) value: N,
}

/// Unsigned integers that hold values.
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
    /// Returns, for each of the numbers, the heaps of the strip from `start` on that reach it by a
    /// shift: bit `i` of the first word is for `trial[0][i]` and the heap `start + i`.
    ///
    /// `values` must have the heaps before `start`, and all offsets must be from [`STRIP`] to
    /// `start`. Costs O(shifts).
    pub(crate) fn reached(
        values: &[u16],
        start: usize,
        shifts: &[FarShift<u16>],
        trial: &Trial<u16>,
    ) -> [u64; TRIED] = kernel::<u16, 32>, or kernel::<u16, 16>;
}

with_widest_vectors! {
    /// As [`reached`] for values of 8 bits.
    pub(crate) fn reached_bytes(
        values: &[u8],
        start: usize,
        shifts: &[FarShift<u8>],
        trial: &Trial<u8>,
    ) -> [u64; TRIED] = kernel::<u8, 64>, or kernel::<u8, 32>;
}

/// Compares `LANES` heaps at a time, the number of lanes for which registers can hold all numbers.
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
        // The least difference between a number and a nim-sum; 0 if a nim-sum equals the number.
        let mut least = [[N::MAX; LANES]; TRIED];
        for shift in shifts {
            let read = values[start + from - shift.offset as usize..].first_chunk::<LANES>();
            let read = read.expect("an offset of a strip or more leads to known heaps");
            // PERF: plain loops, which the compiler vectorises; see `union::or_moved`.
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
    use crate::heaps::vectors::Vectors;

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
