//! What a maker sees of a run: which rows are wanted, where they go, and when to stop.

use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;

use crate::dataset::{PlainRow, PlainWriter, ResultSet};
use crate::engine::{Control, EngineError};
use crate::run::RunError;
use crate::run::monitor::Watch;

/// The shards of a run that are left.
pub(in crate::run) struct Shards<'a> {
    pub(super) results: &'a ResultSet,
    /// The ranks of all shards.
    pub(super) ranges: &'a [Range<u64>],
    /// Those that are left, ascending; at least one.
    pub(super) pending: &'a [u32],
    pub(super) watched: &'a Watch,
    pub(super) control: &'a Control,
    /// For makers whose rows do not depend on one another.
    pub(in crate::run) pool: &'a rayon::ThreadPool,
}

impl Shards<'_> {
    /// Returns the shards that are left, with their ranks, until the run is to finish what is in hand.
    pub(in crate::run) fn pending(&self) -> impl Iterator<Item = (u32, Range<u64>)> {
        self.pending
            .iter()
            .take_while(|_| !self.draining())
            .map(|&shard| (shard, self.ranges[shard as usize].clone()))
    }

    /// Begins the file of a shard.
    pub(in crate::run) fn writer<R: PlainRow>(
        &self,
        shard: u32,
    ) -> Result<PlainWriter<R>, RunError> {
        let first = self.ranges[shard as usize].start;
        Ok(self.results.plain_writer(shard, first)?)
    }

    /// Appends a row to a shard's file.
    pub(in crate::run) fn push<R: PlainRow>(
        &self,
        writer: &mut PlainWriter<R>,
        row: &R,
    ) -> Result<(), RunError> {
        writer.push(row)?;
        self.watched.rows.fetch_add(1, Relaxed);
        Ok(())
    }

    /// Counts members that were worked out, whether they have a row here or not.
    pub(in crate::run) fn count(&self, members: u64) {
        self.control.count_evaluated(members);
    }

    /// Returns whether the run is to finish what is in hand, and begin nothing else.
    pub(in crate::run) fn draining(&self) -> bool {
        self.watched.draining.load(Relaxed)
    }

    /// Returns an error where the run is to stop at once.
    pub(in crate::run) fn go_on(&self) -> Result<(), RunError> {
        match self.control.stopped() {
            Some(reason) => Err(EngineError::Stopped(reason).into()),
            None => Ok(()),
        }
    }
}
