//! Table `positions`: one row for each position of the family, in the family's order.

use std::borrow::Cow;
use std::sync::Arc;

use arrow_array::builder::{
    BooleanBuilder, FixedSizeBinaryBuilder, Float64Builder, Int32Builder, Int64Builder,
    StringBuilder, StringDictionaryBuilder,
};
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::ArrowError;

use super::column::ColumnKind::{Bool, Digest, Float64, Int32, Int64, Label, Text, Variables};
use super::column::{Column, nullable, required, searched, table_row};
use super::table::{Columns, Table, at, digest_at, text_at};

/// The name of the table.
pub const TABLE: &str = "positions";

/// The most characters of a value's notation; longer ones are stored as null.
///
/// Unit: characters. A form is a DAG, and its notation can be exponentially long.
pub const VALUE_CHARS_MAX: usize = 4096;

/// The outcome classes, as the column `outcome` spells them.
pub const OUTCOMES: [&str; 4] = ["N", "P", "L", "R"];

table_row! {
/// One position and its value.
pub struct PositionRow {
    /// The game, by the name that jobs use.
    pub game: Cow<'static, str> = required(Label),
    /// The way of playing: partisan or impartial.
    pub play: Cow<'static, str> = required(Label),
    /// The pattern that the position is an instance of; null where the family is not made of patterns.
    pub pattern: Option<Arc<str>> = nullable(Label),
    /// The values of the pattern's variables, one column each, in the order of the result set's header;
    /// null where the row's pattern has no such variable.
    pub variables: Vec<Option<i64>> = nullable(Variables),
    /// The position, as the family gives it.
    pub position: String = searched(Text),
    /// The number of pots (of a position that is not a row of pots: its size, as the game's docs say).
    pub pots: i32 = required(Int32),
    /// The number of seeds; null where there are full pots, whose count is unknown.
    pub seeds: Option<i64> = nullable(Int64),
    /// The outcome class: N (first player wins), P (second player wins), L (Left wins), R (Right wins).
    pub outcome: Cow<'static, str> = required(Label),
    /// The canonical form in CGSuite's notation; null beyond 4,096 characters (then see table forms by value_digest).
    pub value: Option<String> = nullable(Text),
    /// A 128-bit digest of the canonical form: equal values have equal digests, in all result sets.
    pub value_digest: [u8; 16] = searched(Digest),
    /// What kind of value it is, one of integer, dyadic, nimber, number-up-star, uptimal, tiny, miny, dicotic, infinitesimal,
    /// numberish, plus-minus, switch, hot; the first that fits.
    pub kind: Cow<'static, str> = required(Label),
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
    /// The atomic weight, a game in CGSuite's notation; null beyond 4,096 characters, and where the value has none.
    pub atomic_weight: Option<String> = nullable(Text),
    /// The atomic weight where it is an integer; null elsewhere.
    pub atomic_weight_number: Option<i64> = nullable(Int64),
    /// Why there is no atomic weight: not-infinitesimal (a stop is not 0, so that the value has none), or not-dicotic
    /// (infinitesimal, but neither dicotic nor a tiny or miny, of which none is computed); null where there is one.
    pub atomic_weight_missing: Option<Cow<'static, str>> = nullable(Label),
    /// Whether the value is dicotic: in every follower either both players can move or neither can.
    pub dicotic: bool = required(Bool),
    /// The number of distinct followers of the position, itself included; null where the job did not ask.
    pub followers: Option<i64> = nullable(Int64),
    /// The moves of the longest play from the position, the players moving in any order; null where the job did not ask.
    pub depth: Option<i32> = nullable(Int32),
    /// The mean number of distinct options, of both players together, that a follower of the position has, itself
    /// included; null where the job did not ask.
    pub branching: Option<f64> = nullable(Float64),
}
}

/// Returns the columns of the table, those of the named variables in their place.
///
/// # Errors
///
/// A sentence, where a variable has no name, the name of a column of the table, or that of another variable. Names that
/// differ in case only count as equal, because DuckDB takes them so.
pub fn columns(variables: &[String]) -> Result<Vec<Column>, String> {
    let mut columns: Vec<Column> = Vec::new();
    for column in PositionRow::declared_columns() {
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
            meaning: format!(
                "The value of the pattern's variable {name}; null where the row's pattern has no such variable."
            ),
        }));
    }
    for (index, name) in variables.iter().enumerate() {
        if name.is_empty() {
            return Err(format!("the name of variable {} is empty", index + 1));
        }
        let same = |column: &&Column| column.name.to_lowercase() == name.to_lowercase();
        let taken: Vec<&Column> = columns.iter().filter(same).collect();
        if let [first, second, ..] = taken.as_slice() {
            return Err(format!(
                "variable {name:?} would be a second column of that name beside {:?} (queries take upper and lower \
                 case as equal); rename the variable",
                if first.name == *name {
                    &second.name
                } else {
                    &first.name
                }
            ));
        }
    }
    Ok(columns)
}

/// Rows on their way into an Arrow batch.
pub struct Positions {
    variables: Vec<Int64Builder>,
    rows: usize,
    game: StringDictionaryBuilder<Int32Type>,
    play: StringDictionaryBuilder<Int32Type>,
    pattern: StringDictionaryBuilder<Int32Type>,
    position: StringBuilder,
    pots: Int32Builder,
    seeds: Int64Builder,
    outcome: StringDictionaryBuilder<Int32Type>,
    value: StringBuilder,
    value_digest: FixedSizeBinaryBuilder,
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
    followers: Int64Builder,
    depth: Int32Builder,
    branching: Float64Builder,
}

impl Positions {
    /// Returns an empty batch for rows of `variables` variables.
    pub(crate) fn new(variables: usize) -> Positions {
        Positions {
            variables: (0..variables).map(|_| Int64Builder::new()).collect(),
            rows: 0,
            game: StringDictionaryBuilder::new(),
            play: StringDictionaryBuilder::new(),
            pattern: StringDictionaryBuilder::new(),
            position: StringBuilder::new(),
            pots: Int32Builder::new(),
            seeds: Int64Builder::new(),
            outcome: StringDictionaryBuilder::new(),
            value: StringBuilder::new(),
            value_digest: FixedSizeBinaryBuilder::new(16),
            kind: StringDictionaryBuilder::new(),
            nim_value: Int32Builder::new(),
            left_stop: Float64Builder::new(),
            right_stop: Float64Builder::new(),
            mean: Float64Builder::new(),
            temperature: Float64Builder::new(),
            birthday: Int32Builder::new(),
            atomic_weight: StringBuilder::new(),
            atomic_weight_number: Int64Builder::new(),
            atomic_weight_missing: StringDictionaryBuilder::new(),
            dicotic: BooleanBuilder::new(),
            followers: Int64Builder::new(),
            depth: Int32Builder::new(),
            branching: Float64Builder::new(),
        }
    }

    /// Returns why a row does not fit, if so.
    fn misfit(&self, row: &PositionRow) -> Option<String> {
        if row.variables.len() != self.variables.len() {
            return Some(format!(
                "expected {} values of variables, found {}",
                self.variables.len(),
                row.variables.len()
            ));
        }
        if !OUTCOMES.contains(&row.outcome.as_ref()) {
            return Some(format!(
                "expected an outcome class of {}, found {:?}",
                OUTCOMES.join(", "),
                row.outcome
            ));
        }
        if let Some(number) = row.branching.filter(|number| !number.is_finite()) {
            return Some(format!(
                "expected a finite number as branching, found {number}"
            ));
        }
        let floats = [
            ("left_stop", row.left_stop),
            ("right_stop", row.right_stop),
            ("mean", row.mean),
            ("temperature", row.temperature),
        ];
        floats.into_iter().find_map(|(name, number)| {
            let number = number.filter(|number| !number.is_finite())?;
            Some(format!(
                "expected a dyadic rational as {name}, found {number}"
            ))
        })
    }
}

impl Table for Positions {
    type Row<'a> = PositionRow;
    const NAME: &'static str = TABLE;

    fn rows(&self) -> usize {
        self.rows
    }

    fn text_bytes(&self) -> usize {
        self.position.values_slice().len() + self.value.values_slice().len()
    }

    fn describe(row: &PositionRow) -> String {
        format!("position {:?}", row.position)
    }

    fn push(&mut self, row: &PositionRow) -> Result<(), String> {
        if let Some(reason) = self.misfit(row) {
            return Err(reason);
        }
        let label = |error: ArrowError| error.to_string();
        self.game.append(&row.game).map_err(label)?;
        self.play.append(&row.play).map_err(label)?;
        self.pattern.append_option(row.pattern.as_deref());
        for (column, value) in self.variables.iter_mut().zip(&row.variables) {
            column.append_option(*value);
        }
        self.position.append_value(&row.position);
        self.pots.append_value(row.pots);
        self.seeds.append_option(row.seeds);
        self.outcome.append(&row.outcome).map_err(label)?;
        let short = |value: &&str| {
            value.len() <= VALUE_CHARS_MAX || value.chars().nth(VALUE_CHARS_MAX).is_none()
        };
        self.value.append_option(row.value.as_deref().filter(short));
        self.value_digest
            .append_value(row.value_digest)
            .map_err(label)?;
        self.kind.append(&row.kind).map_err(label)?;
        self.nim_value.append_option(row.nim_value);
        // Adding zero turns -0.0 into 0.0, so that equal rows are equal bytes.
        self.left_stop.append_option(row.left_stop.map(|x| x + 0.0));
        self.right_stop
            .append_option(row.right_stop.map(|x| x + 0.0));
        self.mean.append_option(row.mean.map(|x| x + 0.0));
        self.temperature
            .append_option(row.temperature.map(|x| x + 0.0));
        self.birthday.append_value(row.birthday);
        self.atomic_weight
            .append_option(row.atomic_weight.as_deref());
        self.atomic_weight_number
            .append_option(row.atomic_weight_number);
        self.atomic_weight_missing
            .append_option(row.atomic_weight_missing.as_deref());
        self.dicotic.append_value(row.dicotic);
        self.followers.append_option(row.followers);
        self.depth.append_option(row.depth);
        self.branching.append_option(row.branching.map(|x| x + 0.0));
        self.rows += 1;
        Ok(())
    }

    fn finish(&mut self) -> Vec<ArrayRef> {
        self.rows = 0;
        let mut arrays: Vec<ArrayRef> = vec![
            Arc::new(self.game.finish()),
            Arc::new(self.play.finish()),
            Arc::new(self.pattern.finish()),
        ];
        arrays.extend(
            self.variables
                .iter_mut()
                .map(|column| Arc::new(column.finish()) as ArrayRef),
        );
        let rest: [ArrayRef; 20] = [
            Arc::new(self.position.finish()),
            Arc::new(self.pots.finish()),
            Arc::new(self.seeds.finish()),
            Arc::new(self.outcome.finish()),
            Arc::new(self.value.finish()),
            Arc::new(self.value_digest.finish()),
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
            Arc::new(self.followers.finish()),
            Arc::new(self.depth.finish()),
            Arc::new(self.branching.finish()),
        ];
        arrays.extend(rest);
        arrays
    }

    fn read(batch: &RecordBatch) -> Vec<PositionRow> {
        let columns = Columns::of(batch);
        let game = columns.labels("game");
        let play = columns.labels("play");
        let pattern = columns.labels("pattern");
        let patterns = pattern.shared();
        let variables = columns.between("pattern", "position");
        let position = columns.text("position");
        let pots = columns.int32("pots");
        let seeds = columns.int64("seeds");
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
        let followers = columns.int64("followers");
        let depth = columns.int32("depth");
        let branching = columns.float64("branching");
        let row = |row: usize| PositionRow {
            game: game.owned(row),
            play: play.owned(row),
            pattern: pattern.key(row).map(|key| Arc::clone(&patterns[key])),
            variables: variables.iter().map(|column| at(column, row)).collect(),
            position: position.value(row).to_owned(),
            pots: pots.value(row),
            seeds: at(seeds, row),
            outcome: outcome.owned(row),
            value: text_at(value, row).map(str::to_owned),
            value_digest: digest_at(value_digest, row),
            kind: kind.owned(row),
            nim_value: at(nim_value, row),
            left_stop: at(left_stop, row),
            right_stop: at(right_stop, row),
            mean: at(mean, row),
            temperature: at(temperature, row),
            birthday: birthday.value(row),
            atomic_weight: text_at(atomic_weight, row).map(str::to_owned),
            atomic_weight_number: at(atomic_weight_number, row),
            atomic_weight_missing: atomic_weight_missing.owned_option(row),
            dicotic: dicotic.value(row),
            followers: at(followers, row),
            depth: at(depth, row),
            branching: at(branching, row),
        };
        (0..batch.num_rows()).map(row).collect()
    }
}
