//! What the tables of plain result sets have in common.

use std::ops::Range;

use super::{Block, CELLS_MAX, Cell, Table};
use crate::dataset::DatasetError;
use crate::job::Job;
use crate::report::ReportError;

/// Returns a table with a job's title and source.
pub(super) fn table(job: &Job, blocks: Vec<Block>) -> Table {
    Table {
        title: job.title.clone(),
        source: job.source.clone(),
        blocks,
        notes: Vec::new(),
    }
}

/// Returns an error where a table would have too many cells.
pub(super) fn fits(job: &Job, cells: u64) -> Result<(), ReportError> {
    if cells <= CELLS_MAX {
        return Ok(());
    }
    Err(ReportError::TooLarge {
        job: job.name.clone(),
        cells,
        max: CELLS_MAX,
    })
}

/// Rows, as many as there are ranks or an error.
pub(super) struct Counted<'a, I> {
    job: &'a Job,
    expected: u64,
    rows: Option<I>,
    read: u64,
}

impl<'a, I> Counted<'a, I> {
    pub(super) fn new(job: &'a Job, ranks: &[Range<u64>], rows: I) -> Counted<'a, I> {
        Counted {
            job,
            expected: ranks.iter().map(|ranks| ranks.end - ranks.start).sum(),
            rows: Some(rows),
            read: 0,
        }
    }
}

impl<R, I: Iterator<Item = Result<R, DatasetError>>> Iterator for Counted<'_, I> {
    type Item = Result<R, ReportError>;

    fn next(&mut self) -> Option<Self::Item> {
        let row = self.rows.as_mut()?.next();
        let expected = self.expected;
        self.read += u64::from(row.is_some());
        match row {
            Some(Ok(row)) if self.read <= expected => Some(Ok(row)),
            None if self.read == expected => None,
            Some(Err(error)) => {
                self.rows = None;
                Some(Err(error.into()))
            }
            Some(Ok(_)) | None => {
                self.rows = None;
                Some(Err(ReportError::RowCount {
                    job: self.job.name.clone(),
                    expected,
                    found: self.read,
                }))
            }
        }
    }
}

/// Returns a block whose first column labels the rows.
pub(super) fn block(header: &[&str], rows: Vec<Vec<Cell>>) -> Block {
    let label = |text: &&str| Cell::Label((*text).to_owned());
    Block {
        header: header.iter().map(label).collect(),
        labelled: true,
        rows,
    }
}
