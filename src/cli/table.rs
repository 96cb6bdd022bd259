//! `seedbank table`

use std::path::PathBuf;

use clap::Args;

use super::output::print_line;
use super::{CliError, Exit, OutArgs, results};
use crate::dataset::{BoardRow, CodeRow, GraphRow, HeapRow, LengthRow, ReconstructionRow};
use crate::job::{Job, StripJob, Task};
use crate::report::table::{self, Format};

#[derive(Debug, Args)]
pub(super) struct TableArgs {
    /// The job spec: a file, or a name below jobs/ such as table-5
    #[arg(value_name = "JOB")]
    job: PathBuf,
    /// The format: text, markdown, latex or csv
    #[arg(long, value_name = "FORMAT", default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    out: OutArgs,
}

pub(super) fn run(args: &TableArgs) -> Result<Exit, CliError> {
    let job = Job::load(&results::find_job(&args.job)?)?;
    let out = &args.out.out;
    let witness = job.strips().and_then(|strips| strips.task.witness.as_ref());
    let table = match (&job.task, witness) {
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
                    table::build(strips, result.read_positions()?)?
                }
                Task::Heaps(task) => {
                    table::build_heaps(&job, task, result.read_plain::<HeapRow>()?)?
                }
                Task::Codes(task) => {
                    table::build_codes(&job, task, result.read_plain::<CodeRow>()?)?
                }
                Task::Boards(task) => {
                    table::build_boards(&job, task, result.read_plain::<BoardRow>()?)?
                }
                Task::Lengths(task) => {
                    table::build_lengths(&job, task, result.read_plain::<LengthRow>()?)?
                }
                Task::Reconstructions(task) => {
                    let rows = result.read_plain::<ReconstructionRow>()?;
                    table::build_reconstructions(&job, task, rows)?
                }
                Task::Graphs(task) => {
                    table::build_graphs(&job, task, result.read_plain::<GraphRow>()?)?
                }
            }
        }
    };
    print_line(table.render(args.format).trim_end_matches('\n'));
    Ok(Exit::Done)
}
