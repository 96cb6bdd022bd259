//! Tables as comma-separated values (RFC 4180, except that lines end with a line feed): a header,
//! then the rows.
//!
//! The output is for programs, so it has no titles, notes or blank lines.

use csv::Writer;

use super::cells::Table;
use super::data::tables;

/// Returns the first of the tables as comma-separated values.
pub(super) fn render(table: &Table) -> String {
    let mut text = Writer::from_writer(Vec::new());
    if let Some(table) = tables(table).first() {
        let mut rows = std::iter::once(table.columns.clone()).chain(table.texts());
        rows.try_for_each(|row| text.write_record(row))
            .expect("writing to memory succeeds, and every row has a field for each column");
    }
    let bytes = text.into_inner().expect("writing to memory succeeds");
    String::from_utf8(bytes).expect("fields are text")
}
