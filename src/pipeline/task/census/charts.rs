//! Charts of a census: how many positions there are by pots and seeds, and which values they have.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use cggames::board::Features;

use super::CensusTask;
use super::space::Space;
use crate::dataset::profile::{Numbers, Texts};
use crate::dataset::{CellRecord, CensusRow, DatasetError};
use crate::report::page::Figure;
use crate::report::svg::chart::{Bar, Bars, Chart, Histogram};
use crate::report::svg::heat_map::{HeatCell, HeatMap, Shading};
use crate::run::Reading;

/// The most rows and columns of a heat map.
///
/// Unit: cells. More do not fit on a page.
const SIDE_MAX: usize = 48;

/// The most bars.
const BARS_MAX: usize = 24;

/// Pots and seeds.
type Size = (u32, u64);

/// What a census holds, in sum.
struct SizeTotals {
    positions: BTreeMap<Size, u64>,
    /// The greatest nim-value of each size; none where some position is no nimber.
    nim_values: BTreeMap<Size, Option<i32>>,
    outcomes: Texts,
    temperatures: Numbers,
}

/// Returns the charts of a census; none where there is no census.
///
/// # Errors
///
/// Rows that cannot be read.
pub(super) fn charts(
    task: &CensusTask,
    reading: &Reading<'_>,
) -> Result<Vec<Figure>, DatasetError> {
    let mut census = SizeTotals {
        positions: BTreeMap::new(),
        nim_values: BTreeMap::new(),
        outcomes: Texts::default(),
        temperatures: Numbers::new(false),
    };
    let mut positions = BTreeMap::new();
    each_row(
        task,
        reading,
        |cell| *positions.entry(size(cell.features)).or_default() += cell.positions,
        |row| census.add(size(Features::from(&row.features)), row),
    )?;
    if positions.is_empty() {
        return Ok(Vec::new());
    }
    census.positions = positions;
    Ok(census.figures())
}

/// Passes the cells and the rows of a job's census, if there is one. Those of other jobs do not count, and those of several parts
/// count once.
///
/// # Errors
///
/// Rows that cannot be read.
pub(super) fn each_row(
    task: &CensusTask,
    reading: &Reading<'_>,
    mut each_cell: impl FnMut(&CellRecord),
    mut each: impl FnMut(&CensusRow<'_>),
) -> Result<(), DatasetError> {
    let Some(set) = super::open(reading.job, task, reading.out)? else {
        return Ok(());
    };
    let space = Space::of(task);
    let mut known = HashSet::new();
    for record in set.parts()?.finished {
        let counts = |cell: &&CellRecord| {
            let again = space.all.is_some() && !known.insert(cell.features);
            !again && space.holds(cell.features)
        };
        let cells: Vec<&CellRecord> = record.cells.iter().filter(counts).collect();
        cells.iter().for_each(|cell| each_cell(cell));
        let counting: HashSet<Features> = cells.iter().map(|cell| cell.features).collect();
        for batch in set.census_batches(std::slice::from_ref(&record)) {
            for row in batch?.rows() {
                let features = Features::from(&row.features);
                if counting.contains(&features) {
                    each(&row);
                }
            }
        }
    }
    Ok(())
}

fn size(features: Features) -> Size {
    (features.pots, features.seeds.unwrap_or(0))
}

impl SizeTotals {
    fn add(&mut self, size: Size, row: &CensusRow<'_>) {
        let (value, count) = (&row.value, row.count as u64);
        self.outcomes.add(&row.outcome, count);
        if let Some(temperature) = value.temperature {
            self.temperatures.add(temperature, count);
        }
        let greatest = self.nim_values.entry(size).or_insert(Some(0));
        *greatest = greatest.zip(value.nim_value).map(|(a, b)| a.max(b));
    }

    fn figures(&self) -> Vec<Figure> {
        let mut figures = Vec::new();
        let caption = "Of a position and its mirror image one is counted.";
        let positions = self
            .positions
            .iter()
            .map(|(&size, &count)| (size, count as f64));
        figures.extend(by_size("positions", caption, positions.collect()));
        let nim_values = self.nim_values.iter();
        let nim_values: Option<BTreeMap<Size, f64>> = nim_values
            .map(|(&size, greatest)| greatest.map(|greatest| (size, f64::from(greatest))))
            .collect();
        if let Some(nim_values) = nim_values {
            figures.extend(by_size("greatest nim-value", "", nim_values));
        }
        let outcomes = self.outcomes.counts().into_iter().flatten();
        let outcomes: Vec<Bar> = outcomes
            .map(|(text, &count)| Bar::new(&**text, count))
            .collect();
        if outcomes.len() > 1 {
            figures.push(bars("outcome", outcomes));
        }
        figures.extend(self.of_temperatures());
        figures
    }

    fn of_temperatures(&self) -> Option<Figure> {
        let (least, greatest) = self.temperatures.ends()?;
        if least == greatest {
            return None;
        }
        if let Some(each) = self.temperatures.each() {
            let each: Vec<Bar> = each
                .map(|(t, count)| Bar::new(t.to_string(), count))
                .collect();
            if each.len() <= BARS_MAX {
                return Some(bars("temperature", each));
            }
        }
        let (step, intervals) = self.temperatures.intervals();
        Some(Figure {
            chart: Chart::Histogram(Histogram {
                title: "positions by temperature".to_owned(),
                names: ["temperature".to_owned(), "positions".to_owned()],
                from: intervals.first()?.from,
                step,
                is_integral: false,
                counts: intervals.iter().map(|interval| interval.count).collect(),
            }),
            caption: format!("Temperatures are counted in intervals of {step}."),
        })
    }
}

fn bars(name: &str, bars: Vec<Bar>) -> Figure {
    Figure {
        chart: Chart::Bars(Bars {
            title: format!("positions by {name}"),
            names: [name.to_owned(), "positions".to_owned()],
            bars,
        }),
        caption: String::new(),
    }
}

/// Returns a heat map of numbers by pots and seeds, or none where there is one size only; sizes beyond those
/// that fit are left out, and the caption says so.
fn by_size(what: &str, caption: &str, numbers: BTreeMap<Size, f64>) -> Option<Figure> {
    if numbers.len() < 2 {
        return None;
    }
    let all_pots: BTreeSet<u32> = numbers.keys().map(|&(pots, _)| pots).collect();
    let all_seeds: BTreeSet<u64> = numbers.keys().map(|&(_, seeds)| seeds).collect();
    let pots: Vec<u32> = all_pots.iter().copied().take(SIDE_MAX).collect();
    let seeds: Vec<u64> = all_seeds.iter().copied().take(SIDE_MAX).collect();
    // Counts grow by powers: their logarithms are shaded.
    let shade = |x: f64| (1.0 + x).log2();
    let shading = Shading::of(numbers.values().copied().map(shade));
    let cell = |pots: u32, seeds: u64| match numbers.get(&(pots, seeds)) {
        Some(&x) => HeatCell::shaded(x.to_string(), &shading, shade(x)),
        None => HeatCell::default(),
    };
    // The longer side runs downwards, which a phone can scroll.
    let (names, columns, rows) = if pots.len() <= seeds.len() {
        (
            ["seeds", "pots"],
            pots.iter().map(u32::to_string).collect(),
            seeds
                .iter()
                .map(|&seeds| {
                    let cells = pots.iter().map(|&pots| cell(pots, seeds));
                    (seeds.to_string(), cells.collect())
                })
                .collect(),
        )
    } else {
        (
            ["pots", "seeds"],
            seeds.iter().map(u64::to_string).collect(),
            pots.iter()
                .map(|&pots| {
                    let cells = seeds.iter().map(|&seeds| cell(pots, seeds));
                    (pots.to_string(), cells.collect())
                })
                .collect(),
        )
    };
    let mut caption = format!("{caption} Shades are logarithmic.");
    for (name, shown, all) in [
        ("pots", pots.len(), all_pots.len()),
        ("seeds", seeds.len(), all_seeds.len()),
    ] {
        if shown < all {
            caption += &format!(" The first {shown} of {all} numbers of {name} are shown.");
        }
    }
    Some(Figure {
        chart: Chart::HeatMap(HeatMap {
            title: format!("{what} by pots and seeds"),
            names: names.map(str::to_owned),
            columns,
            rows,
        }),
        caption: caption.trim_start().to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_that_do_not_fit_are_left_out_and_counted() {
        let numbers = (0..60).map(|seeds| ((3, seeds), seeds as f64)).collect();
        let figure = by_size("positions", "", numbers).unwrap();
        let Chart::HeatMap(map) = &figure.chart else {
            panic!("a heat map");
        };
        assert_eq!((map.rows.len(), map.columns.len()), (SIDE_MAX, 1));
        assert!(
            figure
                .caption
                .ends_with("The first 48 of 60 numbers of seeds are shown.")
        );
        assert_eq!(
            by_size("positions", "", BTreeMap::from([((3, 4), 5.0)])),
            None
        );
    }
}
