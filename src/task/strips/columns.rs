//! The values of patterns, as columns over the patterns' variables.

use crate::dataset::{PositionRow, RowSource, Wanted};
use crate::mine::{Column, Entries};
use crate::report::ReportError;

/// Returns a column for each pattern, and one for rectangles; positions without variables and positions without a value
/// that has a notation are left out.
///
/// # Errors
///
/// Rows that cannot be read.
pub(super) fn of_values(
    variables: &[String],
    rows: impl RowSource<PositionRow>,
) -> Result<Vec<Column>, ReportError> {
    let mut wanted: Vec<&str> = vec!["pattern", "value", "value_digest"];
    wanted.extend(variables.iter().map(String::as_str));
    let mut columns: Vec<Column> = Vec::new();
    for row in rows.rows(Wanted::columns(wanted))? {
        let row = row?;
        let subject = row.pattern.as_deref().unwrap_or("rectangles");
        let bound = variables.iter().zip(&row.variables);
        let (names, place): (Vec<&String>, Vec<i64>) = bound
            .filter_map(|(name, number)| Some((name, (*number)?)))
            .unzip();
        let value = row.value.as_ref().and_then(|value| value.value.as_deref());
        let (false, Some(value)) = (names.is_empty(), value) else {
            continue;
        };
        let of_row = |column: &Column| {
            column.subject == subject && column.variables.iter().eq(names.iter().copied())
        };
        let known = columns.iter().rposition(of_row);
        let known = known.unwrap_or_else(|| {
            let names = names.iter().map(|&name| name.clone()).collect();
            columns.push(Column::new(subject.to_owned(), names, Entries::Values));
            columns.len() - 1
        });
        columns[known].push(&place, value);
    }
    Ok(columns)
}
