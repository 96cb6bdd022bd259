//! What the JSON records of a census say.

use serde::{Deserialize, Serialize};

use super::super::{Digest, FileRecord};
use crate::board::Features;

/// The positions of one size, in a stretch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellRecord {
    /// Their size.
    #[serde(flatten)]
    pub features: Features,
    /// How many positions have been searched.
    pub positions: u64,
    /// How many of them count: all, but where the job has a relation.
    pub counted: u64,
}

/// The record of a finished stretch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StretchRecord {
    /// The version of the layout.
    pub format_version: u32,
    /// The job's name.
    pub job: String,
    /// What the census is of.
    pub space: String,
    /// The version of the code that searched.
    pub code_version: String,
    /// The name of the stretch.
    pub stretch: String,
    /// The ranks searched, from the first to before the last, where the family has no cells.
    pub ranks: Option<[u64; 2]>,
    /// The cells searched, each whole; or what the ranks hold, by size.
    pub cells: Vec<CellRecord>,
    /// The file of table `census`.
    pub census: FileRecord,
    /// The file of table `forms`.
    pub forms: FileRecord,
}

impl StretchRecord {
    pub(super) fn files(&self) -> [&FileRecord; 2] {
        [&self.census, &self.forms]
    }
}

/// How often something occurs in a census.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// What is counted: a nim-value, a kind, an atomic weight.
    pub of: String,
    /// The positions.
    pub positions: u64,
    /// The distinct values among theirs.
    pub values: u64,
}

/// The record of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerRecord {
    /// The version of the layout.
    pub format_version: u32,
    /// The job's name.
    pub job: String,
    /// What the census is of.
    pub space: String,
    /// The digest of the job's meaning.
    pub job_digest: Digest,
    /// The version of the code that answered.
    pub code_version: String,
    /// The bounds of the space, in words.
    pub bounds: String,
    /// The positions searched.
    pub searched: u64,
    /// Those of them that count: all, but where the job has a relation.
    pub counted: u64,
    /// The distinct values.
    pub values: u64,
    /// How many witnesses were found.
    pub found: u64,
    /// How often each kind of value occurs; under impartial play, each nim-value.
    pub kinds: Vec<Tally>,
    /// How often each integer occurs as an atomic weight, then all other numbers and all other games.
    pub atomic_weights: Vec<Tally>,
    /// The file of table `witnesses`.
    pub witnesses: FileRecord,
}
