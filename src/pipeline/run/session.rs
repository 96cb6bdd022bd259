//! Work under watch, with a job or without: what it may use, what stops it, and how far it is.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use bytesize::ByteSize;
use cgsolvers::{Control, EngineError, StopReason};

use super::cost::Costs;
use super::{Limits, Observer, Phase, Progress, RunError, Signals, Tracker, Watched};

/// The longest wait for a result of [`Session::aside`] between two checks whether to stop.
const LOOK_INTERVAL: Duration = Duration::from_millis(10);

/// The stack size of the thread of [`Session::aside`]: that of a main thread.
const STACK_BYTES: usize = 8 << 20;

/// What work may use, what stops it, and what receives its progress.
///
/// A run of a job has a session, and so has every evaluation without a job. A session that was stopped stays stopped.
pub struct Session<'a> {
    /// The threads, memory and time that the work may use.
    pub limits: Limits,
    /// The signals that stop it.
    pub signals: &'a Signals,
    /// Receives its progress.
    pub observer: &'a dyn Observer,
    /// Whether current work may finish after a signal, if that takes little time; otherwise it is
    /// stopped at once.
    pub(crate) drains: bool,
    /// Stops the work, and counts evaluated positions.
    pub(crate) control: Arc<Control>,
    /// The phase and its progress.
    pub(crate) tracker: Tracker,
    /// The memory in use.
    pub(crate) watched: Watched,
    /// The rows finished, including those of earlier runs.
    rows: AtomicU64,
    started: Instant,
}

impl<'a> Session<'a> {
    /// Returns a session that has just begun, and stops at once after a signal.
    pub fn new(limits: Limits, signals: &'a Signals, observer: &'a dyn Observer) -> Session<'a> {
        Session {
            limits,
            signals,
            observer,
            drains: false,
            control: Arc::default(),
            tracker: Tracker::default(),
            watched: Watched::default(),
            rows: AtomicU64::new(0),
            started: Instant::now(),
        }
    }

    /// Returns a pool of the session's threads.
    ///
    /// # Errors
    ///
    /// [`RunError::Threads`].
    pub(crate) fn pool(&self) -> Result<rayon::ThreadPool, RunError> {
        thread_pool(self.limits.threads)
    }

    /// Returns the time since the session began.
    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Returns the number of rows counted, with those of earlier runs and of parts at work.
    pub(crate) fn rows(&self) -> u64 {
        self.rows.load(Relaxed)
    }

    /// Counts finished rows.
    pub(crate) fn count_rows(&self, rows: u64) {
        self.rows.fetch_add(rows, Relaxed);
    }

    /// Counts a finished item of work without a job.
    pub(crate) fn count_item(&self) {
        self.count_rows(1);
        self.tracker.add(1, 0);
    }

    /// Begins a phase of work without a job over `total` items, of which some may be finished.
    pub(crate) fn begin(&self, phase: Phase, unit: &'static str, total: usize) {
        let evaluated = self.control.evaluated();
        self.tracker
            .begin(phase, unit, Some(total as u64), evaluated);
        self.tracker.add(self.rows(), 0);
    }

    /// Returns an error if the watch has stopped the work.
    ///
    /// # Errors
    ///
    /// [`EngineError::Stopped`].
    pub(crate) fn check_stop(&self) -> Result<(), RunError> {
        self.control
            .stopped()
            .map_or(Ok(()), |reason| Err(reason.into()))
    }

    /// Returns an error after a signal or the deadline, for work that no thread watches.
    ///
    /// # Errors
    ///
    /// [`EngineError::Stopped`].
    pub(crate) fn check(&self) -> Result<(), RunError> {
        if self.signals.interrupted() || self.signals.terminated() {
            return Err(StopReason::Interrupted.into());
        }
        match self.limits.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(StopReason::TimeLimit.into()),
            _ => Ok(()),
        }
    }

    /// Does work under watch, and reports its progress. Of `total` rows, `before` are finished. `costs` are the costs of the
    /// rows, used unless the work enters its own cost in the tracker.
    pub(crate) fn watch<T>(
        &self,
        (title, noun): (&str, &'static str),
        (total, before): (u64, u64),
        costs: Option<&Costs<'_>>,
        work: impl FnOnce() -> T,
    ) -> T {
        self.rows.store(before, Relaxed);
        let report = || {
            let positions = self.control.evaluated();
            let rows = self.rows();
            let mut stage = self.tracker.stage(positions);
            if let Some(costs) = costs.filter(|_| !self.tracker.has_costs()) {
                stage.done = rows - before;
                stage.cost_done = costs.of_rows(stage.done);
                stage.cost_total = Some(costs.all());
            }
            let progress = Progress {
                noun,
                rows_total: total,
                rows,
                rows_before: before,
                positions,
                forms: self.watched.forms(),
                bytes: self.watched.bytes(),
                elapsed: self.elapsed(),
                draining: self.control.draining(),
                stage,
            };
            self.observer.progress(title, &progress);
        };
        self.during(report, work)
    }

    /// Evaluates `total` positions without a job, under watch.
    pub(crate) fn evaluating<T>(&self, total: usize, work: impl FnOnce() -> T) -> T {
        self.watch(("eval", "position"), (total as u64, 0), None, work)
    }

    /// Evaluates items one after another, without a job.
    ///
    /// # Errors
    ///
    /// [`RunError::Budget`] if the memory that `what` takes exceeds the budget; the reason if a signal or the deadline stopped it.
    pub(crate) fn each<T>(
        &self,
        phase: Phase,
        items: &[T],
        what: &'static str,
        mut evaluate: impl FnMut(&T, &Control) -> Result<(), StopReason>,
    ) -> Result<(), RunError> {
        self.tracker.expect_unknown();
        self.begin(phase, "position", items.len());
        let evaluated = self.evaluating(items.len(), || {
            items.iter().try_for_each(|item| {
                evaluate(item, &self.control)?;
                self.count_item();
                Ok(())
            })
        });
        evaluated.map_err(|error| self.over_budget(error, "the evaluation", what))
    }

    /// Works on a thread of its own, which is abandoned if the watch stops the work, and passes on each result that it sends.
    /// For work that does not check whether to stop. An abandoned thread ends with the process, or when it is done.
    ///
    /// # Errors
    ///
    /// The reason that stopped the work, the error of `each`, or [`RunError::Thread`].
    pub(crate) fn aside<T: Send + 'static>(
        &self,
        work: impl FnOnce(SyncSender<T>) + Send + 'static,
        mut each: impl FnMut(T) -> Result<(), RunError>,
    ) -> Result<(), RunError> {
        let (sender, results) = sync_channel(1);
        let worker = thread::Builder::new()
            .stack_size(STACK_BYTES)
            .spawn(move || work(sender))
            .map_err(RunError::Thread)?;
        loop {
            self.check_stop()?;
            if self.control.draining() {
                return Err(StopReason::Interrupted.into());
            }
            match results.recv_timeout(LOOK_INTERVAL) {
                Ok(result) => each(result)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return worker
                        .join()
                        .map_err(|panic| std::panic::resume_unwind(panic));
                }
            }
        }
    }

    /// Does work with one result [aside](Session::aside).
    ///
    /// # Errors
    ///
    /// As there.
    pub(crate) fn once_aside<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, RunError> {
        let mut made = None;
        let work = move |sender: SyncSender<T>| {
            // Nobody receives the result once the work was stopped.
            let _ = sender.send(work());
        };
        self.aside(work, |result| {
            made = Some(result);
            Ok(())
        })?;
        Ok(made.expect("the work sends its result before it ends"))
    }

    /// Returns an error, and for the memory budget one that says what took the memory.
    pub(crate) fn over_budget(&self, error: RunError, job: &str, what: &'static str) -> RunError {
        match error {
            RunError::Engine(EngineError::Stopped(StopReason::MemoryBudget)) => RunError::Budget {
                job: job.to_owned(),
                needed: self.bytes_needed(),
                what,
                budget: self.limits.memory,
            },
            error => error,
        }
    }

    /// Returns an error, and for the memory budget one that says how far the search came. The canonical forms took `forms`
    /// bytes.
    pub(crate) fn out_of_memory(
        &self,
        error: RunError,
        job: impl FnOnce() -> String,
        remedy: &'static str,
        forms: u64,
    ) -> RunError {
        match error {
            RunError::Engine(EngineError::Stopped(StopReason::MemoryBudget)) => RunError::Memory {
                job: job(),
                budget: self.limits.memory,
                positions: self.control.evaluated(),
                in_use: self.bytes_needed(),
                remedy,
                forms: ByteSize(forms),
            },
            error => error,
        }
    }

    fn bytes_needed(&self) -> ByteSize {
        ByteSize(self.watched.bytes_max() + self.control.memory_refused())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Silent;
    use std::sync::mpsc;

    fn aside(
        memory: ByteSize,
        deadline: Option<Instant>,
        work: impl FnOnce() -> u32 + Send + 'static,
    ) -> Result<u32, RunError> {
        let signals = Signals::default();
        let limits = Limits {
            deadline,
            ..Limits::new(1, memory)
        };
        let session = Session::new(limits, &signals, &Silent);
        let done = session.watch(("", ""), (0, 0), None, || session.once_aside(work));
        done.map_err(|error| session.over_budget(error, "the work", "numbers"))
    }

    #[test]
    fn work_is_done_or_left() {
        let most = ByteSize(u64::MAX);
        assert_eq!(aside(most, None, || 6 * 7).unwrap(), 42);
        // The threads that are left wait until the test ends.
        let (end, wait) = mpsc::channel::<u32>();
        let soon = Instant::now() + Duration::from_millis(30);
        let left = aside(most, Some(soon), move || wait.recv().unwrap_or(0));
        assert!(matches!(
            left,
            Err(RunError::Engine(EngineError::Stopped(
                StopReason::TimeLimit
            )))
        ));
        drop(end);
        let (end, wait) = mpsc::channel::<u32>();
        let left = aside(ByteSize(1), None, move || wait.recv().unwrap_or(0));
        assert!(matches!(left, Err(RunError::Budget { .. })));
        drop(end);
    }

    #[test]
    #[should_panic = "no laws"]
    fn a_panic_is_the_callers() {
        let _ = aside(ByteSize(u64::MAX), None, || panic!("no laws"));
    }
}
