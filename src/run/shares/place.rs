//! Where a run works.

use std::ops::Range;
use std::path::{Path, PathBuf};

use super::{Cut, Share};
use crate::dataset::ResultHeader;
use crate::job::Job;
use crate::run::{Options, plan};

/// The folder of shares in a job's result set.
const SHARES: &str = "shards";

/// The folder of a share's store in its own.
const STORE: &str = "store";

/// The folders that a run works in: those of its job, or of a share of it.
#[derive(Clone, Debug)]
pub(in crate::run) struct Place {
    /// The share of the job that is to be run; `None` for all of it.
    pub(in crate::run) share: Option<Share>,
    /// The folder of the result set.
    pub(in crate::run) dir: PathBuf,
    /// The store to read from and to seal into.
    pub(in crate::run) store: PathBuf,
    /// A store that is only read from.
    pub(in crate::run) base: Option<PathBuf>,
}

/// What a result set holds, and which of its shards a run is to make.
pub(in crate::run) struct Assignment {
    pub(in crate::run) header: ResultHeader,
    /// The ranks of all shards.
    pub(in crate::run) ranges: Vec<Range<u64>>,
    /// The run's own, ascending.
    pub(in crate::run) own: Vec<u32>,
}

impl Place {
    /// Returns where a job is run as a whole.
    pub(in crate::run) fn of_job(job: &Job, options: &Options) -> Place {
        Place {
            share: None,
            dir: options.out.join(&job.name),
            store: options.store.clone(),
            base: None,
        }
    }

    /// Returns where a share of a job is run: in a folder of its own, over the store as it is.
    pub(in crate::run) fn of_share(job: &Job, options: &Options, share: Share) -> Place {
        let dir = Place::folder_of_shares(job, &options.out).join(share.folder());
        Place {
            share: Some(share),
            store: dir.join(STORE),
            dir,
            base: Some(options.store.clone()),
        }
    }

    /// Returns the folder that holds those of a job's shares.
    pub(super) fn folder_of_shares(job: &Job, out: &Path) -> PathBuf {
        out.join(&job.name).join(SHARES)
    }

    /// Returns what is to be made here of a job that has a row for each member of its family.
    pub(in crate::run) fn assignment(&self, job: &Job) -> Assignment {
        let header = plan::header(job);
        match self.share {
            None => {
                let ranges = plan::shards(job);
                let own = (0..ranges.len() as u32).collect();
                Assignment {
                    header,
                    ranges,
                    own,
                }
            }
            Some(share) => {
                let cut = Cut::of_rows(job, share.of());
                Assignment {
                    header: header_of_units(header, &cut),
                    own: cut.of_share(share.index()).collect(),
                    ranges: cut.units,
                }
            }
        }
    }
}

/// Returns the header of a share's result set, whose shards are the units.
pub(super) fn header_of_units(job: ResultHeader, cut: &Cut) -> ResultHeader {
    ResultHeader {
        shards: cut.units.len() as u32,
        ..job
    }
}

impl Assignment {
    /// Returns the rows of the run's own shards.
    pub(in crate::run) fn rows(&self) -> u64 {
        let own = self.own.iter().map(|&shard| &self.ranges[shard as usize]);
        own.map(plan::rows_of).sum()
    }
}
