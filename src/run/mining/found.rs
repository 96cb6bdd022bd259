//! What was found in results.

use std::sync::Arc;

use crate::dataset::Digest;
use crate::mine::{Column, Mined, Proved, RowTable};
use crate::run::{Job, JobHeader};

/// What laws are about.
#[derive(Clone, Debug)]
pub enum Data {
    /// A column.
    Column(Arc<Column>),
    /// Rows of pots.
    Rows(Arc<RowTable>),
    /// Rows that have proved laws themselves.
    Proved(Arc<Proved>),
    /// All columns, compared with one another.
    Between,
}

impl Data {
    /// Returns what its entries belong to.
    pub fn subject(&self) -> &str {
        match self {
            Data::Column(column) => &column.subject,
            Data::Rows(rows) => &rows.subject,
            Data::Proved(proved) => &proved.subject,
            Data::Between => "between columns",
        }
    }
}

/// The laws of some data, and how far they hold beyond it.
#[derive(Clone, Debug)]
pub struct Found {
    /// The place of the job among those that are mined; none of columns that are compared.
    pub job: Option<usize>,
    /// The data.
    pub data: Data,
    /// The laws.
    pub mined: Mined,
    /// One for each law, if entries beyond the result are computed.
    pub extensions: Vec<Extension>,
}

/// What was found in the results of some jobs.
#[derive(Clone, Debug)]
pub struct Mining {
    /// The jobs.
    pub jobs: Vec<Job>,
    /// Which results they have, one for each job.
    pub sources: Vec<LawSource>,
    /// The laws of each column, of rows, and between columns.
    pub found: Vec<Found>,
}

/// A law's entries beyond the result, as far as they were computed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extension {
    /// How many are as predicted.
    pub holds: usize,
    /// The last place of them.
    pub to: Option<String>,
    /// The first place whose entry is another, and that entry.
    pub refuted: Option<(String, String)>,
}

/// A result that was mined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LawSource {
    /// The job's name.
    pub(super) job: String,
    pub(super) job_digest: Digest,
    /// The digest of the result's manifest, which has the digests of its files.
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

    /// Returns the name of the job that some laws are from.
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
