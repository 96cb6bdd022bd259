//! Counts sequences of moves without a job.

use cggames::board::two_rows::TwoRows;
use cggames::game::scored::{Scored, ScoredGame, ScoredVisitor};
use cgsolvers::scores::perft;
use cgsolvers::{Control, StopReason};

use crate::run::{Phase, RunError, Session};

/// Which sequences of moves to count.
#[derive(Clone, Debug)]
pub struct SequenceCount {
    /// The game, with its rules.
    pub game: ScoredGame,
    /// The positions from which they start.
    pub positions: Vec<TwoRows>,
    /// The most moves.
    pub depth: u32,
}

/// Counts the sequences of 1, 2, ... moves from each position, in order; `None` if a number is 2^64
/// or more.
///
/// Cost: that of [`perft`] for each position.
///
/// # Errors
///
/// [`RunError::Budget`] if positions exceed the memory budget; the reason if a signal or the deadline
/// stopped the count.
///
/// ```
/// use seedbank::game::scored::{Kalah, ScoredGame};
/// use seedbank::run::{Limits, Session, Signals, Silent};
/// use seedbank::task::scores::{SequenceCount, count_sequences};
///
/// let count = SequenceCount {
///     game: ScoredGame::Kalah(Kalah::default()),
///     positions: vec!["3 3 3 3 / 3 3 3 3".parse()?],
///     depth: 3,
/// };
/// let limits = Limits::new(1, bytesize::ByteSize::mib(64));
/// let signals = Signals::default();
/// let session = Session::new(limits, &signals, &Silent);
/// let mut counts = Vec::new();
/// count_sequences(&count, &session, |_, found| counts.push(found))?;
/// assert_eq!(counts, [Some(vec![4, 15, 50])]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn count_sequences(
    count: &SequenceCount,
    session: &Session<'_>,
    mut each: impl FnMut(&TwoRows, Option<Vec<u64>>),
) -> Result<(), RunError> {
    struct Perft<'a>(&'a TwoRows, u32, &'a Control);

    impl ScoredVisitor for Perft<'_> {
        type Output = Result<Option<Vec<u64>>, StopReason>;

        fn visit<G: Scored>(self, game: G) -> Self::Output {
            perft(game, self.0, self.1, self.2)
        }
    }

    let what = "the positions that play can come to";
    session.each(
        Phase::Counting,
        &count.positions,
        what,
        |position, control| {
            let perft = Perft(position, count.depth, control);
            each(position, count.game.visit(perft)?);
            Ok(())
        },
    )
}
