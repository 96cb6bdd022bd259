//! Work on a separate thread, which the caller can abandon.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use bytesize::ByteSize;
use cgsolvers::StopReason;

use crate::run::memory::{give_back, memory_in_use};
use crate::run::{EvaluationLimits, RunError};

/// The time between two checks of signals, clock and memory.
const LOOK_INTERVAL: Duration = Duration::from_millis(10);

/// The stack size of the thread: that of a main thread.
const STACK_BYTES: usize = 8 << 20;

/// Returns an error if the search must stop for a signal or its deadline.
pub(super) fn check(limits: &EvaluationLimits<'_>) -> Result<(), RunError> {
    if limits.signals.interrupted() || limits.signals.terminated() {
        return Err(StopReason::Interrupted.into());
    }
    match limits.deadline {
        Some(deadline) if Instant::now() >= deadline => Err(StopReason::TimeLimit.into()),
        _ => Ok(()),
    }
}

/// Returns an error if the search takes more memory than it may.
fn check_memory(limits: &EvaluationLimits<'_>) -> Result<(), RunError> {
    let in_use = || ByteSize(memory_in_use().unwrap_or(0));
    if in_use() <= limits.memory {
        return Ok(());
    }
    // The run that made the rows may have left freed memory.
    give_back();
    match in_use() {
        needed if needed > limits.memory => Err(RunError::Budget {
            job: "the search for laws".to_owned(),
            needed,
            what: "the entries and the laws",
            budget: limits.memory,
        }),
        _ => Ok(()),
    }
}

/// Runs work on a separate thread until it is done or a limit ends it. In the latter case the
/// thread is abandoned.
///
/// # Errors
///
/// The reason from the limits.
pub(super) fn aside<T: Send + 'static>(
    limits: &EvaluationLimits<'_>,
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
        check(limits)?;
        check_memory(limits)?;
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
    use crate::run::Signals;
    use cgsolvers::EngineError;

    fn limits(
        signals: &Signals,
        memory: ByteSize,
        deadline: Option<Instant>,
    ) -> EvaluationLimits<'_> {
        EvaluationLimits {
            threads: 1,
            memory,
            deadline,
            signals,
        }
    }

    #[test]
    fn work_is_done_or_left() {
        let signals = Signals::default();
        let most = ByteSize(u64::MAX);
        assert_eq!(aside(&limits(&signals, most, None), || 6 * 7).unwrap(), 42);
        let soon = Instant::now() + Duration::from_millis(30);
        let (end, wait) = mpsc::channel::<()>();
        let left = aside(&limits(&signals, most, Some(soon)), move || {
            wait.recv().is_err()
        });
        let is_late = |error| {
            matches!(
                error,
                RunError::Engine(EngineError::Stopped(StopReason::TimeLimit))
            )
        };
        assert!(left.is_err_and(is_late));
        drop(end);
        let (end, wait) = mpsc::channel::<()>();
        let left = aside(&limits(&signals, ByteSize(1), None), move || {
            wait.recv().is_err()
        });
        assert!(left.is_err_and(|error| matches!(error, RunError::Budget { .. })));
        drop(end);
    }

    #[test]
    #[should_panic = "no laws"]
    fn a_panic_is_the_callers() {
        let signals = Signals::default();
        let _ = aside(&limits(&signals, ByteSize(u64::MAX), None), || {
            panic!("no laws")
        });
    }
}
