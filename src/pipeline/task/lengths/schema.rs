//! What the schema of job specs says of lengths: the sections that `spec.rs` reads.

use cggames::game::GameEntry;
use schemars::SchemaGenerator;
use seedbank_specs::schema::{Range, plain_layouts, required, table};

use crate::task::kind::SectionsSchema;

/// Returns the sections of jobs over lengths.
pub(super) fn sections(generator: &mut SchemaGenerator, _: GameEntry) -> Vec<SectionsSchema> {
    vec![SectionsSchema {
        title: "a row for each length of boards of Tchoukaillon",
        ruleset: vec![],
        family: table([required(
            "lengths",
            "the lengths, such as \"1..=1000\"",
            generator.subschema_for::<Range>(),
        )]),
        others: vec![plain_layouts(&["list", "summary"])],
        is_mined: false,
    }]
}
