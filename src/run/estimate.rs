//! What is left of a job takes about: disk, memory and time, from [estimated cost](super::cost) and measured rates.
//!
//! Unlike [`DiskNeed`], which a run is refused by, these are no bounds. What is not known says why.
//!
//! The rates in this file were measured on two cores of an AMD EPYC (a virtual machine). [`measure`] finds those of the machine at
//! hand: of jobs that are searched, rows are evaluated in the order of their estimated cost, and the number of
//! positions is fitted to a power of it; of others, the job itself runs for some seconds in a folder that is removed.

use std::path::Path;
use std::sync::Mutex;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use bytesize::ByteSize;

use super::cost::{row_cost, whole};
use super::dispatch::{Visitor, dispatch};
use super::stored::Stored;
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

/// Positions that one thread searches in a second. Unit: 1/s. `x y`, `2^8` and `9 9 9` have 0.43 to 0.5 million.
const SEARCHED_A_SECOND: f64 = 450_000.0;

/// Positions that one thread sweeps in a second, of impartial and of partisan play. Unit: 1/s. All rows of 9 pots have 1.4
/// million; `1^13` has 2.1 million and `1^17`, whose forms are many, half a million.
const SWEPT_A_SECOND: [f64; 2] = [1_400_000.0, 700_000.0];

/// Rows of values that are known which one thread writes in a second. Unit: 1/s.
const ROWS_A_SECOND: f64 = 800_000.0;

/// A value in the store with its key, and a form. Unit: bytes. Stores of 50 thousand to 34 million values have 13.5 to 14 and
/// some 16.
const STORED_BYTES: [f64; 2] = [14.0, 16.0];

/// A position in memory with its part of the forms: searched, and swept impartially and partisanly.
///
/// Unit: bytes. 34 million searched had 50 each, `1^17` has 14, all impartial rows of 9 pots 2.
const HELD_BYTES: [f64; 3] = [50.0, 2.0, 14.0];

/// What a run takes in memory before its positions, with the writers of its rows. Unit: bytes.
const BASE_BYTES: f64 = 64e6;

/// The part of values in the checkpoint of a sweep, of impartial and of partisan play with its forms. Unit: bytes.
const SWEEP_BYTES: [f64; 2] = [1.0, 14.0];

/// What is about so much, or why that is not known.
pub type About<T> = Result<T, String>;

/// What is left of a job takes about so much.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// The positions to be evaluated, or the rows of other jobs to be worked out.
    pub positions: u64,
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
    /// Bytes of memory, and forms, for each position.
    a_position: Option<(f64, f64)>,
}

/// How positions get their values.
enum Way {
    Searched,
    Swept { cells: u64 },
    Plain,
}

/// Returns about what is left of a job takes, with so many threads and so much memory.
pub fn estimate(
    job: &Job,
    plan: &Plan,
    measured: Option<&Measured>,
    threads: usize,
    memory: ByteSize,
) -> Estimate {
    let need = DiskNeed::of(job, plan);
    let done = plan.status.as_ref().map_or(0, |status| status.rows);
    let rows = plan.rows.saturating_sub(done);
    let is_done = rows == 0;
    let left = rows as f64 / plan.rows.max(1) as f64;
    let bytes = |bytes: f64| Ok(ByteSize(bytes as u64));
    let way = way(job);
    let witness = job
        .strips()
        .is_some_and(|strips| strips.task.witness.is_some());
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
            positions: 0,
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
            let positions = match found.positions {
                // Rows left share followers with those that are finished: the dearest decides.
                Some(positions) => positions,
                None => whole(job) as f64,
            };
            let (held, forms) = found.a_position.unwrap_or((
                HELD_BYTES[0],
                [0.02, 0.35][usize::from(partisan == 1 && is_sowing(job))],
            ));
            let seconds = match found.seconds {
                Some(seconds) => seconds,
                None => positions / SEARCHED_A_SECOND / threads,
            };
            Estimate {
                positions: positions as u64,
                results,
                store: bytes(positions * (STORED_BYTES[0] + forms * STORED_BYTES[1])),
                // What is found goes to the store.
                checkpoints: bytes(0.0),
                // The memo forgets what is stored where it has grown to a quarter of the budget; forms stay.
                memory: bytes((BASE_BYTES + positions * held).min(memory.0 as f64)),
                time: time(seconds + rows as f64 / ROWS_A_SECOND / threads),
            }
        }
        Way::Swept { cells } => {
            let cells = cells as f64;
            let seconds = match found.seconds {
                Some(seconds) => seconds,
                None => cells / SWEPT_A_SECOND[partisan] / threads,
            };
            Estimate {
                positions: cells as u64,
                results,
                store: bytes(need.store.0 as f64),
                checkpoints: bytes(match seconds > super::CHECKPOINT_INTERVAL.as_secs_f64() {
                    true => cells * SWEEP_BYTES[partisan],
                    false => 0.0,
                }),
                memory: bytes(BASE_BYTES + cells * HELD_BYTES[1 + partisan]),
                time: time(seconds + rows as f64 / ROWS_A_SECOND / threads),
            }
        }
        Way::Plain => Estimate {
            positions: rows,
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
        return match witness::swept_cells(task, spec) {
            Some(cells) => Way::Swept { cells },
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
                cells: order.cells(),
            }
        }
        None if is_all_ones(task) => Way::Swept { cells: whole(job) },
        _ => Way::Searched,
    }
}

/// Returns whether the rows are rows of ones, by the last one of each pattern.
fn is_all_ones(task: &StripTask) -> bool {
    let mut end = 0;
    task.family.parts().iter().all(|part| {
        end += part.len();
        let is_pattern = matches!(part, Part::Pattern(_)) && !part.is_empty();
        is_pattern && {
            let row = task.family.get(end - 1).row;
            row.pots.iter().all(|pot| *pot == Pot::Seeds(1))
        }
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
const ROWS_TRIED: u64 = 256;

/// The last rows that growth is read from.
const POINTS: usize = 8;

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
        // Cost, positions so far.
        let mut points: Vec<(f64, f64)> = Vec::new();
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
                match worker.value(row, u64::MAX) {
                    Ok(_) => points.push((*cost as f64, engine.control.evaluated() as f64)),
                    Err(RunError::Engine(EngineError::Stopped(_))) => return Ok(false),
                    Err(error) => return Err(error),
                }
            }
            Ok(true)
        })?;
        let seconds = started.elapsed().as_secs_f64();
        let evaluated = engine.control.evaluated() as f64;
        let dearest = rows.last().map_or(1.0, |(cost, _)| *cost as f64);
        // Of rows that cost alike the last one counts, when the followers of all are known.
        points.dedup_by(|later, earlier| {
            let alike = later.0 == earlier.0;
            if alike {
                earlier.1 = later.1;
            }
            alike
        });
        let sampled = family.len() as f64 / rows.len().max(1) as f64;
        let is_pattern = family
            .parts()
            .iter()
            .all(|part| matches!(part, Part::Pattern(_)));
        let mut positions = match finished {
            true => evaluated,
            false => grown(&points, dearest).max(evaluated),
        };
        if !is_pattern {
            // Rows that are no pattern share few followers.
            positions *= sampled.max(1.0);
        }
        let rate = evaluated / seconds.max(1e-3);
        let arena = engine.valuation.arena();
        // Rates of few positions are no measure.
        let enough = evaluated >= 10_000.0;
        let rate = if enough { rate } else { SEARCHED_A_SECOND };
        let bytes = (engine.memo.bytes() + arena.bytes()) as f64;
        Ok(Measured {
            positions: Some(positions),
            seconds: Some(positions / rate / self.options.threads.max(1) as f64),
            a_position: enough.then(|| (bytes / evaluated, arena.len() as f64 / evaluated)),
            ..Measured::default()
        })
    }
}

/// Returns the positions at a cost, on the power law through the last points by least squares of logarithms.
fn grown(points: &[(f64, f64)], cost: f64) -> f64 {
    let points: Vec<(f64, f64)> = points
        .iter()
        .filter(|(cost, positions)| *cost > 1.0 && *positions >= 1.0)
        .map(|(cost, positions)| (cost.ln(), positions.ln()))
        .collect();
    let last = &points[points.len().saturating_sub(POINTS)..];
    match (last.last(), slope(last)) {
        (Some(&(x, y)), Some(slope)) => (y + slope.clamp(0.3, 2.0) * (cost.ln() - x)).exp(),
        (Some(&(x, y)), None) => (y + cost.ln() - x).exp(),
        (None, _) => cost,
    }
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

/// What a run was seen to have done after some seconds.
#[derive(Default)]
struct Seen(Mutex<Vec<(f64, f64)>>);

impl Observer for Seen {
    fn progress(&self, _: &str, progress: &Progress) {
        let seen = (progress.elapsed.as_secs_f64(), progress.positions as f64);
        lock(&self.0).push(seen);
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
    let seen = Seen::default();
    let outcome = super::run(job, &options, signals, &seen)?;
    let points = lock(&seen.0).clone();
    let total = match way {
        Way::Swept { cells } => *cells,
        _ => job.task.rows(),
    } as f64;
    let uneven = matches!(job.task, Task::Reconstructions(_) | Task::Graphs(_));
    Ok(match outcome {
        Outcome::Finished(summary) | Outcome::Stopped(_, summary)
            if matches!(way, Way::Searched) && summary.positions > 0 =>
        {
            let seconds = summary.elapsed.as_secs_f64();
            Measured {
                positions: Some(total.max(summary.positions as f64)),
                seconds: Some(seconds * total / summary.positions as f64),
                ..Measured::default()
            }
        }
        Outcome::Finished(summary) => Measured {
            seconds: Some(summary.elapsed.as_secs_f64()),
            memory: Some(summary.bytes_max),
            ..Measured::default()
        },
        _ if uneven => Measured {
            why_not: Some("rows differ too much to tell from the first ones"),
            ..Measured::default()
        },
        Outcome::Stopped(_, summary) => {
            let steady = matches!(job.task, Task::Boards(_) | Task::Lengths(_));
            Measured {
                seconds: seconds_for(&points, total),
                memory: steady.then_some(summary.bytes_max),
                why_not: Some("too little was done in the time of a measurement"),
                ..Measured::default()
            }
        }
        Outcome::AlreadyDone { .. } => Measured::default(),
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
