//! `seedbank report`

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use seedbank::dataset::LawRow;
use seedbank::mine::MineOptions;
use seedbank::report::page::{Section, Spared, page};
use seedbank::run::mining::{MiningError, stored_laws};
use seedbank::run::{Job, Limits, Session, Signals, Silent, memory_available, section};

use super::error::stopped;
use super::files::{is_page, write_text};
use super::laws::mined;
use super::options::ResultArgs;
use super::output::print_line;
use super::{CliError, Exit, listen, load_jobs, results, site};

/// The most rows of a result that is mined for its page if its laws were not recorded. Mining these takes some seconds.
const MINED_ROWS_MAX: u64 = 2_000;

#[derive(Debug, Args)]
pub(super) struct ReportArgs {
    /// The job specs: files, or names below jobs/ such as table-5; a page has a section for each
    #[arg(required = true, value_name = "JOB")]
    jobs: Vec<PathBuf>,
    /// The page's file; - is standard output [default for one job: its name with .html, beside its folder of results]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write a site instead, into a folder of its own: an index with a search, a page for each job, and a page for each value on
    /// these pages, with links between them; no server is needed
    #[arg(long, value_name = "DIR", conflicts_with = "output")]
    site: Option<PathBuf>,
    #[command(flatten)]
    result: ResultArgs,
}

pub(super) fn run(args: &ReportArgs) -> Result<Exit, CliError> {
    let out = &args.result.out.out;
    let jobs = load_jobs(&args.jobs)?;
    let signals = listen()?;
    if let Some(dir) = &args.site {
        site::check(dir)?;
        return match sections_of(&jobs, &args.result, &signals)? {
            Ok(sections) => site::write(dir, &jobs, sections, &args.result, &signals),
            Err(exit) => Ok(exit),
        };
    }
    let path = match (&args.output, &jobs[..]) {
        (Some(path), _) => path.clone(),
        (None, [job]) => page_of(job, out)?,
        (None, _) => {
            return Err(CliError::usage(
                "a page of several jobs needs a name: add -o FILE, such as -o page.html; --site DIR writes a page for each",
            ));
        }
    };
    let sections = match sections_of(&jobs, &args.result, &signals)? {
        Ok(sections) => sections,
        Err(exit) => return Ok(exit),
    };
    if write_text(&path, &page(&sections))? {
        print_line(&path.display().to_string());
    }
    Ok(Exit::Done)
}

/// Returns the default file for the page of a job. The user has not named it, so only a page of this program is replaced
/// there.
fn page_of(job: &Job, out: &Path) -> Result<PathBuf, CliError> {
    let path = out.join(format!("{}.html", job.header.name));
    let why = match fs::symlink_metadata(&path) {
        Ok(found) if found.is_symlink() => "it is a symbolic link",
        Ok(_) if !is_page(&path) => "it is no page that seedbank wrote",
        _ => return Ok(path),
    };
    let message = format!(
        "{} is not replaced: {why}; move it away, or name a file with -o",
        path.display()
    );
    Err(CliError::new(Exit::Failed, message))
}

/// Returns the sections of jobs, or how the process ends after a signal.
fn sections_of(
    jobs: &[Job],
    args: &ResultArgs,
    signals: &Signals,
) -> Result<Result<Vec<Section>, Exit>, CliError> {
    let mut sections = Vec::with_capacity(jobs.len());
    for job in jobs {
        if let Some(exit) = stopped(signals) {
            return Ok(Err(exit));
        }
        sections.push(section_of(job, args, signals)?);
    }
    Ok(Ok(sections))
}

fn section_of(job: &Job, args: &ResultArgs, signals: &Signals) -> Result<Section, CliError> {
    let found = results::expected(job, args)?;
    let laws = match found.results {
        Some(_) => laws(job, args, signals)?,
        None => Err(Spared(
            "Laws are not sought in results of this kind.".to_owned(),
        )),
    };
    let section = results::read(job, &args.out.out, &found, |reading| {
        section(job, found.results.as_ref(), reading, laws)
    })?;
    section.ok_or_else(|| results::missing(job, args))
}

/// Returns the laws recorded with a result, or finds those of a small result.
fn laws(
    job: &Job,
    args: &ResultArgs,
    signals: &Signals,
) -> Result<Result<Vec<LawRow>, Spared>, CliError> {
    if let Some(laws) = stored_laws(job, &args.out.out)? {
        return Ok(Ok(laws));
    }
    if job.task.rows() > MINED_ROWS_MAX {
        let path = job.header.path.display();
        return Ok(Err(Spared(format!(
            "Laws are not sought for a page in more than {MINED_ROWS_MAX} rows; \"seedbank mine {path}\" seeks them."
        ))));
    }
    let session = Session::new(Limits::new(1, memory_available()), signals, &Silent);
    let options = MineOptions::default();
    match mined(std::slice::from_ref(job), args, &options, &session) {
        Ok(mining) => Ok(Ok(mining.rows())),
        Err(MiningError::Nothing { .. }) => Ok(Err(Spared(
            "Laws are not sought in results of this kind.".to_owned(),
        ))),
        Err(error) => Err(error.into()),
    }
}
