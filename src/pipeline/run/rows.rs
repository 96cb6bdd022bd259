//! Jobs whose result has a row for each member of a family: every [`RowTask`] is a [`Task`].

use std::io::ErrorKind;
use std::ops::Range;
use std::path::Path;

use bytesize::ByteSize;
use cgsolvers::{EngineError, StopReason};

use super::checkpoint::{self, Checkpoint};
use super::cost::Costs;
use super::estimate::{Effort, fraction};
use super::memory::{keep_freed, memory_in_use};
use super::parts::Parts;
use super::shards::{self, Assignment, Merge, Merged, Shard, ShardPlan};
use super::space::PART_BYTES;
use super::task::{Planned, Task};
use super::{
    Checkpoints, DiskNeed, JobHeader, MemoryNeed, Outcome, Plan, Reading, Refutation, RowTask, Run,
    RunError, Summary, plan,
};
use crate::dataset::{
    DatasetError, ResultHeader, ResultSet, Status, complete_setting_aside, found, set_aside,
    writer_bytes,
};
use crate::report::colours::ValuesAs;

impl<T: RowTask> Planned for T {
    fn plan(&self, job: &JobHeader, out: &Path) -> Result<Plan, DatasetError> {
        let header = (self as &dyn RowTask).header(job);
        let status = match ResultSet::open(&out.join(&job.name), &header) {
            Ok(results) => Some(results.status()?),
            // Either there was no run yet, or one was killed while it created the folders.
            Err(DatasetError::Io(error)) if error.cause.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        Ok(Plan {
            status,
            ..self.unbegun()
        })
    }

    fn unbegun(&self) -> Plan {
        Plan {
            rows: self.rows(),
            parts: self.parts().len() as u32,
            status: None,
        }
    }

    fn finished_ranks(&self, plan: &Plan) -> Vec<Range<u64>> {
        let parts = self.parts();
        let readable = plan.status.iter().flat_map(Status::readable);
        readable
            .filter_map(|part| parts.get(part as usize).cloned())
            .collect()
    }

    fn checkpoints(
        &self,
        job: &JobHeader,
        plan: &Plan,
        out: &Path,
    ) -> Result<Checkpoints, DatasetError> {
        let parts = self.parts();
        let finished = plan.status.iter().flat_map(|status| &status.finished);
        let finished: Vec<u32> = finished.copied().collect();
        let is_finished = |rank| plan::is_pending(&parts, &finished, rank);
        checkpoint::found(&out.join(&job.name), is_finished)
    }

    fn disk(&self, plan: &Plan) -> DiskNeed {
        let (rows_done, parts_done) = plan
            .status
            .as_ref()
            .map_or((0, 0), |status| (status.rows, status.finished.len() as u64));
        let rows = plan.rows.saturating_sub(rows_done);
        let parts = u64::from(plan.parts).saturating_sub(parts_done);
        let DiskNeed { results, store } = self.row_bytes(rows, rows_done > 0);
        let of_parts = parts.saturating_mul(PART_BYTES);
        DiskNeed {
            results: ByteSize(results.0.saturating_add(of_parts)),
            store,
        }
    }

    fn part_done(&self, plan: &Plan, checkpoints: &Checkpoints) -> f64 {
        let rows = plan.status.as_ref().map_or(0, |status| status.rows);
        let ranks = self.finished_ranks(plan);
        let by_rows = if ranks.is_empty() {
            fraction(rows, plan.rows)
        } else {
            fraction(
                ranks.iter().map(|ranks| self.cost(ranks)).sum(),
                self.cost(&(0..self.rows())),
            )
        };
        let by_sweep = (self.effort(plan, 1, ByteSize(u64::MAX))).swept_fraction(plan, checkpoints);
        // Rows in checkpoints are assumed to have the average cost.
        (by_rows + fraction(checkpoints.rows, plan.rows))
            .max(by_sweep)
            .min(1.0)
    }

    fn effort(&self, plan: &Plan, threads: usize, _memory: ByteSize) -> Effort {
        let (workload, results) = self.volume(self.disk(&plan.whole()).results);
        let rows_max = self.parts().iter().map(plan::rows_of).max().unwrap_or(0);
        Effort {
            workload,
            results,
            is_open_ended: false,
            is_uneven: self.making().is_uneven,
            writers: writer_bytes(rows_max) * u64::from(plan.parts).min(threads as u64),
            writes_rows: true,
        }
    }
}

impl<T: RowTask> Task for T {
    fn table_names(&self) -> Vec<&'static str> {
        self.making().tables.names().to_vec()
    }

    fn takes_row_limit(&self) -> bool {
        self.making().takes_row_limit
    }

    fn values_as(&self) -> ValuesAs {
        ValuesAs::of_columns(
            self.making()
                .tables
                .columns()
                .iter()
                .map(|column| &*column.name),
        )
    }

    fn open(&self, job: &JobHeader, out: &Path) -> Result<Option<ResultSet>, DatasetError> {
        let header = (self as &dyn RowTask).header(job);
        ResultSet::open(&out.join(&job.name), &header).map(Some)
    }

    fn verify(&self, job: &JobHeader, out: &Path) -> Result<Vec<DatasetError>, DatasetError> {
        let header = (self as &dyn RowTask).header(job);
        let results = ResultSet::open(&out.join(&job.name), &header)?;
        Ok(results.verify()?.damage)
    }

    fn run(&self, run: &Run<'_>) -> Result<Outcome, RunError> {
        make(run, self)
    }

    fn plan_shards(
        &self,
        job: &JobHeader,
        out: &Path,
        shards: &[Shard],
        verify: bool,
    ) -> Result<Vec<ShardPlan>, DatasetError> {
        shards::plan_rows(job, self, out, shards, verify)
    }

    fn merge(&self, merge: &Merge<'_>, shards: &[Shard]) -> Result<Merged, RunError> {
        merge.rows(self, shards)
    }
}

/// Makes the parts that are left.
fn make(run: &Run<'_>, task: &dyn RowTask) -> Result<Outcome, RunError> {
    keep_freed();
    let place = run.place;
    let assignment = place.assignment(run.job, task)?;
    let ranges = &assignment.ranges[..];
    let results = opened(run, task, &assignment.header)?;
    let row_limit = run.options.row.or(task.row_limit());
    let status = results.status_for_run()?;
    let refuted = refutation(run, task, &results, ranges, &status.readable())?;
    // A part whose open rows all exceed the limit is not tried again.
    let left = |status: &Status| {
        let mut done = status.finished.clone();
        let over_limit = status.open.iter();
        done.extend(
            over_limit
                .filter(|(_, open)| open.exceed(row_limit))
                .map(|(part, _)| *part),
        );
        let mut left = assignment.left(done);
        // Rows behind one that refutes the law are not made.
        let end = refuted.as_ref().map_or(u64::MAX, |refuted| refuted.rank);
        left.retain(|&part| ranges[part as usize].start < end);
        left
    };
    let pending = left(&status);
    let Some(last) = pending.last() else {
        let rows = finish(run, &results, &status, &assignment, refuted)?;
        let over_limit = status.rows_open();
        return Ok(Outcome::AlreadyDone { rows, over_limit });
    };
    let ranges_left = pending.iter().map(|&part| &ranges[part as usize]);
    let rows_left: u64 = ranges_left.map(plan::rows_of).sum();
    let rows_max = ranges.iter().map(plan::rows_of).max().unwrap_or(0);
    let threads = run.options.limits.threads.min(pending.len()) as u64;
    let memory = task.memory(ranges[*last as usize].end, threads);
    let refuse = |needed, what| RunError::Budget {
        job: run.job.name.clone(),
        needed: ByteSize(needed),
        what,
        budget: run.options.limits.memory,
    };
    if let Some(MemoryNeed { bytes, purpose }) = memory {
        let needed = bytes
            .saturating_add(writer_bytes(rows_max))
            .saturating_add(memory_in_use().unwrap_or(0));
        if needed > run.options.limits.memory.0 {
            return Err(refuse(needed, purpose));
        }
    }
    let rows_total = assignment.rows();
    let checkpoint = Checkpoint::open(&place.dir, &assignment.header)?;
    let parts = Parts::new(run, &results, &checkpoint, ranges, &pending, row_limit);
    run.session
        .tracker
        .begin(task.making().phase, "row", Some(rows_left), 0);
    let cost = |ranks: &Range<u64>| task.cost(ranks);
    let costs = Costs::new(&cost, pending.iter().map(|&part| &ranges[part as usize]));
    let rows = (rows_total, rows_total - rows_left);
    let made = run.watch(rows, Some(&costs), || task.make(&parts));
    let status = results.status()?;
    match made {
        Ok(()) if left(&status).is_empty() => {
            let rows = finish(run, &results, &status, &assignment, refuted)?;
            Ok(Outcome::Finished(Summary {
                over_limit: status.rows_open(),
                ..run.summary(rows)
            }))
        }
        Err(RunError::Engine(EngineError::Stopped(StopReason::MemoryBudget))) => {
            let what = memory.map_or("rows", |need| need.purpose);
            Err(refuse(run.session.watched.bytes_max(), what))
        }
        made => run.outcome(made.map(|()| false), status.rows),
    }
}

/// Opens the result set to write to. If the folder has rows of the job with a smaller family, sets
/// them aside for the task.
///
/// # Errors
///
/// As [`ResultSet::open_or_create`]; [`DatasetError::OtherRows`] if the job lacks some of the rows.
fn opened(
    run: &Run<'_>,
    task: &dyn RowTask,
    header: &ResultHeader,
) -> Result<ResultSet, DatasetError> {
    let dir = &run.place.dir;
    if run.place.shard.is_some() {
        return ResultSet::open_or_create(dir, header);
    }
    complete_setting_aside(dir)?;
    let error = match ResultSet::open_or_create(dir, header) {
        Err(error) if error.may_grow() => error,
        opened => return opened,
    };
    let found = match task.making().grows {
        Some(tables) => found(dir, header, tables)?,
        None => None,
    };
    let lacking = match found {
        Some(found) => task.lacking(&found)?,
        None => None,
    };
    let (DatasetError::OtherJob { changes, .. }, Some(lacking)) = (&error, lacking) else {
        return Err(error);
    };
    if let Some(first) = lacking.first {
        return Err(DatasetError::OtherRows {
            dir: dir.clone(),
            changes: changes.clone(),
            lacking: lacking.lacking,
            first,
        });
    }
    tracing::info!(
        "{}: {} rows of the earlier spec are kept ({changes})",
        run.job.name,
        lacking.rows
    );
    set_aside(dir)?;
    ResultSet::open_or_create(dir, header)
}

/// Returns the first row of the finished parts that refutes the law in the spec, if there is one.
fn refutation(
    run: &Run<'_>,
    task: &dyn RowTask,
    results: &ResultSet,
    ranges: &[Range<u64>],
    finished: &[u32],
) -> Result<Option<Refutation>, DatasetError> {
    let ranks = finished.iter().map(|&part| ranges[part as usize].clone());
    let ranks: Vec<Range<u64>> = ranks.collect();
    let results = results.clone().partial();
    let reading = Reading {
        job: run.job,
        out: &run.options.out,
        rows: Some(results.scan()),
        ranks: &ranks,
    };
    run.pool.install(|| task.refutation(&reading))
}

/// Returns the number of rows in a run's own parts, which are all finished, but for rows that
/// exceed the run's limit.
///
/// If these are all parts of the job, and no row is left, completes the result set. Removes the
/// checkpoints.
///
/// # Errors
///
/// [`RunError::Refuted`] by a row of a part that was finished before.
fn finish(
    run: &Run<'_>,
    results: &ResultSet,
    status: &Status,
    assignment: &Assignment,
    refuted: Option<Refutation>,
) -> Result<u64, RunError> {
    if let Some(refuted) = refuted {
        return Err(refuted.into());
    }
    checkpoint::remove(&run.place.dir)?;
    if run.place.shard.is_none() && status.open.is_empty() {
        results.finish()?;
    }
    Ok(assignment.rows())
}
