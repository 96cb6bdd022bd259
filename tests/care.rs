//! `seedbank store` commands that need the rules of a game: they find and name a wrong value,
//! export the rows that jobs would write, and merge two stores unless these disagree.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::common::workspace::{Ended, Workspace, ended, seedbank};
use seedbank::dataset::{FormRow, PositionRow};
use seedbank::evaluate::care::{self, DeepSample};
use seedbank::game::{AtomicWari, Ruleset, Sowing};
use seedbank::store::{FormTable, Namespace, SegmentContents, Store, form_ref};
use serde_json::Value;

const ROWS: &str = "pattern = \"1^n 2\"\nn = \"1..=7\"";

fn sowing(play: &str) -> Namespace {
    Namespace::new("sowing", 1, play)
}

fn key(row: &str) -> u128 {
    let position = Sowing.position(&row.parse().unwrap()).unwrap();
    Sowing.key(&position).unwrap().0
}

/// A folder whose store holds the values of two jobs.
fn filled() -> Workspace {
    let here = Workspace::new();
    for (name, game, play) in [
        ("a", "sowing", "partisan"),
        ("b", "sowing", "impartial"),
        ("c", "atomic-wari", "partisan"),
    ] {
        let spec = here.spec(name, game, play, ROWS);
        here.finish(&spec, &["--threads", "1", "--checkpoint", "1ms"]);
    }
    here
}

/// Seals the value `{1|*}`, which is wrong, for some keys, in a segment above the present ones.
fn seal_wrong(dir: &Path, namespace: &Namespace, keys: &[u128]) {
    let mut forms = FormTable::new();
    let mut value = 77;
    if namespace.play == "partisan" {
        let zero = form_ref(forms.push(&[], &[]).unwrap(), false);
        let one = form_ref(forms.push(&[zero], &[]).unwrap(), false);
        let star = form_ref(forms.push(&[zero], &[zero]).unwrap(), false);
        value = form_ref(forms.push(&[one], &[star]).unwrap(), false);
    }
    let contents = SegmentContents {
        namespace: namespace.clone(),
        records: keys.iter().map(|&key| (key, value)).collect(),
        forms,
    };
    let mut writer = Store::open(dir).unwrap().writer().unwrap();
    assert_eq!(writer.seal(contents).unwrap().len(), 1);
}

/// Runs a command on the folder's store and returns the lines that it printed.
fn lines(ended: &Ended) -> Vec<Value> {
    let lines = ended.stdout.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// A segment in a later format is whole for the program that wrote it.
#[test]
fn repair_keeps_a_segment_in_a_later_format() {
    let here = filled();
    let segment = here.segments().remove(0);
    let mut bytes = fs::read(&segment).unwrap();
    bytes[8] = 200;
    let checksum = blake3::hash(&bytes[..4064]);
    bytes[4064..4096].copy_from_slice(checksum.as_bytes());
    // Open segments are memory-mapped, so a file is replaced and never written in place.
    fs::remove_file(&segment).unwrap();
    fs::write(&segment, &bytes).unwrap();
    let manifest = fs::read(here.path("store/manifest.json")).unwrap();
    for command in ["stat", "verify", "repair"] {
        let ended = here.store(command, &[]);
        assert_eq!(ended.status, Some(1), "{command}: {ended:?}");
        let said = format!("{}{}", ended.stdout, ended.stderr);
        assert!(said.contains("format 200"), "{command}: {ended:?}");
        assert!(
            !said.contains("damaged") && !said.contains("removed"),
            "{command}: {ended:?}"
        );
    }
    assert!(fs::read(&segment).unwrap() == bytes);
    assert!(fs::read(here.path("store/manifest.json")).unwrap() == manifest);
}

#[test]
fn deep_verification_passes_a_sound_store_and_checks_a_sample_of_the_given_size() {
    let here = filled();
    let everything = here.store("verify", &["--deep", "--sample", "1000000"]);
    assert_eq!(everything.status, Some(0), "{everything:?}");
    let store = Store::open(&here.path("store")).unwrap();
    let sample = DeepSample { count: 20, seed: 5 };
    let reports = care::verify_deep(&store, sample).unwrap();
    assert_eq!(reports.len(), 3);
    for report in &reports {
        assert_eq!(report.checked, 20.min(report.values), "{report:?}");
        assert!(
            report.wrong.is_empty() && report.unchecked == 0,
            "{report:?}"
        );
    }
    assert!(reports.iter().any(|report| report.values > 20));
}

/// Returns the value of a position, found without a store.
fn evaluated(play: &str, row: &str) -> String {
    let ended = ended(seedbank(&[
        "eval", "--game", "sowing", "--play", play, "--json", row,
    ]));
    assert_eq!(ended.status, Some(0), "{ended:?}");
    ended.json()["value"].as_str().unwrap().to_owned()
}

#[test]
fn deep_verification_names_exactly_the_wrong_values() {
    for play in ["partisan", "impartial"] {
        let here = filled();
        let store = here.path("store");
        let namespace = sowing(play);
        let reader = Store::open(&store).unwrap().reader(&namespace);
        // Where values are numbers, the store itself refuses a second value for a key, so only
        // values of new keys can be wrong there.
        let candidates = [
            "312", "11112", "1112", "12345", "21212", "232322", "432154", "24242",
        ]
        .map(key);
        let expected: BTreeSet<u128> = candidates
            .into_iter()
            .filter(|&key| play == "partisan" || !reader.contains(key).unwrap())
            .collect();
        assert!(expected.len() >= 2);
        drop(reader);
        seal_wrong(&store, &namespace, &Vec::from_iter(expected.clone()));
        let verified = here.store("verify", &["--deep", "--sample", "1000000", "--json"]);
        assert_eq!(verified.status, Some(4), "{verified:?}");
        let lines = lines(&verified);
        let report = lines
            .iter()
            .find(|line| line["namespace"] == namespace.to_string() && line["checked"].is_u64())
            .unwrap();
        let wrong = report["wrong"].as_array().unwrap();
        let named: BTreeSet<u128> = wrong
            .iter()
            .map(|wrong| {
                let hex = wrong["key"].as_str().unwrap().trim_start_matches("0x");
                u128::from_str_radix(hex, 16).unwrap()
            })
            .collect();
        assert_eq!(named, expected);
        for wrong in wrong {
            let row = wrong["position"].as_str().unwrap();
            assert_eq!(
                wrong["right"].as_str().unwrap(),
                evaluated(play, row),
                "{row}"
            );
        }
        for line in lines {
            if line["namespace"] != namespace.to_string() && line["wrong"].is_array() {
                assert_eq!(line["wrong"], Value::Array(vec![]));
            }
        }
        let text = here
            .store("verify", &["--deep", "--sample", "1000000"])
            .stdout;
        assert!(
            text.contains("is stored as") && text.contains("and is worth"),
            "{text}"
        );
    }
}

#[test]
fn a_wrong_value_of_an_option_of_the_sample_is_named() {
    let here = Workspace::new();
    let spec = here.spec("a", "sowing", "partisan", "pattern = \"312\"");
    here.finish(&spec, &["--threads", "1"]);
    let store_dir = here.path("store");
    let store = Store::open(&store_dir).unwrap();
    let top = key("312");
    // A wrong value of an option of 312, which a sample of one key does not draw if that key is
    // 312.
    let position = Sowing.position(&"312".parse().unwrap()).unwrap();
    let mut options = BTreeSet::new();
    for player in seedbank::game::Player::BOTH {
        Sowing
            .each_option(&position, player, &mut |option| {
                options.insert(Sowing.key(option).unwrap().0);
            })
            .unwrap();
    }
    let reader = store.reader(&sowing("partisan"));
    let stored: Vec<u128> = options
        .into_iter()
        .filter(|&key| reader.contains(key).unwrap())
        .collect();
    drop((reader, store));
    let Some(&below) = stored.first() else {
        panic!("no option of 312 is stored");
    };
    seal_wrong(&store_dir, &sowing("partisan"), &[below]);
    let store = Store::open(&store_dir).unwrap();
    let seeds = (0..60).map(|seed| DeepSample { count: 2, seed });
    let mut named = false;
    for sample in seeds {
        let report = care::verify_deep(&store, sample).unwrap().remove(0);
        let keys: Vec<u128> = report.wrong.iter().map(|wrong| wrong.key).collect();
        assert!(keys.is_empty() || keys == [below], "{report:?}");
        assert!(!keys.contains(&top));
        named |= !keys.is_empty();
    }
    assert!(named);
}

#[test]
fn keys_of_no_position_are_named_without_a_panic() {
    let here = Workspace::new();
    let store = here.path("store");
    // Too short, too long, a pot of 256 seeds, leading zeros: none is a code.
    let mut keys: Vec<u128> = vec![0, 1, 2, 3, u128::MAX, 1 << 127, 3 << 125, 5];
    keys.extend((0..64).map(|i| 0x9e37_79b9_7f4a_7c15_u128.wrapping_mul(i + 1) << (i % 64)));
    let (no_position, has_one): (Vec<u128>, Vec<u128>) = keys
        .into_iter()
        .partition(|&key| Sowing.position_of_stored(key).is_none());
    assert!(no_position.len() > 20, "{has_one:?}");
    seal_wrong(&store, &sowing("impartial"), &no_position);
    let verified = here.store("verify", &["--deep"]);
    assert_eq!(verified.status, Some(4), "{verified:?}");
    assert_eq!(
        verified.stdout.matches("but no position has it").count(),
        no_position.len()
    );
    let out = here.path("exported");
    let exported = here.store("export", &["--out", out.to_str().unwrap()]);
    assert_eq!(exported.status, Some(4), "{exported:?}");
    assert!(
        exported.stderr.contains("no position has the stored key"),
        "{exported:?}"
    );
    // A board of three pots has no row of four pots.
    let board = AtomicWari::on(Some(3));
    let row = AtomicWari::on(None)
        .position(&"1111".parse().unwrap())
        .unwrap();
    let (key, _) = AtomicWari::on(None).key(&row).unwrap();
    assert!(AtomicWari::on(None).position_of_stored(key).is_some());
    assert_eq!(board.position_of_stored(key), None);
}

#[test]
fn other_versions_and_games_are_named_and_left_alone() {
    let here = filled();
    let (store, other) = (here.path("store"), here.path("other"));
    for namespace in [
        Namespace::new("sowing", 2, "impartial"),
        Namespace::new("hackenbush", 1, "impartial"),
        Namespace::new("atomic-wari/0", 1, "impartial"),
        Namespace::new("sowing", 1, "misere"),
    ] {
        seal_wrong(&store, &namespace, &[9]);
        seal_wrong(&other, &namespace, &[8]);
    }
    let verified = here.store("verify", &["--deep"]);
    assert_eq!(verified.status, Some(0), "{verified:?}");
    assert_eq!(
        verified.stdout.matches("are left alone").count(),
        4,
        "{verified:?}"
    );
    let out = here.path("exported");
    let exported = here.store("export", &["--out", out.to_str().unwrap()]);
    assert_eq!(exported.status, Some(0), "{exported:?}");
    assert_eq!(
        exported.stderr.matches("are left alone").count(),
        4,
        "{exported:?}"
    );
    let imported = here.store("import", &["--from", other.to_str().unwrap()]);
    assert_eq!(imported.status, Some(0), "{imported:?}");
    assert_eq!(
        imported.stderr.matches("are left alone").count(),
        4,
        "{imported:?}"
    );
    let reader = Store::open(&store)
        .unwrap()
        .reader(&Namespace::new("sowing", 2, "impartial"));
    assert!(!reader.contains(8).unwrap());
}

#[test]
fn an_export_has_the_rows_that_a_job_would_write() {
    let here = filled();
    let out = here.path("exported");
    let exported = here.store("export", &["--out", out.to_str().unwrap(), "--json"]);
    assert_eq!(exported.status, Some(0), "{exported:?}");
    let exported = lines(&exported);
    assert_eq!(exported.len(), 3);
    let stored = here.values_stored();
    let rows: u64 = exported
        .iter()
        .map(|line| line["rows"].as_u64().unwrap())
        .sum();
    assert_eq!(rows, stored);
    for (name, game, play) in [
        ("sowing-v1-partisan", "sowing", "partisan"),
        ("sowing-v1-impartial", "sowing", "impartial"),
        ("atomic-wari-v1-partisan", "atomic-wari", "partisan"),
    ] {
        let (rows, forms) = tables(&out.join(name));
        // The same positions evaluated by a job without the store.
        let list: Vec<String> = rows
            .iter()
            .map(|row| format!("{:?}", row.position))
            .collect();
        let spec = here.spec(
            "again",
            game,
            play,
            &format!("positions = [{}]", list.join(", ")),
        );
        let (fresh, results) = (here.path(&format!("{name}-fresh")), here.path(name));
        here.finish(
            &spec,
            &[
                "--store",
                fresh.to_str().unwrap(),
                "--out",
                results.to_str().unwrap(),
            ],
        );
        let (expected, expected_forms) = tables(&results.join("again"));
        assert_eq!(rows, expected);
        let by_digest = |forms: Vec<FormRow>| -> BTreeMap<[u8; 16], FormRow> {
            forms
                .into_iter()
                .map(|form| (form.value_digest, form))
                .collect()
        };
        assert_eq!(by_digest(forms), by_digest(expected_forms));
    }
    // A second export has nothing to do. Other values make another export, which does not mix with
    // this one.
    let again = here.store("export", &["--out", out.to_str().unwrap()]);
    assert_eq!(again.status, Some(0), "{again:?}");
    seal_wrong(&here.path("store"), &sowing("partisan"), &[key("99")]);
    let other = here.store("export", &["--out", out.to_str().unwrap()]);
    assert_eq!(other.status, Some(1), "{other:?}");
}

/// Reads the tables of a result set as its files' metadata describe them.
fn tables(dir: &Path) -> (Vec<PositionRow>, Vec<FormRow>) {
    let record = std::fs::read(dir.join("manifest.json")).unwrap();
    let sealed: Value = serde_json::from_slice(&record).unwrap();
    let manifest = &sealed["body"];
    let header = seedbank::dataset::ResultHeader {
        job: manifest["job"].as_str().unwrap().to_owned(),
        job_digest: manifest["job_digest"].as_str().unwrap().parse().unwrap(),
        code_version: manifest["code_versions"][0].as_str().unwrap().to_owned(),
        format_version: seedbank::dataset::FORMAT_VERSION,
        parts: manifest["shards"].as_u64().unwrap() as u32,
        spec_text: String::new(),
        tables: seedbank::dataset::Tables::of_positions(vec![]),
    };
    let results = seedbank::dataset::ResultSet::open(dir, &header).unwrap();
    let rows = results.read_positions().unwrap().collect::<Result<_, _>>();
    let forms = results.read_forms().unwrap().collect::<Result<_, _>>();
    (rows.unwrap(), forms.unwrap())
}

#[test]
fn stores_with_different_ids_are_merged() {
    let here = filled();
    let other = Workspace::new();
    let spec = other.spec(
        "d",
        "sowing",
        "partisan",
        "pattern = \"2 1^n 3\"\nn = \"1..=5\"",
    );
    other.finish(&spec, &["--threads", "1"]);
    let from = other.path("store");
    let before = here.values_stored();
    let imported = here.store("import", &["--from", from.to_str().unwrap(), "--json"]);
    assert_eq!(imported.status, Some(0), "{imported:?}");
    let line = &lines(&imported)[0];
    let (added, present) = (
        line["added"].as_u64().unwrap(),
        line["present"].as_u64().unwrap(),
    );
    assert_eq!(added + present, other.values_stored());
    assert!(added > 0 && present > 0, "{line}");
    assert_eq!(here.values_stored(), before + added);
    let verified = here.store("verify", &["--deep", "--sample", "1000000"]);
    assert_eq!(verified.status, Some(0), "{verified:?}");
    // A run that uses only this store has the same rows as the run that computed them.
    let again = here.spec(
        "d",
        "sowing",
        "partisan",
        "pattern = \"2 1^n 3\"\nn = \"1..=5\"",
    );
    assert_eq!(here.finish(&again, &["--threads", "1"])["positions"], 0);
    assert!(here.result("out", "d") == other.result("out", "d"));
    // The same holds after compaction.
    let compacted = here.store("compact", &["--json"]);
    assert_eq!(compacted.status, Some(0), "{compacted:?}");
    assert!(
        lines(&compacted).iter().all(|line| line["segments"] == 1),
        "{compacted:?}"
    );
    let results = here.path("compacted");
    let summary = here.finish(
        &again,
        &["--threads", "1", "--out", results.to_str().unwrap()],
    );
    assert_eq!(summary["positions"], 0);
    assert!(here.result("compacted", "d") == other.result("out", "d"));
}

#[test]
fn a_disagreement_names_the_position_with_both_values_and_imports_nothing() {
    let here = filled();
    let other = here.path("other");
    seal_wrong(&other, &sowing("impartial"), &[key("98765")]);
    seal_wrong(&other, &sowing("partisan"), &[key("11112")]);
    let before = here.values_stored();
    let imported = here.store("import", &["--from", other.to_str().unwrap()]);
    assert_eq!(imported.status, Some(4), "{imported:?}");
    for part in [
        "11112 is worth ",
        " and {1|*} in the other",
        "nothing was imported",
    ] {
        assert!(imported.stderr.contains(part), "{part}: {imported:?}");
    }
    assert_eq!(here.values_stored(), before);
}

#[test]
fn a_store_is_not_imported_from_itself_or_from_a_missing_folder() {
    let here = filled();
    for from in ["store", "nowhere"] {
        let from = here.path(from);
        let refused = here.store("import", &["--from", from.to_str().unwrap()]);
        assert_eq!(refused.status, Some(2), "{refused:?}");
        assert!(
            refused.stderr.contains(from.to_str().unwrap()),
            "{refused:?}"
        );
    }
    let mut command = seedbank(&["store", "verify", "--sample", "3", "--store"]);
    command.arg(here.path("store"));
    assert_eq!(
        ended(command).status,
        Some(2),
        "a sample is part of a deep look"
    );
}
