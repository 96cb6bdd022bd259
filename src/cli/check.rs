//! `seedbank check`

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use super::output::{count, print_line};
use super::{CliError, Exit, OutArgs, load_jobs, results};
use crate::durable;
use crate::input;
use crate::proof::{Certificate, Written};
use crate::report::check::{CheckReport, not_covered_by_any};
use crate::report::reference::Facts;
use crate::run::out_option;

#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// The job specs, files or names below jobs/ such as table-5; certificates of proofs, such as data/proofs/theorem-2-2.toml; or
    /// `all` for the jobs below jobs/ that have a finished result and the proofs in data/proofs
    #[arg(required = true, value_name = "JOB|PROOF|all")]
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
    let facts = Facts::load(args.reference.as_deref()).map_err(CliError::failed)?;
    let all = args.jobs.iter().any(|job| job == Path::new("all"));
    let (proofs, paths) = match all {
        true => (shipped_proofs(), results::all_jobs()?),
        false => args
            .jobs
            .iter()
            .cloned()
            .partition(|path| is_certificate(path)),
    };
    for path in &proofs {
        check_proof(path, args.json)?;
    }
    if paths.is_empty() {
        return Ok(Exit::Done);
    }
    let out = &args.out.out;
    let mut reports = Vec::new();
    let mut unfinished = 0;
    for job in load_jobs(&paths)? {
        if let Some(why) = job.task.is_not_checked() {
            if !all {
                return Err(CliError::usage(format!(
                    "{} {why}, with which no reference is compared; print them with \"seedbank table\"",
                    job.header.path.display()
                )));
            }
            continue;
        }
        let Some(result) = results::finished(&job, out)? else {
            if all {
                tracing::debug!("{}: no finished result, not checked", job.header.name);
                unfinished += 1;
                continue;
            }
            return Err(results::unfinished(&job, out));
        };
        let report = results::read(&job, out, result.as_ref(), &[], |reading| {
            job.task.check(reading, &facts)
        })?;
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
        if reports.is_empty() {
            return Err(CliError::new(
                Exit::Failed,
                format!(
                    "no job below jobs/ has a finished result in {}; run \"seedbank run jobs/*.toml{}\" first",
                    out.display(),
                    out_option(out)
                ),
            ));
        }
        let all: Vec<_> = facts.all().collect();
        let left = not_covered_by_any(all.len(), &reports);
        let left: Vec<_> = left.into_iter().map(|number| &all[number]).collect();
        if args.json {
            let labels: Vec<_> = left.iter().map(|(fact, _)| fact.label()).collect();
            print_line(&json!({ "not_covered_by_any": labels }).to_string());
        } else if !left.is_empty() {
            print_line(&format!(
                "{} not covered by any result:",
                count(left.len() as u64, "fact")
            ));
            for (fact, how) in left {
                let (label, citation) = (fact.label(), fact.citation());
                print_line(&format!("  {label}, {how} ({citation})"));
            }
        }
    }
    let passed = reports.iter().all(CheckReport::passed);
    Ok(if passed { Exit::Done } else { Exit::Failed })
}

/// The folder of the proofs that `all` stands for.
const PROOFS: &str = "data/proofs";

/// Returns the proofs in their folder, by name; none where there is no folder.
fn shipped_proofs() -> Vec<PathBuf> {
    let paths = durable::plain_files(Path::new(PROOFS)).unwrap_or_default();
    paths
        .into_iter()
        .filter(|path| is_certificate(path))
        .collect()
}

/// Returns whether a file has the section that certificates of proofs have.
fn is_certificate(path: &Path) -> bool {
    let text = input::text(path);
    text.is_ok_and(|text| text.lines().any(|line| line.trim() == "[[theorem]]"))
}

/// Checks a certificate, and prints what it proves.
fn check_proof(path: &Path, as_json: bool) -> Result<(), CliError> {
    let certificate = Certificate::load(path)?;
    certificate.check(path)?;
    let theorem: Vec<String> = certificate.theorem.iter().map(Written::to_string).collect();
    let claims = certificate.claims.len() as u64;
    print_line(&match as_json {
        true => json!({
            "proof": path,
            "game": certificate.game.name(),
            "play": certificate.play.name(),
            "theorem": theorem,
            "claims": claims,
        })
        .to_string(),
        false => format!(
            "{}: proved: {}, {} {} ({} besides)",
            path.display(),
            theorem.join("; "),
            certificate.play.name(),
            certificate.game.name(),
            count(claims, "claim")
        ),
    });
    Ok(())
}
