//! `seedbank check`

use std::path::{Path, PathBuf};
use std::slice;

use clap::Args;
use seedbank::durable;
use seedbank::input;
use seedbank::proof::{Certificate, Written};
use seedbank::report::check::{CheckReport, not_covered_by_any};
use seedbank::report::reference::Facts;
use seedbank::run::out_option;
use serde_json::json;

use super::output::{count, print_line};
use super::{CliError, Exit, OutArgs, load_jobs, reference, results};

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
    let facts =
        Facts::load(reference::files(args.reference.as_deref())).map_err(CliError::failed)?;
    let all = args.jobs.iter().any(|job| job == Path::new("all"));
    let (proofs, paths) = if all {
        (shipped_proofs(), results::all_jobs()?)
    } else {
        args.jobs
            .iter()
            .cloned()
            .partition(|path| is_certificate(path))
    };
    let mut failures = Failures::default();
    for path in &proofs {
        failures.note(check_proof(path, args.json));
    }
    if paths.is_empty() {
        return Ok(failures.exit(true));
    }
    let mut reports = Vec::new();
    let mut unfinished = 0;
    for path in &paths {
        let report = args.check_job(path, &facts, all, &mut unfinished);
        reports.extend(failures.note(report).flatten());
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
                    args.out.out.display(),
                    out_option(&args.out.out)
                ),
            ));
        }
        let all = facts.all();
        let left = not_covered_by_any(all.len(), &reports);
        let left: Vec<_> = left.into_iter().map(|number| &all[number]).collect();
        if args.json {
            let labels: Vec<_> = left.iter().map(|fact| fact.label).collect();
            print_line(&json!({ "not_covered_by_any": labels }).to_string());
        } else if !left.is_empty() {
            print_line(&format!(
                "{} not covered by any result:",
                count(left.len() as u64, "fact")
            ));
            for fact in left {
                let (label, how, citation) = (fact.label, &fact.how, fact.citation);
                print_line(&format!("  {label}, {how} ({citation})"));
            }
        }
    }
    Ok(failures.exit(reports.iter().all(CheckReport::passed)))
}

/// The errors about some of several files.
#[derive(Default)]
struct Failures {
    /// The greatest status of them.
    worst: Option<Exit>,
}

impl Failures {
    /// Prints the error, if there is one.
    fn note<T>(&mut self, result: Result<T, CliError>) -> Option<T> {
        let error = match result {
            Ok(found) => return Some(found),
            Err(error) => error,
        };
        error.print();
        self.worst = self.worst.max(Some(error.exit));
        None
    }

    /// Returns the status of the command, given whether everything that could be checked passed.
    fn exit(&self, passed: bool) -> Exit {
        let checked = if passed { Exit::Done } else { Exit::Failed };
        self.worst.map_or(checked, |worst| worst.max(checked))
    }
}

impl CheckArgs {
    /// Compares a job's result with the facts and prints the report. Returns none for a job of
    /// `all` that has nothing to compare.
    fn check_job(
        &self,
        path: &PathBuf,
        facts: &Facts,
        all: bool,
        unfinished: &mut u64,
    ) -> Result<Option<CheckReport>, CliError> {
        let out = &self.out.out;
        let mut jobs = load_jobs(slice::from_ref(path))?;
        let job = jobs.remove(0);
        if let Some(why) = job.task.is_not_checked() {
            if !all {
                return Err(CliError::usage(format!(
                    "{} {why}, with which no reference is compared; print them with \"seedbank table\"",
                    job.header.path.display()
                )));
            }
            return Ok(None);
        }
        let Some(result) = results::finished(&job, out)? else {
            if all {
                tracing::debug!("{}: no finished result, not checked", job.header.name);
                *unfinished += 1;
                return Ok(None);
            }
            return Err(results::unfinished(&job, out));
        };
        let report = results::read(&job, out, result.as_ref(), &[], |reading| {
            job.task.check(reading, facts)
        })?;
        print_line(&if self.json {
            json!(report).to_string()
        } else {
            report.to_string().trim_end().to_owned()
        });
        Ok(Some(report))
    }
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
    let checked = Certificate::load(path).and_then(|certificate| {
        certificate.check(path)?;
        Ok(certificate)
    });
    let certificate = checked.inspect_err(|error| {
        if as_json {
            let why = error.to_string();
            print_line(&json!({ "proof": path, "verdict": "not proved", "why": why }).to_string());
        }
    })?;
    let theorem: Vec<String> = certificate.theorem.iter().map(Written::to_string).collect();
    let claims = certificate.claims.len() as u64;
    print_line(&if as_json {
        json!({
            "proof": path,
            "verdict": "proved",
            "game": certificate.game.name(),
            "play": certificate.play.name(),
            "theorem": theorem,
            "claims": claims,
        })
        .to_string()
    } else {
        format!(
            "{}: proved: {}, {} {} ({} besides)",
            path.display(),
            theorem.join("; "),
            certificate.play.name(),
            certificate.game.name(),
            count(claims, "claim")
        )
    });
    Ok(())
}
