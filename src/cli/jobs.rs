//! `seedbank jobs`

use std::path::PathBuf;

use clap::{Args, Subcommand};
use seedbank::dataset::DatasetError;
use seedbank::run::{self, Job};
use serde_json::json;

use super::output::print_line;
use super::{CliError, Exit, OutArgs, results};

#[derive(Debug, Args)]
pub(super) struct JobsArgs {
    #[command(subcommand)]
    command: JobsCommand,
}

#[derive(Debug, Subcommand)]
enum JobsCommand {
    /// Print a line for each job spec: its name, its state, its rows, its title
    List(ListArgs),
}

#[derive(Debug, Args)]
struct ListArgs {
    /// The folders of the specs
    #[arg(value_name = "FOLDER", default_value = "jobs")]
    folders: Vec<PathBuf>,
    #[command(flatten)]
    out: OutArgs,
    /// Print one JSON object for each spec
    #[arg(long)]
    json: bool,
}

/// A spec and the state of its result.
struct Listed {
    job: Job,
    state: &'static str,
    /// The number of finished rows; `None` if the folder holds the result of another job.
    rows: Option<u64>,
}

pub(super) fn run(args: &JobsArgs) -> Result<Exit, CliError> {
    let JobsCommand::List(args) = &args.command;
    let mut exit = Exit::Done;
    let mut all = Vec::new();
    for path in results::jobs_below(args.folders.clone())? {
        // A spec that cannot be read does not hide the others.
        match Job::load(&path)
            .map_err(CliError::from)
            .and_then(|job| listed(args, job))
        {
            Ok(listed) => all.push(listed),
            Err(error) => {
                error.print();
                exit = error.exit;
            }
        }
    }
    if args.json {
        all.iter().for_each(|listed| print_line(&object(listed)));
    } else {
        lines(&all).iter().for_each(|line| print_line(line));
    }
    Ok(exit)
}

/// Returns the state of a job by the records of its result.
fn listed(args: &ListArgs, job: Job) -> Result<Listed, CliError> {
    let (state, rows) = match run::plan(&job, &args.out.out) {
        Ok(plan) => match plan.status {
            // Rows of shards are counted by seedbank status.
            None if !run::shards_there(&job.header, &args.out.out)?.is_empty() => {
                ("unfinished", None)
            }
            None => ("not begun", Some(0)),
            Some(status) if status.complete => ("finished", Some(status.rows)),
            Some(status) => ("unfinished", Some(status.rows)),
        },
        Err(
            DatasetError::OtherJob { .. }
            | DatasetError::OtherSpace { .. }
            | DatasetError::OtherPlan { .. }
            | DatasetError::OtherFormat { .. },
        ) => ("of another spec", None),
        Err(error) => return Err(error.into()),
    };
    Ok(Listed { job, state, rows })
}

fn object(Listed { job, state, rows }: &Listed) -> String {
    json!({
        "job": job.header.name,
        "title": job.header.title,
        "spec": job.header.path,
        "state": state,
        "rows": rows,
        "rows_total": job.task.rows(),
    })
    .to_string()
}

/// Returns a line for each spec, in columns.
fn lines(all: &[Listed]) -> Vec<String> {
    let rows = |Listed { job, rows, .. }: &Listed| match rows {
        Some(rows) => format!("{rows} of {} rows", job.task.rows()),
        None => format!("{} rows", job.task.rows()),
    };
    let width = |text: &dyn Fn(&Listed) -> usize| all.iter().map(text).max().unwrap_or(0);
    let names = width(&|listed| listed.job.header.name.len());
    let states = width(&|listed| listed.state.len());
    let counts = width(&|listed| rows(listed).len());
    let line = |listed: &Listed| {
        let Listed { job, state, .. } = listed;
        let title = job.header.title.as_deref().unwrap_or_default();
        let line = format!(
            "{:names$}  {state:states$}  {:counts$}  {title}",
            job.header.name,
            rows(listed)
        );
        line.trim_end().to_owned()
    };
    all.iter().map(line).collect()
}
