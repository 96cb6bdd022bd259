//! Makes a row for each code; codes are independent.

use cggames::game::heap::HeapGame;

use super::columns::QuotientRow;
use super::find::{QuotientFound, find_quotient};
use super::spec::QuotientsTask;
use crate::run::memory::bytes_of_threads;
use crate::run::{Making, MemoryNeed, Parts, Phase, RowTask, RunError};

/// The codes of a part: a code with a large quotient takes seconds, and a stopped run loses it.
const PART_ROWS: u64 = 1;

impl RowTask for QuotientsTask {
    fn making(&self) -> Making {
        Making {
            is_uneven: true,
            ..Making::new::<QuotientRow>(Phase::Searching, PART_ROWS)
        }
    }

    fn memory(&self, _end: u64, threads: u64) -> Option<MemoryNeed> {
        Some(MemoryNeed {
            bytes: bytes_of_threads(threads, self.limits.bytes()),
            purpose: "positions, at most positions_max on each thread",
        })
    }

    fn make(&self, parts: &Parts<'_>) -> Result<(), RunError> {
        let make = |(): &mut (), rank| {
            let game = HeapGame::Code(self.code(rank));
            let found = find_quotient(&game, self.heaps_max, self.limits, || parts.check_stop())?;
            parts.count(1);
            Ok(row(&game, &found))
        };
        parts.make_rows(|| (), make)
    }
}

/// Returns the row of a code.
fn row(game: &HeapGame, found: &QuotientFound) -> QuotientRow {
    let (monoid, period) = (found.solver.monoid(), found.solver.period());
    let certificate = found.certificate().map(|certificate| {
        serde_json::to_string(&certificate).expect("numbers and texts are written as JSON")
    });
    QuotientRow {
        code: game.to_string(),
        name: game.name().map(Into::into),
        heap: found.solver.heaps() as i64 - 1,
        order: monoid.order() as i64,
        p_portion: monoid.p_portion().count() as i64,
        idempotents: monoid.idempotents().count() as i64,
        tameness: found.tameness().map(|tameness| tameness.name().into()),
        preperiod: period.map(|found| found.preperiod as i64),
        period: period.map(|found| found.period as i64),
        proved: period.is_some(),
        reason: found.reason(),
        certificate,
    }
}
