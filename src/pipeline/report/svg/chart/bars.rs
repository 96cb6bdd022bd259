//! Bar charts: horizontal bars, one below the other.

use super::super::data::ChartData;
use super::super::scale::grouped;
use super::super::writer::{CHARACTER, Svg};

/// A bar chart.
///
/// ```
/// use seedbank::report::svg::chart::{Bar, Bars};
///
/// let bars = Bars {
///     title: "Outcomes".to_owned(),
///     names: ["outcome".to_owned(), "positions".to_owned()],
///     bars: vec![Bar::new("N", 30), Bar::new("P", 10)],
/// };
/// let picture = bars.svg().inline();
/// assert!(picture.contains("<desc>positions by outcome: N 30, P 10</desc>"));
/// assert_eq!(bars.data().rows, [["N", "30"], ["P", "10"]]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bars {
    /// What the chart shows.
    pub title: String,
    /// The names of the labels and of the lengths.
    pub names: [String; 2],
    /// The bars, the uppermost first.
    pub bars: Vec<Bar>,
}

/// A bar.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bar {
    /// Its label.
    pub label: String,
    /// Its length.
    pub count: u64,
}

impl Bar {
    /// Returns a bar.
    pub fn new(label: impl Into<String>, count: u64) -> Bar {
        Bar {
            label: label.into(),
            count,
        }
    }
}

/// Unit: pixels.
const WIDTH: f64 = 400.0;
const BAR_HEIGHT: f64 = 14.0;
const STEP: f64 = 19.0;

/// The longest label.
///
/// Unit: characters.
const LABEL_MAX: usize = 24;

impl Bars {
    /// Draws the bars, with their lengths in numbers beside them.
    pub fn svg(&self) -> Svg {
        let labels: Vec<String> = self.bars.iter().map(|bar| shortened(&bar.label)).collect();
        let longest = labels.iter().map(|label| label.chars().count()).max();
        let left = longest.unwrap_or(0) as f64 * CHARACTER + 10.0;
        let greatest = self.bars.iter().map(|bar| bar.count).max().unwrap_or(0);
        let right = grouped(greatest as i64).len() as f64 * CHARACTER + 8.0;
        let full = WIDTH - left - right;
        let height = self.bars.len() as f64 * STEP + 4.0;
        let mut picture = Svg::new([WIDTH, height], &*self.title, self.description());
        for (place, (bar, label)) in self.bars.iter().zip(&labels).enumerate() {
            let top = 2.0 + place as f64 * STEP;
            let length = full * bar.count as f64 / greatest.max(1) as f64;
            let baseline = top + BAR_HEIGHT - 3.0;
            let count = grouped(bar.count as i64);
            picture.group("", &format!("{}: {count}", bar.label), |picture| {
                picture.text([left - 6.0, baseline], "end", label);
                picture.rect([left, top], [length.max(0.5), BAR_HEIGHT], "bar");
                picture.text([left + length + 4.0, baseline], "soft", &count);
            });
        }
        picture.line([left, 0.0], [left, height], "axis");
        picture
    }

    /// Returns labels and lengths.
    pub fn data(&self) -> ChartData {
        let row = |bar: &Bar| vec![bar.label.clone(), grouped(bar.count as i64)];
        ChartData {
            header: self.names.to_vec(),
            rows: self.bars.iter().map(row).collect(),
        }
    }

    fn description(&self) -> String {
        const NAMED: usize = 8;
        let [label, count] = &self.names;
        let named = self.bars.iter().take(NAMED);
        let named: Vec<String> = named
            .map(|bar| format!("{} {}", bar.label, grouped(bar.count as i64)))
            .collect();
        let more = match self.bars.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        format!("{count} by {label}: {}{more}", named.join(", "))
    }
}

/// Returns a label of at most [`LABEL_MAX`] characters.
fn shortened(label: &str) -> String {
    if label.chars().count() > LABEL_MAX {
        label.chars().take(LABEL_MAX - 1).chain(['…']).collect()
    } else {
        label.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_bar_reaches_the_edge_and_none_vanishes() {
        let bars = Bars {
            title: "Kinds".to_owned(),
            names: ["kind".to_owned(), "positions".to_owned()],
            bars: vec![Bar::new("integer", 10_000), Bar::new("hot", 1)],
        };
        let text = bars.svg().inline();
        // 7 characters of 7.2 and a gap of 10 on the left, 6 of 7.2 and 8 on the right.
        assert!(
            text.contains("<rect x=\"60.4\" y=\"2\" width=\"288.4\" height=\"14\" class=\"bar\"/>"),
            "{text}"
        );
        assert!(
            text.contains("<rect x=\"60.4\" y=\"21\" width=\"0.5\""),
            "{text}"
        );
        assert!(text.contains("<title>integer: 10,000</title>"), "{text}");
    }

    #[test]
    fn long_labels_are_shortened_in_the_picture_only() {
        let label = "x".repeat(40);
        let bars = Bars {
            bars: vec![Bar::new(&*label, 3)],
            ..Bars::default()
        };
        let text = bars.svg().inline();
        assert!(
            text.contains(&format!(">{}…</text>", "x".repeat(23))),
            "{text}"
        );
        assert_eq!(bars.data().rows[0][0], label);
    }

    #[test]
    fn no_bars_are_a_picture_too() {
        assert!(Bars::default().svg().inline().contains("</svg>"));
    }
}
