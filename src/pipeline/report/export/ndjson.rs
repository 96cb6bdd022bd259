//! Newline-delimited JSON: an object for each row, whose keys are the columns in their order.

use arrow_array::RecordBatch;
use serde_json::Value;

use super::cell::json;

/// Returns a line for each row of a batch that has these columns.
///
/// # Panics
///
/// If the batch lacks one of the columns.
pub fn objects(batch: &RecordBatch, columns: &[String]) -> String {
    let of = |name: &String| batch.column_by_name(name).expect("a column of the table");
    let arrays: Vec<_> = columns.iter().map(of).collect();
    let keys = columns
        .iter()
        .map(|name| Value::from(name.as_str()).to_string());
    let keys: Vec<String> = keys.collect();
    let mut text = String::new();
    for row in 0..batch.num_rows() {
        for (column, (key, array)) in keys.iter().zip(&arrays).enumerate() {
            text.push(if column == 0 { '{' } else { ',' });
            text += key;
            text.push(':');
            text += &json(array, row).to_string();
        }
        text += "}\n";
    }
    text
}
