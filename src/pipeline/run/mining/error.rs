//! What can go wrong in a search for laws.

use std::path::PathBuf;

use cglaws::EntryError;
use thiserror::Error;

use crate::dataset::DatasetError;
use crate::report::ReportError;
use crate::run::RunError;

/// Why a job cannot be mined.
pub const NOTHING_TO_MINE: &str = "laws are sought in families of patterns and sums with variables, in rows of pots, heaps, codes of heaps \
     and boards, and in totals of sowing graphs, and this job has none of these";

/// Why a search for laws failed.
#[derive(Debug, Error)]
pub enum MiningError {
    /// There are no data to search.
    #[error("{}: {NOTHING_TO_MINE}", path.display())]
    Nothing {
        /// The spec.
        path: PathBuf,
    },
    /// A result set cannot be opened or written.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// Rows cannot be read.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// An entry cannot be read.
    #[error(transparent)]
    Entry(#[from] EntryError),
    /// The search was stopped, or entries beyond the result cannot be computed.
    #[error(transparent)]
    Run(Box<RunError>),
}

impl From<RunError> for MiningError {
    fn from(error: RunError) -> MiningError {
        MiningError::Run(Box::new(error))
    }
}
