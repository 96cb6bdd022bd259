//! How a run ended, and what it did.

use std::time::Duration;

use cgsolvers::StopReason;

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// There was nothing left to do.
    AlreadyDone {
        /// The rows of the result set.
        rows: u64,
        /// The rows without a value because they exceed the run's limit for a row.
        over_limit: u64,
    },
    /// The result set is complete, but for rows that exceed the run's limit for a row.
    Finished(Summary),
    /// The run stopped early; another run resumes.
    Stopped(StopReason, Summary),
}

/// What a run did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// The rows of the result set so far, those of earlier runs included.
    pub rows: u64,
    /// Rows of the result set without a value because they exceed the run's limit for a row.
    pub over_limit: u64,
    /// The positions evaluated.
    pub positions: u64,
    /// The number of canonical forms created, where a form and its negative count once; `None` for
    /// a task without forms.
    pub forms: Option<u64>,
    /// The number of values sealed in the store.
    pub sealed: u64,
    /// The time it took.
    pub elapsed: Duration,
    /// The peak of memory in use, as far as it was watched.
    pub bytes_max: u64,
    /// For a job that searches for witnesses: how many were found, and how many were sought.
    pub witnesses: Option<(u64, u64)>,
}
