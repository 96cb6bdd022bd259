//! Rows: positions evaluated in parallel, described, and written in the family's order.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use bytesize::ByteSize;
use cggames::board::AnyBoard;
use cggames::family::{Member, Subfamily};
use cggames::game::{ByPots, SweepOrder};
use cgsolvers::{EngineError, StopReason};
use seedbank_memory::lock;

use super::StripTask;
use super::cost::{cost, is_near, last_rows};
use super::earlier::{EarlierRows, OfJob};
use crate::dataset::{
    DatasetError, KeptRow, KeptRows, Lacking, Missing, PositionRow, PositionTable, ResultSet,
    RowLimit, Subject, Tables, earlier, writer_bytes,
};
use crate::evaluate::Writing;
use crate::evaluate::evaluator::Evaluator;
use crate::evaluate::forms::FormCollector;
use crate::evaluate::position_row::{FollowerCounts, MemberColumns};
use crate::evaluate::session::with_engine;
use crate::evaluate::sweeps::{has_forms, is_swept, sweep_ones, sweep_pots, worth_sweeping};
use crate::evaluate::swept::{Room, Swept};
use crate::evaluate::worker::{Attempt, POSITIONS_ALONE, Tried, Workers};
use crate::run::checkpoint::ByRank;
use crate::run::cost::halved;
use crate::run::estimate::{Amount, FEW, Workload, results_about};
use crate::run::memory::memory_in_use;
use crate::run::plan::rows_of;
use crate::run::stage::WRITING_COST;
use crate::run::{
    DiskNeed, Making, MemoryNeed, PART_ROWS, Parts, Phase, Reading, Refutation, RowTask, RunError,
    equal_parts,
};

/// The largest estimated cost of a part, unless the part is one row or there are [`PARTS_BY_COST`]
/// parts.
///
/// Unit: positions, of which a core evaluates half a million a second. Result sets of another cut
/// are refused by their number of parts. A change of this constant or of the estimates that could
/// leave that number the same needs a new [`FORMAT_VERSION`](crate::dataset::FORMAT_VERSION).
const PART_COST: u64 = 1 << 23;

/// The most parts that a job is cut into for their cost.
///
/// PERF: each takes a few small files and 20 KB. Theorem 2.2, whose rows cost far less than
/// estimated, took 0.10 s in one part and 0.20 s in 64, on two idle cores.
const PARTS_BY_COST: usize = 64;

/// The number of units of a shard. With sixteen, shards of rows of equal cost differ by at most a
/// sixteenth, and a unit costs some files.
const UNITS_A_SHARE: usize = 16;

/// The size of a row of the table `positions`, with its part of the table `forms`.
///
/// Unit: bytes. Finished result sets of 177 thousand to 1.6 million rows have 6.5 to 15.7 a row.
const ROW_BYTES: u64 = 6;

/// The bytes of a value with a key of 64 bits in the store, without forms.
const VALUE_BYTES: u64 = 13;

/// The rows evaluated together before they are written: enough to keep all workers busy, few enough
/// to take little memory.
///
/// Unit: rows. Each takes about a kilobyte, twice while they are sorted, and several if notations
/// are long.
const CHUNK_ROWS: u64 = 1024;

/// The most rows of a pattern that are examined for rows that a sweep evaluates faster.
const PATTERN_ROWS_MAX: u64 = 1 << 16;

/// The folder of follower counts in checkpoints.
const FOLLOWERS: &str = "followers";

impl RowTask for StripTask {
    fn making(&self) -> Making {
        Making {
            tables: Tables::of_positions(self.family.variables().to_vec()),
            join: ResultSet::join_positions::<PositionRow>,
            grows: Some(Tables::of_positions),
            takes_row_limit: true,
            units_per_shard_min: UNITS_A_SHARE,
            ..Making::new::<PositionRow>(Phase::Preparing, PART_ROWS)
        }
    }

    fn parts(&self) -> Vec<Range<u64>> {
        let by_rows = equal_parts(self.family.len(), PART_ROWS);
        if by_rows.len() >= PARTS_BY_COST {
            return by_rows;
        }
        let (parts, _) = halved(by_rows, PARTS_BY_COST, PART_COST, |ranks| cost(self, ranks));
        parts
    }

    fn cost(&self, ranks: &Range<u64>) -> u64 {
        cost(self, ranks)
    }

    fn row_bytes(&self, rows: u64, _is_begun: bool) -> DiskNeed {
        disk(rows, self.rows_stored().min(rows))
    }

    fn volume(&self, least: ByteSize) -> (Workload, Amount<ByteSize>) {
        // The forms may take more than the rows.
        let results = if has_forms(self.manner()) && self.family.len() < FEW {
            Amount::AtLeast(least)
        } else {
            results_about(least)
        };
        (self.workload(), results)
    }

    fn memory(&self, _end: u64, _threads: u64) -> Option<MemoryNeed> {
        None
    }

    fn refutation(&self, reading: &Reading<'_>) -> Result<Option<Refutation>, DatasetError> {
        (self.law.as_ref()).map_or(Ok(None), |law| law.refutation(reading))
    }

    fn row_limit(&self) -> Option<RowLimit> {
        self.row_limit
    }

    fn lacking(&self, found: &ResultSet) -> Result<Option<Lacking>, DatasetError> {
        let rows = KeptRows::<PositionRow>::of(std::slice::from_ref(found))?;
        rows.lacking(self.subjects(None)).map(Some)
    }

    fn make(&self, parts: &Parts<'_>) -> Result<(), RunError> {
        let earlier =
            EarlierRows::<PositionRow>::of(&earlier(parts.results, Tables::of_positions)?)?;
        self.make_rows(parts, earlier.of_job(None, 1), &|row| row)
    }
}

/// Returns the least disk space of some rows, of which a number have values in the store.
pub(in crate::task) fn disk(rows: u64, stored: u64) -> DiskNeed {
    DiskNeed {
        results: ByteSize(rows.saturating_mul(ROW_BYTES)),
        store: ByteSize(stored.saturating_mul(VALUE_BYTES)),
    }
}

impl StripTask {
    /// Returns the subjects of all rows, which may have a text before the position.
    pub(in crate::task) fn subjects(&self, before: Option<&str>) -> impl Iterator<Item = Subject> {
        self.family.iter().map(move |member| {
            let position = member.position.to_string();
            Subject::of(before.into_iter().chain([&*position]))
        })
    }

    /// Makes the rows of the parts that are left, as [`RowTask::make`]; `of` makes the row of a table
    /// from the columns about its position.
    pub(in crate::task) fn make_rows<R: PositionTable + KeptRow>(
        &self,
        parts: &Parts<'_>,
        earlier: OfJob<'_, R>,
        of: &(dyn Fn(PositionRow) -> R + Sync),
    ) -> Result<(), RunError> {
        let run = parts.run;
        let rows = MakeRows {
            task: self,
            of,
            parts,
            earlier,
            furthest: AtomicU64::new(0),
            aside: Mutex::default(),
            refuted: Mutex::default(),
        };
        let made = with_engine(run, self.game, self.manner(), |evaluator| {
            let swept = rows.sweep(evaluator)?;
            run.pool.install(|| rows.make_rows(evaluator, swept))
        });
        if let Err(RunError::Engine(EngineError::Stopped(StopReason::TimeLimit))) = made {
            let furthest = rows.furthest.into_inner();
            // A sweep, which comes before the rows, is kept by smaller steps.
            if furthest > 0 {
                run.warn_of_the_limit(furthest as f64 / WHOLE_PART as f64);
            }
        }
        made
    }
}

/// The unit of [`MakeRows::furthest`].
const WHOLE_PART: u64 = 1 << 20;

struct MakeRows<'a, R> {
    task: &'a StripTask,
    /// Makes the row of the table.
    of: &'a (dyn Fn(PositionRow) -> R + Sync),
    parts: &'a Parts<'a>,
    /// The rows of earlier results, which are not evaluated again.
    earlier: OfJob<'a, R>,
    /// How far the part got whose rows got furthest, of [`WHOLE_PART`].
    furthest: AtomicU64,
    /// The parts set aside, each with the ranks of its rows without a value, ascending.
    aside: Mutex<BTreeMap<u32, Vec<u64>>>,
    /// The first row so far that refutes the law of the spec.
    refuted: Mutex<Option<Refutation>>,
}

/// The factor by which the positions grow that are evaluated for a row before it is set aside. The
/// search for a row begins again in each round, but finds the followers that it has valued.
const ROUND_FACTOR: u64 = 16;

impl<R: PositionTable + KeptRow> MakeRows<'_, R> {
    /// Runs the sweeps that are cheaper than searches, and returns the values to read rows from.
    ///
    /// # Errors
    ///
    /// First for a row of a pattern or a list that no key can hold.
    fn sweep(&self, evaluator: &dyn Evaluator) -> Result<Option<Swept>, RunError> {
        let MakeRows { task, parts, .. } = self;
        // The rows of earlier results are assumed to be spread evenly.
        let kept = self.earlier.rows as f64 / task.family.len() as f64;
        let rows_left = (parts.rows_left() as f64 * (1.0 - kept).max(0.0)) as u64;
        let room = Room::of_run(parts.run, parts.checkpoint);
        let mut written = Vec::new();
        let mut pots_max = None;
        let mut start = 0;
        for subfamily in task.family.subfamilies() {
            let ranks = start..start + subfamily.len();
            start = ranks.end;
            let left = within(parts.left().map(|(_, ranks)| ranks), &ranks);
            if left.is_empty() {
                continue;
            }
            match subfamily {
                Subfamily::Pattern(pattern) if pattern.len() <= PATTERN_ROWS_MAX => {
                    let inner = left.into_iter().flatten().map(|rank| rank - ranks.start);
                    let rows = inner.map(|rank| pattern.get(rank).0);
                    written.extend(rows.filter(|row| !self.earlier.has(row)));
                }
                Subfamily::List(rows) => {
                    let inner = left.into_iter().flatten().map(|rank| rank - ranks.start);
                    let rows = inner.map(|rank| &rows[rank as usize]);
                    written.extend(rows.filter(|row| !self.earlier.has(row)).cloned());
                }
                Subfamily::All(all) => {
                    // One row shows whether a sweep can have such rows at all.
                    if evaluator.swept_pots(&all.get(0).into()).is_some() {
                        pots_max = pots_max.max(all.bounds().pots_max);
                    }
                }
                Subfamily::Pattern(_)
                | Subfamily::Filled(_)
                | Subfamily::Rectangles(_)
                | Subfamily::Sample(_) => {}
            }
        }
        // A row that can have no value is refused before any work for the others.
        written.iter().try_for_each(|row| evaluator.check(row))?;
        let is_swept = |&pots: &u32| {
            !has_forms(evaluator.manner()) && worth_sweeping(pots, rows_left).is_some()
        };
        let pots_max = pots_max.filter(is_swept);
        let costs = RowCosts {
            task,
            swept: pots_max.is_some(),
        };
        if !parts.has_others() {
            costs.expect(parts, pots_max);
        }
        let pool = &parts.run.pool;
        sweep_ones(evaluator, written.iter(), &[], room, pool)?;
        match pots_max {
            Some(pots) if !evaluator.control().draining() => {
                sweep_pots(evaluator, pots as usize, room, pool)
            }
            _ => Ok(None),
        }
    }

    /// Makes the parts that are left, in rounds. In each round the parts come in order, and a free
    /// worker takes the next one; workers without a part help with the rows of parts in progress.
    /// Rows that take more than a round spends on each are set aside for the next, which spends
    /// more. So no row waits for one that is much harder.
    fn make_rows(&self, evaluator: &dyn Evaluator, swept: Option<Swept>) -> Result<(), RunError> {
        let MakeRows { task, parts, .. } = self;
        let phase = match swept {
            Some(_) => Phase::Writing,
            None => Phase::Searching,
        };
        parts.begin(phase);
        let workers = Workers::new(evaluator, Writing::default(), swept);
        let counts = if task.columns.needs_followers() {
            Some(ByRank::<FollowerCounts>::new(parts, FOLLOWERS)?)
        } else {
            None
        };
        let labels = MemberColumns {
            counts: counts.as_ref(),
            game: task.game,
            play: task.play,
            patterns: task
                .family
                .patterns()
                .map(|pattern| pattern.map(Arc::from))
                .collect(),
            columns: task.columns,
        };
        let make = || {
            let at_once = self.parts_at_once()?;
            let mut pending: Vec<u32> = parts.left().map(|(part, _)| part).collect();
            let mut positions = POSITIONS_ALONE;
            while !pending.is_empty() && !parts.draining() {
                parts.on_threads(at_once, &pending, |part, ranks| {
                    self.make_part(part, ranks, positions, &workers, &labels)
                })?;
                pending = lock(&self.aside).keys().copied().collect();
                positions = positions.saturating_mul(ROUND_FACTOR);
            }
            let refuted = lock(&self.refuted).take();
            refuted.map_or(Ok(()), |refuted| Err(refuted.into()))
        };
        match &counts {
            Some(counts) => counts.during(make),
            None => make(),
        }
    }

    /// Returns how many parts may be open at a time. Their writers take at most half of the budget
    /// that is left, or all of it for a single part.
    fn parts_at_once(&self) -> Result<usize, RunError> {
        let run = self.parts.run;
        let rows = self.parts.left().map(|(_, ranks)| rows_of(&ranks));
        let writer = writer_bytes(rows.max().unwrap_or(0));
        let in_use = memory_in_use().unwrap_or(0);
        let left = run.options.limits.memory.0.saturating_sub(in_use);
        if left < writer {
            run.session.watched.needed(in_use + writer);
            run.session.control.stop(StopReason::MemoryBudget);
            return Err(EngineError::Stopped(StopReason::MemoryBudget).into());
        }
        Ok((left / 2 / writer).max(1) as usize)
    }

    /// Returns whether a row before this rank refutes the law, so that later rows are not made.
    fn is_refuted_before(&self, rank: u64) -> bool {
        let refuted = lock(&self.refuted);
        refuted.as_ref().is_some_and(|refuted| refuted.rank < rank)
    }

    /// Makes the rows of a part that take at most `positions` positions each. A part in which rows
    /// are left is written with those that have a value, and set aside unless the rest exceeds the
    /// run's limit.
    fn make_part(
        &self,
        part: u32,
        ranks: Range<u64>,
        positions: u64,
        workers: &Workers<'_>,
        labels: &MemberColumns<'_>,
    ) -> Result<(), RunError> {
        let MakeRows { task, parts, .. } = self;
        let first = ranks.start;
        let before = lock(&self.aside).remove(&part);
        let is_new =
            |rank: &u64| (before.as_ref()).is_none_or(|before| before.binary_search(rank).is_ok());
        let rows = rows_of(&ranks);
        let found_before = before.as_ref().map_or(0, |open| rows - open.len() as u64);
        let made = AtomicU64::new(found_before);
        let mut writer = parts.part_writer(part)?;
        let arena = workers.evaluator.arena();
        let mut forms = FormCollector::new(arena);
        let law = task.law.as_ref();
        let mut law = law.map(|law| law.test(&parts.run.job.name, arena));
        let mut refuted = None;
        let costs = RowCosts {
            task,
            swept: workers.swept.is_some(),
        };
        let averages = costs.averages(&ranks);
        // So an attempt at a row takes a fraction of the time in which the part is written again.
        let positions = positions.max(rows / ROUND_FACTOR);
        let is_useless = || self.is_refuted_before(first);
        let attempt = Attempt {
            positions,
            limit: parts.row_limit,
            watched: &parts.run.session.watched,
            is_useless: &is_useless,
        };
        let mut members = task.family.iter_range(ranks.clone());
        let count = |member: &Member| {
            if !is_new(&member.rank) {
                return;
            }
            parts.run.session.count_rows(1);
            let made = made.fetch_add(1, Relaxed) + 1;
            let place = u128::from(made) * u128::from(WHOLE_PART) / u128::from(rows);
            // The file of a part whose rows are all made is not written yet.
            self.furthest
                .fetch_max((place as u64).min(WHOLE_PART - 1), Relaxed);
            let row_cost = averages[member.source];
            let row_cost = row_cost.unwrap_or_else(|| costs.of_row(member.rank, &member.position));
            let evaluated = workers.evaluator.control().evaluated();
            if before.is_some() {
                // The rounds before took this together.
                let positions = positions / (ROUND_FACTOR - 1);
                parts.run.session.tracker.take_up(positions);
            }
            parts.run.session.tracker.add_row(row_cost, evaluated);
        };
        // The rows without a value, and how many of them exceed the run's limit.
        let (mut open, mut over_limit) = (Vec::new(), 0);
        let mut is_stopped = false;
        let mut earlier = self.earlier.reader();
        loop {
            let chunk: Vec<Member> = members.by_ref().take(CHUNK_ROWS as usize).collect();
            if is_useless() {
                return Ok(());
            }
            if chunk.is_empty() {
                break;
            }
            let kept = earlier.of_members(&chunk, labels, arena)?;
            let others = chunk.iter().zip(&kept).filter(|(_, kept)| kept.is_none());
            let others: Vec<&Member> = others.map(|(member, _)| member).collect();
            let tried = workers.rows_tried(
                &others,
                &attempt,
                |member| &member.position,
                |worker, member, positions_max| {
                    let row = worker.row(&member.position, Some(member), labels, positions_max)?;
                    if row.is_some() {
                        count(member);
                    }
                    Ok(row)
                },
            )?;
            let mut tried = tried.into_iter();
            for (member, kept) in chunk.iter().zip(kept) {
                let tried = match kept {
                    Some(row) => {
                        count(member);
                        Tried::Made(row)
                    }
                    None => tried.next().expect("a row that is not kept was tried"),
                };
                is_stopped |= matches!(tried, Tried::Stopped);
                let missing = match tried {
                    Tried::Made(row) => {
                        let row = row.collected(&mut forms, &mut |row| writer.push_form(row))?;
                        if let Some(law) = law.as_mut().filter(|_| refuted.is_none()) {
                            refuted = law.refuted_by(member.rank, &row);
                        }
                        writer.push(&(self.of)(row))?;
                        continue;
                    }
                    Tried::OverLimit => Missing::Limit,
                    Tried::SetAside | Tried::Stopped => Missing::Unfinished,
                };
                over_limit += u64::from(missing == Missing::Limit);
                open.push(member.rank);
                let row = labels.unvalued(&member.position, Some(member), Some(missing));
                writer.push(&(self.of)(row))?;
            }
            if is_stopped && made.load(Relaxed) == found_before {
                // There is nothing new to write.
                return parts.check_stop();
            }
        }
        let is_left = open.len() as u64 > over_limit;
        if open.is_empty() || !is_left || rows - open.len() as u64 > found_before {
            let limit = parts.row_limit.filter(|_| !is_left);
            let record = writer.commit_limited(limit)?;
            tracing::debug!(
                part,
                rows = record.files.rows(),
                open = open.len(),
                "wrote a part"
            );
        }
        if is_stopped {
            return parts.check_stop();
        }
        if is_left {
            let spent = positions.saturating_mul(open.len() as u64 - over_limit);
            parts.run.session.tracker.set_aside(spent);
            lock(&self.aside).insert(part, open);
            return Ok(());
        }
        if let Some(counts) = labels.counts {
            counts.forget(ranks);
        }
        self.furthest.fetch_max(WHOLE_PART, Relaxed);
        if let Some(found) = refuted
            && !self.is_refuted_before(found.rank)
        {
            *lock(&self.refuted) = Some(found);
        }
        Ok(())
    }
}

/// The cost of rows, for the time left.
struct RowCosts<'w> {
    task: &'w StripTask,
    /// Whether a sweep finds the values of family members that have all positions.
    swept: bool,
}

impl RowCosts<'_> {
    /// Adds the cost of the rows left to the estimate, and that of the sweep through all rows of at
    /// most `pots` pots.
    fn expect(&self, parts: &Parts<'_>, pots: Option<u32>) {
        let tracker = &parts.run.session.tracker;
        if let Some(order) = pots.and_then(|pots| ByPots::new(pots as usize)) {
            tracker.expect(order.positions());
        }
        let family = &self.task.family;
        let mut total = 0u64;
        for (_, ranks) in parts.left() {
            for ((_, ranks), average) in self.by_subfamily(&ranks).zip(self.averages(&ranks)) {
                total = total.saturating_add(match average {
                    Some(average) => average.saturating_mul(rows_of(&ranks)),
                    None => ranks
                        .map(|rank| self.of_row(rank, &family.get(rank).position))
                        .fold(0, u64::saturating_add),
                });
            }
        }
        tracker.expect(total);
        if !last_rows(family).all(|(subfamily, last)| self.is_steady(subfamily, &last)) {
            // Rows that exceed a limit take less than they would, and costs that are all the same order no rows.
            if parts.row_limit.is_none() && total > parts.rows_left() {
                tracker.expect_growth();
            } else {
                tracker.expect_unknown();
            }
        }
    }

    /// Returns whether the estimated costs of a subfamily's rows are accurate within a factor
    /// of three.
    fn is_steady(&self, subfamily: &Subfamily, last: &AnyBoard) -> bool {
        let is_swept = |row: &AnyBoard| self.task.game.is_swept() && is_swept(row);
        is_near(subfamily)
            || match subfamily {
                Subfamily::Sample(_) => true,
                Subfamily::List(rows) => rows.iter().all(is_swept),
                _ => is_swept(last),
            }
    }

    /// Returns the subfamilies, each with its ranks among these.
    fn by_subfamily(&self, ranks: &Range<u64>) -> impl Iterator<Item = (&Subfamily, Range<u64>)> {
        let within = ranks.clone();
        let mut start = 0;
        self.task.family.subfamilies().iter().map(move |subfamily| {
            let ranks = start..start + subfamily.len();
            start = ranks.end;
            let first = within.start.max(ranks.start);
            (subfamily, first..within.end.min(ranks.end).max(first))
        })
    }

    /// Returns the mean cost of a row of each subfamily among some ranks; `None` if it is computed
    /// for each row.
    fn averages(&self, ranks: &Range<u64>) -> Vec<Option<u64>> {
        let averages = self
            .by_subfamily(ranks)
            .map(|(subfamily, ranks)| match subfamily {
                Subfamily::All(_) if self.swept => Some(WRITING_COST),
                _ if ranks.is_empty() => Some(0),
                Subfamily::Pattern(_) | Subfamily::List(_) | Subfamily::Rectangles(_)
                    if subfamily.len() <= PATTERN_ROWS_MAX =>
                {
                    None
                }
                _ => Some((cost(self.task, &ranks) / rows_of(&ranks)).max(1)),
            });
        averages.collect()
    }

    fn of_row(&self, rank: u64, row: &AnyBoard) -> u64 {
        if self.task.game.is_swept() && is_swept(row) {
            1
        } else {
            cost(self.task, &(rank..rank + 1))
        }
    }
}

/// Returns the intersections of some ranges with these ranks.
fn within(ranges: impl Iterator<Item = Range<u64>>, ranks: &Range<u64>) -> Vec<Range<u64>> {
    ranges
        .map(|range| range.start.max(ranks.start)..range.end.min(ranks.end))
        .filter(|ranks| !ranks.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::task::Job;

    fn parts(game: &str, play: &str, family: &str) -> Vec<Range<u64>> {
        let text = format!(
            "name = \"a\"\n[ruleset]\ngame = \"{game}\"\nplay = \"{play}\"\n[family]\n{family}\n"
        );
        let job = Job::parse(&text, Path::new("a.toml"), Path::new("")).unwrap();
        job.task_as::<StripTask>().expect("positions").parts()
    }

    #[test]
    fn long_jobs_have_parts_and_short_ones_one() {
        let of_three_pots = |most: u32| {
            let range = format!("\"1..={most}\"");
            let family = format!("pattern = \"x y z\"\nx = {range}\ny = {range}\nz = {range}");
            parts("atomic-wari", "partisan", &family)
        };
        assert_eq!(of_three_pots(4).len(), 1);
        let long = of_three_pots(9);
        assert!((50..=PARTS_BY_COST).contains(&long.len()), "{}", long.len());
        assert_eq!(
            long.last(),
            Some(&(728..729)),
            "the costliest row is a part of its own"
        );
        assert!(long.is_sorted_by(|a, b| a.end == b.start) && long[0].start == 0);
        assert!(
            (2..20)
                .contains(&parts("sowing", "partisan", "pattern = \"1^n\"\nn = \"1..=16\"").len())
        );
        assert_eq!(
            parts("sowing", "partisan", "pattern = \"1^n\"\nn = \"1..=12\"").len(),
            1
        );
        // Rows of swept families cost the same, and are cut by number alone.
        assert_eq!(
            parts("sowing", "impartial", "all = { pots_max = 9 }").len(),
            63
        );
    }

    #[test]
    fn ranks_outside_of_the_ranges_left_are_left_out() {
        let left = |ranks: Range<u64>| within([10..20, 30..34].into_iter(), &ranks);
        assert_eq!(left(0..34), [10..20, 30..34]);
        assert_eq!(left(15..32), [15..20, 30..32]);
        assert!(left(0..10).is_empty());
        assert!(left(20..30).is_empty());
        assert!(left(12..12).is_empty());
    }
}
