//! Rows of positions; they are independent, and each is made on one thread.

use cggames::game::tchuka_ruma::Ring;
use cgsolvers::tchuka_ruma::{Unfinished, bytes_of, count, win};
use cgsolvers::{Control, StopReason};

use super::RingsTask;
use super::columns::RingRow;
use crate::run::memory::bytes_of_threads;
use crate::run::{Parts, RunError};
use crate::task::heaps::stopped;

/// Returns the memory, in bytes, for making rows on all threads, and in words what takes it.
pub(super) fn memory(task: &RingsTask, threads: u64) -> (u64, &'static str) {
    let all = bytes_of_threads(threads, bytes_of(task.positions_max));
    (all, "positions, at most positions_max on each thread")
}

/// Makes the rows of table `rings`.
pub(super) fn make(task: &RingsTask, parts: &Parts<'_>) -> Result<(), RunError> {
    parts.in_parallel(|part, ranks| {
        let mut writer = parts.writer::<RingRow>(part)?;
        for rank in ranks {
            parts.check_stop()?;
            let ring = task.family.get(rank);
            let row = row(&ring, task.positions_max, &parts.run.control).map_err(stopped)?;
            parts.push(&mut writer, &row)?;
            parts.count(1);
        }
        writer.commit()?;
        Ok(())
    })
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
