//! The values of patterns and their numbers of followers, as columns over the patterns' variables.

use crate::dataset::{PositionRow, RowSource, Wanted};
use crate::mine::{Column, Entries};
use crate::report::ReportError;

/// Returns for each pattern, and for rectangles, a column of values and one of followers, where rows have them; positions
/// without variables, and values without a notation, are left out.
///
/// # Errors
///
/// Rows that cannot be read.
pub(super) fn of_patterns(
    variables: &[String],
    rows: impl RowSource<PositionRow>,
) -> Result<Vec<Column>, ReportError> {
    let mut wanted: Vec<&str> = vec!["pattern", "value", "value_digest", "followers"];
    wanted.extend(variables.iter().map(String::as_str));
    let mut columns: Vec<Column> = Vec::new();
    let mut push = |subject: &str, names: &[&String], entries, place: &[i64], text: &str| {
        let is_of = |column: &Column| {
            column.subject == subject && column.variables.iter().eq(names.iter().copied())
        };
        let known = columns.iter().rposition(is_of).unwrap_or_else(|| {
            let names = names.iter().map(|&name| name.clone()).collect();
            columns.push(Column::new(subject.to_owned(), names, entries));
            columns.len() - 1
        });
        columns[known].push(place, text);
    };
    for row in rows.rows(Wanted::columns(wanted))? {
        let row = row?;
        let subject = row.pattern.as_deref().unwrap_or("rectangles");
        let bound = variables.iter().zip(&row.variables);
        let (names, place): (Vec<&String>, Vec<i64>) = bound
            .filter_map(|(name, number)| Some((name, (*number)?)))
            .unzip();
        if names.is_empty() {
            continue;
        }
        if let Some(value) = row.value.as_ref().and_then(|value| value.value.as_deref()) {
            push(subject, &names, Entries::Values, &place, value);
        }
        if let Some(followers) = row.followers {
            let subject = format!("followers of {subject}");
            push(
                &subject,
                &names,
                Entries::Integers,
                &place,
                &followers.to_string(),
            );
        }
    }
    Ok(columns)
}
