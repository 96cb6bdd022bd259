//! How a job is cut into shards, and what of it is there already.

use std::collections::HashSet;
use std::io::ErrorKind;
use std::ops::Range;
use std::path::Path;

use serde::de::IgnoredAny;

use super::cost::{cost, halved};
use super::{graphs, tchoukaillon};
use crate::dataset::{
    DatasetError, Digest, FORMAT_VERSION, ResultHeader, ResultSet, SHARDS_MAX, Status, Tables,
};
use crate::job::{BinsAsked, Job, StripJob, Task};

/// The version of the code, as result sets record it.
pub const CODE_VERSION: &str = env!("CARGO_PKG_VERSION");

/// The rows of a shard, unless the family is so large that it would be cut into too many.
///
/// A part is what an interrupted run loses; its values are not lost with it. Depends on the job alone, so that every
/// run of a job cuts it alike.
pub const SHARD_ROWS: u64 = 1 << 20;

/// The estimated cost that a part of strips has at most, unless it is one row or there are [`PARTS_BY_COST`].
///
/// Unit: positions, of which a core evaluates half a million a second. Result sets of another cut are refused by their number
/// of parts: a change of this, or of the estimates, that could leave the number as it is needs a new
/// [`FORMAT_VERSION`].
const PART_COST: u64 = 1 << 23;

/// The most parts of strips that are cut for their cost.
///
/// PERF: each takes a few small files and 20 KB. Theorem 2.2, whose rows cost far less than estimated, took
/// 0.10 s in one part and 0.20 s in 64, on two idle cores.
const PARTS_BY_COST: usize = 64;

/// The work of a job: its rows, its shards, and those that are finished.
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

/// Returns the plan of a job, without any work.
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
    let by_rows = (0..rows.div_ceil(shard_rows))
        .map(|shard| shard * shard_rows..((shard + 1) * shard_rows).min(rows))
        .collect();
    match &job.task {
        Task::Strips(_) => halved(by_rows, PARTS_BY_COST, PART_COST, |ranks| cost(job, ranks)).0,
        _ => by_rows,
    }
}

/// Returns the ranks of the finished parts of a job, ascending; of a job that looks for witnesses there are none.
pub fn finished_ranks(job: &Job, plan: &Plan) -> Vec<Range<u64>> {
    let has_parts = job
        .strips()
        .is_none_or(|strips| strips.task.witness.is_none());
    let finished = plan.status.iter().flat_map(|status| &status.finished);
    let ranges = if has_parts { shards(job) } else { Vec::new() };
    finished
        .filter_map(|&shard| ranges.get(shard as usize).cloned())
        .collect()
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
    let dir = out.join(&job.name);
    let mut found = Checkpoints::default();
    let Some(status) = plan.status.as_ref().filter(|status| !status.complete) else {
        return Ok(found);
    };
    match &job.task {
        Task::Strips(_) => found.sweeps = super::kept_sweep::checkpoints(&dir)?,
        Task::Reconstructions(_) | Task::Graphs(_) => {
            let ranges = shards(job);
            let mut ranks = HashSet::new();
            ResultSet::open(&dir, &header(job))?.kept(|rows: Vec<(u64, IgnoredAny)>| {
                ranks.extend(rows.into_iter().map(|(rank, _)| rank));
            })?;
            let is_finished = |rank| is_pending(&ranges, &status.finished, rank);
            found.rows = ranks.into_iter().filter(|&rank| !is_finished(rank)).count() as u64;
        }
        _ => {}
    }
    Ok(found)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(game: &str, play: &str, family: &str) -> Vec<Range<u64>> {
        let text = format!(
            "name = \"a\"\n[ruleset]\ngame = \"{game}\"\nplay = \"{play}\"\n[family]\n{family}\n"
        );
        shards(&Job::parse(&text, Path::new("a.toml"), Path::new("")).unwrap())
    }

    #[test]
    fn long_jobs_have_parts_and_short_ones_one() {
        let xy = |most: u32| {
            let family = format!("pattern = \"x y\"\nx = \"1..={most}\"\ny = \"1..={most}\"");
            parts("atomic-wari", "partisan", &family)
        };
        assert_eq!(xy(10).len(), 1, "Table 5");
        let long = xy(30);
        assert!((50..=PARTS_BY_COST).contains(&long.len()), "{}", long.len());
        assert_eq!(
            long.last(),
            Some(&(899..900)),
            "the dearest row stands alone"
        );
        assert!(long.is_sorted_by(|a, b| a.end == b.start) && long[0].start == 0);
        assert!(
            (2..20)
                .contains(&parts("sowing", "partisan", "pattern = \"1^n\"\nn = \"1..=16\"").len())
        );
        assert_eq!(
            parts("sowing", "partisan", "pattern = \"1^n\"\nn = \"1..=12\"").len(),
            1
        );
        // Rows of swept families cost alike, and are cut by their number alone.
        assert_eq!(
            parts("sowing", "impartial", "all = { pots_max = 9 }").len(),
            63
        );
    }
}
