//! Rows: positions evaluated in parallel, described, and written in the family's order.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::cost::{cost, is_near, last_rows};
use super::dispatch::Visitor;
use super::forms::FormCollector;
use super::kept_counts::KeptCounts;
use super::memory::memory_in_use;
use super::monitor::Watch;
use super::plan::{is_pending, rows_of};
use super::shares::Assignment;
use super::stage::{Phase, WRITING_COST};
use super::stored::Stored;
use super::supervise::{Context, supervise};
use super::sweeps::{self, Room, Swept, is_swept, sweep_ones};
use super::worker::{Labels, Workers};
use super::{Outcome, RunError, Summary, rows_of_finished};
use crate::board::row::Row;
use crate::dataset::{ResultSet, writer_bytes};
use crate::engine::{Engine, EngineError, KnownValues, StopReason};
use crate::family::{Member, Part};
use crate::game::{ByPots, Play, Ruleset};
use crate::job::StripTask;
use crate::value::Notation;

/// The rows evaluated together before they are written: enough to keep all workers busy, few
/// enough to cost little memory.
///
/// Unit: rows, of which each takes about a kilobyte, twice while they are brought into order, and several where
/// notations are long.
const CHUNK_ROWS: u64 = 1024;

/// Patterns with more rows are not searched for some that are better done by sweeps.
const PATTERN_ROWS_MAX: u64 = 1 << 16;

/// A job and all that it takes to run it.
pub(super) struct Work<'a> {
    pub(super) context: Context<'a>,
    pub(super) task: &'a StripTask,
    pub(super) results: ResultSet,
    pub(super) assignment: Assignment,
    pub(super) pending: Vec<u32>,
}

/// Runs the shards that are left of a job.
pub(super) struct RunShards<'a> {
    pub(super) work: Work<'a>,
    pub(super) pool: &'a rayon::ThreadPool,
}

impl Visitor for RunShards<'_> {
    type Output = Result<Outcome, RunError>;

    fn visit<R: Ruleset, V: Stored + Default>(self, ruleset: R) -> Self::Output {
        let RunShards { work, pool } = self;
        let rows_pending: u64 = work
            .pending
            .iter()
            .map(|&shard| rows_of(&work.assignment.ranges[shard as usize]))
            .sum();
        let rows_total = work.assignment.rows();
        let (result, summary) = supervise(
            work.context,
            ruleset,
            (rows_total, rows_total - rows_pending),
            |engine, known, watched| {
                let rows = rows_pending;
                sweep::<R, V>(&work, engine, known, rows, pool).and_then(|swept| {
                    pool.install(|| run_shards(&work, engine, known, watched, swept))
                })
            },
        )?;
        let status = work.results.status()?;
        let summary = |rows| Summary { rows, ..summary };
        match result {
            Ok(()) if !work.assignment.left(status.finished).is_empty() => Ok(Outcome::Stopped(
                StopReason::Interrupted,
                summary(status.rows),
            )),
            Ok(()) => {
                let rows = rows_of_finished(work.context.place, &work.results, &work.assignment)?;
                Ok(Outcome::Finished(summary(rows)))
            }
            Err(RunError::Engine(EngineError::Stopped(reason))) => {
                Ok(Outcome::Stopped(reason, summary(status.rows)))
            }
            Err(error) => Err(error),
        }
    }
}

/// Does at once what is better done by sweeps, and returns the values that rows are to be read from.
fn sweep<R: Ruleset, V: Stored>(
    work: &Work<'_>,
    engine: &Engine<R, V>,
    known: &dyn KnownValues,
    rows: u64,
    pool: &rayon::ThreadPool,
) -> Result<Option<Swept<V>>, RunError> {
    let room = Room {
        memory: work.context.options.memory.0,
        folder: Some(&work.context.place.store),
        keeping: Some(work.context.keeping()),
        tracker: work.context.tracker,
    };
    let mut written = Vec::new();
    let mut pots_max = None;
    let mut start = 0;
    for part in work.task.family.parts() {
        let ranks = start..start + part.len();
        start = ranks.end;
        let pending = pending_ranks(&work.assignment.ranges, &work.pending, &ranks);
        if pending.is_empty() {
            continue;
        }
        match part {
            Part::Pattern(pattern) if pattern.len() <= PATTERN_ROWS_MAX => {
                let inner = pending.into_iter().flatten().map(|rank| rank - ranks.start);
                written.extend(inner.map(|rank| pattern.get(rank).0));
            }
            Part::List(rows) => {
                let inner = pending.into_iter().flatten().map(|rank| rank - ranks.start);
                written.extend(inner.map(|rank| rows[rank as usize].clone()));
            }
            Part::All(all) => {
                // One row tells whether a sweep knows such rows at all.
                let first = engine.ruleset.position(&all.get(0)).ok();
                if first.is_some_and(|first| sweeps::swept_pots(&engine.ruleset, &first).is_some())
                {
                    pots_max = pots_max.max(all.bounds().pots_max);
                }
            }
            Part::Pattern(_) | Part::Sample(_) => {}
        }
    }
    let is_swept = |&pots: &u32| {
        engine.valuation.play() == Play::Impartial && sweeps::worth_sweeping(pots, rows).is_some()
    };
    let pots_max = pots_max.filter(is_swept);
    let costs = RowCosts {
        work,
        swept: pots_max.is_some(),
    };
    costs.expect(pots_max);
    let positions = written
        .iter()
        .filter_map(|row| engine.ruleset.position(row).ok());
    sweep_ones(engine, known, positions, room, pool)?;
    match pots_max {
        Some(pots) if !engine.control.draining() => {
            Swept::of_pots(engine, pots as usize, room, pool)
        }
        _ => Ok(None),
    }
}

/// The cost of rows, for the time left.
struct RowCosts<'w> {
    work: &'w Work<'w>,
    /// Whether a sweep finds the values of parts that have all positions.
    swept: bool,
}

impl RowCosts<'_> {
    /// Adds the cost of all pending rows to the estimate, and of the sweep through all rows of at
    /// most `pots` pots.
    fn expect(&self, pots: Option<u32>) {
        let tracker = self.work.context.tracker;
        if let Some(order) = pots.and_then(|pots| ByPots::new(pots as usize)) {
            tracker.expect(sweeps::positions_of(&order));
        }
        let family = &self.work.task.family;
        if !last_rows(family).all(|(part, last)| self.is_steady(part, &last)) {
            tracker.expect_unknown();
        }
        for &shard in &self.work.pending {
            for ((_, ranks), average) in self.parts(shard).zip(self.averages(shard)) {
                tracker.expect(match average {
                    Some(average) => average.saturating_mul(rows_of(&ranks)),
                    None => ranks
                        .map(|rank| self.of_row(rank, &family.get(rank).row))
                        .fold(0, u64::saturating_add),
                });
            }
        }
    }

    /// Returns whether the costs of a part's rows are in proportion, within a factor of three.
    fn is_steady(&self, part: &Part, last: &Row) -> bool {
        let is_swept = |row: &Row| self.work.task.game.is_swept() && is_swept(row);
        is_near(self.work.task.game, part, last)
            || match part {
                Part::Sample(_) => true,
                Part::List(rows) => rows.iter().all(is_swept),
                _ => is_swept(last),
            }
    }

    /// Returns the members of the family's union, each with its ranks in a shard.
    fn parts(&self, shard: u32) -> impl Iterator<Item = (&Part, Range<u64>)> {
        let shard = &self.work.assignment.ranges[shard as usize];
        let mut start = 0;
        self.work.task.family.parts().iter().map(move |part| {
            let ranks = start..start + part.len();
            start = ranks.end;
            let first = shard.start.max(ranks.start);
            (part, first..shard.end.min(ranks.end).max(first))
        })
    }

    /// Returns the mean cost of a row of each member in a shard; `None` if it is computed for each
    /// row.
    fn averages(&self, shard: u32) -> Vec<Option<u64>> {
        let averages = self.parts(shard).map(|(part, ranks)| match part {
            Part::All(_) if self.swept => Some(WRITING_COST),
            _ if ranks.is_empty() => Some(0),
            Part::Pattern(_) | Part::List(_) if part.len() <= PATTERN_ROWS_MAX => None,
            _ => Some((cost(self.work.context.job, &ranks) / rows_of(&ranks)).max(1)),
        });
        averages.collect()
    }

    fn of_row(&self, rank: u64, row: &Row) -> u64 {
        match self.work.task.game.is_swept() && is_swept(row) {
            true => 1,
            false => cost(self.work.context.job, &(rank..rank + 1)),
        }
    }
}

/// Returns the ranks among these that pending shards have, whose rows are yet to be made.
fn pending_ranks(shards: &[Range<u64>], pending: &[u32], ranks: &Range<u64>) -> Vec<Range<u64>> {
    let pending = pending.iter().map(|&shard| &shards[shard as usize]);
    pending
        .map(|shard| shard.start.max(ranks.start)..shard.end.min(ranks.end))
        .filter(|ranks| !ranks.is_empty())
        .collect()
}

/// Runs the pending shards in order, a worker taking the next one when it is free. Workers without a shard help
/// with the rows of those in hand.
fn run_shards<R: Ruleset, V: Stored>(
    work: &Work<'_>,
    engine: &Engine<R, V>,
    known: &dyn KnownValues,
    watched: &Watch,
    swept: Option<Swept<V>>,
) -> Result<(), RunError> {
    let phase = match swept {
        Some(_) => Phase::Writing,
        None => Phase::Searching,
    };
    let pending = &work.pending;
    let rows = pending
        .iter()
        .map(|&shard| &work.assignment.ranges[shard as usize]);
    let rows = rows.map(rows_of).sum();
    let evaluated = engine.control.evaluated();
    (work.context.tracker).begin(phase, "row", Some(rows), evaluated);
    let workers = Workers::new(engine, known, Notation::CgSuite, swept);
    let counts = match work.task.columns.needs_followers() {
        true => {
            let is_left = |rank| is_pending(&work.assignment.ranges, &work.pending, rank);
            let checkpoint = work.context.options.checkpoint;
            Some(KeptCounts::new(&work.results, checkpoint, is_left)?)
        }
        false => None,
    };
    let labels = Labels::of_task(work.task, counts.as_ref());
    let make = || make_shards(work, &workers, &labels, watched);
    match &counts {
        Some(counts) => counts.during(make),
        None => make(),
    }
}

/// Makes the pending shards with the workers given.
fn make_shards<R: Ruleset, V: Stored>(
    work: &Work<'_>,
    workers: &Workers<'_, R, V>,
    labels: &Labels<'_>,
    watched: &Watch,
) -> Result<(), RunError> {
    let engine = workers.engine;
    let next = AtomicUsize::new(0);
    let at_once = shards_at_once(work, watched);
    if at_once == 0 {
        engine.control.stop(StopReason::MemoryBudget);
        return Err(EngineError::Stopped(StopReason::MemoryBudget).into());
    }
    let results = rayon::broadcast(|worker| {
        if worker.index() >= at_once {
            return Ok(());
        }
        while !engine.control.draining() {
            let Some(&shard) = work.pending.get(next.fetch_add(1, Relaxed)) else {
                break;
            };
            if let Err(error) = run_shard(work, shard, workers, labels, watched) {
                // The others have no reason to go on, and the first reason to stop stays.
                engine.control.stop(StopReason::Abandoned);
                return Err(error);
            }
        }
        Ok(())
    });
    // What went wrong first is not what was abandoned because of it.
    let abandoned = |result: &Result<(), RunError>| {
        matches!(
            result,
            Err(RunError::Engine(EngineError::Stopped(
                StopReason::Abandoned
            )))
        )
    };
    let (abandoned, mut others): (Vec<_>, Vec<_>) = results.into_iter().partition(abandoned);
    let failed = others.iter().position(Result::is_err);
    failed.map_or_else(
        || abandoned.into_iter().next().unwrap_or(Ok(())),
        |i| others.swap_remove(i),
    )
}

/// Returns how many shards may be open at a time: their writers take at most half of what the budget leaves, or all of it
/// where it is one.
fn shards_at_once(work: &Work<'_>, watched: &Watch) -> usize {
    let rows = work
        .pending
        .iter()
        .map(|&shard| &work.assignment.ranges[shard as usize]);
    let writer = writer_bytes(rows.map(rows_of).max().unwrap_or(0));
    let in_use = memory_in_use().unwrap_or(0);
    let left = work.context.options.memory.0.saturating_sub(in_use);
    if left < writer {
        watched.bytes_max.fetch_max(in_use + writer, Relaxed);
        return 0;
    }
    (left / 2 / writer).max(1) as usize
}

fn run_shard<R: Ruleset, V: Stored>(
    work: &Work<'_>,
    shard: u32,
    workers: &Workers<'_, R, V>,
    labels: &Labels<'_>,
    watched: &Watch,
) -> Result<(), RunError> {
    let family = &work.task.family;
    let ranks = work.assignment.ranges[shard as usize].clone();
    let mut writer = work.results.shard_writer(shard, ranks.start)?;
    let mut forms = FormCollector::new(workers.engine.valuation.arena());
    let mut members = family.iter_range(ranks);
    let tracker = work.context.tracker;
    let costs = RowCosts {
        work,
        swept: workers.swept.is_some(),
    };
    let averages = costs.averages(shard);
    let count = |member: &Member| {
        watched.rows.fetch_add(1, Relaxed);
        let row_cost = averages[member.source];
        let row_cost = row_cost.unwrap_or_else(|| costs.of_row(member.rank, &member.row));
        tracker.add_row(row_cost, workers.engine.control.evaluated());
    };
    loop {
        let chunk: Vec<Member> = members.by_ref().take(CHUNK_ROWS as usize).collect();
        if chunk.is_empty() {
            break;
        }
        let rows = workers.rows(
            &chunk,
            |member| &member.row,
            |worker, member, positions_max| {
                let row = worker.row(&member.row, Some(member), labels, positions_max)?;
                if row.is_some() {
                    count(member);
                }
                Ok(row)
            },
        )?;
        for (mut row, form) in rows {
            row.value.value_digest = forms.collect(form, &mut |row| writer.push_form(row))?;
            writer.push(&row)?;
        }
    }
    let record = writer.commit()?;
    tracing::debug!(shard, rows = record.files.rows(), "finished a shard");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ranks_of_finished_shards_are_not_pending() {
        let shards = [0..10, 10..20, 20..30, 30..34];
        let pending = |ranks: Range<u64>| pending_ranks(&shards, &[1, 3], &ranks);
        assert_eq!(pending(0..34), [10..20, 30..34]);
        assert_eq!(pending(15..32), [15..20, 30..32]);
        assert!(pending(0..10).is_empty());
        assert!(pending(20..30).is_empty());
        assert!(pending(12..12).is_empty());
    }
}
