//! The plan of a job: its parts, and those that are finished.

use std::ops::Range;
use std::path::Path;

use super::{Job, RowTask};
use crate::dataset::{DatasetError, FORMAT_VERSION, ResultHeader, Status};

/// The version of the code, as result sets record it.
pub const CODE_VERSION: &str = env!("CARGO_PKG_VERSION");

/// The rows of a part, unless the family is so large that it would be cut into too many.
///
/// A part is what an interrupted run loses; its values are not lost with it. Depends on the job alone, so that every
/// run of a job cuts it alike.
pub const PART_ROWS: u64 = 1 << 20;

/// The work of a job: its rows, its parts, and those that are finished.
///
/// Of a job that looks for witnesses, rows are the positions to be searched, and parts the stretches of its census.
#[derive(Debug)]
pub struct Plan {
    /// The positions of the family.
    pub rows: u64,
    /// The parts that it is cut into.
    pub shards: u32,
    /// The parts that are finished, and what is wrong with others; `None` where no run has begun.
    pub status: Option<Status>,
}

impl Plan {
    /// Returns the plan as it was before any run.
    pub(crate) fn whole(&self) -> Plan {
        Plan {
            status: None,
            rows: self.rows,
            shards: self.shards,
        }
    }
}

/// Returns the plan of a job, without any work.
///
/// # Errors
///
/// When the result set cannot be read or belongs to another job.
pub fn plan(job: &Job, out: &Path) -> Result<Plan, DatasetError> {
    job.task.plan(job, out)
}

/// Returns what identifies the result set of a job with a row for each member of a family.
pub(crate) fn header(job: &Job, task: &dyn RowTask) -> ResultHeader {
    ResultHeader {
        job: job.name.clone(),
        job_digest: job.digest(),
        code_version: CODE_VERSION.to_owned(),
        format_version: FORMAT_VERSION,
        shards: task.parts().len() as u32,
        spec_text: job.text.clone(),
        tables: task.tables(),
    }
}

/// The checkpoints of an unfinished job: work that is done and not in finished parts.
#[derive(Debug, Default)]
pub struct Checkpoints {
    /// The finished rows of unfinished parts.
    pub rows: u64,
    /// The sweeps.
    pub sweeps: Vec<SweepCheckpoint>,
}

/// The checkpoint of a sweep.
#[derive(Debug)]
pub struct SweepCheckpoint {
    /// The name of the family swept.
    pub family: String,
    /// The positions that have their values.
    pub valued: u64,
    /// The positions of the family.
    pub positions: u64,
}

/// Returns the checkpoints of a job, as far as few files tell.
///
/// # Errors
///
/// When they cannot be read.
pub fn checkpoints(job: &Job, plan: &Plan, out: &Path) -> Result<Checkpoints, DatasetError> {
    match plan.status.as_ref().filter(|status| !status.complete) {
        Some(_) => job.task.checkpoints(job, plan, out),
        None => Ok(Checkpoints::default()),
    }
}

/// Returns whether the row of a rank is in one of these parts, whose numbers ascend.
pub(crate) fn is_pending(ranges: &[Range<u64>], pending: &[u32], rank: u64) -> bool {
    let part = ranges.partition_point(|ranks| ranks.end <= rank) as u32;
    pending.binary_search(&part).is_ok()
}

/// Returns the number of rows of a part.
pub(crate) fn rows_of(ranks: &Range<u64>) -> u64 {
    ranks.end - ranks.start
}
