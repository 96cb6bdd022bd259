//! `seedbank status`

use std::collections::BTreeSet;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::thread::sleep;
use std::time::{Duration, Instant};

use clap::Args;
use seedbank::dataset::ResultSet;
use seedbank::run::mining::laws_damage;
use seedbank::run::{self, Checkpoints, Job};
use serde_json::json;

use super::output::{count, print_line, print_styled, unprinted};
use super::progress::{Pace, Sample, rate_text, time};
use super::{CliError, Exit, OutArgs, load_jobs, results, shards};

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
    #[arg(long)]
    json: bool,
}

/// The shortest interval between two checks.
const WATCH_INTERVAL_MIN: Duration = Duration::from_millis(100);

/// The state of a job at one check.
struct Look {
    /// The lines to be printed, or the one object.
    lines: Vec<String>,
    damage: Vec<String>,
    rows: u64,
    rows_total: u64,
    finished: bool,
}

pub(super) fn run(args: &StatusArgs) -> Result<Exit, CliError> {
    let jobs = match &args.jobs[..] {
        [] => listed(args)?,
        jobs => load_jobs(jobs)?,
    };
    match args.watch {
        Some(interval) => watch(args, &jobs, (*interval).max(WATCH_INTERVAL_MIN)),
        None => {
            let (exit, _) = once(args, &jobs)?;
            if args.all {
                print_without_spec(args, &jobs);
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

/// Prints the result sets that no job below `jobs/` writes: their specs are elsewhere, or gone.
/// Only a manifest gives the total number of rows and parts.
fn print_without_spec(args: &StatusArgs, jobs: &[Job]) {
    let folders = std::fs::read_dir(&args.out.out).into_iter().flatten();
    let mut names: Vec<String> = folders
        .flatten()
        .filter_map(|folder| folder.file_name().into_string().ok())
        .filter(|name| jobs.iter().all(|job| job.header.name != *name))
        .collect();
    names.sort();
    let width = names
        .iter()
        .map(|name| name.escape_debug().count())
        .max()
        .unwrap_or(0);
    for name in names {
        let Some(found) = ResultSet::glance(&args.out.out.join(&name)) else {
            continue;
        };
        let state = match found.rows {
            Some(_) => "finished",
            None => "unfinished",
        };
        let job = &name;
        let name = name.escape_debug().to_string();
        print_line(&match (args.json, found.rows) {
            (true, rows) => json!({
                "job": job,
                "spec": null,
                "state": state,
                "rows": rows,
                "parts_finished": found.records,
            })
            .to_string(),
            (false, Some(rows)) => {
                let parts = count(found.records, "part");
                format!("{name:width$}  {state:10}  {rows} rows, {parts}, no spec below jobs/")
            }
            (false, None) => {
                let records = count(found.records, "record");
                format!("{name:width$}  {state:10}  {records}, no spec below jobs/")
            }
        });
    }
}

/// Checks all jobs once and prints their states. Returns the states of the readable jobs, in order.
fn once(args: &StatusArgs, jobs: &[Job]) -> Result<(Exit, Vec<Look>), CliError> {
    let mut exit = Exit::Done;
    let mut looks = Vec::new();
    for job in jobs {
        let Some(look) = seen(args, jobs, job, &mut exit)? else {
            continue;
        };
        for line in &look.lines {
            print_line(line);
        }
        exit = told(&look.damage).unwrap_or(exit);
        looks.push(look);
    }
    Ok((exit, looks))
}

/// Checks a job. A job that cannot be read does not hide the others.
fn seen(
    args: &StatusArgs,
    jobs: &[Job],
    job: &Job,
    exit: &mut Exit,
) -> Result<Option<Look>, CliError> {
    match look(args, jobs, job) {
        Ok(look) => Ok(Some(look?)),
        Err(error) => {
            tracing::error!("{}: {}", job.header.name, error.message);
            *exit = error.exit;
            Ok(None)
        }
    }
}

/// Reports damage, if there is any.
fn told(damage: &[String]) -> Option<Exit> {
    for damage in damage {
        tracing::warn!("{damage}");
    }
    (!damage.is_empty()).then_some(Exit::Damaged)
}

/// Checks all jobs at intervals and prints what has changed, until all are finished. On a terminal it redraws the screen
/// each time.
fn watch(args: &StatusArgs, jobs: &[Job], interval: Duration) -> Result<Exit, CliError> {
    let screen = io::stdout().is_terminal() && !args.json;
    let started = Instant::now();
    let mut paces: Vec<Pace> = jobs.iter().map(|_| Pace::default()).collect();
    let mut printed: Vec<Vec<String>> = vec![Vec::new(); jobs.len()];
    loop {
        let mut exit = Exit::Done;
        let mut finished = true;
        let mut lines = Vec::new();
        for (place, job) in jobs.iter().enumerate() {
            let Some(mut look) = seen(args, jobs, job, &mut exit)? else {
                continue;
            };
            finished &= look.finished;
            let changed = printed[place] != look.lines;
            printed[place].clone_from(&look.lines);
            let pace = pace(&look, &mut paces[place], started.elapsed());
            if !args.json
                && let Some(line) = look.lines.first_mut()
            {
                line.push_str(&pace);
            }
            if changed {
                exit = told(&look.damage).unwrap_or(exit);
            }
            if screen || changed {
                lines.append(&mut look.lines);
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
fn pace(look: &Look, pace: &mut Pace, elapsed: Duration) -> String {
    let sample = Sample {
        phase: "writing",
        count: look.rows,
        cost: Some((look.rows, look.rows_total)),
    };
    pace.add(elapsed, sample);
    let Some(rate) = pace.rate().filter(|&rate| rate > 0.0 && !look.finished) else {
        return String::new();
    };
    let left = match pace.left() {
        Some(left) => format!("about {} left", time(left)),
        None => "time left unknown".to_owned(),
    };
    format!(", {}, {left}", rate_text(rate, "row"))
}

/// Checks a job. The outer error means that its result set cannot be read.
fn look(args: &StatusArgs, jobs: &[Job], job: &Job) -> Result<Result<Look, CliError>, CliError> {
    let plan = run::plan(job, &args.out.out)?;
    let (finished, mut rows, complete) = plan.status.as_ref().map_or((0, 0, false), |status| {
        (status.finished.len(), status.rows, status.complete)
    });
    let there: BTreeSet<u32> = if complete {
        BTreeSet::new()
    } else {
        run::shards_there(&job.header, &args.out.out)?
            .iter()
            .map(|shard| shard.of())
            .collect()
    };
    let only = there.first().copied().filter(|_| there.len() == 1);
    let dealt = match args.shards.or(only) {
        Some(of) => Some(run::plan_shards(job, &args.out.out, of)?),
        None => None,
    };
    let state = match (&plan.status, complete) {
        (None, _) if there.is_empty() => "not begun",
        (_, true) => "finished",
        (_, false) => "unfinished",
    };
    let checkpoints = run::checkpoints(job, &plan, &args.out.out)?;
    let lines = if args.json {
        let mut line = json!({
            "job": job.header.name,
            "state": state,
            "rows": rows,
            "rows_total": plan.rows,
            "parts_finished": finished,
            "parts": plan.parts,
        });
        if state == "unfinished" {
            let sweeps = checkpoints.sweeps.iter().map(|sweep| {
                json!({ "family": sweep.family, "valued": sweep.valued, "positions": sweep.positions })
            });
            line["checkpoint_rows"] = json!(checkpoints.rows);
            line["checkpoint_sweeps"] = sweeps.collect();
        }
        if let Some(dealt) = &dealt {
            line["dealt"] = shards::objects(dealt);
        }
        vec![line.to_string()]
    } else {
        let width = jobs
            .iter()
            .map(|job| job.header.name.len())
            .max()
            .unwrap_or(0);
        let mut lines = vec![format!(
            "{:width$}  {state:10}  {rows} of {} rows, {finished} of {}{}",
            job.header.name,
            plan.rows,
            count(plan.parts.into(), "part"),
            in_checkpoints(&checkpoints)
        )];
        lines.extend(dealt.iter().flat_map(|dealt| shards::lines(job, dealt)));
        lines
    };
    if let Some(dealt) = &dealt {
        // Rows of shards count as finished although they are not merged yet.
        let made: u64 = dealt.iter().map(|plan| plan.rows - plan.rows_left).sum();
        rows = rows.max(made);
    }
    let mut damage: Vec<String> = plan
        .status
        .iter()
        .flat_map(|status| &status.damage)
        .map(ToString::to_string)
        .collect();
    if args.verify && plan.status.is_some() {
        match verified(args, job, complete) {
            Ok(found) => damage = found,
            Err(error) => return Ok(Err(error)),
        }
    }
    damage.extend(dealt.into_iter().flatten().flat_map(|plan| plan.damage));
    Ok(Ok(Look {
        lines,
        damage,
        rows,
        rows_total: plan.rows,
        finished: complete,
    }))
}

/// Describes the contents of checkpoints.
fn in_checkpoints(checkpoints: &Checkpoints) -> String {
    let mut held: Vec<String> = Vec::new();
    if checkpoints.rows > 0 {
        held.push(count(checkpoints.rows, "row"));
    }
    held.extend(checkpoints.sweeps.iter().map(|sweep| {
        let (valued, positions) = (sweep.valued, sweep.positions);
        format!(
            "{valued} of {positions} positions of the sweep {}",
            sweep.family
        )
    }));
    if held.is_empty() {
        String::new()
    } else {
        format!("; in checkpoints {}", held.join(", "))
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
