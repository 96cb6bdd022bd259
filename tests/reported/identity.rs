//! Files that are found by name say inside what they are: exchanged, copied and doubled ones are noticed.

use std::fs;
use std::path::{Path, PathBuf};

use seedbank::store::{FormTable, Namespace, SegmentContents, Store};

use crate::common::workspace::{
    Ended, Workspace, ended, files_in, flip_byte, is_locked_by, seedbank, started, wait,
};

/// Seven small tiers of a loopy game.
const TIERS: &str = "rules = \"awari\"\n[family]\ntiers = { pits = 3, seeds = \"5..=6\" }";

/// Writes the jobs of three games whose tiers have equal sizes, and runs them.
fn scored(here: &Workspace) -> PathBuf {
    for rules in ["wari", "oware"] {
        let spec = here.plain_spec(rules, "wari", &TIERS.replace("awari", rules));
        here.finish(&spec, &[]);
    }
    let spec = here.plain_spec("tiers", "wari", TIERS);
    here.finish(&spec, &[]);
    spec
}

/// Runs a job again from the start, which must ignore a file of scores with a warning.
fn scored_again(here: &Workspace, spec: &Path, ignored: &Path) {
    let rows = here.result("out", "tiers");
    fs::remove_dir_all(here.path("out/tiers")).unwrap();
    let again = here.run(spec, &[]);
    assert_eq!(again.status, Some(0), "{again:?}");
    let warning = format!("{} is ignored", ignored.display());
    assert!(again.stderr.contains(&warning), "{again:?}");
    assert_eq!(here.result("out", "tiers"), rows);
}

#[test]
fn a_tier_copied_over_another_is_scored_again() {
    let here = Workspace::new();
    let spec = scored(&here);
    let folder = here.path("store/scores/awari-3");
    let tier = |seeds: u32| folder.join(format!("tier-{seeds:05}"));
    let others = ["wari-3", "oware-3"].map(|game| here.path("store/scores").join(game));
    let copies = [
        (tier(3), tier(4)),
        (tier(6), tier(2)),
        (others[0].join("tier-00005"), tier(5)),
        (others[1].join("tier-00006"), tier(6)),
    ];
    for (from, to) in copies {
        let whole = fs::read(&to).unwrap();
        fs::copy(&from, &to).unwrap();
        let verified = here.store("verify", &[]);
        assert_eq!(verified.status, Some(4), "{verified:?}");
        assert!(
            verified
                .stdout
                .contains(&format!("{} is damaged", to.display())),
            "{verified:?}"
        );
        scored_again(&here, &spec, &to);
        assert_eq!(fs::read(&to).unwrap(), whole, "it is as it was");
    }
    assert_eq!(here.store("verify", &[]).status, Some(0));
}

/// Returns a file of scores as an earlier build wrote it, which did not say its own name.
fn earlier_tier(seeds: u32, rounds: &str, scores: &[u8]) -> Vec<u8> {
    let mut bytes = format!(
        "{{\"of\":\"awari-3 by version 1 of the rules\",\"header\":{{\"seeds\":{seeds},\"positions\":{},\
         \"rounds\":{rounds}}}}}\n",
        scores.len()
    )
    .into_bytes();
    bytes.extend(scores);
    bytes.extend(blake3::hash(&bytes).as_bytes());
    bytes
}

/// Returns the scores in a file of a tier.
fn scores(tier: &Path) -> Vec<u8> {
    let bytes = fs::read(tier).unwrap();
    let line = bytes.iter().position(|&byte| byte == b'\n').unwrap();
    bytes[line + 1..bytes.len() - 32].to_vec()
}

#[test]
fn a_tier_in_progress_copied_over_another_is_not_resumed() {
    let here = Workspace::new();
    let spec = scored(&here);
    let folder = here.path("store/scores/awari-3");
    let tier = |seeds: u32| folder.join(format!("tier-{seeds:05}"));
    let at_work = |seeds: u32| folder.join(format!("at-work-{seeds:05}"));
    let [five, six] = [5, 6].map(|seeds| scores(&tier(seeds)));
    // A state of six seeds in place of one of five, the other way round, and a state in place of a tier.
    for (seeds, found, in_file) in [(5, 6, &six), (6, 5, &five)] {
        fs::remove_file(tier(seeds)).unwrap();
        fs::write(at_work(seeds), earlier_tier(found, "3", in_file)).unwrap();
        scored_again(&here, &spec, &at_work(seeds));
        assert!(!at_work(seeds).exists());
    }
    let unfinished = vec![1; five.len()];
    fs::write(tier(5), earlier_tier(5, "3", &unfinished)).unwrap();
    scored_again(&here, &spec, &tier(5));
    // A finished tier of an earlier build is used as it is.
    let earlier = earlier_tier(5, "null", &five);
    fs::write(tier(5), &earlier).unwrap();
    let rows = here.result("out", "tiers");
    fs::remove_dir_all(here.path("out/tiers")).unwrap();
    here.finish(&spec, &[]);
    assert_eq!(here.result("out", "tiers"), rows);
    assert_eq!(fs::read(tier(5)).unwrap(), earlier);
}

#[test]
fn repair_removes_damaged_scores() {
    let here = Workspace::new();
    scored(&here);
    let folder = here.path("store/scores/awari-3");
    let verified = here.store("verify", &[]);
    assert_eq!(verified.status, Some(0), "{verified:?}");
    assert!(
        verified
            .stdout
            .contains("scores awari-3/tier-00006: whole, 462 positions\n"),
        "{verified:?}"
    );
    fs::copy(folder.join("tier-00003"), folder.join("tier-00004")).unwrap();
    fs::write(folder.join("tier-00002"), "no scores").unwrap();
    let repaired = here.store("repair", &[]);
    assert_eq!(repaired.status, Some(0), "{repaired:?}");
    let removed = "scores awari-3/tier-00002: removed\nscores awari-3/tier-00004: removed\n";
    assert_eq!(repaired.stdout, removed);
    assert_eq!(here.store("verify", &[]).status, Some(0));
    assert_eq!(here.store("repair", &[]).stdout, "nothing is damaged\n");
}

/// Two jobs that differ in their rows alone, each with a part of as many rows.
fn two_jobs(here: &Workspace) -> [PathBuf; 2] {
    ["1", "2"].map(|first| {
        let family = format!("pattern = \"{first} 1^n 2\"\nn = \"1..=5\"");
        let spec = here.spec(&format!("first-{first}"), "sowing", "partisan", &family);
        here.finish(&spec, &[]);
        spec
    })
}

fn verify(here: &Workspace, spec: &Path) -> Ended {
    let mut command = seedbank(&["status", "--verify", "--out"]);
    command.arg(here.path("out")).arg(spec);
    ended(command)
}

/// Each file of a result, with one of the same sort of another job in its place: no command takes it for the right one.
#[test]
fn files_of_another_job_are_noticed() {
    let here = Workspace::new();
    let [spec, _] = two_jobs(&here);
    let rows = here.result("out", "first-1");
    let files = [
        "parts/part-00000.parquet",
        "forms/part-00000.parquet",
        "records/shard-00000.json",
        "manifest.json",
    ];
    for file in files {
        let path = here.path("out/first-1").join(file);
        let whole = fs::read(&path).unwrap();
        fs::remove_file(&path).unwrap();
        fs::copy(here.path("out/first-2").join(file), &path).unwrap();
        let verified = verify(&here, &spec);
        assert!(
            matches!(verified.status, Some(1 | 4)),
            "{file}: {verified:?}"
        );
        assert!(verified.stderr.contains("first-1"), "{file}: {verified:?}");
        fs::remove_file(&path).unwrap();
        fs::write(&path, whole).unwrap();
        assert_eq!(verify(&here, &spec).status, Some(0));
    }
    assert_eq!(here.result("out", "first-1"), rows);
}

#[test]
fn segments_and_manifests_of_another_store_are_noticed() {
    let here = Workspace::new();
    let [spec, _] = two_jobs(&here);
    let other = here.path("other").display().to_string();
    let second = here.spec(
        "second",
        "sowing",
        "partisan",
        "pattern = \"3 1^n\"\nn = \"1..=5\"",
    );
    here.finish(&second, &["--store", &other]);
    let segment = here.segments().remove(0);
    let whole = fs::read(&segment).unwrap();
    fs::remove_file(&segment).unwrap();
    fs::copy(files_in(&here.path("other/segments")).remove(0), &segment).unwrap();
    let verified = here.store("verify", &[]);
    assert_eq!(verified.status, Some(4), "{verified:?}");
    let rows = here.result("out", "first-1");
    fs::remove_dir_all(here.path("out/first-1")).unwrap();
    here.finish(&spec, &[]);
    assert_eq!(here.result("out", "first-1"), rows);
    fs::write(&segment, whole).unwrap();
    let manifest = here.path("store/manifest.json");
    fs::copy(here.path("other/manifest.json"), manifest).unwrap();
    let verified = here.store("verify", &[]);
    assert_eq!(verified.status, Some(4), "{verified:?}");
}

/// Two runs of one job at once, with a store each: the second says which process is in its way.
#[test]
fn a_second_run_with_the_same_results_is_refused() {
    let here = Workspace::new();
    let spec = here.spec("long", "sowing", "partisan", "pattern = \"1^n 2\"\nn = 15");
    let mut first = started(here.running(&spec, &["--threads", "1"]));
    let lock = here.path("out/long/run.lock");
    while !is_locked_by(&lock, &first) {
        assert!(
            first.try_wait().unwrap().is_none(),
            "it takes the lock first"
        );
        std::thread::yield_now();
    }
    let other = here.path("other").display().to_string();
    let second = here.run(&spec, &["--store", &other]);
    assert_eq!(second.status, Some(1), "{second:?}");
    let expected = format!(
        "the results in {} are being written by process {}; wait until that has ended, or choose another --out",
        here.path("out/long").display(),
        first.id()
    );
    assert!(second.stderr.contains(&expected), "{second:?}");
    let mut merge = seedbank(&["merge", "--shards", "1", "--out"]);
    merge
        .arg(here.path("out"))
        .arg("--store")
        .arg(&other)
        .arg(&spec);
    let merged = ended(merge);
    assert_eq!(merged.status, Some(1), "{merged:?}");
    assert!(merged.stderr.contains(&expected), "{merged:?}");
    // The shards of the job have folders of their own.
    let shard = here.run(
        &spec,
        &["--store", &other, "--shard", "0/1", "--time-limit", "0s"],
    );
    assert_eq!(shard.status, Some(75), "{shard:?}");
    assert!(!shard.stderr.contains("are being written"), "{shard:?}");
    first.kill().unwrap();
    wait(first);
    let resumed = here.run(&spec, &["--store", &other, "--time-limit", "0s"]);
    assert_eq!(resumed.status, Some(75), "{resumed:?}");
    assert!(!lock.exists(), "the lock is given back");
}

/// Jobs without values for a store: each says that the other is at work, or finds it finished.
#[test]
fn a_job_without_a_store_lock_started_twice_says_so() {
    let here = Workspace::new();
    let spec = here.plain_spec("tiers", "wari", TIERS);
    let children = [(), ()].map(|()| started(here.running(&spec, &[])));
    let mut done = 0;
    for child in children {
        let ended = wait(child);
        match ended.status {
            Some(0) => done += 1,
            Some(1) => assert!(ended.stderr.contains("are being written by"), "{ended:?}"),
            _ => panic!("{ended:?}"),
        }
    }
    assert!(done > 0);
}

/// Process numbers mean nothing in another container: 1 is the first process of each.
#[test]
fn a_lock_of_another_container_is_not_taken_for_our_own() {
    let here = Workspace::new();
    let spec = here.spec(
        "ones",
        "sowing",
        "partisan",
        "pattern = \"1^n\"\nn = \"1..=3\"",
    );
    fs::create_dir(here.path("store")).unwrap();
    let lock = fs::File::create(here.path("store/store.lock")).unwrap();
    lock.lock().unwrap();
    let holder = "{\"pid\":1,\"token\":2,\"machine\":\"3\",\"host\":\"web-1\"}\n";
    fs::write(here.path("store/store.lock"), holder).unwrap();
    let stopped = here.run(&spec, &["--time-limit", "300ms"]);
    assert_eq!(stopped.status, Some(75), "{stopped:?}");
    let holder = "process 1 of another machine or container, whose host name is \"web-1\"";
    assert!(stopped.stderr.contains(holder), "{stopped:?}");
}

/// A store with one segment of impartial values without forms, and that segment's file.
fn one_segment(dir: &Path, keys: std::ops::Range<u128>) -> PathBuf {
    let store = Store::open(dir).unwrap();
    let contents = SegmentContents {
        namespace: Namespace::new("sowing", 1, "impartial"),
        records: keys.map(|key| (key, 7)).collect(),
        forms: FormTable::new(),
    };
    store.writer().unwrap().seal(contents).unwrap();
    files_in(&dir.join("segments")).remove(0)
}

/// Does something while a file cannot be read: a folder has its name.
fn while_unreadable<T>(file: &Path, act: impl FnOnce() -> T) -> T {
    let aside = file.with_extension("aside");
    fs::rename(file, &aside).unwrap();
    fs::create_dir(file).unwrap();
    let done = act();
    fs::remove_dir(file).unwrap();
    fs::rename(&aside, file).unwrap();
    done
}

/// A segment that cannot be opened for a moment is not missing: its values are neither left out nor doubled.
#[test]
fn an_import_reads_every_segment_or_none() {
    let here = Workspace::new();
    let (ours, theirs) = (here.path("ours"), here.path("theirs"));
    let segments = [one_segment(&ours, 0..100), one_segment(&theirs, 50..150)];
    let known = [Namespace::new("sowing", 1, "impartial")];
    let open = || {
        let (store, from) = (Store::open(&ours).unwrap(), Store::open(&theirs).unwrap());
        (store.writer().unwrap(), from)
    };
    for segment in &segments {
        let failed = while_unreadable(segment, || {
            let (mut writer, from) = open();
            writer.take_over(&from, &known, &|| false)
        });
        let error = failed.unwrap_err();
        assert!(!error.is_damage(), "{error}");
        let name = segment.display().to_string();
        assert!(error.to_string().contains(&name), "{error}");
    }
    // Neither could be read when the stores were opened, and both can be read now.
    let (mut writer, from) =
        while_unreadable(&segments[0], || while_unreadable(&segments[1], open));
    let taken = writer.take_over(&from, &known, &|| false).unwrap();
    assert_eq!((taken[0].added, taken[0].present), (50, 50));
}

#[test]
fn damaged_laws_are_found_again() {
    let here = Workspace::new();
    let family = "pattern = \"1^n 2\"\nn = \"1..=6\"\n[mine]\nlaws = [\"periods\"]";
    let spec = here.spec("laws", "sowing", "partisan", family);
    let first = here.run(&spec, &[]);
    assert_eq!(first.status, Some(0), "{first:?}");
    assert!(first.stdout.contains(": mined, "), "{first:?}");
    let laws = here.path("out/laws/laws");
    let whole = here.result("out/laws", "laws");
    let files = [
        "parts/part-00000.parquet",
        "records/shard-00000.json",
        "manifest.json",
    ];
    for file in files.map(|file| laws.join(file)) {
        let len = fs::read(&file).unwrap().len();
        flip_byte(&file, len / 2);
        let verified = verify(&here, &spec);
        assert_eq!(verified.status, Some(4), "{file:?}: {verified:?}");
        let name = file.display().to_string();
        assert!(verified.stderr.contains(&name), "{verified:?}");
        let again = here.run(&spec, &[]);
        assert_eq!(again.status, Some(0), "{again:?}");
        assert!(again.stdout.contains(": mined, "), "{file:?}: {again:?}");
        assert_eq!(verify(&here, &spec).status, Some(0));
        assert_eq!(here.result("out/laws", "laws"), whole);
    }
    assert!(here.run(&spec, &[]).stdout.contains(": already mined, "));
}

#[test]
fn the_remedy_for_a_damaged_shard_names_the_shard() {
    let here = Workspace::new();
    let spec = here.spec(
        "rows",
        "sowing",
        "partisan",
        "pattern = \"1^n 2\"\nn = \"1..=9\"",
    );
    for shard in ["0/2", "1/2"] {
        here.finish(&spec, &["--shard", shard]);
    }
    let part = files_in(&here.path("out/rows/shards/1-of-2/parts")).remove(0);
    let len = fs::read(&part).unwrap().len();
    flip_byte(&part, len / 2);
    let mut merge = seedbank(&["merge", "--out"]);
    merge
        .arg(here.path("out"))
        .arg("--store")
        .arg(here.path("store"));
    merge.arg(&spec);
    let merged = ended(merge);
    assert_eq!(merged.status, Some(4), "{merged:?}");
    for text in [
        "shard 1/2 cannot be merged",
        "run the job again with --shard 1/2",
    ] {
        assert!(merged.stderr.contains(text), "{merged:?}");
    }
    // Without reading parts, their sizes show it.
    fs::write(&part, "short").unwrap();
    let mut status = seedbank(&["status", "--out"]);
    status.arg(here.path("out")).arg(&spec);
    let status = ended(status);
    assert_eq!(status.status, Some(4), "{status:?}");
    let remedy = "run the job again with --shard 1/2";
    assert!(status.stderr.contains(remedy), "{status:?}");
}

#[test]
fn a_time_limit_too_short_for_a_part_says_which_would_do() {
    let here = Workspace::new();
    let family = "all = { pots_max = 10, seeds_max = 17 }";
    let census = format!("{family}\n[witness]\neach = \"value\"\nfewest = \"pots\"");
    for (name, family) in [("rows", family), ("census", &census)] {
        let spec = here.spec(name, "atomic-wari", "partisan", family);
        let stopped = here.run(&spec, &["--time-limit", "2s"]);
        assert_eq!(stopped.status, Some(75), "{stopped:?}");
        for text in [
            "the time limit is too short to finish a part",
            "a part takes a --time-limit of ",
        ] {
            assert!(stopped.stderr.contains(text), "{stopped:?}");
        }
    }
}
