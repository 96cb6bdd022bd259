//! The JSON records of a census.

use cggames::board::Features;
use serde::{Deserialize, Serialize};

use super::super::{Digest, FileRecord};

/// The positions of one size, in a part of the census.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellRecord {
    /// Their size.
    #[serde(flatten)]
    pub features: Features,
    /// The number of positions searched.
    pub positions: u64,
    /// The number of positions that count: all of them, unless the job has a relation.
    pub counted: u64,
}

/// The record of a finished part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CensusPartRecord {
    /// The version of the layout.
    pub format_version: u32,
    /// The job's name.
    pub job: String,
    /// The space of the census.
    pub space: String,
    /// The version of the code that searched.
    pub code_version: String,
    /// The name of the part. Its key is the earlier word for a part of a census, so that finished
    /// parts remain readable.
    #[serde(rename = "stretch")]
    pub name: String,
    /// The ranks searched, from the first to before the last, if the family has no cells.
    pub ranks: Option<[u64; 2]>,
    /// The cells searched, each complete; for a range of ranks, its contents by size.
    pub cells: Vec<CellRecord>,
    /// The file of table `census`.
    pub census: FileRecord,
    /// The file of table `forms`.
    pub forms: FileRecord,
}

impl CensusPartRecord {
    pub(super) fn files(&self) -> [&FileRecord; 2] {
        [&self.census, &self.forms]
    }
}

/// How often a property occurs in a census.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// The property counted: a nim-value, a kind, an atomic weight.
    pub of: String,
    /// The number of positions with it.
    pub positions: u64,
    /// The number of distinct values among these positions.
    pub values: u64,
}

/// The record of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerRecord {
    /// The version of the layout.
    pub format_version: u32,
    /// The job's name.
    pub job: String,
    /// The space of the census.
    pub space: String,
    /// The digest of the job's meaning.
    pub job_digest: Digest,
    /// The version of the code that answered.
    pub code_version: String,
    /// The bounds of the space, in words.
    pub bounds: String,
    /// The number of positions searched.
    pub searched: u64,
    /// The number of these that count: all of them, unless the job has a relation.
    pub counted: u64,
    /// The number of distinct values.
    pub values: u64,
    /// The number of witnesses found.
    pub found: u64,
    /// The frequency of each kind of value; under impartial play, of each nim-value.
    pub kinds: Vec<Tally>,
    /// The frequency of each integer as an atomic weight, then of all other numbers and of all
    /// other games.
    pub atomic_weights: Vec<Tally>,
    /// The file of table `witnesses`.
    pub witnesses: FileRecord,
}
