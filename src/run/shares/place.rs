//! Where a run works.

use std::path::{Path, PathBuf};

use super::Share;
use crate::run::{JobHeader, Options};

/// The folder of shares in a job's result set.
const SHARES: &str = "shards";

/// The folder of a share's store in its own.
const STORE: &str = "store";

/// The folders that a run works in: those of its job, or of a share of it.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The share of the job that is to be run; `None` for all of it.
    pub(crate) share: Option<Share>,
    /// The folder of the result set.
    pub(crate) dir: PathBuf,
    /// The store to read from and to seal into.
    pub(crate) store: PathBuf,
    /// A store that is only read from.
    pub(crate) base: Option<PathBuf>,
    /// Of a share, the folder of the result set that the shares are merged into.
    pub(super) whole: Option<PathBuf>,
}

impl Place {
    /// Returns where a job is run as a whole.
    pub(crate) fn of_job(job: &JobHeader, options: &Options) -> Place {
        Place {
            share: None,
            dir: options.out.join(&job.name),
            store: options.store.clone(),
            base: None,
            whole: None,
        }
    }

    /// Returns where a share of a job is run: in a folder of its own, over the store as it is.
    pub(crate) fn of_share(job: &JobHeader, options: &Options, share: Share) -> Place {
        let dir = Place::folder_of_shares(job, &options.out).join(share.folder());
        Place {
            share: Some(share),
            store: dir.join(STORE),
            dir,
            base: Some(options.store.clone()),
            whole: Some(options.out.join(&job.name)),
        }
    }

    /// Returns the folder that holds those of a job's shares.
    pub(crate) fn folder_of_shares(job: &JobHeader, out: &Path) -> PathBuf {
        out.join(&job.name).join(SHARES)
    }
}
