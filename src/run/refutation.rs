//! A row that is not what the spec says of it.

use thiserror::Error;

/// The first row of a result, by its rank, that refutes the law of its job, or of which the law says nothing that can be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("job {job:?}: the law {law} {why}")]
pub struct Refutation {
    /// The job.
    pub job: String,
    /// The law, as the spec has it.
    pub law: String,
    /// The rank of the row.
    pub rank: u64,
    /// The row, its value and the law's, as the end of a sentence.
    pub why: String,
}
