//! The interfaces of a kind of job for plans and runs.
//!
//! [`Task`] is the interface that commands use for any job. Nearly every kind has one table with a
//! row for each member of a family. Such a kind implements [`RowTask`](super::RowTask), which gives
//! it [`Planned`] and [`Task`]: parts, commits, shards, checkpoints, limits, progress. The kinds are
//! in `task/`, one folder each.

use std::ops::Range;
use std::path::Path;

use bytesize::ByteSize;

use super::described::{Checked, Described, Mined, Tabulated};
use super::estimate::Effort;
use super::shards::{Merge, Merged, Shard, ShardPlan};
use super::{Checkpoints, DiskNeed, JobHeader, Outcome, Plan, Run, RunError};
use crate::dataset::{DatasetError, ResultSet};
use crate::report::colours::ValuesAs;

/// A task whose work is planned and estimated before a run.
pub trait Planned: Described {
    /// Returns the plan of the job: the work to do, and the work already done.
    ///
    /// # Errors
    ///
    /// If the result set cannot be read or belongs to another job.
    fn plan(&self, job: &JobHeader, out: &Path) -> Result<Plan, DatasetError>;

    /// Returns the plan of the job before its first run.
    fn unbegun(&self) -> Plan;

    /// Returns the ranks of the rows in finished parts, ascending; empty if parts hold no ranks.
    fn finished_ranks(&self, plan: &Plan) -> Vec<Range<u64>>;

    /// Returns the checkpoints of an unfinished job.
    ///
    /// # Errors
    ///
    /// If they cannot be read.
    fn checkpoints(
        &self,
        job: &JobHeader,
        plan: &Plan,
        out: &Path,
    ) -> Result<Checkpoints, DatasetError>;

    /// Returns a lower bound on the disk space for the rest of the job.
    fn disk(&self, plan: &Plan) -> DiskNeed;

    /// Returns the fraction of the work that is done, from 0 to 1.
    fn part_done(&self, plan: &Plan, checkpoints: &Checkpoints) -> f64;

    /// Returns how a run with this number of threads and this memory budget finds the values for its
    /// rows, for estimates.
    fn effort(&self, plan: &Plan, threads: usize, memory: ByteSize) -> Effort;
}

/// A task that a run works on.
pub trait Task: Planned + Tabulated + Checked + Mined {
    /// Returns the names of the tables of the result, the main one first.
    fn table_names(&self) -> Vec<&'static str>;

    /// Returns whether a run can set a limit to each row.
    fn takes_row_limit(&self) -> bool {
        false
    }

    /// Returns how the values in [`Tabulated::table`] are read.
    fn values_as(&self) -> ValuesAs;

    /// Opens the result set for reading; returns `None` if it does not have a row for each rank.
    ///
    /// # Errors
    ///
    /// As [`ResultSet::open`].
    fn open(&self, job: &JobHeader, out: &Path) -> Result<Option<ResultSet>, DatasetError>;

    /// Compares every file of the result with its checksum, and returns the damage.
    ///
    /// # Errors
    ///
    /// If a file cannot be read.
    fn verify(&self, job: &JobHeader, out: &Path) -> Result<Vec<DatasetError>, DatasetError>;

    /// Does the unfinished rest of the job, or of a shard.
    ///
    /// # Errors
    ///
    /// If the job cannot continue.
    fn run(&self, run: &Run<'_>) -> Result<Outcome, RunError>;

    /// Returns the plans of some shards. With `verify`, compares every file with its checksum.
    ///
    /// # Errors
    ///
    /// A shard's folder that belongs to another job or cannot be read.
    fn plan_shards(
        &self,
        job: &JobHeader,
        out: &Path,
        shards: &[Shard],
        verify: bool,
    ) -> Result<Vec<ShardPlan>, DatasetError>;

    /// Joins the results of shards.
    ///
    /// # Errors
    ///
    /// As [`merge`](super::merge).
    fn merge(&self, merge: &Merge<'_>, shards: &[Shard]) -> Result<Merged, RunError>;
}
