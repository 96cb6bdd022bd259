//! What can go wrong with a run.

use std::path::{Path, PathBuf};

use bytesize::ByteSize;
use thiserror::Error;

use super::Refutation;
use super::shares::{Share, ShareError};
use crate::board::{Key, PositionError};
use crate::dataset::DatasetError;
use crate::durable::is_of_the_folder;
use crate::engine::nim_values::NimValueError;
use crate::engine::sums::NotFree;
use crate::engine::tchoukaillon::boards::TooLong;
use crate::engine::{EngineError, StopReason};
use crate::store::{FormError, Namespace, StoreError};
use crate::value::ArenaError;

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
    /// A component of a sum cannot be added.
    #[error("{component} cannot be a component of a sum here: {why}")]
    Component {
        /// The component as it is written.
        component: String,
        /// Why not, and what to do.
        why: &'static str,
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
    /// A row refutes the law that the spec states.
    #[error(transparent)]
    Refuted(Box<Refutation>),
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
    /// A thread cannot be started.
    #[error("a thread cannot be started: {0}")]
    Thread(#[source] std::io::Error),
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
    /// Returns the refused path if the fault is its folder's, so that another folder may work.
    pub fn refused_path(&self) -> Option<&Path> {
        match self {
            RunError::Dataset(error) | RunError::Shard { source: error, .. } => {
                error.refused_path()
            }
            RunError::Store(error) => error.refused_path(),
            RunError::Folder { folder, source, .. } => is_of_the_folder(source).then_some(folder),
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

/// Returns some names as a sentence lists them, with the verb.
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

impl From<StopReason> for RunError {
    fn from(reason: StopReason) -> RunError {
        EngineError::Stopped(reason).into()
    }
}
