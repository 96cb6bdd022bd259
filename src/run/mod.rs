//! From a job to a finished result set: shards over workers, checkpoints, limits, signals.
//!
//! A run takes the shards of the job's family that have no record yet, in order. Workers evaluate
//! the positions of a shard in parallel and share one memo and one store; rows go out in the
//! family's order. A monitor beside them seals new values as store segments every two minutes,
//! watches the memory budget, the time limit and the signals, and reports progress. It seals
//! earlier where sealing would take longer than a second: a run that must stop seals all values it
//! has, and should end within two seconds.
//!
//! What is finished is on disk in full: a shard counts from its record on, a value from its
//! segment's entry in the store's manifest on, a sweep's cells from the name of their file on. A run that is
//! cut short anywhere loses at most the values since the last checkpoint and the rows of the shards in hand.

pub mod care;
mod cost;
mod describe;
mod dispatch;
mod error;
mod estimate;
mod evaluate;
mod forms;
mod graphs;
mod guard;
mod heaps;
mod keeping;
mod kept_counts;
mod kept_sweep;
mod known;
mod memory;
mod monitor;
mod outcomes;
mod plain;
mod plan;
mod rows;
mod seal;
mod shares;
mod signals;
mod space;
mod stage;
mod stored;
mod supervise;
mod sweeps;
mod tchoukaillon;
mod witness;
mod worker;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use bytesize::ByteSize;

use crate::dataset::{DatasetError, ResultSet};
use crate::engine::StopReason;
use crate::job::{Job, StripJob, StripTask, Task};

use shares::{Assignment, Place};

pub use describe::{Describer, Description};
pub use error::RunError;
pub use estimate::{Amount, Estimate, MEASURE_TIME, estimate, measure};
pub use evaluate::{Counts, Evaluation, evaluate};
pub use heaps::{
    HeapEvaluation, HeapValue, HeapsEvaluated, Period, SumEvaluated, SumEvaluation, evaluate_heaps,
    evaluate_sums, period_heaps,
};
pub use memory::memory_available;
pub use monitor::{Observer, Progress, Silent};
pub use outcomes::{Outcomes, PositionOutcome, outcomes};
pub use plan::{
    CODE_VERSION, Checkpoints, Plan, SHARD_ROWS, SweepCheckpoint, checkpoints, finished_ranks,
    header, plan,
};
pub use shares::{
    MergeOptions, Merged, SHARES_MAX, Share, ShareError, SharePlan, merge, plan_shares,
};
pub use signals::{STATUS_INTERRUPTED, Signals};
pub use space::DiskNeed;
pub use stage::{Phase, Stage};
pub use witness::{census_header, open_census};

/// How often new values are sealed.
pub const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(120);

/// Where a run works and what it may use.
#[derive(Clone, Debug)]
pub struct Options {
    /// The number of workers.
    pub threads: usize,
    /// The memory that the run may take, mapped store files not counted.
    pub memory: ByteSize,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// How often new values are sealed.
    pub checkpoint: Duration,
    /// The store's folder.
    pub store: PathBuf,
    /// The folder of all result sets.
    pub out: PathBuf,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// There was nothing left to do.
    AlreadyDone {
        /// The rows of the result set.
        rows: u64,
    },
    /// The result set is complete.
    Finished(Summary),
    /// The run stopped early; another run goes on where it stopped.
    Stopped(StopReason, Summary),
}

/// What a run did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// The rows of the result set so far, those of earlier runs included.
    pub rows: u64,
    /// The positions evaluated.
    pub positions: u64,
    /// The canonical forms met, a form and its negative counting once.
    pub forms: u64,
    /// The values sealed in the store.
    pub sealed: u64,
    /// The time it took.
    pub elapsed: Duration,
    /// The most memory in use, as far as it was watched.
    pub bytes_max: u64,
    /// Of a job that looks for witnesses: how many were found, and how many were sought.
    pub witnesses: Option<(u64, u64)>,
}

/// Runs a job, or what is left of it.
///
/// # Errors
///
/// When the job cannot go on. What was finished before stays, and another run goes on from there.
pub fn run(
    job: &Job,
    options: &Options,
    signals: &Signals,
    observer: &dyn Observer,
) -> Result<Outcome, RunError> {
    // A result set that cannot be read is told by those who go on with it.
    if let Ok(plan) = plan(job, &options.out) {
        space::check(job, &plan, options)?;
    }
    run_at(
        &Place::of_job(job, options),
        job,
        options,
        signals,
        observer,
    )
}

/// Runs a share of a job, or what is left of it, in a folder of its own below the job's result set; [`merge`] joins all of them.
///
/// Values are read from the store of the options and from one of the share's own, and sealed in the latter only, so that
/// any number of shares may run at once. [`Outcome::Finished`] says that the share is finished.
///
/// # Errors
///
/// As [`run`]; the room on the disk is not looked at beforehand, since other shares take their part of it.
pub fn run_share(
    job: &Job,
    options: &Options,
    share: Share,
    signals: &Signals,
    observer: &dyn Observer,
) -> Result<Outcome, RunError> {
    let place = Place::of_share(job, options, share);
    run_at(&place, job, options, signals, observer)
}

fn run_at(
    place: &Place,
    job: &Job,
    options: &Options,
    signals: &Signals,
    observer: &dyn Observer,
) -> Result<Outcome, RunError> {
    let tracker = stage::Tracker::default();
    let context = supervise::Context {
        job,
        options,
        place,
        signals,
        observer,
        tracker: &tracker,
        started: Instant::now(),
    };
    match &job.task {
        Task::Strips(task) => {
            let outcome = run_strips(context, task)?;
            if !matches!(outcome, Outcome::Stopped(..)) {
                kept_sweep::forget(&place.dir)?;
                witness::forget_followers(&place.dir)?;
            }
            Ok(outcome)
        }
        Task::Heaps(task) => heaps::run_heaps(context, task, &thread_pool(options.threads)?),
        Task::Codes(task) => heaps::run_codes(context, task, &thread_pool(options.threads)?),
        Task::Boards(task) => {
            tchoukaillon::run_boards(context, task, &thread_pool(options.threads)?)
        }
        Task::Lengths(task) => {
            tchoukaillon::run_lengths(context, task, &thread_pool(options.threads)?)
        }
        Task::Reconstructions(task) => {
            tchoukaillon::run_reconstructions(context, task, &thread_pool(options.threads)?)
        }
        Task::Graphs(task) => graphs::run_graphs(context, task, &thread_pool(options.threads)?),
    }
}

/// Runs a job over strips.
fn run_strips(context: supervise::Context<'_>, task: &StripTask) -> Result<Outcome, RunError> {
    let supervise::Context {
        job,
        options,
        place,
        ..
    } = context;
    if let Some(spec) = &task.witness {
        let strips = StripJob { job, task };
        return witness::run(context, strips, spec, &thread_pool(options.threads)?);
    }
    let assignment = place.assignment(job)?;
    let results = ResultSet::open_or_create(&place.dir, &assignment.header)?;
    let pending = assignment.left(results.finished()?);
    if pending.is_empty() {
        let rows = rows_of_finished(place, &results, &assignment)?;
        return Ok(Outcome::AlreadyDone { rows });
    }
    let pool = thread_pool(options.threads)?;
    let work = rows::Work {
        context,
        task,
        results,
        assignment,
        pending,
    };
    dispatch::dispatch(task.game, task.play, rows::RunShards { work, pool: &pool })
}

/// Returns the rows of a run's own shards, all of which are finished; where these are all there are, the result set is then
/// complete, and what was kept on the way is forgotten.
fn rows_of_finished(
    place: &Place,
    results: &ResultSet,
    assignment: &Assignment,
) -> Result<u64, DatasetError> {
    results.forget_kept()?;
    match place.share {
        None => Ok(results.finish()?.rows),
        Some(_) => Ok(assignment.rows()),
    }
}

fn thread_pool(threads: usize) -> Result<rayon::ThreadPool, RunError> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|i| format!("worker-{i}"))
        .build()
        .map_err(|source| RunError::Threads { threads, source })
}
