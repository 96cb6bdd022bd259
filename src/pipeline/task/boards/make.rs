//! Makes a row for each board.
//!
//! A part begins with the board of its first number of stones, which Theorem 2.1 gives directly;
//! each next board is found by unplaying. Parts can therefore be made in any order, each on one
//! thread.

use std::ops::Range;

use cgsolvers::tchoukaillon::boards::{Boards, FirstPlays};
use cgsolvers::tchoukaillon::lengths::length;

use super::columns::{BinLists, BoardColumns, BoardRow, LISTED_BINS, LISTED_BOARDS_MAX};
use super::{BoardsTask, ListedBins};
use crate::run::memory::bytes_of_threads;
use crate::run::{Parts, RunError};

/// The boards of a part if no bins are listed: a fifth of a second's work, beside which its commit
/// of 5 ms is small.
const PART_BOARDS: u64 = 1 << 23;

/// The most bins of a part if bins are listed: a tenth of a second's work, so that threads end at
/// about the same time. A reader that loads a whole part needs 64 MiB.
const PART_BINS: u64 = 1 << 24;

/// The boards written together if no bins are listed.
///
/// PERF: each time, the far bins of a board, some thousands, are visited once: a twentieth of the
/// work for 2^13 boards. The columns of 2^15 fill half a megabyte.
const CHUNK_BOARDS: usize = 1 << 15;

/// Returns the boards of a part; depends on the task alone.
pub(super) fn part_rows(task: &BoardsTask) -> u64 {
    let listed = match task.bins {
        ListedBins::None => return PART_BOARDS,
        ListedBins::Nearest(bins) => longest(task).min(bins.into()),
        ListedBins::All => longest(task),
    };
    (PART_BINS / listed.max(1)).clamp(1, PART_BOARDS)
}

/// Returns the length of the longest board.
fn longest(task: &BoardsTask) -> u64 {
    let length = length(task.last.into());
    u64::try_from(length).expect("a task's boards have lengths of 31 bits")
}

/// Returns the memory, in bytes, for making rows on all threads, and in words what takes it.
pub(super) fn memory(task: &BoardsTask, threads: u64) -> (u64, &'static str) {
    let longest = longest(task);
    let chunk = match task.bins {
        ListedBins::None => 16 * CHUNK_BOARDS as u64,
        // The list of bins and, in the writer, a place and two levels for each; growing vectors are
        // counted twice.
        _ => 2 * (4 + 8 + 4) * (LISTED_BINS as u64 + longest),
    };
    let each = (4 * longest).saturating_add(chunk);
    (bytes_of_threads(threads, each), "boards and their rows")
}

/// Makes the rows of table `boards`.
pub(super) fn make(task: &BoardsTask, parts: &Parts<'_>) -> Result<(), RunError> {
    parts.in_parallel(|part, ranks| match task.bins {
        ListedBins::None => task.without_bins(parts, part, ranks),
        ListedBins::Nearest(bins) => task.with_bins(parts, part, ranks, bins as usize),
        ListedBins::All => task.with_bins(parts, part, ranks, usize::MAX),
    })
}

impl BoardsTask {
    fn without_bins(
        &self,
        parts: &Parts<'_>,
        part: u32,
        ranks: Range<u64>,
    ) -> Result<(), RunError> {
        let mut writer = parts.writer::<BoardRow>(part)?;
        let (mut next, end) = (self.first + ranks.start, self.first + ranks.end);
        let mut first_plays = FirstPlays::starting_at(next.into())?;
        let mut plays = vec![0; CHUNK_BOARDS];
        // A board is longer than the previous one exactly if its first play is in a farther bin.
        let mut longest = length(next.into()) as i32;
        while next < end {
            parts.check_stop()?;
            let count = (end - next).min(CHUNK_BOARDS as u64);
            let plays = &mut plays[..count as usize];
            first_plays.fill(plays);
            let first_plays: Vec<i32> = plays.iter().map(|&play| play as i32).collect();
            let lengths = first_plays.iter().map(|&play| {
                longest = longest.max(play);
                longest
            });
            let columns = BoardColumns {
                first: next as i64,
                lengths: lengths.collect(),
                first_plays,
                bins: None,
            };
            parts.push_columns(&mut writer, count, columns)?;
            next += count;
        }
        writer.commit()?;
        Ok(())
    }

    fn with_bins(
        &self,
        parts: &Parts<'_>,
        part: u32,
        ranks: Range<u64>,
        bins_max: usize,
    ) -> Result<(), RunError> {
        let mut writer = parts.writer::<BoardRow>(part)?;
        let (mut next, end) = (self.first + ranks.start, self.first + ranks.end);
        let mut boards = Boards::starting_at(next.into())?;
        while next < end {
            parts.check_stop()?;
            let first = next;
            let (mut lengths, mut first_plays) = (Vec::new(), Vec::new());
            let (mut bins, mut listed) = (BinLists::default(), 0);
            while next < end && lengths.len() < LISTED_BOARDS_MAX && listed < LISTED_BINS {
                let board = boards.bins();
                let shown = &board[..board.len().min(bins_max)];
                bins.push(shown);
                listed += shown.len();
                lengths.push(board.len() as i32);
                first_plays.push(boards.first_play().map_or(0, |bin| bin as i32));
                boards.advance();
                next += 1;
            }
            let columns = BoardColumns {
                first: first as i64,
                lengths,
                first_plays,
                bins: Some(bins),
            };
            parts.push_columns(&mut writer, next - first, columns)?;
        }
        writer.commit()?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::boards::BoardsLayout;

    #[test]
    fn parts_list_no_more_bins_than_they_may() {
        let task = |last, bins| BoardsTask {
            first: 0,
            last,
            bins,
            layout: BoardsLayout::List,
        };
        for last in [0, 1, 1000, 1_000_000, 1_000_000_000_000] {
            assert_eq!(part_rows(&task(last, ListedBins::None)), PART_BOARDS);
            for bins in [ListedBins::All, ListedBins::Nearest(16)] {
                let task = task(last, bins);
                let rows = part_rows(&task);
                assert!(
                    rows >= 1 && rows * length(last.into()) as u64 <= PART_BINS
                        || bins != ListedBins::All
                );
                assert!(rows >= PART_BINS / 16 || bins == ListedBins::All);
            }
        }
    }
}
