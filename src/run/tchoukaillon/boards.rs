//! A row for each board.
//!
//! A shard begins with the board of its first number of stones, which Theorem 2.1 gives directly, and goes on by
//! unplaying. So shards are made in any order, each on one thread.

use std::ops::Range;

use crate::dataset::{BinLists, BoardColumns, BoardRow, LISTED_BINS, LISTED_BOARDS_MAX};
use crate::engine::tchoukaillon::boards::{Boards, FirstPlays};
use crate::engine::tchoukaillon::lengths::length;
use crate::job::{BinsAsked, BoardsTask};
use crate::run::Phase;
use crate::run::RunError;
use crate::run::plain::{Maker, Shards, bytes_of_threads};

/// The boards of a shard where no bins are listed: a fifth of a second's work, beside which its commit, of 5 ms, is little.
const SHARD_BOARDS: u64 = 1 << 23;

/// The bins of a shard at most, where they are listed: a tenth of a second's work, so that threads end at about the same
/// time, and 64 MiB for whoever reads a shard whole.
const SHARD_BINS: u64 = 1 << 24;

/// The boards written together where no bins are listed.
///
/// PERF: each time, the far bins of a board, some thousands, are gone through once: a twentieth of the work for 2^13 boards.
/// The columns of 2^15 fill half a megabyte.
const CHUNK_BOARDS: usize = 1 << 15;

/// Makes the rows of table `boards`.
pub(super) struct BoardsMaker<'j> {
    pub(super) task: &'j BoardsTask,
    pub(super) threads: u64,
}

/// Returns how many boards a shard has: a function of the task alone.
pub(in crate::run) fn shard_rows(task: &BoardsTask) -> u64 {
    let listed = match task.bins {
        BinsAsked::None => return SHARD_BOARDS,
        BinsAsked::Nearest(bins) => longest(task).min(bins.into()),
        BinsAsked::All => longest(task),
    };
    (SHARD_BINS / listed.max(1)).clamp(1, SHARD_BOARDS)
}

/// Returns the length of the longest board.
fn longest(task: &BoardsTask) -> u64 {
    let length = length(task.last.into());
    u64::try_from(length).expect("a task's boards have lengths of 31 bits")
}

impl Maker for BoardsMaker<'_> {
    type Row = BoardRow;
    const PHASE: Phase = Phase::Writing;

    fn bytes_needed(&self, _: u64) -> (u64, &'static str) {
        let longest = longest(self.task);
        let chunk = match self.task.bins {
            BinsAsked::None => 16 * CHUNK_BOARDS as u64,
            // The list of bins and, in the writer, a place and two levels for each; vectors that grow are there twice.
            _ => 2 * (4 + 8 + 4) * (LISTED_BINS as u64 + longest),
        };
        let each = (4 * longest).saturating_add(chunk);
        (
            bytes_of_threads(self.threads, each),
            "boards and their rows",
        )
    }

    fn make(&self, shards: &Shards<'_>) -> Result<(), RunError> {
        shards.in_parallel(|shard, ranks| match self.task.bins {
            BinsAsked::None => self.without_bins(shards, shard, ranks),
            BinsAsked::Nearest(bins) => self.with_bins(shards, shard, ranks, bins as usize),
            BinsAsked::All => self.with_bins(shards, shard, ranks, usize::MAX),
        })
    }
}

impl BoardsMaker<'_> {
    fn without_bins(
        &self,
        shards: &Shards<'_>,
        shard: u32,
        ranks: Range<u64>,
    ) -> Result<(), RunError> {
        let mut writer = shards.writer::<BoardRow>(shard)?;
        let (mut next, end) = (self.task.first + ranks.start, self.task.first + ranks.end);
        let mut first_plays = FirstPlays::starting_at(next.into())?;
        let mut plays = vec![0; CHUNK_BOARDS];
        // A board is longer than the one before just when its first play is in a farther bin.
        let mut longest = length(next.into()) as i32;
        while next < end {
            shards.go_on()?;
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
            shards.push_columns(&mut writer, count, columns)?;
            next += count;
        }
        writer.commit()?;
        Ok(())
    }

    fn with_bins(
        &self,
        shards: &Shards<'_>,
        shard: u32,
        ranks: Range<u64>,
        bins_max: usize,
    ) -> Result<(), RunError> {
        let mut writer = shards.writer::<BoardRow>(shard)?;
        let (mut next, end) = (self.task.first + ranks.start, self.task.first + ranks.end);
        let mut boards = Boards::starting_at(next.into())?;
        while next < end {
            shards.go_on()?;
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
            shards.push_columns(&mut writer, next - first, columns)?;
        }
        writer.commit()?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::BoardsLayout;

    #[test]
    fn shards_list_no_more_bins_than_they_may() {
        let task = |last, bins| BoardsTask {
            first: 0,
            last,
            bins,
            layout: BoardsLayout::List,
        };
        for last in [0, 1, 1000, 1_000_000, 1_000_000_000_000] {
            assert_eq!(shard_rows(&task(last, BinsAsked::None)), SHARD_BOARDS);
            for bins in [BinsAsked::All, BinsAsked::Nearest(16)] {
                let task = task(last, bins);
                let rows = shard_rows(&task);
                assert!(
                    rows >= 1 && rows * length(last.into()) as u64 <= SHARD_BINS
                        || bins != BinsAsked::All
                );
                assert!(rows >= SHARD_BINS / 16 || bins == BinsAsked::All);
            }
        }
    }
}
