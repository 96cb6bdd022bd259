//! Positions of games from files of moves: who wins them, play against the program, and the moves of heaps and sums as such files.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use bytesize::ByteSize;
use seedbank::game::{Play, Player};
use seedbank::moves::MovesFile;
use seedbank::play::{Contest, MovesReferee};
use seedbank::task::moves::with_moves;
use serde_json::Value;

use crate::common::evaluations::session;
use crate::common::workspace::{
    Workspace, ended, of_out, printed, seedbank, signal, started, until, wait,
};
use crate::play::{all_lines, random_line};

/// Returns a file of random positions `p0`, `p1`, ...; moves lead to later ones if play ends, and anywhere if it need not.
fn random_game(random: &mut fastrand::Rng, positions: usize, ends: bool) -> String {
    let mut line = |n: usize| {
        let targets = if ends { n + 1..positions } else { 0..positions };
        let mut options = || -> Vec<String> {
            let some = 0..random.usize(0..3).min(targets.len());
            some.map(|_| format!("p{}", random.usize(targets.clone())))
                .collect()
        };
        let [left, right] = [options(), options()];
        let object =
            serde_json::json!({ "position": format!("p{n}"), "left": left, "right": right });
        object.to_string() + "\n"
    };
    (0..positions).map(&mut line).collect()
}

/// Returns a command about positions of a file of moves.
fn of_file(command: &str, play: &str, file: &Path, options: &[&str]) -> Command {
    let mut command = seedbank(&[command, "--game", "moves", "--play", play, "--file"]);
    command.arg(file).args(options);
    command
}

fn objects(command: Command) -> Vec<Value> {
    let printed = printed(command);
    printed
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Outcomes are found without values; the values of `eval`, and its endings of loopy positions, say the same.
#[test]
fn outcomes_agree_with_values() {
    let mut random = fastrand::Rng::with_seed(11);
    let here = Workspace::new();
    let file = here.path("game.ndjson");
    let mut found = BTreeSet::new();
    for positions in [1, 5, 30, 60] {
        fs::write(&file, random_game(&mut random, positions, false)).unwrap();
        let mut names: Vec<String> = (0..positions).map(|n| format!("p{n}")).collect();
        names.push("p0".to_owned());
        let mut options = vec!["--json"];
        options.extend(names.iter().map(String::as_str));
        for play in ["partisan", "impartial"] {
            let outcomes = objects(of_file("outcome", play, &file, &options));
            let values = objects(of_file("eval", play, &file, &options));
            assert_eq!(outcomes.len(), names.len());
            for (outcome, value) in outcomes.iter().zip(&values) {
                for key in [
                    "game",
                    "play",
                    "position",
                    "outcome",
                    "left_first",
                    "right_first",
                ] {
                    assert_eq!(outcome[key], value[key], "{outcome} {value}");
                }
                found.insert(
                    outcome["left_first"].to_string() + &outcome["right_first"].to_string(),
                );
            }
        }
    }
    assert!(found.len() > 5, "{found:?}");
}

#[test]
fn outcomes_are_printed_by_name_and_faults_are_refused() {
    let here = Workspace::new();
    let file = here.path("game.ndjson");
    let lines = "{\"position\": \"up\\n\", \"left\": [\"0\"], \"right\": [\"star\"]}\n\
                 {\"position\": \"star\", \"options\": [\"0\"]}\n{\"position\": \"0\"}\n\
                 {\"position\": \"dud\", \"options\": [\"dud\"]}\n";
    fs::write(&file, lines).unwrap();
    let found = printed(of_file(
        "outcome",
        "partisan",
        &file,
        &["up\n", "star", "dud", "0", "star"],
    ));
    assert_eq!(
        found,
        "up\\n: L\nstar: N\ndud: Left first: draw, Right first: draw\n0: P\nstar: N\n"
    );
    for (options, fault) in [
        (&["z"][..], "no line has the position \"z\""),
        (&["--set", "n=1", "0"], "--set is for"),
        (&["--pots", "3", "0"], "--pots is for"),
    ] {
        let refused = ended(of_file("outcome", "partisan", &file, options));
        assert_eq!(refused.status, Some(2), "{refused:?}");
        assert!(refused.stderr.contains(fault), "{refused:?}");
    }
}

/// Plays a game of a file with these lines of a person.
fn played(file: &Path, options: &[&str], lines: &str) -> String {
    let mut command = of_file("play", "partisan", file, options);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A game that is over reads no more.
    let _ = child.stdin.take().unwrap().write_all(lines.as_bytes());
    let ended = wait(child);
    assert_eq!((ended.status, &*ended.stderr), (Some(0), ""), "{ended:?}");
    ended.stdout
}

#[test]
fn a_game_of_ones_own_is_played_by_names() {
    let here = Workspace::new();
    let file = here.path("game.ndjson");
    let lines = "{\"position\": \"b\", \"left\": [\"star\", \"a b\"], \"right\": [\"star\"]}\n\
                 {\"position\": \"a b\", \"right\": [\"dud\"]}\n\
                 {\"position\": \"star\", \"options\": [\"0\"]}\n{\"position\": \"0\"}\n\
                 {\"position\": \"dud\", \"options\": [\"dud\"]}\n";
    fs::write(&file, lines).unwrap();
    let found = played(&file, &["b", "--values"], "hint\na b\ndud\ndud\ndud\n");
    for expected in [
        "game.ndjson, partisan. You are Left, seedbank is Right, and Left moves first.\n",
        "  1: to star -> star = *\n  2: to a b -> a b = 0 & off, draws\n",
        "Hint: 2: to a b -> a b; no move wins, and it draws.\n",
        "You (Left): to a b -> a b\nseedbank (Right): to dud -> dud\n",
        "The position has come for the third time",
        "The game is a draw.\n",
    ] {
        assert!(found.contains(expected), "{expected}: {found}");
    }
    let found = played(&file, &["star"], "0\n");
    assert!(found.contains("You (Left): to 0 -> 0\n"), "{found}");
    assert!(
        found.contains("Right has no move left.\nYou win.\n"),
        "{found}"
    );
    let refused = ended(of_file("play", "partisan", &file, &["z"]));
    assert_eq!(refused.status, Some(2), "{refused:?}");
    assert!(
        refused.stderr.contains("no line has the position \"z\""),
        "{refused:?}"
    );
}

/// Every line of the person where play ends, and random lines where positions can recur.
#[test]
fn the_program_wins_what_it_can_win_in_games_of_ones_own() {
    let mut random = fastrand::Rng::with_seed(12);
    let here = Workspace::new();
    let path = here.path("game.ndjson");
    let (mut lines, mut won) = (0, 0);
    for round in 0..80 {
        let ends = round % 2 == 0;
        fs::write(&path, random_game(&mut random, 3 + round % 7, ends)).unwrap();
        let file = MovesFile::open(&path).unwrap();
        for (play, person) in [Play::Partisan, Play::Impartial]
            .into_iter()
            .flat_map(|play| Player::BOTH.map(|person| (play, person)))
        {
            let session = session(1, ByteSize::gib(1));
            let played = with_moves(&file, play, "p0", &session, |finder| {
                let referee = MovesReferee::new(finder);
                let first = referee.first();
                let mut contest = Contest::new(referee, first, Player::Left, person)?;
                if ends {
                    lines += all_lines(&mut contest, None);
                } else {
                    won += usize::from(random_line(contest, &mut random)?);
                }
                Ok(())
            });
            played.unwrap_or_else(|error| panic!("{error}"));
        }
    }
    assert!(lines > 200 && won > 20, "{lines} {won}");
}

/// The moves of these heaps and sums, read back, give the nim-values of the jobs.
#[test]
fn exported_moves_of_heaps_and_sums_have_their_nim_values() {
    let here = Workspace::new();
    for (round, (game, rest, name)) in [
        (
            "octal",
            "code = \"0.77\"\n[family]\nheaps = \"0..=12\"",
            "0.77({})",
        ),
        (
            "octal",
            "code = \"0.26\"\n[family]\nheaps = \"3..=10\"",
            "0.26({})",
        ),
        ("grundy", "[family]\nheaps = \"0..=13\"", "grundy({})"),
        (
            "subtraction",
            "set = [1, 3, 4]\n[family]\nheaps = \"0..=20\"",
            "subtraction(1,3,4)({})",
        ),
        (
            "disjunctive",
            "[family]\nsum = \"kayles(n) + wythoff(1,2)\"\nn = \"0..=6\"",
            "",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let job = here.plain_spec(&format!("heaps-{round}"), game, rest);
        let ran = here.run(&job, &[]);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        let expected = printed(of_out(&here, &["export", "--format", "ndjson"], &job));
        let file = here.path("heaps.ndjson");
        let mut export = seedbank(&["export", "--moves", "-o"]);
        export.arg(&file).arg(&job);
        assert_eq!(printed(export), "");
        let rows: Vec<Value> = expected
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert!(rows.len() > 6);
        let names: Vec<String> = rows
            .iter()
            .map(|row| match row["position"].as_str() {
                Some(sum) => sum.to_owned(),
                None => name.replace("{}", &row["n"].to_string()),
            })
            .collect();
        let mut options = vec!["--json"];
        options.extend(names.iter().map(String::as_str));
        let found = objects(of_file("eval", "impartial", &file, &options));
        for (row, found) in rows.iter().zip(&found) {
            assert_eq!(row["nim_value"], found["nim_value"], "{row} {found}");
        }
    }
    let other = here.plain_spec(
        "obligated",
        "obligated",
        "[family]\nsum = \"kayles(n) + kayles(1)\"\nn = \"0..=6\"",
    );
    let refused = ended({
        let mut export = seedbank(&["export", "--moves"]);
        export.arg(other);
        export
    });
    assert_eq!(refused.status, Some(2), "{refused:?}");
    assert!(
        refused.stderr.contains("each disjunctive sum"),
        "{refused:?}"
    );
}

/// Starts a long export and stops it with a signal; returns the status.
fn stopped_export(name: &str) -> Option<i32> {
    let here = Workspace::new();
    let job = here.spec(
        "long",
        "sowing",
        "partisan",
        "all = { pots_max = 16, seeds_max = 24 }",
    );
    let folder = here.path("written");
    fs::create_dir(&folder).unwrap();
    let mut export = seedbank(&["export", "--moves", "-q", "-o"]);
    export.arg(folder.join("long.ndjson")).arg(job);
    let child = started(export);
    let files = || fs::read_dir(&folder).unwrap().count();
    // Signals are heeded before the file is begun.
    until("the export", || files() > 0);
    signal(&child, name);
    let stopped = wait(child);
    assert_eq!(files(), 0, "{stopped:?}");
    stopped.status
}

#[test]
fn a_stopped_export_of_moves_leaves_no_file_and_says_why() {
    assert_eq!(stopped_export("INT"), Some(130));
    assert_eq!(stopped_export("TERM"), Some(75));
}
