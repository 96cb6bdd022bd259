//! `seedbank merge`

use std::fmt;
use std::path::PathBuf;
use std::time::Instant;

use clap::{ArgAction, Args};
use seedbank::engine::StopReason;
use seedbank::run::{self, CHECKPOINT_INTERVAL, Description, Job, MergeOptions, Merged, Options};
use serde::Serialize;

use super::output::{Format, as_text, count, emit, witnesses_found};
use super::progress::Display;
use super::{CliError, Exit, OutArgs, ResourceArgs, load_jobs};

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
    #[arg(long, action = ArgAction::SetTrue, value_parser = Format::of_flag())]
    json: Format,
}

pub(super) fn run(args: &MergeArgs) -> Result<Exit, CliError> {
    let folders = [("--out", &args.out.out), ("--store", &args.store)];
    merge(args).map_err(|error| error.with_options(folders))
}

fn merge(args: &MergeArgs) -> Result<Exit, CliError> {
    let jobs = load_jobs(&args.jobs)?;
    let signals = super::listen()?;
    let options = Options {
        limits: args.resources.limits(),
        checkpoint: CHECKPOINT_INTERVAL,
        store: args.store.clone(),
        out: args.out.out.clone(),
        row: None,
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
        emit(args.json, &Report::of(job, &merged, seconds));
        match merged {
            Merged::Stopped(_) if signals.interrupted() => return Ok(Exit::Interrupted),
            Merged::Stopped(_) => return Ok(Exit::StoppedEarly),
            Merged::Done { .. } => {}
        }
    }
    Ok(Exit::Done)
}

/// How the merge of a job ended.
#[derive(Serialize)]
struct Report<'a> {
    job: &'a str,
    #[serde(flatten)]
    ending: Ending,
    #[serde(skip)]
    description: Description,
}

#[derive(Serialize)]
#[serde(tag = "outcome", rename_all = "lowercase")]
enum Ending {
    Interrupted {
        #[serde(serialize_with = "as_text")]
        reason: StopReason,
    },
    Complete {
        rows: u64,
        joined: u32,
        values_taken: u64,
        witnesses_found: Option<u64>,
        witnesses_sought: Option<u64>,
        seconds: f64,
    },
}

impl Report<'_> {
    fn of<'a>(job: &'a Job, merged: &Merged, seconds: f64) -> Report<'a> {
        let ending = match *merged {
            Merged::Stopped(reason) => Ending::Interrupted { reason },
            Merged::Done {
                rows,
                joined,
                values_taken,
                witnesses,
            } => {
                let (witnesses_found, witnesses_sought) = witnesses.unzip();
                Ending::Complete {
                    rows,
                    joined,
                    values_taken,
                    witnesses_found,
                    witnesses_sought,
                    seconds,
                }
            }
        };
        Report {
            job: &job.header.name,
            ending,
            description: job.task.description(),
        }
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ending::Complete {
            rows,
            joined,
            values_taken,
            witnesses_found: found,
            witnesses_sought: sought,
            seconds,
        } = self.ending
        else {
            return write!(f, "{}: stopped; merge again to resume", self.job);
        };
        let Description {
            row, after_rows, ..
        } = self.description;
        let rows = count(rows, row);
        write!(f, "{}: complete, {rows}{after_rows}, ", self.job)?;
        match joined {
            0 => f.write_str("nothing was left to join")?,
            joined => write!(
                f,
                "{} joined in {seconds:.1} s",
                count(joined.into(), "part")
            )?,
        }
        if let Some((found, sought)) = found.zip(sought) {
            write!(f, ", {}", witnesses_found(found, sought))?;
        }
        match values_taken {
            0 => Ok(()),
            values => write!(f, ", {} taken into the store", count(values, "value")),
        }
    }
}
