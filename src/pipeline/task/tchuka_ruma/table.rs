//! Tables of Tchuka Ruma.

use super::columns::RingRow;
use super::spec::{RingFamily, RingsLayout, RingsTask};
use crate::dataset::Wanted;
use crate::report::ReportError;
use crate::report::check::CheckReport;
use crate::report::reference::Facts;
use crate::report::table::plain::{Column, Grid};
use crate::report::table::{Cell, Table};
use crate::run::{Checked, Reading, Tabulated};

impl Tabulated for RingsTask {
    fn table(&self, reading: &Reading<'_>) -> Result<Table, ReportError> {
        let block = match (&self.family, self.layout) {
            (RingFamily::Starts { pits, stones }, RingsLayout::Grid) => {
                let across = (stones.0..=stones.1).map(Cell::label);
                // Starting positions without a row stay blank.
                let mut grid = Grid::new("pits", (pits.0..=pits.1).map(Cell::label), across);
                let wanted = Wanted::columns(["pits", "stones", "won", "winning"]);
                for row in reading.counted(wanted)? {
                    let row: RingRow = row?;
                    let across = (row.stones / row.pits) as u64 - stones.0;
                    grid.set(row.pits as u64 - pits.0, across, ways(&row));
                }
                grid.block()
            }
            _ => reading.list(self.family.len(), LIST)?,
        };
        Ok(reading.table(vec![block]))
    }
}

impl Checked for RingsTask {
    /// Counts the rows; there are no published facts about single positions.
    fn check(&self, reading: &Reading<'_>, _: &Facts) -> Result<CheckReport, ReportError> {
        Ok(CheckReport {
            job: reading.job.name.clone(),
            rows: reading.scan().count::<RingRow>()?,
            ..CheckReport::default()
        })
    }
}

const LIST: &[Column<RingRow>] = &[
    ("position", |row| Cell::label(&row.position)),
    ("won", |row| Cell::label(won(row))),
    ("ways", |row| Cell::number_or_blank(row.winning)),
    ("fewest plays", |row| Cell::number_or_blank(row.fewest)),
    ("left", |row| Cell::number_or_blank(row.left)),
    ("pits", |row| Cell::label_or_blank(row.line.as_ref())),
];

fn won(row: &RingRow) -> &'static str {
    match row.won {
        Some(true) => "yes",
        Some(false) => "no",
        None => "unknown",
    }
}

/// The number of ways to win, or only whether the position can be won if that number is unknown.
fn ways(row: &RingRow) -> Cell {
    match row.winning {
        Some(ways) => Cell::number(ways),
        None => Cell::number(won(row)),
    }
}
