//! What the schema of job specs says of boards: the sections that `spec.rs` reads.

use cggames::game::GameEntry;
use schemars::SchemaGenerator;
use seedbank_specs::schema::{
    Range, any_of, boolean, integer, optional, plain_layouts, required, table,
};

use super::spec::NEAREST_MAX;
use crate::task::kind::SectionsSchema;

/// Returns the sections of jobs over boards.
pub(super) fn sections(generator: &mut SchemaGenerator, _: GameEntry) -> Vec<SectionsSchema> {
    let range = generator.subschema_for::<Range>();
    let lengths = required(
        "length",
        "the lengths of boards, such as \"1..=40\"",
        range.clone(),
    );
    let boards = any_of([range, table([lengths])]);
    let bins = any_of([boolean(), integer(1, NEAREST_MAX)]);
    let bins = optional(
        "bins",
        "whether all bins are listed, or the number of nearest ones",
        bins,
    );
    vec![SectionsSchema {
        title: "a row for each board of Tchoukaillon",
        ruleset: vec![],
        family: table([required(
            "boards",
            "the numbers of stones, or the lengths",
            boards,
        )]),
        others: vec![
            optional("columns", "columns that cost extra", table([bins])),
            plain_layouts(&["list", "bins"]),
        ],
        is_mined: true,
    }]
}
