//! Signals, closed terminals, memory and time limits: a run ends with a documented status and loses nothing.

#![cfg(all(target_os = "linux", debug_assertions))]

use std::fs::File;
use std::path::Path;
use std::process::Command;

use crate::common::workspace::{
    Ended, Workspace, ended, heeding_signals, seedbank, signal, started, until_locked, wait,
};
use crate::terminal::opened;

/// Takes a second or so.
const SHORT: &str = "pattern = \"1^n 2\"\nn = \"1..=9\"";

/// Returns a command of the shell that runs a job after some words, such as `trap "" HUP;`.
fn shell(here: &Workspace, words: &str, spec: &Path) -> Command {
    let run = here.running(spec, &["--threads", "1"]);
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{words} exec \"$0\" \"$@\"")]);
    with(command, &run)
}

/// Appends the words of another command.
fn with(mut command: Command, other: &Command) -> Command {
    command.arg(other.get_program()).args(other.get_args());
    command
}

#[test]
fn signals_ignored_at_the_start_stay_ignored() {
    // As "nohup" starts a command, and a shell without job control one in the background.
    let here = Workspace::new();
    let spec = here.spec("short", "sowing", "partisan", SHORT);
    let child = started(shell(&here, "trap '' HUP INT USR1;", &spec));
    until_locked(&here.path("store"), &child);
    for name in ["HUP", "INT", "USR1", "INT"] {
        signal(&child, name);
    }
    let ran = wait(child);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(!ran.stderr.contains("stopping"), "{ran:?}");
}

#[test]
fn each_warning_of_a_batch_system_stops_a_run_like_sigterm() {
    for names in [["USR1", "USR2"], ["XCPU", "XCPU"], ["HUP", "TERM"]] {
        let here = Workspace::new();
        let spec = here.spec("short", "sowing", "partisan", SHORT);
        let child = started(here.held(shell(&here, "", &spec), 1));
        here.until_held();
        names.iter().for_each(|name| signal(&child, name));
        let stopped = wait(child);
        assert_eq!(stopped.status, Some(75), "{names:?}: {stopped:?}");
        assert!(stopped.stderr.contains("stopping"), "{stopped:?}");
        assert_eq!(here.store("verify", &[]).status, Some(0));
    }
}

/// Where a part has a million rows, a few positions of each take minutes.
#[test]
fn rows_that_are_left_at_a_stop_are_not_begun() {
    let here = Workspace::new();
    let spec = here.spec("rows", "sowing", "partisan", "all = { pots_max = 6 }");
    let run = here.running(&spec, &["--threads", "1", "--json"]);
    let child = started(here.held(run, 1));
    here.until_held();
    signal(&child, "TERM");
    let stopped = wait(child);
    assert_eq!(stopped.status, Some(75), "{stopped:?}");
    let report: serde_json::Value = serde_json::from_str(&stopped.stdout).unwrap();
    assert!(report["positions"].as_u64().unwrap() < 100, "{report}");
}

#[test]
fn a_run_whose_terminal_is_closed_stops_and_keeps_its_values() {
    let here = Workspace::new();
    let spec = here.spec("short", "sowing", "partisan", SHORT);
    let (terminal, theirs) = opened();
    let mut command = here.held(here.running(&spec, &["--threads", "1", "-v"]), 1);
    heeding_signals(&mut command)
        .stdout(theirs.try_clone().unwrap())
        .stderr(theirs);
    let mut child = command.spawn().unwrap();
    drop(command);
    here.until_held();
    drop(terminal);
    signal(&child, "HUP");
    assert_eq!(child.wait().unwrap().code(), Some(75));
    assert!(here.values_stored() > 0);
}

/// Runs a command whose streams of these numbers cannot be written.
fn on_a_full_disk(mut command: Command, streams: &[u8]) -> Ended {
    let full = || File::options().write(true).open("/dev/full").unwrap();
    let mut child = command.stdin(std::process::Stdio::null());
    if streams.contains(&1) {
        child = child.stdout(full());
    }
    if streams.contains(&2) {
        child = child.stderr(full());
    }
    ended_with_streams(child)
}

fn ended_with_streams(command: &mut Command) -> Ended {
    let output = command.output().expect("the command starts");
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    Ended {
        status: output.status.code(),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    }
}

#[test]
fn streams_that_cannot_be_written_change_no_other_status() {
    // The arguments, and the status with no output, with no standard error, with neither.
    for (arguments, statuses) in [
        (&["value", "1/3"][..], [2, 2, 2]),
        (&["value", "1/2"], [1, 0, 1]),
        (&["value", "--nonsense"], [2, 2, 2]),
        (&["--help"], [1, 0, 1]),
        (&["--version"], [1, 0, 1]),
        (&["help", "games"], [1, 0, 1]),
        (&["schema"], [1, 0, 1]),
        (&["jobs", "list", "no-such-folder"], [2, 2, 2]),
        (
            &["eval", "-vv", "-g", "sowing", "-p", "partisan", "312"],
            [1, 0, 1],
        ),
        (
            &["eval", "-g", "octal", "--code", "0.77", "1..=99"],
            [1, 0, 1],
        ),
        (&["tchoukaillon", "board", "100"], [1, 0, 1]),
    ] {
        for (streams, status) in [&[1][..], &[2], &[1, 2]].into_iter().zip(statuses) {
            let ran = on_a_full_disk(seedbank(arguments), streams);
            assert_eq!(
                ran.status,
                Some(status),
                "{arguments:?} {streams:?}: {ran:?}"
            );
            if status == 1 && streams == [1] {
                assert!(
                    ran.stderr.contains("standard output cannot be written"),
                    "{ran:?}"
                );
            }
        }
    }
}

#[test]
fn a_run_whose_output_is_lost_ends_its_log_with_the_status_that_it_ends_with() {
    let here = Workspace::new();
    let spec = here.spec(
        "short",
        "sowing",
        "partisan",
        "pattern = \"1^n 2\"\nn = \"1..=5\"",
    );
    let (log, told) = (here.path("log"), here.path("told"));
    let hook = format!("echo $SEEDBANK_STATUS > {}", told.display());
    let arguments = ["--log-json", log.to_str().unwrap(), "--notify", &hook];
    let ran = on_a_full_disk(here.running(&spec, &arguments), &[1]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    let log = std::fs::read_to_string(log).unwrap();
    let last: serde_json::Value = serde_json::from_str(log.lines().last().unwrap()).unwrap();
    assert_eq!(
        (&last["event"], &last["status"]),
        (&"run-ended".into(), &1.into())
    );
    assert_eq!(std::fs::read_to_string(told).unwrap(), "1\n");
    // The rows are there.
    assert_eq!(here.rows(&spec).len(), 5);
}

#[test]
fn closed_streams_end_no_command() {
    for closed in ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"] {
        for (arguments, status) in [("value 1/2", 0), ("value 1/3", 2), ("value -", 0)] {
            let mut command = Command::new("sh");
            let words = format!("exec \"$0\" {arguments} {closed}");
            command.args(["-c", &words, env!("CARGO_BIN_EXE_seedbank")]);
            let ran = ended(command);
            assert_eq!(ran.status, Some(status), "{arguments} {closed}: {ran:?}");
        }
    }
}

#[test]
fn a_limit_on_the_size_of_files_is_an_error() {
    let here = Workspace::new();
    let spec = here.spec("rows", "sowing", "impartial", "all = { pots_max = 6 }");
    let limited = ended(shell(&here, "ulimit -f 4;", &spec));
    assert_eq!(limited.status, Some(1), "{limited:?}");
    assert!(limited.stderr.contains("File too large"), "{limited:?}");
    assert!(limited.stderr.contains("ulimit -f"), "{limited:?}");
    assert_eq!(ended(shell(&here, "", &spec)).status, Some(0));
}

#[test]
fn heaps_beyond_a_proved_period_have_their_values_at_once() {
    for (arguments, printed) in [
        // Kayles has the period 12 from heap 71 on, and heaps of 4 tokens beyond it have value 1.
        (
            &["octal", "--code", "0.77", "1000000000"][..],
            "1000000000 = *\n",
        ),
        (
            &["octal", "--code", "0.77", "10000000000"],
            "10000000000 = *\n",
        ),
        (
            &["octal", "--code", "0.77", "3", "9223372036854775807", "5"],
            "3 = *3\n9223372036854775807 = *2\n5 = *4\n",
        ),
        // Its obligated values have the period 8.
        (
            &[
                "octal",
                "--code",
                "0.77",
                "--sum",
                "obligated",
                "8",
                "1000000000000",
            ],
            "8 = 01\n1000000000000 = 01\n",
        ),
        // Taking 1, 3 or 4 has the period 7: 0, 1, 0, 1, 2, 3, 2.
        (
            &["subtraction", "--set-of", "1,3,4", "700000000005"],
            "700000000005 = *3\n",
        ),
        (
            &[
                "disjunctive",
                "kayles(1000000000) + nim(3) + subtraction(1,3,4)(4000000000)",
            ],
            "kayles(1000000000) + nim(3) + subtraction(1,3,4)(4000000000) = *3\n",
        ),
        (
            &["obligated", "0.77(4000000000) > nim(1)", "0.77(8) > nim(1)"],
            "0.77(4000000000) > nim(1) = 10\n0.77(8) > nim(1) = 10\n",
        ),
    ] {
        let mut command = seedbank(&["eval", "--memory", "100MiB", "--game"]);
        command.args(arguments);
        let found = ended(command);
        assert_eq!(found.status, Some(0), "{found:?}");
        assert_eq!(found.stdout, printed);
    }
}

#[test]
fn heaps_without_a_proved_period_are_refused_beyond_the_limits() {
    for (arguments, status, error) in [
        (
            &[
                "octal",
                "--code",
                "0.B9",
                "--sum",
                "obligated",
                "1000000000000",
            ][..],
            2,
            "prove no period",
        ),
        (
            &[
                "octal",
                "--code",
                "0.B9",
                "--sum",
                "obligated",
                "1000000000",
            ],
            1,
            "prove no period",
        ),
        (
            &["disjunctive", "grundy(4000000000) + nim(1)"],
            2,
            "heaps below 10001 prove no period",
        ),
        (
            &["disjunctive", "0.0777f0777(1001)"],
            2,
            "heaps below 1001 prove no period",
        ),
        (
            &["disjunctive", "kayles(10001)", "--moves"],
            2,
            "at most 10000",
        ),
        (&["disjunctive", "kayles(4294967296)"], 2, "32 bits"),
    ] {
        let mut command = seedbank(&["eval", "--memory", "100MiB", "--game"]);
        command.args(arguments);
        let found = ended(command);
        assert_eq!(found.status, Some(status), "{found:?}");
        assert!(found.stderr.contains(error), "{found:?}");
    }
}

#[test]
fn the_default_memory_budget_keeps_to_the_limits_of_the_process() {
    let budget = |limit: &str| {
        let here = Workspace::new();
        let spec = here.spec("few", "sowing", "impartial", "pattern = \"1^n\"\nn = 3");
        let log = here.path("log");
        let arguments = ["--threads", "1", "--log-json", log.to_str().unwrap()];
        let mut command = Command::new("sh");
        let run = here.running(&spec, &arguments);
        command.args(["-c", &format!("{limit} exec \"$0\" \"$@\"")]);
        let ran = ended(with(command, &run));
        assert_eq!(ran.status, Some(0), "{ran:?}");
        let log = std::fs::read_to_string(log).unwrap();
        let first: serde_json::Value = serde_json::from_str(log.lines().next().unwrap()).unwrap();
        first["memory"].as_u64().unwrap()
    };
    let kib = |kib: u64| kib << 10;
    assert!(budget("ulimit -d 900000;") < kib(900_000) / 4 * 3);
    assert!(budget("ulimit -v 1500000;") < kib(1_500_000) / 8 * 3);
}

#[test]
fn memory_that_the_system_refuses_is_an_error_that_says_what_to_do() {
    let here = Workspace::new();
    let searched = here.spec("searched", "sowing", "partisan", SHORT);
    let swept = here.spec("swept", "sowing", "impartial", "all = { pots_max = 6 }");
    let heaps = here.plain_spec(
        "heaps",
        "octal",
        "code = \"0.07\"\n[family]\nheaps = \"0..=999\"",
    );
    let mut refused = 0;
    for limit in [150_000, 250_000, 350_000, 500_000] {
        let words = format!("ulimit -v {limit};");
        let mut commands: Vec<Command> = [&searched, &swept, &heaps]
            .map(|spec| shell(&here, &words, spec))
            .into();
        for arguments in [
            &["value", "{1|0}"][..],
            &["eval", "-g", "sowing", "-p", "partisan", "1^9 2"],
            &["eval", "-g", "disjunctive", "0.137(9000) + kayles(9)"],
        ] {
            let mut command = Command::new("sh");
            command.args(["-c", &format!("{words} exec \"$0\" \"$@\"")]);
            commands.push(with(command, &seedbank(arguments)));
        }
        for command in commands {
            let ran = ended(command);
            assert!(!ran.stderr.contains("panicked"), "{limit}: {ran:?}");
            if ran.status != Some(0) {
                assert_eq!(ran.status, Some(1), "{limit}: {ran:?}");
                let remedy = ["ulimit -v", "--memory", "--threads"];
                assert!(
                    remedy.iter().any(|words| ran.stderr.contains(words)),
                    "{ran:?}"
                );
                refused += 1;
            }
        }
    }
    assert!(refused > 0);
    assert_eq!(here.store("verify", &[]).status, Some(0));
}
