//! Rows of positions; they are independent, and each is made on one thread.

use cggames::game::tchuka_ruma::Ring;
use cgsolvers::tchuka_ruma::{Unfinished, bytes_of, count, win};
use cgsolvers::{Control, StopReason};

use super::columns::RingRow;
use super::{RingFamily, RingsTask};
use crate::run::memory::bytes_of_threads;
use crate::run::{Making, MemoryNeed, Parts, Phase, RowTask, RunError};

impl RowTask for RingsTask {
    fn making(&self) -> Making {
        let part_rows = match self.family {
            RingFamily::Starts { .. } | RingFamily::Listed(_) => 1,
            RingFamily::All { .. } => 1 << 10,
        };
        Making {
            is_uneven: true,
            ..Making::new::<RingRow>(Phase::Searching, part_rows)
        }
    }

    fn memory(&self, _end: u64, threads: u64) -> Option<MemoryNeed> {
        Some(MemoryNeed {
            bytes: bytes_of_threads(threads, bytes_of(self.positions_max)),
            purpose: "positions, at most positions_max on each thread",
        })
    }

    fn make(&self, parts: &Parts<'_>) -> Result<(), RunError> {
        let make = |(): &mut (), rank| {
            parts.check_stop()?;
            let ring = self.family.get(rank);
            let row = row(&ring, self.positions_max, &parts.run.session.control)?;
            parts.count(1);
            Ok(row)
        };
        parts.make_rows(|| (), make)
    }
}

/// Returns the row of a position, visiting at most `positions_max` positions, twice.
///
/// # Errors
///
/// The reason for stopping.
pub(super) fn row(
    ring: &Ring,
    positions_max: u64,
    control: &Control,
) -> Result<RingRow, StopReason> {
    let written = |line: Vec<u8>| {
        let pits: Vec<String> = line.iter().map(|pit| (pit + 1).to_string()).collect();
        pits.join(" ")
    };
    let row = RingRow {
        position: ring.to_string(),
        pits: ring.pits().len() as i64,
        stones: ring.stones().into(),
        won: None,
        winning: None,
        fewest: None,
        left: None,
        line: None,
        positions: None,
    };
    match count(ring, positions_max, control) {
        Ok(counted) => {
            return Ok(RingRow {
                won: Some(counted.line.is_some()),
                winning: counted.winning.map(|winning| winning as i64),
                fewest: counted.line.as_ref().map(|line| line.len() as i64),
                left: Some(counted.left.into()),
                line: counted.line.map(written),
                positions: Some(counted.positions as i64),
                ..row
            });
        }
        Err(Unfinished::Stopped(reason)) => return Err(reason),
        Err(Unfinished::Positions) => {}
    }
    match win(ring, positions_max, control) {
        Ok(line) => Ok(RingRow {
            won: Some(line.is_some()),
            line: line.map(written),
            ..row
        }),
        Err(Unfinished::Stopped(reason)) => Err(reason),
        Err(Unfinished::Positions) => Ok(row),
    }
}
