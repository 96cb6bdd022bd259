//! The period of all heaps of a game that the values of the first ones prove, for reports.

use cggames::game::heap::HeapGame;
use cggames::game::{Convention, SumKind};
use cgsolvers::nim_values::Certificate;
use cgsolvers::quotient::{QuotientLimits, QuotientSolver};

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

/// Returns how many heaps have to be computed until their values prove a period, at most
/// [`period_heaps`]; `None` if these prove none.
pub(super) fn proving_heaps(game: &HeapGame, sum: SumKind) -> Option<u64> {
    let values = first_values(game, sum)?;
    values.period().map(|_| values.len() as u64)
}

/// Returns the values of the heaps up to the first at which they prove a period, at most
/// [`period_heaps`]. Returns `None` if no theorem proves one, or a value is too large to be
/// represented.
fn first_values(game: &HeapGame, sum: SumKind) -> Option<GameValues> {
    if sum == SumKind::Disjunctive && *game == HeapGame::Grundy {
        return None;
    }
    let mut values = GameValues::new(game, sum);
    let reached = values.reach(period_heaps(game) as usize, &|| false, &|_| {});
    reached.is_ok().then_some(values)
}

impl HeapsTask {
    /// Returns the period that the values of the result prove for all heaps, or else those of the
    /// heaps that [`period_heaps`] has, which are computed if the result has fewer. Under misère play it is that of the
    /// quotient of the heaps to the last, which is found again.
    ///
    /// Cost: at most that of `eval --period`.
    ///
    /// # Errors
    ///
    /// Rows that cannot be read.
    pub(super) fn proved_period(&self, rows: Scan<'_>) -> Result<Option<Period>, ReportError> {
        if self.ending == Convention::Misere {
            let mut solver = QuotientSolver::new(&self.game, QuotientLimits::default());
            solver.reach(self.last as usize);
            return Ok(solver.period().map(Period::from));
        }
        let mut in_rows = 0;
        if self.sum == SumKind::Disjunctive && self.first == 0 && self.game != HeapGame::Grundy {
            let values = nim_values(rows)?;
            in_rows = values.len() as u64;
            if let Some(found) = Certificate::find(&self.game, &values) {
                return Ok(Some(found.into()));
            }
        }
        if in_rows >= period_heaps(&self.game) {
            return Ok(None);
        }
        let values = first_values(&self.game, self.sum);
        Ok(values.and_then(|values| values.period()))
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
