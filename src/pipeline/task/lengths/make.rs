//! Makes a row for each length.
//!
//! Many lengths are computed side by side, each directly from Theorem 3.5. The cost of one does not
//! depend on those before it, so parts are made in any order, each on one thread.

use std::ops::Range;

use bytesize::ByteSize;
use cgsolvers::tchoukaillon::lengths::fill;

use super::LengthsTask;
use super::columns::{LengthColumns, LengthRow};
use crate::run::estimate::{Amount, Workload, quick_rows};
use crate::run::memory::bytes_of_threads;
use crate::run::{DiskNeed, Making, MemoryNeed, Parts, Phase, RowTask, RunError};

/// The size of a row of the table `lengths`.
///
/// Unit: bytes. A hundred thousand rows have 16.9 a row, ten million 13.6.
const ROW_BYTES: u64 = 13;

/// The lengths of a part: half a second's work for lengths near ten million.
const PART_ROWS: u64 = 1 << 16;

/// The lengths computed and written together.
const CHUNK: u64 = 1 << 13;

/// 2^128 / pi, rounded down.
const BY_PI: u128 = 0x517c_c1b7_2722_0a94_fe13_abe8_fa9a_6ee0;

impl RowTask for LengthsTask {
    fn making(&self) -> Making {
        Making::new::<LengthRow>(Phase::Writing, PART_ROWS)
    }

    /// The sum of the lengths.
    fn cost(&self, ranks: &Range<u64>) -> u64 {
        if ranks.is_empty() {
            return 1;
        }
        let (first, last) = (self.first + ranks.start, self.first + ranks.end - 1);
        let sum = u128::from(first + last) * u128::from(ranks.end - ranks.start) / 2;
        u64::try_from(sum).unwrap_or(u64::MAX).max(1)
    }

    fn row_bytes(&self, rows: u64, _is_begun: bool) -> DiskNeed {
        DiskNeed::of_results(rows.saturating_mul(ROW_BYTES))
    }

    fn volume(&self, least: ByteSize) -> (Workload, Amount<ByteSize>) {
        quick_rows(least)
    }

    fn memory(&self, _end: u64, threads: u64) -> Option<MemoryNeed> {
        Some(MemoryNeed {
            bytes: bytes_of_threads(threads, 64 * CHUNK),
            purpose: "the lengths being computed",
        })
    }

    fn make(&self, parts: &Parts<'_>) -> Result<(), RunError> {
        parts.in_parallel(|part, ranks| {
            let mut writer = parts.writer::<LengthRow>(part)?;
            let (mut next, end) = (self.first + ranks.start, self.first + ranks.end);
            let mut fewest = vec![0; CHUNK as usize];
            while next < end {
                parts.check_stop()?;
                let count = (end - next).min(CHUNK);
                let fewest = &mut fewest[..count as usize];
                fill(next, fewest);
                let compared = (next..).zip(&*fewest).map(|(l, &n)| compare(l, n));
                let (l_squared_by_pi, deviation) = compared.unzip();
                let columns = LengthColumns {
                    first: next as i64,
                    n: fewest.iter().map(|&n| n as i64).collect(),
                    l_squared_by_pi,
                    deviation,
                };
                parts.push_columns(&mut writer, count, columns)?;
                next += count;
            }
            writer.commit()?;
            Ok(())
        })
    }
}

/// Returns l^2/pi, and n minus it, for l below 2^32 and n below 2^63. Both are the nearest float,
/// or the next to it if 64 binary places do not decide which is nearer.
fn compare(l: u64, n: u128) -> (f64, f64) {
    let square = u128::from(l) * u128::from(l);
    // l^2/pi with 64 binary places, too small by less than three units of the last one.
    let (high, low) = (BY_PI >> 64, BY_PI & u128::from(u64::MAX));
    let scaled = square * high + ((square * low) >> 64);
    let unit = 2f64.powi(64);
    // Both numbers have 64 binary places and fit in 127 bits, so that each is rounded once.
    let difference = (n << 64) as i128 - scaled as i128;
    (scaled as f64 / unit, difference as f64 / unit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::lengths::LENGTH_MAX;
    use cgsolvers::tchoukaillon::lengths::shortest;

    /// For small l, a float holds l^2/pi with many places to spare.
    #[test]
    fn small_lengths_agree_with_floats() {
        for l in 0..5000u64 {
            let n = shortest(l);
            let by_pi = (l * l) as f64 / std::f64::consts::PI;
            let (squared, deviation) = compare(l, n);
            assert!((squared - by_pi).abs() <= by_pi * 4e-16, "{l}");
            assert!((deviation - (n as f64 - by_pi)).abs() < 1e-8, "{l}");
        }
        assert_eq!(compare(0, 0), (0.0, 0.0));
    }

    /// 113/355 is above 1/pi, 33102/103993 below, and both are close enough to determine the
    /// integer part.
    #[test]
    fn great_lengths_lie_between_fractions() {
        for l in [LENGTH_MAX, LENGTH_MAX - 12_345, 1_000_000_007] {
            let square = u128::from(l) * u128::from(l);
            // 1/pi to 36 decimal places, in two parts of 18.
            let (first, second) = (318_309_886_183_790_671u128, 537_767_526_745_028_724u128);
            let unit = 1_000_000_000_000_000_000u128;
            let whole = (square * first + square * second / unit) / unit;
            let (_, deviation) = compare(l, whole);
            assert!((-1.0..=0.0).contains(&deviation), "{l}: {deviation}");
            let (_, shifted) = compare(l, whole + 1000);
            assert!((shifted - deviation - 1000.0).abs() < 1e-9);
        }
        assert!(shortest(LENGTH_MAX) < 1 << 63);
    }
}
