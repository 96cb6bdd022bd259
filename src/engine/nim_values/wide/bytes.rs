//! Common values in a byte each, to compare twice as many at once.
//!
//! All common values have an odd number of ones under the [mask](super::super::mask). So any one bit of the mask can be left
//! out of them: the others determine it. Where values are below 512 the rest fits a byte, and two common values are equal
//! just where their bytes are. This serves only where all nim-sums are common: those of a rare and a common heap.
//!
//! PERF: ten million values of 0.37 take 1.3 times as long without it on processors with AVX2, 1.1 times with AVX-512.
//!
//! Invariant: `bytes` are those of the heaps from `first` on, up to the last one that was pushed.

use super::super::mask::is_rare;
use super::super::sparse::Shift;
use super::strip::{FarShift, STRIP, TRIED, Trial, reached_bytes};

/// Values below this fit a byte, less a bit.
const ROWS_MAX: usize = 512;

/// Values less a bit, for the heaps that shifts lead to.
#[derive(Clone, Debug)]
pub(super) struct Bytes {
    bytes: Vec<u8>,
    /// The heap of the first byte.
    first: usize,
    /// The number of heaps before the last that must be kept.
    keep: usize,
    /// The bit of the mask that is left out.
    bit: u32,
    /// Shifts of rare heaps, by offset.
    shifts: Vec<FarShift<u8>>,
    /// The largest offset.
    offset_max: usize,
    /// The last heap of rare value.
    rare_last: usize,
}

impl Bytes {
    /// Returns the bytes of these values for shifts of rare heaps by [`STRIP`] and more, where values are below `rows`; none
    /// where they do not fit.
    ///
    /// `back` heaps may be taken back.
    pub(super) fn new(
        values: &[u16],
        rows: usize,
        mask: u16,
        shifts: &[Shift],
        back: usize,
    ) -> Option<Bytes> {
        let bit = mask.checked_ilog2()?;
        if rows > ROWS_MAX || shifts.iter().any(|&(value, _)| usize::from(value) >= rows) {
            return None;
        }
        let mut shifts: Vec<FarShift<u8>> = shifts
            .iter()
            .map(|&(value, offset)| FarShift {
                offset: offset as u32,
                value: without(value, bit),
            })
            .collect();
        shifts.sort_unstable_by_key(|shift| (shift.offset, shift.value));
        let offset_max = shifts.last().map_or(0, |shift| shift.offset as usize);
        // A strip begins up to a strip's length before the next heap.
        let keep = offset_max + back + 2 * STRIP;
        let first = values.len().saturating_sub(keep);
        let rare_last = values.iter().rposition(|&value| is_rare(value, mask));
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

    /// Removes the values from a heap on, and appends the rare one that it has.
    pub(super) fn take_back(&mut self, heap: usize, value: u16) {
        self.bytes.truncate(heap - self.first);
        self.push(value);
        self.rare_last = heap;
    }

    /// Returns whether the bytes decide for the strip from `start` on: no shift leads to a heap of rare value.
    pub(super) fn decide(&self, start: usize) -> bool {
        start > self.rare_last + self.offset_max.max(STRIP)
    }

    /// Does what [`super::strip::reached`] does, for common numbers. The bytes must [`decide`](Self::decide) for the strip.
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

/// Returns the low nine bits of a value less one of them.
fn without(value: u16, bit: u32) -> u8 {
    let low = value & ((1 << bit) - 1);
    (low | value >> (bit + 1) << bit) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With any mask, for any values of which those that shifts lead to are common, as pair by pair with whole
    /// values; also after values were taken back, and where early ones are no longer kept.
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
            let mut value = |rare: bool| loop {
                let value = random.usize(..rows) as u16;
                if is_rare(value, mask) == rare {
                    return value;
                }
            };
            let mut values: Vec<u16> = (0..300).map(|i| value(i % 2 == 1)).collect();
            values.extend((300..1500).map(|_| value(false)));
            let shifts: Vec<Shift> = (0..60).map(|i| (value(true), STRIP + i * 14)).collect();
            let mut bytes =
                Bytes::new(&values, rows, mask, &shifts, 200).expect("values below 512");
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
        assert!(Bytes::new(&[1; 9], 1024, 1, &[], 0).is_none());
        assert!(Bytes::new(&[1; 9], 2, 0, &[], 0).is_none());
    }
}
