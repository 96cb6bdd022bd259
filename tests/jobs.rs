//! The specs that ship with the package, the examples of their documentation, and specs that must
//! be refused.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::strips::strips;
use seedbank::job::JobError;
use seedbank::task::Job;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("jobs")
}

fn specs() -> Vec<PathBuf> {
    let mut specs = Vec::new();
    for folder in [
        folder(),
        folder().join("extended"),
        folder().join("heaps"),
        folder().join("tchoukaillon"),
        folder().join("graphs"),
        folder().join("witness"),
    ] {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path
                .extension()
                .is_some_and(|extension| extension == "toml")
            {
                specs.push(path);
            }
        }
    }
    specs.sort();
    specs
}

#[test]
fn every_spec_is_sound_and_named_like_its_file() {
    let specs = specs();
    assert!(specs.len() > 20, "{specs:?}");
    let mut names = Vec::new();
    for path in specs {
        let job = Job::load(&path).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(
            path.file_stem().and_then(|stem| stem.to_str()),
            Some(job.name.as_str())
        );
        assert!(job.title.is_some() && job.source.is_some(), "{}", job.name);
        assert!(!names.contains(&job.name), "{} twice", job.name);
        names.push(job.name);
    }
}

#[test]
fn the_specs_have_the_positions_of_the_paper() {
    let members = |name: &str| {
        let job = Job::load(&folder().join(name)).unwrap();
        strips(&job)
            .family
            .iter()
            .map(|member| member.row.to_string())
            .collect::<Vec<_>>()
    };
    let table_1 = members("table-1.toml");
    assert!(table_1.contains(&"211".to_owned()) && table_1.contains(&"2111".to_owned()));
    let members_of_sequences = [11, 7, 7, 8, 6, 5, 6, 7, 5];
    let expected: usize = members_of_sequences.iter().sum();
    assert_eq!(members("table-2.toml").len(), expected);
    assert_eq!(members("table-5.toml")[9..11], ["1[10]", "21"]);
    assert_eq!(members("theorem-2-2.toml").len(), 169);
    assert_eq!(members("theorem-2-3.toml").len(), 168, "all but m = n = 0");
    assert_eq!(members("theorem-2-5.toml").len(), 144);
    let by_seeds = members("table-3-seeds.toml");
    assert_eq!(by_seeds[..5], ["0", "1", "11", "101", "1001"]);
    for position in ["111", "1112", "110111", "111121", "11020111", "111111122"] {
        assert!(by_seeds.contains(&position.to_owned()), "{position}");
    }
    let by_pots = members("table-3-pots.toml");
    assert_eq!(by_pots[..5], ["0", "1", "11", "12", "22"]);
    assert!(by_pots.contains(&"11123112".to_owned()));
}

#[test]
fn the_examples_of_the_documentation_are_sound() {
    let readme = fs::read_to_string(folder().join("README.md")).unwrap();
    let examples: Vec<&str> = readme
        .split("```toml\n")
        .skip(1)
        .filter_map(|rest| rest.split_once("```").map(|(example, _)| example))
        .collect();
    assert!(examples.len() >= 6, "{}", examples.len());
    for example in examples {
        Job::parse(example, Path::new("README.md"), &folder())
            .unwrap_or_else(|error| panic!("{error}"));
    }
}

/// A sound spec; a case replaces one text of it by another.
const SOUND: &str = r#"name = "ones"

[ruleset]
game = "sowing"
play = "partisan"

[family]
pattern = "1^n"
n = "1..=14"

[columns]
followers = true

[table]
layout = "sequences"
rows = "n"
"#;

fn refuse(text: &str) -> JobError {
    match Job::parse(text, Path::new("bad.toml"), &folder()) {
        Ok(_) => panic!("accepted:\n{text}"),
        Err(error) => error,
    }
}

/// Refuses the sound spec with `from` replaced by `to`, and looks for the fragments in the message.
fn assert_refused(from: &str, to: &str, fragments: &[&str]) {
    let text = SOUND.replacen(from, to, 1);
    assert_ne!(text, SOUND, "{from:?} stands in the spec");
    let error = refuse(&text);
    let message = error.to_string();
    for fragment in fragments {
        assert!(
            message.contains(fragment),
            "{to:?}: no {fragment:?} in\n{message}"
        );
    }
    for problem in error.problems() {
        let (line, column) = problem.line_and_column(&text);
        let place = format!("bad.toml:{line}:{column}\n");
        assert!(message.contains(&place), "no {place:?} in\n{message}");
    }
}

const FAMILY: &str = "pattern = \"1^n\"\nn = \"1..=14\"";

#[test]
fn the_sound_spec_is_accepted() {
    assert!(Job::parse(SOUND, Path::new("good.toml"), &folder()).is_ok());
}

#[test]
fn keys_that_are_unknown_or_missing_are_refused() {
    for (from, to, fragments) in [
        (
            "play =",
            "plya =",
            &[
                "ruleset.plya: unknown key; accepted: game, play, pots",
                "bad.toml:5:1\n",
                "help: did you mean `play`?",
                "ruleset.play: missing; write play = \"partisan\"",
            ][..],
        ),
        (
            "name = \"ones\"",
            "",
            &["name: missing; write name = \"my-job\"", "bad.toml:1:1\n"],
        ),
        (
            "[columns]",
            "[colums]",
            &[
                "colums: unknown key; accepted: name, title, source, ruleset, family, columns, witness, table",
                "help: did you mean `columns`?",
            ],
        ),
        (
            "followers",
            "follower",
            &["columns.follower: unknown key; accepted: followers, depth, branching"],
        ),
        (
            "rows = \"n\"",
            "row = \"n\"",
            &["table.rows: missing; write rows = \"n\"", "bad.toml:14:2\n"],
        ),
        (
            "rows = \"n\"",
            "rows = \"n\"\ncolumns = \"n\"",
            &["table.columns: unknown key; accepted: layout, rows, columns_per_row, names"],
        ),
        (
            "[ruleset]\ngame = \"sowing\"\nplay = \"partisan\"",
            "",
            &["ruleset: missing; write a section [ruleset] with game and play"],
        ),
        (
            "n = \"1..=14\"",
            "n = \"1..=14\"\nrange = 3",
            &[
                "family.range: unknown key; accepted: pattern, all, positions, file, sample, \
                 union, a variable of the pattern",
                "bad.toml:10:1\n",
            ],
        ),
    ] {
        assert_refused(from, to, fragments);
    }
}

#[test]
fn values_of_the_wrong_type_are_refused() {
    for (from, to, fragments) in [
        (
            "\"ones\"",
            "1",
            &[
                "name: found an integer; accepted: a string",
                "bad.toml:1:8\n",
            ][..],
        ),
        (
            "true",
            "\"yes\"",
            &["columns.followers: found a string; accepted: true or false"],
        ),
        (
            "n = \"1..=14\"",
            "n = 1.5",
            &["family.n: found a float; accepted: a range such as \"1..=14\""],
        ),
        (
            "n = \"1..=14\"",
            "n = [1, \"2\"]",
            &[
                "family.n[1]: found a string; accepted: an integer",
                "bad.toml:9:9\n",
            ],
        ),
        (
            FAMILY,
            "all = 8",
            &["family.all: found an integer; accepted: a table, such as { pots_max"],
        ),
        (
            FAMILY,
            "positions = [312]",
            &["family.positions[0]: found an integer; accepted: a position in quotes"],
        ),
        (
            FAMILY,
            "union = [\"1^n\"]",
            &["family.union[0]: found a string; accepted: a family, such as"],
        ),
        (
            "[columns]\nfollowers = true",
            "[[columns]]",
            &["columns: found an array"],
        ),
    ] {
        assert_refused(from, to, fragments);
    }
}

#[test]
fn names_that_stand_for_nothing_are_refused() {
    for (from, to, fragments) in [
        (
            "\"sowing\"",
            "\"sowin\"",
            &[
                "ruleset.game: unknown game \"sowin\"; accepted: sowing, atomic-wari, ",
                "bad.toml:4:8\n",
                "did you mean `sowing`?",
            ][..],
        ),
        (
            "\"partisan\"",
            "\"partizan\"",
            &[
                "ruleset.play: unknown way of playing",
                "did you mean `partisan`?",
            ],
        ),
        (
            "\"ones\"",
            "\"Ones/1\"",
            &["name: invalid name \"Ones/1\"; accepted: 1 to 64 lowercase letters"],
        ),
        ("\"ones\"", "\"-ones\"", &["name: invalid name"]),
        ("\"ones\"", "\"\"", &["name: invalid name"]),
        (
            "\"sequences\"",
            "\"sequence\"",
            &[
                "table.layout: unknown layout \"sequence\"; accepted: list, grid, sequences",
                "did you mean `sequences`?",
            ],
        ),
        (
            "rows = \"n\"",
            "rows = \"k\"",
            &[
                "table.rows: unknown variable \"k\"; accepted: n",
                "did you mean `n`?",
            ],
        ),
        (
            FAMILY,
            "all = { pots_max = 3, order = \"seed\" }",
            &["family.all.order: unknown order \"seed\"; accepted: pots, seeds"],
        ),
    ] {
        assert_refused(from, to, fragments);
    }
}

#[test]
fn patterns_that_do_not_work_out_are_refused() {
    for (from, to, fragments) in [
        (
            "\"1^n\"",
            "\"2 1^?\"",
            &[
                "family.pattern: the exponent at character 5 is neither an integer",
                "bad.toml:8:16\n",
            ][..],
        ),
        (
            "\"1^n\"",
            "\"\"",
            &["family.pattern: an empty pattern", "bad.toml:8:11\n"],
        ),
        (
            "\"1^n\"",
            "\"1^n \\u0041\"",
            &[
                "family.pattern: unexpected 'A' at character 5",
                "bad.toml:8:11\n",
            ],
        ),
        (
            "\"1^n\"",
            "\"1^m\"",
            &[
                "family.pattern: the pattern's variable m has no range",
                "family.n: the pattern 1^m has no variable n",
                "bad.toml:9:1\n",
                "did you mean `m`?",
            ],
        ),
        (
            "n = \"1..=14\"",
            "",
            &[
                "the pattern's variable n has no range; write n = \"1..=9\"",
                "add `n = \"1..=9\"` below the pattern",
            ],
        ),
        (
            "\"1..=14\"",
            "\"5..=3\"",
            &["family.n: the range 5..=3 is empty", "bad.toml:9:5\n"],
        ),
        (
            "\"1..=14\"",
            "\"1...14\"",
            &["family.n: malformed range \"1...14\"; accepted: \"1..=14\", \"0..13\""],
        ),
        (
            "\"1..=14\"",
            "[]",
            &["family.n: an empty list; accepted: a list of integers"],
        ),
        (
            "\"1..=14\"",
            "[1, 1]",
            &["family.n: the list names 1 twice"],
        ),
        (
            "\"1..=14\"",
            "99999999999999999999",
            &["family.n: 99999999999999999999 is out of range"],
        ),
        (
            "\"1^n\"",
            "\"1^n-2\"",
            &["family.pattern: the exponent n-2 is -1 for n = 1; an exponent is at least 0"],
        ),
        (
            "\"1..=14\"",
            "\"1..=10001\"",
            &["the pattern expands to 10001 pots; at most 10000 are allowed"],
        ),
    ] {
        assert_refused(from, to, fragments);
    }
}

#[test]
fn families_that_are_none_are_refused() {
    for (to, fragments) in [
        (
            "",
            &[
                "family: no kind of family; accepted, exactly one of: pattern, all, positions, \
                 file, sample, union",
                "bad.toml:7:2\n",
            ][..],
        ),
        (
            "patern = \"1^n\"",
            &["family.patern: unknown key", "did you mean `pattern`?"],
        ),
        (
            "pattern = \"11\"\nall = { pots_max = 3 }",
            &[
                "family.all: a second kind of family beside pattern",
                "bad.toml:9:1\n",
            ],
        ),
        (
            "positions = [\"312\", \"3x2\"]",
            &[
                "family.positions[1]: unexpected 'x' at character 2",
                "bad.toml:8:23\n",
            ],
        ),
        (
            "positions = []",
            &["family.positions: an empty list; accepted: an array of positions"],
        ),
        (
            "file = \"no-such-file.txt\"",
            &[
                "family.file: cannot read ",
                "no-such-file.txt: ",
                "bad.toml:8:8\n",
            ],
        ),
        (
            "file = \"README.md\"",
            &[
                "family.file: ",
                "README.md:3: unexpected 'A' at character 1",
            ],
        ),
        (
            "all = { seeds_max = 3 }",
            &["family.all: no pots_max", "help: add `pots_max = 8`"],
        ),
        (
            "all = { pots_max = 121 }",
            &[
                "family.all.pots_max: pots_max is 121; accepted: 0 to 120",
                "bad.toml:8:20\n",
            ],
        ),
        (
            "all = { pots_min = -1, pots_max = 3 }",
            &["family.all.pots_min: -1 is out of range; accepted: 0 to 4294967295"],
        ),
        (
            "all = { pots_min = 4, pots_max = 3 }",
            &["family.all.pots_min: pots_min is 4, above pots_max, which is 3"],
        ),
        (
            "all = { pots_max = 40 }",
            &["family.all: more than 2^64 positions"],
        ),
        (
            "all = { pots_max = 14 }",
            &["family: ", " positions; accepted: at most 1099511627776"],
        ),
        (
            "sample = { count = 0, pots_max = 4 }",
            &[
                "family.sample.count: 0 is out of range; accepted: 1 to",
                "family.sample.seed: missing; write seed = 42",
            ],
        ),
        (
            "union = [{ pattern = \"1^n\", n = \"1..=3\" }, { pattern = \"2^n\" }, { }]",
            &[
                "family.union[1].pattern: the pattern's variable n has no range",
                "family.union[2]: no kind of family; accepted, exactly one of: pattern, all, \
                 positions, file, sample",
            ],
        ),
        (
            "union = [{ union = [] }]",
            &["family.union[0].union: unknown key"],
        ),
    ] {
        assert_refused(FAMILY, to, fragments);
    }
}

#[test]
fn positions_that_the_game_cannot_have_are_refused() {
    for (game, family, fragment) in [
        (
            "atomic-wari\"",
            "pattern = \"e 1^n e\"\nn = \"1..=3\"",
            "family.pattern: full pots (e, ...e, e...) exist in sowing only",
        ),
        (
            "atomic-wari\"",
            "positions = [\"3e\"]",
            "family.positions[0]: full pots (e, ...e, e...) exist in sowing only",
        ),
        (
            "atomic-wari\"\npots = 6",
            "pattern = \"1^n\"\nn = \"1..=7\"",
            "family.pattern: 7 pots on a board of 6 pots",
        ),
        (
            "atomic-wari\"\npots = 6",
            "positions = [\"1234567\"]",
            "family.positions[0]: 7 pots on a board of 6 pots",
        ),
        (
            "atomic-wari\"\npots = 6",
            "all = { pots_max = 6, seeds_max = 3 }",
            "family.all.pots_max: pots_max on a board of 6 pots",
        ),
        (
            "atomic-wari\"",
            "all = { pots_max = 6 }",
            "family.all: no seeds_max",
        ),
        (
            "sowing\"\npots = 6",
            FAMILY,
            "ruleset.pots: sowing has no board of fixed width; accepted for: atomic-wari",
        ),
        (
            "atomic-wari\"\npots = 121",
            FAMILY,
            "ruleset.pots: 121 is out of range; accepted: 1 to 120",
        ),
    ] {
        let text = SOUND.replace("sowing\"", game).replace(FAMILY, family);
        let message = refuse(&text).to_string();
        assert!(message.contains(fragment), "no {fragment:?} in\n{message}");
    }
}

#[test]
fn layouts_that_the_family_does_not_fit_are_refused() {
    const TABLE: &str = "layout = \"sequences\"\nrows = \"n\"";
    for (family, table, fragment) in [
        (
            FAMILY,
            "layout = \"grid\"\nrows = \"n\"\ncolumns = \"n\"",
            "table.layout: layout grid needs one pattern with two variables, one down and one \
             across; found pattern \"1^n\", rows = \"n\" and columns = \"n\"",
        ),
        (
            "pattern = \"x y\"\nx = 1\ny = 2",
            "layout = \"sequences\"\nrows = \"x\"",
            "table.layout: layout sequences needs patterns whose one variable goes down; found \
             pattern \"x y\", rows = \"x\"",
        ),
        (
            "all = { pots_max = 3 }",
            "layout = \"sequences\"\nrows = \"n\"",
            "table.rows: unknown variable \"n\"; accepted: none, as the family has no variables",
        ),
        (
            FAMILY,
            "layout = \"first-by-value\"",
            "table.layout: layout first-by-value needs play = \"impartial\"; found partisan",
        ),
        (
            FAMILY,
            "layout = \"list\"\ncolumns_per_row = 0",
            "table.columns_per_row: 0 is out of range; accepted: 1 to 100",
        ),
        (
            FAMILY,
            "layout = \"list\"\nnames = { \"^\" = 1 }",
            "table.names.^: found an integer; accepted: a string, the symbol to print",
        ),
        (
            FAMILY,
            "layout = \"list\"\nnames = { \"{1\" = \"x\" }",
            "table.names.{1: the key is no value",
        ),
        (
            FAMILY,
            "layout = \"list\"\nnames = { \"1\" = \"x\", \"{0|}\" = \"y\" }",
            "table.names.{0|}: the value has a symbol already, under \"1\"",
        ),
    ] {
        let text = SOUND.replace(FAMILY, family).replace(TABLE, table);
        let message = refuse(&text).to_string();
        assert!(message.contains(fragment), "no {fragment:?} in\n{message}");
    }
}

#[test]
fn texts_that_are_no_toml_are_refused_where_they_break() {
    for (text, place) in [
        ("", "bad.toml:1:1\n"),
        ("\n\nname = \n", "bad.toml:3:"),
        ("name = \"é", "bad.toml:1:"),
        ("[family]\nn = 1\nn = 2\n", "bad.toml:3:1\n"),
        ("name = \"a\" \"b\"", "bad.toml:1:"),
        ("\u{feff}= 3", "bad.toml:1:"),
        ("name = 1\r\nname", "bad.toml:2:"),
    ] {
        let error = refuse(text);
        let message = error.to_string();
        assert!(
            message.contains(place),
            "{text:?}: no {place:?} in\n{message}"
        );
        let (syntax, name) = ("error: not TOML: ", "error: name: missing");
        assert!(
            message.starts_with(if text.is_empty() { name } else { syntax }),
            "{message}"
        );
        assert!(error.reports(true)[0].contains('\u{1b}'));
    }
}

#[test]
fn all_problems_are_told_in_the_order_of_the_text() {
    let text = SOUND
        .replace("sowing", "chess")
        .replace("1..=14", "14..=1")
        .replace("true", "1");
    let error = refuse(&text);
    let keys: Vec<&str> = error.problems().iter().map(|p| p.key.as_str()).collect();
    assert_eq!(keys, ["ruleset.game", "columns.followers"], "{error}");
}

#[test]
fn many_problems_are_cut_short() {
    let positions = "\"x\", ".repeat(50);
    let text = SOUND.replace(FAMILY, &format!("positions = [{positions}]"));
    let error = refuse(&text);
    assert!(error.problems().len() >= 50);
    let message = error.to_string();
    assert_eq!(message.matches("error: ").count(), 21);
    assert!(
        message.ends_with("error: and 30 more problems in bad.toml"),
        "{message}"
    );
}

#[test]
fn a_slip_of_the_pen_anywhere_is_an_error_or_a_job() {
    let mut refused = 0;
    for (at, _) in SOUND.char_indices() {
        for slip in ["", "\"", "é", "\n", "[", "= ", "9", "\\", "\0", "\r"] {
            for width in 0..=1 {
                let rest = &SOUND[at + width..];
                let text = format!("{}{slip}{rest}", &SOUND[..at]);
                if let Err(error) = Job::parse(&text, Path::new("bad.toml"), &folder()) {
                    assert!(error.to_string().contains("bad.toml:"), "{text:?}: {error}");
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 1000, "{refused}");
}

/// A sound spec over heaps; a case replaces one text of it by another.
const HEAPS: &str = r#"name = "kayles"

[ruleset]
game = "octal"
code = "0.77"
sum = "obligated"

[family]
heaps = "0..=1000"

[table]
layout = "list"
columns_per_row = 4
"#;

fn heaps(from: &str, to: &str) -> Result<Job, JobError> {
    let text = HEAPS.replacen(from, to, 1);
    assert!(text != HEAPS || from == to, "{from:?} stands in the spec");
    Job::parse(&text, Path::new("bad.toml"), &folder())
}

const HEAPS_FAMILY: &str = "heaps = \"0..=1000\"";
const CODE: &str = "code = \"0.77\"\n";

#[test]
fn the_digest_of_a_job_over_heaps_is_of_its_meaning() {
    let digest = |from: &str, to: &str| {
        let job = heaps(from, to).unwrap_or_else(|error| panic!("{error}"));
        job.digest().to_string()
    };
    let sound = digest("", "");
    // Finished results are found by it.
    assert_eq!(
        sound,
        "91ea932a08723388426793da966a3ccc4816bc8f6fe3239d5d1f95f6984aea0d"
    );
    for (from, to) in [
        ("0.77", ".7700"),
        ("0..=1000", "0..1001"),
        ("columns_per_row = 4", ""),
        (
            "layout = \"list\"\ncolumns_per_row = 4",
            "layout = \"by-value\"",
        ),
    ] {
        assert_eq!(digest(from, to), sound, "{to}");
    }
    for (from, to) in [
        ("0.77", "0.7"),
        ("obligated", "disjunctive"),
        ("0..=1000", "1..=1000"),
        ("0..=1000", "0..=999"),
    ] {
        assert_ne!(digest(from, to), sound, "{to}");
    }
    let codes = "codes = { digits = 3 }\nheaps_max = 1000";
    let survey = |from: &str, to: &str| {
        let text = HEAPS
            .replace(CODE, "")
            .replace(HEAPS_FAMILY, &codes.replace(from, to))
            .replace("columns_per_row = 4\n", "");
        let job = Job::parse(&text, Path::new("good.toml"), &folder());
        job.unwrap_or_else(|error| panic!("{error}"))
            .digest()
            .to_string()
    };
    assert_eq!(survey("", ""), survey("= 3", "= 3, max_digit = 7"));
    assert_ne!(survey("", ""), survey("= 3", "= 2"));
    assert_ne!(survey("", ""), survey("= 3", "= 3, max_digit = 15"));
    assert_ne!(survey("", ""), survey("1000", "1001"));
}

#[test]
fn specs_over_heaps_are_refused_with_what_is_accepted() {
    for (from, to, fragments) in [
        (
            "\"octal\"",
            "\"octl\"",
            &["ruleset.game: unknown game", "did you mean `octal`?"][..],
        ),
        (
            "0.77",
            "0.7x",
            &["ruleset.code: unexpected 'x' at character 4"],
        ),
        ("\"0.77\"", "0.77", &["ruleset.code: found a float"]),
        (CODE, "", &["ruleset.game: a family of heaps needs a code"]),
        (
            "obligated",
            "obliged",
            &["ruleset.sum: unknown sum", "did you mean `obligated`?"],
        ),
        (
            "sum =",
            "play = \"impartial\"\nsum =",
            &["ruleset.play: unknown key; accepted: game, code, sum"],
        ),
        (
            "\"octal\"",
            "\"grundy\"",
            &["ruleset.code: unknown key; accepted: game, sum"],
        ),
        (
            "game = \"octal\"\ncode = \"0.77\"",
            "game = \"subtraction\"",
            &["ruleset.set: missing; write set = [1, 3, 4]"],
        ),
        (
            "game = \"octal\"\ncode = \"0.77\"",
            "game = \"subtraction\"\nset = [1, 0]",
            &["ruleset.set[1]: 0 is out of range; accepted: 1 to "],
        ),
        (
            "game = \"octal\"\ncode = \"0.77\"",
            "game = \"subtraction\"\nset = [3, 3]",
            &["ruleset.set: 3 occurs twice"],
        ),
        (
            "0..=1000",
            "5..=4",
            &["family.heaps: no range of heaps: \"5..=4\""],
        ),
        ("0..=1000", "-1..=4", &["family.heaps: no range of heaps"]),
        (
            "0..=1000",
            "0..=1073741824",
            &["up to 1073741823", "obligated sums"],
        ),
        (
            HEAPS_FAMILY,
            "heap = \"1\"",
            &["family: no kind of family", "did you mean `heaps`?"],
        ),
        (
            HEAPS_FAMILY,
            "heaps = \"1\"\ncodes = { digits = 3 }\nheaps_max = 64",
            &["family.codes: a second kind of family beside heaps"],
        ),
        (
            HEAPS_FAMILY,
            "pattern = \"1^n\"",
            &["family.pattern: unknown key; accepted: heaps, codes"],
        ),
        (
            HEAPS_FAMILY,
            "codes = { digits = 3 }\nheaps_max = 64",
            &["ruleset.game: a family of codes needs game = \"octal\" without a code"],
        ),
        (
            HEAPS_FAMILY,
            "codes = { digits = 9 }\nheaps_max = 63",
            &[
                "family.codes: too many codes of 9 digits from 0 to 7; accepted: at most 16777216",
                "family.heaps_max: 63 is out of range; accepted: 64 to",
            ],
        ),
        (
            HEAPS_FAMILY,
            "codes = { digits = 3 }",
            &["family.heaps_max: missing"],
        ),
        (
            "\"list\"",
            "\"summary\"",
            &["table.layout: unknown layout \"summary\"; accepted: list, by-value"],
        ),
        ("= 4", "= 0", &["table.columns_per_row: 0 is out of range"]),
        (
            "[table]",
            "[columns]\n[table]",
            &["columns: unknown key; accepted: name, title, source, ruleset, family, table"],
        ),
    ] {
        let error = heaps(from, to).expect_err(to).to_string();
        for fragment in fragments {
            assert!(
                error.contains(fragment),
                "{to:?}: no {fragment:?} in\n{error}"
            );
        }
    }
}
