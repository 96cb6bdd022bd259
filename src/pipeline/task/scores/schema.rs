//! What the schema of job specs says of scored games: the sections that `spec.rs` reads.

use cggames::board::two_rows::SIDE_PITS_MAX;
use cggames::game::scored::ScoredGame;
use cggames::game::{GameEntry, GameKind};
use schemars::{Schema, SchemaGenerator};
use seedbank_specs::POSITIONS_MAX;
use seedbank_specs::schema::{
    Key, Range, any_of, choice, integer, list, optional, plain_layouts, required, table, text,
};

use crate::task::kind::SectionsSchema;

/// Returns the sections of jobs over starting positions, which have a grid as well, and of other jobs over a scored game.
pub(super) fn sections(generator: &mut SchemaGenerator, game: GameEntry) -> Vec<SectionsSchema> {
    let GameKind::Scored(game) = game.kind else {
        return Vec::new();
    };
    let rules = || {
        let names: Vec<&str> = game.all_rules().into_iter().map(|(name, _)| name).collect();
        vec![optional(
            game.key(),
            "by which rules the game is played",
            choice(&names),
        )]
    };
    let range = generator.subschema_for::<Range>();
    let ranges = || {
        [
            required("pits", "the pits of a side", range.clone()),
            required("seeds", "the numbers of seeds", range.clone()),
        ]
    };
    let of_tiers = || of_tiers(range.clone());
    let starts = "starting positions, with equally many seeds in each pit";
    let endgames = "endgames that one player decides alone, for each number of pits and seeds";
    let tiers = "for each number of seeds how many positions have each margin";
    let drawn = [
        required(
            "count",
            "the number of positions",
            integer(1, POSITIONS_MAX as i64),
        ),
        required("seed", "the seed of the generator", integer(0, i64::MAX)),
    ];
    let mut others = vec![
        table([required("tiers", tiers, table(of_tiers()))]),
        table([required(
            "all",
            "every position with these seeds",
            table(of_tiers()),
        )]),
        table([required("positions", "positions written out", list(text()))]),
        table([required(
            "file",
            "a text file with one position a line, by its path from the spec's folder",
            text(),
        )]),
        table([required(
            "sample",
            "positions drawn at random",
            table(of_tiers().into_iter().chain(drawn)),
        )]),
    ];
    if let ScoredGame::Wari(_) = game {
        others.push(table([required("endgames", endgames, table(ranges()))]));
    }
    vec![
        SectionsSchema {
            title: "a row for each starting position",
            ruleset: rules(),
            family: table([required("starts", starts, table(ranges()))]),
            others: vec![plain_layouts(&["list", "grid"])],
            is_mined: false,
        },
        SectionsSchema {
            title: "rows about the scores of positions",
            ruleset: rules(),
            family: any_of(others),
            others: vec![plain_layouts(&["list"])],
            is_mined: false,
        },
    ]
}

/// Returns the keys that say which tiers.
fn of_tiers(range: Schema) -> [Key; 2] {
    [
        required(
            "pits",
            "the pits of a side",
            integer(1, SIDE_PITS_MAX as i64),
        ),
        required("seeds", "the numbers of seeds, such as \"0..=12\"", range),
    ]
}
