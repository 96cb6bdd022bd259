//! Tchuka Ruma: jobs and single positions against all play, made stone by stone; limits and faults.

#![cfg(target_os = "linux")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

use seedbank::task::Job;
use seedbank::task::tchuka_ruma::RingRow;

use crate::common::schema;
use crate::common::workspace::{Ended, Workspace, ended, of_out, printed, seedbank};

/// The places of a ring; the Ruma is the last.
type Places = Vec<u32>;

/// Plays a pit stone by stone; returns whether the last stone fell into the Ruma.
fn played(places: &mut Places, pit: usize) -> bool {
    let ruma = places.len() - 1;
    let mut place = pit;
    loop {
        let in_hand = std::mem::take(&mut places[place]);
        for _ in 0..in_hand {
            place = (place + 1) % places.len();
            places[place] += 1;
        }
        if place == ruma {
            return true;
        }
        if places[place] == 1 {
            return false;
        }
    }
}

/// The expected columns of a row, computed level by level of stones left, so that no position is
/// visited twice.
fn all_play(pits: &[u32]) -> RingRow {
    let stones: u32 = pits.iter().sum();
    let mut start = pits.to_vec();
    start.push(0);
    // By stones left: positions, the number of ways to reach them, and the fewest plays.
    let mut reached: Vec<BTreeMap<Places, (i64, i64)>> = vec![BTreeMap::new(); stones as usize + 1];
    reached[stones as usize].insert(start, (1, 0));
    let (mut positions, mut left) = (0, stones);
    for level in (1..=stones as usize).rev() {
        for (position, (ways, plays)) in std::mem::take(&mut reached[level]) {
            positions += 1;
            for pit in (0..pits.len()).filter(|&pit| position[pit] > 0) {
                let mut after = position.clone();
                let ends = played(&mut after, pit);
                let rest: u32 = after[..pits.len()].iter().sum();
                left = left.min(rest);
                if ends {
                    let known = reached[rest as usize].entry(after).or_insert((0, i64::MAX));
                    *known = (known.0 + ways, known.1.min(plays + 1));
                }
            }
        }
    }
    let won = reached[0].values().next();
    let texts: Vec<String> = pits.iter().map(u32::to_string).collect();
    RingRow {
        position: texts.join(" "),
        pits: pits.len() as i64,
        stones: stones.into(),
        won: Some(won.is_some()),
        winning: Some(won.map_or(0, |&(ways, _)| ways)),
        fewest: won.map(|&(_, plays)| plays),
        left: Some(left.into()),
        line: None,
        positions: Some(positions),
    }
}

/// Checks that the line of a row wins.
fn is_won_by_its_line(row: &RingRow) {
    let mut places: Places = row
        .position
        .split(' ')
        .map(|pit| pit.parse().unwrap())
        .collect();
    places.push(0);
    let line = row.line.as_deref().unwrap();
    for pit in line.split_terminator(' ') {
        assert!(
            played(&mut places, pit.parse::<usize>().unwrap() - 1),
            "{row:?}"
        );
    }
    assert_eq!(places.iter().rev().skip(1).sum::<u32>(), 0, "{row:?}");
}

fn agree(rows: &[RingRow]) {
    for row in rows {
        let pits: Vec<u32> = row
            .position
            .split(' ')
            .map(|pit| pit.parse().unwrap())
            .collect();
        assert_eq!(row.line.is_some(), row.won == Some(true));
        if let Some(line) = &row.line {
            is_won_by_its_line(row);
            assert_eq!(
                line.split_terminator(' ').count() as i64,
                row.fewest.unwrap()
            );
        }
        let without = RingRow {
            line: None,
            ..row.clone()
        };
        assert_eq!(without, all_play(&pits));
    }
}

fn eval(arguments: &[&str]) -> Ended {
    let mut command: Command = seedbank(&["eval", "--game", "tchuka-ruma"]);
    command.args(arguments);
    ended(command)
}

#[test]
fn rows_agree_with_all_play() {
    let here = Workspace::new();
    let family = |family: &str| format!("[family]\n{family}");
    let rest = family("all = { pits = 4, stones = \"0..=9\" }");
    let rows: Vec<RingRow> = here.plain_finished("all", "tchuka-ruma", &rest);
    assert_eq!(rows.len(), 715);
    let positions: BTreeSet<&String> = rows.iter().map(|row| &row.position).collect();
    assert_eq!(positions.len(), 715);
    agree(&rows);
    let rest = family("starts = { pits = \"1..=6\", stones = \"1..=6\" }");
    let rows: Vec<RingRow> = here.plain_finished("starts", "tchuka-ruma", &rest);
    agree(&rows);
    // Delannoy's game has one solution.
    let found = rows.iter().find(|row| row.position == "2 2 2 2").unwrap();
    assert_eq!((found.winning, found.fewest), (Some(1), Some(6)));
    let rest = family("positions = [\"9 9 9\", \"0 0\", \"12 1 0 40\"]");
    let rows: Vec<RingRow> = here.plain_finished("listed", "tchuka-ruma", &rest);
    assert_eq!(rows[1].line.as_deref(), Some(""));
    agree(&rows);
    let check = printed(of_out(&here, &["check"], &here.path("listed.toml")));
    assert!(check.contains("in 3 rows"), "{check}");
}

#[test]
fn grids_show_the_number_of_ways_to_win() {
    let here = Workspace::new();
    let rest = "[family]\nstarts = { pits = \"2..=4\", stones = \"4..=5\" }\npositions_max = 20\n[table]\nlayout = \"grid\"";
    let spec = here.plain_spec("grid", "tchuka-ruma", rest);
    here.finish(&spec, &[]);
    let table = printed(of_out(&here, &["table"], &spec));
    // 32 positions follow from 5 5 5.
    assert!(
        table.ends_with("2     2  1\n3     0  yes\n4     0  0\n"),
        "{table}"
    );
    let rows: Vec<RingRow> = here.plain_rows(&spec);
    let uncounted = rows.iter().find(|row| row.position == "5 5 5").unwrap();
    assert_eq!((uncounted.won, uncounted.winning), (Some(true), None));
    assert_eq!((uncounted.left, uncounted.positions), (None, None));
    is_won_by_its_line(uncounted);
}

#[test]
fn too_many_positions_leave_the_question_open() {
    let here = Workspace::new();
    let rest = "[family]\npositions = [\"1 0 1 1 3\", \"6 6 6 6\"]\npositions_max = 1";
    let rows: Vec<RingRow> = here.plain_finished("few", "tchuka-ruma", rest);
    for row in rows {
        assert_eq!((row.winning, row.positions), (None, None), "{row:?}");
        match row.won {
            Some(true) => is_won_by_its_line(&row),
            _ => assert_eq!(row.line, None),
        }
    }
    let rest = "[family]\nstarts = { pits = \"4\", stones = \"6\" }\npositions_max = 1000000000000";
    let spec = here.plain_spec("many", "tchuka-ruma", rest);
    let refused = here.run(&spec, &["--memory", "1GiB"]);
    assert_eq!(refused.status, Some(1), "{refused:?}");
    assert!(
        refused.stderr.contains("at most positions_max"),
        "{refused:?}"
    );
}

#[test]
fn single_positions_are_evaluated() {
    let found = eval(&["2 2 2 2", "3 3 3", "0 1", "7"]);
    assert_eq!(found.status, Some(0), "{found:?}");
    let lines: Vec<&str> = found.stdout.lines().collect();
    assert!(
        lines[0].starts_with("2 2 2 2 = won in 6 plays, one way: "),
        "{found:?}"
    );
    assert_eq!(
        lines[1..],
        [
            "3 3 3 = lost, 7 left at best",
            "0 1 = won in 1 play, one way: 2",
            "7 = won in 3 plays, one way: 1 1 1"
        ]
    );
    let found = eval(&["--json", "2 2 2 2"]);
    let row: serde_json::Value = serde_json::from_str(&found.stdout).unwrap();
    assert_eq!(
        (&row["winning"], &row["positions"]),
        (&1.into(), &10.into())
    );
    let refused = eval(&["9 9 9 9 9 9 9", "--memory", "20MiB"]);
    assert_eq!(refused.status, Some(1), "{refused:?}");
    assert!(
        refused
            .stderr
            .contains("the positions that play can come to"),
        "{refused:?}"
    );
}

#[test]
fn faults_are_named() {
    for (arguments, fragments) in [
        (
            &["2 x"][..],
            &["\"x\" at character 3", "a number from 0 to 255"][..],
        ),
        (&["200 200"], &["400 stones", "at most 255"]),
        (
            &["--play", "partisan", "2"],
            &["--play is for games with partisan and impartial play"],
        ),
        (
            &["--moves", "2"],
            &["--moves is for games whose moves are listed"],
        ),
        (&["--perft", "2", "2"], &["--perft is for scored games"]),
    ] {
        let found = eval(arguments);
        assert_eq!(found.status, Some(2), "{found:?}");
        for fragment in fragments {
            assert!(
                found.stderr.contains(fragment),
                "no {fragment:?}: {}",
                found.stderr
            );
        }
    }
    let here = Workspace::new();
    for (rest, fragments) in [
        (
            "starts = { pits = \"1..=17\", stones = \"1\" }",
            &["pits", "up to 16"][..],
        ),
        (
            "starts = { pits = \"0..=2\", stones = \"1\" }",
            &["0 is out of range", "1 to 16"],
        ),
        (
            "starts = { pits = \"16\", stones = \"16\" }",
            &["256 stones", "at most 255"],
        ),
        (
            "all = { pits = 16, stones = \"100\" }",
            &["positions; accepted: at most 1099511627776"],
        ),
        ("all = { pits = 2 }", &["stones", "missing"]),
        (
            "positions = [\"1 x\"]",
            &["positions[0]", "\"x\" at character 3"],
        ),
        ("positions = []", &["empty list"]),
        (
            "starts = { pits = \"2\", stones = \"1\" }\npositions_max = 0",
            &["positions_max"],
        ),
        ("tiers = 4", &["exactly one of: starts, all, positions"]),
        (
            "all = { pits = 2, stones = \"1\" }\n[table]\nlayout = \"grid\"",
            &["grid", "list"],
        ),
        (
            "all = { pits = 2, stones = \"1\" }\n[columns]\nbins = true",
            &["columns"],
        ),
    ] {
        let spec = here.plain_spec("wrong", "tchuka-ruma", &format!("[family]\n{rest}"));
        let found = here.run(&spec, &[]);
        assert_eq!(found.status, Some(2), "{rest}: {found:?}");
        let error = Job::load(&spec).map(|_| ()).expect_err(rest);
        schema::assert_refused(&fs::read_to_string(&spec).unwrap(), &error);
        for fragment in fragments {
            assert!(
                found.stderr.contains(fragment),
                "no {fragment:?}: {}",
                found.stderr
            );
        }
    }
}
