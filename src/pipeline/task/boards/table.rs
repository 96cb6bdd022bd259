//! Tables of Tchoukaillon boards.

use super::columns::BoardRow;
use super::{BoardsLayout, BoardsTask, ListedBins};
use crate::dataset::Wanted;
use crate::report::ReportError;
use crate::report::table::plain::{Column, lines};
use crate::report::table::{Cell, Table};
use crate::run::{Reading, Tabulated};

impl Tabulated for BoardsTask {
    /// A line for each board, optionally with a column for each bin, as in the paper's Figure 2.
    fn table(&self, reading: &Reading<'_>) -> Result<Table, ReportError> {
        reading.fits(self.rows().saturating_mul(LIST.len() as u64))?;
        let rows = reading.counted(Wanted::all())?;
        let block = match self.layout {
            BoardsLayout::List if self.bins == ListedBins::None => lines(rows, &LIST[..NUMBERS])?,
            BoardsLayout::List => lines(rows, LIST)?,
            BoardsLayout::Bins => {
                let mut width = 0;
                let mut boards: Vec<Vec<u32>> = Vec::new();
                let mut counted: Vec<BoardRow> = Vec::new();
                for row in rows {
                    let mut row = row?;
                    let bins = row.bins.take().unwrap_or_default();
                    width = width.max(bins.len());
                    reading.fits(self.rows().saturating_mul((NUMBERS + width) as u64))?;
                    boards.push(bins);
                    counted.push(row);
                }
                let mut block = lines(counted.into_iter().map(Ok), &LIST[..NUMBERS])?;
                let names = (1..=width).map(|bin| Cell::label(format_args!("b_{bin}")));
                block.header.extend(names);
                for (line, bins) in block.rows.iter_mut().zip(boards) {
                    line.extend(bins.into_iter().map(Cell::number));
                    line.resize(NUMBERS + width, Cell::Blank);
                }
                block
            }
        };
        Ok(reading.table(vec![block]))
    }
}

const LIST: &[Column<BoardRow>] = &[
    ("n", |row| Cell::number(row.n)),
    ("length", |row| Cell::number(row.length)),
    ("first play", |row| Cell::number_or_blank(row.first_play)),
    ("board", |row| {
        Cell::label_or_blank(row.bins.as_ref().map(|bins| board(bins, row.length)))
    }),
];

/// The number of columns before the bins.
const NUMBERS: usize = 3;

/// Writes a board as the paper does, with dots if farther bins are not listed.
fn board(bins: &[u32], length: i32) -> String {
    let listed: Vec<String> = bins.iter().map(u32::to_string).collect();
    let more = if bins.len() < length as usize {
        ", ..."
    } else {
        ""
    };
    format!("({}{more})", listed.join(", "))
}
