//! Why a result cannot be reported on.

use cggames::board::PositionError;
use cgvalues::{ArenaError, ParseValueError};
use thiserror::Error;

use crate::dataset::DatasetError;

/// A failure to lay out or to check a result.
#[derive(Debug, Error)]
pub enum ReportError {
    /// The result has no answer yet.
    #[error("the result is not finished")]
    Unanswered,
    /// The rows cannot be read.
    #[error(transparent)]
    Rows(#[from] DatasetError),
    /// The number of rows differs from the job's number of positions.
    #[error(
        "job {job:?} has {expected} positions, but its result has {found} rows; \
         the result belongs to another version of the spec: run the job again"
    )]
    RowCount {
        /// The job.
        job: String,
        /// Its positions.
        expected: u64,
        /// The rows read, until there is one too many.
        found: u64,
    },
    /// A table with too many cells.
    #[error(
        "the table of job {job:?} would have {cells} cells, and at most {max} are laid out; \
         read the Parquet files of the result, or write a job for a part of it"
    )]
    TooLarge {
        /// The job.
        job: String,
        /// The cells.
        cells: u64,
        /// The most that are laid out.
        max: u64,
    },
    /// A key of `[table.names]` that is not a value.
    #[error("table.names: the key {key:?} is no value: {source}")]
    Name {
        /// The key.
        key: String,
        /// Why not.
        source: ParseValueError,
    },
    /// A row whose position is not one of the job's game.
    #[error("a row of the result is no position of {game}: {source}; run the job again")]
    Position {
        /// The game.
        game: &'static str,
        /// Why not.
        source: PositionError,
    },
    /// A row whose value cannot be read.
    #[error("the value {value:?} of position {position} cannot be read: {source}")]
    Value {
        /// The position.
        position: String,
        /// The text.
        value: String,
        /// Why not.
        source: ParseValueError,
    },
    /// A sum of values that an arena cannot hold.
    #[error("the sum of the components of {position} cannot be held: {source}")]
    Sum {
        /// The position.
        position: String,
        /// Why not.
        source: ArenaError,
    },
}

impl ReportError {
    /// Returns whether the result is damaged.
    pub fn is_damage(&self) -> bool {
        matches!(self, ReportError::Rows(error) if error.is_damage())
    }
}
