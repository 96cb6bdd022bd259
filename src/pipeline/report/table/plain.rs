//! Common code of the tables of plain result sets.

use std::fmt::Display;
use std::iter;
use std::ops::Range;

use super::{Block, CELLS_MAX, Cell, Table};
use crate::dataset::{DatasetError, RowSource, Wanted};
use crate::report::ReportError;

/// The heading of a table: its job.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Heading<'j> {
    pub(crate) name: &'j str,
    pub(crate) title: Option<&'j str>,
    pub(crate) source: Option<&'j str>,
}

/// Returns a table with a job's title and source.
pub(crate) fn table(job: Heading<'_>, blocks: Vec<Block>) -> Table {
    Table {
        title: job.title.map(str::to_owned),
        source: job.source.map(str::to_owned),
        blocks,
        notes: Vec::new(),
    }
}

/// Returns an error if a table would have too many cells.
pub(crate) fn fits(job: Heading<'_>, cells: u64) -> Result<(), ReportError> {
    if cells <= CELLS_MAX {
        return Ok(());
    }
    Err(ReportError::TooLarge {
        job: job.name.to_owned(),
        cells,
        max: CELLS_MAX,
    })
}

/// Returns the wanted rows of a job's result; fails unless the result has one row for each rank.
pub(crate) fn counted<'w, R: 'w>(
    job: Heading<'w>,
    ranks: &[Range<u64>],
    rows: impl RowSource<R> + 'w,
    wanted: Wanted<'w>,
) -> Result<impl Iterator<Item = Result<R, ReportError>> + 'w, ReportError> {
    let known = same_count(job, ranks, &rows)?;
    Ok(Counted {
        job,
        expected: count(ranks),
        rows: Some(rows.rows(wanted)?),
        read: 0,
        known,
    })
}

/// Returns whether a result knows its number of rows; fails if that differs from the number of
/// ranks.
pub(crate) fn same_count<R>(
    job: Heading<'_>,
    ranks: &[Range<u64>],
    rows: &impl RowSource<R>,
) -> Result<bool, ReportError> {
    match rows.row_count()? {
        Some(found) if found != count(ranks) => Err(wrong_count(job, count(ranks), found)),
        found => Ok(found.is_some()),
    }
}

/// Returns the number of ranks.
pub(crate) fn count(ranks: &[Range<u64>]) -> u64 {
    ranks.iter().map(|ranks| ranks.end - ranks.start).sum()
}

pub(crate) fn wrong_count(job: Heading<'_>, expected: u64, found: u64) -> ReportError {
    ReportError::RowCount {
        job: job.name.to_owned(),
        expected,
        found,
    }
}

/// Rows, one for each rank, or an error at the end.
struct Counted<'a, I> {
    job: Heading<'a>,
    expected: u64,
    rows: Option<I>,
    read: u64,
    /// Whether the rows were counted before, so that only the wanted ones are read.
    known: bool,
}

impl<R, I: Iterator<Item = Result<R, DatasetError>>> Iterator for Counted<'_, I> {
    type Item = Result<R, ReportError>;

    fn next(&mut self) -> Option<Self::Item> {
        let row = self.rows.as_mut()?.next();
        let expected = self.expected;
        self.read += u64::from(row.is_some());
        match row {
            Some(Ok(row)) if self.known || self.read <= expected => Some(Ok(row)),
            None if self.known || self.read == expected => None,
            Some(Err(error)) => {
                self.rows = None;
                Some(Err(error.into()))
            }
            Some(Ok(_)) | None => {
                self.rows = None;
                Some(Err(wrong_count(self.job, expected, self.read)))
            }
        }
    }
}

/// A column of a list: its header, and its cell of a row.
pub(crate) type Column<R> = (&'static str, fn(&R) -> Cell);

/// Returns a list of a job's `all` rows: a line for each that has a rank.
pub(crate) fn list<R>(
    job: Heading<'_>,
    all: u64,
    ranks: &[Range<u64>],
    rows: impl RowSource<R>,
    columns: &[Column<R>],
) -> Result<Block, ReportError> {
    fits(job, all.saturating_mul(columns.len() as u64))?;
    lines(counted(job, ranks, rows, Wanted::all())?, columns)
}

/// Returns a line for each row.
pub(crate) fn lines<R>(
    rows: impl Iterator<Item = Result<R, ReportError>>,
    columns: &[Column<R>],
) -> Result<Block, ReportError> {
    let line = |row: &R| columns.iter().map(|(_, cell)| cell(row)).collect();
    let lines = rows.map(|row| Ok(line(&row?)));
    let header: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
    Ok(block(&header, lines.collect::<Result<_, ReportError>>()?))
}

/// A line for each value of one quantity, and a column for each value of another.
pub(crate) struct Grid {
    header: Vec<Cell>,
    lines: Vec<Vec<Cell>>,
}

impl Grid {
    /// Returns a grid of blank cells between the labels of its lines and of its columns.
    pub(crate) fn new(
        corner: impl Display,
        down: impl Iterator<Item = Cell>,
        across: impl Iterator<Item = Cell>,
    ) -> Grid {
        let header: Vec<Cell> = iter::once(Cell::label(corner)).chain(across).collect();
        let line = |label| {
            let mut line = vec![Cell::Blank; header.len()];
            line[0] = label;
            line
        };
        let lines = down.map(line).collect();
        Grid { header, lines }
    }

    /// Sets a cell, given its places in its column and in its line.
    pub(crate) fn set(&mut self, down: u64, across: u64, cell: Cell) {
        self.lines[down as usize][1 + across as usize] = cell;
    }

    pub(crate) fn block(self) -> Block {
        Block {
            header: self.header,
            ..block(&[], self.lines)
        }
    }
}

/// Returns a block of cells in columns side by side, which are filled downwards one after another.
pub(crate) fn listed(cells: Vec<Cell>, columns: usize) -> Block {
    let height = cells.len().div_ceil(columns.max(1));
    let mut lines = vec![Vec::new(); height];
    for (i, cell) in cells.into_iter().enumerate() {
        lines[i % height].push(cell);
    }
    unlabelled(lines)
}

/// Returns a block without header and labels; blanks fill short lines.
pub(crate) fn unlabelled(mut lines: Vec<Vec<Cell>>) -> Block {
    let width = lines.iter().map(Vec::len).max().unwrap_or(0);
    for line in &mut lines {
        line.resize(width, Cell::Blank);
    }
    Block {
        labelled: false,
        ..block(&[], lines)
    }
}

/// Returns a block of numbers with their names, whose columns have these keys in CSV and JSON.
pub(crate) fn summary(keys: &'static [&'static str], rows: Vec<Vec<Cell>>) -> Block {
    Block {
        name: "summary",
        keys,
        ..block(&[], rows)
    }
}

/// Returns a block whose first column labels the rows.
pub(crate) fn block(header: &[&str], rows: Vec<Vec<Cell>>) -> Block {
    Block {
        name: "table",
        keys: &[],
        header: header.iter().map(Cell::label).collect(),
        labelled: true,
        rows,
    }
}
