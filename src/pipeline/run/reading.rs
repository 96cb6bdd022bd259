//! A finished result, as tables, charts, checks and searches for laws read it.

use std::ops::Range;
use std::path::Path;

use super::JobHeader;
use crate::dataset::{RowSource, Scan, Wanted};
use crate::report::ReportError;
use crate::report::table::plain::{block, counted, fits, table};
use crate::report::table::{Block, Cell, Table};

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

    /// Returns the wanted rows of a result that has one for each rank; fails unless it has.
    pub(crate) fn rows_of<'w, R: 'w>(
        &self,
        wanted: Wanted<'w>,
    ) -> Result<impl Iterator<Item = Result<R, ReportError>> + 'w, ReportError>
    where
        'a: 'w,
        Scan<'a>: RowSource<R>,
    {
        counted(self.job.heading(), self.ranks, self.scan(), wanted)
    }

    /// Returns an error if a table would have too many cells.
    pub(crate) fn fits(&self, cells: u64) -> Result<(), ReportError> {
        fits(self.job.heading(), cells)
    }

    /// Returns a block with a line for each row, under a header; `rows` is the number of rows of
    /// the whole result.
    ///
    /// # Errors
    ///
    /// If rows cannot be read, differ in number from the ranks, or have too many cells.
    pub(crate) fn list<R>(
        &self,
        rows: u64,
        header: &[&str],
        line: impl Fn(R) -> Vec<Cell>,
    ) -> Result<Block, ReportError>
    where
        Scan<'a>: RowSource<R>,
    {
        self.fits(rows.saturating_mul(header.len() as u64))?;
        let lines = self.rows_of(Wanted::all())?.map(|row| Ok(line(row?)));
        Ok(block(header, lines.collect::<Result<_, ReportError>>()?))
    }

    /// Returns a table with the job's title and source.
    pub(crate) fn table(&self, blocks: Vec<Block>) -> Table {
        table(self.job.heading(), blocks)
    }
}
