//! The specs that ship with the package, the examples of their documentation, and specs that must
//! be refused: by the reader and, but for a list of reasons, by the schema.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::schema;
use crate::common::strips::strips;
use seedbank::job::JobError;
use seedbank::task::Job;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("jobs")
}

fn specs() -> Vec<PathBuf> {
    fn add(folder: &Path, specs: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                add(&path, specs);
            } else if path.extension().is_some_and(|end| end == "toml") {
                specs.push(path);
            }
        }
    }

    let mut specs = Vec::new();
    add(&folder(), &mut specs);
    specs.sort();
    specs
}

#[test]
fn every_spec_is_sound_names_the_schema_and_is_named_like_its_file() {
    let specs = specs();
    assert!(specs.len() > 100, "{specs:?}");
    let schema = folder().join("schema.json").canonicalize().unwrap();
    let mut names = Vec::new();
    for path in specs {
        let job = Job::load(&path).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(
            path.file_stem().and_then(|stem| stem.to_str()),
            Some(job.header.name.as_str())
        );
        assert!(
            job.header.title.is_some() && job.header.source.is_some(),
            "{}",
            job.header.name
        );
        assert!(
            !names.contains(&job.header.name),
            "{} twice",
            job.header.name
        );
        names.push(job.header.name);
        let text = job.header.text;
        let first = text.lines().next().unwrap_or_default();
        let named = first.strip_prefix("#:schema ");
        let named = named.unwrap_or_else(|| panic!("{path:?}: {first:?} names no schema"));
        let found = path.with_file_name(named).canonicalize();
        assert_eq!(found.ok().as_ref(), Some(&schema), "{path:?}");
        assert_eq!(schema::fault(&text), None, "{path:?}");
    }
}

#[test]
fn the_specs_have_the_positions_of_the_paper() {
    let members = |name: &str| {
        let job = Job::load(&folder().join(name)).unwrap();
        strips(&job)
            .family
            .iter()
            .map(|member| member.position.to_string())
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
    let folders = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let pages = folders
        .chain([folder()])
        .map(|folder| folder.join("README.md"));
    let mut count = 0;
    for page in pages.filter(|page| page.exists()) {
        let text = fs::read_to_string(&page).unwrap();
        let blocks = text
            .split("```toml\n")
            .skip(1)
            .filter_map(|rest| rest.split_once("```"));
        for (example, _) in blocks {
            let job = Job::parse(example, &page, &folder());
            // Other blocks show only some lines of a spec.
            if job.is_ok() || example.contains("name = ") {
                job.unwrap_or_else(|error| panic!("{error}"));
                assert_eq!(schema::fault(example), None, "{page:?}:\n{example}");
                count += 1;
            }
        }
    }
    assert!(count >= 20, "{count} examples");
}

/// A sound spec. Each case replaces one text of it.
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
        Err(error) => {
            schema::assert_refused(text, &error);
            error
        }
    }
}

/// A fault in a sound spec.
struct Slip {
    /// A text of the spec.
    from: &'static str,
    /// The text that replaces it.
    to: &'static str,
    /// Parts of the message.
    says: &'static [&'static str],
}

impl Slip {
    /// Checks that a spec with the fault is refused, and that the message names the place of each
    /// problem.
    fn assert_refused_in(&self, sound: &str) {
        let Slip { from, to, says } = self;
        let text = sound.replacen(from, to, 1);
        assert_ne!(text, sound, "{from:?} stands in the spec");
        let error = refuse(&text);
        let message = error.to_string();
        for said in *says {
            assert!(message.contains(said), "{to:?}: no {said:?} in\n{message}");
        }
        for problem in error.problems() {
            let (line, column) = problem.line_and_column(&text);
            let place = format!("bad.toml:{line}:{column}\n");
            assert!(message.contains(&place), "no {place:?} in\n{message}");
        }
    }
}

const FAMILY: &str = "pattern = \"1^n\"\nn = \"1..=14\"";

#[test]
fn the_sound_spec_is_accepted() {
    assert!(Job::parse(SOUND, Path::new("good.toml"), &folder()).is_ok());
}

#[test]
fn keys_that_are_unknown_or_missing_are_refused() {
    for slip in [
        Slip {
            from: "play =",
            to: "plya =",
            says: &[
                "ruleset.plya: unknown key; accepted: game, play, ending, pots",
                "bad.toml:5:1\n",
                "help: did you mean `play`?",
                "ruleset.play: missing; write play = \"partisan\"",
            ],
        },
        Slip {
            from: "name = \"ones\"",
            to: "",
            says: &["name: missing; write name = \"my-job\"", "bad.toml:1:1\n"],
        },
        Slip {
            from: "[columns]",
            to: "[colums]",
            says: &[
                "colums: unknown key; accepted: name, title, source, ruleset, family, columns, ",
                "help: did you mean `columns`?",
            ],
        },
        Slip {
            from: "followers",
            to: "follower",
            says: &[
                "columns.follower: unknown key; accepted: followers, depth, branching, genus, misere_form",
            ],
        },
        Slip {
            from: "rows = \"n\"",
            to: "row = \"n\"",
            says: &["table.rows: missing; write rows = \"n\"", "bad.toml:14:2\n"],
        },
        Slip {
            from: "rows = \"n\"",
            to: "rows = \"n\"\ncolumns = \"n\"",
            says: &["table.columns: unknown key; accepted: layout, rows, columns_per_row, names"],
        },
        Slip {
            from: "[ruleset]\ngame = \"sowing\"\nplay = \"partisan\"",
            to: "",
            says: &["ruleset: missing; write a section [ruleset] with game and play"],
        },
        Slip {
            from: "n = \"1..=14\"",
            to: "n = \"1..=14\"\nrange = 3",
            says: &[
                "family.range: unknown key; accepted: pattern, all, positions, file, sample, \
                 union, a variable of the pattern",
                "bad.toml:10:1\n",
            ],
        },
    ] {
        slip.assert_refused_in(SOUND);
    }
}

#[test]
fn values_of_the_wrong_type_are_refused() {
    for slip in [
        Slip {
            from: "\"ones\"",
            to: "1",
            says: &[
                "name: found an integer; accepted: a string",
                "bad.toml:1:8\n",
            ],
        },
        Slip {
            from: "true",
            to: "\"yes\"",
            says: &["columns.followers: found a string; accepted: true or false"],
        },
        Slip {
            from: "n = \"1..=14\"",
            to: "n = 1.5",
            says: &["family.n: found a float; accepted: a range such as \"1..=14\""],
        },
        Slip {
            from: "n = \"1..=14\"",
            to: "n = [1, \"2\"]",
            says: &[
                "family.n[1]: found a string; accepted: an integer",
                "bad.toml:9:9\n",
            ],
        },
        Slip {
            from: FAMILY,
            to: "all = 8",
            says: &["family.all: found an integer; accepted: a table, such as { pots_max"],
        },
        Slip {
            from: FAMILY,
            to: "positions = [312]",
            says: &["family.positions[0]: found an integer; accepted: a position in quotes"],
        },
        Slip {
            from: FAMILY,
            to: "union = [\"1^n\"]",
            says: &["family.union[0]: found a string; accepted: a family, such as"],
        },
        Slip {
            from: "[columns]\nfollowers = true",
            to: "[[columns]]",
            says: &["columns: found an array"],
        },
    ] {
        slip.assert_refused_in(SOUND);
    }
}

#[test]
fn unknown_names_are_refused() {
    for slip in [
        Slip {
            from: "\"sowing\"",
            to: "\"sowin\"",
            says: &[
                "ruleset.game: unknown game \"sowin\"; accepted: sowing, atomic-wari, ",
                "bad.toml:4:8\n",
                "did you mean `sowing`?",
            ],
        },
        Slip {
            from: "\"partisan\"",
            to: "\"partizan\"",
            says: &[
                "ruleset.play: unknown way of playing",
                "did you mean `partisan`?",
            ],
        },
        Slip {
            from: "\"ones\"",
            to: "\"Ones/1\"",
            says: &["name: invalid name \"Ones/1\"; accepted: 1 to 64 lowercase letters"],
        },
        Slip {
            from: "\"ones\"",
            to: "\"-ones\"",
            says: &["name: invalid name"],
        },
        Slip {
            from: "\"ones\"",
            to: "\"\"",
            says: &["name: invalid name"],
        },
        Slip {
            from: "\"sequences\"",
            to: "\"sequence\"",
            says: &[
                "table.layout: unknown layout \"sequence\"; accepted: list, grid, sequences",
                "did you mean `sequences`?",
            ],
        },
        Slip {
            from: "rows = \"n\"",
            to: "rows = \"k\"",
            says: &[
                "table.rows: unknown variable \"k\"; accepted: n",
                "did you mean `n`?",
            ],
        },
        Slip {
            from: FAMILY,
            to: "all = { pots_max = 3, order = \"seed\" }",
            says: &["family.all.order: unknown order \"seed\"; accepted: pots, seeds"],
        },
    ] {
        slip.assert_refused_in(SOUND);
    }
}

#[test]
fn invalid_patterns_are_refused() {
    for slip in [
        Slip {
            from: "\"1^n\"",
            to: "\"2 1^?\"",
            says: &[
                "family.pattern: the exponent at character 5 is neither an integer",
                "bad.toml:8:16\n",
            ],
        },
        Slip {
            from: "\"1^n\"",
            to: "\"\"",
            says: &["family.pattern: an empty pattern", "bad.toml:8:11\n"],
        },
        Slip {
            from: "\"1^n\"",
            to: "\"1^n \\u0041\"",
            says: &[
                "family.pattern: unexpected 'A' at character 5",
                "bad.toml:8:11\n",
            ],
        },
        Slip {
            from: "\"1^n\"",
            to: "\"1^m\"",
            says: &[
                "family.pattern: the pattern's variable m has no range",
                "family.n: the pattern 1^m has no variable n",
                "bad.toml:9:1\n",
                "did you mean `m`?",
            ],
        },
        Slip {
            from: "n = \"1..=14\"",
            to: "",
            says: &[
                "the pattern's variable n has no range; write n = \"1..=9\"",
                "add `n = \"1..=9\"` below the pattern",
            ],
        },
        Slip {
            from: "\"1..=14\"",
            to: "\"5..=3\"",
            says: &["family.n: the range 5..=3 is empty", "bad.toml:9:5\n"],
        },
        Slip {
            from: "\"1..=14\"",
            to: "\"1...14\"",
            says: &["family.n: malformed range \"1...14\"; accepted: \"1..=14\", \"0..13\""],
        },
        Slip {
            from: "\"1..=14\"",
            to: "[]",
            says: &["family.n: an empty list; accepted: a list of integers"],
        },
        Slip {
            from: "\"1..=14\"",
            to: "[1, 1]",
            says: &["family.n: the list names 1 twice"],
        },
        Slip {
            from: "\"1..=14\"",
            to: "99999999999999999999",
            says: &["family.n: 99999999999999999999 is out of range"],
        },
        Slip {
            from: "\"1^n\"",
            to: "\"1^n-2\"",
            says: &["family.pattern: the exponent n-2 is -1 for n = 1; an exponent is at least 0"],
        },
        Slip {
            from: "\"1..=14\"",
            to: "\"1..=10001\"",
            says: &["the pattern expands to 10001 pots; at most 10000 are allowed"],
        },
    ] {
        slip.assert_refused_in(SOUND);
    }
}

#[test]
fn invalid_families_are_refused() {
    for slip in [
        Slip {
            from: FAMILY,
            to: "",
            says: &[
                "family: no kind of family; accepted, exactly one of: pattern, all, positions, \
                 file, sample, union",
                "bad.toml:7:2\n",
            ],
        },
        Slip {
            from: FAMILY,
            to: "patern = \"1^n\"",
            says: &["family.patern: unknown key", "did you mean `pattern`?"],
        },
        Slip {
            from: FAMILY,
            to: "pattern = \"11\"\nall = { pots_max = 3 }",
            says: &[
                "family.all: a second kind of family beside pattern",
                "bad.toml:9:1\n",
            ],
        },
        Slip {
            from: FAMILY,
            to: "positions = [\"312\", \"3x2\"]",
            says: &[
                "family.positions[1]: unexpected 'x' at character 2",
                "bad.toml:8:23\n",
            ],
        },
        Slip {
            from: FAMILY,
            to: "positions = []",
            says: &["family.positions: an empty list; accepted: an array of positions"],
        },
        Slip {
            from: FAMILY,
            to: "file = \"no-such-file.txt\"",
            says: &[
                "family.file: cannot read ",
                "no-such-file.txt: ",
                "bad.toml:8:8\n",
            ],
        },
        Slip {
            from: FAMILY,
            to: "file = \"README.md\"",
            says: &[
                "family.file: ",
                "README.md:3: unexpected 'A' at character 1",
            ],
        },
        Slip {
            from: FAMILY,
            to: "all = { seeds_max = 3 }",
            says: &["family.all: no pots_max", "help: add `pots_max = 8`"],
        },
        Slip {
            from: FAMILY,
            to: "all = { pots_max = 121 }",
            says: &[
                "family.all.pots_max: pots_max is 121; accepted: 0 to 120",
                "bad.toml:8:20\n",
            ],
        },
        Slip {
            from: FAMILY,
            to: "all = { pots_min = -1, pots_max = 3 }",
            says: &["family.all.pots_min: -1 is out of range; accepted: 0 to 4294967295"],
        },
        Slip {
            from: FAMILY,
            to: "all = { pots_min = 4, pots_max = 3 }",
            says: &["family.all.pots_min: pots_min is 4, above pots_max, which is 3"],
        },
        Slip {
            from: FAMILY,
            to: "all = { pots_max = 40 }",
            says: &["family.all: more than 2^64 positions"],
        },
        Slip {
            from: FAMILY,
            to: "all = { pots_max = 14 }",
            says: &["family: ", " positions; accepted: at most 1099511627776"],
        },
        Slip {
            from: FAMILY,
            to: "sample = { count = 0, pots_max = 4 }",
            says: &[
                "family.sample.count: 0 is out of range; accepted: 1 to",
                "family.sample.seed: missing; write seed = 42",
            ],
        },
        Slip {
            from: FAMILY,
            to: "union = [{ pattern = \"1^n\", n = \"1..=3\" }, { pattern = \"2^n\" }, { }]",
            says: &[
                "family.union[1].pattern: the pattern's variable n has no range",
                "family.union[2]: no kind of family; accepted, exactly one of: pattern, all, \
                 positions, file, sample",
            ],
        },
        Slip {
            from: FAMILY,
            to: "union = [{ union = [] }]",
            says: &["family.union[0].union: unknown key"],
        },
    ] {
        slip.assert_refused_in(SOUND);
    }
}

#[test]
fn positions_that_the_game_cannot_have_are_refused() {
    struct Misfit {
        game: &'static str,
        family: &'static str,
        says: &'static str,
    }
    for Misfit { game, family, says } in [
        Misfit {
            game: "atomic-wari\"",
            family: "pattern = \"e 1^n e\"\nn = \"1..=3\"",
            says: "family.pattern: full pots (e, ...e, e...) exist in sowing only",
        },
        Misfit {
            game: "atomic-wari\"",
            family: "positions = [\"3e\"]",
            says: "family.positions[0]: full pots (e, ...e, e...) exist in sowing only",
        },
        Misfit {
            game: "atomic-wari\"\npots = 6",
            family: "pattern = \"1^n\"\nn = \"1..=7\"",
            says: "family.pattern: 7 pots on a board of 6 pots",
        },
        Misfit {
            game: "atomic-wari\"\npots = 6",
            family: "positions = [\"1234567\"]",
            says: "family.positions[0]: 7 pots on a board of 6 pots",
        },
        Misfit {
            game: "atomic-wari\"\npots = 6",
            family: "all = { pots_max = 6, seeds_max = 3 }",
            says: "family.all.pots_max: pots_max on a board of 6 pots",
        },
        Misfit {
            game: "atomic-wari\"",
            family: "all = { pots_max = 6 }",
            says: "family.all: no seeds_max",
        },
        Misfit {
            game: "sowing\"\npots = 6",
            family: FAMILY,
            says: "ruleset.pots: sowing has no board of fixed width; accepted for: atomic-wari",
        },
        Misfit {
            game: "atomic-wari\"\npots = 121",
            family: FAMILY,
            says: "ruleset.pots: 121 is out of range; accepted: 1 to 120",
        },
    ] {
        let text = SOUND.replace("sowing\"", game).replace(FAMILY, family);
        let message = refuse(&text).to_string();
        assert!(message.contains(says), "no {says:?} in\n{message}");
    }
}

#[test]
fn layouts_that_the_family_does_not_fit_are_refused() {
    struct Unfit {
        family: &'static str,
        table: &'static str,
        says: &'static str,
    }
    const TABLE: &str = "layout = \"sequences\"\nrows = \"n\"";
    for Unfit {
        family,
        table,
        says,
    } in [
        Unfit {
            family: FAMILY,
            table: "layout = \"grid\"\nrows = \"n\"\ncolumns = \"n\"",
            says: "table.layout: layout grid needs one pattern, or rectangles, with one variable down, one across, \
             and one value for any other; found pattern \"1^n\", rows = \"n\" and columns = \"n\"",
        },
        Unfit {
            family: "pattern = \"x y\"\nx = 1\ny = 2",
            table: "layout = \"sequences\"\nrows = \"x\"",
            says: "table.layout: layout sequences needs patterns whose one variable goes down; found \
             pattern \"x y\", rows = \"x\"",
        },
        Unfit {
            family: "all = { pots_max = 3 }",
            table: "layout = \"sequences\"\nrows = \"n\"",
            says: "table.rows: unknown variable \"n\"; accepted: none, as the family has no variables",
        },
        Unfit {
            family: FAMILY,
            table: "layout = \"first-by-value\"",
            says: "table.layout: layout first-by-value needs play = \"impartial\"; found partisan",
        },
        Unfit {
            family: FAMILY,
            table: "layout = \"list\"\ncolumns_per_row = 0",
            says: "table.columns_per_row: 0 is out of range; accepted: 1 to 100",
        },
        Unfit {
            family: FAMILY,
            table: "layout = \"list\"\nnames = { \"^\" = 1 }",
            says: "table.names.^: found an integer; accepted: a string, the symbol to print",
        },
        Unfit {
            family: FAMILY,
            table: "layout = \"list\"\nnames = { \"{1\" = \"x\" }",
            says: "table.names.{1: the key is no value",
        },
        Unfit {
            family: FAMILY,
            table: "layout = \"list\"\nnames = { \"1\" = \"x\", \"{0|}\" = \"y\" }",
            says: "table.names.{0|}: the value has a symbol already, under \"1\"",
        },
    ] {
        let text = SOUND.replace(FAMILY, family).replace(TABLE, table);
        let message = refuse(&text).to_string();
        assert!(message.contains(says), "no {says:?} in\n{message}");
    }
}

#[test]
fn invalid_toml_is_refused_where_it_breaks() {
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
fn all_problems_are_reported_in_the_order_of_the_text() {
    let text = SOUND
        .replace("sowing", "chess")
        .replace("1..=14", "14..=1")
        .replace("true", "1");
    let error = refuse(&text);
    let keys: Vec<&str> = error.problems().iter().map(|p| p.key.as_str()).collect();
    assert_eq!(keys, ["ruleset.game", "columns.followers"], "{error}");
}

#[test]
fn a_long_list_of_problems_is_abridged() {
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
fn a_typing_error_anywhere_is_an_error_or_a_job() {
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

/// A sound spec over heaps. Each case replaces one text of it.
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
fn the_digest_of_a_job_over_heaps_depends_on_its_meaning() {
    let digest = |from: &str, to: &str| {
        let job = heaps(from, to).unwrap_or_else(|error| panic!("{error}"));
        job.header.digest.to_string()
    };
    let sound = digest("", "");
    // The digest identifies finished results.
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
            .header
            .digest
            .to_string()
    };
    assert_eq!(survey("", ""), survey("= 3", "= 3, max_digit = 7"));
    assert_ne!(survey("", ""), survey("= 3", "= 2"));
    assert_ne!(survey("", ""), survey("= 3", "= 3, max_digit = 15"));
    assert_ne!(survey("", ""), survey("1000", "1001"));
}

/// A sound spec over sums. Each case replaces one text of it.
const SUMS: &str = r#"name = "sums"

[ruleset]
game = "obligated"

[family]
sum = "knight(i,j) + nim(3)"
i = "0..=24"
j = "0..=24"

[table]
layout = "grid"
"#;

#[test]
fn the_digest_of_a_job_over_sums_depends_on_its_meaning() {
    let digest = |from: &str, to: &str| {
        let text = SUMS.replacen(from, to, 1);
        assert!(text != SUMS || from == to, "{from:?} stands in the spec");
        let job = Job::parse(&text, Path::new("good.toml"), &folder());
        let job = job.unwrap_or_else(|error| panic!("{error}"));
        job.header.digest.to_string()
    };
    let sound = digest("", "");
    // The digest identifies finished results.
    assert_eq!(
        sound,
        "5abf409ed2e4415bf8812e9dc865285d5c283033cf9522d97cabcde86ba92909"
    );
    for (from, to) in [
        ("(i,j) + nim", "( i , j )+nim"),
        (
            "i = \"0..=24\"\nj = \"0..=24\"",
            "j = \"0..=24\"\ni = \"0..25\"",
        ),
        ("grid", "list"),
    ] {
        assert_eq!(digest(from, to), sound, "{to}");
    }
    for (from, to) in [
        ("obligated", "disjunctive"),
        ("nim(3)", "nim(4)"),
        ("(i,j)", "(j,i)"),
        ("i = \"0..=24\"", "i = \"0..=23\""),
    ] {
        assert_ne!(digest(from, to), sound, "{to}");
    }
}

#[test]
fn specs_over_sums_are_refused_with_what_is_accepted() {
    for slip in [
        Slip {
            from: "game = \"obligated\"",
            to: "game = \"obligated\"\nplay = \"impartial\"",
            says: &["ruleset.play: unknown key; accepted: game"],
        },
        Slip {
            from: "sum =",
            to: "sums =",
            says: &[
                "family.sum: missing; write sum = \"knight(i,j)\"",
                "family.sums: unknown key",
                "did you mean `sum`?",
            ],
        },
        Slip {
            from: "\"knight(i,j) + nim(3)\"",
            to: "3",
            says: &["family.sum: found an integer; accepted: a string"],
        },
        Slip {
            from: "knight(i,j)",
            to: "knight(i,j,j)",
            says: &["family.sum: knight takes 2 numbers, the column and the row, 3 are given"],
        },
        Slip {
            from: "nim(3)",
            to: "nim(k)",
            says: &["family.sum: the sum's variable k has no range; write k = "],
        },
        Slip {
            from: "(i,j)",
            to: "(i,i)",
            says: &["family.j: the sum knight(i,i) + nim(3) has no variable j"],
        },
        Slip {
            from: "nim(3)",
            to: "nim(three)",
            says: &[
                "family.sum: \"three\" is no number",
                "at character 19",
                "a lowercase letter each",
            ],
        },
        Slip {
            from: "j = \"0..=24\"",
            to: "j = \"0..=1990\"",
            says: &[
                "2014 is too large for the sum of a knight's coordinates; at most 2000 is accepted",
                "at i=24,j=1990",
            ],
        },
        Slip {
            from: "j = \"0..=24\"",
            to: "j = \"-1..=24\"",
            says: &[
                "\"-1\" is no number; whole numbers are accepted",
                "at i=0,j=-1",
            ],
        },
        Slip {
            from: "j = \"0..=24\"",
            to: "j = \"9..=4\"",
            says: &["family.j: the range 9..=4 is empty"],
        },
        Slip {
            from: "obligated\"\n\n[family]\nsum = \"knight(i,j) +",
            to: "disjunctive\"\n\n[family]\nsum = \"knight(i,j) >",
            says: &["family.sum: \">\" in a disjunctive sum"],
        },
        Slip {
            from: "knight(i,j) + nim(3)\"",
            to: "subtraction(1,i)(j)\"",
            says: &["family.sum: the variable i in a subtraction set; write its numbers out"],
        },
        Slip {
            from: "j = \"0..=24\"",
            to: "j = \"0..=24\"\nk = 3",
            says: &[
                "family.k: the sum knight(i,j) + nim(3) has no variable k",
                "remove it",
            ],
        },
        Slip {
            from: "(i,j) + nim(3)\"\ni = \"0..=24\"\nj",
            to: "(3,j)\"\nj",
            says: &["table.layout: unknown layout \"grid\"; accepted: list"],
        },
        Slip {
            from: "layout = \"grid\"",
            to: "layout = \"grid\"\nrows = \"i\"",
            says: &["table.rows: unknown key; accepted: layout"],
        },
    ] {
        slip.assert_refused_in(SUMS);
    }
}

#[test]
fn specs_over_heaps_are_refused_with_what_is_accepted() {
    for slip in [
        Slip {
            from: "\"octal\"",
            to: "\"octl\"",
            says: &["ruleset.game: unknown game", "did you mean `octal`?"],
        },
        Slip {
            from: "0.77",
            to: "0.7x",
            says: &["ruleset.code: unexpected 'x' at character 4"],
        },
        Slip {
            from: "\"0.77\"",
            to: "0.77",
            says: &["ruleset.code: found a float"],
        },
        Slip {
            from: CODE,
            to: "",
            says: &["ruleset.game: a family of heaps needs a code"],
        },
        Slip {
            from: "obligated",
            to: "obliged",
            says: &["ruleset.sum: unknown sum", "did you mean `obligated`?"],
        },
        Slip {
            from: "sum =",
            to: "play = \"impartial\"\nsum =",
            says: &["ruleset.play: unknown key; accepted: game, code, sum"],
        },
        Slip {
            from: "\"octal\"",
            to: "\"grundy\"",
            says: &["ruleset.code: unknown key; accepted: game, sum"],
        },
        Slip {
            from: "game = \"octal\"\ncode = \"0.77\"",
            to: "game = \"subtraction\"",
            says: &["ruleset.set: missing; write set = [1, 3, 4]"],
        },
        Slip {
            from: "game = \"octal\"\ncode = \"0.77\"",
            to: "game = \"subtraction\"\nset = [1, 0]",
            says: &["ruleset.set[1]: 0 is out of range; accepted: 1 to "],
        },
        Slip {
            from: "game = \"octal\"\ncode = \"0.77\"",
            to: "game = \"subtraction\"\nset = [3, 3]",
            says: &["ruleset.set: 3 occurs twice"],
        },
        Slip {
            from: "0..=1000",
            to: "5..=4",
            says: &["family.heaps: no range of heaps: \"5..=4\""],
        },
        Slip {
            from: "0..=1000",
            to: "-1..=4",
            says: &["family.heaps: no range of heaps"],
        },
        Slip {
            from: "0..=1000",
            to: "0..=1073741824",
            says: &["up to 1073741823", "obligated sums"],
        },
        Slip {
            from: HEAPS_FAMILY,
            to: "heap = \"1\"",
            says: &["family: no kind of family", "did you mean `heaps`?"],
        },
        Slip {
            from: HEAPS_FAMILY,
            to: "heaps = \"1\"\ncodes = { digits = 3 }\nheaps_max = 64",
            says: &["family.codes: a second kind of family beside heaps"],
        },
        Slip {
            from: HEAPS_FAMILY,
            to: "pattern = \"1^n\"",
            says: &["family.pattern: unknown key; accepted: heaps, codes"],
        },
        Slip {
            from: HEAPS_FAMILY,
            to: "codes = { digits = 3 }\nheaps_max = 64",
            says: &["ruleset.game: a family of codes needs game = \"octal\" without a code"],
        },
        Slip {
            from: HEAPS_FAMILY,
            to: "codes = { digits = 9 }\nheaps_max = 63",
            says: &[
                "family.codes: too many codes of 9 digits from 0 to 7; accepted: at most 16777216",
                "family.heaps_max: 63 is out of range; accepted: 64 to",
            ],
        },
        Slip {
            from: HEAPS_FAMILY,
            to: "codes = { digits = 3 }",
            says: &["family.heaps_max: missing"],
        },
        Slip {
            from: "\"list\"",
            to: "\"summary\"",
            says: &["table.layout: unknown layout \"summary\"; accepted: list, by-value"],
        },
        Slip {
            from: "= 4",
            to: "= 0",
            says: &["table.columns_per_row: 0 is out of range"],
        },
        Slip {
            from: "[table]",
            to: "[columns]\n[table]",
            says: &["columns: unknown key; accepted: name, title, source, ruleset, family, table"],
        },
    ] {
        slip.assert_refused_in(HEAPS);
    }
}
