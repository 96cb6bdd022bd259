//! What the schema of job specs says of sums: the sections that `spec.rs` reads.

use cggames::game::GameEntry;
use schemars::SchemaGenerator;
use seedbank_specs::schema::{
    columns_per_row, layouts, required, table, table_section, text, with_variables,
};

use crate::task::kind::SectionsSchema;

/// Returns the sections of jobs over sums of components.
pub(super) fn sections(generator: &mut SchemaGenerator, _: GameEntry) -> Vec<SectionsSchema> {
    let sum = "components joined by +, such as \"knight(i,j) + nim(3)\"; each variable has a key of its own";
    vec![SectionsSchema {
        title: "a row for each sum of components",
        ruleset: vec![],
        family: with_variables(generator, table([required("sum", sum, text())])),
        others: vec![table_section(layouts([
            ("list", vec![columns_per_row()]),
            ("grid", vec![]),
        ]))],
        is_mined: true,
    }]
}
