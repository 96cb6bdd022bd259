//! Finished results, for the subcommands that read them.

use std::ops::Range;
use std::path::{Path, PathBuf};

use super::{CliError, Exit};
use crate::dataset::{AnswerRecord, CensusSet, Digest, ResultSet};
use crate::job::{Job, StripJob};
use crate::run;

/// Returns a job's result set, or `None` where there is none or it is not complete.
pub(super) fn finished(job: &Job, out: &Path) -> Result<Option<ResultSet>, CliError> {
    let plan = run::plan(job, out)?;
    match plan.status {
        Some(status) if status.finished.len() == plan.shards as usize => Ok(Some(ResultSet::open(
            &out.join(&job.name),
            &run::header(job),
        )?)),
        Some(status) if !status.damage.is_empty() => {
            let exit = Exit::Damaged;
            let message = status
                .damage
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>();
            Err(CliError {
                exit,
                message: message.join("\n"),
            })
        }
        _ => Ok(None),
    }
}

/// Returns what there is of a job's result set, with the ranks of its rows; `None` where no part is finished.
pub(super) fn partial(
    job: &Job,
    out: &Path,
) -> Result<Option<(ResultSet, Vec<Range<u64>>)>, CliError> {
    let plan = run::plan(job, out)?;
    let ranks = run::finished_ranks(job, &plan);
    for damage in plan.status.iter().flat_map(|status| &status.damage) {
        tracing::warn!("{damage}");
    }
    if ranks.is_empty() {
        return Ok(None);
    }
    let results = ResultSet::open(&out.join(&job.name), &run::header(job))?;
    Ok(Some((results.partial(), ranks)))
}

/// Returns the census of a job that looks for witnesses, and its answer, which must be there.
pub(super) fn answered(
    strips: StripJob<'_>,
    out: &Path,
) -> Result<(CensusSet, AnswerRecord), CliError> {
    let job = strips.job;
    let census = run::open_census(strips, out).ok_or_else(|| unfinished(job, out))?;
    match census.answer(Digest::from(job.digest()))? {
        Some(answer) => Ok((census, answer)),
        None => Err(unfinished(job, out)),
    }
}

/// Returns the error that a job has no finished result.
pub(super) fn unfinished(job: &Job, out: &Path) -> CliError {
    CliError {
        exit: Exit::Failed,
        message: format!(
            "{} has no finished result in {}; run \"seedbank run {}\" first",
            job.name,
            out.display(),
            job.path.display()
        ),
    }
}

/// Returns all job specs below `jobs/`, sorted.
pub(super) fn all_jobs() -> Result<Vec<PathBuf>, CliError> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::from("jobs")];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).map_err(|error| {
            CliError::usage(format!(
                "{} cannot be read: {error}; name the job specs, or go to the folder that holds jobs/",
                folder.display()
            ))
        })?;
        for entry in entries.flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|extension| extension == "toml")
            {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}
