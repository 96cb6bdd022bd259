//! Makes sure of values that were found as least common numbers not reached.
//!
//! Such a value is right if the heap has an option of each rare number below it as well. Taps from a fixed
//! sample of heaps show that for nearly all heaps and numbers; what they do not show is handed back, to be
//! looked for among all pairs. The verifier keeps rows of its own, so that it can work while further values
//! are found.
//!
//! Invariant: row `v` of the window has the heaps of value `v` up to the last one that was handed in, less
//! those that were taken back.

use super::cover::{Asked, Cover};
use super::mask::is_rare;
use super::plan::{Lessons, Plan, Worth};
use super::window::{BLOCK, Bits, Window, range};

/// What makes taps for rare numbers worth it.
///
/// PERF: about where a tap takes as long as the looks through pairs that it saves, 1.9 ns each and 80 ns. For 0.37 there
/// are 50,000 taps then; those of the rows with the most heaps first, tried until few heaps were left, were 125,000.
const RARE: Worth = Worth {
    equal: 48,
    gain: 15,
};

/// A heap and a rare number that it was not seen to reach.
pub(super) type Missed = (usize, u16);

/// What is needed to verify values.
#[derive(Clone, Debug)]
pub(super) struct Verifier {
    window: Window,
    reach: usize,
    mask: u16,
    sample: Cover,
    rows: usize,
    asked: Asked,
}

impl Verifier {
    /// Returns which taps of a sample are worth trying for rare numbers below `rows`.
    ///
    /// The pairs of the sample must be options of all heaps to come.
    pub(super) fn plan(
        lessons: &Lessons<'_>,
        rows: usize,
        mask: u16,
        sample: Vec<(u16, usize)>,
    ) -> Plan {
        let rare: Vec<u16> = (0..rows as u16).filter(|&n| is_rare(n, mask)).collect();
        lessons.plan(sample, &rare, |row| !is_rare(row, mask), RARE)
    }

    /// Returns a verifier for the heaps after those that have these values, which are below `rows`.
    ///
    /// `back` heaps may be taken back.
    pub(super) fn new(
        values: &[u16],
        rows: usize,
        mask: u16,
        plan: &Plan,
        back: usize,
    ) -> Verifier {
        let sample = Cover::new(plan);
        let reach = sample.reach() + back;
        Verifier {
            window: Window::filled(values, rows, reach),
            reach,
            mask,
            sample,
            rows,
            asked: Asked::default(),
        }
    }

    /// Takes in the values of the heaps from `first` on, the next ones, and returns which rare numbers
    /// below their values they are not seen to reach, by heap.
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

    /// Does so for the values of one block.
    fn block(&mut self, start: usize, first: usize, values: &[u16], missed: &mut Vec<Missed>) {
        self.window.advance(start, self.reach);
        for (i, &value) in values.iter().enumerate() {
            // A value without a row is larger than all nim-sums; rows are made for it soon.
            if usize::from(value) < self.rows {
                self.window.set(first + i, value);
            }
        }
        let largest = values.iter().copied().max().unwrap_or(0);
        self.asked.clear(self.rows);
        // The heaps whose values exceed the number at hand.
        let mut need = range(first - start, first + values.len() - start);
        for number in 0..largest.min(self.rows as u16) {
            if is_rare(number, self.mask) {
                self.asked.ask(number, need);
            } else {
                let equal = self.window.block(number, start);
                need = std::array::from_fn(|i| need[i] & !equal[i]);
            }
        }
        self.sample.see(&self.window, start, &mut self.asked);
        for number in (0..largest.min(self.rows as u16)).filter(|&n| is_rare(n, self.mask)) {
            let (need, seen) = (self.asked.need(number), self.asked.seen(number));
            missed.extend(unseen(need, seen).map(|bit| (start + bit, number)));
        }
    }

    /// Takes back the value of a heap that was handed in.
    pub(super) fn take_back(&mut self, heap: usize, value: u16) {
        if usize::from(value) < self.rows {
            self.window.clear(heap, value);
        }
    }

    /// Puts in the value of a heap that needs no verification.
    pub(super) fn put(&mut self, heap: usize, value: u16) {
        self.window.set(heap, value);
    }
}

/// Returns the places of the bits that are needed and not seen.
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

    /// What is missed does not depend on values that were handed in and taken back, also where the window
    /// moved on with them.
    #[test]
    fn values_taken_back_leave_no_trace() {
        let mut seed = 12u64;
        let mut next = move |below: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1);
            (seed >> 33) % below
        };
        let (rows, back) = (64, 5 * BLOCK);
        let mut values: Vec<u16> = (0..4000).map(|_| next(64) as u16).collect();
        let sample: Vec<(u16, usize)> = (0..400)
            .map(|_| {
                (
                    next(64) as u16,
                    BLOCK + next(1600 - BLOCK as u64 + 1) as usize,
                )
            })
            .collect();
        let lessons = Lessons::new(&values, rows, 1600, 2);
        let plan = Verifier::plan(&lessons, rows, 0x2d, sample);
        assert!(plan.bundles.len() > 100);
        let verifier = |values: &[u16]| Verifier::new(values, rows, 0x2d, &plan, back);
        let mut lasting = verifier(&values);
        let mut missed_some = false;
        for _ in 0..20 {
            let known = values.len();
            values.extend((0..4 * BLOCK + next(400) as usize).map(|_| next(64) as u16));
            lasting.missed(known, &values[known..]);
            let kept = known + next(BLOCK as u64) as usize;
            for (heap, &value) in values.iter().enumerate().skip(kept) {
                lasting.take_back(heap, value);
            }
            values.truncate(kept);
            let more: Vec<u16> = (0..1 + next(700)).map(|_| next(64) as u16).collect();
            let missed = lasting.missed(kept, &more);
            assert_eq!(missed, verifier(&values).missed(kept, &more));
            missed_some |= !missed.is_empty();
            values.extend(more);
        }
        assert!(missed_some);
    }
}
