//! `seedbank merge`

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use seedbank::run::{self, CHECKPOINT_INTERVAL, Job, MergeOptions, Merged, Options};
use serde_json::json;

use super::output::{count, print_line, witnesses_found};
use super::progress::Display;
use super::{CliError, Exit, OutArgs, ResourceArgs, folders_of_options, load_jobs};

#[derive(Debug, Args)]
pub(super) struct MergeArgs {
    /// The job specs: files, or names below jobs/ such as table-5
    #[arg(required = true, value_name = "JOB")]
    jobs: Vec<PathBuf>,
    /// The number of shards of the jobs [default: the number that the shards record]
    #[arg(long, value_name = "N", value_parser = super::shard_count())]
    shards: Option<u32>,
    /// Copy the values that shards have found into the store
    #[arg(long)]
    take_values: bool,
    /// Remove the folders of shards once the result is complete
    #[arg(long)]
    remove: bool,
    #[command(flatten)]
    resources: ResourceArgs,
    /// The folder of the store
    #[arg(long, value_name = "DIR", default_value = seedbank::run::STORE)]
    store: PathBuf,
    #[command(flatten)]
    out: OutArgs,
    /// Print one JSON object for each job
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &MergeArgs) -> Result<Exit, CliError> {
    folders_of_options([("--out", &args.out.out), ("--store", &args.store)]);
    let jobs = load_jobs(&args.jobs)?;
    let signals = super::listen()?;
    let options = Options {
        threads: args.resources.threads(),
        memory: args.resources.memory(),
        deadline: None,
        checkpoint: CHECKPOINT_INTERVAL,
        store: args.store.clone(),
        out: args.out.out.clone(),
    };
    let merging = MergeOptions {
        of: args.shards,
        take_values: args.take_values,
        remove: args.remove,
    };
    for job in &jobs {
        let started = Instant::now();
        let display = Display::new();
        let merged = run::merge(job, &options, &merging, &signals, &display);
        display.finish();
        let merged = merged?;
        let seconds = started.elapsed().as_secs_f64();
        print_line(&if args.json {
            json_line(job, &merged, seconds)
        } else {
            format!("{}: {}", job.header.name, text(job, &merged, seconds))
        });
        match merged {
            Merged::Stopped(_) if signals.interrupted() => return Ok(Exit::Interrupted),
            Merged::Stopped(_) => return Ok(Exit::StoppedEarly),
            Merged::Done { .. } => {}
        }
    }
    Ok(Exit::Done)
}

fn text(job: &Job, merged: &Merged, seconds: f64) -> String {
    let Merged::Done {
        rows,
        joined,
        values_taken,
        witnesses,
    } = merged
    else {
        return "stopped; merge again to resume".to_owned();
    };
    let description = job.task.description();
    let rows = count(*rows, description.row) + description.after_rows;
    let joined = match joined {
        0 => "nothing was left to join".to_owned(),
        joined => format!(
            "{} joined in {seconds:.1} s",
            count((*joined).into(), "part")
        ),
    };
    let values = match values_taken {
        0 => String::new(),
        values => format!(", {} taken into the store", count(*values, "value")),
    };
    let witnesses = witnesses.map_or_else(String::new, |(found, sought)| {
        format!(", {}", witnesses_found(found, sought))
    });
    format!("complete, {rows}, {joined}{witnesses}{values}")
}

fn json_line(job: &Job, merged: &Merged, seconds: f64) -> String {
    let line = match merged {
        Merged::Stopped(reason) => {
            json!({ "job": job.header.name, "outcome": "interrupted", "reason": reason.to_string() })
        }
        Merged::Done {
            rows,
            joined,
            values_taken,
            witnesses,
        } => json!({
            "job": job.header.name,
            "outcome": "complete",
            "rows": rows,
            "joined": joined,
            "values_taken": values_taken,
            "witnesses_found": witnesses.map(|(found, _)| found),
            "witnesses_sought": witnesses.map(|(_, sought)| sought),
            "seconds": seconds,
        }),
    };
    line.to_string()
}
