//! Table `heaps`: one row for each heap of a game, in ascending order of size.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{ArrayRef, BooleanArray, DictionaryArray, Int32Array, Int64Array, StringArray};
use bytesize::ByteSize;

use crate::dataset::row::{RowColumns, TableRow, table_row};
use crate::dataset::{DatasetError, ResultSet};

table_row! {
/// One heap: its size and its value.
pub struct HeapRow {
    /// The game: an octal or hexadecimal code such as 0.77, grundy, or subtraction(1,3,4).
    pub code: Arc<str>,
    /// How heaps are added: disjunctive (a move in any one of them) or obligated (a heap that is
    /// moved in must be finished before another is begun, as Ferguson defines it).
    pub sum: Arc<str>,
    /// The size of the heap, in tokens.
    pub n: i64 = ascending,
    /// The value: under disjunctive sums the nimber (0, *, *2, ...), under obligated sums the
    /// outcomes of normal and misere play in two bits (00, 01, 10, 11; 0 is a P-position, 1 an
    /// N-position).
    pub value: Arc<str>,
    /// The nim-value; null under obligated sums, where heaps have none.
    pub nim_value: Option<i32>,
    /// The outcome of the heap alone under normal play: P or N.
    pub normal: Arc<str>,
    /// The outcome of the heap alone under misere play: P or N; null under disjunctive sums, for
    /// which it is not computed.
    pub misere: Option<Arc<str>>,
    /// Whether no smaller heap has this value.
    pub first: bool,
}
}

impl TableRow for HeapRow {
    const TABLE: &'static str = "heaps";

    fn describe(row: &HeapRow) -> String {
        format!("heap {} of {}", row.n, row.code)
    }
}

/// The size of a row of the tables `heaps` and `codes`.
///
/// Unit: bytes. Finished result sets of 262 thousand to 100 million rows have 3.1 to 5.6 a row.
/// Those of 0.77 and 0.16, whose values are soon periodic, have 1.1 and 1.3.
pub(in crate::task) const ROW_BYTES: u64 = 1;

/// Returns about how many bytes the results of heaps or codes take, given the lower bound.
///
/// Games that are soon periodic have 0.1 more for each row, 0.37 has 2.1, others up to 4.6.
pub(in crate::task) fn with_more(least: ByteSize, rows: u64) -> ByteSize {
    ByteSize((least.0 as f64 + rows as f64 * 1.2) as u64)
}

/// The columns that depend on the value alone.
#[derive(Clone, Debug, PartialEq)]
pub struct HeapLabel {
    /// The value, as in the column.
    pub text: Arc<str>,
    /// The nim-value; `None` under obligated sums.
    pub nim_value: Option<i32>,
    /// Whether the heap alone is an N-position under normal play.
    pub normal: bool,
    /// The same under misère play; `None` if it is not computed.
    pub misere: Option<bool>,
}

/// The outcomes, a P-position first.
pub const OUTCOMES: [&str; 2] = ["P", "N"];

/// Heaps of consecutive sizes under one kind of sum, in columns.
#[derive(Clone, Debug)]
pub struct HeapColumns<'l> {
    /// The game, as in the column.
    pub code: &'l str,
    /// How heaps are added, as in the column.
    pub sum: &'l str,
    /// The size of the first heap.
    pub n: i64,
    /// For each heap, the index of its value's label.
    pub values: Vec<i32>,
    /// The labels; `None` for a value that no heap has.
    pub labels: &'l [Option<HeapLabel>],
    /// For each heap, whether no smaller heap has the value.
    pub first: Vec<bool>,
}

impl HeapColumns<'_> {
    /// Returns the label of each heap's value in turn.
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

/// Returns the nim-values of the heaps of a finished part, in order, up to the first heap without
/// one. Returns `None` if the part is not finished.
///
/// # Errors
///
/// Damage.
pub(super) fn nim_values(results: &ResultSet, part: u32) -> Result<Option<Vec<u16>>, DatasetError> {
    let mut values = Vec::new();
    let is_there = results.read_columns::<HeapRow>(part, &["nim_value"], |columns| {
        let value = |value: Option<i32>| u16::try_from(value?).ok();
        let column = columns[0].as_primitive::<Int32Type>();
        values.extend(column.iter().map_while(value));
    })?;
    Ok(is_there.then_some(values))
}

/// Calls `each` with each heap of a part, in order; not at all if the part cannot be read.
///
/// # Errors
///
/// Damage.
pub(super) fn heaps_of(
    results: &ResultSet,
    part: u32,
    mut each: impl FnMut(i64),
) -> Result<(), DatasetError> {
    results.read_columns::<HeapRow>(part, &["n"], |columns| {
        let column = columns[0].as_primitive::<Int64Type>();
        column.values().iter().copied().for_each(&mut each);
    })?;
    Ok(())
}

/// Returns the obligated values of the heaps of a finished part, in order, their two digits read as
/// a number in base 2; otherwise like [`nim_values`].
pub(super) fn obligated_values(
    results: &ResultSet,
    part: u32,
) -> Result<Option<Vec<u16>>, DatasetError> {
    let mut values = Vec::new();
    let is_there = results.read_columns::<HeapRow>(part, &["value"], |columns| {
        let column = columns[0].as_dictionary::<Int32Type>();
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
