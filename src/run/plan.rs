//! How a job is cut into shards, and what of it is there already.

use std::io::ErrorKind;
use std::ops::Range;
use std::path::Path;

use super::{graphs, tchoukaillon};
use crate::dataset::{
    DatasetError, Digest, FORMAT_VERSION, ResultHeader, ResultSet, SHARDS_MAX, Status, Tables,
};
use crate::job::{BinsAsked, Job, StripJob, Task};

/// The version of the code, as result sets record it.
pub const CODE_VERSION: &str = env!("CARGO_PKG_VERSION");

/// The rows of a shard, unless the family is so large that it would be cut into too many.
///
/// A shard is what a run loses when it is cut short, and what it finishes after Ctrl-C; values are not lost with
/// it. Depends on the family alone, so that every run of a job cuts it alike.
pub const SHARD_ROWS: u64 = 1 << 20;

/// What there is to do for a job.
///
/// Of a job that looks for witnesses, rows are the positions to be searched, and shards the stretches of its census.
#[derive(Debug)]
pub struct Plan {
    /// The positions of the family.
    pub rows: u64,
    /// The shards that it is cut into.
    pub shards: u32,
    /// The shards that are finished, and what is wrong with others; `None` where no run has begun.
    pub status: Option<Status>,
}

/// Returns what there is to do for a job, without doing any of it.
///
/// # Errors
///
/// When the result set cannot be read or belongs to another job.
pub fn plan(job: &Job, out: &Path) -> Result<Plan, DatasetError> {
    if let Task::Strips(task) = &job.task
        && let Some(spec) = &task.witness
    {
        return super::witness::plan(StripJob { job, task }, spec, out);
    }
    let header = header(job);
    let dir = out.join(&job.name);
    let status = match ResultSet::open(&dir, &header) {
        Ok(results) => Some(results.status()?),
        // No run came so far, or one was killed while it was making the folders.
        Err(DatasetError::Io(error)) if error.cause.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    Ok(Plan {
        rows: job.task.rows(),
        shards: header.shards,
        status,
    })
}

/// Returns what identifies a job's result set.
pub fn header(job: &Job) -> ResultHeader {
    let tables = match &job.task {
        Task::Strips(task) => Tables::Positions {
            variables: task.family.variables().to_vec(),
        },
        Task::Heaps(_) => Tables::Heaps,
        Task::Codes(_) => Tables::Codes,
        Task::Boards(task) => Tables::Boards {
            // Bin i holds at most i stones.
            small_bins: matches!(task.bins, BinsAsked::Nearest(bins) if bins <= 255),
        },
        Task::Lengths(_) => Tables::Lengths,
        Task::Reconstructions(_) => Tables::Reconstructions,
        Task::Graphs(_) => Tables::Graphs,
    };
    ResultHeader {
        job: job.name.clone(),
        job_digest: Digest::from(job.digest()),
        code_version: CODE_VERSION.to_owned(),
        format_version: FORMAT_VERSION,
        shards: shards(job).len() as u32,
        spec_text: job.text.clone(),
        tables,
    }
}

/// The codes of a survey in one shard.
const SHARD_CODES: u64 = 1 << 16;

/// Returns the ranks of each shard.
pub(super) fn shards(job: &Job) -> Vec<Range<u64>> {
    let rows = job.task.rows();
    let shard_rows = match &job.task {
        Task::Strips(_) | Task::Heaps(_) => SHARD_ROWS,
        Task::Codes(_) => SHARD_CODES,
        Task::Boards(task) => tchoukaillon::board_shard_rows(task),
        Task::Lengths(_) => tchoukaillon::LENGTH_SHARD_ROWS,
        Task::Reconstructions(task) => tchoukaillon::reconstruction_shard_rows(task),
        Task::Graphs(_) => graphs::SHARD_ROWS,
    };
    let shard_rows = shard_rows.max(rows.div_ceil(u64::from(SHARDS_MAX)));
    (0..rows.div_ceil(shard_rows))
        .map(|shard| shard * shard_rows..((shard + 1) * shard_rows).min(rows))
        .collect()
}

/// Returns whether the row of a rank is in one of these shards, whose numbers ascend.
pub(super) fn is_pending(ranges: &[Range<u64>], pending: &[u32], rank: u64) -> bool {
    let shard = ranges.partition_point(|ranks| ranks.end <= rank) as u32;
    pending.binary_search(&shard).is_ok()
}

/// Returns the number of rows of a shard.
pub(super) fn rows_of(ranks: &Range<u64>) -> u64 {
    ranks.end - ranks.start
}
