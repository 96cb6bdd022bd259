//! Common values in a byte each, to try numbers on 64 heaps with one vector.
//!
//! All common values have an odd number of ones under the mask (see [`super::mask`]). So any one bit of the
//! mask can be left out of them: the others tell it. Where values are below 512, what is left fits a byte,
//! and two common values are equal just where their bytes are. Nothing of the kind is true of a common and a
//! rare value, so this serves only where all nim-sums are common: those of a tap of rare value and a heap of
//! common value.
//!
//! Invariant: `bytes` are those of the heaps from `first` on, up to the last one noted.

use super::exact::{STRIP, TRIED};
use super::mask::is_rare;
use super::spans::{FEW, Spans};
#[cfg(target_arch = "x86_64")]
use super::vectors::Vectors;

/// Values below this fit a byte, less a bit.
const ROWS_MAX: usize = 512;

/// Values without a bit, for as many heaps as taps reach back.
#[derive(Clone, Debug)]
pub(super) struct Bytes {
    bytes: Vec<u8>,
    /// The heap of the first byte.
    first: usize,
    /// How many heaps before the last must be kept.
    keep: usize,
    mask: u16,
    /// The bit of the mask that is left out.
    bit: u32,
    /// Taps of rare heaps, by offset.
    taps: Vec<Tap>,
    /// The same, where trying a few numbers on one heap is faster by them.
    spans: Option<Spans>,
    /// The largest offset.
    offset_max: usize,
    /// The last heap of rare value.
    rare_last: usize,
}

/// A tap: an offset of a strip or more, and the value without the bit.
#[derive(Clone, Copy, Debug)]
struct Tap {
    offset: u32,
    /// The value in each of four bytes, as vectors are filled at no cost from four bytes, but not from one.
    value: [u8; 4],
}

impl Bytes {
    /// Returns the bytes of these values for taps with offsets of [`STRIP`] and more, where values are below
    /// `rows`; none where they do not fit.
    ///
    /// `back` heaps may be taken back, and `rare_last` is the last one of rare value.
    pub(super) fn new(
        values: &[u16],
        rows: usize,
        mask: u16,
        taps: &[(u16, usize)],
        back: usize,
        rare_last: usize,
    ) -> Option<Bytes> {
        let bit = mask.checked_ilog2()?;
        if rows > ROWS_MAX || taps.iter().any(|&(value, _)| usize::from(value) >= rows) {
            return None;
        }
        let mut taps: Vec<Tap> = taps
            .iter()
            .map(|&(value, offset)| Tap {
                offset: offset as u32,
                value: [without(value, bit); 4],
            })
            .collect();
        taps.sort_unstable_by_key(|tap| (tap.offset, tap.value));
        let by_offset = taps.iter().map(|tap| (tap.offset, tap.value[0]));
        let by_offset: Vec<_> = by_offset.collect();
        let offset_max = taps.last().map_or(0, |tap| tap.offset as usize);
        // A strip begins up to as many heaps before the next one.
        let keep = offset_max + back + 2 * STRIP;
        let first = values.len().saturating_sub(keep);
        Some(Bytes {
            bytes: values[first..].iter().map(|&v| without(v, bit)).collect(),
            first,
            keep,
            mask,
            bit,
            spans: Spans::new(&by_offset),
            taps,
            offset_max,
            rare_last,
        })
    }

    /// Notes the value of the next heap.
    pub(super) fn push(&mut self, value: u16) {
        self.extend(&[without(value, self.bit)]);
    }

    /// Notes the values of the next heaps, as bytes, at most a strip of them.
    pub(super) fn extend(&mut self, bytes: &[u8]) {
        if self.bytes.len() > 2 * self.keep + (1 << 12) {
            let gone = self.bytes.len() - self.keep;
            self.bytes.drain(..gone);
            self.first += gone;
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// Returns a value as a byte.
    pub(super) fn low(&self, value: u16) -> u8 {
        without(value, self.bit)
    }

    /// Returns the common value of each byte.
    pub(super) fn whole(&self) -> [u16; 256] {
        let low = (1 << self.bit) - 1;
        std::array::from_fn(|byte| {
            let byte = byte as u16;
            let value = byte & low | (byte & !low) << 1;
            value | u16::from(is_rare(value, self.mask)) << self.bit
        })
    }

    /// Takes back the values from a heap on, and notes the one of rare value that it has.
    pub(super) fn take_back(&mut self, heap: usize, value: u16) {
        self.bytes.truncate(heap - self.first);
        self.push(value);
        self.rare_last = heap;
    }

    /// Returns whether the bytes decide for the strip from `start` on: no tap leads to a heap of rare value, nor
    /// does an offset of a strip's length.
    pub(super) fn decide(&self, start: usize) -> bool {
        start > self.rare_last + self.offset_max.max(STRIP)
    }

    /// Returns the bytes of the last heaps.
    pub(super) fn last(&self) -> &[u8; STRIP] {
        let last = self.bytes.last_chunk();
        last.expect("more than a strip is kept")
    }

    /// Returns, for each of the common numbers, which heaps of the strip from `start` on have an option of it
    /// by a tap, as [`super::exact::reached`] does. They must [`decide`](Self::decide). Costs O(taps).
    pub(super) fn reached(&self, start: usize, numbers: &[[u8; STRIP]; TRIED]) -> [u64; TRIED] {
        let known = &self.bytes[..start - self.first];
        #[cfg(target_arch = "x86_64")]
        match Vectors::here() {
            // SAFETY: the processor has these vectors, as `here` has found.
            Vectors::Avx512 => return unsafe { vectors::avx512(known, &self.taps, numbers) },
            // SAFETY: the same.
            Vectors::Avx2 => return unsafe { vectors::avx2(known, &self.taps, numbers) },
            Vectors::None => {}
        }
        plain(known, &self.taps, numbers)
    }

    /// Returns whether trying a few numbers on one heap takes far less than trying them on a strip.
    pub(super) fn has_spans(&self) -> bool {
        self.spans.is_some()
    }

    /// Returns the first of some common numbers that heap `n`, the next one, does not have as an option by a tap; the
    /// strip must [`decide`](Self::decide). Costs O(taps), or O(spans) for every few numbers where there are
    /// [spans](super::spans).
    pub(super) fn first_unreached(&self, mut numbers: impl Iterator<Item = u16>) -> Option<u16> {
        let Some(spans) = &self.spans else {
            let reaches = self.reaches();
            return numbers.find(|&number| !reaches(number));
        };
        loop {
            let first = numbers.next()?;
            // Fewer numbers than are tried at once are tried more than once.
            let mut few = [first; FEW];
            for number in &mut few[1..] {
                *number = numbers.next().unwrap_or(first);
            }
            let low = few.map(|number| without(number, self.bit));
            let reached = spans.reached(&self.bytes, low);
            if let Some(place) = reached.iter().position(|&reached| !reached) {
                return Some(few[place]);
            }
        }
    }

    /// Returns which common numbers that heap has as options, as a function.
    fn reaches(&self) -> impl Fn(u16) -> bool {
        let mut marks = [false; 256];
        for tap in &self.taps {
            let beside = self.bytes[self.bytes.len() - tap.offset as usize];
            marks[usize::from(tap.value[0] ^ beside)] = true;
        }
        let bit = self.bit;
        move |number| marks[usize::from(without(number, bit))]
    }
}

/// Returns the low nine bits of a value less one of them.
fn without(value: u16, bit: u32) -> u8 {
    let low = value & ((1 << bit) - 1);
    (low | value >> (bit + 1) << bit) as u8
}

/// Compares heap by heap, as far as the compiler leaves it at that.
fn plain(known: &[u8], taps: &[Tap], numbers: &[[u8; STRIP]; TRIED]) -> [u64; TRIED] {
    // The least difference between a number and a nim-sum; 0 where one equals the other.
    let mut least = [[u8::MAX; STRIP]; TRIED];
    for tap in taps {
        let read = read(known, tap.offset);
        for (least, numbers) in least.iter_mut().zip(numbers) {
            for ((least, number), value) in least.iter_mut().zip(numbers).zip(read) {
                *least = (*least).min(number ^ value ^ tap.value[0]);
            }
        }
    }
    least.map(|least| {
        let bits = least.iter().enumerate();
        bits.fold(0, |word, (i, &least)| word | u64::from(least == 0) << i)
    })
}

/// Returns the bytes beside a tap's for the heaps of a strip.
#[inline(always)]
fn read(known: &[u8], offset: u32) -> &[u8; STRIP] {
    let read = known[known.len() - offset as usize..].first_chunk();
    read.expect("an offset of a strip or more leads to heaps that are known")
}

#[cfg(target_arch = "x86_64")]
mod vectors {
    use std::arch::x86_64::{
        __m512i, _mm256_cmpeq_epi8, _mm256_min_epu8, _mm256_movemask_epi8, _mm256_set1_epi8,
        _mm256_set1_epi32, _mm256_setzero_si256, _mm256_xor_si256, _mm512_cmpeq_epi8_mask,
        _mm512_loadu_si512, _mm512_mask_cmpneq_epi8_mask, _mm512_min_epu8, _mm512_set1_epi8,
        _mm512_set1_epi32, _mm512_setzero_si512, _mm512_xor_si512,
    };

    use super::super::vectors::read_half;
    use super::{STRIP, TRIED, Tap};

    /// Reads 64 bytes.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn load(bytes: &[u8; STRIP]) -> __m512i {
        // SAFETY: 64 bytes are read from an array of as many, at no particular alignment.
        unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
    pub(super) fn avx512(
        known: &[u8],
        taps: &[Tap],
        numbers: &[[u8; STRIP]; TRIED],
    ) -> [u64; TRIED] {
        let mut wanted = [_mm512_setzero_si512(); TRIED];
        for (wanted, numbers) in wanted.iter_mut().zip(numbers) {
            *wanted = load(numbers);
        }
        // All numbers but the last are compared with masks, on one port of the processor, and the last one by
        // a minimum of differences, on another.
        let mut apart = [u64::MAX; TRIED - 1];
        let mut least = _mm512_set1_epi8(-1);
        for tap in taps {
            let read = load(super::read(known, tap.offset));
            let sum = _mm512_xor_si512(read, _mm512_set1_epi32(i32::from_le_bytes(tap.value)));
            for (apart, wanted) in apart.iter_mut().zip(wanted) {
                *apart = _mm512_mask_cmpneq_epi8_mask(*apart, sum, wanted);
            }
            least = _mm512_min_epu8(least, _mm512_xor_si512(sum, wanted[TRIED - 1]));
        }
        let mut reached = [0; TRIED];
        for (reached, apart) in reached.iter_mut().zip(apart) {
            *reached = !apart;
        }
        reached[TRIED - 1] = _mm512_cmpeq_epi8_mask(least, _mm512_setzero_si512());
        reached
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn avx2(known: &[u8], taps: &[Tap], numbers: &[[u8; STRIP]; TRIED]) -> [u64; TRIED] {
        let mut reached = [0; TRIED];
        // Half a strip at a time, so that registers hold all numbers and all that is known of them.
        for half in 0..2 {
            let mut wanted = [_mm256_setzero_si256(); TRIED];
            for (wanted, numbers) in wanted.iter_mut().zip(numbers) {
                *wanted = read_half(numbers, half);
            }
            // The least difference between a number and a nim-sum; 0 where one equals the other.
            let mut least = [_mm256_set1_epi8(-1); TRIED];
            for tap in taps {
                let read = read_half(super::read(known, tap.offset), half);
                let sum = _mm256_xor_si256(read, _mm256_set1_epi32(i32::from_le_bytes(tap.value)));
                for (least, wanted) in least.iter_mut().zip(wanted) {
                    *least = _mm256_min_epu8(*least, _mm256_xor_si256(sum, wanted));
                }
            }
            for (reached, least) in reached.iter_mut().zip(least) {
                let equal = _mm256_cmpeq_epi8(least, _mm256_setzero_si256());
                *reached |= u64::from(_mm256_movemask_epi8(equal) as u32) << (32 * half);
            }
        }
        reached
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With any mask, for any values of which those that taps lead to are common, as pair by pair with whole
    /// values; also after values were taken back, and where early ones are no longer kept.
    #[test]
    fn bytes_decide_as_whole_values_do() {
        let mut seed = 21u64;
        let mut next = move |below: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1);
            (seed >> 33) % below
        };
        for (rows, mask) in [
            (512, 0x1ee),
            (512, 0x0e),
            (512, 0x101),
            (256, 0x80),
            (128, 1),
        ] {
            let mut value = |rare: bool| loop {
                let value = next(rows) as u16;
                if is_rare(value, mask) == rare {
                    return value;
                }
            };
            let mut values: Vec<u16> = (0..300).map(|i| value(i % 2 == 0)).collect();
            values.extend((300..1500).map(|_| value(false)));
            let taps: Vec<(u16, usize)> = (0..60).map(|i| (value(true), STRIP + i * 14)).collect();
            let mut bytes = Bytes::new(&values, rows as usize, mask, &taps, 200, 299)
                .expect("values below 512");
            assert!(!bytes.decide(299 + STRIP + 59 * 14) && bytes.decide(300 + STRIP + 59 * 14));
            for step in 0..120 {
                for _ in 0..100 {
                    values.push(value(false));
                    bytes.push(values[values.len() - 1]);
                }
                if step % 40 == 39 {
                    values.truncate(values.len() - 150);
                    values.push(value(true));
                    bytes.take_back(values.len() - 1, values[values.len() - 1]);
                    assert!(!bytes.decide(values.len()));
                    for _ in 0..900 {
                        values.push(value(false));
                        bytes.push(values[values.len() - 1]);
                    }
                }
                let start = values.len();
                assert!(bytes.decide(start));
                let trial: [[u16; STRIP]; TRIED] =
                    std::array::from_fn(|_| std::array::from_fn(|_| value(false)));
                let slow = trial.map(|numbers| {
                    (0..STRIP).fold(0, |word, i| {
                        let hit = taps.iter().any(|&(value, offset)| {
                            values[start + i - offset] ^ value == numbers[i]
                        });
                        word | u64::from(hit) << i
                    })
                });
                let low = trial.map(|numbers| numbers.map(|number| bytes.low(number)));
                assert_eq!(bytes.reached(start, &low), slow);
                let numbers_of_first: [u16; 9] = std::array::from_fn(|_| value(false));
                let reaches = bytes.reaches();
                for (numbers, slow) in trial.iter().zip(slow) {
                    assert_eq!(reaches(numbers[0]), slow & 1 == 1);
                }
                for few in 0..=numbers_of_first.len() {
                    let asked = &numbers_of_first[..few];
                    let slow = asked.iter().copied().find(|&number| !reaches(number));
                    assert_eq!(bytes.first_unreached(asked.iter().copied()), slow);
                }
                assert_eq!(plain(&bytes.bytes, &bytes.taps, &low), slow);
                #[cfg(target_arch = "x86_64")]
                if Vectors::here() != Vectors::None {
                    // SAFETY: processors with AVX-512 have AVX2.
                    let reached = unsafe { vectors::avx2(&bytes.bytes, &bytes.taps, &low) };
                    assert_eq!(reached, slow);
                }
            }
        }
        assert!(Bytes::new(&[1; 9], 1024, 1, &[], 0, 0).is_none());
        assert!(Bytes::new(&[1; 9], 2, 0, &[], 0, 0).is_none());
    }
}
