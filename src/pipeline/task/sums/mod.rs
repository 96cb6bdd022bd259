//! Sums of components with variables: a row for each combination of the variables' values.
//!
//! `task/heaps` evaluates a few sums [without a job](super::heaps::evaluate_sums).

mod check;
mod columns;
mod make;
mod spec;
mod table;

use cggames::game::{Convention, GameKind};

pub use self::columns::SumRow;
pub use self::spec::{SumsLayout, SumsTask};
use super::heaps::MisereWanted;
use super::kind::{Kind, Mark};
use crate::run::{Described, Description};

/// The registry entry of this kind.
pub(super) const KIND: Kind = Kind {
    plays: |game| matches!(game, GameKind::Sum(_)),
    mark: Mark::None,
    family: "a section [family], for example with sum = \"knight(i,j)\", i = \"0..=24\" and j = \"0..=24\"",
    titles: |_| &["a row for each sum of components"],
    is_mined: true,
    spec: spec::spec,
};

impl SumsTask {
    /// Returns what is found about misère play.
    fn misere(&self) -> MisereWanted {
        match (self.genus, self.ending) {
            (true, _) => MisereWanted::Genus,
            (false, Convention::Misere) => MisereWanted::Outcome,
            (false, Convention::Normal) => MisereWanted::Nothing,
        }
    }

    /// Returns the names of the variables.
    fn names(&self) -> Vec<String> {
        let variables = self.family.variables().iter();
        variables.map(char::to_string).collect()
    }
}

impl Described for SumsTask {
    fn description(&self) -> Description {
        let ranges = self.names().into_iter().zip(self.family.values());
        let ranges = ranges.map(|(name, values)| format!(", {name} = {values}"));
        let family = format!("{}{}", self.family.text(), ranges.collect::<String>());
        Description::new("sum", format!("{} sums", self.added), "family", family)
    }

    fn rows(&self) -> u64 {
        self.family.len()
    }

    fn meaning(&self) -> String {
        let ranges = self.names().into_iter().zip(self.family.values());
        let ranges = ranges.map(|(name, values)| format!("\n{name} {values}"));
        format!(
            "seedbank job 1\nsums {}{}\n{}{}{}",
            self.added,
            match self.ending {
                Convention::Normal => "",
                Convention::Misere => "\nending misere",
            },
            self.family.text(),
            ranges.collect::<String>(),
            if self.genus { "\ngenus true" } else { "" }
        )
    }
}
