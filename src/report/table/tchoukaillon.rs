//! Tables of Tchoukaillon boards and lengths.

use std::ops::Range;

use super::plain::{block, counted, fits, table};
use super::{Block, Cell, Table};
use crate::dataset::{BoardRow, LengthRow, RowSource, Wanted};
use crate::job::{BinsAsked, BoardsLayout, BoardsTask, Job, LengthsLayout, LengthsTask};
use crate::report::ReportError;

/// Lays boards out as their job says: a line for each, or a column for each bin besides, as in the paper's Figure 2.
///
/// # Errors
///
/// Rows that cannot be read or are not as many as the job's boards, and tables of more than
/// [`CELLS_MAX`](super::CELLS_MAX) cells.
pub fn build_boards(
    job: &Job,
    task: &BoardsTask,
    ranks: &[Range<u64>],
    rows: impl RowSource<BoardRow>,
) -> Result<Table, ReportError> {
    fits(job, task.rows().saturating_mul(4))?;
    let mut width = 0;
    let mut read: Vec<BoardRow> = Vec::new();
    for row in counted(job, ranks, rows, Wanted::all())? {
        let row = row?;
        width = width.max(row.bins.as_ref().map_or(0, Vec::len));
        if task.layout == BoardsLayout::Bins {
            fits(job, task.rows().saturating_mul(width as u64 + 3))?;
        }
        read.push(row);
    }
    let rows = read;
    let label = |n: &dyn std::fmt::Display| Cell::number(n);
    let first_play = |row: &BoardRow| row.first_play.map_or(Cell::Blank, |bin| label(&bin));
    let block = match task.layout {
        BoardsLayout::List => {
            let has_bins = task.bins != BinsAsked::None;
            let line = |row: &BoardRow| {
                let mut line = vec![label(&row.n), label(&row.length), first_play(row)];
                line.extend(
                    row.bins
                        .as_ref()
                        .map(|bins| Cell::Label(board(bins, row.length))),
                );
                line
            };
            let header = ["n", "length", "first play", "board"];
            let header = if has_bins { &header[..] } else { &header[..3] };
            block(header, rows.iter().map(line).collect())
        }
        BoardsLayout::Bins => {
            let header: Vec<String> = ["n", "length", "first play"]
                .map(str::to_owned)
                .into_iter()
                .chain((1..=width).map(|bin| format!("b_{bin}")))
                .collect();
            let header: Vec<&str> = header.iter().map(String::as_str).collect();
            let line = |row: &BoardRow| {
                let mut line = vec![label(&row.n), label(&row.length), first_play(row)];
                line.extend(row.bins.iter().flatten().map(|bin| label(bin)));
                line.resize(width + 3, Cell::Blank);
                line
            };
            block(&header, rows.iter().map(line).collect())
        }
    };
    Ok(table(job, vec![block]))
}

/// Writes a board as the paper does, with dots where farther bins are not listed.
fn board(bins: &[u32], length: i32) -> String {
    let listed: Vec<String> = bins.iter().map(u32::to_string).collect();
    let more = if bins.len() < length as usize {
        ", ..."
    } else {
        ""
    };
    format!("({}{more})", listed.join(", "))
}

/// Lays lengths out as their job says: a line for each, or one for each number of digits.
///
/// # Errors
///
/// As [`build_boards`]; a summary reads any number of rows.
pub fn build_lengths(
    job: &Job,
    task: &LengthsTask,
    ranks: &[Range<u64>],
    rows: impl RowSource<LengthRow>,
) -> Result<Table, ReportError> {
    let wanted = match task.layout {
        LengthsLayout::List => Wanted::all(),
        LengthsLayout::Summary => Wanted::columns(["l", "deviation"]),
    };
    let rows = counted(job, ranks, rows, wanted)?;
    let block = match task.layout {
        LengthsLayout::List => {
            fits(job, task.rows().saturating_mul(4))?;
            let line = |row: Result<LengthRow, ReportError>| {
                let row = row?;
                Ok(vec![
                    Cell::number(row.l),
                    Cell::number(row.n),
                    Cell::Number(format!("{:.3}", row.l_squared_by_pi)),
                    Cell::Number(format!("{:.3}", row.deviation)),
                ])
            };
            let lines = rows.map(line).collect::<Result<_, ReportError>>()?;
            block(&["l", "N(l)", "l^2/pi", "deviation"], lines)
        }
        LengthsLayout::Summary => summary(rows)?,
    };
    Ok(table(job, vec![block]))
}

/// What lengths of one number of digits amount to.
struct Decade {
    least: (f64, i64),
    greatest: (f64, i64),
    sum: f64,
    lengths: u64,
    last: i64,
}

/// A line for each number of digits: the least and the greatest deviation, where they are first, and the mean one.
fn summary(
    rows: impl Iterator<Item = Result<LengthRow, ReportError>>,
) -> Result<Block, ReportError> {
    let mut decades: Vec<Decade> = Vec::new();
    for row in rows {
        let row = row?;
        let digits = |l: i64| l.max(1).ilog10();
        match decades.last_mut() {
            Some(decade) if digits(decade.last) == digits(row.l) => {
                if row.deviation < decade.least.0 {
                    decade.least = (row.deviation, row.l);
                }
                if row.deviation > decade.greatest.0 {
                    decade.greatest = (row.deviation, row.l);
                }
                decade.sum += row.deviation;
                decade.lengths += 1;
                decade.last = row.l;
            }
            _ => decades.push(Decade {
                least: (row.deviation, row.l),
                greatest: (row.deviation, row.l),
                sum: row.deviation,
                lengths: 1,
                last: row.l,
            }),
        }
    }
    let number = |x: f64| Cell::Number(format!("{x:.3}"));
    let label = |l: i64| Cell::number(l);
    let lines = decades.iter().map(|decade| {
        vec![
            label(decade.last),
            Cell::number(decade.lengths),
            number(decade.least.0),
            label(decade.least.1),
            number(decade.greatest.0),
            label(decade.greatest.1),
            number(decade.sum / decade.lengths as f64),
        ]
    });
    let header = [
        "l up to",
        "lengths",
        "least deviation",
        "at l",
        "greatest",
        "at l",
        "mean",
    ];
    Ok(block(&header, lines.collect()))
}
