//! What a maker sees of a run: which rows are wanted, where they go, and when to stop.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::dataset::{KeptFor, PieceFolder, PlainWriter, ResultSet, RowColumns, TableRow};
use crate::engine::{Control, EngineError};
use crate::game::SumKind;
use crate::run::RunError;
use crate::run::keeping::Keeping;
use crate::run::monitor::Watch;
use crate::run::plan::is_pending;
use crate::value::lock;

/// The shards of a run that are left.
pub(in crate::run) struct Shards<'a> {
    pub(super) results: &'a ResultSet,
    /// The ranks of all shards.
    pub(super) ranges: &'a [Range<u64>],
    /// Those that are left, ascending; at least one.
    pub(super) pending: &'a [u32],
    pub(super) watched: &'a Watch,
    pub(super) control: &'a Control,
    /// How often what cannot be written as rows yet is to be kept.
    pub(in crate::run) checkpoint: Duration,
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

    /// Returns the values in the rows of a shard of heaps, by number: nim-values, or the two digits of obligated values read as
    /// one in base 2; `None` where it is still to be written, is none, or has a row without one.
    pub(in crate::run) fn heap_values(
        &self,
        shard: u32,
        sum: SumKind,
    ) -> Result<Option<Vec<u16>>, RunError> {
        let Some(ranks) = self.ranges.get(shard as usize) else {
            return Ok(None);
        };
        if self.pending.contains(&shard) {
            return Ok(None);
        }
        let values = match sum {
            SumKind::Disjunctive => self.results.read_nim_values(shard)?,
            SumKind::Obligated => self.results.read_obligated_values(shard)?,
        };
        Ok(values.filter(|values| values.len() as u64 == ranks.end - ranks.start))
    }

    /// Returns whether the row of this rank is left.
    pub(super) fn is_pending(&self, rank: u64) -> bool {
        is_pending(self.ranges, self.pending, rank)
    }

    /// Hands on what earlier runs have kept, in the order of keeping.
    pub(in crate::run) fn kept<T: DeserializeOwned>(
        &self,
        each: impl FnMut(T),
    ) -> Result<(), RunError> {
        Ok(self.results.kept(each)?)
    }

    /// Begins to keep what is found, for the run that goes on if this one is cut short.
    pub(in crate::run) fn keeping<T: Serialize + Send>(&self, weight_max: usize) -> Keeping<'_, T> {
        Keeping::new(self.results, self.checkpoint, weight_max)
    }

    /// Opens the folder for what is kept in bytes; says which job that is for.
    pub(in crate::run) fn kept_pieces(&self) -> Result<(PieceFolder, KeptFor), RunError> {
        Ok((self.results.kept_pieces()?, self.results.kept_for()))
    }

    /// Begins the file of a shard.
    pub(in crate::run) fn writer<R: TableRow>(
        &self,
        shard: u32,
    ) -> Result<PlainWriter<R>, RunError> {
        let first = self.ranges[shard as usize].start;
        Ok(self.results.plain_writer(shard, first)?)
    }

    /// Appends a row to a shard's file.
    pub(in crate::run) fn push<R: TableRow>(
        &self,
        writer: &mut PlainWriter<R>,
        row: &R,
    ) -> Result<(), RunError> {
        writer.push(row)?;
        self.watched.rows.fetch_add(1, Relaxed);
        Ok(())
    }

    /// Appends rows that come as whole columns, so many of them, to a shard's file; each counts as worked out.
    pub(in crate::run) fn push_columns<R: TableRow>(
        &self,
        writer: &mut PlainWriter<R>,
        rows: u64,
        columns: impl RowColumns<Row = R>,
    ) -> Result<(), RunError> {
        writer.push_columns(columns)?;
        self.watched.rows.fetch_add(rows, Relaxed);
        self.count(rows);
        Ok(())
    }

    /// Makes the shards that are left, several at a time, each on one thread, in ascending order as far as that can be.
    ///
    /// # Errors
    ///
    /// The first error that `make` returned; no shard is begun after it.
    pub(in crate::run) fn in_parallel(
        &self,
        make: impl Fn(u32, Range<u64>) -> Result<(), RunError> + Sync,
    ) -> Result<(), RunError> {
        let next = AtomicUsize::new(0);
        let failed: Mutex<Option<RunError>> = Mutex::new(None);
        self.pool.broadcast(|_| {
            while let Some(&shard) = self.pending.get(next.fetch_add(1, Relaxed))
                && !self.draining()
            {
                if let Err(error) = make(shard, self.ranges[shard as usize].clone()) {
                    lock(&failed).get_or_insert(error);
                    next.store(self.pending.len(), Relaxed);
                }
            }
        });
        let failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
        failed.map_or(Ok(()), Err)
    }

    /// Counts members that were worked out, whether they have a row here or not.
    pub(in crate::run) fn count(&self, members: u64) {
        self.control.count_evaluated(members);
    }

    /// Returns whether the run is to finish what is in hand, and begin nothing else.
    pub(in crate::run) fn draining(&self) -> bool {
        self.control.draining()
    }

    /// Returns an error where the run is to stop at once.
    pub(in crate::run) fn go_on(&self) -> Result<(), RunError> {
        match self.control.stopped() {
            Some(reason) => Err(EngineError::Stopped(reason).into()),
            None => Ok(()),
        }
    }
}
