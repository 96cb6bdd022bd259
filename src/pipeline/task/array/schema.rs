//! What the schema of job specs says of the Tchoukaillon array: the sections that `spec.rs` reads.

use cggames::game::GameEntry;
use schemars::SchemaGenerator;
use seedbank_specs::schema::{Range, any_of, plain_layouts, required, table};

use crate::task::kind::SectionsSchema;

/// Returns the sections of jobs over the array.
pub(super) fn sections(generator: &mut SchemaGenerator, _: GameEntry) -> Vec<SectionsSchema> {
    let mut range = |name, meaning| required(name, meaning, generator.subschema_for::<Range>());
    let block = table([
        range("rows", "the rows, from 1 on, such as \"2\""),
        range("columns", "the columns, from 1 on, such as \"1..=1000\""),
    ]);
    let antidiagonals = range(
        "antidiagonals",
        "the antidiagonals, from 1 on, each from row 1 down",
    );
    let array = any_of([block, table([antidiagonals])]);
    vec![SectionsSchema {
        title: "a row for each entry of the Tchoukaillon array",
        ruleset: vec![],
        family: table([required("array", "the entries", array)]),
        others: vec![plain_layouts(&["list", "grid"])],
        is_mined: true,
    }]
}
