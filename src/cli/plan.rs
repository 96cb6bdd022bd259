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
        let plan = run::plan(&job, &args.out.out)?;
        let finished = plan
            .status
            .as_ref()
            .map_or(0, |status| status.finished.len() as u64);
        let left = u64::from(plan.shards) - finished;
        let need = run::DiskNeed::of(&job, &plan);
        let folder = args.out.out.join(&job.name);
        let header = run::header(&job);
        let tables: &[&str] = match job.strips() {
            Some(strips) if strips.task.witness.is_some() => &["census", "forms", "witnesses"],
            _ => header.tables.names(),
        };
        let (game, way) = match &job.task {
            Task::Strips(task) => (task.game.name().to_owned(), ("play", task.play.name())),
            Task::Heaps(task) => (task.game.to_string(), ("sum", task.sum.name())),
            Task::Codes(task) => {
                let game = format!("codes of {} digits to {}", task.digits, task.max_digit);
                (game, ("sum", task.sum.name()))
            }
        };
        if args.json {
            let mut line = json!({
                "job": job.name,
                "game": game,
                "rows": plan.rows,
                "shards": plan.shards,
                "shards_left": left,
                "tables": tables,
                "folder": folder,
                "disk_bytes_results": need.results.0,
                "disk_bytes_store": need.store.0,
            });
            line[way.0] = json!(way.1);
            print_line(&line.to_string());
            continue;
        }
        print_line(&format!(
            "{}: {game}, {}: {} in {}, {} left; {} {} in {}; on disk about {} or more",
            job.name,
            way.1,
            count(plan.rows, job.task.noun()),
            count(plan.shards.into(), "shard"),
            left,
            if tables.len() == 1 { "table" } else { "tables" },
            tables.join(" and "),
            folder.display(),
            bytesize::ByteSize(need.results.0.saturating_add(need.store.0)),
        ));
    }
    Ok(Exit::Done)
}
