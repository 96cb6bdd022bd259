//! A result as its reports read it.

use std::ops::Range;
use std::path::Path;

use cggames::game::moves::printed;

use super::JobHeader;
use super::plan::rows_of;
use crate::dataset::{PositionRow, Scan, TableRow, Wanted};
use crate::report::ReportError;
use crate::report::check::CheckReport;
use crate::report::check::compare::{Comparison, Verdict};
use crate::report::reference::Cited;
use crate::report::site::Occurrence;
use crate::report::table::plain::{Column, lines};
use crate::report::table::{Block, CELLS_MAX, Table};

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

    /// Returns an error unless the result has one row for each rank.
    pub(crate) fn check_count<R: TableRow>(&self) -> Result<(), ReportError> {
        let expected = self.ranks.iter().map(rows_of).sum();
        let found = self.scan().count::<R>()?;
        if found == expected {
            return Ok(());
        }
        Err(ReportError::RowCount {
            job: self.job.name.clone(),
            expected,
            found,
        })
    }

    /// Returns the wanted rows of a result that has one for each rank, or an error.
    pub(crate) fn counted<'w, R: TableRow>(
        &self,
        wanted: Wanted<'w>,
    ) -> Result<impl Iterator<Item = Result<R, ReportError>> + use<'w, R>, ReportError>
    where
        'a: 'w,
    {
        self.check_count::<R>()?;
        Ok(self.scan().rows::<R>(wanted)?.map(|row| Ok(row?)))
    }

    /// Returns an error if a table would have too many cells.
    pub(crate) fn fits(&self, cells: u64) -> Result<(), ReportError> {
        if cells <= CELLS_MAX {
            return Ok(());
        }
        Err(ReportError::TooLarge {
            job: self.job.name.clone(),
            cells,
            max: CELLS_MAX,
        })
    }

    /// Returns a list of a job's `all` rows: a line for each that has a rank.
    pub(crate) fn list<R: TableRow>(
        &self,
        all: u64,
        columns: &[Column<R>],
    ) -> Result<Block, ReportError> {
        self.fits(all.saturating_mul(columns.len() as u64))?;
        lines(self.counted(Wanted::all())?, columns)
    }

    /// Returns a table with the job's title and source.
    pub(crate) fn table(&self, blocks: Vec<Block>) -> Table {
        Table {
            title: self.job.title.clone(),
            source: self.job.source.clone(),
            blocks,
            notes: Vec::new(),
        }
    }

    /// Passes the positions of a table of positions and their values.
    pub(crate) fn occurrences(
        &self,
        each: &mut dyn FnMut(&Occurrence<'_>),
    ) -> Result<(), ReportError> {
        let columns = ["position", "pots", "seeds", "value", "value_digest"];
        for row in self.scan().rows::<PositionRow>(Wanted::columns(columns))? {
            let PositionRow {
                position,
                features,
                value,
                ..
            } = row?;
            // A long value has no notation.
            if let Some(value) = value.and_then(|value| value.value) {
                each(&Occurrence {
                    value: &value,
                    position: &printed(&position),
                    pots: features.pots.map(i64::from),
                    seeds: features.seeds,
                    count: 1,
                });
            }
        }
        Ok(())
    }

    /// Compares the wanted rows with facts, row by row.
    pub(crate) fn compared<'f, R: TableRow, F: 'f, V: IntoIterator<Item = Verdict>>(
        &self,
        wanted: Wanted<'_>,
        facts: impl IntoIterator<Item = &'f Cited<F>>,
        mut compare: impl FnMut(&R, &'f Cited<F>) -> V,
    ) -> Result<CheckReport, ReportError> {
        let mut comparison = Comparison::new(&self.job.name, facts);
        for row in self.scan().rows::<R>(wanted)? {
            let row = row?;
            comparison.row(|cited| compare(&row, cited));
        }
        Ok(comparison.finish())
    }
}
