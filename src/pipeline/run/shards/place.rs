//! Where a run works.

use std::path::{Path, PathBuf};

use seedbank_files::durable;
use valuestore::StoreError;

use super::Shard;
use crate::dataset::DatasetError;
use crate::run::{JobHeader, Options};

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
