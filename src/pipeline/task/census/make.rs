//! Searching: the values of each part are counted, and the answer is read from the counts.
//!
//! Values come from a sweep if most of the swept values are needed. Otherwise they come from the
//! search, whose values go to the store.

use std::collections::BTreeSet;
use std::iter;
use std::ops::Range;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use cggames::family::{AllPositions, CellOfAll, Member};
use cggames::game::{AnyOrder, ByPots, BySeeds, SweepOrder};
use cgsolvers::{EngineError, StopReason};
use cgvalues::Arena;

use super::CensusTask;
use super::answer::Answer;
use super::count::{Counted, Counter, count_swept};
use super::findings::Findings;
use super::plan::{divided, header, is_open_ended, open, positions};
use super::question::{Each, Fewest};
use super::search::{CHUNK, Search};
use super::space::{CellsOrRanks, Finished, Method, Part, Space};
use crate::dataset::{CensusPartRecord, CensusSet};
use crate::evaluate::Writing;
use crate::evaluate::evaluator::Evaluator;
use crate::evaluate::session::with_engine;
use crate::evaluate::sweeps::{by_seeds, sweep_pots, sweep_reachable};
use crate::evaluate::swept::{Room, Swept};
use crate::evaluate::worker::{Worker, Workers};
use crate::run::checkpoint::{self, Checkpoint};
use crate::run::{Outcome, Phase, Run, RunError, Summary};
use crate::task::strips::StripTask;
use crate::task::strips::cost::cost;

/// The number of positions counted from a sweep in the time in which it values one.
///
/// PERF: measured over all 65.6 million impartial rows of 9 pots.
const COUNTED_A_COST: u64 = 2;

/// Runs the census, or the unfinished rest of it; for a shard, its parts and no answer.
pub(super) fn make(run: &Run<'_>, task: &CensusTask) -> Result<Outcome, RunError> {
    let outcome = search(run, task)?;
    if !matches!(outcome, Outcome::Stopped(..)) {
        checkpoint::remove(&run.place.dir)?;
    }
    Ok(outcome)
}

fn search(run: &Run<'_>, task: &CensusTask) -> Result<Outcome, RunError> {
    let place = run.place;
    let header = header(run.job, task);
    let set = CensusSet::open_or_create(&place.dir, &header)?;
    let mut found = set.parts()?;
    for damage in &found.damage {
        tracing::warn!("{damage}");
        set.retract(damage)?;
    }
    let mut older = set.older(&found.finished);
    let space = Space::of(task);
    if let (Some(_), Some(whole)) = (place.shard, open(run.job, task, &run.options.out)?) {
        // Parts in the job's own census are not searched again.
        let parts = whole.parts()?.finished;
        older = older.or_else(|| whole.older(&parts));
        found.finished.extend(parts);
    }
    let starts_over = found.finished.is_empty();
    let mut parts = space.parts(&Finished::of(&found.finished));
    let mut rows_total = space.family.len();
    if let Some(shard) = place.shard {
        let cut = divided(task, shard.of(), &[]).cut;
        let own: Vec<u32> = cut.of_shard(shard.index()).collect();
        rows_total = own.iter().map(|&unit| cut.costs[unit as usize]).sum();
        let mut unit = 0..;
        parts.retain(|_| unit.next().is_some_and(|unit| own.contains(&unit)));
    }
    parts.retain(|part| part.positions > 0);
    if parts.is_empty() && place.shard.is_some() {
        return Ok(Outcome::AlreadyDone {
            rows: rows_total,
            over_limit: 0,
        });
    }
    if parts.is_empty() {
        match set.answer(run.job.digest) {
            Ok(Some(answer)) => {
                return Ok(Outcome::AlreadyDone {
                    rows: answer.searched,
                    over_limit: 0,
                });
            }
            Ok(None) => {}
            Err(damage) if damage.is_damage() => tracing::warn!("{damage}"),
            Err(error) => return Err(error.into()),
        }
    } else if let Some(older) = older {
        return Err(older.into());
    }
    let rows_before = rows_total - positions(parts.iter());
    let search = Search {
        run,
        task,
        set: &set,
        space: &space,
        // Wider bounds and other questions sweep the same families.
        checkpoint: Checkpoint::of(&place.dir, &header.space),
        parts,
        starts_over,
        searched: AtomicU64::new(rows_before),
    };
    let done = run.watch((rows_total, rows_before), None, || search.search_all());
    let rows = search.searched.into_inner();
    if let (Err(RunError::Engine(EngineError::Stopped(StopReason::TimeLimit))), Some(first)) =
        (&done, search.parts.first())
        && search.space.method == Method::Search
        && rows == rows_before
    {
        run.warn_of_the_limit((run.session.rows() - rows) as f64 / first.positions as f64);
    }
    let all = |witnesses: &Option<(u64, u64)>| {
        witnesses.is_some() || place.shard.is_some() && rows == rows_total
    };
    let witnesses = done.as_ref().ok().copied().flatten();
    let outcome = run.outcome(done.map(|witnesses| all(&witnesses)), rows)?;
    Ok(match outcome {
        Outcome::Finished(summary) => Outcome::Finished(Summary {
            witnesses,
            ..summary
        }),
        other => other,
    })
}

/// The values of all rows with this number of seeds, which the parts with these seeds share.
struct OfSeeds {
    seeds: usize,
    swept: Swept,
}

impl Search<'_> {
    /// Returns how many witnesses were found, and how many were sought; `None` for a shard, or if
    /// the search was stopped.
    fn search_all(&self) -> Result<Option<(u64, u64)>, RunError> {
        let shard = self.run.place.shard;
        let arena: LazyLock<Arena> = LazyLock::new(Arena::new);
        let StripTask { game, play, .. } = self.task.positions;
        with_engine(self.run, game, play, |evaluator| {
            let swept = match self.space.reachable_from(&self.task.question, &self.parts) {
                Some(bounds) => sweep_reachable(evaluator, bounds, self.room(), &self.run.pool)?,
                None => None,
            };
            self.expect(swept.is_some());
            let swept = match swept {
                None => self.sweep_pots(evaluator)?,
                swept => swept,
            };
            let workers = Workers::new(evaluator, Writing::default(), swept);
            let mut of_seeds = None;
            let mut found = self.findings(&arena);
            let mut committed = Vec::new();
            for part in &self.parts {
                if evaluator.control().draining() {
                    return Ok(None);
                }
                let record = self.search(part, &workers, &mut of_seeds, &mut found)?;
                committed.push(record);
                self.searched.fetch_add(part.positions, Relaxed);
            }
            if of_seeds.is_some() {
                checkpoint::remove_sweeps(&self.run.place.dir)?;
            }
            if shard.is_some() {
                return Ok(None);
            }
            let parts = self.set.parts()?.finished;
            // Another run may have searched the same space.
            committed.sort_by(|a, b| a.name.cmp(&b.name));
            let found = found.filter(|_| parts == committed);
            let answer = Answer {
                search: self,
                parts,
            };
            let evaluated = evaluator.control().evaluated();
            let tracker = &self.run.session.tracker;
            tracker.begin(Phase::Answering, "position", None, evaluated);
            let write = || answer.write(found, &workers);
            let (witnesses, ()) = self.run.pool.join(write, || workers.free());
            witnesses.map(Some)
        })
    }

    /// Returns the findings to fill during the search, so that the census need not be read at the
    /// end.
    fn findings<'f>(&'f self, arena: &'f LazyLock<Arena>) -> Option<Findings<'f>> {
        // Witnesses for each value are as numerous as rows, and take more memory.
        let few = !self.task.question.values.is_empty() || self.task.question.each != Each::Value;
        (self.starts_over && self.run.place.shard.is_none() && few)
            .then(|| Findings::new(self, arena))
    }

    fn room(&self) -> Room<'_> {
        Room::of_run(self.run, &self.checkpoint)
    }

    /// Sweeps all rows of the needed numbers of pots, if that is the method and any are left.
    fn sweep_pots(&self, evaluator: &dyn Evaluator) -> Result<Option<Swept>, RunError> {
        let pots = self.parts.iter().filter_map(|part| match &part.members {
            CellsOrRanks::Cells(cells) => cells.iter().map(|cell| cell.pots).max(),
            CellsOrRanks::Ranks(_) => None,
        });
        // Positions are visited once more to count their followers.
        let again = match (self.task.question.fewest, self.space.method) {
            (Fewest::Followers, Method::ByPots(pots)) if self.run.place.shard.is_none() => {
                Some(pots as u32)
            }
            _ => None,
        };
        match (self.space.method, pots.chain(again).max()) {
            // Rows of one pot, and the empty one, need no sweep.
            (Method::ByPots(_), Some(pots)) if pots > 1 => {
                sweep_pots(evaluator, pots as usize, self.room(), &self.run.pool)
            }
            _ => Ok(None),
        }
    }

    /// Sweeps all rows with this number of seeds, unless the last part had the same number.
    fn sweep_seeds<'s>(
        &self,
        seeds: usize,
        pots: usize,
        evaluator: &dyn Evaluator,
        of_seeds: &'s mut Option<OfSeeds>,
    ) -> Result<&'s OfSeeds, RunError> {
        if of_seeds.as_ref().is_none_or(|swept| swept.seeds != seeds) {
            if of_seeds.take().is_some() {
                // No part of the last sweep is left.
                checkpoint::remove_sweeps(&self.run.place.dir)?;
            }
            let order = BySeeds::new(seeds, pots)
                .expect("the method was chosen for families that can be numbered");
            let order = AnyOrder::BySeeds(order);
            let family = format!("all rows of {seeds} seeds on at most {pots} pots");
            let name = (&*by_seeds(seeds, pots), &*family);
            let all = Some(order.positions());
            let evaluated = evaluator.control().evaluated();
            (self.run.session.tracker).begin(Phase::Sweeping, "position", all, evaluated);
            let words = evaluator.sweep(&order, name, self.room(), &self.run.pool)?;
            *of_seeds = Some(OfSeeds {
                seeds,
                swept: Swept { order, words },
            });
        }
        Ok(of_seeds.as_ref().expect("it has just been made"))
    }

    /// Searches a part and commits its census.
    fn search(
        &self,
        part: &Part,
        workers: &Workers<'_>,
        of_seeds: &mut Option<OfSeeds>,
        findings: &mut Option<Findings<'_>>,
    ) -> Result<CensusPartRecord, RunError> {
        let evaluator = workers.evaluator;
        let mut counted = Counted::default();
        self.begin_counting(part, workers);
        match &part.members {
            CellsOrRanks::Ranks(ranks) => {
                let each = (self.cost(part) / part.positions.max(1)).max(1);
                self.count(iter::once(ranks.clone()), each, workers, &mut counted)?;
            }
            CellsOrRanks::Cells(cells) => {
                let all = self
                    .space
                    .all
                    .expect("only a family of all positions has cells");
                let (empty, cells) = cells.split_at(cells.partition_point(|cell| cell.pots == 0));
                self.count(ranks(empty), 0, workers, &mut counted)?;
                for cells in self.space.runs(cells) {
                    self.count_cells(all, cells, workers, of_seeds, &mut counted)?;
                }
            }
        }
        counted.check(part);
        let tracker = &self.run.session.tracker;
        let values = counted.found.len() as u64;
        let evaluated = evaluator.control().evaluated();
        tracker.begin(Phase::Describing, "value", Some(values), evaluated);
        tracing::debug!(
            part = part.name,
            positions = part.positions,
            values = counted.found.len(),
            "counted a part"
        );
        self.run.session.check_stop()?;
        let record = self
            .run
            .pool
            .install(|| self.commit(part, counted, findings, workers))?;
        if self.space.method != Method::Search || workers.swept.is_some() {
            tracker.add(0, part.positions / COUNTED_A_COST);
        }
        Ok(record)
    }

    /// Adds the remaining work to the estimate.
    fn expect(&self, is_swept: bool) {
        let tracker = &self.run.session.tracker;
        if is_open_ended(self.task) {
            // The number of positions that the search takes is unknown in advance.
            tracker.expect_unknown();
        }
        let swept = match self.space.method {
            // Its sweep is expected already.
            Method::Search if is_swept => 0,
            Method::Search => {
                let costs = self.parts.iter().map(|part| self.cost(part));
                return costs.for_each(|cost| tracker.expect(cost));
            }
            Method::ByPots(_) => {
                let cells = self.parts.iter().flat_map(Part::cells);
                let pots = cells.map(|cell| cell.pots).max();
                pots.and_then(|pots| Some(ByPots::new(pots as usize)?.positions()))
                    .unwrap_or(0)
            }
            Method::BySeeds(pots) => {
                let cells = self.parts.iter().flat_map(Part::cells);
                let seeds: BTreeSet<u32> = cells.map(|cell| cell.seeds).collect();
                let orders = seeds.iter().filter(|&&seeds| seeds > 0);
                let orders = orders.filter_map(|&seeds| BySeeds::new(seeds as usize, pots));
                orders.map(|order| order.positions()).sum()
            }
        };
        tracker.expect(swept);
        let counted = self.parts.iter();
        let counted = counted.map(|part| part.positions / COUNTED_A_COST);
        tracker.expect(counted.sum());
    }

    /// Returns the cost of searching a part.
    fn cost(&self, part: &Part) -> u64 {
        match &part.members {
            CellsOrRanks::Cells(_) => part.positions,
            CellsOrRanks::Ranks(ranks) => cost(&self.task.positions, ranks),
        }
    }

    /// Begins counting a part.
    fn begin_counting(&self, part: &Part, workers: &Workers<'_>) {
        let evaluated = workers.evaluator.control().evaluated();
        let phase = match (self.space.method, workers.swept.is_some()) {
            (Method::Search, false) => Phase::Searching,
            _ => Phase::Counting,
        };
        let positions = Some(part.positions);
        (self.run.session.tracker).begin(phase, "position", positions, evaluated);
    }

    /// Counts cells of one pot or more, read from a sweep's array if there is one.
    fn count_cells(
        &self,
        all: &AllPositions,
        cells: &[CellOfAll],
        workers: &Workers<'_>,
        of_seeds: &mut Option<OfSeeds>,
        counted: &mut Counted,
    ) -> Result<(), RunError> {
        let evaluator = workers.evaluator;
        let swept = match (self.space.method, &workers.swept, cells.first()) {
            (_, _, None) => return Ok(()),
            // A relation depends on more than the value.
            _ if self.task.question.relation.is_some() => None,
            (_, Some(swept), _) => Some(
                self.run
                    .pool
                    .install(|| count_swept(all, cells, swept, self.run))?,
            ),
            (Method::BySeeds(pots), _, Some(first)) => {
                let swept = self.sweep_seeds(first.seeds as usize, pots, evaluator, of_seeds)?;
                let positions = cells.iter().map(|cell| cell.ranks.end - cell.ranks.start);
                let evaluated = evaluator.control().evaluated();
                let positions = Some(positions.sum());
                (self.run.session.tracker).begin(Phase::Counting, "position", positions, evaluated);
                Some(
                    self.run
                        .pool
                        .install(|| count_swept(all, cells, &swept.swept, self.run))?,
                )
            }
            _ => None,
        };
        match swept {
            Some(swept) => {
                counted.cells.extend(swept.cells);
                counted.found.extend(swept.found);
            }
            None => self.count(ranks(cells), 1, workers, counted)?,
        }
        Ok(())
    }

    /// Evaluates the positions of some ranks one by one and counts them. Each costs `row_cost`.
    ///
    /// While the positions of a chunk are evaluated, the previous chunk is counted and the next one
    /// is made.
    fn count(
        &self,
        ranks: impl Iterator<Item = Range<u64>> + Send,
        row_cost: u64,
        workers: &Workers<'_>,
        counted: &mut Counted,
    ) -> Result<(), RunError> {
        let mut counter = Counter::default();
        let mut members = ranks.flat_map(|ranks| self.space.family.iter_range(ranks));
        let mut chunk: Vec<Member> = members.by_ref().take(CHUNK).collect();
        let mut last = (Vec::new(), Vec::new());
        while !chunk.is_empty() {
            let evaluate = || {
                let value = |worker: &mut Worker<'_, '_>, member: &Member, positions_max| {
                    let value = self.value(worker, &member.position, positions_max)?;
                    if value.is_some() {
                        self.run.session.count_rows(1);
                        let evaluated = workers.evaluator.control().evaluated();
                        self.run.session.tracker.add_row(row_cost, evaluated);
                    }
                    Ok(value)
                };
                workers.rows(&chunk, |member| &member.position, value)
            };
            let check_stop = || {
                counter.add_all(&last.0, &last.1);
                members.by_ref().take(CHUNK).collect()
            };
            let (values, next) = self.run.pool.join(evaluate, check_stop);
            last = (std::mem::replace(&mut chunk, next), values?);
        }
        counter.add_all(&last.0, &last.1);
        counter.finish(counted);
        Ok(())
    }
}

/// Returns the ranks of some cells, cell by cell.
fn ranks(cells: &[CellOfAll]) -> impl Iterator<Item = Range<u64>> {
    cells.iter().map(|cell| cell.ranks.clone())
}
