//! `seedbank check`

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use super::output::{count, print_line};
use super::{CliError, Exit, OutArgs, load_jobs, results};
use crate::job::{StripJob, Task};
use crate::report::check::{
    check, check_boards, check_codes, check_graphs, check_heaps, check_lengths,
    check_reconstructions, not_covered_by_any,
};
use crate::report::reference;

#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// The job specs, files or names below jobs/ such as table-5, or `all` for those below jobs/
    /// that have a finished result
    #[arg(required = true, value_name = "JOB|all")]
    jobs: Vec<PathBuf>,
    /// A folder with files like those of data/reference, to use instead of the built-in ones
    #[arg(long, value_name = "DIR")]
    reference: Option<PathBuf>,
    #[command(flatten)]
    out: OutArgs,
    /// Print one JSON object for each job
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &CheckArgs) -> Result<Exit, CliError> {
    let facts = reference::load(args.reference.as_deref()).map_err(CliError::failed)?;
    let heap_facts = reference::load_heaps(args.reference.as_deref()).map_err(CliError::failed)?;
    let board_facts =
        reference::load_boards(args.reference.as_deref()).map_err(CliError::failed)?;
    let all = args.jobs.iter().any(|job| job == Path::new("all"));
    let paths = if all {
        results::all_jobs()?
    } else {
        args.jobs.clone()
    };
    let out = &args.out.out;
    // Reports say which facts they cover by their places, so those of strips, of heaps and of boards are kept apart.
    let (mut of_strips, mut of_heaps, mut of_boards) = (Vec::new(), Vec::new(), Vec::new());
    let mut unfinished = 0;
    for job in load_jobs(&paths)? {
        if matches!(&job.task, Task::Strips(task) if task.witness.is_some()) {
            // Its result is witnesses, and the references hold none.
            if !all {
                return Err(CliError::usage(format!(
                    "{} looks for witnesses, with which no reference is compared; print them with \"seedbank table\"",
                    job.path.display()
                )));
            }
            continue;
        }
        let Some(result) = results::finished(&job, out)? else {
            if all {
                tracing::debug!("{}: no finished result, not checked", job.name);
                unfinished += 1;
                continue;
            }
            return Err(results::unfinished(&job, out));
        };
        let (progress, meter) = results::reading(&job);
        let rows = result.scan().counted_by(&progress);
        let (report, reports) = match &job.task {
            Task::Strips(task) => {
                let job = StripJob { job: &job, task };
                (check(job, rows, &facts)?, &mut of_strips)
            }
            Task::Heaps(task) => (check_heaps(&job, task, rows, &heap_facts)?, &mut of_heaps),
            Task::Codes(task) => (check_codes(&job, task, rows, &heap_facts)?, &mut of_heaps),
            Task::Boards(task) => (
                check_boards(&job, task, rows, &board_facts)?,
                &mut of_boards,
            ),
            Task::Lengths(task) => {
                let report = check_lengths(&job, task, rows, &board_facts)?;
                (report, &mut of_boards)
            }
            Task::Reconstructions(task) => {
                let report = check_reconstructions(&job, task, rows, &board_facts)?;
                (report, &mut of_boards)
            }
            Task::Graphs(task) => {
                let report = check_graphs(&job, task, rows, &board_facts)?;
                (report, &mut of_boards)
            }
        };
        drop(meter);
        if args.json {
            print_line(&json!(report).to_string());
        } else {
            print_line(report.to_string().trim_end());
        }
        reports.push(report);
    }
    if unfinished > 0 {
        tracing::info!(
            "{} without a finished result, not checked; -v names them",
            count(unfinished, "job")
        );
    }
    if all {
        if of_strips.is_empty() && of_heaps.is_empty() && of_boards.is_empty() {
            return Err(CliError::new(
                Exit::Failed,
                format!(
                    "no job below jobs/ has a finished result in {}; run \"seedbank run jobs/*.toml\" first",
                    out.display()
                ),
            ));
        }
        let strips = not_covered_by_any(&facts, &of_strips).into_iter();
        let strips = strips.map(|fact| (&fact.label, fact.play.to_string(), &fact.citation));
        let heaps = not_covered_by_any(&heap_facts, &of_heaps).into_iter();
        let heaps = heaps.map(|fact| (&fact.label, fact.sum.to_string(), &fact.citation));
        let boards = not_covered_by_any(&board_facts, &of_boards).into_iter();
        let boards = boards.map(|fact| (&fact.label, "tchoukaillon".to_owned(), &fact.citation));
        let left: Vec<_> = strips.chain(heaps).chain(boards).collect();
        if args.json {
            let labels: Vec<_> = left.iter().map(|(label, ..)| label).collect();
            print_line(&json!({ "not_covered_by_any": labels }).to_string());
        } else if !left.is_empty() {
            print_line(&format!(
                "{} not covered by any result:",
                count(left.len() as u64, "fact")
            ));
            for (label, how, citation) in left {
                print_line(&format!("  {label}, {how} ({citation})"));
            }
        }
    }
    let mut reports = of_strips.iter().chain(&of_heaps).chain(&of_boards);
    let passed = reports.all(|report| report.passed());
    Ok(if passed { Exit::Done } else { Exit::Failed })
}
