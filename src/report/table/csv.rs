//! Tables as comma-separated values (RFC 4180, but for lines that end with a line feed): a header, then the rows.
//!
//! Programs read this, so there are no titles, notes or blank lines.

use csv::Writer;

use super::Table;
use super::data::tables;

/// Returns the first of the tables as comma-separated values.
pub(super) fn render(table: &Table) -> String {
    let mut text = Writer::from_writer(Vec::new());
    if let Some(table) = tables(table).first() {
        let mut rows = std::iter::once(table.columns.clone()).chain(table.texts());
        rows.try_for_each(|row| text.write_record(row))
            .expect("memory takes rows of as many fields as there are columns");
    }
    let bytes = text.into_inner().expect("memory takes all that is written");
    String::from_utf8(bytes).expect("fields are text")
}
