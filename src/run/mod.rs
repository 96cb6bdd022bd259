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
mod signals;
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

use crate::dataset::DatasetError;
use crate::engine::nim_values::NimValueError;
use crate::engine::sums::NotFree;
use crate::engine::tchoukaillon::boards::TooLong;
use crate::engine::{EngineError, StopReason};
use crate::job::{Job, StripJob, StripTask, Task};
use crate::ruleset::PositionError;
use crate::store::{FormError, StoreError};
use crate::value::ArenaError;

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
pub use signals::{STATUS_INTERRUPTED, Signals};
pub use witness::{census_header, open_census};

/// How often new values are sealed.
pub const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(120);

/// The stack of a worker: comparing two forms recurses as deep as their birthdays together.
const STACK_BYTES: usize = 256 << 20;

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
            RunError::Dataset(error) => error.is_damage(),
            RunError::Store(error) => error.is_damage(),
            RunError::Engine(EngineError::Known(error)) => error
                .downcast_ref::<StoreError>()
                .is_some_and(StoreError::is_damage),
            RunError::Engine(EngineError::Conflict { .. }) => true,
            _ => false,
        }
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
    let context = supervise::Context {
        job,
        options,
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
    let supervise::Context { job, options, .. } = context;
    if let Some(spec) = &task.witness {
        let strips = StripJob { job, task };
        return witness::run(context, strips, spec, &thread_pool(options.threads)?);
    }
    let results = crate::dataset::ResultSet::open_or_create(
        &options.out.join(&job.name),
        &plan::header(job),
    )?;
    let shards = plan::shards(job);
    let finished = results.finished()?;
    let pending: Vec<u32> = (0..shards.len() as u32)
        .filter(|shard| !finished.contains(shard))
        .collect();
    if pending.is_empty() {
        let manifest = results.finish()?;
        return Ok(Outcome::AlreadyDone {
            rows: manifest.rows,
        });
    }
    let pool = thread_pool(options.threads)?;
    let work = rows::Work {
        context,
        task,
        results,
        shards,
        pending,
    };
    dispatch::dispatch(task.game, task.play, rows::RunShards { work, pool: &pool })
}

fn thread_pool(threads: usize) -> Result<rayon::ThreadPool, RunError> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(STACK_BYTES)
        .thread_name(|i| format!("worker-{i}"))
        .build()
        .map_err(|source| RunError::Threads { threads, source })
}
