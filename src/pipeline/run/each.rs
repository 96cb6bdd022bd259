//! Items evaluated one after another, without a job.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bytesize::ByteSize;
use cgsolvers::{Control, StopReason};

use super::{Observer, Phase, RunError, Signals, Tracker, Watch, Watched};

/// Calls `evaluate` for each item, in order, and reports how many are done.
///
/// # Errors
///
/// [`RunError::Budget`] if the memory that `what` takes exceeds the budget; the reason if Ctrl-C or
/// SIGTERM stopped it.
pub(crate) fn evaluate_each<T>(
    items: &[T],
    phase: Phase,
    what: &'static str,
    memory: ByteSize,
    signals: &Signals,
    observer: &dyn Observer,
    mut evaluate: impl FnMut(&T, &Control) -> Result<(), StopReason>,
) -> Result<(), RunError> {
    let (control, watched, tracker) = (Control::default(), Watched::default(), Tracker::default());
    let done = AtomicU64::new(0);
    tracker.expect_unknown();
    tracker.begin(phase, "position", Some(items.len() as u64), 0);
    let watch = Watch::without_job(&control, signals, memory, &watched);
    let work = || {
        items.iter().try_for_each(|item| {
            evaluate(item, &control)?;
            done.fetch_add(1, Relaxed);
            tracker.add(1, 0);
            Ok(())
        })
    };
    let evaluated = watch.evaluating(items.len(), &done, &tracker, observer, work);
    evaluated.map_err(|reason| match reason {
        StopReason::MemoryBudget => RunError::Budget {
            job: "the evaluation".to_owned(),
            needed: ByteSize(watched.bytes_max() + control.memory_refused()),
            what,
            budget: memory,
        },
        reason => reason.into(),
    })
}
