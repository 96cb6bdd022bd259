//! A row for each way to fix some bins.
//!
//! Rows do not depend on one another. A search goes on in stretches of boards, between which it looks at whether to stop;
//! threads that have no shard of their own left help with it.

use crate::dataset::ReconstructionRow;
use crate::engine::tchoukaillon::lengths::shortest;
use crate::engine::tchoukaillon::reconstruct::{FixedBins, Numbering, Verdict};
use crate::family::{BinNumbers, Fixed};
use crate::job::ReconstructionsTask;
use crate::run::RunError;
use crate::run::plain::{Maker, Shards, bytes_of_threads};

/// The rows of a shard.
pub(in crate::run) const SHARD_ROWS: u64 = 1 << 12;

/// The places at which a search looks between two looks at whether to stop, tens of milliseconds' work.
const PLACES: u128 = 1 << 20;

/// Residues are counted where that looks at no more places than these.
const RESIDUE_PLACES: u128 = 1 << 22;

/// What a search holds, tasks and chains included, and what the conditions on bins take for each bin.
///
/// Unit: bytes.
const SEARCH_BYTES: u64 = 16 << 20;

/// Makes the rows of table `reconstructions`.
pub(super) struct ReconstructionsMaker<'j> {
    pub(super) task: &'j ReconstructionsTask,
    pub(super) threads: u64,
}

impl Maker for ReconstructionsMaker<'_> {
    type Row = ReconstructionRow;

    fn bytes_needed(&self, _: u64) -> (u64, &'static str) {
        (bytes_of_threads(self.threads, SEARCH_BYTES), "searches")
    }

    fn make(&self, shards: &Shards<'_>) -> Result<(), RunError> {
        shards.in_parallel(|shard, ranks| {
            let mut writer = shards.writer::<ReconstructionRow>(shard)?;
            for rank in ranks {
                let row = self.row(shards, &self.task.family.get(rank))?;
                shards.push(&mut writer, &row)?;
                shards.count(1);
            }
            writer.commit()?;
            Ok(())
        })
    }
}

impl ReconstructionsMaker<'_> {
    fn row(&self, shards: &Shards<'_>, member: &Fixed) -> Result<ReconstructionRow, RunError> {
        let numbers = self.task.family.numbers();
        let numbering = match numbers {
            BinNumbers::B => Numbering::B,
            BinNumbers::Beta => Numbering::Beta,
        };
        let fixed = FixedBins::new(numbering, member.iter().copied())
            .expect("a task's bins were compared with what they hold");
        let up_to = u128::from(self.task.up_to);
        let period = fixed.period();
        let mut row = ReconstructionRow {
            numbering: numbers.name().into(),
            bins: member.iter().map(|&(bin, _)| bin as i64).collect(),
            stones: member.iter().map(|&(_, stones)| stones as i64).collect(),
            period: period.and_then(|period| i64::try_from(period).ok()),
            searched_to: self.task.up_to as i64,
            ..ReconstructionRow::default()
        };
        let farthest = u128::from(fixed.farthest());
        let square = farthest * farthest;
        let counted = period.filter(|period| period / square <= RESIDUE_PLACES);
        let verdict = fixed.examine();
        if let Some(reason) = verdict.contradiction() {
            row.possible = Some(false);
            row.contradiction = Some(reason.to_string());
            row.residues = counted.map(|_| 0);
            return Ok(row);
        }
        row.possible = matches!(verdict, Verdict::Exists(_)).then_some(true);
        // Boards repeat with the period: one is among those of any stretch so long, or nowhere.
        let least = shortest(fixed.farthest());
        let search = Search {
            shards,
            fixed: &fixed,
            stretch: (PLACES * square).max(1),
        };
        let last = |from: u128| {
            let end = period.map_or(up_to, |period| from.saturating_add(period - 1));
            up_to.min(end)
        };
        row.n = search.first(0, last(0))?.map(|n| n as i64);
        row.n_long = search.first(least, last(least))?.map(|n| n as i64);
        if let Some(period) = counted {
            row.residues = Some(search.count(period)? as i64);
        }
        let whole = period.filter(|&period| period - 1 <= up_to);
        match (row.possible, row.n, whole.or(counted)) {
            (None, Some(_), _) => row.possible = Some(true),
            (None, None, Some(period)) if row.residues.is_none_or(|count| count == 0) => {
                row.possible = Some(false);
                row.contradiction = Some(format!(
                    "all numbers of stones modulo the period {period} were searched"
                ));
            }
            (None, None, Some(_)) => row.possible = Some(true),
            _ => {}
        }
        Ok(row)
    }
}

/// Looks for boards stretch by stretch.
struct Search<'a> {
    shards: &'a Shards<'a>,
    fixed: &'a FixedBins,
    stretch: u128,
}

impl Search<'_> {
    /// Returns the first board between two numbers of stones, both included.
    fn first(&self, from: u128, last: u128) -> Result<Option<u128>, RunError> {
        let mut from = from;
        while from <= last {
            self.shards.go_on()?;
            let end = last.min(from.saturating_add(self.stretch - 1));
            if let Some(found) = self.fixed.solutions(from, end).next() {
                return Ok(Some(found));
            }
            from = end + 1;
        }
        Ok(None)
    }

    /// Returns how many boards of fewer stones than the period there are.
    fn count(&self, period: u128) -> Result<u64, RunError> {
        let (mut from, mut count) = (0, 0);
        while from < period {
            self.shards.go_on()?;
            let end = (period - 1).min(from + (self.stretch - 1));
            count += self.fixed.solutions(from, end).count() as u64;
            from = end + 1;
        }
        Ok(count)
    }
}
