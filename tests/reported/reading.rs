//! Text from files and standard input, and tables for the declared versions of readers.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use parquet::basic::{ColumnOrder, Encoding, Type};
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};
use serde_json::Value;

use crate::common::python::{package, python};
use crate::common::workspace::{
    Ended, Workspace, ended, files_in, of_out, printed, seedbank, started, wait,
};

/// The line ends that editors write.
const LINE_ENDS: [&str; 3] = ["\n", "\r\n", "\r"];

/// Runs a command that reads these bytes from standard input.
fn fed(mut command: Command, bytes: &[u8]) -> Ended {
    command.stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command starts");
    let mut input = child.stdin.take().expect("standard input is a pipe");
    input.write_all(bytes).expect("the command reads");
    drop(input);
    wait(child)
}

fn sowing(command: &str) -> Command {
    seedbank(&[
        command, "--game", "sowing", "--play", "partisan", "--json", "-",
    ])
}

/// Returns what each object printed has under a key.
fn column(ended: &Ended, key: &str) -> Vec<String> {
    let objects = ended.stdout.lines().map(|line| {
        let object: Value = serde_json::from_str(line).expect("an object a line");
        object[key].as_str().expect("a text").to_owned()
    });
    objects.collect()
}

#[test]
fn every_line_end_parts_the_lines_of_standard_input() {
    for mark in ["", "\u{feff}"] {
        for end in LINE_ENDS {
            let text = format!("{mark}312{end}{end} 2111\t{end}");
            let found = fed(sowing("eval"), text.as_bytes());
            assert_eq!(found.status, Some(0), "{text:?}: {found:?}");
            assert_eq!(column(&found, "position"), ["312", "2111"], "{text:?}");
            let found = fed(sowing("outcome"), text.as_bytes());
            assert_eq!(column(&found, "position"), ["312", "2111"], "{text:?}");
            let values = format!("{mark}1/2{end}*2{end}");
            let found = fed(seedbank(&["value", "--json", "-"]), values.as_bytes());
            assert_eq!(column(&found, "value"), ["1/2", "*2"], "{values:?}");
        }
    }
}

#[test]
fn tabs_and_line_ends_within_a_position_are_refused() {
    for apart in ["\t", "\n", "\r", "\u{b}", "\u{2028}"] {
        let joined = format!("312{apart}2111");
        for game in ["sowing", "grid-sowing"] {
            let options = ["eval", "--game", game, "--play", "partisan"];
            let found = ended(seedbank(&[&options[..], &[&joined]].concat()));
            assert_eq!((found.status, &*found.stdout), (Some(2), ""), "{joined:?}");
        }
        for (game, joined) in [
            ("coloured-sowing", format!("b{apart}r")),
            ("kalah", format!("3{apart}2 / 1 0")),
            ("tchuka-ruma", format!("2{apart}2")),
            ("sowing", format!("1^n{apart}2")),
        ] {
            let play: &[&str] = match game {
                "kalah" | "tchuka-ruma" => &[],
                _ => &["--play", "partisan"],
            };
            let options = [&["eval", "--game", game], play, &[&joined]].concat();
            let found = ended(seedbank(&options));
            assert_eq!((found.status, &*found.stdout), (Some(2), ""), "{joined:?}");
        }
    }
    let found = fed(sowing("eval"), b"12\n312\t2111\n21\n");
    assert_eq!(found.status, Some(2), "{found:?}");
    assert_eq!(column(&found, "position"), ["12", "21"]);
    let place = "standard input, line 2: \"312\\t2111\": unexpected '\\t' at character 4";
    assert!(found.stderr.contains(place), "{found:?}");
}

#[test]
fn every_line_end_parts_the_lines_of_specs_and_their_files() {
    let here = Workspace::new();
    for (number, end) in LINE_ENDS.iter().enumerate() {
        let spec = here.spec(
            &format!("job-{number}"),
            "sowing",
            "partisan",
            "file = \"rows.txt\"",
        );
        let text = fs::read_to_string(&spec).unwrap();
        fs::write(&spec, format!("\u{feff}{}", text.replace('\n', end))).unwrap();
        let rows = format!("\u{feff}# two rows{end}312\t# the first{end}{end}\t2111{end}");
        fs::write(here.path("rows.txt"), rows).unwrap();
        here.finish(&spec, &[]);
        let rows = here.rows(&spec);
        let positions: Vec<&str> = rows.iter().map(|row| &*row.position).collect();
        assert_eq!(positions, ["312", "2111"], "{end:?}");
    }
    let spec = here.spec("tab", "sowing", "partisan", "file = \"rows.txt\"");
    fs::write(here.path("rows.txt"), "12\r312\t2111\r").unwrap();
    let found = here.run(&spec, &[]);
    assert_eq!(found.status, Some(2), "{found:?}");
    assert!(
        found
            .stderr
            .contains("rows.txt:2: unexpected '\\t' at character 4"),
        "{found:?}"
    );
}

#[test]
fn graphs_are_read_from_files_and_standard_input() {
    let here = Workspace::new();
    let path = here.path("graph.txt");
    for mark in ["", "\u{feff}"] {
        for end in LINE_ENDS {
            let text = format!("{mark}ruma r # the store{end}b -> r{end}a -> b{end}");
            fs::write(&path, &text).unwrap();
            let mut of_file = seedbank(&["graph", "--print"]);
            of_file.arg(&path);
            let expected = "ruma r\nbin b a\nb -> r\na -> b\n";
            assert_eq!(printed(of_file), expected, "{text:?}");
            let found = fed(seedbank(&["graph", "--print", "-"]), text.as_bytes());
            assert_eq!(found.stdout, expected, "{text:?}");
            #[cfg(unix)]
            {
                let found = fed(
                    seedbank(&["graph", "--print", "/dev/stdin"]),
                    text.as_bytes(),
                );
                assert_eq!(found.stdout, expected, "{text:?}");
            }
        }
    }
}

#[test]
fn other_encodings_are_named() {
    let utf_16: Vec<u8> = "\u{feff}312\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let here = Workspace::new();
    let spec = here.spec("encoded", "sowing", "partisan", "file = \"rows.txt\"");
    for (bytes, words) in [
        (&utf_16[..], "the text is UTF-16; save it as UTF-8"),
        (b"312\r31\xe92\r", "line 2"),
    ] {
        fs::write(here.path("rows.txt"), bytes).unwrap();
        let graph = fed(seedbank(&["graph", "-"]), bytes);
        for found in [fed(sowing("eval"), bytes), here.run(&spec, &[]), graph] {
            assert_ne!(found.status, Some(0), "{found:?}");
            assert!(found.stderr.contains(words), "{found:?}");
            assert!(found.stderr.contains("UTF-"), "{found:?}");
        }
    }
    fs::write(&spec, &utf_16).unwrap();
    let found = here.run(&spec, &[]);
    assert_eq!(found.status, Some(2), "{found:?}");
    assert!(found.stderr.contains("the text is UTF-16"), "{found:?}");
}

/// Runs a command that must end by itself: one that waits for a pipe is stopped after a minute.
#[cfg(unix)]
fn bounded(command: &Command) -> Ended {
    let mut bounded = Command::new("timeout");
    bounded.args(["-k", "1", "60"]).arg(command.get_program());
    bounded.args(command.get_args());
    if let Some(folder) = command.get_current_dir() {
        bounded.current_dir(folder);
    }
    ended(bounded)
}

#[cfg(unix)]
#[test]
fn a_pipe_in_the_place_of_a_file_is_refused_at_once() {
    let here = Workspace::new();
    let pipe = |path: &Path| {
        let made = Command::new("mkfifo").arg(path).status();
        assert!(made.expect("mkfifo starts").success());
    };
    fs::create_dir(here.path("jobs")).unwrap();
    pipe(&here.path("jobs/pipe"));
    pipe(&here.path("jobs/pipe.toml"));
    let spec = here.spec("jobs/piped", "sowing", "partisan", "file = \"pipe\"");
    let is_needed = "it is a pipe; a regular file is needed";
    let refused = |arguments: &[&str], path: Option<&Path>, status: i32, words: &str| {
        let mut command = seedbank(arguments);
        command.args(path).current_dir(here.path(""));
        let found = bounded(&command);
        assert_eq!(found.status, Some(status), "{arguments:?}: {found:?}");
        assert!(found.stderr.contains(words), "{arguments:?}: {found:?}");
    };
    refused(&["plan"], Some(&spec), 2, is_needed);
    refused(&["plan"], Some(&here.path("jobs/pipe.toml")), 2, is_needed);
    refused(&["jobs", "list"], None, 2, is_needed);
    refused(&["check"], Some(&here.path("jobs/pipe")), 2, is_needed);
    fs::create_dir(here.path("out")).unwrap();
    pipe(&here.path("out/ones.html"));
    let spec = here.spec(
        "ones",
        "sowing",
        "partisan",
        "pattern = \"1^n\"\nn = \"1..=3\"",
    );
    here.finish(&spec, &[]);
    let report = ["report", "--out", "out"];
    refused(&report, Some(&spec), 1, "it is no page that seedbank wrote");
    pipe(&here.path("jobs/table-5.toml"));
    refused(&["init"], None, 1, is_needed);
}

/// Runs the Python package of this repository on the program of the tests.
fn session(here: &Workspace, script: &str) -> Ended {
    let mut python = python();
    python
        .args(["-c", script])
        .env("PYTHONPATH", package())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env_remove("SEEDBANK_LOG")
        .current_dir(here.path(""));
    let found = ended(python);
    assert_eq!(found.status, Some(0), "{found:?}");
    found
}

#[test]
fn hidden_files_that_systems_leave_are_no_results() {
    let here = Workspace::new();
    let spec = here.spec(
        "ones",
        "sowing",
        "partisan",
        "pattern = \"1^n\"\nn = \"1..=5\"",
    );
    here.finish(&spec, &[]);
    for name in [
        "out/ones/parts/._part-00000.parquet",
        "out/ones/forms/._part-00000.parquet",
        "out/ones/records/._shard-00000.json",
        "out/ones/records/.DS_Store",
        "store/segments/._000001.seg",
    ] {
        fs::write(here.path(name), "\0\u{5}\u{16}\u{7}").unwrap();
    }
    let again = here.run(&spec, &[]);
    assert_eq!(again.status, Some(0), "{again:?}");
    assert!(!again.stderr.contains("WARN"), "{again:?}");
    let status = ended(of_out(&here, &["status", "--verify"], &spec));
    assert_eq!(status.status, Some(0), "{status:?}");
    assert!(!(status.stdout + &status.stderr).contains("._"));
    let verified = here.store("verify", &[]);
    assert_eq!(verified.status, Some(0), "{verified:?}");
    assert!(!(verified.stdout + &verified.stderr).contains("._"));
    session(
        &here,
        "import seedbank
for to in ['polars', 'pandas', 'arrow']:
    assert len(seedbank.read('ones', out='out', to=to)) == 5",
    );
    // A folder of specs may have them, too.
    fs::create_dir(here.path("jobs")).unwrap();
    fs::copy(&spec, here.path("jobs/ones.toml")).unwrap();
    fs::write(here.path("jobs/._ones.toml"), "\0").unwrap();
    let mut list = seedbank(&["jobs", "list"]);
    list.current_dir(here.path(""));
    let list = ended(list);
    assert_eq!(list.status, Some(0), "{list:?}");
}

#[test]
fn the_package_reads_any_folder_and_any_number_of_positions() {
    let here = Workspace::new();
    let spec = here.spec(
        "ones",
        "sowing",
        "partisan",
        "pattern = \"1^n\"\nn = \"1..=5\"",
    );
    let text = fs::read_to_string(&spec).unwrap();
    fs::write(&spec, format!("\u{feff}{}", text.replace('\n', "\r\n"))).unwrap();
    here.spec(
        "wrong",
        "sowing",
        "partisan",
        "pattern = \"1^k\"\nn = \"1..=5\"",
    );
    session(
        &here,
        r#"
import seedbank
seedbank.run("ones.toml", out="odd [1]*/out", store="store")
for to in ["polars", "pandas", "arrow"]:
    rows = seedbank.read("ones.toml", out="odd [1]*/out", to=to)
    assert list(rows["n"]) == [1, 2, 3, 4, 5] or rows["n"].to_pylist() == [1, 2, 3, 4, 5]
sowing = {"game": "sowing", "play": "partisan"}
assert seedbank.eval([], **sowing) == []
many = ["312", "2111"] * 30_000
rows = seedbank.eval(many, **sowing)
assert [row["position"] for row in rows] == many
def error(act):
    try:
        act()
    except seedbank.SeedbankError as raised:
        return raised.status, str(raised)
for joined in ["312\n2111", "312\r2111", "", " "]:
    assert error(lambda: seedbank.eval(joined, **sowing))[0] == 2, joined
status, message = error(lambda: seedbank.eval(["312", "31x"], **sowing))
assert status == 2 and "line 2" in message and "31x" in message, message
status, message = error(lambda: seedbank.run("wrong.toml", out="out", store="store"))
assert status == 2 and message.startswith("error") and "family.pattern" in message, message
status, message = error(lambda: seedbank.run("ones.toml", nonsense=True))
assert status == 2 and "--nonsense" in message, message
"#,
    );
}

/// Returns the footers of the Parquet files of a table of a job.
fn footers(here: &Workspace, job: &str, table: &str) -> Vec<ParquetMetaData> {
    let footer = |path: PathBuf| {
        let file = fs::File::open(path).expect("the part");
        ParquetMetaDataReader::new()
            .parse_and_finish(&file)
            .expect("a footer")
    };
    let files = files_in(&here.path("out").join(job).join(table));
    files.into_iter().map(footer).collect()
}

/// Runs jobs whose tables have every kind of column, and returns their names.
fn tables(here: &Workspace) -> Vec<(&'static str, &'static str)> {
    let values = "pattern = \"x y\"\nx = \"1..=12\"\ny = \"1..=12\"\n[columns]\nfollowers = true";
    here.finish(&here.spec("values", "atomic-wari", "partisan", values), &[]);
    for (name, rest) in [
        ("lengths", "[family]\nlengths = \"0..=300\""),
        (
            "boards",
            "[family]\nboards = \"0..=300\"\n[columns]\nbins = true",
        ),
        (
            "nearest",
            "[family]\nboards = \"0..=300\"\n[columns]\nbins = 16",
        ),
    ] {
        here.finish(&here.plain_spec(name, "tchoukaillon", rest), &[]);
    }
    vec![
        ("values", "parts"),
        ("values", "forms"),
        ("lengths", "parts"),
        ("boards", "parts"),
        ("nearest", "parts"),
    ]
}

#[test]
fn columns_have_the_order_of_their_type_and_old_encodings() {
    let here = Workspace::new();
    for (job, table) in tables(&here) {
        for footer in footers(&here, job, table) {
            let orders = footer.file_metadata().column_orders().expect("orders");
            let of_the_type =
                |order: &ColumnOrder| matches!(order, ColumnOrder::TYPE_DEFINED_ORDER(_));
            assert!(orders.iter().all(of_the_type), "{job} {table}: {orders:?}");
            assert_eq!(
                orders.len(),
                footer.file_metadata().schema_descr().num_columns()
            );
            for column in footer.row_groups().iter().flat_map(|group| group.columns()) {
                let is_split = column
                    .encodings()
                    .any(|found| found == Encoding::BYTE_STREAM_SPLIT);
                let is_float = column.column_type() == Type::DOUBLE;
                let has_nulls = column.column_descr().max_def_level() > 0;
                let may_be_split = job == "nearest" || is_float && !has_nulls;
                assert!(
                    !is_split || may_be_split,
                    "{job} {table} {}",
                    column.column_path()
                );
            }
        }
    }
}

/// Starts a reader on some files: the newest version, or the oldest that is declared.
fn reading(reader: &str, oldest: Option<&Path>, files: &[PathBuf]) -> Child {
    let mut python = python();
    if let Some(folder) = oldest {
        python.env("PYTHONPATH", folder);
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/reported/readers.py");
    python.args([script, reader]).args(files);
    started(python)
}

/// Returns the version of a reader and the rows that it prints.
fn read(reader: Child) -> (String, String) {
    let ended = wait(reader);
    assert_eq!(ended.status, Some(0), "{ended:?}");
    let (version, rows) = ended.stdout.split_once('\n').expect("a version");
    (version.to_owned(), rows.to_owned())
}

#[test]
fn the_oldest_and_the_newest_versions_of_readers_read_every_table() {
    let here = Workspace::new();
    let files = |job: &str, table: &str| files_in(&here.path("out").join(job).join(table));
    let tables = tables(&here);
    let all: Vec<PathBuf> = tables
        .iter()
        .flat_map(|(job, table)| files(job, table))
        .collect();
    // Split bytes of integers, which are in boards with their nearest bins, are too new for them.
    let plain = &all[..all.len() - 1];
    let prefix = ended({
        let mut python = python();
        python.args(["-c", "import sys; print(sys.prefix)"]);
        python
    });
    let folder = Path::new(prefix.stdout.trim()).join("oldest");
    assert!(
        folder.is_dir(),
        "{} is missing: run scripts/setup",
        folder.display()
    );
    let oldest = Some(&*folder);
    let of_values = &all[..1];
    let readers = [
        ("pyarrow", None, &all[..]),
        ("pyarrow", oldest, plain),
        ("pandas", None, &all),
        ("pandas", oldest, plain),
        ("duckdb", None, &all),
        ("duckdb", oldest, plain),
        ("polars", None, &all),
        ("polars", oldest, &all),
        ("datafusion", None, &all),
        ("datafusion", oldest, plain),
        ("fastparquet", None, of_values),
        ("fastparquet", oldest, of_values),
    ];
    let begun = readers.map(|(reader, oldest, files)| reading(reader, oldest, files));
    let found = begun.map(read);
    let expected = &found[0].1;
    let rows: usize = files_rows(&here, &tables);
    assert_eq!(expected.lines().count(), rows);
    let listed = fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/scripts/requirements-oldest.txt"
    ));
    let listed = listed.expect("the list of the oldest versions");
    for ((reader, oldest, files), (version, rows)) in readers.iter().zip(&found) {
        let pinned = listed
            .lines()
            .any(|line| line == format!("{reader}=={version}"));
        assert_eq!(pinned, oldest.is_some(), "{reader} {version}");
        assert!(
            expected.starts_with(&**rows),
            "{reader} {version} reads other rows"
        );
        assert!(
            files.len() < all.len() || rows == expected,
            "{reader} {version}"
        );
        assert!(rows.lines().count() >= 144, "{reader} {version}");
    }
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/data/README.md"));
    let page = page.expect("the page of results");
    for ((reader, _, _), (version, _)) in readers
        .iter()
        .zip(&found)
        .filter(|((_, oldest, _), _)| oldest.is_some())
    {
        let stated = format!("| {reader} | {version} |");
        assert!(page.contains(&stated), "data/README.md lacks {stated:?}");
    }
}

/// Returns the number of rows of some tables.
fn files_rows(here: &Workspace, tables: &[(&str, &str)]) -> usize {
    let footers = tables
        .iter()
        .flat_map(|(job, table)| footers(here, job, table));
    footers
        .map(|footer| footer.file_metadata().num_rows() as usize)
        .sum()
}
