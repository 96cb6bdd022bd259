//! The followers of rows that columns tell of, kept with every checkpoint until the shards of these rows are finished.

use std::collections::HashMap;
use std::time::Duration;

use super::RunError;
use super::keeping::Keeping;
use crate::dataset::ResultSet;
use crate::engine::{EngineError, Followers};

/// The counts that are kept together at most.
const TOGETHER: usize = 1 << 16;

/// The rank of a row, and of its followers the number, the depth and the moves.
type Count = (u64, u64, u32, u64);

/// What was counted of the followers of rows.
pub(super) struct KeptCounts<'s> {
    known: HashMap<u64, Followers>,
    new: Keeping<'s, Count>,
}

impl<'s> KeptCounts<'s> {
    /// Reads what earlier runs have kept of rows that are left.
    pub(super) fn new(
        results: &'s ResultSet,
        checkpoint: Duration,
        is_left: impl Fn(u64) -> bool,
    ) -> Result<KeptCounts<'s>, RunError> {
        let mut known = HashMap::new();
        results.kept(|counts: Vec<Count>| {
            for (rank, count, depth, moves) in counts {
                let followers = Followers {
                    count,
                    depth,
                    moves,
                };
                if is_left(rank) {
                    known.insert(rank, followers);
                }
            }
        })?;
        if !known.is_empty() {
            tracing::info!("going on from the followers of {} rows", known.len());
        }
        Ok(KeptCounts {
            known,
            new: Keeping::new(results, checkpoint, TOGETHER),
        })
    }

    /// Makes rows, and keeps what was counted for them whenever a checkpoint is due.
    ///
    /// # Errors
    ///
    /// As [`Keeping::during`].
    pub(super) fn during(
        &self,
        make: impl FnOnce() -> Result<(), RunError>,
    ) -> Result<(), RunError> {
        self.new.during(make)
    }

    /// Returns the followers of a row: what was kept, or else what `count` finds.
    ///
    /// # Errors
    ///
    /// Where they cannot be counted, or counts cannot be kept.
    pub(super) fn followers(
        &self,
        rank: u64,
        count: impl FnOnce() -> Result<Followers, EngineError>,
    ) -> Result<Followers, RunError> {
        if let Some(known) = self.known.get(&rank) {
            return Ok(*known);
        }
        self.new.go_on()?;
        let found = count()?;
        let Followers {
            count,
            depth,
            moves,
        } = found;
        self.new.add((rank, count, depth, moves), 1);
        Ok(found)
    }
}
