//! JSON Schema (draft-07) of the sections of job specs.
//!
//! Readers of specs take keys out of a table by hand, so that every fault has its place. The schema is written beside them, in the
//! `schema.rs` of each task, from the constants that they compare with. It accepts every spec that they accept. It cannot say what
//! relates two sections, nor what a pattern or a value means; `tests/schema.rs` lists what it leaves to the reader.
//!
//! Editors know the features of draft 4 only, so that alternatives are `anyOf` and never conditions.

use serde_json::{Map, Value, json};

use crate::family::VARIABLE_MAX;

/// A key of a table.
pub(crate) struct Key {
    name: &'static str,
    is_required: bool,
    meaning: &'static str,
    value: Value,
}

/// Returns a key that must be there.
pub(crate) fn required(name: &'static str, meaning: &'static str, value: Value) -> Key {
    Key {
        name,
        is_required: true,
        meaning,
        value,
    }
}

/// Returns a key that may be missing.
pub(crate) fn optional(name: &'static str, meaning: &'static str, value: Value) -> Key {
    Key {
        is_required: false,
        ..required(name, meaning, value)
    }
}

/// Returns the schema of a table with these keys and no others.
///
/// ```text
/// table([required("digits", "the digits after the point", integer(1, 24))])
/// ```
pub(crate) fn table(keys: impl IntoIterator<Item = Key>) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for key in keys {
        if key.is_required {
            required.push(key.name);
        }
        let mut value = match key.value {
            // What stands beside a reference does not count.
            Value::Object(value) if !value.contains_key("$ref") => value,
            other => Map::from_iter([("allOf".to_owned(), json!([other]))]),
        };
        value.insert("description".to_owned(), key.meaning.into());
        properties.insert(key.name.to_owned(), value.into());
    }
    let mut table = json!({
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
    });
    if !required.is_empty() {
        table["required"] = required.into();
    }
    table
}

/// Adds the variables of a pattern to the keys of a table: lowercase letters with their values.
pub(crate) fn with_variables(mut table: Value) -> Value {
    table["patternProperties"] = json!({ "^[a-z]$": values() });
    table
}

/// Requires at least one of these keys of a table.
pub(crate) fn with_one_of(mut table: Value, keys: &[&str]) -> Value {
    let one = |key: &&str| json!({ "required": [key] });
    table["anyOf"] = keys.iter().map(one).collect();
    table
}

/// Returns a schema that a value meets if it meets one of these.
pub(crate) fn any_of(choices: impl IntoIterator<Item = Value>) -> Value {
    let mut choices: Vec<Value> = choices.into_iter().collect();
    match choices.len() {
        1 => choices.remove(0),
        _ => json!({ "anyOf": choices }),
    }
}

/// Returns the schema of one of a few names.
pub(crate) fn choice(names: &[&str]) -> Value {
    json!({ "type": "string", "enum": names })
}

/// Returns the schema of an integer of a range.
pub(crate) fn integer(min: i64, max: i64) -> Value {
    json!({ "type": "integer", "minimum": min, "maximum": max })
}

/// Returns the schema of true or false.
pub(crate) fn boolean() -> Value {
    json!({ "type": "boolean" })
}

/// Returns the schema of a text that is read otherwise.
pub(crate) fn text() -> Value {
    json!({ "type": "string" })
}

/// Returns the schema of a list that is not empty.
pub(crate) fn list(element: Value) -> Value {
    json!({ "type": "array", "items": element, "minItems": 1 })
}

/// Returns the schema of a value or a list of them.
pub(crate) fn one_or_more(element: Value) -> Value {
    any_of([element.clone(), list(element)])
}

/// Returns the schema of a table with any keys.
pub(crate) fn map(value: Value) -> Value {
    json!({ "type": "object", "additionalProperties": value })
}

/// Returns the schema of a range, such as `0..=1000`.
pub(crate) fn range() -> Value {
    json!({ "$ref": "#/definitions/range" })
}

/// Returns the schema of the values of a variable.
pub(crate) fn values() -> Value {
    json!({ "$ref": "#/definitions/values" })
}

/// Returns what [`range`] and [`values`] refer to.
pub(crate) fn definitions() -> Value {
    let number = "-?[0-9]+";
    let value = integer(-VARIABLE_MAX, VARIABLE_MAX);
    // Blanks beside numbers are ignored.
    let steps = format!(r"^\s*{number}\s*(\.\.=?\s*{number}\s*(/\s*[0-9]+\s*)?)?$");
    json!({
        "range": {
            "description": "a range, every number of which has a row: \"0..=1000\", \"0..1001\" (without 1001) or \"7\"",
            "type": "string",
            "pattern": r"^\s*[0-9]+\s*(\.\.=?\s*[0-9]+\s*(/\s*0*1\s*)?)?$",
        },
        "values": {
            "description": "the values of a variable: \"1..=14\", \"0..13\" (without 13), \"0..=100/5\" (every fifth), 7, or a list such as [1, 2, 5]",
            "anyOf": [
                { "type": "string", "pattern": steps },
                value,
                distinct(list(value.clone())),
            ],
        },
    })
}

/// Requires that no element occurs twice.
pub(crate) fn distinct(mut list: Value) -> Value {
    list["uniqueItems"] = true.into();
    list
}

/// Returns the key `[table]` of a task whose layouts have these keys beside their names.
pub(crate) fn layouts(layouts: impl IntoIterator<Item = (&'static str, Vec<Key>)>) -> Key {
    let layouts = layouts.into_iter().map(|(name, keys)| {
        let layout = required("layout", "the arrangement of the cells", choice(&[name]));
        table([layout].into_iter().chain(keys))
    });
    optional(
        "table",
        "how `seedbank table` lays the result out; no part of the job's meaning",
        any_of(layouts),
    )
}

/// Returns the key `[table]` of a task whose layouts have no keys beside their names.
pub(crate) fn plain_layouts(names: &[&'static str]) -> Key {
    let layout = required("layout", "the arrangement of the cells", choice(names));
    optional(
        "table",
        "how `seedbank table` lays the result out; no part of the job's meaning",
        table([layout]),
    )
}

/// Returns the key of a layout that has columns side by side.
pub(crate) fn columns_per_row() -> Key {
    optional(
        "columns_per_row",
        "columns side by side",
        integer(1, super::sections::COLUMNS_MAX),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_their_keys_and_no_others() {
        let found = table([
            required("digits", "the digits", integer(1, 24)),
            optional("n", "a variable", values()),
        ]);
        let expected = json!({
            "type": "object",
            "properties": {
                "digits": { "type": "integer", "minimum": 1, "maximum": 24, "description": "the digits" },
                "n": { "allOf": [{ "$ref": "#/definitions/values" }], "description": "a variable" },
            },
            "required": ["digits"],
            "additionalProperties": false,
        });
        assert_eq!(found, expected);
    }
}
