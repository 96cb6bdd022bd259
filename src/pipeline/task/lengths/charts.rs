//! N(l) against the square of l divided by pi.

use super::columns::LengthRow;
use crate::dataset::DatasetError;
use crate::report::ReportError;
use crate::report::page::Figure;
use crate::report::svg::chart::{Chart, Lines, Series, SeriesForm};

/// The most points of a line.
const POINTS_MAX: u64 = 400;

/// The least length whose quotient is drawn, where there are enough longer ones.
const LENGTH_LEAST: i64 = 10;

/// Returns N(l) with its asymptote, and their quotient, at equally distant lengths.
///
/// # Errors
///
/// Rows that cannot be read.
pub(super) fn charts(
    lengths: u64,
    rows: impl Iterator<Item = Result<LengthRow, DatasetError>>,
) -> Result<Vec<Figure>, ReportError> {
    let step = lengths.div_ceil(POINTS_MAX).max(1);
    let mut points: Vec<LengthRow> = Vec::new();
    for (place, row) in (0..).zip(rows) {
        let row = row?;
        if place % step == 0 || place + 1 == lengths {
            points.push(row);
        }
    }
    if points.len() < 2 {
        return Ok(Vec::new());
    }
    let line = |name: &str, y: fn(&LengthRow) -> f64| Series {
        name: name.to_owned(),
        form: SeriesForm::Line,
        points: points.iter().map(|row| [row.l as f64, y(row)]).collect(),
    };
    let sparse = match step {
        1 => String::new(),
        step => format!(" Every {step}th length is drawn."),
    };
    let figure = |title: &str, of: &str, series, caption: &str| Figure {
        chart: Chart::Lines(Lines {
            title: title.to_owned(),
            names: ["l".to_owned(), of.to_owned()],
            series,
            ..Lines::default()
        }),
        caption: format!("{caption}{sparse}"),
    };
    let both = vec![
        line("N(l)", |row| row.n as f64),
        line("l\u{b2}/\u{3c0}", |row| row.l_squared_by_pi),
    ];
    // Those of small lengths are far from 1, and the others would look alike beside them.
    let mut quotient = line("N(l) \u{3c0}/l\u{b2}", |row| {
        row.n as f64 / row.l_squared_by_pi
    });
    let is_long = points.last().is_some_and(|row| row.l >= 2 * LENGTH_LEAST);
    let least = if is_long { LENGTH_LEAST } else { 1 };
    quotient.points.retain(|point| point[0] >= least as f64);
    Ok(vec![
        figure(
            "N(l) and l\u{b2}/\u{3c0}",
            "stones",
            both,
            "N(l) is the fewest stones of a winning board of length l; it is asymptotic to l\u{b2}/\u{3c0}.",
        ),
        figure(
            "N(l) divided by l\u{b2}/\u{3c0}",
            "quotient",
            vec![quotient],
            &format!("The quotient from length {least} on; it tends to 1."),
        ),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quotient_of_small_lengths_is_as_the_paper_has_it() {
        // N(1), ..., N(6) are 1, 2, 4, 6, 10, 12 (OEIS A002491).
        let rows = [(1, 1), (2, 2), (3, 4), (4, 6), (5, 10), (6, 12)].map(|(l, n)| {
            Ok(LengthRow {
                l,
                n,
                l_squared_by_pi: (l * l) as f64 / std::f64::consts::PI,
                deviation: 0.0,
            })
        });
        let figures = charts(6, rows.into_iter()).unwrap();
        let data = figures[1].chart.data();
        assert_eq!(data.rows[0], ["1", "3.141593"]);
        assert_eq!(data.rows[5], ["6", "1.047198"]);
    }
}
