//! Positions with their values, as `seedbank eval` prints them.

use seedbank::dataset::{PositionRow, TableRow, VALUE_CHARS_MAX, ValueColumns};
use seedbank::value::ValueDigest;
use serde_json::Value;

use super::positions::Asked;

/// Returns the line of a position.
pub(super) fn line(asked: &Asked, row: PositionRow, as_json: bool) -> String {
    if as_json {
        object(asked, row).to_string()
    } else {
        sentence(&asked.name, &row)
    }
}

/// Returns a position as an object, with the columns of its row.
pub(super) fn object(asked: &Asked, mut row: PositionRow) -> Value {
    row.pattern.clone_from(&asked.pattern);
    let (letters, values): (Vec<String>, _) = asked.variables.iter().cloned().unzip();
    row.variables = values;
    PositionRow::object(&row, &letters)
}

/// Returns the replacement of a value whose text is long.
pub(super) fn long(digest: ValueDigest) -> String {
    format!("(longer than {VALUE_CHARS_MAX} characters, digest {digest}; --full prints up to 2^30)")
}

/// Returns a position with its value, or why it has none.
pub(super) fn sentence(name: &str, row: &PositionRow) -> String {
    let says = match &row.value {
        Some(ValueColumns {
            value: Some(value), ..
        }) => format!("{name} = {value}"),
        Some(value) => format!("{name} = {}", long(ValueDigest(value.value_digest))),
        None => format!(
            "{name} has no value: {} (Left first: {}, Right first: {})",
            row.missing(),
            row.left_first.as_deref().unwrap_or("unknown"),
            row.right_first.as_deref().unwrap_or("unknown"),
        ),
    };
    match row.followers {
        Some(followers) => format!("{says}, {followers} followers"),
        None => says,
    }
}
