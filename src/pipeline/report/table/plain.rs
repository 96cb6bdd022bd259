//! Common code of the tables of plain result sets.

use std::fmt::Display;
use std::iter;

use super::{Block, Cell};
use crate::report::ReportError;

/// A column of a list: its header, and its cell of a row.
pub(crate) type Column<R> = (&'static str, fn(&R) -> Cell);

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
