//! `--memory` holds: under any budget a command ends either with the result that it has under a
//! large budget, or with an error that reports the memory needed. It never holds much more than the
//! budget.

#![cfg(target_os = "linux")]

use std::io::{self, Read};
use std::process::Command;

use crate::common::alone::alone;
use crate::common::workspace::{Ended, Workspace, seedbank, started};

/// Runs a command to its end and returns the most memory that it had resident, in MiB, including
/// mapped files.
#[expect(
    clippy::zombie_processes,
    reason = "it is waited for, in a way that tells what it used"
)]
fn measured(command: Command) -> (Ended, u64) {
    let mut child = started(command);
    let pid = libc::pid_t::try_from(child.id()).expect("process ids are small");
    let mut status = 0;
    // SAFETY: all of its fields are integers, for which zero is a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    loop {
        // SAFETY: both pointers are to variables of ours that live through the call, and the
        // process is a child of ours that has not been reaped. Its output fits in its pipes, so it
        // ends although nothing reads them.
        let ended = unsafe { libc::wait4(pid, &mut status, 0, &mut usage) };
        if ended == pid {
            break;
        }
        let error = io::Error::last_os_error();
        assert_eq!(error.kind(), io::ErrorKind::Interrupted, "{error}");
    }
    let (mut stdout, mut stderr) = (String::new(), String::new());
    let (out, err) = (child.stdout.take(), child.stderr.take());
    out.unwrap().read_to_string(&mut stdout).unwrap();
    err.unwrap().read_to_string(&mut stderr).unwrap();
    let ended = Ended {
        status: libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status)),
        stdout,
        stderr,
    };
    (ended, u64::try_from(usage.ru_maxrss).unwrap() >> 10)
}

/// The most memory that a command may take beyond its budget and the floor. It covers mapped
/// segments of the store that it made, and memory that workers fill while a busy machine delays the
/// guard's check.
const MARGIN_MIB: u64 = 8;

/// Returns the memory that the smallest job takes, including the program's own pages. A budget
/// counts only what a command allocates for its work.
fn floor() -> u64 {
    let here = Workspace::new();
    let spec = here.spec("least", "sowing", "partisan", "pattern = \"1^3\"");
    let (ended, most) = measured(here.running(&spec, &["--threads", "2"]));
    assert_eq!(ended.status, Some(0), "{ended:?}");
    most
}

/// Checks that a command kept to a budget, and that it reported an insufficient one. Returns
/// whether it finished.
fn kept_to(budget: u64, floor: u64, (ended, most): &(Ended, u64)) -> bool {
    let bound = floor + budget + budget / 10 + MARGIN_MIB;
    assert!(*most <= bound, "{most} of {bound} MiB: {ended:?}");
    if ended.status == Some(0) {
        return true;
    }
    assert_eq!(ended.status, Some(1), "{ended:?}");
    assert!(ended.stderr.contains("memory"), "{ended:?}");
    assert!(!ended.stderr.contains("panicked"), "{ended:?}");
    false
}

#[test]
fn no_command_takes_much_more_memory_than_its_budget() {
    alone(
        "memory::no_command_takes_much_more_memory_than_its_budget",
        budgets_are_kept,
    );
}

fn budgets_are_kept() {
    let floor = floor();

    // Writing takes most of the memory of the first job, and finding values most of that of the
    // second.
    for (name, play, family, budgets) in [
        ("pots", "impartial", "all = { pots_max = 7 }", [8, 24, 48]),
        (
            "ones",
            "partisan",
            "pattern = \"1^n 2\"\nn = \"1..=10\"",
            [4, 16, 64],
        ),
    ] {
        let here = Workspace::new();
        let spec = here.spec(name, "sowing", play, family);
        let plenty = here.path("plenty");
        let plenty = ["--out", plenty.to_str().unwrap(), "--memory", "1GiB"];
        here.finish(&spec, &plenty);
        let mut finished = Vec::new();
        for budget in budgets {
            let [memory, out, store] = [
                format!("{budget}MiB"),
                format!("out-{budget}"),
                format!("store-{budget}"),
            ];
            let [out_path, store_path] = [&out, &store].map(|name| here.path(name));
            let arguments = [
                "--memory",
                &memory,
                "--threads",
                "2",
                "--out",
                out_path.to_str().unwrap(),
                "--store",
                store_path.to_str().unwrap(),
            ];
            let ran = measured(here.running(&spec, &arguments));
            let is_finished = kept_to(budget, floor, &ran);
            if is_finished {
                assert!(here.result(&out, name) == here.result("plenty", name));
            }
            finished.push(is_finished);
        }
        // Whether the middle budget suffices may depend on which work runs at the same time.
        assert_eq!((finished[0], finished[2]), (false, true), "{name}");
    }

    let commands = [
        ("sowing", &["eval", "--play", "partisan", "1^10 2"][..]),
        (
            "sowing",
            &["eval", "--play", "impartial", "--followers", "2^9"],
        ),
        ("sowing", &["outcome", "--play", "partisan", "1^14"]),
        // This search works backwards from the ends of play.
        (
            "reverse-atomic-wari",
            &["outcome", "--play", "partisan", "1 2^9 1"],
        ),
    ];
    for (game, arguments) in commands {
        let with = |memory: &str| {
            let mut command = seedbank(arguments);
            command.args(["--game", game, "--memory", memory]);
            measured(command)
        };
        let (plenty, _) = with("1GiB");
        assert_eq!(plenty.status, Some(0), "{plenty:?}");
        let (small, large) = (with("4MiB"), with("64MiB"));
        assert!(!kept_to(4, floor, &small), "{small:?}");
        assert!(kept_to(64, floor, &large), "{large:?}");
        assert_eq!(large.0.stdout, plenty.stdout);
    }
}
