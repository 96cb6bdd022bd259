//! How a job is dealt, and what of its shares is there already.

use std::collections::HashSet;
use std::io::ErrorKind;
use std::path::Path;

use super::place::{header_of_units, merged_units};
use super::{Cut, Place, Share};
use crate::dataset::{CensusSet, DatasetError, ResultSet};
use crate::job::{Job, StripJob};
use crate::run::{RunError, plan, witness};

/// What one share of a job is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharePlan {
    /// The share.
    pub share: Share,
    /// The units that belong to it; of a witness job, the stretches.
    pub units: u32,
    /// The rows in them; of a witness job, the positions.
    pub rows: u64,
    /// About what they cost, in positions.
    pub cost: u64,
    /// The rows that neither the share's folder nor the job's result set has yet; of a witness job, the positions that no census
    /// there or of the job has.
    pub rows_left: u64,
}

/// Returns what each share of a job would do if it were dealt to so many, without doing any of it.
///
/// # Errors
///
/// [`RunError::NoSuchShards`] where there cannot be so many; a share's folder that belongs to another job, or cannot be read.
pub fn plan_shares(job: &Job, out: &Path, of: u32) -> Result<Vec<SharePlan>, RunError> {
    let shares = Share::all(of).map_err(RunError::NoSuchShards)?;
    Ok(match job.strips() {
        Some(strips) if strips.task.witness.is_some() => plan_stretches(strips, out, &shares)?,
        _ => plan_rows(job, out, &shares)?,
    })
}

fn plan_rows(job: &Job, out: &Path, shares: &[Share]) -> Result<Vec<SharePlan>, DatasetError> {
    let cut = Cut::of_rows(job, shares.len() as u32);
    let header = header_of_units(plan::header(job), &cut);
    let merged = merged_units(job, &out.join(&job.name), &cut)?;
    let finished = |share: Share| {
        let dir = Place::folder_of_shares(job, out).join(share.folder());
        match ResultSet::open(&dir, &header) {
            Ok(set) => Ok(set.status()?.finished.into_iter().collect()),
            Err(DatasetError::Io(error)) if error.cause.kind() == ErrorKind::NotFound => {
                Ok(HashSet::new())
            }
            Err(error) => Err(error),
        }
    };
    let plan = |&share: &Share| {
        let finished: HashSet<u32> = finished(share)?;
        let left = |unit: u32| match finished.contains(&unit) || merged.contains(&unit) {
            true => 0,
            false => plan::rows_of(&cut.units[unit as usize]),
        };
        Ok(plan_of(share, &cut, left))
    };
    shares.iter().map(plan).collect()
}

fn plan_stretches(
    strips: StripJob<'_>,
    out: &Path,
    shares: &[Share],
) -> Result<Vec<SharePlan>, DatasetError> {
    let Some(spec) = &strips.task.witness else {
        return plan_rows(strips.job, out, shares);
    };
    let header = witness::census_header(strips);
    let of = shares.len() as u32;
    let whole = witness::open_census(strips, out);
    let whole = whole.map_or(Ok(Vec::new()), |set| {
        set.stretches().map(|found| found.finished)
    })?;
    let plan = |&share: &Share| {
        let dir = Place::folder_of_shares(strips.job, out).join(share.folder());
        let mut finished = whole.clone();
        if let Some(set) = CensusSet::open(&dir, &header) {
            finished.extend(set.stretches()?.finished);
        }
        let shared = witness::shared(strips, spec, of, &finished);
        Ok(plan_of(share, &shared.cut, |unit| {
            shared.left[unit as usize]
        }))
    };
    shares.iter().map(plan).collect()
}

fn plan_of(share: Share, cut: &Cut, left: impl Fn(u32) -> u64) -> SharePlan {
    let own: Vec<u32> = cut.of_share(share.index()).collect();
    let rows = own
        .iter()
        .map(|&unit| plan::rows_of(&cut.units[unit as usize]));
    let cost = own.iter().map(|&unit| cut.costs[unit as usize]);
    SharePlan {
        share,
        units: own.len() as u32,
        rows: rows.sum(),
        cost: cost.fold(0, u64::saturating_add),
        rows_left: own.iter().map(|&unit| left(unit)).sum(),
    }
}
