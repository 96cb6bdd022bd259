//! Tables of Tchoukaillon lengths.

use std::ops::Range;

use super::columns::LengthRow;
use super::{LengthsLayout, LengthsTask};
use crate::dataset::{RowSource, Wanted};
use crate::report::ReportError;
use crate::report::table::plain::{Column, counted, lines, list, table};
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
    let heading = job.heading();
    let block = match task.layout {
        LengthsLayout::List => list(heading, task.rows(), ranks, rows, LIST)?,
        LengthsLayout::Summary => {
            let wanted = Wanted::columns(["l", "deviation"]);
            summary(counted(heading, ranks, rows, wanted)?)?
        }
    };
    Ok(table(heading, vec![block]))
}

const LIST: &[Column<LengthRow>] = &[
    ("l", |row| Cell::number(row.l)),
    ("N(l)", |row| Cell::number(row.n)),
    ("l^2/pi", |row| Cell::decimals(row.l_squared_by_pi)),
    ("deviation", |row| Cell::decimals(row.deviation)),
];

const SUMMARY: &[Column<Decade>] = &[
    ("l up to", |decade| Cell::number(decade.last)),
    ("lengths", |decade| Cell::number(decade.lengths)),
    ("least deviation", |decade| Cell::decimals(decade.least.0)),
    ("at l", |decade| Cell::number(decade.least.1)),
    ("greatest", |decade| Cell::decimals(decade.greatest.0)),
    ("at l", |decade| Cell::number(decade.greatest.1)),
    ("mean", |decade| {
        Cell::decimals(decade.sum / decade.lengths as f64)
    }),
];

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
    lines(decades.into_iter().map(Ok), SUMMARY)
}
