//! What the schema of job specs says of Tchuka Ruma: the sections that `spec.rs` reads.

use cggames::game::GameEntry;
use cggames::game::tchuka_ruma::RING_PITS_MAX;
use schemars::SchemaGenerator;
use seedbank_specs::schema::{
    Key, Range, any_of, integer, list, optional, plain_layouts, required, table, text,
};

use super::spec::POSITIONS_LIMIT_MAX;
use crate::task::kind::SectionsSchema;

/// Returns the sections of jobs over starting positions, which have a grid as well, and of other jobs.
pub(super) fn sections(generator: &mut SchemaGenerator, _: GameEntry) -> Vec<SectionsSchema> {
    let job = |title, families: Vec<Key>, layouts: &[&'static str]| {
        let limit = "the most positions to look at for a row";
        let families = families.into_iter().map(|family| {
            table([
                family,
                optional("positions_max", limit, integer(1, POSITIONS_LIMIT_MAX)),
            ])
        });
        SectionsSchema {
            title,
            ruleset: vec![],
            family: any_of(families),
            others: vec![plain_layouts(layouts)],
            is_mined: false,
        }
    };
    let range = generator.subschema_for::<Range>();
    let stones = || {
        required(
            "stones",
            "the numbers of stones, such as \"1..=6\"",
            range.clone(),
        )
    };
    let pits = "the numbers of pits, such as \"1..=6\"";
    let pits = required("pits", pits, range.clone());
    let starts = "starting positions, with equally many stones in every pit";
    let all = [
        required("pits", "the pits", integer(1, RING_PITS_MAX as i64)),
        stones(),
    ];
    vec![
        job(
            "a row for each starting position",
            vec![required("starts", starts, table([pits, stones()]))],
            &["list", "grid"],
        ),
        job(
            "a row for each position of a ring",
            vec![
                required("all", "every position with these stones", table(all)),
                required("positions", "positions written out", list(text())),
            ],
            &["list"],
        ),
    ]
}
