//! Tchoukaillon from a spec to a result: rows against a naive reading of the rules, interrupted
//! runs, tables, comparison with published values, readers.

#![cfg(target_os = "linux")]

use crate::common::python::python;
use std::fs;
use std::path::Path;

use crate::common::schema;
use crate::common::workspace::{Workspace, ended, files_in, flip_byte, of_out, printed};
use seedbank::task::Job;
use seedbank::task::array::ArrayRow;
use seedbank::task::boards::BoardRow;
use seedbank::task::lengths::LengthRow;
use serde_json::{Value, json};

/// The game of all jobs here.
const GAME: &str = "tchoukaillon";

/// The boards of 0, 1, 2, ... stones, each made from the one before: take a stone from the Ruma and
/// from each bin starting with the nearest, and drop them all into the first empty bin.
fn unplayed(last: usize) -> Vec<(Vec<u32>, Option<i32>)> {
    let mut boards = vec![(Vec::new(), None)];
    let mut bins: Vec<u32> = Vec::new();
    for _ in 0..last {
        let empty = bins.iter().position(|&bin| bin == 0);
        let empty = empty.unwrap_or(bins.len());
        if empty == bins.len() {
            bins.push(0);
        }
        for bin in &mut bins[..empty] {
            *bin -= 1;
        }
        bins[empty] = empty as u32 + 1;
        boards.push((bins.clone(), Some(empty as i32 + 1)));
    }
    boards
}

fn expected(n: usize, board: &(Vec<u32>, Option<i32>), listed: Option<usize>) -> BoardRow {
    let (bins, first_play) = board;
    BoardRow {
        n: n as i64,
        length: bins.len() as i32,
        first_play: *first_play,
        bins: listed.map(|most| bins[..bins.len().min(most)].to_vec()),
    }
}

#[test]
fn boards_agree_with_unplaying() {
    let here = Workspace::new();
    struct Window {
        name: &'static str,
        family: &'static str,
        first: usize,
        last: usize,
    }
    let boards = unplayed(40_000);
    for Window {
        name,
        family,
        first,
        last,
    } in [
        Window {
            name: "all",
            family: "boards = \"0..=20000\"",
            first: 0,
            last: 20_000,
        },
        Window {
            name: "window",
            family: "boards = \"33333..33900\"",
            first: 33_333,
            last: 33_899,
        },
        Window {
            name: "one",
            family: "boards = \"0\"",
            first: 0,
            last: 0,
        },
        Window {
            name: "none-played",
            family: "boards = \"1..=1\"",
            first: 1,
            last: 1,
        },
        Window {
            name: "short",
            family: "boards = { length = \"3..=40\" }",
            first: 4,
            last: rounded(41) as usize - 1,
        },
        Window {
            name: "empty",
            family: "boards = { length = \"0..=0\" }",
            first: 0,
            last: 0,
        },
    ] {
        for (suffix, columns, listed) in [
            ("without", "", None),
            ("no", "[columns]\nbins = false", None),
            ("every", "[columns]\nbins = true", Some(usize::MAX)),
            ("near", "[columns]\nbins = 7", Some(7)),
        ] {
            let rest = format!("[family]\n{family}\n{columns}");
            let found: Vec<BoardRow> =
                here.plain_finished(&format!("{name}-{suffix}"), GAME, &rest);
            assert_eq!(found.len(), last - first + 1, "{name}");
            for (n, found) in (first..).zip(found) {
                assert_eq!(found, expected(n, &boards[n], listed), "{name} {suffix}");
            }
        }
    }
}

/// Rows on both sides of the ends of chunks and pages are right, far from the first board.
#[test]
fn distant_boards_are_the_same_with_and_without_bins() {
    let here = Workspace::new();
    let family = "[family]\nboards = \"1000000000..=1000040000\"";
    let bare: Vec<BoardRow> = here.plain_finished("bare", GAME, family);
    let near: Vec<BoardRow> =
        here.plain_finished("near", GAME, &format!("{family}\n[columns]\nbins = 12"));
    assert_eq!((bare.len(), near.len()), (40_001, 40_001));
    for (bare, near) in bare.iter().zip(&near) {
        let bins = near.bins.as_ref().expect("the job has bins");
        assert_eq!(
            (bare.n, bare.length, bare.first_play),
            (near.n, near.length, near.first_play)
        );
        // Theorem 2.1: the stones in the first bins are n modulo the next bin's number.
        let mut sum = 0;
        for (i, bin) in (2..).zip(bins) {
            sum += i64::from(*bin);
            assert!(i64::from(*bin) < i && sum % i == bare.n % i, "{}", bare.n);
        }
        let played = (1..)
            .zip(bins)
            .find(|&(i, &bin)| bin == i)
            .map(|(i, _)| i as i32);
        assert!(played == bare.first_play || played.is_none() && bare.first_play > Some(12));
    }
}

/// N(l) as in Theorem 3.5: round up to multiples of l - 1, l - 2, ..., 1.
fn rounded(l: u64) -> u64 {
    (1..l).rev().fold(l, |stones, i| stones.div_ceil(i) * i)
}

#[test]
fn lengths_agree_with_boards_and_with_rounding() {
    let here = Workspace::new();
    let found: Vec<LengthRow> =
        here.plain_finished("lengths", GAME, "[family]\nlengths = \"0..=9000\"");
    assert_eq!(found.len(), 9001);
    let boards = unplayed(20_000);
    for (l, row) in (0..).zip(&found) {
        assert_eq!((row.l, row.n as u64), (l as i64, rounded(l)));
        let first = boards.iter().position(|(bins, _)| bins.len() as u64 == l);
        assert!(first.is_none_or(|first| first as i64 == row.n), "{l}");
        let by_pi = (l * l) as f64 / std::f64::consts::PI;
        assert!((row.l_squared_by_pi - by_pi).abs() < 1e-7);
        assert!((row.deviation - (row.n as f64 - by_pi)).abs() < 1e-7);
    }
    let far: Vec<LengthRow> =
        here.plain_finished("far", GAME, "[family]\nlengths = \"77777..77783\"");
    let n: Vec<u64> = far.iter().map(|row| row.n as u64).collect();
    assert_eq!(n, (77_777..77_783).map(rounded).collect::<Vec<u64>>());
}

/// Three parts of boards, and three of lengths.
const PARTS: [(&str, &str); 3] = [
    ("boards", "[family]\nboards = \"0..=17000000\""),
    ("lengths", "[family]\nlengths = \"1..=140000\""),
    (
        "array",
        "[family]\narray = { rows = \"999000..=999001\", columns = \"1..=200\" }",
    ),
];

#[test]
fn an_interrupted_run_resumes_and_threads_make_no_difference() {
    for (name, rest) in PARTS {
        let here = Workspace::new();
        let path = here.plain_spec(name, GAME, rest);
        let stopped = here.run(&path, &["--time-limit", "1ms"]);
        assert_eq!(stopped.status, Some(75), "{stopped:?}");
        assert!(
            stopped.stdout.contains("run again to resume"),
            "{stopped:?}"
        );
        here.finish(&path, &["--threads", "1"]);
        let whole = here.result("out", name);
        assert_eq!(whole.len(), 4, "three parts and a manifest");
        let out = here.path("two");
        let out = out.to_str().expect("UTF-8");
        here.finish(&path, &["--threads", "2", "--out", out]);
        assert_eq!(here.result("two", name), whole);
        for missing in files_in(&here.path(&format!("out/{name}/records"))) {
            fs::remove_file(&missing).expect("a record");
            let status = printed(of_out(&here, &["status", "--json"], &path));
            let status: Value = serde_json::from_str(&status).expect("an object");
            assert_eq!(
                (&status["state"], &status["parts_finished"]),
                (&json!("unfinished"), &json!(2))
            );
            here.finish(&path, &[]);
            assert_eq!(here.result("out", name), whole);
        }
    }
}

#[test]
fn plan_reports_the_number_of_bins() {
    let here = Workspace::new();
    let path = here.plain_spec(
        "boards",
        GAME,
        "[family]\nboards = \"0..=1000\"\n[columns]\nbins = true",
    );
    let plan = printed(of_out(&here, &["plan"], &path));
    let folder = here.path("out/boards");
    assert_eq!(
        plan,
        format!(
            "boards: boards of 0 to 1000 stones, all bins: 1001 boards in 1 part, 1 left; table boards in {}; about 37422 \
             bins, 146.2 KiB before they are compressed; about 29.1 KiB of results, 0 B in the store, 0 B in checkpoints; \
             memory, time unknown: plan --measure finds out\n",
            folder.display()
        )
    );
    let plan = printed(of_out(&here, &["plan", "--json"], &path));
    let plan: Value = serde_json::from_str(&plan).expect("an object");
    assert_eq!(plan["tables"], json!(["boards"]));
    assert_eq!(
        (&plan["bins"], &plan["bins_about"]),
        (&json!("all bins"), &json!(37_422))
    );
    here.finish(&path, &[]);
    let counted: usize = here
        .plain_rows::<BoardRow>(&path)
        .iter()
        .map(|row| row.bins.as_ref().map_or(0, Vec::len))
        .sum();
    assert!(counted.abs_diff(37_422) < 1000, "{counted}");
    let lengths = here.plain_spec("lengths", GAME, "[family]\nlengths = \"1..=10\"");
    let plan = printed(of_out(&here, &["plan"], &lengths));
    assert!(
        plan.starts_with(
            "lengths: fewest stones of a board, lengths 1 to 10: 10 lengths in 1 part"
        ),
        "{plan}"
    );
    // A damaged file is reported and not used.
    flip_byte(&here.path("out/boards/parts/part-00000.parquet"), 1000);
    let verify = ended(of_out(&here, &["status", "--verify"], &path));
    assert_eq!(verify.status, Some(4), "{verify:?}");
}

#[test]
fn boards_are_printed_as_in_figure_2() {
    let here = Workspace::new();
    let head = "[family]\nboards = \"4..=6\"\n[columns]\nbins = true\n[table]\nlayout =";
    let table = |name: &str, rest: &str| {
        let path = here.plain_spec(name, GAME, rest);
        here.finish(&path, &[]);
        printed(of_out(&here, &["table"], &path))
    };
    let bins = table("bins", &format!("{head} \"bins\""));
    let lines: Vec<Vec<&str>> = bins
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert!(
        lines.contains(&vec![
            "n", "length", "first", "play", "b_1", "b_2", "b_3", "b_4"
        ]),
        "{bins}"
    );
    assert!(
        lines.contains(&vec!["4", "3", "3", "0", "1", "3"]),
        "{bins}"
    );
    assert!(
        lines.contains(&vec!["6", "4", "4", "0", "0", "2", "4"]),
        "{bins}"
    );
    let list = table("list", &format!("{head} \"list\""));
    assert!(list.contains("(0, 0, 2, 4)"), "{list}");
    let near = table("near", "[family]\nboards = \"4..=6\"\n[columns]\nbins = 2");
    assert!(
        near.contains("(0, 0, ...)") && near.contains("(1, 1, ...)"),
        "{near}"
    );
    let bare = table("bare", "[family]\nboards = \"0..=6\"");
    assert!(!bare.contains('('), "{bare}");
    let lengths = table("lengths", "[family]\nlengths = \"1..=6\"");
    let line: Vec<&str> = lengths
        .lines()
        .last()
        .expect("lines")
        .split_whitespace()
        .collect();
    assert_eq!(line, ["6", "12", "11.459", "0.541"]);
    let summary = table(
        "summary",
        "[family]\nlengths = \"1..=120\"\n[table]\nlayout = \"summary\"",
    );
    let lines: Vec<Vec<&str>> = summary
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    let found: Vec<(&str, &str)> = lines
        .iter()
        .filter(|line| line.len() == 7)
        .map(|line| (line[0], line[1]))
        .collect();
    assert_eq!(
        found[found.len() - 3..],
        [("9", "9"), ("99", "90"), ("120", "21")]
    );
    let large = here.plain_spec("large", GAME, "[family]\nboards = \"0..=100000\"");
    here.finish(&large, &[]);
    let refused = ended(of_out(&here, &["table"], &large));
    assert_eq!(refused.status, Some(1), "{refused:?}");
    assert!(
        refused.stderr.contains("at most 200000 are laid out"),
        "{refused:?}"
    );
}

/// Runs a job and compares it with the published values in a folder.
fn checked(here: &Workspace, name: &str, rest: &str, folder: &Path) -> (Option<i32>, Value) {
    let path = here.plain_spec(name, GAME, rest);
    here.finish(&path, &[]);
    let mut command = of_out(here, &["check", "--json", "--reference"], folder);
    command.arg(path);
    let ended = ended(command);
    let report = serde_json::from_str(&ended.stdout);
    (
        ended.status,
        report.unwrap_or_else(|error| panic!("{error}: {ended:?}")),
    )
}

/// A change to `tchoukaillon.toml`, and the fact that a job must then find wrong.
struct Misprint {
    right: &'static str,
    wrong: &'static str,
    fact: &'static str,
    /// The sections of the job after its game.
    job: &'static str,
}

const BOARDS: &str = "[family]\nboards = \"0..=6000\"\n[columns]\nbins = true";

const FEW_LENGTHS: &str = "[family]\nlengths = \"1..=9\"";

const MISPRINTS: &[Misprint] = &[
    Misprint {
        right: "[0,1,3,0,0,0]",
        wrong: "[2,2,0,0,0,0]",
        fact: "board 4",
        job: BOARDS,
    },
    Misprint {
        right: "[0,1,2,2,3",
        wrong: "[0,1,2,3,3",
        fact: "length of board 3",
        job: BOARDS,
    },
    Misprint {
        right: "[1,2,4,6,10,12,18]",
        wrong: "[1,2,4,6,10,12,19]",
        fact: "N(7)",
        job: BOARDS,
    },
    Misprint {
        right: "n_to = 17",
        wrong: "n_to = 16",
        fact: "boards of length 6",
        job: BOARDS,
    },
    Misprint {
        right: "losing = [[1,1,0]]",
        wrong: "losing = [[0,2,0]]",
        fact: "losing [0, 2, 0]",
        job: BOARDS,
    },
    Misprint {
        right: "c_29 = [1,2,1",
        wrong: "c_29 = [1,2,0",
        fact: "c(29)",
        job: BOARDS,
    },
    Misprint {
        right: "ctilde_29 = [1,2",
        wrong: "ctilde_29 = [1,3",
        fact: "c~(29)",
        job: BOARDS,
    },
    Misprint {
        right: "\"8\" = 34",
        wrong: "\"8\" = 35",
        fact: "S^(4)",
        job: BOARDS,
    },
    Misprint {
        right: "S2 = [2,4,6",
        wrong: "S2 = [2,4,5",
        fact: "S^(2)",
        job: BOARDS,
    },
    Misprint {
        right: "12,18]          #",
        wrong: "12,19] #",
        fact: "N(7)",
        job: FEW_LENGTHS,
    },
];

#[test]
fn boards_and_lengths_are_compared_with_published_values() {
    let here = Workspace::new();
    let published = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/reference");
    let (status, report) = checked(&here, "boards", BOARDS, &published);
    assert_eq!(status, Some(0), "{report}");
    // The published facts, by kind: the boards of 0 to 17 stones and their lengths, the least
    // boards N(l) of lengths, a losing board, boards 15, 29, 34 and 202, all boards of length 6, c
    // and c~ of 29, entries of four sieves, and laws.
    let (boards_printed, lengths, least, losing) = (18, 18, 7, 1);
    let (single_boards, of_length_6, plays_of_29, laws) = (4, 6, 2, 3);
    let sieves = [9, 9, 3, 9].iter().sum::<i32>();
    let without_bins = lengths + least + of_length_6 + sieves;
    assert_eq!(
        report["agreements"],
        without_bins + boards_printed + losing + single_boards + plays_of_29 + laws
    );
    assert_eq!(report["not_covered"], 0);
    let (status, report) = checked(&here, "bare", "[family]\nboards = \"0..=50\"", &published);
    assert_eq!(status, Some(0), "{report}");
    assert_eq!(report["agreements"], without_bins);
    // A family that starts in the middle does not determine places in a sieve.
    let (status, report) = checked(&here, "middle", "[family]\nboards = \"2..=50\"", &published);
    let (lengths, least) = (16, 6);
    assert_eq!(status, Some(0), "{report}");
    assert_eq!(report["agreements"], lengths + least + of_length_6);
    let (least, ends_of_length_6, rounding) = (7, 2, 1);
    let (status, report) = checked(
        &here,
        "lengths",
        "[family]\nlengths = \"1..=300\"",
        &published,
    );
    assert_eq!(status, Some(0), "{report}");
    assert_eq!(report["agreements"], least + ends_of_length_6 + rounding);

    // A wrong published value is found wherever it is.
    let folder = here.path("wrong");
    fs::create_dir(&folder).expect("the folder is ours");
    for file in fs::read_dir(&published).expect("the references") {
        let path = file.expect("a file").path();
        if path.is_file() {
            let name = path.file_name().expect("a name").to_owned();
            fs::copy(&path, folder.join(name)).expect("a copy");
        }
    }
    let text = fs::read_to_string(published.join("tchoukaillon.toml")).expect("the file");
    for misprint in MISPRINTS {
        let &Misprint {
            right,
            wrong,
            fact,
            job,
        } = misprint;
        assert!(text.contains(right), "{right}");
        let misprinted = text.replacen(right, wrong, 1);
        fs::write(folder.join("tchoukaillon.toml"), misprinted).expect("ours");
        let name = if job == BOARDS {
            "boards"
        } else {
            "few-lengths"
        };
        let (status, report) = checked(&here, name, job, &folder);
        assert_eq!(status, Some(1), "{wrong}: {report}");
        let facts = report["disagreements"].as_array().expect("a list");
        assert!(
            facts.iter().all(|found| found["fact"] == fact),
            "{wrong}: {report}"
        );
        assert!(!facts.is_empty());
    }
}

#[test]
fn a_wrong_family_is_the_only_complaint() {
    let text = "name = \"x\"\n[ruleset]\ngame = \"tchoukaillon\"\n[family]\nboards = \"0\"\nlengths = \"1\"\n\
                [table]\nlayout = \"list\"\n[columns]\nbins = true\n";
    let error = Job::parse(text, Path::new("jobs/x.toml"), Path::new("jobs"));
    let error = error.expect_err("two families").to_string();
    assert!(!error.contains("unknown key"), "{error}");
}

#[test]
fn wrong_specs_are_refused_with_key_and_line() {
    let refused = |rest: &str| {
        let text = format!("name = \"x\"\n[ruleset]\ngame = \"tchoukaillon\"\n{rest}\n");
        let error = Job::parse(&text, Path::new("jobs/x.toml"), Path::new("jobs"));
        let error = error.expect_err(rest);
        schema::assert_refused(&text, &error);
        error.to_string()
    };
    let family = "[family]\nboards = \"0..=9\"\n";
    for (rest, parts) in [
        (
            "",
            vec![
                "family: missing; write a section [family], for example with boards = \"0..=1000\"",
            ],
        ),
        (
            "[family]",
            vec![
                "family: no kind of family; accepted, exactly one of: boards, lengths, array, reconstructions",
            ],
        ),
        (
            "[family]\nboards = \"0\"\nlengths = \"1\"",
            vec![
                "family.lengths: a second kind of family beside boards",
                "x.toml:6:1",
            ],
        ),
        (
            "[family]\nreconstructions = { numbering = \"b\", bins = [\"18446744073709551615=1\"] }",
            vec!["bin 18446744073709551615"],
        ),
        (
            "[family]\nboards = 7",
            vec![
                "family.boards: found an integer; accepted: a string, such as \"0..=1000\", or a table",
            ],
        ),
        (
            "[family]\narray = \"1..=3\"",
            vec![
                "family.array: found a string; accepted: a table, such as { rows = \"2\", columns = \"1..=1000\" }",
            ],
        ),
        (
            "[family]\narray = { rows = \"2\" }",
            vec!["family.array.columns: missing; write columns = \"1..=1000\""],
        ),
        (
            "[family]\narray = { rows = \"0..=3\", columns = \"1\" }",
            vec!["family.array.rows: 0 is out of range; accepted: 1 to 1000000000"],
        ),
        (
            "[family]\narray = { antidiagonals = \"1..=1000000001\" }",
            vec!["no range of antidiagonals", "up to 1000000000"],
        ),
        (
            "[family]\narray = { rows = \"1..=3\", antidiagonals = \"1..=3\" }",
            vec!["family.array.rows: unknown key", "antidiagonals"],
        ),
        (
            "[family]\narray = { rows = \"1..=1000000000\", columns = \"1..=1000000000\" }",
            vec!["1000000000000000000 entries; accepted: at most 1099511627776"],
        ),
        (
            "[family]\narray = { antidiagonals = \"1..=3\" }\n[table]\nlayout = \"grid\"",
            vec!["layout"],
        ),
        (
            "[family]\nboards = \"9..=0\"",
            vec![
                "no range of stones: \"9..=0\"",
                "up to 1000000000000000000",
                "x.toml:5:10",
            ],
        ),
        (
            "[family]\nboards = \"0..=1000000000000000001\"",
            vec!["no range of stones"],
        ),
        (
            "[family]\nboards = \"0..=2000000000000\"",
            vec!["2000000000001 boards; accepted: at most 1099511627776"],
        ),
        (
            "[family]\nboards = {}",
            vec!["family.boards.length: missing; write length = \"1..=40\""],
        ),
        (
            "[family]\nboards = { length = \"1..=10000001\" }",
            vec![
                "family.boards.length: no range of lengths",
                "up to 10000000",
            ],
        ),
        (
            "[family]\nboards = { length = \"1\", colour = 1 }",
            vec!["family.boards.colour: unknown key; accepted: length"],
        ),
        (
            "[family]\nlengths = \"0..=4294967296\"",
            vec!["family.lengths: no range of lengths", "up to 4294967295"],
        ),
        (
            "[family]\nlengths = [1, 2]",
            vec!["found an array; accepted: a string"],
        ),
        (
            &format!("{family}[columns]\nbins = \"all\""),
            vec![
                "columns.bins: found a string; accepted: true, false, or a number of nearest bins, such as 16",
            ],
        ),
        (
            &format!("{family}[columns]\nbins = 0"),
            vec!["columns.bins: 0 is out of range; accepted: 1 to 1000000"],
        ),
        (
            &format!("{family}[columns]\nbin = true"),
            vec![
                "columns.bin: unknown key; accepted: bins",
                "did you mean `bins`?",
            ],
        ),
        (
            &format!("{family}[table]\nlayout = \"bins\""),
            vec!["layout bins needs bins = true in [columns]"],
        ),
        (
            &format!("{family}[table]\nlayout = \"grid\""),
            vec!["table.layout: unknown layout \"grid\"", "list, bins"],
        ),
        (
            &format!("{family}[witness]\n"),
            vec!["witness: unknown key"],
        ),
        (
            "play = \"partisan\"\n[family]\nboards = \"0\"",
            vec!["ruleset.play: unknown key"],
        ),
        (
            "[family]\nlengths = \"1\"\n[columns]\nbins = true",
            vec!["columns: unknown key"],
        ),
        (
            "[family]\nboards = \"0..=100000000\"\n[columns]\nbins = true",
            vec![
                "family.boards: the boards have about 1181635",
                "bins together; accepted: at most 137438953472; leave bins out, write bins = 16",
            ],
        ),
    ] {
        let error = refused(rest);
        for part in parts {
            assert!(error.contains(part), "{rest}: no {part:?} in\n{error}");
        }
    }
    // The largest accepted numbers are only large.
    for rest in [
        "[family]\nboards = \"0..=100000000\"\n[columns]\nbins = 16",
        "[family]\nboards = \"999999999000000000..=1000000000000000000\"",
        "[family]\nboards = { length = \"9999990..=10000000\" }",
        "[family]\nlengths = \"0..=4294967295\"",
        "[family]\narray = { rows = \"1000000000\", columns = \"999999999..=1000000000\" }",
        "[family]\narray = { antidiagonals = \"999999999..=1000000000\" }",
    ] {
        let text = format!("name = \"x\"\n[ruleset]\ngame = \"tchoukaillon\"\n{rest}\n");
        let job = Job::parse(&text, Path::new("x.toml"), Path::new("."));
        assert!(job.is_ok(), "{job:?}");
        assert_eq!(schema::fault(&text), None, "{text}");
    }
}

#[test]
fn specs_that_mean_the_same_have_one_digest() {
    let digest = |rest: &str| {
        let text = format!("name = \"x\"\n[ruleset]\ngame = \"tchoukaillon\"\n{rest}\n");
        let job = Job::parse(&text, Path::new("x.toml"), Path::new("."));
        job.unwrap_or_else(|error| panic!("{error}"))
            .header
            .digest
            .to_string()
    };
    let six = digest("[family]\nboards = \"0..=17\"");
    assert_eq!(
        digest("[family]\nboards = \"0..18\"\n[columns]\nbins = false"),
        six
    );
    assert_eq!(
        digest("[family]\nboards = { length = \"0..=6\" }\n[table]\nlayout = \"list\""),
        six
    );
    let others = [
        digest("[family]\nboards = \"0..=18\""),
        digest("[family]\nboards = \"1..=17\""),
        digest("[family]\nboards = \"0..=17\"\n[columns]\nbins = true"),
        digest("[family]\nboards = \"0..=17\"\n[columns]\nbins = 6"),
        digest("[family]\nlengths = \"0..=17\""),
        digest("[family]\narray = { rows = \"1\", columns = \"1..=17\" }"),
        digest("[family]\narray = { rows = \"1..=17\", columns = \"1\" }"),
        digest("[family]\narray = { antidiagonals = \"1..=17\" }"),
    ];
    for (at, other) in others.iter().enumerate() {
        assert_ne!(other, &six);
        assert!(!others[..at].contains(other));
    }
}

/// The array as far as the encyclopedia prints it: A344009, the rows A344010 and A344011, the column A344012.
#[test]
fn the_array_is_the_published_one() {
    let here = Workspace::new();
    for (name, entries, number, terms) in [
        ("array", "antidiagonals = \"1..=12\"", "A344009", 78),
        ("row-2", "rows = \"2\", columns = \"1..=40\"", "A344010", 31),
        ("row-3", "rows = \"3\", columns = \"1..=40\"", "A344011", 30),
        (
            "column-3",
            "rows = \"1..=40\", columns = \"3\"",
            "A344012",
            30,
        ),
        ("row-1", "rows = \"1\", columns = \"1..=60\"", "A002491", 53),
    ] {
        let spec = here.plain_spec(name, GAME, &format!("[family]\narray = {{ {entries} }}"));
        here.finish(&spec, &[]);
        let export = [
            "export", "--format", "bfile", "--column", "n", "--check", number,
        ];
        let exported = ended(of_out(&here, &export, &spec));
        assert_eq!(exported.status, Some(0), "{exported:?}");
        let words = format!("{terms} of {terms} terms agree");
        assert!(exported.stderr.contains(&words), "{exported:?}");
    }
    let block =
        "[family]\narray = { rows = \"2..=3\", columns = \"3..=5\" }\n[table]\nlayout = \"grid\"";
    let block = here.plain_spec("block", GAME, block);
    here.finish(&block, &[]);
    let table = printed(of_out(&here, &["table"], &block));
    let lines: Vec<Vec<&str>> = table
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(
        lines[lines.len() - 2..],
        [["2", "8", "11", "16"], ["3", "14", "17", "23"]]
    );
    // Of the array, checks compare row 1, which has the lengths.
    let published = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/reference");
    let family = "[family]\narray = { rows = \"1..=2\", columns = \"1..=300\" }";
    let (status, report) = checked(&here, "two", family, &published);
    let (least, ends_of_length_6, rounding) = (7, 2, 1);
    assert_eq!(
        (status, &report["rows"]),
        (Some(0), &json!(300)),
        "{report}"
    );
    assert_eq!(report["agreements"], least + ends_of_length_6 + rounding);
}

/// The b-files of `data/reference/computed/bfiles`, found again: boards by unplaying, basins by rounding, entries of the array by
/// following each number from order 1 on.
#[test]
fn the_b_files_are_found_again() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/reference/computed/bfiles");
    let terms = |number: u32| -> Vec<(u64, String)> {
        let text = fs::read_to_string(folder.join(format!("b{number:06}.txt"))).expect("a b-file");
        let term = |line: &str| {
            let (index, term) = line.split_once(' ').expect("two numbers");
            (index.parse().expect("an index"), term.to_owned())
        };
        text.lines().map(term).collect()
    };
    let boards = unplayed(1000);
    let strings = boards.iter().map(|(bins, _)| match bins.is_empty() {
        true => "0".to_owned(),
        false => bins.iter().rev().map(u32::to_string).collect(),
    });
    assert_eq!(terms(28_931), (0..).zip(strings).collect::<Vec<_>>());
    for (number, size, last) in [(204_540, 1, 7), (185_001, 2, 41)] {
        let found = terms(number);
        assert_eq!(found.last().map(|(index, _)| *index), Some(last));
        for (place, (index, length)) in (1..).zip(found) {
            let length: u64 = length.parse().expect("a length");
            let basin = rounded(length) / 2 - rounded(length - 1) / 2;
            assert_eq!((index, basin), (place, size), "{length}");
        }
    }
    // From the array of each order k to the next, blocks of k + 1 rows of k entries become k rows of k + 1.
    let place = |n: u64| {
        let (mut i, mut j, mut k) = (n - 1, 0, 1);
        while i + j >= k {
            let (q, r) = (i / (k + 1), i % (k + 1));
            (i, j) = match r + j < k {
                true => (q * k + r, j),
                false => (q * k + r - 1, j + 1),
            };
            k += 1;
        }
        (i + 1, j + 1)
    };
    for (number, expected) in [
        (344_010, (|index| (2, index)) as fn(u64) -> (u64, u64)),
        (344_011, |index| (3, index)),
        (344_012, |index| (index, 3)),
    ] {
        let found = terms(number);
        assert_eq!(found.len(), 1000);
        for (at, (index, n)) in (1..).zip(found) {
            assert_eq!(index, at);
            assert_eq!(
                place(n.parse().expect("a number")),
                expected(index),
                "{number}"
            );
        }
    }
    let found = terms(344_009);
    let places = (1..=63).flat_map(|d| (1..=d).map(move |i| (i, d + 1 - i)));
    let places: Vec<(u64, u64)> = places.collect();
    assert_eq!(found.len(), places.len());
    for (at, ((index, n), expected)) in (1..).zip(found.into_iter().zip(places)) {
        assert_eq!((index, place(n.parse().expect("a number"))), (at, expected));
    }
}

/// Rows far out, by the definition of A344009's arrays of order k, from the last order to the first.
#[test]
fn distant_entries_of_the_array_have_their_deviations() {
    let here = Workspace::new();
    let family = "[family]\narray = { rows = \"70000..=70001\", columns = \"123456..=123460\" }";
    let rows: Vec<ArrayRow> = here.plain_finished("distant", GAME, family);
    let places: Vec<(i64, i64)> = rows.iter().map(|row| (row.i, row.j)).collect();
    let expected =
        (70_000..=70_001).flat_map(|row| (123_456..=123_460).map(move |column| (row, column)));
    assert_eq!(places, expected.collect::<Vec<_>>());
    for row in rows {
        // Down the orders, each with one column fewer.
        let (mut i, mut j) = (row.i - 1, row.j - 1);
        for k in (1..=row.i + row.j).rev() {
            let (q, r) = (i / k, i % k);
            (i, j) = match j + r < k {
                true => (q * (k + 1) + r, j),
                false => (q * (k + 1) + r + 1, j - 1),
            };
        }
        assert_eq!((row.n, j), (i + 1, 0));
        let formula = std::f64::consts::PI * (row.i - 1) as f64 + 2.0 * row.j as f64;
        let formula = formula * formula / (4.0 * std::f64::consts::PI);
        assert!(
            (row.deviation - (row.n as f64 - formula)).abs() < 1e-4,
            "{row:?}"
        );
    }
}

/// Prints, for each reader, the rows as lists.
const READ: &str = r#"
import glob, json, sys
import duckdb, pandas, polars, pyarrow.parquet
files = sorted(glob.glob(sys.argv[1] + "/parts/*.parquet"))
names = ["n", "length", "first_play", "bins"]
def plain(value):
    if value is None or value is pandas.NA or value != value if not hasattr(value, "__len__") else False:
        return None
    return [int(v) for v in value] if hasattr(value, "__len__") else int(value)
answer = {}
table = pyarrow.concat_tables([pyarrow.parquet.read_table(f) for f in files])
answer["pyarrow"] = [[plain(row[name]) for name in names] for row in table.to_pylist()]
answer["duckdb"] = [[plain(v) for v in row] for row in duckdb.sql(f"select n, length, first_play, bins from read_parquet({files}) order by n").fetchall()]
answer["polars"] = [[plain(v) for v in row] for row in polars.read_parquet(files).select(names).rows()]
answer["pandas"] = [[plain(v) for v in row] for row in pandas.concat([pandas.read_parquet(f) for f in files])[names].itertuples(index=False)]
print(json.dumps(answer))
"#;

#[test]
fn every_reader_reads_boards() {
    // All bins are columns of their own, or a few are, with the bytes of the rest apart.
    for bins in ["true", "20"] {
        every_reader_reads_boards_with(bins);
    }
}

fn every_reader_reads_boards_with(bins: &str) {
    let here = Workspace::new();
    let rest = format!("[family]\nboards = \"0..=3000\"\n[columns]\nbins = {bins}");
    let path = here.plain_spec("boards", GAME, &rest);
    here.finish(&path, &[]);
    let expected: Vec<Value> = here
        .plain_rows::<BoardRow>(&path)
        .iter()
        .map(|row| json!([row.n, row.length, row.first_play, row.bins]))
        .collect();
    let output = python()
        .args(["-c", READ])
        .arg(here.path("out/boards"))
        .output()
        .expect("the interpreter was started before");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{complaint}");
    let answer: Value = serde_json::from_slice(&output.stdout).expect("the script prints JSON");
    for reader in ["pyarrow", "duckdb", "polars", "pandas"] {
        assert_eq!(answer[reader], json!(expected), "{reader}");
    }
}
