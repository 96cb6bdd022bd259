//! The JSON Schema (draft-07) of job specs: an alternative for each kind of job about each game.
//!
//! What a kind accepts is declared once, for its reader and its schema, in the `spec.rs` of its folder.

use std::borrow::Cow;

use cggames::game::{GameEntry, games};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use seedbank_specs::NAME_MAX;
use seedbank_specs::schema::{choice, optional, required, table, text};

use super::kind::SectionsSchema;
use super::{Job, KINDS, mine};

/// Returns the JSON Schema of job specs.
///
/// ```
/// let schema = seedbank::task::schema::job_schema().to_value();
/// assert_eq!(schema["$schema"], "http://json-schema.org/draft-07/schema#");
/// assert!(schema["anyOf"].as_array().is_some_and(|kinds| kinds.len() > 11));
/// ```
pub fn job_schema() -> Schema {
    let generator = SchemaSettings::draft07().into_generator();
    generator.into_root_schema_for::<Job>()
}

impl JsonSchema for Job {
    fn schema_name() -> Cow<'static, str> {
        "Job spec of seedbank".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut alternatives = Vec::new();
        for game in games() {
            for kind in KINDS.iter().filter(|kind| (kind.plays)(game.kind)) {
                for sections in kind.schemas(generator, game) {
                    alternatives.push(alternative(generator, game, sections));
                }
            }
        }
        json_schema!({
            "description": "a game, a family of positions, and what to compute about them",
            "type": "object",
            "anyOf": alternatives,
        })
    }
}

/// Returns the schema of specs about a game with these sections.
fn alternative(
    generator: &mut SchemaGenerator,
    game: GameEntry,
    sections: SectionsSchema,
) -> Schema {
    let game = required(
        "game",
        "the game; `seedbank help games` prints the rules",
        choice(&[game.name]),
    );
    let ruleset = table([game].into_iter().chain(sections.ruleset));
    let name = json_schema!({
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
        optional("mine", meaning, mine::form(None).schema(generator))
    });
    let mut schema = table(head.into_iter().chain(sections.others.keys).chain(mine));
    schema.insert("title".to_owned(), sections.title.into());
    schema
}
