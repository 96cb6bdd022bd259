//! What a task sees of its run: which parts are left, where rows go, and when to stop.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::checkpoint::Checkpoint;
use super::plan::{is_pending, rows_of};
use super::{Run, RunError};
use crate::dataset::{PlainWriter, ResultSet, RowColumns, TableRow};
use crate::engine::{EngineError, StopReason};
use crate::value::lock;

/// The parts of a run that are left.
pub struct Parts<'a> {
    pub(crate) run: &'a Run<'a>,
    pub(crate) results: &'a ResultSet,
    pub(crate) checkpoint: &'a Checkpoint,
    /// The ranks of all parts.
    ranges: &'a [Range<u64>],
    /// Those that are left, ascending; at least one.
    pending: &'a [u32],
}

impl<'a> Parts<'a> {
    pub(super) fn new(
        run: &'a Run<'a>,
        results: &'a ResultSet,
        checkpoint: &'a Checkpoint,
        ranges: &'a [Range<u64>],
        pending: &'a [u32],
    ) -> Parts<'a> {
        Parts {
            run,
            results,
            checkpoint,
            ranges,
            pending,
        }
    }

    /// Returns the parts that are left, with their ranks.
    pub fn left(&self) -> impl Iterator<Item = (u32, Range<u64>)> {
        let ranks = |&part: &u32| (part, self.ranges[part as usize].clone());
        self.pending.iter().map(ranks)
    }

    /// Returns the number of rows of all parts that are left.
    pub fn rows_left(&self) -> u64 {
        self.left().map(|(_, ranks)| rows_of(&ranks)).sum()
    }

    /// Returns the parts that are left, until the run is to finish the work in hand.
    pub fn pending(&self) -> impl Iterator<Item = (u32, Range<u64>)> {
        self.left().take_while(|_| !self.draining())
    }

    /// Returns the ranks of a part, if there is one of this number.
    pub fn ranks(&self, part: u32) -> Option<Range<u64>> {
        self.ranges.get(part as usize).cloned()
    }

    /// Returns whether a part is left.
    pub fn is_left(&self, part: u32) -> bool {
        self.pending.binary_search(&part).is_ok()
    }

    /// Returns whether the row of this rank is left.
    pub(crate) fn is_pending(&self, rank: u64) -> bool {
        is_pending(self.ranges, self.pending, rank)
    }

    /// Begins the file of a part of a plain table.
    ///
    /// # Errors
    ///
    /// As [`ResultSet::plain_writer`].
    pub fn writer<R: TableRow>(&self, part: u32) -> Result<PlainWriter<R>, RunError> {
        let first = self.ranges[part as usize].start;
        Ok(self.results.plain_writer(part, first)?)
    }

    /// Appends a row to a part's file.
    ///
    /// # Errors
    ///
    /// Where it cannot be written.
    pub fn push<R: TableRow>(&self, writer: &mut PlainWriter<R>, row: &R) -> Result<(), RunError> {
        writer.push(row)?;
        self.run.count_rows(1);
        Ok(())
    }

    /// Appends `rows` rows that come as whole columns to a part's file; each counts as worked out.
    ///
    /// # Errors
    ///
    /// Where they cannot be written.
    pub fn push_columns<R: TableRow>(
        &self,
        writer: &mut PlainWriter<R>,
        rows: u64,
        columns: impl RowColumns<Row = R>,
    ) -> Result<(), RunError> {
        writer.push_columns(columns)?;
        self.run.count_rows(rows);
        self.count(rows);
        Ok(())
    }

    /// Makes the parts that are left, several at a time, each on one thread, in ascending order as far as that can be.
    ///
    /// # Errors
    ///
    /// The first error that `make` returned, but not the one of being abandoned where there is another; no part is begun
    /// after it.
    pub fn in_parallel(
        &self,
        make: impl Fn(u32, Range<u64>) -> Result<(), RunError> + Sync,
    ) -> Result<(), RunError> {
        self.run.pool.install(|| self.on_threads(usize::MAX, &make))
    }

    /// As [`Parts::in_parallel`], on at most `threads` of the threads of the pool that this is called on; the others help with
    /// parallel work within parts.
    ///
    /// # Errors
    ///
    /// As [`Parts::in_parallel`].
    pub fn on_threads(
        &self,
        threads: usize,
        make: impl Fn(u32, Range<u64>) -> Result<(), RunError> + Sync,
    ) -> Result<(), RunError> {
        let next = AtomicUsize::new(0);
        let failed: Mutex<Option<RunError>> = Mutex::new(None);
        rayon::broadcast(|worker| {
            while worker.index() < threads
                && !self.draining()
                && let Some(&part) = self.pending.get(next.fetch_add(1, Relaxed))
            {
                let Err(error) = make(part, self.ranges[part as usize].clone()) else {
                    continue;
                };
                // The others have no reason to go on, and the first reason to stop stays.
                self.run.control.stop(StopReason::Abandoned);
                let mut failed = lock(&failed);
                if failed.as_ref().is_none_or(is_abandoned) {
                    *failed = Some(error);
                }
                return;
            }
        });
        let failed = failed
            .into_inner()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        failed.map_or(Ok(()), Err)
    }

    /// Counts members that were worked out, whether they have a row here or not.
    pub fn count(&self, members: u64) {
        self.run.control.count_evaluated(members);
    }

    /// Returns whether the run is to finish the work in hand, and begin no other.
    pub fn draining(&self) -> bool {
        self.run.control.draining()
    }

    /// Returns an error where the run is to stop at once.
    ///
    /// # Errors
    ///
    /// [`EngineError::Stopped`].
    pub fn go_on(&self) -> Result<(), RunError> {
        self.run.go_on()
    }
}

fn is_abandoned(error: &RunError) -> bool {
    matches!(
        error,
        RunError::Engine(EngineError::Stopped(StopReason::Abandoned))
    )
}
