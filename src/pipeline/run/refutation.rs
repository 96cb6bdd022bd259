//! A row that refutes the law in the spec.

use thiserror::Error;

/// The first row of a result, by rank, that refutes the law of its job, or for which the law cannot
/// be evaluated.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("job {job:?}: the law {law} {why}")]
pub struct Refutation {
    /// The job.
    pub job: String,
    /// The law, as the spec writes it.
    pub law: String,
    /// The rank of the row.
    pub rank: u64,
    /// The row, its value and the value by the law, as the end of a sentence.
    pub why: String,
}
