//! Comma-separated values (RFC 4180): a header, then a record for each row.
//!
//! Null is an empty field, and a list is its JSON text.

use arrow_array::RecordBatch;
use csv::{Terminator, Writer, WriterBuilder};
use serde_json::Value;

use super::cell::json;

/// Returns the header of these columns.
///
/// ```
/// use seedbank::report::export::csv::header;
///
/// assert_eq!(header(&["n".to_owned(), "nim_value".to_owned()]), "n,nim_value\n");
/// ```
pub fn header(columns: &[String]) -> String {
    let mut writer = writer();
    let written = writer.write_record(columns);
    written.expect("memory takes all that is written");
    text(writer)
}

/// Returns a record for each row of a batch that has these columns.
///
/// # Panics
///
/// If the batch lacks one of the columns.
pub fn records(batch: &RecordBatch, columns: &[String]) -> String {
    let of = |name: &String| batch.column_by_name(name).expect("a column of the table");
    let columns: Vec<_> = columns.iter().map(of).collect();
    let mut writer = writer();
    for row in 0..batch.num_rows() {
        let fields = columns.iter().map(|column| match json(column, row) {
            Value::Null => String::new(),
            Value::String(text) => text,
            other => other.to_string(),
        });
        let written = writer.write_record(fields);
        written
            .expect("memory takes all that is written, and records have a field for each column");
    }
    text(writer)
}

fn writer() -> Writer<Vec<u8>> {
    WriterBuilder::new()
        .terminator(Terminator::Any(b'\n'))
        .from_writer(Vec::new())
}

fn text(writer: Writer<Vec<u8>>) -> String {
    let bytes = writer.into_inner();
    let bytes = bytes.unwrap_or_else(|_| unreachable!("memory takes all that is written"));
    String::from_utf8(bytes).expect("fields are texts")
}
