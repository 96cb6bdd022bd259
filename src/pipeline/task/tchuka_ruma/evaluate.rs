//! Positions of Tchuka Ruma without a job.

use bytesize::ByteSize;
use cggames::game::tchuka_ruma::Ring;
use cgsolvers::Control;

use super::columns::RingRow;
use super::make::row;
use super::spec::POSITIONS_MAX_DEFAULT;
use crate::run::{Observer, Phase, RunError, Signals, evaluate_each};

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
/// Cost: that of [`count`](cgsolvers::tchuka_ruma::count) for each position.
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
    let what = "the positions that play can come to";
    let mut count = |ring: &Ring, control: &Control| {
        each(row(ring, POSITIONS_MAX_DEFAULT, control)?);
        Ok(())
    };
    let (rings, memory) = (&evaluation.rings, evaluation.memory);
    evaluate_each(
        rings,
        Phase::Searching,
        what,
        memory,
        signals,
        observer,
        &mut count,
    )
}
