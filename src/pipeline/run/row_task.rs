//! The interface of a kind of job whose result has a row for each member of a family.

use std::any::Any;
use std::fmt;
use std::ops::Range;

use bytesize::ByteSize;
use cglaws::{Column, Material};

use super::estimate::{Amount, Estimate, Measured, NOT_MEASURED, Workload};
use super::limits::EvaluationLimits;
use super::parts::Parts;
use super::stage::Phase;
use super::{
    CODE_VERSION, JobHeader, Options, Refutation, RunError, Signals, Subject, equal_parts,
};
use crate::dataset::{DatasetError, FORMAT_VERSION, Join, ResultHeader, Scan, Tables};
use crate::report::ReportError;
use crate::report::check::CheckReport;
use crate::report::page::Figure;
use crate::report::reference::Facts;
use crate::report::table::Table;

/// A kind of job whose result has a row for each member of a family.
pub trait RowTask: Any + fmt::Debug + Send + Sync {
    /// As [`Task::noun`](super::Task::noun).
    fn noun(&self) -> &'static str;

    /// Returns the number of members.
    fn rows(&self) -> u64;

    /// As [`Task::meaning`](super::Task::meaning).
    fn meaning(&self) -> String;

    /// As [`Task::subject`](super::Task::subject).
    fn subject(&self) -> Subject;

    /// Returns the tables of the result; the first has the row for each member.
    fn tables(&self) -> Tables;

    /// Returns the header of the result set of a job with this task.
    fn header(&self, job: &JobHeader) -> ResultHeader {
        ResultHeader {
            job: job.name.clone(),
            job_digest: job.digest,
            code_version: CODE_VERSION.to_owned(),
            format_version: FORMAT_VERSION,
            parts: self.parts().len() as u32,
            spec_text: job.text.clone(),
            tables: self.tables(),
        }
    }

    /// Returns how parts are joined.
    fn join(&self) -> Join;

    /// Returns the most rows of a part; depends on the task alone.
    fn part_rows(&self) -> u64;

    /// Returns the ranks of each part; depends on the task alone.
    fn parts(&self) -> Vec<Range<u64>> {
        equal_parts(self.rows(), self.part_rows())
    }

    /// Returns about how many positions must be evaluated for the rows of some ranks; at least 1.
    fn cost(&self, ranks: &Range<u64>) -> u64 {
        (ranks.end - ranks.start).max(1)
    }

    /// Returns the least bytes that some rows take in the result set. `is_begun` says whether it
    /// already has other rows.
    ///
    /// The default is for tasks with few rows, of some hundred bytes each before compression.
    fn row_bytes(&self, rows: u64, _is_begun: bool) -> u64 {
        rows
    }

    /// Returns the least bytes that the values of some rows take in the store.
    fn store_bytes(&self, _rows: u64) -> u64 {
        0
    }

    /// Returns how values are found, and the bytes of the whole result set, which are at least
    /// `least`.
    ///
    /// The default is for tasks whose rows are slow to compute and whose result sets were not
    /// measured.
    fn effort(&self, _least: u64) -> (Workload, Amount<ByteSize>) {
        (
            Workload::Plain {
                is_fast: false,
                held: None,
            },
            Amount::Unknown(NOT_MEASURED),
        )
    }

    /// Returns whether rows differ too much for a few seconds of them to represent the rest.
    fn is_uneven(&self) -> bool {
        false
    }

    /// As [`Task::measure`](super::Task::measure).
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

    /// Returns the least number of units that a job is cut into per shard, if it has enough rows.
    fn units_per_shard_min(&self) -> usize {
        4
    }

    /// Returns whether each row needs the rows before it, so that a shard takes consecutive rows.
    fn is_sequential(&self) -> bool {
        false
    }

    /// Returns the phase in which rows are made.
    fn phase(&self) -> Phase;

    /// Returns the peak memory, in bytes, for making the rows before a rank on `threads` threads,
    /// and in words what takes it. The first writer is not counted. Returns `None` if the task
    /// bounds its memory while it works.
    fn memory(&self, end: u64, threads: u64) -> Option<(u64, &'static str)>;

    /// As [`Task::law_held`](super::Task::law_held).
    fn law_held(&self) -> Option<String> {
        None
    }

    /// Returns the first of some finished rows that refutes the law in the spec, if there is a law.
    ///
    /// # Errors
    ///
    /// If rows cannot be read.
    fn refutation(&self, _: RowsRead<'_>) -> Result<Option<Refutation>, DatasetError> {
        Ok(None)
    }

    /// Makes the parts that are left, until the run stops it.
    ///
    /// # Errors
    ///
    /// The reason for stopping, or a failure; [`RunError::Refuted`] if a row of a finished part
    /// refutes the law in the spec.
    fn make(&self, parts: &Parts<'_>) -> Result<(), RunError>;

    /// Lays out rows as the spec requests.
    ///
    /// # Errors
    ///
    /// As [`Task::table`](super::Task::table).
    fn table(&self, read: RowsRead<'_>) -> Result<Table, ReportError>;

    /// As [`Task::charts`](super::Task::charts).
    ///
    /// # Errors
    ///
    /// As there.
    fn charts(&self, _: RowsRead<'_>) -> Result<Vec<Figure>, ReportError> {
        Ok(Vec::new())
    }

    /// Compares rows with published facts.
    ///
    /// # Errors
    ///
    /// As [`Task::check`](super::Task::check).
    fn check(&self, read: RowsRead<'_>, facts: &Facts) -> Result<CheckReport, ReportError>;

    /// As [`Task::material`](super::Task::material).
    ///
    /// # Errors
    ///
    /// As there.
    fn material(&self, _: RowsRead<'_>) -> Result<Material, ReportError> {
        Ok(Material::default())
    }

    /// As [`Task::mined_variables`](super::Task::mined_variables).
    fn mined_variables(&self) -> Option<Vec<String>> {
        None
    }

    /// As [`Task::entry`](super::Task::entry).
    ///
    /// # Errors
    ///
    /// As there.
    fn entry(
        &self,
        _: &Column,
        _at: &[i64],
        _: &EvaluationLimits<'_>,
    ) -> Result<Option<String>, RunError> {
        Ok(None)
    }
}

/// Rows of a result to read.
#[derive(Clone, Copy)]
pub struct RowsRead<'a> {
    /// The job.
    pub job: &'a JobHeader,
    /// The rows.
    pub rows: Scan<'a>,
    /// The ranks of the rows, ascending.
    pub ranks: &'a [Range<u64>],
}
