//! `seedbank run`

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{ArgAction, Args};
use seedbank::dataset::{DatasetError, RowLimit};
use seedbank::engine::{EngineError, StopReason};
use seedbank::mine::MineOptions;
use seedbank::run::mining::{Mining, MiningError, laws_of};
use seedbank::run::{
    self, CHECKPOINT_INTERVAL, Job, Limits, Options, Outcome, RunError, Session, Shard, Signals,
    Silent, Summary, Task,
};
use serde_json::json;

use super::error::all_printed;
use super::events::{self, Logged};
use super::laws::{mined, reports};
use super::notify::{RunEnd, notify};
use super::options::ResultArgs;
use super::output::{Format, count, emit, print_line, witnesses_found};
use super::progress::Display;
use super::{CliError, Exit, OutArgs, ResourceArgs, load_jobs};

#[derive(Debug, Args)]
pub(super) struct RunArgs {
    /// The job specs: files, or names below jobs/ such as table-5
    #[arg(required = true, value_name = "JOB")]
    jobs: Vec<PathBuf>,
    #[command(flatten)]
    resources: ResourceArgs,
    /// Stop after this time, such as 8h or 90m; exit status 75 if anything is left
    #[arg(long, value_name = "TIME", value_parser = super::time)]
    time_limit: Option<humantime::Duration>,
    /// Give up a row after this time, such as 60s, after "1000000 positions", or when it takes "2 GiB" of memory; it gets no
    /// value, and a later run with a higher limit finds it [default: the spec's, or none]
    #[arg(long, value_name = "LIMIT")]
    row_limit: Option<RowLimit>,
    /// Run the shard i of N, i from 0, of each job, in a folder of its own; "seedbank merge" joins all of them
    #[arg(long, value_name = "i/N")]
    shard: Option<Shard>,
    /// How often new values are sealed in the store
    #[arg(long, value_name = "TIME", value_parser = super::time, default_value_t = CHECKPOINT_INTERVAL.into())]
    checkpoint: humantime::Duration,
    /// The folder of the store; with --shard it is only read from
    #[arg(long, value_name = "DIR", default_value = seedbank::run::STORE)]
    store: PathBuf,
    #[command(flatten)]
    out: OutArgs,
    /// Run this command of the shell once, in the end; its environment has SEEDBANK_OUTCOME, _STATUS, _SUMMARY, _ROWS and _SECONDS
    #[arg(long, value_name = "COMMAND")]
    notify: Option<String>,
    /// Add events to this file, one JSON object a line; - is standard output
    #[arg(long, value_name = "FILE")]
    log_json: Option<PathBuf>,
    /// Print one JSON object for each job
    #[arg(long, action = ArgAction::SetTrue, value_parser = Format::of_flag())]
    json: Format,
}

pub(super) fn run(args: &RunArgs) -> Result<Exit, CliError> {
    let started = Instant::now();
    let mut ending = RunEnd::default();
    let logs = args.log_json.as_deref().map_or(Ok(()), events::start);
    let folders = [("--out", &args.out.out), ("--store", &args.store)];
    let result = logs
        .and_then(|()| run_jobs(args, &mut ending))
        .map_err(|error| error.with_options(folders));
    let result = all_printed(result);
    ending.elapsed = started.elapsed();
    events::log("run-ended", ending.event(&result));
    if let Some(command) = &args.notify {
        notify(command, &result, &ending);
    }
    events::end();
    result
}

fn run_jobs(args: &RunArgs, ending: &mut RunEnd) -> Result<Exit, CliError> {
    let jobs = load_jobs(&args.jobs)?;
    let signals = super::listen()?;
    let options = Options {
        limits: Limits {
            // A limit beyond the range of the clock is no limit.
            deadline: args
                .time_limit
                .and_then(|limit| Instant::now().checked_add(*limit)),
            ..args.resources.limits()
        },
        checkpoint: *args.checkpoint,
        store: args.store.clone(),
        out: args.out.out.clone(),
        row: args.row_limit,
    };
    let names: Vec<&str> = jobs.iter().map(|job| &*job.header.name).collect();
    let event = json!({
        "jobs": names,
        "version": run::CODE_VERSION,
        "pid": std::process::id(),
        "threads": options.limits.threads,
        "memory": options.limits.memory.0,
        "shard": args.shard.map(|shard| shard.to_string()),
    });
    events::log("run-started", event);
    for job in &jobs {
        let is_stopped = run_job(args, job, &options, &signals, ending)?.is_some();
        if signals.interrupted() {
            return Ok(Exit::Interrupted);
        }
        if is_stopped {
            return Ok(Exit::StoppedEarly);
        }
    }
    Ok(Exit::Done)
}

/// Runs a job or one shard of it, searches its rows for the laws that the spec requests, and prints a summary. Returns the
/// reason if the run stopped early.
fn run_job(
    args: &RunArgs,
    job: &Job,
    options: &Options,
    signals: &Signals,
    ending: &mut RunEnd,
) -> Result<Option<StopReason>, CliError> {
    events::log("job-started", json!({ "job": job.header.name }));
    let display = Display::new();
    let logged = Logged::new(&display);
    let outcome = match args.shard {
        Some(shard) => run::run_shard(job, options, shard, signals, &logged),
        None => run::run(job, options, signals, &logged),
    };
    display.finish();
    logged.finish();
    let outcome = outcome.map_err(|error| match (&error, args.shard) {
        // Another task runs this shard, perhaps one that was taken for dead. That is no failure of the shard.
        (RunError::Dataset(DatasetError::Locked { .. }), Some(_)) => {
            CliError::from(error).ending(Exit::StoppedEarly)
        }
        _ => error.into(),
    })?;
    let mut object = json_line(&job.header.name, &outcome);
    if let Some(shard) = args.shard {
        object["shard"] = json!(shard.to_string());
    }
    // A shard has not seen the rows of other shards.
    let is_whole = args.shard.is_none() && is_complete(&outcome);
    let law = job.task.law_held().filter(|_| is_whole);
    if let Some(law) = &law {
        object["law"] = json!(law);
    }
    let shard = args
        .shard
        .map_or_else(String::new, |shard| format!(" shard {shard}"));
    let law = law.map_or_else(String::new, |law| format!("; {law}"));
    let text = text(&*job.task, &outcome);
    let mut lines = vec![format!("{}{shard}: {text}{law}", job.header.name)];
    args.json.remark(&lines[0]);
    let mut stopped = match outcome {
        Outcome::Stopped(reason, _) => Some(reason),
        _ => None,
    };
    if let Some(wanted) = job.header.mine.as_ref().filter(|_| is_whole) {
        let session = Session::new(options.limits, signals, &Silent);
        let laws = laws(job, wanted, options, &session)?;
        if let (Laws::Found(mining, _), Format::Text) = (&laws, args.json) {
            reports(mining, Format::Text).for_each(|laws| emit(Format::Text, &laws));
        }
        let line = format!("{}: {}", job.header.name, laws.text());
        args.json.remark(&line);
        lines.push(line);
        object["mined"] = laws.object();
        if let Laws::Stopped(reason) = laws {
            stopped = Some(reason);
        }
    }
    if args.json == Format::Json {
        lines = vec![object.to_string()];
        print_line(&lines[0]);
    }
    ending.rows += object["rows"].as_u64().unwrap_or(0);
    ending.lines.append(&mut lines);
    events::log("job-ended", object);
    Ok(stopped)
}

/// The laws of a job with a section `[mine]`.
enum Laws {
    /// An earlier run wrote this number of laws to this folder.
    UpToDate(u64, PathBuf),
    /// The search found them and wrote them to this folder.
    Found(Box<Mining>, PathBuf),
    /// The search was stopped.
    Stopped(StopReason),
}

/// Finds the laws of a finished result, unless an earlier run has found them.
fn laws(
    job: &Job,
    wanted: &MineOptions,
    options: &Options,
    session: &Session<'_>,
) -> Result<Laws, CliError> {
    if let Some((laws, folder)) = laws_of(job, &options.out)? {
        return Ok(Laws::UpToDate(laws, folder));
    }
    let jobs = std::slice::from_ref(job);
    let whole = ResultArgs {
        partial: false,
        out: OutArgs {
            out: options.out.clone(),
        },
    };
    match mined(jobs, &whole, wanted, session) {
        Ok(mining) => {
            let folder = mining.write_below(&options.out, wanted)?;
            Ok(Laws::Found(Box::new(mining), folder))
        }
        Err(MiningError::Run(error)) => match *error {
            RunError::Engine(EngineError::Stopped(reason)) => Ok(Laws::Stopped(reason)),
            error => Err(error.into()),
        },
        Err(error) => Err(error.into()),
    }
}

impl Laws {
    fn text(&self) -> String {
        let written = |laws, folder: &Path| {
            let laws = count(laws, "law");
            format!("{laws} in {}", folder.display())
        };
        match self {
            Laws::UpToDate(laws, folder) => format!("already mined, {}", written(*laws, folder)),
            Laws::Found(mining, folder) => {
                format!("mined, {}", written(mining.laws() as u64, folder))
            }
            Laws::Stopped(reason) => format!("{reason} while mining; run again to mine the rows"),
        }
    }

    fn object(&self) -> serde_json::Value {
        match self {
            Laws::UpToDate(laws, folder) => json!({
                "outcome": "already-finished",
                "laws": laws,
                "folder": folder.display().to_string(),
            }),
            Laws::Found(mining, folder) => json!({
                "outcome": "finished",
                "laws": mining.laws(),
                "folder": folder.display().to_string(),
                "found": reports(mining, Format::Json).collect::<Vec<_>>(),
            }),
            Laws::Stopped(reason) => json!({ "outcome": reason_name(*reason) }),
        }
    }
}

/// Returns whether every row has been found.
fn is_complete(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::AlreadyDone { over_limit, .. } => *over_limit == 0,
        Outcome::Finished(summary) => summary.over_limit == 0,
        Outcome::Stopped(..) => false,
    }
}

/// Returns how many rows exceed the limit for each row, after a comma; nothing if none do.
fn over(rows: u64) -> String {
    match rows {
        0 => String::new(),
        rows => format!(
            ", {} without a value beyond the limit for each row (a higher --row-limit finds more)",
            count(rows, "row")
        ),
    }
}

fn text(task: &dyn Task, outcome: &Outcome) -> String {
    match outcome {
        Outcome::AlreadyDone { rows, over_limit } => {
            let rows = count(*rows, "row") + &over(*over_limit);
            format!("already finished, {rows}; nothing to do")
        }
        Outcome::Finished(summary) => {
            let witnesses = summary
                .witnesses
                .map_or_else(String::new, |(found, sought)| {
                    witnesses_found(found, sought) + ", "
                });
            let over = over(summary.over_limit);
            format!("finished, {witnesses}{}{over}", summary_text(task, summary))
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
        count(summary.positions, task.description().noun),
        summary.positions as f64 / seconds.max(0.001),
        bytesize::ByteSize(summary.bytes_max),
    )
}

fn json_line(job: &str, outcome: &Outcome) -> serde_json::Value {
    let (name, summary) = match outcome {
        Outcome::AlreadyDone { rows, over_limit } => {
            return json!({
                "job": job,
                "outcome": "already-finished",
                "rows": rows,
                "rows_over_limit": over_limit,
            });
        }
        Outcome::Finished(summary) => ("finished", summary),
        Outcome::Stopped(reason, summary) => (reason_name(*reason), summary),
    };
    let mut line = json!({
        "job": job,
        "outcome": name,
        "rows": summary.rows,
        "rows_over_limit": summary.over_limit,
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

fn reason_name(reason: StopReason) -> &'static str {
    match reason {
        StopReason::TimeLimit => "time-limit",
        _ => "interrupted",
    }
}
