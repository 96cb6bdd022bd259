//! The monitor beside a maker: limits, signals, memory, progress.

use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::{Duration, Instant};

use crate::engine::{Control, StopReason};
use crate::job::Job;
use crate::run::cost::cost;
use crate::run::memory::memory_in_use;
use crate::run::monitor::Watch;
use crate::run::plan::rows_of;
use crate::run::supervise::Context;
use crate::run::{Progress, Stage};

/// How often the monitor looks.
const LOOK_INTERVAL: Duration = Duration::from_millis(20);

/// The cumulative cost of the pending shards.
pub(super) struct Costs<'a> {
    job: &'a Job,
    /// The ranks of each shard, with the rows and the cost of the shards before it.
    shards: Vec<(Range<u64>, u64, u64)>,
    rows: u64,
    cost: u64,
}

impl<'a> Costs<'a> {
    pub(super) fn new<'r>(
        job: &'a Job,
        pending: impl Iterator<Item = &'r Range<u64>>,
    ) -> Costs<'a> {
        let mut costs = Costs {
            job,
            shards: Vec::new(),
            rows: 0,
            cost: 0,
        };
        for ranks in pending {
            costs.shards.push((ranks.clone(), costs.rows, costs.cost));
            costs.rows += rows_of(ranks);
            costs.cost = costs.cost.saturating_add(cost(job, ranks));
        }
        costs
    }

    /// Returns the cost of the first `rows` rows: shards are made roughly in order.
    fn of_rows(&self, rows: u64) -> u64 {
        let next = self.shards.partition_point(|&(_, before, _)| before < rows);
        let Some((ranks, before, cost_before)) = next.checked_sub(1).map(|i| &self.shards[i])
        else {
            return 0;
        };
        let end = (ranks.start + rows - before).min(ranks.end);
        cost_before.saturating_add(cost(self.job, &(ranks.start..end)))
    }
}

/// Watches until the maker is done.
pub(super) fn watch(work: Context<'_>, control: &Control, watch: &Watch, costs: &Costs<'_>) {
    let Context {
        job,
        options,
        signals,
        observer,
        tracker,
        started,
        ..
    } = work;
    loop {
        let done = watch.done.load(Relaxed);
        signals.heed(control);
        if options.deadline.is_some_and(|at| Instant::now() >= at) {
            control.stop(StopReason::TimeLimit);
        }
        let in_use = memory_in_use().unwrap_or(0);
        watch.bytes.store(in_use, Relaxed);
        watch.bytes_max.fetch_max(in_use, Relaxed);
        if in_use > options.memory.0 {
            control.stop(StopReason::MemoryBudget);
        }
        let rows = watch.rows.load(Relaxed);
        let made = rows - watch.rows_before();
        let stage = Stage {
            done: made,
            cost_done: costs.of_rows(made),
            cost_total: Some(costs.cost),
            ..tracker.stage(control.evaluated())
        };
        observer.progress(
            &job.name,
            &Progress {
                noun: job.task.noun(),
                rows_total: watch.rows_total(),
                rows,
                rows_before: watch.rows_before(),
                positions: control.evaluated(),
                forms: 0,
                bytes: in_use,
                elapsed: started.elapsed(),
                draining: control.draining(),
                stage,
            },
        );
        if done {
            return;
        }
        thread::park_timeout(LOOK_INTERVAL);
    }
}
