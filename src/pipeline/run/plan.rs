//! The plan of a job: its parts, and which of them are finished.

use std::ops::Range;

use bytesize::ByteSize;
use serde::Serialize;

use crate::dataset::{PARTS_MAX, Status};

/// The version of the code, as result sets record it.
pub const CODE_VERSION: &str = env!("CARGO_PKG_VERSION");

/// The rows of a part, unless the family is so large that it would be cut into too many parts.
///
/// An interrupted run loses the rows of its unfinished parts, but not their values. The constant
/// depends on nothing but the job, so that every run of a job cuts it the same way.
pub const PART_ROWS: u64 = 1 << 20;

/// The work of a job: its rows, its parts, and which of them are finished.
///
/// For a job that searches for witnesses, rows are the positions to search, and parts are those of
/// its census.
#[derive(Debug)]
pub struct Plan {
    /// The positions of the family.
    pub rows: u64,
    /// The parts that it is cut into.
    pub parts: u32,
    /// The finished parts, and the damage of others; `None` before the first run.
    pub status: Option<Status>,
}

impl Plan {
    /// Returns the plan as it was before any run.
    pub(crate) fn whole(&self) -> Plan {
        Plan {
            status: None,
            rows: self.rows,
            parts: self.parts,
        }
    }
}

/// A lower bound on the disk space for the rest of a job.
///
/// ```
/// use seedbank::run::plan;
/// use seedbank::task::Job;
///
/// let dir = tempfile::tempdir()?;
/// let spec = dir.path().join("kayles.toml");
/// let text = "name = 'kayles'\n[ruleset]\ngame = 'octal'\ncode = '0.77'\nsum = 'disjunctive'\n\
///             [family]\nheaps = '1..=1000000'\n";
/// std::fs::write(&spec, text)?;
/// let job = Job::load(&spec)?;
/// let need = job.task.disk(&plan(&job, dir.path())?);
/// // A million heaps of a byte each, in one part; heaps have no values in the store.
/// assert_eq!((need.results.0, need.store.0), (1_000_000 + 20_000, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DiskNeed {
    /// In the folder of the result sets.
    pub results: ByteSize,
    /// In the store, if each searched row has a new value of its own; followers are not counted.
    pub store: ByteSize,
}

impl DiskNeed {
    /// Returns a need of this number of bytes in the folder of the result sets.
    pub(crate) fn of_results(bytes: u64) -> DiskNeed {
        DiskNeed {
            results: ByteSize(bytes),
            store: ByteSize(0),
        }
    }
}

/// The checkpoints of an unfinished job: finished work outside finished parts.
#[derive(Debug, Default, Serialize)]
pub struct Checkpoints {
    /// The finished rows of unfinished parts.
    #[serde(rename = "checkpoint_rows")]
    pub rows: u64,
    /// The sweeps.
    #[serde(rename = "checkpoint_sweeps")]
    pub sweeps: Vec<SweepCheckpoint>,
}

/// The checkpoint of a sweep.
#[derive(Debug, Serialize)]
pub struct SweepCheckpoint {
    /// The name of the family swept.
    pub family: String,
    /// The number of positions whose values are known.
    pub valued: u64,
    /// The number of positions of the family.
    pub positions: u64,
}

/// Returns ranges of at most `part_rows` ranks, or of more if there would be too many ranges.
pub(crate) fn equal_parts(rows: u64, part_rows: u64) -> Vec<Range<u64>> {
    let part_rows = part_rows.max(rows.div_ceil(u64::from(PARTS_MAX)));
    (0..rows.div_ceil(part_rows))
        .map(|part| part * part_rows..((part + 1) * part_rows).min(rows))
        .collect()
}

/// Returns whether the row of a rank is in one of the pending parts, whose numbers ascend.
pub(crate) fn is_pending(ranges: &[Range<u64>], pending: &[u32], rank: u64) -> bool {
    let part = ranges.partition_point(|ranks| ranks.end <= rank) as u32;
    pending.binary_search(&part).is_ok()
}

/// Returns the number of rows of a part.
pub(crate) fn rows_of(ranks: &Range<u64>) -> u64 {
    ranks.end - ranks.start
}
