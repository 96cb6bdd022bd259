//! Positions of Tchuka Ruma without a job.

use cggames::game::tchuka_ruma::Ring;

use super::columns::RingRow;
use super::make::row;
use super::spec::POSITIONS_MAX_DEFAULT;
use crate::run::{Phase, RunError, Session};

/// Evaluates positions in order; each gets the row of a job with [`POSITIONS_MAX_DEFAULT`].
///
/// Cost: that of [`count`](cgsolvers::tchuka_ruma::count) for each position.
///
/// # Errors
///
/// [`RunError::Budget`] if positions exceed the memory budget; the reason if a signal or the deadline
/// stopped the evaluation.
///
/// ```
/// use seedbank::run::{Limits, Session, Signals, Silent};
/// use seedbank::task::tchuka_ruma::evaluate_rings;
///
/// let limits = Limits::new(1, bytesize::ByteSize::gib(1));
/// let signals = Signals::default();
/// let session = Session::new(limits, &signals, &Silent);
/// let mut won = Vec::new();
/// let rings = ["2 2 2 2".parse()?, "3 3 3".parse()?];
/// evaluate_rings(&rings, &session, |row| won.push(row.won))?;
/// assert_eq!(won, [Some(true), Some(false)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn evaluate_rings(
    rings: &[Ring],
    session: &Session<'_>,
    mut each: impl FnMut(RingRow),
) -> Result<(), RunError> {
    let what = "the positions that play can come to";
    session.each(Phase::Searching, rings, what, |ring, control| {
        each(row(ring, POSITIONS_MAX_DEFAULT, control)?);
        Ok(())
    })
}
