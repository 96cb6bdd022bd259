//! The interfaces of a kind of job, one for each of its users.
//!
//! [`Task`] is the interface that commands use for any job. Nearly every kind has one table with a
//! row for each member of a family. Such a kind implements [`RowTask`](super::RowTask), which gives
//! it [`Planned`] and [`Task`]: parts, commits, shards, checkpoints, limits, progress. Every kind
//! implements the others itself. The kinds are in `task/`, one folder each.

use std::any::Any;
use std::fmt;
use std::ops::Range;
use std::path::Path;

use bytesize::ByteSize;
use cglaws::{Column, Material};

use super::estimate::{Effort, Estimate, Measured};
use super::limits::EvaluationLimits;
use super::shards::{Merge, Merged, Shard, ShardPlan};
use super::{
    Checkpoints, Description, DiskNeed, JobHeader, Options, Outcome, Plan, Run, RunError, Signals,
};
use crate::dataset::{DatasetError, ResultSet, Scan};
use crate::report::ReportError;
use crate::report::check::CheckReport;
use crate::report::colours::ValuesAs;
use crate::report::page::Figure;
use crate::report::reference::Facts;
use crate::report::table::Table;

/// A kind of job, with the parameters from one spec.
pub trait Described: Any + fmt::Debug + Send + Sync {
    /// Returns the words for the job.
    fn description(&self) -> Description;

    /// Returns the number of rows of the result, or of positions to search.
    fn rows(&self) -> u64;

    /// Returns a text that identifies the task. It is digested, so the text for an existing meaning
    /// must never change.
    fn meaning(&self) -> String;

    /// Returns a sentence that the law in the spec holds for all rows of the result, if there is a
    /// law. No run of the job finishes otherwise.
    fn law_held(&self) -> Option<String> {
        None
    }
}

/// A task whose work is planned and estimated before a run.
pub trait Planned: Described {
    /// Returns the plan of the job: the work to do, and the work already done.
    ///
    /// # Errors
    ///
    /// If the result set cannot be read or belongs to another job.
    fn plan(&self, job: &JobHeader, out: &Path) -> Result<Plan, DatasetError>;

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

    /// Returns a lower bound on the disk space for the rest of the job.
    fn disk(&self, plan: &Plan) -> DiskNeed;

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
}

/// A task whose result is laid out in tables and charts.
pub trait Tabulated {
    /// Lays out a result as the spec requests.
    ///
    /// # Errors
    ///
    /// If rows cannot be read, differ in number from the expectation, or are more than a table
    /// holds; [`ReportError::Unanswered`] if the result is not finished.
    fn table(&self, reading: &Reading<'_>) -> Result<Table, ReportError>;

    /// Returns charts that a page shows of a result, beside those of its columns.
    ///
    /// # Errors
    ///
    /// Rows that cannot be read.
    fn charts(&self, _: &Reading<'_>) -> Result<Vec<Figure>, ReportError> {
        Ok(Vec::new())
    }

    /// Returns why a result with unfinished parts cannot be laid out; `None` if it can.
    fn needs_all(&self) -> Option<&'static str> {
        None
    }
}

/// A task whose result is compared with published facts.
pub trait Checked {
    /// Compares a result with published facts.
    ///
    /// # Errors
    ///
    /// Rows that cannot be read.
    fn check(&self, reading: &Reading<'_>, facts: &Facts) -> Result<CheckReport, ReportError>;

    /// Returns why no published fact applies to such a result; `None` if some may apply.
    fn is_not_checked(&self) -> Option<&'static str> {
        None
    }
}

/// A task whose result may be searched for laws.
pub trait Mined {
    /// Returns the variables of the columns of [`Mined::material`]; `None` if results of the task
    /// cannot be mined.
    fn mined_variables(&self) -> Option<Vec<String>> {
        None
    }

    /// Returns the data of a result that are searched for laws.
    ///
    /// # Errors
    ///
    /// If rows cannot be read.
    fn material(&self, _: &Reading<'_>) -> Result<Material, ReportError> {
        Ok(Material::default())
    }

    /// Returns the entry of a column of [`Mined::material`] at a place beyond the result. Returns
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
}

/// A task that a run works on.
pub trait Task: Planned + Tabulated + Checked + Mined {
    /// Returns the names of the tables of the result, the main one first.
    fn table_names(&self) -> Vec<&'static str>;

    /// Returns how the values in [`Tabulated::table`] are read.
    fn values_as(&self) -> ValuesAs;

    /// Opens the result set for reading; returns `None` if it does not have a row for each rank.
    ///
    /// # Errors
    ///
    /// As [`ResultSet::open`].
    fn open(&self, job: &JobHeader, out: &Path) -> Result<Option<ResultSet>, DatasetError>;

    /// Compares every file of the result with its checksum, and returns the damage.
    ///
    /// # Errors
    ///
    /// If a file cannot be read.
    fn verify(&self, job: &JobHeader, out: &Path) -> Result<Vec<DatasetError>, DatasetError>;

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
}

/// A result to read.
#[derive(Clone, Copy)]
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

impl<'a> Reading<'a> {
    /// Returns the rows of a result that has one for each rank.
    pub(crate) fn scan(&self) -> Scan<'a> {
        self.rows
            .expect("a result with a row for each rank is read with its rows")
    }
}
