//! From a job to a finished result set: shards over workers, checkpoints, limits, signals.
//!
//! A run takes the shards of the job's family that have no record yet, in order. Workers evaluate the
//! positions of a shard in parallel and share one memo and one store; rows go out in the
//! family's order. A monitor beside them seals new values as store segments every two minutes, watches
//! the memory budget, the time limit and the signals, and reports progress.
//!
//! What is finished is on disk in full: a shard counts from its record on, a value from its
//! segment's entry in the store's manifest on. A run that is cut short anywhere loses at most the values since
//! the last checkpoint and the rows of the shards in hand.

pub mod care;
mod describe;
mod dispatch;
mod evaluate;
mod forms;
mod graphs;
mod guard;
mod heaps;
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
mod stored;
mod supervise;
mod sweeps;
mod tchoukaillon;
mod witness;
mod worker;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use bytesize::ByteSize;
use thiserror::Error;

use crate::dataset::{DatasetError, ResultSet};
use crate::engine::nim_values::NimValueError;
use crate::engine::sums::NotFree;
use crate::engine::tchoukaillon::boards::TooLong;
use crate::engine::{EngineError, StopReason};
use crate::job::{Job, StripJob, StripTask, Task};
use crate::ruleset::{Key, PositionError};
use crate::store::{FormError, Namespace, StoreError};
use crate::value::ArenaError;

use shares::{Assignment, Place};

pub use describe::{Describer, Description};
pub use evaluate::{Counts, Evaluated, Evaluation, evaluate};
pub use heaps::{
    HeapEvaluation, HeapValue, HeapsEvaluated, PERIOD_HEAPS, Period, SumEvaluated, SumEvaluation,
    evaluate_heaps, evaluate_sums,
};
pub use memory::memory_available;
pub use monitor::{Observer, Progress};
pub use outcomes::{Outcomes, PositionOutcome, outcomes};
pub use plan::{CODE_VERSION, Plan, SHARD_ROWS, header, plan};
pub use shares::{
    MergeOptions, Merged, SHARES_MAX, Share, ShareError, SharePlan, merge, plan_shares,
};
pub use signals::{STATUS_INTERRUPTED, Signals};
pub use space::DiskNeed;
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

/// Why a run failed.
#[derive(Debug, Error)]
pub enum RunError {
    /// The result set cannot be read or written.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// The store cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A form cannot be entered in a segment.
    #[error("a canonical form cannot be stored")]
    Form(#[from] FormError),
    /// A position has no value.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A follower of a position cannot be held.
    #[error(
        "position {position} cannot be evaluated, for a follower of it cannot be held: {source}; \
         leave it out, or ask for less"
    )]
    Follower {
        /// The position asked for.
        position: String,
        /// What cannot be held.
        source: PositionError,
    },
    /// A nim-value cannot be held.
    #[error(transparent)]
    NimValue(#[from] NimValueError),
    /// A board cannot be held.
    #[error(transparent)]
    Board(#[from] TooLong),
    /// A disjunctive sum in which something would have to be finished first.
    #[error(transparent)]
    NotFree(#[from] NotFree),
    /// A value cannot be described.
    #[error(transparent)]
    Arena(#[from] ArenaError),
    /// The disk is too small.
    #[error(
        "{job} takes about {needed} or more for {what}, and the disk of {} has {free} free; make room, or choose a folder on \
         another disk with --out and --store", folder.display()
    )]
    Disk {
        /// What was to be run.
        job: String,
        /// What the room is for, what else goes to the same disk counted in.
        what: &'static str,
        /// Where it is to go.
        folder: PathBuf,
        /// What it takes at least, about.
        needed: ByteSize,
        /// What is free.
        free: ByteSize,
    },
    /// A stored key that no position has.
    #[error(
        "{namespace}: no position has the stored key {key:#x}; see what else is wrong with \"seedbank store verify --deep\""
    )]
    NoPosition {
        /// The namespace.
        namespace: Namespace,
        /// The key.
        key: Key,
    },
    /// Two stores have different values for one position.
    #[error(
        "{namespace}: {position} is worth {ours} in this store and {theirs} in the other; nothing was imported, since at least \
         one of them is wrong: find out which with \"seedbank store verify --deep\""
    )]
    StoresDiffer {
        /// The namespace.
        namespace: Box<Namespace>,
        /// The position.
        position: String,
        /// Its value in this store.
        ours: String,
        /// Its value in the other.
        theirs: String,
    },
    /// The memory budget does not suffice.
    #[error(
        "{job} needs more than its memory budget of {budget}: {in_use} were in use or needed next after \
         {positions} positions, {forms} of it for canonical forms, which may take half of the budget; {remedy}"
    )]
    Memory {
        /// What was running.
        job: String,
        /// The budget.
        budget: ByteSize,
        /// The positions evaluated.
        positions: u64,
        /// The most memory in use.
        in_use: ByteSize,
        /// What to do.
        remedy: &'static str,
        /// The bytes of the canonical forms.
        forms: ByteSize,
    },
    /// The memory budget does not suffice for what must be held all the time.
    #[error(
        "{job} needs {needed} of memory, for {what} and for writing, more than its budget of {budget}; \
         run it again with a larger --memory, or ask for less"
    )]
    Budget {
        /// What was to be run.
        job: String,
        /// What it needs.
        needed: ByteSize,
        /// What takes most of it, in words.
        what: &'static str,
        /// The budget.
        budget: ByteSize,
    },
    /// There is no room to seal values.
    #[error(
        "{values} values cannot be stored: the forms that they need take {needed} more, and the memory budget leaves {room} \
         for them; run it again with a larger --memory"
    )]
    Sealing {
        /// The values that are not stored yet.
        values: u64,
        /// The bytes that the smallest part of them takes.
        needed: ByteSize,
        /// What there is.
        room: ByteSize,
    },
    /// The array of a sweep cannot be made.
    #[error(
        "the values of {family} take {needed}, but half of the memory budget of {budget} is what there \
         is for them, and no file could take them; give more with --memory or ask for less; eval takes a folder for them with --store"
    )]
    Cells {
        /// The positions that it would hold.
        family: String,
        /// The bytes it takes.
        needed: ByteSize,
        /// The memory budget.
        budget: ByteSize,
        /// Why not.
        #[source]
        source: std::io::Error,
    },
    /// The array of a sweep would go to a file in a store that is not there.
    #[error(
        "the store {} is missing, and so there is no folder for the values of {family}: they take {needed}, more than \
         half of the memory budget of {budget}; make the folder, or give more with --memory",
        store.display()
    )]
    CellsWithoutStore {
        /// The store.
        store: PathBuf,
        /// The positions that the array would hold.
        family: String,
        /// The bytes it takes.
        needed: ByteSize,
        /// The memory budget.
        budget: ByteSize,
    },
    /// There cannot be so many shares.
    #[error(transparent)]
    NoSuchShards(ShareError),
    /// Shares that are to be merged are not finished.
    #[error(
        "{job} cannot be merged yet: shard{} {} not finished; {remedy}, or submit {} again, and then merge",
        if missing.len() == 1 { "" } else { "s" },
        listed(missing),
        if missing.len() == 1 { "it" } else { "each of them" }
    )]
    ShardsMissing {
        /// The job.
        job: String,
        /// The shares that are not finished.
        missing: Vec<String>,
        /// How to run the first of them.
        remedy: String,
    },
    /// There are no shares to be merged.
    #[error(
        "{job} has no shards to be merged in {}; run each of N with \"seedbank run --shard i/N\" first, \
         with the same --out",
        folder.display()
    )]
    NoShards {
        /// The job.
        job: String,
        /// Where they would be.
        folder: PathBuf,
    },
    /// The shares that there are belong to several deals.
    #[error(
        "{job} was dealt to {numbers} shards; say with --shards which of these are to be merged"
    )]
    ManyShards {
        /// The job.
        job: String,
        /// The numbers of shares.
        numbers: String,
    },
    /// A share was computed by another version.
    #[error(
        "shard {share} was computed by code version {found:?}, and this is {expected:?}; merge with that version, or remove {} \
         and run the shard again",
        folder.display()
    )]
    ShardVersion {
        /// The share.
        share: Share,
        /// The version that computed it.
        found: String,
        /// The version at hand.
        expected: &'static str,
        /// The share's folder.
        folder: PathBuf,
    },
    /// A share cannot be merged.
    #[error("shard {share} cannot be merged: {source}")]
    Shard {
        /// The share.
        share: Share,
        /// What is wrong with it.
        source: DatasetError,
    },
    /// The operating system refused something about the folder of the shares.
    #[error("cannot {action} {}: {source}", folder.display())]
    Folder {
        /// What was tried, as a verb.
        action: &'static str,
        /// The folder.
        folder: PathBuf,
        /// What the operating system answered.
        source: std::io::Error,
    },
    /// The workers cannot be started.
    #[error("{threads} worker threads cannot be started; try fewer with --threads")]
    Threads {
        /// The number asked for.
        threads: usize,
        /// Why.
        #[source]
        source: rayon::ThreadPoolBuildError,
    },
}

impl RunError {
    /// Returns whether a store or a result set is damaged.
    pub fn is_damage(&self) -> bool {
        match self {
            RunError::Dataset(error) | RunError::Shard { source: error, .. } => error.is_damage(),
            RunError::Store(error) => error.is_damage(),
            RunError::Engine(EngineError::Known(error)) => error
                .downcast_ref::<StoreError>()
                .is_some_and(StoreError::is_damage),
            RunError::Engine(EngineError::Conflict { .. })
            | RunError::NoPosition { .. }
            | RunError::StoresDiffer { .. } => true,
            _ => false,
        }
    }
}

/// Returns some names as a sentence lists them, with the verb.
fn listed(names: &[String]) -> String {
    match names {
        [] => "none is".to_owned(),
        [one] => format!("{one} is"),
        [others @ .., last] => format!("{} and {last} are", others.join(", ")),
    }
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
    let context = supervise::Context {
        job,
        options,
        place,
        signals,
        observer,
        started: Instant::now(),
    };
    match &job.task {
        Task::Strips(task) => run_strips(context, task),
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
/// complete.
fn rows_of_finished(
    place: &Place,
    results: &ResultSet,
    assignment: &Assignment,
) -> Result<u64, DatasetError> {
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
