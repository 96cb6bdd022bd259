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
    #[command(flatten)]
    out: OutArgs,
}

pub(super) fn run(args: &TableArgs) -> Result<Exit, CliError> {
    let job = Job::load(&args.job)?;
    let out = &args.out.out;
    let Task::Strips(task) = &job.task;
    let strips = StripJob { job: &job, task };
    if let Some(spec) = &task.witness {
        let (census, answer) = results::answered(strips, out)?;
        let rows = census.read_witnesses(&answer, &spec.variables);
        let table = table::build_witnesses(strips, spec, &answer, rows)?;
        print_line(table.render(args.format).trim_end_matches('\n'));
        return Ok(Exit::Done);
    }
    let result = results::finished(&job, out)?.ok_or_else(|| results::unfinished(&job, out))?;
    let table = table::build(strips, result.read_positions()?)?;
    print_line(table.render(args.format).trim_end_matches('\n'));
    Ok(Exit::Done)
}
