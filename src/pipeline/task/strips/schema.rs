//! What the schema of job specs says of positions: the sections that `spec.rs`, `members.rs`, `layout.rs` and `law.rs` read.

use std::borrow::Cow;

use cggames::board::row::POT_SEEDS_MAX;
use cggames::board::{Caps, RowShape, Shape};
use cggames::family::{ALL_POTS_MAX, ALL_SEEDS_MAX, COLOURED_POTS_MAX, Order};
use cggames::game::{Game, GameEntry, GameKind, Play};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use seedbank_specs::POSITIONS_MAX;
use seedbank_specs::schema::{
    Key, ValuesOfVariable, any_of, boolean, choice, columns_per_row, defined, each_variable,
    integer, layouts, list, map, optional, required, table, table_section, text, with_one_of,
    with_variables,
};
use serde_json::json;

use super::law::Law;
use super::layout::TableSpec;
use crate::evaluate::Columns;
use crate::task::kind::SectionsSchema;

/// Returns the sections of jobs with a row for each position.
pub(super) fn sections(generator: &mut SchemaGenerator, game: GameEntry) -> Vec<SectionsSchema> {
    let jobs = positions(generator, game).into_iter();
    let jobs = jobs.map(|(ruleset, family)| SectionsSchema {
        title: "a row for each position",
        ruleset,
        family,
        others: vec![
            columns(generator),
            table_section(generator.subschema_for::<TableSpec>()),
            optional(
                "law",
                "what the values of patterns are conjectured to be",
                generator.subschema_for::<Law>(),
            ),
        ],
        is_mined: true,
    });
    jobs.collect()
}

/// Returns the keys of `[ruleset]` beside a game on pots, and its families: on endless rows and, where there are such, on boards.
pub(in crate::task) fn positions(
    generator: &mut SchemaGenerator,
    game: GameEntry,
) -> Vec<(Vec<Key>, Schema)> {
    let GameKind::Pots(game) = game.kind else {
        return Vec::new();
    };
    let plays: Vec<&str> = game.plays().iter().map(|play: &Play| play.name()).collect();
    let play = || required("play", "how the game is played", choice(&plays));
    let endless = (vec![play()], family(generator, game.shape()));
    let on_board = game.on_board(1).ok().map(|game| {
        let most = i64::from(Game::BOARD_POTS_MAX);
        let pots = required("pots", "the width of the board in pots", integer(1, most));
        (vec![play(), pots], family(generator, game.shape()))
    });
    [endless].into_iter().chain(on_board).collect()
}

/// Returns the key `[columns]`.
pub(in crate::task) fn columns(generator: &mut SchemaGenerator) -> Key {
    let columns = generator.subschema_for::<Columns>();
    optional("columns", "columns that cost extra", columns)
}

impl JsonSchema for Columns {
    fn schema_name() -> Cow<'static, str> {
        "columns".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let column = |name, meaning| optional(name, meaning, boolean());
        table([
            column(
                "followers",
                "count the distinct followers of each position, itself included",
            ),
            column("depth", "the moves of the longest play from each position"),
            column(
                "branching",
                "the mean number of distinct options of a follower",
            ),
        ])
    }
}

fn family(generator: &mut SchemaGenerator, shape: Shape) -> Schema {
    let kinds = any_of(kinds(generator, shape));
    let name = match shape {
        Shape::Rows(shape) if shape.board_pots.is_some() => "boards",
        Shape::Rows(shape) if shape.caps == Caps::Unlimited => "rows",
        Shape::Rows(_) => "capped-rows",
        Shape::ColouredRows => "coloured-rows",
        Shape::Grids => "grids",
    };
    let kinds = defined(generator, name, kinds);
    let meaning = "several families, one after another";
    let union = table([required("union", meaning, list(kinds.clone()))]);
    any_of([kinds, union])
}

/// Returns the kinds of families that a union joins.
fn kinds(generator: &mut SchemaGenerator, shape: Shape) -> Vec<Schema> {
    let variable = match shape {
        Shape::Rows(_) | Shape::ColouredRows => {
            let pattern = json_schema!({ "type": "string", "minLength": 1 });
            let meaning = "rows with repetitions and variables, such as \"(10)^m 03 (01)^n\"; each variable has a key of its own";
            with_variables(generator, table([required("pattern", meaning, pattern)]))
        }
        Shape::Grids => {
            let sides = sides(generator).into_iter();
            let values = generator.subschema_for::<ValuesOfVariable>();
            let seeds = required("seeds", "the seeds in every pot", values);
            table([required(
                "grid",
                "rectangles with equally many seeds in every pot",
                table(sides.chain([seeds])),
            )])
        }
    };
    let order = |keys: Vec<Key>| match shape {
        Shape::Rows(_) => {
            let meaning = "pots: by pots, then seeds; seeds: by seeds, then pots";
            let order = optional("order", meaning, choice(&Order::ALL.map(Order::name)));
            keys.into_iter().chain([order]).collect()
        }
        Shape::ColouredRows | Shape::Grids => keys,
    };
    let drawn = [
        required(
            "count",
            "the number of positions",
            integer(1, POSITIONS_MAX as i64),
        ),
        required("seed", "the seed of the generator", integer(0, i64::MAX)),
    ];
    let mut bounds = || bounds(generator, shape);
    let sample = bounded(shape, drawn.into_iter().chain(bounds()).collect());
    vec![
        variable,
        table([required(
            "all",
            "every position within bounds",
            bounded(shape, order(bounds())),
        )]),
        table([required("positions", "positions written out", list(text()))]),
        table([required(
            "file",
            "a text file with one position a line, by its path from the spec's folder",
            text(),
        )]),
        table([required(
            "sample",
            "positions drawn at random from all within bounds",
            sample,
        )]),
    ]
}

/// Returns the keys that bound the positions of a shape.
fn bounds(generator: &mut SchemaGenerator, shape: Shape) -> Vec<Key> {
    let (pots, seeds) = (i64::from(ALL_POTS_MAX), i64::from(ALL_SEEDS_MAX));
    let count = || integer(0, i64::from(POT_SEEDS_MAX));
    let coloured_pots = || integer(0, i64::from(COLOURED_POTS_MAX));
    match shape {
        Shape::Rows(RowShape { board_pots, .. }) => {
            let of_pots = [
                optional("pots_min", "the fewest pots", integer(0, pots)),
                required("pots_max", "the most pots", integer(0, pots)),
            ];
            // A board has its own number of pots.
            let of_pots = of_pots.into_iter().filter(|_| board_pots.is_none());
            let of_seeds = [
                optional("seeds_min", "the fewest seeds", integer(0, seeds)),
                optional("seeds_max", "the most seeds", integer(0, seeds)),
                optional(
                    "pot_seeds_max",
                    "the most seeds in any one pot",
                    integer(0, seeds),
                ),
            ];
            of_pots.chain(of_seeds).collect()
        }
        Shape::ColouredRows => vec![
            optional("pots_min", "the fewest pots", coloured_pots()),
            required("pots_max", "the most pots", coloured_pots()),
            optional("blue_min", "the fewest blue seeds", count()),
            required("blue_max", "the most blue seeds", count()),
            optional("red_min", "the fewest red seeds", count()),
            required("red_max", "the most red seeds", count()),
            optional("pot_seeds_max", "the most seeds in any one pot", count()),
        ],
        Shape::Grids => {
            let of_seeds = [
                required("pot_seeds_max", "the most seeds in any one pot", count()),
                optional("pot_seeds_min", "the fewest seeds in any one pot", count()),
                optional("seeds_min", "the fewest seeds", count()),
                optional("seeds_max", "the most seeds", count()),
            ];
            sides(generator).into_iter().chain(of_seeds).collect()
        }
    }
}

fn sides(generator: &mut SchemaGenerator) -> [Key; 2] {
    let values = generator.subschema_for::<ValuesOfVariable>();
    [
        required("rows", "the numbers of rows", values.clone()),
        required("columns", "the numbers of columns", values),
    ]
}

/// Returns the table of bounds with these keys: without full pots, something bounds the seeds.
fn bounded(shape: Shape, keys: Vec<Key>) -> Schema {
    let bounds = table(keys);
    match shape {
        Shape::Rows(RowShape {
            caps: Caps::Unlimited,
            ..
        }) => with_one_of(bounds, &["seeds_max", "pot_seeds_max"]),
        _ => bounds,
    }
}

impl JsonSchema for TableSpec {
    fn schema_name() -> Cow<'static, str> {
        "table".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names = || {
            optional(
                "names",
                "values in notation, and the symbols printed for them",
                map(text()),
            )
        };
        let down = || required("rows", "the variable that goes down", text());
        let across = required("columns", "the variable that goes across", text());
        layouts([
            ("list", vec![columns_per_row(), names()]),
            ("grid", vec![down(), across, names()]),
            ("sequences", vec![down(), columns_per_row(), names()]),
            ("first-by-value", vec![names()]),
        ])
    }
}

impl JsonSchema for Law {
    fn schema_name() -> Cow<'static, str> {
        "law".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let place = json_schema!({
            "type": "object",
            "patternProperties": each_variable(json!({ "type": "integer" })),
            "additionalProperties": false,
        });
        table([
            required(
                "value",
                "the value, with the variables of the pattern in it",
                text(),
            ),
            optional(
                "least",
                "the values of variables from which on the law is stated",
                place.clone(),
            ),
            optional(
                "except",
                "places of which the law says nothing",
                list(place),
            ),
        ])
    }
}
