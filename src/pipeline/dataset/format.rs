//! The versions of the format of results, and the conversion from versions 4 and 5.
//!
//! Both lack the columns of loopy values and of misère play, which readers fill with nulls. In 4 `atomic_weight_number` was an integer, and null for other numbers. Readers convert it.
//! Files of both types never lie side by side in a folder, since programs that read the folder as
//! one table would take the type of one file for all: DuckDB then reads 3/4 as 1. So no rows are
//! added to a folder that has some of an earlier version.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{
    Array, ArrayRef, DictionaryArray, Float64Array, Int32Array, RecordBatch, StringArray,
    new_null_array,
};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use cgvalues::Dyadic;

use super::column::Column;

/// The version of the layout of directories, tables, records and manifests.
///
/// 2 has the columns `atomic_weight_missing`, `depth` and `branching` in the table `positions`, and
/// the kind `plus-minus`. 3 has the columns `value_missing`, `left_first` and `right_first` there.
/// In 5, `atomic_weight_number` is a float. 6 has the columns `onside`, `offside` and
/// `is_stopper` of loopy values, and `misere_outcome`, `misere_nim_value`, `genus`,
/// `misere_form` and `is_tame` of misère play.
pub const FORMAT_VERSION: u32 = 6;

/// The earliest version that can be read.
pub(super) const FORMAT_VERSION_MIN: u32 = 4;

const NUMBER: &str = "atomic_weight_number";
const WEIGHT: &str = "atomic_weight";

/// The columns that formats 4 and 5 lack.
const ADDED: [&str; 8] = [
    "onside",
    "offside",
    "is_stopper",
    "misere_outcome",
    "misere_nim_value",
    "genus",
    "misere_form",
    "is_tame",
];

/// Returns whether a column had another type in an earlier format, or none.
pub(super) fn differs(column: &Column) -> bool {
    column.name == NUMBER || is_added(&column.name)
}

/// Returns whether files of an earlier format lack a column.
pub(super) fn is_added(column: &str) -> bool {
    ADDED.contains(&column)
}

/// Returns the column that the conversion of another needs.
pub(super) fn needed_for(column: &str) -> Option<&str> {
    (column == NUMBER).then_some(WEIGHT)
}

/// Returns the type that a column of a file has after conversion.
pub(super) fn current_type(field: &Field) -> &DataType {
    match field.data_type() {
        DataType::Int64 if field.name() == NUMBER => &DataType::Float64,
        other => other,
    }
}

/// Converts a batch of any format that is read to the current one.
pub(super) fn current(batch: RecordBatch) -> RecordBatch {
    let schema = batch.schema();
    let is_older = |(_, field): &(usize, &Field)| field.data_type() != current_type(field);
    let Some((place, field)) = schema.column_with_name(NUMBER).filter(is_older) else {
        return batch;
    };
    let integers = batch.column(place).as_primitive::<Int64Type>();
    let texts = batch.column_by_name(WEIGHT);
    let texts = texts.map(|texts| texts.as_string::<i32>());
    let number = |row| {
        if integers.is_valid(row) {
            return Some(integers.value(row) as f64);
        }
        let texts = texts.filter(|texts| texts.is_valid(row))?;
        let number: Dyadic = texts.value(row).parse().ok()?;
        number.to_f64_exact()
    };
    let numbers: Float64Array = (0..batch.num_rows()).map(number).collect();
    let mut columns = batch.columns().to_vec();
    columns[place] = Arc::new(numbers);
    let mut fields = schema.fields().to_vec();
    fields[place] = Arc::new(field.clone().with_data_type(DataType::Float64));
    RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)
        .expect("one column has another type, and the same number of rows")
}

/// Returns the schema in which all columns are nullable, for batches that lack some.
pub(super) fn padded_schema(schema: &Schema) -> SchemaRef {
    let fields = schema.fields().iter();
    let fields = fields.map(|field| Field::new(field.name(), field.data_type().clone(), true));
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

/// Adds columns of nulls for those that a batch lacks.
pub(super) fn padded(table: &Schema, schema: &SchemaRef, batch: &RecordBatch) -> RecordBatch {
    let rows = batch.num_rows();
    let column = |field: &Arc<Field>| -> ArrayRef {
        if let Some(column) = batch.column_by_name(field.name()) {
            return Arc::clone(column);
        }
        match field.data_type() {
            // Readers look up a label in the dictionary for every row that must have one.
            DataType::Dictionary(..) => Arc::new(DictionaryArray::new(
                Int32Array::new_null(rows),
                Arc::new(StringArray::from_iter_values([""])),
            )),
            other => new_null_array(other, rows),
        }
    };
    let columns = table.fields().iter().map(column).collect();
    RecordBatch::try_new(Arc::clone(schema), columns)
        .expect("columns have the types of the table and the rows of the batch")
}
