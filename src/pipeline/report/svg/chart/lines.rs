//! Lines, dots and bands over an axis of numbers, with marks at places of interest.

use super::super::data::ChartData;
use super::super::number::number;
use super::super::scale::{Axis, tick};
use super::super::writer::{CHARACTER, Svg};
use crate::report::fraction;

/// Lines, dots or bands over an axis of numbers.
///
/// ```
/// use seedbank::report::svg::chart::{AxisMark, Lines, Series, SeriesForm};
///
/// let lines = Lines {
///     title: "N(l)".to_owned(),
///     names: ["l".to_owned(), "N(l)".to_owned()],
///     series: vec![Series {
///         name: "N(l)".to_owned(),
///         form: SeriesForm::Line,
///         points: vec![[1.0, 1.0], [2.0, 2.0], [3.0, 4.0]],
///     }],
///     marks: vec![AxisMark { at: 2.0, label: "preperiod 2".to_owned() }],
///     fractions: false,
/// };
/// assert!(lines.svg().inline().contains(">preperiod 2</text>"));
/// assert_eq!(lines.data().rows[2], ["3", "4"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lines {
    /// What the chart shows.
    pub title: String,
    /// The names of the axes, the horizontal one first.
    pub names: [String; 2],
    /// The series, at most three; later ones are painted over earlier ones.
    pub series: Vec<Series>,
    /// Places on the horizontal axis.
    pub marks: Vec<AxisMark>,
    /// Whether the heights are dyadic rationals, which the data write as values are: `3/4`.
    pub fractions: bool,
}

/// A named series of points.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// The name, in the legend.
    pub name: String,
    /// How points are drawn.
    pub form: SeriesForm,
    /// The points, from left to right.
    pub points: Vec<[f64; 2]>,
}

/// The form in which the points of a series are drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum SeriesForm {
    /// Joined by lines.
    Line,
    /// A dot for each point.
    Dots,
    /// The area from each point up to this height above it.
    Band(Vec<f64>),
}

/// A place on the horizontal axis.
#[derive(Clone, Debug, PartialEq)]
pub struct AxisMark {
    /// The place.
    pub at: f64,
    /// The label.
    pub label: String,
}

/// Unit: pixels.
const WIDTH: f64 = 400.0;
const HEIGHT: f64 = 220.0;
const BOTTOM: f64 = 36.0;
const RIGHT: f64 = 14.0;
const LEGEND: f64 = 16.0;

/// Series of at most this number of dots have larger ones.
const FEW: usize = 60;

/// The number of styles of lines.
const STYLES: usize = 3;

impl Lines {
    /// Draws the series, their legend where there are several, and the marks.
    pub fn svg(&self) -> Svg {
        let [x, y] = [0, 1].map(|axis| {
            let (mut least, mut greatest) = (f64::MAX, f64::MIN);
            for point in self.series.iter().flat_map(Series::ends) {
                least = least.min(point[axis]);
                greatest = greatest.max(point[axis]);
            }
            if least > greatest {
                [0.0, 1.0]
            } else {
                [least, greatest]
            }
        });
        // An axis from 0 would hide the differences of numbers that are nearly equal.
        let y = if y[0] > y[1] / 2.0 {
            y
        } else {
            [y[0].min(0.0), y[1]]
        };
        let legend = if self.series.len() > 1 { LEGEND } else { 0.0 };
        let marks = self.marks.len() as f64 * 13.0;
        let top = 10.0 + legend + marks;
        let up = Axis::new(y[0], y[1], [HEIGHT - BOTTOM, top]);
        let ticks = up.ticks(5);
        let widest = ticks.iter().map(|&y| tick(y).len()).max().unwrap_or(1);
        let left = widest as f64 * CHARACTER + 14.0;
        let across = Axis::new(x[0], x[1], [left, WIDTH - RIGHT]);
        let place = |[x, y]: [f64; 2]| [across.at(x), up.at(y)];

        let size = [WIDTH, HEIGHT];
        let mut picture = Svg::new(size, &*self.title, self.description(x, y));
        for y in ticks {
            picture.line([left, up.at(y)], [WIDTH - RIGHT, up.at(y)], "grid");
            picture.text([left - 5.0, up.at(y) + 4.0], "soft end", &tick(y));
        }
        for (style, series) in self.series.iter().enumerate() {
            series.draw(&mut picture, style % STYLES, place);
        }
        picture.line([left, up.at(y[0])], [WIDTH - RIGHT, up.at(y[0])], "axis");
        picture.line([left, top], [left, up.at(y[0])], "axis");
        for x in across.ticks(across.labels(CHARACTER)) {
            picture.label([across.at(x), HEIGHT - BOTTOM + 14.0], "soft", &tick(x));
        }
        let middle = (left + WIDTH - RIGHT) / 2.0;
        picture.text([middle, HEIGHT - 5.0], "middle", &self.names[0]);
        for (row, mark) in self.marks.iter().enumerate() {
            let x = across.at(mark.at);
            let y = 10.0 + legend + row as f64 * 13.0;
            picture.line([x, y - 4.0], [x, HEIGHT - BOTTOM], "mark");
            // Labels keep within the picture.
            if x > WIDTH / 2.0 {
                picture.text([x - 4.0, y + 4.0], "end", &mark.label)
            } else {
                picture.text([x + 4.0, y + 4.0], "", &mark.label)
            }
        }
        if self.series.len() > 1 {
            self.draw_legend(&mut picture, left);
        }
        picture
    }

    fn draw_legend(&self, picture: &mut Svg, left: f64) {
        let mut x = left;
        for (style, series) in self.series.iter().enumerate() {
            let sample = Series {
                points: vec![[0.0, 0.0], [1.0, 0.0]],
                form: match series.form {
                    SeriesForm::Band(_) => SeriesForm::Band(vec![1.0, 1.0]),
                    ref form => form.clone(),
                },
                name: String::new(),
            };
            sample.draw(picture, style % STYLES, |[along, up]| {
                [x + along * 22.0, 10.0 - up * 6.0]
            });
            picture.text([x + 28.0, 12.0], "", &series.name);
            x += 44.0 + series.name.chars().count() as f64 * CHARACTER;
        }
    }

    /// Returns a row for each place on the horizontal axis, with a column for each series.
    pub fn data(&self) -> ChartData {
        let mut header = vec![self.names[0].clone()];
        for series in &self.series {
            match series.form {
                SeriesForm::Band(_) => {
                    header.push(format!("{}, least", series.name));
                    header.push(format!("{}, greatest", series.name));
                }
                _ => header.push(series.name.clone()),
            }
        }
        let mut places: Vec<f64> = self
            .series
            .iter()
            .flat_map(|s| &s.points)
            .map(|p| p[0])
            .collect();
        places.sort_by(f64::total_cmp);
        places.dedup();
        let height = if self.fractions { fraction } else { plain };
        let mut rows: Vec<Vec<String>> = places.iter().map(|&x| vec![plain(x)]).collect();
        for series in &self.series {
            let width = rows.first().map_or(0, Vec::len);
            let bands = matches!(series.form, SeriesForm::Band(_));
            for (place, &[x, y]) in series.points.iter().enumerate() {
                let row = places.binary_search_by(|other| other.total_cmp(&x));
                let row = &mut rows[row.expect("the place of each point is listed")];
                if row.len() > width {
                    // A second point at one place.
                    continue;
                }
                row.push(height(y));
                if let SeriesForm::Band(heights) = &series.form {
                    row.push(height(y + heights[place]));
                }
            }
            for row in &mut rows {
                row.resize(width + 1 + usize::from(bands), String::new());
            }
        }
        ChartData { header, rows }
    }

    fn description(&self, x: [f64; 2], y: [f64; 2]) -> String {
        let names: Vec<&str> = self.series.iter().map(|series| &*series.name).collect();
        let marks = self.marks.iter().map(|mark| format!("; {}", mark.label));
        format!(
            "{} from {} to {} over {} from {} to {}{}",
            names.join(" and "),
            tick(y[0]),
            tick(y[1]),
            self.names[0],
            tick(x[0]),
            tick(x[1]),
            marks.collect::<String>()
        )
    }
}

impl Series {
    /// Returns the points of the series, and for a band also the upper ones.
    fn ends(&self) -> impl Iterator<Item = [f64; 2]> {
        let heights: &[f64] = match &self.form {
            SeriesForm::Band(heights) => heights,
            SeriesForm::Line | SeriesForm::Dots => &[],
        };
        let upper = self.points.iter().zip(heights);
        let upper = upper.map(|(&[x, y], height)| [x, y + height]);
        self.points.iter().copied().chain(upper)
    }

    fn draw(&self, picture: &mut Svg, style: usize, place: impl Fn([f64; 2]) -> [f64; 2]) {
        match &self.form {
            SeriesForm::Line => {
                let points: Vec<_> = self.points.iter().copied().map(place).collect();
                picture.polyline(&points, &format!("line{style}"));
            }
            SeriesForm::Dots => {
                let radius = if self.points.len() <= FEW { 2.5 } else { 1.5 };
                for &point in &self.points {
                    picture.circle(place(point), radius, &format!("dot{style}"));
                }
            }
            SeriesForm::Band(heights) => {
                let upper = self.points.iter().zip(heights);
                let upper = upper.map(|(&[x, y], height)| [x, y + height]);
                let upper: Vec<[f64; 2]> = upper.collect();
                let around = self.points.iter().chain(upper.iter().rev());
                let around: Vec<_> = around.copied().map(place).collect();
                picture.polygon(&around, "band");
            }
        }
    }
}

/// Returns a number for a table: integers whole, others with at most six digits behind the point.
fn plain(x: f64) -> String {
    if x.fract() == 0.0 || x.abs() >= 1e6 {
        tick(x.round())
    } else if x.abs() >= 100.0 {
        number(x)
    } else {
        let text = format!("{x:.6}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(series: Vec<Series>) -> Lines {
        Lines {
            title: "Values".to_owned(),
            names: ["n".to_owned(), "value".to_owned()],
            series,
            ..Lines::default()
        }
    }

    #[test]
    fn a_line_runs_from_corner_to_corner() {
        let series = Series {
            name: "value".to_owned(),
            form: SeriesForm::Line,
            points: vec![[0.0, 0.0], [10.0, 5.0]],
        };
        let text = lines(vec![series]).svg().inline();
        assert!(
            text.contains("<polyline points=\"21.2,184 386,10\" class=\"line0\"/>"),
            "{text}"
        );
        assert!(
            text.contains("<desc>value from 0 to 5 over n from 0 to 10</desc>"),
            "{text}"
        );
    }

    #[test]
    fn a_table_has_a_column_for_each_series() {
        let band = Series {
            name: "range".to_owned(),
            form: SeriesForm::Band(vec![2.0, 3.0]),
            points: vec![[0.0, 1.0], [2.0, 1.5]],
        };
        let dots = Series {
            name: "mean".to_owned(),
            form: SeriesForm::Dots,
            points: vec![[2.0, 2.25], [3.0, 1e7]],
        };
        let lines = lines(vec![band, dots]);
        let data = lines.data();
        assert_eq!(
            data.header,
            ["n", "range, least", "range, greatest", "mean"]
        );
        assert_eq!(data.rows[0], ["0", "1", "3", ""]);
        assert_eq!(data.rows[1], ["2", "1.5", "4.5", "2.25"]);
        assert_eq!(data.rows[2], ["3", "", "", "10,000,000"]);
        let text = lines.svg().inline();
        assert!(
            text.contains("class=\"band\"") && text.contains("class=\"dot1\""),
            "{text}"
        );
        assert!(
            text.contains(">range</text>") && text.contains(">mean</text>"),
            "{text}"
        );
    }

    #[test]
    fn no_points_are_a_picture_too() {
        assert!(lines(Vec::new()).svg().inline().contains("</svg>"));
    }
}
