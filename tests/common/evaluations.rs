//! Evaluations of positions without a job, with the means of a test.

use bytesize::ByteSize;
use seedbank::board::two_rows::TwoRows;
use seedbank::evaluate::Evaluation;
use seedbank::game::scored::ScoredGame;
use seedbank::game::{Game, Play};
use seedbank::task::scores::ScoreEvaluation;

/// Returns an evaluation of positions on pots, on one thread.
pub(crate) fn evaluation(game: Game, play: Play) -> Evaluation {
    Evaluation {
        game,
        play,
        threads: 1,
        memory: ByteSize::gib(4),
        store: None,
        writing: Default::default(),
        followers: false,
        deadline: None,
    }
}

/// Returns an evaluation of a position of a scored game and of its moves, on one thread.
pub(crate) fn score_evaluation(game: ScoredGame, position: TwoRows) -> ScoreEvaluation {
    ScoreEvaluation {
        game,
        positions: vec![position],
        moves: true,
        threads: 1,
        memory: ByteSize::gib(1),
    }
}
