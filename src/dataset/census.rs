//! Table `census`: for each number of pots and of seeds, one row for each value that positions of that many have.
//!
//! What a census says of some positions does not depend on what is sought among them, nor on the bounds of the job
//! that counted them.

use std::borrow::Cow;
use std::mem;
use std::sync::Arc;

use arrow_array::builder::{
    BooleanBuilder, FixedSizeBinaryBuilder, Float64Builder, Int32Builder, Int64Builder,
    StringBuilder, StringDictionaryBuilder,
};
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::ArrowError;

use super::column::ColumnKind::{Bool, Digest, Float64, Int32, Int64, Label, Text};
use super::column::{Column, nullable, required, searched, table_row};
use super::table::{Columns, Table, at, digest_at, text_at};

/// The name of the table.
pub const TABLE: &str = "census";

table_row! {
/// The positions of so many pots and seeds that have one value.
pub struct CensusRow<'a> {
    /// The number of pots of these positions.
    pub pots: i32 = required(Int32),
    /// The number of seeds of these positions; null where there are full pots, whose count is unknown.
    pub seeds: Option<i64> = nullable(Int64),
    /// How many positions of as many pots and seeds have the value, of one and its mirror image only the one that
    /// the family lists; where the job has a relation, how many of those that have it.
    pub count: i64 = required(Int64),
    /// The first of these positions, in the family's order.
    pub position: Cow<'a, str> = required(Text),
    /// How many positions of as many pots and seeds come before it, in the family's order.
    pub rank: i64 = required(Int64),
    /// The outcome class: N (first player wins), P (second player wins), L (Left wins), R (Right wins).
    pub outcome: Cow<'a, str> = required(Label),
    /// The canonical form in CGSuite's notation; null beyond 4,096 characters (then see table forms by value_digest).
    pub value: Option<Cow<'a, str>> = nullable(Text),
    /// A 128-bit digest of the canonical form: equal values have equal digests, in all result sets.
    pub value_digest: [u8; 16] = searched(Digest),
    /// What kind of value it is, one of those that the column of table positions has.
    pub kind: Cow<'a, str> = required(Label),
    /// The nim-value k of a value *k (0 is *0, 1 is *); null where the value is no nimber.
    pub nim_value: Option<i32> = nullable(Int32),
    /// The Left stop, an exact dyadic rational; null where a 64-bit float is not exact.
    pub left_stop: Option<f64> = nullable(Float64),
    /// The Right stop, an exact dyadic rational; null where a 64-bit float is not exact.
    pub right_stop: Option<f64> = nullable(Float64),
    /// The mean, an exact dyadic rational; null where a 64-bit float is not exact or it was not computed.
    pub mean: Option<f64> = nullable(Float64),
    /// The temperature, an exact dyadic rational (below zero for numbers); null where a 64-bit float is not exact or it
    /// was not computed.
    pub temperature: Option<f64> = nullable(Float64),
    /// The birthday: the height of the canonical form's game tree, in moves.
    pub birthday: i32 = required(Int32),
    /// The atomic weight in CGSuite's notation; null beyond 4,096 characters, and where the value has none.
    pub atomic_weight: Option<Cow<'a, str>> = nullable(Text),
    /// The atomic weight where it is an integer; null elsewhere.
    pub atomic_weight_number: Option<i64> = nullable(Int64),
    /// Why there is no atomic weight: not-infinitesimal, a stop is not 0, so the value has none; not-dicotic, it is an
    /// infinitesimal of a sort of which none is computed; null where there is one.
    pub atomic_weight_missing: Option<Cow<'a, str>> = nullable(Label),
    /// Whether the value is dicotic: in every follower either both players can move or neither can.
    pub dicotic: bool = required(Bool),
}
}

/// Returns the columns of the table.
pub fn columns() -> Vec<Column> {
    CensusRow::declared_columns()
}

/// Rows on their way into an Arrow batch.
#[derive(Default)]
pub(crate) struct Census {
    pots: Int32Builder,
    seeds: Int64Builder,
    count: Int64Builder,
    position: StringBuilder,
    rank: Int64Builder,
    values: Values,
}

impl Census {
    /// Returns an empty batch with room for so many rows, positions and notations.
    ///
    /// PERF: builders that grow once more for every batch are a tenth of what a search writes to memory.
    fn with_room(rows: usize, position_bytes: usize, value_bytes: usize) -> Census {
        Census {
            pots: Int32Builder::with_capacity(rows),
            seeds: Int64Builder::with_capacity(rows),
            count: Int64Builder::with_capacity(rows),
            position: StringBuilder::with_capacity(rows, position_bytes),
            rank: Int64Builder::with_capacity(rows),
            values: Values {
                rows: 0,
                outcome: StringDictionaryBuilder::with_capacity(rows, 0, 0),
                value: StringBuilder::with_capacity(rows, value_bytes),
                value_digest: Digests(FixedSizeBinaryBuilder::with_capacity(rows, 16)),
                kind: StringDictionaryBuilder::with_capacity(rows, 0, 0),
                nim_value: Int32Builder::with_capacity(rows),
                left_stop: Float64Builder::with_capacity(rows),
                right_stop: Float64Builder::with_capacity(rows),
                mean: Float64Builder::with_capacity(rows),
                temperature: Float64Builder::with_capacity(rows),
                birthday: Int32Builder::with_capacity(rows),
                atomic_weight: StringBuilder::with_capacity(rows, 0),
                atomic_weight_number: Int64Builder::with_capacity(rows),
                atomic_weight_missing: StringDictionaryBuilder::with_capacity(rows, 0, 0),
                dicotic: BooleanBuilder::with_capacity(rows),
            },
        }
    }
}

impl Table for Census {
    type Row<'a> = CensusRow<'a>;
    const NAME: &'static str = TABLE;

    fn rows(&self) -> usize {
        self.values.rows
    }

    fn text_bytes(&self) -> usize {
        self.position.values_slice().len() + self.values.value.values_slice().len()
    }

    fn describe(row: &CensusRow<'_>) -> String {
        format!("position {:?}", row.position)
    }

    fn push(&mut self, row: &CensusRow<'_>) -> Result<(), String> {
        self.values.push(row)?;
        self.pots.append_value(row.pots);
        self.seeds.append_option(row.seeds);
        self.count.append_value(row.count);
        self.position.append_value(&row.position);
        self.rank.append_value(row.rank);
        Ok(())
    }

    fn finish(&mut self) -> Vec<ArrayRef> {
        // The next batch is taken to be as large.
        let next = Census::with_room(
            self.rows(),
            self.position.values_slice().len(),
            self.values.value.values_slice().len(),
        );
        let mut batch = mem::replace(self, next);
        let mut arrays: Vec<ArrayRef> = vec![
            Arc::new(batch.pots.finish()),
            Arc::new(batch.seeds.finish()),
            Arc::new(batch.count.finish()),
            Arc::new(batch.position.finish()),
            Arc::new(batch.rank.finish()),
        ];
        arrays.extend(batch.values.finish());
        arrays
    }

    fn read(batch: &RecordBatch) -> Vec<CensusRow<'static>> {
        rows(batch).map(CensusRow::into_owned).collect()
    }
}

/// Some rows as they lie in memory: a row that is looked at and let go costs next to nothing.
pub struct CensusBatch(pub(super) RecordBatch);

impl CensusBatch {
    /// Returns the rows in order.
    pub fn rows(&self) -> impl Iterator<Item = CensusRow<'_>> {
        rows(&self.0)
    }
}

fn rows(batch: &RecordBatch) -> impl Iterator<Item = CensusRow<'_>> {
    let columns = Columns::of(batch);
    let pots = columns.int32("pots");
    let seeds = columns.int64("seeds");
    let count = columns.int64("count");
    let position = columns.text("position");
    let rank = columns.int64("rank");
    let outcome = columns.labels("outcome");
    let value = columns.text("value");
    let value_digest = columns.digests("value_digest");
    let kind = columns.labels("kind");
    let nim_value = columns.int32("nim_value");
    let left_stop = columns.float64("left_stop");
    let right_stop = columns.float64("right_stop");
    let mean = columns.float64("mean");
    let temperature = columns.float64("temperature");
    let birthday = columns.int32("birthday");
    let atomic_weight = columns.text("atomic_weight");
    let atomic_weight_number = columns.int64("atomic_weight_number");
    let atomic_weight_missing = columns.labels("atomic_weight_missing");
    let dicotic = columns.bools("dicotic");
    let row = move |row: usize| CensusRow {
        pots: pots.value(row),
        seeds: at(seeds, row),
        count: count.value(row),
        position: position.value(row).into(),
        rank: rank.value(row),
        outcome: outcome.text(row).into(),
        value: text_at(value, row).map(Cow::Borrowed),
        value_digest: digest_at(value_digest, row),
        kind: kind.text(row).into(),
        nim_value: at(nim_value, row),
        left_stop: at(left_stop, row),
        right_stop: at(right_stop, row),
        mean: at(mean, row),
        temperature: at(temperature, row),
        birthday: birthday.value(row),
        atomic_weight: text_at(atomic_weight, row).map(Cow::Borrowed),
        atomic_weight_number: at(atomic_weight_number, row),
        atomic_weight_missing: atomic_weight_missing.text_option(row).map(Cow::Borrowed),
        dicotic: dicotic.value(row),
    };
    (0..batch.num_rows()).map(row)
}

impl CensusRow<'_> {
    /// Returns the row with texts of its own.
    pub fn into_owned(self) -> CensusRow<'static> {
        let owned = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        CensusRow {
            position: owned(self.position),
            outcome: owned(self.outcome),
            value: self.value.map(owned),
            kind: owned(self.kind),
            atomic_weight: self.atomic_weight.map(owned),
            atomic_weight_missing: self.atomic_weight_missing.map(owned),
            pots: self.pots,
            seeds: self.seeds,
            count: self.count,
            rank: self.rank,
            value_digest: self.value_digest,
            nim_value: self.nim_value,
            left_stop: self.left_stop,
            right_stop: self.right_stop,
            mean: self.mean,
            temperature: self.temperature,
            birthday: self.birthday,
            atomic_weight_number: self.atomic_weight_number,
            dicotic: self.dicotic,
        }
    }
}

/// The columns that describe the value.
#[derive(Default)]
struct Values {
    rows: usize,
    outcome: StringDictionaryBuilder<Int32Type>,
    value: StringBuilder,
    value_digest: Digests,
    kind: StringDictionaryBuilder<Int32Type>,
    nim_value: Int32Builder,
    left_stop: Float64Builder,
    right_stop: Float64Builder,
    mean: Float64Builder,
    temperature: Float64Builder,
    birthday: Int32Builder,
    atomic_weight: StringBuilder,
    atomic_weight_number: Int64Builder,
    atomic_weight_missing: StringDictionaryBuilder<Int32Type>,
    dicotic: BooleanBuilder,
}

/// A builder of 16-byte digests, empty by default.
struct Digests(FixedSizeBinaryBuilder);

impl Default for Digests {
    fn default() -> Digests {
        Digests(FixedSizeBinaryBuilder::new(16))
    }
}

impl Values {
    fn push(&mut self, row: &CensusRow<'_>) -> Result<(), String> {
        let floats = [row.left_stop, row.right_stop, row.mean, row.temperature];
        if let Some(number) = floats.into_iter().flatten().find(|x| !x.is_finite()) {
            return Err(format!("expected a dyadic rational, found {number}"));
        }
        let reason = |error: ArrowError| error.to_string();
        self.outcome.append(&row.outcome).map_err(reason)?;
        self.kind.append(&row.kind).map_err(reason)?;
        self.value_digest
            .0
            .append_value(row.value_digest)
            .map_err(reason)?;
        self.value.append_option(row.value.as_deref());
        self.nim_value.append_option(row.nim_value);
        // Adding zero turns -0.0 into 0.0, so that equal rows are equal bytes.
        for (column, number) in [
            (&mut self.left_stop, row.left_stop),
            (&mut self.right_stop, row.right_stop),
            (&mut self.mean, row.mean),
            (&mut self.temperature, row.temperature),
        ] {
            column.append_option(number.map(|x| x + 0.0));
        }
        self.birthday.append_value(row.birthday);
        self.atomic_weight
            .append_option(row.atomic_weight.as_deref());
        self.atomic_weight_number
            .append_option(row.atomic_weight_number);
        self.atomic_weight_missing
            .append_option(row.atomic_weight_missing.as_deref());
        self.dicotic.append_value(row.dicotic);
        self.rows += 1;
        Ok(())
    }

    fn finish(&mut self) -> [ArrayRef; 14] {
        [
            Arc::new(self.outcome.finish()),
            Arc::new(self.value.finish()),
            Arc::new(self.value_digest.0.finish()),
            Arc::new(self.kind.finish()),
            Arc::new(self.nim_value.finish()),
            Arc::new(self.left_stop.finish()),
            Arc::new(self.right_stop.finish()),
            Arc::new(self.mean.finish()),
            Arc::new(self.temperature.finish()),
            Arc::new(self.birthday.finish()),
            Arc::new(self.atomic_weight.finish()),
            Arc::new(self.atomic_weight_number.finish()),
            Arc::new(self.atomic_weight_missing.finish()),
            Arc::new(self.dicotic.finish()),
        ]
    }
}
