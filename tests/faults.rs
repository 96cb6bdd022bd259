//! Faults of disks, power and processes: a durable operation fails, or is the last before a crash
//! or a loss of power. In every case files with final names stay whole, and the next run ends with
//! the same rows.
//!
//! One operation is struck at a time, in each of four ways, once at every site. A site is a kind of
//! operation on a kind of file; sites that jobs have in common are struck in one job.
//! `SEEDBANK_FAULTS=all` strikes every single operation of every job instead.
//! `src/files/durable/faults.rs`, which only debug builds have, counts the operations.

#![cfg(all(target_os = "linux", debug_assertions))]

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, FileTimes};
use std::iter::successors;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::time::{Duration, SystemTime};

use crate::common::contents::contents;
use crate::common::workspace::{Ended, Workspace, ended, files_in, seedbank, started, wait};
use seedbank::store::{Namespace, SegmentReader, Store, form_index, form_negated};

/// The name of every job here, so that all jobs have the same file names.
const NAME: &str = "job";

/// Writes the spec of a small job without checkpoints.
fn plain(here: &Workspace) -> PathBuf {
    here.spec(
        NAME,
        "sowing",
        "partisan",
        "pattern = \"1^n 2\"\nn = \"1..=4\"",
    )
}

/// More operations than any command here does.
const OPERATIONS_MAX: usize = 400;

/// The number of attempts at a test whose outcome depends on how fast the other threads of the
/// struck process are.
const ROUNDS_MAX: usize = 10;

/// Opens a store and checks every byte of it.
fn sound(dir: &Path) -> Store {
    let store = Store::open(dir).unwrap();
    assert!(store.refused().is_empty(), "{:?}", store.refused());
    for report in store.verify() {
        assert!(report.problems.is_empty(), "{report:?}");
    }
    store
}

/// All keys of a store with their values, after a check of every byte.
fn looked_up(dir: &Path) -> BTreeMap<Namespace, BTreeMap<u128, String>> {
    let store = sound(dir);
    let namespaces = store.namespaces().into_iter();
    namespaces
        .map(|namespace| {
            let all = contents(&store.reader(&namespace));
            (namespace, all)
        })
        .collect()
}

/// Every value of a store as a digest of the text that `contents` would spell out, after a check of
/// every byte. This is for stores that are too large to spell out.
fn digested(dir: &Path) -> BTreeMap<u128, blake3::Hash> {
    let store = sound(dir);
    let mut values = BTreeMap::new();
    for namespace in store.namespaces() {
        let reader = store.reader(&namespace);
        let segments: Vec<_> = reader.segments().iter().map(|s| digests(s)).collect();
        for (key, hit) in reader.iter().unwrap() {
            let form = segments[hit.segment][form_index(hit.value) as usize];
            values.insert(key, form[usize::from(form_negated(hit.value))]);
        }
    }
    values
}

/// For each form of a segment, the digests of the game and of its negative, computed from those of
/// its sorted options.
fn digests(segment: &SegmentReader) -> Vec<[blake3::Hash; 2]> {
    let mut known: Vec<[blake3::Hash; 2]> = Vec::new();
    for form in 0..segment.forms_len() {
        let form = segment.form(form as u32).unwrap();
        let side = |options: &[u32], negated: bool| {
            let option =
                |&o: &u32| known[form_index(o) as usize][usize::from(form_negated(o) != negated)];
            let mut digests: Vec<[u8; 32]> =
                options.iter().map(|o| *option(o).as_bytes()).collect();
            digests.sort_unstable();
            blake3::hash(&digests.concat())
        };
        let (left, right): (Vec<u32>, Vec<u32>) = (form.left().collect(), form.right().collect());
        let game = |left: blake3::Hash, right: blake3::Hash| {
            blake3::hash(&[*left.as_bytes(), *right.as_bytes()].concat())
        };
        known.push([
            game(side(&left, false), side(&right, false)),
            game(side(&right, true), side(&left, true)),
        ]);
    }
    known
}

/// Returns whether every single operation is struck, as in `scripts/faults`, or one at each site.
fn every_operation() -> bool {
    std::env::var("SEEDBANK_FAULTS").is_ok_and(|which| which == "all")
}

/// Returns the sites of the operations that an undisturbed command does, with the number of
/// operations at each. A site is the kind of an operation and the kind of its file: see
/// `src/files/durable/faults.rs`.
fn sites(prepare: &mut impl FnMut() -> (Workspace, Command)) -> BTreeMap<String, usize> {
    let (_here, mut command) = prepare();
    command.env("SEEDBANK_FAULT", "list:0");
    let listed = ended(command);
    assert_eq!(listed.status, Some(0), "{listed:?}");
    let mut sites = BTreeMap::new();
    for line in listed.stderr.lines() {
        if let Some((_, site)) = line.split_once("durable operation: ") {
            *sites.entry(site.to_owned()).or_insert(0) += 1;
        }
    }
    assert!(!sites.is_empty(), "no operation is listed: {listed:?}");
    sites
}

/// The sites of a small job without checkpoints, each of which [`a_run_survives`] strikes.
static PLAIN: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let mut prepare = || {
        let here = Workspace::new();
        let spec = plain(&here);
        let command = here.running(&spec, &["--threads", "1"]);
        (here, command)
    };
    sites(&mut prepare).into_keys().collect()
});

/// Returns whether a job without checkpoints lacks this site.
fn is_special(site: &str) -> bool {
    !PLAIN.contains(site)
}

/// Strikes a command in one way, at one operation each time. It strikes once at each site that is
/// `due`, at an operation in the middle of the site's, or at every single operation with
/// `SEEDBANK_FAULTS=all`. Returns the number of strikes; `check` is passed the outcome of each.
fn strike(
    fault: &str,
    due: impl Fn(&str) -> bool,
    mut prepare: impl FnMut() -> (Workspace, Command),
    mut check: impl FnMut(&Workspace, &Ended),
) -> usize {
    let by_site = (!every_operation()).then(|| sites(&mut prepare));
    let mut struck = |order: String| {
        let (here, mut command) = prepare();
        command.env("SEEDBANK_FAULT", order);
        let ended = ended(command);
        assert!(!ended.stderr.contains("panicked"), "{ended:?}");
        let is_struck = ended.stderr.contains("injected fault");
        match is_struck {
            true => check(&here, &ended),
            false => assert_eq!(ended.status, Some(0), "{ended:?}"),
        }
        is_struck
    };
    let Some(sites) = by_site else {
        let mut operations = 1..=OPERATIONS_MAX;
        let end = operations.find(|operation| !struck(format!("{fault}:{operation}")));
        return end.expect("the command ends") - 1;
    };
    let sites: Vec<_> = sites.iter().filter(|(site, _)| due(site)).collect();
    for &(site, times) in &sites {
        // Start with the middle operation of a site; the number of operations depends on the time
        // that a run takes.
        let halved = |nth: &usize| Some((nth / 2).max(1));
        let mut which = successors(Some(1 + times / 2), halved).take(ROUNDS_MAX);
        assert!(
            which.any(|nth| struck(format!("{fault}:{nth}:{site}"))),
            "{site} is not struck"
        );
    }
    sites.len()
}

/// Strikes a command, which must end as the fault requires.
fn with_each_fault(
    fault: &str,
    due: impl Fn(&str) -> bool,
    prepare: impl FnMut() -> (Workspace, Command),
    mut check: impl FnMut(&Workspace, &Ended),
) -> usize {
    strike(fault, due, prepare, |here, ended| {
        match fault {
            "crash" | "power" => assert_eq!(ended.status, None, "{ended:?}"),
            // Clean-up may fail without harm. So may creating tmp/, which another thread creates.
            _ if ended.status == Some(0) => {
                let harmless = [" at Remove(", "/tmp\")", "its sweep starts over"];
                assert!(
                    harmless.iter().any(|text| ended.stderr.contains(text)),
                    "{ended:?}"
                );
            }
            _ => {
                assert_eq!(ended.status, Some(1), "{ended:?}");
                assert!(ended.stderr.contains("error: cannot "), "{ended:?}");
            }
        }
        check(here, ended);
    })
}

/// Strikes a run on a copy of a store at the sites that are `due`, and each time resumes it
/// undisturbed. Returns the number of strikes.
fn a_run_survives(fault: &str, store: &Path, due: fn(&str) -> bool) -> usize {
    let begun = || {
        let here = Workspace::new();
        copy(store, &here.path("store"));
        let spec = plain(&here);
        (here, spec)
    };
    let (whole, spec) = begun();
    whole.finish(&spec, &["--threads", "1"]);
    assert_eq!(whole.segments().len(), 1, "segments are merged");
    let expected = whole.result("out", NAME);
    let values = looked_up(&whole.path("store"));
    with_each_fault(
        fault,
        due,
        || {
            let (here, spec) = begun();
            let command = here.running(&spec, &["--threads", "1"]);
            (here, command)
        },
        |here, struck| {
            // All values present now are right.
            for (namespace, found) in looked_up(&here.path("store")) {
                for (key, value) in found {
                    assert_eq!(values[&namespace][&key], value, "{struck:?}");
                }
            }
            let spec = here.path("job.toml");
            let finished = here.run(&spec, &["--threads", "1"]);
            assert_eq!(finished.status, Some(0), "after {struck:?}: {finished:?}");
            assert!(here.result("out", NAME) == expected, "after {struck:?}");
            // Recorded rows are not computed again, not even to recover values that were not sealed
            // yet.
            for (namespace, found) in looked_up(&here.path("store")) {
                for (key, value) in found {
                    assert_eq!(values[&namespace][&key], value, "{struck:?}");
                }
            }
            // The next writer removes leftover files.
            drop(Store::open(&here.path("store")).unwrap().writer().unwrap());
            for tmp in ["out/job/tmp", "store/tmp"] {
                assert_eq!(files_in(&here.path(tmp)), Vec::<PathBuf>::new());
            }
        },
    )
}

#[test]
fn a_run_survives_a_crash_at_every_kind_of_operation() {
    assert!(a_run_survives("crash", Path::new("none"), |_| true) > 40);
}

#[test]
fn a_run_survives_a_loss_of_power_at_every_kind_of_operation() {
    assert!(a_run_survives("power", Path::new("none"), |_| true) > 40);
}

#[test]
fn a_run_survives_an_error_of_the_disk_at_every_kind_of_operation() {
    assert!(a_run_survives("eio", Path::new("none"), |_| true) > 40);
}

#[test]
fn a_run_survives_a_disk_that_is_full_from_every_kind_of_operation_on() {
    assert!(a_run_survives("enospc", Path::new("none"), |_| true) > 40);
}

/// The run's only segment is the fourth of the store.
#[test]
fn a_run_that_merges_segments_survives_every_fault_at_every_kind_of_operation() {
    let before = Workspace::new();
    for n in 2..=4 {
        let spec = before.spec(
            &format!("row-{n}"),
            "sowing",
            "partisan",
            &format!("pattern = \"1^{n} 2 1\""),
        );
        before.finish(&spec, &["--threads", "1"]);
    }
    assert_eq!(before.segments().len(), 3);
    for fault in ["crash", "power", "eio", "enospc"] {
        let due = |site: &str| is_special(site) || site.contains("/store");
        assert!(a_run_survives(fault, &before.path("store"), due) > 10);
    }
}

/// A family grows: the rows of the earlier spec are moved aside, read, and removed.
#[test]
fn a_family_that_grows_survives_every_fault_at_every_kind_of_operation() {
    let grown = |here: &Workspace| {
        let family = "pattern = \"1^n 2\"\nn = \"0..=5\"";
        here.spec(NAME, "sowing", "partisan", family)
    };
    let whole = Workspace::new();
    whole.finish(&grown(&whole), &["--threads", "1"]);
    let expected = whole.result("out", NAME);
    for fault in ["crash", "power", "eio", "enospc"] {
        let struck = with_each_fault(
            fault,
            |site| site.contains("/earlier") || site.contains("out/job/manifest"),
            || {
                let here = Workspace::new();
                here.finish(&plain(&here), &["--threads", "1"]);
                let spec = grown(&here);
                let command = here.running(&spec, &["--threads", "1"]);
                (here, command)
            },
            |here, struck| {
                let spec = here.path("job.toml");
                let finished = here.run(&spec, &["--threads", "1"]);
                assert_eq!(finished.status, Some(0), "after {struck:?}: {finished:?}");
                assert!(here.result("out", NAME) == expected, "after {struck:?}");
                assert!(!here.path("out/job/earlier").exists(), "after {struck:?}");
            },
        );
        assert!(struck > 10, "{fault}: {struck}");
    }
}

/// The least number of strikes at a job with checkpoints, and the least number of these after which
/// the next run resumes from a checkpoint.
struct AtLeast {
    struck: usize,
    resumed: u32,
}

/// The numbers for a job whose checkpoints are files of one kind.
const ONE_FILE: AtLeast = AtLeast {
    struck: 12,
    resumed: 4,
};

/// Strikes a job that writes checkpoints before it has rows, and then resumes it undisturbed. The
/// numbers of strikes and of resumptions must reach `at_least`.
fn a_job_with_checkpoints_survives(game: &str, rest: &str, at_least: &AtLeast) {
    let arguments = ["--threads", "1", "--checkpoint", "0s"];
    let whole = Workspace::new();
    whole.finish(&whole.plain_spec(NAME, game, rest), &arguments);
    let expected = whole.result("out", NAME);
    let strike = |fault: &str| {
        let mut resumed = 0;
        let operations = with_each_fault(
            fault,
            is_special,
            || {
                let here = Workspace::new();
                let spec = here.plain_spec(NAME, game, rest);
                let command = here.running(&spec, &arguments);
                (here, command)
            },
            |here, struck| {
                let finished = here.run(&here.path("job.toml"), &arguments);
                assert_eq!(finished.status, Some(0), "after {struck:?}: {finished:?}");
                assert!(
                    !finished.stderr.contains("damaged"),
                    "after {struck:?}: {finished:?}"
                );
                resumed += u32::from(finished.stderr.contains("resuming"));
                assert!(here.result("out", NAME) == expected, "after {struck:?}");
                assert!(
                    !here.path("out/job/checkpoint").exists(),
                    "after {struck:?}"
                );
            },
        );
        assert!(
            operations >= at_least.struck,
            "{rest}: {fault} at {operations} operations only"
        );
        resumed
    };
    for fault in ["crash", "power", "eio", "enospc"] {
        let mut rounds = (0..ROUNDS_MAX).map(|_| strike(fault));
        assert!(
            rounds.any(|resumed| resumed >= at_least.resumed),
            "{rest}: no round had {} resumed runs",
            at_least.resumed
        );
    }
}

#[test]
fn a_survey_survives_every_fault_at_every_kind_of_operation() {
    let survey = "[family]\ncodes = { digits = 1 }\nheaps_max = 300";
    a_job_with_checkpoints_survives("octal", survey, &ONE_FILE);
}

#[test]
fn a_survey_of_obligated_sums_survives_every_fault_at_every_kind_of_operation() {
    let codes = "codes = { digits = 1, max_digit = 10 }\nheaps_max = 300";
    let survey = format!("sum = \"obligated\"\n[family]\n{codes}");
    a_job_with_checkpoints_survives("octal", &survey, &ONE_FILE);
}

/// For heaps that may be split in three, checkpoints hold more than values.
#[test]
fn heaps_survive_every_fault_at_every_kind_of_operation() {
    let heaps = "code = \"0.B9\"\n[family]\nheaps = \"0..=12\"";
    a_job_with_checkpoints_survives("octal", heaps, &ONE_FILE);
    for code in ["0.71472", "0.0B9"] {
        let family = "[family]\nheaps = \"0..=6000\"";
        let heaps = format!("code = \"{code}\"\nsum = \"obligated\"\n{family}");
        a_job_with_checkpoints_survives("octal", &heaps, &ONE_FILE);
    }
}

#[test]
fn counts_of_followers_survive_every_fault_at_every_kind_of_operation() {
    let rows = "play = \"impartial\"\n[family]\npattern = \"1^n\"\nn = \"1..=3\"";
    let columns = "[columns]\nfollowers = true\ndepth = true";
    a_job_with_checkpoints_survives(
        "sowing",
        &format!("{rows}\n{columns}"),
        &AtLeast {
            struck: 7,
            resumed: 3,
        },
    );
}

#[test]
fn followers_of_witnesses_survive_every_fault_at_every_kind_of_operation() {
    let all = "play = \"impartial\"\n[family]\nall = { pots_max = 3, seeds_max = 5 }";
    let sought = "[witness]\neach = \"value\"\nfewest = \"seeds\"\n[columns]\nfollowers = true";
    // The answer is the only file written after the checkpoints.
    a_job_with_checkpoints_survives(
        "sowing",
        &format!("{all}\n{sought}"),
        &AtLeast {
            struck: 20,
            resumed: 5,
        },
    );
}

/// The search visits positions a second time to count their followers.
#[test]
fn a_search_by_followers_survives_every_fault_at_every_kind_of_operation() {
    let all = "play = \"impartial\"\n[family]\nall = { pots_max = 3, seeds_max = 5 }";
    let sought = "[witness]\neach = \"nim_value\"\nfewest = \"followers\"";
    // The answer is the only file written after the checkpoints.
    a_job_with_checkpoints_survives(
        "sowing",
        &format!("{all}\n{sought}"),
        &AtLeast {
            struck: 20,
            resumed: 3,
        },
    );
}

#[test]
fn graphs_and_reconstructions_survive_every_fault_at_every_kind_of_operation() {
    let graphs = "[family]\ngraphs = [\"path(2)\", \"cycle(2..=3)\"]\ntotal_max = 50";
    a_job_with_checkpoints_survives("sowing-graph", graphs, &ONE_FILE);
    let bins = "numbering = \"beta\", bins = [\"2=1\", \"3=1 4=2\", \"3=0\"]";
    let rows = format!("[family]\nreconstructions = {{ {bins} }}");
    a_job_with_checkpoints_survives("tchoukaillon", &rows, &ONE_FILE);
}

/// Strikes a sweep that writes checkpoints repeatedly, and then resumes it undisturbed. A disk that
/// fails while a checkpoint is written does not stop the sweep.
#[test]
fn a_sweep_survives_every_fault_at_every_kind_of_operation() {
    let family = "positions = [\"111111111111\"]";
    let arguments = ["--threads", "1", "--checkpoint", "5ms"];
    let begun = |here: &Workspace| here.spec(NAME, "sowing", "impartial", family);
    let whole = Workspace::new();
    whole.finish(&begun(&whole), &arguments);
    let expected = whole.result("out", NAME);
    for fault in ["crash", "power", "eio", "enospc"] {
        let (mut resumed, mut started_over) = (0, 0);
        let prepare = || {
            let here = Workspace::new();
            let spec = begun(&here);
            let command = here.running(&spec, &arguments);
            (here, command)
        };
        let times = strike(fault, is_special, prepare, |here, struck| {
            started_over += u32::from(struck.stderr.contains("its sweep starts over"));
            let finished = here.run(&here.path("job.toml"), &arguments);
            assert_eq!(finished.status, Some(0), "after {struck:?}: {finished:?}");
            let is_known = |text: &str| finished.stderr.contains(text);
            assert!(
                !is_known("not as it was written"),
                "after {struck:?}: {finished:?}"
            );
            resumed += u32::from(is_known("resuming the sweep"));
            assert!(here.result("out", NAME) == expected, "after {struck:?}");
            assert!(
                !here.path("out/job/checkpoint").exists(),
                "after {struck:?}"
            );
        });
        assert!(times > 8, "{fault} at {times} operations only");
        // A disk that fails once ends no sweep; the operation whose failure ends the run comes
        // after it.
        let fails = ["eio", "enospc"].contains(&fault);
        assert!(
            fails || resumed > 3,
            "{fault}: {resumed} runs resumed a sweep"
        );
        assert_eq!(started_over > 0, fails, "{fault}: {started_over}");
    }
}

/// Strikes a run in a folder at an operation, and returns that operation without the folder's path;
/// `None` if the run ended before it.
fn struck_at(here: &Workspace, fault: &str, operation: usize) -> Option<String> {
    let spec = plain(here);
    let mut command = here.running(&spec, &["--threads", "1"]);
    command.env("SEEDBANK_FAULT", format!("{fault}:{operation}"));
    let ended = ended(command);
    let (_, rest) = ended.stderr.split_once("injected fault: ")?;
    let (_, at) = rest.lines().next()?.split_once(" at ")?;
    Some(at.replace(&*here.path("").to_string_lossy(), ""))
}

/// A run may be killed between creating a directory and syncing its name. The next run must sync
/// the name; otherwise a loss of power makes the files in the directory unreachable.
#[test]
fn directories_of_a_killed_run_are_synced_by_the_next() {
    let mut created = String::new();
    let mut directories = 0;
    for operation in 1..OPERATIONS_MAX {
        let here = Workspace::new();
        let Some(at) = struck_at(&here, "crash", operation) else {
            break;
        };
        let before = std::mem::replace(&mut created, at.clone());
        if !before.starts_with("CreateDirectory(") {
            continue;
        }
        assert!(at.starts_with("SyncDirectory("), "{before}, then {at}");
        directories += 1;
        let synced = (1..OPERATIONS_MAX).any(|later| {
            let next = struck_at(&here, "eio", later).expect("the run does not end without it");
            assert!(!next.starts_with("Link("), "{next} comes before {at}");
            next == at
        });
        assert!(synced, "{at} is never made up for");
    }
    assert!(directories >= 6, "only {directories} directories");
}

/// The checks above can fail: an operation that a run does not have is not struck, and the tests
/// above require that theirs are.
#[test]
fn an_operation_that_a_run_lacks_is_not_struck() {
    let here = Workspace::new();
    let mut command = here.running(&plain(&here), &["--threads", "1"]);
    command.env("SEEDBANK_FAULT", "crash:1:Remove(\"nowhere\")");
    let ended = ended(command);
    assert_eq!(ended.status, Some(0), "{ended:?}");
    assert!(!ended.stderr.contains("injected fault"), "{ended:?}");
}

/// Copies a folder, if there is one.
fn copy(from: &Path, to: &Path) {
    let Ok(entries) = fs::read_dir(from) else {
        return;
    };
    fs::create_dir_all(to).unwrap();
    for entry in entries {
        let path = entry.unwrap().path();
        let to = to.join(path.file_name().unwrap());
        match path.is_dir() {
            true => copy(&path, &to),
            false => drop(fs::copy(&path, &to).unwrap()),
        }
    }
}

/// A store with several segments in each of two namespaces, few enough that runs do not merge them,
/// and a second store.
fn stores() -> Workspace {
    let here = Workspace::new();
    for (store, jobs) in [("store", 2..=4), ("other", 4..=6)] {
        let store = here.path(store);
        for n in jobs {
            for play in ["partisan", "impartial"] {
                let name = format!("{play}-{n}-{}", store.file_name().unwrap().display());
                let spec = here.spec(&name, "sowing", play, &format!("pattern = \"1^{n} 2 1\""));
                here.finish(
                    &spec,
                    &["--threads", "1", "--store", store.to_str().unwrap()],
                );
            }
        }
    }
    here
}

/// Strikes a command on the store at every operation, and then runs it again undisturbed.
fn care_survives(command: &str, arguments: &[&str]) {
    let whole = stores();
    let arguments = |here: &Workspace| -> Vec<String> {
        let argument = |argument: &&str| argument.replace("HERE", here.path("").to_str().unwrap());
        arguments.iter().map(argument).collect()
    };
    let before = looked_up(&whole.path("store"));
    let reference = Workspace::new();
    for store in ["store", "other"] {
        copy(&whole.path(store), &reference.path(store));
    }
    let run = |here: &Workspace| {
        let arguments = arguments(here);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        here.store(command, &arguments)
    };
    let undisturbed = run(&reference);
    assert_eq!(undisturbed.status, Some(0), "{undisturbed:?}");
    let after = looked_up(&reference.path("store"));
    for fault in ["crash", "power", "eio", "enospc"] {
        let operations = with_each_fault(
            fault,
            |_| true,
            || {
                let here = Workspace::new();
                for store in ["store", "other"] {
                    copy(&whole.path(store), &here.path(store));
                }
                let mut given = seedbank(&["store", command, "--store"]);
                given.arg(here.path("store")).args(arguments(&here));
                (here, given)
            },
            |here, struck| {
                let now = looked_up(&here.path("store"));
                assert!(now == before || now == after, "after {struck:?}");
                let again = run(here);
                assert_eq!(again.status, Some(0), "after {struck:?}: {again:?}");
                assert_eq!(looked_up(&here.path("store")), after, "after {struck:?}");
                // No file is left over for good, whether it was new or due to be deleted.
                assert_eq!(here.store("compact", &[]).status, Some(0));
                let listed = Store::open(&here.path("store")).unwrap().stat().unwrap();
                assert_eq!(listed.orphans, Vec::<PathBuf>::new(), "after {struck:?}");
                assert_eq!(looked_up(&here.path("store")), after, "after {struck:?}");
                assert_eq!(files_in(&here.path("store/tmp")), Vec::<PathBuf>::new());
            },
        );
        assert!(operations > 10, "{fault} at {operations} operations only");
    }
}

#[test]
fn compaction_survives_every_fault_at_every_kind_of_operation() {
    care_survives("compact", &[]);
}

#[test]
fn an_import_survives_every_fault_at_every_kind_of_operation() {
    care_survives("import", &["--from", "HEREother"]);
}

/// Sets the times of every file below a folder.
fn set_times(dir: &Path, time: SystemTime) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            set_times(&path, time);
        }
        let times = FileTimes::new().set_modified(time).set_accessed(time);
        File::open(&path).unwrap().set_times(times).unwrap();
    }
}

#[test]
fn a_clock_that_jumps_changes_nothing() {
    let whole = Workspace::new();
    let spec = plain(&whole);
    whole.finish(&spec, &["--threads", "1"]);
    let day = Duration::from_secs(86_400);
    let epoch = SystemTime::UNIX_EPOCH;
    for time in [epoch, epoch + 60_000 * day] {
        let here = Workspace::new();
        let spec = plain(&here);
        // Interrupted after its values were sealed and before its rows were recorded, with files
        // left in tmp.
        let mut struck = here.running(&spec, &["--threads", "1"]);
        struck.env("SEEDBANK_FAULT", "crash:45");
        assert_eq!(ended(struck).status, None);
        assert!(!here.path("out/job/manifest.json").exists());
        set_times(&here.path("store"), time);
        set_times(&here.path("out"), time);
        here.finish(&spec, &["--threads", "1"]);
        assert!(here.result("out", NAME) == whole.result("out", NAME));
        set_times(&here.path("out"), time);
        assert!(here.run(&spec, &[]).stdout.contains("already finished"));
    }
    // No code reads the times of files or the calendar: a monotonic clock measures intervals.
    let mut sources = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true if path.ends_with("tests") => {}
                true => folders.push(path),
                false => sources.push(path),
            }
        }
    }
    assert!(sources.len() > 50);
    for source in sources {
        let text = fs::read_to_string(&source).unwrap();
        for asks in ["SystemTime", ".modified()", ".created()", ".accessed()"] {
            // Code that only reports when something happened, and decides nothing, may read the
            // calendar.
            let says_only = source.ends_with("cli/events.rs");
            assert!(says_only || !text.contains(asks), "{source:?}: {asks}");
        }
    }
}

/// Returns the number of kills; `SEEDBANK_KILLS` changes it.
fn kills() -> u32 {
    let asked = std::env::var("SEEDBANK_KILLS").ok();
    asked.map_or(100, |kills| {
        kills.parse().expect("SEEDBANK_KILLS is a number")
    })
}

#[test]
fn runs_killed_again_and_again_end_with_the_same_rows() {
    let family = std::env::var("SEEDBANK_KILLS_FAMILY")
        .unwrap_or_else(|_| "pattern = \"1^n 2\"\nn = \"1..=8\"".to_owned());
    let whole = Workspace::new();
    let spec = whole.spec("killed", "sowing", "partisan", &family);
    let started_at = std::time::Instant::now();
    whole.finish(&spec, &[]);
    let undisturbed = started_at.elapsed();
    // Long enough that kills come at all stages of the run, and that the run sometimes ends.
    let pause_max = (undisturbed * 3 / 2)
        .min(Duration::from_millis(700))
        .max(undisturbed * 3 / kills().max(1));
    let expected = whole.result("out", "killed");
    let values = digested(&whole.path("store"));
    assert!(values.len() > 100, "only {} values", values.len());
    let (mut left, mut finished) = (kills(), 0);
    let mut random = fastrand::Rng::with_seed(0x9e37_79b9);
    let mut here = Workspace::new();
    while left > 0 {
        let spec = here.spec("killed", "sowing", "partisan", &family);
        let mut child = started(here.running(&spec, &["--checkpoint", "30ms"]));
        std::thread::sleep(pause_max.mul_f64(random.f64()));
        child.kill().unwrap();
        let end = wait(child);
        match end.status {
            None => {
                left -= 1;
                if here.path("store").exists() {
                    sound(&here.path("store"));
                }
                // For a large store this takes longer than a part of the run, so only every tenth
                // kill checks it.
                if left % 10 == 0 && here.path("store").exists() {
                    for (key, value) in digested(&here.path("store")) {
                        assert_eq!(values[&key], value, "key {key:#x}");
                    }
                    println!("{left} kills left, {finished} results");
                }
            }
            Some(0) => {
                assert!(here.result("out", "killed") == expected);
                finished += 1;
                here = Workspace::new();
            }
            Some(_) => panic!("{end:?}"),
        }
    }
    let spec = here.spec("killed", "sowing", "partisan", &family);
    assert_eq!(here.run(&spec, &[]).status, Some(0));
    assert!(here.result("out", "killed") == expected);
    for (key, value) in digested(&here.path("store")) {
        assert_eq!(values[&key], value, "key {key:#x}");
    }
    println!(
        "{} kills and {} results in {:.0?}; undisturbed, the run takes {undisturbed:.1?}",
        kills(),
        finished + 1,
        started_at.elapsed()
    );
}
