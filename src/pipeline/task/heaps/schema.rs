//! What the schema of job specs says of heaps: the sections that `spec.rs` reads.

use cggames::game::heap::{HeapRules, SUBTRACTION_MAX};
use cggames::game::{GameEntry, GameKind, SumKind};
use schemars::SchemaGenerator;
use seedbank_specs::schema::{
    Key, Range, choice, columns_per_row, distinct, integer, layouts, list, optional, required,
    table, table_section, text,
};

use crate::task::kind::SectionsSchema;

/// Returns the sections of jobs over the heaps of one game.
pub(super) fn sections(generator: &mut SchemaGenerator, game: GameEntry) -> Vec<SectionsSchema> {
    let of_game = match game.kind {
        GameKind::Heaps(HeapRules::Code) => Some(required(
            "code",
            "the code, such as \"0.77\", or \"0.3F\"",
            text(),
        )),
        GameKind::Heaps(HeapRules::Subtraction) => {
            let numbers = distinct(list(integer(1, SUBTRACTION_MAX as i64)));
            Some(required(
                "set",
                "the numbers of tokens that may be taken",
                numbers,
            ))
        }
        _ => None,
    };
    let heaps = required(
        "heaps",
        "the heaps that have a row, such as \"0..=1000\"",
        generator.subschema_for::<Range>(),
    );
    vec![SectionsSchema {
        title: "a row for each heap of a game",
        ruleset: of_game.into_iter().chain([sum()]).collect(),
        family: table([heaps]),
        others: vec![table_section(layouts([
            ("list", vec![columns_per_row()]),
            ("by-value", vec![]),
        ]))],
        is_mined: true,
    }]
}

/// Returns the key that says how heaps are added.
pub(in crate::task) fn sum() -> Key {
    let names = SumKind::ALL.map(SumKind::name);
    optional(
        "sum",
        "how heaps are added; disjunctive where it is missing",
        choice(&names),
    )
}
