//! Tables of the Tchoukaillon array.

use super::columns::ArrayRow;
use super::spec::{ArrayEntries, ArrayLayout, ArrayTask};
use crate::dataset::Wanted;
use crate::report::ReportError;
use crate::report::table::plain::grid;
use crate::report::table::{Block, Cell, Table};
use crate::run::{Described, Reading, Tabulated};

impl Tabulated for ArrayTask {
    /// A line for each entry, or a line for each row of the array.
    fn table(&self, reading: &Reading<'_>) -> Result<Table, ReportError> {
        let block = match (self.layout, &self.entries) {
            (
                ArrayLayout::Grid,
                ArrayEntries::Block {
                    rows: down,
                    columns,
                },
            ) => grid_of(reading, self.rows(), *down, *columns)?,
            _ => {
                let header = ["i", "j", "n", "deviation"];
                reading.list(self.rows(), &header, |row: ArrayRow| {
                    let numbers = [row.i, row.j, row.n].map(Cell::number);
                    let deviation = Cell::Number(format!("{:.3}", row.deviation));
                    numbers.into_iter().chain([deviation]).collect()
                })?
            }
        };
        Ok(reading.table(vec![block]))
    }
}

/// A line for each row of the array; entries that are not there stay blank.
fn grid_of(
    reading: &Reading<'_>,
    entries: u64,
    down: (u64, u64),
    across: (u64, u64),
) -> Result<Block, ReportError> {
    reading.fits(entries.saturating_mul(4))?;
    let width = across.1 - across.0 + 1;
    let mut cells = vec![vec![Cell::Blank; width as usize]; (down.1 - down.0 + 1) as usize];
    for row in reading.rows_of::<ArrayRow>(Wanted::all())? {
        let row = row?;
        let line = row.i.unsigned_abs() - down.0;
        let place = row.j.unsigned_abs() - across.0;
        cells[line as usize][place as usize] = Cell::number(row.n);
    }
    let lines = (down.0..).map(Cell::number).zip(cells);
    Ok(grid("i", across.0..=across.1, lines))
}
