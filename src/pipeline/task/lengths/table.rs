//! Tables of Tchoukaillon lengths.

use super::columns::LengthRow;
use super::{LengthsLayout, LengthsTask, charts};
use crate::dataset::Wanted;
use crate::report::ReportError;
use crate::report::page::Figure;
use crate::report::table::plain::block;
use crate::report::table::{Block, Cell, Table};
use crate::run::{Reading, Tabulated};

impl Tabulated for LengthsTask {
    /// A line for each length, or one for each number of digits, which reads any number of rows.
    fn table(&self, reading: &Reading<'_>) -> Result<Table, ReportError> {
        let block = match self.layout {
            LengthsLayout::List => {
                let header = ["l", "N(l)", "l^2/pi", "deviation"];
                reading.list(self.rows(), &header, |row: LengthRow| {
                    vec![
                        Cell::number(row.l),
                        Cell::number(row.n),
                        Cell::Number(format!("{:.3}", row.l_squared_by_pi)),
                        Cell::Number(format!("{:.3}", row.deviation)),
                    ]
                })?
            }
            LengthsLayout::Summary => {
                summary(reading.rows_of(Wanted::columns(["l", "deviation"]))?)?
            }
        };
        Ok(reading.table(vec![block]))
    }

    fn charts(&self, reading: &Reading<'_>) -> Result<Vec<Figure>, ReportError> {
        charts::charts(self.rows(), reading.scan())
    }
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
