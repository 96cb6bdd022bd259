//! What a kind of job says of itself.
//!
//! [`Task`] is what the commands ask of any job. Nearly every kind has one table with a row for each member of a family: it
//! implements [`RowTask`], and everything else (parts, commits, shards, checkpoints, limits, progress) is the same for all of
//! them. The kinds are in `task/`, one folder each.

use std::any::Any;
use std::fmt;
use std::ops::Range;
use std::path::Path;

use bytesize::ByteSize;

use super::estimate::{Amount, Effort, Estimate, Measured, Way};
use super::parts::Parts;
use super::shares::{Merge, Merged, Share, SharePlan};
use super::stage::Phase;
use super::{Checkpoints, Job, Options, Outcome, Plan, Run, RunError, Signals, rows};
use crate::dataset::{DatasetError, Join, ResultSet, Scan, Tables};
use crate::report::ReportError;
use crate::report::check::CheckReport;
use crate::report::reference::Facts;
use crate::report::table::Table;

/// A kind of job, with what one spec says of it.
pub trait Task: Any + fmt::Debug + Send + Sync {
    /// Returns what a row is about, in the singular.
    fn noun(&self) -> &'static str;

    /// Returns the number of rows of the result, or of positions to be searched.
    fn rows(&self) -> u64;

    /// Returns what the task means, in words that never change for what has a meaning already: they are digested.
    fn meaning(&self) -> String;

    /// Returns what the task is about, for people.
    fn subject(&self) -> Subject;

    /// Returns the names of the tables of the result, the main one first.
    fn table_names(&self) -> Vec<&'static str>;

    /// Returns what a shard of the job consists of, in the singular and in the plural.
    fn unit(&self) -> [&'static str; 2] {
        ["unit", "units"]
    }

    /// Returns the word for a row of the finished result, in the singular, and the words after their number.
    fn row_text(&self) -> [&'static str; 2] {
        ["row", ""]
    }

    /// Returns what is to be done, and what is done already.
    ///
    /// # Errors
    ///
    /// When the result set cannot be read or belongs to another job.
    fn plan(&self, job: &Job, out: &Path) -> Result<Plan, DatasetError>;

    /// Opens the result set for reading; `None` where it does not have a row for each rank.
    ///
    /// # Errors
    ///
    /// As [`ResultSet::open`].
    fn open(&self, job: &Job, out: &Path) -> Result<Option<ResultSet>, DatasetError>;

    /// Returns the ranks of the rows in finished parts, ascending; none where parts hold no ranks.
    fn finished_ranks(&self, plan: &Plan) -> Vec<Range<u64>>;

    /// Returns the checkpoints of an unfinished job.
    ///
    /// # Errors
    ///
    /// When they cannot be read.
    fn checkpoints(&self, job: &Job, plan: &Plan, out: &Path) -> Result<Checkpoints, DatasetError>;

    /// Returns the least bytes that what is left takes in the folder of the result sets and in the store.
    fn disk(&self, plan: &Plan) -> [u64; 2];

    /// Returns the part of the work that is done, from 0 to 1.
    fn part_done(&self, plan: &Plan, checkpoints: &Checkpoints) -> f64;

    /// Returns how a run values what the rows are about, for estimates.
    fn effort(&self, plan: &Plan, threads: usize) -> Effort;

    /// Measures the task in its own way; `None` where a run of some seconds shows enough.
    ///
    /// # Errors
    ///
    /// As [`measure`](super::measure).
    fn measure(
        &self,
        _: &Job,
        _recorded: &Estimate,
        _: &Options,
        _: &Signals,
    ) -> Result<Option<Measured>, RunError> {
        Ok(None)
    }

    /// Does what is left of the job, or of a share.
    ///
    /// # Errors
    ///
    /// When the job cannot go on.
    fn run(&self, run: &Run<'_>) -> Result<Outcome, RunError>;

    /// Returns what each of some shares would do.
    ///
    /// # Errors
    ///
    /// A share's folder that belongs to another job, or cannot be read.
    fn plan_shares(
        &self,
        job: &Job,
        out: &Path,
        shares: &[Share],
    ) -> Result<Vec<SharePlan>, DatasetError>;

    /// Joins what shares have made.
    ///
    /// # Errors
    ///
    /// As [`merge`](super::merge).
    fn merge(&self, merge: &Merge<'_>, shares: &[Share]) -> Result<Merged, RunError>;

    /// Compares every file of the result with its checksum, and returns the damage.
    ///
    /// # Errors
    ///
    /// When something cannot be read.
    fn verify(&self, job: &Job, out: &Path) -> Result<Vec<DatasetError>, DatasetError>;

    /// Lays a result out as the spec says; `None` where it is not finished.
    ///
    /// # Errors
    ///
    /// Rows that cannot be read, are not as many as they should be, or more than a table has.
    fn table(&self, reading: &Reading<'_>) -> Result<Option<Table>, ReportError>;

    /// Returns why a result whose parts are not all finished cannot be laid out; `None` where it can.
    fn needs_all(&self) -> Option<&'static str> {
        None
    }

    /// Compares a result with published facts.
    ///
    /// # Errors
    ///
    /// Rows that cannot be read.
    fn check(&self, reading: &Reading<'_>, facts: &Facts) -> Result<CheckReport, ReportError>;

    /// Returns why no published fact is about such a result; `None` where some may be.
    fn is_not_checked(&self) -> Option<&'static str> {
        None
    }
}

/// What a task is about, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The game, or another name for it.
    pub game: String,
    /// How it is played or which members of a family there are: a name for programs, and a text.
    pub way: (&'static str, String),
    /// About how many numbers the lists of all rows have, four bytes each before they are compressed, with the word for one.
    pub listed: Option<(&'static str, u64)>,
}

/// A result to be read.
pub struct Reading<'a> {
    /// The job.
    pub job: &'a Job,
    /// The folder of all results.
    pub out: &'a Path,
    /// The rows; `None` where the job's main table does not have a row for each rank.
    pub rows: Option<Scan<'a>>,
    /// The ranks of these rows, ascending.
    pub ranks: &'a [Range<u64>],
}

/// A kind of job whose result has a row for each member of a family.
pub trait RowTask: Any + fmt::Debug + Send + Sync {
    /// As [`Task::noun`].
    fn noun(&self) -> &'static str;

    /// Returns the number of members.
    fn rows(&self) -> u64;

    /// As [`Task::meaning`].
    fn meaning(&self) -> String;

    /// As [`Task::subject`].
    fn subject(&self) -> Subject;

    /// Returns the tables of the result; the first has the row for each member.
    fn tables(&self) -> Tables;

    /// Returns how parts are joined.
    fn join(&self) -> Join;

    /// Returns the most rows of a part: a function of the task alone.
    fn part_rows(&self) -> u64;

    /// Returns the ranks of each part: a function of the task alone.
    fn parts(&self) -> Vec<Range<u64>> {
        rows::equal_parts(self.rows(), self.part_rows())
    }

    /// Returns about how many positions it takes to work out the rows of some ranks; at least 1.
    fn cost(&self, ranks: &Range<u64>) -> u64 {
        (ranks.end - ranks.start).max(1)
    }

    /// Returns the least bytes that some rows take in the result set; `is_begun` says whether it has others already.
    fn row_bytes(&self, rows: u64, is_begun: bool) -> u64;

    /// Returns the least bytes that the values of some rows take in the store.
    fn store_bytes(&self, _rows: u64) -> u64 {
        0
    }

    /// Returns how values are found, and the bytes of the whole result set, which are at least `least`.
    fn effort(&self, least: u64) -> (Way, Amount<ByteSize>);

    /// Returns whether rows differ so much that those of some seconds tell nothing of the others.
    fn is_uneven(&self) -> bool {
        false
    }

    /// As [`Task::measure`].
    ///
    /// # Errors
    ///
    /// As [`measure`](super::measure).
    fn measure(
        &self,
        _: &Job,
        _recorded: &Estimate,
        _: &Options,
        _: &Signals,
    ) -> Result<Option<Measured>, RunError> {
        Ok(None)
    }

    /// Returns into how many units a job is cut for each share, at least, where there are so many rows.
    fn units_a_share(&self) -> usize {
        4
    }

    /// Returns whether each row needs those before it, so that a share takes consecutive ones.
    fn is_sequential(&self) -> bool {
        false
    }

    /// Returns the phase in which rows are made.
    fn phase(&self) -> Phase;

    /// Returns the bytes that making the rows before a rank takes at most on `threads` threads, the first writer not counted,
    /// and in words what takes them; `None` where the task bounds its memory while it works.
    fn memory(&self, end: u64, threads: u64) -> Option<(u64, &'static str)>;

    /// Makes the rows of the parts that are left, until told to stop.
    ///
    /// # Errors
    ///
    /// What stopped it, or what went wrong.
    fn make(&self, parts: &Parts<'_>) -> Result<(), RunError>;

    /// Lays rows out as the spec says; `ranks` are theirs.
    ///
    /// # Errors
    ///
    /// As [`Task::table`].
    fn table(&self, job: &Job, ranks: &[Range<u64>], rows: Scan<'_>) -> Result<Table, ReportError>;

    /// Compares rows with published facts.
    ///
    /// # Errors
    ///
    /// As [`Task::check`].
    fn check(&self, job: &Job, rows: Scan, facts: &Facts) -> Result<CheckReport, ReportError>;
}
