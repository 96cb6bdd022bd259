//! Positions of games on rows of pots: a row for each, with its value.

mod check;
mod columns;
pub(super) mod cost;
mod growth;
mod law;
mod layout;
mod make;
mod members;
pub(super) mod schema;
mod spec;
mod table;

use std::ops::Range;

use bytesize::ByteSize;
use cggames::board::BoardKind;
use cggames::board::row::Pot;
use cggames::family::Subfamily;
use cggames::game::{GameKind, Play, SweepOrder};
use cglaws::{Column, Material};

pub use self::check::check;
use self::cost::{cost, is_near, last_rows, whole};
pub use self::law::Law;
pub use self::layout::{Layout, TableSpec};
pub(super) use self::members::read_values;
pub use self::spec::StripTask;
pub(super) use self::spec::read_positions;
pub use self::table::build;
use super::kind::{Kind, Mark};
use crate::dataset::{DatasetError, Join, ResultSet, Tables};
use crate::evaluate::sweeps::{cell_bytes, ones_order, worth_sweeping};
use crate::report::ReportError;
use crate::report::check::CheckReport;
use crate::report::reference::Facts;
use crate::report::table::Table;
use crate::run::cost::halved;
use crate::run::estimate::{Amount, Estimate, FEW, Measured, Workload, results_about};
use crate::run::{
    EvaluationLimits, JobHeader, Options, PART_ROWS, Parts, Phase, Refutation, RowTask, RowsRead,
    RunError, Signals, Subject, equal_parts,
};

/// The registry entry of this kind.
pub(super) const KIND: Kind = Kind {
    plays: |game| matches!(game, GameKind::Pots(_)),
    mark: Mark::None,
    family: "a section [family], for example with pattern and n",
    read: spec::read,
    schema: schema::sections,
};

/// The largest estimated cost of a part, unless the part is one row or there are [`PARTS_BY_COST`]
/// parts.
///
/// Unit: positions, of which a core evaluates half a million a second. Result sets of another cut
/// are refused by their number of parts. A change of this constant or of the estimates that could
/// leave that number the same needs a new [`FORMAT_VERSION`](crate::dataset::FORMAT_VERSION).
const PART_COST: u64 = 1 << 23;

/// The most parts that a job is cut into for their cost.
///
/// PERF: each takes a few small files and 20 KB. Theorem 2.2, whose rows cost far less than
/// estimated, took 0.10 s in one part and 0.20 s in 64, on two idle cores.
const PARTS_BY_COST: usize = 64;

/// The number of units of a shard. With sixteen, shards of rows of equal cost differ by at most a
/// sixteenth, and a unit costs some files.
const UNITS_A_SHARE: usize = 16;

/// The size of a row of the table `positions`, with its part of the table `forms`.
///
/// Unit: bytes. Finished result sets of 177 thousand to 1.6 million rows have 6.5 to 15.7 a row.
const ROW_BYTES: u64 = 6;

/// The bytes of a value with a key of 64 bits in the store, without forms.
const VALUE_BYTES: u64 = 13;

/// The estimated positions below which a job is small, even if the estimate is 30 times too low.
const LITTLE: u64 = 10_000;

/// The number of forms per position: for most games, and for partisan Sowing, where many values are
/// no numbers.
const FORMS: [f64; 2] = [0.02, 0.35];

impl RowTask for StripTask {
    fn noun(&self) -> &'static str {
        "position"
    }

    fn rows(&self) -> u64 {
        self.family.len()
    }

    fn meaning(&self) -> String {
        self.text("")
    }

    fn subject(&self) -> Subject {
        self.subject_of_positions()
    }

    fn tables(&self) -> Tables {
        Tables::of_positions(self.family.variables().to_vec())
    }

    fn join(&self) -> Join {
        ResultSet::join_positions
    }

    fn part_rows(&self) -> u64 {
        PART_ROWS
    }

    fn parts(&self) -> Vec<Range<u64>> {
        let by_rows = equal_parts(self.family.len(), PART_ROWS);
        if by_rows.len() >= PARTS_BY_COST {
            return by_rows;
        }
        let (parts, _) = halved(by_rows, PARTS_BY_COST, PART_COST, |ranks| cost(self, ranks));
        parts
    }

    fn cost(&self, ranks: &Range<u64>) -> u64 {
        cost(self, ranks)
    }

    fn row_bytes(&self, rows: u64, _is_begun: bool) -> u64 {
        rows.saturating_mul(ROW_BYTES)
    }

    fn store_bytes(&self, rows: u64) -> u64 {
        self.rows_stored().min(rows).saturating_mul(VALUE_BYTES)
    }

    fn effort(&self, least: u64) -> (Workload, Amount<ByteSize>) {
        let results = match self.play {
            // The forms may take more than the rows.
            Play::Partisan if self.family.len() < FEW => Amount::AtLeast(ByteSize(least)),
            _ => results_about(least),
        };
        (self.workload(), results)
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
        let (recorded, memory) = (recorded.clone(), options.memory);
        Ok(Some(Box::new(move |store| {
            grown.estimate(recorded, store, memory)
        })))
    }

    fn units_per_shard_min(&self) -> usize {
        UNITS_A_SHARE
    }

    fn phase(&self) -> Phase {
        Phase::Preparing
    }

    fn memory(&self, _end: u64, _threads: u64) -> Option<(u64, &'static str)> {
        None
    }

    fn make(&self, parts: &Parts<'_>) -> Result<(), RunError> {
        make::make(self, parts)
    }

    fn law_held(&self) -> Option<String> {
        self.law.as_ref().map(Law::held)
    }

    fn refutation(&self, read: RowsRead<'_>) -> Result<Option<Refutation>, DatasetError> {
        match &self.law {
            Some(law) => law.refutation(read),
            None => Ok(None),
        }
    }

    fn table(&self, read: RowsRead<'_>) -> Result<Table, ReportError> {
        table::build(read.job, self, read.ranks, read.rows)
    }

    fn check(&self, read: RowsRead<'_>, facts: &Facts) -> Result<CheckReport, ReportError> {
        check::check(read.job, self, read.rows, &facts.rows)
    }

    fn entry(
        &self,
        column: &Column,
        at: &[i64],
        limits: &EvaluationLimits<'_>,
    ) -> Result<Option<String>, RunError> {
        columns::entry(self, column, at, limits)
    }

    fn material(&self, read: RowsRead<'_>) -> Result<Material, ReportError> {
        columns::material((self.game, self.play), self.family.variables(), read.rows)
    }

    fn mined_variables(&self) -> Option<Vec<String>> {
        let variables = self.family.variables();
        let has_rows = self.game.shape().kind() == BoardKind::Row;
        (has_rows || !variables.is_empty()).then(|| variables.to_vec())
    }
}

impl StripTask {
    /// Returns the subject of the positions, for people.
    pub(super) fn subject_of_positions(&self) -> Subject {
        Subject {
            game: self.game.name().to_owned(),
            detail: ("play", self.play.name().to_owned()),
            listed: None,
        }
    }

    /// Returns the number of rows whose values are searched and stored unless they are stored
    /// already; swept rows are not.
    fn rows_stored(&self) -> u64 {
        let subfamilies = self.family.subfamilies().iter();
        let swept = |subfamily: &&Subfamily| {
            self.play == Play::Impartial && matches!(subfamily, Subfamily::All(_))
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
        let order = match (self.play, of_pots.max()) {
            (Play::Impartial, Some(pots)) => worth_sweeping(pots, self.family.len()),
            _ => None,
        };
        match order {
            Some(order) => self.swept(order.positions(), order.cells()),
            None => match self
                .longest_of_ones()
                .and_then(|row| ones_order(self.play, row))
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
            array: cells.saturating_mul(cell_bytes(self.play)),
            has_forms: self.play == Play::Partisan,
        }
    }

    /// Returns the workload of a search. The number of positions is known if its
    /// estimate is accurate, or the job is small.
    pub(super) fn searched(&self) -> Workload {
        let is_known = whole(self) <= LITTLE || self.family.subfamilies().iter().all(is_near);
        let of_sowing = self.play == Play::Partisan && self.game.is_swept();
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

    fn parts(game: &str, play: &str, family: &str) -> Vec<Range<u64>> {
        let text = format!(
            "name = \"a\"\n[ruleset]\ngame = \"{game}\"\nplay = \"{play}\"\n[family]\n{family}\n"
        );
        let job = Job::parse(&text, Path::new("a.toml"), Path::new("")).unwrap();
        job.task_as::<StripTask>().expect("positions").parts()
    }

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

    #[test]
    fn long_jobs_have_parts_and_short_ones_one() {
        let of_three_pots = |most: u32| {
            let range = format!("\"1..={most}\"");
            let family = format!("pattern = \"x y z\"\nx = {range}\ny = {range}\nz = {range}");
            parts("atomic-wari", "partisan", &family)
        };
        assert_eq!(of_three_pots(4).len(), 1);
        let long = of_three_pots(9);
        assert!((50..=PARTS_BY_COST).contains(&long.len()), "{}", long.len());
        assert_eq!(
            long.last(),
            Some(&(728..729)),
            "the costliest row is a part of its own"
        );
        assert!(long.is_sorted_by(|a, b| a.end == b.start) && long[0].start == 0);
        assert!(
            (2..20)
                .contains(&parts("sowing", "partisan", "pattern = \"1^n\"\nn = \"1..=16\"").len())
        );
        assert_eq!(
            parts("sowing", "partisan", "pattern = \"1^n\"\nn = \"1..=12\"").len(),
            1
        );
        // Rows of swept families cost the same, and are cut by number alone.
        assert_eq!(
            parts("sowing", "impartial", "all = { pots_max = 9 }").len(),
            63
        );
    }
}
