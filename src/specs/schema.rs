//! JSON Schema (draft-07) of the sections of job specs.
//!
//! The schema accepts every spec that the reader accepts; [`form`](super::form) declares both at once. It cannot say what relates
//! two sections, nor what a pattern or a value means; `tests/schema.rs` lists what it leaves to the reader.
//!
//! Editors know the features of draft 4 only, so that alternatives are `anyOf` and never conditions.

use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

/// A key of a table.
#[derive(Clone)]
pub struct Key {
    name: &'static str,
    is_required: bool,
    meaning: &'static str,
    value: Schema,
}

/// Returns a key that must be there.
pub fn required(name: &'static str, meaning: &'static str, value: Schema) -> Key {
    Key {
        name,
        is_required: true,
        meaning,
        value,
    }
}

/// Returns a key that may be missing.
pub fn optional(name: &'static str, meaning: &'static str, value: Schema) -> Key {
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
pub fn table(keys: impl IntoIterator<Item = Key>) -> Schema {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for mut key in keys {
        if key.is_required {
            required.push(key.name);
        }
        add(&mut key.value, "description", key.meaning);
        properties.insert(key.name.to_owned(), key.value.into());
    }
    let mut table = json_schema!({
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
    });
    if !required.is_empty() {
        add(&mut table, "required", required);
    }
    table
}

/// Adds keys by patterns of their names.
pub fn with_patterns(mut table: Schema, patterns: Value) -> Schema {
    add(&mut table, "patternProperties", patterns);
    table
}

/// Requires at least one of these keys of a table.
pub fn with_one_of(mut table: Schema, keys: &[&str]) -> Schema {
    let one = |key: &&str| json!({ "required": [key] });
    add(&mut table, "anyOf", keys.iter().map(one).collect::<Value>());
    table
}

/// Requires that no element occurs twice.
pub fn distinct(mut list: Schema) -> Schema {
    add(&mut list, "uniqueItems", true);
    list
}

fn add(schema: &mut Schema, keyword: &str, value: impl Into<Value>) {
    schema.insert(keyword.to_owned(), value.into());
}

/// Returns a schema that a value meets if it meets one of these.
pub fn any_of(choices: impl IntoIterator<Item = Schema>) -> Schema {
    let mut choices: Vec<Schema> = choices.into_iter().collect();
    match choices.len() {
        1 => choices.remove(0),
        _ => json_schema!({ "anyOf": choices }),
    }
}

/// Returns the schema of one of a few names.
pub fn choice(names: &[&str]) -> Schema {
    json_schema!({ "type": "string", "enum": names })
}

/// Returns the schema of an integer of a range.
pub fn integer(min: i64, max: i64) -> Schema {
    json_schema!({ "type": "integer", "minimum": min, "maximum": max })
}

/// Returns the schema of true or false.
pub fn boolean() -> Schema {
    json_schema!({ "type": "boolean" })
}

/// Returns the schema of a text that is read otherwise.
pub fn text() -> Schema {
    json_schema!({ "type": "string" })
}

/// Returns the schema of a list that is not empty.
pub fn list(element: Schema) -> Schema {
    json_schema!({ "type": "array", "items": element, "minItems": 1 })
}

/// Returns the schema of a value or a list of them.
pub fn one_or_more(element: Schema) -> Schema {
    any_of([element.clone(), list(element)])
}

/// Returns the schema of a table with any keys.
pub fn map(value: Schema) -> Schema {
    json_schema!({ "type": "object", "additionalProperties": value })
}

/// Makes a schema a definition and returns a reference to it, for what depends on the game and so is not that of one type.
///
/// # Panics
///
/// If the name is that of another schema.
pub fn defined(generator: &mut SchemaGenerator, name: &str, schema: Schema) -> Schema {
    let definitions = generator.definitions_mut();
    let known = definitions.entry(name).or_insert(schema.clone().into());
    assert_eq!(schema, *known, "two definitions are named {name}");
    let path = &generator.settings().definitions_path;
    Schema::new_ref(format!("#{path}/{name}"))
}

/// Returns the schema of layouts that have these keys beside their names.
pub fn layouts(layouts: impl IntoIterator<Item = (&'static str, Vec<Key>)>) -> Schema {
    any_of(layouts.into_iter().map(|(name, keys)| {
        let layout = required("layout", "the arrangement of the cells", choice(&[name]));
        table([layout].into_iter().chain(keys))
    }))
}

/// Returns the schema of layouts that have no keys beside their names.
pub fn plain_layouts(names: &[&'static str]) -> Schema {
    table([required(
        "layout",
        "the arrangement of the cells",
        choice(names),
    )])
}

#[cfg(test)]
mod tests {
    use schemars::generate::SchemaSettings;

    use super::*;

    #[test]
    fn tables_have_their_keys_and_no_others() {
        let mut generator = SchemaSettings::draft07().into_generator();
        let found = table([
            required("digits", "the digits", integer(1, 24)),
            optional("n", "a variable", defined(&mut generator, "values", text())),
        ]);
        let expected = json!({
            "type": "object",
            "properties": {
                "digits": { "type": "integer", "minimum": 1, "maximum": 24, "description": "the digits" },
                "n": { "$ref": "#/definitions/values", "description": "a variable" },
            },
            "required": ["digits"],
            "additionalProperties": false,
        });
        assert_eq!(found, expected);
    }
}
