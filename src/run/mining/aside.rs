//! Work on a separate thread, which the caller can abandon.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use crate::engine::StopReason;
use crate::run::{RunError, Signals};

/// The time between two checks of signals and clock.
const LOOK_INTERVAL: Duration = Duration::from_millis(10);

/// The stack size of the thread: that of a main thread.
const STACK_BYTES: usize = 8 << 20;

/// What ends a search for laws early.
pub struct Limits<'a> {
    /// The signals that stop it.
    pub signals: &'a Signals,
    /// When to stop.
    pub deadline: Option<Instant>,
}

impl Limits<'_> {
    /// Returns an error if the search must stop.
    pub(super) fn check(&self) -> Result<(), RunError> {
        if self.signals.interrupted() || self.signals.terminated() {
            return Err(StopReason::Interrupted.into());
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(StopReason::TimeLimit.into()),
            _ => Ok(()),
        }
    }
}

/// Runs work on a separate thread until it is done or a limit ends it. In the latter case the
/// thread is abandoned.
///
/// # Errors
///
/// The reason from the limits.
pub(super) fn aside<T: Send + 'static>(
    limits: &Limits<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, RunError> {
    let (done, is_done) = mpsc::channel();
    let worker = thread::Builder::new()
        .name("mining".to_owned())
        .stack_size(STACK_BYTES)
        .spawn(move || {
            // The caller may have gone.
            let _ = done.send(work());
        })
        .map_err(RunError::Thread)?;
    loop {
        limits.check()?;
        match is_done.recv_timeout(LOOK_INTERVAL) {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Disconnected) => match worker.join() {
                Ok(()) => unreachable!("the worker sends its result before it ends"),
                Err(panic) => std::panic::resume_unwind(panic),
            },
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::EngineError;

    #[test]
    fn work_is_done_or_left() {
        let signals = Signals::default();
        let limits = |deadline| Limits {
            signals: &signals,
            deadline,
        };
        assert_eq!(aside(&limits(None), || 6 * 7).unwrap(), 42);
        let soon = Instant::now() + Duration::from_millis(30);
        let (end, wait) = mpsc::channel::<()>();
        let left = aside(&limits(Some(soon)), move || wait.recv().is_err());
        let is_late = |error| {
            matches!(
                error,
                RunError::Engine(EngineError::Stopped(StopReason::TimeLimit))
            )
        };
        assert!(left.is_err_and(is_late));
        drop(end);
    }

    #[test]
    #[should_panic = "no laws"]
    fn a_panic_is_the_callers() {
        let limits = Limits {
            signals: &Signals::default(),
            deadline: None,
        };
        let _ = aside(&limits, || panic!("no laws"));
    }
}
