//! How a job is divided, and how far its shards are.

use std::collections::HashSet;
use std::io::ErrorKind;
use std::path::Path;

use serde::Serialize;

use super::assignment::{header_of_units, merged_units};
use super::{Cut, Place, Shard};
use crate::dataset::{DatasetError, ResultSet};
use crate::run::plan::rows_of;
use crate::run::{JobHeader, RowTask};

/// The work of one shard of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ShardPlan {
    /// The shard.
    pub shard: Shard,
    /// The number of units of the shard; for a witness job, of parts of the census.
    pub units: u32,
    /// The rows of these units; for a witness job, the positions.
    pub rows: u64,
    /// The estimated cost of the units, in positions.
    pub cost: u64,
    /// The rows that are in neither the shard's folder nor the job's result set; for a witness job,
    /// the positions that are in neither census.
    pub rows_left: u64,
    /// What is damaged in the shard's folder, and what to do; its rows are left.
    #[serde(skip)]
    pub damage: Vec<String>,
}

/// Returns the plans of shards, for a job with a row for each member of a family.
pub(in crate::run) fn plan_rows(
    job: &JobHeader,
    task: &dyn RowTask,
    out: &Path,
    shards: &[Shard],
    verify: bool,
) -> Result<Vec<ShardPlan>, DatasetError> {
    let cut = Cut::of_rows(task, shards.len() as u32);
    let header = header_of_units(task.header(job), &cut);
    let merged = merged_units(job, task, &out.join(&job.name), &cut)?;
    let status = |shard: Shard| {
        let dir = Place::folder_of_shards(job, out).join(shard.folder());
        let status = ResultSet::open(&dir, &header).and_then(|set| {
            let status = set.status()?;
            let damage = if verify {
                set.verify()?.damage
            } else {
                status.damage
            };
            Ok((status.finished, damage))
        });
        match status {
            Ok(status) => Ok(status),
            Err(DatasetError::Io(error)) if error.cause.kind() == ErrorKind::NotFound => {
                Ok(Default::default())
            }
            Err(error) if error.is_damage() => Ok((Vec::new(), vec![error])),
            Err(error) => Err(error),
        }
    };
    let plan = |&shard: &Shard| {
        let (finished, damage) = status(shard)?;
        let finished: HashSet<u32> = finished.into_iter().collect();
        let left = |unit: u32| {
            if finished.contains(&unit) || merged.contains(&unit) {
                0
            } else {
                rows_of(&cut.units[unit as usize])
            }
        };
        Ok(plan_of(shard, &cut, left, damage))
    };
    shards.iter().map(plan).collect()
}

/// Returns the plan of a shard. `left` returns the number of rows of a unit that are left to make.
pub(crate) fn plan_of(
    shard: Shard,
    cut: &Cut,
    left: impl Fn(u32) -> u64,
    damage: Vec<DatasetError>,
) -> ShardPlan {
    let damage = damage
        .into_iter()
        .map(|error| error.of_shard(&shard).to_string());
    let own: Vec<u32> = cut.of_shard(shard.index()).collect();
    let rows = own.iter().map(|&unit| rows_of(&cut.units[unit as usize]));
    let cost = own.iter().map(|&unit| cut.costs[unit as usize]);
    ShardPlan {
        shard,
        units: own.len() as u32,
        rows: rows.sum(),
        cost: cost.fold(0, u64::saturating_add),
        rows_left: own.iter().map(|&unit| left(unit)).sum(),
        damage: damage.collect(),
    }
}
