//! A run at work.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use cgsolvers::{Control, EngineError, StopReason};

use super::cost::Costs;
use super::{
    JobHeader, Observer, Options, Outcome, Place, Progress, RunError, Signals, Summary, Tracker,
    Watch, Watched,
};

/// A run of a job or of one of its shards, as the task sees it.
pub struct Run<'a> {
    /// The job.
    pub job: &'a JobHeader,
    /// What a row is about, in the singular.
    noun: &'static str,
    /// Where the run works and what it may use.
    pub options: &'a Options,
    /// The run's folders.
    pub(crate) place: &'a Place,
    /// The signals received.
    pub(crate) signals: &'a Signals,
    /// Receives the progress.
    pub(crate) observer: &'a dyn Observer,
    /// The phase and its progress.
    pub tracker: Tracker,
    /// The thread pool for parallel code.
    pub pool: rayon::ThreadPool,
    /// Stops the work, and counts evaluated positions.
    pub control: Arc<Control>,
    /// The memory in use.
    pub(crate) watched: Watched,
    /// The rows finished, including those of earlier runs.
    rows: AtomicU64,
    /// The number of canonical forms and of sealed values of an engine that has ended.
    ended: OnceLock<(u64, u64)>,
    started: Instant,
}

impl<'a> Run<'a> {
    pub(crate) fn new(
        job: &'a JobHeader,
        noun: &'static str,
        options: &'a Options,
        place: &'a Place,
        signals: &'a Signals,
        observer: &'a dyn Observer,
    ) -> Result<Run<'a>, RunError> {
        Ok(Run {
            job,
            noun,
            options,
            place,
            signals,
            observer,
            tracker: Tracker::default(),
            pool: thread_pool(options.threads)?,
            control: Arc::default(),
            watched: Watched::default(),
            rows: AtomicU64::new(0),
            ended: OnceLock::new(),
            started: Instant::now(),
        })
    }

    /// Runs work under watch. Of `rows_total` rows, `rows_before` are finished. `costs` are the
    /// costs of the rows, used unless the work enters its own cost in the tracker.
    pub(crate) fn watch<T>(
        &self,
        (rows_total, rows_before): (u64, u64),
        costs: Option<&Costs<'_>>,
        work: impl FnOnce() -> T,
    ) -> T {
        self.rows.store(rows_before, Relaxed);
        let report = || {
            let positions = self.control.evaluated();
            let rows = self.rows.load(Relaxed);
            let mut stage = self.tracker.stage(positions);
            if let Some(costs) = costs.filter(|_| !self.tracker.has_costs()) {
                stage.done = rows - rows_before;
                stage.cost_done = costs.of_rows(stage.done);
                stage.cost_total = Some(costs.all());
            }
            let progress = Progress {
                noun: self.noun,
                rows_total,
                rows,
                rows_before,
                positions,
                forms: self.watched.forms(),
                bytes: self.watched.bytes(),
                elapsed: self.started.elapsed(),
                draining: self.control.draining(),
                stage,
            };
            self.observer.progress(&self.job.name, &progress);
        };
        let watch = Watch {
            control: &self.control,
            signals: self.signals,
            drains: true,
            deadline: self.options.deadline,
            memory: self.options.memory,
            watched: &self.watched,
        };
        watch.during(report, work)
    }

    /// Returns the number of rows counted, with those of earlier runs and of parts at work.
    pub(crate) fn rows(&self) -> u64 {
        self.rows.load(Relaxed)
    }

    /// Counts finished rows.
    pub(crate) fn count_rows(&self, rows: u64) {
        self.rows.fetch_add(rows, Relaxed);
    }

    /// Records the numbers of canonical forms and of sealed values of an engine that has ended.
    pub(crate) fn ended(&self, forms: u64, sealed: u64) {
        // A run has one engine.
        let _ = self.ended.set((forms, sealed));
    }

    /// Returns an error if the run must stop at once.
    ///
    /// # Errors
    ///
    /// [`EngineError::Stopped`].
    pub fn check_stop(&self) -> Result<(), RunError> {
        match self.control.stopped() {
            Some(reason) => Err(EngineError::Stopped(reason).into()),
            None => Ok(()),
        }
    }

    /// Warns that a time limit was too short to finish any part, and estimates one that suffices. `share`
    /// is how much of a part was done, below 1 if no part is finished.
    ///
    /// Rows of an unfinished part are made again by the next run, which finds their values in the
    /// store. If that alone takes as long as the limit, a run finds nothing new.
    pub(crate) fn warn_of_the_limit(&self, share: f64) {
        if share >= 1.0 {
            return;
        }
        let needed = self.started.elapsed().as_secs_f64() / share;
        let needed = match Duration::try_from_secs_f64(needed.ceil()) {
            Ok(needed) => humantime::format_duration(needed).to_string(),
            Err(_) => "unknown length".to_owned(),
        };
        tracing::warn!(
            "the time limit is too short to finish a part, and rows are kept by whole parts: {:.1} % of one were made; \
             the values found are kept; at this rate, a part takes a --time-limit of {needed}",
            100.0 * share,
        );
    }

    /// Returns a summary of the run.
    pub(crate) fn summary(&self, rows: u64) -> Summary {
        let ended = self.ended.get();
        Summary {
            rows,
            positions: self.control.evaluated(),
            forms: ended.map(|(forms, _)| *forms),
            sealed: ended.map_or(0, |(_, sealed)| *sealed),
            elapsed: self.started.elapsed(),
            bytes_max: self.watched.bytes_max(),
            witnesses: None,
        }
    }

    /// Returns how work ended. `Ok` has whether all of it is done, and the number of rows.
    ///
    /// # Errors
    ///
    /// Any error other than a stop.
    pub(crate) fn outcome(
        &self,
        done: Result<bool, RunError>,
        rows: u64,
    ) -> Result<Outcome, RunError> {
        let summary = self.summary(rows);
        match done {
            Ok(true) => Ok(Outcome::Finished(summary)),
            Ok(false) => Ok(Outcome::Stopped(StopReason::Interrupted, summary)),
            Err(RunError::Engine(EngineError::Stopped(reason))) => {
                Ok(Outcome::Stopped(reason, summary))
            }
            Err(error) => Err(error),
        }
    }
}

/// Returns a pool of workers.
///
/// # Errors
///
/// [`RunError::Threads`].
pub(crate) fn thread_pool(threads: usize) -> Result<rayon::ThreadPool, RunError> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|i| format!("worker-{i}"))
        .build()
        .map_err(|source| RunError::Threads { threads, source })
}
