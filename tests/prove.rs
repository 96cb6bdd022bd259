//! `seedbank prove`, and certificates that `seedbank check` checks.

use std::fs;
use std::path::Path;
use std::process::Command;

use seedbank::evaluate::with_values;
use seedbank::family::Pattern;
use seedbank::game::{Game, Play};
use seedbank::proof::{Claim, Claims, Relation, Written};
use seedbank::value::ValuePattern;

use crate::common::evaluations::session;
use crate::common::workspace::{Ended, Workspace, ended, seedbank};

fn prove(here: &Workspace, args: &[&str]) -> Ended {
    run(here, &[&["prove", "--quiet"], args].concat())
}

fn check(here: &Workspace, path: &str) -> Ended {
    run(here, &["check", path])
}

fn run(here: &Workspace, args: &[&str]) -> Ended {
    let mut command = seedbank(args);
    command.current_dir(here.path(""));
    ended(command)
}

/// Theorems 2.2 to 2.5 of Erickson (1996), with their exceptions left out.
const THEOREMS: [(&str, &[&str]); 4] = [
    ("2-2", &["(10)^m 03 (01)^n", "--value", "0"]),
    (
        "2-3",
        &[
            "(01)^m 2 (01)^n",
            "--value",
            "n+1",
            "--least",
            "m=1",
            "--least",
            "n=1",
        ],
    ),
    (
        "2-4",
        &["11 (01)^n", "--value", "{n+1|0}", "--least", "n=1"],
    ),
    (
        "2-5",
        &["(10)^m 2 (01)^n", "--value", "{n|-m}", "--least", "m=1,n=1"],
    ),
];

const SOWING: [&str; 4] = ["-g", "sowing", "-p", "partisan"];

#[test]
fn erickson_s_theorems_are_proved_and_their_certificates_are_short_and_checked() {
    let here = Workspace::new();
    for (name, theorem) in THEOREMS {
        let file = format!("{name}.toml");
        let proved = prove(
            &here,
            &[&SOWING[..], theorem, &["--certificate", &file]].concat(),
        );
        assert_eq!(proved.status, Some(0), "{proved:?}");
        assert!(proved.stdout.contains(": proved"), "{proved:?}");
        let checked = check(&here, &file);
        assert_eq!(checked.status, Some(0), "{checked:?}");
        assert!(
            checked
                .stdout
                .starts_with(&format!("{file}: proved: {}", theorem[0])),
            "{checked:?}"
        );
        let text = fs::read_to_string(here.path(&file)).unwrap();
        assert!(text.lines().count() < 60, "{text}");
        // A certificate that lacks a claim proves nothing.
        let (shorter, _) = text.rsplit_once("\n[[claim]]").unwrap();
        fs::write(here.path("shorter.toml"), shorter).unwrap();
        let refused = check(&here, "shorter.toml");
        assert_eq!(refused.status, Some(1), "{refused:?}");
        assert!(
            refused.stderr.contains("no answer among the claims"),
            "{refused:?}"
        );
    }
}

#[test]
fn shipped_proofs_are_proofs() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("data/proofs");
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let certificate = seedbank::proof::Certificate::load(&path).unwrap();
        certificate.check(&path).unwrap();
        count += 1;
    }
    assert!(count >= 40, "{count} proofs");
}

/// The moves of rules of rows are read by the same machine as those of Sowing: the proofs are the same.
#[test]
fn theorems_of_sowing_are_proved_by_its_rules() {
    let here = Workspace::new();
    let game = "game = \"sowing\"\n";
    let by_rules = "game = \"row-rules\"\nrules = \"last=occupied\"\n";
    fs::write(
        here.path("sowing.toml"),
        "[rules]\nlast = \"occupied\"\ncapture = []\n",
    )
    .unwrap();
    for (rules, (name, theorem)) in [
        ["--rule", "last=occupied"],
        ["--rules", "sowing.toml"],
        ["--rule", "last=occupied"],
        ["--rule", "last=occupied"],
    ]
    .iter()
    .zip(THEOREMS)
    {
        let files = [format!("{name}.toml"), format!("{name}-rules.toml")];
        let certified = |game: &[&str], file: &str| {
            let args = [game, theorem, &["--certificate", file]].concat();
            let proved = prove(&here, &args);
            assert_eq!(proved.status, Some(0), "{proved:?}");
            fs::read_to_string(here.path(file)).unwrap()
        };
        let named = certified(&SOWING, &files[0]);
        let given = certified(
            &[&["-g", "row-rules", "-p", "partisan"], &rules[..]].concat(),
            &files[1],
        );
        assert_eq!(given, named.replacen(game, by_rules, 1));
        let checked = check(&here, &files[1]);
        let proved = format!("{}: proved: {}", files[1], theorem[0]);
        assert!(checked.stdout.starts_with(&proved), "{checked:?}");
        assert!(
            checked
                .stdout
                .contains(", partisan row-rules by last=occupied ("),
            "{checked:?}"
        );
        // By other rules nobody can move in 11.
        let others = given.replacen("last=occupied", "pot_min=2,last=occupied", 1);
        fs::write(here.path("others.toml"), others).unwrap();
        let refused = check(&here, "others.toml");
        assert!(refused.status == Some(1) || name != "2-4", "{refused:?}");
    }
}

#[test]
fn theorems_by_rules_of_rows_are_proved_refuted_or_refused() {
    let here = Workspace::new();
    let by = |rules: &[&str], theorem: &[&str]| {
        let switches = rules.iter().flat_map(|switch| ["--rule", *switch]);
        let switches: Vec<&str> = switches.collect();
        prove(
            &here,
            &[
                &["-g", "row-rules", "-p", "partisan"],
                &switches[..],
                theorem,
            ]
            .concat(),
        )
    };
    let twos = ["pot_min=2", "first=origin", "capture=[2]", "chain=true"];
    let taking = ["last=occupied", "capture=[2,3]", "chain=true"];
    let landing = ["last=occupied", "landing=true"];
    for (rules, theorem) in [
        (&twos[..], &["1^m 2 1^n", "--value", "*"][..]),
        (&twos, &["(10)^m 2 (01)^n", "--value", "*"]),
        (&taking, &["12 (01)^n", "--value", "1", "--least", "n=1"]),
        (&taking, &["(10)^m 11 (01)^n", "--value", "*"]),
        (&landing, &["21 (01)^n", "--value", "-1", "--least", "n=1"]),
        (&landing, &["(10)^m 3 (01)^n", "--value", "0"]),
    ] {
        let found = by(rules, theorem);
        assert!(found.stdout.contains(": proved"), "{found:?}");
    }
    let refuted = by(&["last=occupied"], &["(10)^m 13 (01)^n", "--value", "0"]);
    assert!(
        refuted.stdout.contains("refuted by 13 = 1, not 0"),
        "{refuted:?}"
    );
    let full = by(&["last=occupied"], &["1 e", "--value", "1"]);
    assert!(
        full.stdout.contains("the game has no full pots"),
        "{full:?}"
    );
    let without_twos = ["pot_min=2", "first=origin", "capture=[3]"];
    for (rules, theorem, why) in [
        (
            &without_twos[..],
            &["1^n", "--value", "0"][..],
            "play of row-rules may go in circles where `first` is \"origin\", `last` has the count 1 and `capture` lacks 2",
        ),
        (
            &["last=any"],
            &["1^n", "--value", "0", "--pots", "6"],
            "the moves of row-rules on a board of fixed width are not read",
        ),
        (
            &["last=any"],
            &["1^n", "--value", "0"],
            "`last` allows a last seed in an empty pot",
        ),
    ] {
        let found = by(rules, theorem);
        assert_eq!(found.status, Some(2), "{found:?}");
        assert!(found.stderr.contains(why), "{found:?}");
    }
}

/// Each theorem has one wrong pot.
#[test]
fn wrong_theorems_are_refuted_by_a_shortest_row() {
    let here = Workspace::new();
    for (theorem, refuted) in [
        (
            &["(10)^m 13 (01)^n", "--value", "0"][..],
            "refuted by 13 = 1, not 0",
        ),
        (
            &["(01)^m 3 (01)^n", "--value", "n+1", "--least", "m=1"],
            "refuted by 01301 = 1, not 2",
        ),
        (
            &["12 (01)^n", "--value", "{n+1|0}", "--least", "n=1"],
            "refuted by 1201 = 2, not {2|0}",
        ),
        (
            &["(10)^m 2 (02)^n", "--value", "{n|-m}", "--least", "m=1,n=1"],
            "refuted by 1020202 = -1/2, not {2|-1}",
        ),
    ] {
        let found = prove(&here, &[&SOWING[..], theorem].concat());
        assert_eq!(found.status, Some(1), "{found:?}");
        assert!(found.stdout.contains(refuted), "{found:?}");
    }
    let ends = prove(
        &here,
        &[&SOWING[..], &["...e 1^n e...", "--value", "0"]].concat(),
    );
    assert!(ends.stdout.contains("refuted by ...e1e... = *"), "{ends:?}");
    // Rows whose values take long leave the question open.
    let theorem = ["(12)^n", "--at-most", "5n", "--time", "1ms"];
    let open = prove(&here, &[&SOWING[..], &theorem].concat());
    assert_eq!(open.status, Some(1), "{open:?}");
    assert!(open.stdout.contains(": open; "), "{open:?}");
}

#[test]
fn a_set_alone_is_closed_or_has_a_move_without_an_answer() {
    let here = Workspace::new();
    let pattern = "(10)^m 3 (01)^n";
    let found = prove(
        &here,
        &[&SOWING[..], &["--alone", "--set", pattern]].concat(),
    );
    assert!(found.stdout.ends_with(": proved\n"), "{found:?}");
    let pattern = "(10)^m 03 (01)^n";
    let found = prove(
        &here,
        &[&SOWING[..], &["--alone", "--set", pattern]].concat(),
    );
    assert_eq!(found.status, Some(1), "{found:?}");
    assert!(
        found
            .stdout
            .contains("open; the theorem: no answer among the claims to Right's move 1003 -> 2110"),
        "{found:?}"
    );
    let found = prove(
        &here,
        &[&SOWING[..], &["--set", pattern, "--json"]].concat(),
    );
    let object = found.json();
    assert_eq!(object["verdict"], "proved");
    assert_eq!(object["claims"][0]["rows"], "(10)^m 0220 (01)^n");
}

/// `1200021 = 12 + 21`, with irrelevant pots at the ends.
#[test]
fn gaps_and_ends_are_proved_for_all_lengths() {
    let here = Workspace::new();
    for (pattern, value, least) in [
        ("12 0^n 21", "0", "n=3"),
        ("312 0^n 11", "{0|-2}+*", "n=6"),
        ("1 0^n 2111", "1/2", "n=5"),
        ("e 0^n 12", "1", "n=3"),
    ] {
        let theorem = [pattern, "--value", value, "--least", least];
        let found = prove(&here, &[&SOWING[..], &theorem].concat());
        assert!(found.stdout.contains(": proved"), "{found:?}");
    }
}

#[test]
fn small_rows_split_at_every_long_gap() {
    let mut script = Command::new("python3");
    script.arg(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/scripts/prove_splits.py"
    ));
    script.args([
        "--seedbank",
        env!("CARGO_BIN_EXE_seedbank"),
        "--pots",
        "2",
        "--seeds",
        "3",
    ]);
    let proved = ended(script);
    assert_eq!(proved.status, Some(0), "{proved:?}");
    assert!(proved.stdout.ends_with("36 of 36 proved\n"), "{proved:?}");
}

#[test]
fn impartial_play_and_atomic_wari_are_proved_too() {
    let here = Workspace::new();
    for (game, play, pattern, value) in [
        ("sowing", "impartial", "(10)^m 11 (01)^n", "*"),
        ("sowing", "impartial", "13 (01)^n", "*"),
        ("atomic-wari", "partisan", "(10)^m 2 (01)^n", "*"),
        ("atomic-wari", "impartial", "1^m 2 1^n", "*"),
    ] {
        let found = prove(&here, &["-g", game, "-p", play, pattern, "--value", value]);
        assert!(found.stdout.contains(": proved"), "{found:?}");
    }
}

#[test]
fn laws_of_a_job_are_proved() {
    let here = Workspace::new();
    let rows = "pattern = \"(10)^m 12 (01)^n\"\nm = \"0..=5\"\nn = \"0..=5\"";
    let spec = here.spec("pattern", "sowing", "partisan", rows);
    here.finish(&spec, &[]);
    let out = here.path("out");
    let args = [
        "--laws",
        spec.to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
        "--certificate",
        "proofs",
    ];
    let found = prove(&here, &args);
    assert_eq!(found.status, Some(0), "{found:?}");
    assert!(
        found.stdout.contains("(10)^m 12 (01)^n = n+1: proved"),
        "{found:?}"
    );
    assert!(
        found
            .stdout
            .ends_with("1 law: 1 proved, 0 refuted, 0 open\n"),
        "{found:?}"
    );
    assert_eq!(
        check(&here, "proofs/sowing-partisan-10m-12-01n.toml").status,
        Some(0)
    );
}

/// Proves the laws of a job whose results are in the folder's `out`.
fn prove_laws(here: &Workspace, spec: &Path, more: &[&str]) -> Ended {
    let out = here.path("out");
    let args = [
        "--laws",
        spec.to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
    ];
    prove(here, &[&args[..], more].concat())
}

#[test]
fn laws_of_a_job_by_rules_of_rows_are_proved() {
    let here = Workspace::new();
    let rows = "pattern = \"(10)^m 12 (01)^n\"\nm = \"0..=5\"\nn = \"0..=5\"\n[rules]\nlast = \"occupied\"";
    let spec = here.spec("pattern", "row-rules", "partisan", rows);
    here.finish(&spec, &[]);
    let found = prove_laws(&here, &spec, &[]);
    assert_eq!(found.status, Some(0), "{found:?}");
    assert!(
        found.stdout.contains("(10)^m 12 (01)^n = n+1: proved"),
        "{found:?}"
    );
}

#[test]
fn laws_of_games_whose_moves_are_not_read_are_open() {
    let here = Workspace::new();
    let rows = "pattern = \"(10)^n 1\"\nn = \"0..=6\"";
    let spec = here.spec("gathered", "reverse-atomic-wari", "partisan", rows);
    here.finish(&spec, &[]);
    let found = prove_laws(&here, &spec, &[]);
    assert_eq!(found.status, Some(0), "{found:?}");
    assert_eq!(
        found.stdout,
        "(10)^n 1 = 0 for n >= 0: open; the moves of reverse-atomic-wari are not read\n\
         1 law: 0 proved, 0 refuted, 1 open\n"
    );
    let object = prove_laws(&here, &spec, &["--json"]).json();
    assert_eq!(object["verdict"], "open");
    assert_eq!(object["law"], "(10)^n 1 = 0 for n >= 0");
}

#[test]
fn theorems_that_cannot_be_proved_are_named() {
    let here = Workspace::new();
    for (args, message) in [
        (
            &[
                "-g",
                "coloured-sowing",
                "-p",
                "partisan",
                "b^n",
                "--value",
                "0",
            ][..],
            "the moves of coloured-sowing are not read; accepted: sowing, atomic-wari, row-rules, on the endless row",
        ),
        (
            &["-g", "octal", "-p", "partisan", "1^n", "--value", "0"],
            "--game octal: accepted here: sowing, atomic-wari, row-rules;",
        ),
        (
            &[
                "-g",
                "sowing",
                "-p",
                "partisan",
                "1^n 2 1^n",
                "--value",
                "0",
            ],
            "the variable n is in two exponents",
        ),
        (
            &["-g", "sowing", "-p", "partisan", "x 1^n", "--value", "0"],
            "the seeds of a pot are a variable, x",
        ),
        (
            &["-g", "sowing", "-p", "partisan", "1^n", "--value", "k"],
            "\"k\" is no value: character 1: k is no variable; accepted: n",
        ),
        (
            &["-g", "sowing", "-p", "partisan", "1^n", "--value", "1/2^n"],
            "character 3: a value for all numbers has variables in integers alone",
        ),
        (
            &[
                "-g", "sowing", "-p", "partisan", "1^n", "--value", "0", "--least", "m=1",
            ],
            "least m = 1",
        ),
        (&["-g", "sowing", "-p", "partisan", "1^n"], "--value"),
    ] {
        let refused = prove(&here, args);
        assert_eq!(refused.status, Some(2), "{refused:?}");
        assert!(refused.stderr.contains(message), "{refused:?}");
    }
    fs::write(here.path("wrong.toml"), "game = \"sowing\"\nversion = 1\nplay = \"partisan\"\n[[theorem]]\nrows = \"1^n^\"\nvalue = \"0\"\n").unwrap();
    let refused = check(&here, "wrong.toml");
    assert_eq!(refused.status, Some(2), "{refused:?}");
    assert!(refused.stderr.contains("wrong.toml:4"), "{refused:?}");
}

/// Claims are generated from the four shortest rows of a family. The largest set of them that
/// support one another also holds for longer rows.
#[test]
fn no_false_claim_passes_the_check() {
    let repeated = ["1", "0", "10", "01", "2", "100"];
    let between = ["", "2", "3", "11", "12", "21", "03", "02"];
    let by_rules = |text: &str| Game::of_rules(text.parse().unwrap(), None).unwrap();
    for (game, play) in [
        (Game::SOWING, Play::Partisan),
        (Game::SOWING, Play::Impartial),
        (Game::ATOMIC_WARI, Play::Partisan),
        (Game::ATOMIC_WARI, Play::Impartial),
        (by_rules("last=occupied,capture=2-3,chain"), Play::Partisan),
        (by_rules("last=1-2,landing"), Play::Impartial),
        (
            by_rules("pot_min=2,first=origin,capture=2,chain"),
            Play::Partisan,
        ),
    ] {
        let session = session(1, bytesize::ByteSize::gib(1));
        let (proved, refuted) = with_values(game, play, &session, |values| {
            let mut calculator = values.arena().calculator();
            let mut claims: Vec<(Pattern, ValuePattern, Claim)> = Vec::new();
            let value = |pattern: &Pattern, m: i64, n: i64| {
                let board = pattern.expand(&[m, n]).unwrap();
                values.value(&board, 100_000).unwrap()
            };
            for left in repeated {
                for middle in between {
                    for right in repeated {
                        let rows = format!("({left})^m {middle} ({right})^n");
                        let pattern: Pattern = rows.parse().unwrap();
                        let text = |id| values.arena().notation(id).to_string();
                        let corner =
                            [(1, 1), (2, 1), (1, 2), (2, 2)].map(|(m, n)| value(&pattern, m, n));
                        let Some(texts) = corner
                            .into_iter()
                            .map(|id| id.map(text))
                            .collect::<Option<Vec<_>>>()
                        else {
                            continue;
                        };
                        let integers: Option<Vec<i64>> =
                            texts.iter().map(|text| text.parse().ok()).collect();
                        let stated = match integers {
                            Some(integers) => {
                                let (m, n) = (integers[1] - integers[0], integers[2] - integers[0]);
                                format!("{m}m+{n}n+{}", integers[0] - m - n).replace("+-", "-")
                            }
                            None => texts[0].clone(),
                        };
                        let written = Written {
                            rows,
                            least: [('m', 1), ('n', 1)].into(),
                            relation: Relation::Is,
                            value: stated.clone(),
                        };
                        if let Ok(claim) = written.claim(&mut calculator) {
                            claims.push((pattern, ValuePattern::read(&stated).unwrap(), claim));
                        }
                    }
                }
            }
            // The largest set of claims that support one another.
            loop {
                let only: Vec<Claim> = claims.iter().map(|(.., claim)| claim.clone()).collect();
                let all = Claims {
                    reading: game.reading().unwrap(),
                    play,
                    claims: &only,
                    states_max: 100_000,
                };
                let holds: Vec<bool> = (0..only.len())
                    .map(|at| only[at].firsts().all(|first| all.check(at, first).is_ok()))
                    .collect();
                let before = claims.len();
                let mut holds = holds.into_iter();
                claims.retain(|_| holds.next().unwrap());
                if claims.len() == before {
                    break;
                }
            }
            let mut refuted = Vec::new();
            for (pattern, stated, _) in &claims {
                for (m, n) in (1..=3).flat_map(|m| (1..=3).map(move |n| (m, n))) {
                    let expected = stated
                        .value(&[('m', m), ('n', n)], &mut calculator)
                        .unwrap();
                    if value(pattern, m, n).is_some_and(|value| value != expected) {
                        refuted.push(format!("{pattern} = {stated} at {m}, {n}"));
                    }
                }
            }
            (claims.len(), refuted)
        });
        assert!(refuted.is_empty(), "{} {play}: {refuted:?}", game.name());
        assert!(proved >= 10, "{} {play}: {proved} claims", game.name());
    }
}

#[test]
fn an_open_answer_says_what_ended_the_search_and_what_may_help() {
    let here = Workspace::new();
    let theorem = ["11 (01)^n", "--value", "{n+1|0}", "--least", "n=1"];
    let open = |more: &[&str]| {
        let found = prove(&here, &[&SOWING[..], &theorem, more].concat());
        assert_eq!(found.status, Some(1), "{found:?}");
        found
    };
    for (more, reached, help) in [
        (
            &["--time", "0s"][..],
            "the time limit of 0s was reached",
            "more time: --time 10s",
        ),
        (
            &["--claims", "2"],
            "the limit of 2 further claims was reached",
            "more claims: --claims 20",
        ),
        (
            &["--alone"],
            "no further claims are allowed",
            "search for further claims: without --alone",
        ),
    ] {
        let lines = format!("\n  {reached}\n  what may help: {help}\n");
        let found = open(more);
        assert!(found.stdout.ends_with(&lines), "{found:?}");
    }
    let object = open(&["--claims", "2", "--json"]).json();
    assert_eq!(
        (&object["ended"], &object["limit"]),
        (&"limit".into(), &"claims".into())
    );
    assert_eq!(object["help"], "more claims: --claims 20");
    let theorem = ["22 (01)^n", "--value", "2n+1", "--least", "n=3"];
    let found = prove(&here, &[&SOWING[..], &theorem].concat());
    assert_eq!(found.status, Some(1), "{found:?}");
    let bounds = "exhausted: no other claim about rows with at most 6 exponents answers it, as far as the values of rows show \
                  that have at most 40 pots and take at most 20000 positions";
    assert!(
        found.stdout.contains(bounds) && found.stdout.contains("--least n=4\n"),
        "{found:?}"
    );
    let object = prove(&here, &[&SOWING[..], &theorem, &["--json"]].concat()).json();
    assert_eq!(
        (&object["ended"], &object["limit"]),
        (&"exhausted".into(), &serde_json::Value::Null)
    );
    assert_eq!(object["bounds"]["pots"], 40);
}

#[test]
fn a_time_beyond_the_clock_is_no_limit() {
    let here = Workspace::new();
    let theorem = [
        "(10)^m 03 (01)^n",
        "--value",
        "0",
        "--time",
        "500000000000years",
    ];
    let found = prove(&here, &[&SOWING[..], &theorem].concat());
    assert!(found.stdout.contains(": proved"), "{found:?}");
}
