//! Watching a run: a command that is notified of the end, the log of events, `status --watch`.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;

use crate::common::workspace::{
    self, Ended, Workspace, ended, seedbank, signal, started, until, wait,
};
use serde_json::Value;

const ROWS: &str = "pattern = \"1^n 2\"\nn = \"1..=7\"";

/// A run of this row is held.
const ROW: &str = "pattern = \"1^n 2\"\nn = 9";

/// Returns a command that writes down its notification.
fn hook(here: &Workspace) -> String {
    let file = here.path("told");
    format!(
        "echo \"$SEEDBANK_OUTCOME $SEEDBANK_STATUS $SEEDBANK_ROWS|$SEEDBANK_SUMMARY\" >> '{}'; echo told",
        file.display()
    )
}

fn told(here: &Workspace) -> String {
    let file = here.path("told");
    let text = fs::read_to_string(&file).unwrap_or_default();
    let _ = fs::remove_file(file);
    text
}

#[cfg(debug_assertions)]
#[test]
fn a_command_is_notified_once_how_a_run_ended() {
    let here = Workspace::new();
    let spec = here.spec("rows", "sowing", "partisan", ROWS);
    let row = here.spec("row", "sowing", "partisan", ROW);
    let hook = hook(&here);
    let running =
        |spec: &Path, more: &[&str]| here.running(spec, &[&["--notify", &hook], more].concat());
    let run = |spec: &Path, more: &[&str]| ended(running(spec, more));

    let done = run(&spec, &[]);
    assert_eq!(done.status, Some(0), "{done:?}");
    let text = told(&here);
    assert!(
        text.starts_with("done 0 7|rows: finished, 7 rows in "),
        "{text}"
    );
    assert_eq!(text.lines().count(), 1, "{text}");
    // The run's standard output has only its own lines.
    assert_eq!(done.stdout.lines().count(), 1, "{done:?}");
    assert!(done.stderr.contains("told"), "{done:?}");

    let stopped = ended(here.held(running(&row, &["--time-limit", "50ms"]), 1));
    assert_eq!(stopped.status, Some(75), "{stopped:?}");
    assert!(told(&here).starts_with("stopped-early 75 0|row: the time limit was reached"));

    let failed = run(&row, &["--memory", "1MiB"]);
    assert_eq!(failed.status, Some(1), "{failed:?}");
    assert!(told(&here).starts_with("failed 1 0|row needs more than its memory budget"));

    let wrong = here.spec("wrong", "sewing", "partisan", ROWS);
    assert_eq!(run(&wrong, &[]).status, Some(2));
    let text = told(&here);
    assert!(
        text.starts_with("usage 2 0|ruleset.game: unknown game \"sewing\""),
        "{text}"
    );
}

#[test]
fn a_command_that_fails_is_a_warning() {
    let here = Workspace::new();
    let spec = here.spec("rows", "sowing", "partisan", ROWS);
    let done = here.run(&spec, &["--notify", "exit 3"]);
    assert_eq!(done.status, Some(0), "{done:?}");
    let warning = "WARN the command of --notify ended with exit status: 3: exit 3";
    assert!(done.stderr.contains(warning), "{done:?}");
}

/// Returns the events of a log, of which every line must be an object with a time.
fn events(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.ends_with('\n'), "{text}");
    let event = |line: &str| -> Value {
        let event: Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
        assert!(
            event["time"]
                .as_str()
                .is_some_and(|time| time.ends_with('Z')),
            "{line}"
        );
        event
    };
    text.lines().map(event).collect()
}

fn names(events: &[Value]) -> Vec<&str> {
    events
        .iter()
        .map(|event| event["event"].as_str().unwrap())
        .collect()
}

#[test]
fn events_are_logged_one_a_line() {
    let here = Workspace::new();
    let spec = here.spec("rows", "sowing", "partisan", ROWS);
    let row = here.spec("row", "sowing", "partisan", ROW);
    let log = here.path("log.jsonl");
    let run = |more: &[&str]| {
        here.run(
            &spec,
            &[&["--log-json", log.to_str().unwrap()], more].concat(),
        )
    };

    assert_eq!(run(&["--threads", "2", "--shard", "0/1"]).status, Some(0));
    let found = events(&log);
    assert_eq!(
        names(&found),
        [
            "run-started",
            "job-started",
            "progress",
            "job-ended",
            "run-ended"
        ]
    );
    assert_eq!(
        (&found[0]["jobs"][0], &found[0]["threads"]),
        (&"rows".into(), &2.into())
    );
    assert_eq!(found[0]["shard"], "0/1");
    assert_eq!(
        (&found[2]["rows"], &found[2]["rows_total"]),
        (&7.into(), &7.into())
    );
    assert_eq!(
        (&found[3]["outcome"], &found[3]["shard"]),
        (&"finished".into(), &"0/1".into())
    );
    assert_eq!(
        (&found[4]["outcome"], &found[4]["status"]),
        (&"done".into(), &0.into())
    );

    // A second run adds to the file; it logs failures and warnings.
    assert_eq!(run(&[]).status, Some(0));
    let segment = here.segments().remove(0);
    let bytes = fs::read(&segment).unwrap().len();
    workspace::flip_byte(&segment, bytes - 1);
    let failed = run(&[row.to_str().unwrap(), "--memory", "1MiB"]);
    assert_eq!(failed.status, Some(1), "{failed:?}");
    let found = events(&log);
    let last = found.last().unwrap();
    assert_eq!(
        (&last["outcome"], &last["status"]),
        (&"failed".into(), &1.into())
    );
    assert!(
        last["error"].as_str().unwrap().contains("--memory"),
        "{last}"
    );
    let warned = |event: &Value| {
        let message = event["message"].as_str().unwrap_or_default();
        event["event"] == "log"
            && event["level"] == "WARN"
            && message.contains("leaving out a store segment")
    };
    assert!(found.iter().any(warned), "{found:?}");
    assert_eq!(
        names(&found)
            .iter()
            .filter(|name| **name == "run-ended")
            .count(),
        3
    );

    let nowhere = here.path("no/log");
    let refused = here.run(&spec, &["--log-json", nowhere.to_str().unwrap()]);
    assert_eq!(refused.status, Some(2), "{refused:?}");
    assert!(
        refused.stderr.contains("name another with --log-json"),
        "{refused:?}"
    );
}

fn watched(here: &Workspace, spec: &Path, more: &[&str]) -> std::process::Command {
    let mut command = seedbank(&["status", "--watch=100ms"]);
    command
        .arg("--out")
        .arg(here.path("out"))
        .args(more)
        .arg(spec);
    command
}

#[test]
fn watching_ends_when_the_job_is_finished() {
    let here = Workspace::new();
    let spec = here.spec("rows", "sowing", "partisan", ROWS);
    let watch = started(watched(&here, &spec, &["--json", "--shards", "2"]));
    for shard in ["1/2", "0/2"] {
        assert_eq!(here.run(&spec, &["--shard", shard]).status, Some(0));
    }
    let mut merge = seedbank(&["merge", "--out"]);
    merge.arg(here.path("out")).arg(&spec);
    assert_eq!(ended(merge).status, Some(0));
    let seen: Ended = wait(watch);
    assert_eq!(seen.status, Some(0), "{seen:?}");
    let looks: Vec<Value> = seen
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let last = looks.last().unwrap();
    assert_eq!(
        (&last["state"], &last["rows"]),
        (&"finished".into(), &7.into())
    );
    // Consecutive lines differ.
    assert!(looks.windows(2).all(|two| two[0] != two[1]), "{seen:?}");
    let left = |look: &Value| -> u64 {
        let shards = look["dealt"].as_array().unwrap();
        shards
            .iter()
            .map(|shard| shard["rows_left"].as_u64().unwrap())
            .sum()
    };
    assert!(
        looks.is_sorted_by(|one, next| left(one) >= left(next)),
        "{seen:?}"
    );

    let done = ended(watched(&here, &spec, &[]));
    assert_eq!(done.stdout, "rows  finished    7 of 7 rows, 1 of 1 part\n");
}

/// A held run reports progress after ten seconds.
#[cfg(debug_assertions)]
#[test]
fn plain_lines_name_phase_rate_and_time_left() {
    let here = Workspace::new();
    let row = here.spec("row", "sowing", "partisan", ROW);
    let log = here.path("log.jsonl");
    let arguments = ["--threads", "1", "--log-json", log.to_str().unwrap()];
    let mut child = started(here.held(here.running(&row, &arguments), 1));
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let found = lines.find_map(|line| {
        let line = line.unwrap();
        let after = line
            .trim_start()
            .strip_prefix("INFO row: searching, 0 of 1 row, ")?;
        Some(after.to_owned())
    });
    let line = found.expect("a line after ten seconds");
    let parts: Vec<&str> = line.split(", ").collect();
    assert!(
        matches!(parts[..], [rate, memory, left]
            if rate.ends_with(" positions/s") && memory.ends_with("iB") && left == "time left unknown"),
        "{line}"
    );
    until("logging progress", || {
        fs::read_to_string(&log).unwrap().contains("\"progress\"")
    });
    signal(&child, "TERM");
    assert_eq!(child.wait().unwrap().code(), Some(75));
    let found = events(&log);
    let progress = found.iter().find(|event| event["event"] == "progress");
    let progress = progress.expect("the log has the word");
    assert_eq!(
        (&progress["phase"], &progress["unit"], &progress["total"]),
        (&"searching".into(), &"row".into(), &1.into())
    );
}

/// The second position takes a minute.
#[test]
fn eval_prints_a_position_before_slower_ones_finish() {
    use std::process::Stdio;

    for threads in ["1", "2"] {
        let mut eval = std::process::Command::new(assert_cmd::cargo::cargo_bin!("seedbank"))
            .args([
                "eval",
                "--game",
                "sowing",
                "--play",
                "partisan",
                "--threads",
                threads,
            ])
            .args(["312", "11", "1111111111111112"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(eval.stdout.take().unwrap()).lines();
        assert_eq!(lines.next().unwrap().unwrap(), "312 = {0|-2}");
        assert_eq!(lines.next().unwrap().unwrap(), "11 = *");
        assert!(eval.try_wait().unwrap().is_none(), "the slow one is done");
        eval.kill().unwrap();
        eval.wait().unwrap();
    }
}
