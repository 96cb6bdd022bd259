//! Tables of scored games.

use std::ops::Range;

use super::columns::{EndgameRow, ScoreRow, StartRow, TierRow};
use super::spec::{ScoreFamily, ScoresLayout, ScoresTask};
use crate::dataset::{RowSource, Scan, Wanted};
use crate::report::ReportError;
use crate::report::table::plain::{block, counted, fits, table};
use crate::report::table::{Block, Cell, Table};
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
    let block = match (&task.family, task.layout) {
        (ScoreFamily::Starts { pits, seeds }, ScoresLayout::Grid) => {
            grid(job, *pits, *seeds, ranks, rows)?
        }
        (ScoreFamily::Starts { .. }, _) => {
            let header = ["position", "margin", "first moves", "searched", "best play"];
            list(job, task, ranks, rows, &header, |row: StartRow| {
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
            list(job, task, ranks, rows, &header, |row: TierRow| {
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
            list(job, task, ranks, rows, &header, |row: EndgameRow| {
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
            list(job, task, ranks, rows, &header, |row: ScoreRow| {
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
    Ok(table(job.heading(), vec![block]))
}

fn list<R>(
    job: &JobHeader,
    task: &ScoresTask,
    ranks: &[Range<u64>],
    rows: impl RowSource<R>,
    header: &[&str],
    line: impl Fn(R) -> Vec<Cell>,
) -> Result<Block, ReportError> {
    fits(
        job.heading(),
        task.family.len().saturating_mul(header.len() as u64),
    )?;
    let rows = counted(job.heading(), ranks, rows, Wanted::all())?;
    let lines = rows.map(|row| Ok(line(row?)));
    Ok(block(header, lines.collect::<Result<_, ReportError>>()?))
}

/// A line for each number of pits; starting positions without a row stay blank.
fn grid(
    job: &JobHeader,
    pits: (usize, usize),
    seeds: (u32, u32),
    ranks: &[Range<u64>],
    rows: impl RowSource<StartRow>,
) -> Result<Block, ReportError> {
    let header: Vec<String> = (seeds.0..=seeds.1).map(|seeds| seeds.to_string()).collect();
    let mut cells = vec![vec![Cell::Blank; header.len()]; pits.1 - pits.0 + 1];
    for row in counted(job.heading(), ranks, rows, Wanted::all())? {
        let row = row?;
        let line = row.pits as usize - pits.0;
        let column = row.pit_seeds as usize - seeds.0 as usize;
        cells[line][column] = Cell::number(row.margin);
    }
    let lines = (pits.0..).zip(cells);
    let lines = lines.map(|(pits, cells)| {
        let label = Cell::Label(pits.to_string());
        std::iter::once(label).chain(cells).collect()
    });
    let header: Vec<&str> = std::iter::once("pits")
        .chain(header.iter().map(String::as_str))
        .collect();
    Ok(block(&header, lines.collect()))
}
