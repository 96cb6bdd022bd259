//! Tables of Tchoukaillon lengths.

use std::ops::Range;

use super::columns::LengthRow;
use super::{LengthsLayout, LengthsTask};
use crate::dataset::{RowSource, Wanted};
use crate::report::ReportError;
use crate::report::table::plain::{block, counted, fits, table};
use crate::report::table::{Block, Cell, Table};
use crate::run::JobHeader;

/// Lays out lengths: a line for each, or one for each number of digits.
///
/// # Errors
///
/// If rows cannot be read, if their number differs from that of the job's lengths, or if a table
/// has more than [`CELLS_MAX`](crate::report::table::CELLS_MAX) cells; a summary reads any number
/// of rows.
pub(super) fn build(
    job: &JobHeader,
    task: &LengthsTask,
    ranks: &[Range<u64>],
    rows: impl RowSource<LengthRow>,
) -> Result<Table, ReportError> {
    let wanted = match task.layout {
        LengthsLayout::List => Wanted::all(),
        LengthsLayout::Summary => Wanted::columns(["l", "deviation"]),
    };
    let rows = counted(job.heading(), ranks, rows, wanted)?;
    let block = match task.layout {
        LengthsLayout::List => {
            fits(job.heading(), task.rows().saturating_mul(4))?;
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
    Ok(table(job.heading(), vec![block]))
}

/// The statistics of lengths with one number of digits.
struct Decade {
    least: (f64, i64),
    greatest: (f64, i64),
    sum: f64,
    lengths: u64,
    last: i64,
}

/// A line for each number of digits: the least and the greatest deviation, their first places, and
/// the mean.
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
