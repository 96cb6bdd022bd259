//! A run at work.

use std::sync::Mutex;
use std::time::Duration;

use cgsolvers::{EngineError, StopReason};
use seedbank_memory::lock;

use super::cost::Costs;
use super::{JobHeader, Observer, Options, Outcome, Place, RunError, Session, Signals, Summary};

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
    /// The work, its limits and its progress.
    pub(crate) session: Session<'a>,
    /// The thread pool for parallel code.
    pub pool: rayon::ThreadPool,
    /// The numbers of canonical forms and of sealed values of the engines that have ended.
    ended: Mutex<Option<(u64, u64)>>,
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
        let mut session = Session::new(options.limits, signals, observer);
        session.drains = true;
        Ok(Run {
            job,
            noun,
            options,
            place,
            pool: session.pool()?,
            session,
            ended: Mutex::default(),
        })
    }

    /// Runs work under watch; see [`Session::watch`].
    pub(crate) fn watch<T>(
        &self,
        rows: (u64, u64),
        costs: Option<&Costs<'_>>,
        work: impl FnOnce() -> T,
    ) -> T {
        (self.session).watch((&self.job.name, self.noun), rows, costs, work)
    }

    /// Adds the numbers of canonical forms and of sealed values of an engine that has ended.
    pub(crate) fn ended(&self, forms: u64, sealed: u64) {
        let mut ended = lock(&self.ended);
        let before = ended.unwrap_or_default();
        *ended = Some((before.0 + forms, before.1 + sealed));
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
        let needed = self.session.elapsed().as_secs_f64() / share;
        let needed = match Duration::try_from_secs_f64(needed.ceil()) {
            Ok(needed) => humantime::format_duration(needed).to_string(),
            Err(_) => "unknown length".to_owned(),
        };
        tracing::warn!(
            "the time limit is too short to finish a part: {:.1} % of one were made; the next run makes these rows again from \
             the values found, which are kept; at this rate, a part takes a --time-limit of {needed}",
            100.0 * share,
        );
    }

    /// Returns a summary of the run.
    pub(crate) fn summary(&self, rows: u64) -> Summary {
        let ended = *lock(&self.ended);
        Summary {
            rows,
            over_limit: 0,
            positions: self.session.control.evaluated(),
            forms: ended.map(|(forms, _)| forms),
            sealed: ended.map_or(0, |(_, sealed)| sealed),
            elapsed: self.session.elapsed(),
            bytes_max: self.session.watched.bytes_max(),
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
