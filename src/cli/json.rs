//! Rows as JSON objects, whose keys are the columns of the table `positions`.

use serde_json::{Map, Value, json};

use crate::dataset::PositionRow;
use crate::value::ValueDigest;

/// Returns a row as an object; `value_digest` is hexadecimal.
pub(super) fn position(row: &PositionRow, variables: &[String]) -> Value {
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| {
        object.insert(key.to_owned(), value);
    };
    put("game", json!(row.game));
    put("play", json!(row.play));
    put("pattern", json!(row.pattern.as_deref()));
    for (variable, value) in variables.iter().zip(&row.variables) {
        put(variable, json!(value));
    }
    put("position", json!(row.position));
    put("pots", json!(row.pots));
    put("seeds", json!(row.seeds));
    put("outcome", json!(row.outcome));
    put("value", json!(row.value));
    put(
        "value_digest",
        json!(ValueDigest(row.value_digest).to_string()),
    );
    put("kind", json!(row.kind));
    put("nim_value", json!(row.nim_value));
    put("left_stop", json!(row.left_stop));
    put("right_stop", json!(row.right_stop));
    put("mean", json!(row.mean));
    put("temperature", json!(row.temperature));
    put("birthday", json!(row.birthday));
    put("atomic_weight", json!(row.atomic_weight));
    put("atomic_weight_number", json!(row.atomic_weight_number));
    put("atomic_weight_missing", json!(row.atomic_weight_missing));
    put("dicotic", json!(row.dicotic));
    put("followers", json!(row.followers));
    put("depth", json!(row.depth));
    put("branching", json!(row.branching));
    Value::Object(object)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::positions::columns;

    #[test]
    fn the_keys_are_the_columns_of_the_table() {
        let variables = ["n".to_owned()];
        let row = PositionRow {
            variables: vec![Some(3)],
            ..PositionRow::default()
        };
        let Value::Object(object) = position(&row, &variables) else {
            panic!("not an object")
        };
        let mut keys: Vec<&str> = object.keys().map(String::as_str).collect();
        let columns = columns(&variables).unwrap();
        let mut names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        keys.sort_unstable();
        names.sort_unstable();
        assert_eq!(keys, names);
    }
}
