//! Makes a row for each entry, which does not depend on others.

use std::f64::consts::PI;

use cgsolvers::tchoukaillon::array::entry;

use super::ArrayTask;
use super::columns::ArrayRow;
use crate::run::{Parts, RunError};

/// The steps between two looks whether to stop: some milliseconds' work. An entry is not interrupted; the farthest one takes nine
/// seconds.
const STEPS: u64 = 1 << 20;

/// Makes the rows of table `array`.
pub(super) fn make(task: &ArrayTask, parts: &Parts<'_>) -> Result<(), RunError> {
    parts.in_parallel(|part, ranks| {
        let mut writer = parts.writer::<ArrayRow>(part)?;
        let mut steps = 0;
        for rank in ranks {
            let (row, column) = task.entries.place(rank);
            steps += row + column;
            if steps >= STEPS {
                parts.check_stop()?;
                steps = 0;
            }
            let n = entry(row, column);
            parts.push(
                &mut writer,
                &ArrayRow {
                    i: row as i64,
                    j: column as i64,
                    n: n as i64,
                    deviation: deviation(row, column, n),
                },
            )?;
            parts.count(1);
        }
        writer.commit()?;
        Ok(())
    })
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
