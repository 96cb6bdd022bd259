//! Jobs: a task with its header.

use std::any::Any;
use std::path::Path;
use std::sync::Arc;

use super::{Checkpoints, JobHeader, Plan, RunError, Shard, ShardPlan, Task};
use crate::dataset::DatasetError;

/// A checked job spec.
///
/// ```
/// use std::path::Path;
///
/// use seedbank::task::Job;
///
/// let spec = r#"
///     name = "ones"
///     [ruleset]
///     game = "sowing"
///     play = "partisan"
///     [family]
///     pattern = "1^n"
///     n = "1..=14"
/// "#;
/// let job = Job::parse(spec, Path::new("jobs/ones.toml"), Path::new("jobs"))?;
/// assert_eq!(job.task.rows(), 14);
///
/// let spec = spec.replace("1..=14", "14..=1");
/// let error = Job::parse(&spec, Path::new("jobs/ones.toml"), Path::new("jobs")).unwrap_err();
/// assert!(error.to_string().contains("jobs/ones.toml:8:9"));
/// # Ok::<(), seedbank::job::JobError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Job {
    /// Everything in the spec besides the task.
    pub header: JobHeader,
    /// The task to compute.
    pub task: Arc<dyn Task>,
}

impl Job {
    /// Returns the task as a `T`, if it is one.
    pub fn task_as<T: Task>(&self) -> Option<&T> {
        let task: &dyn Any = &*self.task;
        task.downcast_ref()
    }
}

/// Returns the plan of a job without doing any work.
///
/// # Errors
///
/// If the result set cannot be read or belongs to another job.
pub fn plan(job: &Job, out: &Path) -> Result<Plan, DatasetError> {
    job.task.plan(&job.header, out)
}

/// Returns the checkpoints of a job, from a few files alone.
///
/// # Errors
///
/// If they cannot be read.
pub fn checkpoints(job: &Job, plan: &Plan, out: &Path) -> Result<Checkpoints, DatasetError> {
    match plan.status.as_ref().filter(|status| !status.complete) {
        Some(_) => job.task.checkpoints(&job.header, plan, out),
        None => Ok(Checkpoints::default()),
    }
}

/// Returns the plan of each shard if the job were divided into `of` shards. Does none of the work. With
/// `verify`, compares every file of the shards with its checksum.
///
/// # Errors
///
/// [`RunError::NoSuchShards`] if `of` is out of range. A shard's folder that belongs to another job
/// or cannot be read.
pub fn plan_shards(
    job: &Job,
    out: &Path,
    of: u32,
    verify: bool,
) -> Result<Vec<ShardPlan>, RunError> {
    let shards = Shard::all(of).map_err(RunError::NoSuchShards)?;
    Ok(job.task.plan_shards(&job.header, out, &shards, verify)?)
}
