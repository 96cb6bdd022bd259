//! `seedbank plan`

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use bytesize::ByteSize;
use clap::{ArgAction, Args};
use seedbank::dataset::Changes;
use seedbank::run::{
    self, Amount, CHECKPOINT_INTERVAL, Description, Estimate, Job, ListColumn, Options, Plan,
    RunError, Signals,
};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::error::ended_early;
use super::output::{Format, as_path, count, emit};
use super::shards::Dealt;
use super::{CliError, Exit, OutArgs, ResourceArgs, load_jobs};

#[derive(Debug, Args)]
pub(super) struct PlanArgs {
    /// The job specs: files, or names below jobs/ such as table-5
    #[arg(required = true, value_name = "JOB")]
    jobs: Vec<PathBuf>,
    /// Show how the jobs would be divided into N shards
    #[arg(long, value_name = "N", value_parser = super::shard_count())]
    shards: Option<u32>,
    /// Run each job for about 5 seconds to measure its speed and growth; stores nothing
    #[arg(long)]
    measure: bool,
    #[command(flatten)]
    resources: ResourceArgs,
    #[command(flatten)]
    out: OutArgs,
    /// Print one JSON object for each job
    #[arg(long, action = ArgAction::SetTrue, value_parser = Format::of_flag())]
    json: Format,
}

pub(super) fn run(args: &PlanArgs) -> Result<Exit, CliError> {
    let signals = super::listen()?;
    for job in load_jobs(&args.jobs)? {
        let plan = match run::plan(&job, &args.out.out) {
            Err(error) if error.may_grow() => {
                let changes = error.changes().map(Changes::to_string);
                tracing::info!(
                    "{}: planned without the rows of another spec, which a run keeps if the job has all of them ({})",
                    job.header.name,
                    changes.unwrap_or_default()
                );
                job.task.unbegun()
            }
            plan => plan?,
        };
        let finished = plan
            .status
            .as_ref()
            .map_or(0, |status| status.finished.len() as u64);
        let left = u64::from(plan.parts) - finished;
        let need = job.task.disk(&plan);
        let (threads, memory) = (args.resources.threads(), args.resources.memory());
        let measures = args.measure && left > 0;
        let whole = if measures {
            match measured(args, &job, &plan, &signals) {
                Ok(whole) => whole,
                Err(error) => return ended_early(error, &signals),
            }
        } else {
            run::estimate(&job, &plan, threads, memory)
        };
        let checkpoints = run::checkpoints(&job, &plan, &args.out.out)?;
        let about = whole.left(&job, &plan, &checkpoints);
        let dealt = args
            .shards
            .map(|of| run::plan_shards(&job, &args.out.out, of, false))
            .transpose()?;
        let words = job.task.description();
        let report = Report {
            job: &job.header.name,
            rows: plan.rows,
            parts: plan.parts,
            parts_left: left,
            tables: job.task.table_names(),
            folder: args.out.out.join(&job.header.name),
            disk_bytes_results: need.results.0,
            disk_bytes_store: need.store.0,
            measured: measures,
            named: named(&words),
            about: amounts(&about, Amount::about),
            at_least: amounts(&about, Amount::at_least),
            dealt: dealt.map(|plans| Dealt { job: &job, plans }),
            estimate: about,
            words,
        };
        emit(args.json, &report);
    }
    Ok(Exit::Done)
}

/// The plan of a job.
#[derive(Serialize)]
struct Report<'a> {
    job: &'a str,
    rows: u64,
    parts: u32,
    parts_left: u64,
    tables: Vec<&'static str>,
    #[serde(serialize_with = "as_path")]
    folder: PathBuf,
    disk_bytes_results: u64,
    disk_bytes_store: u64,
    measured: bool,
    about: Value,
    at_least: Value,
    #[serde(flatten)]
    named: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dealt: Option<Dealt<'a>>,
    #[serde(skip)]
    words: Description,
    #[serde(skip)]
    estimate: Estimate,
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {}, {}: {} in {}, {} left; {} {} in {}{}; {}",
            self.job,
            self.words.game,
            self.words.detail.text,
            count(self.rows, self.words.noun),
            count(self.parts.into(), "part"),
            self.parts_left,
            if self.tables.len() == 1 {
                "table"
            } else {
                "tables"
            },
            self.tables.join(" and "),
            self.folder.display(),
            self.words.listed.map_or_else(String::new, listed_text),
            about_text(&self.estimate),
        )?;
        self.dealt.iter().try_for_each(|dealt| dealt.fmt(f))
    }
}

/// Returns what the job names itself: how the game is played, the entries of lists.
fn named(words: &Description) -> Map<String, Value> {
    let mut named = Map::new();
    named.insert("game".to_owned(), json!(words.game));
    named.insert(words.detail.name.to_owned(), json!(words.detail.text));
    if let Some(ListColumn { noun, entries }) = words.listed {
        named.insert(format!("{noun}s_about"), json!(entries));
        named.insert("bytes_about".to_owned(), json!(4 * entries));
    }
    named
}

/// Measures a job, and reports this as progress.
fn measured(
    args: &PlanArgs,
    job: &Job,
    plan: &Plan,
    signals: &Signals,
) -> Result<Estimate, RunError> {
    let seconds = run::MEASURE_TIME.as_secs();
    tracing::info!(
        "{}: measuring for at most about {seconds} s",
        job.header.name
    );
    let options = Options {
        limits: args.resources.limits(),
        checkpoint: CHECKPOINT_INTERVAL,
        store: PathBuf::new(),
        out: PathBuf::new(),
        row: None,
    };
    run::measure(job, plan, &options, signals)
}

/// Returns the JSON object of all amounts that are `chosen`; others are null.
fn amounts(about: &Estimate, chosen: fn(Amount<Value>) -> Option<Value>) -> Value {
    let bytes = |amount: Amount<ByteSize>| chosen(amount.map(|bytes| json!(bytes.0)));
    json!({
        "positions": chosen(about.positions.map(|positions| json!(positions))),
        "results_bytes": bytes(about.results),
        "store_bytes": bytes(about.store),
        "checkpoint_bytes": bytes(about.checkpoints),
        "memory_bytes": bytes(about.memory),
        "seconds": chosen(about.time.map(|time| json!(time.as_secs_f64()))),
    })
}

/// Returns the amounts in words, with the reasons why some are unknown.
fn about_text(about: &Estimate) -> String {
    let bytes = |amount: Amount<ByteSize>| amount.map(|bytes| bytes.to_string());
    let time = about.time.map(|time| match time.as_secs() {
        0 if time.is_zero() => "0s".to_owned(),
        0 => "1s".to_owned(),
        seconds => humantime::format_duration(rounded(seconds)).to_string(),
    });
    let all = [
        ("of results", bytes(about.results)),
        ("in the store", bytes(about.store)),
        ("in checkpoints", bytes(about.checkpoints)),
        ("of memory", bytes(about.memory)),
        ("of time", time),
    ];
    let (mut known, mut bounds) = (Vec::new(), Vec::new());
    // Amounts unknown for the same reason share a line.
    let mut unknown: Vec<(&str, Vec<&str>)> = Vec::new();
    for (what, amount) in all {
        match amount {
            Amount::About(amount) => known.push(format!("{amount} {what}")),
            Amount::AtLeast(amount) => bounds.push(format!("{amount} {what}")),
            Amount::Unknown(why) => {
                let what = what.rsplit(' ').next().unwrap_or(what);
                match unknown.iter_mut().find(|(other, _)| *other == why) {
                    Some((_, whats)) => whats.push(what),
                    None => unknown.push((why, vec![what])),
                }
            }
        }
    }
    let mut parts = Vec::new();
    if !known.is_empty() {
        parts.push(format!("about {}", known.join(", ")));
    }
    if !bounds.is_empty() {
        parts.push(format!("at least {}", bounds.join(", ")));
    }
    let unknown = unknown.iter();
    parts.extend(unknown.map(|(why, whats)| format!("{} unknown: {why}", whats.join(", "))));
    if about.positions.at_least().is_some() {
        parts.push("it grows too far beyond what was measured to tell more".to_owned());
    }
    parts.join("; ")
}

/// Returns a time with its two leading digits; an estimate is no more precise.
fn rounded(seconds: u64) -> Duration {
    let unit = match seconds {
        0..100 => 1,
        100..6_000 => 60,
        6_000..360_000 => 3_600,
        _ => 86_400,
    };
    Duration::from_secs((seconds + unit / 2) / unit * unit)
}

/// Returns the count of numbers in the lists of a result, and their bytes.
fn listed_text(ListColumn { noun, entries }: ListColumn) -> String {
    let bytes = bytesize::ByteSize(4 * entries);
    format!(
        "; about {}, {bytes} before they are compressed",
        count(entries, noun)
    )
}
