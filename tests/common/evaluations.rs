//! Sessions of a test, and evaluations of positions without a job.

use std::sync::LazyLock;

use bytesize::ByteSize;
use seedbank::board::two_rows::TwoRows;
use seedbank::game::scored::ScoredGame;
use seedbank::run::{Limits, Observer, Session, Signals, Silent};
use seedbank::task::scores::ScoreEvaluation;

/// Returns a session without a deadline.
pub(crate) fn session(threads: usize, memory: ByteSize) -> Session<'static> {
    watched(threads, memory, &Silent)
}

/// Returns a session that reports its progress.
pub(crate) fn watched(threads: usize, memory: ByteSize, observer: &dyn Observer) -> Session<'_> {
    static SIGNALS: LazyLock<Signals> = LazyLock::new(Signals::default);
    Session::new(Limits::new(threads, memory), &SIGNALS, observer)
}

/// Returns an evaluation of a position of a scored game and of its moves.
pub(crate) fn score_evaluation(game: ScoredGame, position: TwoRows) -> ScoreEvaluation {
    ScoreEvaluation {
        game,
        positions: vec![position],
        moves: true,
    }
}
