//! `seedbank run`

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use serde_json::json;

use super::events::{self, Logged};
use super::notify::{Ending, notify};
use super::output::{count, print_line, witnesses_found};
use super::progress::Display;
use super::{CliError, Exit, MeansArgs, OutArgs, folders_of_options, load_jobs};
use crate::engine::StopReason;
use crate::run::{
    self, CHECKPOINT_INTERVAL, Job, Options, Outcome, RunError, Share, Signals, Summary, Task,
};
use crate::store::StoreError;

#[derive(Debug, Args)]
pub(super) struct RunArgs {
    /// The job specs: files, or names below jobs/ such as table-5
    #[arg(required = true, value_name = "JOB")]
    jobs: Vec<PathBuf>,
    #[command(flatten)]
    means: MeansArgs,
    /// Stop after this time, such as 8h or 90m; exit status 75 if anything is left
    #[arg(long, value_name = "TIME", value_parser = super::time)]
    time_limit: Option<humantime::Duration>,
    /// Run the shard i of N, i from 0, of each job, in a folder of its own; "seedbank merge" joins all of them
    #[arg(long, value_name = "i/N")]
    shard: Option<Share>,
    /// How often new values are sealed in the store
    #[arg(long, value_name = "TIME", value_parser = super::time, default_value_t = CHECKPOINT_INTERVAL.into())]
    checkpoint: humantime::Duration,
    /// The folder of the store; with --shard it is only read from
    #[arg(long, value_name = "DIR", default_value = "data/store")]
    store: PathBuf,
    #[command(flatten)]
    out: OutArgs,
    /// Run this command of the shell once, in the end; its environment has SEEDBANK_OUTCOME, _STATUS, _SUMMARY, _ROWS and _SECONDS
    #[arg(long, value_name = "COMMAND")]
    notify: Option<String>,
    /// Add events to this file, one JSON object a line
    #[arg(long, value_name = "FILE")]
    log_json: Option<PathBuf>,
    /// Print one JSON object for each job
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &RunArgs) -> Result<Exit, CliError> {
    folders_of_options([("--out", &args.out.out), ("--store", &args.store)]);
    let started = Instant::now();
    let mut ending = Ending::default();
    let logs = args.log_json.as_deref().map_or(Ok(()), events::start);
    let result = logs.and_then(|()| run_jobs(args, &mut ending));
    ending.elapsed = started.elapsed();
    events::log("run-ended", ending.event(&result));
    if let Some(command) = &args.notify {
        notify(command, &result, &ending);
    }
    result
}

fn run_jobs(args: &RunArgs, ending: &mut Ending) -> Result<Exit, CliError> {
    let jobs = load_jobs(&args.jobs)?;
    let signals = super::listen()?;
    let options = Options {
        threads: args.means.threads(),
        memory: args.means.memory(),
        // A limit beyond what the clock can count is none.
        deadline: args
            .time_limit
            .and_then(|limit| Instant::now().checked_add(*limit)),
        checkpoint: *args.checkpoint,
        store: args.store.clone(),
        out: args.out.out.clone(),
    };
    let names: Vec<&str> = jobs.iter().map(|job| &*job.header.name).collect();
    let event = json!({
        "jobs": names,
        "version": run::CODE_VERSION,
        "pid": std::process::id(),
        "threads": options.threads,
        "memory": options.memory.0,
        "shard": args.shard.map(|share| share.to_string()),
    });
    events::log("run-started", event);
    for job in &jobs {
        let outcome = run_job(args, job, &options, &signals, ending)?;
        match outcome {
            Outcome::Stopped(StopReason::Interrupted, _) if signals.interrupted() => {
                return Ok(Exit::Interrupted);
            }
            Outcome::Stopped(..) => return Ok(Exit::StoppedEarly),
            Outcome::Finished(_) | Outcome::AlreadyDone { .. } if signals.interrupted() => {
                return Ok(Exit::Interrupted);
            }
            Outcome::Finished(_) | Outcome::AlreadyDone { .. } => {}
        }
    }
    Ok(Exit::Done)
}

/// Runs a job, or a share of it, and prints a line about it.
fn run_job(
    args: &RunArgs,
    job: &Job,
    options: &Options,
    signals: &Signals,
    ending: &mut Ending,
) -> Result<Outcome, CliError> {
    events::log("job-started", json!({ "job": job.header.name }));
    let display = Display::new();
    let logged = Logged::new(&display);
    let outcome = match args.shard {
        Some(share) => run::run_share(job, options, share, signals, &logged),
        None => run::run(job, options, signals, &logged),
    };
    display.finish();
    logged.finish();
    let outcome = outcome.map_err(|error| match (&error, args.shard) {
        // Another task is at this shard, perhaps one that was taken for dead: it is no use to fail because of it.
        (RunError::Store(StoreError::Locked { .. }), Some(_)) => {
            CliError::new(Exit::StoppedEarly, CliError::from(error).message)
        }
        _ => error.into(),
    })?;
    let mut object = json_line(&job.header.name, &outcome);
    if let Some(share) = args.shard {
        object["shard"] = json!(share.to_string());
    }
    // A shard has not seen the others' rows.
    let is_whole = args.shard.is_none() && !matches!(outcome, Outcome::Stopped(..));
    let law = job.task.law_held().filter(|_| is_whole);
    if let Some(law) = &law {
        object["law"] = json!(law);
    }
    let line = match args.json {
        true => object.to_string(),
        false => {
            let shard = args
                .shard
                .map_or_else(String::new, |share| format!(" shard {share}"));
            let law = law.map_or_else(String::new, |law| format!("; {law}"));
            let text = text(&*job.task, &outcome);
            format!("{}{shard}: {text}{law}", job.header.name)
        }
    };
    print_line(&line);
    ending.rows += object["rows"].as_u64().unwrap_or(0);
    ending.lines.push(line);
    events::log("job-ended", object);
    Ok(outcome)
}

fn text(task: &dyn Task, outcome: &Outcome) -> String {
    match outcome {
        Outcome::AlreadyDone { rows } => {
            format!("already finished, {}; nothing to do", count(*rows, "row"))
        }
        Outcome::Finished(summary) => {
            let witnesses = summary
                .witnesses
                .map_or_else(String::new, |(found, sought)| {
                    witnesses_found(found, sought) + ", "
                });
            format!("finished, {witnesses}{}", summary_text(task, summary))
        }
        Outcome::Stopped(reason, summary) => {
            let summary = summary_text(task, summary);
            format!("{reason}, {summary}; run again to resume")
        }
    }
}

fn summary_text(task: &dyn Task, summary: &Summary) -> String {
    let seconds = summary.elapsed.as_secs_f64();
    let forms = (summary.forms).map_or_else(String::new, |forms| count(forms, "form") + ", ");
    format!(
        "{} in {seconds:.1} s ({} evaluated, {:.0} a second, {forms}{} memory)",
        count(summary.rows, "row"),
        count(summary.positions, task.noun()),
        summary.positions as f64 / seconds.max(0.001),
        bytesize::ByteSize(summary.bytes_max),
    )
}

fn json_line(job: &str, outcome: &Outcome) -> serde_json::Value {
    let (name, summary) = match outcome {
        Outcome::AlreadyDone { rows } => {
            return json!({ "job": job, "outcome": "already-finished", "rows": rows });
        }
        Outcome::Finished(summary) => ("finished", summary),
        Outcome::Stopped(StopReason::TimeLimit, summary) => ("time-limit", summary),
        Outcome::Stopped(_, summary) => ("interrupted", summary),
    };
    let mut line = json!({
        "job": job,
        "outcome": name,
        "rows": summary.rows,
        "positions": summary.positions,
        "forms": summary.forms.unwrap_or(0),
        "sealed": summary.sealed,
        "seconds": summary.elapsed.as_secs_f64(),
        "bytes_max": summary.bytes_max,
    });
    if let Some((found, sought)) = summary.witnesses {
        line["witnesses_found"] = json!(found);
        line["witnesses_sought"] = json!(sought);
    }
    line
}
