//! What can go wrong with a result set.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use seedbank_files::durable::{ClaimError, Holder, IoError, Refusal};
use thiserror::Error;

use super::Digest;
use super::changes::Changes;
use super::format::{FORMAT_VERSION, FORMAT_VERSION_MIN};

/// A failure to read or write a result set; every variant names the path or the row at fault.
#[derive(Debug, Error)]
pub enum DatasetError {
    /// The operating system refused.
    #[error(transparent)]
    Io(#[from] IoError),
    /// The directory is not one of results, and must not become one.
    #[error(transparent)]
    Claim(ClaimError),
    /// Another run, in this process or another, writes to the directory.
    #[error(
        "the results in {} are being written by {holder}; wait until that has ended, or choose another --out",
        dir.display()
    )]
    Locked {
        /// The directory.
        dir: PathBuf,
        /// The process that holds the lock.
        holder: Holder,
    },
    /// A Parquet file could not be written.
    #[error("cannot write {}: {cause}", path.display())]
    Write {
        /// The temporary file.
        path: PathBuf,
        /// The Parquet library's reason, often the operating system's.
        cause: String,
    },
    /// A file's bytes differ from the committed ones.
    #[error("{} is damaged: {found}; {remedy}", path.display())]
    Damaged {
        /// The damaged file.
        path: PathBuf,
        /// What was expected and what was found.
        found: String,
        /// What to do about it.
        remedy: String,
    },
    /// A committed file is missing.
    #[error("{} is missing, though {} names it; {remedy}", path.display(), named_by.display())]
    Missing {
        /// The missing file.
        path: PathBuf,
        /// The record or manifest that names it.
        named_by: PathBuf,
        /// What to do about it.
        remedy: String,
    },
    /// The directory holds the results of a job with another meaning.
    #[error(
        "{} holds results of job {found_job:?} with digest {found}, but this job's digest is {expected}: {}; \
         {}give the job another name (values in the store are not computed again), choose another --out, or remove the directory",
        dir.display(),
        changes,
        if changes.may_grow() { "run the job, which keeps these rows if it has all of them, or " } else { "" }
    )]
    OtherJob {
        /// The result set's directory.
        dir: PathBuf,
        /// The name of the job found there.
        found_job: String,
        /// The digest found there.
        found: Digest,
        /// The digest of this job.
        expected: Digest,
        /// What differs between the two specs.
        changes: Box<Changes>,
    },
    /// The directory holds rows of another family of positions, some of which this job lacks.
    #[error(
        "{} holds results of another spec ({}), and this job lacks {lacking} of their rows, the first of them {first}, so \
         that a run would drop them; add them to the family, give the job another name (values in the store are not \
         computed again), choose another --out, or remove the directory",
        dir.display(),
        changes
    )]
    OtherRows {
        /// The result set's directory.
        dir: PathBuf,
        /// What differs between the two specs.
        changes: Box<Changes>,
        /// The number of rows that this job lacks.
        lacking: u64,
        /// The position of the first of them.
        first: String,
    },
    /// The directory holds the census of other positions, or no census.
    #[error(
        "{} holds results for other positions than this job's ({found:?}, not {expected:?}): \
         give the job another name, choose another --out, or remove the directory",
        dir.display()
    )]
    OtherSpace {
        /// The directory.
        dir: PathBuf,
        /// The positions of the results there.
        found: String,
        /// The positions of this job.
        expected: String,
    },
    /// Two parts of a census have the same name and hold different cells.
    #[error(
        "{} and {} are records of other cells under one name, since the census changed while the second was made; \
         remove {} and run that shard again",
        path.display(), other.display(), dir.display()
    )]
    OtherPart {
        /// The record in the census.
        path: PathBuf,
        /// The record that was to be copied.
        other: PathBuf,
        /// The directory of the latter.
        dir: PathBuf,
    },
    /// The directory was cut into another number of parts, or its parts have other variables.
    #[error(
        "{} was begun with {found}, but this run has {expected}: an earlier version cut the job differently; \
         remove the directory or choose another --out (values in the store are used again)",
        dir.display()
    )]
    OtherPlan {
        /// The result set's directory.
        dir: PathBuf,
        /// The plan found there.
        found: String,
        /// The plan of this run.
        expected: String,
    },
    /// A record or manifest was written in another format.
    #[error(
        "{} has result format {found}, but this seedbank reads formats {FORMAT_VERSION_MIN} to {FORMAT_VERSION}; \
         use the seedbank that wrote it, or remove the directory",
        path.display()
    )]
    OtherFormat {
        /// The record or manifest.
        path: PathBuf,
        /// The format found.
        found: u32,
    },
    /// Unfinished results of an earlier format, whose columns differ.
    #[error(
        "{} has result format {found}, and this seedbank would add rows of format {FORMAT_VERSION}, whose columns differ; \
         remove the directory (values in the store are used again), or finish the job with the seedbank that began it",
        path.display()
    )]
    OlderFormat {
        /// A record of the earlier format.
        path: PathBuf,
        /// The format found.
        found: u32,
    },
    /// A header describes no valid result set.
    #[error("cannot lay out results of job {job:?}: {reason}")]
    Header {
        /// The job.
        job: String,
        /// What was expected and what was found.
        reason: String,
    },
    /// A row does not fit its table.
    #[error("cannot store a row of table {table}: {row}: {reason}")]
    Row {
        /// The table.
        table: &'static str,
        /// The row, by what identifies it.
        row: String,
        /// What was expected and what was found.
        reason: String,
    },
    /// The result set lacks the table.
    #[error("{} has no table {table}, but {tables}", dir.display())]
    NoTable {
        /// The result set's directory.
        dir: PathBuf,
        /// The requested table.
        table: &'static str,
        /// The tables that exist.
        tables: String,
    },
    /// There is no part of this number.
    #[error("{} has parts 0 to {last}, not {part}", dir.display())]
    NoPart {
        /// The result set's directory.
        dir: PathBuf,
        /// The requested part.
        part: u32,
        /// The last part.
        last: u32,
    },
    /// Some parts are not finished.
    #[error(
        "{} is incomplete: {} of {parts} parts are not finished, the first of them {}; run the job again to resume",
        dir.display(),
        unfinished.len(),
        unfinished.first().copied().unwrap_or_default()
    )]
    Incomplete {
        /// The result set's directory.
        dir: PathBuf,
        /// The number of parts of the result set.
        parts: u32,
        /// The parts that are not finished.
        unfinished: Vec<u32>,
    },
    /// All parts may be finished, but the manifest is missing.
    #[error(
        "{} has no manifest, which a run writes when all parts are finished; run the job again to finish it", dir.display()
    )]
    NoManifest {
        /// The result set's directory.
        dir: PathBuf,
    },
    /// The same code computed two different results for one part.
    #[error(
        "{} was finished before with other rows by the same code version {code_version:?}: {found}; \
         one of the two computations is wrong: keep the directory and run the job again elsewhere to see which",
        path.display()
    )]
    Disagreement {
        /// The record of the earlier computation.
        path: PathBuf,
        /// The code version of both.
        code_version: String,
        /// The two checksums.
        found: String,
    },
}

impl From<ClaimError> for DatasetError {
    fn from(error: ClaimError) -> DatasetError {
        match error {
            ClaimError::Io(error) => DatasetError::Io(error),
            refused => DatasetError::Claim(refused),
        }
    }
}

impl DatasetError {
    /// Returns the path that was refused, if choosing another folder may help.
    pub fn refusal(&self) -> Option<Refusal<'_>> {
        match self {
            DatasetError::Io(error) => error.refusal(),
            DatasetError::Claim(error) => error.refusal(),
            _ => None,
        }
    }

    /// Returns whether the directory holds the results of another job, or of another cut or format of
    /// this one.
    pub fn is_of_another_spec(&self) -> bool {
        matches!(
            self,
            DatasetError::OtherJob { .. }
                | DatasetError::OtherRows { .. }
                | DatasetError::OtherSpace { .. }
                | DatasetError::OtherPlan { .. }
                | DatasetError::OtherFormat { .. }
        )
    }

    /// Returns whether a run keeps the rows of positions there if they are rows of this job, too.
    pub fn may_grow(&self) -> bool {
        matches!(self, DatasetError::OtherJob { changes, .. } if changes.may_grow())
    }

    /// Returns what differs between the spec of the results there and this one, if that was found.
    pub fn changes(&self) -> Option<&Changes> {
        match self {
            DatasetError::OtherJob { changes, .. } | DatasetError::OtherRows { changes, .. } => {
                Some(changes)
            }
            _ => None,
        }
    }

    /// Returns whether committed results have been damaged or lost (exit status 4).
    pub fn is_damage(&self) -> bool {
        matches!(
            self,
            DatasetError::Damaged { .. } | DatasetError::Missing { .. }
        )
    }

    /// Names the shard whose folder is damaged in the remedy: the job alone does not repair it.
    pub(crate) fn of_shard(mut self, shard: &dyn fmt::Display) -> DatasetError {
        if let DatasetError::Damaged { remedy, .. } | DatasetError::Missing { remedy, .. } =
            &mut self
        {
            let again = format!("run the job again with --shard {shard}");
            *remedy = remedy.replace("run the job again", &again);
        }
        self
    }

    /// Returns the path of the damage, if it is damage.
    pub(crate) fn damaged_path(&self) -> Option<&Path> {
        match self {
            DatasetError::Damaged { path, .. } | DatasetError::Missing { path, .. } => Some(path),
            _ => None,
        }
    }

    /// Converts an operating system's error, naming the action and the path.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> DatasetError {
        move |cause| IoError::on(action, path)(cause).into()
    }
}
