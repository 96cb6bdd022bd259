//! Positions by several sets of rules of rows: a row for each position by each set.
//!
//! A set of rules has the rows that a job by these rules alone has, in the same order, and the values
//! of the same namespace of the store. Its parts belong to it alone, and are made by the task of such
//! a job (`strips/make.rs`), one set after another.

mod columns;
mod make;
mod spec;
mod summary;
mod table;

use cggames::game::{Game, GameKind};

pub use self::columns::VariantRow;
pub use self::spec::VariantsTask;
use super::kind::{Kind, Mark};
use super::strips::RULES;
use crate::report::ReportError;
use crate::report::check::CheckReport;
use crate::report::reference::Facts;
use crate::run::{Checked, Described, Description, Mined, Reading};

/// The registry entry of this kind.
pub(super) const KIND: Kind = Kind {
    plays: |game| matches!(game, GameKind::Pots(game) if game.has_rules()),
    mark: Mark::Within(RULES, "each"),
    family: "a section [family], for example with all = { pots_max = 4, seeds_max = 6 }",
    titles: |_| &["a row for each position by each set of rules"; 2],
    is_mined: false,
    spec: spec::spec,
};

impl Described for VariantsTask {
    fn description(&self) -> Description {
        let sets = self.rules.distinct.len();
        let game = format!("{} by {sets} sets of rules", Game::ROW_RULES.name());
        Description::new("position", game, "play", self.positions.play.name())
    }

    fn rows(&self) -> u64 {
        self.rows_of_set() * self.rules.distinct.len() as u64
    }

    fn needs_store(&self) -> bool {
        true
    }

    /// The sets of rules as they are written, since the rows have them so.
    fn meaning(&self) -> String {
        let mut meaning = self.positions.text("");
        meaning.push_str("\nvariants");
        for set in &self.rules.distinct {
            meaning.push_str(&format!("\n{}", set.rules));
        }
        meaning
    }
}

impl Checked for VariantsTask {
    fn check(&self, _: &Reading<'_>, _: &Facts) -> Result<CheckReport, ReportError> {
        Ok(CheckReport::default())
    }

    fn is_not_checked(&self) -> Option<&'static str> {
        Some("has several sets of rules")
    }
}

impl Mined for VariantsTask {}
