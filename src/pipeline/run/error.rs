//! What can go wrong with a run.

use std::path::PathBuf;

use bytesize::ByteSize;
use cggames::board::{AnyBoardError, Key, PositionError};
use cgsolvers::nim_values::NimValueError;
use cgsolvers::sowing_graph::census::CensusError;
use cgsolvers::sums::NotFree;
use cgsolvers::tchoukaillon::boards::TooLong;
use cgsolvers::{EngineError, StopReason};
use cgvalues::ArenaError;
use seedbank_files::durable::Refusal;
use thiserror::Error;
use valuestore::{FormError, Namespace, StoreError};

use super::Refutation;
use super::shards::{Shard, ShardError};
use crate::dataset::{DatasetError, RowLimit};
use crate::moves::MovesFileError;

/// Why a run failed.
#[derive(Debug, Error)]
pub enum RunError {
    /// The result set cannot be read or written.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// The store cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A limit for each row, of a job whose rows have none.
    #[error(
        "{job} takes no limit for each row ({limit} was set): only jobs about single positions do; run it without \
         --row-limit, or limit the whole run with --time-limit"
    )]
    RowLimit {
        /// The job.
        job: String,
        /// The limit.
        limit: RowLimit,
    },
    /// The folder of the results lies in the store's, or the store's in it.
    #[error(
        "the results in {} and the store {} need separate folders, neither in the other; nothing was changed; choose \
         another folder", results.display(), store.display()
    )]
    FoldersNested {
        /// The folder of the results.
        results: PathBuf,
        /// The folder of the store.
        store: PathBuf,
    },
    /// A canonical form cannot be stored in a segment.
    #[error("a canonical form cannot be stored")]
    Form(#[from] FormError),
    /// A position has no value.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A follower of a position cannot be represented.
    #[error(
        "position {position} cannot be evaluated, because one of its followers cannot be held: {source}; \
         leave the position out, or request less"
    )]
    Follower {
        /// The requested position.
        position: String,
        /// Why the follower cannot be represented.
        source: PositionError,
    },
    /// A component of a sum cannot be added.
    #[error("{component} cannot be a component of a sum here: {why}")]
    Component {
        /// The component as it is written.
        component: String,
        /// Why not, and what to do.
        why: &'static str,
    },
    /// A file of moves cannot be used.
    #[error(transparent)]
    Moves(MovesFileError),
    /// A nim-value cannot be represented.
    #[error(transparent)]
    NimValue(#[from] NimValueError),
    /// A board cannot be represented.
    #[error(transparent)]
    Board(#[from] TooLong),
    /// The winning boards of a sowing graph cannot be counted.
    #[error("{graph}: {source}")]
    Boards {
        /// The graph.
        graph: String,
        /// Why not.
        source: CensusError,
    },
    /// In a disjunctive sum, some other component would have to be finished first.
    #[error(transparent)]
    NotFree(#[from] NotFree),
    /// A value cannot be described.
    #[error(transparent)]
    Arena(#[from] ArenaError),
    /// A row of a result whose position is not one of the job's game.
    #[error(
        "a row of the result is no position of the job's game: {source}; this program has not written it: delete the result \
         and run the job again"
    )]
    NotAPosition {
        /// Why not.
        source: AnyBoardError,
    },
    /// A row refutes the law that the spec states.
    #[error(transparent)]
    Refuted(Box<Refutation>),
    /// The disk is too small.
    #[error(
        "{job} takes about {needed} or more for {what}, and the disk of {} has {free} free; make room, or choose a folder on \
         another disk with --out and --store", folder.display()
    )]
    Disk {
        /// The job.
        job: String,
        /// What needs the space. Other needs on the same disk are included.
        what: &'static str,
        /// The folder to be written.
        folder: PathBuf,
        /// The least space needed, estimated.
        needed: ByteSize,
        /// The free space.
        free: ByteSize,
    },
    /// A stored key belongs to no position.
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
    /// The memory budget is too small.
    #[error(
        "{job} needs more than its memory budget of {budget}: {in_use} were in use or needed next after \
         {positions} positions, {forms} of it for canonical forms, which may take half of the budget; {remedy}"
    )]
    Memory {
        /// The job that was running.
        job: String,
        /// The budget.
        budget: ByteSize,
        /// The number of positions evaluated.
        positions: u64,
        /// The peak of memory in use.
        in_use: ByteSize,
        /// What the user can do about it.
        remedy: &'static str,
        /// The bytes of the canonical forms.
        forms: ByteSize,
    },
    /// The memory budget is too small for data that must stay in memory throughout.
    #[error(
        "{job} needs {needed} of memory, for {what} and for writing, more than its budget of {budget}; \
         run it again with a larger --memory, or request less"
    )]
    Budget {
        /// The job.
        job: String,
        /// The memory it needs.
        needed: ByteSize,
        /// What takes most of that memory, in words.
        what: &'static str,
        /// The budget.
        budget: ByteSize,
    },
    /// A heap is too large to be computed, and no period is known that gives its value.
    #[error(
        "{heap} has no value here: the heaps below {searched} prove no period, and without one values are computed \
         up to heap {most}; leave it out, or request a smaller one"
    )]
    NoPeriod {
        /// The heap, with its game.
        heap: String,
        /// The number of heaps whose values were searched for a period.
        searched: u64,
        /// The largest heap that is computed.
        most: u64,
    },
    /// The memory budget is too small to seal values.
    #[error(
        "{values} values cannot be stored: the forms that they need take {needed} more, and the memory budget leaves {room} \
         for them; run it again with a larger --memory"
    )]
    Sealing {
        /// The number of values not yet stored.
        values: u64,
        /// The bytes needed for the smallest group of them.
        needed: ByteSize,
        /// The memory left.
        room: ByteSize,
    },
    /// The array of a sweep cannot be allocated.
    #[error(
        "the values of {family} take {needed}, more than half of the memory budget of {budget}, \
         and no file could be made for them; give more with --memory, or request less; eval takes a folder for them with --store"
    )]
    Cells {
        /// The positions of the array.
        family: String,
        /// The bytes it takes.
        needed: ByteSize,
        /// The memory budget.
        budget: ByteSize,
        /// Why it cannot be allocated.
        #[source]
        source: std::io::Error,
    },
    /// The array of a sweep needs a file, but the folder of the store is missing.
    #[error(
        "the store {} is missing, and so there is no folder for the values of {family}: they take {needed}, more than \
         half of the memory budget of {budget}; make the folder, or give more with --memory",
        store.display()
    )]
    CellsWithoutStore {
        /// The store.
        store: PathBuf,
        /// The positions of the array.
        family: String,
        /// The bytes it takes.
        needed: ByteSize,
        /// The memory budget.
        budget: ByteSize,
    },
    /// The number of shards is out of range.
    #[error(transparent)]
    NoSuchShards(ShardError),
    /// Some shards to be merged are not finished.
    #[error(
        "{job} cannot be merged yet: shard{} {} not finished; {remedy}, or submit {} again, and then merge",
        if missing.len() == 1 { "" } else { "s" },
        listed(missing),
        if missing.len() == 1 { "it" } else { "each of them" }
    )]
    ShardsMissing {
        /// The job.
        job: String,
        /// The shards that are not finished.
        missing: Vec<String>,
        /// How to run the first of them.
        remedy: String,
    },
    /// There are no shards to merge.
    #[error(
        "{job} has no shards to be merged in {}; run each of N with \"seedbank run --shard i/N\" first, \
         with the same --out",
        folder.display()
    )]
    NoShards {
        /// The job.
        job: String,
        /// The folder where they would be.
        folder: PathBuf,
    },
    /// The shards on disk come from several ways to divide the job.
    #[error("{job} was divided into {numbers} shards; name the number to merge with --shards")]
    ManyShards {
        /// The job.
        job: String,
        /// The numbers of shards found.
        numbers: String,
    },
    /// A shard was computed by another version.
    #[error(
        "shard {shard} was computed by code version {found:?}, and this is {expected:?}; merge with that version, or remove {} \
         and run the shard again",
        folder.display()
    )]
    ShardVersion {
        /// The shard.
        shard: Shard,
        /// The version that computed it.
        found: String,
        /// The version of this program.
        expected: &'static str,
        /// The shard's folder.
        folder: PathBuf,
    },
    /// A shard cannot be merged.
    #[error("shard {shard} cannot be merged: {source}")]
    Shard {
        /// The shard.
        shard: Shard,
        /// What is wrong with it.
        source: DatasetError,
    },
    /// A thread cannot be started.
    #[error(
        "a thread cannot be started: {0}; raise the limit (\"ulimit -v\", \"ulimit -u\" or that of the container or batch job), \
         or request less with --memory and --threads"
    )]
    Thread(#[source] std::io::Error),
    /// The workers cannot be started.
    #[error("{threads} worker threads cannot be started; try fewer with --threads")]
    Threads {
        /// The number requested.
        threads: usize,
        /// Why they cannot be started.
        #[source]
        source: rayon::ThreadPoolBuildError,
    },
}

impl RunError {
    /// Returns the path that was refused, if choosing another folder may help.
    pub fn refusal(&self) -> Option<Refusal<'_>> {
        match self {
            RunError::Dataset(error) | RunError::Shard { source: error, .. } => error.refusal(),
            RunError::Store(error) => error.refusal(),
            RunError::FoldersNested { results, .. } => Some(Refusal {
                path: results,
                remedy: None,
            }),
            _ => None,
        }
    }

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

/// Formats names as a list for a sentence, followed by the verb.
fn listed(names: &[String]) -> String {
    match names {
        [] => "none is".to_owned(),
        [one] => format!("{one} is"),
        [others @ .., last] => format!("{} and {last} are", others.join(", ")),
    }
}

impl From<Refutation> for RunError {
    fn from(refutation: Refutation) -> RunError {
        RunError::Refuted(Box::new(refutation))
    }
}

impl From<MovesFileError> for RunError {
    fn from(error: MovesFileError) -> RunError {
        match error {
            MovesFileError::Stopped(reason) => reason.into(),
            error => RunError::Moves(error),
        }
    }
}

impl From<StopReason> for RunError {
    fn from(reason: StopReason) -> RunError {
        EngineError::Stopped(reason).into()
    }
}
