//! A merge in progress: it joins the units of shards into parts.

use std::collections::{BTreeSet, HashSet};
use std::io::ErrorKind;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use cgsolvers::StopReason;
use rayon::prelude::*;

use super::assignment::header_of_units;
use super::{Cut, Place, Shard};
use crate::dataset::{DatasetError, Fragment, PartRecord, ResultSet, writer_bytes};
use crate::run::plan::rows_of;
use crate::run::{
    CODE_VERSION, JobHeader, Observer, Options, Phase, Progress, RowTask, RunError, Signals,
    out_option, store_option, thread_pool,
};

/// How a merge ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Merged {
    /// The job's result is complete.
    Done {
        /// The rows of the result; of a witness job, the positions searched.
        rows: u64,
        /// The number of parts joined now.
        joined: u32,
        /// The number of values that were new to the store.
        values_taken: u64,
        /// For a witness job whose answer was read now: how many witnesses were found, and how many
        /// were sought.
        witnesses: Option<(u64, u64)>,
    },
    /// The merge stopped early; merging again resumes it.
    Stopped(StopReason),
}

/// A merge in progress, as tasks see it.
pub struct Merge<'a> {
    /// The job.
    pub job: &'a JobHeader,
    /// The folders of the results, and the merge's limits.
    pub options: &'a Options,
    /// The signals received.
    pub signals: &'a Signals,
    /// Receives the progress.
    pub observer: &'a dyn Observer,
    pub(super) started: Instant,
}

/// A part of the job's result set, and where its rows are.
struct SourcePart<'a> {
    number: u32,
    ranks: Range<u64>,
    fragments: Vec<Fragment<'a>>,
}

impl Merge<'_> {
    pub(super) fn stopped(&self) -> bool {
        self.signals.terminated() || self.signals.interrupted()
    }

    /// Returns the error that some shards are not finished.
    pub(crate) fn missing(&self, of: u32, missing: BTreeSet<u32>) -> RunError {
        let spec = self.job.path.display();
        let out = out_option(&self.options.out);
        let store = store_option(&self.options.store);
        let names: Vec<String> = missing
            .iter()
            .map(|shard| format!("{shard}/{of}"))
            .collect();
        RunError::ShardsMissing {
            job: self.job.name.clone(),
            remedy: format!(
                "run \"seedbank run --shard {} {spec}{out}{store}\"",
                names[0]
            ),
            missing: names,
        }
    }

    /// Joins the units of a job with a row for each member of a family.
    pub(in crate::run) fn rows(
        &self,
        task: &dyn RowTask,
        shards: &[Shard],
    ) -> Result<Merged, RunError> {
        let Merge { job, options, .. } = *self;
        let header = task.header(job);
        let of = shards.len() as u32;
        let cut = Cut::of_rows(task, of);
        let units = header_of_units(header.clone(), &cut);
        let mut sets = Vec::new();
        for &shard in shards {
            let dir = Place::of_shard(job, options, shard).dir;
            sets.push(match ResultSet::open(&dir, &units) {
                Ok(set) => Some(set),
                Err(DatasetError::Io(error)) if error.cause.kind() == ErrorKind::NotFound => None,
                Err(source) => return Err(RunError::Shard { shard, source }),
            });
        }
        let whole = ResultSet::open_or_create(&options.out.join(&job.name), &header)?;
        let finished: HashSet<u32> = whole.finished()?.into_iter().collect();
        let mut missing = BTreeSet::new();
        let mut parts = Vec::new();
        for (number, ranks) in (0..).zip(task.parts()) {
            if finished.contains(&number) {
                continue;
            }
            let first = cut.units.partition_point(|unit| unit.start < ranks.start);
            let end = cut.units.partition_point(|unit| unit.start < ranks.end);
            let mut fragments = Vec::new();
            for unit in first..end {
                let shard = shards[cut.owners[unit] as usize];
                let set = sets[shard.index() as usize].as_ref();
                match set.map_or(Ok(None), |set| self.checked(shard, set, unit, &cut))? {
                    Some(fragment) => fragments.push(fragment),
                    None => {
                        missing.insert(shard.index());
                    }
                }
            }
            parts.push(SourcePart {
                number,
                ranks,
                fragments,
            });
        }
        if !missing.is_empty() {
            return Err(self.missing(of, missing));
        }
        if let Some(reason) = self.join(&whole, task, &parts)? {
            return Ok(Merged::Stopped(reason));
        }
        Ok(Merged::Done {
            rows: whole.finish()?.rows,
            joined: parts.len() as u32,
            values_taken: 0,
            witnesses: None,
        })
    }

    /// Returns a unit if it is finished, after comparing its record with the expected ranks.
    fn checked<'s>(
        &self,
        shard: Shard,
        set: &'s ResultSet,
        unit: usize,
        cut: &Cut,
    ) -> Result<Option<Fragment<'s>>, RunError> {
        let part = unit as u32;
        let record = set.record(part);
        let Some(record) = record.map_err(|source| RunError::Shard { shard, source })? else {
            return Ok(None);
        };
        let PartRecord {
            code_version,
            first_rank,
            files,
            ..
        } = record;
        if code_version != CODE_VERSION {
            return Err(self.other_version(shard, code_version));
        }
        let ranks = &cut.units[unit];
        if (first_rank, files.rows()) != (ranks.start, rows_of(ranks)) {
            let source = DatasetError::OtherPlan {
                dir: set.dir().to_owned(),
                found: format!(
                    "{} rows from rank {first_rank} on as part {unit}",
                    files.rows()
                ),
                expected: format!("{} from rank {} on", rows_of(ranks), ranks.start),
            };
            return Err(RunError::Shard { shard, source });
        }
        Ok(Some(Fragment { set, part }))
    }

    /// Returns the error that another version computed a shard.
    pub(crate) fn other_version(&self, shard: Shard, found: String) -> RunError {
        RunError::ShardVersion {
            shard,
            found,
            expected: CODE_VERSION,
            folder: Place::of_shard(self.job, self.options, shard).dir,
        }
    }

    /// Joins parts, several at a time if there is memory for their writers. Returns the reason if
    /// it was stopped.
    fn join(
        &self,
        whole: &ResultSet,
        task: &dyn RowTask,
        parts: &[SourcePart<'_>],
    ) -> Result<Option<StopReason>, RunError> {
        let Merge { job, options, .. } = *self;
        let rows_total = task.rows();
        let pending: u64 = parts.iter().map(|part| rows_of(&part.ranks)).sum();
        let rows_before = rows_total - pending;
        let rows = AtomicU64::new(rows_before);
        let most = parts.iter().map(|part| rows_of(&part.ranks)).max();
        // A part is read and written at the same time.
        let a_part = 2 * writer_bytes(most.unwrap_or(0));
        let at_once = usize::try_from(options.limits.memory.0 / a_part).unwrap_or(usize::MAX);
        let stopped = || self.stopped();
        let join = task.making().join;
        thread_pool(options.limits.threads.min(at_once.max(1)))?.install(|| {
            parts.par_iter().try_for_each(|part| {
                let first = part.ranks.start;
                let joined = join(whole, part.number, first, &part.fragments, &stopped)?;
                if joined.is_none() {
                    return Ok(());
                }
                let done = rows_of(&part.ranks);
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
