//! Tables of the Tchoukaillon array.

use super::columns::ArrayRow;
use super::spec::{ArrayEntries, ArrayLayout, ArrayTask};
use crate::dataset::Wanted;
use crate::report::ReportError;
use crate::report::table::plain::{Column, Grid};
use crate::report::table::{Cell, Table};
use crate::run::{Reading, Tabulated};

impl Tabulated for ArrayTask {
    /// A line for each entry, or a line for each row of the array, in which entries that are not there
    /// stay blank.
    fn table(&self, reading: &Reading<'_>) -> Result<Table, ReportError> {
        let number = self.entries.number();
        let block = match (self.layout, &self.entries) {
            (
                ArrayLayout::Grid,
                ArrayEntries::Block {
                    rows: down,
                    columns,
                },
            ) => {
                reading.fits(number.saturating_mul(LIST.len() as u64))?;
                let across = (columns.0..=columns.1).map(Cell::label);
                let mut grid = Grid::new("i", (down.0..=down.1).map(Cell::number), across);
                for row in reading.counted(Wanted::all())? {
                    let row: ArrayRow = row?;
                    let [i, j] = [row.i, row.j].map(i64::unsigned_abs);
                    grid.set(i - down.0, j - columns.0, Cell::number(row.n));
                }
                grid.block()
            }
            _ => reading.list(number, LIST)?,
        };
        Ok(reading.table(vec![block]))
    }
}

const LIST: &[Column<ArrayRow>] = &[
    ("i", |row| Cell::number(row.i)),
    ("j", |row| Cell::number(row.j)),
    ("n", |row| Cell::number(row.n)),
    ("deviation", |row| Cell::decimals(row.deviation)),
];
