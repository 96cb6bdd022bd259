//! Checkpoints: finished work that cannot be written as rows yet, saved for the run that resumes.
//!
//! Checkpoints are in the folder `checkpoint` beside the rows. Each kind of work has a [`Folder`]
//! of its own: finished rows of unfinished parts, values of heaps, sweeps, followers. All of it is
//! removed once the rows are finished. Only the same version of the code reads a checkpoint, and
//! only for the same work.

mod by_rank;
mod folder;
mod gather;

use std::path::{Path, PathBuf};
use std::time::Duration;

use seedbank_files::durable::{self, NUMBERED, NUMBERED_FOLDERS};
use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};

pub(crate) use self::by_rank::ByRank;
pub(crate) use self::folder::{Body, Folder, Unfit};
pub(crate) use self::gather::{Gather, ITEMS};
use super::plan::{CODE_VERSION, Checkpoints, SweepCheckpoint};
use crate::dataset::{DatasetError, ResultHeader};

/// The folder of checkpoints, in that of the rows.
pub(super) const CHECKPOINT: &str = "checkpoint";

/// The prefix of folder names of sweeps.
const SWEEP: &str = "sweep-";

/// The folder of finished rows.
const ROWS: &str = "rows";

/// The kind of files that hold the values of a sweep. Their header begins with a [`SweepHeader`].
pub(crate) const CELLS: &str = "cells";

/// The checkpoints of a job.
#[derive(Clone, Debug)]
pub(crate) struct Checkpoint {
    dir: PathBuf,
    /// The work that they belong to.
    of: String,
}

impl Checkpoint {
    /// Returns the checkpoints beside the rows in `dir`.
    pub(crate) fn open(dir: &Path, header: &ResultHeader) -> Result<Checkpoint, DatasetError> {
        Ok(Checkpoint::of(dir, &header.job_digest.to_string()))
    }

    /// Returns the checkpoints in `dir` of the work that a text describes.
    pub(crate) fn of(dir: &Path, work: &str) -> Checkpoint {
        Checkpoint {
            dir: dir.join(CHECKPOINT),
            of: format!("{work} by version {CODE_VERSION}"),
        }
    }

    /// Opens the folder of one kind of work.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub(crate) fn folder(&self, name: &str) -> Result<Folder, DatasetError> {
        Folder::open(self.dir.join(name), self.of.clone())
    }

    /// Opens the folder of a sweep.
    ///
    /// # Errors
    ///
    /// As [`Checkpoint::folder`].
    pub(crate) fn sweep(&self, family: &str) -> Result<Folder, DatasetError> {
        self.folder(&format!("{SWEEP}{family}"))
    }

    /// Returns whether a sweep may have a checkpoint.
    ///
    /// # Errors
    ///
    /// If that is unknown.
    pub(crate) fn has_sweep(&self, family: &str) -> Result<bool, DatasetError> {
        let dir = self.dir.join(format!("{SWEEP}{family}"));
        dir.try_exists().map_err(DatasetError::io("inspect", &dir))
    }

    /// Passes on the items that earlier runs gathered, in the order in which they were found.
    ///
    /// # Errors
    ///
    /// If they cannot be read.
    pub(crate) fn gathered<T: DeserializeOwned>(
        &self,
        name: &str,
        mut each: impl FnMut(T),
    ) -> Result<(), DatasetError> {
        let folder = self.folder(name)?;
        for number in folder.numbers(ITEMS)? {
            if let Some((items, _)) = folder.read::<Vec<T>>(ITEMS, number)? {
                items.into_iter().for_each(&mut each);
            }
        }
        Ok(())
    }

    /// Returns a gatherer for one kind of items, which holds at most about `weight_max` of weight.
    ///
    /// # Errors
    ///
    /// As [`Checkpoint::folder`].
    pub(crate) fn gather<T: Serialize + Send>(
        &self,
        name: &str,
        interval: Duration,
        weight_max: usize,
    ) -> Result<Gather<T>, DatasetError> {
        Gather::new(self.folder(name)?, interval, weight_max)
    }
}

/// The first fields of the header of a sweep's cells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, serde::Deserialize)]
pub(crate) struct SweepHeader {
    /// The name of the family swept.
    pub(crate) family: String,
    /// The number of cells of the family.
    pub(crate) cells: u64,
    /// The number of cells filled, over all files.
    pub(crate) filled: u64,
}

/// Returns the checkpoints beside the rows in `dir`, from a few files alone. Rows of finished parts
/// do not count.
///
/// # Errors
///
/// If they cannot be read.
pub(crate) fn found(
    dir: &Path,
    is_finished: impl Fn(u64) -> bool,
) -> Result<Checkpoints, DatasetError> {
    let dir = dir.join(CHECKPOINT);
    let mut found = Checkpoints::default();
    let rows = Folder::at(dir.join(ROWS));
    let mut ranks = std::collections::HashSet::new();
    for number in rows.numbers(ITEMS)? {
        let rows = rows.header::<Vec<(u64, IgnoredAny)>>(ITEMS, number)?;
        ranks.extend(rows.into_iter().flatten().map(|(rank, _)| rank));
    }
    found.rows = ranks.into_iter().filter(|&rank| !is_finished(rank)).count() as u64;
    for sweep in sweeps(&dir)? {
        let folder = Folder::at(sweep);
        let Some(newest) = folder.numbers(CELLS)?.pop() else {
            continue;
        };
        if let Some(header) = folder.header::<SweepHeader>(CELLS, newest)? {
            found.sweeps.push(SweepCheckpoint {
                family: header.family,
                valued: header.filled,
                positions: header.cells,
            });
        }
    }
    found.sweeps.sort_by(|a, b| a.family.cmp(&b.family));
    Ok(found)
}

/// Removes the checkpoints beside the rows in `dir`. Names that no run made stay, with a warning.
///
/// # Errors
///
/// If they cannot be removed.
pub(crate) fn remove(dir: &Path) -> Result<(), DatasetError> {
    Ok(durable::remove_folder(
        &dir.join(CHECKPOINT),
        &NUMBERED_FOLDERS,
    )?)
}

/// Removes the checkpoints of sweeps beside the rows in `dir`.
///
/// # Errors
///
/// If they cannot be removed.
pub(crate) fn remove_sweeps(dir: &Path) -> Result<(), DatasetError> {
    for sweep in sweeps(&dir.join(CHECKPOINT))? {
        durable::remove_folder(&sweep, &NUMBERED)?;
    }
    Ok(())
}

/// Returns the folders of sweeps in a folder of checkpoints.
fn sweeps(checkpoint: &Path) -> Result<Vec<PathBuf>, DatasetError> {
    let mut folders = durable::folders(checkpoint)?;
    let name = |folder: &PathBuf| folder.file_name()?.to_str().map(str::to_owned);
    folders.retain(|folder| name(folder).is_some_and(|name| name.starts_with(SWEEP)));
    Ok(folders)
}
