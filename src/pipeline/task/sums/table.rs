//! Tables of sums.

use std::ops::Range;

use super::columns::SumRow;
use super::spec::{SumsLayout, SumsTask};
use crate::dataset::Wanted;
use crate::report::ReportError;
use crate::report::table::plain::{grid, listed};
use crate::report::table::{Block, Cell, Table, ValueText};
use crate::run::{Described, Reading, Tabulated};

impl Tabulated for SumsTask {
    /// A list of sums, or a grid of their values.
    fn table(&self, reading: &Reading<'_>) -> Result<Table, ReportError> {
        reading.fits(self.rows())?;
        let names = self.names();
        let wanted = (names.iter().map(String::as_str)).chain(["position", "value"]);
        let rows = reading.rows_of(Wanted::columns(wanted))?;
        let block = match self.layout {
            SumsLayout::List { columns_per_row } => list(&names, columns_per_row, rows)?,
            SumsLayout::Grid => values(self, &names, reading.ranks, rows)?,
        };
        Ok(reading.table(vec![block]))
    }
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
fn values(
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
    let labels = down.iter().map(|number| Cell::Label(number.to_string()));
    let corner = format!("{}\\{}", names[0], names[1]);
    Ok(grid(&corner, across.iter(), labels.zip(cells)))
}
