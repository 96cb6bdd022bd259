//! Measures a job by running it for some seconds in a temporary folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use bytesize::ByteSize;
use cgsolvers::{EngineError, StopReason};
use seedbank_memory::lock;

use super::{Amount, Effort, Estimate, OPEN_ENDED, UNEVEN, Workload, duration, fraction};
use crate::dataset::DatasetError;
use crate::run::checkpoint::CHECKPOINT;
use crate::run::growth::slope;
use crate::run::{
    CHECKPOINT_INTERVAL, Job, Limits, Observer, Options, Outcome, Plan, Progress, RunError,
    Signals, Summary, run,
};

/// How long [`measure`] runs a job before it seals the values found.
pub const MEASURE_TIME: Duration = Duration::from_secs(5);

const TOO_SHORT: &str = "too little was done in the time of a measurement";

/// Runs a job for about [`MEASURE_TIME`] in a temporary folder, and estimates the whole job from
/// that.
///
/// If the job finishes in that time, the figures are measured. Otherwise they are extrapolated from
/// the work done, and for searched patterns from the growth of their cost.
///
/// # Errors
///
/// If the job cannot be run, or a signal arrives.
pub fn measure(
    job: &Job,
    plan: &Plan,
    options: &Options,
    signals: &Signals,
) -> Result<Estimate, RunError> {
    let folder = tempfile::tempdir()
        .map_err(|cause| DatasetError::io("make a folder in", &std::env::temp_dir())(cause))?;
    let options = Options {
        limits: Limits {
            deadline: Instant::now().checked_add(MEASURE_TIME),
            ..options.limits
        },
        store: folder.path().join("store"),
        out: folder.path().join("results"),
        ..options.clone()
    };
    let recorded = super::estimate(job, plan, options.limits.threads, options.limits.memory);
    let size = |folder: &Path| bytes_below(folder).map_err(DatasetError::io("read", folder));
    if let Some(measured) = job
        .task
        .measure(&job.header, &recorded, &options, signals)?
    {
        return Ok(measured(size(&options.store)?));
    }
    let effort = job
        .task
        .effort(plan, options.limits.threads, options.limits.memory);
    let results = options.out.join(&job.header.name);
    let seen = Seen {
        results: results.clone(),
        positions: match effort.workload {
            Workload::Searched { .. } => None,
            Workload::Swept { positions, .. } => Some(positions),
            Workload::Plain { .. } => Some(job.task.rows()),
        },
        found: Mutex::default(),
    };
    let outcome = run(job, &options, signals, &seen)?;
    let found = std::mem::take(&mut *lock(&seen.found));
    let measured = MeasuredRun {
        results: size(&results)?,
        store: size(&options.store)?,
        ..found
    };
    Ok(match outcome {
        Outcome::Finished(summary) => measured.finished(&summary),
        Outcome::Stopped(reason @ StopReason::Interrupted, _) => {
            return Err(EngineError::Stopped(reason).into());
        }
        Outcome::Stopped(_, summary) => {
            measured.stopped(job.task.rows(), &effort, &summary, recorded)
        }
        Outcome::AlreadyDone { .. } => recorded,
    })
}

/// A run that was measured.
#[derive(Default)]
struct MeasuredRun {
    /// Seconds, and the fraction of the work done by then.
    points: Vec<(f64, f64)>,
    checkpoints: ByteSize,
    results: ByteSize,
    store: ByteSize,
}

/// Observes a run that is measured.
struct Seen {
    results: PathBuf,
    /// The positions of the whole job; `None` if progress is measured in rows.
    positions: Option<u64>,
    found: Mutex<MeasuredRun>,
}

impl Observer for Seen {
    fn progress(&self, _: &str, progress: &Progress) {
        let stage = &progress.stage;
        let done = match (stage.cost_total, self.positions) {
            (Some(cost), _) => fraction(stage.cost_done, cost),
            (None, Some(positions)) => fraction(progress.positions, positions),
            (None, None) => fraction(progress.rows, progress.rows_total),
        };
        let bytes = bytes_below(&self.results.join(CHECKPOINT)).unwrap_or_default();
        let mut found = lock(&self.found);
        // After the deadline no more work is done: the run only seals the values found.
        if progress.elapsed < MEASURE_TIME {
            found.points.push((progress.elapsed.as_secs_f64(), done));
        }
        found.checkpoints = found.checkpoints.max(bytes);
    }
}

impl MeasuredRun {
    fn finished(self, summary: &Summary) -> Estimate {
        Estimate {
            positions: Amount::About(summary.positions),
            results: Amount::About(self.results),
            store: Amount::About(self.store),
            checkpoints: Amount::About(self.checkpoints),
            memory: Amount::About(ByteSize(summary.bytes_max)),
            time: Amount::About(summary.elapsed),
        }
    }

    fn stopped(
        self,
        rows_all: u64,
        effort: &Effort,
        summary: &Summary,
        recorded: Estimate,
    ) -> Estimate {
        let Effort {
            is_open_ended,
            is_uneven,
            ..
        } = *effort;
        let done = self.points.last().map_or(0.0, |&(_, fraction)| fraction);
        // Amounts that grow with the work done.
        let of_all = |found: u64| match ((found as f64 / done) as u64, done > 0.0) {
            (all, true) if is_open_ended => Amount::AtLeast(all),
            (all, true) => Amount::About(all),
            (_, false) => Amount::Unknown(TOO_SHORT),
        };
        let time = match seconds_for(&self.points, 1.0) {
            _ if is_uneven => Amount::Unknown(UNEVEN),
            _ if is_open_ended => Amount::Unknown(OPEN_ENDED),
            Some(seconds) => Amount::About(duration(seconds)),
            None => Amount::Unknown(TOO_SHORT),
        };
        let results = match summary.rows {
            _ if is_uneven => Amount::Unknown(UNEVEN),
            0 => recorded.results,
            _ if !effort.writes_rows => recorded.results,
            rows => {
                let all = rows_all as f64 / rows as f64;
                Amount::About(ByteSize((self.results.0 as f64 * all) as u64))
            }
        };
        let measured = Estimate {
            results,
            time,
            ..recorded
        };
        match effort.workload {
            Workload::Searched { .. } => Estimate {
                positions: of_all(summary.positions),
                store: of_all(self.store.0).map(ByteSize),
                memory: of_all(summary.bytes_max).map(ByteSize),
                ..measured
            },
            Workload::Swept {
                positions,
                array,
                has_forms,
            } => Estimate {
                memory: if is_open_ended {
                    Amount::AtLeast(ByteSize(summary.bytes_max))
                } else {
                    measured.memory
                },
                checkpoints: time.map(|time| {
                    if time > CHECKPOINT_INTERVAL {
                        Effort::sweep_checkpoint(positions, array, has_forms)
                    } else {
                        ByteSize(0)
                    }
                }),
                ..measured
            },
            Workload::Plain { is_fast, .. } => Estimate {
                memory: match measured.memory {
                    Amount::Unknown(_) if is_fast => Amount::About(ByteSize(summary.bytes_max)),
                    Amount::Unknown(_) => Amount::AtLeast(ByteSize(summary.bytes_max)),
                    known => known,
                },
                ..measured
            },
        }
    }
}

/// Returns the seconds after which a fraction of the work is done.
///
/// The fraction is modelled as a power of the time, fitted to the second half of the measurement.
fn seconds_for(points: &[(f64, f64)], wanted: f64) -> Option<f64> {
    let &(seconds, done) = points.last()?;
    let late: Vec<(f64, f64)> = points
        .iter()
        .filter(|(at, done)| *at >= seconds / 2.0 && *done > 0.0)
        .map(|(at, done)| (at.ln(), done.ln()))
        .collect();
    // On a busy machine the rate over a few seconds fluctuates.
    let power = slope(&late)?.clamp(0.8, 1.25);
    Some(seconds * (wanted / done).powf(1.0 / power))
}

/// Returns the total size of all files in a folder and its subfolders; 0 if the folder is missing.
fn bytes_below(folder: &Path) -> io::Result<ByteSize> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(ByteSize(0)),
        entries => entries?,
    };
    let mut bytes = ByteSize(0);
    for entry in entries {
        let entry = entry?;
        bytes += match entry.metadata() {
            Ok(found) if found.is_dir() => bytes_below(&entry.path())?,
            Ok(found) => ByteSize(found.len()),
            // Temporary files appear and disappear.
            Err(_) => ByteSize(0),
        };
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_slows_down_is_continued() {
        let seen = |power: f64| -> Vec<(f64, f64)> {
            let point = |i: i32| (f64::from(i) / 20.0, f64::from(i).powf(power));
            (1..100).map(point).collect()
        };
        let near = |found: f64, expected: f64| (found / expected - 1.0).abs() < 0.05;
        let found = seconds_for(&seen(0.9), 99f64.powf(0.9) * 10.0).unwrap();
        assert!(near(found, 99.0 / 20.0 * 10f64.powf(1.0 / 0.9)), "{found}");
        // A standstill carries no information.
        let found = seconds_for(&seen(0.1), 99f64.powf(0.1) * 10.0).unwrap();
        assert!(near(found, 99.0 / 20.0 * 10f64.powf(1.0 / 0.8)), "{found}");
        assert_eq!(seconds_for(&[], 1.0), None);
    }

    #[test]
    fn the_files_of_all_folders_count() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(
            bytes_below(&folder.path().join("none")).unwrap(),
            ByteSize(0)
        );
        fs::create_dir(folder.path().join("below")).unwrap();
        fs::write(folder.path().join("a"), [0; 30]).unwrap();
        fs::write(folder.path().join("below/b"), [0; 12]).unwrap();
        assert_eq!(bytes_below(folder.path()).unwrap(), ByteSize(42));
    }
}
