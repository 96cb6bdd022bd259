//! Numbers along the rows, in runs of consecutive rows of one length.

use std::collections::BTreeMap;

/// The most runs into which the rows of a table are divided.
///
/// Unit: runs. A chart has about as many pixels.
pub const RUNS_MAX: u64 = 512;

/// Numbers along the rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Along {
    /// The rows of a run.
    run: u64,
    runs: BTreeMap<u64, RowSpan>,
}

/// The numbers of consecutive rows, in sum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowSpan {
    /// The place of its first row.
    pub row: u64,
    /// The rows that have a number.
    pub count: u64,
    /// The first number.
    pub first: f64,
    /// The least.
    pub least: f64,
    /// The greatest.
    pub greatest: f64,
    /// Their sum.
    pub sum: f64,
}

impl Along {
    /// Returns the rows of a run, of a table with some rows: the fewest for which runs are at most
    /// [`RUNS_MAX`].
    pub fn run_of(rows: u64) -> u64 {
        rows.div_ceil(RUNS_MAX).max(1)
    }

    /// Begins to sum up numbers in runs of some rows.
    ///
    /// ```
    /// use seedbank::dataset::profile::Along;
    ///
    /// let mut along = Along::new(2);
    /// for (row, x) in [3.0, 5.0, 4.0].into_iter().enumerate() {
    ///     along.add(row as u64, x);
    /// }
    /// let runs: Vec<_> = along.runs().map(|run| (run.row, run.least, run.greatest, run.mean())).collect();
    /// assert_eq!(runs, [(0, 3.0, 5.0, 4.0), (2, 4.0, 4.0, 4.0)]);
    /// ```
    pub fn new(run: u64) -> Along {
        Along {
            run: run.max(1),
            runs: BTreeMap::new(),
        }
    }

    /// Adds the number of a row; rows come in order.
    pub fn add(&mut self, row: u64, x: f64) {
        if !x.is_finite() {
            return;
        }
        let start = row / self.run * self.run;
        let run = self.runs.entry(start).or_insert(RowSpan {
            row: start,
            count: 0,
            first: x,
            least: x,
            greatest: x,
            sum: 0.0,
        });
        run.count += 1;
        run.least = run.least.min(x);
        run.greatest = run.greatest.max(x);
        run.sum += x;
    }

    /// Adds those of later rows.
    pub fn merge(&mut self, later: Along) {
        for (start, more) in later.runs {
            let Some(run) = self.runs.get_mut(&start) else {
                self.runs.insert(start, more);
                continue;
            };
            run.count += more.count;
            run.least = run.least.min(more.least);
            run.greatest = run.greatest.max(more.greatest);
            run.sum += more.sum;
        }
    }

    /// Returns the rows of a run.
    pub fn run(&self) -> u64 {
        self.run
    }

    /// Returns the runs that have numbers.
    pub fn runs(&self) -> impl Iterator<Item = &RowSpan> {
        self.runs.values()
    }
}

impl RowSpan {
    /// Returns the mean of the numbers.
    pub fn mean(&self) -> f64 {
        self.sum / self.count as f64
    }
}
