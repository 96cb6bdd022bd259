//! `seedbank plan`

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::output::{count, print_line};
use super::{CliError, Exit, OutArgs, load_jobs, shares};
use crate::job::{BinsAsked, Task};
use crate::run;

#[derive(Debug, Args)]
pub(super) struct PlanArgs {
    /// The job specs: files, or names below jobs/ such as table-5
    #[arg(required = true, value_name = "JOB")]
    jobs: Vec<PathBuf>,
    /// Show how the jobs would be dealt to so many shards
    #[arg(long, value_name = "N", value_parser = super::shards())]
    shards: Option<u32>,
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
            Task::Strips(task) => (
                task.game.name().to_owned(),
                ("play", task.play.name().to_owned()),
            ),
            Task::Heaps(task) => (task.game.to_string(), ("sum", task.sum.name().to_owned())),
            Task::Codes(task) => {
                let game = format!("codes of {} digits to {}", task.digits, task.max_digit);
                (game, ("sum", task.sum.name().to_owned()))
            }
            Task::Boards(task) => {
                let game = format!("boards of {} to {} stones", task.first, task.last);
                (game, ("bins", task.bins.to_string()))
            }
            Task::Lengths(task) => {
                let lengths = format!("lengths {} to {}", task.first, task.last);
                ("fewest stones of a board".to_owned(), ("family", lengths))
            }
            Task::Reconstructions(task) => {
                let numbering = format!("numbering {}", task.family.numbers().name());
                (
                    "boards with fixed bins".to_owned(),
                    ("numbering", numbering),
                )
            }
            Task::Graphs(task) => {
                let limits = match task.total_max {
                    Some(total) => format!("totals to {total}"),
                    None => "all totals".to_owned(),
                };
                (
                    "winning boards of sowing graphs".to_owned(),
                    ("totals", limits),
                )
            }
        };
        let bins = match &job.task {
            Task::Boards(task) if task.bins != BinsAsked::None => Some(task.bins_about()),
            _ => None,
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
            if let Some(bins) = bins {
                line["bins_about"] = json!(bins);
                line["bytes_about"] = json!(4 * bins);
            }
            if let Some(of) = args.shards {
                let dealt = run::plan_shares(&job, &args.out.out, of)?;
                line["dealt"] = shares::objects(&dealt);
            }
            print_line(&line.to_string());
            continue;
        }
        print_line(&format!(
            "{}: {game}, {}: {} in {}, {} left; {} {} in {}{}; on disk about {} or more",
            job.name,
            way.1,
            count(plan.rows, job.task.noun()),
            count(plan.shards.into(), "shard"),
            left,
            if tables.len() == 1 { "table" } else { "tables" },
            tables.join(" and "),
            folder.display(),
            bins.map_or_else(String::new, bins_text),
            bytesize::ByteSize(need.results.0),
        ));
        if let Some(of) = args.shards {
            let dealt = run::plan_shares(&job, &args.out.out, of)?;
            print_line(&shares::lines(&job, &dealt).join("\n"));
        }
    }
    Ok(Exit::Done)
}

/// Says how many bins a result lists, and what they take.
fn bins_text(bins: u64) -> String {
    let bytes = bytesize::ByteSize(4 * bins);
    format!(
        "; about {}, {bytes} before they are compressed",
        count(bins, "bin")
    )
}
