//! The heaps of a block that reach numbers, by shifts of the most frequent rows.
//!
//! # Formula
//!
//! For a [`Shift`] by `o` with value `g`, the heaps of a block that reach `number` are row `number
//! xor g` shifted by `o`; several shifts give the union. Rows of many heaps come first, since they
//! show the most, and each is used for 64 numbers, so that it stays in a fast cache.
//!
//! # Cost
//!
//! One read of 1016 bits for each number and shift, until few heaps remain.
//!
//! This is used while all numbers are rare, where all values are frequent, so few shifts have the same
//! value and a row is useful for few numbers. PERF: without it the codes of three digits take 2.5 times
//! as long, and a million values of 0.37 take 1.4 times as long.
//!
//! Invariant: a heap that is seen to reach a number reaches it; others may reach it, too.

use super::super::space::Shift;
use super::union::or_moved;
use super::window::{Bits, Window};
use crate::heaps::vectors::with_widest_vectors;

/// The numbers in a batch, which are processed together: one bit of a word each.
pub(super) const BATCH: usize = 64;

/// Shifts, grouped by value.
#[derive(Clone, Debug, Default)]
pub(super) struct FrequentRows {
    /// For each value, the range of its shifts in `packed`.
    groups: Vec<(u32, u32)>,
    /// For an offset `o = 8 q - r` with `r` from 1 to 8: `8 q + r - 1`.
    packed: Vec<u32>,
    /// The number of bytes of a row that are read before the block.
    before: usize,
    /// The values that occur, those of the most heaps first.
    rows: Vec<u16>,
}

impl FrequentRows {
    /// Groups these shifts, for values below the length of `counts`, which has the number of heaps
    /// of each. A repeated shift counts once.
    pub(super) fn new(mut shifts: Vec<Shift>, counts: &[u64]) -> FrequentRows {
        shifts.sort_unstable();
        shifts.dedup();
        let mut groups = vec![(0, 0); counts.len()];
        let mut packed = Vec::with_capacity(shifts.len());
        for same in shifts.chunk_by(|a, b| a.0 == b.0) {
            let from = packed.len() as u32;
            packed.extend(same.iter().map(|&(_, o)| {
                let q = o / 8 + 1;
                (8 * q + (8 * q - o - 1)) as u32
            }));
            groups[usize::from(same[0].0)] = (from, packed.len() as u32);
        }
        let mut rows: Vec<u16> = (0..counts.len() as u16).collect();
        rows.retain(|&row| counts[usize::from(row)] > 0);
        rows.sort_by_key(|&row| std::cmp::Reverse(counts[usize::from(row)]));
        let before = packed.iter().max().map_or(0, |&packed| packed >> 3) as usize;
        FrequentRows {
            groups,
            packed,
            before,
            rows,
        }
    }

    /// Returns the number of heaps before a block that are read at most.
    pub(super) fn reach(&self) -> usize {
        8 * self.before
    }
}

/// The numbers to try, and the heaps to try them for.
pub(super) struct TriedNumbers<'a> {
    pub(super) window: &'a Window,
    /// The first heap of the block, a multiple of 8.
    pub(super) start: usize,
    /// The first number of the batch.
    pub(super) first: u16,
    /// The numbers of the batch to try; results for others are meaningless.
    pub(super) wanted: u64,
    /// The heaps that matter.
    pub(super) need: &'a Bits,
    pub(super) limits: TrialLimits,
}

/// The limits at which a number has been tried enough.
#[derive(Clone, Copy, Debug)]
pub(super) struct TrialLimits {
    /// The number of needed heaps that may remain.
    pub(super) left: u32,
    /// The number of shifts; those of equal value are tried together.
    pub(super) shifts: u32,
}

/// The number of shifts after which the kernel counts the remaining heaps.
const COUNT_EVERY: u32 = 40;

with_widest_vectors! {
    /// Returns the heaps of a block that are seen to reach each number of a batch.
    pub(super) fn seen(rows: &FrequentRows, task: &TriedNumbers<'_>) -> [Bits; BATCH] = kernel;
}

/// Unites rows.
#[inline(always)]
fn kernel(frequent: &FrequentRows, task: &TriedNumbers<'_>) -> [Bits; BATCH] {
    let mut all = [Bits::default(); BATCH];
    let mut tried = [0u32; BATCH];
    let mut since = [0u32; BATCH];
    let mut active = task.wanted;
    for &value in &frequent.rows {
        let row = task.window.row_from(value, task.start, frequent.before);
        let mut left = active;
        while left != 0 {
            let i = left.trailing_zeros() as usize;
            left &= left - 1;
            let (from, to) = frequent.groups[usize::from(value ^ (task.first + i as u16))];
            let mut union = all[i];
            for &packed in &frequent.packed[from as usize..to as usize] {
                let read = row[frequent.before - (packed >> 3) as usize..].first_chunk();
                let read = read.expect("a row extends a block beyond the known heaps");
                or_moved(&mut union, (packed & 7) + 1, read);
            }
            all[i] = union;
            since[i] += to - from;
            if since[i] >= COUNT_EVERY {
                tried[i] += since[i];
                since[i] = 0;
                let missing = task.need.iter().zip(&all[i]).map(|(need, got)| need & !got);
                let missing: u32 = missing.map(u64::count_ones).sum();
                if missing <= task.limits.left || tried[i] >= task.limits.shifts {
                    active &= !(1 << i);
                }
            }
        }
        if active == 0 {
            break;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::super::space::Space;
    use super::super::window::{BLOCK, range};
    use super::*;
    use crate::heaps::vectors::Vectors;

    /// Every kind of vector sees the values that the shifts show heap by heap, even when the window
    /// advances and values are withdrawn.
    #[test]
    fn all_vectors_see_what_each_shift_shows() {
        let mut random = fastrand::Rng::with_seed(4);
        let rows = 128;
        let mut values: Vec<u16> = (0..1500).map(|_| random.usize(..rows) as u16).collect();
        let shifts: Vec<Shift> = (0..120)
            .map(|_| (random.usize(..rows) as u16, BLOCK + random.usize(..900)))
            .collect();
        let mut window = Window::filled(Space::default(), &values, rows, 2000);
        let all = FrequentRows::new(shifts.clone(), &vec![1; rows]);
        // The window advances in about the 20th block.
        for step in 0..26 {
            let start = values.len() & !7;
            window.advance(start, 2000);
            for batch in 0..if step % 19 < 4 { 2 } else { 0 } {
                let slow: Vec<Vec<bool>> = (0..BATCH)
                    .map(|i| {
                        let number = (batch * BATCH + i) as u16;
                        let shows = |n: usize, &(value, offset): &(u16, usize)| {
                            n > offset && values[n - offset] ^ value == number
                        };
                        (start..start + BLOCK)
                            .map(|n| shifts.iter().any(|shift| shows(n, shift)))
                            .collect()
                    })
                    .collect();
                let task = TriedNumbers {
                    window: &window,
                    start,
                    first: (batch * BATCH) as u16,
                    wanted: u64::MAX,
                    need: &range(0, BLOCK),
                    limits: TrialLimits {
                        left: 0,
                        shifts: u32::MAX,
                    },
                };
                Vectors::each(|| {
                    for (seen, slow) in seen(&all, &task).iter().zip(&slow) {
                        let bit = |i: usize| seen[i / 64] >> (i % 64) & 1 == 1;
                        assert!((0..BLOCK).all(|i| bit(i) == slow[i]));
                    }
                });
            }
            for n in values.len()..start + BLOCK - random.usize(..300) {
                let value = random.usize(..rows) as u16;
                window.set(n, value);
                if random.usize(..4) == 0 {
                    window.clear(n, value);
                    window.set(n, value ^ 1);
                    values.push(value ^ 1);
                } else {
                    values.push(value);
                }
            }
        }
    }

    #[test]
    fn a_kernel_stops_within_its_limits() {
        let mut random = fastrand::Rng::with_seed(9);
        let values: Vec<u16> = (0..3000).map(|_| random.usize(..64) as u16).collect();
        let shifts = (0..1200).map(|_| (random.usize(..64) as u16, BLOCK + random.usize(..900)));
        let all = FrequentRows::new(shifts.collect(), &[1; 64]);
        let window = Window::filled(Space::default(), &values, 64, 2000);
        let need = range(0, 300);
        let missed = |left, shifts| {
            let task = TriedNumbers {
                window: &window,
                start: 2992,
                first: 0,
                wanted: u64::MAX,
                need: &need,
                limits: TrialLimits { left, shifts },
            };
            let seen = seen(&all, &task);
            let missed = |seen: &Bits| -> u32 {
                let words = seen.iter().zip(need);
                words.map(|(seen, need)| (need & !seen).count_ones()).sum()
            };
            seen.iter().map(missed).max()
        };
        assert_eq!(missed(0, u32::MAX), Some(0));
        assert!(missed(299, u32::MAX) > Some(0));
        assert!(missed(0, 1) > Some(0));
    }
}
