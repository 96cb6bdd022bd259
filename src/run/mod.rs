//! From a job to a finished result: the runner, which is the same for every kind of job.
//!
//! A [`Run`] has a place, limits and an observer. It watches the [task](Task) at work in [one loop](watch): signals, time, memory,
//! progress. A task whose result has a row for each member of a family is run [part by part](rows), in order: parts that have
//! no record yet are made by the task, which sees them as [`Parts`], and count once their records exist. Work that is done
//! and cannot be written as rows yet is in [checkpoints](checkpoint).
//!
//! What is finished is on disk in full: a part counts from its record on, a checkpoint from the name of its file on. An
//! interrupted run loses at most the work since the last checkpoint.
//!
//! This module knows no task and no game by name; the tasks are in [`task`](crate::task).

pub(crate) mod checkpoint;
pub(crate) mod cost;
mod error;
pub(crate) mod estimate;
mod job;
pub(crate) mod memory;
mod parts;
pub(crate) mod plan;
mod rows;
mod shares;
mod signals;
mod space;
pub(crate) mod stage;
mod task;
mod watch;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use bytesize::ByteSize;

use self::cost::Costs;
use crate::engine::{Control, EngineError, StopReason};

pub use error::RunError;
pub use estimate::{Amount, Effort, Estimate, MEASURE_TIME, Measured, Way, estimate, measure};
pub use job::Job;
pub use memory::memory_available;
pub use parts::Parts;
pub use plan::{CODE_VERSION, Checkpoints, PART_ROWS, Plan, SweepCheckpoint, checkpoints, plan};
pub(crate) use rows::equal_parts;
pub(crate) use shares::{Cut, Place, plan_of};
pub use shares::{
    Merge, MergeOptions, Merged, SHARES_MAX, Share, ShareError, SharePlan, merge, plan_shares,
};
pub use signals::{STATUS_INTERRUPTED, Signals};
pub use space::DiskNeed;
pub(crate) use space::PART_BYTES;
pub use stage::{Phase, Stage, Tracker};
pub use task::{Reading, RowTask, Subject, Task};
pub use watch::{Held, Observer, Progress, Silent};
pub(crate) use watch::{Watch, Watched};

/// The time between two checkpoints.
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
    /// The time between two checkpoints.
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
    /// The run stopped early; another run resumes.
    Stopped(StopReason, Summary),
}

/// What a run did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// The rows of the result set so far, those of earlier runs included.
    pub rows: u64,
    /// The positions evaluated.
    pub positions: u64,
    /// The canonical forms met, a form and its negative counting once; `None` of a task that has none.
    pub forms: Option<u64>,
    /// The values sealed in the store.
    pub sealed: u64,
    /// The time it took.
    pub elapsed: Duration,
    /// The most memory in use, as far as it was watched.
    pub bytes_max: u64,
    /// Of a job that looks for witnesses: how many were found, and how many were sought.
    pub witnesses: Option<(u64, u64)>,
}

/// A run of a job, or of a share of it, as its task sees it.
pub struct Run<'a> {
    /// The job.
    pub job: &'a Job,
    /// Where the run works and what it may use.
    pub options: &'a Options,
    /// The folders it works in.
    pub(crate) place: &'a Place,
    /// The signals received.
    pub(crate) signals: &'a Signals,
    /// Receives the progress.
    pub(crate) observer: &'a dyn Observer,
    /// The phase and its progress.
    pub tracker: Tracker,
    /// The workers, for code that is parallel.
    pub pool: rayon::ThreadPool,
    /// Stops the work, and counts it.
    pub control: Arc<Control>,
    /// The memory in use.
    pub(crate) watched: Watched,
    /// The rows finished, those of earlier runs included.
    rows: AtomicU64,
    /// The canonical forms met and the values sealed by an engine that has ended.
    ended: std::sync::OnceLock<(u64, u64)>,
    started: Instant,
}

impl<'a> Run<'a> {
    pub(crate) fn new(
        job: &'a Job,
        options: &'a Options,
        place: &'a Place,
        signals: &'a Signals,
        observer: &'a dyn Observer,
    ) -> Result<Run<'a>, RunError> {
        Ok(Run {
            job,
            options,
            place,
            signals,
            observer,
            tracker: Tracker::default(),
            pool: thread_pool(options.threads)?,
            control: Arc::default(),
            watched: Watched::default(),
            rows: AtomicU64::new(0),
            ended: std::sync::OnceLock::new(),
            started: Instant::now(),
        })
    }

    /// Does work under watch: of `rows_total` rows, `rows_before` are finished. Where the work does not enter its cost in the
    /// tracker, `costs` are those of its rows.
    pub(crate) fn watch<T>(
        &self,
        (rows_total, rows_before): (u64, u64),
        costs: Option<&Costs<'_>>,
        work: impl FnOnce() -> T,
    ) -> T {
        self.rows.store(rows_before, Relaxed);
        let report = || {
            let positions = self.control.evaluated();
            let rows = self.rows.load(Relaxed);
            let mut stage = self.tracker.stage(positions);
            if let Some(costs) = costs.filter(|_| !self.tracker.has_costs()) {
                stage.done = rows - rows_before;
                stage.cost_done = costs.of_rows(stage.done);
                stage.cost_total = Some(costs.all());
            }
            let progress = Progress {
                noun: self.job.task.noun(),
                rows_total,
                rows,
                rows_before,
                positions,
                forms: self.watched.forms(),
                bytes: self.watched.bytes(),
                elapsed: self.started.elapsed(),
                draining: self.control.draining(),
                stage,
            };
            self.observer.progress(&self.job.name, &progress);
        };
        let watch = Watch {
            control: &self.control,
            signals: self.signals,
            drains: true,
            deadline: self.options.deadline,
            memory: self.options.memory,
            watched: &self.watched,
        };
        watch.during(report, work)
    }

    /// Counts rows that are finished.
    pub(crate) fn count_rows(&self, rows: u64) {
        self.rows.fetch_add(rows, Relaxed);
    }

    /// Enters the canonical forms met and the values sealed by an engine that has ended.
    pub(crate) fn ended(&self, forms: u64, sealed: u64) {
        // A run has one engine.
        let _ = self.ended.set((forms, sealed));
    }

    /// Returns an error where the run is to stop at once.
    ///
    /// # Errors
    ///
    /// [`EngineError::Stopped`].
    pub fn go_on(&self) -> Result<(), RunError> {
        match self.control.stopped() {
            Some(reason) => Err(EngineError::Stopped(reason).into()),
            None => Ok(()),
        }
    }

    /// Returns what the run did.
    pub(crate) fn summary(&self, rows: u64) -> Summary {
        let ended = self.ended.get();
        Summary {
            rows,
            positions: self.control.evaluated(),
            forms: ended.map(|(forms, _)| *forms),
            sealed: ended.map_or(0, |(_, sealed)| *sealed),
            elapsed: self.started.elapsed(),
            bytes_max: self.watched.bytes_max(),
            witnesses: None,
        }
    }

    /// Returns how work ended: `Ok` says whether all of it is done, with the rows that there are.
    ///
    /// # Errors
    ///
    /// Any error but that of having been stopped.
    pub(crate) fn outcome(
        &self,
        done: Result<bool, RunError>,
        rows: u64,
    ) -> Result<Outcome, RunError> {
        let summary = self.summary(rows);
        match done {
            Ok(true) => Ok(Outcome::Finished(summary)),
            Ok(false) => Ok(Outcome::Stopped(StopReason::Interrupted, summary)),
            Err(RunError::Engine(EngineError::Stopped(reason))) => {
                Ok(Outcome::Stopped(reason, summary))
            }
            Err(error) => Err(error),
        }
    }
}

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
    let place = Place::of_job(job, options);
    job.task
        .run(&Run::new(job, options, &place, signals, observer)?)
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
    let place = Place::of_share(job, options, share);
    job.task
        .run(&Run::new(job, options, &place, signals, observer)?)
}

/// Returns a pool of workers.
///
/// # Errors
///
/// [`RunError::Threads`].
pub(crate) fn thread_pool(threads: usize) -> Result<rayon::ThreadPool, RunError> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|i| format!("worker-{i}"))
        .build()
        .map_err(|source| RunError::Threads { threads, source })
}
