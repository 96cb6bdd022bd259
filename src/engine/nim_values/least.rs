//! The least numbers of each heap of a strip, for all heaps at once.
//!
//! What is known of numbers comes as a word for each number, with a bit for each heap. Numbers are gone through from the
//! largest down, and each is put before those that its heaps have so far; of these only so many are kept. So those that are
//! left are the least ones, in order.

use super::exact::STRIP;
#[cfg(target_arch = "x86_64")]
use super::vectors::Vectors;

/// The least numbers of each heap, in a byte each, as many as there are ranks or fewer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Least<const RANKS: usize> {
    /// The number of each rank, ascending; it means nothing for heaps that have none.
    pub(super) numbers: [[u8; STRIP]; RANKS],
    /// The heaps that have a number of each rank.
    pub(super) heaps: [u64; RANKS],
}

impl<const RANKS: usize> Least<RANKS> {
    /// Returns no numbers.
    pub(super) fn none() -> Least<RANKS> {
        Least {
            numbers: [[0; STRIP]; RANKS],
            heaps: [0; RANKS],
        }
    }

    /// Takes the least numbers of some heaps out of words, one for each of the numbers, ascending.
    ///
    /// Costs O(numbers) vectors for each rank.
    pub(super) fn take(words: &mut [u64], numbers: &[u8], heaps: u64) -> Least<RANKS> {
        let mut least = Least::none();
        let of_heaps = words.iter().map(|word| word & heaps);
        least.put_first(of_heaps.zip(numbers.iter().map(Number::Same)));
        for word in words {
            let taken = *word & heaps & !least.heaps[RANKS - 1];
            least.count(taken);
            *word ^= taken;
        }
        least
    }

    /// Returns these and, after them, some that others have: of each rank those of the heaps given.
    pub(super) fn and<const OTHERS: usize>(
        &self,
        others: &Least<OTHERS>,
        heaps: [u64; OTHERS],
    ) -> Least<RANKS> {
        let mut least = Least::none();
        let own = self.heaps.into_iter().zip(&self.numbers);
        let all = own.chain(heaps.into_iter().zip(&others.numbers));
        least.put_first(
            all.clone()
                .map(|(heaps, numbers)| (heaps, Number::Each(numbers))),
        );
        for (heaps, _) in all {
            least.count(heaps);
        }
        least
    }

    /// Notes that some heaps have one number more.
    #[inline(always)]
    fn count(&mut self, heaps: u64) {
        for rank in (1..RANKS).rev() {
            self.heaps[rank] |= self.heaps[rank - 1] & heaps;
        }
        self.heaps[0] |= heaps;
    }

    /// Puts numbers, ascending, before all others, each for its heaps.
    fn put_first<'a>(
        &mut self,
        numbers: impl DoubleEndedIterator<Item = (u64, Number<'a>)> + Clone,
    ) {
        #[cfg(target_arch = "x86_64")]
        match Vectors::here() {
            // SAFETY: the processor has these vectors, as `here` has found.
            Vectors::Avx512 => return unsafe { vectors::avx512(&mut self.numbers, numbers) },
            // SAFETY: the same.
            Vectors::Avx2 => return unsafe { vectors::avx2(&mut self.numbers, numbers) },
            Vectors::None => {}
        }
        plain(&mut self.numbers, numbers);
    }
}

/// A number of each heap of a strip.
#[derive(Clone, Copy, Debug)]
enum Number<'a> {
    /// The same one of all.
    Same(&'a u8),
    /// One of each.
    Each(&'a [u8; STRIP]),
}

/// Puts numbers heap by heap.
fn plain<'a, const RANKS: usize>(
    least: &mut [[u8; STRIP]; RANKS],
    numbers: impl DoubleEndedIterator<Item = (u64, Number<'a>)>,
) {
    for (heaps, number) in numbers.rev() {
        for i in (0..STRIP).filter(|i| heaps >> i & 1 == 1) {
            for rank in (1..RANKS).rev() {
                least[rank][i] = least[rank - 1][i];
            }
            least[0][i] = match number {
                Number::Same(number) => *number,
                Number::Each(numbers) => numbers[i],
            };
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod vectors {
    use std::arch::x86_64::{
        _mm256_and_si256, _mm256_blendv_epi8, _mm256_cmpeq_epi8, _mm256_set1_epi8,
        _mm256_set1_epi32, _mm256_set1_epi64x, _mm256_setr_epi64x, _mm256_shuffle_epi8,
        _mm256_storeu_si256, _mm512_loadu_si512, _mm512_mask_blend_epi8, _mm512_set1_epi8,
        _mm512_storeu_si512,
    };

    use super::super::vectors::read_half;
    use super::{Number, STRIP};

    #[target_feature(enable = "avx512f,avx512bw")]
    pub(super) fn avx512<'a, const RANKS: usize>(
        least: &mut [[u8; STRIP]; RANKS],
        numbers: impl DoubleEndedIterator<Item = (u64, Number<'a>)>,
    ) {
        // SAFETY: 64 bytes are read from an array of as many, at no particular alignment.
        let load = |bytes: &[u8; STRIP]| unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) };
        let mut ranks = least.each_ref().map(load);
        for (heaps, number) in numbers.rev() {
            for rank in (1..RANKS).rev() {
                ranks[rank] = _mm512_mask_blend_epi8(heaps, ranks[rank], ranks[rank - 1]);
            }
            let number = match number {
                Number::Same(number) => _mm512_set1_epi8(*number as i8),
                Number::Each(numbers) => load(numbers),
            };
            ranks[0] = _mm512_mask_blend_epi8(heaps, ranks[0], number);
        }
        for (least, rank) in least.iter_mut().zip(ranks) {
            // SAFETY: 64 bytes are written to an array of as many, at no particular alignment.
            unsafe { _mm512_storeu_si512(least.as_mut_ptr().cast(), rank) };
        }
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn avx2<'a, const RANKS: usize>(
        least: &mut [[u8; STRIP]; RANKS],
        numbers: impl DoubleEndedIterator<Item = (u64, Number<'a>)> + Clone,
    ) {
        // For each of 32 bytes the one of four that has its bit, and this bit.
        let byte = _mm256_setr_epi64x(
            0,
            0x0101_0101_0101_0101,
            0x0202_0202_0202_0202,
            0x0303_0303_0303_0303,
        );
        let bit = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
        // Half a strip at a time, so that registers hold all ranks.
        for half in 0..2 {
            let mut ranks = least.each_ref().map(|rank| read_half(rank, half));
            for (heaps, number) in numbers.clone().rev() {
                let heaps = _mm256_set1_epi32((heaps >> (32 * half)) as i32);
                let heaps = _mm256_and_si256(_mm256_shuffle_epi8(heaps, byte), bit);
                let heaps = _mm256_cmpeq_epi8(heaps, bit);
                for rank in (1..RANKS).rev() {
                    ranks[rank] = _mm256_blendv_epi8(ranks[rank], ranks[rank - 1], heaps);
                }
                let number = match number {
                    Number::Same(number) => _mm256_set1_epi8(*number as i8),
                    Number::Each(numbers) => read_half(numbers, half),
                };
                ranks[0] = _mm256_blendv_epi8(ranks[0], number, heaps);
            }
            for (least, rank) in least.iter_mut().zip(ranks) {
                let least = &mut least.as_chunks_mut::<32>().0[half];
                // SAFETY: 32 bytes are written to an array of as many, at no particular alignment.
                unsafe { _mm256_storeu_si256(least.as_mut_ptr().cast(), rank) };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::random::Random;
    use super::*;

    /// The numbers of each heap, from the words of all numbers.
    fn of_each(words: &[u64], numbers: &[u8]) -> Vec<Vec<u8>> {
        let of_heap = |i: usize| {
            let of_heap = words
                .iter()
                .zip(numbers)
                .filter(|(word, _)| **word >> i & 1 == 1);
            of_heap.map(|(_, &number)| number).collect()
        };
        (0..STRIP).map(of_heap).collect()
    }

    /// The numbers of each heap, from those of all ranks.
    fn listed<const RANKS: usize>(least: &Least<RANKS>) -> Vec<Vec<u8>> {
        let of_heap = |i: usize| {
            let ranks = (0..RANKS).take_while(|&rank| least.heaps[rank] >> i & 1 == 1);
            ranks.map(|rank| least.numbers[rank][i]).collect()
        };
        (0..STRIP).map(of_heap).collect()
    }

    /// Whatever the vectors, numbers come as heap by heap: the least ones, then the next ones, then both.
    #[test]
    fn the_least_numbers_are_those_found_heap_by_heap() {
        let mut random = Random(17);
        let mut word = || (0..64).fold(0, |word, _| word << 1 | random.below(2) as u64);
        for count in [0, 1, 5, 40, 130] {
            // Bytes of numbers need not ascend.
            let numbers: Vec<u8> = (0..count).map(|i| (i as u8).wrapping_mul(37)).collect();
            let mut words: Vec<u64> = (0..count).map(|_| word() & word()).collect();
            let (all, heaps) = (words.clone(), word());
            let slow = of_each(&words, &numbers);

            let first = Least::<6>::take(&mut words, &numbers, heaps);
            let chosen = |i: usize| heaps >> i & 1 == 1;
            let least = |i: usize, from: usize| -> Vec<u8> {
                let after = slow[i].iter().copied().skip(from);
                after.take(6).filter(|_| chosen(i)).collect()
            };
            assert!(
                listed(&first)
                    .into_iter()
                    .eq((0..STRIP).map(|i| least(i, 0)))
            );
            let left = of_each(&words, &numbers);
            assert!((0..STRIP).all(|i| {
                let taken = if chosen(i) { slow[i].len().min(6) } else { 0 };
                left[i] == slow[i][taken..]
            }));

            let second = Least::<6>::take(&mut words, &numbers, u64::MAX);
            let some = second.heaps.map(|heaps| heaps & word());
            let both = Least::<4>::none()
                .and(&first, first.heaps)
                .and(&second, some);
            let slow_both = (0..STRIP).map(|i| {
                let second = listed(&second).swap_remove(i);
                let some = second
                    .into_iter()
                    .zip(some)
                    .filter(|(_, heaps)| heaps >> i & 1 == 1);
                let mut both = least(i, 0);
                both.extend(some.map(|(number, _)| number));
                both.truncate(4);
                both
            });
            assert!(listed(&both).into_iter().eq(slow_both));

            let of_heaps = all.iter().map(|word| word & heaps);
            let of_heaps = of_heaps.zip(numbers.iter().map(Number::Same));
            let mut ranks = [[0; STRIP]; 6];
            plain(&mut ranks, of_heaps.clone());
            let mut same = first.clone();
            same.numbers = ranks;
            assert_eq!(listed(&same), listed(&first));
            #[cfg(target_arch = "x86_64")]
            if Vectors::here() != Vectors::None {
                let mut of_avx2 = [[0; STRIP]; 6];
                // SAFETY: processors with AVX-512 have AVX2.
                unsafe { vectors::avx2(&mut of_avx2, of_heaps) };
                assert_eq!(of_avx2, ranks);
            }
        }
    }
}
