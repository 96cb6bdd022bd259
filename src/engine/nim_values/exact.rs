//! Which of a strip of heaps reach a number each, by all taps.
//!
//! Where the rows of [`super::cover`] ask for one number and 1016 heaps, this asks for a number of its own
//! for each of 64 heaps in a row. The heaps beside the tap's are 64 in a row as well, so that their
//! values are read together and compared at once.

#[cfg(target_arch = "x86_64")]
use super::vectors::Vectors;

/// How many heaps a strip holds.
pub(super) const STRIP: usize = 64;

/// Taps with equal values, for offsets that reach back to before a strip.
#[derive(Clone, Debug)]
pub(super) struct Offsets {
    /// The value of the heap that is a tap's.
    pub(super) value: u16,
    /// The offsets.
    pub(super) offsets: Vec<u32>,
}

/// How many numbers are tried for each heap of a strip at once.
///
/// PERF: for 0.37 with AVX2, 4 and 8 take a tenth more time for all.
pub(super) const TRIED: usize = 6;

/// Numbers to be tried for each heap of a strip.
pub(super) type Trial = [[u16; STRIP]; TRIED];

/// Returns, for each of the numbers, which heaps of the strip from `start` on have an option of it by a tap:
/// bit `i` of the first word says so of `trial[0][i]` and the heap `start + i`.
///
/// All offsets must be from [`STRIP`] to `start`, and the values of the heaps before `start` be known.
/// What is read beyond them has no effect. Costs O(taps).
pub(super) fn reached(
    values: &[u16],
    start: usize,
    taps: &[Offsets],
    trial: &Trial,
) -> [u64; TRIED] {
    #[cfg(target_arch = "x86_64")]
    match Vectors::here() {
        // SAFETY: the processor has these vectors, as `here` has found.
        Vectors::Avx512 => return unsafe { vectors::avx512(values, start, taps, trial) },
        // SAFETY: the same.
        Vectors::Avx2 => return unsafe { vectors::avx2(values, start, taps, trial) },
        Vectors::None => {}
    }
    plain(values, start, taps, trial)
}

/// Compares heap by heap, as far as the compiler leaves it at that.
fn plain(values: &[u16], start: usize, taps: &[Offsets], trial: &Trial) -> [u64; TRIED] {
    // The least difference between a number and a nim-sum; 0 where one equals the other.
    let mut least = [[u16::MAX; STRIP]; TRIED];
    for same in taps {
        let wanted = trial.map(|numbers| numbers.map(|number| number ^ same.value));
        for &offset in &same.offsets {
            let read = read(values, start, offset);
            for (least, wanted) in least.iter_mut().zip(&wanted) {
                for ((least, wanted), value) in least.iter_mut().zip(wanted).zip(read) {
                    *least = (*least).min(wanted ^ value);
                }
            }
        }
    }
    least.map(|least| {
        let bits = least.iter().enumerate();
        bits.fold(0, |word, (i, &least)| word | u64::from(least == 0) << i)
    })
}

/// Returns the values beside a tap's for the heaps of a strip.
#[inline(always)]
fn read(values: &[u16], start: usize, offset: u32) -> &[u16; STRIP] {
    let read = values[start - offset as usize..].first_chunk();
    read.expect("an offset of a strip or more leads to heaps that are known")
}

#[cfg(target_arch = "x86_64")]
mod vectors {
    use std::arch::x86_64::{
        __m256i, __m512i, _mm256_cmpeq_epi16, _mm256_lddqu_si256, _mm256_min_epu16,
        _mm256_movemask_epi8, _mm256_packs_epi16, _mm256_permute4x64_epi64, _mm256_set1_epi16,
        _mm256_setzero_si256, _mm256_xor_si256, _mm512_cmpeq_epi16_mask, _mm512_loadu_si512,
        _mm512_min_epu16, _mm512_set1_epi16, _mm512_setzero_si512, _mm512_xor_si512,
    };

    use super::{Offsets, STRIP, TRIED, Trial};

    /// Reads 32 numbers.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn load(numbers: &[u16; STRIP / 2]) -> __m512i {
        // SAFETY: 64 bytes are read from an array of as many, at no particular alignment.
        unsafe { _mm512_loadu_si512(numbers.as_ptr().cast()) }
    }

    /// Reads 64 numbers.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn load_strip(numbers: &[u16; STRIP]) -> [__m512i; 2] {
        let halves = numbers.as_chunks::<32>().0;
        [load(&halves[0]), load(&halves[1])]
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
    pub(super) fn avx512(
        values: &[u16],
        start: usize,
        taps: &[Offsets],
        trial: &Trial,
    ) -> [u64; TRIED] {
        let numbers: [_; TRIED] = std::array::from_fn(|i| load_strip(&trial[i]));
        let mut least = [[_mm512_set1_epi16(-1); 2]; TRIED];
        for same in taps {
            let value = _mm512_set1_epi16(same.value as i16);
            let mut wanted = numbers;
            for half in wanted.as_flattened_mut() {
                *half = _mm512_xor_si512(*half, value);
            }
            for &offset in &same.offsets {
                let read = load_strip(super::read(values, start, offset));
                for i in 0..TRIED {
                    for half in 0..2 {
                        let apart = _mm512_xor_si512(wanted[i][half], read[half]);
                        least[i][half] = _mm512_min_epu16(least[i][half], apart);
                    }
                }
            }
        }
        let zero = _mm512_setzero_si512();
        let mut reached = [0; TRIED];
        for (reached, least) in reached.iter_mut().zip(least) {
            let bits = least.map(|least| u64::from(_mm512_cmpeq_epi16_mask(least, zero)));
            *reached = bits[0] | bits[1] << 32;
        }
        reached
    }

    /// Reads half of 64 numbers.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn load_half(numbers: &[u16; STRIP], half: usize) -> [__m256i; 2] {
        let quarters = &numbers.as_chunks::<16>().0[2 * half..];
        // SAFETY: 32 bytes each are read from arrays of as many, at no particular alignment. PERF: as in `vectors::read`.
        std::array::from_fn(|i| unsafe { _mm256_lddqu_si256(quarters[i].as_ptr().cast()) })
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn avx2(
        values: &[u16],
        start: usize,
        taps: &[Offsets],
        trial: &Trial,
    ) -> [u64; TRIED] {
        let mut reached = [0; TRIED];
        for half in 0..2 {
            let numbers: [_; TRIED] = std::array::from_fn(|i| load_half(&trial[i], half));
            let mut least = [[_mm256_set1_epi16(-1); 2]; TRIED];
            for same in taps {
                let value = _mm256_set1_epi16(same.value as i16);
                let mut wanted = numbers;
                for quarter in wanted.as_flattened_mut() {
                    *quarter = _mm256_xor_si256(*quarter, value);
                }
                for &offset in &same.offsets {
                    let read = load_half(super::read(values, start, offset), half);
                    for i in 0..TRIED {
                        for quarter in 0..2 {
                            let apart = _mm256_xor_si256(wanted[i][quarter], read[quarter]);
                            least[i][quarter] = _mm256_min_epu16(least[i][quarter], apart);
                        }
                    }
                }
            }
            for (reached, least) in reached.iter_mut().zip(least) {
                let equal = least.map(|least| _mm256_cmpeq_epi16(least, _mm256_setzero_si256()));
                // Packing takes eight of one and eight of the other in turn.
                let packed = _mm256_packs_epi16(equal[0], equal[1]);
                let packed = _mm256_permute4x64_epi64::<0b11_01_10_00>(packed);
                *reached |= u64::from(_mm256_movemask_epi8(packed) as u32) << (32 * half);
            }
        }
        reached
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_reached_as_pair_by_pair() {
        let mut seed = 11u64;
        let mut next = |below: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1);
            ((seed >> 33) % below) as u16
        };
        let values: Vec<u16> = (0..1000).map(|_| next(64)).collect();
        let taps: Vec<Offsets> = (0..7)
            .map(|_| Offsets {
                value: next(64),
                offsets: (0..next(9)).map(|_| 64 + u32::from(next(600))).collect(),
            })
            .collect();
        for start in [700, 900, 936] {
            let trial: Trial = std::array::from_fn(|_| std::array::from_fn(|_| next(64)));
            let slow = trial.map(|numbers| {
                (0..STRIP).fold(0, |word, i| {
                    let hit = taps.iter().any(|same| {
                        let beside = |&o: &u32| values[start + i - o as usize];
                        same.offsets
                            .iter()
                            .any(|o| beside(o) ^ same.value == numbers[i])
                    });
                    word | u64::from(hit) << i
                })
            });
            assert!(slow.iter().all(|&word| word != 0 && word != u64::MAX));
            assert_eq!(plain(&values, start, &taps, &trial), slow);
            assert_eq!(reached(&values, start, &taps, &trial), slow);
            #[cfg(target_arch = "x86_64")]
            if Vectors::here() != Vectors::None {
                // SAFETY: processors with AVX-512 have AVX2.
                let reached = unsafe { vectors::avx2(&values, start, &taps, &trial) };
                assert_eq!(reached, slow);
            }
        }
    }
}
