//! The rare numbers that the heaps of a block are not seen to reach.
//!
//! A value that was found as the least common number without an option is right if the heap has an
//! option of each rare number below it. Shifts of a fixed sample of heaps show that for nearly all
//! heaps and numbers, and the others are returned. The rows are separate from those of
//! [`wide`](super::super::wide), so that these checks can run while further values are computed.
//!
//! Invariant: row `l` of the window has the heaps whose value has the label `l`, up to the last
//! checked one, without the withdrawn ones.

use super::super::space::{Shift, Space};
use super::super::sparse::Sparse;
use super::super::wide::kernels::{BACK_MAX, sample_blocks, sample_shifts};
use super::super::wide::set_cover::{SampleBlocks, SetCover, Threshold};
use super::super::wide::shift_or::{self, Queries, ShiftOr};
use super::super::wide::window::{BLOCK, Bits, Window, of_parity, range};

/// The threshold at which shifts for rare numbers are worth their cost.
///
/// PERF: about where a shift (1.9 ns) takes as long as the searches through pairs (80 ns each) that
/// it saves. For 0.37 this gives 50,000 shifts; trying the rows with the most heaps first, until
/// few heaps were left, took 125,000.
const RARE: Threshold = Threshold {
    equal: 48,
    gain: 15,
};

/// The most shifts of equal value that are considered, times the number of rows: the choice takes
/// time in proportion to both.
const EQUAL_ROWS: usize = 48 * 512;

/// A heap and a rare number that it was not seen to reach.
pub(super) type Missed = (usize, u16);

/// Rows and shifts for rare numbers.
#[derive(Clone, Debug)]
pub(super) struct RareNumbers {
    window: Window,
    reach: usize,
    space: Space,
    shift_or: ShiftOr,
    rows: usize,
    queries: Queries,
}

impl RareNumbers {
    /// Returns the checker for the heaps after the known ones, in their space.
    pub(super) fn new(sparse: &Sparse) -> RareNumbers {
        let (rows, space) = (sparse.counts.len(), sparse.space());
        let cover = cover(&sample_blocks(sparse), rows, space, sample_shifts(sparse));
        RareNumbers::with_cover(&sparse.values, rows, space, &cover, BACK_MAX)
    }

    /// As [`new`](Self::new) with a given set cover; up to `back` heaps may be withdrawn.
    fn with_cover(
        values: &[u16],
        rows: usize,
        space: Space,
        cover: &SetCover,
        back: usize,
    ) -> RareNumbers {
        let shift_or = ShiftOr::new(cover);
        let reach = shift_or.reach() + back;
        RareNumbers {
            window: Window::filled(space, values, rows, reach),
            reach,
            space,
            shift_or,
            rows,
            queries: Queries::default(),
        }
    }

    /// Adds the values of the next heaps, from `first` on, and returns by heap the rare numbers
    /// below their values that they are not seen to reach.
    pub(super) fn missed(&mut self, first: usize, values: &[u16]) -> Vec<Missed> {
        let mut missed = Vec::new();
        let (mut first, mut values) = (first, values);
        while !values.is_empty() {
            let start = first & !7;
            let now = values.len().min(start + BLOCK - first);
            self.block(start, first, &values[..now], &mut missed);
            first += now;
            values = &values[now..];
        }
        missed
    }

    /// As [`missed`](Self::missed) for the values of one block.
    fn block(&mut self, start: usize, first: usize, values: &[u16], missed: &mut Vec<Missed>) {
        self.window.advance(start, self.reach);
        for (i, &value) in values.iter().enumerate() {
            // A value without a row is larger than all nim-sums; it gets a row soon.
            if usize::from(value) < self.rows {
                self.window.set(first + i, value);
            }
        }
        let largest = values.iter().copied().max().unwrap_or(0);
        self.queries.clear(self.rows);
        // The even heaps, and the odd ones, whose values exceed the current number.
        let need = range(first - start, first + values.len() - start);
        let mut need = [0, 1].map(|odd| of_parity(&need, odd));
        for number in 0..largest.min(self.rows as u16) {
            for (odd, need) in need.iter_mut().enumerate() {
                let label = self.space.label(odd, number);
                if self.space.is_rare_label(label) {
                    self.queries.query(label, need);
                } else {
                    let equal = self.window.block(label, start);
                    *need = std::array::from_fn(|i| need[i] & !equal[i]);
                }
            }
        }
        shift_or::see(&mut self.shift_or, &self.window, start, &mut self.queries);
        for label in (0..self.rows as u16).filter(|&label| self.space.is_rare_label(label)) {
            let (need, seen) = (self.queries.need(label), self.queries.seen(label));
            let heaps = unseen(need, seen).map(|bit| start + bit);
            missed.extend(heaps.map(|heap| (heap, self.space.label(heap, label))));
        }
    }

    /// Removes the value of a heap that was added.
    pub(super) fn withdraw(&mut self, heap: usize, value: u16) {
        if usize::from(value) < self.rows {
            self.window.clear(heap, value);
        }
    }

    /// Adds the value of a heap that needs no check.
    pub(super) fn put(&mut self, heap: usize, value: u16) {
        self.window.set(heap, value);
    }
}

/// Returns the set cover of a sample's shifts for rare labels below `rows`. The pairs of the
/// sample must be options of all later heaps.
fn cover(samples: &SampleBlocks<'_>, rows: usize, space: Space, sample: Vec<Shift>) -> SetCover {
    let is_rare = |label: u16| space.is_rare_label(label);
    let rare: Vec<u16> = (0..rows as u16).filter(|&label| is_rare(label)).collect();
    let equal = (EQUAL_ROWS / rows).clamp(1, RARE.equal);
    let threshold = Threshold { equal, ..RARE };
    samples.cover(sample, &rare, |row| !is_rare(row), threshold)
}

/// Returns the indices of the bits in `need` but not in `seen`.
fn unseen(need: &Bits, seen: &Bits) -> impl Iterator<Item = usize> {
    let words = need.iter().zip(seen).enumerate();
    words.flat_map(|(at, (need, seen))| {
        let mut left = need & !seen;
        std::iter::from_fn(move || {
            let bit = (left != 0).then(|| 64 * at + left.trailing_zeros() as usize);
            left &= left.wrapping_sub(1);
            bit
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The missed numbers do not depend on values that were added and withdrawn, even if the window
    /// advanced with them.
    #[test]
    fn values_taken_back_leave_no_trace() {
        let mut random = fastrand::Rng::with_seed(12);
        let mut next = move |below: usize| random.usize(..below);
        let (rows, back) = (64, 5 * BLOCK);
        let mut values: Vec<u16> = (0..4000).map(|_| next(64) as u16).collect();
        let sample: Vec<Shift> = (0..400)
            .map(|_| (next(64) as u16, BLOCK + next(1600 - BLOCK + 1)))
            .collect();
        let space = Space::with_parity(0x2d, 0);
        let samples = SampleBlocks::new(space, &values, rows, 1600, 2);
        let cover = cover(&samples, rows, space, sample);
        assert!(cover.bundles.len() > 100);
        let rare_numbers =
            |values: &[u16]| RareNumbers::with_cover(values, rows, space, &cover, back);
        let mut lasting = rare_numbers(&values);
        let mut missed_some = false;
        for _ in 0..20 {
            let known = values.len();
            values.extend((0..4 * BLOCK + next(400)).map(|_| next(64) as u16));
            lasting.missed(known, &values[known..]);
            let kept = known + next(BLOCK);
            for (heap, &value) in values.iter().enumerate().skip(kept) {
                lasting.withdraw(heap, value);
            }
            values.truncate(kept);
            let more: Vec<u16> = (0..1 + next(700)).map(|_| next(64) as u16).collect();
            let missed = lasting.missed(kept, &more);
            assert_eq!(missed, rare_numbers(&values).missed(kept, &more));
            missed_some |= !missed.is_empty();
            values.extend(more);
        }
        assert!(missed_some);
    }
}
