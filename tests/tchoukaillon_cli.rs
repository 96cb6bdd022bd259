//! `seedbank tchoukaillon` and `seedbank graph`: their output against slow readings of the rules,
//! and the errors for bad input.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::process::Command;

use crate::common::workspace::{Workspace, ended, seedbank, started};
use seedbank::engine::sowing_graph::reference::winning_boards;
use seedbank::family::Progression;
use seedbank::game::sowing_graph::{Generator, SowingGraph};
use seedbank::game::tchoukaillon::TchoukaillonBoard;
use serde_json::{Value, json};

fn tchoukaillon(arguments: &[&str]) -> Command {
    seedbank(&[&["tchoukaillon"], arguments].concat())
}

fn reconstruct(arguments: &[&str]) -> Command {
    tchoukaillon(&[&["reconstruct"], arguments].concat())
}

/// Returns the output of a command, which must succeed.
fn printed(command: Command) -> String {
    let ended = ended(command);
    assert_eq!(ended.status, Some(0), "{ended:?}");
    ended.stdout
}

fn objects(command: Command) -> Vec<Value> {
    let lines = printed(command);
    let object = |line: &str| serde_json::from_str(line).expect("an object a line");
    lines.lines().map(object).collect()
}

/// Checks a usage error: status 2, nothing on standard output, and these words on standard error.
fn refused(command: Command, words: &str) {
    let ended = ended(command);
    assert_eq!(ended.status, Some(2), "{ended:?}");
    assert_eq!(ended.stdout, "", "{ended:?}");
    assert!(ended.stderr.contains(words), "no {words:?}: {ended:?}");
    assert!(!ended.stderr.contains("panicked"), "{ended:?}");
}

/// The winning boards of 0, 1, ... stones by unplaying.
fn unplayed(count: usize) -> Vec<TchoukaillonBoard> {
    let mut board = TchoukaillonBoard::default();
    let mut boards = Vec::new();
    for _ in 0..count {
        boards.push(board.clone());
        board.unplay();
    }
    boards
}

/// N(l) exactly as in Theorem 3.5: from l round up to multiples of l - 1, ..., 1.
fn shortest(length: u128) -> u128 {
    (1..length)
        .rev()
        .fold(length, |stones, i| stones.div_ceil(i) * i)
}

#[test]
fn boards_agree_with_unplaying() {
    assert_eq!(
        printed(tchoukaillon(&["board", "15"])),
        "15 = (1, 2, 0, 2, 4, 6)\n"
    );
    let boards = unplayed(3000);
    let wanted: String = (0..3000)
        .chain([7])
        .map(|n| format!("{n} = {}\n", boards[n]))
        .collect();
    assert_eq!(
        printed(tchoukaillon(&["board", "0..=1999", "2000..=2999", "7"])),
        wanted
    );
    let json = objects(tchoukaillon(&["board", "--json", "0", "14..=15"]));
    assert_eq!(
        json,
        [
            json!({ "stones": "0", "bins": [] }),
            json!({ "stones": "14", "bins": boards[14].bins() }),
            json!({ "stones": "15", "bins": [1, 2, 0, 2, 4, 6] }),
        ]
    );
    // A long board in full.
    let long = printed(tchoukaillon(&["board", "10000000000"]));
    let board: TchoukaillonBoard = long["10000000000 = ".len()..].parse().expect("a board");
    assert!(board.is_winning());
    assert_eq!(board.stones(), 10_000_000_000);
}

#[test]
fn ranges_with_a_step_have_the_lines_of_each_number() {
    for (kind, ranges) in [
        (
            "board",
            &["0..=60/7", "5", "10000..=90000/3000", "20000..20100/9"][..],
        ),
        ("length", &["0..=40/3", "100..=3000/8", "2000..=5000/700"]),
        (
            "board-length",
            &[
                "0..=300/7",
                "1000..=9000/1250",
                "100000000000000000000..=100000000000000000007/3",
            ],
        ),
    ] {
        for &range in ranges {
            let numbers: Vec<String> = Progression::<u128>::parse(range, 0, u128::MAX)
                .unwrap()
                .iter()
                .map(|number| number.to_string())
                .collect();
            let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
            let each = printed(tchoukaillon(&[&[kind], &numbers[..]].concat()));
            assert_eq!(
                printed(tchoukaillon(&[kind, range])),
                each,
                "{kind} {range}"
            );
        }
    }
}

#[test]
fn impossible_boards_are_refused_before_any_is_printed() {
    for bad in [
        "x",
        "",
        "-1",
        "+1",
        "1..=",
        "3..=2",
        "..=4",
        "4..4",
        "1..=9/0",
        "4/2",
        "1.5",
        "340282366920938463463374607431768211456",
    ] {
        refused(
            tchoukaillon(&["board", "1", "--", bad]),
            "is no number of stones",
        );
    }
    let most = shortest(10_000_001) - 1;
    let words = format!("boards of up to {most} stones are accepted");
    for bad in [
        (most + 1).to_string(),
        format!("1..={}", most + 1),
        u128::MAX.to_string(),
    ] {
        refused(tchoukaillon(&["board", "1", &bad]), &words);
    }
    refused(
        tchoukaillon(&["play", "1", &(most + 1).to_string()]),
        &words,
    );
    refused(tchoukaillon(&["board"]), "<N>");
    refused(tchoukaillon(&["boards"]), "unrecognized subcommand");
}

#[test]
fn a_closed_pipe_ends_an_endless_list() {
    let mut child = started(tchoukaillon(&["board", "1..=10000000000000"]));
    let mut some = [0; 8];
    let mut out = child.stdout.take().expect("a pipe");
    out.read_exact(&mut some).expect("a line");
    assert_eq!(&some, b"1 = (1)\n");
    drop(out);
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn lengths_agree_with_theorem_3_5() {
    let wanted: String = (0..3001u128)
        .chain([100_000])
        .map(|l| format!("N({l}) = {}\n", if l == 0 { 0 } else { shortest(l) }))
        .collect();
    assert_eq!(
        printed(tchoukaillon(&["length", "0..=3000", "100000"])),
        wanted
    );
    assert_eq!(
        printed(tchoukaillon(&["length", "1000000000"])),
        "N(1000000000) = 318309886063239022\n"
    );
    assert_eq!(
        objects(tchoukaillon(&["length", "--json", "6..=7"])),
        [
            json!({ "length": "6", "stones": "12" }),
            json!({ "length": "7", "stones": "18" }),
        ]
    );
    for bad in ["x", "", "-1", "5..=4", "18446744073709551616"] {
        refused(tchoukaillon(&["length", "--", bad]), "is no length");
    }
    refused(tchoukaillon(&["length"]), "<L>");
}

#[test]
fn plays_lead_from_each_board_to_the_one_before() {
    assert_eq!(
        printed(tchoukaillon(&[
            "play",
            "4",
            "0",
            "(0, 1, 3)",
            "(1, 1)",
            "(0,0)"
        ])),
        "4: 3, 1, 2, 1\n0:\n(0, 1, 3): 3, 1, 2, 1\n(1, 1): 1; no bin of (0, 1) can be played\n():\n"
    );
    let line = printed(tchoukaillon(&["play", "2000"]));
    let plays = line.trim_end().strip_prefix("2000: ").expect("its plays");
    let plays: Vec<usize> = plays
        .split(", ")
        .map(|bin| bin.parse().expect("a bin"))
        .collect();
    let boards = unplayed(2001);
    assert_eq!(plays.len(), 2000);
    let mut board = boards[2000].clone();
    for (bin, after) in plays.into_iter().zip(boards.iter().rev().skip(1)) {
        board.play(bin).expect("the bin can be played");
        assert_eq!(&board, after);
    }
    assert_eq!(
        objects(tchoukaillon(&["play", "--json", "4", "(1, 1)", "0"])),
        [
            json!({ "bins": [0, 1, 3], "plays": [3, 1, 2, 1], "left": [] }),
            json!({ "bins": [1, 1], "plays": [1], "left": [0, 1] }),
            json!({ "bins": [], "plays": [], "left": [] }),
        ]
    );
    refused(
        tchoukaillon(&["play", "x"]),
        "a number of stones, or a board",
    );
    refused(
        tchoukaillon(&["play", "1..=3"]),
        "a number of stones, or a board",
    );
    refused(tchoukaillon(&["play", "1, 2"]), "a board in parentheses");
    refused(tchoukaillon(&["play", "(1, x)"]), "bin 2 is \"x\"");
    refused(tchoukaillon(&["play"]), "<BOARD>");
}

#[test]
fn reconstructions_agree_with_all_boards() {
    let boards = unplayed(840 * 4);
    let period = |bins: usize| (2..=bins as u64 + 1).fold(1, |p, i| p / gcd(p, i) * i) as usize;
    // All stones in bins 3 and 6 of numbering b.
    for near in 0..=3u32 {
        for far in 0..=6u32 {
            let agrees = |n: &usize| boards[*n].bin(3) == near && boards[*n].bin(6) == far;
            let all: Vec<usize> = (0..period(6)).filter(agrees).collect();
            let longest: Option<usize> = (0..2 * period(6))
                .filter(agrees)
                .find(|&n| boards[n].length() >= 6);
            let line = |n: &usize| format!("{n} = {}\n", boards[*n]);
            for (numbering, offset) in [("b", 0), ("beta", 1)] {
                let [near, far] =
                    [(3, near), (6, far)].map(|(bin, m)| format!("{}={m}", bin + offset));
                let asked = ["--numbering", numbering, "--bin", &near, "--bin", &far];
                let with = |more: &[&str]| printed(reconstruct(&[&asked, more].concat()));
                if all.is_empty() {
                    assert!(with(&[]).starts_with("no board: "), "{asked:?}");
                    continue;
                }
                assert_eq!(with(&[]), line(&all[0]), "{asked:?}");
                let five: String = (0..boards.len())
                    .filter(agrees)
                    .take(5)
                    .map(|n| line(&n))
                    .collect();
                assert_eq!(with(&["--next", "4", "--threads", "2"]), five, "{asked:?}");
                let residues: String = all.iter().map(|n| format!("{n} mod 420\n")).collect();
                assert_eq!(with(&["--residues"]), residues, "{asked:?}");
                assert_eq!(
                    with(&["--long"]),
                    line(&longest.expect("a long one")),
                    "{asked:?}"
                );
            }
        }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[test]
fn reconstructions_of_the_paper() {
    let beta = |bins: &[&str], more: &[&str]| {
        let bins: Vec<&str> = bins.iter().flat_map(|&bin| ["--bin", bin]).collect();
        reconstruct(&[&["--numbering", "beta"], bins.as_slice(), more].concat())
    };
    // Example 4.8, and Example 4.4 with and without short boards.
    assert!(printed(beta(&["3=1", "7=2"], &[])).starts_with("34 = ("));
    assert!(printed(beta(&["4=1", "7=0"], &[])).starts_with("10 = ("));
    assert!(printed(beta(&["4=1", "7=0"], &["--long"])).starts_with("214 = ("));
    // Example 4.4's contradiction, in both numberings and as JSON.
    let reason = "m_6 + m_5 must be even, and is 2 + 1 = 3";
    assert_eq!(
        printed(beta(&["5=1", "6=2"], &[])),
        format!("no board: {reason}\n")
    );
    assert_eq!(
        printed(beta(&["5=1", "6=2"], &["--residues"])),
        format!("no board: {reason}\n")
    );
    assert_eq!(
        printed(reconstruct(&[
            "--numbering",
            "b",
            "--bin",
            "4=1",
            "--bin",
            "5=2"
        ])),
        "no board: b_5 + b_4 must be even, and is 2 + 1 = 3\n"
    );
    assert_eq!(
        objects(beta(&["5=1", "6=2"], &["--json"])),
        [json!({ "stones": null, "bins": null, "reason": reason })]
    );
    let far = objects(beta(&["4=1", "7=0"], &["--json", "--next", "1"]));
    assert_eq!(far[0], json!({ "stones": "10", "bins": [0, 1, 1, 3, 5] }));
    assert_eq!(
        objects(reconstruct(&[
            "--numbering",
            "b",
            "--bin",
            "2=1",
            "--residues",
            "--json"
        ])),
        [
            json!({ "residue": "4", "period": "6" }),
            json!({ "residue": "5", "period": "6" })
        ]
    );
    // The search keeps to its bound and reports it.
    assert_eq!(
        printed(beta(&["3=1", "7=2"], &["--up-to", "33"])),
        "no board: none of at most 33 stones agrees, though greater ones may\n"
    );
    assert!(
        printed(beta(&["3=1", "7=2"], &["--up-to", "34", "--next", "9"])).starts_with("34 = (")
    );
}

#[test]
fn invalid_reconstructions_are_refused() {
    let b = |arguments: &[&str]| reconstruct(&[&["--numbering", "b"], arguments].concat());
    refused(reconstruct(&["--bin", "3=1"]), "--numbering");
    refused(
        reconstruct(&["--numbering", "a", "--bin", "3=1"]),
        "possible values: b, beta",
    );
    refused(b(&[]), "--bin");
    for bad in ["3", "3=", "=1", "x=1", "3=-1", "3=1=1", "3:1"] {
        refused(b(&["--bin", bad]), "expected a bin and its stones");
    }
    refused(
        b(&["--bin", "0=0"]),
        "there is no bin 0 in numbering b; bins are 1 to 1000000",
    );
    refused(b(&["--bin", "1000001=0"]), "there is no bin 1000001");
    refused(
        reconstruct(&["--numbering", "beta", "--bin", "1=0"]),
        "there is no bin 1 in numbering beta; bins are 2 to 1000001",
    );
    refused(
        b(&["--bin", "3=4"]),
        "cannot hold 4 stones; it holds 0 to 3",
    );
    refused(b(&["--bin", "3=1", "--bin", "3=2"]), "is fixed twice");
    refused(
        b(&["--bin", "3=1", "--residues", "--next", "2"]),
        "cannot be used with",
    );
    refused(
        b(&["--bin", "3=1", "--residues", "--long"]),
        "cannot be used with",
    );
    refused(b(&["--bin", "3=1", "--up-to", "x"]), "invalid");
    refused(
        b(&[
            "--bin",
            "3=1",
            "--up-to",
            "1329227995784915872903807060280344577",
        ]),
        "at most 2^120",
    );
    refused(b(&["--bin", "3=1", "--threads", "0"]), "--threads");
    // lcm(2, ..., 31) is 72 * 10^12, and half of all boards have bin 1 empty.
    refused(
        b(&["--bin", "1=0", "--bin", "30=0", "--residues"]),
        "more than 1000000 residues",
    );
    refused(
        b(&["--bin", "1=0", "--bin", "200=0", "--residues"]),
        "fix nearer bins",
    );
}

/// Runs `seedbank graph` on a text.
fn graph(here: &Workspace, text: &str, arguments: &[&str]) -> Command {
    let file = here.path("g.txt");
    fs::write(&file, text).expect("the folder is ours to write to");
    let mut command = seedbank(&["graph"]);
    command.arg(file).args(arguments);
    command
}

#[test]
fn graphs_have_the_boards_that_play_finds() {
    let here = Workspace::new();
    // Acyclic graphs, one with separate branches, moves through a ruma, and each kind of cycle. The
    // slow reading covers totals beyond all boards of the finite graphs.
    for (text, finite, most) in [
        ("ruma r\nc -> b -> a -> r", true, 9),
        ("ruma r\nc -> b -> r\nc -> a -> r\ne -> r", true, 9),
        ("ruma r s\na -> r -> s\nb -> a", true, 9),
        ("ruma r\n1 -> r -> 2 -> 1", false, 12),
        ("ruma r\na -> b -> a\nb -> r", false, 8),
        ("ruma r s\nv -> r -> s -> r", false, 8),
    ] {
        let parsed: SowingGraph = text.parse().expect("a graph");
        // One lists stones by vertex, the other by bin.
        let bins = |labels: Vec<u32>| parsed.bins().map(|bin| labels[bin.index()]).collect();
        let slow: BTreeMap<Vec<u32>, u64> = winning_boards(&parsed, most)
            .into_iter()
            .map(|(labels, moves)| (bins(labels), moves))
            .collect();
        let mut by_total = BTreeMap::<u64, (u64, u64, u64)>::new();
        for (bins, &moves) in &slow {
            let total = bins.iter().map(|&b| u64::from(b)).sum();
            let row = by_total.entry(total).or_insert((0, moves, moves));
            *row = (row.0 + 1, row.1.min(moves), row.2.max(moves));
        }
        let most = most.to_string();
        let bound: &[&str] = if finite { &[] } else { &["--total-max", &most] };
        let mut found = objects(graph(
            &here,
            text,
            &[&["--json", "--boards"], bound].concat(),
        ));
        let summary = found.remove(0);
        assert_eq!(summary["finite"], finite, "{text}");
        assert_eq!(summary["complete"], finite, "{text}");
        assert_eq!(summary["boards"], slow.len().to_string(), "{text}");
        assert_eq!(
            summary["moves_greatest"],
            json!(slow.values().max()),
            "{text}"
        );
        let rows: Vec<Value> = by_total
            .iter()
            .map(|(total, (boards, least, greatest))| {
                json!({ "total": total, "boards": boards.to_string(), "moves_least": least, "moves_greatest": greatest })
            })
            .collect();
        assert_eq!(summary["by_total"], json!(rows), "{text}");
        let listed: BTreeMap<Vec<u32>, u64> = found
            .iter()
            .map(|board| {
                let bins: Vec<u32> = serde_json::from_value(board["board"].clone()).expect("bins");
                assert_eq!(board["total"], json!(bins.iter().sum::<u32>()));
                (bins, board["moves"].as_u64().expect("a number"))
            })
            .collect();
        assert_eq!(listed, slow, "{text}");
        assert_eq!(listed.len(), found.len(), "a board is listed twice: {text}");
    }
}

#[test]
fn graphs_are_described_in_words() {
    let here = Workspace::new();
    assert_eq!(
        printed(graph(
            &here,
            "ruma r # home\nbin a b\nb -> a -> r",
            &["--boards"]
        )),
        "vertices   3: 2 bins, 1 ruma\n\
         edges      2\n\
         finiteness finitely many winning boards\n\
         boards     4, which are all\n\
         plays      the greatest shortest play has 3 moves\n\
         \n\
         stones     boards                moves\n\
         0          1                     0\n\
         1          1                     1\n\
         2          1                     2\n\
         3          1                     3\n\
         \n\
         stones     moves  (a, b)\n\
         0          0      (0, 0)\n\
         1          1      (1, 0)\n\
         2          2      (0, 2)\n\
         3          3      (1, 2)\n"
    );
    let cycle = "ruma r\n1 -> r -> 2 -> 1";
    let text = printed(graph(&here, cycle, &[]));
    assert!(
        text.contains(
            "finiteness infinitely many winning boards: 1 -> r -> 2 -> 1 is a directed cycle with a ruma and a bin, the \
             kind that Theorem 5.2 names\n"
        ) && text.contains(" of at most 100 stones; there are boards with more stones: --total-max 100\n"),
        "{text}"
    );
    let text = printed(graph(
        &here,
        "ruma r\na -> b -> a\nb -> r",
        &["--total-max", "5"],
    ));
    assert!(
        text.contains(
            "of bins from which a ruma is reached, a kind that Theorem 5.2 in print overlooks\n"
        ),
        "{text}"
    );
    let text = printed(graph(&here, cycle, &["--boards-max", "3", "--boards"]));
    assert!(
        text.contains("the budget of boards is spent: --boards-max 3\n"),
        "{text}"
    );
    // A star of 40 spokes has 2^40 boards, which are counted by spokes and cannot be listed.
    let star = SowingGraph::star(40, 1).expect("a star").to_string();
    let listed = ended(graph(&here, &star, &["--boards", "--boards-max", "50"]));
    assert_eq!(listed.status, Some(0), "{listed:?}");
    assert!(
        listed
            .stdout
            .contains(&format!("boards     {}, which are all\n", 1u64 << 40)),
        "{listed:?}"
    );
    let names = listed
        .stdout
        .lines()
        .position(|line| line.starts_with("stones     moves"));
    assert_eq!(
        listed
            .stdout
            .lines()
            .skip(names.expect("a list") + 1)
            .count(),
        1 + 40
    );
    assert!(
        listed
            .stderr
            .contains("the list ends with boards of 1 stones"),
        "{listed:?}"
    );
}

#[test]
fn unreadable_graphs_are_refused_with_file_and_line() {
    let here = Workspace::new();
    for (text, words) in [
        ("ruma r\na -> b c -> r", "g.txt:2: \"b c\" is no name"),
        (
            "ruma r\n\na -> r\na -> r",
            "g.txt:4: the edge a -> r is given twice",
        ),
        ("ruma r\nstore s", "g.txt:2: \"store s\" is neither"),
        ("a -> r\nruma r", "g.txt:2: vertex \"r\" is known already"),
        ("ruma", "g.txt:1: \"ruma\" has no names"),
        ("a -> b", "g.txt: no vertex is a ruma"),
        ("", "g.txt: no vertex is a ruma"),
    ] {
        refused(graph(&here, text, &[]), words);
    }
    let mut missing = seedbank(&["graph"]);
    missing.arg(here.path("missing.txt"));
    refused(missing, "missing.txt cannot be read");
    let latin = here.path("latin.txt");
    fs::write(&latin, [b'r', 0xe9]).expect("the folder is ours to write to");
    let mut unreadable = seedbank(&["graph"]);
    unreadable.arg(latin);
    refused(unreadable, "latin.txt cannot be read");
    refused(
        graph(&here, "ruma r", &["--total-max", "1000000001"]),
        "--total-max",
    );
    refused(
        graph(&here, "ruma r", &["--boards-max", "x"]),
        "--boards-max",
    );
    refused(seedbank(&["graph"]), "<FILE>");
    // The command describes a cycle of 200 bins, but its boards do not fit in a search.
    let cycle = SowingGraph::cycle(200).expect("a cycle").to_string();
    let ended = ended(graph(&here, &cycle, &[]));
    assert_eq!(ended.status, Some(1), "{ended:?}");
    assert!(
        ended.stdout.contains("infinitely many winning boards: "),
        "{ended:?}"
    );
    assert!(
        ended.stderr.contains("199 bins can hold stones"),
        "{ended:?}"
    );
}

#[test]
fn graphs_are_generated() {
    let here = Workspace::new();
    let generate = |text: &str, arguments: &[&str]| {
        seedbank(&[&["graph", "--generate", text], arguments].concat())
    };
    for text in [
        "path(5)",
        "star(3,4)",
        "cycle(4)",
        "cycle( 6, 2 )",
        "grid(2, 3)",
        "ladder(4)",
        "tree(2, 3)",
        "complete(3)",
        "random(4, 2, 11, 7)",
        "acyclic(4, 2, 11, 7)",
    ] {
        let generator: Generator = text.parse().expect("a generator");
        let made = generator.graph().expect("a graph");
        let file = printed(generate(text, &["--print"]));
        assert_eq!(file.parse(), Ok(made), "{text}");
        // The graph read back from the output has the same boards.
        let bound = ["--json", "--total-max", "12"];
        assert_eq!(
            printed(generate(text, &bound)),
            printed(graph(&here, &file, &bound)),
            "{text}"
        );
    }
    let again = printed(graph(&here, "ruma r\na -> r # home", &["--print"]));
    assert_eq!(again, "ruma r\nbin a\na -> r\n");
    refused(
        generate("path", &[]),
        "\"path\" is no generator; write a family",
    );
    refused(generate("wheel(5)", &[]), "there is no family \"wheel\"");
    refused(
        generate("star(5)", &[]),
        "star(spokes, length) was given 1 argument",
    );
    refused(
        generate("cycle(0)", &[]),
        "cycle(0): the number of vertices of a cycle is 0",
    );
    refused(
        generate("path(99999999)", &[]),
        "at most 65536 are accepted",
    );
    refused(generate("path(5)", &["--print", "--json"]), "--json");
    refused(
        graph(&here, "ruma r", &["--generate", "path(5)"]),
        "--generate",
    );
}

#[test]
fn graphs_keep_to_their_memory() {
    // Whole totals are counted as long as they fit, and those counts equal the counts with enough
    // memory.
    for (text, little) in [
        ("ladder(9)", "64KiB"),
        ("path(500)", "64KiB"),
        ("star(3, 90)", "16KiB"),
    ] {
        let plenty = printed(seedbank(&["graph", "--generate", text, "--memory", "1GiB"]));
        let some = ended(seedbank(&["graph", "--generate", text, "--memory", little]));
        assert_eq!(some.status, Some(1), "{some:?}");
        assert!(
            some.stderr.contains(&format!(
                "the memory budget of {}",
                little.replace("KiB", ".0 KiB")
            )) && some.stderr.contains("give more with --memory"),
            "{some:?}"
        );
        assert!(
            some.stdout
                .contains("the budget of boards kept at one time is spent"),
            "{some:?}"
        );
        let rows = |text: &str| -> Vec<String> {
            let rows = text.lines().skip_while(|line| !line.starts_with("stones"));
            rows.map(str::to_owned).collect()
        };
        let (some, plenty) = (rows(&some.stdout), rows(&plenty));
        assert!(some.len() > 3 && plenty.len() > some.len(), "{some:?}");
        assert_eq!(some, plenty[..some.len()]);
    }
    let none = ended(seedbank(&[
        "graph",
        "--generate",
        "path(5)",
        "--memory",
        "10B",
    ]));
    assert_eq!(none.status, Some(1), "{none:?}");
    assert!(none.stdout.contains("none counted"), "{none:?}");
    let listed = [
        "graph",
        "--generate",
        "ladder(8)",
        "--boards",
        "--memory",
        "20KiB",
    ];
    let listed = ended(seedbank(&listed));
    assert_eq!(listed.status, Some(1), "{listed:?}");
    assert!(listed.stderr.contains("does not suffice for"), "{listed:?}");
}

#[test]
fn lengths_of_boards_agree_with_the_boards() {
    let boards = unplayed(700);
    let lines: Vec<String> = (0..)
        .zip(&boards)
        .map(|(n, board)| format!("L({n}) = {}\n", board.length()))
        .collect();
    assert_eq!(
        printed(tchoukaillon(&["board-length", "0..=699"])),
        lines.concat()
    );
    assert_eq!(
        printed(tchoukaillon(&["board-length", "15", "11..=12"])),
        "L(15) = 6\nL(11) = 5\nL(12) = 6\n"
    );
    // N(10^9) and one stone less.
    let far = [
        "board-length",
        "--json",
        "318309886063239021..=318309886063239022",
    ];
    assert_eq!(
        objects(tchoukaillon(&far)),
        [
            json!({ "stones": "318309886063239021", "length": "999999999" }),
            json!({ "stones": "318309886063239022", "length": "1000000000" }),
        ]
    );
    refused(tchoukaillon(&["board-length", "-1"]), "-1");
    refused(
        tchoukaillon(&["board-length", "5..=4"]),
        "is no number of stones",
    );
    refused(tchoukaillon(&["board-length"]), "<N>");
}
