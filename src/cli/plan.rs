//! `seedbank plan`

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::output::{count, print_line};
use super::{CliError, Exit, OutArgs, load_jobs};
use crate::job::Task;
use crate::run;

#[derive(Debug, Args)]
pub(super) struct PlanArgs {
    /// The job specs
    #[arg(required = true, value_name = "JOB")]
    jobs: Vec<PathBuf>,
    #[command(flatten)]
    out: OutArgs,
    /// Print one JSON object for each job
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &PlanArgs) -> Result<Exit, CliError> {
    for job in load_jobs(&args.jobs)? {
        let Task::Strips(task) = &job.task;
        let plan = run::plan(&job, &args.out.out)?;
        let finished = plan
            .status
            .as_ref()
            .map_or(0, |status| status.finished.len() as u64);
        let left = u64::from(plan.shards) - finished;
        let folder = args.out.out.join(&job.name);
        let tables: &[&str] = match task.witness {
            Some(_) => &["census", "forms", "witnesses"],
            None => &["positions", "forms"],
        };
        if args.json {
            let line = json!({
                "job": job.name,
                "game": task.game.name(),
                "play": task.play.name(),
                "rows": plan.rows,
                "shards": plan.shards,
                "shards_left": left,
                "tables": tables,
                "folder": folder,
            });
            print_line(&line.to_string());
            continue;
        }
        print_line(&format!(
            "{}: {}, {}: {} in {}, {} left; tables {} in {}",
            job.name,
            task.game.name(),
            task.play,
            count(plan.rows, "position"),
            count(plan.shards.into(), "shard"),
            left,
            tables.join(" and "),
            folder.display(),
        ));
    }
    Ok(Exit::Done)
}
