//! Positions of Tchuka Ruma without a job.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bytesize::ByteSize;

use super::columns::RingRow;
use super::make::row;
use super::spec::POSITIONS_MAX_DEFAULT;
use crate::engine::{Control, StopReason};
use crate::game::tchuka_ruma::Ring;
use crate::run::{Observer, Phase, RunError, Signals, Tracker, Watch, Watched};
use crate::task::heaps::stopped;

/// Which positions to evaluate.
#[derive(Clone, Debug)]
pub struct RingEvaluation {
    /// The positions.
    pub rings: Vec<Ring>,
    /// The memory budget.
    pub memory: ByteSize,
}

/// Evaluates positions in order; each gets the row of a job with [`POSITIONS_MAX_DEFAULT`].
///
/// Cost: that of [`count`](crate::engine::tchuka_ruma::count) for each position.
///
/// # Errors
///
/// [`RunError::Budget`] if positions exceed the memory budget; the reason if Ctrl-C or SIGTERM
/// stopped the evaluation.
///
/// ```
/// use seedbank::run::{Signals, Silent};
/// use seedbank::task::tchuka_ruma::{RingEvaluation, evaluate_rings};
///
/// let evaluation = RingEvaluation {
///     rings: vec!["2 2 2 2".parse()?, "3 3 3".parse()?],
///     memory: bytesize::ByteSize::gib(1),
/// };
/// let mut won = Vec::new();
/// evaluate_rings(&evaluation, &Signals::default(), &Silent, |row| won.push(row.won))?;
/// assert_eq!(won, [Some(true), Some(false)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn evaluate_rings(
    evaluation: &RingEvaluation,
    signals: &Signals,
    observer: &dyn Observer,
    mut each: impl FnMut(RingRow),
) -> Result<(), RunError> {
    let (control, watched, tracker) = (Control::default(), Watched::default(), Tracker::default());
    let (total, done) = (evaluation.rings.len(), AtomicU64::new(0));
    tracker.expect_unknown();
    tracker.begin(Phase::Searching, "position", Some(total as u64), 0);
    let watch = Watch::without_job(&control, signals, evaluation.memory, &watched);
    let work = || {
        evaluation.rings.iter().try_for_each(|ring| {
            each(row(ring, POSITIONS_MAX_DEFAULT, &control)?);
            done.fetch_add(1, Relaxed);
            tracker.add(1, 0);
            Ok(())
        })
    };
    let evaluated = watch.evaluating(total, &done, &tracker, observer, work);
    evaluated.map_err(|reason| match reason {
        StopReason::MemoryBudget => RunError::Budget {
            job: "the evaluation".to_owned(),
            needed: ByteSize(watched.bytes_max()),
            what: "the positions that play can come to",
            budget: evaluation.memory,
        },
        reason => stopped(reason),
    })
}
