//! Taps side by side, to try a few numbers on one heap.
//!
//! [`super::bytes`] asks for 64 heaps in a row, one tap after the other. This asks for one heap: where the offsets of some
//! taps are close to each other, the heaps beside them are, too, and their bytes are read and compared together. Taps are
//! of heaps of rare value, most of which are small, so that the offsets of many are close.

#[cfg(target_arch = "x86_64")]
use super::vectors::Vectors;

/// How many heaps a span holds.
const SPAN: usize = 32;

/// How many numbers are tried at once.
pub(super) const FEW: usize = 4;

/// Taps, by what lies beside them.
#[derive(Clone, Debug)]
pub(super) struct Spans {
    /// For each span the largest offset, that of its first heap.
    offsets: Vec<u32>,
    spans: Vec<Span>,
}

/// Heaps in a row, the first of which has the largest offset.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Span {
    /// The values, in a byte each, of the taps that these heaps are beside.
    values: [u8; SPAN],
    /// No bits for heaps that are beside a tap, and all for the others.
    absent: [u8; SPAN],
}

impl Spans {
    /// Returns the spans of taps, given by offset and value and by ascending offset, all offsets being of a span's length
    /// or more; none where trying numbers one heap at a time would not be faster.
    pub(super) fn new(taps: &[(u32, u8)]) -> Option<Spans> {
        #[cfg(target_arch = "x86_64")]
        let has_vectors = Vectors::here() != Vectors::None;
        #[cfg(not(target_arch = "x86_64"))]
        let has_vectors = false;
        let spans = has_vectors.then(|| Spans::of(taps));
        spans.filter(|spans| 2 * spans.spans.len() <= taps.len())
    }

    fn of(taps: &[(u32, u8)]) -> Spans {
        let mut spans = Spans {
            offsets: Vec::new(),
            spans: Vec::new(),
        };
        let mut left: Vec<(u32, u8)> = taps.iter().rev().copied().collect();
        while !left.is_empty() {
            let first = spans.spans.len();
            // A span has one tap for each of its heaps; further ones come with the next round.
            left.retain(|&(offset, value)| {
                let open = spans.offsets[first..].last();
                if open.is_none_or(|from| (from - offset) as usize >= SPAN) {
                    spans.offsets.push(offset);
                    spans.spans.push(Span {
                        values: [0; SPAN],
                        absent: [u8::MAX; SPAN],
                    });
                }
                let at = spans.offsets.last().expect("one is open") - offset;
                let span = spans.spans.last_mut().expect("one is open");
                let (value_there, absent) =
                    (&mut span.values[at as usize], &mut span.absent[at as usize]);
                let taken = *absent == 0;
                if !taken {
                    (*value_there, *absent) = (value, 0);
                }
                taken
            });
        }
        spans
    }

    /// Returns which of some numbers the next heap has as options by taps, where `known` has the bytes of the heaps before
    /// it. Costs O(spans).
    pub(super) fn reached(&self, known: &[u8], numbers: [u8; FEW]) -> [bool; FEW] {
        #[cfg(target_arch = "x86_64")]
        if Vectors::here() != Vectors::None {
            // SAFETY: the processor has AVX2, as those with AVX-512 do.
            return unsafe { avx2(self, known, numbers) };
        }
        self.plain(known, numbers)
    }

    /// Compares heap by heap.
    fn plain(&self, known: &[u8], numbers: [u8; FEW]) -> [bool; FEW] {
        let mut reached = [false; FEW];
        for (span, read) in self.read(known) {
            for (reached, number) in reached.iter_mut().zip(numbers) {
                *reached |=
                    (0..SPAN).any(|i| (number ^ span.values[i] ^ read[i]) | span.absent[i] == 0);
            }
        }
        reached
    }

    /// Returns the spans, each with what lies there.
    #[inline(always)]
    fn read<'a>(&'a self, known: &'a [u8]) -> impl Iterator<Item = (&'a Span, &'a [u8; SPAN])> {
        let spans = self.offsets.iter().zip(&self.spans);
        spans.map(|(&offset, span)| {
            let read = known[known.len() - offset as usize..].first_chunk();
            (span, read.expect("offsets are a span's length or more"))
        })
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2(spans: &Spans, known: &[u8], numbers: [u8; FEW]) -> [bool; FEW] {
    use std::arch::x86_64::{
        _mm256_cmpeq_epi8, _mm256_min_epu8, _mm256_movemask_epi8, _mm256_or_si256,
        _mm256_set1_epi8, _mm256_setzero_si256, _mm256_xor_si256,
    };

    use super::vectors::read;

    let wanted = numbers.map(|number| _mm256_set1_epi8(number as i8));
    // The least difference between a number and a nim-sum; 0 where one equals the other.
    let mut least = [_mm256_set1_epi8(-1); FEW];
    for (span, there) in spans.read(known) {
        let sum = _mm256_xor_si256(read(there), read(&span.values));
        let absent = read(&span.absent);
        for (least, wanted) in least.iter_mut().zip(wanted) {
            let apart = _mm256_or_si256(_mm256_xor_si256(sum, wanted), absent);
            *least = _mm256_min_epu8(*least, apart);
        }
    }
    least.map(|least| {
        let equal = _mm256_cmpeq_epi8(least, _mm256_setzero_si256());
        _mm256_movemask_epi8(equal) != 0
    })
}

#[cfg(test)]
mod tests {
    use super::super::random::Random;
    use super::*;

    #[test]
    fn spans_reach_what_each_tap_reaches() {
        let mut random = Random(8);
        let mut hits = 0;
        for round in 0..60 {
            // Close to each other, also with several taps of one offset, and far apart.
            let apart = [1, 3, 40][round % 3];
            let mut taps: Vec<(u32, u8)> = (0..random.below(200))
                .map(|_| {
                    let offset = SPAN + random.below(1 + 60 * apart);
                    (offset as u32, random.below(256) as u8)
                })
                .collect();
            taps.sort_unstable();
            taps.dedup();
            let spans = Spans::of(&taps);
            assert!(spans.spans.len() <= taps.len());
            let known: Vec<u8> = (0..2500).map(|_| random.below(256) as u8).collect();
            for heap in [known.len() - 1, known.len()] {
                let known = &known[..heap];
                let numbers = std::array::from_fn(|_| random.below(256) as u8);
                let slow = numbers.map(|number| {
                    let hit = |&(offset, value): &(u32, u8)| {
                        known[heap - offset as usize] ^ value == number
                    };
                    taps.iter().any(hit)
                });
                hits += slow.iter().filter(|&&hit| hit).count();
                assert_eq!(spans.plain(known, numbers), slow);
                assert_eq!(spans.reached(known, numbers), slow);
            }
        }
        assert!((50..430).contains(&hits), "{hits}");
    }
}
