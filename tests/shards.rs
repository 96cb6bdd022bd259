//! Jobs divided into shards, each a process of its own, and merged: the result equals that of one
//! run, byte by byte.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::workspace::{
    Ended, Workspace, ended, files_in, flip_byte, is_locked_by, load, seedbank, started, wait,
};
use seedbank::dataset::{Fragment, PositionRow, ResultSet};
use serde_json::Value;

/// Rows whose cost grows exponentially, in one part.
const EXPONENTIAL: &str = "pattern = \"x 1^n\"\nx = \"1..=2\"\nn = \"1..=9\"";

/// Two parts.
const TWO_PARTS: &str = "sample = { count = 1100000, seed = 7, pots_max = 4, seeds_max = 6 }";

/// Returns the arguments that separate a single run from the shards.
fn alone(here: &Workspace) -> [String; 4] {
    let path = |name| here.path(name).to_str().unwrap().to_owned();
    [
        "--store".into(),
        path("store-alone"),
        "--out".into(),
        path("alone"),
    ]
}

fn run_alone(here: &Workspace, spec: &Path) -> Value {
    let arguments = alone(here);
    here.finish(spec, &arguments.each_ref().map(String::as_str))
}

fn shard(here: &Workspace, spec: &Path, shard: &str, more: &[&str]) -> Ended {
    here.run(spec, &[&["--shard", shard, "--json"], more].concat())
}

/// Runs shards one after the other, in this order, and returns the number of positions that each
/// evaluated.
fn shards(here: &Workspace, spec: &Path, order: &[u32], of: u32) -> Vec<u64> {
    let run = |index: &u32| {
        let ended = shard(here, spec, &format!("{index}/{of}"), &["--threads", "1"]);
        assert_eq!(ended.status, Some(0), "{ended:?}");
        ended.json()["positions"].as_u64().unwrap_or(0)
    };
    order.iter().map(run).collect()
}

fn merge(here: &Workspace, spec: &Path, more: &[&str]) -> Ended {
    let mut command = seedbank(&["merge", "--json"]);
    command.arg(spec).args(more);
    for (option, folder) in [("--store", "store"), ("--out", "out")] {
        command.arg(option).arg(here.path(folder));
    }
    ended(command)
}

fn merged(here: &Workspace, spec: &Path, more: &[&str]) -> Value {
    let ended = merge(here, spec, more);
    assert_eq!(ended.status, Some(0), "{ended:?}");
    ended.json()
}

/// Returns every file below a folder, except those of shards, with its bytes.
fn tree(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![dir.to_owned()];
    while let Some(folder) = folders.pop() {
        for path in files_in(&folder) {
            if path.is_file() {
                let name = path.strip_prefix(dir).unwrap().to_owned();
                files.insert(name, fs::read(&path).unwrap());
            } else if !path.ends_with("shards") {
                folders.push(path);
            }
        }
    }
    files
}

/// Compares the merged result with that of a single run: rows, forms, records and manifest.
fn assert_like_alone(here: &Workspace, job: &str) {
    let (merged, alone) = (
        tree(&here.path("out").join(job)),
        tree(&here.path("alone").join(job)),
    );
    assert!(alone.len() > 2, "{job}");
    assert!(merged.keys().eq(alone.keys()), "{job}: {:?}", merged.keys());
    for (name, bytes) in &alone {
        assert!(merged[name] == *bytes, "{job}: {}", name.display());
    }
}

#[cfg(debug_assertions)]
#[test]
fn eight_shards_in_any_order_with_one_killed_make_the_result_of_one_run() {
    let here = Workspace::new();
    let spec = here.spec("rows", "sowing", "partisan", EXPONENTIAL);
    run_alone(&here, &spec);

    // One shard is killed in the middle of its work.
    let command = ["--shard", "0/8", "--threads", "1", "--checkpoint", "10ms"];
    let mut child = started(here.held(here.running(&spec, &command), 1));
    here.until_held();
    child.kill().unwrap();
    assert_eq!(wait(child).status, None);
    shards(&here, &spec, &[5, 2, 7, 1, 6, 3], 8);

    // Two shards are not finished, and the merge writes nothing from the others.
    let ended = merge(&here, &spec, &[]);
    assert_eq!(ended.status, Some(75), "{ended:?}");
    assert!(
        ended.stderr.contains("rows cannot be merged yet: "),
        "{ended:?}"
    );
    assert!(ended.stderr.contains("4/8 are not finished"), "{ended:?}");
    assert!(
        ended.stderr.contains("seedbank run --shard 0/8"),
        "{ended:?}"
    );
    assert!(files_in(&here.path("out/rows/parts")).is_empty());

    shards(&here, &spec, &[4, 0], 8);
    let summary = merged(&here, &spec, &[]);
    assert_eq!(
        (&summary["rows"], &summary["joined"]),
        (&18.into(), &1.into())
    );
    assert_like_alone(&here, "rows");
    assert!(
        here.segments().is_empty(),
        "shards write nothing into the store that they share"
    );

    // A second merge or a repeated shard changes nothing either.
    assert_eq!(merged(&here, &spec, &[])["joined"], 0);
    shards(&here, &spec, &[3, 5], 8);
    fs::remove_dir_all(here.path("out/rows/shards/3-of-8")).unwrap();
    fs::remove_file(here.path("out/rows/records/shard-00000.json")).unwrap();
    shards(&here, &spec, &[3, 5], 8);
    assert_eq!(merged(&here, &spec, &["--shards", "8"])["joined"], 1);
    assert_like_alone(&here, "rows");
}

#[test]
fn shards_share_the_cost_of_rows_that_grow_exponentially() {
    let here = Workspace::new();
    let spec = here.spec("rows", "sowing", "partisan", EXPONENTIAL);
    let alone = run_alone(&here, &spec)["positions"].as_u64().unwrap();
    let positions = shards(&here, &spec, &[0, 1, 2], 3);
    // The two costliest rows go to two shards; they need followers that others need, too.
    let most = positions.iter().max().unwrap();
    assert!(most * 10 < alone * 9, "{positions:?} of {alone}");
}

#[test]
fn rows_of_several_parts_are_merged_in_order() {
    let here = Workspace::new();
    let spec = here.spec("sample", "sowing", "impartial", TWO_PARTS);
    run_alone(&here, &spec);
    shards(&here, &spec, &[2, 0, 1], 3);
    assert_eq!(merged(&here, &spec, &[])["joined"], 2);
    assert_like_alone(&here, "sample");
}

#[test]
fn merging_stops_within_a_part_and_leaves_no_files() {
    let here = Workspace::new();
    let spec = here.spec("rows", "sowing", "partisan", EXPONENTIAL);
    here.finish(&spec, &[]);
    let set = here.result_set("out", &spec);
    let dir = here.path("joined");
    let joined = ResultSet::open_or_create(&dir, set.header()).unwrap();
    let fragments = [Fragment { set: &set, part: 0 }];
    let looks = Cell::new(0);
    let stop = || {
        looks.set(looks.get() + 1);
        looks.get() > 5
    };
    assert_eq!(
        joined
            .join_positions::<PositionRow>(0, 0, &fragments, &stop)
            .unwrap(),
        None
    );
    assert_eq!(looks.get(), 6);
    let left = tree(&dir);
    assert!(
        left.keys().eq([Path::new(".seedbank")]),
        "{:?}",
        left.keys()
    );
    let record = joined
        .join_positions::<PositionRow>(0, 0, &fragments, &|| false)
        .unwrap();
    assert_eq!(record, set.record(0).unwrap());
}

#[test]
fn all_kinds_of_rows_are_merged() {
    let here = Workspace::new();
    let specs = [
        here.spec("swept", "sowing", "impartial", "all = { pots_max = 6 }"),
        here.spec(
            "searched",
            "atomic-wari",
            "partisan",
            "all = { pots_max = 4, seeds_max = 7 }",
        ),
        here.spec(
            "full",
            "sowing",
            "partisan",
            "positions = [\"1111\", \"e1111e\", \"...e11e...\", \"0\", \"1111\"]",
        ),
        text_spec(
            &here,
            "octal-37",
            "game = \"octal\"\ncode = \"0.37\"",
            "heaps = \"7..=3000\"",
        ),
        text_spec(
            &here,
            "kayles",
            "game = \"octal\"\ncode = \"0.77\"\nsum = \"obligated\"",
            "heaps = \"0..=500\"",
        ),
        text_spec(
            &here,
            "sums",
            "game = \"obligated\"",
            "sum = \"knight(i,j) + 0.137(i)\"\ni = \"0..=40/3\"\nj = [4, 1, 9]",
        ),
        text_spec(
            &here,
            "codes",
            "game = \"octal\"",
            "codes = { digits = 2 }\nheaps_max = 200",
        ),
        text_spec(
            &here,
            "surveyed",
            "game = \"octal\"\nsum = \"obligated\"",
            "codes = { digits = 3 }\nheaps_max = 200",
        ),
        text_spec(
            &here,
            "boards",
            "game = \"tchoukaillon\"",
            "boards = \"5..=3000\"",
        ),
        text_spec(
            &here,
            "lengths",
            "game = \"tchoukaillon\"",
            "lengths = \"1..=700\"",
        ),
        text_spec(
            &here,
            "array",
            "game = \"tchoukaillon\"",
            "array = { antidiagonals = \"5..=40\" }",
        ),
        text_spec(
            &here,
            "reconstructions",
            "game = \"tchoukaillon\"",
            "reconstructions = { numbering = \"b\", bin_max = 6, fixed = 2 }",
        ),
        text_spec(
            &here,
            "graphs",
            "game = \"sowing-graph\"",
            "graphs = [\"path(0..=4)\", \"star(1..=2, 1..=2)\", \"acyclic(3, 1, 4, 1..=20)\"]",
        ),
    ];
    for spec in specs {
        let job = load(&spec).header.name;
        run_alone(&here, &spec);
        for of in [1, 8] {
            let order: Vec<u32> = (0..of).rev().collect();
            shards(&here, &spec, &order, of);
            let shards = of.to_string();
            merged(&here, &spec, &["--shards", &shards]);
            assert_like_alone(&here, &job);
            let _ = fs::remove_dir_all(here.path("out").join(&job));
        }
    }
}

/// A run writes boards with bins by whole columns, and a merge row by row: their batches end at the
/// same boards.
#[test]
fn boards_with_bins_are_merged() {
    let here = Workspace::new();
    for (name, bins) in [("every", "true"), ("near", "3"), ("nearest", "1")] {
        let family = format!("boards = \"5..=20000\"\n[columns]\nbins = {bins}");
        let spec = text_spec(&here, name, "game = \"tchoukaillon\"", &family);
        run_alone(&here, &spec);
        for of in [1, 8] {
            let order: Vec<u32> = (0..of).rev().collect();
            shards(&here, &spec, &order, of);
            merged(&here, &spec, &["--shards", &of.to_string()]);
            assert_like_alone(&here, name);
            fs::remove_dir_all(here.path("out").join(name)).unwrap();
        }
    }
}

/// Returns the number of rows that each shard of a job has left.
fn rows_left(here: &Workspace, spec: &Path, of: &str) -> Vec<u64> {
    let mut command = seedbank(&["plan", "--json", "--shards", of, "--out"]);
    command.arg(here.path("out")).arg(spec);
    let ended = ended(command);
    assert_eq!(ended.status, Some(0), "{ended:?}");
    let dealt = ended.json()["dealt"].as_array().unwrap().clone();
    let left = dealt.iter().map(|shard| shard["rows_left"].as_u64());
    left.map(Option::unwrap).collect()
}

#[test]
fn merged_rows_are_not_computed_again() {
    let here = Workspace::new();
    let heaps = text_spec(
        &here,
        "octal-37",
        "game = \"octal\"\ncode = \"0.37\"",
        "heaps = \"7..=3000\"",
    );
    let rows = here.spec("rows", "sowing", "partisan", EXPONENTIAL);
    let sample = here.spec("sample", "sowing", "impartial", TWO_PARTS);
    for spec in [&heaps, &rows, &sample] {
        let job = load(spec).header.name;
        let all = run_alone(&here, spec)["rows"].as_u64().unwrap();
        assert_eq!(rows_left(&here, spec, "3").iter().sum::<u64>(), all);
        shards(&here, spec, &[2, 0, 1], 3);
        merged(&here, spec, &["--remove"]);
        assert!(!here.path("out").join(&job).join("shards").exists());
        // Nothing is left to do for this number of shards or another.
        for of in ["3", "5"] {
            assert!(rows_left(&here, spec, of).iter().all(|&left| left == 0));
            let ended = shard(&here, spec, &format!("1/{of}"), &[]);
            assert_eq!(ended.status, Some(0), "{ended:?}");
            assert_eq!(ended.json()["outcome"], "already-finished");
        }
        let summary = merged(&here, spec, &["--shards", "5", "--remove"]);
        assert_eq!(
            (&summary["joined"], &summary["rows"]),
            (&0.into(), &all.into())
        );
        assert_like_alone(&here, &job);
    }
    // If a result has lost its second part, no shard makes the rows of the first part again.
    fs::remove_file(here.path("out/sample/records/shard-00001.json")).unwrap();
    let left = rows_left(&here, &sample, "4");
    assert_eq!(left.iter().sum::<u64>(), 1_100_000 - (1 << 20));
    for (index, left) in (0..).zip(left) {
        let ended = shard(&here, &sample, &format!("{index}/4"), &[]);
        assert_eq!(ended.status, Some(0), "{ended:?}");
        let made: u64 = files_in(&here.path(&format!("out/sample/shards/{index}-of-4/records")))
            .iter()
            .map(|record| {
                let record = fs::read_to_string(record).unwrap();
                let record: Value = serde_json::from_str(&record).unwrap();
                record["body"]["positions"]["rows"].as_u64().unwrap()
            })
            .sum();
        assert_eq!(made, left, "{index}");
    }
    assert_eq!(merged(&here, &sample, &["--remove"])["joined"], 1);
    assert_like_alone(&here, "sample");

    // A result set of another job in its place is noticed before the shard makes any row.
    let other = here.spec(
        "rows",
        "sowing",
        "partisan",
        "pattern = \"1^n\"\nn = \"1..=3\"",
    );
    let ended = shard(&here, &other, "0/2", &[]);
    assert_eq!(ended.status, Some(1), "{ended:?}");
    assert!(ended.stderr.contains("digest"), "{ended:?}");
    let records = here.path("out/rows/shards/0-of-2/records");
    assert!(files_in(&records).is_empty(), "{records:?}");
}

fn text_spec(here: &Workspace, name: &str, ruleset: &str, family: &str) -> PathBuf {
    let path = here.path(&format!("{name}.toml"));
    let text = format!("name = {name:?}\n[ruleset]\n{ruleset}\n[family]\n{family}\n");
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn shards_find_witnesses_too() {
    let here = Workspace::new();
    let witness = "\n[witness]\neach = \"nim_value\"\nfewest = \"pots\"";
    let by_values = "\n[witness]\nvalue = [\"1/2\", \"^\", \"*2\"]\nfewest = \"seeds\"";
    let of_a_list = "sample = { count = 300, seed = 7, pots_max = 4, seeds_max = 6 }";
    // Small cells form one part, so families need some size to be divided.
    let specs = [
        here.spec(
            "swept",
            "sowing",
            "impartial",
            &format!("all = {{ pots_max = 7 }}{witness}"),
        ),
        here.spec(
            "seeds",
            "sowing",
            "partisan",
            &format!("all = {{ pots_max = 9, seeds_max = 11 }}{by_values}"),
        ),
        here.spec(
            "searched",
            "atomic-wari",
            "partisan",
            &format!("all = {{ pots_max = 8, seeds_max = 12 }}{by_values}"),
        ),
        here.spec(
            "listed",
            "sowing",
            "impartial",
            &format!("{of_a_list}{witness}"),
        ),
    ];
    for spec in specs {
        let job = load(&spec).header.name;
        let alone = run_alone(&here, &spec);
        shards(&here, &spec, &[1, 0], 3);
        let ended = merge(&here, &spec, &[]);
        match &job[..] {
            // There is only one part.
            "listed" => assert_eq!(ended.status, Some(0), "{ended:?}"),
            _ => {
                assert_eq!(ended.status, Some(75), "{ended:?}");
                assert!(
                    ended.stderr.contains("shard 2/3 is not finished"),
                    "{ended:?}"
                );
                shards(&here, &spec, &[2], 3);
                let summary = merged(&here, &spec, &["--shards", "3"]);
                for key in ["rows", "witnesses_found", "witnesses_sought"] {
                    assert_eq!(summary[key], alone[key], "{job}: {key}");
                }
            }
        }
        assert_like_alone(&here, &job);
        assert_eq!(merged(&here, &spec, &[])["joined"], 0);
        assert_like_alone(&here, &job);
    }
}

#[test]
fn shards_read_a_common_store_and_their_values_can_be_imported_into_it() {
    let here = Workspace::new();
    for (play, rows) in [("partisan", EXPONENTIAL), ("impartial", EXPONENTIAL)] {
        let base = here.spec("base", "sowing", play, "pattern = \"2 1^n\"\nn = \"1..=7\"");
        here.finish(&base, &[]);
        let before = tree(&here.path("store"));
        let spec = here.spec(&format!("rows-{play}"), "sowing", play, rows);
        let alone = run_alone(&here, &spec)["positions"].as_u64().unwrap();
        let order = [0, 1, 2, 3];
        let with_base = shards(&here, &spec, &order, 4);
        assert!(
            tree(&here.path("store")) == before,
            "the base store is only read"
        );
        let out = here.path("out-without").to_str().unwrap().to_owned();
        let store = here.path("store-without").to_str().unwrap().to_owned();
        let without = order.map(|index| {
            let more = ["--threads", "1", "--out", &out, "--store", &store];
            let ended = shard(&here, &spec, &format!("{index}/4"), &more);
            ended.json()["positions"].as_u64().unwrap()
        });
        assert!(
            with_base
                .iter()
                .zip(without)
                .all(|(with, without)| *with <= without)
        );
        assert!(
            with_base.iter().sum::<u64>() < without.iter().sum(),
            "{with_base:?} {without:?}"
        );

        let stored = here.values_stored();
        let summary = merged(&here, &spec, &["--take-values"]);
        assert_like_alone(&here, &format!("rows-{play}"));
        let taken = summary["values_taken"].as_u64().unwrap();
        assert!(
            taken > 0 && stored + taken == here.values_stored(),
            "{summary}"
        );
        assert_eq!(merged(&here, &spec, &["--take-values"])["values_taken"], 0);
        assert_eq!(here.store("verify", &[]).status, Some(0));
        // The store now has all values.
        fs::remove_dir_all(here.path(&format!("out/rows-{play}"))).unwrap();
        let again = here.finish(&spec, &[])["positions"].as_u64().unwrap();
        assert!(again * 10 < alone, "{again} of {alone}");
        assert_like_alone(&here, &format!("rows-{play}"));
        fs::remove_dir_all(here.path("out/base")).unwrap();
    }
}

#[test]
fn a_stopped_shard_resumes() {
    let here = Workspace::new();
    let spec = here.spec("rows", "sowing", "partisan", EXPONENTIAL);
    run_alone(&here, &spec);
    // However slow the machine is, some limit is too short, and some is not.
    let mut stops = 0;
    for limit in (3..).map(|power| format!("{}ms", 1 << power)) {
        let ended = shard(
            &here,
            &spec,
            "0/2",
            &["--threads", "1", "--time-limit", &limit],
        );
        match ended.status {
            Some(75) => stops += 1,
            Some(0) => break,
            _ => panic!("{ended:?}"),
        }
        assert_eq!(ended.json()["outcome"], "time-limit");
    }
    assert!(stops > 0, "the shard is too small to be stopped");
    shards(&here, &spec, &[1], 2);
    merged(&here, &spec, &["--remove"]);
    assert_like_alone(&here, "rows");
    assert!(!here.path("out/rows/shards").exists());
    // A complete result needs no shards.
    assert_eq!(merged(&here, &spec, &[])["joined"], 0);
}

#[cfg(debug_assertions)]
#[test]
fn a_shard_in_use_by_another_process_is_left_alone() {
    let here = Workspace::new();
    let spec = here.spec("row", "sowing", "partisan", "pattern = \"1^n 2\"\nn = 9");
    let run = here.running(&spec, &["--shard", "0/1", "--threads", "1"]);
    let mut child = started(here.held(run, 1));
    here.until_held();
    let lock = here.path("out/row/shards/0-of-1/store/store.lock");
    assert!(is_locked_by(&lock, &child));
    let second = shard(&here, &spec, "0/1", &[]);
    assert_eq!(second.status, Some(75), "{second:?}");
    assert!(
        second.stderr.contains(&format!("process {}", child.id())),
        "{second:?}"
    );
    assert!(
        child.try_wait().unwrap().is_none(),
        "the first process still runs"
    );
    child.kill().unwrap();
    wait(child);
}

/// `status` shows shards that are begun without being told their number.
#[test]
fn status_knows_shards_that_are_not_merged() {
    let here = Workspace::new();
    let spec = here.spec("rows", "sowing", "partisan", EXPONENTIAL);
    let status = || {
        let mut command = seedbank(&["status", "--json", "--out"]);
        command.arg(here.path("out")).arg(&spec);
        let status = ended(command).json();
        let shards = status["dealt"].as_array().map_or(0, Vec::len);
        (status["state"].as_str().unwrap().to_owned(), shards)
    };
    assert_eq!(status(), ("not begun".to_owned(), 0));
    shards(&here, &spec, &[1], 3);
    assert_eq!(status(), ("unfinished".to_owned(), 3));
    shards(&here, &spec, &[0], 2);
    // It is unclear which number is meant.
    assert_eq!(status(), ("unfinished".to_owned(), 0));
    fs::remove_dir_all(here.path("out/rows/shards/0-of-2")).unwrap();
    shards(&here, &spec, &[0, 2], 3);
    merged(&here, &spec, &[]);
    assert_eq!(status(), ("finished".to_owned(), 0));
}

#[test]
fn shards_that_cannot_be_merged_are_named() {
    let here = Workspace::new();
    let spec = here.spec("rows", "sowing", "partisan", EXPONENTIAL);
    run_alone(&here, &spec);
    let none = merge(&here, &spec, &[]);
    assert_eq!(none.status, Some(1), "{none:?}");
    assert!(
        none.stderr.contains("rows has no shards to be merged in"),
        "{none:?}"
    );

    shards(&here, &spec, &[0, 1], 2);
    shards(&here, &spec, &[1], 3);
    let several = merge(&here, &spec, &[]);
    assert_eq!(several.status, Some(1), "{several:?}");
    assert!(
        several.stderr.contains(
            "rows was divided into 2 and 3 shards; name the number to merge with --shards"
        ),
        "{several:?}"
    );

    // A damaged byte is found before the merge uses it, and the shard can be run again.
    let part = files_in(&here.path("out/rows/shards/1-of-2/parts")).remove(0);
    let bytes = fs::read(&part).unwrap().len();
    flip_byte(&part, bytes / 2);
    let damaged = merge(&here, &spec, &["--shards", "2"]);
    assert_eq!(damaged.status, Some(4), "{damaged:?}");
    assert!(
        damaged.stderr.contains(part.to_str().unwrap()),
        "{damaged:?}"
    );
    assert!(files_in(&here.path("out/rows/parts")).is_empty());
    let record = files_in(&here.path("out/rows/shards/1-of-2/records")).remove(0);
    fs::remove_file(record).unwrap();
    let missing = merge(&here, &spec, &["--shards", "2"]);
    assert_eq!(missing.status, Some(75), "{missing:?}");
    assert!(
        missing.stderr.contains("shard 1/2 is not finished"),
        "{missing:?}"
    );
    shards(&here, &spec, &[1], 2);
    merged(&here, &spec, &["--shards", "2"]);
    assert_like_alone(&here, "rows");

    // If a job has changed, its earlier shards are refused.
    let other = here.spec(
        "rows",
        "sowing",
        "partisan",
        "pattern = \"x 1^n\"\nx = \"2..=3\"\nn = \"1..=9\"",
    );
    let ended = merge(&here, &other, &["--shards", "2"]);
    assert_eq!(ended.status, Some(1), "{ended:?}");
    assert!(ended.stderr.contains("digest"), "{ended:?}");
}

#[test]
fn the_plan_reports_the_work_of_each_shard() {
    let here = Workspace::new();
    let spec = here.spec("rows", "sowing", "partisan", EXPONENTIAL);
    let plan = |more: &[&str]| {
        let mut command = seedbank(&["plan", "--shards", "8"]);
        command
            .args(more)
            .arg("--out")
            .arg(here.path("out"))
            .arg(&spec);
        let ended = ended(command);
        assert_eq!(ended.status, Some(0), "{ended:?}");
        ended
    };
    assert!(!here.path("out").exists(), "a plan makes nothing");
    let lines = plan(&[]).stdout;
    // The estimated cost of the costliest row, 2 1^9, is C(11 + 8, 8) = 75582 positions.
    let first = "  shard 0/8: 1 position in 1 unit, estimated cost 75582 (";
    assert!(lines.lines().nth(1).unwrap().starts_with(first), "{lines}");
    assert!(
        lines.lines().nth(1).unwrap().ends_with(" %), 1 left"),
        "{lines}"
    );
    assert_eq!(lines.lines().count(), 9);
    shards(&here, &spec, &[0], 8);
    let dealt = plan(&["--json"]).json()["dealt"]
        .as_array()
        .unwrap()
        .clone();
    let sum = |key: &str| -> u64 { dealt.iter().map(|shard| shard[key].as_u64().unwrap()).sum() };
    assert_eq!((sum("rows"), sum("units"), sum("rows_left")), (18, 18, 17));
    assert_eq!(dealt[0]["rows_left"], 0);
}

#[test]
fn numbers_of_shards_are_read_with_care() {
    let here = Workspace::new();
    let spec = here.spec("rows", "sowing", "partisan", EXPONENTIAL);
    for wrong in ["8/8", "1", "1/0", "x/8", "0/5000"] {
        let ended = shard(&here, &spec, wrong, &[]);
        assert_eq!(ended.status, Some(2), "{wrong}: {ended:?}");
        assert!(ended.stderr.contains("expected i/N"), "{wrong}: {ended:?}");
    }
    for (command, wrong) in [("plan", "0"), ("merge", "4097")] {
        let mut seedbank = seedbank(&[command, "--shards", wrong]);
        seedbank.arg(&spec);
        let ended = ended(seedbank);
        assert_eq!(ended.status, Some(2), "{ended:?}");
        assert!(ended.stderr.contains("1..=4096"), "{ended:?}");
    }
}
