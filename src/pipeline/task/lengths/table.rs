//! Tables of Tchoukaillon lengths.

use super::charts::charts;
use super::columns::LengthRow;
use super::{LengthsLayout, LengthsTask};
use crate::dataset::Wanted;
use crate::report::ReportError;
use crate::report::page::Figure;
use crate::report::table::plain::{Column, lines};
use crate::report::table::{Block, Cell, Table};
use crate::run::{Reading, Tabulated};

impl Tabulated for LengthsTask {
    /// A line for each length, or one for each number of digits.
    fn table(&self, reading: &Reading<'_>) -> Result<Table, ReportError> {
        let block = match self.layout {
            LengthsLayout::List => reading.list(self.rows(), LIST)?,
            LengthsLayout::Summary => {
                let wanted = Wanted::columns(["l", "deviation"]);
                summary(reading.counted(wanted)?)?
            }
        };
        Ok(reading.table(vec![block]))
    }

    fn charts(&self, reading: &Reading<'_>) -> Result<Vec<Figure>, ReportError> {
        let wanted = Wanted::columns(["l", "n", "l_squared_by_pi"]);
        charts(self.rows(), reading.scan().rows(wanted)?)
    }
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
