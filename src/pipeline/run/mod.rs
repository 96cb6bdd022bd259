//! From a job to a finished result: the runner, which is the same for every kind of job.
//!
//! A [`Run`] has a place, limits and an observer. One loop (`watch.rs`) watches the [task](Task) at
//! work: signals, time, memory, progress. If a result has a row for each member of a family, the
//! job is run part by part, in order (`rows.rs`). The task makes the parts that have no record yet,
//! which it sees as [`Parts`]; a part counts once its record exists. Finished work that cannot be
//! written as rows yet goes to checkpoints.
//!
//! Finished work is complete on disk. A part is finished once its record exists, a checkpoint once
//! its file has its final name. An interrupted run loses at most the work since the last
//! checkpoint.
//!
//! This module knows no task and no game by name; the tasks are in [`task`](crate::task).

pub(crate) mod checkpoint;
pub(crate) mod cost;
mod described;
mod error;
pub(crate) mod estimate;
pub(crate) mod growth;
mod header;
mod job;
mod long_values;
pub(crate) mod memory;
pub mod mining;
mod observer;
mod options;
mod outcome;
mod parts;
pub(crate) mod plan;
mod reading;
mod refutation;
mod row_task;
mod rows;
mod running;
mod section;
mod session;
mod shards;
mod signals;
mod space;
pub(crate) mod stage;
mod task;
mod watch;

pub use described::{Checked, Described, Mined, Tabulated};
pub use error::RunError;
pub use estimate::{Amount, Effort, Estimate, MEASURE_TIME, Measured, Workload, estimate, measure};
pub use header::{Description, Detail, JobHeader, ListColumn};
pub use job::{Job, checkpoints, plan, plan_shards};
pub use memory::{memory_available, memory_in_use};
pub(crate) use observer::Watched;
pub use observer::{Held, Observer, Progress, Silent};
pub use options::{CHECKPOINT_INTERVAL, Limits, OUT, Options, STORE};
pub use options::{out_option, store_option};
pub use outcome::{Outcome, Summary};
pub use parts::Parts;
pub(crate) use plan::equal_parts;
pub use plan::{CODE_VERSION, Checkpoints, DiskNeed, PART_ROWS, Plan, SweepCheckpoint};
pub use reading::Reading;
pub use refutation::Refutation;
pub use row_task::{Making, MemoryNeed, RowTask};
pub use running::Run;
pub use section::{enter_occurrences, section};
pub use session::Session;
pub(crate) use session::thread_pool;
pub(crate) use shards::{Cut, Place, plan_of};
pub use shards::{
    Merge, MergeOptions, Merged, SHARDS_MAX, Shard, ShardError, ShardPlan, merge, shards_there,
};
pub use signals::{STATUS_INTERRUPTED, Signals, file_size_limit_is_an_error};
pub(crate) use space::PART_BYTES;
pub use stage::{Phase, Stage, Tracker};
pub use task::{Planned, Task};

use crate::dataset::lock_results;

/// Runs a job, or the unfinished rest of it.
///
/// # Errors
///
/// If the job cannot continue, or another run writes to its results. Work that was finished before stays, and another run resumes.
pub fn run(
    job: &Job,
    options: &Options,
    signals: &Signals,
    observer: &dyn Observer,
) -> Result<Outcome, RunError> {
    // The run itself reports a result set that cannot be read.
    if let Ok(plan) = plan(job, &options.out) {
        space::check(job, &plan, options)?;
    }
    let place = Place::of_job(&job.header, options);
    job.run_in(&place, options, signals, observer)
}

/// Runs a shard of a job, or the unfinished rest of it, in a folder of its own below the job's
/// result set. [`merge`] joins all shards.
///
/// Values are read from the store of the options and from the shard's own store, and are sealed in
/// the latter only. Any number of shards may therefore run at once. [`Outcome::Finished`] means
/// that the shard is finished.
///
/// # Errors
///
/// As [`run`]; disk space is not checked beforehand, because other shards use the same disk.
pub fn run_shard(
    job: &Job,
    options: &Options,
    shard: Shard,
    signals: &Signals,
    observer: &dyn Observer,
) -> Result<Outcome, RunError> {
    let place = Place::of_shard(&job.header, options, shard);
    job.run_in(&place, options, signals, observer)
}

impl Job {
    fn run_in(
        &self,
        place: &Place,
        options: &Options,
        signals: &Signals,
        observer: &dyn Observer,
    ) -> Result<Outcome, RunError> {
        place.check(self.task.needs_store())?;
        place.claim()?;
        let _lock = lock_results(&place.dir)?;
        if let (Some(limit), false) = (options.row, self.task.takes_row_limit()) {
            return Err(RunError::RowLimit {
                job: self.header.name.clone(),
                limit,
            });
        }
        let noun = self.task.description().noun;
        let run = Run::new(&self.header, noun, options, place, signals, observer)?;
        self.task.run(&run)
    }
}
