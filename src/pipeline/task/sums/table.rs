//! Tables of sums.

use std::ops::Range;

use super::columns::SumRow;
use super::spec::{SumsLayout, SumsTask};
use crate::dataset::{RowSource, Wanted};
use crate::report::ReportError;
use crate::report::table::plain::{block, counted, fits, listed, table};
use crate::report::table::{Block, Cell, Table, ValueText};
use crate::run::JobHeader;

/// Lays out rows as the job requests.
///
/// # Errors
///
/// If rows cannot be read, if their number differs from the job's, or if the table has more than
/// [`CELLS_MAX`](crate::report::table::CELLS_MAX) cells.
pub(super) fn build(
    job: &JobHeader,
    task: &SumsTask,
    ranks: &[Range<u64>],
    rows: impl RowSource<SumRow>,
) -> Result<Table, ReportError> {
    fits(job.heading(), task.family.len())?;
    let names = task.names();
    let wanted = names
        .iter()
        .map(String::as_str)
        .chain(["position", "value"]);
    let rows = counted(job.heading(), ranks, rows, Wanted::columns(wanted))?;
    let block = match task.layout {
        SumsLayout::List { columns_per_row } => list(&names, columns_per_row, rows)?,
        SumsLayout::Grid => grid(task, &names, ranks, rows)?,
    };
    Ok(table(job.heading(), vec![block]))
}

/// `sum = value`, one after another, filled downwards.
fn list(
    names: &[String],
    columns: usize,
    rows: impl Iterator<Item = Result<SumRow, ReportError>>,
) -> Result<Block, ReportError> {
    let mut cells = Vec::new();
    for row in rows {
        let row = row?;
        let variables = names.iter().zip(&row.variables);
        cells.push(Cell::Equation {
            position: row.position,
            variables: variables
                .filter_map(|(name, number)| Some((name.clone(), (*number)?)))
                .collect(),
            value: ValueText::Notation(row.value.to_string()),
            followers: None,
        });
    }
    Ok(listed(cells, columns))
}

/// A line for each value of the first variable, a column for each value of the second; cells
/// without a row stay blank.
fn grid(
    task: &SumsTask,
    names: &[String],
    ranks: &[Range<u64>],
    rows: impl Iterator<Item = Result<SumRow, ReportError>>,
) -> Result<Block, ReportError> {
    let [down, across] = task.family.values() else {
        unreachable!("a grid has two variables, which the spec's reader checks");
    };
    let width = across.len() as usize;
    let mut cells = vec![vec![Cell::Blank; width]; down.len() as usize];
    // Rows are in the family's order, so the rank gives a row's place.
    let ranks = ranks.iter().cloned().flatten();
    for (rank, row) in ranks.zip(rows) {
        let value = ValueText::Notation(row?.value.to_string());
        cells[rank as usize / width][rank as usize % width] = Cell::Value(value);
    }
    let header: Vec<String> = std::iter::once(format!("{}\\{}", names[0], names[1]))
        .chain(across.iter().map(|number| number.to_string()))
        .collect();
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let lines = down.iter().zip(cells).map(|(number, cells)| {
        let label = Cell::Label(number.to_string());
        std::iter::once(label).chain(cells).collect()
    });
    Ok(block(&header, lines.collect()))
}
