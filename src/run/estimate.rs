//! What is left of a job takes about: disk, memory and time, from [estimated cost](super::cost) and measured rates.
//!
//! Unlike [`DiskNeed`], which a run is refused by, these are no bounds. What is not known says why.
//!
//! The rates in this file were measured on two cores of an AMD EPYC (a virtual machine). [`measure`] finds those of the machine at
//! hand: of jobs that are searched, rows are evaluated in the order of their estimated cost, and the number of
//! positions is fitted to a power of their cost so far; of others, the job itself runs for some seconds in a folder that is removed.

use std::path::Path;
use std::sync::Mutex;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use bytesize::ByteSize;

use super::cost::{cost, row_cost, whole};
use super::dispatch::{Visitor, dispatch};
use super::plan::{Checkpoints, finished_ranks};
use super::stage::WRITING_COST;
use super::stored::Stored;
use super::sweeps::positions_of;
use super::worker::Workers;
use super::{DiskNeed, Observer, Options, Outcome, Plan, Progress, RunError, Signals, witness};
use crate::dataset::DatasetError;
use crate::engine::{Engine, EngineError, Memo, NothingKnown, StopReason};
use crate::family::Part;
use crate::job::{Job, StripTask, Task};
use crate::ruleset::row::{Pot, Row};
use crate::ruleset::{ByPots, Game, Play, Ruleset, SweepOrder};
use crate::value::{Notation, lock};

/// How long [`measure`] works, about.
pub const MEASURE_TIME: Duration = Duration::from_secs(5);

/// Positions that one thread searches in a second. Unit: 1/s. Small families go at 0.5 million on an idle core; `x y` of 53
/// million positions, whose tables no cache holds, at 0.25, and on busy cores at 0.12.
const SEARCHED_A_SECOND: f64 = 250_000.0;

/// Jobs of fewer positions, as estimated, take about a second even where that is 30 times too low.
const LITTLE: u64 = 10_000;

/// Positions that one thread sweeps in a second, mirror images not counted; of rows that it writes each counts as
/// [`WRITING_COST`]. Unit: 1/s. All rows of 9 pots went at 0.9 million on busy cores and at 4.1 on quiet ones; `1^14`, which
/// needs canonical forms, at 0.4 and 1.6.
const SWEPT_A_SECOND: f64 = 1_500_000.0;

/// A value in the store with its key, and a form. Unit: bytes. Stores of 50 thousand to 34 million values have 13.5 to 14 and
/// some 16.
const STORED_BYTES: [f64; 2] = [14.0, 16.0];

/// A store of a few values. Unit: bytes.
const STORE_BYTES: f64 = 20_900.0;

/// Forms for each position, of most games and of partisan Sowing, of whose values many are no numbers.
const FORMS: [f64; 2] = [0.02, 0.35];

/// A position in memory with its part of the forms: searched, and swept impartially and partisanly.
///
/// Unit: bytes. 0.5 to 53 million searched had 36 to 100 each, `1^14` and `1^17` have 12 and 14, all impartial rows of 9
/// pots 3.
const HELD_BYTES: [f64; 3] = [50.0, 3.0, 14.0];

/// What a run takes in memory before its positions, with the writers of its rows. Unit: bytes.
const BASE_BYTES: f64 = 10e6;

/// The part of values in the checkpoint of a sweep, of impartial and of partisan play with its forms. Unit: bytes.
const SWEEP_BYTES: [f64; 2] = [2.0, 14.0];

/// What is about so much, or why that is not known.
pub type About<T> = Result<T, String>;

/// What is left of a job takes about so much.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// The positions to be evaluated, or the rows of other jobs to be worked out.
    pub positions: About<u64>,
    /// In the folder of the result sets, checkpoints not counted.
    pub results: About<ByteSize>,
    /// In the store.
    pub store: About<ByteSize>,
    /// In checkpoints, at their largest.
    pub checkpoints: About<ByteSize>,
    /// The most memory.
    pub memory: About<ByteSize>,
    /// The time.
    pub time: About<Duration>,
}

/// What [`measure`] found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    /// The positions that all of the job takes, by the growth of what was evaluated.
    positions: Option<f64>,
    /// The seconds that all of the job takes on the threads measured with, or why they are not known.
    seconds: Option<f64>,
    why_not: Option<&'static str>,
    /// The bytes of memory that the measurement took at most, where these are all there is to take.
    memory: Option<u64>,
    /// Forms for each position.
    forms: Option<f64>,
}

/// How positions get their values.
enum Way {
    Searched,
    /// By sweeps of so many positions, mirror images not counted.
    Swept {
        positions: u64,
    },
    Plain,
}

/// Returns about what is left of a job takes, with so many threads and so much memory.
pub fn estimate(
    job: &Job,
    plan: &Plan,
    checkpoints: &Checkpoints,
    measured: Option<&Measured>,
    threads: usize,
    memory: ByteSize,
) -> Estimate {
    let need = DiskNeed::of(job, plan);
    let done = plan.status.as_ref().map_or(0, |status| status.rows);
    let rows = plan.rows.saturating_sub(done);
    let is_done = rows == 0;
    let left = 1.0 - part_done(job, plan, checkpoints);
    let bytes = |bytes: f64| Ok(ByteSize(bytes as u64));
    let way = way(job);
    let witness = is_witness(job);
    let results = match witness && !is_done {
        true => {
            Err("a census has a row for each value, and how many occur is not known".to_owned())
        }
        // Finished result sets have up to twice the least.
        false => bytes(need.results.0 as f64 * 1.3),
    };
    if is_done {
        let nothing = || bytes(0.0);
        return Estimate {
            positions: Ok(0),
            results: nothing(),
            store: nothing(),
            checkpoints: nothing(),
            memory: nothing(),
            time: Ok(Duration::ZERO),
        };
    }
    let play = job.strips().map(|strips| strips.task.play);
    let partisan = usize::from(play == Some(Play::Partisan));
    let threads = threads.max(1) as f64;
    let found = measured.cloned().unwrap_or_default();
    let unknown = || match (found.why_not, measured) {
        (Some(why), _) => why.to_owned(),
        (None, Some(_)) => "it was measured for too short a time".to_owned(),
        (None, None) => "plan --measure finds out".to_owned(),
    };
    let time =
        |seconds: f64| Duration::try_from_secs_f64(seconds).map_err(|_| "centuries".to_owned());
    match way {
        Way::Searched => {
            let all = match found.positions {
                Some(positions) => Ok(positions),
                None if is_near(job) => Ok(whole(job) as f64),
                None => Err(unknown()),
            };
            let sowing = partisan == 1 && is_sowing(job);
            let forms = found.forms.unwrap_or(FORMS[usize::from(sowing)]);
            let a_position = STORED_BYTES[0] + forms * STORED_BYTES[1];
            let of_all = |of: &dyn Fn(f64) -> f64| all.clone().map(of);
            Estimate {
                positions: of_all(&|all| all * left).map(|positions| positions as u64),
                results,
                store: of_all(&|all| STORE_BYTES + all * left * a_position).and_then(bytes),
                // What is found goes to the store.
                checkpoints: bytes(0.0),
                // The memo forgets what is stored where it has grown to a quarter of the budget; forms stay.
                memory: of_all(&|all| (BASE_BYTES + all * HELD_BYTES[0]).min(memory.0 as f64))
                    .and_then(bytes),
                time: of_all(&|all| {
                    let seconds = found.seconds.unwrap_or(all / SEARCHED_A_SECOND / threads);
                    seconds * left
                })
                .and_then(time),
            }
        }
        Way::Swept { positions } => {
            let swept = positions as f64;
            // Of a census few rows are written.
            let written = if witness { 0 } else { plan.rows * WRITING_COST };
            let seconds = left
                * match found.seconds {
                    Some(seconds) => seconds,
                    None => (swept + written as f64) / SWEPT_A_SECOND / threads,
                };
            Estimate {
                positions: Ok((swept * left) as u64),
                results,
                store: match partisan {
                    0 => bytes(STORE_BYTES + need.store.0 as f64),
                    _ => Err("how large the forms of a few values are is not known".to_owned()),
                },
                checkpoints: bytes(match seconds > super::CHECKPOINT_INTERVAL.as_secs_f64() {
                    true => swept * SWEEP_BYTES[partisan],
                    false => 0.0,
                }),
                memory: bytes(BASE_BYTES + swept * HELD_BYTES[1 + partisan]),
                time: time(seconds),
            }
        }
        Way::Plain => Estimate {
            positions: Ok(rows),
            results,
            store: bytes(0.0),
            checkpoints: Err("how much is in hand at a checkpoint is not known".to_owned()),
            memory: found.memory.map(ByteSize).ok_or_else(unknown),
            time: match found.seconds {
                Some(seconds) => time(seconds * left),
                None => Err(unknown()),
            },
        },
    }
}

/// Returns how much of a job's work is finished, from 0 to 1: by the estimated cost of its rows, and of a sweep by the
/// positions in its checkpoint, if that is more.
fn part_done(job: &Job, plan: &Plan, checkpoints: &Checkpoints) -> f64 {
    let of = |part: u64, whole: u64| part.min(whole) as f64 / whole.max(1) as f64;
    let rows = plan.status.as_ref().map_or(0, |status| status.rows);
    let ranks = finished_ranks(job, plan);
    let by_rows = match ranks.is_empty() {
        true => of(rows, plan.rows),
        false => of(
            ranks.iter().map(|ranks| cost(job, ranks)).sum(),
            cost(job, &(0..job.task.rows())),
        ),
    };
    let by_sweep = match way(job) {
        Way::Swept { positions } => {
            let written = if is_witness(job) { 0 } else { WRITING_COST };
            let valued = checkpoints.sweeps.iter().map(|sweep| sweep.valued / 2);
            of(
                valued.sum::<u64>() + written * rows,
                positions + written * plan.rows,
            )
        }
        _ => 0.0,
    };
    // Rows in checkpoints cost what others do on average.
    (by_rows + of(checkpoints.rows, plan.rows))
        .max(by_sweep)
        .min(1.0)
}

fn is_witness(job: &Job) -> bool {
    job.strips()
        .is_some_and(|strips| strips.task.witness.is_some())
}

fn is_sowing(job: &Job) -> bool {
    job.strips()
        .is_some_and(|strips| strips.task.game == Game::Sowing)
}

/// Returns how a job's positions get their values, as its run decides.
fn way(job: &Job) -> Way {
    let Some(strips) = job.strips() else {
        return Way::Plain;
    };
    let task = strips.task;
    if let Some(spec) = &task.witness {
        return match witness::swept(task, spec) {
            Some(positions) => Way::Swept { positions },
            None => Way::Searched,
        };
    }
    if task.game != Game::Sowing {
        return Way::Searched;
    }
    let of_pots = task.family.parts().iter().filter_map(|part| match part {
        Part::All(all) => all.bounds().pots_max,
        _ => None,
    });
    let order = of_pots.max().and_then(|pots| ByPots::new(pots as usize));
    match order {
        Some(order) if task.play == Play::Impartial && task.family.len() >= order.cells() / 16 => {
            Way::Swept {
                positions: positions_of(&order),
            }
        }
        None if is_all_ones(task) && whole(job) > LITTLE => Way::Swept {
            positions: whole(job),
        },
        _ => Way::Searched,
    }
}

/// Returns whether the estimated cost is within a factor of three: of all positions within bounds, of Atomic Wari with
/// two pots, and where there is little to do. Of other patterns it was up to 30 times off.
fn is_near(job: &Job) -> bool {
    whole(job) <= LITTLE
        || job.strips().is_some_and(|strips| {
            last_rows(strips.task).all(|(part, row)| match part {
                Part::All(_) => true,
                Part::Pattern(_) => strips.task.game != Game::Sowing && row.pots.len() <= 2,
                _ => false,
            })
        })
}

/// Returns whether the rows are rows of ones, by the last one of each pattern.
fn is_all_ones(task: &StripTask) -> bool {
    last_rows(task).all(|(part, row)| {
        matches!(part, Part::Pattern(_)) && row.pots.iter().all(|pot| *pot == Pot::Seeds(1))
    })
}

/// Returns the parts of a family that have rows, with the last row of each.
fn last_rows(task: &StripTask) -> impl Iterator<Item = (&Part, Row)> {
    let mut end = 0;
    let parts = task.family.parts().iter().filter(|part| !part.is_empty());
    parts.map(move |part| {
        end += part.len();
        (part, task.family.get(end - 1).row)
    })
}

/// Measures how fast a job goes on this machine, for about [`MEASURE_TIME`]; writes nothing that stays.
///
/// # Errors
///
/// Where the job cannot be run.
pub fn measure(job: &Job, options: &Options, signals: &Signals) -> Result<Measured, RunError> {
    match (&job.task, way(job)) {
        (Task::Strips(task), Way::Searched) if task.witness.is_none() => {
            dispatch(task.game, task.play, Growth { task, options })
        }
        (_, way) => run_some(job, &way, options, signals),
    }
}

/// The most rows that are evaluated to see how cost grows.
const ROWS_TRIED: u64 = 4096;

/// Growth is read from the rows after which there were at least this part of the positions of the last one.
const LATE: f64 = 100.0;

/// Jobs that are so many times as large as what was measured go at half the rate: no cache holds their tables, and
/// their values are stored on the way. 53 million positions `x y` took 1.9 times as long each as 3 million.
const LARGE: f64 = 4.0;

/// Evaluates rows in the order of their estimated cost.
struct Growth<'a> {
    task: &'a StripTask,
    options: &'a Options,
}

impl Visitor for Growth<'_> {
    type Output = Result<Measured, RunError>;

    fn visit<R: Ruleset, V: Stored + Default>(self, ruleset: R) -> Self::Output {
        let family = &self.task.family;
        let step = family.len().div_ceil(ROWS_TRIED).max(1);
        let ranks = (0..family.len()).step_by(step as usize);
        let ranks = ranks.chain(family.len().checked_sub(1));
        let mut rows: Vec<(u64, Row)> = ranks
            .map(|rank| family.get(rank).row)
            .map(|row| (row_cost(self.task.game, &row), row))
            .collect();
        rows.sort_by_key(|(cost, _)| *cost);
        let engine: Engine<R, V> = Engine::with_memo(ruleset, V::default(), Memo::new(true));
        let workers = Workers::new(&engine, &NothingKnown, Notation::CgSuite, None);
        let started = Instant::now();
        let memory_max = self.options.memory.0 / 2;
        // The cost of the rows so far, and their positions.
        let mut points: Vec<(f64, f64)> = Vec::new();
        let mut cost_so_far = 0.0;
        let (_working, ends) = mpsc::channel::<()>();
        let engine_of_watch = &engine;
        let finished = thread::scope(|scope| {
            let working = _working;
            scope.spawn(move || {
                let engine = engine_of_watch;
                let bytes = || engine.memo.bytes_soon() + engine.valuation.arena().bytes();
                while ends.recv_timeout(Duration::from_millis(20)) == Err(RecvTimeoutError::Timeout)
                {
                    if started.elapsed() >= MEASURE_TIME || bytes() > memory_max {
                        engine.control.stop(StopReason::TimeLimit);
                    }
                }
            });
            let _working = working;
            let mut worker = workers.take();
            for (cost, row) in &rows {
                cost_so_far += *cost as f64;
                match worker.value(row, u64::MAX) {
                    Ok(_) => points.push((cost_so_far, engine.control.evaluated() as f64)),
                    Err(RunError::Engine(EngineError::Stopped(_))) => return Ok(false),
                    Err(error) => return Err(error),
                }
            }
            Ok(true)
        })?;
        let seconds = started.elapsed().as_secs_f64();
        let evaluated = engine.control.evaluated() as f64;
        let whole: f64 = rows.iter().map(|(cost, _)| *cost as f64).sum();
        let dearest = rows.last().map_or(1.0, |(cost, _)| *cost as f64);
        // One row is one thread's work.
        let threads = (whole / dearest).clamp(1.0, self.options.threads.max(1) as f64);
        let sampled = family.len() as f64 / rows.len().max(1) as f64;
        let is_pattern = family
            .parts()
            .iter()
            .all(|part| matches!(part, Part::Pattern(_)));
        let mut positions = match finished {
            true => evaluated,
            false => grown(&points, whole).max(evaluated),
        };
        if !is_pattern {
            // Rows that are no pattern share few followers.
            positions *= sampled.max(1.0);
        }
        let rate = evaluated / seconds.max(1e-3);
        let arena = engine.valuation.arena();
        // Rates of few positions are no measure.
        let enough = evaluated >= 10_000.0;
        let rate = match (enough, positions > LARGE * evaluated) {
            (false, _) => SEARCHED_A_SECOND,
            (true, false) => rate,
            (true, true) => rate / 2.0,
        };
        Ok(Measured {
            positions: Some(positions),
            seconds: Some(positions / rate / threads),
            forms: enough.then(|| arena.len() as f64 / evaluated),
            ..Measured::default()
        })
    }
}

/// Returns the positions at a cost, on the power law through the last points by least squares of logarithms.
fn grown(points: &[(f64, f64)], cost: f64) -> f64 {
    let Some(&(last_cost, last)) = points.last() else {
        return cost;
    };
    let late: Vec<(f64, f64)> = points
        .iter()
        .filter(|(_, positions)| *positions >= 1.0 && *positions >= last / LATE)
        .map(|(cost, positions)| (cost.ln(), positions.ln()))
        .collect();
    let slope = slope(&late).map_or(1.0, |slope| slope.clamp(0.3, 2.0));
    last * (cost / last_cost).powf(slope)
}

/// Returns the slope of the line through points by least squares; `None` where there is none.
fn slope(points: &[(f64, f64)]) -> Option<f64> {
    let n = points.len() as f64;
    let sum = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>();
    let (x, y) = (sum(|p| p.0), sum(|p| p.1));
    let (xx, xy) = (sum(|p| p.0 * p.0), sum(|p| p.0 * p.1));
    let spread = n * xx - x * x;
    (points.len() > 1 && spread > 1e-9).then(|| (n * xy - x * y) / spread)
}

/// The part of the work that a run reported to be done after some seconds.
struct Seen {
    points: Mutex<Vec<(f64, f64)>>,
    /// The positions that all of it takes; none where it is known by its rows.
    positions: Option<u64>,
}

impl Observer for Seen {
    fn progress(&self, _: &str, progress: &Progress) {
        let stage = &progress.stage;
        let (done, all) = match (stage.cost_total, self.positions) {
            (Some(cost), _) => (stage.cost_done, cost),
            (None, Some(positions)) => (progress.positions, positions),
            (None, None) => (progress.rows, progress.rows_total),
        };
        let part = done as f64 / all.max(1) as f64;
        lock(&self.points).push((progress.elapsed.as_secs_f64(), part));
    }
}

/// Runs a job for some seconds, in a folder of its own.
fn run_some(
    job: &Job,
    way: &Way,
    options: &Options,
    signals: &Signals,
) -> Result<Measured, RunError> {
    let folder = tempfile::tempdir()
        .map_err(|cause| DatasetError::io("make a folder in", &std::env::temp_dir())(cause))?;
    let below = |name: &str| -> std::path::PathBuf { Path::new(folder.path()).join(name) };
    let options = Options {
        deadline: Instant::now().checked_add(MEASURE_TIME),
        store: below("store"),
        out: below("results"),
        ..options.clone()
    };
    let searched = matches!(way, Way::Searched);
    let seen = Seen {
        points: Mutex::default(),
        positions: match way {
            Way::Searched => None,
            Way::Swept { positions } => Some(*positions),
            Way::Plain => Some(job.task.rows()),
        },
    };
    let outcome = super::run(job, &options, signals, &seen)?;
    let points = lock(&seen.points).clone();
    let uneven = matches!(job.task, Task::Reconstructions(_) | Task::Graphs(_));
    let steady = matches!(job.task, Task::Boards(_) | Task::Lengths(_));
    let (summary, part) = match outcome {
        Outcome::AlreadyDone { .. } => return Ok(Measured::default()),
        Outcome::Finished(summary) => (summary, 1.0),
        Outcome::Stopped(_, summary) => (summary, points.last().map_or(0.0, |last| last.1)),
    };
    let finished = part == 1.0;
    let why_not = match uneven {
        true => "rows differ too much to tell from the first ones",
        false => "too little was done in the time of a measurement",
    };
    Ok(Measured {
        positions: (searched && part > 0.0).then(|| summary.positions as f64 / part),
        seconds: match finished {
            true => Some(summary.elapsed.as_secs_f64()),
            false if uneven => None,
            false => seconds_for(&points, 1.0),
        },
        memory: (finished || steady).then_some(summary.bytes_max),
        why_not: Some(why_not),
        ..Measured::default()
    })
}

/// Returns the seconds after which so much is done, by the power of the time that the second half of a run went with.
fn seconds_for(points: &[(f64, f64)], total: f64) -> Option<f64> {
    let &(seconds, done) = points.last()?;
    let late: Vec<(f64, f64)> = points
        .iter()
        .filter(|(at, done)| *at >= seconds / 2.0 && *done > 0.0)
        .map(|(at, done)| (at.ln(), done.ln()))
        .collect();
    let power = slope(&late)?.clamp(0.3, 1.5);
    Some(seconds * (total / done).powf(1.0 / power))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn power_laws_are_continued() {
        let points: Vec<(f64, f64)> = (1..20)
            .map(|n| (2f64.powi(n), 3.0 * 1.5f64.powi(n)))
            .collect();
        let found = grown(&points, 2f64.powi(30));
        let expected = 3.0 * 1.5f64.powi(30);
        assert!((found / expected - 1.0).abs() < 0.01, "{found} {expected}");
        // One point alone: as the cost.
        assert!((grown(&[(10.0, 50.0)], 100.0) - 500.0).abs() < 1e-6);
        // Half as fast by and by: the square root of the time.
        let seen: Vec<(f64, f64)> = (1..100)
            .map(|i| (f64::from(i) / 20.0, f64::from(i).sqrt()))
            .collect();
        let found = seconds_for(&seen, 99f64.sqrt() * 10.0).unwrap();
        assert!(
            (found / (99.0 / 20.0 * 100.0) - 1.0).abs() < 0.05,
            "{found}"
        );
        assert_eq!(seconds_for(&[], 1.0), None);
    }
}
