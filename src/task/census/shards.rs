//! A census divided into shards: each makes some of its parts.

use std::collections::BTreeSet;
use std::path::Path;

use super::CensusTask;
use super::make::make;
use super::plan::{header, open, shared};
use crate::dataset::{CensusPartRecord, CensusSet, DatasetError};
use crate::run::{
    CODE_VERSION, JobHeader, Merge, Merged, Outcome, Place, Run, RunError, Share, SharePlan, Task,
    plan_of,
};

/// Returns the plans of some shards.
pub(super) fn plan(
    job: &JobHeader,
    task: &CensusTask,
    out: &Path,
    shares: &[Share],
) -> Result<Vec<SharePlan>, DatasetError> {
    let header = header(job, task);
    let of = shares.len() as u32;
    let whole = open(job, task, out);
    let whole = whole.map_or(Ok(Vec::new()), |set| {
        set.parts().map(|found| found.finished)
    })?;
    let plan = |&share: &Share| {
        let dir = Place::folder_of_shares(job, out).join(share.folder());
        let mut finished = whole.clone();
        if let Some(set) = CensusSet::open(&dir, &header) {
            finished.extend(set.parts()?.finished);
        }
        let shared = shared(task, of, &finished);
        Ok(plan_of(share, &shared.cut, |unit| {
            shared.left[unit as usize]
        }))
    };
    shares.iter().map(plan).collect()
}

/// Joins the parts of shards, and reads the answer from all of them.
pub(super) fn merge(
    task: &CensusTask,
    merge: &Merge<'_>,
    shares: &[Share],
) -> Result<Merged, RunError> {
    let Merge { job, options, .. } = *merge;
    let header = header(job, task);
    let whole = CensusSet::open_or_create(&options.out.join(&job.name), &header)?;
    let mut found = whole.parts()?;
    let mut adopted = Vec::new();
    for &share in shares {
        let dir = Place::of_share(job, options, share).dir;
        let Some(set) = CensusSet::open(&dir, &header) else {
            continue;
        };
        let parts = set.parts()?;
        for damage in parts.damage {
            tracing::warn!("{damage}");
        }
        for record in parts.finished {
            if record.code_version != CODE_VERSION {
                return Err(merge.other_version(share, record.code_version));
            }
            found.finished.push(record.clone());
            adopted.push((share, set.clone(), record));
        }
    }
    let of = shares.len() as u32;
    let missing = missing_of(task, of, &found.finished);
    if !missing.is_empty() {
        return Err(merge.missing(of, missing));
    }
    let mut joined = 0;
    for (share, set, record) in adopted {
        let new = whole.adopt(&set, &record);
        joined += u32::from(new.map_err(|source| RunError::Shard { share, source })?);
    }
    let done = |rows, witnesses| Merged::Done {
        rows,
        joined,
        values_taken: 0,
        witnesses,
    };
    // Only the answer is left to make.
    let place = Place::of_job(job, options);
    let noun = Task::noun(task);
    let run = Run::new(job, noun, options, &place, merge.signals, merge.observer)?;
    Ok(match make(&run, task)? {
        Outcome::AlreadyDone { rows } => done(rows, None),
        Outcome::Finished(summary) => done(summary.rows, summary.witnesses),
        Outcome::Stopped(reason, _) => Merged::Stopped(reason),
    })
}

/// Returns the shards that have positions in none of the records.
fn missing_of(task: &CensusTask, of: u32, finished: &[CensusPartRecord]) -> BTreeSet<u32> {
    let shared = shared(task, of, finished);
    let left = shared.cut.owners.iter().zip(&shared.left);
    left.filter_map(|(&owner, &left)| (left > 0).then_some(owner))
        .collect()
}
