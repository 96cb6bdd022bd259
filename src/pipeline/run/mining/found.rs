//! The laws found in results.

use std::path::PathBuf;
use std::sync::Arc;

use cglaws::{Column, Mined, Proved, RowTable};

use crate::dataset::Digest;
use crate::run::{Job, JobHeader};

/// The data that laws are about.
#[derive(Clone, Debug)]
pub enum Data {
    /// A column.
    Column(Arc<Column>),
    /// Rows of pots.
    Rows(Arc<RowTable>),
    /// Rows whose result contains proved laws.
    Proved(Arc<Proved>),
    /// All columns, compared with each other.
    Between,
}

impl Data {
    /// Returns the name of the data.
    pub fn subject(&self) -> String {
        match self {
            Data::Column(column) => column.subject.to_string(),
            Data::Rows(rows) => rows.subject.clone(),
            Data::Proved(proved) => proved.subject.clone(),
            Data::Between => "between columns".to_owned(),
        }
    }
}

/// The laws of some data, and how far they hold beyond the result.
#[derive(Clone, Debug)]
pub struct Found {
    /// The index of the job; `None` for laws between columns.
    pub job: Option<usize>,
    /// The data.
    pub data: Data,
    /// The laws.
    pub mined: Mined,
    /// One for each law, if entries beyond the result were computed; otherwise empty.
    pub extensions: Vec<Extension>,
}

/// The laws found in the results of some jobs.
#[derive(Clone, Debug)]
pub struct Mining {
    /// The folder of their result sets.
    pub out: PathBuf,
    /// The jobs.
    pub jobs: Vec<Job>,
    /// The results of the jobs, one each.
    pub sources: Vec<LawSource>,
    /// The laws, by their data.
    pub found: Vec<Found>,
}

/// The entries beyond the result that were computed to test a law.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extension {
    /// The number of entries that agree with the prediction.
    pub holds: usize,
    /// The last place that agrees.
    pub to: Option<String>,
    /// The first place that disagrees, and its entry.
    pub refuted: Option<(String, String)>,
}

/// A result that was mined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LawSource {
    /// The job's name.
    pub(super) job: String,
    pub(super) job_digest: Digest,
    /// The digest of the result's manifest, which in turn has the digests of its files.
    pub(super) manifest: Digest,
}

impl LawSource {
    pub(super) fn new(job: &JobHeader, manifest: Digest) -> LawSource {
        LawSource {
            job: job.name.clone(),
            job_digest: job.digest,
            manifest,
        }
    }
}

impl Mining {
    /// Returns the number of laws.
    pub fn laws(&self) -> usize {
        self.found.iter().map(|found| found.mined.laws.len()).sum()
    }

    /// Returns the name of the job of some laws.
    pub fn job(&self, found: &Found) -> Option<&str> {
        found.job.map(|place| &*self.jobs[place].header.name)
    }
}

impl Found {
    pub(super) fn new(job: usize, data: Data, mined: Mined) -> Found {
        Found {
            job: Some(job),
            data,
            mined,
            extensions: Vec::new(),
        }
    }
}
