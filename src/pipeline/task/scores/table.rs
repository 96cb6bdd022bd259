//! Tables of scored games.

use std::ops::Range;

use super::columns::{EndgameRow, ScoreRow, StartRow, TierRow};
use super::spec::{ScoreFamily, ScoresLayout, ScoresTask};
use crate::dataset::{Scan, Wanted};
use crate::report::ReportError;
use crate::report::table::plain::{Column, Grid, counted, list, table};
use crate::report::table::{Cell, Table};
use crate::run::JobHeader;

/// Lays out rows as the job requests.
///
/// # Errors
///
/// If rows cannot be read, if their number differs from the job's, or if the table has more than
/// [`CELLS_MAX`](crate::report::table::CELLS_MAX) cells.
pub(super) fn build(
    job: &JobHeader,
    task: &ScoresTask,
    ranks: &[Range<u64>],
    rows: Scan<'_>,
) -> Result<Table, ReportError> {
    let (heading, all) = (job.heading(), task.family.len());
    let block = match (&task.family, task.layout) {
        (ScoreFamily::Starts { pits, seeds }, ScoresLayout::Grid) => {
            let across = (seeds.0..=seeds.1).map(Cell::label);
            // Starting positions without a row stay blank.
            let mut grid = Grid::new("pits", (pits.0..=pits.1).map(Cell::label), across);
            for row in counted(heading, ranks, rows, Wanted::all())? {
                let row: StartRow = row?;
                let (down, across) = (row.pits as u64 - pits.0 as u64, row.pit_seeds as u64);
                grid.set(down, across - u64::from(seeds.0), Cell::number(row.margin));
            }
            grid.block()
        }
        (ScoreFamily::Starts { .. }, _) => list(heading, all, ranks, rows, STARTS)?,
        (ScoreFamily::Tiers { .. }, _) => list(heading, all, ranks, rows, TIERS)?,
        (ScoreFamily::Endgames { .. }, _) => list(heading, all, ranks, rows, ENDGAMES)?,
        _ => list(heading, all, ranks, rows, POSITIONS)?,
    };
    Ok(table(heading, vec![block]))
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
