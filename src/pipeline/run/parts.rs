//! A task's view of its run: the parts left to make, the destination of rows, and when to stop.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Mutex;

use cgsolvers::{EngineError, StopReason};
use seedbank_memory::lock;

use super::checkpoint::Checkpoint;
use super::plan::{is_pending, rows_of};
use super::stage::Phase;
use super::{Run, RunError};
use crate::dataset::{
    PartWriter, PlainWriter, PositionTable, ResultSet, RowColumns, RowLimit, TableRow,
};

/// The parts that a run has left to make.
pub struct Parts<'a> {
    pub(crate) run: &'a Run<'a>,
    pub(crate) results: &'a ResultSet,
    pub(crate) checkpoint: &'a Checkpoint,
    /// The ranks of all parts.
    ranges: Cow<'a, [Range<u64>]>,
    /// The parts left to make, ascending; at least one.
    pending: Cow<'a, [u32]>,
    /// What the ranks of the job exceed those of the ranges by.
    first_rank: u64,
    /// The rows of the job that are made before those of these parts, and all that are made, if there
    /// are others.
    of_others: Option<(u64, u64)>,
    /// The most to spend on the value of a row.
    pub(crate) row_limit: Option<RowLimit>,
}

impl<'a> Parts<'a> {
    pub(super) fn new(
        run: &'a Run<'a>,
        results: &'a ResultSet,
        checkpoint: &'a Checkpoint,
        ranges: &'a [Range<u64>],
        pending: &'a [u32],
        row_limit: Option<RowLimit>,
    ) -> Parts<'a> {
        Parts {
            run,
            results,
            checkpoint,
            ranges: ranges.into(),
            pending: pending.into(),
            first_rank: 0,
            of_others: None,
            row_limit,
        }
    }

    /// Returns those of the parts that lie within some ranks of the job, whose ranks then count from
    /// the first of these; `None` if there are none. Parts are made in ascending order of the ranks
    /// that are passed.
    pub(crate) fn within(&self, ranks: &Range<u64>) -> Option<Parts<'a>> {
        let range = |part: u32| &self.ranges[part as usize];
        let before = self
            .pending
            .partition_point(|&part| range(part).start < ranks.start);
        let end = self
            .pending
            .partition_point(|&part| range(part).start < ranks.end);
        let rows = |parts: &[u32]| parts.iter().map(|&part| rows_of(range(part))).sum();
        let shifted = |at: u64| at.saturating_sub(ranks.start);
        let ranges = self.ranges.iter();
        (before < end).then(|| Parts {
            ranges: (ranges.map(|part| shifted(part.start)..shifted(part.end))).collect(),
            pending: self.pending[before..end].to_vec().into(),
            first_rank: self.first_rank + ranks.start,
            of_others: Some((rows(&self.pending[..before]), self.rows_left())),
            ..*self
        })
    }

    /// Begins a phase in which rows are made.
    pub(crate) fn begin(&self, phase: Phase) {
        let session = &self.run.session;
        let (before, all) = self.of_others.unwrap_or((0, self.rows_left()));
        let evaluated = session.control.evaluated();
        session.tracker.begin(phase, "row", Some(all), evaluated);
        session.tracker.add(before, 0);
    }

    /// Returns whether other parts are made in the same run, whose costs are not known here.
    pub(crate) fn has_others(&self) -> bool {
        self.of_others.is_some()
    }

    /// Returns the rank of the job of a rank of these parts.
    pub(crate) fn rank_of_job(&self, rank: u64) -> u64 {
        self.first_rank + rank
    }

    /// Returns the rank of these parts of a rank of the job, unless it comes before all of them.
    pub(crate) fn own_rank(&self, rank_of_job: u64) -> Option<u64> {
        rank_of_job.checked_sub(self.first_rank)
    }

    /// Begins the files of a part of a table of positions.
    ///
    /// # Errors
    ///
    /// As [`ResultSet::part_writer`].
    pub(crate) fn part_writer<R: PositionTable>(
        &self,
        part: u32,
    ) -> Result<PartWriter<R>, RunError> {
        let first = self.rank_of_job(self.ranges[part as usize].start);
        Ok(self.results.part_writer(part, first)?)
    }

    /// Returns the parts left to make, with their ranks.
    pub fn left(&self) -> impl Iterator<Item = (u32, Range<u64>)> {
        let ranks = |&part: &u32| (part, self.ranges[part as usize].clone());
        self.pending.iter().map(ranks)
    }

    /// Returns the number of rows in all parts left to make.
    pub fn rows_left(&self) -> u64 {
        self.left().map(|(_, ranks)| rows_of(&ranks)).sum()
    }

    /// Returns the parts left to make; the iterator ends early when the run is about to stop.
    pub fn pending(&self) -> impl Iterator<Item = (u32, Range<u64>)> {
        self.left().take_while(|_| !self.draining())
    }

    /// Returns the ranks of a part, if it exists.
    pub fn ranks(&self, part: u32) -> Option<Range<u64>> {
        self.ranges.get(part as usize).cloned()
    }

    /// Returns whether a part is left to make.
    pub fn is_left(&self, part: u32) -> bool {
        self.pending.binary_search(&part).is_ok()
    }

    /// Returns whether the row of this rank is left to make.
    pub(crate) fn is_pending(&self, rank: u64) -> bool {
        is_pending(&self.ranges, &self.pending, rank)
    }

    /// Begins the file of a part of a plain table.
    ///
    /// # Errors
    ///
    /// As [`ResultSet::plain_writer`].
    pub fn writer<R: TableRow>(&self, part: u32) -> Result<PlainWriter<R>, RunError> {
        let first = self.rank_of_job(self.ranges[part as usize].start);
        Ok(self.results.plain_writer(part, first)?)
    }

    /// Appends a row to a part's file.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn push<R: TableRow>(&self, writer: &mut PlainWriter<R>, row: &R) -> Result<(), RunError> {
        writer.push(row)?;
        self.run.session.count_rows(1);
        Ok(())
    }

    /// Appends `rows` rows, given as whole columns, to a part's file. Each row counts as evaluated.
    ///
    /// # Errors
    ///
    /// If they cannot be written.
    pub fn push_columns<R: TableRow>(
        &self,
        writer: &mut PlainWriter<R>,
        rows: u64,
        columns: impl RowColumns<Row = R>,
    ) -> Result<(), RunError> {
        writer.push_columns(columns)?;
        self.run.session.count_rows(rows);
        self.count(rows);
        Ok(())
    }

    /// Makes the parts that are left, several at a time, each on one thread, in ascending order as
    /// far as possible.
    ///
    /// # Errors
    ///
    /// The error of the first part that failed, unless it was only abandoned and another has an
    /// error. No part is begun after an error, and the other parts in progress are abandoned.
    pub fn in_parallel(
        &self,
        make: impl Fn(u32, Range<u64>) -> Result<(), RunError> + Sync,
    ) -> Result<(), RunError> {
        self.run
            .pool
            .install(|| self.on_threads(usize::MAX, &self.pending, &make))
    }

    /// Like [`Parts::in_parallel`], but makes some parts, given in ascending order, and on at most
    /// `threads` threads of the current pool. The other threads help with parallel work within parts.
    ///
    /// # Errors
    ///
    /// As [`Parts::in_parallel`].
    pub fn on_threads(
        &self,
        threads: usize,
        pending: &[u32],
        make: impl Fn(u32, Range<u64>) -> Result<(), RunError> + Sync,
    ) -> Result<(), RunError> {
        let in_progress = Mutex::new(InProgress::default());
        // A closure, not the loop's condition, which would hold the lock for the whole body.
        let take = || lock(&in_progress).take(pending);
        rayon::broadcast(|worker| {
            while worker.index() < threads
                && !self.draining()
                && let Some(part) = take()
            {
                let made = make(part, self.ranges[part as usize].clone());
                if lock(&in_progress).end(part, made) {
                    // An earlier reason to stop stays in force.
                    self.run.session.control.stop(StopReason::Abandoned);
                }
            }
        });
        let in_progress = in_progress
            .into_inner()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        in_progress.failed.map_or(Ok(()), |(_, error)| Err(error))
    }

    /// Makes the rows of the parts that are left, each from its rank. The rows of a part are made one
    /// after another, with a state that is `begin`'s at first. A part may begin at any rank, since
    /// shards have parts of their own.
    ///
    /// # Errors
    ///
    /// As [`Parts::in_parallel`].
    pub fn make_rows<R: TableRow, S>(
        &self,
        begin: impl Fn() -> S + Sync,
        row: impl Fn(&mut S, u64) -> Result<R, RunError> + Sync,
    ) -> Result<(), RunError> {
        self.in_parallel(|part, ranks| {
            let (mut writer, mut state) = (self.writer::<R>(part)?, begin());
            for rank in ranks {
                self.push(&mut writer, &row(&mut state, rank)?)?;
            }
            writer.commit()?;
            Ok(())
        })
    }

    /// Counts evaluated members, whether or not they have a row here.
    pub fn count(&self, members: u64) {
        self.run.session.control.count_evaluated(members);
    }

    /// Counts a finished row and its cost.
    pub(crate) fn count_row(&self, cost: u64) {
        self.count(1);
        self.run.session.tracker.add(1, cost);
    }

    /// Returns whether the run is to finish its current work and begin no other.
    pub fn draining(&self) -> bool {
        self.run.session.control.draining()
    }

    /// Returns an error if the run must stop at once.
    ///
    /// # Errors
    ///
    /// [`EngineError::Stopped`].
    pub fn check_stop(&self) -> Result<(), RunError> {
        self.run.session.check_stop()
    }
}

/// The parts begun, and why no other is begun.
#[derive(Default)]
struct InProgress {
    /// The number of pending parts that were begun.
    begun: usize,
    /// The first part that failed.
    failed: Option<(u32, RunError)>,
}

impl InProgress {
    /// Takes the next part, unless one has failed.
    fn take(&mut self, pending: &[u32]) -> Option<u32> {
        let part = *pending.get(self.begun).filter(|_| self.failed.is_none())?;
        self.begun += 1;
        Some(part)
    }

    /// Ends a part, and returns whether one has failed, so that those still in progress are useless.
    fn end(&mut self, part: u32, made: Result<(), RunError>) -> bool {
        if let Err(error) = made {
            let counts = self.failed.as_ref().is_none_or(|(of, failed)| {
                is_abandoned(failed) || (part < *of && !is_abandoned(&error))
            });
            if counts {
                self.failed = Some((part, error));
            }
        }
        self.failed.is_some()
    }
}

fn is_abandoned(error: &RunError) -> bool {
    matches!(
        error,
        RunError::Engine(EngineError::Stopped(StopReason::Abandoned))
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stopped(reason: StopReason) -> Result<(), RunError> {
        Err(reason.into())
    }

    #[test]
    fn after_an_error_no_part_is_begun_and_those_in_progress_are_useless() {
        let pending = [0, 2, 4, 6];
        let mut in_progress = InProgress::default();
        for part in [0, 2, 4] {
            assert_eq!(in_progress.take(&pending), Some(part));
        }
        assert!(!in_progress.end(0, Ok(())));
        assert!(in_progress.end(4, stopped(StopReason::Interrupted)));
        assert_eq!(in_progress.take(&pending), None);
        // The error of a part that was only abandoned does not hide the other.
        assert!(in_progress.end(2, stopped(StopReason::Abandoned)));
        let (part, error) = in_progress.failed.expect("a part failed");
        assert!(part == 4 && !is_abandoned(&error));
    }
}
