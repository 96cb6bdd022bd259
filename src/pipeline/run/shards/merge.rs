//! Joins the results of a job's shards into the job's one result.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::time::Instant;

use cgsolvers::StopReason;
use seedbank_files::durable;
use valuestore::{Store, StoreError, Writer};

use super::{Merge, Merged, Place, Shard};
use crate::dataset::{DatasetError, lock_results};
use crate::run::{Job, JobHeader, Observer, Options, RunError, Signals, plan};

/// Options of a merge.
#[derive(Clone, Copy, Debug, Default)]
pub struct MergeOptions {
    /// The number of shards the job was divided into; if `None`, it is inferred from the folders
    /// present.
    pub of: Option<u32>,
    /// Whether values found by shards are copied to the store of the options.
    pub take_values: bool,
    /// Whether the folders of the shards are removed at the end.
    pub remove: bool,
}

/// Joins the shards of a job into its result set, identical in every byte to that of a single run.
///
/// For the parts still missing from the result, every shard must be finished, and by this version
/// of the code. Files are compared with their checksums as they are read. Parts merged before stay
/// as they are, so merging twice changes nothing. Cost: rows are read and written once; values are
/// read only for the answer to a witness job.
///
/// # Errors
///
/// [`RunError::ShardsMissing`] names the shards that are not finished; nothing is joined then.
/// [`RunError::NoShards`], [`RunError::ManyShards`]. Damage of a shard, which running it again
/// repairs. [`RunError::ShardVersion`]; otherwise as [`run`](crate::run::run).
pub fn merge(
    job: &Job,
    options: &Options,
    merging: &MergeOptions,
    signals: &Signals,
    observer: &dyn Observer,
) -> Result<Merged, RunError> {
    let merge = Merge {
        job: &job.header,
        options,
        signals,
        observer,
        started: Instant::now(),
    };
    let there = shards_there(&job.header, &options.out)?;
    let Some(of) = merging
        .of
        .map_or_else(|| only(&job.header, &there), |of| Ok(Some(of)))?
    else {
        return without_shards(job, options);
    };
    let shards = Shard::all(of).map_err(RunError::NoSuchShards)?;
    let _lock = lock_results(&options.out.join(&job.header.name))?;
    let merged = job.task.merge(&merge, &shards);
    let merged = merged.map_err(|error| of_shard(error, &merge, &shards))?;
    let Merged::Done {
        rows,
        joined,
        witnesses,
        ..
    } = merged
    else {
        return Ok(merged);
    };
    let mut values_taken = 0;
    if merging.take_values {
        let store = Store::open(&options.store)?;
        let mut writer = match store.writer_in_turn(&|| merge.stopped()) {
            Err(StoreError::Locked { .. }) => {
                return Ok(Merged::Stopped(StopReason::Interrupted));
            }
            writer => writer?,
        };
        // Values are correct, whatever the number of shards was.
        for &shard in &there {
            let overlay = Place::of_shard(&job.header, options, shard).store;
            let Some(taken) = take_values(&mut writer, &overlay, &|| merge.stopped())? else {
                return Ok(Merged::Stopped(StopReason::Interrupted));
            };
            values_taken += taken;
        }
    }
    if merging.remove {
        let folder = Place::folder_of_shards(&job.header, &options.out);
        durable::remove_folder(&folder, &durable::SHARDS).map_err(DatasetError::from)?;
    }
    Ok(Merged::Done {
        rows,
        joined,
        values_taken,
        witnesses,
    })
}

/// Names the shard in an error about damage below its folder.
fn of_shard(error: RunError, merge: &Merge<'_>, shards: &[Shard]) -> RunError {
    let is_below = |path: &Path, shard: Shard| {
        path.starts_with(Place::of_shard(merge.job, merge.options, shard).dir)
    };
    let (shard, source) = match error {
        RunError::Shard { shard, source } => (shard, source),
        RunError::Dataset(source) => {
            let path = source.damaged_path();
            let mut shards = shards.iter();
            match shards.find(|&&shard| path.is_some_and(|path| is_below(path, shard))) {
                Some(&shard) => (shard, source),
                None => return source.into(),
            }
        }
        error => return error,
    };
    RunError::Shard {
        shard,
        source: source.of_shard(&shard),
    }
}

/// Without folders of shards, returns done if everything was merged before.
fn without_shards(job: &Job, options: &Options) -> Result<Merged, RunError> {
    match plan(job, &options.out)?.status {
        Some(status) if status.complete => Ok(Merged::Done {
            rows: status.rows,
            joined: 0,
            values_taken: 0,
            witnesses: None,
        }),
        _ => Err(RunError::NoShards {
            job: job.header.name.clone(),
            folder: Place::folder_of_shards(&job.header, &options.out),
        }),
    }
}

/// Copies the values of a shard's store, and returns how many were new; `None` if stopped. A
/// damaged store is skipped: losing it costs only the work of computing its values again.
fn take_values(
    writer: &mut Writer,
    overlay: &Path,
    stop: &dyn Fn() -> bool,
) -> Result<Option<u64>, RunError> {
    let overlay = Store::open(overlay);
    match overlay.and_then(|overlay| writer.take_over(&overlay, &overlay.namespaces(), stop)) {
        Ok(taken) => Ok(Some(taken.iter().map(|imported| imported.added).sum())),
        Err(StoreError::Stopped) => Ok(None),
        Err(damage) if damage.is_damage() => {
            tracing::warn!("the values of a shard are skipped: {damage}");
            Ok(Some(0))
        }
        Err(error) => Err(error.into()),
    }
}

/// Returns the shards of a job that have folders, in order.
///
/// # Errors
///
/// If the folders cannot be listed.
pub fn shards_there(job: &JobHeader, out: &Path) -> Result<Vec<Shard>, RunError> {
    let folder = Place::folder_of_shards(job, out);
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(DatasetError::io("list", &folder)(error).into()),
    };
    let mut shards = Vec::new();
    for entry in entries {
        let name = entry
            .map_err(DatasetError::io("list", &folder))?
            .file_name();
        shards.extend(name.to_str().and_then(Shard::of_folder));
    }
    shards.sort_unstable();
    Ok(shards)
}

/// Returns the number of shards that all folders agree on; `None` if there are no folders.
fn only(job: &JobHeader, there: &[Shard]) -> Result<Option<u32>, RunError> {
    let numbers: BTreeSet<u32> = there.iter().map(|shard| shard.of()).collect();
    if numbers.len() > 1 {
        let numbers: Vec<String> = numbers.iter().map(u32::to_string).collect();
        return Err(RunError::ManyShards {
            job: job.name.clone(),
            numbers: numbers.join(" and "),
        });
    }
    Ok(numbers.into_iter().next())
}
