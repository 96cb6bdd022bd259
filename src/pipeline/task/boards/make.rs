//! Makes a row for each board.
//!
//! A part begins with the board of its first number of stones, which Theorem 2.1 gives directly;
//! each next board is found by unplaying. Parts can therefore be made in any order, each on one
//! thread.

use std::ops::Range;

use bytesize::ByteSize;
use cgsolvers::tchoukaillon::boards::{Boards, FirstPlays};
use cgsolvers::tchoukaillon::lengths::length;

use super::columns::{BinLists, BoardColumns, BoardRow, LISTED_BINS, LISTED_BOARDS_MAX};
use super::{BoardsTask, ListedBins};
use crate::dataset::{ColumnKind, Tables};
use crate::run::estimate::{Amount, Workload, quick_rows};
use crate::run::memory::bytes_of_threads;
use crate::run::{DiskNeed, Making, MemoryNeed, Parts, Phase, RowTask, RunError};

/// Bins per byte of lists; neighbouring boards differ little. Finished result sets have 14 to 30.
const BINS_A_BYTE: u64 = 32;

/// Boards per byte, without their bins. A hundred million have 5.4.
const BOARDS_A_BYTE: u64 = 8;

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

/// Returns the length of the longest board.
fn longest(task: &BoardsTask) -> u64 {
    let length = length(task.last.into());
    u64::try_from(length).expect("a task's boards have lengths of 31 bits")
}

impl RowTask for BoardsTask {
    fn making(&self) -> Making {
        let listed = match self.bins {
            ListedBins::None => None,
            ListedBins::Nearest(bins) => Some(longest(self).min(bins.into())),
            ListedBins::All => Some(longest(self)),
        };
        let part_rows = listed.map_or(PART_BOARDS, |listed| {
            (PART_BINS / listed.max(1)).clamp(1, PART_BOARDS)
        });
        // Bin i holds at most i stones: all numbers fit in a byte, so their bytes are split. Beside
        // all bins, first plays take next to no space, and more readers know plain integers.
        let small_bins = matches!(self.bins, ListedBins::Nearest(bins) if bins <= 255);
        let all_bins = self.bins == ListedBins::All;
        let tables = Tables::of::<BoardRow>().stored(|column| match column.kind {
            ColumnKind::Unsigned => column.bytes_apart = small_bins,
            _ => column.bytes_apart &= !all_bins,
        });
        Making {
            tables,
            ..Making::new::<BoardRow>(Phase::Writing, part_rows)
        }
    }

    /// The number of its bins, plus 1, for each board.
    fn cost(&self, ranks: &Range<u64>) -> u64 {
        let rows = ranks.end - ranks.start;
        if rows == 0 {
            return 1;
        }
        let these = BoardsTask {
            first: self.first + ranks.start,
            last: self.first + ranks.end - 1,
            ..*self
        };
        rows.saturating_add(these.bins_about())
    }

    fn row_bytes(&self, rows: u64, is_begun: bool) -> DiskNeed {
        let bins = if is_begun {
            // The number of bins in finished parts is unknown here, so no bins are counted.
            0
        } else {
            self.bins_about()
        };
        DiskNeed::of_results(rows / BOARDS_A_BYTE + bins / BINS_A_BYTE)
    }

    fn volume(&self, least: ByteSize) -> (Workload, Amount<ByteSize>) {
        quick_rows(least)
    }

    fn memory(&self, _end: u64, threads: u64) -> Option<MemoryNeed> {
        let longest = longest(self);
        let chunk = match self.bins {
            ListedBins::None => 16 * CHUNK_BOARDS as u64,
            // The list of bins and, in the writer, a place and two levels for each; growing vectors
            // are counted twice.
            _ => 2 * (4 + 8 + 4) * (LISTED_BINS as u64 + longest),
        };
        let each = (4 * longest).saturating_add(chunk);
        Some(MemoryNeed {
            bytes: bytes_of_threads(threads, each),
            purpose: "boards and their rows",
        })
    }

    fn make(&self, parts: &Parts<'_>) -> Result<(), RunError> {
        parts.in_parallel(|part, ranks| match self.bins {
            ListedBins::None => self.without_bins(parts, part, ranks),
            ListedBins::Nearest(bins) => self.with_bins(parts, part, ranks, bins as usize),
            ListedBins::All => self.with_bins(parts, part, ranks, usize::MAX),
        })
    }
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
            assert_eq!(task(last, ListedBins::None).making().part_rows, PART_BOARDS);
            for bins in [ListedBins::All, ListedBins::Nearest(16)] {
                let task = task(last, bins);
                let rows = task.making().part_rows;
                assert!(
                    rows >= 1 && rows * length(last.into()) as u64 <= PART_BINS
                        || bins != ListedBins::All
                );
                assert!(rows >= PART_BINS / 16 || bins == ListedBins::All);
            }
        }
    }
}
