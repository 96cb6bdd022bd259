//! Table `heaps`: one row for each heap of a game, in ascending order of size.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, BooleanArray, DictionaryArray, Int32Array, Int64Array, StringArray};

use crate::dataset::row::{RowColumns, TableRow, table_row};
use crate::dataset::{DatasetError, ResultSet};

table_row! {
/// One heap: its size and what it is worth.
pub struct HeapRow {
    /// The game: an octal or hexadecimal code such as 0.77, grundy, or subtraction(1,3,4).
    pub code: Arc<str>,
    /// How heaps are added: disjunctive (a move in any one of them) or obligated (the one that is moved in must be finished
    /// before another is begun, as Ferguson defines it).
    pub sum: Arc<str>,
    /// The size of the heap, in tokens.
    pub n: i64,
    /// The value: under disjunctive sums the nimber (0, *, *2, ...), under obligated sums the outcomes of normal and
    /// misere play in two bits (00, 01, 10, 11; 0 is a P-position, 1 an N-position).
    pub value: Arc<str>,
    /// The nim-value; null under obligated sums, where heaps have none.
    pub nim_value: Option<i32>,
    /// The outcome of the heap alone under normal play: P or N.
    pub normal: Arc<str>,
    /// The outcome of the heap alone under misere play: P or N; null under disjunctive sums, where it is not computed.
    pub misere: Option<Arc<str>>,
    /// Whether no smaller heap has the value.
    pub first: bool,
}
}

impl TableRow for HeapRow {
    const TABLE: &'static str = "heaps";

    fn describe(row: &HeapRow) -> String {
        format!("heap {} of {}", row.n, row.code)
    }
}

/// What rows say of a value.
#[derive(Clone, Debug, PartialEq)]
pub struct HeapLabel {
    /// The value, as the column has it.
    pub text: Arc<str>,
    /// The nim-value; none under obligated sums.
    pub nim_value: Option<i32>,
    /// Whether the heap alone is an N-position under normal play.
    pub normal: bool,
    /// Whether it is under misère play; none where that is not computed.
    pub misere: Option<bool>,
}

/// The outcomes, a P-position first.
pub const OUTCOMES: [&str; 2] = ["P", "N"];

/// Heaps of consecutive sizes under one kind of sum, column by column.
#[derive(Clone, Debug)]
pub struct HeapColumns<'l> {
    /// The game, as the column has it.
    pub code: &'l str,
    /// How heaps are added, as the column has it.
    pub sum: &'l str,
    /// The size of the first heap.
    pub n: i64,
    /// For each heap the place of its value among the labels.
    pub values: Vec<i32>,
    /// What rows say of values; none for those that no heap has.
    pub labels: &'l [Option<HeapLabel>],
    /// For each heap whether no smaller one has the value.
    pub first: Vec<bool>,
}

impl HeapColumns<'_> {
    /// Returns what rows say of each value in turn.
    fn each(&self) -> impl Iterator<Item = &HeapLabel> {
        let label = |&value: &i32| self.labels[value as usize].as_ref();
        self.values
            .iter()
            .map(move |value| label(value).expect("values that heaps have are labelled"))
    }
}

impl RowColumns for HeapColumns<'_> {
    type Row = HeapRow;

    fn arrays(self) -> Vec<ArrayRef> {
        let rows = self.values.len();
        let same = |text: &str| labelled(Int32Array::from_value(0, rows), [text]);
        let nim_values = Int32Array::from_iter(self.each().map(|label| label.nim_value));
        let normal = Int32Array::from_iter_values(self.each().map(|label| label.normal.into()));
        let misere = self.each().map(|label| label.misere.map(i32::from));
        let misere = Int32Array::from_iter(misere);
        let texts = self.labels.iter();
        let texts = texts.map(|label| label.as_ref().map_or("", |label| &label.text));
        vec![
            same(self.code),
            same(self.sum),
            Arc::new(Int64Array::from_iter_values((self.n..).take(rows))),
            labelled(Int32Array::from(self.values.clone()), texts),
            Arc::new(nim_values),
            labelled(normal, OUTCOMES),
            labelled(misere, OUTCOMES),
            Arc::new(BooleanArray::from(self.first.clone())),
        ]
    }
}

/// Returns a column of labels.
fn labelled<'t>(keys: Int32Array, texts: impl IntoIterator<Item = &'t str>) -> ArrayRef {
    let texts = StringArray::from_iter_values(texts);
    let column = DictionaryArray::try_new(keys, Arc::new(texts));
    Arc::new(column.expect("every key is the place of a text"))
}

/// Returns the nim-values of the heaps of a finished part, in order, fewer where some heap has none; `None`
/// where the part is not finished.
///
/// # Errors
///
/// Damage.
pub(super) fn nim_values(results: &ResultSet, part: u32) -> Result<Option<Vec<u16>>, DatasetError> {
    let mut values = Vec::new();
    let is_there = results.read_column::<HeapRow>(part, "nim_value", |column| {
        let value = |value: Option<i32>| u16::try_from(value?).ok();
        let column = column.as_primitive::<Int32Type>();
        values.extend(column.iter().map_while(value));
    })?;
    Ok(is_there.then_some(values))
}

/// Returns the obligated values of the heaps of a finished part, in order, their two digits read as one number in
/// base 2; otherwise as [`nim_values`].
pub(super) fn obligated_values(
    results: &ResultSet,
    part: u32,
) -> Result<Option<Vec<u16>>, DatasetError> {
    let mut values = Vec::new();
    let is_there = results.read_column::<HeapRow>(part, "value", |column| {
        let column = column.as_dictionary::<Int32Type>();
        let texts = column.values().as_string::<i32>();
        let labels: Vec<Option<u16>> = texts
            .iter()
            .map(|text| {
                u16::from_str_radix(text?, 2)
                    .ok()
                    .filter(|&two_digits| two_digits < 4)
            })
            .collect();
        let value = |key: Option<i32>| labels[key? as usize];
        values.extend(column.keys().iter().map_while(value));
    })?;
    Ok(is_there.then_some(values))
}
