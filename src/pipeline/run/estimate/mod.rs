//! Estimates of the disk space, memory and time of a job.
//!
//! Unlike [`DiskNeed`], which can refuse a run, these estimates are no bounds. The number of
//! positions comes from the [estimated cost](super::cost) of a job where that is accurate. The
//! bytes per position were measured over finished jobs and are recorded here. The time depends on
//! the machine and is only known when [measured](measure()).

mod effort;
mod measure;

use std::time::Duration;

use bytesize::ByteSize;

pub use self::effort::{Amount, Effort, Estimate, Measured, Workload};
pub(crate) use self::effort::{NOT_MEASURED, fraction};
pub use self::measure::{MEASURE_TIME, measure};
use super::{Checkpoints, Job, Plan};

/// The bytes of a stored value with its key, and of a form. Stores of 50 thousand to 34 million
/// values have 13.5 to 14, and about 16.
const STORED_BYTES: [f64; 2] = [14.0, 16.0];

/// The bytes of a store with few values. A store without forms has 8,600.
const STORE_BYTES: f64 = 15_000.0;

/// The bytes per searched position in memory, with its share of the forms.
///
/// Measured: 36 to 100 for 0.5 to 53 million.
const SEARCHED_BYTES: f64 = 50.0;

/// The bytes per swept position in memory beside the array: without forms, and with them.
///
/// Measured: 1 for all impartial rows of 9 pots, 7 for `1^16` and `1^17`, and 9 for `1^18`.
const SWEPT_BYTES: [f64; 2] = [1.0, 8.0];

/// The bytes of memory that a run takes besides positions and writers of rows.
pub(crate) const BASE_BYTES: f64 = 10e6;

/// The expected bytes of results per byte of the lower bound. Finished result sets have up to twice
/// the bound.
const RESULTS_FACTOR: f64 = 1.4;

/// Returns what is known of rows that are quick to make and written as they are, given the lower bound of their bytes.
pub(crate) fn quick_rows(least: ByteSize) -> (Workload, Amount<ByteSize>) {
    (
        Workload::Plain {
            is_fast: true,
            held: None,
        },
        results_about(least),
    )
}

/// Returns the expected bytes of results, given the lower bound.
pub(crate) fn results_about(least: ByteSize) -> Amount<ByteSize> {
    Amount::About(ByteSize((least.0 as f64 * RESULTS_FACTOR) as u64))
}

/// Below this number of rows, results may be several times the lower bound.
pub(crate) const FEW: u64 = 10_000;

const UNEVEN: &str = "rows differ too much to tell from the first ones";

pub(crate) const VALUES_UNKNOWN: &str = "how many values occur is not known";
const OPEN_ENDED: &str = "how many values or followers there are to be counted is not known";

impl Estimate {
    /// Returns the amounts for the unfinished rest of a job, given those for the whole job.
    pub fn left(self, job: &Job, plan: &Plan, checkpoints: &Checkpoints) -> Estimate {
        let done = plan.status.as_ref().map_or(0, |status| status.rows);
        let rows_left = 1.0 - fraction(done, plan.rows);
        let left = if plan.status.as_ref().is_some_and(|status| status.complete) {
            0.0
        } else {
            1.0 - job.task.part_done(plan, checkpoints)
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

/// Returns the estimate for a whole job from recorded figures, given `threads` and a memory budget.
/// The time is unknown.
pub fn estimate(job: &Job, plan: &Plan, threads: usize, memory: ByteSize) -> Estimate {
    let bytes = |bytes: f64| Amount::About(ByteSize(bytes as u64));
    let effort = job.task.effort(plan, threads, memory);
    let results = effort.results;
    let writers = effort.writers;
    let taken = |positions: f64, each: f64| BASE_BYTES + writers as f64 + positions * each;
    let (time, nothing) = (Amount::Unknown(NOT_MEASURED), bytes(0.0));
    match effort.workload {
        Workload::Searched { positions, forms } => {
            let positions = positions.map_or(Amount::Unknown(NOT_MEASURED), Amount::About);
            let a_position = STORED_BYTES[0] + forms * STORED_BYTES[1];
            let of_all = |of: &dyn Fn(f64) -> f64| {
                positions.map(|positions| ByteSize(of(positions as f64) as u64))
            };
            Estimate {
                positions,
                results,
                store: of_all(&|all| STORE_BYTES + all * a_position),
                // Values found go to the store.
                checkpoints: nothing,
                // The memo drops stored values once it reaches a quarter of the budget; forms stay
                // in memory.
                memory: of_all(&|all| taken(all, SEARCHED_BYTES).min(memory.0 as f64)),
                time,
            }
        }
        Workload::Swept {
            positions,
            array,
            has_forms,
        } => Estimate {
            positions: Amount::About(positions),
            results,
            store: if has_forms {
                Amount::Unknown("how large the forms of a few values are is not known")
            } else {
                bytes(STORE_BYTES + job.task.disk(&plan.whole()).store.0 as f64)
            },
            // A run shorter than the checkpoint interval writes none.
            checkpoints: Amount::Unknown(NOT_MEASURED),
            memory: if effort.is_open_ended {
                Amount::Unknown(OPEN_ENDED)
            } else {
                let all =
                    array as f64 + taken(positions as f64, SWEPT_BYTES[usize::from(has_forms)]);
                bytes(if has_forms {
                    all
                } else {
                    // An array that does not fit gets narrow cells, or goes to a file.
                    all.min(memory.0 as f64)
                })
            },
            time,
        },
        Workload::Plain { is_fast, held } => Estimate {
            positions: Amount::About(plan.rows),
            results,
            store: nothing,
            checkpoints: if is_fast {
                nothing
            } else {
                Amount::Unknown("the unfinished work at a checkpoint is not known")
            },
            memory: match held {
                Some(all) => bytes(all as f64 + taken(0.0, 0.0)),
                None => Amount::Unknown(NOT_MEASURED),
            },
            time,
        },
    }
}

/// Returns a duration for any number of seconds, however large.
pub(crate) fn duration(seconds: f64) -> Duration {
    const AGES: Duration = Duration::from_secs(1 << 40);
    Duration::try_from_secs_f64(seconds)
        .unwrap_or(AGES)
        .min(AGES)
}
