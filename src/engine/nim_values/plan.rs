//! Which taps are worth trying for which numbers.
//!
//! What a tap is, is told in [`super::cover`]. Whether a tap shows anything that others do not is a matter of the values:
//! those of games with a sparse space follow quasi-periods, so that the taps of frequent rows show of nearly all heaps of
//! some phases that they reach a number, over and over, and of hardly any of the others. So what is worth it is learnt
//! from the last blocks of known values: of the taps that are left, those are taken next that show, for their number,
//! most of the heaps which the ones taken before do not, until too few are shown.
//!
//! Taps are taken in bundles of equal value, number and so row, since few at a time cost more each.
//!
//! A plan is a matter of speed alone: with any other, what is seen is so as well.
//!
//! Source: the greedy choice of a covering, each gain computed anew only when it comes first in a queue (M. Minoux,
//! *Accelerated greedy algorithms for maximizing submodular set functions*, 1978).

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use rayon::prelude::*;

use super::union::{READ_MOVED, Union};
#[cfg(target_arch = "x86_64")]
use super::vectors::Vectors;
use super::window::{BLOCK, Bits, Window};

/// The most taps in a bundle.
pub(super) const BUNDLE_MAX: usize = 16;

/// What a bundle costs beside its taps, in taps.
const BUNDLE_COST: usize = 3;

/// What makes a bundle worth it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Worth {
    /// How many taps of equal value are considered, those with the smallest offsets.
    pub(super) equal: usize,
    /// How many heaps it must show of a million that lie before them, for each tap that it costs.
    pub(super) gain: u64,
}

/// Bundles of taps to be tried.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// The offsets of taps, those of equal value ascending.
    pub(super) offsets: Vec<u32>,
    pub(super) bundles: Vec<Bundle>,
}

/// Taps of equal value to be tried for a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bundle {
    pub(super) number: u16,
    /// The value of the heaps beside those of the taps.
    pub(super) row: u16,
    /// Where the offsets begin and end.
    pub(super) from: u32,
    pub(super) to: u32,
}

impl Bundle {
    /// Returns where the offsets are.
    pub(super) fn offsets(&self) -> Range<usize> {
        self.from as usize..self.to as usize
    }
}

/// Known values, from which it is learnt what taps show.
pub(super) struct Lessons<'v> {
    values: &'v [u16],
    window: Window,
    /// The first heaps of the blocks, multiples of 8.
    starts: Vec<usize>,
    /// The values that occur in them or before them as far as the window reaches, ascending.
    rows: Vec<u16>,
}

impl<'v> Lessons<'v> {
    /// Returns lessons from the last `blocks` blocks of these values, or as many as there are, for taps with offsets up to
    /// `reach`; the values must be below `rows`.
    pub(super) fn new(values: &'v [u16], rows: usize, reach: usize, blocks: usize) -> Lessons<'v> {
        let end = values.len() & !7;
        let blocks = blocks.min((end / BLOCK).saturating_sub(1));
        let first = end - blocks * BLOCK;
        let mut occurs = vec![false; rows];
        for &value in &values[first.saturating_sub(reach)..] {
            occurs[usize::from(value)] = true;
        }
        let occurring = (0..).zip(occurs).filter(|&(_, occurs)| occurs);
        Lessons {
            values,
            window: Window::filled(values, rows, reach + blocks * BLOCK),
            starts: (first..end).step_by(BLOCK).collect(),
            rows: occurring.map(|(row, _)| row).collect(),
        }
    }

    /// Returns which of some taps, given by value and offset, are worth trying for which of some numbers, where `is_row`
    /// says of a value whether heaps that have it are tried beside those of the taps.
    ///
    /// Offsets must be from [`BLOCK`] to the reach of the lessons. Costs O(numbers x taps x blocks) vectors.
    pub(super) fn plan(
        &self,
        mut taps: Vec<(u16, usize)>,
        numbers: &[u16],
        is_row: impl Fn(u16) -> bool,
        worth: Worth,
    ) -> Plan {
        taps.sort_unstable();
        taps.dedup();
        let mut offsets = Vec::with_capacity(taps.len());
        let most = taps.last().map_or(0, |&(value, _)| usize::from(value) + 1);
        let mut groups = vec![0..0; most];
        for same in taps.chunk_by(|a, b| a.0 == b.0) {
            let same = &same[..same.len().min(worth.equal)];
            let from = offsets.len();
            offsets.extend(same.iter().map(|&(_, offset)| offset as u32));
            groups[usize::from(same[0].0)] = from..offsets.len();
        }
        let rows: Vec<u16> = self
            .rows
            .iter()
            .copied()
            .filter(|&row| is_row(row))
            .collect();
        let bundles = numbers.par_iter().flat_map_iter(|&number| {
            let bundles = rows.iter().flat_map(|&row| {
                let group = groups.get(usize::from(number ^ row));
                let group = group.cloned().unwrap_or_default();
                group.clone().step_by(BUNDLE_MAX).map(move |from| Bundle {
                    number,
                    row,
                    from: from as u32,
                    to: group.end.min(from + BUNDLE_MAX) as u32,
                })
            });
            self.choose(&offsets, bundles.collect(), number, worth)
        });
        let bundles = bundles.collect();
        Plan { offsets, bundles }
    }

    /// Chooses among the bundles for a number.
    fn choose(
        &self,
        offsets: &[u32],
        bundles: Vec<Bundle>,
        number: u16,
        worth: Worth,
    ) -> Vec<Bundle> {
        let mut need: Vec<Bits> = self
            .starts
            .iter()
            .map(|&start| self.above(start, number))
            .collect();
        if need.iter().flatten().all(|&word| word == 0) {
            return Vec::new();
        }
        let heaps = (self.starts.len() * BLOCK) as u64;
        // Heaps of a million for each tap that it costs.
        let rate = |bundle: &Bundle, gain: u32| {
            u64::from(gain) * 1_000_000 / (heaps * (bundle.offsets().len() + BUNDLE_COST) as u64)
        };
        // Gains only get less, so that one which is still the greatest when it is computed anew is the greatest of all.
        let all = (0..bundles.len()).map(|at| (u64::MAX, Reverse(at)));
        let mut queue: BinaryHeap<_> = all.collect();
        let mut chosen = Vec::new();
        while let Some((_, Reverse(at))) = queue.pop() {
            let bundle = &bundles[at];
            let rate = rate(bundle, self.gain(offsets, bundle, &need));
            if rate < worth.gain.max(1) {
                continue;
            }
            let now = (rate, Reverse(at));
            if queue.peek().is_some_and(|next| *next > now) {
                queue.push(now);
                continue;
            }
            self.strike(offsets, bundle, &mut need);
            chosen.push(*bundle);
        }
        chosen
    }

    /// Returns which heaps of a block have values above a number.
    fn above(&self, start: usize, number: u16) -> Bits {
        let mut bits = Bits::default();
        for (i, &value) in self.values[start..start + BLOCK].iter().enumerate() {
            bits[i / 64] |= u64::from(value > number) << (i % 64);
        }
        bits
    }

    /// Returns how many heaps in need are seen to reach the number by a bundle.
    fn gain(&self, offsets: &[u32], bundle: &Bundle, need: &[Bits]) -> u32 {
        let call = Call {
            lessons: self,
            offsets: &offsets[bundle.offsets()],
            row: bundle.row,
        };
        call.gain(need)
    }

    /// Takes the heaps that are seen by a bundle from those in need.
    fn strike(&self, offsets: &[u32], bundle: &Bundle, need: &mut [Bits]) {
        let call = Call {
            lessons: self,
            offsets: &offsets[bundle.offsets()],
            row: bundle.row,
        };
        for (&start, need) in self.starts.iter().zip(need) {
            for (need, seen) in need.iter_mut().zip(call.seen::<Bits>(start)) {
                *need &= !seen;
            }
        }
    }
}

/// The arguments of the kernel.
struct Call<'a> {
    lessons: &'a Lessons<'a>,
    offsets: &'a [u32],
    row: u16,
}

impl Call<'_> {
    /// Counts the heaps in need that are seen, with the widest vectors that the processor has.
    fn gain(&self, need: &[Bits]) -> u32 {
        #[cfg(target_arch = "x86_64")]
        match Vectors::here() {
            // SAFETY: the processor has these vectors, as `here` has found.
            Vectors::Avx512 => return unsafe { vectors::avx512(self, need) },
            // SAFETY: the same.
            Vectors::Avx2 => return unsafe { vectors::avx2(self, need) },
            Vectors::None => {}
        }
        self.count::<Bits>(need)
    }

    /// Counts them with whatever vectors the caller was compiled for.
    #[inline(always)]
    fn count<U: Union>(&self, need: &[Bits]) -> u32 {
        let mut count = 0;
        for (&start, need) in self.lessons.starts.iter().zip(need) {
            for (need, seen) in need.iter().zip(self.seen::<U>(start)) {
                count += (need & seen).count_ones();
            }
        }
        count
    }

    /// Returns which heaps of a block are seen.
    #[inline(always)]
    fn seen<U: Union>(&self, start: usize) -> Bits {
        let mut union = U::of(&Bits::default());
        for &offset in self.offsets {
            let bytes = offset.div_ceil(8);
            let row = self
                .lessons
                .window
                .row_from(self.row, start, bytes as usize);
            let read: &[u8; READ_MOVED] = row
                .first_chunk()
                .expect("a row goes on for a block after the heaps that are known");
            union.add_moved(8 * bytes - offset, read);
        }
        union.bits()
    }
}

#[cfg(target_arch = "x86_64")]
mod vectors {
    use super::super::union::vectors::{Narrow, Wide};
    use super::{Bits, Call};

    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi2,avx512vpopcntdq")]
    pub(super) fn avx512(call: &Call<'_>, need: &[Bits]) -> u32 {
        call.count::<Wide>(need)
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn avx2(call: &Call<'_>, need: &[Bits]) -> u32 {
        call.count::<Narrow>(need)
    }
}

#[cfg(test)]
mod tests {
    use super::super::random::Random;
    use super::*;

    /// The bundles for each number are those that looking at all of them again and again chooses, tap by tap.
    #[test]
    fn bundles_are_the_best_of_all_each_time() {
        let mut random = Random(3);
        // Values with a quasi-period, so that some taps show the same heaps.
        let values: Vec<u16> = (0..3300)
            .map(|n| (n * 19 / 7 % 3 * 4 + random.below(4)) as u16)
            .collect();
        let taps: Vec<(u16, usize)> = (0..120)
            .map(|_| (random.below(16) as u16 & 5, BLOCK + random.below(700)))
            .collect();
        let lessons = Lessons::new(&values, 16, BLOCK + 700, 2);
        let heaps = 1264..3296;
        assert_eq!(lessons.starts, [1264, 2280]);
        let is_row = |row: u16| !row.is_multiple_of(3);
        let mut left_out = 0;
        for worth in [(usize::MAX, 0), (20, 2000)] {
            let (equal, gain) = worth;
            let numbers: Vec<u16> = (0..12).step_by(2).collect();
            let plan = lessons.plan(taps.clone(), &numbers, is_row, Worth { equal, gain });
            for number in numbers {
                let mut need: Vec<usize> = heaps.clone().filter(|&n| values[n] > number).collect();
                let mut all = Vec::new();
                for row in (0..16).filter(|&row| is_row(row) && values.contains(&row)) {
                    let same = taps.iter().filter(|tap| tap.0 == number ^ row);
                    let mut offsets: Vec<u32> = same.map(|tap| tap.1 as u32).collect();
                    offsets.sort_unstable();
                    offsets.dedup();
                    offsets.truncate(equal);
                    all.extend(offsets.chunks(BUNDLE_MAX).map(|few| (row, few.to_vec())));
                }
                let mut slow = Vec::new();
                loop {
                    let shown = |(row, offsets): &(u16, Vec<u32>), n: usize| {
                        let beside = offsets.iter().map(|&offset| offset as usize);
                        let mut beside = beside.filter(|&offset| offset < n);
                        beside.any(|offset| values[n - offset] == *row)
                    };
                    let rate = |bundle: &(u16, Vec<u32>)| {
                        let gain = need.iter().filter(|&&n| shown(bundle, n)).count();
                        gain * 1_000_000 / (heaps.len() * (bundle.1.len() + BUNDLE_COST))
                    };
                    let rates: Vec<usize> = all.iter().map(rate).collect();
                    let Some(&best) = rates
                        .iter()
                        .max()
                        .filter(|&&best| best as u64 >= gain.max(1))
                    else {
                        left_out += all.len();
                        break;
                    };
                    let at = rates
                        .iter()
                        .position(|&rate| rate == best)
                        .expect("the best");
                    let bundle = all.remove(at);
                    need.retain(|&n| !shown(&bundle, n));
                    slow.push(bundle);
                }
                let fast = plan.bundles.iter().filter(|bundle| bundle.number == number);
                let fast: Vec<(u16, Vec<u32>)> = fast
                    .map(|bundle| (bundle.row, plan.offsets[bundle.offsets()].to_vec()))
                    .collect();
                assert_eq!(fast, slow, "{number} {worth:?}");
            }
        }
        assert!(left_out > 10);
    }

    /// All kernels count what is counted bit by bit.
    #[test]
    fn all_kernels_count_alike() {
        let mut random = Random(5);
        let values: Vec<u16> = (0..5000).map(|_| random.below(8) as u16).collect();
        let lessons = Lessons::new(&values, 8, 3000, 1);
        let need = vec![lessons.above(lessons.starts[0], 3)];
        for _ in 0..50 {
            let offsets: Vec<u32> = (0..1 + random.below(16))
                .map(|_| (BLOCK + random.below(1900)) as u32)
                .collect();
            let call = Call {
                lessons: &lessons,
                offsets: &offsets,
                row: random.below(8) as u16,
            };
            let slow = (lessons.starts[0]..lessons.starts[0] + BLOCK).filter(|&n| {
                let beside = |&offset: &u32| values[n - offset as usize] == call.row;
                values[n] > 3 && offsets.iter().any(beside)
            });
            let slow = slow.count() as u32;
            assert_eq!(call.count::<Bits>(&need), slow);
            assert_eq!(call.gain(&need), slow);
            #[cfg(target_arch = "x86_64")]
            if Vectors::here() != Vectors::None {
                // SAFETY: processors with AVX-512 have AVX2.
                assert_eq!(unsafe { vectors::avx2(&call, &need) }, slow);
            }
        }
    }

    #[test]
    fn few_heaps_give_no_lessons() {
        let values = vec![1; BLOCK + 9];
        let lessons = Lessons::new(&values, 2, 2000, 4);
        let worth = Worth { equal: 9, gain: 0 };
        let plan = lessons.plan(vec![(1, BLOCK)], &[0, 1], |_| true, worth);
        assert_eq!(plan.bundles, []);
    }
}
