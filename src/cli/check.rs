//! `seedbank check`

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::slice;

use clap::{ArgAction, Args};
use seedbank::durable;
use seedbank::input;
use seedbank::proof::{Certificate, Written};
use seedbank::report::check::{CheckReport, not_covered_by_any};
use seedbank::report::reference::Facts;
use seedbank::run::out_option;
use serde::Serialize;

use super::options::ResultArgs;
use super::output::{Format, as_path, count, emit};
use super::{CliError, Exit, load_jobs, reference, results};

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
    result: ResultArgs,
    /// Print one JSON object for each job
    #[arg(long, action = ArgAction::SetTrue, value_parser = Format::of_flag())]
    json: Format,
}

pub(super) fn run(args: &CheckArgs) -> Result<Exit, CliError> {
    let facts =
        Facts::load(reference::files(args.reference.as_deref())).map_err(CliError::failed)?;
    let all = args.jobs.iter().any(|job| job == Path::new("all"));
    let mut failures = Failures::default();
    let (proofs, paths) = if all {
        let proofs = failures.note(shipped_proofs());
        (proofs.unwrap_or_default(), results::all_jobs()?)
    } else {
        let paths = args.jobs.iter().cloned();
        paths.partition(|path| is_certificate(path).unwrap_or(false))
    };
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
                    args.result.out.out.display(),
                    out_option(&args.result.out.out)
                ),
            ));
        }
        let all = facts.all();
        let left = not_covered_by_any(all.len(), &reports);
        let left = left.into_iter().map(|number| {
            let fact = &all[number];
            let line = format!("\n  {}, {} ({})", fact.label, fact.how, fact.citation);
            (fact.label.to_owned(), line)
        });
        let (not_covered_by_any, lines) = left.unzip();
        emit(
            args.json,
            &NotCovered {
                not_covered_by_any,
                lines,
            },
        );
    }
    Ok(failures.exit(reports.iter().all(CheckReport::passed)))
}

/// The facts that no result covers.
#[derive(Serialize)]
struct NotCovered {
    not_covered_by_any: Vec<String>,
    /// A line for each.
    #[serde(skip)]
    lines: Vec<String>,
}

impl fmt::Display for NotCovered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.lines.is_empty() {
            return Ok(());
        }
        let facts = count(self.lines.len() as u64, "fact");
        write!(
            f,
            "{facts} not covered by any result:{}",
            self.lines.concat()
        )
    }
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
        let found = match results::found(&job, &self.result)? {
            Some(found) => found,
            None if all => {
                tracing::debug!("{}: no finished result, not checked", job.header.name);
                *unfinished += 1;
                return Ok(None);
            }
            None => return Err(results::missing(&job, &self.result)),
        };
        let report = results::read(&job, &self.result.out.out, &found, |reading| {
            job.task.check(reading, facts)
        })?;
        emit(self.json, &report);
        Ok(Some(report))
    }
}

/// The folder of the proofs that `all` stands for.
const PROOFS: &str = "data/proofs";

/// Returns the proofs in their folder, by name; none where there is no folder. A file that cannot
/// be read counts as a proof, so that its check reports the error.
fn shipped_proofs() -> Result<Vec<PathBuf>, CliError> {
    let mut paths = durable::plain_files(Path::new(PROOFS)).map_err(CliError::failed)?;
    paths.retain(|path| is_certificate(path).unwrap_or(true));
    Ok(paths)
}

/// Returns whether a file has the section that certificates of proofs have.
fn is_certificate(path: &Path) -> io::Result<bool> {
    let text = input::text(path)?;
    Ok(text.lines().any(|line| line.trim() == "[[theorem]]"))
}

/// The check of a certificate.
#[derive(Serialize)]
struct Checked<'a> {
    #[serde(serialize_with = "as_path")]
    proof: &'a Path,
    #[serde(flatten)]
    verdict: Verdict,
}

#[derive(Serialize)]
#[serde(tag = "verdict")]
enum Verdict {
    #[serde(rename = "proved")]
    Proved {
        game: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        rules: Option<String>,
        play: &'static str,
        theorem: Vec<String>,
        claims: u64,
    },
    /// The command prints the error, so that the text is empty.
    #[serde(rename = "not proved")]
    NotProved { why: String },
}

impl fmt::Display for Checked<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Verdict::Proved {
            game,
            rules,
            play,
            theorem,
            claims,
        } = &self.verdict
        else {
            return Ok(());
        };
        let by = rules.as_ref().map(|rules| format!(" by {rules}"));
        write!(
            f,
            "{}: proved: {}, {play} {game}{} ({} besides)",
            self.proof.display(),
            theorem.join("; "),
            by.unwrap_or_default(),
            count(*claims, "claim")
        )
    }
}

/// Checks a certificate, and prints what it proves.
fn check_proof(proof: &Path, format: Format) -> Result<(), CliError> {
    let checked = Certificate::load(proof).and_then(|certificate| {
        certificate.check(proof)?;
        Ok(certificate)
    });
    let verdict = match &checked {
        Ok(certificate) => Verdict::Proved {
            game: certificate.game.name(),
            rules: certificate.game.rules().map(|rules| rules.to_string()),
            play: certificate.play.name(),
            theorem: certificate.theorem.iter().map(Written::to_string).collect(),
            claims: certificate.claims.len() as u64,
        },
        Err(error) => Verdict::NotProved {
            why: error.to_string(),
        },
    };
    emit(format, &Checked { proof, verdict });
    checked?;
    Ok(())
}
