//! Scored games on the command line: margins found by another program, moves, lines of best play,
//! errors that show the place of a fault.
//!
//! The margins in `scores/` come from a program in another language that shares nothing with this
//! one: literal play, a map of all positions reached, and iteration from 0.

#![cfg(target_os = "linux")]

use std::process::Command;

use serde_json::{Value, json};

use crate::common::workspace::{ended, printed, seedbank};

fn eval(arguments: &[&str]) -> Command {
    seedbank(&[&["eval"], arguments].concat())
}

#[test]
fn margins_agree_with_another_program() {
    for (arguments, known) in [
        (
            ["--game", "kalah", "--capture", "empty"],
            include_str!("scores/kalah-empty.txt"),
        ),
        (
            ["--game", "kalah", "--capture", "standard"],
            include_str!("scores/kalah-standard.txt"),
        ),
        (
            ["--game", "wari", "--rules", "wari"],
            include_str!("scores/wari.txt"),
        ),
        (
            ["--game", "wari", "--rules", "awari"],
            include_str!("scores/awari.txt"),
        ),
        (
            ["--game", "wari", "--rules", "oware"],
            include_str!("scores/oware.txt"),
        ),
    ] {
        let positions = known.lines().map(|line| line.split_once(" = ").unwrap().0);
        let arguments: Vec<&str> = arguments.into_iter().chain(positions).collect();
        assert_eq!(printed(eval(&arguments)), known);
    }
}

#[test]
fn starting_positions_of_kalah_have_published_margins() {
    let start = |pits: usize, seeds: u32| {
        let side = vec![seeds.to_string(); pits].join(" ");
        format!("{side} / {side}")
    };
    // Six pits a side: Irving, Donkers and Uiterwijk (2000), Table 9. Others: the program that
    // found the margins above.
    for (pits, seeds, margin) in [
        (4, 1, 2),
        (4, 2, 6),
        (4, 3, 8),
        (6, 1, 2),
        (6, 2, 10),
        (1, 8, 0),
    ] {
        let start = start(pits, seeds);
        let found = printed(eval(&["--game", "kalah", &start]));
        assert_eq!(found, format!("{start} = {margin}\n"));
    }
    let start = start(2, 4);
    let found = printed(eval(&["--game", "kalah", "--capture", "standard", &start]));
    assert_eq!(found, format!("{start} = -10\n"));
}

#[test]
fn moves_come_with_margins_and_a_line_of_best_play() {
    let eval_json = |arguments: &[&str]| -> Value {
        let printed = printed(eval(&[arguments, &["--json", "--moves"]].concat()));
        serde_json::from_str(&printed).unwrap()
    };
    let found = eval_json(&["--game", "kalah", "0 1 / 1 0"]);
    let last =
        json!({"pit": 2, "gain": 1, "moves_again": true, "position": "0 0 / 1 0", "margin": 0});
    assert_eq!(
        found,
        json!({
            "rules": "empty", "position": "0 1 / 1 0", "seeds": 2, "margin": 0,
            "moves": [last], "line": [last],
        })
    );
    let found = eval_json(&["--game", "wari", "1 0 / 0 2"]);
    let pass = json!({"pit": null, "gain": 0, "moves_again": false, "position": "0 2 / 1 0", "margin": -2});
    assert_eq!(
        (&found["moves"], &found["line"]),
        (&json!([pass]), &json!([]))
    );
    // Neither player can move, so play is over.
    let found = eval_json(&["--game", "wari", "1 0 / 0 1"]);
    assert_eq!((&found["margin"], &found["moves"]), (&json!(0), &json!([])));
}

#[test]
fn sequences_of_moves_are_counted() {
    let counts =
        |start: &str, depth: &str| printed(eval(&["--game", "kalah", "--perft", depth, start]));
    let start = "4 4 4 4 4 4 / 4 4 4 4 4 4";
    assert_eq!(counts(start, "5"), format!("{start}: 6 35 185 942 4685\n"));
    // Play need not end, and a choice recurs without end.
    let many = ended(eval(&[
        "--game",
        "wari",
        "--rules",
        "oware",
        "--perft",
        "200",
        "2 1 0 / 1 0 1",
    ]));
    assert_eq!(many.status, Some(2), "{many:?}");
    assert!(many.stderr.contains("give fewer moves"), "{many:?}");
    // The numbers of positions grow sixfold with each move at first.
    let large = ended(eval(&[
        "--game", "kalah", "--perft", "30", "--memory", "64MiB", start,
    ]));
    assert_eq!((large.status, &*large.stdout), (Some(1), ""), "{large:?}");
    let refused = ["the evaluation needs ", "more than its budget of 64.0 MiB"];
    assert!(
        refused.iter().all(|part| large.stderr.contains(part)),
        "{large:?}"
    );
}

#[test]
fn faults_are_named_with_their_place() {
    for (arguments, fragments) in [
        (
            &["--game", "kalah", "3 x / 1 1"][..],
            &["\"x\" at character 3", "a pit is a number"][..],
        ),
        (&["--game", "wari", "3 2"], &["0 slashes"]),
        (&["--game", "wari", "3 2 / 1"], &["2 pits face 1"]),
        (&["--game", "wari", "64 / 0"], &["64 seeds", "at most 63"]),
        (
            &["--game", "wari", "100 / 100"],
            &["200 seeds", "at most 127"],
        ),
        (
            &["--game", "kalah", "--rules", "awari", "1 / 1"],
            &["--rules", "give --capture"],
        ),
        (
            &["--game", "wari", "--rules", "kalah", "1 / 1"],
            &["\"kalah\"", "wari, awari, oware"],
        ),
        (
            &["--game", "kalah", "--play", "partisan", "1 / 1"],
            &["--play is for games with partisan and impartial play"],
        ),
        (
            &["--game", "kalah", "--period", "1 / 1"],
            &["--period is for games of heaps"],
        ),
        (
            &[
                "--game",
                "sowing",
                "--play",
                "partisan",
                "--capture",
                "empty",
                "1",
            ],
            &["--capture is for scored games"],
        ),
        (
            &["--game", "grundy", "--perft", "2", "1"],
            &["--perft is for scored games"],
        ),
    ] {
        let ended = ended(eval(arguments));
        assert_eq!(ended.status, Some(2), "{ended:?}");
        for fragment in fragments {
            assert!(
                ended.stderr.contains(fragment),
                "no {fragment:?}: {}",
                ended.stderr
            );
        }
    }
    let refused = ended(eval(&[
        "--game",
        "wari",
        "--memory",
        "64MiB",
        "4 4 4 4 4 4 / 4 4 4 4 4 4",
    ]));
    assert_eq!(refused.status, Some(1), "{refused:?}");
    assert!(
        refused
            .stderr
            .contains("the scores of all positions with at most that many seeds"),
        "{refused:?}"
    );
}
