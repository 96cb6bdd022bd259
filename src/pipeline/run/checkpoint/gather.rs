//! Items gathered from all threads and written at each checkpoint.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use cgsolvers::{EngineError, StopReason};
use seedbank_memory::{lock, spawn_in};
use serde::Serialize;

use super::Folder;
use crate::dataset::DatasetError;
use crate::run::RunError;

/// The kind of files that hold items, in the order in which they were found.
pub(crate) const ITEMS: &str = "items";

/// Gathers items of one kind, and writes them at each checkpoint.
pub(crate) struct Gather<T> {
    interval: Duration,
    /// The weight at which items are written early, before the next checkpoint.
    weight_max: usize,
    new: Mutex<New<T>>,
    failed: AtomicBool,
}

/// Items not yet written.
struct New<T> {
    folder: Folder,
    /// The number of the next file.
    next: usize,
    items: Vec<T>,
    weight: usize,
    /// When items were last written.
    since: Instant,
    /// Why writing failed.
    error: Option<RunError>,
}

/// The least time between two checks for items to write.
const TICK_MIN: Duration = Duration::from_millis(20);

impl<T: Serialize + Send> Gather<T> {
    pub(super) fn new(
        folder: Folder,
        interval: Duration,
        weight_max: usize,
    ) -> Result<Gather<T>, DatasetError> {
        let new = New {
            next: folder.numbers(ITEMS)?.last().map_or(0, |last| last + 1),
            folder,
            items: Vec::new(),
            weight: 0,
            since: Instant::now(),
            error: None,
        };
        Ok(Gather {
            interval,
            weight_max,
            new: Mutex::new(new),
            failed: AtomicBool::new(false),
        })
    }

    /// Runs the work that finds items, and writes them at each checkpoint and after a failure of
    /// the work.
    ///
    /// # Errors
    ///
    /// If items could not be written; otherwise the error of the work.
    pub(crate) fn during<W>(
        &self,
        work: impl FnOnce() -> Result<W, RunError>,
    ) -> Result<W, RunError> {
        let (working, ends) = mpsc::channel::<()>();
        let interval = self.interval.max(TICK_MIN);
        let done = thread::scope(|scope| {
            spawn_in(scope, move || {
                while ends.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
                    self.write();
                }
            });
            let done = work();
            drop(working);
            done
        });
        if done.is_err() {
            self.write();
        }
        match lock(&self.new).error.take() {
            Some(error) => Err(error),
            None => done,
        }
    }

    /// Adds an item. The caller chooses the unit of `weight`.
    pub(crate) fn add(&self, item: T, weight: usize) {
        let mut new = lock(&self.new);
        new.items.push(item);
        new.weight += weight;
        if new.weight >= self.weight_max || self.is_due(new.since) {
            self.write_items(&mut new);
        }
    }

    /// Writes the gathered items.
    pub(crate) fn write(&self) {
        self.write_items(&mut lock(&self.new));
    }

    /// Returns whether a checkpoint is due, given when the last one was written.
    pub(crate) fn is_due(&self, since: Instant) -> bool {
        since.elapsed() >= self.interval
    }

    /// Returns an error if the work must end because items cannot be written.
    ///
    /// # Errors
    ///
    /// [`EngineError::Stopped`]; [`Gather::during`] returns the reason.
    pub(crate) fn check_stop(&self) -> Result<(), RunError> {
        if self.failed.load(Relaxed) {
            Err(EngineError::Stopped(StopReason::Interrupted).into())
        } else {
            Ok(())
        }
    }

    fn write_items(&self, new: &mut New<T>) {
        let items = std::mem::take(&mut new.items);
        new.weight = 0;
        new.since = Instant::now();
        if items.is_empty() || new.error.is_some() {
            return;
        }
        let writer = new.folder.writer(ITEMS, new.next, &items);
        match writer.and_then(|writer| writer.publish()) {
            Ok(()) => new.next += 1,
            Err(error) => {
                new.error = Some(error.into());
                self.failed.store(true, Relaxed);
            }
        }
    }
}
