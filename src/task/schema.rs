//! The JSON Schema (draft-07) of job specs: an alternative for each kind of job and the games that it reads alike.
//!
//! What a kind accepts stands beside its reader, in the `schema.rs` of its folder.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Value, json};

use super::kind::SectionsSchema;
use super::{KINDS, mine};
use crate::game::games;
use crate::job::NAME_MAX;
use crate::job::schema::{any_of, choice, definitions, optional, required, table, text};

/// Returns the JSON Schema of job specs.
///
/// ```
/// let schema = seedbank::task::schema::job_schema();
/// assert_eq!(schema["$schema"], "http://json-schema.org/draft-07/schema#");
/// assert!(schema["anyOf"].as_array().is_some_and(|kinds| kinds.len() > 11));
/// ```
pub fn job_schema() -> Value {
    // Games whose jobs have the same keys share an alternative.
    let mut alternatives: Vec<(Value, Vec<&'static str>)> = Vec::new();
    for game in games() {
        let kinds = KINDS.iter().filter(|kind| (kind.plays)(game.kind));
        for sections in kinds.flat_map(|kind| (kind.schema)(game)) {
            let alternative = alternative(sections);
            match alternatives
                .iter_mut()
                .find(|(other, _)| *other == alternative)
            {
                Some((_, names)) => names.push(game.name),
                None => alternatives.push((alternative, vec![game.name])),
            }
        }
    }
    let alternatives = alternatives.into_iter().map(|(mut alternative, names)| {
        let game = &mut alternative["properties"]["ruleset"]["properties"]["game"];
        game["enum"] = names.into();
        alternative
    });
    let mut schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Job spec of seedbank",
        "description": "a game, a family of positions, and what to compute about them",
        "type": "object",
    });
    let mut alternatives = any_of(alternatives)["anyOf"].take();
    let mut shared = Shared::of(&alternatives);
    shared.replace(&mut alternatives, "job");
    schema["anyOf"] = alternatives;
    schema["definitions"] = definitions();
    for (name, definition) in shared.definitions {
        schema["definitions"][name] = definition;
    }
    schema
}

/// Schemas that occur several times, and become definitions.
struct Shared {
    /// How often each occurs, by its text.
    counts: HashMap<String, usize>,
    /// The names that they get, by their texts.
    names: HashMap<String, String>,
    definitions: BTreeMap<String, Value>,
}

/// The least text that is worth a definition.
///
/// Unit: bytes. Without definitions the schema has 300,000.
const SHARED_BYTES_MIN: usize = 200;

impl Shared {
    fn of(schema: &Value) -> Shared {
        let mut shared = Shared {
            counts: HashMap::new(),
            names: HashMap::new(),
            definitions: BTreeMap::new(),
        };
        shared.count(schema);
        shared
    }

    fn count(&mut self, value: &Value) {
        if is_schema(value) {
            *self.counts.entry(value.to_string()).or_default() += 1;
        }
        match value {
            Value::Object(object) => object.values().for_each(|value| self.count(value)),
            Value::Array(array) => array.iter().for_each(|value| self.count(value)),
            _ => {}
        }
    }

    /// Replaces schemas that occur several times by references; `key` is the one whose value this is.
    fn replace(&mut self, value: &mut Value, key: &str) {
        let text = value.to_string();
        // Editors show what an alternative is by its game.
        let is_shared = is_schema(value)
            && key != "ruleset"
            && text.len() >= SHARED_BYTES_MIN
            && self.counts.get(&text).is_some_and(|&count| count > 1);
        if is_shared {
            let name = match self.names.get(&text) {
                Some(name) => name.clone(),
                None => {
                    let name = self.new_name(key);
                    self.names.insert(text, name.clone());
                    let mut definition = value.clone();
                    self.replace_inside(&mut definition, key);
                    self.definitions.insert(name.clone(), definition);
                    name
                }
            };
            *value = json!({ "$ref": format!("#/definitions/{name}") });
        } else {
            self.replace_inside(value, key);
        }
    }

    fn replace_inside(&mut self, value: &mut Value, key: &str) {
        // The keys of a schema name no part of a spec; those of `properties` do.
        match value {
            Value::Object(object) => {
                for (name, value) in object.iter_mut() {
                    match (name.as_str(), value) {
                        ("properties", Value::Object(properties)) => {
                            let properties = properties.iter_mut();
                            properties.for_each(|(name, value)| self.replace(value, name));
                        }
                        (_, value) => self.replace(value, key),
                    }
                }
            }
            Value::Array(array) => {
                for value in array {
                    // An alternative is called by the first key that it requires.
                    let required = value["required"][0].as_str().map(str::to_owned);
                    self.replace(value, required.as_deref().unwrap_or(key));
                }
            }
            _ => {}
        }
    }

    fn new_name(&self, key: &str) -> String {
        let names = (1..).map(|number| match number {
            1 => key.to_owned(),
            _ => format!("{key}-{number}"),
        });
        let known = definitions();
        let is_free = |name: &String| {
            known.get(name).is_none() && self.names.values().all(|other| other != name)
        };
        let mut names = names.filter(is_free);
        names.next().expect("numbers do not end")
    }
}

fn is_schema(value: &Value) -> bool {
    value.get("type").is_some_and(Value::is_string) || value.get("anyOf").is_some()
}

/// Returns the schema of specs with these sections, whose game has no names yet.
fn alternative(sections: SectionsSchema) -> Value {
    let game = required(
        "game",
        "the game; `seedbank help games` prints the rules",
        choice(&[]),
    );
    let ruleset = table([game].into_iter().chain(sections.ruleset));
    let name = json!({
        "type": "string",
        "pattern": format!("^[a-z0-9][a-z0-9-]{{0,{}}}$", NAME_MAX - 1),
    });
    let head = [
        required("name", "the job's name and its results' folder", name),
        optional(
            "title",
            "the subject of the job, printed above its table",
            text(),
        ),
        optional(
            "source",
            "the publication that it reproduces or extends",
            text(),
        ),
        required("ruleset", "the game", ruleset),
        required("family", "what the rows are about", sections.family),
    ];
    let mine = sections.is_mined.then(|| {
        let meaning = "which laws a run looks for in the finished rows";
        optional("mine", meaning, mine::schema())
    });
    let mut schema = table(head.into_iter().chain(sections.others).chain(mine));
    schema["title"] = sections.title.into();
    schema
}
