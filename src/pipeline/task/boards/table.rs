//! Tables of Tchoukaillon boards.

use super::columns::BoardRow;
use super::{BoardsLayout, BoardsTask, ListedBins};
use crate::dataset::Wanted;
use crate::report::ReportError;
use crate::report::table::plain::block;
use crate::report::table::{Cell, Table};
use crate::run::{Reading, Tabulated};

impl Tabulated for BoardsTask {
    /// A line for each board, optionally with a column for each bin, as in the paper's Figure 2.
    fn table(&self, reading: &Reading<'_>) -> Result<Table, ReportError> {
        reading.fits(self.rows().saturating_mul(4))?;
        let mut width = 0;
        let mut rows: Vec<BoardRow> = Vec::new();
        for row in reading.rows_of::<BoardRow>(Wanted::all())? {
            let row = row?;
            width = width.max(row.bins.as_ref().map_or(0, Vec::len));
            if self.layout == BoardsLayout::Bins {
                reading.fits(self.rows().saturating_mul(width as u64 + 3))?;
            }
            rows.push(row);
        }
        let mut header = ["n", "length", "first play"].map(str::to_owned).to_vec();
        let start = |row: &BoardRow| {
            let first_play = row.first_play.map_or(Cell::Blank, Cell::number);
            vec![Cell::number(row.n), Cell::number(row.length), first_play]
        };
        let lines = match self.layout {
            BoardsLayout::List => {
                header.extend((self.bins != ListedBins::None).then(|| "board".to_owned()));
                let line = |row: &BoardRow| {
                    let bins = row.bins.iter();
                    let board = bins.map(|bins| Cell::Label(board(bins, row.length)));
                    start(row).into_iter().chain(board).collect()
                };
                rows.iter().map(line).collect()
            }
            BoardsLayout::Bins => {
                header.extend((1..=width).map(|bin| format!("b_{bin}")));
                let line = |row: &BoardRow| {
                    let mut line = start(row);
                    line.extend(row.bins.iter().flatten().map(Cell::number));
                    line.resize(width + 3, Cell::Blank);
                    line
                };
                rows.iter().map(line).collect()
            }
        };
        let header: Vec<&str> = header.iter().map(String::as_str).collect();
        Ok(reading.table(vec![block(&header, lines)]))
    }
}

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
