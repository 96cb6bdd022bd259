//! A task's view of its run: the parts left to make, the destination of rows, and when to stop.

use std::ops::Range;
use std::sync::Mutex;

use cgsolvers::{EngineError, StopReason};
use seedbank_memory::lock;

use super::checkpoint::Checkpoint;
use super::plan::{is_pending, rows_of};
use super::{Run, RunError};
use crate::dataset::{PlainWriter, ResultSet, RowColumns, TableRow};

/// The parts that a run has left to make.
pub struct Parts<'a> {
    pub(crate) run: &'a Run<'a>,
    pub(crate) results: &'a ResultSet,
    pub(crate) checkpoint: &'a Checkpoint,
    /// The ranks of all parts.
    ranges: &'a [Range<u64>],
    /// The parts left to make, ascending; at least one.
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
    /// error. No part is begun after an error. The other parts in progress are abandoned, except
    /// those before a row that refutes a law: these are finished, because the first such row
    /// counts.
    pub fn in_parallel(
        &self,
        make: impl Fn(u32, Range<u64>) -> Result<(), RunError> + Sync,
    ) -> Result<(), RunError> {
        self.run.pool.install(|| self.on_threads(usize::MAX, &make))
    }

    /// Like [`Parts::in_parallel`], but on at most `threads` threads of the current pool. The other
    /// threads help with parallel work within parts.
    ///
    /// # Errors
    ///
    /// As [`Parts::in_parallel`].
    pub fn on_threads(
        &self,
        threads: usize,
        make: impl Fn(u32, Range<u64>) -> Result<(), RunError> + Sync,
    ) -> Result<(), RunError> {
        let in_progress = Mutex::new(InProgress::default());
        // A closure, not the loop's condition, which would hold the lock for the whole body.
        let take = || lock(&in_progress).take(self.pending);
        rayon::broadcast(|worker| {
            while worker.index() < threads
                && !self.draining()
                && let Some(part) = take()
            {
                let made = make(part, self.ranges[part as usize].clone());
                if lock(&in_progress).end(part, made) {
                    // The other parts are now useless. An earlier reason to stop stays in force.
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
    /// after another, with a state that is `begin`'s at first.
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

/// The parts in progress, and why no other is begun.
#[derive(Default)]
struct InProgress {
    /// The number of pending parts that were begun.
    begun: usize,
    parts: Vec<u32>,
    /// The first part that failed.
    failed: Option<(u32, RunError)>,
}

impl InProgress {
    /// Takes the next part, unless one has failed.
    fn take(&mut self, pending: &[u32]) -> Option<u32> {
        let part = *pending.get(self.begun).filter(|_| self.failed.is_none())?;
        self.begun += 1;
        self.parts.push(part);
        Some(part)
    }

    /// Ends a part, and returns whether those still in progress are useless.
    fn end(&mut self, part: u32, made: Result<(), RunError>) -> bool {
        self.parts.retain(|&other| other != part);
        if let Err(error) = made {
            let counts = self.failed.as_ref().is_none_or(|(of, failed)| {
                is_abandoned(failed) || (part < *of && !is_abandoned(&error))
            });
            if counts {
                self.failed = Some((part, error));
            }
        }
        match &self.failed {
            None => false,
            Some((of, RunError::Refuted(_))) => self.parts.iter().all(|part| part > of),
            Some(_) => true,
        }
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
    use crate::run::Refutation;

    fn refuted() -> Result<(), RunError> {
        let refutation = Refutation {
            job: "switches".to_owned(),
            law: "{n|-m}".to_owned(),
            rank: 0,
            why: "is refuted".to_owned(),
        };
        Err(refutation.into())
    }

    fn stopped(reason: StopReason) -> Result<(), RunError> {
        Err(reason.into())
    }

    /// Returns the state after some of the parts 0, 2, 4 and 6 ended, three at a time in progress,
    /// and whether each end made the others useless.
    fn ended(ends: Vec<(u32, Result<(), RunError>)>) -> (InProgress, Vec<bool>) {
        let pending = [0, 2, 4, 6];
        let mut in_progress = InProgress::default();
        for part in [0, 2, 4] {
            assert_eq!(in_progress.take(&pending), Some(part));
        }
        let useless = ends.into_iter().map(|(part, made)| {
            let useless = in_progress.end(part, made);
            assert_eq!(
                in_progress.take(&pending).is_some(),
                in_progress.failed.is_none()
            );
            useless
        });
        let useless = useless.collect();
        (in_progress, useless)
    }

    #[test]
    fn parts_before_a_row_that_refutes_a_law_are_finished() {
        let (in_progress, useless) = ended(vec![(4, refuted()), (0, Ok(())), (2, Ok(()))]);
        assert_eq!(useless, [false, false, true]);
        assert!(matches!(
            in_progress.failed,
            Some((4, RunError::Refuted(_)))
        ));

        let abandoned = stopped(StopReason::Abandoned);
        let ends = vec![(2, refuted()), (0, refuted()), (4, abandoned)];
        let (in_progress, useless) = ended(ends);
        assert_eq!(useless, [false, true, true]);
        assert!(matches!(
            in_progress.failed,
            Some((0, RunError::Refuted(_)))
        ));

        // It is unknown whether the first part has such a row.
        let interrupted = stopped(StopReason::Interrupted);
        let (in_progress, _) = ended(vec![(2, refuted()), (0, interrupted)]);
        assert!(matches!(in_progress.failed, Some((0, RunError::Engine(_)))));
    }

    #[test]
    fn other_errors_make_the_parts_in_progress_useless() {
        let ends = vec![(2, stopped(StopReason::Abandoned)), (4, refuted())];
        let (in_progress, useless) = ended(ends);
        assert!(useless[0]);
        assert!(matches!(
            in_progress.failed,
            Some((4, RunError::Refuted(_)))
        ));
    }
}
