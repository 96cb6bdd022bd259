//! Tables of scored games.

use super::columns::{EndgameRow, ScoreRow, StartRow, TierRow};
use super::spec::{ScoreFamily, ScoresLayout, ScoresTask};
use crate::dataset::Wanted;
use crate::report::ReportError;
use crate::report::table::plain::{Column, Grid};
use crate::report::table::{Cell, Table};
use crate::run::{Reading, Tabulated};

impl Tabulated for ScoresTask {
    fn table(&self, reading: &Reading<'_>) -> Result<Table, ReportError> {
        let all = self.family.len();
        let block = match (&self.family, self.layout) {
            (ScoreFamily::Starts { pits, seeds }, ScoresLayout::Grid) => {
                let across = (seeds.0..=seeds.1).map(Cell::label);
                // Starting positions without a row stay blank.
                let mut grid = Grid::new("pits", (pits.0..=pits.1).map(Cell::label), across);
                for row in reading.counted(Wanted::all())? {
                    let row: StartRow = row?;
                    let (down, across) = (row.pits as u64 - pits.0 as u64, row.pit_seeds as u64);
                    grid.set(down, across - u64::from(seeds.0), Cell::number(row.margin));
                }
                grid.block()
            }
            (ScoreFamily::Starts { .. }, _) => reading.list(all, STARTS)?,
            (ScoreFamily::Tiers { .. }, _) => reading.list(all, TIERS)?,
            (ScoreFamily::Endgames { .. }, _) => reading.list(all, ENDGAMES)?,
            _ => reading.list(all, POSITIONS)?,
        };
        Ok(reading.table(vec![block]))
    }
}

const STARTS: &[Column<StartRow>] = &[
    ("position", |row| Cell::label(&row.position)),
    ("margin", |row| Cell::number(row.margin)),
    ("first moves", |row| {
        let moves = row.moves.iter().zip(&row.move_margins);
        let moves = moves.map(|(pit, margin)| format!("{pit}: {margin}"));
        Cell::label(moves.collect::<Vec<String>>().join(", "))
    }),
    ("searched", |row| Cell::number(row.searched)),
    ("best play", |row| Cell::label_or_blank(row.line.as_ref())),
];

const TIERS: &[Column<TierRow>] = &[
    ("seeds", |row| Cell::number(row.seeds)),
    ("positions", |row| Cell::number(row.positions)),
    ("endless", |row| Cell::number(row.endless)),
    ("least", |row| Cell::number(row.margin_least)),
    ("at", |row| Cell::label(&row.least_at)),
    ("greatest", |row| Cell::number(row.margin_greatest)),
    ("at", |row| Cell::label(&row.greatest_at)),
];

const ENDGAMES: &[Column<EndgameRow>] = &[
    ("pits", |row| Cell::number(row.pits)),
    ("seeds", |row| Cell::number(row.seeds)),
    ("positions", |row| Cell::number(row.positions)),
    ("determined", |row| Cell::number(row.determined)),
    ("first", |row| Cell::label_or_blank(row.first.as_ref())),
    ("board", |row| Cell::label_or_blank(row.board.as_ref())),
];

const POSITIONS: &[Column<ScoreRow>] = &[
    ("position", |row| Cell::label(&row.position)),
    ("margin", |row| Cell::number(row.margin)),
    ("best moves", |row| {
        let best: Vec<String> = row.best_moves.iter().map(i64::to_string).collect();
        Cell::label(best.join(" "))
    }),
    ("endless", |row| {
        Cell::label(if row.endless { "yes" } else { "no" })
    }),
];
