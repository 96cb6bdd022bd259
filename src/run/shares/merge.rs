//! Joining what the shares of a job have made into the job's one result.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::io::{self, ErrorKind};
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use rayon::prelude::*;

use super::place::header_of_units;
use super::{Cut, Place, Share};
use crate::dataset::{DatasetError, Fragment, Join, ResultSet, ShardRecord, writer_bytes};
use crate::engine::StopReason;
use crate::run::plan::{self, CODE_VERSION};
use crate::run::{
    Job, Observer, Options, Phase, Progress, RowTask, RunError, Signals, thread_pool,
};
use crate::store::{Store, StoreError, Writer};

/// How shares are merged.
#[derive(Clone, Copy, Debug, Default)]
pub struct MergeOptions {
    /// How many shares the job was dealt to; where it is not given, that is seen from the folders that there are.
    pub of: Option<u32>,
    /// Whether the values that shares have found go to the store of the options.
    pub take_values: bool,
    /// Whether the folders of the shares are removed in the end.
    pub remove: bool,
}

/// What came of a merge.
#[derive(Clone, Debug, PartialEq)]
pub enum Merged {
    /// The job's result is complete.
    Done {
        /// The rows of the result; of a witness job, the positions searched.
        rows: u64,
        /// How many of its shards, or stretches, were not there before.
        joined: u32,
        /// The values that the store did not have.
        values_taken: u64,
        /// Of a witness job whose answer was read now: how many witnesses were found, and how many were sought.
        witnesses: Option<(u64, u64)>,
    },
    /// Stopped early; merging again goes on.
    Stopped(StopReason),
}

/// Joins the shares of a job into its result set, the same in every byte as one run's.
///
/// Every share must be finished, for the parts of the result that are not there yet, by this version of the code. Files are compared
/// with their checksums as they are read. What is merged already stays as it is, so merging twice changes nothing. Cost: rows are
/// read and written once; values are not looked at, but for the answer to a witness job.
///
/// # Errors
///
/// [`RunError::ShardsMissing`] names the shares that are not finished, and nothing is joined then;
/// [`RunError::NoShards`], [`RunError::ManyShards`]; damage of a share, which running it again repairs;
/// [`RunError::ShardVersion`]; otherwise as [`run`](crate::run::run).
pub fn merge(
    job: &Job,
    options: &Options,
    merging: &MergeOptions,
    signals: &Signals,
    observer: &dyn Observer,
) -> Result<Merged, RunError> {
    let merge = Merge {
        job,
        options,
        signals,
        observer,
        started: Instant::now(),
    };
    let there = shares_there(job, &options.out)?;
    let Some(of) = merging
        .of
        .map_or_else(|| only(job, &there), |of| Ok(Some(of)))?
    else {
        return merge.without_shares();
    };
    let shares = Share::all(of).map_err(RunError::NoSuchShards)?;
    let merged = job.task.merge(&merge, &shares)?;
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
        let mut writer = Store::open(&options.store)?.writer()?;
        // Values are right whatever the deal was.
        for &share in &there {
            let overlay = Place::of_share(job, options, share).store;
            let Some(taken) = take_values(&mut writer, &overlay, &|| merge.stopped())? else {
                return Ok(Merged::Stopped(StopReason::Interrupted));
            };
            values_taken += taken;
        }
    }
    if merging.remove {
        let folder = Place::folder_of_shares(job, &options.out);
        fs::remove_dir_all(&folder)
            .or_else(|error| match error.kind() {
                ErrorKind::NotFound => Ok(()),
                _ => Err(error),
            })
            .map_err(folder_error("remove", &folder))?;
    }
    Ok(Merged::Done {
        rows,
        joined,
        values_taken,
        witnesses,
    })
}

/// Takes over the values of a share's store, and returns how many this one lacked; `None` where it was stopped. A damaged store
/// costs no more than the work of computing its values again, so it is left out.
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
            tracing::warn!("the values of a shard are not taken over: {damage}");
            Ok(Some(0))
        }
        Err(error) => Err(error.into()),
    }
}

fn folder_error(action: &'static str, folder: &Path) -> impl Fn(io::Error) -> RunError {
    move |source| RunError::Folder {
        action,
        folder: folder.to_owned(),
        source,
    }
}

/// Returns the shares that have folders, in order.
fn shares_there(job: &Job, out: &Path) -> Result<Vec<Share>, RunError> {
    let folder = Place::folder_of_shares(job, out);
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(folder_error("list", &folder)(error)),
    };
    let mut shares = Vec::new();
    for entry in entries {
        let name = entry.map_err(folder_error("list", &folder))?.file_name();
        shares.extend(name.to_str().and_then(Share::of_folder));
    }
    shares.sort_unstable();
    Ok(shares)
}

/// Returns the one number of shares that folders are of, or none where there are no folders.
fn only(job: &Job, there: &[Share]) -> Result<Option<u32>, RunError> {
    let numbers: BTreeSet<u32> = there.iter().map(|share| share.of()).collect();
    if numbers.len() > 1 {
        let numbers: Vec<String> = numbers.iter().map(u32::to_string).collect();
        return Err(RunError::ManyShards {
            job: job.name.clone(),
            numbers: numbers.join(" and "),
        });
    }
    Ok(numbers.into_iter().next())
}

/// A merge at work, as tasks see it.
pub struct Merge<'a> {
    /// The job.
    pub job: &'a Job,
    /// Where the results are and what the merge may use.
    pub options: &'a Options,
    /// The signals received.
    pub signals: &'a Signals,
    /// Receives the progress.
    pub observer: &'a dyn Observer,
    started: Instant,
}

/// A shard of the job's result set, and where its rows are.
struct Part<'a> {
    shard: u32,
    ranks: Range<u64>,
    fragments: Vec<Fragment<'a>>,
}

impl Merge<'_> {
    fn stopped(&self) -> bool {
        self.signals.terminated() || self.signals.interrupted()
    }

    /// Without shares, only what is merged already is done.
    fn without_shares(&self) -> Result<Merged, RunError> {
        let plan = plan::plan(self.job, &self.options.out)?;
        match plan.status {
            Some(status) if status.complete => Ok(Merged::Done {
                rows: status.rows,
                joined: 0,
                values_taken: 0,
                witnesses: None,
            }),
            _ => Err(RunError::NoShards {
                job: self.job.name.clone(),
                folder: Place::folder_of_shares(self.job, &self.options.out),
            }),
        }
    }

    /// Returns the error that shares are not finished.
    pub(crate) fn missing(&self, of: u32, missing: BTreeSet<u32>) -> RunError {
        let spec = self.job.path.display();
        let names: Vec<String> = missing
            .iter()
            .map(|share| format!("{share}/{of}"))
            .collect();
        RunError::ShardsMissing {
            job: self.job.name.clone(),
            remedy: format!("run \"seedbank run --shard {} {spec}\"", names[0]),
            missing: names,
        }
    }

    /// Joins the units of a job with a row for each member of a family.
    pub(in crate::run) fn rows(
        &self,
        task: &dyn RowTask,
        shares: &[Share],
    ) -> Result<Merged, RunError> {
        let Merge { job, options, .. } = *self;
        let header = plan::header(job, task);
        let of = shares.len() as u32;
        let cut = Cut::of_rows(task, of);
        let units = header_of_units(header.clone(), &cut);
        let mut sets = Vec::new();
        for &share in shares {
            let dir = Place::of_share(job, options, share).dir;
            sets.push(match ResultSet::open(&dir, &units) {
                Ok(set) => Some(set),
                Err(DatasetError::Io(error)) if error.cause.kind() == ErrorKind::NotFound => None,
                Err(source) => return Err(RunError::Shard { share, source }),
            });
        }
        let whole = ResultSet::open_or_create(&options.out.join(&job.name), &header)?;
        let finished: HashSet<u32> = whole.finished()?.into_iter().collect();
        let mut missing = BTreeSet::new();
        let mut parts = Vec::new();
        for (shard, ranks) in (0..).zip(task.parts()) {
            if finished.contains(&shard) {
                continue;
            }
            let first = cut.units.partition_point(|unit| unit.start < ranks.start);
            let end = cut.units.partition_point(|unit| unit.start < ranks.end);
            let mut fragments = Vec::new();
            for unit in first..end {
                let share = shares[cut.owners[unit] as usize];
                let set = sets[share.index() as usize].as_ref();
                match set.map_or(Ok(None), |set| self.checked(share, set, unit, &cut))? {
                    Some(fragment) => fragments.push(fragment),
                    None => {
                        missing.insert(share.index());
                    }
                }
            }
            parts.push(Part {
                shard,
                ranks,
                fragments,
            });
        }
        if !missing.is_empty() {
            return Err(self.missing(of, missing));
        }
        if let Some(reason) = self.join(&whole, task.join(), &parts)? {
            return Ok(Merged::Stopped(reason));
        }
        Ok(Merged::Done {
            rows: whole.finish()?.rows,
            joined: parts.len() as u32,
            values_taken: 0,
            witnesses: None,
        })
    }

    /// Returns a unit, if it is finished, after comparing what its record says with what it should.
    fn checked<'s>(
        &self,
        share: Share,
        set: &'s ResultSet,
        unit: usize,
        cut: &Cut,
    ) -> Result<Option<Fragment<'s>>, RunError> {
        let shard = unit as u32;
        let record = set.record(shard);
        let Some(record) = record.map_err(|source| RunError::Shard { share, source })? else {
            return Ok(None);
        };
        let ShardRecord {
            code_version,
            first_rank,
            files,
            ..
        } = record;
        if code_version != CODE_VERSION {
            return Err(self.other_version(share, code_version));
        }
        let ranks = &cut.units[unit];
        if (first_rank, files.rows()) != (ranks.start, plan::rows_of(ranks)) {
            let source = DatasetError::OtherPlan {
                dir: set.dir().to_owned(),
                found: format!(
                    "{} rows from rank {first_rank} on as shard {unit}",
                    files.rows()
                ),
                expected: format!("{} from rank {} on", plan::rows_of(ranks), ranks.start),
            };
            return Err(RunError::Shard { share, source });
        }
        Ok(Some(Fragment { set, shard }))
    }

    /// Returns the error that a share was computed by another version.
    pub(crate) fn other_version(&self, share: Share, found: String) -> RunError {
        RunError::ShardVersion {
            share,
            found,
            expected: CODE_VERSION,
            folder: Place::of_share(self.job, self.options, share).dir,
        }
    }

    /// Joins parts, several at a time where there is memory for their writers; returns what stopped it, if something did.
    fn join(
        &self,
        whole: &ResultSet,
        join: Join,
        parts: &[Part<'_>],
    ) -> Result<Option<StopReason>, RunError> {
        let Merge { job, options, .. } = *self;
        let rows_total = job.task.rows();
        let pending: u64 = parts.iter().map(|part| plan::rows_of(&part.ranks)).sum();
        let rows_before = rows_total - pending;
        let rows = AtomicU64::new(rows_before);
        let most = parts.iter().map(|part| plan::rows_of(&part.ranks)).max();
        // A part is read and written at once.
        let a_part = 2 * writer_bytes(most.unwrap_or(0));
        let at_once = usize::try_from(options.memory.0 / a_part).unwrap_or(usize::MAX);
        let stopped = || self.stopped();
        thread_pool(options.threads.min(at_once.max(1)))?.install(|| {
            parts.par_iter().try_for_each(|part| {
                let first = part.ranks.start;
                let joined = join(whole, part.shard, first, &part.fragments, &stopped)?;
                if joined.is_none() {
                    return Ok(());
                }
                let done = plan::rows_of(&part.ranks);
                let rows = rows.fetch_add(done, Relaxed) + done;
                self.observer.progress(
                    &job.name,
                    &Progress {
                        rows_total,
                        rows,
                        rows_before,
                        elapsed: self.started.elapsed(),
                        ..Progress::of_rows(Phase::Merging, "row", rows - rows_before, pending)
                    },
                );
                Ok::<(), DatasetError>(())
            })
        })?;
        Ok((rows.into_inner() < rows_total).then_some(StopReason::Interrupted))
    }
}
