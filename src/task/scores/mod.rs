//! Scored games: the margins of positions.

mod evaluate;

pub use evaluate::{ScoreEvaluation, ScoreMove, ScorePosition, evaluate_scores};
