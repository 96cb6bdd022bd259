//! Histograms: the count of numbers in each of some intervals.

use super::super::data::ChartData;
use super::super::scale::{Axis, grouped, tick};
use super::super::writer::{CHARACTER, Svg};

/// A histogram with intervals of equal length.
///
/// ```
/// use seedbank::report::svg::chart::Histogram;
///
/// let histogram = Histogram {
///     title: "Temperatures".to_owned(),
///     names: ["temperature".to_owned(), "positions".to_owned()],
///     from: 0.0,
///     step: 0.5,
///     is_integral: false,
///     counts: vec![3, 0, 1],
/// };
/// // Empty intervals are left out.
/// assert_eq!(histogram.data().rows[1], ["1 to 1.5", "1"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Histogram {
    /// What the chart shows.
    pub title: String,
    /// The names of the numbers and of the counts.
    pub names: [String; 2],
    /// The least number of the first interval.
    pub from: f64,
    /// The length of an interval.
    pub step: f64,
    /// Whether numbers are integers: intervals are then named by their first and last integer.
    pub is_integral: bool,
    /// The counts of the intervals, which follow one another.
    pub counts: Vec<u64>,
}

/// Unit: pixels.
const WIDTH: f64 = 400.0;
const HEIGHT: f64 = 180.0;
const TOP: f64 = 8.0;
const BOTTOM: f64 = 36.0;
const RIGHT: f64 = 12.0;

impl Histogram {
    /// Draws a column for each interval.
    pub fn svg(&self) -> Svg {
        let greatest = self.counts.iter().copied().max().unwrap_or(0);
        let left = grouped(greatest as i64).len() as f64 * CHARACTER + 14.0;
        let to = self.from + self.step * self.counts.len() as f64;
        let across = Axis::new(self.from, to, [left, WIDTH - RIGHT]);
        let up = Axis::new(0.0, greatest as f64, [HEIGHT - BOTTOM, TOP]);
        let size = [WIDTH, HEIGHT];
        let mut picture = Svg::new(size, &*self.title, self.description());
        for count in up.ticks(4) {
            let y = up.at(count);
            picture.line([left, y], [WIDTH - RIGHT, y], "grid");
            picture.text([left - 5.0, y + 4.0], "soft end", &tick(count));
        }
        for (place, &count) in self.counts.iter().enumerate() {
            if count == 0 {
                continue;
            }
            let from = self.from + self.step * place as f64;
            let [x, next] = [from, from + self.step].map(|x| across.at(x));
            let height = (up.at(0.0) - up.at(count as f64)).max(0.5);
            let title = format!("{}: {}", self.interval(place), grouped(count as i64));
            picture.group("", &title, |picture| {
                let corner = [x, up.at(0.0) - height];
                picture.rect(corner, [(next - x - 1.0).max(0.5), height], "bar");
            });
        }
        let foot = up.at(0.0);
        picture.line([left, foot], [WIDTH - RIGHT, foot], "axis");
        // If each integer has a column, its label is centered below the column.
        let shift = if self.is_integral && self.step == 1.0 {
            0.5
        } else {
            0.0
        };
        for x in across.ticks(across.labels(CHARACTER)) {
            if self.is_integral && x.fract() != 0.0 || x + shift > to {
                continue;
            }
            picture.label([across.at(x + shift), foot + 14.0], "soft", &tick(x));
        }
        let middle = (left + WIDTH - RIGHT) / 2.0;
        picture.text([middle, HEIGHT - 5.0], "middle", &self.names[0]);
        picture
    }

    /// Returns the intervals and their counts, empty ones left out.
    pub fn data(&self) -> ChartData {
        let counts = self.counts.iter().enumerate();
        let counts = counts.filter(|&(_, &count)| count > 0);
        let rows = counts.map(|(place, &count)| vec![self.interval(place), grouped(count as i64)]);
        ChartData {
            header: self.names.to_vec(),
            rows: rows.collect(),
        }
    }

    fn interval(&self, place: usize) -> String {
        let from = self.from + self.step * place as f64;
        match (self.is_integral, self.step) {
            (true, 1.0) => tick(from),
            (true, step) => format!("{} to {}", tick(from), tick(from + step - 1.0)),
            (false, step) => format!("{} to {}", tick(from), tick(from + step)),
        }
    }

    fn description(&self) -> String {
        let [number, count] = &self.names;
        let all: u64 = self.counts.iter().sum();
        let most = (0..self.counts.len())
            .rev()
            .max_by_key(|&place| self.counts[place]);
        let most = most.map_or_else(String::new, |place| {
            let most = grouped(self.counts[place] as i64);
            format!("; most, {most}, at {}", self.interval(place))
        });
        format!("{} {count} by {number}{most}", grouped(all as i64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_have_columns_of_their_own_or_intervals() {
        let histogram = |step, counts: &[u64]| Histogram {
            title: "Nim-values".to_owned(),
            names: ["nim-value".to_owned(), "heaps".to_owned()],
            from: 0.0,
            step,
            is_integral: true,
            counts: counts.to_vec(),
        };
        let each = histogram(1.0, &[5, 0, 2]);
        assert_eq!(each.data().rows, [["0", "5"], ["2", "2"]]);
        let text = each.svg().inline();
        assert!(
            text.contains("<desc>7 heaps by nim-value; most, 5, at 0</desc>"),
            "{text}"
        );
        assert_eq!(text.matches("class=\"bar\"").count(), 2);
        assert_eq!(histogram(10.0, &[5]).data().rows, [["0 to 9", "5"]]);
    }
}
