//! `seedbank status`

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::thread::sleep;
use std::time::{Duration, Instant};

use clap::{ArgAction, Args};
use seedbank::dataset::{Change, DatasetError, ResultSet, Status};
use seedbank::durable::IoError;
use seedbank::run::mining::laws_damage;
use seedbank::run::{self, Checkpoints, Job, SweepCheckpoint};
use serde::Serialize;

use super::output::{Format, count, emit, print_line, print_styled, unprinted};
use super::progress::{Pace, Sample, rate_text, time};
use super::shards::Dealt;
use super::{CliError, Exit, OutArgs, load_jobs, results, streams};

#[derive(Debug, Args)]
pub(super) struct StatusArgs {
    /// The job specs: files, or names below jobs/ such as table-5 [default: all below jobs/ that
    /// are begun]
    #[arg(value_name = "JOB")]
    jobs: Vec<PathBuf>,
    /// Also show jobs that are not begun, and result sets that have no spec below jobs/
    #[arg(long, conflicts_with = "jobs")]
    all: bool,
    #[command(flatten)]
    out: OutArgs,
    /// Compare every file of the results with its checksum
    #[arg(long)]
    verify: bool,
    /// Show the jobs divided into this number of shards [default: as they were begun]
    #[arg(long, value_name = "N", value_parser = super::shard_count())]
    shards: Option<u32>,
    /// Check again at this interval, until all jobs are finished
    #[arg(
        long, value_name = "TIME", num_args = 0..=1, require_equals = true, default_missing_value = "5s",
        value_parser = super::time, conflicts_with = "verify"
    )]
    watch: Option<humantime::Duration>,
    /// Print one JSON object for each job
    #[arg(long, action = ArgAction::SetTrue, value_parser = Format::of_flag())]
    json: Format,
}

/// The shortest interval between two checks.
const WATCH_INTERVAL_MIN: Duration = Duration::from_millis(100);

/// The state of a job at one check.
#[derive(Serialize)]
struct JobStatus<'a> {
    job: &'a str,
    state: &'static str,
    /// The number of finished rows; `None` if the folder holds the result of another spec.
    rows: Option<u64>,
    rows_total: u64,
    /// The keys that the other spec sets differently.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    changes: Vec<Change>,
    /// The rows without a value because they exceed the limit for each row.
    #[serde(skip_serializing_if = "is_zero")]
    rows_over_limit: u64,
    parts_finished: usize,
    parts: u32,
    #[serde(flatten)]
    checkpoints: Option<Checkpoints>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dealt: Option<Dealt<'a>>,
    #[serde(skip)]
    display: Appearance,
    #[serde(skip)]
    damage: Vec<String>,
    /// Why files could not be compared with their checksums, which ends the command.
    #[serde(skip)]
    unverified: Option<CliError>,
}

/// How the text of a state differs from that of other jobs and of other checks.
#[derive(Default)]
struct Appearance {
    /// The width of the column of names.
    width: usize,
    /// The rate and the time left.
    pace: String,
}

fn is_zero(rows: &u64) -> bool {
    *rows == 0
}

impl JobStatus<'_> {
    fn is_finished(&self) -> bool {
        self.state == FINISHED
    }

    /// Returns the finished rows, those of shards that are not merged yet among them.
    fn rows_made(&self) -> u64 {
        let plans = self.dealt.iter().flat_map(|dealt| &dealt.plans);
        let made = plans.map(|plan| plan.rows - plan.rows_left).sum();
        self.rows.unwrap_or(0).max(made)
    }
}

impl fmt::Display for JobStatus<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Appearance { width, pace } = &self.display;
        write!(f, "{:width$}  {:10}  ", self.job, self.state)?;
        let Some(rows) = self.rows else {
            f.write_str(&count(self.rows_total, "row"))?;
            let mut changes = self.changes.iter();
            return changes.try_for_each(|change| write!(f, ", {change}"));
        };
        write!(
            f,
            "{rows} of {} rows, {} of {}",
            self.rows_total,
            self.parts_finished,
            count(self.parts.into(), "part"),
        )?;
        if self.rows_over_limit > 0 {
            let rows = count(self.rows_over_limit, "row");
            write!(f, ", {rows} beyond the limit for each row")?;
        }
        let held = self
            .checkpoints
            .as_ref()
            .map_or_else(String::new, in_checkpoints);
        write!(f, "{held}{pace}")?;
        self.dealt.iter().try_for_each(|dealt| dealt.fmt(f))
    }
}

/// Describes the contents of checkpoints.
fn in_checkpoints(checkpoints: &Checkpoints) -> String {
    let rows = checkpoints.rows;
    let rows = (rows > 0).then(|| count(rows, "row"));
    let sweeps = checkpoints.sweeps.iter().map(|sweep| {
        let SweepCheckpoint {
            family,
            valued,
            positions,
        } = sweep;
        format!("{valued} of {positions} positions of the sweep {family}")
    });
    let held: Vec<String> = rows.into_iter().chain(sweeps).collect();
    if held.is_empty() {
        return String::new();
    }
    format!("; in checkpoints {}", held.join(", "))
}

/// The state of a job whose result is complete.
const FINISHED: &str = "finished";

/// The state of a job that is begun and not finished.
const UNFINISHED: &str = "unfinished";

/// The state of a job whose folder holds the results of another one.
pub(super) const OF_ANOTHER_SPEC: &str = "of another spec";

pub(super) fn run(args: &StatusArgs) -> Result<Exit, CliError> {
    let jobs = match &args.jobs[..] {
        [] => listed(args)?,
        jobs => load_jobs(jobs)?,
    };
    match args.watch {
        Some(interval) => watch(args, &jobs, (*interval).max(WATCH_INTERVAL_MIN)),
        None => {
            let mut exit = once(args, &jobs)?;
            if args.all {
                exit = print_without_spec(args, &jobs).unwrap_or(exit);
            }
            Ok(exit)
        }
    }
}

/// Returns the jobs below `jobs/`: with `--all` all of them, else those with a folder of results.
fn listed(args: &StatusArgs) -> Result<Vec<Job>, CliError> {
    let mut jobs = load_jobs(&results::all_jobs()?)?;
    let known = jobs.len();
    if !args.all {
        // A folder that cannot be read is reported below.
        let is_begun = |job: &Job| args.out.out.join(&job.header.name).try_exists();
        jobs.retain(|job| is_begun(job).unwrap_or(true));
    }
    if jobs.is_empty() && known > 0 {
        tracing::info!(
            "none of the {known} jobs below jobs/ is begun in {}; \"seedbank status --all\" lists them",
            args.out.out.display()
        );
    }
    Ok(jobs)
}

/// A result set that no job below `jobs/` writes.
#[derive(Serialize)]
struct WithoutSpec {
    job: String,
    spec: Option<PathBuf>,
    state: &'static str,
    rows: Option<u64>,
    parts_finished: u64,
    #[serde(skip)]
    width: usize,
}

impl fmt::Display for WithoutSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, width) = (self.job.escape_debug().to_string(), self.width);
        write!(f, "{name:width$}  {:10}  ", self.state)?;
        match self.rows {
            Some(rows) => write!(f, "{rows} rows, {}", count(self.parts_finished, "part"))?,
            None => f.write_str(&count(self.parts_finished, "record"))?,
        }
        f.write_str(", no spec below jobs/")
    }
}

/// Prints the result sets that no job below `jobs/` writes: their specs are elsewhere, or gone.
/// Only a manifest gives the total number of rows and parts. Returns the status of the last error.
fn print_without_spec(args: &StatusArgs, jobs: &[Job]) -> Option<Exit> {
    let out = &args.out.out;
    let mut exit = None;
    let mut failed = |error: DatasetError| {
        let error = CliError::from(error);
        tracing::error!("{}", error.message);
        exit = Some(error.exit);
    };
    let names = match std::fs::read_dir(out).and_then(Iterator::collect::<io::Result<Vec<_>>>) {
        Ok(folders) => folders
            .into_iter()
            .map(|folder| folder.file_name())
            .collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(error) => {
            failed(IoError::on("list", out)(error).into());
            Vec::new()
        }
    };
    let mut names: Vec<OsString> = names;
    names.retain(|name| jobs.iter().all(|job| *name != *job.header.name));
    names.sort();
    let shown = names.iter().map(|name| name.to_string_lossy());
    let width = shown
        .map(|name| name.escape_debug().count())
        .max()
        .unwrap_or(0);
    for name in names {
        match ResultSet::glance(&out.join(&name)) {
            Ok(Some(found)) => emit(
                args.json,
                &WithoutSpec {
                    job: name.to_string_lossy().into_owned(),
                    spec: None,
                    state: if found.rows.is_some() {
                        FINISHED
                    } else {
                        UNFINISHED
                    },
                    rows: found.rows,
                    parts_finished: found.records,
                    width,
                },
            ),
            Ok(None) => {}
            Err(error) => failed(error),
        }
    }
    exit
}

/// Checks all jobs once and prints their states.
fn once(args: &StatusArgs, jobs: &[Job]) -> Result<Exit, CliError> {
    let mut exit = Exit::Done;
    for job in jobs {
        if let Some(status) = checked(args, jobs, job, &mut exit)? {
            emit(args.json, &status);
            exit = warned(&status.damage).unwrap_or(exit);
        }
    }
    Ok(exit)
}

/// Checks a job. A job that cannot be read does not hide the others.
fn checked<'a>(
    args: &StatusArgs,
    jobs: &[Job],
    job: &'a Job,
    exit: &mut Exit,
) -> Result<Option<JobStatus<'a>>, CliError> {
    let mut status = match status(args, job) {
        Ok(status) => status,
        Err(error) => {
            tracing::error!("{}: {}", job.header.name, error.message);
            *exit = error.exit;
            return Ok(None);
        }
    };
    let names = jobs.iter().map(|job| job.header.name.len());
    status.display.width = names.max().unwrap_or(0);
    status.unverified.take().map_or(Ok(Some(status)), Err)
}

/// Reports damage, if there is any.
fn warned(damage: &[String]) -> Option<Exit> {
    for damage in damage {
        tracing::warn!("{damage}");
    }
    (!damage.is_empty()).then_some(Exit::Damaged)
}

/// Checks all jobs at intervals and prints what has changed, until all are finished. On a terminal it redraws the screen
/// each time.
fn watch(args: &StatusArgs, jobs: &[Job], interval: Duration) -> Result<Exit, CliError> {
    let screen = streams::output().is_terminal() && args.json == Format::Text;
    let started = Instant::now();
    let mut paces: Vec<Pace> = jobs.iter().map(|_| Pace::default()).collect();
    let mut printed: Vec<String> = vec![String::new(); jobs.len()];
    loop {
        let mut exit = Exit::Done;
        let mut finished = true;
        let mut lines = Vec::new();
        for (place, job) in jobs.iter().enumerate() {
            let Some(mut status) = checked(args, jobs, job, &mut exit)? else {
                continue;
            };
            finished &= status.is_finished();
            let text = args.json.render(&status);
            let changed = printed[place] != text;
            printed[place] = text;
            status.display.pace = pace(&status, &mut paces[place], started.elapsed());
            if changed {
                exit = warned(&status.damage).unwrap_or(exit);
            }
            if screen || changed {
                lines.push(args.json.render(&status));
            }
        }
        if screen {
            // Moves to the upper left corner and clears the screen below.
            print_styled("\x1b[H\x1b[2J");
        }
        if !lines.is_empty() {
            print_line(&lines.join("\n"));
        }
        if finished || exit != Exit::Done || unprinted().is_some() {
            return Ok(exit);
        }
        sleep(interval);
    }
}

/// Returns the rate of rows, and the time left at that rate.
fn pace(status: &JobStatus<'_>, pace: &mut Pace, elapsed: Duration) -> String {
    let rows = status.rows_made();
    let sample = Sample {
        phase: "writing",
        count: rows,
        cost: Some((rows, status.rows_total)),
    };
    pace.add(elapsed, sample);
    let rate = pace.rate().filter(|&rate| rate > 0.0);
    let Some(rate) = rate.filter(|_| !status.is_finished()) else {
        return String::new();
    };
    let left = match pace.left() {
        Some(left) => format!("about {} left", time(left)),
        None => "time left unknown".to_owned(),
    };
    format!(", {}, {left}", rate_text(rate, "row"))
}

/// Checks a job.
fn status<'a>(args: &StatusArgs, job: &'a Job) -> Result<JobStatus<'a>, CliError> {
    let out = &args.out.out;
    let plan = match run::plan(job, out) {
        Ok(plan) => plan,
        // With --verify it is an error: none of the files there is this job's.
        Err(error) if error.is_of_another_spec() && !args.verify => {
            return Ok(of_another_spec(job, &error));
        }
        Err(error) => return Err(error.into()),
    };
    let is_complete = plan.status.as_ref().is_some_and(|status| status.complete);
    let there: BTreeSet<u32> = if is_complete {
        BTreeSet::new()
    } else {
        let shards = run::shards_there(&job.header, out)?;
        shards.iter().map(|shard| shard.of()).collect()
    };
    let only = there.first().copied().filter(|_| there.len() == 1);
    let dealt = (args.shards.or(only))
        .map(|of| run::plan_shards(job, out, of, false))
        .transpose()?;
    let state = match (&plan.status, is_complete) {
        (None, _) if there.is_empty() => "not begun",
        (_, true) => FINISHED,
        (_, false) => UNFINISHED,
    };
    let checkpoints = run::checkpoints(job, &plan, out)?;
    let status = plan.status.as_ref();
    let mut damage: Vec<String> = status
        .iter()
        .flat_map(|status| &status.damage)
        .map(ToString::to_string)
        .collect();
    let mut unverified = None;
    if args.verify && status.is_some() {
        match verified(args, job, is_complete) {
            Ok(found) => damage = found,
            Err(error) => unverified = Some(error),
        }
    }
    if args.verify {
        for &of in &there {
            let plans = run::plan_shards(job, out, of, true)?;
            damage.extend(plans.into_iter().flat_map(|plan| plan.damage));
        }
    } else {
        damage.extend(dealt.iter().flatten().flat_map(|plan| plan.damage.clone()));
    }
    Ok(JobStatus {
        job: &job.header.name,
        state,
        rows: Some(status.map_or(0, |status| status.rows)),
        rows_total: plan.rows,
        changes: Vec::new(),
        rows_over_limit: status.map_or(0, Status::rows_over_limit),
        parts_finished: status.map_or(0, |status| status.finished.len()),
        parts: plan.parts,
        checkpoints: (state == UNFINISHED).then_some(checkpoints),
        dealt: dealt.map(|plans| Dealt { job, plans }),
        display: Appearance::default(),
        damage,
        unverified,
    })
}

/// Returns the state of a job whose folder holds the results of another spec.
fn of_another_spec<'a>(job: &'a Job, error: &DatasetError) -> JobStatus<'a> {
    JobStatus {
        job: &job.header.name,
        state: OF_ANOTHER_SPEC,
        rows: None,
        rows_total: job.task.rows(),
        changes: error
            .changes()
            .map_or(Vec::new(), |changes| changes.keys().to_vec()),
        rows_over_limit: 0,
        parts_finished: 0,
        parts: 0,
        checkpoints: None,
        dealt: None,
        display: Appearance::default(),
        damage: Vec::new(),
        unverified: None,
    }
}

/// Compares every file of a job's results and laws with its checksum, and returns the damage.
fn verified(args: &StatusArgs, job: &Job, is_complete: bool) -> Result<Vec<String>, CliError> {
    let mut found = job.task.verify(&job.header, &args.out.out)?;
    // Laws belong to a whole result; damaged ones of a damaged result are found again with it.
    if found.is_empty() && is_complete {
        found.extend(laws_damage(job, &args.out.out)?);
    }
    Ok(found.iter().map(ToString::to_string).collect())
}
