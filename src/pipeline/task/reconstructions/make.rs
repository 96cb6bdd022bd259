//! Makes a row for each way to fix some bins.
//!
//! Rows are independent. A search proceeds in intervals, between which it checks whether to stop.
//! Threads without a part of their own help with it.

use cggames::family::Fixed;
use cgsolvers::tchoukaillon::lengths::shortest;
use cgsolvers::tchoukaillon::reconstruct::{FixedBins, Verdict};

use super::ReconstructionsTask;
use super::columns::ReconstructionRow;
use super::search::{NoBoard, Search};
use crate::run::checkpoint::ByRank;
use crate::run::memory::bytes_of_threads;
use crate::run::{Making, MemoryNeed, Parts, Phase, RowTask, RunError};

/// The rows of a part if all bins are near: each takes a millisecond at most.
const PART_ROWS_NEAR: u64 = 1 << 12;

/// The farthest bin that counts as near: boards then repeat with 12,252,240 at most.
const BIN_NEAR: u64 = 16;

/// The rows of a part if bins are farther: each takes tens of milliseconds, or seconds if there are
/// many bins.
const PART_ROWS_FAR: u64 = 1 << 6;

/// Residues are counted if that visits at most this number of quotients of the farthest bin.
const RESIDUE_PLACES: u128 = 1 << 22;

/// The memory of a search, including tasks, chains, residues, and the conditions for each bin.
///
/// Unit: bytes.
const SEARCH_BYTES: u64 = 144 << 20;

impl RowTask for ReconstructionsTask {
    fn making(&self) -> Making {
        let part_rows = match self.family.farthest() {
            ..=BIN_NEAR => PART_ROWS_NEAR,
            _ => PART_ROWS_FAR,
        };
        Making {
            is_uneven: true,
            ..Making::new::<ReconstructionRow>(Phase::Searching, part_rows)
        }
    }

    fn memory(&self, _end: u64, threads: u64) -> Option<MemoryNeed> {
        Some(MemoryNeed {
            bytes: bytes_of_threads(threads, SEARCH_BYTES),
            purpose: "searches",
        })
    }

    fn make(&self, parts: &Parts<'_>) -> Result<(), RunError> {
        let rows = ByRank::rows(parts)?;
        let row = |rank| {
            let row = self.row(parts, &self.family.get(rank));
            parts.count(1);
            row
        };
        rows.during(|| parts.make_rows(|| (), |(), rank| rows.get(rank, || row(rank))))
    }
}

impl ReconstructionsTask {
    fn row(&self, parts: &Parts<'_>, member: &Fixed) -> Result<ReconstructionRow, RunError> {
        let numbers = self.family.numbers();
        let fixed = FixedBins::new(numbers, member.iter().copied())
            .expect("a task's bins were compared with what they hold");
        let up_to = u128::from(self.up_to);
        let period = fixed.period();
        let mut row = ReconstructionRow {
            numbering: numbers.name().into(),
            bins: member.iter().map(|&(bin, _)| bin as i64).collect(),
            stones: member.iter().map(|&(_, stones)| stones as i64).collect(),
            period: period.and_then(|period| i64::try_from(period).ok()),
            searched_to: self.up_to as i64,
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
        let search = Search {
            fixed: &fixed,
            check_stop: &|| parts.check_stop(),
        };
        row.n = search.first(0, up_to)?.map(|n| n as i64);
        let least = shortest(fixed.farthest());
        row.n_long = search.first(least, up_to)?.map(|n| n as i64);
        if let Some(period) = counted {
            let mut residues = search.boards(0, period - 1);
            row.residues = Some(residues.try_fold(0, |count, found| found.map(|_| count + 1))?);
        }
        let whole = period.filter(|&period| period - 1 <= up_to);
        match (row.possible, row.n, whole.or(counted)) {
            (None, Some(_), _) => row.possible = Some(true),
            (None, None, Some(period)) if row.residues.is_none_or(|count| count == 0) => {
                row.possible = Some(false);
                row.contradiction = Some(NoBoard::Period(period).to_string());
            }
            (None, None, Some(_)) => row.possible = Some(true),
            _ => {}
        }
        Ok(row)
    }
}
