//! `seedbank status`

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::output::print_line;
use super::{CliError, Exit, OutArgs, load_jobs, results};
use crate::dataset::{Digest, ResultSet};
use crate::run;

#[derive(Debug, Args)]
pub(super) struct StatusArgs {
    /// The job specs [default: all below jobs/]
    #[arg(value_name = "JOB")]
    jobs: Vec<PathBuf>,
    #[command(flatten)]
    out: OutArgs,
    /// Compare every file of the results with its checksum
    #[arg(long)]
    verify: bool,
    /// Print one JSON object for each job
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &StatusArgs) -> Result<Exit, CliError> {
    let jobs = match &args.jobs[..] {
        [] => load_jobs(&results::all_jobs()?)?,
        jobs => load_jobs(jobs)?,
    };
    let width = jobs.iter().map(|job| job.name.len()).max().unwrap_or(0);
    let mut exit = Exit::Done;
    for job in &jobs {
        let plan = match run::plan(job, &args.out.out) {
            Ok(plan) => plan,
            // One result set that cannot be read does not hide the others.
            Err(error) => {
                let error = CliError::from(error);
                tracing::error!("{}: {}", job.name, error.message);
                exit = error.exit;
                continue;
            }
        };
        let (finished, rows, complete) = plan.status.as_ref().map_or((0, 0, false), |status| {
            (status.finished.len(), status.rows, status.complete)
        });
        let state = match (&plan.status, complete) {
            (None, _) => "not begun",
            (Some(_), true) => "finished",
            (Some(_), false) => "unfinished",
        };
        if args.json {
            let line = json!({
                "job": job.name,
                "state": state,
                "rows": rows,
                "rows_total": plan.rows,
                "shards_finished": finished,
                "shards": plan.shards,
            });
            print_line(&line.to_string());
        } else {
            print_line(&format!(
                "{:width$}  {state:10}  {rows} of {} rows, {finished} of {} shards",
                job.name, plan.rows, plan.shards
            ));
        }
        let mut damage: Vec<String> = plan
            .status
            .iter()
            .flat_map(|status| &status.damage)
            .map(ToString::to_string)
            .collect();
        if args.verify && plan.status.is_some() {
            let folder = args.out.out.join(&job.name);
            let strips = job.strips().filter(|strips| strips.task.witness.is_some());
            let census = strips.and_then(|strips| run::open_census(strips, &args.out.out));
            let found = match census {
                Some(census) => census.verify(Digest::from(job.digest()))?,
                None => {
                    ResultSet::open(&folder, &run::header(job))?
                        .verify()?
                        .damage
                }
            };
            damage = found.iter().map(ToString::to_string).collect();
        }
        for damage in damage {
            tracing::warn!("{damage}");
            exit = Exit::Damaged;
        }
    }
    Ok(exit)
}
