//! The parts of a result set that a run makes.

use std::collections::HashSet;
use std::io::ErrorKind;
use std::ops::Range;
use std::path::Path;

use super::{Cut, Place};
use crate::dataset::{DatasetError, ResultHeader, ResultSet};
use crate::run::plan::rows_of;
use crate::run::{JobHeader, RowTask};

/// All parts of a result set, and which of them a run makes.
pub(crate) struct Assignment {
    pub(crate) header: ResultHeader,
    /// The ranks of all parts.
    pub(crate) ranges: Vec<Range<u64>>,
    /// The parts that this run makes, ascending.
    own: Vec<u32>,
    /// Those whose rows are in the job's result set already.
    merged: HashSet<u32>,
}

impl Place {
    /// Returns the assignment of a run, for a job with a row for each member of its family.
    ///
    /// # Errors
    ///
    /// For a shard: if the job's result set belongs to another job or cannot be read.
    pub(crate) fn assignment(
        &self,
        job: &JobHeader,
        task: &dyn RowTask,
    ) -> Result<Assignment, DatasetError> {
        let header = task.header(job);
        match self.shard {
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
            Some(shard) => {
                let cut = Cut::of_rows(task, shard.of());
                let merged = match &self.whole {
                    Some(dir) => merged_units(job, task, dir, &cut)?,
                    None => HashSet::new(),
                };
                Ok(Assignment {
                    header: header_of_units(header, &cut),
                    own: cut.of_shard(shard.index()).collect(),
                    ranges: cut.units,
                    merged,
                })
            }
        }
    }
}

/// Returns the header of a shard's result set, whose parts are the units.
pub(super) fn header_of_units(job: ResultHeader, cut: &Cut) -> ResultHeader {
    ResultHeader {
        parts: cut.units.len() as u32,
        ..job
    }
}

/// Returns the units that lie in finished parts of the job's result set in `dir`. There are none if
/// the result set is missing or damaged.
///
/// # Errors
///
/// If the result set belongs to another job or cannot be read.
pub(super) fn merged_units(
    job: &JobHeader,
    task: &dyn RowTask,
    dir: &Path,
    cut: &Cut,
) -> Result<HashSet<u32>, DatasetError> {
    let finished = ResultSet::open(dir, &task.header(job)).and_then(|whole| whole.finished());
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
    let parts = task.parts();
    let is_merged = |unit: &Range<u64>| {
        let part = parts.partition_point(|ranks| ranks.end <= unit.start);
        finished.contains(&(part as u32))
    };
    let units = (0..).zip(&cut.units);
    Ok(units
        .filter_map(|(unit, ranks)| is_merged(ranks).then_some(unit))
        .collect())
}

impl Assignment {
    /// Returns the run's own parts that are left to make, ascending: neither finished here nor
    /// merged already.
    pub(crate) fn left(&self, finished: Vec<u32>) -> Vec<u32> {
        let finished: HashSet<u32> = finished.into_iter().collect();
        let mut left = self.own.clone();
        left.retain(|part| !finished.contains(part) && !self.merged.contains(part));
        left
    }

    /// Returns the number of rows in the run's own parts.
    pub(crate) fn rows(&self) -> u64 {
        let own = self.own.iter().map(|&part| &self.ranges[part as usize]);
        own.map(rows_of).sum()
    }
}
