//! Common values in one byte each, so that vectors compare twice the number.
//!
//! All numbers that are common for a heap have the same number of ones, modulo 2, under the mask of
//! the [space](super::super::space). So one bit of the mask can be omitted: the others determine it.
//! If values are below 512, the rest fits a byte, and two numbers that are common for a heap are
//! equal if and only if their bytes are. This works only if all nim-sums are common, as those of a
//! rare and a common heap are. Moves that leave one heap may lead from common heaps to rare numbers,
//! if the space depends on the parity of heaps; such moves are omitted.
//!
//! PERF: without bytes, ten million values of 0.37 take 1.3 times as long on processors with AVX2,
//! and 1.1 times with AVX-512.
//!
//! Invariant: `bytes` has the bytes of the heaps from `first` to the last one pushed.

use super::super::space::{Shift, Space};
use super::strip::{FarShift, STRIP, TRIED, Trial, reached_bytes};

/// Values below this fit a byte after one bit is omitted.
const ROWS_MAX: usize = 512;

/// Values with one bit omitted, for the heaps to which shifts lead.
#[derive(Clone, Debug)]
pub(super) struct Bytes {
    bytes: Vec<u8>,
    /// The heap of the first byte.
    first: usize,
    /// The number of heaps before the last that must stay.
    keep: usize,
    /// The omitted bit of the mask.
    bit: u32,
    /// Shifts that lead from common heaps to common numbers, by offset.
    shifts: Vec<FarShift<u8>>,
    /// The largest offset.
    offset_max: usize,
    /// The last rare heap.
    rare_last: usize,
}

impl Bytes {
    /// Returns the bytes of these values, which are below `rows`, for the shifts that decide common
    /// numbers, by [`STRIP`] and more; `None` if they do not fit.
    ///
    /// Up to `back` heaps may be withdrawn.
    pub(super) fn new(
        values: &[u16],
        rows: usize,
        space: Space,
        shifts: &[Shift],
        back: usize,
    ) -> Option<Bytes> {
        let bit = space.highest_bit()?;
        if rows > ROWS_MAX || shifts.iter().any(|&(value, _)| usize::from(value) >= rows) {
            return None;
        }
        // Shifts that are omitted must not lead to a rare heap either.
        let offset_max = shifts.iter().map(|&(_, offset)| offset).max().unwrap_or(0);
        let leads_to_common = |&&shift: &&Shift| space.is_rare_label(space.shift(shift).0);
        let mut shifts: Vec<FarShift<u8>> = shifts
            .iter()
            .filter(leads_to_common)
            .map(|&(value, offset)| FarShift {
                offset: offset as u32,
                value: without(value, bit),
            })
            .collect();
        shifts.sort_unstable_by_key(|shift| (shift.offset, shift.value));
        // A strip begins at most a strip's length before the next heap.
        let keep = offset_max + back + 2 * STRIP;
        let first = values.len().saturating_sub(keep);
        let is_rare = |heap: &usize| space.is_rare(*heap, values[*heap]);
        let rare_last = (0..values.len()).rev().find(is_rare);
        Some(Bytes {
            bytes: values[first..].iter().map(|&v| without(v, bit)).collect(),
            first,
            keep,
            bit,
            shifts,
            offset_max,
            rare_last: rare_last.unwrap_or(0),
        })
    }

    /// Appends the value of the next heap.
    pub(super) fn push(&mut self, value: u16) {
        if self.bytes.len() > 2 * self.keep + (1 << 12) {
            let gone = self.bytes.len() - self.keep;
            self.bytes.drain(..gone);
            self.first += gone;
        }
        self.bytes.push(without(value, self.bit));
    }

    /// Removes the values from a heap on, and appends its rare value.
    pub(super) fn withdraw(&mut self, heap: usize, value: u16) {
        self.bytes.truncate(heap - self.first);
        self.push(value);
        self.rare_last = heap;
    }

    /// Returns whether the bytes suffice for the strip from `start` on: no shift leads to a
    /// rare heap.
    pub(super) fn decide(&self, start: usize) -> bool {
        start > self.rare_last + self.offset_max.max(STRIP)
    }

    /// As [`super::strip::reached`], for common numbers. The bytes must [suffice](Self::decide) for
    /// the strip.
    pub(super) fn reached(&self, start: usize, trial: &Trial<u16>) -> [u64; TRIED] {
        let mut low = [[0; STRIP]; TRIED];
        for (low, numbers) in low.iter_mut().zip(trial) {
            for (low, &number) in low.iter_mut().zip(numbers) {
                *low = without(number, self.bit);
            }
        }
        reached_bytes(&self.bytes, start - self.first, &self.shifts, &low)
    }
}

/// Returns the low nine bits of a value without one of them.
fn without(value: u16, bit: u32) -> u8 {
    let low = value & ((1 << bit) - 1);
    (low | value >> (bit + 1) << bit) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes agree with whole values, pair by pair, for any mask and any values where shifts lead
    /// to common ones; even after values were withdrawn, and when early ones have been dropped.
    #[test]
    fn bytes_decide_as_whole_values_do() {
        let mut random = fastrand::Rng::with_seed(21);
        for (rows, mask) in [
            (512, 0x1ee),
            (512, 0x0e),
            (512, 0x101),
            (256, 0x80),
            (128, 1),
        ] {
            let space = Space::new(mask);
            let mut value = |rare: bool| loop {
                let value = random.usize(..rows) as u16;
                if space.is_rare(0, value) == rare {
                    return value;
                }
            };
            let mut values: Vec<u16> = (0..300).map(|i| value(i % 2 == 1)).collect();
            values.extend((300..1500).map(|_| value(false)));
            let shifts: Vec<Shift> = (0..60).map(|i| (value(true), STRIP + i * 14)).collect();
            let mut bytes =
                Bytes::new(&values, rows, space, &shifts, 200).expect("values below 512");
            assert!(!bytes.decide(299 + STRIP + 59 * 14) && bytes.decide(300 + STRIP + 59 * 14));
            for step in 0..120 {
                for _ in 0..100 {
                    values.push(value(false));
                    bytes.push(values[values.len() - 1]);
                }
                if step % 40 == 39 {
                    values.truncate(values.len() - 150);
                    values.push(value(true));
                    bytes.withdraw(values.len() - 1, values[values.len() - 1]);
                    assert!(!bytes.decide(values.len()));
                    for _ in 0..900 {
                        values.push(value(false));
                        bytes.push(values[values.len() - 1]);
                    }
                }
                let start = values.len();
                assert!(bytes.decide(start));
                let trial: Trial<u16> =
                    std::array::from_fn(|_| std::array::from_fn(|_| value(false)));
                let slow = trial.map(|numbers| {
                    (0..STRIP).fold(0, |word, i| {
                        let hit = shifts.iter().any(|&(value, offset)| {
                            values[start + i - offset] ^ value == numbers[i]
                        });
                        word | u64::from(hit) << i
                    })
                });
                assert_eq!(bytes.reached(start, &trial), slow);
            }
        }
        assert!(Bytes::new(&[1; 9], 1024, Space::new(1), &[], 0).is_none());
        assert!(Bytes::new(&[1; 9], 2, Space::default(), &[], 0).is_none());
    }
}
