//! What was found and cannot be written as rows yet, kept with every checkpoint.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::RunError;
use crate::dataset::ResultSet;
use crate::engine::{EngineError, StopReason};
use crate::value::lock;

/// Gathers what is found on all threads, and keeps it when that is due.
pub(super) struct Keeping<'s, T> {
    results: &'s ResultSet,
    checkpoint: Duration,
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
    pub(super) fn new(
        results: &'s ResultSet,
        checkpoint: Duration,
        weight_max: usize,
    ) -> Keeping<'s, T> {
        let new = New {
            found: Vec::new(),
            weight: 0,
            since: Instant::now(),
            error: None,
        };
        Keeping {
            results,
            checkpoint,
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
    pub(super) fn during<W>(
        &self,
        work: impl FnOnce() -> Result<W, RunError>,
    ) -> Result<W, RunError> {
        let (working, ends) = mpsc::channel::<()>();
        let interval = self.checkpoint.max(TICK_MIN);
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
    pub(super) fn add(&self, found: T, weight: usize) {
        let mut new = lock(&self.new);
        new.found.push(found);
        new.weight += weight;
        if new.weight >= self.weight_max || self.is_due(new.since) {
            self.keep(&mut new);
        }
    }

    /// Keeps what waits.
    pub(super) fn checkpoint(&self) {
        self.keep(&mut lock(&self.new));
    }

    /// Returns whether a checkpoint is due where the last one was at this time.
    pub(super) fn is_due(&self, since: Instant) -> bool {
        since.elapsed() >= self.checkpoint
    }

    /// Returns an error where the work is to end because nothing can be kept.
    pub(super) fn go_on(&self) -> Result<(), RunError> {
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
        if let Err(error) = self.results.keep(&found) {
            new.error = Some(error.into());
            self.failed.store(true, Relaxed);
        }
    }
}
