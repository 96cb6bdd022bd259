//! What was found and cannot be written as rows yet, kept with every checkpoint.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Shards;
use crate::dataset::PlainRow;
use crate::engine::{EngineError, StopReason};
use crate::run::RunError;
use crate::value::lock;

/// Gathers what is found on all threads, and keeps it when that is due.
pub(in crate::run) struct Keeping<'s, T> {
    shards: &'s Shards<'s>,
    /// What is gathered is kept before it is due where it has come to this weight.
    weight_max: usize,
    new: Mutex<New<T>>,
    failed: AtomicBool,
}

/// What has not been kept yet.
struct New<T> {
    found: Vec<T>,
    weight: usize,
    /// When something was last kept.
    since: Instant,
    /// Why nothing can be kept.
    error: Option<RunError>,
}

/// How often it is looked whether something waits to be kept, at most.
const TICK_MIN: Duration = Duration::from_millis(20);

impl<'s, T: Serialize + Send> Keeping<'s, T> {
    /// Begins to gather.
    pub(in crate::run) fn new(shards: &'s Shards<'s>, weight_max: usize) -> Keeping<'s, T> {
        let new = New {
            found: Vec::new(),
            weight: 0,
            since: Instant::now(),
            error: None,
        };
        Keeping {
            shards,
            weight_max,
            new: Mutex::new(new),
            failed: AtomicBool::new(false),
        }
    }

    /// Does the work that finds things, and keeps what waits whenever a checkpoint is due.
    ///
    /// # Errors
    ///
    /// Where something could not be kept, or else the work's; where it fails, what waits is kept in the end.
    pub(in crate::run) fn during<W>(
        &self,
        work: impl FnOnce() -> Result<W, RunError>,
    ) -> Result<W, RunError> {
        let (working, ends) = mpsc::channel::<()>();
        let interval = self.shards.checkpoint.max(TICK_MIN);
        let done = thread::scope(|scope| {
            scope.spawn(move || {
                while ends.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
                    self.checkpoint();
                }
            });
            let done = work();
            drop(working);
            done
        });
        if done.is_err() {
            self.checkpoint();
        }
        match lock(&self.new).error.take() {
            Some(error) => Err(error),
            None => done,
        }
    }

    /// Takes what was found, whose weight is in units of the caller.
    pub(in crate::run) fn add(&self, found: T, weight: usize) {
        let mut new = lock(&self.new);
        new.found.push(found);
        new.weight += weight;
        if new.weight >= self.weight_max || self.is_due(new.since) {
            self.keep(&mut new);
        }
    }

    /// Keeps what waits.
    pub(in crate::run) fn checkpoint(&self) {
        self.keep(&mut lock(&self.new));
    }

    /// Returns whether a checkpoint is due where the last one was at this time.
    pub(in crate::run) fn is_due(&self, since: Instant) -> bool {
        since.elapsed() >= self.shards.checkpoint
    }

    /// Returns an error where the work is to end: because the run is to stop at once, or because nothing can be kept.
    pub(in crate::run) fn go_on(&self) -> Result<(), RunError> {
        self.shards.go_on()?;
        match self.failed.load(Relaxed) {
            // The reason is told in the end.
            true => Err(EngineError::Stopped(StopReason::Interrupted).into()),
            false => Ok(()),
        }
    }

    fn keep(&self, new: &mut New<T>) {
        let found = std::mem::take(&mut new.found);
        new.weight = 0;
        new.since = Instant::now();
        if found.is_empty() || new.error.is_some() {
            return;
        }
        if let Err(error) = self.shards.keep(&found) {
            new.error = Some(error);
            self.failed.store(true, Relaxed);
        }
    }
}

/// The rows that are kept together at most.
const ROWS_TOGETHER: usize = 1 << 12;

/// Finished rows of shards that are not, by rank.
pub(in crate::run) struct KeptRows<'s, R> {
    shards: &'s Shards<'s>,
    known: Mutex<HashMap<u64, R>>,
    new: Keeping<'s, (u64, R)>,
}

impl<'s, R: PlainRow + Clone + Serialize + DeserializeOwned> KeptRows<'s, R> {
    /// Reads what earlier runs have kept.
    pub(in crate::run) fn new(shards: &'s Shards<'s>) -> Result<KeptRows<'s, R>, RunError> {
        let mut known = HashMap::new();
        shards.kept(|rows: Vec<(u64, R)>| known.extend(rows))?;
        known.retain(|&rank, _| shards.is_pending(rank));
        if !known.is_empty() {
            tracing::info!("going on from {} rows of unfinished shards", known.len());
        }
        Ok(KeptRows {
            shards,
            known: Mutex::new(known),
            new: Keeping::new(shards, ROWS_TOGETHER),
        })
    }

    /// Returns the row of a rank: the one that was kept, or else the one that `make` makes.
    ///
    /// # Errors
    ///
    /// Where `make` fails, or the run is to stop: then what was made is of no use.
    pub(in crate::run) fn row(
        &self,
        rank: u64,
        make: impl FnOnce() -> Result<R, RunError>,
    ) -> Result<R, RunError> {
        let known = lock(&self.known).remove(&rank);
        if let Some(row) = known {
            return Ok(row);
        }
        self.new.go_on()?;
        let row = make()?;
        self.shards.go_on()?;
        self.shards.count(1);
        self.new.add((rank, row.clone()), 1);
        Ok(row)
    }

    /// Keeps the rows that wait.
    ///
    /// # Errors
    ///
    /// Where the work is to end, perhaps because they cannot be kept.
    pub(in crate::run) fn checkpoint(&self) -> Result<(), RunError> {
        self.new.checkpoint();
        self.new.go_on()
    }

    /// Makes rows, and keeps what there is of them whenever a checkpoint is due.
    ///
    /// # Errors
    ///
    /// As [`Keeping::during`].
    pub(in crate::run) fn during(
        &self,
        make: impl FnOnce() -> Result<(), RunError>,
    ) -> Result<(), RunError> {
        self.new.during(make)
    }
}
