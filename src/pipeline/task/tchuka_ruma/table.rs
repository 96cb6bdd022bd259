//! Tables of Tchuka Ruma.

use super::columns::RingRow;
use super::spec::{RingFamily, RingsLayout, RingsTask};
use crate::dataset::Wanted;
use crate::report::ReportError;
use crate::report::table::plain::grid;
use crate::report::table::{Block, Cell, Table};
use crate::run::{Described, Reading, Tabulated};

impl Tabulated for RingsTask {
    /// A line for each position, or a grid of starting positions.
    fn table(&self, reading: &Reading<'_>) -> Result<Table, ReportError> {
        let block = match (&self.family, self.layout) {
            (RingFamily::Starts { pits, stones }, RingsLayout::Grid) => {
                ways(reading, *pits, *stones)?
            }
            _ => {
                let header = ["position", "won", "ways", "fewest plays", "left", "pits"];
                reading.list(self.rows(), &header, |row: RingRow| {
                    vec![
                        Cell::Label(row.position.clone()),
                        Cell::Label(won(&row).to_owned()),
                        number(row.winning),
                        number(row.fewest),
                        number(row.left),
                        row.line.map_or(Cell::Blank, Cell::Label),
                    ]
                })?
            }
        };
        Ok(reading.table(vec![block]))
    }
}

fn number(count: Option<i64>) -> Cell {
    count.map_or(Cell::Blank, Cell::number)
}

fn won(row: &RingRow) -> &'static str {
    match row.won {
        Some(true) => "yes",
        Some(false) => "no",
        None => "unknown",
    }
}
/// A line for each number of pits: the number of ways to win each starting position, or only
/// whether it can be won if that number is unknown. Starting positions without a row stay blank.
fn ways(reading: &Reading<'_>, pits: (u64, u64), stones: (u64, u64)) -> Result<Block, ReportError> {
    let width = stones.1 - stones.0 + 1;
    let mut cells = vec![vec![Cell::Blank; width as usize]; (pits.1 - pits.0 + 1) as usize];
    let wanted = Wanted::columns(["pits", "stones", "won", "winning"]);
    for row in reading.rows_of::<RingRow>(wanted)? {
        let row = row?;
        let line = (row.pits as u64 - pits.0) as usize;
        let column = ((row.stones / row.pits) as u64 - stones.0) as usize;
        cells[line][column] = match row.winning {
            Some(ways) => Cell::number(ways),
            None => Cell::Number(won(&row).to_owned()),
        };
    }
    let labels = (pits.0..).map(|pits| Cell::Label(pits.to_string()));
    Ok(grid("pits", stones.0..=stones.1, labels.zip(cells)))
}
