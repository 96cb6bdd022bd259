//! Games from files of moves: all formats, values with the games they are exported from, cycles, faults, and the games that ship.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use parquet::file::reader::{FileReader, SerializedFileReader};
use seedbank::dataset::PositionRow;
use seedbank::digest::Digest;

use crate::common::python::python;
use crate::common::workspace::{Ended, Workspace, ended, of_out, printed, seedbank};

/// A line of a file: a position, and the options of Left, of both players, and of Right.
type Line = (String, [Vec<String>; 3]);

/// Random lines whose moves lead to each other.
fn random_lines(random: &mut fastrand::Rng, positions: usize) -> Vec<Line> {
    let name = |n: usize| match n {
        0 => String::new(),
        1 => "[\"a\" b".to_owned(),
        2 => "x,y \u{2603}\n\u{1b}[1m".to_owned(),
        _ => format!("p{n}"),
    };
    let mut lines: Vec<Line> = (0..positions)
        .map(|n| {
            let mut options = |_| {
                let some = 0..random.usize(0..3);
                some.map(|_| name(random.usize(0..positions))).collect()
            };
            (name(n), [0, 1, 2].map(&mut options))
        })
        .collect();
    random.shuffle(&mut lines);
    lines
}

fn json(lines: &[Line]) -> String {
    let line = |(position, [left, both, right]): &Line| {
        let object = serde_json::json!({
            "right": right, "options": both, "left": left, "position": position,
        });
        object.to_string() + "\n"
    };
    lines.iter().map(line).collect()
}

fn csv(lines: &[Line]) -> String {
    let quoted = |text: String| format!("\"{}\"", text.replace('"', "\"\""));
    let list = |names: &Vec<String>| {
        let is_plain = |name: &String| name.starts_with('p');
        quoted(match names.iter().all(is_plain) {
            true => names.join("  "),
            false => serde_json::json!(names).to_string(),
        })
    };
    let line = |(position, [left, both, right]): &Line| {
        let position = quoted(position.clone());
        format!(
            "{},{position},{},{}\r\n",
            list(right),
            list(both),
            list(left)
        )
    };
    let lines: String = lines.iter().map(line).collect();
    "right,position,options,left\r\n".to_owned() + &lines
}

fn parquet(path: &Path, lines: &[Line]) {
    let names = lines.iter().map(|(position, _)| Some(position.as_str()));
    let position: ArrayRef = Arc::new(names.collect::<arrow_array::StringViewArray>());
    let list = |which: usize| -> ArrayRef {
        let mut lists = ListBuilder::new(StringBuilder::new());
        for (_, moves) in lines {
            moves[which]
                .iter()
                .for_each(|name| lists.values().append_value(name));
            lists.append(!moves[which].is_empty());
        }
        Arc::new(lists.finish())
    };
    let columns = [
        ("left", list(0)),
        ("options", list(1)),
        ("position", position),
        ("right", list(2)),
    ];
    write_parquet(path, &RecordBatch::try_from_iter(columns).unwrap());
}

fn write_parquet(path: &Path, batch: &RecordBatch) {
    let file = fs::File::create(path).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None).unwrap();
    writer.write(batch).unwrap();
    writer.close().unwrap();
}

/// Writes the spec of a job over a file of moves and returns its path.
fn spec(here: &Workspace, name: &str, play: &str, file: &str, family: &str) -> PathBuf {
    let rest = format!("play = {play:?}\nmoves = {file:?}\n[family]\n{family}");
    here.plain_spec(name, "moves", &rest)
}

/// Runs a job and returns its rows.
fn rows(here: &Workspace, spec: &Path, options: &[&str]) -> Vec<PositionRow> {
    let ran = here.run(spec, options);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    here.rows(spec)
}

/// Returns what rows say about positions.
fn said(rows: &[PositionRow]) -> BTreeMap<String, [Option<String>; 5]> {
    let said = rows.iter().map(|row| {
        let value = row.value.as_ref().and_then(|value| value.value.as_deref());
        let texts = [
            &row.outcome,
            &row.value_missing,
            &row.left_first,
            &row.right_first,
        ];
        let [outcome, missing, left, right] = texts.map(|text| text.as_deref().map(str::to_owned));
        (
            row.position.clone(),
            [value.map(str::to_owned), outcome, missing, left, right],
        )
    });
    said.collect()
}

#[test]
fn all_formats_say_the_same() {
    let mut random = fastrand::Rng::with_seed(5);
    let here = Workspace::new();
    let mut loopy = 0;
    for round in 0..6 {
        let lines = random_lines(&mut random, 3 + 8 * round);
        fs::write(here.path("game.ndjson"), json(&lines)).unwrap();
        fs::write(here.path("game.CSV"), "\u{feff}".to_owned() + &csv(&lines)).unwrap();
        parquet(&here.path("game.parquet"), &lines);
        for play in ["partisan", "impartial"] {
            let of = |file: &str| {
                let name = format!("of-{play}-{round}-{}", &file[5..]);
                let spec = spec(&here, &name.to_lowercase(), play, file, "all = true");
                rows(&here, &spec, &[])
            };
            let first = of("game.ndjson");
            let names: Vec<&String> = first.iter().map(|row| &row.position).collect();
            assert_eq!(
                names,
                lines.iter().map(|(name, _)| name).collect::<Vec<_>>()
            );
            loopy += first.iter().filter(|row| row.is_stopper.is_some()).count();
            for file in ["game.CSV", "game.parquet"] {
                assert_eq!(said(&of(file)), said(&first));
            }
        }
    }
    assert!(loopy > 50, "{loopy}");
}

/// The moves of these jobs are exported by literal play, and read back they give the values of the jobs.
#[test]
fn exported_moves_have_the_values_of_the_game() {
    let here = Workspace::new();
    for (round, (game, more, family)) in [
        ("sowing", "", "all = { pots_max = 4, seeds_max = 7 }"),
        ("atomic-wari", "pots = 5", "all = { seeds_max = 5 }"),
        (
            "reverse-atomic-wari",
            "",
            "positions = [\"116421\", \"44021\", \"01200\"]",
        ),
        (
            "coloured-sowing",
            "",
            "all = { pots_max = 3, blue_max = 2, red_max = 1 }",
        ),
        (
            "grid-sowing",
            "",
            "all = { rows = 2, columns = \"1..=3\", pot_seeds_max = 1 }",
        ),
        (
            "row-rules",
            "[rules]\nlast = \"any\"\nlaps = \"multiple\"\npots = 4",
            "all = { seeds_max = 5 }",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        for (play, format) in [("partisan", "ndjson"), ("impartial", "csv")] {
            if matches!((game, play), ("coloured-sowing", "impartial")) {
                continue;
            }
            let rest = format!("play = {play:?}\n{more}\n[family]\n{family}");
            let original = here.plain_spec(&format!("game-{round}-{play}"), game, &rest);
            let file = format!("game-{round}.{format}");
            let mut export = seedbank(&["export", "--moves", "--format", format, "-o"]);
            export.arg(here.path(&file)).arg(&original);
            assert_eq!(printed(export), "");
            let again = spec(
                &here,
                &format!("moves-{round}-{play}"),
                play,
                &file,
                "all = true",
            );
            let expected = said(&rows(&here, &original, &[]));
            let found = said(&rows(&here, &again, &[]));
            assert!(found.len() >= expected.len() && expected.len() > 2);
            for (position, [value, outcome, missing, ..]) in &expected {
                let [found_value, found_outcome, found_missing, ..] = &found[position];
                let found = (found_value, found_outcome, found_missing);
                assert_eq!(found, (value, outcome, missing), "{game} {play} {position}");
            }
        }
    }
}

#[test]
fn rows_are_the_same_for_all_threads_shards_and_names() {
    let mut random = fastrand::Rng::with_seed(6);
    let here = Workspace::new();
    let lines = random_lines(&mut random, 300);
    fs::write(here.path("game.ndjson"), json(&lines)).unwrap();
    let all = spec(&here, "all", "partisan", "game.ndjson", "all = true");
    let one = rows(&here, &all, &["--threads", "1"]);
    let two = spec(&here, "two", "partisan", "game.ndjson", "all = true");
    assert_eq!(said(&rows(&here, &two, &["--threads", "2"])), said(&one));
    for shard in ["0/3", "1/3", "2/3"] {
        let three = spec(&here, "three", "partisan", "game.ndjson", "all = true");
        let ran = here.run(&three, &["--shard", shard]);
        assert_eq!(ran.status, Some(0), "{ran:?}");
    }
    let three = here.path("three.toml");
    printed(of_out(&here, &["merge"], &three));
    assert_eq!(said(&here.rows(&three)), said(&one));
    let names: Vec<&String> = lines[40..60]
        .iter()
        .map(|(name, _)| name)
        .filter(|name| !name.contains('\n') && !name.is_empty())
        .collect();
    fs::write(
        here.path("names.txt"),
        names
            .iter()
            .map(|name| format!("{name}\n"))
            .collect::<String>(),
    )
    .unwrap();
    for (name, family) in [
        (
            "listed",
            format!("positions = {}", serde_json::json!(names)),
        ),
        ("read", "file = \"names.txt\"".to_owned()),
    ] {
        let some = spec(&here, name, "partisan", "game.ndjson", &family);
        let some = said(&rows(&here, &some, &[]));
        assert_eq!(some.len(), names.len());
        let one = said(&one);
        some.iter()
            .for_each(|(name, said)| assert_eq!(one[name], *said));
    }
}

#[test]
fn another_content_of_the_file_is_another_job() {
    let here = Workspace::new();
    fs::write(
        here.path("game.ndjson"),
        "{\"position\": \"a\", \"left\": [\"a\"]}\n",
    )
    .unwrap();
    let job = spec(&here, "job", "partisan", "game.ndjson", "all = true");
    assert_eq!(rows(&here, &job, &[]).len(), 1);
    // Each file of the result names the content.
    let content = fs::read(here.path("game.ndjson")).unwrap();
    let digest = Digest::of(&content).to_string();
    for table in ["parts", "forms"] {
        let part =
            fs::File::open(here.path(&format!("out/job/{table}/part-00000.parquet"))).unwrap();
        let reader = SerializedFileReader::new(part).unwrap();
        let metadata = reader
            .metadata()
            .file_metadata()
            .key_value_metadata()
            .unwrap();
        let named = metadata
            .iter()
            .find(|entry| entry.key == "seedbank.moves_digest");
        assert_eq!(named.unwrap().value, Some(digest.clone()));
    }
    fs::write(here.path("game.ndjson"), "{\"position\": \"a\"}\n").unwrap();
    let refused = here.run(&job, &[]);
    assert_eq!(refused.status, Some(1), "{refused:?}");
    assert!(
        refused
            .stderr
            .contains(&format!("the content of ruleset.moves: {digest} -> ")),
        "{refused:?}"
    );
}

fn evaluated(here: &Workspace, file: &str, names: &[&str]) -> Ended {
    let mut command = seedbank(&["eval", "--game", "moves", "--play", "partisan", "--file"]);
    command.arg(here.path(file)).args(names);
    ended(command)
}

#[test]
fn faults_name_the_file_and_the_line() {
    let here = Workspace::new();
    for (file, text, fault) in [
        (
            "e.ndjson",
            "{\"position\": \"a\"}\n\n{\"position\": \"b\", \"left\": [\"a\", \"c\"]}\n",
            "e.ndjson:3: a move leads to \"c\"",
        ),
        (
            "e.ndjson",
            "{\"position\": \"a\"}\n{\"position\": \"a\"}\n",
            "e.ndjson:2: the position \"a\" has a line already",
        ),
        (
            "e.ndjson",
            "{\"position\": \"a\", \"rigth\": []}\n",
            "e.ndjson:1:25: unknown key \"rigth\"; accepted: position, left, right, options",
        ),
        (
            "e.ndjson",
            "{\"position\": \"a\", \"left\": \"b\"}\n",
            "e.ndjson:1:29: invalid type: string \"b\", expected a list of names",
        ),
        (
            "e.ndjson",
            "{\"position\": \"a\", \"left\": [1]}\n",
            "invalid type: integer `1`, expected the name of a position",
        ),
        (
            "e.ndjson",
            "{\"left\": []}",
            "the key \"position\" is missing",
        ),
        (
            "e.ndjson",
            "{\"position\": \"a\"}\r{\"position\": \"b\"} x",
            "e.ndjson:2:19: trailing characters",
        ),
        (
            "e.ndjson",
            "\u{feff}{\"position\": \"a\", \"left\": [], \"left\": []}",
            "the key \"left\" comes twice",
        ),
        (
            "e.csv",
            "position,left\na,\"b\nc\"\nb,\nc,d\n",
            "e.csv:5: a move leads to \"d\"",
        ),
        (
            "e.csv",
            "position,lft\na,b\n",
            "e.csv:1: unknown key \"lft\"",
        ),
        (
            "e.csv",
            "left\na\n",
            "e.csv:1: the column \"position\" is missing",
        ),
        (
            "e.csv",
            "position,left\na,b,c\n",
            "e.csv:2: 3 cells, and 2 in the header",
        ),
        (
            "e.csv",
            "position,left\na,\"[\"\"b\"\", 1]\"\nb,\n",
            "e.csv:2: [\"b\", 1]: invalid type: integer `1`",
        ),
        (
            "e.parquet",
            "position",
            "e.parquet: it is no sound Parquet file",
        ),
    ] {
        fs::write(here.path(file), text).unwrap();
        let refused = evaluated(&here, file, &["a"]);
        assert_eq!(refused.status, Some(2), "{refused:?}");
        assert!(refused.stderr.contains(fault), "{refused:?}");
        // A job is refused in the same words, before or while it runs.
        let job = spec(&here, "job", "partisan", file, "all = true");
        let refused = here.run(&job, &[]);
        assert_eq!(refused.status, Some(2), "{refused:?}");
        assert!(refused.stderr.contains(fault), "{refused:?}");
    }
    let texts = || -> ArrayRef { Arc::new(StringArray::from(vec!["a"])) };
    for (columns, fault) in [
        (
            &["position", "left"][..],
            "the column \"left\" has the type Utf8; accepted: lists of texts",
        ),
        (
            &["position", "position"],
            "the column \"position\" comes twice",
        ),
        (&["position", "lft"], "unknown key \"lft\""),
    ] {
        let columns = columns.iter().map(|name| (*name, texts()));
        write_parquet(
            &here.path("e.parquet"),
            &RecordBatch::try_from_iter(columns).unwrap(),
        );
        let refused = evaluated(&here, "e.parquet", &["a"]);
        assert_eq!(refused.status, Some(2), "{refused:?}");
        assert!(refused.stderr.contains(fault), "{refused:?}");
    }
    fs::write(here.path("e.ndjson"), "{\"position\": \"a\"}\n").unwrap();
    for (family, fault) in [
        ("all = false", "accepted: true"),
        ("positions = []", "family.positions"),
        (
            "positions = [\"a\", \"z\"]",
            "no line has the position \"z\"",
        ),
        ("all = { pots_max = 3 }", "family.all"),
        ("pattern = \"1^n\"", "all, positions, file"),
    ] {
        let refused = here.run(&spec(&here, "job", "partisan", "e.ndjson", family), &[]);
        assert_eq!(refused.status, Some(2), "{refused:?}");
        assert!(refused.stderr.contains(fault), "{refused:?}");
    }
    let missing = here.run(
        &spec(&here, "job", "partisan", "no.ndjson", "all = true"),
        &[],
    );
    assert!(
        missing.stderr.contains("no.ndjson: cannot be read"),
        "{missing:?}"
    );
}

#[test]
fn single_positions_are_evaluated_with_their_moves() {
    let here = Workspace::new();
    let lines = "{\"position\": \"up\\n\", \"left\": [\"0\"], \"right\": [\"star\"]}\n\
                 {\"position\": \"star\", \"options\": [\"0\"]}\n{\"position\": \"0\"}\n\
                 {\"position\": \"dud\", \"options\": [\"dud\"]}\n";
    fs::write(here.path("game.ndjson"), lines).unwrap();
    let found = evaluated(&here, "game.ndjson", &["up\n", "dud", "--moves"]);
    let expected = "up\\n = ^\n  Left: 0 = 0\n  Right: star = *\n\
                    dud = dud\n  Left: dud = dud\n  Right: dud = dud\n";
    assert_eq!(found.stdout, expected, "{found:?}");
    let found = evaluated(&here, "game.ndjson", &["up\n", "--json", "--moves"]);
    let object: serde_json::Value = serde_json::from_str(&found.stdout).unwrap();
    assert_eq!(
        (&object["position"], &object["value"]),
        (&"up\n".into(), &"^".into())
    );
    assert_eq!(
        (&object["moves"][1]["player"], &object["moves"][1]["value"]),
        (&"right".into(), &"*".into())
    );
    for (options, fault) in [
        (&["--game", "moves", "a"][..], "its moves are missing"),
        (
            &["--game", "sowing", "--play", "partisan", "--file", "x", "1"],
            "--file is for games of your own: moves",
        ),
        (
            &[
                "--game",
                "moves",
                "--file",
                "game.ndjson",
                "--store",
                "s",
                "0",
            ],
            "--store is for",
        ),
        (
            &[
                "--game",
                "moves",
                "--file",
                "game.ndjson",
                "--play",
                "partisan",
                "z",
            ],
            "no line has the position \"z\"",
        ),
    ] {
        let mut command = seedbank(&["eval"]);
        command.args(options).current_dir(here.path(""));
        let refused = ended(command);
        assert_eq!(refused.status, Some(2), "{refused:?}");
        assert!(refused.stderr.contains(fault), "{refused:?}");
    }
}

/// The commands of the page write the files that ship, and the results agree with print.
#[test]
fn the_games_that_ship_are_written_again_and_agree_with_print() {
    let here = Workspace::new();
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = repository.join("jobs/moves");
    let page = fs::read_to_string(folder.join("README.md")).unwrap();
    let commands = page.lines().filter_map(|line| {
        line.trim()
            .strip_prefix("python3 ../../")?
            .split_once(" > ")
    });
    let mut written = 0;
    for (command, file) in commands {
        let mut words = command.split(' ');
        let script = repository.join(words.next().unwrap());
        let made = python().arg(script).args(words).output().unwrap();
        assert!(made.status.success(), "{made:?}");
        assert!(
            made.stdout == fs::read(folder.join(file)).unwrap(),
            "{file}"
        );
        let job = folder.join(file).with_extension("toml");
        let ran = here.run(&job, &[]);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        let checked = printed(of_out(&here, &["check"], &job));
        assert!(!checked.contains(" 0 agreements"), "{checked}");
        assert!(checked.contains(" 0 disagreements"), "{checked}");
        written += 1;
    }
    assert_eq!(written, 6);
}
