//! `seedbank check`

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use super::output::{count, print_line};
use super::{CliError, Exit, OutArgs, load_jobs, results};
use crate::job::{StripJob, Task};
use crate::report::check::{check, not_covered_by_any};
use crate::report::reference;

#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// The job specs, or `all` for those below jobs/ that have a finished result
    #[arg(required = true, value_name = "JOB|all")]
    jobs: Vec<PathBuf>,
    /// The folder of the published values
    #[arg(long, value_name = "DIR", default_value = "data/reference")]
    reference: PathBuf,
    #[command(flatten)]
    out: OutArgs,
    /// Print one JSON object for each job
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &CheckArgs) -> Result<Exit, CliError> {
    let facts = reference::load(&args.reference).map_err(CliError::failed)?;
    let all = args.jobs.iter().any(|job| job == Path::new("all"));
    let paths = if all {
        results::all_jobs()?
    } else {
        args.jobs.clone()
    };
    let out = &args.out.out;
    let mut reports = Vec::new();
    for job in load_jobs(&paths)? {
        let Task::Strips(task) = &job.task else {
            if !all {
                return Err(CliError::usage(format!(
                    "{} is over {}s, with which no reference is compared; print the result with \"seedbank table\"",
                    job.path.display(),
                    job.task.noun()
                )));
            }
            continue;
        };
        if task.witness.is_some() {
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
                tracing::info!("{}: no finished result, not checked", job.name);
                continue;
            }
            return Err(results::unfinished(&job, out));
        };
        let report = check(
            StripJob { job: &job, task },
            result.read_positions()?,
            &facts,
        )?;
        if args.json {
            print_line(&json!(report).to_string());
        } else {
            print_line(report.to_string().trim_end());
        }
        reports.push(report);
    }
    if all {
        if reports.is_empty() {
            return Err(CliError {
                exit: Exit::Failed,
                message: format!(
                    "no job below jobs/ has a finished result in {}; run \"seedbank run jobs/*.toml\" first",
                    out.display()
                ),
            });
        }
        let left = not_covered_by_any(&facts, &reports);
        if args.json {
            let labels: Vec<_> = left.iter().map(|fact| &fact.label).collect();
            print_line(&json!({ "not_covered_by_any": labels }).to_string());
        } else if !left.is_empty() {
            print_line(&format!(
                "{} not covered by any result:",
                count(left.len() as u64, "fact")
            ));
            for fact in left {
                print_line(&format!(
                    "  {}, {} ({})",
                    fact.label, fact.play, fact.citation
                ));
            }
        }
    }
    let passed = reports.iter().all(|report| report.passed());
    Ok(if passed { Exit::Done } else { Exit::Failed })
}
