//! The heaps of a strip one after the other: which of the numbers that are left to each it does not reach by
//! taps that lead to heaps of the strip itself.
//!
//! As in [`super::bytes`], values are common and stand for themselves less a bit. When a heap has its value, what the next
//! heaps reach by it is compared with their numbers at once.

use super::exact::STRIP;
use super::least::Least;
#[cfg(target_arch = "x86_64")]
use super::vectors::Vectors;

/// How many numbers are kept for each heap.
pub(super) const KEPT: usize = 4;

/// Taps with offsets below a strip's length, at most one of each offset.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    /// For each offset, counted from 1 on, the value of the tap less a bit.
    values: [u8; STRIP],
    /// For which offsets there is a tap.
    offsets: u64,
}

/// Returns the layers of these taps, of values less a bit and offsets; none where an offset is too large.
pub(super) fn layers(taps: &[(u8, usize)]) -> Option<Vec<Layer>> {
    let mut layers: Vec<Layer> = Vec::new();
    for &(value, offset) in taps {
        let place = offset.checked_sub(1).filter(|&place| place < STRIP)?;
        let free = layers
            .iter()
            .position(|layer| layer.offsets >> place & 1 == 0);
        let free = free.unwrap_or_else(|| {
            layers.push(Layer {
                values: [0; STRIP],
                offsets: 0,
            });
            layers.len() - 1
        });
        layers[free].values[place] = value;
        layers[free].offsets |= 1 << place;
    }
    Some(layers)
}

/// The numbers that are left to the heaps of a strip, ascending.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    /// For each rank and each heap a number less a bit; those of the strip are the second of three parts, and the others
    /// mean nothing.
    numbers: [[u8; 3 * STRIP]; KEPT],
    /// Which heaps have a number of each rank that they are not known to reach.
    left: [u64; KEPT],
}

impl Kept {
    /// Returns the numbers of the heaps of a strip.
    pub(super) fn new(least: &Least<KEPT>) -> Kept {
        let mut numbers = [[0; 3 * STRIP]; KEPT];
        for (numbers, least) in numbers.iter_mut().zip(&least.numbers) {
            numbers[STRIP..2 * STRIP].copy_from_slice(least);
        }
        Kept {
            numbers,
            left: least.heaps,
        }
    }

    /// Finds the values of the heaps of the strip from `from` on and before `to`, less a bit, and returns to which one: the
    /// next has none of its numbers left.
    pub(super) fn settle(
        &mut self,
        layers: &[Layer],
        from: usize,
        to: usize,
        values: &mut [u8; STRIP],
    ) -> usize {
        #[cfg(target_arch = "x86_64")]
        match Vectors::here() {
            // SAFETY: the processor has these vectors, as `here` has found.
            Vectors::Avx512 => return unsafe { avx512::settle(self, layers, from, to, values) },
            // SAFETY: the same.
            Vectors::Avx2 => return unsafe { avx2::settle(self, layers, from, to, values) },
            Vectors::None => {}
        }
        settle(self, layers, from, to, values, strike)
    }

    /// Takes note of values, less a bit, of a strip's length of heaps before the one from `from` on.
    pub(super) fn begin(&mut self, layers: &[Layer], from: usize, values: &[u8; STRIP]) {
        #[cfg(target_arch = "x86_64")]
        match Vectors::here() {
            // SAFETY: the processor has these vectors, as `here` has found.
            Vectors::Avx512 => return unsafe { avx512::begin(self, layers, from, values) },
            // SAFETY: the same.
            Vectors::Avx2 => return unsafe { avx2::begin(self, layers, from, values) },
            Vectors::None => {}
        }
        for (i, &value) in (from..).zip(values) {
            strike(self, layers, i, value);
        }
    }

    /// Takes note of the value of heap `i`, less a bit.
    pub(super) fn strike(&mut self, layers: &[Layer], i: usize, value: u8) {
        strike(self, layers, STRIP + i, value);
    }

    /// Returns the least number that heap `i` is not known to reach.
    #[inline(always)]
    fn least(&self, i: usize) -> Option<u8> {
        let rank = (0..KEPT).find(|&rank| self.left[rank] >> i & 1 == 1)?;
        Some(self.numbers[rank][STRIP + i])
    }
}

/// Finds values with a way to strike out numbers.
#[inline(always)]
fn settle(
    kept: &mut Kept,
    layers: &[Layer],
    from: usize,
    to: usize,
    values: &mut [u8; STRIP],
    strike: impl Fn(&mut Kept, &[Layer], usize, u8),
) -> usize {
    for (i, to) in values.iter_mut().enumerate().take(to).skip(from) {
        let Some(value) = kept.least(i) else {
            return i;
        };
        *to = value;
        strike(kept, layers, STRIP + i, value);
    }
    to
}

/// Strikes out what heaps of the strip reach by heap `i`, one by one; that one is counted from a strip's length before the
/// strip on.
fn strike(kept: &mut Kept, layers: &[Layer], i: usize, value: u8) {
    for layer in layers {
        for place in (0..STRIP).filter(|&place| layer.offsets >> place & 1 == 1) {
            let at = i + 1 + place;
            if (STRIP..2 * STRIP).contains(&at) {
                for (numbers, left) in kept.numbers.iter().zip(&mut kept.left) {
                    let equal = numbers[at] == value ^ layer.values[place];
                    *left &= !(u64::from(equal) << (at - STRIP));
                }
            }
        }
    }
}

/// Does for all heaps at once what [`strike`] does one by one, given which of 64 numbers are reached by a layer.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn strike_at_once(
    kept: &mut Kept,
    layers: &[Layer],
    i: usize,
    reached: impl Fn(&Layer, &[u8; STRIP]) -> u64,
) {
    for layer in layers {
        for (numbers, left) in kept.numbers.iter().zip(&mut kept.left) {
            let numbers = numbers[i + 1..].first_chunk();
            let numbers = numbers.expect("there are numbers for the next strip");
            let equal = reached(layer, numbers) & layer.offsets;
            // What lies before or after the strip is lost; in two steps, since a word cannot be moved by 64 bits.
            let equal = match i.checked_sub(STRIP) {
                Some(after) => equal << after << 1,
                None => equal >> (STRIP - 1 - i),
            };
            *left &= !equal;
        }
    }
}

/// What strikes numbers out by a module's `strike`, for one width of vectors.
#[cfg(target_arch = "x86_64")]
macro_rules! with_vectors {
    ($features:literal) => {
        #[target_feature(enable = $features)]
        pub(super) fn begin(kept: &mut Kept, layers: &[Layer], from: usize, values: &[u8; STRIP]) {
            for (i, &value) in (from..).zip(values) {
                strike(kept, layers, i, value);
            }
        }

        #[target_feature(enable = $features)]
        pub(super) fn settle(
            kept: &mut Kept,
            layers: &[Layer],
            from: usize,
            to: usize,
            values: &mut [u8; STRIP],
        ) -> usize {
            super::settle(kept, layers, from, to, values, |kept, layers, i, value| {
                strike(kept, layers, i, value);
            })
        }
    };
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use std::arch::x86_64::{
        __m512i, _mm512_cmpeq_epi8_mask, _mm512_loadu_si512, _mm512_set1_epi8, _mm512_xor_si512,
    };

    use super::{Kept, Layer, STRIP};

    /// Reads 64 bytes.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn load(bytes: &[u8; STRIP]) -> __m512i {
        // SAFETY: 64 bytes are read from an array of as many, at no particular alignment.
        unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn strike(kept: &mut Kept, layers: &[Layer], i: usize, value: u8) {
        let value = _mm512_set1_epi8(value as i8);
        super::strike_at_once(kept, layers, i, |layer, numbers| {
            let reached = _mm512_xor_si512(value, load(&layer.values));
            _mm512_cmpeq_epi8_mask(load(numbers), reached)
        });
    }

    with_vectors!("avx512f,avx512bw,avx512vl,avx512dq");
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::{
        _mm256_cmpeq_epi8, _mm256_movemask_epi8, _mm256_set1_epi8, _mm256_xor_si256,
    };

    use super::super::vectors::read_half;
    use super::{Kept, Layer, STRIP};

    #[inline]
    #[target_feature(enable = "avx2")]
    fn strike(kept: &mut Kept, layers: &[Layer], i: usize, value: u8) {
        let value = _mm256_set1_epi8(value as i8);
        super::strike_at_once(kept, layers, i, |layer, numbers| {
            let half = |half: usize| {
                let reached = _mm256_xor_si256(value, read_half(&layer.values, half));
                let equal = _mm256_cmpeq_epi8(read_half(numbers, half), reached);
                u64::from(_mm256_movemask_epi8(equal) as u32)
            };
            half(0) | half(1) << 32
        });
    }

    with_vectors!("avx2");
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From all numbers and all pairs, without ranks or layers, in strips that are known in part.
    #[test]
    fn values_are_those_found_pair_by_pair() {
        let mut seed = 31u64;
        let mut next = move |below: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1);
            (seed >> 33) % below
        };
        let mut stopped = 0;
        for round in 0..60 {
            let taps: Vec<(u8, usize)> = (0..next(40))
                .map(|_| (next(8) as u8, 1 + next(64) as usize))
                .collect();
            let layers = layers(&taps).expect("offsets of a strip");
            assert!(round == 0 || layers.len() < 8);
            let mut least = Least::none();
            let mut numbers = vec![Vec::new(); STRIP];
            for (i, numbers) in numbers.iter_mut().enumerate() {
                let mut number = 0;
                for rank in 0..next(KEPT as u64 + 1) as usize {
                    number += next(3) as u8;
                    least.numbers[rank][i] = number;
                    least.heaps[rank] |= 1 << i;
                    numbers.push(number);
                    number += 1;
                }
            }
            let mut kept = Kept::new(&least);
            // The heaps before the strip, and then those of it.
            let mut slow: Vec<u8> = (0..STRIP).map(|_| next(8) as u8).collect();
            let mut values = [0; STRIP];
            let mut from = next(20) as usize;
            slow.extend((0..from).map(|_| next(8) as u8));
            let before = slow[from..].first_chunk().expect("as many as a strip");
            let mut one_by_one = kept.clone();
            for (i, &value) in (from..).zip(before) {
                strike(&mut one_by_one, &layers, i, value);
            }
            #[cfg(target_arch = "x86_64")]
            if Vectors::here() != Vectors::None {
                let mut kept = kept.clone();
                // SAFETY: processors with AVX-512 have AVX2.
                unsafe { avx2::begin(&mut kept, &layers, from, before) };
                assert_eq!(kept.left, one_by_one.left);
            }
            kept.begin(&layers, from, before);
            assert_eq!(kept.left, one_by_one.left);
            while from < STRIP {
                let mut copy = kept.clone();
                let mut copied = values;
                #[cfg(target_arch = "x86_64")]
                let of_avx2 = (Vectors::here() != Vectors::None).then(|| {
                    let (mut kept, mut values) = (kept.clone(), values);
                    // SAFETY: processors with AVX-512 have AVX2.
                    let to = unsafe { avx2::settle(&mut kept, &layers, from, STRIP, &mut values) };
                    (to, kept.left, values)
                });
                let to = kept.settle(&layers, from, STRIP, &mut values);
                #[cfg(target_arch = "x86_64")]
                assert!(of_avx2.is_none_or(|of_avx2| of_avx2 == (to, kept.left, values)));
                assert_eq!(
                    settle(&mut copy, &layers, from, STRIP, &mut copied, strike),
                    to
                );
                assert_eq!(values, copied);
                assert_eq!(kept.left, copy.left);
                for i in from..(to + 1).min(STRIP) {
                    let reached = |number: u8| {
                        let hit = |&(value, offset): &(u8, usize)| {
                            slow[STRIP + i - offset] ^ value == number
                        };
                        taps.iter().any(hit)
                    };
                    let least = numbers[i].iter().copied().find(|&number| !reached(number));
                    assert_eq!(least, (i < to).then(|| values[i]), "{i}");
                    slow.push(least.unwrap_or(200));
                }
                if to < STRIP {
                    stopped += 1;
                    values[to] = 200;
                    kept.strike(&layers, to, 200);
                }
                from = to + 1;
            }
        }
        assert!(stopped > 100);
    }

    #[test]
    fn far_taps_have_no_layer() {
        assert!(layers(&[(1, 64)]).is_some_and(|layers| layers.len() == 1));
        assert!(layers(&[(1, 65)]).is_none() && layers(&[(1, 0)]).is_none());
    }
}
