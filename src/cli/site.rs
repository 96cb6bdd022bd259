//! `seedbank report --site`: the files of a site of results.
//!
//! Files are written by the commit protocol, and only where they differ from those that are there. The index comes last, so an
//! interrupted command leaves the earlier index. Pages of an earlier site that are no longer wanted are removed after it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use seedbank::dataset::DatasetError;
use seedbank::durable::{self, IoError, SITE, SITE_PAGES, TMP, Temporary};
use seedbank::input;
use seedbank::report::page::Section;
use seedbank::report::site::{INDEX, Site};
use seedbank::run::{Job, Signals, enter_occurrences};

use super::error::stopped;
use super::files::is_page;
use super::options::ResultArgs;
use super::output::print_line;
use super::{CliError, Exit, results};

/// The folders of pages.
const FOLDERS: [&str; 2] = ["jobs", "values"];

/// Refuses a folder that cannot become a site.
pub(super) fn check(dir: &PathBuf) -> Result<(), CliError> {
    durable::check_claim(dir, &SITE).map_err(|error| refused(dir, error))
}

/// Writes the site of some jobs and their sections.
pub(super) fn write(
    dir: &PathBuf,
    jobs: &[Job],
    sections: Vec<Section>,
    args: &ResultArgs,
    signals: &Signals,
) -> Result<Exit, CliError> {
    let Some(mut site) = Site::new(sections, || stopped(signals).is_some()) else {
        return Ok(ended(signals));
    };
    for (place, job) in jobs.iter().enumerate() {
        if stopped(signals).is_some() {
            return Ok(ended(signals));
        }
        let found = results::expected(job, args)?;
        results::read(job, &args.out.out, &found, |reading| {
            enter_occurrences(job, reading, &mut site, place)
        })?;
    }
    durable::claim(dir, &SITE).map_err(|error| refused(dir, error))?;
    let is_whole = put(dir, &site, signals).map_err(|error| refused(dir, error))?;
    if !is_whole {
        return Ok(ended(signals));
    }
    tracing::info!("{} values have a page", site.values());
    print_line(&dir.join(INDEX).display().to_string());
    Ok(Exit::Done)
}

/// Returns how a command ends that a signal stopped before its site was whole.
fn ended(signals: &Signals) -> Exit {
    tracing::warn!("stopped before the site was whole; run the command again");
    stopped(signals).unwrap_or(Exit::StoppedEarly)
}

fn refused(dir: &PathBuf, error: impl Into<DatasetError>) -> CliError {
    CliError::from(error.into()).with_options([("--site", dir)])
}

/// Writes the files; returns whether a signal left the time to write them all.
fn put(dir: &Path, site: &Site, signals: &Signals) -> Result<bool, IoError> {
    let tmp = dir.join(TMP);
    durable::create_directory(&tmp)?;
    durable::remove_leftovers(&tmp)?;
    for folder in FOLDERS {
        durable::create_directory(&dir.join(folder))?;
    }
    let mut written = BTreeSet::new();
    for (name, text) in site.files() {
        if stopped(signals).is_some() {
            return Ok(false);
        }
        let path = dir.join(&name);
        if input::bytes(&path).ok().as_deref() != Some(text.as_bytes()) {
            let mut temporary = Temporary::create(&tmp, "page")?;
            temporary.write_all(text.as_bytes())?;
            temporary.replace(&path)?;
        }
        written.insert(path);
    }
    durable::remove_empty(&tmp);
    for folder in FOLDERS {
        for path in durable::named_files(&dir.join(folder), &SITE_PAGES)? {
            if !written.contains(&path) && is_page(&path) {
                durable::remove(&path)?;
            }
        }
    }
    Ok(true)
}
