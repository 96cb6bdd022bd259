//! Sweeps: the same values as the search for any number of workers, and runs that lack memory or
//! time in the middle of one.

use std::fs;
use std::path::PathBuf;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::workspace::{
    Ended, Workspace, ended, files_in, flip_byte, seedbank, signal, started, wait,
};
use seedbank::engine::sweep::{Cells, SweepProgress, sweep};
use seedbank::engine::{CanonicalForms, Control, Engine, Formed, NimValues, NothingKnown, Word};
use seedbank::game::{BySeeds, ReachableRows, Ruleset, Sowing, SweepOrder};
use seedbank::value::{Digester, Notation};

#[path = "../scripts/examples/mirror_half.rs"]
mod mirror_half;

fn eval(play: &str, arguments: &[&str]) -> Ended {
    let mut command = seedbank(&["eval", "--game", "sowing", "--play", play]);
    command.args(arguments);
    ended(command)
}

/// Returns what `eval` prints, which must succeed.
fn evaluated(play: &str, arguments: &[&str]) -> String {
    let ended = eval(play, arguments);
    assert_eq!(ended.status, Some(0), "{ended:?}");
    ended.stdout
}

/// A sweep through the other rows, with other moves, finds the same value and as many forms.
#[test]
fn the_mirror_half_has_the_same_values() {
    for n in [2, 5, 10, 11] {
        let order = BySeeds::new(n, n).unwrap();
        let values = CanonicalForms::default();
        let cells = Cells::in_memory(order.cells()).unwrap();
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(2)
            .build()
            .unwrap();
        let (progress, control) = (SweepProgress::default(), Control::default());
        sweep(&order, &values, &cells, &progress, &pool, &control).unwrap();
        let cell = order.cell_of(&vec![1; n]).unwrap();
        let value = CanonicalForms::value(Word::new(cells.get(cell)).unwrap());
        let expected = (
            Digester::new(&values.arena).digest(value),
            values.arena.len(),
        );
        assert_eq!(mirror_half::value_of_ones(n, 2).unwrap(), expected, "{n}");
    }
}

/// Returns the value that the search finds for a row, as `eval` prints it.
fn searched<V: Formed + Default>(text: &str) -> String {
    let engine = Engine::new(Sowing, V::default());
    let position = Sowing.position(&text.parse().unwrap()).unwrap();
    let word = engine.search(&NothingKnown).evaluate(&position).unwrap();
    let arena = engine.valuation.arena();
    let form = V::form(&mut arena.calculator(), word).unwrap();
    let value = arena.notation_as(form, Notation::Standard);
    value.limited(1 << 20).unwrap()
}

#[test]
fn any_number_of_threads_finds_the_values_of_the_search() {
    let rows = ["1^10", "1^11", "1^12", "1^13"];
    for (play, rows) in [("partisan", &rows[..3]), ("impartial", &rows[..])] {
        let text = |threads: &str| evaluated(play, &[&["--threads", threads], rows].concat());
        let alone = text("1");
        assert_eq!(alone, text("2"), "{play}");
        assert_eq!(alone, text("3"), "{play}");
        let expected: Vec<String> = rows
            .iter()
            .filter(|row| ["1^10", "1^11"].contains(row) || play == "impartial")
            .map(|row| {
                let ones = "1".repeat(row[2..].parse().unwrap());
                let value = match play {
                    "partisan" => searched::<CanonicalForms>(&ones),
                    _ => searched::<NimValues>(&ones),
                };
                format!("{row} = {value}")
            })
            .collect();
        let found: Vec<&str> = alone.lines().take(expected.len()).collect();
        assert_eq!(found, expected, "{play}");
        if play == "impartial" {
            let published = "1^10 = *\n1^11 = 0\n1^12 = 0\n1^13 = 0\n";
            assert_eq!(alone, published);
        } else {
            assert!(
                alone.starts_with("1^10 = 0\n1^11 = +-{1/8||^3|*}\n1^12 = +-{"),
                "{alone}"
            );
        }
    }
}

#[test]
fn a_row_of_ones_has_the_same_value_beside_others_and_in_any_order() {
    let alone = evaluated("partisan", &["1^11"]);
    let ones = "1".repeat(11);
    // The mirror image, the row with empty pots around it, and a row twice.
    let many = evaluated(
        "partisan",
        &["312", "1^11", &ones, "0 1^11 0", "1^10", "1^11"],
    );
    let value = alone.strip_prefix("1^11 = ").unwrap();
    let expected: Vec<&str> = many.lines().collect();
    assert_eq!(expected.len(), 6, "{many}");
    assert_eq!(expected[0], "312 = {0|-2}");
    for at in [1, 2, 3, 5] {
        assert!(
            expected[at].ends_with(&format!(" = {}", value.trim_end())),
            "{many}"
        );
    }
    assert_eq!(expected[4], "1^10 = 0");
}

#[test]
fn a_job_over_ones_has_the_same_rows_with_any_workers_and_from_the_store() {
    let here = Workspace::new();
    for play in ["partisan", "impartial"] {
        let name = format!("ones-{play}");
        let spec = here.spec(
            &name,
            "sowing",
            play,
            "pattern = \"1^n\"\nn = \"8..=12\"\n[columns]\nfollowers = true",
        );
        let first = here.finish(&spec, &["--threads", "1"]);
        assert!(first["positions"].as_u64().unwrap() > 100_000, "{first}");
        let result = here.result("out", &name);
        let rows = here.rows(&spec);
        assert_eq!(rows.len(), 5);
        let positions: Vec<&str> = rows.iter().map(|row| row.position.as_str()).collect();
        for (row, found) in rows.iter().zip(positions) {
            let value = row.value.as_ref().unwrap().value.clone().unwrap();
            let notation = evaluated(play, &[found]);
            assert_eq!(notation, format!("{found} = {value}\n"));
        }

        // Another number of workers, with a separate store.
        let (out, store) = (here.path("out-3"), here.path(&format!("store-3-{play}")));
        let other = ["--out", out.to_str().unwrap(), "--store"];
        let other = [&other[..], &[store.to_str().unwrap(), "--threads", "3"]].concat();
        here.finish(&spec, &other);
        assert!(here.result("out-3", &name) == result, "{name}, 3 threads");

        // The store alone suffices for this job and for one over some of the rows.
        fs::remove_dir_all(here.path("out").join(&name)).unwrap();
        let again = here.finish(&spec, &["--threads", "2"]);
        assert_eq!(again["positions"], 0, "{again}");
        assert!(
            here.result("out", &name) == result,
            "{name}, from the store"
        );
        let part = here.spec(
            &format!("part-{play}"),
            "sowing",
            play,
            "pattern = \"1^12\"",
        );
        let part = here.finish(&part, &["--threads", "2"]);
        assert_eq!(part["positions"], 0, "{part}");
    }
}

#[test]
fn swept_and_searched_jobs_have_the_same_rows() {
    for game in ["sowing", "atomic-wari"] {
        let here = Workspace::new();
        let swept = here.spec(
            "swept",
            game,
            "impartial",
            "all = { pots_max = 6, seeds_max = 15 }",
        );
        let first = here.finish(&swept, &["--threads", "1"]);
        let rows = here.rows(&swept);
        let result = here.result("out", "swept");
        assert_eq!(first["rows"], rows.len() as u64, "{first}");
        if game == "sowing" {
            // The row without pots is stored; the other rows are swept, and a sweep stores nothing.
            assert_eq!(first["sealed"], 1, "{first}");
            assert!(
                first["positions"].as_u64() >= first["rows"].as_u64(),
                "{first}"
            );
        }
        let out = here.path("out-2");
        let store = here.path("store-2");
        let other = ["--out", out.to_str().unwrap(), "--store"];
        let other = [&other[..], &[store.to_str().unwrap(), "--threads", "2"]].concat();
        here.finish(&swept, &other);
        assert!(here.result("out-2", "swept") == result, "{game}, 2 threads");

        // The same positions listed one by one, which are searched.
        let listed: Vec<String> = rows
            .iter()
            .map(|row| format!("{:?}", row.position))
            .collect();
        let family = format!("positions = [{}]", listed.join(", "));
        let searched = here.spec("searched", game, "impartial", &family);
        let (store, out) = (here.path("store-searched"), here.path("out"));
        here.finish(
            &searched,
            &[
                "--threads",
                "2",
                "--store",
                store.to_str().unwrap(),
                "--out",
                out.to_str().unwrap(),
            ],
        );
        let found = here.rows(&searched);
        assert_eq!(found.len(), rows.len(), "{game}");
        let mut nim_values = [0; 16];
        for (swept, searched) in rows.iter().zip(&found) {
            let mut expected = searched.clone();
            expected.pattern = swept.pattern.clone();
            expected.variables = swept.variables.clone();
            assert_eq!(*swept, expected, "{game}");
            nim_values[swept.value.as_ref().unwrap().nim_value.unwrap() as usize] += 1;
        }
        assert!(nim_values[..4].iter().all(|&n| n > 10), "{nim_values:?}");
    }
}

#[test]
fn games_without_a_sweep_are_only_searched() {
    let here = Workspace::new();
    let family = "all = { pots_max = 5, seeds_max = 12 }";
    let spec = here.spec("searched", "atomic-wari", "impartial", family);
    let summary = here.finish(&spec, &["--threads", "1"]);
    // Each position that is evaluated is stored.
    assert_eq!(summary["positions"], summary["sealed"], "{summary}");
}

/// A census of Atomic Wari is swept, and stores nothing, if the array fits into half of the budget.
#[test]
fn a_plan_tells_swept_censuses_from_searched_ones() {
    let here = Workspace::new();
    let spec = here.path("census.toml");
    let text = "name = \"census\"\n[ruleset]\ngame = \"atomic-wari\"\nplay = \"partisan\"\n[family]\n\
         all = { pots_max = 12, seeds_max = 14 }\n[witness]\neach = \"value\"\nfewest = \"seeds\"\n";
    fs::write(&spec, text).unwrap();
    let about = |memory: &str| {
        let mut plan = seedbank(&["plan", "--json", "--memory", memory]);
        plan.arg(&spec).arg("--out").arg(here.path("out"));
        let about = ended(plan).json()["about"].clone();
        ["store_bytes", "memory_bytes"].map(|what| about[what].as_u64().unwrap())
    };
    // Four bytes a cell.
    let array = 4 * ReachableRows::cells_from_all(12, 14, u64::MAX).unwrap();
    let [store, memory] = about(&(2 * array).to_string());
    assert!(
        store < 1 << 16 && (array..2 * array).contains(&memory),
        "{store} {memory}"
    );
    let [store, _] = about(&(2 * array - 1).to_string());
    assert!(store > 1 << 24, "{store}");
}

/// Checks an error that reports the memory that a sweep would have needed.
fn assert_too_little(ended: &Ended) {
    assert_eq!(ended.status, Some(1), "{ended:?}");
    assert_eq!(ended.stdout, "", "{ended:?}");
    for part in ["memory budget of 8.0 MiB", "--memory"] {
        assert!(ended.stderr.contains(part), "{part}: {ended:?}");
    }
    assert!(!ended.stderr.contains("panicked"), "{ended:?}");
}

#[test]
fn an_array_that_does_not_fit_is_an_error_or_goes_to_a_file() {
    let small = eval("partisan", &["--memory", "8MiB", "1^14"]);
    assert_too_little(&small);
    assert!(small.stderr.contains("followers of 1^14"), "{small:?}");

    let here = Workspace::new();
    let store = here.path("store");
    // A missing store has no folder for a file.
    let missing = ["--store", store.to_str().unwrap()];
    let nowhere = eval(
        "partisan",
        &[&missing[..], &["--memory", "8MiB", "1^14"]].concat(),
    );
    assert_eq!(nowhere.status, Some(1), "{nowhere:?}");
    let expected = format!("error: the store {} is missing", store.display());
    assert!(nowhere.stderr.contains(&expected), "{nowhere:?}");
    assert!(nowhere.stderr.contains("followers of 1^14"), "{nowhere:?}");
    assert!(!nowhere.stderr.contains("panicked"), "{nowhere:?}");

    let spec = here.spec("eight", "sowing", "impartial", "pattern = \"1^8\"");
    here.finish(&spec, &[]);
    let before = files_in(&store);
    let folder = store.to_str().unwrap();
    // With 4 bits for each row, the array takes half as much.
    for (memory, remedy) in [
        ("9MiB", "they go to a file"),
        ("19MiB", "they get narrow cells"),
    ] {
        let arguments = ["--store", folder, "--memory", memory, "--threads"];
        let ended = eval("impartial", &[&arguments[..], &["1", "1^14"]].concat());
        assert_eq!(ended.status, Some(0), "{ended:?}");
        assert!(ended.stderr.contains(remedy), "{ended:?}");
        assert_eq!(ended.stdout, evaluated("impartial", &["1^14"]));
        assert_eq!(files_in(&store), before, "the file is gone");
    }

    // Forms that outgrow the budget stop an evaluation whose array fitted.
    let arguments = ["--store", folder, "--memory", "8MiB", "1^14"];
    let grown = eval("partisan", &arguments);
    assert_too_little(&grown);
    assert!(grown.stderr.contains("they go to a file"), "{grown:?}");
    assert!(grown.stderr.contains("canonical forms"), "{grown:?}");
    assert_eq!(files_in(&store), before, "the file is gone");
}

#[test]
fn a_job_whose_forms_outgrow_the_budget_stops_and_resumes_with_more() {
    let here = Workspace::new();
    let spec = here.spec("ones", "sowing", "partisan", "pattern = \"1^13\"");
    let stopped = here.run(&spec, &["--memory", "8MiB", "--threads", "2"]);
    assert_too_little(&stopped);
    assert!(stopped.stderr.contains("canonical forms"), "{stopped:?}");
    for folder in ["out/ones/parts", "store/tmp"] {
        assert_eq!(files_in(&here.path(folder)), Vec::<PathBuf>::new());
    }
    let rest = here.finish(&spec, &["--memory", "1GiB", "--threads", "2"]);
    assert_eq!(rest["outcome"], "finished");
    assert_eq!(
        here.rows(&spec)[0].value.as_ref().unwrap().value.as_deref(),
        Some("*")
    );
}

/// The longest time that a worker may take to notice a stop, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(5);

#[cfg(target_os = "linux")]
#[test]
fn a_run_stopped_in_the_middle_of_a_sweep_resumes() {
    for threads in ["1", "2"] {
        let here = Workspace::new();
        // The store holds finished rows; 1^10 and 1^11 are finished long before 1^15.
        let spec = here.spec(
            "ones",
            "sowing",
            "partisan",
            "positions = [\"111111111111111\", \"1111111111\", \"11111111111\"]",
        );
        let started_at = Instant::now();
        let stopped = here.run(
            &spec,
            &["--threads", threads, "--time-limit", "1s", "--json"],
        );
        assert_eq!(stopped.status, Some(75), "{stopped:?}");
        assert!(started_at.elapsed() < Duration::from_secs(1) + PATIENCE);
        let kept = here.values_stored();
        assert!(kept >= 1, "{kept} values");
        let child = started(here.running(&spec, &["--threads", threads, "--json"]));
        sleep(Duration::from_millis(500));
        let sent = Instant::now();
        signal(&child, "TERM");
        let stopped = wait(child);
        assert_eq!(stopped.status, Some(75), "{stopped:?}");
        assert!(sent.elapsed() < PATIENCE, "{:?}", sent.elapsed());
        assert_eq!(stopped.json()["outcome"], "interrupted");
        assert!(here.values_stored() >= kept);
        let verified = here.store("verify", &[]);
        assert_eq!(verified.status, Some(0), "{verified:?}");

        // A second Ctrl-C ends the run at once, or the first one ends it when the current work is
        // done.
        let child = started(here.running(&spec, &["--threads", threads]));
        sleep(Duration::from_millis(500));
        signal(&child, "INT");
        sleep(Duration::from_millis(300));
        let sent = Instant::now();
        signal(&child, "INT");
        let stopped = wait(child);
        assert_eq!(stopped.status, Some(130), "{stopped:?}");
        assert!(sent.elapsed() < PATIENCE, "{:?}", sent.elapsed());
    }
}

/// Returns the files of all tables of the job `swept`, by folder and name.
fn tables(here: &Workspace) -> Vec<(PathBuf, Vec<u8>)> {
    let folders =
        ["parts", "forms", "census", "witnesses"].map(|name| here.path("out/swept").join(name));
    let files = folders.iter().flat_map(|folder| files_in(folder));
    let read = |path: PathBuf| {
        let bytes = fs::read(&path).unwrap();
        (path.strip_prefix(here.path("")).unwrap().to_owned(), bytes)
    };
    files.map(read).collect()
}

/// One Ctrl-C keeps the checkpoint of the current sweep, whether the sweep stops or finishes, and
/// no row starts.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_sweep_resumes() {
    let family = "all = { pots_max = 8 }";
    let whole = Workspace::new();
    whole.finish(&whole.spec("swept", "sowing", "impartial", family), &[]);
    let here = Workspace::new();
    let spec = here.spec("swept", "sowing", "impartial", family);
    let often = ["--threads", "1", "--json", "--checkpoint", "30ms"];
    let mut child = started(here.running(&spec, &often));
    while !here.path("out/swept/checkpoint/sweep-pots-8").is_dir() {
        assert_eq!(child.try_wait().unwrap(), None);
        sleep(Duration::from_millis(1));
    }
    let sent = Instant::now();
    signal(&child, "INT");
    let stopped = wait(child);
    assert_eq!(stopped.status, Some(130), "{stopped:?}");
    assert!(sent.elapsed() < 4 * PATIENCE, "{:?}", sent.elapsed());
    assert_eq!(stopped.json()["outcome"], "interrupted");
    assert_eq!(stopped.json()["rows"], 0);
    let rest = here.run(&spec, &[]);
    assert_eq!(rest.status, Some(0), "{rest:?}");
    assert!(rest.stderr.contains("resuming the sweep"), "{rest:?}");
    assert!(tables(&here) == tables(&whole));
}

/// The work left excludes what an interrupted run has done: swept rows and written rows.
#[cfg(target_os = "linux")]
#[test]
fn a_plan_excludes_the_work_of_an_interrupted_run() {
    let here = Workspace::new();
    let spec = here.spec("swept", "sowing", "impartial", "all = { pots_max = 8 }");
    let left = || {
        let mut plan = seedbank(&["plan", "--json"]);
        plan.arg(&spec).arg("--out").arg(here.path("out"));
        let plan = ended(plan).json();
        let about = |what: &str| plan["about"][what].as_u64().unwrap();
        let (positions, results) = (about("positions"), about("results_bytes"));
        (positions, results, plan["parts_left"].as_u64().unwrap())
    };
    let interrupt_at = |so: &dyn Fn() -> bool| {
        let often = ["--threads", "1", "--checkpoint", "30ms"];
        let mut child = started(here.running(&spec, &often));
        while !so() {
            assert_eq!(child.try_wait().unwrap(), None);
            sleep(Duration::from_millis(1));
        }
        signal(&child, "INT");
        assert_eq!(wait(child).status, Some(130));
    };
    let all = left();
    interrupt_at(&|| here.path("out/swept/checkpoint/sweep-pots-8").is_dir());
    let begun = left();
    assert!(begun.0 < all.0, "{begun:?} of {all:?}");
    assert_eq!((begun.1, begun.2), (all.1, all.2), "no row is written");
    interrupt_at(&|| !files_in(&here.path("out/swept/parts")).is_empty());
    let written = left();
    assert!(written.2 < all.2, "{written:?} of {all:?}");
    // All rows are swept, so less work is left than the rows alone suggest.
    let rows_left = written.1 as f64 / all.1 as f64;
    assert!(rows_left < 0.8, "{written:?} of {all:?}");
    assert!(
        (written.0 as f64) < 0.95 * rows_left * all.0 as f64,
        "{written:?} of {all:?}"
    );
    here.finish(&spec, &[]);
    assert_eq!(left(), (0, 0, 0));
}

/// Runs killed repeatedly in the middle of a sweep resume from its checkpoint if that is whole, and
/// their rows are the same.
#[cfg(target_os = "linux")]
#[test]
fn a_killed_sweep_resumes() {
    let witness = "\n[witness]\neach = \"nim_value\"\nfewest = \"pots\"";
    for (play, family, sweep) in [
        (
            "partisan",
            "positions = [\"1111111111\", \"1111111111111\"]".to_owned(),
            "seeds-13-pots-13",
        ),
        (
            "partisan",
            format!("all = {{ pots_max = 12, seeds_min = 12, seeds_max = 12 }}{witness}"),
            "seeds-12-pots-12",
        ),
        (
            "impartial",
            format!("all = {{ pots_max = 8 }}{witness}"),
            "pots-8",
        ),
    ] {
        let whole = Workspace::new();
        whole.finish(&whole.spec("swept", "sowing", play, &family), &[]);
        let here = Workspace::new();
        let spec = here.spec("swept", "sowing", play, &family);
        let checkpoints = here.path("out/swept/checkpoint");
        let folder = checkpoints.join(format!("sweep-{sweep}"));
        let mut last = 0;
        for damaged in [false, false, true] {
            let mut child = started(here.running(&spec, &["--checkpoint", "30ms"]));
            let newest = || {
                let mut cells = files_in(&folder);
                cells.retain(|path| path.to_string_lossy().contains("/cells-"));
                let name = cells.pop()?.file_name()?.to_str()?.to_owned();
                name["cells-".len()..]
                    .parse::<u32>()
                    .ok()
                    .map(|number| number + 1)
            };
            while newest().unwrap_or(0) <= last && child.try_wait().unwrap().is_none() {
                sleep(Duration::from_millis(1));
            }
            if child.try_wait().unwrap().is_some() {
                // The rest took less time than one check.
                break;
            }
            last = newest().unwrap_or(last);
            child.kill().unwrap();
            let killed = wait(child);
            assert_eq!(killed.status, None, "{killed:?}");
            if damaged {
                flip_byte(&files_in(&folder)[0], 4000);
            }
        }
        assert!(last >= 1, "no checkpoint of {sweep}");
        let ended = here.run(&spec, &[]);
        assert_eq!(ended.status, Some(0), "{ended:?}");
        let is_known = |text: &str| ended.stderr.contains(text);
        assert!(
            is_known("resuming the sweep")
                || is_known("is ignored, and its contents are computed again"),
            "{ended:?}"
        );
        assert!(tables(&here) == tables(&whole), "{sweep}");
        assert!(!checkpoints.exists());
    }
}

#[cfg(all(target_os = "linux", debug_assertions))]
#[test]
fn signals_end_an_evaluation_in_the_middle_of_a_sweep() {
    let here = Workspace::new();
    for (play, row) in [("partisan", "1^15"), ("impartial", "1^17")] {
        for (name, status) in [("INT", 130), ("TERM", 75)] {
            for threads in ["1", "2"] {
                let arguments = ["eval", "--game", "sowing", "--play", play, "--threads"];
                let eval = seedbank(&[&arguments[..], &[threads, row]].concat());
                let child = started(here.held(eval, 1));
                here.until_held();
                let sent = Instant::now();
                signal(&child, name);
                let stopped = wait(child);
                assert_eq!(stopped.status, Some(status), "{name}: {stopped:?}");
                assert_eq!(stopped.stdout, "", "{name}");
                assert!(sent.elapsed() < PATIENCE, "{:?}", sent.elapsed());
            }
        }
    }
}
