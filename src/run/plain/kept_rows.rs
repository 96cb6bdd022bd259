//! Finished rows of shards that are not, kept with every checkpoint.

use std::collections::HashMap;
use std::sync::Mutex;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Shards;
use crate::dataset::TableRow;
use crate::run::RunError;
use crate::run::keeping::Keeping;
use crate::value::lock;

/// The rows that are kept together at most.
const ROWS_TOGETHER: usize = 1 << 12;

/// Finished rows of shards that are not, by rank.
pub(in crate::run) struct KeptRows<'s, R> {
    shards: &'s Shards<'s>,
    known: Mutex<HashMap<u64, R>>,
    new: Keeping<'s, (u64, R)>,
}

impl<'s, R: TableRow + Clone + Serialize + DeserializeOwned> KeptRows<'s, R> {
    /// Reads what earlier runs have kept.
    pub(in crate::run) fn new(shards: &'s Shards<'s>) -> Result<KeptRows<'s, R>, RunError> {
        let mut known = HashMap::new();
        shards.kept(|rows: Vec<(u64, R)>| known.extend(rows))?;
        known.retain(|&rank, _| shards.is_pending(rank));
        if !known.is_empty() {
            tracing::info!("going on from {} rows of unfinished shards", known.len());
        }
        Ok(KeptRows {
            shards,
            known: Mutex::new(known),
            new: shards.keeping(ROWS_TOGETHER),
        })
    }

    /// Returns the row of a rank: the one that was kept, or else the one that `make` makes.
    ///
    /// # Errors
    ///
    /// Where `make` fails, or the run is to stop: then what was made is of no use.
    pub(in crate::run) fn row(
        &self,
        rank: u64,
        make: impl FnOnce() -> Result<R, RunError>,
    ) -> Result<R, RunError> {
        let known = lock(&self.known).remove(&rank);
        if let Some(row) = known {
            return Ok(row);
        }
        self.shards.go_on()?;
        self.new.go_on()?;
        let row = make()?;
        self.shards.go_on()?;
        self.shards.count(1);
        self.new.add((rank, row.clone()), 1);
        Ok(row)
    }

    /// Keeps the rows that wait.
    ///
    /// # Errors
    ///
    /// Where the work is to end, perhaps because they cannot be kept.
    pub(in crate::run) fn checkpoint(&self) -> Result<(), RunError> {
        self.new.checkpoint();
        self.new.go_on()
    }

    /// Makes rows, and keeps what there is of them whenever a checkpoint is due.
    ///
    /// # Errors
    ///
    /// As [`Keeping::during`].
    pub(in crate::run) fn during(
        &self,
        make: impl FnOnce() -> Result<(), RunError>,
    ) -> Result<(), RunError> {
        self.new.during(make)
    }
}
