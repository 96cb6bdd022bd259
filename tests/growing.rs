//! Families that grow: a run keeps the rows of an earlier spec, and its result is that of a fresh run.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common::workspace::{Workspace, ended, files_in, seedbank, signal, started, wait};

/// The name of every job here.
const NAME: &str = "grown";

/// Writes a spec with these sections after `[ruleset]`.
fn spec(here: &Workspace, play: &str, family: &str) -> PathBuf {
    here.spec(NAME, "sowing", play, family)
}

/// Removes the store, so that no value of an earlier run is found there.
fn forget(here: &Workspace) {
    fs::remove_dir_all(here.path("store")).expect("a store");
}

/// Runs a job in an empty folder of results, with an empty store. Returns the number of positions that
/// it evaluated.
fn fresh(here: &Workspace, spec: &Path) -> u64 {
    let folder = |name: &str| here.path(name).to_str().expect("UTF-8").to_owned();
    for name in ["fresh", "fresh-store"] {
        let _ = fs::remove_dir_all(here.path(name));
    }
    let (out, store) = (folder("fresh"), folder("fresh-store"));
    let finished = here.finish(spec, &["--out", &out, "--store", &store]);
    finished["positions"].as_u64().expect("a number")
}

/// Asserts that the finished result is that of a fresh run, byte for byte.
fn assert_fresh(here: &Workspace, spec: &Path) -> u64 {
    let positions = fresh(here, spec);
    assert!(
        here.result("out", NAME) == here.result("fresh", NAME),
        "{spec:?}"
    );
    assert!(!here.path("out/grown/earlier").exists());
    positions
}

fn status(here: &Workspace, spec: &Path, arguments: &[&str]) -> String {
    let mut command = seedbank(&["status", "--out"]);
    command.arg(here.path("out")).arg(spec).args(arguments);
    let status = ended(command);
    assert_eq!(
        (status.status, &*status.stderr),
        (Some(0), ""),
        "{status:?}"
    );
    status.stdout
}

#[test]
fn rows_of_the_earlier_family_are_kept_and_not_evaluated_again() {
    let here = Workspace::new();
    // These rows take thousands of positions.
    let hard = "{ pattern = \"(12)^n\", n = [4, 3] }";
    here.finish(&spec(&here, "partisan", &format!("union = [{hard}]")), &[]);
    forget(&here);
    let more = format!(
        "union = [{{ pattern = \"1^n 2\", n = \"1..=3\" }}, {hard}, {{ positions = [\"1212\", \"121212\"] }}]"
    );
    let grown = spec(&here, "partisan", &more);
    let finished = here.run(&grown, &["--json"]);
    assert_eq!(finished.status, Some(0), "{finished:?}");
    assert!(
        finished
            .stderr
            .contains("grown: 2 rows of the earlier spec are kept (family.union: "),
        "{finished:?}"
    );
    let finished = finished.json();
    let positions = finished["positions"].as_u64().expect("a number");
    let whole = assert_fresh(&here, &grown);
    assert!(positions * 10 < whole, "{positions} of {whole}");
    assert_eq!(finished["rows"], 7);
}

#[test]
fn the_result_is_that_of_a_fresh_run_for_every_kind_of_family() {
    for (game, play, families) in [
        (
            "sowing",
            "partisan",
            [
                "pattern = \"x 2^m\"\nx = [1, 3]\nm = \"0..=2\"\n[columns]\nfollowers = true\ndepth = true",
                "pattern = \"x 2^m\"\nx = [3, 2, 1]\nm = \"0..=3\"\n[columns]\nfollowers = true\ndepth = true",
                "union = [{ pattern = \"x 2^m\", x = \"1..=4\", m = \"0..=3\" }, { pattern = \"1^n\", n = \"1..=5\" }]\n\
                 [columns]\nfollowers = true\ndepth = true",
            ],
        ),
        (
            "sowing",
            "impartial",
            [
                "all = { pots_max = 3, seeds_max = 4 }",
                "all = { pots_max = 4, seeds_max = 4 }",
                "all = { pots_max = 4, seeds_max = 6, order = \"seeds\" }",
            ],
        ),
        (
            "reverse-atomic-wari",
            "partisan",
            [
                "all = { pots_max = 3, seeds_max = 4 }",
                "all = { pots_max = 3, seeds_max = 5 }",
                "all = { pots_max = 4, seeds_max = 5 }",
            ],
        ),
        (
            "grid-sowing",
            "partisan",
            [
                "grid = { rows = 1, columns = \"1..=3\", seeds = 1 }",
                "grid = { rows = \"1..=2\", columns = \"1..=3\", seeds = 1 }",
                "all = { rows = \"1..=2\", columns = \"1..=3\", pot_seeds_max = 1 }",
            ],
        ),
    ] {
        let here = Workspace::new();
        for family in families {
            let path = here.spec(NAME, game, play, family);
            here.finish(&path, &[]);
            forget(&here);
            assert_fresh(&here, &path);
        }
    }
}

#[test]
fn an_interrupted_run_resumes_with_this_family_and_with_a_larger_one() {
    let here = Workspace::new();
    let ones = |most: u32| {
        spec(
            &here,
            "partisan",
            &format!("pattern = \"1^n 2\"\nn = \"1..={most}\""),
        )
    };
    here.finish(&ones(4), &[]);
    forget(&here);
    let earlier = here.path("out/grown/earlier");
    let killed = |most: u32| {
        let child = started(here.held(here.running(&ones(most), &["--threads", "1"]), 1));
        here.until_held();
        signal(&child, "KILL");
        assert_eq!(wait(child).status, None);
        assert!(earlier.join("1/records/shard-00000.json").exists());
        let status: Value = serde_json::from_str(&status(&here, &ones(most), &["--json"])).unwrap();
        assert_eq!(status["state"], "unfinished");
    };
    killed(6);
    killed(7);
    // A move that ended after the records is completed.
    for table in ["parts", "forms"] {
        fs::rename(earlier.join("1").join(table), here.path("out/grown/aside")).unwrap();
        fs::remove_dir_all(here.path("out/grown").join(table)).unwrap();
        fs::rename(
            here.path("out/grown/aside"),
            here.path("out/grown").join(table),
        )
        .unwrap();
    }
    fs::remove_dir_all(here.path("out/grown/records")).unwrap();
    here.finish(&ones(7), &[]);
    assert_fresh(&here, &ones(7));
    // The rows of an unfinished result are kept, too.
    let hard =
        "union = [{ pattern = \"1^n 2\", n = \"1..=7\" }, { pattern = \"(12)^n\", n = [3, 4] }]";
    let limited = here.finish(
        &spec(&here, "partisan", hard),
        &["--row-limit", "300 positions"],
    );
    let over = limited["rows_over_limit"].as_u64().expect("a number");
    assert!(over > 0, "{limited}");
    let kept = format!("{} rows of the earlier spec are kept", 9 - over);
    let more = hard.replace("\"1..=7\"", "\"0..=7\"");
    let more = spec(&here, "partisan", &more);
    let finished = here.run(&more, &[]);
    assert!(finished.stderr.contains(&kept), "{finished:?}");
    assert_fresh(&here, &more);
    // A damaged part is evaluated again.
    let [part] = &files_in(&here.path("out/grown/parts"))[..] else {
        panic!("one part");
    };
    let mut bytes = fs::read(part).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(part, bytes).unwrap();
    let repaired = spec(&here, "partisan", &hard.replace("\"1..=7\"", "\"0..=8\""));
    let finished = here.run(&repaired, &[]);
    assert!(finished.stderr.contains("is damaged"), "{finished:?}");
    assert_fresh(&here, &repaired);
}

#[test]
fn another_game_and_a_family_without_some_rows_are_refused_with_the_keys_that_differ() {
    let here = Workspace::new();
    let family = "pattern = \"1^n\"\nn = \"1..=5\"";
    here.finish(&spec(&here, "partisan", family), &[]);
    let result = here.result("out", NAME);
    let smaller = family.replace("1..=5", "2..=9");
    let columns = format!("{family}\n[columns]\nfollowers = true");
    for (play, family, changes, rest) in [
        (
            "impartial",
            family,
            "ruleset.play: \"partisan\" -> \"impartial\"",
            "give the job another name",
        ),
        (
            "partisan",
            &columns,
            "columns.followers: not set -> true",
            "values in the store are not computed again",
        ),
        (
            "partisan",
            &smaller,
            "family.n: \"1..=5\" -> \"2..=9\"",
            "this job lacks 1 of their rows, the first of them 1, ",
        ),
    ] {
        let path = spec(&here, play, family);
        let refused = here.run(&path, &[]);
        assert_eq!(refused.status, Some(1), "{refused:?}");
        for text in ["out/grown holds results", changes, rest] {
            assert!(refused.stderr.contains(text), "{text}: {refused:?}");
        }
        assert!(here.result("out", NAME) == result);
        // The state of such a folder is no error.
        let rows = if family == smaller { 8 } else { 5 };
        assert_eq!(
            status(&here, &path, &[]),
            format!("grown  of another spec  {rows} rows, {changes}\n")
        );
        let object: Value = serde_json::from_str(&status(&here, &path, &["--json"])).unwrap();
        assert_eq!(
            (&object["state"], &object["rows"], &object["changes"][0]),
            (&"of another spec".into(), &Value::Null, &changes.into())
        );
    }
    // Words about a job make no other job.
    let path = spec(
        &here,
        "partisan",
        &format!("{family}\n[limits]\nrow = \"1h\""),
    );
    assert_eq!(here.finish(&path, &[])["outcome"], "already-finished");
}

#[test]
fn commands_that_make_no_rows_say_that_a_run_keeps_them() {
    let here = Workspace::new();
    here.finish(
        &spec(&here, "partisan", "pattern = \"1^n\"\nn = \"1..=5\""),
        &[],
    );
    let grown = spec(&here, "partisan", "pattern = \"1^n\"\nn = \"1..=6\"");
    let on = |command: &str| {
        let mut command = seedbank(&[command, "--out"]);
        command.arg(here.path("out")).arg(&grown);
        ended(command)
    };
    let table = on("table");
    assert_eq!(table.status, Some(1), "{table:?}");
    assert!(
        table
            .stderr
            .contains("run the job, which keeps these rows if it has all of them"),
        "{table:?}"
    );
    let plan = on("plan");
    assert_eq!(plan.status, Some(0), "{plan:?}");
    assert!(
        plan.stdout.contains("6 positions in 1 part, 1 left"),
        "{plan:?}"
    );
    assert!(
        plan.stderr.contains("family.n: \"1..=5\" -> \"1..=6\""),
        "{plan:?}"
    );
}

/// Results without rows of pots: each family has all rows of the one before it.
#[test]
fn results_over_heaps_sums_moves_and_sets_of_rules_grow_too() {
    let here = Workspace::new();
    let lines = ["a", "b", "c"].map(|name| format!("{{\"position\": {name:?}}}\n"));
    fs::write(here.path("game.ndjson"), lines.concat()).unwrap();
    let rules = "play = \"partisan\"\n[rules]\npot_min = { each = [1, 2] }\nlast = \"occupied\"\n";
    let moves = "play = \"partisan\"\nmoves = \"game.ndjson\"\n";
    for (game, ruleset, families, kept) in [
        (
            "octal",
            "code = \"0.37\"\n",
            [
                "heaps = \"0..=3000\"",
                "heaps = \"0..=7000\"",
                "heaps = \"0..=7001\"",
            ],
            [3001, 7001],
        ),
        (
            "octal",
            "code = \"0.13151\"\nsum = \"obligated\"\n",
            [
                "heaps = \"200..=300\"",
                "heaps = \"0..=2000\"",
                "heaps = \"0..=9000\"",
            ],
            [101, 2001],
        ),
        (
            "disjunctive",
            "",
            [
                "sum = \"knight(i,j)\"\ni = \"0..=2\"\nj = [3, 1]\n[columns]\ngenus = true",
                "sum = \"knight(i,j)\"\ni = \"0..=4\"\nj = \"0..=3\"\n[columns]\ngenus = true",
                "sum = \"knight(k,i)\"\nk = \"0..=5\"\ni = \"0..=4\"\n[columns]\ngenus = true",
            ],
            [6, 20],
        ),
        (
            "obligated",
            "",
            [
                "sum = \"kayles(n) > nim(2)\"\nn = 3",
                "sum = \"kayles(n) > nim(m)\"\nn = \"1..=5\"\nm = [2]",
                "sum = \"kayles(n) > nim(m)\"\nn = \"1..=5\"\nm = [1, 2]",
            ],
            [1, 5],
        ),
        (
            "row-rules",
            rules,
            [
                "all = { pots_max = 2, seeds_max = 3 }",
                "all = { pots_max = 3, seeds_max = 4 }",
                "union = [{ all = { pots_max = 3, seeds_max = 4 } }, { pattern = \"2 1^n\", n = \"0..=3\" }]",
            ],
            [0, 0],
        ),
        (
            "moves",
            moves,
            [
                "positions = [\"b\"]",
                "positions = [\"c\", \"b\"]",
                "all = true",
            ],
            [1, 2],
        ),
    ] {
        let mut rows_before = None;
        for (place, family) in families.into_iter().enumerate() {
            let path = here.plain_spec(NAME, game, &format!("{ruleset}[family]\n{family}"));
            let ended = here.run(&path, &["--json"]);
            assert_eq!(ended.status, Some(0), "{game} {family}: {ended:?}");
            if let Some(rows) = rows_before {
                assert!(kept[place - 1] == 0 || kept[place - 1] == rows);
                let kept = format!("grown: {rows} rows of the earlier spec are kept (family.");
                assert!(ended.stderr.contains(&kept), "{game} {family}: {ended:?}");
            }
            rows_before = ended.json()["rows"].as_u64();
            if here.path("store").exists() {
                forget(&here);
            }
            assert_fresh(&here, &path);
        }
        let smaller = format!("{ruleset}[family]\n{}", families[0]);
        let path = here.plain_spec(NAME, game, &smaller);
        let refused = here.run(&path, &[]);
        assert_eq!(refused.status, Some(1), "{game}: {refused:?}");
        for text in [
            "family.",
            " -> ",
            "this job lacks ",
            "of their rows, the first of them ",
        ] {
            assert!(refused.stderr.contains(text), "{game} {text}: {refused:?}");
        }
        fs::remove_dir_all(here.path("out")).unwrap();
    }
}

#[test]
fn kinds_whose_results_do_not_grow_name_the_key_and_the_way_out() {
    let here = Workspace::new();
    let codes = |heaps: u32| {
        let rest = format!("[family]\ncodes = {{ digits = 1 }}\nheaps_max = {heaps}");
        here.plain_spec(NAME, "octal", &rest)
    };
    here.finish(&codes(64), &[]);
    let refused = here.run(&codes(128), &[]);
    assert_eq!(refused.status, Some(1), "{refused:?}");
    for text in [
        "family.heaps_max: 64 -> 128; give the job another name",
        "values in the store are not computed again",
    ] {
        assert!(refused.stderr.contains(text), "{text}: {refused:?}");
    }
}
