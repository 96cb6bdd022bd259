//! Scored games: margins of positions and of starting positions, and statistics by seeds.
//!
//! [`evaluate_scores`] answers for a few positions without a job, [`with_scores`] for one position after another.

mod check;
mod columns;
mod database;
mod evaluate;
mod make;
mod schema;
mod sequences;
mod spec;
mod table;

use cggames::game::GameKind;
use cggames::game::scored::{Scored, ScoredVisitor};

use super::kind::{Kind, Mark};
use crate::dataset::{Join, ResultSet, Tables};
use crate::report::ReportError;
use crate::report::check::CheckReport;
use crate::report::reference::Facts;
use crate::report::table::Table;
use crate::run::{Parts, Phase, RowTask, RowsRead, RunError, Subject};
pub use columns::{EndgameRow, ScoreRow, StartRow, TierRow};
pub use database::{ScoresReport, seeds_limit, verify_scores};
pub use evaluate::{
    ScoreEvaluation, ScoreFinder, ScoreMove, ScorePosition, evaluate_scores, with_scores,
};
pub use sequences::{SequenceCount, count_sequences};
pub use spec::{ScoreFamily, ScoresLayout, ScoresTask, Tiers};

/// The rows of a part: of positions, and of tiers; other rows take long and are a part each.
const PART_ROWS: [u64; 2] = [1 << 16, 1 << 10];

/// The registry entry of this kind.
pub(super) const KIND: Kind = Kind {
    plays: |game| matches!(game, GameKind::Scored(_)),
    mark: Mark::None,
    family: "a section [family], for example with starts = { pits = \"1..=6\", seeds = \"1..=4\" }",
    read: spec::read,
    schema: schema::sections,
};

impl RowTask for ScoresTask {
    fn noun(&self) -> &'static str {
        "position"
    }

    fn rows(&self) -> u64 {
        self.family.len()
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

    fn subject(&self) -> Subject {
        Subject {
            game: format!("{}, rules {}", self.name, self.game.rules()),
            detail: ("family", self.family.to_string()),
            listed: None,
        }
    }

    fn tables(&self) -> Tables {
        match self.family {
            ScoreFamily::Starts { .. } => Tables::of::<StartRow>(),
            ScoreFamily::Tiers { .. } => Tables::of::<TierRow>(),
            ScoreFamily::Endgames { .. } => Tables::of::<EndgameRow>(),
            _ => Tables::of::<ScoreRow>(),
        }
    }

    fn join(&self) -> Join {
        match self.family {
            ScoreFamily::Starts { .. } => ResultSet::join::<StartRow>,
            ScoreFamily::Tiers { .. } => ResultSet::join::<TierRow>,
            ScoreFamily::Endgames { .. } => ResultSet::join::<EndgameRow>,
            _ => ResultSet::join::<ScoreRow>,
        }
    }

    fn part_rows(&self) -> u64 {
        match self.family {
            ScoreFamily::Starts { .. } | ScoreFamily::Endgames { .. } => 1,
            ScoreFamily::Tiers { .. } => PART_ROWS[1],
            _ => PART_ROWS[0],
        }
    }

    /// The scores, a byte for each position.
    fn store_bytes(&self, rows: u64) -> u64 {
        struct Bytes<'a>(&'a ScoresTask);

        impl ScoredVisitor for Bytes<'_> {
            type Output = u64;

            fn visit<G: Scored>(self, _: G) -> u64 {
                let seeds_max = self.0.family.seeds_max().into_iter();
                let bytes = seeds_max.map(|(pits, seeds)| {
                    let scored = self.0.seeds_scored::<G>(pits, seeds);
                    database::positions_up_to(pits, scored)
                });
                bytes.fold(0, u64::saturating_add)
            }
        }

        match rows {
            0 => 0,
            _ => self.game.visit(Bytes(self)),
        }
    }

    fn is_uneven(&self) -> bool {
        true
    }

    fn phase(&self) -> Phase {
        Phase::Searching
    }

    fn memory(&self, _end: u64, threads: u64) -> Option<(u64, &'static str)> {
        Some(make::memory(self, threads))
    }

    fn make(&self, parts: &Parts<'_>) -> Result<(), RunError> {
        make::make(self, parts)
    }

    fn table(&self, read: RowsRead<'_>) -> Result<Table, ReportError> {
        table::build(read.job, self, read.ranks, read.rows)
    }

    fn check(&self, read: RowsRead<'_>, facts: &Facts) -> Result<CheckReport, ReportError> {
        if let ScoreFamily::Endgames { .. } = self.family {
            let report = check::endgames(read.job, self, read.rows, &facts.boards)?;
            return Ok(report.numbered_from(facts.first_of_boards()));
        }
        let report = check::check(read.job, self, read.rows, &facts.scores)?;
        Ok(report.numbered_from(facts.first_of_scores()))
    }
}
