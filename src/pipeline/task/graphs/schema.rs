//! What the schema of job specs says of sowing graphs: the sections that `spec.rs` reads.

use cggames::game::GameEntry;
use cggames::game::sowing_graph::BIN_STONES_MAX;
use schemars::SchemaGenerator;
use seedbank_specs::schema::{
    any_of, integer, one_or_more, optional, plain_layouts, required, table, text,
};

use super::spec::{LIMIT_MAX, STRATEGY_BOARDS_LIMIT_MAX};
use crate::task::kind::SectionsSchema;

/// Returns the sections of jobs over sowing graphs.
pub(super) fn sections(_: &mut SchemaGenerator, _: GameEntry) -> Vec<SectionsSchema> {
    let file = table([required(
        "file",
        "a graph, by its path from the spec's folder",
        text(),
    )]);
    let graphs = one_or_more(any_of([text(), file]));
    let limit = |name, meaning, max: u64| optional(name, meaning, integer(0, max as i64));
    vec![SectionsSchema {
        title: "a row for each sowing graph",
        ruleset: vec![],
        family: table([
            required(
                "graphs",
                "generators such as \"star(1..=4, 6)\", or files",
                graphs,
            ),
            limit(
                "total_max",
                "the most stones of a board that is counted",
                BIN_STONES_MAX.into(),
            ),
            limit(
                "boards_max",
                "the most boards looked at in each piece of a graph",
                LIMIT_MAX,
            ),
            limit(
                "held_max",
                "the most boards held at one time on each thread",
                LIMIT_MAX,
            ),
            limit(
                "strategy_boards_max",
                "the most boards on which strategies are tried",
                STRATEGY_BOARDS_LIMIT_MAX,
            ),
        ]),
        others: vec![plain_layouts(&["list", "totals", "strategies"])],
        is_mined: true,
    }]
}
