//! Estimates of the disk space, memory and time of a job.
//!
//! Unlike [`DiskNeed`], which can refuse a run, these are no bounds. The number of positions comes from
//! the [estimated cost](super::cost) of a job if that is near; the bytes of a position were measured over
//! finished jobs and are recorded here. The time depends on the machine and is only known when
//! [measured](measure()).

mod growth;
mod measure;

use std::time::Duration;

use bytesize::ByteSize;

pub use self::measure::{MEASURE_TIME, measure};
use super::cost::{cost, is_near, last_rows, whole};
use super::plan::{Checkpoints, finished_ranks, rows_of, shards};
use super::stage::WRITING_COST;
use super::sweeps::{positions_of, worth_sweeping};
use super::{DiskNeed, Plan, witness};
use crate::board::row::Pot;
use crate::dataset::writer_bytes;
use crate::family::Part;
use crate::game::Play;
use crate::job::{Job, StripTask, Task};

/// A job of fewer estimated positions is small enough even if the estimate is 30 times too low.
const LITTLE: u64 = 10_000;

/// A value in the store with its key, and a form. Unit: bytes. Stores of 50 thousand to 34 million values have 13.5 to 14 and
/// some 16.
const STORED_BYTES: [f64; 2] = [14.0, 16.0];

/// A store of a few values. Unit: bytes. Without forms it has 8,600.
const STORE_BYTES: f64 = 15_000.0;

/// Forms for each position, of most games and of partisan Sowing, of whose values many are no numbers.
const FORMS: [f64; 2] = [0.02, 0.35];

/// A position in memory with its part of the forms: searched, and swept impartially and partisanly.
///
/// Unit: bytes. 0.5 to 53 million searched had 36 to 100 each, `1^14` and `1^17` have 12 and 14, all impartial rows of 9
/// pots 3.
const HELD_BYTES: [f64; 3] = [50.0, 3.0, 14.0];

/// The memory of a run without positions and writers of rows. Unit: bytes.
const BASE_BYTES: f64 = 10e6;

/// A position in the checkpoint of a sweep, of impartial and of partisan play with its forms. Unit: bytes.
const SWEEP_BYTES: [f64; 2] = [2.0, 14.0];

/// The bytes of results for each byte of the lower bound. Finished result sets have up to twice the bound.
const RESULTS_FACTOR: f64 = 1.4;

/// The results of a heap or a code beyond the lower bound. Unit: bytes. Games that are soon periodic have
/// 0.1, 0.37 has 2.1, others up to 4.6.
const MORE_A_HEAP: f64 = 1.2;

/// Results of fewer rows may be several times the lower bound.
const FEW: u64 = 10_000;

const NOT_MEASURED: &str = "plan --measure finds out";
const UNEVEN: &str = "rows differ too much to tell from the first ones";

const VALUES_UNKNOWN: &str = "how many values occur is not known";
const OPEN_ENDED: &str = "how many values or followers there are to be counted is not known";

/// An amount, a bound, or the reason why it is unknown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount<T> {
    /// The amount, within a factor of about three.
    About(T),
    /// A lower bound; the amount may be far larger.
    AtLeast(T),
    /// The reason why it is unknown.
    Unknown(&'static str),
}

impl<T> Amount<T> {
    /// Returns the amount if it is known.
    pub fn about(self) -> Option<T> {
        match self {
            Amount::About(amount) => Some(amount),
            _ => None,
        }
    }

    /// Returns the bound if only that is known.
    pub fn at_least(self) -> Option<T> {
        match self {
            Amount::AtLeast(amount) => Some(amount),
            _ => None,
        }
    }

    /// Changes the amount.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Amount<U> {
        match self {
            Amount::About(amount) => Amount::About(change(amount)),
            Amount::AtLeast(amount) => Amount::AtLeast(change(amount)),
            Amount::Unknown(why) => Amount::Unknown(why),
        }
    }
}

/// The resources of a job.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// The positions to be evaluated, or the rows of other jobs to be worked out.
    pub positions: Amount<u64>,
    /// The bytes in the folder of the result sets, checkpoints not counted.
    pub results: Amount<ByteSize>,
    /// The bytes in the store.
    pub store: Amount<ByteSize>,
    /// The bytes in checkpoints, at their largest.
    pub checkpoints: Amount<ByteSize>,
    /// The most memory, mapped files not counted.
    pub memory: Amount<ByteSize>,
    /// The time.
    pub time: Amount<Duration>,
}

impl Estimate {
    /// Returns the amounts for the unfinished rest of a job, from those for the whole.
    pub fn left(self, job: &Job, plan: &Plan, checkpoints: &Checkpoints) -> Estimate {
        let done = plan.status.as_ref().map_or(0, |status| status.rows);
        let rows_left = 1.0 - part(done, plan.rows);
        let left = match plan.status.as_ref().is_some_and(|status| status.complete) {
            true => 0.0,
            false => 1.0 - part_done(job, plan, checkpoints),
        };
        if left == 0.0 {
            let nothing = Amount::About(ByteSize(0));
            return Estimate {
                positions: Amount::About(0),
                results: nothing,
                store: nothing,
                checkpoints: nothing,
                memory: nothing,
                time: Amount::About(Duration::ZERO),
            };
        }
        let bytes = |part: f64| move |bytes: ByteSize| ByteSize((bytes.0 as f64 * part) as u64);
        Estimate {
            positions: self.positions.map(|all| (all as f64 * left) as u64),
            results: self.results.map(bytes(rows_left)),
            store: self.store.map(bytes(left)),
            time: self.time.map(|time| time.mul_f64(left)),
            ..self
        }
    }
}

/// How a run values positions.
enum Way {
    Searched,
    /// By sweeps of this number of positions, mirror images not counted.
    Swept(u64),
    /// Rows are no positions.
    Plain,
}

/// Returns the estimate for a whole job from recorded figures, for `threads` and a budget of memory.
/// The time is unknown.
pub fn estimate(job: &Job, plan: &Plan, threads: usize, memory: ByteSize) -> Estimate {
    let bytes = |bytes: f64| Amount::About(ByteSize(bytes as u64));
    let partisan = usize::from(is_partisan(job));
    let whole_plan = Plan {
        rows: plan.rows,
        shards: plan.shards,
        status: None,
    };
    let least = DiskNeed::of(job, &whole_plan);
    let is_witness = is_witness(job);
    let results = match &job.task {
        // A census has a row for each value.
        _ if is_witness => Amount::Unknown(VALUES_UNKNOWN),
        Task::Graphs(_) | Task::Reconstructions(_) => Amount::Unknown(NOT_MEASURED),
        // Their forms, or lists in the rows of codes, may take more than the rows.
        Task::Strips(_) if partisan == 1 && plan.rows < FEW => Amount::AtLeast(least.results),
        Task::Codes(_) if plan.rows < FEW => Amount::AtLeast(least.results),
        Task::Heaps(_) | Task::Codes(_) => {
            bytes(least.results.0 as f64 + plan.rows as f64 * MORE_A_HEAP)
        }
        _ => bytes(least.results.0 as f64 * RESULTS_FACTOR),
    };
    let writers = match is_witness {
        true => 0,
        false => {
            let rows_max = shards(job).iter().map(rows_of).max().unwrap_or(0);
            writer_bytes(rows_max) * u64::from(plan.shards).min(threads as u64)
        }
    };
    let held = |positions: f64, each: f64| BASE_BYTES + writers as f64 + positions * each;
    let (time, nothing) = (Amount::Unknown(NOT_MEASURED), bytes(0.0));
    match way(job) {
        Way::Searched => {
            let positions = match is_known(job) {
                true => Amount::About(whole(job)),
                false => Amount::Unknown(NOT_MEASURED),
            };
            let forms = FORMS[usize::from(partisan == 1 && is_sowing(job))];
            let a_position = STORED_BYTES[0] + forms * STORED_BYTES[1];
            let of_all = |of: &dyn Fn(f64) -> f64| {
                positions.map(|positions| ByteSize(of(positions as f64) as u64))
            };
            Estimate {
                positions,
                results,
                store: of_all(&|all| STORE_BYTES + all * a_position),
                // What is found goes to the store.
                checkpoints: nothing,
                // The memo forgets what is stored where it has grown to a quarter of the budget; forms stay.
                memory: of_all(&|all| held(all, HELD_BYTES[0]).min(memory.0 as f64)),
                time,
            }
        }
        Way::Swept(swept) => Estimate {
            positions: Amount::About(swept),
            results,
            store: match partisan {
                0 => bytes(STORE_BYTES + least.store.0 as f64),
                _ => Amount::Unknown("how large the forms of a few values are is not known"),
            },
            // A run that takes less than the time between two checkpoints has none.
            checkpoints: Amount::Unknown(NOT_MEASURED),
            memory: match is_open_ended(job) {
                true => Amount::Unknown(OPEN_ENDED),
                false => bytes(held(swept as f64, HELD_BYTES[1 + partisan])),
            },
            time,
        },
        Way::Plain => Estimate {
            positions: Amount::About(plan.rows),
            results,
            store: nothing,
            checkpoints: match &job.task {
                // Their rows are made as fast as they are read.
                Task::Boards(_) | Task::Lengths(_) => nothing,
                _ => Amount::Unknown("how much is in hand at a checkpoint is not known"),
            },
            memory: Amount::Unknown(NOT_MEASURED),
            time,
        },
    }
}

/// Returns how much of a job's work is finished, from 0 to 1: by the estimated cost of its rows, and of a sweep by the
/// positions in its checkpoint, if that is more.
fn part_done(job: &Job, plan: &Plan, checkpoints: &Checkpoints) -> f64 {
    let rows = plan.status.as_ref().map_or(0, |status| status.rows);
    let ranks = finished_ranks(job, plan);
    let by_rows = match ranks.is_empty() {
        true => part(rows, plan.rows),
        false => part(
            ranks.iter().map(|ranks| cost(job, ranks)).sum(),
            cost(job, &(0..job.task.rows())),
        ),
    };
    let by_sweep = match way(job) {
        Way::Swept(positions) => {
            let written = if is_witness(job) { 0 } else { WRITING_COST };
            let valued = checkpoints.sweeps.iter().map(|sweep| sweep.valued / 2);
            part(
                valued.sum::<u64>() + written * rows,
                positions + written * plan.rows,
            )
        }
        _ => 0.0,
    };
    // Rows in checkpoints cost what others do on average.
    (by_rows + part(checkpoints.rows, plan.rows))
        .max(by_sweep)
        .min(1.0)
}

fn is_witness(job: &Job) -> bool {
    job.strips()
        .is_some_and(|strips| strips.task.witness.is_some())
}

/// Returns whether the extent of a job's work is unknown in advance.
fn is_open_ended(job: &Job) -> bool {
    let spec = |task: &StripTask| Some(witness::is_open_ended(task, task.witness.as_ref()?));
    job.strips().and_then(|strips| spec(strips.task)) == Some(true)
}

fn is_sowing(job: &Job) -> bool {
    job.strips()
        .is_some_and(|strips| strips.task.game.is_swept())
}

/// Returns how the job's run will value its positions.
fn way(job: &Job) -> Way {
    let Some(strips) = job.strips() else {
        return Way::Plain;
    };
    let task = strips.task;
    if let Some(spec) = &task.witness {
        return match witness::swept(task, spec) {
            Some(positions) => Way::Swept(positions),
            None => Way::Searched,
        };
    }
    if !task.game.is_swept() {
        return Way::Searched;
    }
    let of_pots = task.family.parts().iter().filter_map(|part| match part {
        Part::All(all) => all.bounds().pots_max,
        _ => None,
    });
    let order = match (task.play, of_pots.max()) {
        (Play::Impartial, Some(pots)) => worth_sweeping(pots, task.family.len()),
        _ => None,
    };
    match order {
        Some(order) => Way::Swept(positions_of(&order)),
        None if is_all_ones(task) && whole(job) > LITTLE => Way::Swept(whole(job)),
        None => Way::Searched,
    }
}

/// Returns whether the estimated number of positions is near, if only because it is small.
fn is_known(job: &Job) -> bool {
    let near = |task: &StripTask| {
        last_rows(&task.family).all(|(part, row)| is_near(task.game, part, &row))
    };
    whole(job) <= LITTLE || job.strips().is_some_and(|strips| near(strips.task))
}

/// Returns whether the rows are rows of ones, by the last one of each pattern.
fn is_all_ones(task: &StripTask) -> bool {
    last_rows(&task.family).all(|(part, row)| {
        matches!(part, Part::Pattern(_)) && row.pots.iter().all(|pot| *pot == Pot::Seeds(1))
    })
}

/// Returns the size of the checkpoint of a sweep that is nearly done.
fn sweep_checkpoint(job: &Job, positions: u64) -> ByteSize {
    let each = SWEEP_BYTES[usize::from(is_partisan(job))];
    ByteSize((positions as f64 * each) as u64)
}

fn is_partisan(job: &Job) -> bool {
    job.strips()
        .is_some_and(|strips| strips.task.play == Play::Partisan)
}

/// Returns what part of a whole is done, from 0 to 1.
fn part(done: u64, whole: u64) -> f64 {
    done.min(whole) as f64 / whole.max(1) as f64
}

/// Returns a time that may be longer than any.
fn duration(seconds: f64) -> Duration {
    const AGES: Duration = Duration::from_secs(1 << 40);
    Duration::try_from_secs_f64(seconds)
        .unwrap_or(AGES)
        .min(AGES)
}
