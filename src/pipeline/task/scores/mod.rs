//! Scored games: margins of positions and of starting positions, and statistics by seeds.
//!
//! [`evaluate_scores`] answers for a few positions without a job, [`with_scores`] for one position after another.

mod check;
mod columns;
mod database;
mod evaluate;
mod make;
mod sequences;
mod spec;
mod table;

use cggames::game::GameKind;

use super::kind::{Kind, Mark};
use crate::run::{Described, Description, Mined};
pub use columns::{EndgameRow, ScoreRow, StartRow, TierRow};
pub use database::{ScoresReport, seeds_limit, verify_scores};
pub use evaluate::{
    ScoreEvaluation, ScoreFinder, ScoreMove, ScorePosition, evaluate_scores, with_scores,
};
pub use sequences::{SequenceCount, count_sequences};
pub use spec::{ScoreFamily, ScoresLayout, ScoresTask, Tiers};

/// The registry entry of this kind.
pub(super) const KIND: Kind = Kind {
    plays: |game| matches!(game, GameKind::Scored(_)),
    mark: Mark::None,
    family: "a section [family], for example with starts = { pits = \"1..=6\", seeds = \"1..=4\" }",
    titles: |_| {
        &[
            "a row for each starting position",
            "rows about the scores of positions",
        ]
    },
    is_mined: false,
    spec: spec::spec,
};

impl Described for ScoresTask {
    fn description(&self) -> Description {
        let game = format!("{}, rules {}", self.name, self.game.rules());
        Description::new("position", game, "family", self.family.to_string())
    }

    fn rows(&self) -> u64 {
        self.family.len()
    }

    fn needs_store(&self) -> bool {
        true
    }

    fn meaning(&self) -> String {
        let (name, rules, family) = (self.name, self.game.rules(), &self.family);
        let mut meaning = format!("seedbank job 1\n{name} {rules}\n{family}");
        if let ScoreFamily::Listed(positions) = family {
            for position in positions {
                meaning.push_str(&format!("\n{position}"));
            }
        }
        meaning
    }
}

impl Mined for ScoresTask {}
