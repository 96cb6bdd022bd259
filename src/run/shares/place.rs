//! Where a run works.

use std::collections::HashSet;
use std::io::ErrorKind;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::{Cut, Share};
use crate::dataset::{DatasetError, ResultHeader, ResultSet};
use crate::run::{Job, Options, RowTask, plan};

/// The folder of shares in a job's result set.
const SHARES: &str = "shards";

/// The folder of a share's store in its own.
const STORE: &str = "store";

/// The folders that a run works in: those of its job, or of a share of it.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The share of the job that is to be run; `None` for all of it.
    pub(crate) share: Option<Share>,
    /// The folder of the result set.
    pub(crate) dir: PathBuf,
    /// The store to read from and to seal into.
    pub(crate) store: PathBuf,
    /// A store that is only read from.
    pub(crate) base: Option<PathBuf>,
    /// Of a share, the folder of the result set that the shares are merged into.
    whole: Option<PathBuf>,
}

/// What a result set holds, and which of its shards a run is to make.
pub(crate) struct Assignment {
    pub(crate) header: ResultHeader,
    /// The ranks of all shards.
    pub(crate) ranges: Vec<Range<u64>>,
    /// The run's own, ascending.
    own: Vec<u32>,
    /// Those whose rows the job's result set has already.
    merged: HashSet<u32>,
}

impl Place {
    /// Returns where a job is run as a whole.
    pub(crate) fn of_job(job: &Job, options: &Options) -> Place {
        Place {
            share: None,
            dir: options.out.join(&job.name),
            store: options.store.clone(),
            base: None,
            whole: None,
        }
    }

    /// Returns where a share of a job is run: in a folder of its own, over the store as it is.
    pub(crate) fn of_share(job: &Job, options: &Options, share: Share) -> Place {
        let dir = Place::folder_of_shares(job, &options.out).join(share.folder());
        Place {
            share: Some(share),
            store: dir.join(STORE),
            dir,
            base: Some(options.store.clone()),
            whole: Some(options.out.join(&job.name)),
        }
    }

    /// Returns the folder that holds those of a job's shares.
    pub(crate) fn folder_of_shares(job: &Job, out: &Path) -> PathBuf {
        out.join(&job.name).join(SHARES)
    }

    /// Returns what is to be made here of a job that has a row for each member of its family.
    ///
    /// # Errors
    ///
    /// Of a share, where the job's result set is that of another job, or cannot be read.
    pub(crate) fn assignment(
        &self,
        job: &Job,
        task: &dyn RowTask,
    ) -> Result<Assignment, DatasetError> {
        let header = plan::header(job, task);
        match self.share {
            None => {
                let ranges = task.parts();
                let own = (0..ranges.len() as u32).collect();
                Ok(Assignment {
                    header,
                    ranges,
                    own,
                    merged: HashSet::new(),
                })
            }
            Some(share) => {
                let cut = Cut::of_rows(task, share.of());
                let merged = match &self.whole {
                    Some(dir) => merged_units(job, task, dir, &cut)?,
                    None => HashSet::new(),
                };
                Ok(Assignment {
                    header: header_of_units(header, &cut),
                    own: cut.of_share(share.index()).collect(),
                    ranges: cut.units,
                    merged,
                })
            }
        }
    }
}

/// Returns the header of a share's result set, whose shards are the units.
pub(super) fn header_of_units(job: ResultHeader, cut: &Cut) -> ResultHeader {
    ResultHeader {
        shards: cut.units.len() as u32,
        ..job
    }
}

/// Returns the units whose rows the job's result set in `dir` has already: those in finished shards of it. Where there is no
/// result set, or a damaged one, there are none.
///
/// # Errors
///
/// Where the result set is that of another job, or cannot be read.
pub(super) fn merged_units(
    job: &Job,
    task: &dyn RowTask,
    dir: &Path,
    cut: &Cut,
) -> Result<HashSet<u32>, DatasetError> {
    let finished =
        ResultSet::open(dir, &plan::header(job, task)).and_then(|whole| whole.finished());
    let finished: HashSet<u32> = match finished {
        Ok(finished) => finished.into_iter().collect(),
        Err(DatasetError::Io(error)) if error.cause.kind() == ErrorKind::NotFound => {
            return Ok(HashSet::new());
        }
        Err(damage) if damage.is_damage() => {
            tracing::warn!("{damage}");
            return Ok(HashSet::new());
        }
        Err(error) => return Err(error),
    };
    let shards = task.parts();
    let is_merged = |unit: &Range<u64>| {
        let shard = shards.partition_point(|ranks| ranks.end <= unit.start);
        finished.contains(&(shard as u32))
    };
    let units = (0..).zip(&cut.units);
    Ok(units
        .filter_map(|(unit, ranks)| is_merged(ranks).then_some(unit))
        .collect())
}

impl Assignment {
    /// Returns the run's own shards that are left, ascending: neither finished here nor merged already.
    pub(crate) fn left(&self, finished: Vec<u32>) -> Vec<u32> {
        let finished: HashSet<u32> = finished.into_iter().collect();
        let mut left = self.own.clone();
        left.retain(|shard| !finished.contains(shard) && !self.merged.contains(shard));
        left
    }

    /// Returns the rows of the run's own shards.
    pub(crate) fn rows(&self) -> u64 {
        let own = self.own.iter().map(|&shard| &self.ranges[shard as usize]);
        own.map(plan::rows_of).sum()
    }
}
