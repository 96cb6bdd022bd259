//! `seedbank table`

use std::path::PathBuf;

use clap::Args;

use super::output::print_line;
use super::{CliError, Exit, OutArgs, results};
use crate::job::{Job, StripJob, Task};
use crate::report::table::{self, Format};

#[derive(Debug, Args)]
pub(super) struct TableArgs {
    /// The job spec
    #[arg(value_name = "JOB")]
    job: PathBuf,
    /// The format: text, markdown, latex or csv
    #[arg(long, value_name = "FORMAT", default_value_t = Format::Text)]
    format: Format,
    /// Print one table of several; csv takes no more than one
    ///
    /// Summaries of codes have the tables summary and open, those of reconstructions summary and greatest, searches for
    /// witnesses the tables witnesses, nim-values or kinds, and atomic-weights. All others are one table, named table.
    #[arg(long, value_name = "NAME")]
    which: Option<String>,
    /// Print one JSON object with all columns and rows
    #[arg(long, conflicts_with = "format")]
    json: bool,
    #[command(flatten)]
    out: OutArgs,
}

pub(super) fn run(args: &TableArgs) -> Result<Exit, CliError> {
    let job = Job::load(&args.job)?;
    let out = &args.out.out;
    let witness = job.strips().and_then(|strips| strips.task.witness.as_ref());
    let mut table = match (&job.task, witness) {
        (Task::Strips(task), Some(spec)) => {
            let strips = StripJob { job: &job, task };
            let (census, answer) = results::answered(strips, out)?;
            let rows = census.read_witnesses(&answer, &spec.variables);
            table::build_witnesses(strips, spec, &answer, rows)?
        }
        (task, _) => {
            let result = results::finished(&job, out)?;
            let result = result.ok_or_else(|| results::unfinished(&job, out))?;
            match task {
                Task::Strips(task) => {
                    let strips = StripJob { job: &job, task };
                    table::build(strips, result.scan())?
                }
                Task::Heaps(task) => table::build_heaps(&job, task, result.scan())?,
                Task::Codes(task) => table::build_codes(&job, task, result.scan())?,
                Task::Boards(task) => table::build_boards(&job, task, result.scan())?,
                Task::Lengths(task) => table::build_lengths(&job, task, result.scan())?,
                Task::Reconstructions(task) => {
                    let rows = result.scan();
                    table::build_reconstructions(&job, task, rows)?
                }
                Task::Graphs(task) => table::build_graphs(&job, task, result.scan())?,
            }
        }
    };
    let names = table.names();
    match &args.which {
        Some(name) if names.contains(&name.as_str()) => table.retain(name),
        Some(name) => {
            return Err(CliError::usage(format!(
                "{} has no table {name:?}; --which accepts {}",
                job.name,
                names.join(", ")
            )));
        }
        None if args.format == Format::Csv && names.len() > 1 => {
            return Err(CliError::usage(format!(
                "{} has several tables, and csv takes one; choose it by --which: {}",
                job.name,
                names.join(", ")
            )));
        }
        None => {}
    }
    if args.json {
        print_line(&table.to_json().to_string());
        return Ok(Exit::Done);
    }
    print_line(table.render(args.format).trim_end_matches('\n'));
    Ok(Exit::Done)
}
