//! The interface of a kind of job.
//!
//! [`Task`] is the interface that commands use for any job. Nearly every kind has one table with a
//! row for each member of a family. Such a kind implements [`RowTask`](super::RowTask), and shares
//! everything else: parts, commits, shards, checkpoints, limits, progress. The kinds are in
//! `task/`, one folder each.

use std::any::Any;
use std::fmt;
use std::ops::Range;
use std::path::Path;

use bytesize::ByteSize;
use cglaws::{Column, Material};

use super::estimate::{Effort, Estimate, Measured};
use super::limits::EvaluationLimits;
use super::shards::{Merge, Merged, Shard, ShardPlan};
use super::{Checkpoints, JobHeader, Options, Outcome, Plan, Run, RunError, Signals, Subject};
use crate::dataset::{DatasetError, ResultSet, Scan};
use crate::report::ReportError;
use crate::report::check::CheckReport;
use crate::report::colours::ValuesAs;
use crate::report::page::Figure;
use crate::report::reference::Facts;
use crate::report::table::Table;

/// A kind of job, with the parameters from one spec.
pub trait Task: Any + fmt::Debug + Send + Sync {
    /// Returns what a row is about, in the singular.
    fn noun(&self) -> &'static str;

    /// Returns the number of rows of the result, or of positions to search.
    fn rows(&self) -> u64;

    /// Returns a text that identifies the task. It is digested, so the text for an existing meaning
    /// must never change.
    fn meaning(&self) -> String;

    /// Returns what the task is about, for people.
    fn subject(&self) -> Subject;

    /// Returns the names of the tables of the result, the main one first.
    fn table_names(&self) -> Vec<&'static str>;

    /// Returns the noun for a unit of a shard, in the singular and in the plural.
    fn unit(&self) -> [&'static str; 2] {
        ["unit", "units"]
    }

    /// Returns the noun for a row of the finished result, in the singular, and the words that
    /// follow the count.
    fn row_text(&self) -> [&'static str; 2] {
        ["row", ""]
    }

    /// Returns the plan of the job: the work to do, and the work already done.
    ///
    /// # Errors
    ///
    /// If the result set cannot be read or belongs to another job.
    fn plan(&self, job: &JobHeader, out: &Path) -> Result<Plan, DatasetError>;

    /// Opens the result set for reading; returns `None` if it does not have a row for each rank.
    ///
    /// # Errors
    ///
    /// As [`ResultSet::open`].
    fn open(&self, job: &JobHeader, out: &Path) -> Result<Option<ResultSet>, DatasetError>;

    /// Returns the ranks of the rows in finished parts, ascending; empty if parts hold no ranks.
    fn finished_ranks(&self, plan: &Plan) -> Vec<Range<u64>>;

    /// Returns the checkpoints of an unfinished job.
    ///
    /// # Errors
    ///
    /// If they cannot be read.
    fn checkpoints(
        &self,
        job: &JobHeader,
        plan: &Plan,
        out: &Path,
    ) -> Result<Checkpoints, DatasetError>;

    /// Returns the least bytes that the rest of the job takes, in the folder of the result sets and
    /// in the store.
    fn disk(&self, plan: &Plan) -> [u64; 2];

    /// Returns the fraction of the work that is done, from 0 to 1.
    fn part_done(&self, plan: &Plan, checkpoints: &Checkpoints) -> f64;

    /// Returns how a run with this number of threads and this memory budget finds the values for its
    /// rows, for estimates.
    fn effort(&self, plan: &Plan, threads: usize, memory: ByteSize) -> Effort;

    /// Measures the task in its own way; returns `None` if a run of some seconds suffices.
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

    /// Does the unfinished rest of the job, or of a shard.
    ///
    /// # Errors
    ///
    /// If the job cannot continue.
    fn run(&self, run: &Run<'_>) -> Result<Outcome, RunError>;

    /// Returns the plans of some shards.
    ///
    /// # Errors
    ///
    /// A shard's folder that belongs to another job or cannot be read.
    fn plan_shards(
        &self,
        job: &JobHeader,
        out: &Path,
        shards: &[Shard],
    ) -> Result<Vec<ShardPlan>, DatasetError>;

    /// Joins the results of shards.
    ///
    /// # Errors
    ///
    /// As [`merge`](super::merge).
    fn merge(&self, merge: &Merge<'_>, shards: &[Shard]) -> Result<Merged, RunError>;

    /// Compares every file of the result with its checksum, and returns the damage.
    ///
    /// # Errors
    ///
    /// If a file cannot be read.
    fn verify(&self, job: &JobHeader, out: &Path) -> Result<Vec<DatasetError>, DatasetError>;

    /// Lays out a result as the spec requests; returns `None` if it is not finished.
    ///
    /// # Errors
    ///
    /// If rows cannot be read, differ in number from the expectation, or are more than a table
    /// holds.
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

    /// Returns why a result with unfinished parts cannot be laid out; `None` if it can.
    fn needs_all(&self) -> Option<&'static str> {
        None
    }

    /// Returns a sentence that the law in the spec holds for all rows of the result, if there is a
    /// law. No run of the job finishes otherwise.
    fn law_held(&self) -> Option<String> {
        None
    }

    /// Compares a result with published facts.
    ///
    /// # Errors
    ///
    /// Rows that cannot be read.
    fn check(&self, reading: &Reading<'_>, facts: &Facts) -> Result<CheckReport, ReportError>;

    /// Returns the data of a result that are searched for laws.
    ///
    /// # Errors
    ///
    /// If rows cannot be read.
    fn material(&self, _: &Reading<'_>) -> Result<Material, ReportError> {
        Ok(Material::default())
    }

    /// Returns the variables of the columns of [`Task::material`]; `None` if results of the task
    /// cannot be mined.
    fn mined_variables(&self) -> Option<Vec<String>> {
        None
    }

    /// Returns the entry of a column of [`Task::material`] at a place beyond the result. Returns
    /// `None` if there is none, or if the task can only compute entries in jobs.
    ///
    /// # Errors
    ///
    /// The reason why the evaluation stopped.
    fn entry(
        &self,
        _: &Column,
        _at: &[i64],
        _: &EvaluationLimits<'_>,
    ) -> Result<Option<String>, RunError> {
        Ok(None)
    }

    /// Returns why no published fact applies to such a result; `None` if some may apply.
    fn is_not_checked(&self) -> Option<&'static str> {
        None
    }
}

/// A result to read.
pub struct Reading<'a> {
    /// The job.
    pub job: &'a JobHeader,
    /// The folder of all results.
    pub out: &'a Path,
    /// The rows; `None` if the job's main table does not have a row for each rank.
    pub rows: Option<Scan<'a>>,
    /// The ranks of these rows, ascending.
    pub ranks: &'a [Range<u64>],
}
