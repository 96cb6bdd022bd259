//! Families in which some rows are much harder than others: what is found is there at once, and a
//! limit for each row.

use std::fs;
use std::process::Command;

use crate::common::python::{package, python};
use crate::common::workspace::{Ended, Workspace, ended, of_out, printed, seedbank};

/// Rows that take up to some thousand positions, two of them before all easy ones.
const FAMILY: &str = "union = [\n\
                      { pattern = \"(12)^n\", n = [4, 3] },\n\
                      { pattern = \"21 (01)^n\", n = \"0..=3\" },\n\
                      { pattern = \"1^n\", n = \"1..=4\" },\n\
                      ]";

/// The positions of the rows that take more than 300 positions, and the number of all rows.
const HARD: [&str; 2] = ["12121212", "121212"];
const ROWS: usize = 10;

fn open(here: &Workspace, spec: &std::path::Path) -> Vec<(String, String)> {
    let rows = here.rows(spec);
    assert_eq!(rows.len(), ROWS);
    let open = rows.into_iter().filter(|row| row.value.is_none());
    open.map(|row| {
        (
            row.position,
            row.value_missing.expect("a reason").into_owned(),
        )
    })
    .collect()
}

#[test]
fn rows_beyond_the_limit_have_no_value_and_a_higher_limit_fills_these_alone() {
    for threads in ["1", "2"] {
        higher_limits_fill_rows(threads);
    }
}

fn higher_limits_fill_rows(threads: &str) {
    let here = Workspace::new();
    let spec = here.spec("hard", "sowing", "partisan", FAMILY);
    let folders = [
        "--store",
        here.path("s").to_str().unwrap().to_owned().leak(),
    ];
    let whole = [
        folders[0],
        folders[1],
        "--out",
        here.path("whole").to_str().unwrap().to_owned().leak(),
    ];
    here.finish(&spec, &whole);

    let limit = |limit: &str| here.finish(&spec, &["--row-limit", limit, "--threads", threads]);
    let limited = limit("300 positions");
    assert_eq!(limited["outcome"], "finished");
    assert_eq!(limited["rows_over_limit"], 2, "{limited}");
    let missing = HARD.map(|position| (position.to_owned(), "limit".to_owned()));
    assert_eq!(open(&here, &spec), missing);
    assert!(!here.path("out/hard/manifest.json").exists());

    // The same limit or a lower one finds nothing more.
    for lower in ["300 positions", "7 positions"] {
        let again = limit(lower);
        assert_eq!(again["outcome"], "already-finished");
        assert_eq!(again["rows_over_limit"], 2);
    }
    // A higher one finds the easier of the two, and evaluates no other row again.
    let higher = limit("600 positions");
    assert_eq!(higher["rows_over_limit"], 1, "{higher}");
    assert!(higher["positions"].as_u64().unwrap() < 10_000, "{higher}");
    assert_eq!(open(&here, &spec), missing[..1]);

    let rest = here.finish(&spec, &["--threads", threads]);
    assert_eq!(
        (&rest["outcome"], &rest["rows_over_limit"]),
        (&"finished".into(), &0.into())
    );
    assert!(here.result("out", "hard") == here.result("whole", "hard"));
}

#[test]
fn limits_of_time_and_memory_and_one_in_the_spec_hold() {
    let here = Workspace::new();
    for limit in ["1ms", "1 KiB"] {
        let spec = here.spec(
            "short",
            "sowing",
            "partisan",
            "pattern = \"(12)^n\"\nn = [2, 5]",
        );
        let limited = here.finish(&spec, &["--row-limit", limit]);
        assert_eq!(limited["rows_over_limit"], 1, "{limit}: {limited}");
        fs::remove_dir_all(here.path("out")).expect("results");
        fs::remove_dir_all(here.path("store")).expect("a store");
    }
    let family = format!("{FAMILY}\n[limits]\nrow = \"300 positions\"");
    let spec = here.spec("said", "sowing", "partisan", &family);
    assert_eq!(here.finish(&spec, &[])["rows_over_limit"], 2);
    // The limit belongs to the run, not to the job.
    let spec = here.spec("said", "sowing", "partisan", FAMILY);
    assert_eq!(here.finish(&spec, &[])["rows_over_limit"], 0);
    let summary = here.finish(&spec, &["--row-limit", "1s"]);
    assert_eq!(summary["outcome"], "already-finished");
}

#[test]
fn reports_of_a_limited_result_name_the_rows_without_a_value() {
    let here = Workspace::new();
    let family = "pattern = \"(12)^m 1^n\"\nm = [4, 0]\nn = \"0..=5\"";
    let spec = here.spec("hard", "sowing", "partisan", family);
    let limited = here.finish(&spec, &["--row-limit", "300 positions"]);
    let missing = limited["rows_over_limit"].as_u64().expect("a number");
    assert!((2..=6).contains(&missing), "{limited}");
    let page = here.path("page.html");
    let commands: [&[&str]; 5] = [
        &["table"],
        &["check"],
        &["export", "--format", "csv"],
        &["mine"],
        &["report", "-o", page.to_str().expect("UTF-8")],
    ];
    for arguments in commands {
        let ended: Ended = ended(of_out(&here, arguments, &spec));
        assert_eq!(ended.status, Some(0), "{arguments:?}: {ended:?}");
        let remark = format!("{missing} of 12 rows have no value");
        assert!(ended.stderr.contains(&remark), "{arguments:?}: {ended:?}");
        assert!(
            ended.stderr.contains("12121212"),
            "{arguments:?}: {ended:?}"
        );
        assert!(
            ended.stderr.contains("--row-limit"),
            "{arguments:?}: {ended:?}"
        );
    }
    let status = printed(of_out(&here, &["status"], &spec));
    assert!(status.contains("unfinished"), "{status}");
    let beyond = format!("{missing} rows beyond the limit for each row");
    assert!(status.contains(&beyond), "{status}");
}

#[test]
fn a_law_is_not_refuted_by_rows_without_a_value() {
    let here = Workspace::new();
    let family = "pattern = \"1^n\"\nn = [9, 1]\n[law]\nvalue = \"0\"";
    let spec = here.spec("zeros", "sowing", "partisan", family);
    let limited = here.run(&spec, &["--row-limit", "100 positions"]);
    assert_eq!(limited.status, Some(0), "{limited:?}");
    assert!(!limited.stdout.contains("law"), "{limited:?}");
    let whole = here.run(&spec, &[]);
    assert!(
        whole.stdout.contains("law 0 holds on all 2 rows"),
        "{whole:?}"
    );
}

#[test]
fn jobs_without_single_positions_and_unknown_limits_are_refused() {
    let here = Workspace::new();
    let heaps = here.plain_spec(
        "kayles",
        "octal",
        "code = \"0.77\"\nsum = \"disjunctive\"\n[family]\nheaps = \"1..=100\"",
    );
    let refused = here.run(&heaps, &["--row-limit", "1s"]);
    assert_eq!(refused.status, Some(2), "{refused:?}");
    assert!(
        refused.stderr.contains("takes no limit for each row"),
        "{refused:?}"
    );

    let family = "pattern = \"1^n\"\nn = 3\n[limits]\nrow = \"soon\"";
    let spec = here.spec("soon", "sowing", "partisan", family);
    let refused = here.run(&spec, &[]);
    assert_eq!(refused.status, Some(2), "{refused:?}");
    for part in [
        "soon.toml:9:7",
        "limits.row",
        "60s",
        "1000000 positions",
        "2 GiB",
    ] {
        assert!(refused.stderr.contains(part), "{part}: {refused:?}");
    }
}

#[test]
fn a_row_that_no_key_holds_is_refused_before_any_work() {
    let here = Workspace::new();
    let spec = here.spec(
        "long",
        "sowing",
        "partisan",
        "pattern = \"1^n\"\nn = \"1..=200\"",
    );
    let refused = here.run(&spec, &[]);
    assert_eq!(refused.status, Some(1), "{refused:?}");
    let named = "(63 characters) does not fit a key of 127 bits";
    assert!(refused.stderr.contains(named), "{refused:?}");
    assert!(!refused.stderr.contains("sweeping"), "{refused:?}");
}

/// Easy rows are written while harder ones are still searched, whatever ends the run.
#[cfg(all(target_os = "linux", debug_assertions))]
#[test]
fn easy_rows_of_a_killed_run_are_there() {
    use crate::common::workspace::{signal, started, wait};

    let here = Workspace::new();
    let family = "union = [\n\
                  { pattern = \"(12)^n\", n = [6, 7] },\n\
                  { pattern = \"21 (01)^n\", n = \"0..=3\" },\n]";
    let spec = here.spec("hard", "sowing", "partisan", family);
    // The first round, in which each row takes at most 4096 positions, is over.
    let run: Command = here.held(here.running(&spec, &["--threads", "2"]), 30_000);
    let child = started(run);
    here.until_held();
    signal(&child, "KILL");
    assert_eq!(wait(child).status, None);
    let mut table = seedbank(&["table", "--partial", "--out"]);
    table.arg(here.path("out")).arg(&spec);
    let table = printed(table);
    assert!(table.contains("partial: 4 of 6 rows"), "{table}");
    for row in ["21 = -1", "210101 = -1"] {
        assert!(table.contains(row), "{row}: {table}");
    }
    let page = here.path("page.html");
    let commands: [&[&str]; 5] = [
        &["check"],
        &["export", "--format", "csv"],
        &["mine"],
        &["report", "-o", page.to_str().expect("UTF-8")],
        &["prove", "--time", "1s", "--laws"],
    ];
    for arguments in commands {
        let refused = ended(of_out(&here, arguments, &spec));
        assert_eq!(refused.status, Some(1), "{arguments:?}: {refused:?}");
        assert!(refused.stderr.contains("add --partial"), "{refused:?}");
        let arguments = [&arguments[..1], &["--partial"], &arguments[1..]].concat();
        let partial = ended(of_out(&here, &arguments, &spec));
        assert!(
            partial.stderr.contains("partial: 4 of 6 rows"),
            "{arguments:?}: {partial:?}"
        );
        // Whether a law of so few rows can be proved is not the question here.
        if arguments[0] != "prove" {
            assert_eq!(partial.status, Some(0), "{arguments:?}: {partial:?}");
        }
    }
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("4 of 6"));
}

#[test]
fn python_reads_what_there_is_on_request() {
    let here = Workspace::new();
    let spec = here.spec("hard", "sowing", "partisan", FAMILY);
    here.finish(&spec, &["--row-limit", "300 positions"]);
    let script = "import sys, seedbank\n\
                  try:\n    seedbank.read('hard', out=sys.argv[1])\n    raise SystemExit('it was read as a whole')\n\
                  except RuntimeError as error:\n    assert 'partial=True' in str(error), error\n\
                  rows = seedbank.read('hard', out=sys.argv[1], partial=True)\n\
                  print(len(rows), rows['value_missing'].drop_nulls().to_list())";
    let mut read = python();
    read.args(["-c", script]).arg(here.path("out"));
    read.env("PYTHONPATH", package());
    assert_eq!(printed(read).trim(), "10 ['limit', 'limit']");
}
