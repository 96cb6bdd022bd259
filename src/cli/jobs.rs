//! `seedbank jobs`

use std::fmt;
use std::path::{Path, PathBuf};

use clap::{ArgAction, Args, Subcommand};
use seedbank::run::{self, Job};
use serde::Serialize;

use super::output::{Format, as_path, emit};
use super::status::OF_ANOTHER_SPEC;
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
    #[arg(long, action = ArgAction::SetTrue, value_parser = Format::of_flag())]
    json: Format,
}

/// A spec and the state of its result.
#[derive(Serialize)]
struct Listed {
    job: String,
    title: Option<String>,
    #[serde(serialize_with = "as_path")]
    spec: PathBuf,
    state: &'static str,
    /// The number of finished rows; `None` if the folder holds the result of another job.
    rows: Option<u64>,
    rows_total: u64,
    #[serde(skip)]
    widths: Widths,
}

/// The widths of the columns of a list.
#[derive(Clone, Copy, Default)]
struct Widths {
    job: usize,
    state: usize,
    rows: usize,
}

pub(super) fn run(args: &JobsArgs) -> Result<Exit, CliError> {
    let JobsCommand::List(args) = &args.command;
    let mut exit = Exit::Done;
    let mut all = Vec::new();
    for path in results::jobs_below(args.folders.clone())? {
        // A spec that cannot be read does not hide the others.
        match listed(&path, &args.out.out) {
            Ok(listed) => all.push(listed),
            Err(error) => {
                error.print();
                exit = error.exit;
            }
        }
    }
    let width = |text: &dyn Fn(&Listed) -> usize| all.iter().map(text).max().unwrap_or(0);
    let widths = Widths {
        job: width(&|listed| listed.job.len()),
        state: width(&|listed| listed.state.len()),
        rows: width(&|listed| listed.rows_text().len()),
    };
    for listed in all {
        emit(args.json, &Listed { widths, ..listed });
    }
    Ok(exit)
}

/// Returns the state of a job by the records of its result.
fn listed(spec: &Path, out: &Path) -> Result<Listed, CliError> {
    let job = Job::load(spec)?;
    let (state, rows) = match run::plan(&job, out) {
        Ok(plan) => match plan.status {
            // Rows of shards are counted by seedbank status.
            None if !run::shards_there(&job.header, out)?.is_empty() => ("unfinished", None),
            None => ("not begun", Some(0)),
            Some(status) if status.complete => ("finished", Some(status.rows)),
            Some(status) => ("unfinished", Some(status.rows)),
        },
        Err(error) if error.is_of_another_spec() => (OF_ANOTHER_SPEC, None),
        Err(error) => return Err(error.into()),
    };
    Ok(Listed {
        rows_total: job.task.rows(),
        job: job.header.name,
        title: job.header.title,
        spec: job.header.path,
        state,
        rows,
        widths: Widths::default(),
    })
}

impl Listed {
    fn rows_text(&self) -> String {
        match self.rows {
            Some(rows) => format!("{rows} of {} rows", self.rows_total),
            None => format!("{} rows", self.rows_total),
        }
    }
}

impl fmt::Display for Listed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Widths { job, state, rows } = self.widths;
        let title = self.title.as_deref().unwrap_or_default();
        let line = format!(
            "{:job$}  {:state$}  {:rows$}  {title}",
            self.job,
            self.state,
            self.rows_text()
        );
        f.write_str(line.trim_end())
    }
}
