//! Jobs on rows of two colours and on rectangles: families from a spec to rows, a census, and
//! errors in specs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use seedbank::board::{AnyBoard, Features};
use seedbank::dataset::FeatureColumns;
use seedbank::task::Job;
use seedbank::task::census::{self, CensusTask};
use seedbank::task::strips::StripTask;
use seedbank::value::Arena;

use crate::common::schema;
use crate::common::strips::strips;
use crate::common::symmetry::{images, negative};
use crate::common::workspace::{Workspace, ended, load, seedbank};

/// Returns the positions of a family in notation.
fn listed(game: &str, family: &str) -> Vec<String> {
    let here = Workspace::new();
    let job = load(&here.spec("listed", game, "partisan", family));
    let task = job.task_as::<StripTask>().expect("positions");
    let members = task.family.iter();
    members.map(|member| member.position.to_string()).collect()
}

#[test]
fn families_list_their_positions() {
    for (game, family, expected) in [
        (
            "coloured-sowing",
            "pattern = \"(b)^m r (b 2r)^n xb\"\nm = 1\nn = [0, 1]\nx = \"0..=1\"",
            &["b r 0", "b r b", "b r b 2r 0", "b r b 2r b"][..],
        ),
        (
            "coloured-sowing",
            "all = { pots_max = 2, blue_max = 1, red_max = 1 }",
            &["0", "b", "br", "b r"],
        ),
        (
            "coloured-sowing",
            "positions = [\"b br\", \"0 3r\"]",
            &["b br", "0 3r"],
        ),
        (
            "grid-sowing",
            "grid = { rows = 1, columns = \"1..=2\", seeds = [1, 12] }",
            &["1", "[12]", "11", "[12][12]"],
        ),
        (
            "grid-sowing",
            "all = { rows = 2, columns = 2, pot_seeds_max = 1, seeds_min = 2 }",
            &["00/11", "01/10", "01/11", "11/11"],
        ),
        (
            "grid-sowing",
            "union = [{ positions = [\"1/1\"] }, { grid = { rows = 1, columns = 2, seeds = 1 } }]",
            &["1/1", "11"],
        ),
    ] {
        assert_eq!(listed(game, family), expected, "{family}");
    }
    for (game, bounds) in [
        ("coloured-sowing", "pots_max = 4, blue_max = 2, red_max = 3"),
        (
            "grid-sowing",
            "rows = 3, columns = \"2..=3\", pot_seeds_max = 2",
        ),
    ] {
        let all = listed(game, &format!("all = {{ {bounds} }}"));
        let drawn = listed(
            game,
            &format!("sample = {{ count = 50, seed = 7, {bounds} }}"),
        );
        assert_eq!(drawn.len(), 50);
        assert!(
            drawn.iter().all(|position| all.contains(position)),
            "{game}"
        );
    }
}

#[test]
fn faults_in_a_spec_are_reported() {
    for (game, play, family, told) in [
        (
            "coloured-sowing",
            "impartial",
            "positions = [\"b\"]",
            "coloured-sowing is only played partisan",
        ),
        (
            "coloured-sowing",
            "partisan",
            "pattern = \"(b)^n e\"\nn = 2",
            "e at character 7 is no name of a variable",
        ),
        (
            "coloured-sowing",
            "partisan",
            "positions = [\"b\", \"b rb\"]",
            "unexpected 'b' at character 4",
        ),
        (
            "coloured-sowing",
            "partisan",
            "all = { pots_max = 61, blue_max = 1, red_max = 1 }",
            "pots_max is 61; accepted: 0 to 60",
        ),
        (
            "coloured-sowing",
            "partisan",
            "all = { pots_max = 6, blue_max = 1 }",
            "red_max",
        ),
        (
            "coloured-sowing",
            "partisan",
            "all = { pots_max = 6, blue_max = 16, red_max = 16 }",
            "more than 65536 ways to fill the 2 cells",
        ),
        (
            "grid-sowing",
            "partisan",
            "positions = [\"11/1\"]",
            "row 2 has 1 pots, but the rows before it have 2",
        ),
        (
            "grid-sowing",
            "partisan",
            "grid = { rows = \"1..=16\", columns = 2, seeds = 1 }",
            "16 rows and 2 columns; accepted: 1 to 15 of each",
        ),
        (
            "grid-sowing",
            "partisan",
            "grid = { rows = 2, columns = 2, seeds = -1 }",
            "-1 seeds in a pot",
        ),
        (
            "grid-sowing",
            "partisan",
            "pattern = \"1^n\"\nn = 2",
            "grid, all, positions, file, sample, union",
        ),
        (
            "grid-sowing",
            "partisan",
            "positions = [\"1\"]\n[witness]\nrelation = \"splits\"\nfewest = \"seeds\"",
            "unknown relation \"splits\"; accepted: whole",
        ),
        (
            "sowing",
            "partisan",
            "sample = { count = 9, seed = 1, pots_max = 3, order = \"seeds\" }",
            "order",
        ),
        (
            "sowing",
            "partisan",
            "grid = { rows = 2, columns = 2, seeds = 1 }",
            "pattern, all, positions, file, sample, union",
        ),
    ] {
        let text = format!(
            "name = \"wrong\"\n[ruleset]\ngame = {game:?}\nplay = {play:?}\n[family]\n{family}\n"
        );
        let error = Job::parse(&text, Path::new("wrong.toml"), Path::new("")).unwrap_err();
        schema::assert_refused(&text, &error);
        let error = error.to_string();
        assert!(
            error.contains("wrong.toml") && error.contains(told),
            "{family}: {error}"
        );
    }
    for (game, position, told) in [
        ("grid-sowing", "11/1x", "unexpected 'x' at character 5"),
        ("grid-sowing", "1111111111111111", "at most 15 of each"),
        (
            "coloured-sowing",
            "b2",
            "the number at character 2 counts no seeds",
        ),
        ("coloured-sowing", "b x", "unexpected 'x' at character 3"),
    ] {
        let arguments = ["eval", "--game", game, "--play", "partisan", position];
        let ended = ended(seedbank(&arguments));
        assert!(ended.stderr.contains(told), "{position}: {}", ended.stderr);
        assert_eq!(ended.status, Some(2), "{position}");
    }
}

/// Returns the negative of a position if a family with these bounds does not list it.
fn unlisted_negative(board: &AnyBoard, all: &str) -> Option<AnyBoard> {
    let is_unlisted = match board {
        AnyBoard::Grid(grid) => grid.rows() == grid.columns,
        _ => all.contains("blue_max = 2, red_max = 2"),
    };
    is_unlisted.then(|| negative(board))
}

fn texts(boards: &[AnyBoard]) -> Vec<String> {
    boards.iter().map(ToString::to_string).collect()
}

/// A census agrees with the rows. For each size it counts the positions of each value. The witness
/// of a value is its first position in the order that the job chose.
#[test]
fn a_census_counts_the_rows() {
    for (game, all, fewest) in [
        (
            "coloured-sowing",
            "all = { pots_max = 3, blue_max = 2, red_max = 2 }",
            "seeds",
        ),
        (
            "grid-sowing",
            "all = { rows = \"1..=3\", columns = \"1..=3\", pot_seeds_max = 1 }",
            "squares",
        ),
        (
            "grid-sowing",
            "all = { rows = \"1..=2\", columns = \"1..=2\", pot_seeds_max = 3 }",
            "squares",
        ),
    ] {
        let here = Workspace::new();
        let rows = here.spec("rows", game, "partisan", all);
        here.finish(&rows, &[]);
        let kind = strips(&load(&rows)).game.shape().kind();
        let arena = Arena::new();
        let mut counts: BTreeMap<(Features, String), (i64, String)> = BTreeMap::new();
        let mut listed: Vec<(String, Features, Vec<String>)> = Vec::new();
        for row in here.rows(&rows) {
            let mut features = Features::from(&row.features);
            let value = row.value.expect("a value").value.expect("a short one");
            let count = counts.entry((features, value.to_string()));
            count.or_insert((0, row.position.clone())).0 += 1;
            let board = kind.read(&row.position).expect("a position");
            listed.push((value.to_string(), features, texts(&images(&board))));
            if let Some(negative) = unlisted_negative(&board, all) {
                let value = arena.calculator().parse(&value).unwrap().negative();
                let value = arena.notation(value).to_string();
                std::mem::swap(&mut features.blue, &mut features.red);
                listed.push((value, features, texts(&images(&negative))));
            }
        }
        let witness = format!("{all}\n[witness]\neach = \"value\"\nfewest = {fewest:?}");
        let witness = here.spec("census", game, "partisan", &witness);
        here.finish(&witness, &[]);
        let job = load(&witness);
        let task = job.task_as::<CensusTask>().expect("a census");
        let census = census::open(&job.header, task, &here.path("out")).unwrap();
        let census = census.expect("it was run");
        let parts = census.parts().unwrap().finished;
        let mut counted = 0;
        for row in census.read_census(&parts) {
            let row = row.unwrap();
            let value = row.value.value.expect("a short one").to_string();
            let key = (Features::from(&row.features), value);
            let found = (row.count, row.position.to_string());
            assert_eq!(counts.remove(&key), Some(found), "{key:?}");
            counted += row.count;
        }
        let members = strips(&load(&rows)).family.len() as i64;
        assert_eq!((counts.len(), counted), (0, members), "{game}");
        let answer = census
            .answer(job.header.digest)
            .unwrap()
            .expect("it was run");
        let mut found = 0;
        for row in census.read_witnesses(&answer, &[]) {
            let row = row.unwrap();
            let value = row.value.expect("a short one");
            // Among equals, the first in the family's order, which `min_by_key` returns.
            let first = listed.iter().filter(|(of, ..)| *of == value);
            let (_, features, images) = first
                .min_by_key(|(_, features, _)| match fewest {
                    "squares" => (features.squares.map(u64::from), features.seeds),
                    _ => (features.seeds, Some(features.pots.into())),
                })
                .expect("a value of the rows");
            let position = row.position.expect("a witness");
            assert!(images.contains(&position), "{game} {value}: {position}");
            found += 1;
            let columns = FeatureColumns {
                pots: row.pots,
                seeds: row.seeds,
                blue: row.blue,
                red: row.red,
                squares: row.squares,
            };
            assert_eq!(columns, (*features).into(), "{game} {value}");
        }
        let values: BTreeSet<&String> = listed.iter().map(|(value, ..)| value).collect();
        assert_eq!(found, values.len(), "{game}");
    }
}

#[test]
fn only_grids_have_squares() {
    let family =
        "all = { pots_max = 2, seeds_max = 2 }\n[witness]\neach = \"value\"\nfewest = \"squares\"";
    let text = format!(
        "name = \"wrong\"\n[ruleset]\ngame = \"sowing\"\nplay = \"partisan\"\n[family]\n{family}\n"
    );
    let error = Job::parse(&text, Path::new("wrong.toml"), Path::new("")).unwrap_err();
    schema::assert_refused(&text, &error);
    let error = error.to_string();
    assert!(error.contains("seeds, pots, followers"), "{error}");
}
