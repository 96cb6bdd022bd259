//! From a job to a finished result: the runner, which is the same for every kind of job.
//!
//! A [`Run`] has a place, limits and an observer. It watches the [task](Task) at work in one loop (`watch.rs`): signals, time,
//! memory, progress. A task whose result has a row for each member of a family is run part by part (`rows.rs`), in order: parts
//! that have no record yet are made by the task, which sees them as [`Parts`], and count once their records exist. Work that is
//! done and cannot be written as rows yet is in checkpoints.
//!
//! What is finished is on disk in full: a part counts from its record on, a checkpoint from the name of its file on. An
//! interrupted run loses at most the work since the last checkpoint.
//!
//! This module knows no task and no game by name; the tasks are in [`task`](crate::task).

pub(crate) mod checkpoint;
pub(crate) mod cost;
mod error;
pub(crate) mod estimate;
mod header;
mod job;
mod means;
pub(crate) mod memory;
pub mod mining;
mod options;
mod outcome;
mod parts;
pub(crate) mod plan;
mod refutation;
mod row_task;
mod rows;
mod running;
mod section;
mod shares;
mod signals;
mod space;
pub(crate) mod stage;
mod task;
mod watch;

pub use error::RunError;
pub use estimate::{Amount, Effort, Estimate, MEASURE_TIME, Measured, Way, estimate, measure};
pub use header::{JobHeader, Subject};
pub use job::{Job, checkpoints, plan, plan_shares};
pub use means::Means;
pub use memory::memory_available;
pub use options::{CHECKPOINT_INTERVAL, Options};
pub use outcome::{Outcome, Summary};
pub use parts::Parts;
pub(crate) use plan::equal_parts;
pub use plan::{CODE_VERSION, Checkpoints, PART_ROWS, Plan, SweepCheckpoint};
pub use refutation::Refutation;
pub use row_task::{RowTask, RowsRead};
pub use running::Run;
pub(crate) use running::thread_pool;
pub use section::section;
pub(crate) use shares::{Cut, Place, plan_of};
pub use shares::{Merge, MergeOptions, Merged, SHARES_MAX, Share, ShareError, SharePlan, merge};
pub use signals::{STATUS_INTERRUPTED, Signals};
pub use space::DiskNeed;
pub(crate) use space::PART_BYTES;
pub use stage::{Phase, Stage, Tracker};
pub use task::{Reading, Task};
pub use watch::{Held, Observer, Progress, Silent};
pub(crate) use watch::{Watch, Watched};

/// Runs a job, or what is left of it.
///
/// # Errors
///
/// When the job cannot go on. What was finished before stays, and another run resumes.
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

/// Runs a share of a job, or what is left of it, in a folder of its own below the job's result set; [`merge`] joins all of them.
///
/// Values are read from the store of the options and from one of the share's own, and sealed in the latter only, so that
/// any number of shares may run at once. [`Outcome::Finished`] says that the share is finished.
///
/// # Errors
///
/// As [`run`]; disk space is not looked at beforehand, since other shares take their part of it.
pub fn run_share(
    job: &Job,
    options: &Options,
    share: Share,
    signals: &Signals,
    observer: &dyn Observer,
) -> Result<Outcome, RunError> {
    let place = Place::of_share(&job.header, options, share);
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
        let noun = self.task.noun();
        let run = Run::new(&self.header, noun, options, place, signals, observer)?;
        self.task.run(&run)
    }
}
