//! Interrupted runs: by signals, by the time limit, by kill -9; and runs on a store that another
//! run uses.

#![cfg(all(target_os = "linux", debug_assertions))]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::workspace::{
    Ended, Workspace, ended, files_in, seedbank, signal, started, until, wait,
};
use seedbank::store::Store;
use serde_json::Value;

/// 53436 positions. The values of such rows come from a search and are stored as they are found;
/// `tests/sweeps.rs` stops sweeps.
const ROWS: &str = "pattern = \"1^n 2\"\nn = \"1..=9\"";

/// One row, of 40471 positions.
const ROW: &str = "pattern = \"1^n 2\"\nn = 9";

/// The number of positions after which runs of these rows are held.
const SOME: u64 = 10_000;

/// Each position is quick to evaluate, but a part takes much longer than half a second.
const HUGE_SAMPLE: &str = "sample = { count = 1500000, seed = 7, pots_max = 8, seeds_max = 24 }";

/// Two parts of positions that are quick to evaluate.
const TWO_PARTS: &str = "sample = { count = 1100000, seed = 7, pots_max = 4, seeds_max = 6 }";

/// Runs the job undisturbed, with a separate store and results, and returns its output.
fn undisturbed(here: &Workspace, spec: &Path) -> Value {
    let (store, out) = (here.path("store-undisturbed"), here.path("undisturbed"));
    let arguments = [
        "--store",
        store.to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
    ];
    let summary = here.finish(spec, &arguments);
    assert_eq!(summary["outcome"], "finished");
    summary
}

fn assert_like_undisturbed(here: &Workspace, job: &str) {
    assert!(
        here.result("out", job) == here.result("undisturbed", job),
        "{job}"
    );
    let tmp = here.path("out").join(job).join("tmp");
    assert!(!tmp.exists(), "a finished run leaves nothing behind");
    assert_whole(here);
}

/// Checks every byte of the store.
fn assert_whole(here: &Workspace) {
    let verified = here.store("verify", &[]);
    assert_eq!(verified.status, Some(0), "{verified:?}");
}

fn status(here: &Workspace, spec: &Path) -> Value {
    let mut command = seedbank(&["status", "--json", "--out"]);
    command.arg(here.path("out")).arg(spec);
    let status = ended(command);
    assert_eq!(status.status, Some(0), "{status:?}");
    status.json()
}

#[test]
fn the_time_limit_stops_a_run_and_the_next_one_resumes() {
    let here = Workspace::new();
    let spec = here.spec(
        "ones",
        "sowing",
        "partisan",
        "pattern = \"1^n 2\"\nn = \"1..=10\"",
    );
    let whole = undisturbed(&here, &spec)["positions"].as_u64().unwrap();
    // How much a machine does in a given time is unknown: the limit grows until a run stores a
    // value.
    let mut limit = Duration::from_millis(10);
    let mut kept = 0;
    for run in 0.. {
        let limit_text = format!("{}ms", limit.as_millis());
        let stopped = here.run(&spec, &["--threads", "1", "--time-limit", &limit_text]);
        if stopped.status == Some(0) {
            assert!(run > 0, "the job is too small to be stopped: {stopped:?}");
            break;
        }
        assert_eq!(stopped.status, Some(75), "{stopped:?}");
        assert!(
            stopped.stdout.contains("the time limit was reached"),
            "{stopped:?}"
        );
        assert!(
            stopped.stdout.contains("run again to resume"),
            "{stopped:?}"
        );
        assert!(!here.path("out/ones/manifest.json").exists());
        let now = here.values_stored();
        assert!(now >= kept, "run {run} lost values: {kept} and {now}");
        if now == kept {
            limit *= 2;
            assert!(limit.as_secs() < 600, "no run gets any further");
        }
        kept = now;
    }
    // The next run may settle positions on the path of an interrupted search differently, but it
    // evaluates no stored position again.
    assert!(here.values_stored() < 2 * whole, "{whole} positions");
    assert_like_undisturbed(&here, "ones");
    assert!(here.run(&spec, &[]).stdout.contains("already finished"));
}

#[test]
fn rows_without_a_search_are_stopped_too() {
    let here = Workspace::new();
    let spec = here.spec("sample", "sowing", "impartial", TWO_PARTS);
    let stopped = here.run(&spec, &["--threads", "1", "--time-limit", "20ms"]);
    assert_eq!(stopped.status, Some(75), "{stopped:?}");
    let child = started(here.running(&spec, &["--threads", "1"]));
    until("beginning a part", || {
        !files_in(&here.path("out/sample/tmp")).is_empty()
    });
    signal(&child, "TERM");
    assert_eq!(wait(child).status, Some(75));
    assert_eq!(status(&here, &spec)["state"], "unfinished");
}

#[test]
fn sigterm_and_sighup_stop_a_run_and_the_next_one_resumes() {
    let here = Workspace::new();
    let spec = here.spec("ones", "sowing", "partisan", ROWS);
    undisturbed(&here, &spec);
    let mut kept = 0;
    for name in ["TERM", "HUP"] {
        let run = here.running(&spec, &["--threads", "1", "--json"]);
        let child = started(here.held(run, SOME));
        here.until_held();
        signal(&child, name);
        let stopped = wait(child);
        assert_eq!(stopped.status, Some(75), "{name}: {stopped:?}");
        assert_eq!(stopped.json()["outcome"], "interrupted", "{name}");
        let now = here.values_stored();
        assert!(now > kept, "{name}: {kept} and {now} values");
        kept = now;
        assert_eq!(status(&here, &spec)["state"], "unfinished", "{name}");
    }
    let rest = here.finish(&spec, &["--threads", "2"]);
    assert_eq!(rest["outcome"], "finished");
    assert_like_undisturbed(&here, "ones");
}

#[test]
fn one_ctrl_c_stops_a_plain_job_within_seconds_and_the_next_run_resumes() {
    let here = Workspace::new();
    let spec = here.spec("sample", "sowing", "impartial", HUGE_SAMPLE);
    let child = started(here.running(&spec, &["--threads", "1", "--json"]));
    until("beginning a part", || {
        let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
        let mut names = files_in(&here.path("out/sample/tmp")).into_iter();
        names.any(|path| !name(&path).starts_with("mark"))
    });
    let stopped = interrupted(child);
    assert!(
        stopped.stderr.contains("stopping within seconds"),
        "{stopped:?}"
    );
    assert_eq!(stopped.json()["outcome"], "interrupted");
    assert_eq!(status(&here, &spec)["state"], "unfinished");
    assert!(here.values_stored() > 0);
    assert_whole(&here);
}

#[test]
fn one_ctrl_c_stops_a_single_long_row_and_the_next_run_resumes() {
    let here = Workspace::new();
    let spec = here.spec("ones", "sowing", "partisan", ROW);
    let whole = undisturbed(&here, &spec)["positions"].as_u64().unwrap();
    let run = here.running(&spec, &["--threads", "1", "--json"]);
    let child = started(here.held(run, SOME));
    here.until_held();
    let stopped = interrupted(child);
    assert_eq!(stopped.json()["outcome"], "interrupted");
    let kept = here.values_stored();
    assert!(kept > 0, "{stopped:?}");
    let rest = here.finish(&spec, &["--threads", "1"]);
    // Only the path to the row is searched again.
    let again = rest["positions"].as_u64().unwrap();
    assert!(
        again + kept < whole + whole / 10,
        "{again} + {kept} of {whole}"
    );
    assert_like_undisturbed(&here, "ones");
}

/// Sends one SIGINT and waits for an end within seconds, with status 130.
fn interrupted(child: Child) -> Ended {
    signal(&child, "INT");
    let sent = Instant::now();
    let stopped = wait(child);
    assert_eq!(stopped.status, Some(130), "{stopped:?}");
    let took = sent.elapsed();
    assert!(took < Duration::from_secs(20), "{took:?}: {stopped:?}");
    stopped
}

#[test]
fn one_ctrl_c_keeps_finished_rows_and_starts_no_other_job() {
    let here = Workspace::new();
    let first = here.spec("first", "sowing", "partisan", "pattern = \"1^n\"\nn = 3");
    let second = here.spec("second", "sowing", "partisan", ROW);
    let third = here.spec("third", "sowing", "partisan", ROW);
    let (second, third) = (second.to_str().unwrap(), third.to_str().unwrap());
    let child = started(here.held(here.running(&first, &[second, third]), SOME));
    here.until_held();
    let stopped = interrupted(child);
    assert!(stopped.stdout.starts_with("first: finished"), "{stopped:?}");
    assert_eq!(status(&here, &first)["state"], "finished");
    assert!(!here.path("out/third").exists());
}

#[test]
fn ctrl_c_ends_a_measurement_and_leaves_no_files() {
    let here = Workspace::new();
    let spec = here.spec("row", "sowing", "partisan", ROW);
    let folder = here.path("tmp");
    fs::create_dir(&folder).unwrap();
    let mut command = seedbank(&["plan", "--measure"]);
    command.arg(&spec).env("TMPDIR", &folder);
    let child = started(here.held(command, 1));
    here.until_held();
    assert!(!folders_in(&folder).is_empty());
    signal(&child, "INT");
    let stopped = wait(child);
    assert_eq!(stopped.status, Some(130), "{stopped:?}");
    assert_eq!(stopped.stdout, "", "{stopped:?}");
    assert!(folders_in(&folder).is_empty());
}

/// Returns the names in a folder.
fn folders_in(folder: &Path) -> Vec<std::ffi::OsString> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name()).collect()
}

#[test]
fn two_ctrl_c_end_a_run_at_once() {
    let here = Workspace::new();
    let spec = here.spec("row", "sowing", "partisan", ROW);
    let arguments = ["--threads", "1", "--checkpoint", "100ms"];
    let child = started(here.held(here.running(&spec, &arguments), SOME));
    // Sealed values stay.
    until("sealing values", || here.values_stored() > 0);
    signal(&child, "INT");
    // Within the grace time of the first Ctrl-C.
    sleep(Duration::from_millis(100));
    signal(&child, "INT");
    let sent = Instant::now();
    let stopped = wait(child);
    assert_eq!(stopped.status, Some(130), "{stopped:?}");
    assert!(
        stopped
            .stderr
            .contains("stopped at once: what was found since the last checkpoint is lost"),
        "{stopped:?}"
    );
    assert_eq!(stopped.stdout, "", "{stopped:?}");
    assert!(
        sent.elapsed() < Duration::from_secs(5),
        "{:?}",
        sent.elapsed()
    );
    assert!(here.values_stored() > 0);
    assert_whole(&here);
}

#[test]
fn ctrl_c_and_sigterm_end_an_evaluation() {
    let here = Workspace::new();
    for (command, position) in [("eval", "1^9 2"), ("outcome", "1^20")] {
        for (name, status) in [("INT", 130), ("TERM", 75)] {
            let arguments = [command, "--game", "sowing", "--play", "partisan", position];
            let child = started(here.held(seedbank(&arguments), 1));
            here.until_held();
            signal(&child, name);
            let stopped = wait(child);
            assert_eq!(stopped.status, Some(status), "{name}: {stopped:?}");
            assert_eq!(stopped.stdout, "", "{name}");
        }
    }
}

#[test]
fn kill_9_at_any_instant_loses_no_published_file() {
    let here = Workspace::new();
    let spec = here.spec("ones", "sowing", "partisan", ROWS);
    let sample = here.spec("sample", "sowing", "impartial", TWO_PARTS);
    undisturbed(&here, &spec);
    undisturbed(&here, &sample);
    for (spec, job) in [(&spec, "ones"), (&sample, "sample")] {
        let mut random = fastrand::Rng::with_seed(0x9e37_79b9);
        let (mut finished, mut kills) = (0, 0);
        for _ in 0..6 {
            let pause = Duration::from_millis(random.u64(5..405));
            let run = here.running(spec, &["--checkpoint", "30ms"]);
            // However fast the machine is, the first run of `ones` is killed.
            let run = if job == "ones" {
                here.held(run, 2 * SOME)
            } else {
                run
            };
            let mut child = started(run);
            sleep(pause);
            child.kill().unwrap();
            let killed = wait(child);
            kills += u32::from(killed.status.is_none());
            // Every file with a final name is whole and stays.
            assert_whole(&here);
            let now = status_where_begun(&here, spec);
            assert!(
                now >= finished,
                "{finished} and {now} parts after {pause:?}"
            );
            finished = now;
        }
        assert!(kills > 0, "no run of {job} was killed");
        let last = here.finish(spec, &["--checkpoint", "30ms"]);
        assert!(last["rows"].as_u64() > Some(0), "{last}");
        assert_like_undisturbed(&here, job);
    }
}

fn status_where_begun(here: &Workspace, spec: &Path) -> u64 {
    let mut command = seedbank(&["status", "--json", "--out"]);
    command.arg(here.path("out")).arg(spec);
    let status = ended(command);
    assert_eq!(status.status, Some(0), "{status:?}");
    status.json()["parts_finished"].as_u64().unwrap()
}

#[test]
fn runs_write_to_one_store_in_turn() {
    let here = Workspace::new();
    let row = here.spec("row", "sowing", "partisan", ROW);
    let small = here.spec("small", "sowing", "partisan", "pattern = \"1^n\"\nn = 5");
    let run = here.running(&row, &["--checkpoint", "100ms", "--threads", "1"]);
    let mut first = started(here.held(run, SOME));
    here.until_held();
    until("sealing values", || here.values_stored() > 0);
    assert_eq!(here.finish(&small, &[])["outcome"], "finished");
    assert_whole(&here);
    let evaluated = eval(&here, "11111");
    assert_eq!(evaluated.status, Some(0), "{evaluated:?}");
    assert!(
        first.try_wait().unwrap().is_none(),
        "the first run went on all the while"
    );

    // A killed writer is no obstacle.
    first.kill().unwrap();
    assert_eq!(wait(first).status, None);
    assert!(here.path("store/store.lock").exists());
    fs::remove_dir_all(here.path("out/small")).unwrap();
    assert_eq!(here.finish(&small, &[])["outcome"], "finished");
    assert_whole(&here);
}

#[test]
fn simultaneous_runs_store_no_value_twice() {
    let here = Workspace::new();
    let specs = ["1^n 2", "2 1^n", "1^n 3", "1^n 12"].map(|pattern| {
        let family = format!("pattern = {pattern:?}\nn = \"1..=9\"");
        here.spec(
            &pattern.replace([' ', '^'], "-"),
            "sowing",
            "partisan",
            &family,
        )
    });
    let run = |spec| started(here.running(spec, &["--checkpoint", "20ms", "--threads", "1"]));
    for child in specs.each_ref().map(|spec| run(spec)) {
        let ended = wait(child);
        assert_eq!(ended.status, Some(0), "{ended:?}");
    }
    assert_whole(&here);
    let stored = here.values_stored();
    assert_eq!(here.store("compact", &[]).status, Some(0));
    assert_eq!(here.values_stored(), stored);
}

#[test]
fn a_run_waits_for_a_writer_of_its_store_until_it_is_to_stop() {
    let here = Workspace::new();
    let spec = here.spec("small", "sowing", "partisan", "pattern = \"1^n\"\nn = 5");
    let writer = Store::open(&here.path("store")).unwrap().writer().unwrap();
    let waiting = started(here.running(&spec, &[]));
    sleep(Duration::from_millis(1500));
    signal(&waiting, "TERM");
    let stopped = wait(waiting);
    assert_eq!(stopped.status, Some(75), "{stopped:?}");
    let expected = format!(
        "waiting for process {}, which writes to the store {}",
        std::process::id(),
        here.path("store").display()
    );
    assert!(stopped.stderr.contains(&expected), "{stopped:?}");
    let waiting = started(here.running(&spec, &[]));
    sleep(Duration::from_millis(100));
    drop(writer);
    let ended = wait(waiting);
    assert_eq!(ended.status, Some(0), "{ended:?}");
}

fn eval(here: &Workspace, position: &str) -> Ended {
    let mut command = seedbank(&["eval", "--game", "sowing", "--play", "partisan", position]);
    command.arg("--store").arg(here.path("store"));
    ended(command)
}

#[test]
fn of_simultaneous_runs_of_one_job_one_makes_the_result() {
    let here = Workspace::new();
    let spec = here.spec("sample", "sowing", "impartial", TWO_PARTS);
    undisturbed(&here, &spec);
    let runs = ["one", "two", "three"].map(|store| {
        let store = here.path(store);
        started(here.running(
            &spec,
            &["--threads", "1", "--store", store.to_str().unwrap()],
        ))
    });
    let ended = runs.map(wait);
    // A run that begins after another has ended finds the result finished.
    assert!(
        ended.iter().any(|ended| ended.status == Some(0)),
        "{ended:?}"
    );
    for other in ended.iter().filter(|ended| ended.status != Some(0)) {
        assert_eq!(other.status, Some(1), "{other:?}");
        assert!(
            other.stderr.contains("are being written by process"),
            "{other:?}"
        );
    }
    assert!(!here.path("out/sample/tmp").exists());
    assert!(here.result("out", "sample") == here.result("undisturbed", "sample"));
}
