//! Makes a row for each entry, which does not depend on others.

use std::f64::consts::PI;
use std::ops::Range;

use bytesize::ByteSize;
use cgsolvers::tchoukaillon::array::entry;

use super::ArrayTask;
use super::columns::ArrayRow;
use crate::run::estimate::{Amount, Workload, quick_rows};
use crate::run::memory::bytes_of_threads;
use crate::run::{DiskNeed, Making, MemoryNeed, Parts, Phase, RowTask, RunError};

/// The size of a row of the table `array`.
///
/// Unit: bytes. Ten thousand rows have 10.5 a row.
const ROW_BYTES: u64 = 10;

/// The most steps of a part: a second's work.
const PART_STEPS: u64 = 1 << 27;

/// The most rows of a part.
const PART_ROWS: u64 = 1 << 20;

/// The steps between two looks whether to stop: some milliseconds' work. An entry is not interrupted; the farthest one takes nine
/// seconds.
const STEPS: u64 = 1 << 20;

impl RowTask for ArrayTask {
    fn making(&self) -> Making {
        let part_rows = (PART_STEPS / self.entries.farthest()).clamp(1, PART_ROWS);
        Making::new::<ArrayRow>(Phase::Writing, part_rows)
    }

    /// The sum of the rows and the columns.
    fn cost(&self, ranks: &Range<u64>) -> u64 {
        let Some(last) = ranks.end.checked_sub(1).filter(|last| *last >= ranks.start) else {
            return 1;
        };
        let steps = [ranks.start, last].map(|rank| {
            let (row, column) = self.entries.place(rank);
            u128::from(row + column)
        });
        let sum = (steps[0] + steps[1]) * u128::from(ranks.end - ranks.start) / 2;
        u64::try_from(sum).unwrap_or(u64::MAX)
    }

    fn row_bytes(&self, rows: u64, _is_begun: bool) -> DiskNeed {
        DiskNeed::of_results(rows.saturating_mul(ROW_BYTES))
    }

    fn volume(&self, least: ByteSize) -> (Workload, Amount<ByteSize>) {
        quick_rows(least)
    }

    fn memory(&self, _end: u64, threads: u64) -> Option<MemoryNeed> {
        Some(MemoryNeed {
            bytes: bytes_of_threads(threads, 0),
            purpose: "the threads",
        })
    }

    fn make(&self, parts: &Parts<'_>) -> Result<(), RunError> {
        let make = |steps: &mut u64, rank| {
            let (row, column) = self.entries.place(rank);
            *steps += row + column;
            if *steps >= STEPS {
                parts.check_stop()?;
                *steps = 0;
            }
            let n = entry(row, column);
            parts.count(1);
            Ok(ArrayRow {
                i: row as i64,
                j: column as i64,
                n: n as i64,
                deviation: deviation(row, column, n),
            })
        };
        parts.make_rows(|| 0, make)
    }
}

/// Returns the entry minus the asymptotic formula, of which the product of row and column is exact.
fn deviation(row: u64, column: u64, n: u64) -> f64 {
    let above = row - 1;
    let rest = n as i64 - (above * column) as i64;
    let (above, column) = (above as f64, column as f64);
    rest as f64 - (above * above * PI / 4.0 + column * column / PI)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deviations_are_those_of_the_formula() {
        for (row, column) in [(1, 1), (2, 5), (7, 3), (1000, 1), (400, 600)] {
            let n = entry(row, column);
            let formula = (PI * (row - 1) as f64 + 2.0 * column as f64).powi(2) / (4.0 * PI);
            assert!((deviation(row, column, n) - (n as f64 - formula)).abs() < 1e-9);
        }
    }
}
