//! Tiles: rows by two variables, aggregated in rectangles of values of these variables.

use std::collections::BTreeMap;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type, Int64Type};
use arrow_array::{Array, RecordBatch};

use super::{Holds, Profile};
use crate::dataset::column::ColumnKind;
use crate::dataset::labels::Labels;
use crate::dataset::{DatasetError, Scan, Wanted};

/// The most intervals into which the values of a variable are divided.
///
/// Unit: intervals. The squares of 48 by 48 tiles fit beside one another on a page, and the picture takes 0.3 MB.
pub const TILES_MAX: u64 = 48;

/// The most different texts of a column that tiles count.
///
/// Unit: texts. Each takes a count per tile, 18 KB.
pub const TILE_TEXTS_MAX: usize = 64;

/// An integer variable whose values are divided into intervals of one length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileSide {
    /// The name of the variable's column.
    pub name: String,
    least: i64,
    greatest: i64,
}

/// The contents of some columns by two variables, aggregated.
#[derive(Clone, Debug)]
pub struct Tiles {
    sides: [TileSide; 2],
    /// The rows of each tile.
    rows: Vec<u64>,
    columns: Vec<(String, TiledColumn)>,
}

/// The contents of a column, aggregated. A tile has the index of its first interval times the number of second
/// intervals, plus the index of its second interval.
#[derive(Clone, Debug)]
pub enum TiledColumn {
    /// For each tile, the count and the sum of its numbers.
    Numbers(Vec<(u64, f64)>),
    /// For each text, its count in each tile; of flags, `yes` and `no`.
    Texts(BTreeMap<String, Vec<u64>>),
}

impl TileSide {
    /// Returns the side for a column of a profile; `None` if it holds no integers.
    ///
    /// ```
    /// use seedbank::dataset::profile::TileSide;
    ///
    /// let side = TileSide::new("x", 1, 300);
    /// assert_eq!((side.len(), side.step()), (43, 7));
    /// assert_eq!([side.interval(0), side.interval(42)], [(1, 7), (295, 300)]);
    /// ```
    pub fn of(profile: &Profile, name: &str) -> Option<TileSide> {
        let column = profile.column(name)?;
        match &column.holds {
            Holds::Numbers { numbers, .. } if numbers.is_integral() => {
                let (least, greatest) = numbers.ends()?;
                Some(TileSide::new(name, least as i64, greatest as i64))
            }
            _ => None,
        }
    }

    /// Returns the side for a variable with values from `least` to `greatest`.
    pub fn new(name: &str, least: i64, greatest: i64) -> TileSide {
        TileSide {
            name: name.to_owned(),
            least,
            greatest,
        }
    }

    fn values(&self) -> u64 {
        self.greatest.abs_diff(self.least).saturating_add(1)
    }

    /// Returns the number of values in an interval: the least for which there are at most [`TILES_MAX`] intervals.
    pub fn step(&self) -> u64 {
        self.values().div_ceil(TILES_MAX)
    }

    /// Returns the number of intervals, at least 1.
    #[expect(clippy::len_without_is_empty, reason = "a side is never empty")]
    pub fn len(&self) -> usize {
        self.values().div_ceil(self.step()) as usize
    }

    /// Returns the first and the last value of an interval.
    pub fn interval(&self, place: usize) -> (i64, i64) {
        let first = self
            .least
            .saturating_add_unsigned(place as u64 * self.step());
        let last = first.saturating_add_unsigned(self.step() - 1);
        (first, last.min(self.greatest))
    }

    fn place(&self, value: i64) -> Option<usize> {
        let is_inside = (self.least..=self.greatest).contains(&value);
        is_inside.then(|| (value.abs_diff(self.least) / self.step()) as usize)
    }
}

impl Tiles {
    /// Aggregates some columns of the first table of a result, in one pass over its rows. Rows without one of the variables
    /// are left out.
    ///
    /// # Errors
    ///
    /// Rows that cannot be read.
    pub fn of(scan: Scan<'_>, sides: [TileSide; 2], names: &[&str]) -> Result<Tiles, DatasetError> {
        let columns = scan.first_columns();
        let place = |name: &str| columns.iter().position(|column| column.name == name);
        let variables = sides.each_ref().map(|side| place(&side.name));
        let measured: Vec<(usize, ColumnKind)> = names
            .iter()
            .filter_map(|name| place(name))
            .map(|place| (place, columns[place].kind))
            .collect();
        let empty = Tiles::empty(sides, measured.iter().map(|&(place, _)| &columns[place]));
        let [Some(down), Some(across)] = variables else {
            return Ok(empty);
        };
        let names = names.iter().copied();
        let wanted = names.chain(empty.sides.iter().map(|side| &*side.name));
        let wanted = Wanted::columns(wanted.collect::<Vec<_>>());
        let mut all = empty.clone();
        let batches = scan.first_batches(wanted, |_, batch| {
            let mut tiles = empty.clone();
            tiles.add_batch(&batch, [down, across], &measured);
            tiles
        })?;
        for batch in batches {
            all.merge(batch?);
        }
        Ok(all)
    }

    fn empty<'c>(
        sides: [TileSide; 2],
        columns: impl Iterator<Item = &'c crate::dataset::Column>,
    ) -> Tiles {
        let tiles = sides[0].len() * sides[1].len();
        let columns = columns.map(|column| {
            let held = match column.kind {
                ColumnKind::Int32 | ColumnKind::Int64 | ColumnKind::Float64 => {
                    TiledColumn::Numbers(vec![(0, 0.0); tiles])
                }
                _ => TiledColumn::Texts(BTreeMap::new()),
            };
            (column.name.clone(), held)
        });
        Tiles {
            columns: columns.collect(),
            rows: vec![0; tiles],
            sides,
        }
    }

    fn add_batch(
        &mut self,
        batch: &RecordBatch,
        variables: [usize; 2],
        measured: &[(usize, ColumnKind)],
    ) {
        let [downs, acrosses] = variables.map(|place| integers(batch, place));
        let places: Vec<Option<usize>> = downs
            .iter()
            .zip(&acrosses)
            .map(|(&down, &across)| {
                Some(
                    self.sides[0].place(down?)? * self.sides[1].len()
                        + self.sides[1].place(across?)?,
                )
            })
            .collect();
        for &place in places.iter().flatten() {
            self.rows[place] += 1;
        }
        for ((_, column), &(place, kind)) in self.columns.iter_mut().zip(measured) {
            let array = batch.column(place);
            let rows = places.iter().enumerate();
            let rows = rows.filter_map(|(row, place)| place.map(|place| (row, place)));
            let rows = rows.filter(|&(row, _)| array.is_valid(row));
            match kind {
                ColumnKind::Int32 => {
                    let array = array.as_primitive::<Int32Type>();
                    rows.for_each(|(row, place)| column.number(place, array.value(row).into()));
                }
                ColumnKind::Int64 => {
                    let array = array.as_primitive::<Int64Type>();
                    rows.for_each(|(row, place)| column.number(place, array.value(row) as f64));
                }
                ColumnKind::Float64 => {
                    let array = array.as_primitive::<Float64Type>();
                    rows.for_each(|(row, place)| column.number(place, array.value(row)));
                }
                ColumnKind::Label => {
                    let labels = Labels::of(array);
                    rows.for_each(|(row, place)| column.text(place, labels.text(row), &self.rows));
                }
                ColumnKind::Bool => {
                    let array = array.as_boolean();
                    let text = |row| if array.value(row) { "yes" } else { "no" };
                    rows.for_each(|(row, place)| column.text(place, text(row), &self.rows));
                }
                ColumnKind::Text => {
                    let array = array.as_string::<i32>();
                    rows.for_each(|(row, place)| column.text(place, array.value(row), &self.rows));
                }
                _ => {}
            }
        }
    }

    fn merge(&mut self, more: Tiles) {
        let add = |sums: &mut [u64], more: &[u64]| {
            sums.iter_mut().zip(more).for_each(|(sum, &x)| *sum += x);
        };
        add(&mut self.rows, &more.rows);
        for ((_, column), (_, more)) in self.columns.iter_mut().zip(more.columns) {
            match (column, more) {
                (TiledColumn::Numbers(sums), TiledColumn::Numbers(more)) => {
                    for (sum, (count, x)) in sums.iter_mut().zip(more) {
                        *sum = (sum.0 + count, sum.1 + x);
                    }
                }
                (TiledColumn::Texts(counts), TiledColumn::Texts(more)) => {
                    for (text, more) in more {
                        let count = counts.entry(text).or_insert_with(|| vec![0; more.len()]);
                        add(count, &more);
                    }
                }
                _ => {}
            }
        }
    }

    /// Returns the variables: the first from tile to tile downwards, the second across.
    pub fn sides(&self) -> &[TileSide; 2] {
        &self.sides
    }

    /// Returns the number of rows that a tile aggregates.
    pub fn rows(&self, tile: usize) -> u64 {
        self.rows[tile]
    }

    /// Returns the columns with their names, in the order requested.
    pub fn columns(&self) -> &[(String, TiledColumn)] {
        &self.columns
    }
}

impl TiledColumn {
    fn number(&mut self, tile: usize, x: f64) {
        if let TiledColumn::Numbers(sums) = self
            && x.is_finite()
        {
            sums[tile].0 += 1;
            sums[tile].1 += x;
        }
    }

    fn text(&mut self, tile: usize, text: &str, tiles: &[u64]) {
        let TiledColumn::Texts(counts) = self else {
            return;
        };
        if let Some(count) = counts.get_mut(text) {
            count[tile] += 1;
        } else if counts.len() < TILE_TEXTS_MAX {
            let mut count = vec![0; tiles.len()];
            count[tile] = 1;
            counts.insert(text.to_owned(), count);
        }
    }

    /// Returns the mean of a tile's numbers.
    pub fn mean(&self, tile: usize) -> Option<f64> {
        match self {
            TiledColumn::Numbers(sums) => {
                let (count, sum) = sums[tile];
                (count > 0).then(|| sum / count as f64)
            }
            TiledColumn::Texts(_) => None,
        }
    }

    /// Returns the commonest text of a tile and its count; of equally common texts, the first in alphabetical order.
    pub fn commonest(&self, tile: usize) -> Option<(&str, u64)> {
        let TiledColumn::Texts(counts) = self else {
            return None;
        };
        let counts = counts.iter().map(|(text, count)| (&**text, count[tile]));
        let commonest = counts.rev().max_by_key(|&(_, count)| count)?;
        (commonest.1 > 0).then_some(commonest)
    }
}

fn integers(batch: &RecordBatch, place: usize) -> Vec<Option<i64>> {
    let array = batch.column(place);
    match array.as_primitive_opt::<Int64Type>() {
        Some(array) => array.iter().collect(),
        None => match array.as_primitive_opt::<Int32Type>() {
            Some(array) => array.iter().map(|x| x.map(i64::from)).collect(),
            None => vec![None; array.len()],
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_cover_all_values_once() {
        for (least, greatest) in [(1, 1), (-5, 42), (0, 48), (1, 300), (i64::MIN, i64::MAX)] {
            let side = TileSide::new("x", least, greatest);
            assert!(side.len() as u64 <= TILES_MAX);
            let mut next = least;
            for place in 0..side.len() {
                let (first, last) = side.interval(place);
                assert_eq!((first, side.place(first)), (next, Some(place)));
                assert_eq!(side.place(last), Some(place));
                next = last.wrapping_add(1);
            }
            assert_eq!(next, greatest.wrapping_add(1));
        }
        assert_eq!(TileSide::new("x", 1, 9).place(0), None);
    }

    #[test]
    fn of_equally_common_texts_the_first_counts() {
        let mut column = TiledColumn::Texts(BTreeMap::new());
        for (tile, text) in [(0, "P"), (0, "N"), (1, "P"), (1, "P"), (1, "N")] {
            column.text(tile, text, &[0; 3]);
        }
        assert_eq!(column.commonest(0), Some(("N", 1)));
        assert_eq!(column.commonest(1), Some(("P", 2)));
        assert_eq!(column.commonest(2), None);
    }
}
