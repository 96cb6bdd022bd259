//! The interface of a kind of job whose result has a row for each member of a family.

use std::ops::Range;

use bytesize::ByteSize;

use super::described::{Checked, Described, Mined, Tabulated};
use super::estimate::{Amount, NOT_MEASURED, Workload};
use super::parts::Parts;
use super::stage::Phase;
use super::{CODE_VERSION, DiskNeed, JobHeader, Reading, Refutation, RunError, equal_parts};
use crate::dataset::{
    DatasetError, FORMAT_VERSION, Join, Lacking, ResultHeader, ResultSet, RowLimit, TableRow,
    Tables,
};

/// A kind of job whose result has a row for each member of a family.
pub trait RowTask: Described + Tabulated + Checked + Mined {
    /// Returns the tables, and how their rows are made; depends on the task alone.
    fn making(&self) -> Making;

    /// Returns the ranks of each part; depends on the task alone.
    fn parts(&self) -> Vec<Range<u64>> {
        equal_parts(self.rows(), self.making().part_rows)
    }

    /// Returns about how many positions must be evaluated for the rows of some ranks; at least 1.
    fn cost(&self, ranks: &Range<u64>) -> u64 {
        (ranks.end - ranks.start).max(1)
    }

    /// Returns the least bytes that some rows take in the result set, and their values in the
    /// store. `is_begun` says whether the result set already has other rows.
    ///
    /// The default is for tasks with few rows, of some hundred bytes each before compression.
    fn row_bytes(&self, rows: u64, _is_begun: bool) -> DiskNeed {
        DiskNeed::of_results(rows)
    }

    /// Returns how values are found, and the bytes of the whole result set, which are at least
    /// `least`.
    ///
    /// The default is for tasks whose rows are slow to compute and whose result sets were not
    /// measured.
    fn volume(&self, _least: ByteSize) -> (Workload, Amount<ByteSize>) {
        let workload = Workload::Plain {
            is_fast: false,
            held: None,
        };
        (workload, Amount::Unknown(NOT_MEASURED))
    }

    /// Returns the peak memory for making the rows before a rank on `threads` threads. The first
    /// writer is not counted. Returns `None` if the task bounds its memory while it works.
    fn memory(&self, end: u64, threads: u64) -> Option<MemoryNeed>;

    /// Returns the limit for each row that the spec sets, if it sets one.
    fn row_limit(&self) -> Option<RowLimit> {
        None
    }

    /// Returns the first of some finished rows that refutes the law in the spec, if there is a law.
    ///
    /// # Errors
    ///
    /// If rows cannot be read.
    fn refutation(&self, _: &Reading<'_>) -> Result<Option<Refutation>, DatasetError> {
        Ok(None)
    }

    /// Returns which rows of the result of another family this job lacks; the jobs are otherwise the
    /// same. Returns `None` if the rows cannot be kept. Called if [`Making::grows`] is set.
    ///
    /// # Errors
    ///
    /// If rows cannot be read.
    fn lacking(&self, _: &ResultSet) -> Result<Option<Lacking>, DatasetError> {
        Ok(None)
    }

    /// Makes the parts that are left, until the run stops it.
    ///
    /// # Errors
    ///
    /// The reason for stopping, or a failure; [`RunError::Refuted`] if a row of a finished part
    /// refutes the law in the spec.
    fn make(&self, parts: &Parts<'_>) -> Result<(), RunError>;
}

impl dyn RowTask + '_ {
    /// Returns the header of the result set of a job with this task.
    pub(crate) fn header(&self, job: &JobHeader) -> ResultHeader {
        let Making {
            mut tables, grows, ..
        } = self.making();
        tables.may_grow = grows.is_some();
        ResultHeader {
            job: job.name.clone(),
            job_digest: job.digest,
            code_version: CODE_VERSION.to_owned(),
            format_version: FORMAT_VERSION,
            parts: self.parts().len() as u32,
            spec_text: job.text.clone(),
            tables,
        }
    }
}

/// The tables of a task, and how their rows are made.
#[derive(Clone, Debug)]
pub struct Making {
    /// The tables of the result; the first has the row for each member.
    pub tables: Tables,
    /// Joins parts of other result sets of the same tables.
    pub join: Join,
    /// The tables of such a result with other variables, if a job with another family can
    /// [keep](RowTask::lacking) its rows.
    pub grows: Option<fn(Vec<String>) -> Tables>,
    /// The phase in which rows are made.
    pub phase: Phase,
    /// The most rows of a part.
    pub part_rows: u64,
    /// Whether each row needs the rows before it, so that a shard takes consecutive rows.
    pub is_sequential: bool,
    /// Whether rows differ too much for a few seconds of them to represent the rest.
    pub is_uneven: bool,
    /// Whether a run can set a limit to each row.
    pub takes_row_limit: bool,
    /// The least number of units that a job is cut into per shard, if it has enough rows.
    pub units_per_shard_min: usize,
}

impl Making {
    /// Returns how independent rows of a single table are made, at about equal cost.
    pub fn new<R: TableRow>(phase: Phase, part_rows: u64) -> Making {
        Making {
            tables: Tables::of::<R>(),
            join: ResultSet::join::<R>,
            grows: None,
            phase,
            part_rows,
            is_sequential: false,
            is_uneven: false,
            takes_row_limit: false,
            units_per_shard_min: 4,
        }
    }
}

/// The memory for making rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryNeed {
    /// The peak, in bytes.
    pub bytes: u64,
    /// The largest use, in words.
    pub purpose: &'static str,
}
