//! Reads results and searches for laws in them.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use cglaws::{
    Column, LawKind, Material, MineOptions, Mined, Proved, RowTable, mine_between, mine_chosen,
    mine_rows,
};

use super::error::MiningError;
use super::found::{Data, Found, LawSource, Mining};
use crate::dataset::ScanProgress;
use crate::run::{Job, Reading, RunError, Session};

/// The progress of a search for laws.
#[derive(Debug, Default)]
pub struct MiningProgress {
    /// The rows read.
    rows: Arc<ScanProgress>,
    columns: AtomicU64,
    columns_done: AtomicU64,
}

impl MiningProgress {
    /// Returns the number of rows read, and the number of all rows.
    pub fn rows(&self) -> (u64, u64) {
        (self.rows.read(), self.rows.rows())
    }

    /// Returns the number of columns mined, and the number of all columns; 0 while rows are read.
    pub fn columns(&self) -> (u64, u64) {
        (self.columns_done.load(Relaxed), self.columns.load(Relaxed))
    }
}

/// The data of finished results.
#[derive(Clone, Debug)]
pub struct Mineable {
    out: PathBuf,
    jobs: Vec<Job>,
    sources: Vec<LawSource>,
    /// The columns, each with the index of its job.
    columns: Vec<(usize, Arc<Column>)>,
    rows: Vec<(usize, Arc<RowTable>)>,
    proved: Vec<(usize, Arc<Proved>)>,
}

/// Works on a separate thread, which is abandoned if a limit ends the work.
fn aside<T: Send + 'static>(
    session: &Session<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, RunError> {
    let done = session.watch(("mine", "row"), (0, 0), None, || session.once_aside(work));
    let what = "the entries and the laws";
    done.map_err(|error| session.over_budget(error, "the search for laws", what))
}

impl Mineable {
    /// Reads the results of jobs: finished ones, or what there is of them if `is_partial` is set.
    ///
    /// The work runs on a separate thread. If a limit ends it, the thread is abandoned, and the
    /// process is expected to end.
    ///
    /// Memory: some 40 bytes an entry.
    ///
    /// # Errors
    ///
    /// A result that is not finished but should be, cannot be read, or has no data to search; a
    /// [`RunError`](crate::run::RunError) with the [`StopReason`](cgsolvers::StopReason) if a
    /// limit ends the work.
    pub fn read(
        jobs: &[Job],
        out: &Path,
        is_partial: bool,
        session: &Session<'_>,
        progress: &Arc<MiningProgress>,
    ) -> Result<Mineable, MiningError> {
        let (jobs, out, progress) = (jobs.to_vec(), out.to_owned(), Arc::clone(progress));
        aside(session, move || {
            let mut data = Mineable {
                out: out.clone(),
                jobs: Vec::new(),
                sources: Vec::new(),
                columns: Vec::new(),
                rows: Vec::new(),
                proved: Vec::new(),
            };
            for (place, job) in jobs.iter().enumerate() {
                let (source, material) = material(job, &out, is_partial, &progress)?;
                data.sources.push(source);
                let columns = material.columns.into_iter();
                data.columns
                    .extend(columns.map(|column| (place, Arc::new(column))));
                let rows = material.rows.into_iter();
                data.rows.extend(rows.map(|rows| (place, Arc::new(rows))));
                let proved = material.proved.into_iter();
                data.proved
                    .extend(proved.map(|proved| (place, Arc::new(proved))));
            }
            data.jobs = jobs;
            Ok(data)
        })?
    }

    /// Searches for laws, on a separate thread as [`Mineable::read`] does.
    ///
    /// # Errors
    ///
    /// An entry that cannot be read; the reason if a limit ends the work.
    pub fn mine(
        self,
        options: &MineOptions,
        session: &Session<'_>,
        progress: &Arc<MiningProgress>,
    ) -> Result<Mining, MiningError> {
        let (options, progress) = (options.clone(), Arc::clone(progress));
        aside(session, move || self.mined(&options, &progress))?
    }

    fn mined(
        self,
        options: &MineOptions,
        progress: &MiningProgress,
    ) -> Result<Mining, MiningError> {
        let admitted: Vec<&(usize, Arc<Column>)> = (self.columns.iter())
            .filter(|(_, column)| options.admits(column))
            .collect();
        let rows = self.rows.iter().filter(|_| options.has(LawKind::Rows));
        let proved = self.proved.iter().filter(|_| options.has(LawKind::Periods));
        let all = admitted.len() + rows.clone().count();
        progress.columns.store(all as u64, Relaxed);
        let mut found = Vec::new();
        for (job, column) in &admitted {
            let others = self.columns.iter().map(|(_, other)| other);
            let others = others.filter(|other| !Arc::ptr_eq(other, column));
            let others: Vec<&Column> = others.map(|other| &**other).collect();
            let mined = mine_chosen(column, &others, options)?;
            found.push(Found::new(*job, Data::Column(Arc::clone(column)), mined));
            progress.columns_done.fetch_add(1, Relaxed);
        }
        for (job, rows) in rows {
            let mined = mine_rows(rows)?;
            found.push(Found::new(*job, Data::Rows(Arc::clone(rows)), mined));
            progress.columns_done.fetch_add(1, Relaxed);
        }
        for (job, proved) in proved {
            let mined = Mined {
                laws: proved.laws.clone(),
                unexplained: proved.unproved,
                ..Mined::default()
            };
            found.push(Found::new(*job, Data::Proved(Arc::clone(proved)), mined));
        }
        // The laws of each job are adjacent.
        found.sort_by_key(|found: &Found| found.job);
        let columns: Vec<&Column> = admitted.iter().map(|(_, column)| &**column).collect();
        if !columns.is_empty() {
            found.push(Found {
                job: None,
                data: Data::Between,
                mined: mine_between(&columns, options),
                extensions: Vec::new(),
            });
        }
        Ok(Mining {
            out: self.out,
            jobs: self.jobs,
            sources: self.sources,
            found,
        })
    }
}

/// Reads the data of a job's result that are searched for laws, and the digest of its
/// manifest.
fn material(
    job: &Job,
    out: &Path,
    is_partial: bool,
    progress: &MiningProgress,
) -> Result<(LawSource, Material), MiningError> {
    let nothing = || MiningError::Nothing {
        path: job.header.path.clone(),
    };
    let mut result = job.task.open(&job.header, out)?.ok_or_else(nothing)?;
    if is_partial {
        result = result.partial();
    }
    let digest = result.digest()?;
    let material = job.task.material(&Reading {
        job: &job.header,
        out,
        rows: Some(result.scan().counted_by(&progress.rows)),
        ranks: &[],
    })?;
    if material.is_empty() {
        Err(nothing())
    } else {
        Ok((LawSource::new(&job.header, digest), material))
    }
}
