//! A census divided into shards: each makes some of its parts.

use std::collections::BTreeSet;
use std::path::Path;

use super::CensusTask;
use super::plan::{divided, header, open};
use crate::dataset::{CensusPartRecord, CensusSet, DatasetError, FORMAT_VERSION};
use crate::run::{
    CODE_VERSION, Described, JobHeader, Merge, Merged, Outcome, Place, Run, RunError, Shard,
    ShardPlan, Task, plan_of,
};

/// Returns the plans of some shards.
pub(super) fn plan(
    job: &JobHeader,
    task: &CensusTask,
    out: &Path,
    shards: &[Shard],
    verify: bool,
) -> Result<Vec<ShardPlan>, DatasetError> {
    let header = header(job, task);
    let of = shards.len() as u32;
    let whole = open(job, task, out)?;
    let whole = whole.map_or(Ok(Vec::new()), |set| {
        set.parts().map(|found| found.finished)
    })?;
    let plan = |&shard: &Shard| {
        let dir = Place::folder_of_shards(job, out).join(shard.folder());
        let mut finished = whole.clone();
        let mut damage = Vec::new();
        match CensusSet::open(&dir, &header) {
            Ok(Some(set)) => {
                let parts = set.parts()?;
                finished.extend(parts.finished);
                damage = if verify {
                    set.verify(job.digest)?
                } else {
                    parts.damage
                };
            }
            Ok(None) => {}
            Err(error) if error.is_damage() => damage.push(error),
            Err(error) => return Err(error),
        }
        let divided = divided(task, of, &finished);
        let left = |unit: u32| divided.left[unit as usize];
        Ok(plan_of(shard, &divided.cut, left, damage))
    };
    shards.iter().map(plan).collect()
}

/// Joins the parts of shards, and reads the answer from all of them.
pub(super) fn merge(
    task: &CensusTask,
    merge: &Merge<'_>,
    shards: &[Shard],
) -> Result<Merged, RunError> {
    let Merge { job, options, .. } = *merge;
    let header = header(job, task);
    let whole = CensusSet::open_or_create(&options.out.join(&job.name), &header)?;
    let mut found = whole.parts()?;
    let mut older = whole.older(&found.finished);
    let mut adopted = Vec::new();
    for &shard in shards {
        let dir = Place::of_shard(job, options, shard).dir;
        let Some(set) = CensusSet::open(&dir, &header)? else {
            continue;
        };
        let parts = set.parts()?;
        older = older.or_else(|| set.older(&parts.finished));
        for damage in parts.damage {
            tracing::warn!("{}", damage.of_shard(&shard));
        }
        for record in parts.finished {
            if record.code_version != CODE_VERSION {
                return Err(merge.other_version(shard, record.code_version));
            }
            found.finished.push(record.clone());
            adopted.push((shard, set.clone(), record));
        }
    }
    let of = shards.len() as u32;
    let missing = missing_of(task, of, &found.finished);
    if !missing.is_empty() {
        return Err(merge.missing(of, missing));
    }
    // Parts of an earlier format are joined, but not with others.
    let mut found = found.finished.iter();
    if let Some(older) = older
        && found.any(|record| record.format_version == FORMAT_VERSION)
    {
        return Err(older.into());
    }
    let mut joined = 0;
    for (shard, set, record) in adopted {
        let new = whole.adopt(&set, &record);
        joined += u32::from(new.map_err(|source| RunError::Shard { shard, source })?);
    }
    let done = |rows, witnesses| Merged::Done {
        rows,
        joined,
        values_taken: 0,
        witnesses,
    };
    // Only the answer is left to make.
    let place = Place::of_job(job, options);
    let noun = task.description().noun;
    let run = Run::new(job, noun, options, &place, merge.signals, merge.observer)?;
    Ok(match task.run(&run)? {
        Outcome::AlreadyDone { rows, .. } => done(rows, None),
        Outcome::Finished(summary) => done(summary.rows, summary.witnesses),
        Outcome::Stopped(reason, _) => Merged::Stopped(reason),
    })
}

/// Returns the shards that have positions in none of the records.
fn missing_of(task: &CensusTask, of: u32, finished: &[CensusPartRecord]) -> BTreeSet<u32> {
    let divided = divided(task, of, finished);
    let left = divided.cut.owners.iter().zip(&divided.left);
    left.filter_map(|(&owner, &left)| (left > 0).then_some(owner))
        .collect()
}
