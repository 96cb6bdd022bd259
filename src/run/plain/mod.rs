//! Jobs whose result is one plain table: a [`Maker`] makes the rows, and everything else is the same for all.
//!
//! A run takes the shards that have no record yet, in order. A monitor beside it watches the signals, the time limit
//! and the memory budget, and reports progress; [`Shards`] tells the maker which rows are wanted and when to
//! stop, and takes them. A shard counts from its record on; what a run has found of the shard in hand is [kept](super::keeping) with
//! every checkpoint where that takes long.

mod kept_rows;
mod monitor;
mod shards;

use std::sync::atomic::Ordering::Relaxed;
use std::thread;

use bytesize::ByteSize;

pub(super) use self::kept_rows::KeptRows;
use self::monitor::{Costs, watch};
pub(super) use self::shards::Shards;
use super::memory::{keep_freed, memory_in_use};
use super::monitor::Watch;
use super::stage::Phase;
use super::supervise::Context;
use super::{Outcome, RunError, Summary, plan, rows_of_finished};
use crate::dataset::{ResultSet, TableRow, writer_bytes};
use crate::engine::{Control, EngineError, StopReason};

/// What makes the rows of a plain table.
pub(super) trait Maker: Sync {
    /// A row.
    type Row: TableRow;

    /// The phase of a run that makes rows.
    const PHASE: Phase;

    /// Returns the bytes that making rows up to before this rank takes at most, writing them not counted, and in words
    /// what takes them.
    fn bytes_needed(&self, end: u64) -> (u64, &'static str);

    /// Makes the rows that are wanted, until told to stop.
    ///
    /// # Errors
    ///
    /// What stopped it, or what went wrong.
    fn make(&self, shards: &Shards<'_>) -> Result<(), RunError>;
}

/// Returns the bytes that several threads take, each with so many of its own and a writer; one writer is left out, which
/// a run counts anyway.
pub(super) fn bytes_of_threads(threads: u64, each: u64) -> u64 {
    let writers = (threads - 1) * writer_bytes(u64::MAX);
    threads.saturating_mul(each).saturating_add(writers)
}

/// Runs a job, or what is left of it.
pub(super) fn run<M: Maker>(
    context: Context<'_>,
    maker: &M,
    pool: &rayon::ThreadPool,
) -> Result<Outcome, RunError> {
    keep_freed();
    let job = context.job;
    let place = context.place;
    let assignment = place.assignment(job)?;
    let ranges = &assignment.ranges[..];
    let results = ResultSet::open_or_create(&place.dir, &assignment.header)?;
    let pending = assignment.left(results.finished()?);
    let Some(last) = pending.last() else {
        let rows = rows_of_finished(place, &results, &assignment)?;
        return Ok(Outcome::AlreadyDone { rows });
    };
    let end = ranges[*last as usize].end;
    let rows_pending: u64 = pending
        .iter()
        .map(|&shard| plan::rows_of(&ranges[shard as usize]))
        .sum();
    let rows_max = ranges.iter().map(plan::rows_of).max().unwrap_or(0);
    let (bytes, what) = maker.bytes_needed(end);
    let needed = bytes
        .saturating_add(writer_bytes(rows_max))
        .saturating_add(memory_in_use().unwrap_or(0));
    let budget = context.options.memory;
    let refuse = |needed| RunError::Budget {
        job: job.name.clone(),
        needed: ByteSize(needed),
        what,
        budget,
    };
    if needed > budget.0 {
        return Err(refuse(needed));
    }
    let rows_total = assignment.rows();
    let watched = Watch::new(rows_total, rows_total - rows_pending);
    let control = Control::default();
    let shards = Shards {
        results: &results,
        ranges,
        pending: &pending,
        watched: &watched,
        control: &control,
        checkpoint: context.options.checkpoint,
        pool,
    };
    let made = thread::scope(|scope| {
        context
            .tracker
            .begin(M::PHASE, "row", Some(rows_pending), 0);
        let costs = Costs::new(job, pending.iter().map(|&shard| &ranges[shard as usize]));
        let (control, watched) = (&control, &watched);
        let monitor = scope.spawn(move || watch(context, control, watched, &costs));
        let _done = super::supervise::DoneOnDrop(watched, monitor.thread());
        maker.make(&shards)
    });
    let status = results.status()?;
    let summary = |rows| Summary {
        rows,
        positions: control.evaluated(),
        elapsed: context.started.elapsed(),
        bytes_max: watched.bytes_max.load(Relaxed),
        ..Summary::default()
    };
    match made {
        Ok(()) if !assignment.left(status.finished).is_empty() => Ok(Outcome::Stopped(
            StopReason::Interrupted,
            summary(status.rows),
        )),
        Ok(()) => {
            let rows = rows_of_finished(place, &results, &assignment)?;
            Ok(Outcome::Finished(summary(rows)))
        }
        Err(RunError::Engine(EngineError::Stopped(StopReason::MemoryBudget))) => {
            Err(refuse(watched.bytes_max.load(Relaxed)))
        }
        Err(RunError::Engine(EngineError::Stopped(reason))) => {
            Ok(Outcome::Stopped(reason, summary(status.rows)))
        }
        Err(error) => Err(error),
    }
}
