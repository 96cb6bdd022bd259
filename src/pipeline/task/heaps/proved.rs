//! The period of all heaps of a game that the values of the first ones prove, for reports.

use cggames::game::SumKind;
use cggames::game::heap::HeapGame;
use cgsolvers::nim_values::Certificate;

use super::HeapsTask;
use super::columns::HeapRow;
use super::values::{GameValues, Period};
use crate::dataset::{Scan, Wanted};
use crate::report::ReportError;

/// The most heaps of a result in which a proof is sought.
///
/// Unit: heaps. 2 bytes each are held meanwhile.
const HEAPS_MAX: usize = 1 << 22;

/// Returns the least number of heaps that `--period` searches for a period.
///
/// If a move may leave three heaps, each value costs a pass over all pairs of smaller heaps:
/// 0.0777f0777 takes 0.6 s for 8,192 heaps, and 6 s for 16,384.
pub fn period_heaps(game: &HeapGame) -> u64 {
    match game.splits_max() {
        3 => 1 << 13,
        _ => 1 << 16,
    }
}

impl HeapsTask {
    /// Returns the period that the values of the result prove for all heaps, or else those of the
    /// heaps that [`period_heaps`] has, which are computed if the result has fewer.
    ///
    /// Cost: at most that of `eval --period`.
    ///
    /// # Errors
    ///
    /// Rows that cannot be read.
    pub(super) fn proved_period(&self, rows: Scan<'_>) -> Result<Option<Period>, ReportError> {
        let is_nim = self.sum == SumKind::Disjunctive;
        if is_nim && self.game == HeapGame::Grundy {
            return Ok(None);
        }
        let mut in_rows = 0;
        if is_nim && self.first == 0 {
            let values = nim_values(rows)?;
            in_rows = values.len() as u64;
            if let Some(found) = Certificate::find(&self.game, &values) {
                return Ok(Some(found.into()));
            }
        }
        let heaps = period_heaps(&self.game);
        if in_rows >= heaps {
            return Ok(None);
        }
        let mut values = GameValues::new(&self.game, self.sum);
        // Values that are too large to be represented prove nothing.
        let is_found = values.reach(heaps as usize, &|| false).is_ok();
        Ok(is_found.then(|| values.period()).flatten())
    }
}

/// Returns the nim-values of the heaps from 0 on, up to the first that a result lacks: parts of an
/// unfinished one are missing.
fn nim_values(rows: Scan<'_>) -> Result<Vec<u16>, ReportError> {
    let mut values = Vec::new();
    let batches = rows.batches(Wanted::columns(["n", "nim_value"]), |rows: Vec<HeapRow>| {
        let value = |row: &HeapRow| u16::try_from(row.nim_value?).ok();
        rows.iter()
            .map(|row| (row.n, value(row)))
            .collect::<Vec<_>>()
    })?;
    for batch in batches {
        for (heap, value) in batch? {
            match value {
                Some(value) if heap == values.len() as i64 && values.len() < HEAPS_MAX => {
                    values.push(value);
                }
                _ => return Ok(values),
            }
        }
    }
    Ok(values)
}
