//! Jobs with a section `[law]`: a law that holds, the first row that refutes one, rows that a law
//! excludes, and bad input.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::schema;
use crate::common::workspace::{Workspace, files_in};
use seedbank::task::Job;
use serde_json::Value;

/// Theorem 2.5, and m = 0, for which it does not hold: the ranks 18 to 23.
const SWITCHES: &str = "pattern = \"(10)^m 2 (01)^n\"\nm = [1, 2, 3, 0, 4]\nn = \"1..=6\"";

/// Theorem 2.3, and m = n = 0, for which it does not hold.
const SUMS: &str = "pattern = \"(01)^m 2 (01)^n\"\nm = \"0..=2\"\nn = \"0..=2\"";

/// The rank of the first row of `SWITCHES` that refutes `{n|-m}`.
const RANK: u64 = 18;

const REFUTED: &str = "the law {n|-m} is refuted at m=0,n=1: 201 = 2, and the law gives {1|0}\n";

fn spec(here: &Workspace, name: &str, family: &str, law: &str) -> PathBuf {
    let family = format!("{family}\n[law]\n{law}");
    here.spec(name, "sowing", "partisan", &family)
}

/// Returns the number of parts, given by their records, that begin at this rank or before.
fn parts_to(records: &[PathBuf], rank: u64) -> usize {
    let begins_by = |record: &&PathBuf| {
        let text = fs::read_to_string(record).expect("a record");
        let record: Value = serde_json::from_str(&text).expect("an object");
        record["body"]["first_rank"].as_u64().expect("a rank") <= rank
    };
    records.iter().filter(begins_by).count()
}

/// Runs a job whose law does not hold, and returns the error.
fn refuted(here: &Workspace, spec: &Path, arguments: &[&str]) -> String {
    let ended = here.run(spec, arguments);
    assert_eq!((ended.status, &*ended.stdout), (Some(1), ""), "{ended:?}");
    // The run replaces files without records.
    let lines = ended.stderr.lines();
    let lines = lines.filter(|line| !line.starts_with(" INFO "));
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn a_law_that_holds_is_reported_with_its_rows() {
    let here = Workspace::new();
    for (name, family, law, held) in [
        (
            "switches",
            SWITCHES,
            "value = \"{n|-m}\"\nleast = { m = 1 }",
            "law {n|-m} holds on all 24 rows from m=1, n=1 on",
        ),
        (
            "other-text",
            SWITCHES,
            "value = \"{2n-n,n-3|-m}\"\nleast = { m = 1, n = 6 }",
            "law {2n-n,n-3|-m} holds on all 4 rows from m=1, n=6 on",
        ),
        (
            "sums",
            SUMS,
            "value = \"n+1\"\nexcept = [{ m = 0, n = 0 }]",
            "law n+1 holds on all 8 rows from m=0, n=0 on, except m=0,n=0",
        ),
        (
            "later",
            SUMS,
            "value = \"n+1\"\nleast = { m = 1 }",
            "law n+1 holds on all 6 rows from m=1, n=0 on",
        ),
    ] {
        let spec = spec(&here, name, family, law);
        let first = here.finish(&spec, &[]);
        assert_eq!(
            (&first["outcome"], &first["law"]),
            (&"finished".into(), &held.into())
        );
        let again = here.run(&spec, &[]);
        assert!(again.stdout.contains("already finished"), "{again:?}");
        assert!(again.stdout.ends_with(&format!("; {held}\n")), "{again:?}");
    }
    let family = "pattern = \"1^n\"\nn = [1, 4, 5, 8, 9]\n[law]\nvalue = \"0\"";
    let impartial = here.spec("ones", "sowing", "impartial", family);
    let held = &here.finish(&impartial, &[])["law"];
    assert_eq!(held, "law 0 holds on all 5 rows from n=1 on");
}

#[test]
fn the_row_of_least_rank_refutes_a_law() {
    let here = Workspace::new();
    let law = "value = \"{n|-m}\"";
    for threads in ["1", "2"] {
        let name = format!("whole-{threads}");
        let whole = spec(&here, &name, SWITCHES, law);
        let error = refuted(&here, &whole, &["--threads", threads]);
        assert_eq!(error, format!("error: job {name:?}: {REFUTED}"));
        assert_eq!(refuted(&here, &whole, &["--threads", threads]), error);

        // A shard has many parts, of a few rows each.
        let name = format!("parts-{threads}");
        let parts = spec(&here, &name, SWITCHES, law);
        let arguments = ["--threads", threads, "--shard", "0/1"];
        let error = refuted(&here, &parts, &arguments);
        assert_eq!(error, format!("error: job {name:?}: {REFUTED}"));
        let records = here.path("out").join(&name).join("shards/0-of-1/records");
        let finished = files_in(&records);
        let end = parts_to(&finished, RANK);
        assert!(end > 5 && finished[end - 1].ends_with(format!("shard-{:05}.json", end - 1)));
        if threads == "1" {
            assert_eq!(finished.len(), end, "no part is begun behind the row");
        }
        assert_eq!(refuted(&here, &parts, &arguments), error);
        assert_eq!(files_in(&records), finished);
        // Earlier parts are made again, later ones are not.
        for removed in [0, 3] {
            fs::remove_file(&finished[removed]).unwrap();
            assert_eq!(refuted(&here, &parts, &arguments), error);
            assert_eq!(files_in(&records), finished);
        }
        // Without the row, no finished row refutes the law.
        fs::remove_file(&finished[end - 1]).unwrap();
        assert_eq!(refuted(&here, &parts, &arguments), error);
        let there = files_in(&records);
        assert!(finished.iter().all(|record| there.contains(record)));
    }
}

#[test]
fn a_changed_law_is_compared_with_the_finished_rows() {
    let here = Workspace::new();
    let switches = |law: &str| spec(&here, "switches", SWITCHES, law);
    let shard = ["--shard", "0/1", "--threads", "2"];
    let path = switches("value = \"{n|-m}\"\nleast = { m = 1 }");
    here.finish(&path, &shard);
    here.finish(&path, &[]);
    // The part with the first row that refutes the law is missing; the parts with later ones are
    // present.
    let records = files_in(&here.path("out/switches/shards/0-of-1/records"));
    fs::remove_file(&records[parts_to(&records, RANK) - 1]).unwrap();
    switches("value = \"{n|-m}\"");
    let error = format!("error: job \"switches\": {REFUTED}");
    assert_eq!(refuted(&here, &path, &[]), error);
    fs::remove_dir_all(here.path("out/switches/parts")).unwrap();
    fs::remove_dir_all(here.path("out/switches/records")).unwrap();
    assert_eq!(refuted(&here, &path, &shard), error);
    assert_eq!(
        files_in(&here.path("out/switches/shards/0-of-1/records")),
        records
    );
    assert_eq!(refuted(&here, &path, &[]), error);
    switches("value = \"{n|-m}\"\nleast = { m = 1 }");
    // The parts after the row are made now.
    let held = "law {n|-m} holds on all 24 rows from m=1, n=1 on";
    assert_eq!(here.finish(&path, &[])["law"], held);
    assert_eq!(here.finish(&path, &[])["outcome"], "already-finished");
}

#[test]
fn a_row_where_the_law_has_no_value_refutes_it() {
    let here = Workspace::new();
    for (name, value, why) in [
        (
            "ups",
            "x.^",
            "character 1: multiple of up too large; at most 255 is read",
        ),
        (
            "powers",
            "1-2^x",
            "character 3: an exponent is below 0, or a number takes more than 127 bits",
        ),
    ] {
        let family = "pattern = \"x\"\nx = [0, 300]";
        let spec = spec(&here, name, family, &format!("value = {value:?}"));
        let error =
            format!("error: job {name:?}: the law {value} gives no value at x=300: {why}\n");
        assert_eq!(refuted(&here, &spec, &[]), error);
    }
}

#[test]
fn faults_in_a_law_are_shown_in_place() {
    const SOUND: &str = "name = \"switches\"\n[ruleset]\ngame = \"sowing\"\nplay = \"partisan\"\n[family]\n\
        pattern = \"(10)^m 2 (01)^n\"\nm = \"1..=4\"\nn = \"1..=6\"\n[law]\nvalue = \"{n|-m}\"\n\
        least = { m = 1 }\nexcept = [{ m = 3, n = 3 }]\n";
    let parse = |text: &str| Job::parse(text, Path::new("bad.toml"), Path::new("."));
    assert!(parse(SOUND).is_ok());
    for (from, to, line, says) in [
        (
            "value",
            "vlaue",
            10,
            "law.vlaue: unknown key; accepted: value, least, except",
        ),
        (
            "value",
            "vlaue",
            9,
            "law.value: missing; write value = \"{n|-m}\"",
        ),
        (
            "\"{n|-m}\"",
            "7",
            10,
            "law.value: found an integer; accepted: a value in notation",
        ),
        (
            "-m}",
            "-m",
            10,
            "law.value: \"{n|-m\" is no value: character 6: expected",
        ),
        (
            "{n|",
            "{n2|",
            10,
            "law.value: \"{n2|-m}\" is no value: character 2: expected",
        ),
        (
            "{n|",
            "{k|",
            10,
            "law.value: unknown variable \"k\"; accepted: m, n",
        ),
        (
            "{n|",
            "{1/2^(n-9)|",
            10,
            "law.value: \"{1/2^(n-9)|-m}\" is no value",
        ),
        (
            "{ m = 1 }",
            "{ k = 1 }",
            11,
            "law.least.k: unknown variable \"k\"; accepted: m, n",
        ),
        (
            "{ m = 1 }",
            "{ m = 0 }",
            11,
            "law.least.m: 0 is out of range; accepted: 1 to 4",
        ),
        (
            "{ m = 1 }",
            "{ n = 7 }",
            11,
            "law.least.n: 7 is out of range; accepted: 1 to 6",
        ),
        (
            "{ m = 1 }",
            "1",
            11,
            "law.least: found an integer; accepted: a table, such as { m = 1, n = 1 }",
        ),
        (
            "[{ m = 3, n = 3 }]",
            "[]",
            12,
            "law.except: an empty list; accepted: a list of places",
        ),
        (
            ", n = 3",
            "",
            12,
            "law.except[0]: a law needs a number for each variable of a place; found none for n",
        ),
        (
            "n = 3 }",
            "n = 9 }",
            12,
            "law.except[0].n: 9 is out of range; accepted: 1 to 6",
        ),
        (
            "1 }\nexcept = [{ m = 3, n = 3 }]",
            "4, n = 6 }\nexcept = [{ m = 4, n = 6 }]",
            9,
            "law: a law needs a row that it covers; found all of them below least or in except",
        ),
        (
            "pattern = \"(10)^m 2 (01)^n\"\nm = \"1..=4\"\nn = \"1..=6\"",
            "all = { pots_max = 3 }\n\n",
            9,
            "law: a law needs patterns that all have the same variables, at least one; found all positions",
        ),
        (
            "pattern = \"(10)^m 2 (01)^n\"\nm = \"1..=4\"\nn = \"1..=6\"",
            "union = [{ pattern = \"1^n\", n = 3 }, { pattern = \"1^m\", m = 3 }]\n\n",
            9,
            "at least one; found pattern \"1^n\", pattern \"1^m\"",
        ),
        (
            "[law]\n",
            "[witness]\nfewest = \"pots\"\neach = \"value\"\n[law]\n",
            12,
            "law: unknown key; accepted: name, title, source, ruleset, family, columns, witness",
        ),
    ] {
        let text = SOUND.replacen(from, to, 1);
        assert_ne!(text, SOUND, "{from:?} stands in the spec");
        let error = parse(&text).map(|_| ()).expect_err(to);
        schema::assert_refused(&text, &error);
        let place = |line: usize| format!("bad.toml:{line}:");
        let mut reports = error.reports(false).into_iter();
        let is_it = |report: &String| report.contains(says) && report.contains(&place(line));
        assert!(
            reports.any(|report| is_it(&report)),
            "no {says:?} in\n{error}"
        );
    }
}
