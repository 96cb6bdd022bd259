//! What the schema of job specs says of positions: the sections that `spec.rs`, `members.rs`, `layout.rs` and `law.rs` read.

use serde_json::{Value, json};

use crate::board::row::POT_SEEDS_MAX;
use crate::board::{Caps, RowShape, Shape};
use crate::family::{ALL_POTS_MAX, ALL_SEEDS_MAX, COLOURED_POTS_MAX, Order};
use crate::game::{Game, GameEntry, GameKind, Play};
use crate::job::POSITIONS_MAX;
use crate::job::schema::{
    Key, any_of, boolean, choice, columns_per_row, integer, layouts, list, map, optional, required,
    table, text, values, with_one_of, with_variables,
};
use crate::task::kind::SectionsSchema;

/// Returns the sections of jobs with a row for each position.
pub(super) fn sections(game: GameEntry) -> Vec<SectionsSchema> {
    let jobs = positions(game)
        .into_iter()
        .map(|(ruleset, family)| SectionsSchema {
            title: "a row for each position",
            ruleset,
            family,
            others: vec![columns(), table_section(), law()],
            is_mined: true,
        });
    jobs.collect()
}

/// Returns the keys of `[ruleset]` beside a game on pots, and its families: on endless rows and, where there are such, on boards.
pub(in crate::task) fn positions(game: GameEntry) -> Vec<(Vec<Key>, Value)> {
    let GameKind::Pots(game) = game.kind else {
        return Vec::new();
    };
    let plays: Vec<&str> = game.plays().iter().map(|play: &Play| play.name()).collect();
    let play = || required("play", "how the game is played", choice(&plays));
    let endless = (vec![play()], family(game.shape()));
    let on_board = game.on_board(1).ok().map(|game| {
        let most = i64::from(Game::BOARD_POTS_MAX);
        let pots = required("pots", "the width of the board in pots", integer(1, most));
        (vec![play(), pots], family(game.shape()))
    });
    [endless].into_iter().chain(on_board).collect()
}

/// Returns the key `[columns]`.
pub(in crate::task) fn columns() -> Key {
    let column = |name, meaning| optional(name, meaning, boolean());
    let columns = table([
        column(
            "followers",
            "count the distinct followers of each position, itself included",
        ),
        column("depth", "the moves of the longest play from each position"),
        column(
            "branching",
            "the mean number of distinct options of a follower",
        ),
    ]);
    optional("columns", "columns that cost extra", columns)
}

fn family(shape: Shape) -> Value {
    let kinds = kinds(shape);
    let meaning = "several families, one after another";
    let union = table([required("union", meaning, list(any_of(kinds.clone())))]);
    any_of(kinds.into_iter().chain([union]))
}

/// Returns the kinds of families that a union joins.
fn kinds(shape: Shape) -> Vec<Value> {
    let variable = match shape {
        Shape::Rows(_) | Shape::ColouredRows => {
            let pattern = json!({ "type": "string", "minLength": 1 });
            let meaning = "rows with repetitions and variables, such as \"(10)^m 03 (01)^n\"; each variable has a key of its own";
            with_variables(table([required("pattern", meaning, pattern)]))
        }
        Shape::Grids => {
            let sides = sides().into_iter();
            let seeds = required("seeds", "the seeds in every pot", values());
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
    let sample = bounded(shape, drawn.into_iter().chain(bounds(shape)).collect());
    vec![
        variable,
        table([required(
            "all",
            "every position within bounds",
            bounded(shape, order(bounds(shape))),
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
fn bounds(shape: Shape) -> Vec<Key> {
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
            sides().into_iter().chain(of_seeds).collect()
        }
    }
}

fn sides() -> [Key; 2] {
    [
        required("rows", "the numbers of rows", values()),
        required("columns", "the numbers of columns", values()),
    ]
}

/// Returns the table of bounds with these keys: without full pots, something bounds the seeds.
fn bounded(shape: Shape, keys: Vec<Key>) -> Value {
    let bounds = table(keys);
    match shape {
        Shape::Rows(RowShape {
            caps: Caps::Unlimited,
            ..
        }) => with_one_of(bounds, &["seeds_max", "pot_seeds_max"]),
        _ => bounds,
    }
}

fn table_section() -> Key {
    let names = || {
        optional(
            "names",
            "values in notation, and the symbols printed for them",
            map(text()),
        )
    };
    let down = || required("rows", "the variable that goes down", text());
    layouts([
        ("list", vec![columns_per_row(), names()]),
        (
            "grid",
            vec![
                down(),
                required("columns", "the variable that goes across", text()),
                names(),
            ],
        ),
        ("sequences", vec![down(), columns_per_row(), names()]),
        ("first-by-value", vec![names()]),
    ])
}

fn law() -> Key {
    let place = || json!({ "type": "object", "patternProperties": { "^[a-z]$": { "type": "integer" } }, "additionalProperties": false });
    let law = table([
        required(
            "value",
            "the value, with the variables of the pattern in it",
            text(),
        ),
        optional(
            "least",
            "the values of variables from which on the law is stated",
            place(),
        ),
        optional(
            "except",
            "places of which the law says nothing",
            list(place()),
        ),
    ]);
    optional(
        "law",
        "what the values of patterns are conjectured to be",
        law,
    )
}
