//! Items that belong to rows of unfinished parts, by rank.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Mutex;

use seedbank_memory::lock;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Gather, ROWS};
use crate::run::{Parts, RunError};

/// The largest number of items written together.
const TOGETHER: usize = 1 << 12;

/// Items that belong to rows of unfinished parts.
pub(crate) struct ByRank<'p, T> {
    parts: &'p Parts<'p>,
    known: Mutex<HashMap<u64, T>>,
    new: Gather<(u64, T)>,
}

impl<'p, T: Clone + Send + Serialize + DeserializeOwned> ByRank<'p, T> {
    /// Reads the finished rows from the checkpoints.
    ///
    /// # Errors
    ///
    /// If they cannot be read.
    pub(crate) fn rows(parts: &'p Parts<'p>) -> Result<ByRank<'p, T>, RunError> {
        ByRank::new(parts, ROWS)
    }

    /// Reads the items of one name from the checkpoints.
    ///
    /// # Errors
    ///
    /// If they cannot be read.
    pub(crate) fn new(parts: &'p Parts<'p>, name: &str) -> Result<ByRank<'p, T>, RunError> {
        let mut known = HashMap::new();
        let each = |(rank, item)| {
            if let Some(rank) = parts.own_rank(rank) {
                known.insert(rank, item);
            }
        };
        parts.checkpoint.gathered(name, each)?;
        known.retain(|&rank, _| parts.is_pending(rank));
        if !known.is_empty() {
            tracing::info!(
                "resuming with {name} of {} ranks in checkpoints",
                known.len()
            );
        }
        Ok(ByRank {
            parts,
            known: Mutex::new(known),
            new: parts
                .checkpoint
                .gather(name, parts.run.options.checkpoint, TOGETHER)?,
        })
    }

    /// Returns the item of a rank from the checkpoints, or makes it with `make`. Each rank is
    /// requested once.
    ///
    /// # Errors
    ///
    /// If `make` fails, or if the run is stopping; what `make` returned is then discarded.
    pub(crate) fn get(
        &self,
        rank: u64,
        make: impl FnOnce() -> Result<T, RunError>,
    ) -> Result<T, RunError> {
        let known = lock(&self.known).remove(&rank);
        known.map_or_else(|| self.made(rank, make), Ok)
    }

    /// Returns the item of a rank as [`ByRank::get`], for ranks that are requested several times,
    /// until [`ByRank::forget`].
    ///
    /// # Errors
    ///
    /// As there.
    pub(crate) fn get_again(
        &self,
        rank: u64,
        make: impl FnOnce() -> Result<T, RunError>,
    ) -> Result<T, RunError> {
        if let Some(item) = lock(&self.known).get(&rank) {
            return Ok(item.clone());
        }
        let item = self.made(rank, make)?;
        lock(&self.known).insert(rank, item.clone());
        Ok(item)
    }

    /// Frees the memory of items that are not requested again.
    pub(crate) fn forget(&self, ranks: Range<u64>) {
        let mut known = lock(&self.known);
        for rank in ranks {
            known.remove(&rank);
        }
    }

    /// Makes the item of a rank.
    fn made(&self, rank: u64, make: impl FnOnce() -> Result<T, RunError>) -> Result<T, RunError> {
        self.parts.check_stop()?;
        self.new.check_stop()?;
        let item = make()?;
        self.parts.check_stop()?;
        let of_job = self.parts.rank_of_job(rank);
        self.new.add((of_job, item.clone()), 1);
        Ok(item)
    }

    /// Writes the gathered items.
    ///
    /// # Errors
    ///
    /// If they cannot be written.
    pub(crate) fn write(&self) -> Result<(), RunError> {
        self.new.write();
        self.new.check_stop()
    }

    /// Runs the work that makes items, and writes them at each checkpoint.
    ///
    /// # Errors
    ///
    /// As [`Gather::during`].
    pub(crate) fn during(
        &self,
        work: impl FnOnce() -> Result<(), RunError>,
    ) -> Result<(), RunError> {
        self.new.during(work)
    }
}
