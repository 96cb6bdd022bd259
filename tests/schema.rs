//! The JSON Schema of job specs. That it accepts what the reader accepts, and refuses what the reader
//! refuses but for a list, is tested with the reader: see `jobs`.

use std::fs;
use std::path::Path;

use seedbank::job::Problem;
use seedbank::task::Job;
use seedbank::task::schema::job_schema;
use serde_json::Value;

use crate::common::schema::{LEFT_TO_THE_READER, Left, fault};
use crate::common::workspace::{ended, seedbank};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_command_prints_the_schema_that_ships() {
    let printed = ended(seedbank(&["schema"]));
    assert_eq!((printed.status, &*printed.stderr), (Some(0), ""));
    let shipped = fs::read_to_string(root().join("jobs/schema.json")).expect("a file");
    assert!(
        printed.stdout == shipped,
        "run: seedbank schema > jobs/schema.json"
    );
    let schema: Value = serde_json::from_str(&shipped).expect("JSON");
    assert_eq!(schema["$schema"], "http://json-schema.org/draft-07/schema#");
    assert_eq!(schema, job_schema());
}

#[test]
fn every_game_and_every_kind_of_job_has_its_alternative() {
    let schema = job_schema().to_value();
    let mut named: Vec<&str> = schema["anyOf"]
        .as_array()
        .expect("alternatives")
        .iter()
        .flat_map(|kind| kind["properties"]["ruleset"]["properties"]["game"]["enum"].as_array())
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    named.sort_unstable();
    named.dedup();
    let mut games: Vec<&str> = seedbank::game::games().map(|game| game.name).collect();
    games.sort_unstable();
    assert_eq!(named, games);
}

/// Each entry of the list is one: a spec that the schema accepts and the reader refuses with that message.
#[test]
fn what_is_left_to_the_reader_is_beyond_the_schema() {
    for left in LEFT_TO_THE_READER {
        let Left {
            ruleset,
            family,
            message,
            ..
        } = left;
        let text = format!("name = \"x\"\n[ruleset]\n{ruleset}\n[family]\n{family}\n");
        assert_eq!(fault(&text), None, "{text}");
        let error = Job::parse(&text, Path::new("x.toml"), &root().join("jobs"));
        let error = error.map(|_| ()).expect_err(&text);
        let mut problems = error.problems().iter();
        let is_it = |problem: &Problem| {
            problem.key.contains(left.key) && problem.fault.to_string().contains(message)
        };
        assert!(problems.any(is_it), "{message:?}, as {}: {error}", left.why);
    }
}
