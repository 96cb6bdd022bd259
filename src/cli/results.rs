//! Job specs and their results, for the subcommands that read them.

use std::collections::HashSet;
use std::io;
use std::iter;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use seedbank::dataset::{ResultSet, ScanProgress, Status};
use seedbank::durable::is_hidden;
use seedbank::input;
use seedbank::job::near;
use seedbank::run::{self, Job, Reading, out_option};

use super::options::ResultArgs;
use super::progress::Meter;
use super::{CliError, Exit, streams};

/// A job's result, or what there is of it.
pub(super) struct Found {
    /// The result set, if it has a row for each rank.
    pub(super) results: Option<ResultSet>,
    /// The ranks of its rows.
    pub(super) ranks: Vec<Range<u64>>,
    /// The number of rows that are done; `None` if all are.
    pub(super) rows_there: Option<u64>,
}

impl Found {
    /// Returns how much of an unfinished result is there, in words.
    pub(super) fn mark(&self, job: &Job) -> Option<String> {
        let rows = self.rows_there?;
        Some(format!("partial: {rows} of {} rows", job.task.rows()))
    }
}

/// Opens a job's result to read it, and warns if only a part of it is there. Returns `None` if it is unfinished or, where a part of it is wanted, has no rows.
///
/// # Errors
///
/// A damaged result; a kind of job without partial results, if one is wanted.
pub(super) fn found(job: &Job, args: &ResultArgs) -> Result<Option<Found>, CliError> {
    let out = &args.out.out;
    if let (true, Some(needs)) = (args.partial, job.task.needs_all()) {
        let message = format!(
            "{} {needs}: it has no partial result; run \"{}\" first",
            job.header.name,
            run_command(job, out)
        );
        return Err(CliError::new(Exit::Failed, message));
    }
    let found = match finished(job, out) {
        // The undamaged parts can be read.
        Ok(None) | Err(_) if args.partial => partial(job, out)?,
        finished => finished?,
    };
    if let Some(mark) = found.as_ref().and_then(|found| found.mark(job)) {
        tracing::warn!("{}: {mark}", job.header.name);
    }
    Ok(found)
}

/// Opens a job's result as [`found`] does; there must be one.
pub(super) fn expected(job: &Job, args: &ResultArgs) -> Result<Found, CliError> {
    found(job, args)?.ok_or_else(|| missing(job, args))
}

/// Returns the error for a job without a result to read. It names --partial if there are rows.
pub(super) fn missing(job: &Job, args: &ResultArgs) -> CliError {
    let out = &args.out.out;
    let what = if args.partial {
        "rows"
    } else {
        "finished result"
    };
    let has_rows = || job.task.needs_all().is_none() && matches!(partial(job, out), Ok(Some(_)));
    let more = if !args.partial && has_rows() {
        ", or add --partial for the rows so far"
    } else {
        ""
    };
    CliError::new(
        Exit::Failed,
        format!(
            "{} has no {what} in {}; run \"{}\" first{more}",
            job.header.name,
            out.display(),
            run_command(job, out)
        ),
    )
}

/// Opens a job's result, if it is finished.
fn finished(job: &Job, out: &Path) -> Result<Option<Found>, CliError> {
    let plan = run::plan(job, out)?;
    match plan.status {
        Some(status) if status.is_whole() => {
            let results = job.task.open(&job.header, out)?;
            if let Some(results) = &results {
                remark_open(job, out, &status, results)?;
            }
            Ok(Some(Found {
                results,
                ranks: iter::once(0..job.task.rows()).collect(),
                rows_there: None,
            }))
        }
        Some(status) if !status.damage.is_empty() => {
            let exit = Exit::Damaged;
            let message = status
                .damage
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>();
            Err(CliError::new(exit, message.join("\n")))
        }
        _ => Ok(None),
    }
}

/// The most positions without a value that are named.
const OPEN_SHOWN: usize = 5;

/// Warns of the rows of a result that exceed the limit of its run, and names the first.
fn remark_open(
    job: &Job,
    out: &Path,
    status: &Status,
    results: &ResultSet,
) -> Result<(), CliError> {
    let open = status.rows_open();
    if open == 0 {
        return Ok(());
    }
    let names = results.open_positions(OPEN_SHOWN)?;
    let more = open.saturating_sub(names.len() as u64);
    let more = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    tracing::warn!(
        "{}: {open} of {} rows have no value, since they exceed the limit for each row: {}{more}; run \"{}\" with a \
         higher --row-limit to find them",
        job.header.name,
        job.task.rows(),
        names.join(", "),
        run_command(job, out),
    );
    Ok(())
}

/// Passes a result to a function that reads it, and displays the progress of the scan of its rows.
pub(super) fn read<T>(
    job: &Job,
    out: &Path,
    found: &Found,
    reads: impl FnOnce(&Reading<'_>) -> T,
) -> T {
    let progress = Arc::new(ScanProgress::default());
    let shown = Arc::clone(&progress);
    let _meter = Meter::watching(&*job.header.name, "reading", "row", move || {
        (shown.read(), shown.rows())
    });
    reads(&Reading {
        job: &job.header,
        out,
        rows: (found.results.as_ref()).map(|results| results.scan().counted_by(&progress)),
        ranks: &found.ranks,
    })
}

/// Returns a job's result set with the rows of the parts that are there; `None` if there are none.
fn partial(job: &Job, out: &Path) -> Result<Option<Found>, CliError> {
    let plan = run::plan(job, out)?;
    let ranks = job.task.finished_ranks(&plan);
    for damage in plan.status.iter().flat_map(|status| &status.damage) {
        tracing::warn!("{damage}");
    }
    if ranks.is_empty() {
        return Ok(None);
    }
    let results = job.task.open(&job.header, out)?;
    Ok(results.map(|results| Found {
        results: Some(results.partial()),
        ranks,
        rows_there: Some(plan.status.map_or(0, |status| status.rows)),
    }))
}

/// Returns the command that runs a job with its results in `out`.
pub(super) fn run_command(job: &Job, out: &Path) -> String {
    format!(
        "seedbank run {}{}",
        job.header.path.display(),
        out_option(out)
    )
}

/// The most names suggested in place of an unknown one.
const NEAR_SHOWN: usize = 5;

/// Returns the job spec that an argument names: a path, or the end of a path below `jobs/` without
/// `.toml`, such as `table-5` or `witness/sowing-dyadics`. An existing file takes precedence.
pub(super) fn find_job(argument: &Path) -> Result<PathBuf, CliError> {
    let jobs = Path::new("jobs");
    let has_jobs = jobs.is_dir();
    if argument.is_file() || argument.is_absolute() || (!has_jobs && argument.exists()) {
        return Ok(argument.to_owned());
    }
    if !has_jobs {
        return Err(CliError::usage(format!(
            "no job spec {}: there is no such file, and no folder jobs/ that could hold one of that \
             name; give a path, or go to the folder that holds jobs/",
            argument.display()
        )));
    }
    let specs = all_jobs()?;
    let name = match argument.extension() {
        Some(extension) if extension == "toml" => argument.with_extension(""),
        _ => argument.to_owned(),
    };
    let found: Vec<&PathBuf> = specs
        .iter()
        .filter(|spec| spec.with_extension("").ends_with(&name))
        .collect();
    let shown = argument.display();
    match found[..] {
        [spec] => Ok(spec.clone()),
        // A folder or an unreadable path: reading it gives the error.
        [] if argument.exists() => Ok(argument.to_owned()),
        [] => {
            let stems: Vec<_> = specs.iter().filter_map(|spec| spec.file_stem()).collect();
            let stems: Vec<_> = stems.iter().map(|stem| stem.to_string_lossy()).collect();
            let wanted = name.file_name().unwrap_or_default().to_string_lossy();
            let mut near = near(&wanted, stems.iter().map(|stem| &**stem));
            near.truncate(NEAR_SHOWN);
            let help = match near[..] {
                [] => "\"seedbank status --all\" lists the jobs below jobs/".to_owned(),
                _ => format!("did you mean {}?", near.join(", ")),
            };
            Err(CliError::usage(format!(
                "no job spec {shown}: there is no such file, and none below jobs/ has that name; {help}"
            )))
        }
        _ => Err(CliError::usage(format!(
            "{shown} names {} job specs: {}; write more of the path",
            found.len(),
            found
                .iter()
                .map(|spec| spec.display().to_string())
                .collect::<Vec<_>>()
                .join(", ")
        ))),
    }
}

/// Reads the job spec that an argument names; `-` is standard input.
pub(super) fn load_job(argument: &Path) -> Result<Job, CliError> {
    if argument.as_os_str() != "-" {
        return Ok(Job::load(&find_job(argument)?)?);
    }
    let text = input::text_of(streams::input()).map_err(|error| {
        CliError::usage(format!(
            "standard input cannot be read: {error}; write a job spec there"
        ))
    })?;
    Ok(Job::parse(&text, argument, Path::new(""))?)
}

/// Reads all job specs before any of them is used.
pub(super) fn load_jobs(paths: &[PathBuf]) -> Result<Vec<Job>, CliError> {
    let mut jobs: Vec<Job> = Vec::with_capacity(paths.len());
    for path in paths {
        let job = load_job(path)?;
        if let Some(other) = jobs
            .iter()
            .find(|other| other.header.name == job.header.name)
        {
            return Err(CliError::usage(format!(
                "{} and {} are both named {:?}, so their results would share a folder; rename one",
                other.header.path.display(),
                path.display(),
                job.header.name
            )));
        }
        jobs.push(job);
    }
    Ok(jobs)
}

/// Returns all job specs below `jobs/`, sorted.
pub(super) fn all_jobs() -> Result<Vec<PathBuf>, CliError> {
    jobs_below(vec![PathBuf::from("jobs")])
}

/// Returns all job specs below some folders, sorted.
pub(super) fn jobs_below(mut folders: Vec<PathBuf>) -> Result<Vec<PathBuf>, CliError> {
    let mut found = Vec::new();
    let mut visited = HashSet::new();
    while let Some(folder) = folders.pop() {
        // Links may lead to a folder again, even to one that is above them.
        if folder
            .canonicalize()
            .is_ok_and(|real| !visited.insert(real))
        {
            continue;
        }
        let unread = |error: io::Error| {
            CliError::usage(format!(
                "{} cannot be read: {error}; name the job specs, or go to the folder that holds jobs/",
                folder.display()
            ))
        };
        let mut subfolders = Vec::new();
        for entry in std::fs::read_dir(&folder).map_err(unread)? {
            let entry = entry.map_err(unread)?;
            let path = entry.path();
            if path.is_dir() {
                // Folders come before links to them, so that files have their real names.
                let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
                subfolders.push((!is_link, path));
            } else if !is_hidden(&path) && path.extension().is_some_and(|found| found == "toml") {
                found.push(path);
            }
        }
        subfolders.sort();
        folders.extend(subfolders.into_iter().map(|(_, path)| path));
    }
    found.sort();
    found.dedup();
    Ok(found)
}
