//! Tables of scored games.

use super::columns::{EndgameRow, ScoreRow, StartRow, TierRow};
use super::spec::{ScoreFamily, ScoresLayout, ScoresTask};
use crate::dataset::Wanted;
use crate::report::ReportError;
use crate::report::table::plain::grid;
use crate::report::table::{Block, Cell, Table};
use crate::run::{Reading, Tabulated};

impl Tabulated for ScoresTask {
    /// A line for each row, or a grid of starting positions.
    fn table(&self, reading: &Reading<'_>) -> Result<Table, ReportError> {
        let rows = self.family.len();
        let block = match (&self.family, self.layout) {
            (ScoreFamily::Starts { pits, seeds }, ScoresLayout::Grid) => {
                margins(reading, *pits, *seeds)?
            }
            (ScoreFamily::Starts { .. }, _) => {
                let header = ["position", "margin", "first moves", "searched", "best play"];
                reading.list(rows, &header, |row: StartRow| {
                    let moves = row.moves.iter().zip(&row.move_margins);
                    let moves: Vec<String> = moves
                        .map(|(pit, margin)| format!("{pit}: {margin}"))
                        .collect();
                    vec![
                        Cell::Label(row.position),
                        Cell::number(row.margin),
                        Cell::Label(moves.join(", ")),
                        Cell::number(row.searched),
                        row.line.map_or(Cell::Blank, Cell::Label),
                    ]
                })?
            }
            (ScoreFamily::Tiers { .. }, _) => {
                let header = [
                    "seeds",
                    "positions",
                    "endless",
                    "least",
                    "at",
                    "greatest",
                    "at",
                ];
                reading.list(rows, &header, |row: TierRow| {
                    vec![
                        Cell::number(row.seeds),
                        Cell::number(row.positions),
                        Cell::number(row.endless),
                        Cell::number(row.margin_least),
                        Cell::Label(row.least_at),
                        Cell::number(row.margin_greatest),
                        Cell::Label(row.greatest_at),
                    ]
                })?
            }
            (ScoreFamily::Endgames { .. }, _) => {
                let header = ["pits", "seeds", "positions", "determined", "first", "board"];
                reading.list(rows, &header, |row: EndgameRow| {
                    vec![
                        Cell::number(row.pits),
                        Cell::number(row.seeds),
                        Cell::number(row.positions),
                        Cell::number(row.determined),
                        row.first.map_or(Cell::Blank, Cell::Label),
                        row.board.map_or(Cell::Blank, Cell::Label),
                    ]
                })?
            }
            _ => {
                let header = ["position", "margin", "best moves", "endless"];
                reading.list(rows, &header, |row: ScoreRow| {
                    let best: Vec<String> = row.best_moves.iter().map(i64::to_string).collect();
                    vec![
                        Cell::Label(row.position),
                        Cell::number(row.margin),
                        Cell::Label(best.join(" ")),
                        Cell::Label(if row.endless { "yes" } else { "no" }.to_owned()),
                    ]
                })?
            }
        };
        Ok(reading.table(vec![block]))
    }
}

/// A line for each number of pits; starting positions without a row stay blank.
fn margins(
    reading: &Reading<'_>,
    pits: (usize, usize),
    seeds: (u32, u32),
) -> Result<Block, ReportError> {
    let width = (seeds.1 - seeds.0 + 1) as usize;
    let mut cells = vec![vec![Cell::Blank; width]; pits.1 - pits.0 + 1];
    for row in reading.rows_of::<StartRow>(Wanted::all())? {
        let row = row?;
        let line = row.pits as usize - pits.0;
        let column = row.pit_seeds as usize - seeds.0 as usize;
        cells[line][column] = Cell::number(row.margin);
    }
    let labels = (pits.0..).map(|pits| Cell::Label(pits.to_string()));
    Ok(grid("pits", seeds.0..=seeds.1, labels.zip(cells)))
}
