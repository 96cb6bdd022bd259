//! Where a run works.

use std::path::{Path, PathBuf};

use seedbank_files::durable;
use valuestore::{Store, StoreError};

use super::Shard;
use crate::dataset::DatasetError;
use crate::run::{JobHeader, Options, RunError};

/// The folder of shards in a job's result set.
const SHARDS: &str = "shards";

/// The folder of a shard's store, in the shard's folder.
const STORE: &str = "store";

/// The folders of a run: those of its job, or of one of its shards.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The shard to run; `None` for the whole job.
    pub(crate) shard: Option<Shard>,
    /// The folder of the result set.
    pub(crate) dir: PathBuf,
    /// The store to read from and to seal into.
    pub(crate) store: PathBuf,
    /// A second store, which is only read.
    pub(crate) base: Option<PathBuf>,
    /// For a shard, the folder of the result set that the shards are merged into.
    pub(super) whole: Option<PathBuf>,
}

impl Place {
    /// Returns the folders for running a whole job.
    pub(crate) fn of_job(job: &JobHeader, options: &Options) -> Place {
        Place {
            shard: None,
            dir: options.out.join(&job.name),
            store: options.store.clone(),
            base: None,
            whole: None,
        }
    }

    /// Returns the folders for running a shard: one of its own, with an overlay over the store.
    pub(crate) fn of_shard(job: &JobHeader, options: &Options, shard: Shard) -> Place {
        let dir = Place::folder_of_shards(job, &options.out).join(shard.folder());
        Place {
            shard: Some(shard),
            store: dir.join(STORE),
            dir,
            base: Some(options.store.clone()),
            whole: Some(options.out.join(&job.name)),
        }
    }

    /// Refuses folders that cannot become those of the run, before the first of them is made. Changes
    /// nothing.
    ///
    /// # Errors
    ///
    /// If the folder of the results or of the store has something else, or one is in the other; if the
    /// store is needed and cannot be read.
    pub(crate) fn check(&self, needs_store: bool) -> Result<(), RunError> {
        let results = self.whole.as_ref().unwrap_or(&self.dir);
        let store = self.base.as_ref().unwrap_or(&self.store);
        let check = |dir, layout| durable::check_claim(dir, layout).map_err(DatasetError::from);
        check(results, &durable::RESULT)?;
        check(&self.dir, &durable::RESULT)?;
        if durable::is_marked(results, &durable::RESULT).unwrap_or(false) {
            return Ok(());
        }
        let [inner, outer] = [results, store].map(|folder| resolved(folder));
        if inner.starts_with(&outer) || outer.starts_with(&inner) {
            return Err(RunError::FoldersNested {
                results: results.clone(),
                store: store.clone(),
            });
        }
        if needs_store {
            Store::open(store)?;
            if self.base.is_none() {
                durable::check_claim(store, &durable::STORE).map_err(StoreError::from)?;
            }
        }
        Ok(())
    }

    /// Claims the folder of the job's result set, and for a shard also the one that its result set
    /// is merged into.
    ///
    /// # Errors
    ///
    /// If one of them has something that is not a result's.
    pub(crate) fn claim(&self) -> Result<(), DatasetError> {
        let mut dirs = self.whole.iter().chain([&self.dir]);
        dirs.try_for_each(|dir| Ok(durable::claim(dir, &durable::RESULT)?))
    }

    /// Claims the folder of the store to seal into.
    ///
    /// # Errors
    ///
    /// If it has something that is not a store's.
    pub(crate) fn claim_store(&self) -> Result<(), StoreError> {
        Ok(durable::claim(&self.store, &durable::STORE)?)
    }

    /// Returns the folder that holds those of a job's shards.
    pub(crate) fn folder_of_shards(job: &JobHeader, out: &Path) -> PathBuf {
        out.join(&job.name).join(SHARDS)
    }
}

/// Returns a path without links, as far as it exists.
fn resolved(folder: &Path) -> PathBuf {
    let absolute = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let there = absolute.ancestors().find_map(|above| {
        let below = absolute.strip_prefix(above).ok()?;
        Some(above.canonicalize().ok()?.join(below))
    });
    there.unwrap_or(absolute)
}
