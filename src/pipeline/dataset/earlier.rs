//! Results of earlier specs: kept in the folder `earlier` while a run makes the rows of a larger family.
//!
//! [`set_aside`] moves the result of another spec to `earlier/<number>/`, a result set without a
//! manifest, and the folder is then free for the results of this one. The manifest is removed first
//! and the records are moved next. So a reader sees no records, or those of one job whose files are
//! all there. A move that was interrupted is completed by the next run, before it makes a folder of
//! records. `earlier` is removed when the result set is complete.

use std::path::{Path, PathBuf};

use seedbank_files::durable;

use super::folder::{EARLIER, FORMS, PARTS, RECORDS, ResultFolder};
use super::layout::{MANIFEST, SetLayout};
use super::{DatasetError, PartRecord, ResultHeader, ResultSet, Tables, sealed};

/// Moves the result set in `dir` to a folder of its own below `earlier`.
///
/// # Errors
///
/// If something cannot be moved.
pub(crate) fn set_aside(dir: &Path) -> Result<(), DatasetError> {
    let manifest = dir.join(MANIFEST);
    if is_there(&manifest)? {
        // A complete result has all rows of those before it.
        ResultFolder::at(dir).remove_earlier()?;
    }
    let last = folders(dir)?.last().map_or(0, |(number, _)| *number);
    let to = dir.join(EARLIER).join((last + 1).to_string());
    durable::create_directory(&to)?;
    durable::remove(&manifest)?;
    durable::rename(&dir.join(RECORDS), &to.join(RECORDS))?;
    complete_setting_aside(dir)
}

/// Completes a move that was interrupted, if one was.
///
/// # Errors
///
/// If something cannot be moved.
pub(crate) fn complete_setting_aside(dir: &Path) -> Result<(), DatasetError> {
    if is_there(&dir.join(RECORDS))? {
        return Ok(());
    }
    if let Some((_, last)) = folders(dir)?.last() {
        for table in [PARTS, FORMS] {
            durable::rename(&dir.join(table), &last.join(table))?;
        }
    }
    Ok(())
}

/// Returns the results of earlier specs of a job. Their parts can be read even if others are missing,
/// and so can those with rows that have no value. `tables` are those of the job with other variables.
///
/// # Errors
///
/// If they cannot be read.
pub(crate) fn earlier(
    set: &ResultSet,
    tables: fn(Vec<String>) -> Tables,
) -> Result<Vec<ResultSet>, DatasetError> {
    let folders = folders(set.dir())?.into_iter();
    let sets = folders.map(|(_, dir)| found(&dir, set.header(), tables));
    sets.filter_map(Result::transpose).collect()
}

/// Returns the result set of another spec in `dir`, if there is one. Its parts can be read as those of
/// [`earlier`].
///
/// # Errors
///
/// If it cannot be read, or is of several jobs.
pub(crate) fn found(
    dir: &Path,
    header: &ResultHeader,
    tables: fn(Vec<String>) -> Tables,
) -> Result<Option<ResultSet>, DatasetError> {
    for path in durable::named_files(&dir.join(RECORDS), &durable::RECORDS)? {
        let record: PartRecord = match sealed::read(&path) {
            Ok(Some(record)) => record,
            Ok(None) => continue,
            Err(damage) if damage.is_damage() => continue,
            Err(error) => return Err(error),
        };
        let header = ResultHeader {
            job: record.job,
            job_digest: record.job_digest,
            parts: record.parts,
            spec_text: String::new(),
            tables: tables(record.variables),
            ..header.clone()
        };
        let set = ResultSet::checked(SetLayout::new(dir, &header)?)?;
        return Ok(Some(set.partial()));
    }
    Ok(None)
}

/// Returns the folders of earlier results, each with its number, in order.
fn folders(dir: &Path) -> Result<Vec<(u32, PathBuf)>, DatasetError> {
    let folders = durable::folders(&dir.join(EARLIER))?.into_iter();
    let numbered = |folder: PathBuf| {
        let number = folder.file_name()?.to_str()?.parse().ok()?;
        Some((number, folder))
    };
    let mut folders: Vec<(u32, PathBuf)> = folders.filter_map(numbered).collect();
    folders.sort();
    Ok(folders)
}

fn is_there(path: &Path) -> Result<bool, DatasetError> {
    path.try_exists().map_err(DatasetError::io("inspect", path))
}
