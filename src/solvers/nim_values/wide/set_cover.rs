//! The choice of shifts to try for each number: a greedy set cover.
//!
//! # Formula
//!
//! Each [`Shift`] covers, for a number, the heaps of known blocks that it shows to reach it. The
//! values of games with a sparse space follow quasi-periods, so a shift that covers many heaps of
//! the last blocks also covers many of the next. The next shift chosen is always the one that
//! covers the most uncovered heaps, until all cover too few. Shifts of equal value and number, and
//! so equal row, are taken in bundles, since small numbers of them cost more each.
//!
//! # Cost
//!
//! O(numbers x shifts x blocks) vectors, whenever the number of heaps has doubled.
//!
//! # What it adds
//!
//! [`FrequentRows`](super::frequent_rows) tries shifts until few heaps are left. PERF: with those
//! instead of the cover, ten million values of 0.37 take 2.2 times as long, and a million 1.3
//! times.
//!
//! A cover affects only the speed: whatever its shifts, heaps that are seen to reach a number do
//! reach it.
//!
//! Source: M. Minoux, *Accelerated greedy algorithms for maximizing submodular set functions*,
//! 1978: a gain is recomputed only when it reaches the front of the queue.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use rayon::prelude::*;

use super::super::space::{Shift, Space};
use super::union::{READ_MOVED, or_moved};
use super::window::{BLOCK, Bits, Window};
use crate::heaps::vectors::with_widest_vectors;

/// The most shifts in a bundle.
pub(crate) const BUNDLE_MAX: usize = 16;

/// The fixed cost of a bundle, in shifts.
const BUNDLE_COST: usize = 3;

/// The threshold at which a bundle is worth its cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Threshold {
    /// The number of shifts of equal value that are considered, those with the smallest offsets.
    pub(crate) equal: usize,
    /// The heaps in a million that a bundle must show for each shift of its cost.
    pub(crate) gain: u64,
}

/// The bundles of shifts to try.
#[derive(Clone, Debug, Default)]
pub(crate) struct SetCover {
    /// The offsets of shifts, those of equal value ascending.
    pub(crate) offsets: Vec<u32>,
    pub(crate) bundles: Vec<Bundle>,
}

/// Shifts of equal value to try for a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bundle {
    pub(crate) number: u16,
    /// The value of the other heap of each pair.
    pub(crate) row: u16,
    /// The range of the offsets.
    pub(crate) from: u32,
    pub(crate) to: u32,
}

impl Bundle {
    /// Returns the range of the offsets.
    pub(crate) fn offsets(&self) -> Range<usize> {
        self.from as usize..self.to as usize
    }
}

/// Known values, on which shifts are tested.
pub(crate) struct SampleBlocks<'v> {
    values: &'v [u16],
    space: Space,
    window: Window,
    /// The first heaps of the blocks, multiples of 8.
    starts: Vec<usize>,
    /// The labels that occur in them or within the window before them, ascending.
    rows: Vec<u16>,
}

impl<'v> SampleBlocks<'v> {
    /// Returns samples of the last `blocks` blocks of these values, or of all if there are fewer,
    /// for shifts with offsets up to `reach`. The values must be below `rows`.
    pub(crate) fn new(
        space: Space,
        values: &'v [u16],
        rows: usize,
        reach: usize,
        blocks: usize,
    ) -> SampleBlocks<'v> {
        let end = values.len() & !7;
        let blocks = blocks.min((end / BLOCK).saturating_sub(1));
        let first = end - blocks * BLOCK;
        let mut occurs = vec![false; rows];
        let sampled = values.iter().enumerate();
        for (heap, &value) in sampled.skip(first.saturating_sub(reach)) {
            occurs[usize::from(space.label(heap, value))] = true;
        }
        let occurring = (0..).zip(occurs).filter(|&(_, occurs)| occurs);
        SampleBlocks {
            values,
            space,
            window: Window::filled(space, values, rows, reach + blocks * BLOCK),
            starts: (first..end).step_by(BLOCK).collect(),
            rows: occurring.map(|(row, _)| row).collect(),
        }
    }

    /// Chooses for each number the shifts, given by value and offset, that are worth trying.
    /// `is_row` decides whether heaps of a value are used as the other heap of a pair. Numbers and
    /// values are given by their labels.
    ///
    /// Offsets must be from [`BLOCK`] to the reach of the samples. Costs O(numbers x shifts x
    /// blocks) vectors.
    pub(crate) fn cover(
        &self,
        mut shifts: Vec<Shift>,
        numbers: &[u16],
        is_row: impl Fn(u16) -> bool,
        threshold: Threshold,
    ) -> SetCover {
        shifts.sort_unstable();
        shifts.dedup();
        let mut offsets = Vec::with_capacity(shifts.len());
        let most = shifts
            .last()
            .map_or(0, |&(value, _)| usize::from(value) + 1);
        let mut groups = vec![0..0; most];
        for same in shifts.chunk_by(|a, b| a.0 == b.0) {
            let same = &same[..same.len().min(threshold.equal)];
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
            self.choose(&offsets, bundles.collect(), number, threshold)
        });
        let bundles = bundles.collect();
        SetCover { offsets, bundles }
    }

    /// Chooses bundles for a number.
    fn choose(
        &self,
        offsets: &[u32],
        bundles: Vec<Bundle>,
        number: u16,
        threshold: Threshold,
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
        // The heaps in a million for each shift of the cost.
        let rate = |bundle: &Bundle, gain: u32| {
            u64::from(gain) * 1_000_000 / (heaps * (bundle.offsets().len() + BUNDLE_COST) as u64)
        };
        // Gains only decrease, so a gain that is still the greatest after it is recomputed is the
        // greatest of all.
        let all = (0..bundles.len()).map(|at| (u64::MAX, Reverse(at)));
        let mut queue: BinaryHeap<_> = all.collect();
        let mut chosen = Vec::new();
        while let Some((_, Reverse(at))) = queue.pop() {
            let bundle = &bundles[at];
            let rate = rate(bundle, self.gain(offsets, bundle, &need));
            if rate < threshold.gain.max(1) {
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

    /// Returns the heaps of a block with values above the number that has a label.
    fn above(&self, start: usize, label: u16) -> Bits {
        let mut bits = Bits::default();
        for (i, &value) in self.values[start..start + BLOCK].iter().enumerate() {
            let number = self.space.label(start + i, label);
            bits[i / 64] |= u64::from(value > number) << (i % 64);
        }
        bits
    }

    /// Returns the number of needed heaps that a bundle shows to reach the number.
    fn gain(&self, offsets: &[u32], bundle: &Bundle, need: &[Bits]) -> u32 {
        let call = Call {
            samples: self,
            offsets: &offsets[bundle.offsets()],
            row: bundle.row,
        };
        gain(&call, need)
    }

    /// Removes the heaps that a bundle shows from those needed.
    fn strike(&self, offsets: &[u32], bundle: &Bundle, need: &mut [Bits]) {
        let call = Call {
            samples: self,
            offsets: &offsets[bundle.offsets()],
            row: bundle.row,
        };
        for (&start, need) in self.starts.iter().zip(need) {
            for (need, seen) in need.iter_mut().zip(call.seen(start)) {
                *need &= !seen;
            }
        }
    }
}

with_widest_vectors! {
    /// Counts the needed heaps that are shown.
    fn gain(call: &Call<'_>, need: &[Bits]) -> u32 = count;
}

/// Shifts of one row, in some blocks.
struct Call<'a> {
    samples: &'a SampleBlocks<'a>,
    offsets: &'a [u32],
    row: u16,
}

/// Counts them block by block.
#[inline(always)]
fn count(call: &Call<'_>, need: &[Bits]) -> u32 {
    let mut count = 0;
    for (&start, need) in call.samples.starts.iter().zip(need) {
        for (need, seen) in need.iter().zip(call.seen(start)) {
            count += (need & seen).count_ones();
        }
    }
    count
}

impl Call<'_> {
    /// Returns the heaps of a block that are shown.
    #[inline(always)]
    fn seen(&self, start: usize) -> Bits {
        let mut union = Bits::default();
        for &offset in self.offsets {
            let bytes = offset / 8 + 1;
            let row = self
                .samples
                .window
                .row_from(self.row, start, bytes as usize);
            let read: &[u8; READ_MOVED] = row
                .first_chunk()
                .expect("a row extends a block beyond the known heaps");
            or_moved(&mut union, 8 * bytes - offset, read);
        }
        union
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heaps::vectors::Vectors;

    /// The bundles for each number are those that a naive greedy search over all of them chooses.
    #[test]
    fn bundles_are_the_best_of_all_each_time() {
        let mut random = fastrand::Rng::with_seed(11);
        // Values with a quasi-period, so that some shifts show the same heaps.
        let values: Vec<u16> = (0..3300)
            .map(|n| (n * 19 / 7 % 3 * 4 + random.usize(..4)) as u16)
            .collect();
        let shifts: Vec<Shift> = (0..120)
            .map(|_| (random.usize(..16) as u16 & 5, BLOCK + random.usize(..700)))
            .collect();
        let samples = SampleBlocks::new(Space::default(), &values, 16, BLOCK + 700, 2);
        let heaps = 1264..3296;
        assert_eq!(samples.starts, [1264, 2280]);
        let is_row = |row: u16| !row.is_multiple_of(3);
        let mut left_out = 0;
        for threshold in [(usize::MAX, 0), (20, 2000)] {
            let (equal, gain) = threshold;
            let numbers: Vec<u16> = (0..12).step_by(2).collect();
            let cover = samples.cover(shifts.clone(), &numbers, is_row, Threshold { equal, gain });
            for number in numbers {
                let mut need: Vec<usize> = heaps.clone().filter(|&n| values[n] > number).collect();
                let mut all = Vec::new();
                for row in (0..16).filter(|&row| is_row(row) && values.contains(&row)) {
                    let same = shifts.iter().filter(|shift| shift.0 == number ^ row);
                    let mut offsets: Vec<u32> = same.map(|shift| shift.1 as u32).collect();
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
                let fast = cover
                    .bundles
                    .iter()
                    .filter(|bundle| bundle.number == number);
                let fast: Vec<(u16, Vec<u32>)> = fast
                    .map(|bundle| (bundle.row, cover.offsets[bundle.offsets()].to_vec()))
                    .collect();
                assert_eq!(fast, slow, "{number} {threshold:?}");
            }
        }
        assert!(left_out > 10);
    }

    /// All vectors agree with a count bit by bit.
    #[test]
    fn all_vectors_count_alike() {
        let mut random = fastrand::Rng::with_seed(5);
        let values: Vec<u16> = (0..5000).map(|_| random.usize(..8) as u16).collect();
        let samples = SampleBlocks::new(Space::default(), &values, 8, 3000, 1);
        let need = vec![samples.above(samples.starts[0], 3)];
        for _ in 0..50 {
            let offsets: Vec<u32> = (0..1 + random.usize(..16))
                .map(|_| (BLOCK + random.usize(..1900)) as u32)
                .collect();
            let call = Call {
                samples: &samples,
                offsets: &offsets,
                row: random.usize(..8) as u16,
            };
            let slow = (samples.starts[0]..samples.starts[0] + BLOCK).filter(|&n| {
                let beside = |&offset: &u32| values[n - offset as usize] == call.row;
                values[n] > 3 && offsets.iter().any(beside)
            });
            let slow = slow.count() as u32;
            Vectors::each(|| assert_eq!(gain(&call, &need), slow));
        }
    }

    #[test]
    fn few_heaps_give_no_samples() {
        let values = vec![1; BLOCK + 9];
        let samples = SampleBlocks::new(Space::default(), &values, 2, 2000, 4);
        let threshold = Threshold { equal: 9, gain: 0 };
        let cover = samples.cover(vec![(1, BLOCK)], &[0, 1], |_| true, threshold);
        assert_eq!(cover.bundles, []);
    }
}
