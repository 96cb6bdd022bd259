//! Table `witnesses`: one row for each value sought, with the first position that has it, if there is one.

use std::borrow::Cow;
use std::sync::Arc;

use arrow_array::builder::{
    BooleanBuilder, FixedSizeBinaryBuilder, Float64Builder, Int32Builder, Int64Builder,
    StringBuilder, StringDictionaryBuilder,
};
use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::ArrowError;

use super::column::ColumnKind::{Bool, Digest, Float64, Int32, Int64, Label, Text, Variables};
use super::column::{Column, nullable, required, table_row};
use super::table::{Columns, Table, at, digest_at, text_at};

/// The name of the table.
pub const TABLE: &str = "witnesses";

table_row! {
/// What was sought, and its witness.
pub struct WitnessRow {
    /// What was sought: a value as the job writes it, or the conditions.
    pub sought: String = required(Text),
    /// The values of the pattern's variables, one column each.
    pub variables: Vec<Option<i64>> = nullable(Variables),
    /// Whether any position within the space searched has it. If not, no position there has.
    pub found: bool = required(Bool),
    /// The witness: the first position that has it, in the order that the job chose; null where there is none.
    pub position: Option<String> = nullable(Text),
    /// Its number of pots; null where there is no witness, as are all columns of it.
    pub pots: Option<i32> = nullable(Int32),
    /// Its number of seeds; null also where there are full pots, whose count is unknown.
    pub seeds: Option<i64> = nullable(Int64),
    /// The number of its distinct followers, itself included; null where the job did not ask.
    pub followers: Option<i64> = nullable(Int64),
    /// Its value in CGSuite's notation; null also beyond 4,096 characters.
    pub value: Option<String> = nullable(Text),
    /// The 128-bit digest of its value, as in table census; null where there is no witness.
    pub value_digest: Option<[u8; 16]> = nullable(Digest),
    /// What kind of value it is, as in table census; null where there is no witness.
    pub kind: Option<Cow<'static, str>> = nullable(Label),
    /// The nim-value k of a value *k; null where the value is no nimber, or there is no witness.
    pub nim_value: Option<i32> = nullable(Int32),
    /// The mean, an exact dyadic rational; null where a 64-bit float is not exact or it was not computed, or there is no
    /// witness.
    pub mean: Option<f64> = nullable(Float64),
    /// The temperature, an exact dyadic rational (below zero for numbers); null as the mean is.
    pub temperature: Option<f64> = nullable(Float64),
    /// The birthday: the height of the canonical form's game tree, in moves; null where there is no witness.
    pub birthday: Option<i32> = nullable(Int32),
    /// The atomic weight in CGSuite's notation; null where the value has none, beyond 4,096 characters, and where there is
    /// no witness.
    pub atomic_weight: Option<String> = nullable(Text),
    /// How many positions of the space searched have what was sought.
    pub count: i64 = required(Int64),
    /// How many positions of the space come before the witness in the order that the job chose, and have been
    /// searched and do not have it; null where there is none, or where the order is by followers.
    pub searched_before: Option<i64> = nullable(Int64),
    /// How many positions have been searched in all: the size of the space.
    pub searched: i64 = required(Int64),
}
}

/// Returns the columns of the table, those of the named variables in their place.
pub fn columns(variables: &[String]) -> Vec<Column> {
    let mut columns = Vec::new();
    for column in WitnessRow::declared_columns() {
        if column.kind != Variables {
            columns.push(column);
            continue;
        }
        columns.extend(variables.iter().map(|name| Column {
            name: name.clone(),
            kind: Int64,
            nullable: true,
            bloom_filter: false,
            differences: false,
            bytes_apart: false,
            meaning: format!("What the pattern's variable {name} stands for."),
        }));
    }
    columns
}

/// Rows on their way into an Arrow batch.
pub(crate) struct Witnesses {
    rows: usize,
    variables: Vec<Int64Builder>,
    sought: StringBuilder,
    found: BooleanBuilder,
    position: StringBuilder,
    pots: Int32Builder,
    seeds: Int64Builder,
    followers: Int64Builder,
    value: StringBuilder,
    value_digest: FixedSizeBinaryBuilder,
    kind: StringDictionaryBuilder<Int32Type>,
    nim_value: Int32Builder,
    mean: Float64Builder,
    temperature: Float64Builder,
    birthday: Int32Builder,
    atomic_weight: StringBuilder,
    count: Int64Builder,
    searched_before: Int64Builder,
    searched: Int64Builder,
}

impl Witnesses {
    /// Returns an empty batch for rows of `variables` variables.
    pub(crate) fn new(variables: usize) -> Witnesses {
        Witnesses {
            rows: 0,
            variables: (0..variables).map(|_| Int64Builder::new()).collect(),
            sought: StringBuilder::new(),
            found: BooleanBuilder::new(),
            position: StringBuilder::new(),
            pots: Int32Builder::new(),
            seeds: Int64Builder::new(),
            followers: Int64Builder::new(),
            value: StringBuilder::new(),
            value_digest: FixedSizeBinaryBuilder::new(16),
            kind: StringDictionaryBuilder::new(),
            nim_value: Int32Builder::new(),
            mean: Float64Builder::new(),
            temperature: Float64Builder::new(),
            birthday: Int32Builder::new(),
            atomic_weight: StringBuilder::new(),
            count: Int64Builder::new(),
            searched_before: Int64Builder::new(),
            searched: Int64Builder::new(),
        }
    }
}

impl Table for Witnesses {
    type Row<'a> = WitnessRow;
    const NAME: &'static str = TABLE;

    fn rows(&self) -> usize {
        self.rows
    }

    fn text_bytes(&self) -> usize {
        self.sought.values_slice().len() + self.value.values_slice().len()
    }

    fn describe(row: &WitnessRow) -> String {
        format!("sought {:?}", row.sought)
    }

    fn push(&mut self, row: &WitnessRow) -> Result<(), String> {
        if row.variables.len() != self.variables.len() {
            return Err(format!(
                "expected {} values of variables, found {}",
                self.variables.len(),
                row.variables.len()
            ));
        }
        let reason = |error: ArrowError| error.to_string();
        match row.value_digest {
            Some(digest) => self.value_digest.append_value(digest).map_err(reason)?,
            None => self.value_digest.append_null(),
        }
        self.sought.append_value(&row.sought);
        for (column, value) in self.variables.iter_mut().zip(&row.variables) {
            column.append_option(*value);
        }
        self.found.append_value(row.found);
        self.position.append_option(row.position.as_deref());
        self.pots.append_option(row.pots);
        self.seeds.append_option(row.seeds);
        self.followers.append_option(row.followers);
        self.value.append_option(row.value.as_deref());
        self.kind.append_option(row.kind.as_deref());
        self.nim_value.append_option(row.nim_value);
        self.mean.append_option(row.mean.map(|x| x + 0.0));
        self.temperature
            .append_option(row.temperature.map(|x| x + 0.0));
        self.birthday.append_option(row.birthday);
        self.atomic_weight
            .append_option(row.atomic_weight.as_deref());
        self.count.append_value(row.count);
        self.searched_before.append_option(row.searched_before);
        self.searched.append_value(row.searched);
        self.rows += 1;
        Ok(())
    }

    fn finish(&mut self) -> Vec<ArrayRef> {
        self.rows = 0;
        let mut arrays: Vec<ArrayRef> = vec![Arc::new(self.sought.finish())];
        arrays.extend(
            self.variables
                .iter_mut()
                .map(|column| Arc::new(column.finish()) as ArrayRef),
        );
        let rest: [ArrayRef; 16] = [
            Arc::new(self.found.finish()),
            Arc::new(self.position.finish()),
            Arc::new(self.pots.finish()),
            Arc::new(self.seeds.finish()),
            Arc::new(self.followers.finish()),
            Arc::new(self.value.finish()),
            Arc::new(self.value_digest.finish()),
            Arc::new(self.kind.finish()),
            Arc::new(self.nim_value.finish()),
            Arc::new(self.mean.finish()),
            Arc::new(self.temperature.finish()),
            Arc::new(self.birthday.finish()),
            Arc::new(self.atomic_weight.finish()),
            Arc::new(self.count.finish()),
            Arc::new(self.searched_before.finish()),
            Arc::new(self.searched.finish()),
        ];
        arrays.extend(rest);
        arrays
    }

    fn read(batch: &RecordBatch) -> Vec<WitnessRow> {
        let columns = Columns::of(batch);
        let sought = columns.text("sought");
        let variables = columns.between("sought", "found");
        let found = columns.bools("found");
        let position = columns.text("position");
        let pots = columns.int32("pots");
        let seeds = columns.int64("seeds");
        let followers = columns.int64("followers");
        let value = columns.text("value");
        let value_digest = columns.digests("value_digest");
        let kind = columns.labels("kind");
        let nim_value = columns.int32("nim_value");
        let mean = columns.float64("mean");
        let temperature = columns.float64("temperature");
        let birthday = columns.int32("birthday");
        let atomic_weight = columns.text("atomic_weight");
        let count = columns.int64("count");
        let searched_before = columns.int64("searched_before");
        let searched = columns.int64("searched");
        let row = |row: usize| WitnessRow {
            sought: sought.value(row).to_owned(),
            variables: variables.iter().map(|column| at(column, row)).collect(),
            found: found.value(row),
            position: text_at(position, row).map(str::to_owned),
            pots: at(pots, row),
            seeds: at(seeds, row),
            followers: at(followers, row),
            value: text_at(value, row).map(str::to_owned),
            value_digest: value_digest
                .is_valid(row)
                .then(|| digest_at(value_digest, row)),
            kind: kind.key(row).map(|_| kind.owned(row)),
            nim_value: at(nim_value, row),
            mean: at(mean, row),
            temperature: at(temperature, row),
            birthday: at(birthday, row),
            atomic_weight: text_at(atomic_weight, row).map(str::to_owned),
            count: count.value(row),
            searched_before: at(searched_before, row),
            searched: searched.value(row),
        };
        (0..batch.num_rows()).map(row).collect()
    }
}
