//! What the schema of job specs says of surveys of codes: the sections that `spec.rs` reads.

use cggames::game::heap::HeapRules;
use cggames::game::{GameEntry, GameKind};
use schemars::SchemaGenerator;
use seedbank_specs::schema::{integer, optional, plain_layouts, required, table};

use super::spec::{SURVEY_HEAP_MAX, SURVEY_HEAP_MIN};
use crate::task::heaps;
use crate::task::kind::SectionsSchema;

/// Returns the sections of surveys, which are of codes only.
pub(super) fn sections(_: &mut SchemaGenerator, game: GameEntry) -> Vec<SectionsSchema> {
    if game.kind != GameKind::Heaps(HeapRules::Code) {
        return Vec::new();
    }
    let codes = table([
        required("digits", "the digits after the point", integer(1, 24)),
        optional(
            "max_digit",
            "the greatest digit; 7 where it is missing",
            integer(1, 15),
        ),
    ]);
    let (min, max) = (SURVEY_HEAP_MIN as i64, SURVEY_HEAP_MAX as i64);
    let heaps_max = "the largest heap computed for a code without a proved period";
    vec![SectionsSchema {
        title: "a row for each code of a survey",
        ruleset: vec![heaps::schema::sum()],
        family: table([
            required("codes", "all codes of a number of digits", codes),
            required("heaps_max", heaps_max, integer(min, max)),
        ]),
        others: vec![plain_layouts(&["list", "summary"])],
        is_mined: true,
    }]
}
