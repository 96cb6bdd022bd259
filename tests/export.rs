//! Rows as CSV, newline-delimited JSON and b-files, and the published terms that b-files are compared with.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use seedbank::report::reference::Files;
use seedbank::report::reference::oeis::{Sequence, sequences};
use seedbank::task::heaps::HeapRow;
use seedbank::task::lengths::LengthRow;
use serde_json::Value;

use crate::common::workspace::{Ended, Workspace, ended, of_out};

/// Returns the command that exports a result of the folder.
fn export(here: &Workspace, spec: &Path, arguments: &[&str]) -> Command {
    of_out(here, &[&["export"], arguments].concat(), spec)
}

fn exported(here: &Workspace, spec: &Path, arguments: &[&str]) -> Ended {
    let ended = ended(export(here, spec, arguments));
    assert_eq!(ended.status, Some(0), "{ended:?}");
    ended
}

/// A finished job over heaps.
fn heaps(here: &Workspace, name: &str, code: &str, last: u32) -> PathBuf {
    let rest = format!("code = {code:?}\n[family]\nheaps = \"0..={last}\"");
    let spec = here.plain_spec(name, "octal", &rest);
    here.finish(&spec, &[]);
    spec
}

/// A finished job over lengths.
fn lengths(here: &Workspace, range: &str) -> PathBuf {
    let rest = format!("[family]\nlengths = {range:?}");
    let spec = here.plain_spec("tchoukaillon-lengths", "tchoukaillon", &rest);
    here.finish(&spec, &[]);
    spec
}

#[test]
fn csv_and_ndjson_have_every_row_and_column_in_order() {
    let here = Workspace::new();
    let spec = heaps(&here, "kayles", "0.77", 100);
    let rows: Vec<HeapRow> = here.plain_rows(&spec);
    let json = exported(&here, &spec, &["--format", "ndjson"]).stdout;
    let objects: Vec<Value> = json
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!((objects.len(), rows.len()), (101, 101));
    for (object, row) in objects.iter().zip(&rows) {
        assert_eq!(object["n"], row.n);
        assert_eq!(object["nim_value"], Value::from(row.nim_value));
    }
    let text = exported(&here, &spec, &["--format", "csv"]).stdout;
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header: Vec<String> = reader
        .headers()
        .unwrap()
        .iter()
        .map(str::to_owned)
        .collect();
    let mut names: Vec<&String> = header.iter().collect();
    names.sort();
    let object = objects[0].as_object().unwrap();
    assert_eq!(names, object.keys().collect::<Vec<_>>());
    let mut count = 0;
    for (record, object) in reader.records().zip(&objects) {
        for (name, field) in header.iter().zip(&record.unwrap()) {
            let written = match &object[name] {
                Value::Null => String::new(),
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            assert_eq!(field, written, "{name}");
        }
        count += 1;
    }
    assert_eq!(count, 101);
}

#[test]
fn values_of_every_kind_are_written() {
    let here = Workspace::new();
    let spec = here.spec("pair", "sowing", "partisan", "positions = [\"1\", \"312\"]");
    here.finish(&spec, &[]);
    let json = exported(&here, &spec, &["--format", "ndjson"]).stdout;
    let objects: Vec<Value> = json
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    for (object, row) in objects.iter().zip(here.rows(&spec)) {
        let value = row.value.as_ref().expect("a value");
        assert_eq!(object["position"], *row.position);
        assert_eq!(object["value"], Value::from(value.value.as_deref()));
        assert_eq!(object["value_digest"], hex::encode(value.value_digest));
    }
    // A value has commas, and a missing one is an empty field.
    let csv = exported(
        &here,
        &spec,
        &[
            "--format",
            "csv",
            "--column",
            "value",
            "--column",
            "nim_value",
        ],
    )
    .stdout;
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("value,nim_value"));
    let value = objects[1]["value"].as_str().unwrap();
    let quoted = match value.contains(',') {
        true => format!("\"{value}\","),
        false => format!("{value},"),
    };
    assert_eq!(lines.nth(1), Some(&*quoted));
    // A list is its JSON text.
    let rest = "[family]\nboards = \"0..=3\"\n[columns]\nbins = true";
    let boards = here.plain_spec("boards", "tchoukaillon", rest);
    here.finish(&boards, &[]);
    let csv = exported(
        &here,
        &boards,
        &["--format", "csv", "--column", "bins", "--column", "n"],
    )
    .stdout;
    assert_eq!(csv, "bins,n\n[],0\n[1],1\n\"[0,2]\",2\n\"[1,2]\",3\n");
}

#[test]
fn b_files_have_the_values_of_one_column_by_one_variable() {
    let here = Workspace::new();
    let spec = lengths(&here, "1..=100");
    let rows: Vec<LengthRow> = here.plain_rows(&spec);
    let expected: String = rows
        .iter()
        .map(|row| format!("{} {}\n", row.l, row.n))
        .collect();
    assert!(expected.starts_with("1 1\n2 2\n3 4\n4 6\n5 10\n"));
    assert_eq!(
        exported(&here, &spec, &["--format", "bfile"]).stdout,
        expected
    );
    // A variable of a pattern may begin anywhere.
    let spec = here.spec(
        "ones",
        "sowing",
        "impartial",
        "pattern = \"1^n\"\nn = \"3..=9\"",
    );
    here.finish(&spec, &[]);
    let nimbers = exported(&here, &spec, &["--format", "bfile"]).stdout;
    let rows = here.rows(&spec);
    let values = rows
        .iter()
        .map(|row| row.value.as_ref().and_then(|value| value.nim_value));
    let expected = (3..)
        .zip(values)
        .map(|(n, value)| format!("{n} {}\n", value.expect("a nim-value")));
    assert_eq!(nimbers, expected.collect::<String>());
}

/// The first terms that are published: `data/reference/oeis.toml`, in small jobs.
#[test]
fn the_rows_of_small_jobs_have_the_published_terms() {
    let here = Workspace::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/reference");
    let known = sequences(Files::Folder(&folder)).unwrap();
    let of =
        |number: &str| -> &Sequence { known.iter().find(|known| known.number == number).unwrap() };
    // Lengths that are not theirs have no part in it: 5424 is the last member of A185001 below 6000.
    let spec = lengths(&here, "1..=6000");
    let told = exported(
        &here,
        &spec,
        &[
            "--format",
            "bfile",
            "-o",
            here.path("b.txt").to_str().unwrap(),
        ],
    )
    .stderr;
    let terms = of("A002491").terms.len();
    for words in [
        format!("A002491, {}: {terms} of {terms} terms agree", of("A002491").name),
        "A204540, the lengths k of Tchoukaillon boards with basin 1: 6 of 6 terms agree; 7 published terms".to_owned(),
        "A185001, the lengths k of Tchoukaillon boards with basin 2: 23 of 23 terms agree; 37 published terms".to_owned(),
    ] {
        assert!(told.contains(&words), "{words}: {told}");
    }
    for (name, code, number) in [
        ("kayles", "0.77", "A002186"),
        ("dawson-kayles", "0.07", "A002187"),
    ] {
        let spec = heaps(&here, name, code, 200);
        let told = exported(&here, &spec, &["--format", "bfile"]).stderr;
        let terms = of(number).terms.len();
        assert!(
            told.contains(&format!("{terms} of {terms} terms agree")),
            "{told}"
        );
    }
    let spec = here.plain_spec("grundys-game", "grundy", "[family]\nheaps = \"0..=100\"");
    here.finish(&spec, &[]);
    let none = exported(&here, &spec, &["--format", "bfile"]);
    assert_eq!(none.stderr, "");
    let told = exported(&here, &spec, &["--format", "bfile", "--check", "A002188"]).stderr;
    let terms = of("A002188").terms.len();
    assert!(
        told.contains(&format!("{terms} of {terms} terms agree")),
        "{told}"
    );
}

/// A b-file of a named sequence has its terms and its indices: lengths of one basin, an index that is not the rows' variable, and
/// lists of bins in the three ways in which the encyclopedia has them.
#[test]
fn the_b_file_of_a_sequence_has_its_terms() {
    let here = Workspace::new();
    let of = |spec: &Path, number: &str| {
        exported(&here, spec, &["--format", "bfile", "--check", number]).stdout
    };
    let lengths = lengths(&here, "1..=120");
    assert_eq!(of(&lengths, "A204540"), "1 2\n2 3\n3 4\n4 6\n5 14\n");
    assert!(of(&lengths, "A185001").ends_with("6 26\n7 106\n8 110\n"));
    let chess = heaps(&here, "chess", "0.07", 5);
    assert_eq!(of(&chess, "A002187"), "0 0\n1 1\n2 1\n3 2\n4 0\n");
    let boards = |name: &str, last: u32, bins: &str| {
        let rest = format!("[family]\nboards = \"0..={last}\"\n[columns]\nbins = {bins}");
        let spec = here.plain_spec(name, "tchoukaillon", &rest);
        here.finish(&spec, &[]);
        spec
    };
    let few = boards("tchoukaillon-boards", 5, "true");
    let nearest = "0 0\n1 1\n2 0\n3 2\n4 1\n5 2\n6 0\n7 1\n8 3\n9 1\n10 1\n11 3\n";
    assert_eq!(of(&few, "A028933"), nearest);
    // The job's first sequence: no column has its terms as they are.
    assert_eq!(
        exported(&here, &few, &["--format", "bfile"]).stdout,
        nearest
    );
    assert_eq!(
        of(&few, "A028932"),
        "0 0\n1 1\n2 2\n3 0\n4 2\n5 1\n6 3\n7 1\n8 0\n9 3\n10 1\n11 1\n"
    );
    assert_eq!(of(&few, "A028931"), "0 0\n1 1\n2 20\n3 21\n4 310\n5 311\n");
    // Ten stones and more are written as they are.
    let many = boards("many", 60, "true");
    let strings = exported(&here, &many, &["--format", "bfile", "--check", "A028931"]);
    assert!(
        strings.stdout.contains("\n42 119753140200\n"),
        "{strings:?}"
    );
    assert!(
        strings.stderr.contains("30 of 30 terms agree"),
        "{strings:?}"
    );
    for (bins, number, words) in [
        (
            "2",
            "A028933",
            "bins has 2 of 3 entries in a row; run the job with all of them",
        ),
        ("false", "A028933", "bins is null there"),
    ] {
        let spec = boards(&format!("with-{bins}"), 9, bins);
        let refused = ended(export(
            &here,
            &spec,
            &["--format", "bfile", "--check", number],
        ));
        assert_eq!(refused.status, Some(2), "{refused:?}");
        assert!(refused.stderr.contains(words), "{refused:?}");
    }
}

#[test]
fn a_term_that_differs_is_reported_with_both_values() {
    let here = Workspace::new();
    let spec = lengths(&here, "1..=20");
    let folder = here.path("reference");
    fs::create_dir(&folder).unwrap();
    let text = "[[sequence]]\nnumber = \"A002491\"\nname = \"lengths\"\njobs = [\"tchoukaillon-lengths\"]\n\
                column = \"n\"\noffset = 1\nterms = [1, 2, 4, 7, 10]\n";
    fs::write(folder.join("oeis.toml"), text).unwrap();
    let told = ended(export(
        &here,
        &spec,
        &["--format", "bfile", "--reference", folder.to_str().unwrap()],
    ));
    assert_eq!(told.status, Some(1), "{told:?}");
    assert!(told.stderr.contains("4 of 5 terms agree"), "{told:?}");
    assert!(
        told.stderr
            .contains("A002491(4): 7 is published, 6 was found"),
        "{told:?}"
    );
    assert_eq!(told.stdout.lines().count(), 20);
}

#[test]
fn a_file_appears_when_it_is_whole() {
    let here = Workspace::new();
    let spec = heaps(&here, "kayles", "0.77", 50);
    let file = here.path("kayles.csv");
    let to_file = ["--format", "csv", "-o", file.to_str().unwrap()];
    let told = exported(&here, &spec, &to_file);
    assert_eq!(told.stdout, "");
    assert!(told.stderr.contains("51 rows in "), "{told:?}");
    let written = fs::read_to_string(&file).unwrap();
    assert_eq!(written, exported(&here, &spec, &["--format", "csv"]).stdout);
    // A b-file that has a gap leaves the file as it was, and nothing beside it.
    let spec = here.spec(
        "gap",
        "sowing",
        "impartial",
        "pattern = \"1^n\"\nn = [1, 2, 4]",
    );
    here.finish(&spec, &[]);
    let entries = |folder: &Path| fs::read_dir(folder).unwrap().count();
    let before = entries(&here.path(""));
    let refused = ended(export(
        &here,
        &spec,
        &["--format", "bfile", "-o", file.to_str().unwrap()],
    ));
    assert_eq!(refused.status, Some(2), "{refused:?}");
    assert!(
        refused.stderr.contains("n = 2 is followed by 4"),
        "{refused:?}"
    );
    assert_eq!(fs::read_to_string(&file).unwrap(), written);
    assert_eq!(entries(&here.path("")), before);
    let nowhere = here.path("none/kayles.csv");
    let refused = ended(export(
        &here,
        &spec,
        &["--format", "csv", "-o", nowhere.to_str().unwrap()],
    ));
    assert_eq!(refused.status, Some(1), "{refused:?}");
    assert!(
        refused.stderr.contains("none/kayles.csv cannot be written"),
        "{refused:?}"
    );
}

#[test]
fn what_cannot_be_exported_is_refused_with_what_can() {
    let here = Workspace::new();
    let lengths = lengths(&here, "1..=20");
    let table = here.spec(
        "table",
        "sowing",
        "impartial",
        "pattern = \"1^m 0 1^n\"\nm = \"1..=3\"\nn = \"1..=3\"",
    );
    let partisan = here.spec(
        "partisan",
        "sowing",
        "partisan",
        "pattern = \"1^n\"\nn = \"1..=6\"",
    );
    let list = here.spec("list", "sowing", "impartial", "positions = [\"1\", \"11\"]");
    for spec in [&table, &partisan, &list] {
        here.finish(spec, &[]);
    }
    let unfinished = here.spec(
        "later",
        "sowing",
        "impartial",
        "pattern = \"1^n\"\nn = \"1..=4\"",
    );
    let witness = "all = { pots_max = 3, seeds_max = 3 }\n[witness]\neach = \"nim_value\"\nfewest = \"seeds\"";
    let witness = here.spec("witness", "sowing", "impartial", witness);
    here.finish(&witness, &[]);
    for (spec, arguments, status, words) in [
        (
            &lengths,
            &["--format", "csv", "--column", "m"][..],
            2,
            "no column \"m\"; did you mean",
        ),
        (
            &lengths,
            &["--format", "csv", "--column", "nimbers"],
            2,
            "--column accepts l, n, l_squared_by_pi, deviation",
        ),
        (
            &lengths,
            &["--format", "bfile", "--column", "deviation"],
            2,
            "no column \"deviation\" of integers; --column accepts n",
        ),
        (
            &lengths,
            &["--format", "bfile", "--column", "n", "--column", "l"],
            2,
            "a b-file has one column",
        ),
        (
            &lengths,
            &["--format", "bfile", "--check", "A000000"],
            2,
            "--check accepts A002491, ",
        ),
        (
            &lengths,
            &["--format", "csv", "--check", "A002491"],
            2,
            "add --format bfile",
        ),
        (&lengths, &["--format", "xml"], 2, "csv, ndjson, bfile"),
        (
            &table,
            &["--format", "bfile"],
            2,
            "these rows have the variables m, n",
        ),
        (&list, &["--format", "bfile"], 2, "these rows have none"),
        (
            &partisan,
            &["--format", "bfile"],
            2,
            "nim_value is null there",
        ),
        (
            &unfinished,
            &["--format", "csv"],
            1,
            "has no finished result",
        ),
        (
            &witness,
            &["--format", "csv"],
            2,
            "has no row for each position",
        ),
    ] {
        let refused = ended(export(&here, spec, arguments));
        assert_eq!(refused.status, Some(status), "{arguments:?}: {refused:?}");
        assert!(refused.stderr.contains(words), "{words}: {refused:?}");
    }
}

/// As the README says, a reader that has seen enough is no failure.
#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_ends_the_export() {
    let here = Workspace::new();
    let spec = lengths(&here, "1..=200000");
    let command = format!(
        "{:?} export {:?} --out {:?} --format ndjson | head -1",
        env!("CARGO_BIN_EXE_seedbank"),
        spec,
        here.path("out")
    );
    let mut bash = Command::new("bash");
    bash.args(["-o", "pipefail", "-c", &command]);
    let ended = ended(bash);
    assert_eq!((ended.status, &*ended.stderr), (Some(0), ""), "{ended:?}");
    assert_eq!(ended.stdout.lines().count(), 1);
}
