//! Positions of games on rows of pots: a row for each, with its value.

mod check;
mod columns;
pub(super) mod cost;
mod earlier;
mod growth;
mod law;
mod layout;
mod make;
mod members;
mod rules;
mod spec;
mod table;

use cggames::board::row::Pot;
use cggames::family::Subfamily;
use cggames::game::{GameKind, SweepOrder};

use self::cost::{is_near, last_rows, whole};
pub(super) use self::earlier::EarlierRows;
pub use self::law::Law;
pub use self::layout::{Layout, TableSpec};
pub(super) use self::make::disk;
pub use self::rules::read_rules;
pub(super) use self::rules::{RuleSets, SECTION as RULES};
pub use self::spec::StripTask;
pub(super) use self::spec::{Accepted, positions, row_limit};
pub(super) use self::table::Names;
use super::kind::{Kind, Mark};
use crate::evaluate::sweeps::{cell_bytes, has_forms, ones_order, worth_sweeping};
use crate::run::estimate::{Estimate, Measured, Workload};
use crate::run::{Described, Description, JobHeader, Options, RunError, Signals};

/// The registry entry of this kind.
pub(super) const KIND: Kind = Kind {
    plays: |game| matches!(game, GameKind::Pots(_)),
    mark: Mark::None,
    family: "a section [family], for example with pattern and n",
    titles: |game| match game {
        GameKind::Pots(game) if game.on_board(1).is_ok() => &["a row for each position"; 2],
        _ => &["a row for each position"],
    },
    is_mined: true,
    spec: spec::spec,
};

/// The estimated positions below which a job is small, even if the estimate is 30 times too low.
const LITTLE: u64 = 10_000;

/// The number of forms per position: for most games, and for partisan Sowing, where many values are
/// no numbers.
const FORMS: [f64; 2] = [0.02, 0.35];

impl Described for StripTask {
    fn description(&self) -> Description {
        Description::new("position", self.game.name(), "play", self.manner().name())
    }

    fn rows(&self) -> u64 {
        self.family.len()
    }

    fn needs_store(&self) -> bool {
        true
    }

    fn meaning(&self) -> String {
        self.text("")
    }

    fn law_held(&self) -> Option<String> {
        self.law.as_ref().map(Law::held)
    }

    fn measure(
        &self,
        job: &JobHeader,
        recorded: &Estimate,
        options: &Options,
        signals: &Signals,
    ) -> Result<Option<Measured>, RunError> {
        // Rows of all positions within bounds cost about the same, because most of their followers
        // are in the family too.
        let is_all =
            |subfamily: &Subfamily| matches!(subfamily, Subfamily::All(_) | Subfamily::Filled(_));
        if !matches!(self.workload(), Workload::Searched { .. })
            || self.family.subfamilies().iter().any(is_all)
        {
            return Ok(None);
        }
        let grown = growth::measure(job, self, options, signals)?;
        let (recorded, memory) = (recorded.clone(), options.limits.memory);
        Ok(Some(Box::new(move |store| {
            grown.estimate(recorded, store, memory)
        })))
    }
}

impl StripTask {
    /// Returns the number of rows whose values are searched and stored unless they are stored
    /// already; swept rows are not.
    fn rows_stored(&self) -> u64 {
        let subfamilies = self.family.subfamilies().iter();
        let swept = |subfamily: &&Subfamily| {
            !has_forms(self.manner()) && matches!(subfamily, Subfamily::All(_))
        };
        subfamilies
            .filter(|subfamily| !swept(subfamily))
            .fold(0, |sum: u64, subfamily| sum.saturating_add(subfamily.len()))
    }

    /// Returns how a run values the positions, and how many.
    fn workload(&self) -> Workload {
        if !self.game.is_swept() {
            return self.searched();
        }
        let of_pots = self
            .family
            .subfamilies()
            .iter()
            .filter_map(|subfamily| match subfamily {
                Subfamily::All(all) => all.bounds().pots_max,
                _ => None,
            });
        let order = match of_pots.max() {
            Some(pots) if !has_forms(self.manner()) => worth_sweeping(pots, self.family.len()),
            _ => None,
        };
        match order {
            Some(order) => self.swept(order.positions(), order.cells()),
            None => match self
                .longest_of_ones()
                .and_then(|row| ones_order(self.manner(), row))
            {
                Some(order) => self.swept(order.positions(), order.cells()),
                None => self.searched(),
            },
        }
    }

    /// Returns the workload of sweeps of Sowing through this number of positions, with this number
    /// of cells at a time.
    pub(super) fn swept(&self, positions: u64, cells: u64) -> Workload {
        Workload::Swept {
            positions,
            array: cells.saturating_mul(cell_bytes(self.manner())),
            has_forms: has_forms(self.manner()),
        }
    }

    /// Returns the workload of a search. The number of positions is known if its
    /// estimate is accurate, or the job is small.
    pub(super) fn searched(&self) -> Workload {
        let is_known = whole(self) <= LITTLE || self.family.subfamilies().iter().all(is_near);
        let of_sowing = has_forms(self.manner()) && self.game.is_swept();
        Workload::Searched {
            positions: is_known.then(|| whole(self)),
            forms: FORMS[usize::from(of_sowing)],
        }
    }

    /// Returns the length of the longest row if the rows are rows of ones, judged by the last one of each pattern.
    fn longest_of_ones(&self) -> Option<usize> {
        let lengths = last_rows(&self.family).map(|(subfamily, board)| {
            let row = board.row()?;
            let is_ones = row.pots.iter().all(|pot| *pot == Pot::Seeds(1));
            let is_pattern = matches!(subfamily, Subfamily::Pattern(_));
            (is_pattern && is_ones).then_some(row.pots.len())
        });
        lengths.collect::<Option<Vec<usize>>>()?.into_iter().max()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::task::Job;

    #[test]
    fn rows_of_ones_are_swept_while_their_followers_can_be_numbered() {
        let workload = |play: &str, family: &str| {
            let text = format!(
                "name = \"a\"\n[ruleset]\ngame = \"sowing\"\nplay = \"{play}\"\n[family]\npattern = {family}\n"
            );
            let job = Job::parse(&text, Path::new("a.toml"), Path::new("")).unwrap();
            job.task_as::<StripTask>().expect("positions").workload()
        };
        let is_searched = |found| matches!(found, Workload::Searched { .. });
        assert_eq!(
            workload("partisan", "\"1^n\"\nn = \"1..=16\""),
            Workload::Swept {
                positions: 77_558_760,
                array: 4 * 155_117_520,
                has_forms: true,
            }
        );
        assert_eq!(
            workload("impartial", "\"1^n\"\nn = [3, 5, 20]"),
            Workload::Swept {
                positions: 17_672_631_900,
                array: 35_345_263_800,
                has_forms: false,
            }
        );
        assert!(is_searched(workload("partisan", "\"1^n\"\nn = [19]")));
        assert!(is_searched(workload("partisan", "\"1^n\"\nn = \"1..=9\"")));
        assert!(is_searched(workload("partisan", "\"1^n 2\"\nn = [16]")));
    }
}
