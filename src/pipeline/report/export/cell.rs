//! The value of a row in a column of a batch.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type, Int64Type, UInt32Type};
use arrow_array::{Array, ArrayRef, BinaryArray};
use arrow_schema::DataType;
use serde_json::{Value, json};

/// Returns the value of a row as JSON: digests are hexadecimal, and null is null.
///
/// # Panics
///
/// If the column has a type that no table has.
pub(super) fn json(column: &ArrayRef, row: usize) -> Value {
    if column.is_null(row) {
        return Value::Null;
    }
    match column.data_type() {
        DataType::Utf8 => column.as_string::<i32>().value(row).into(),
        DataType::Int32 => column.as_primitive::<Int32Type>().value(row).into(),
        DataType::Int64 => column.as_primitive::<Int64Type>().value(row).into(),
        DataType::UInt32 => column.as_primitive::<UInt32Type>().value(row).into(),
        DataType::Float64 => column.as_primitive::<Float64Type>().value(row).into(),
        DataType::Boolean => column.as_boolean().value(row).into(),
        DataType::FixedSizeBinary(_) => {
            hex::encode(column.as_fixed_size_binary().value(row)).into()
        }
        DataType::Binary => {
            let digests: &BinaryArray = column.as_binary();
            hex::encode(digests.value(row)).into()
        }
        DataType::Dictionary(..) => {
            let labels = column.as_dictionary::<Int32Type>();
            match labels.key(row) {
                Some(key) => json(labels.values(), key),
                None => Value::Null,
            }
        }
        DataType::List(_) => {
            let elements = column.as_list::<i32>().value(row);
            let elements = (0..elements.len()).map(|element| json(&elements, element));
            json!(elements.collect::<Vec<_>>())
        }
        other => panic!("no column of a table has the type {other}"),
    }
}

/// Returns the integer of a row, or those of its list; `None` where it is null.
///
/// # Panics
///
/// If the column holds neither integers nor lists of them.
pub(super) fn integers(column: &ArrayRef, row: usize) -> Option<Vec<i64>> {
    let integer = |value: &Value| value.as_i64().expect("the column holds integers");
    match json(column, row) {
        Value::Null => None,
        Value::Array(elements) => Some(elements.iter().map(integer).collect()),
        value => Some(vec![integer(&value)]),
    }
}
