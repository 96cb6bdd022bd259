//! Figures of the columns of a result: frequencies of values, and the course of numbers along the rows.

use crate::dataset::profile::{Along, ColumnProfile, Holds, Numbers, Profile, TEXTS_MAX};
use crate::report::fraction;
use crate::report::svg::chart::{Bar, Bars, Chart, Histogram, Lines, Series, SeriesForm};

/// A chart with a caption.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The chart.
    pub chart: Chart,
    /// The meaning of its columns, and of its aggregates.
    pub caption: String,
}

/// A summary of the columns of a result.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// Figures of computed columns.
    pub main: Vec<Figure>,
    /// Figures of the subjects of rows: variables, sizes.
    pub others: Vec<Figure>,
    /// Columns with the same content in all rows, and that content.
    pub constant: Vec<(String, String)>,
    /// Columns without a figure, and why.
    pub none: Vec<(String, String)>,
}

/// The most bars of a figure; rarer values share one further bar.
const BARS_MAX: usize = 16;

/// The columns about values, in a table with values of games. Its other columns are about positions.
pub(super) const OF_VALUES: [&str; 12] = [
    "outcome",
    "value",
    "kind",
    "nim_value",
    "mean",
    "temperature",
    "left_stop",
    "right_stop",
    "birthday",
    "atomic_weight",
    "followers",
    "depth",
];

/// The columns with exact dyadic rationals, which are written as values are: `3/4`.
const DYADIC: [&str; 5] = [
    "left_stop",
    "right_stop",
    "mean",
    "temperature",
    "atomic_weight_number",
];

/// The columns that the curves of a pattern show along its variable.
const OF_SEQUENCES: [&str; 7] = [
    "left_stop",
    "right_stop",
    "mean",
    "temperature",
    "birthday",
    "nim_value",
    "followers",
];

impl Figures {
    /// Returns the figures of a profile; `noun` names rows, in the plural. With `has_curves`, the page has curves of its rows
    /// elsewhere.
    pub fn of(profile: &Profile, noun: &str, has_curves: bool) -> Figures {
        let mut figures = Figures::default();
        let has_games = profile.column("value_digest").is_some();
        let ascending = profile.columns.iter().find(|column| is_index(column));
        for column in &profile.columns {
            let name = &column.column.name;
            // Numbers or texts that all occur equally often were chosen, not computed.
            let others = is_uniform(column) || (has_games && !OF_VALUES.contains(&&**name));
            let mut drawn = Vec::new();
            match about(column, profile.rows) {
                About::Same(text) => figures.constant.push((name.clone(), text)),
                About::None(why) => figures.none.push((name.clone(), why)),
                About::Index => {}
                About::Distribution => drawn.extend(distribution(column, noun)),
            }
            if let (Some(index), Holds::Numbers { along, numbers, .. }) = (ascending, &column.holds)
                && !is_index(column)
                && !(has_curves && OF_SEQUENCES.contains(&&**name))
                && numbers
                    .ends()
                    .is_some_and(|(least, greatest)| least < greatest)
            {
                drawn.push(run(index, column, along));
            }
            if others {
                figures.others.append(&mut drawn)
            } else {
                figures.main.append(&mut drawn)
            }
        }
        figures
    }
}

/// The figure of a column, or its replacement.
enum About {
    Distribution,
    /// The content of all rows.
    Same(String),
    /// It counts the rows.
    Index,
    None(String),
}

fn about(column: &ColumnProfile, rows: u64) -> About {
    if column.nulls == rows {
        return About::Same("nothing".to_owned());
    }
    match &column.holds {
        Holds::Others => About::None("lists and digests are not summed up".to_owned()),
        Holds::Texts(texts) => match texts.counts() {
            None => About::None(format!(
                "more than {TEXTS_MAX} different texts, or long ones"
            )),
            Some(counts) if counts.len() == 1 && column.nulls == 0 => {
                About::Same(counts.keys().next().cloned().unwrap_or_default())
            }
            Some(counts) if counts.len() as u64 * 2 > rows => {
                About::None("most texts occur once".to_owned())
            }
            Some(_) => About::Distribution,
        },
        Holds::Numbers { numbers, .. } => match numbers.ends() {
            Some((least, greatest)) if least == greatest && column.nulls == 0 => {
                About::Same(text_of(column, least))
            }
            _ if is_index(column) => About::Index,
            None => About::None("no finite numbers".to_owned()),
            Some(_) => About::Distribution,
        },
    }
}

/// Returns a number of a column as text.
fn text_of(column: &ColumnProfile, x: f64) -> String {
    if DYADIC.contains(&&*column.column.name) {
        fraction(x)
    } else {
        x.to_string()
    }
}

fn is_index(column: &ColumnProfile) -> bool {
    match &column.holds {
        Holds::Numbers {
            numbers,
            is_ascending,
            ..
        } => *is_ascending && numbers.count() > 1,
        _ => false,
    }
}

/// Returns whether all numbers or texts of a column occur equally often.
fn is_uniform(column: &ColumnProfile) -> bool {
    match &column.holds {
        Holds::Texts(texts) => {
            let counts = texts.counts();
            counts.is_some_and(|counts| are_equal(counts.values().copied()))
        }
        Holds::Numbers { numbers, .. } => {
            let each = numbers.each();
            each.is_some_and(|each| are_equal(each.map(|(_, count)| count)))
        }
        Holds::Others => false,
    }
}

fn are_equal(mut counts: impl Iterator<Item = u64>) -> bool {
    let first = counts.next();
    counts.all(|count| Some(count) == first)
}

fn distribution(column: &ColumnProfile, noun: &str) -> Option<Figure> {
    let name = column.column.name.replace('_', " ");
    let title = format!("{noun} by {name}");
    let names = [name.clone(), noun.to_owned()];
    let mut aggregated = String::new();
    let chart = match &column.holds {
        Holds::Texts(texts) => {
            let mut counts: Vec<(&String, u64)> = texts
                .counts()?
                .iter()
                .map(|(text, &count)| (text, count))
                .collect();
            // Equally frequent texts keep their alphabetical order.
            counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
            let bars = counts.iter().map(|&(text, count)| Bar::new(&**text, count));
            let (bars, rare) = bounded(bars.collect(), column.nulls);
            if rare > 0 {
                aggregated = format!("The {rare} rarest are one bar.");
            }
            Chart::Bars(Bars { title, names, bars })
        }
        Holds::Numbers { numbers, .. } => match few(numbers, &|x| text_of(column, x)) {
            Some((bars, rare)) => {
                if rare > 0 {
                    aggregated = format!("The {rare} rarest are one bar.");
                }
                let bars = with_nulls(bars, column.nulls);
                Chart::Bars(Bars { title, names, bars })
            }
            None => {
                let (step, intervals) = numbers.intervals();
                if step != 1.0 || !numbers.is_integral() {
                    aggregated = format!("Numbers are counted in intervals of {step}.");
                }
                if column.nulls > 0 {
                    aggregated += &format!(" {} {noun} have none.", column.nulls);
                }
                Chart::Histogram(Histogram {
                    title,
                    names,
                    from: intervals.first()?.from,
                    step,
                    is_integral: numbers.is_integral(),
                    counts: intervals.iter().map(|interval| interval.count).collect(),
                })
            }
        },
        Holds::Others => return None,
    };
    Some(Figure {
        chart,
        caption: format!("{} {aggregated}", column.column.meaning)
            .trim_end()
            .to_owned(),
    })
}

/// If an interval has at least this fraction of all numbers, intervals do not show how often each number occurs.
const ALIKE: f64 = 0.8;

/// Returns a bar for each number, ascending, if the numbers are few or nearly all are in one interval. Also returns how many of
/// the rarest numbers share one bar.
fn few(numbers: &Numbers, text: &dyn Fn(f64) -> String) -> Option<(Vec<Bar>, usize)> {
    let mut each: Vec<(f64, u64)> = numbers.each()?.collect();
    let (step, intervals) = numbers.intervals();
    let most = intervals
        .iter()
        .map(|interval| interval.count)
        .max()
        .unwrap_or(0);
    let are_alike = most as f64 > ALIKE * numbers.count() as f64 && step > 1.0;
    if each.len() > BARS_MAX && !are_alike {
        return None;
    }
    each.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let rare = each.split_off(each.len().min(BARS_MAX));
    each.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut bars: Vec<Bar> = each
        .iter()
        .map(|&(x, count)| Bar::new(text(x), count))
        .collect();
    if !rare.is_empty() {
        let count = rare.iter().map(|&(_, count)| count).sum();
        bars.push(Bar::new(format!("{} others", rare.len()), count));
    }
    Some((bars, rare.len()))
}

/// Adds a bar for rows without a value.
fn with_nulls(mut bars: Vec<Bar>, nulls: u64) -> Vec<Bar> {
    if nulls > 0 {
        bars.push(Bar::new("none", nulls));
    }
    bars
}

/// Returns the first bars, then a bar for the other values and one for rows without a value. Also returns the number of other
/// values.
fn bounded(mut bars: Vec<Bar>, nulls: u64) -> (Vec<Bar>, usize) {
    let rare = bars.split_off(bars.len().min(BARS_MAX));
    if !rare.is_empty() {
        let count = rare.iter().map(|bar| bar.count).sum();
        bars.push(Bar::new(format!("{} others", rare.len()), count));
    }
    (with_nulls(bars, nulls), rare.len())
}

/// Returns the course of a column along a column that counts the rows.
fn run(index: &ColumnProfile, column: &ColumnProfile, along: &Along) -> Figure {
    let places: Vec<(u64, f64)> = match &index.holds {
        Holds::Numbers { along, .. } => along.runs().map(|run| (run.row, run.first)).collect(),
        _ => Vec::new(),
    };
    let place = |row: u64| {
        let found = places.binary_search_by_key(&row, |&(row, _)| row);
        found.map_or(row as f64, |found| places[found].1)
    };
    let [name, over] = [column, index].map(|column| column.column.name.replace('_', " "));
    let points = |of: &dyn Fn(&crate::dataset::profile::RowSpan) -> f64| {
        along
            .runs()
            .map(|run| [place(run.row), of(run)])
            .collect::<Vec<_>>()
    };
    let (series, aggregated) = match along.run() {
        1 => {
            let dots = Series {
                name: name.clone(),
                form: SeriesForm::Dots,
                points: points(&|run| run.first),
            };
            (vec![dots], String::new())
        }
        rows => {
            let range = Series {
                name: "least to greatest".to_owned(),
                form: SeriesForm::Band(along.runs().map(|run| run.greatest - run.least).collect()),
                points: points(&|run| run.least),
            };
            let mean = Series {
                name: format!("mean of {rows} rows"),
                form: SeriesForm::Line,
                points: points(&|run| run.mean()),
            };
            let text = format!(" Each point sums up {rows} consecutive rows.");
            (vec![range, mean], text)
        }
    };
    Figure {
        chart: Chart::Lines(Lines {
            title: format!("{name} along {over}"),
            names: [over.clone(), name.clone()],
            series,
            fractions: along.run() == 1 && DYADIC.contains(&&*column.column.name),
            ..Lines::default()
        }),
        caption: format!("{}{aggregated}", column.column.meaning),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_things_are_one_bar_and_rows_without_any_another() {
        let bars: Vec<Bar> = (0..20).map(|n| Bar::new(n.to_string(), 20 - n)).collect();
        let (bars, rare) = bounded(bars, 7);
        assert_eq!((bars.len(), rare), (18, 4));
        assert_eq!(bars[16], Bar::new("4 others", 4 + 3 + 2 + 1));
        assert_eq!(bars[17], Bar::new("none", 7));
        let (bars, rare) = bounded(vec![Bar::new("N", 1)], 0);
        assert_eq!((bars.len(), rare), (1, 0));
    }

    #[test]
    fn numbers_that_crowd_together_have_bars_of_their_own() {
        let mut numbers = Numbers::new(true);
        for n in 0..30 {
            numbers.add(f64::from(n), 10 + n as u64);
        }
        assert!(
            few(&numbers, &|x| x.to_string()).is_none(),
            "an interval each"
        );
        numbers.add(1e6, 1);
        let (bars, rare) = few(&numbers, &|x| x.to_string()).unwrap();
        assert_eq!((bars.len(), rare), (17, 15));
        assert_eq!((&*bars[0].label, &*bars[16].label), ("14", "15 others"));
    }
}
