//! What a kind of job says of itself.
//!
//! [`Task`] is what the commands ask of any job. Nearly every kind has one table with a row for each member of a family: it
//! implements [`RowTask`](super::RowTask), and everything else (parts, commits, shards, checkpoints, limits, progress) is the same for all of
//! them. The kinds are in `task/`, one folder each.

use std::any::Any;
use std::fmt;
use std::ops::Range;
use std::path::Path;

use super::estimate::{Effort, Estimate, Measured};
use super::means::Means;
use super::shares::{Merge, Merged, Share, SharePlan};
use super::{Checkpoints, JobHeader, Options, Outcome, Plan, Run, RunError, Signals, Subject};
use crate::dataset::{DatasetError, ResultSet, Scan};
use crate::mine::{Column, Material};
use crate::report::ReportError;
use crate::report::check::CheckReport;
use crate::report::page::{Figure, ValuesAs};
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
    fn plan(&self, job: &JobHeader, out: &Path) -> Result<Plan, DatasetError>;

    /// Opens the result set for reading; `None` where it does not have a row for each rank.
    ///
    /// # Errors
    ///
    /// As [`ResultSet::open`].
    fn open(&self, job: &JobHeader, out: &Path) -> Result<Option<ResultSet>, DatasetError>;

    /// Returns the ranks of the rows in finished parts, ascending; none where parts hold no ranks.
    fn finished_ranks(&self, plan: &Plan) -> Vec<Range<u64>>;

    /// Returns the checkpoints of an unfinished job.
    ///
    /// # Errors
    ///
    /// When they cannot be read.
    fn checkpoints(
        &self,
        job: &JobHeader,
        plan: &Plan,
        out: &Path,
    ) -> Result<Checkpoints, DatasetError>;

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
        _: &JobHeader,
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
        job: &JobHeader,
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
    fn verify(&self, job: &JobHeader, out: &Path) -> Result<Vec<DatasetError>, DatasetError>;

    /// Lays a result out as the spec says; `None` where it is not finished.
    ///
    /// # Errors
    ///
    /// Rows that cannot be read, are not as many as they should be, or more than a table has.
    fn table(&self, reading: &Reading<'_>) -> Result<Option<Table>, ReportError>;

    /// Returns charts that a page shows of a result, beside those of its columns.
    ///
    /// # Errors
    ///
    /// Rows that cannot be read.
    fn charts(&self, _: &Reading<'_>) -> Result<Vec<Figure>, ReportError> {
        Ok(Vec::new())
    }

    /// Returns how the values in [`Task::table`] are read.
    fn values_as(&self) -> ValuesAs;

    /// Returns why a result whose parts are not all finished cannot be laid out; `None` where it can.
    fn needs_all(&self) -> Option<&'static str> {
        None
    }

    /// Returns that the law of the spec holds on all rows of the result, in words, if there is a law: no run of the job finishes
    /// otherwise.
    fn law_held(&self) -> Option<String> {
        None
    }

    /// Compares a result with published facts.
    ///
    /// # Errors
    ///
    /// Rows that cannot be read.
    fn check(&self, reading: &Reading<'_>, facts: &Facts) -> Result<CheckReport, ReportError>;

    /// Returns the data of a result in which laws are sought.
    ///
    /// # Errors
    ///
    /// Rows that cannot be read.
    fn material(&self, _: &Reading<'_>) -> Result<Material, ReportError> {
        Ok(Material::default())
    }

    /// Returns the variables of the columns of [`Task::material`]; `None` where no result of the task can be mined.
    fn mined_variables(&self) -> Option<Vec<String>> {
        None
    }

    /// Returns the entry of a column of [`Task::material`] at a place beyond the result; `None` where
    /// it has none, and where the task only makes entries by jobs.
    ///
    /// # Errors
    ///
    /// What stopped the evaluation.
    fn entry(&self, _: &Column, _at: &[i64], _: &Means<'_>) -> Result<Option<String>, RunError> {
        Ok(None)
    }

    /// Returns why no published fact is about such a result; `None` where some may be.
    fn is_not_checked(&self) -> Option<&'static str> {
        None
    }
}

/// A result to be read.
pub struct Reading<'a> {
    /// The job.
    pub job: &'a JobHeader,
    /// The folder of all results.
    pub out: &'a Path,
    /// The rows; `None` where the job's main table does not have a row for each rank.
    pub rows: Option<Scan<'a>>,
    /// The ranks of these rows, ascending.
    pub ranks: &'a [Range<u64>],
}
