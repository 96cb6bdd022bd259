//! The store as a caller sees it: sealed values are found again, and damage is an error, never a
//! wrong value.

use crate::common::contents::contents;
use std::collections::HashMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use proptest::collection::vec;
use proptest::prelude::*;
use seedbank::digest::Digest;
use seedbank::durable::Holder;
use seedbank::store::{
    FormTable, ManifestFault, Namespace, SegmentContents, SegmentFault, Store, StoreError,
    form_index, form_negated, form_ref,
};
use tempfile::TempDir;

fn partisan() -> Namespace {
    Namespace::new("sowing", 1, "partisan")
}

fn impartial() -> Namespace {
    Namespace::new("sowing", 1, "impartial")
}

fn impartial_contents(records: Vec<(u128, u32)>) -> SegmentContents {
    SegmentContents {
        namespace: impartial(),
        records,
        forms: FormTable::new(),
    }
}

/// A few records of both widths, and the forms 0, 1, +-1, *.
fn partisan_contents() -> SegmentContents {
    let mut forms = FormTable::new();
    for (left, right) in [(&[][..], &[][..]), (&[0], &[]), (&[2], &[3]), (&[0], &[0])] {
        forms.push(left, right).unwrap();
    }
    let narrow = (0..9).map(|i| (1000 + i, form_ref(i as u32 % 4, i % 3 == 0)));
    let wide = (0..7).map(|i| (1 << 70 | i, form_ref(3 - i as u32 % 4, false)));
    SegmentContents {
        namespace: partisan(),
        records: narrow.chain(wide).collect(),
        forms,
    }
}

fn seal(dir: &Path, contents: SegmentContents) -> PathBuf {
    let sealed = Store::open(dir)
        .unwrap()
        .writer()
        .unwrap()
        .seal(contents)
        .unwrap();
    assert_eq!(sealed.len(), 1);
    dir.join("segments").join(&sealed[0].file)
}

fn value(store: &Store, namespace: &Namespace, key: u128) -> Option<u32> {
    store
        .reader(namespace)
        .get(key)
        .unwrap()
        .map(|hit| hit.value)
}

#[test]
fn a_missing_directory_counts_as_an_empty_store_and_stays_missing() {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("deep/store");
    let store = Store::open(&path).unwrap();
    assert_eq!(store.reader(&impartial()).get(1).unwrap(), None);
    let stat = store.stat().unwrap();
    assert!(stat.namespaces.is_empty() && stat.orphans.is_empty() && store.verify().is_empty());
    assert!(!path.exists());
    assert!(
        store
            .writer()
            .unwrap()
            .seal(impartial_contents(Vec::new()))
            .unwrap()
            .is_empty()
    );
    assert!(path.exists() && !path.join("manifest.json").exists());
}

#[test]
fn all_keys_are_found_again_and_no_others() {
    let dir = TempDir::new().unwrap();
    let mut random = fastrand::Rng::with_seed(1);
    let mut expected = HashMap::new();
    for i in 0..20_000u32 {
        // Dense, random narrow, and random wide keys.
        let key = match i % 3 {
            0 => u128::from(i),
            1 => u128::from(random.u64(..)),
            _ => random.u128(..),
        };
        expected.insert(key, i);
    }
    expected.insert(u128::MAX, 7);
    expected.insert(u128::from(u64::MAX), 8);
    expected.insert(1 << 64, 9);
    let mut records: Vec<(u128, u32)> =
        expected.iter().map(|(&key, &value)| (key, value)).collect();
    records.extend_from_within(..100);
    // Four segments, to test lookups over more than one.
    let mut writer = Store::open(dir.path()).unwrap().writer().unwrap();
    for part in records.chunks(records.len().div_ceil(4)) {
        writer.seal(impartial_contents(part.to_vec())).unwrap();
    }

    let store = Store::open(dir.path()).unwrap();
    let reader = store.reader(&impartial());
    assert_eq!(reader.segments().len(), 4);
    let mut keys: Vec<u128> = expected.keys().copied().collect();
    for i in 0..20_000u64 {
        keys.push(u128::from(1_000_000 + i));
        keys.push(u128::from(random.u64(..)));
        keys.push(u128::from(random.u64(..)) << 64 | u128::from(i));
    }
    // Keys of which half is right: a fingerprint would take them for the stored ones.
    keys.extend(
        expected
            .keys()
            .filter(|&&key| key >> 64 != 0)
            .map(|key| key & u128::from(u64::MAX)),
    );
    keys.extend(expected.keys().map(|key| key ^ 1 << 127));
    let mut hits = Vec::new();
    reader.get_many(&keys, &mut hits).unwrap();
    assert_eq!(hits.len(), keys.len());
    for (key, hit) in keys.iter().zip(hits) {
        assert_eq!(
            hit.map(|hit| hit.value),
            expected.get(key).copied(),
            "key {key:#x}"
        );
        assert_eq!(reader.get(*key).unwrap(), hit);
    }
    let total: u64 = reader
        .segments()
        .iter()
        .map(|segment| segment.records_len())
        .sum();
    assert_eq!(
        total,
        expected.len() as u64,
        "repeated records are stored once"
    );
    let scanned: HashMap<u128, u32> = reader
        .segments()
        .iter()
        .flat_map(|segment| segment.iter().unwrap())
        .collect();
    assert_eq!(scanned, expected);
    assert!(
        store
            .verify()
            .iter()
            .all(|report| report.problems.is_empty())
    );
}

#[test]
fn segments_cost_14_bytes_a_narrow_and_23_bytes_a_wide_record() {
    for (shift, record_bytes) in [(0, 13.8), (64, 22.95)] {
        let dir = TempDir::new().unwrap();
        let records = (1..=100_000u128).map(|i| (i << shift, i as u32)).collect();
        seal(dir.path(), impartial_contents(records));
        let stat = Store::open(dir.path()).unwrap().stat().unwrap().namespaces;
        let bytes = stat[0].bytes_per_record();
        assert!(bytes < record_bytes, "{bytes} bytes a record");
    }
}

#[test]
fn namespaces_do_not_meet() {
    let dir = TempDir::new().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let mut writer = store.writer().unwrap();
    let namespaces = [
        Namespace::new("sowing", 1, "impartial"),
        Namespace::new("sowing", 2, "impartial"),
        Namespace::new("sowing", 1, "misere"),
        Namespace::new("atomic-wari/36", 1, "impartial"),
    ];
    for (i, namespace) in namespaces.iter().enumerate() {
        let mut contents = impartial_contents(vec![(5, i as u32)]);
        contents.namespace = namespace.clone();
        writer.seal(contents).unwrap();
    }
    for (i, namespace) in namespaces.iter().enumerate() {
        assert_eq!(value(&store, namespace, 5), Some(i as u32));
    }
    let stat = store.stat().unwrap();
    let listed: Vec<_> = stat
        .namespaces
        .iter()
        .map(|stat| stat.namespace.to_string())
        .collect();
    assert_eq!(
        listed,
        [
            "atomic-wari/36 v1 impartial",
            "sowing v1 impartial",
            "sowing v1 misere",
            "sowing v2 impartial"
        ]
    );
}

#[test]
fn forms_come_back_as_they_were() {
    let dir = TempDir::new().unwrap();
    let contents = partisan_contents();
    seal(dir.path(), contents.clone());
    let reader = Store::open(dir.path()).unwrap().reader(&partisan());
    let segment = &reader.segments()[0];
    assert_eq!(segment.forms_len(), 4);
    for i in 0..4 {
        let form = segment.form(i).unwrap();
        let (left, right): (Vec<u32>, Vec<u32>) = (form.left().collect(), form.right().collect());
        assert_eq!(contents.forms.form(i), Some((&left[..], &right[..])));
    }
    let error = segment.form(4).unwrap_err();
    assert!(error.to_string().contains("form 4 of 4"), "{error}");
    for (key, value) in contents.records {
        assert_eq!(reader.get(key).unwrap().map(|hit| hit.value), Some(value));
    }
}

/// Writes out the form of a reference in full, whatever the numbering of its table.
fn spell(reference: u32, form: &dyn Fn(u32) -> (Vec<u32>, Vec<u32>)) -> String {
    let (left, right) = form(form_index(reference));
    let side = |side: Vec<u32>| side.iter().map(|&r| spell(r, form)).collect::<String>();
    let sign = if form_negated(reference) { "-" } else { "" };
    format!("{sign}{{{}|{}}}", side(left), side(right))
}

#[test]
fn large_contents_are_split_and_each_segment_has_the_forms_it_needs() {
    let dir = TempDir::new().unwrap();
    let mut random = fastrand::Rng::with_seed(2);
    let mut forms = FormTable::new();
    forms.push(&[], &[]).unwrap();
    for i in 1..50 {
        let mut option = || form_ref(random.u32(..i) / 2, random.bool());
        let (a, b) = (option(), option());
        forms.push(&[a], &[b]).unwrap();
    }
    let records: Vec<(u128, u32)> = (0..1000u128)
        .map(|i| {
            let key = if i % 4 == 0 { i << 80 | 1 << 79 } else { i };
            (key, form_ref(random.u32(..50), i % 2 == 0))
        })
        .collect();
    let store = Store::open(dir.path()).unwrap();
    let mut writer = store.writer().unwrap().with_segment_records_max(120);
    let namespace = partisan();
    let contents = SegmentContents {
        namespace,
        records: records.clone(),
        forms: forms.clone(),
    };
    let sealed = writer.seal(contents).unwrap();
    assert_eq!(sealed.len(), 7 + 3);
    assert!(sealed.iter().all(|entry| entry.records() <= 120));
    assert!(
        sealed.iter().any(|entry| entry.forms < 50),
        "no part needs all forms"
    );
    assert!(
        store
            .verify()
            .iter()
            .all(|report| report.problems.is_empty())
    );
    let reader = store.reader(&partisan());
    for (key, value) in records {
        let hit = reader.get(key).unwrap().unwrap();
        let found = spell(hit.value, &|index| {
            let form = reader.segments()[hit.segment].form(index).unwrap();
            (form.left().collect(), form.right().collect())
        });
        let expected = spell(value, &|index| {
            let (left, right) = forms.form(index).unwrap();
            (left.to_vec(), right.to_vec())
        });
        assert_eq!(found, expected);
    }

    let dir = TempDir::new().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let mut writer = store.writer().unwrap().with_segment_records_max(10);
    let records: Vec<(u128, u32)> = (0..95).map(|i| (i << 40, i as u32)).collect();
    assert_eq!(
        writer
            .seal(impartial_contents(records.clone()))
            .unwrap()
            .len(),
        10
    );
    for (key, expected) in records {
        assert_eq!(value(&store, &impartial(), key), Some(expected));
    }
}

#[test]
fn two_values_for_one_key_are_an_error() {
    let dir = TempDir::new().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let mut writer = store.writer().unwrap();
    let error = writer
        .seal(impartial_contents(vec![(77, 1), (78, 1), (77, 2)]))
        .unwrap_err();
    assert!(
        matches!(
            error,
            StoreError::Conflict {
                key: 77,
                first: 1,
                second: 2,
                ..
            }
        ),
        "{error}"
    );
    assert!(
        error
            .to_string()
            .contains("sowing v1 impartial: key 0x4d has two values, 1 and 2")
    );
    assert!(!error.is_damage());
    assert!(store.stat().unwrap().namespaces.is_empty());

    // The same against stored values; equal values are not stored twice.
    writer
        .seal(impartial_contents(vec![(77, 1), (1 << 90, 4)]))
        .unwrap();
    assert!(
        writer
            .seal(impartial_contents(vec![(1 << 90, 4), (77, 1)]))
            .unwrap()
            .is_empty()
    );
    let sealed = writer
        .seal(impartial_contents(vec![(77, 1), (79, 3)]))
        .unwrap();
    assert_eq!(sealed[0].records(), 1);
    let error = writer
        .seal(impartial_contents(vec![(80, 1), (1 << 90, 5)]))
        .unwrap_err();
    assert!(
        matches!(
            error,
            StoreError::Conflict {
                first: 4,
                second: 5,
                ..
            }
        ),
        "{error}"
    );
    assert_eq!(value(&store, &impartial(), 80), None);
}

#[test]
fn a_newer_segment_wins_if_values_cannot_be_compared() {
    let dir = TempDir::new().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let mut writer = store.writer().unwrap();
    let mut contents = partisan_contents();
    writer.seal(contents.clone()).unwrap();
    assert!(store.reader(&partisan()).contains(1000).unwrap());
    contents.records = vec![(1000, form_ref(2, false))];
    writer.seal(contents).unwrap();
    let hit = store.reader(&partisan()).get(1000).unwrap().unwrap();
    assert_eq!((hit.segment, hit.value), (1, 4));
}

#[test]
fn contents_that_break_a_rule_are_refused() {
    let dir = TempDir::new().unwrap();
    let mut writer = Store::open(dir.path()).unwrap().writer().unwrap();
    let mut fails = |contents: SegmentContents, text: &str| {
        let error = writer.seal(contents).unwrap_err();
        assert!(matches!(error, StoreError::Contents { .. }), "{error}");
        assert!(error.to_string().contains(text), "{error}");
    };
    let mut contents = partisan_contents();
    contents.records.push((5, form_ref(4, true)));
    fails(contents, "the value of key 0x5 refers to form 4 of 4");
    let mut contents = partisan_contents();
    contents.namespace.ruleset = "x".repeat(129);
    fails(contents, "ruleset must have 1 to 128 bytes");
    let mut contents = partisan_contents();
    contents.namespace.play.clear();
    fails(contents, "way of playing must have 1 to 48 bytes");
    writer.seal(partisan_contents()).unwrap();
    let mut contents = impartial_contents(vec![(5, 1)]);
    contents.namespace = partisan();
    let error = writer.seal(contents).unwrap_err();
    assert!(
        error.to_string().contains("they come with no forms"),
        "{error}"
    );
}

/// Reads everything in a segment, and returns the first error.
fn read_all(dir: &Path, contents: &SegmentContents) -> Result<(), StoreError> {
    let store = Store::open(dir)?;
    if let Some(refused) = store.refused().first() {
        assert!(refused.error.is_damage(), "{}", refused.error);
        assert_eq!(
            store
                .reader(&contents.namespace)
                .get(contents.records[0].0)?,
            None
        );
        let fault = match &refused.error {
            StoreError::Segment { path, fault } => (path.clone(), fault.clone()),
            other => panic!("{other}"),
        };
        return Err(StoreError::Segment {
            path: fault.0,
            fault: fault.1,
        });
    }
    let reader = store.reader(&contents.namespace);
    for &(key, value) in &contents.records {
        assert_eq!(
            reader.get(key)?.map(|hit| hit.value),
            Some(value),
            "a wrong value"
        );
        assert_eq!(reader.get(key + 500)?, None, "a value from nowhere");
    }
    for i in 0..contents.forms.len() as u32 {
        let form = reader.segments()[0].form(i)?;
        let (left, right): (Vec<u32>, Vec<u32>) = (form.left().collect(), form.right().collect());
        assert_eq!(
            contents.forms.form(i),
            Some((&left[..], &right[..])),
            "a wrong form"
        );
    }
    Ok(())
}

#[test]
fn every_flipped_byte_of_a_segment_is_noticed() {
    let dir = TempDir::new().unwrap();
    let contents = partisan_contents();
    let path = seal(dir.path(), contents.clone());
    let bytes = fs::read(&path).unwrap();
    assert_eq!(bytes.len(), 4 * 4096);
    read_all(dir.path(), &contents).unwrap();
    let store = Store::open(dir.path()).unwrap();
    for i in 0..bytes.len() {
        let mut flipped = bytes.clone();
        flipped[i] ^= 1 << (i % 8);
        // A new file each time, because no mapped segment ever changes.
        fs::remove_file(&path).unwrap();
        fs::write(&path, &flipped).unwrap();
        let error = read_all(dir.path(), &contents).unwrap_err();
        assert!(error.is_damage(), "byte {i}: {error}");
        let reports = store.verify();
        assert!(
            reports[0].problems.iter().any(StoreError::is_damage),
            "byte {i}"
        );
    }
}

#[test]
fn every_truncation_of_a_segment_is_an_error() {
    let dir = TempDir::new().unwrap();
    let contents = partisan_contents();
    let path = seal(dir.path(), contents.clone());
    let bytes = fs::read(&path).unwrap();
    for length in 0..bytes.len() {
        fs::remove_file(&path).unwrap();
        fs::write(&path, &bytes[..length]).unwrap();
        match read_all(dir.path(), &contents).unwrap_err() {
            StoreError::Segment {
                fault: SegmentFault::Truncated { expected, found },
                ..
            } => {
                assert_eq!(found, length as u64);
                assert_eq!(
                    expected,
                    if length < 4096 {
                        4096
                    } else {
                        bytes.len() as u64
                    }
                );
            }
            other => panic!("{length} bytes: {other}"),
        }
    }
    fs::remove_file(&path).unwrap();
    fs::write(&path, [&bytes[..], &[0]].concat()).unwrap();
    let error = read_all(dir.path(), &contents).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("overlong: 16384 bytes expected, 16385 found"),
        "{error}"
    );
}

#[test]
fn verify_reports_every_damaged_section_and_the_other_segments_stay_usable() {
    let dir = TempDir::new().unwrap();
    let bad = seal(dir.path(), impartial_contents(vec![(1, 10), (1 << 64, 11)]));
    seal(dir.path(), impartial_contents(vec![(2, 20)]));
    let gone = seal(dir.path(), impartial_contents(vec![(3, 30)]));
    let mut bytes = fs::read(&bad).unwrap();
    bytes[4096] ^= 1;
    bytes[8192] ^= 1;
    fs::remove_file(&bad).unwrap();
    fs::write(&bad, bytes).unwrap();
    fs::remove_file(&gone).unwrap();

    let store = Store::open(dir.path()).unwrap();
    let reports = store.verify();
    let problems: Vec<usize> = reports.iter().map(|report| report.problems.len()).collect();
    assert_eq!(problems, [2, 0, 1]);
    assert!(
        reports[0].problems[0]
            .to_string()
            .contains("narrow records fail their checksum")
    );
    assert!(
        reports[0].problems[1]
            .to_string()
            .contains("wide records fail their checksum")
    );
    assert!(
        reports[2].problems[0]
            .to_string()
            .contains("there is no such file")
    );

    let reader = store.reader(&impartial());
    assert!(reader.get(1).unwrap_err().is_damage());
    let mut hits = Vec::new();
    assert!(reader.get_many(&[2, 1], &mut hits).unwrap_err().is_damage());
    let (sound, damaged) = reader.without_damaged();
    assert_eq!(damaged.len(), 1);
    assert_eq!(sound.get(1).unwrap(), None);
    assert_eq!(sound.get(2).unwrap().map(|hit| hit.value), Some(20));

    // Lost values are computed again; a damaged segment leaves the store.
    let mut writer = store.writer().unwrap();
    assert_eq!(
        writer
            .seal(impartial_contents(vec![(1, 10), (2, 20), (3, 30)]))
            .unwrap()
            .len(),
        1
    );
    let refused: Vec<String> = store
        .verify()
        .into_iter()
        .filter(|report| !report.problems.is_empty())
        .map(|report| report.file)
        .collect();
    let refused: Vec<&str> = refused.iter().map(String::as_str).collect();
    writer.retire(&refused).unwrap();
    assert!(!bad.exists() && store.refused().is_empty());
    for (key, expected) in [(1, 10), (2, 20), (3, 30)] {
        assert_eq!(value(&store, &impartial(), key), Some(expected));
    }
    assert!(
        store
            .verify()
            .iter()
            .all(|report| report.problems.is_empty())
    );
}

#[test]
fn foreign_newer_and_exchanged_files_are_refused_by_name() {
    let dir = TempDir::new().unwrap();
    let path = seal(dir.path(), impartial_contents(vec![(1, 10)]));
    let other = seal(dir.path(), impartial_contents(vec![(2, 20)]));
    let bytes = fs::read(&path).unwrap();
    let refusal = |bytes: &[u8]| {
        fs::remove_file(&path).unwrap();
        fs::write(&path, bytes).unwrap();
        let store = Store::open(dir.path()).unwrap();
        assert_eq!(
            value(&store, &impartial(), 2),
            Some(20),
            "the rest stays usable"
        );
        let refused = store.refused();
        assert_eq!(refused.len(), 1);
        let text = refused[0].error.to_string();
        assert!(text.contains(path.to_str().unwrap()), "{text}");
        let stat = store.stat().unwrap();
        let files: Vec<&str> = stat
            .refused
            .iter()
            .map(|refused| &*refused.entry.file)
            .collect();
        assert_eq!(files, [path.file_name().unwrap().to_str().unwrap()]);
        (text, refused[0].error.is_damage())
    };
    for length in [50, 10_000] {
        let parquet = [b"PAR1".to_vec(), vec![0x15; length]].concat();
        let (text, damage) = refusal(&parquet);
        assert!(
            text.contains("no seedbank segment: it begins with bytes 50415231"),
            "{text}"
        );
        assert!(damage);
    }
    let mut newer = bytes.clone();
    newer[8] = 3;
    let checksum = blake3::hash(&newer[..4064]);
    newer[4064..4096].copy_from_slice(checksum.as_bytes());
    let (text, damage) = refusal(&newer);
    assert!(
        text.contains("segment format 3, while this program reads formats up to 2"),
        "{text}"
    );
    assert!(!damage, "a newer file is sound");
    let (text, damage) = refusal(&fs::read(&other).unwrap());
    assert!(
        text.contains("the manifest lists another segment under this name"),
        "{text}"
    );
    assert!(damage);
}

#[test]
fn a_damaged_manifest_is_an_error_that_names_it_and_the_segments_can_be_adopted_again() {
    let dir = TempDir::new().unwrap();
    seal(dir.path(), impartial_contents(vec![(1, 10)]));
    seal(dir.path(), partisan_contents());
    let path = dir.path().join("manifest.json");
    let bytes = fs::read(&path).unwrap();
    for i in (0..bytes.len()).step_by(7) {
        let mut flipped = bytes.clone();
        flipped[i] ^= 2;
        fs::write(&path, &flipped).unwrap();
        let error = Store::open(dir.path()).unwrap_err();
        assert!(error.is_damage(), "byte {i}: {error}");
        let text = error.to_string();
        assert!(
            text.contains("manifest.json") && text.contains("move it away"),
            "{text}"
        );
    }
    let body = "\"version\": 2}";
    let line = format!("{{\"checksum\": \"{}\",\n", Digest::of(body.as_bytes()));
    fs::write(&path, line + body).unwrap();
    let error = Store::open(dir.path()).unwrap_err();
    let newer = ManifestFault::Newer { found: 2, known: 1 };
    assert!(
        matches!(&error, StoreError::Manifest { fault, .. } if *fault == newer),
        "{error}"
    );
    assert!(!error.is_damage());

    fs::rename(&path, dir.path().join("manifest.json.damaged")).unwrap();
    let store = Store::open(dir.path()).unwrap();
    assert_eq!(value(&store, &impartial(), 1), None);
    fs::write(
        dir.path().join("segments/000009-0badf00d.seg"),
        "no segment",
    )
    .unwrap();
    let mut writer = store.writer().unwrap();
    let (adopted, problems) = writer.adopt_orphans().unwrap();
    assert_eq!((adopted.len(), problems.len()), (2, 1));
    assert_eq!(value(&store, &impartial(), 1), Some(10));
    read_all_partisan(&store);
    assert_eq!(store.stat().unwrap().orphans.len(), 1);
    // Numbers continue after all that are in use.
    let sealed = writer.seal(impartial_contents(vec![(2, 20)])).unwrap();
    assert!(sealed[0].file.starts_with("000010-"), "{}", sealed[0].file);
}

fn read_all_partisan(store: &Store) {
    for (key, expected) in partisan_contents().records {
        assert_eq!(value(store, &partisan(), key), Some(expected));
    }
}

#[test]
fn leftovers_and_orphans_of_a_killed_writer_do_no_harm() {
    let dir = TempDir::new().unwrap();
    let path = seal(dir.path(), impartial_contents(vec![(1, 10)]));
    // Killed while writing a segment, while writing a manifest, and between naming a segment and
    // listing it.
    fs::write(dir.path().join("tmp/000002.seg.1-0.tmp"), "half a segment").unwrap();
    fs::write(
        dir.path().join("tmp/manifest.json.1-1.tmp"),
        "half a manifest",
    )
    .unwrap();
    let orphan = dir.path().join("segments/000002-0badf00d.seg");
    fs::copy(&path, &orphan).unwrap();
    let store = Store::open(dir.path()).unwrap();
    assert_eq!(value(&store, &impartial(), 1), Some(10));
    assert_eq!(store.reader(&impartial()).segments().len(), 1);
    assert_eq!(store.stat().unwrap().orphans, std::slice::from_ref(&orphan));

    let mut writer = store.writer().unwrap();
    assert_eq!(fs::read_dir(dir.path().join("tmp")).unwrap().count(), 0);
    let sealed = writer.seal(impartial_contents(vec![(2, 20)])).unwrap();
    assert!(sealed[0].file.starts_with("000003-"), "{}", sealed[0].file);
    assert!(orphan.exists());
    assert_eq!(fs::read_dir(dir.path().join("tmp")).unwrap().count(), 0);
}

#[test]
fn readers_keep_their_snapshot_and_stores_see_commits() {
    let dir = TempDir::new().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let elsewhere = Store::open(dir.path()).unwrap();
    let mut writer = store.writer().unwrap();
    let first = writer.seal(impartial_contents(vec![(1, 10)])).unwrap();
    let old = store.reader(&impartial());
    writer.seal(impartial_contents(vec![(2, 20)])).unwrap();
    assert_eq!(old.get(2).unwrap(), None);
    assert_eq!(value(&store, &impartial(), 2), Some(20));
    assert_eq!(value(&elsewhere, &impartial(), 2), None);
    elsewhere.refresh().unwrap();
    assert_eq!(value(&elsewhere, &impartial(), 2), Some(20));
    // New readers do not see a retired segment; old ones can still read it.
    writer.retire(&[&first[0].file]).unwrap();
    assert_eq!(value(&store, &impartial(), 1), None);
    assert_eq!(old.get(1).unwrap().map(|hit| hit.value), Some(10));
    fn shared_by_threads<T: Send + Sync + Clone>(_: &T) {}
    shared_by_threads(&old);
    shared_by_threads(&store);
}

#[test]
fn a_second_writer_in_this_process_is_refused() {
    let dir = TempDir::new().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let writer = store.writer().unwrap();
    let error = Store::open(dir.path()).unwrap().writer().unwrap_err();
    let text = error.to_string();
    let this = Holder::ThisProcess(std::process::id());
    assert!(matches!(&error, StoreError::Locked { holder, .. } if *holder == this));
    assert!(
        text.contains(dir.path().to_str().unwrap()) && text.contains("wait"),
        "{text}"
    );
    assert!(!error.is_damage());
    drop(writer);
    store.writer().unwrap();
}

/// The environment variable that gives [`helper_process`] its action and directory.
const HELPER: &str = "SEEDBANK_TEST_HELPER";

/// Acts as another process for the tests below; without the variable it does nothing.
#[test]
fn helper_process() {
    let Ok(order) = std::env::var(HELPER) else {
        return;
    };
    let (order, dir) = order.split_once(' ').unwrap();
    let mut writer = Store::open(Path::new(dir)).unwrap().writer().unwrap();
    let say = |text: &dyn std::fmt::Display| {
        println!("\n{text}");
        std::io::stdout().flush().unwrap();
    };
    match order {
        "lock" => {
            say(&"locked");
            std::io::stdin().lines().for_each(drop);
        }
        "seal" => {
            for batch in 0u32.. {
                writer
                    .seal(impartial_contents(batch_records(batch)))
                    .unwrap();
                say(&format!("sealed {batch}"));
            }
        }
        "fill" => {
            writer.seal(impartial_contents(vec![(1, 1)])).unwrap();
            let records = (0..100_000).map(|key| (key, 1)).collect();
            let error = writer.seal(impartial_contents(records)).unwrap_err();
            say(&format!("error {error}"));
            writer.seal(impartial_contents(vec![(2, 2)])).unwrap();
        }
        _ => panic!("the helper does not know {order:?}"),
    }
}

fn batch_records(batch: u32) -> Vec<(u128, u32)> {
    (0..50)
        .map(|i| (u128::from(batch * 50 + i) << (i % 2 * 64), batch))
        .collect()
}

/// Starts this program as another process that runs [`helper_process`].
fn start_helper(mut command: Command, order: &str, dir: &Path) -> Child {
    command
        .args(["--exact", "--nocapture", "store::helper_process"])
        .env(HELPER, format!("{order} {}", dir.display()))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Returns the lines that a helper prints, as they come.
fn said(helper: &mut Child) -> impl Iterator<Item = String> + use<> {
    BufReader::new(helper.stdout.take().unwrap())
        .lines()
        .map_while(Result::ok)
}

#[test]
fn a_writer_in_another_process_is_refused_until_it_is_dead() {
    let dir = TempDir::new().unwrap();
    let command = Command::new(std::env::current_exe().unwrap());
    let mut other = start_helper(command, "lock", dir.path());
    let mut lines = said(&mut other);
    assert!(lines.any(|line| line == "locked"));
    let store = Store::open(dir.path()).unwrap();
    let error = store.writer().unwrap_err();
    assert!(
        error
            .to_string()
            .contains(&format!("process {}", other.id())),
        "{error}"
    );
    // A killed process cannot release its lock, so the lock must end with it.
    other.kill().unwrap();
    other.wait().unwrap();
    store
        .writer()
        .unwrap()
        .seal(impartial_contents(vec![(1, 1)]))
        .unwrap();
}

#[test]
fn values_sealed_by_a_killed_writer_are_present() {
    let dir = TempDir::new().unwrap();
    let mut sealed_before = 0;
    for round in 0..6u64 {
        let fresh = dir.path().join(round.to_string());
        let command = Command::new(std::env::current_exe().unwrap());
        let mut other = start_helper(command, "seal", &fresh);
        let mut lines = said(&mut other).filter(|line| line.starts_with("sealed "));
        let sealed = lines.by_ref().take(3 + round as usize).count() as u32;
        // Kill at various moments of the next seals.
        std::thread::sleep(std::time::Duration::from_micros(700 * round));
        other.kill().unwrap();
        other.wait().unwrap();
        let store = Store::open(&fresh).unwrap();
        assert!(
            store
                .verify()
                .iter()
                .all(|report| report.problems.is_empty())
        );
        for (key, expected) in (0..sealed).flat_map(batch_records) {
            assert_eq!(value(&store, &impartial(), key), Some(expected));
        }
        let listed = store.reader(&impartial()).segments().len() as u32;
        assert!(
            listed >= sealed,
            "{listed} segments listed after {sealed} seals"
        );
        store
            .writer()
            .unwrap()
            .seal(impartial_contents(vec![(u128::MAX, 1)]))
            .unwrap();
        assert_eq!(fs::read_dir(fresh.join("tmp")).unwrap().count(), 0);
        sealed_before += sealed;
    }
    assert_eq!(sealed_before, (0..6).map(|round| 3 + round).sum::<u32>());
}

/// A limit on file sizes stands for a full disk: both make a write fail part of the way.
#[cfg(unix)]
#[test]
fn a_full_disk_is_an_error_and_loses_nothing() {
    let dir = TempDir::new().unwrap();
    let mut shell = Command::new("sh");
    // The limit counts blocks of 512 or 1024 bytes; without the trap a signal would end the
    // process.
    shell.args(["-c", "trap '' XFSZ; ulimit -f 100; exec \"$0\" \"$@\""]);
    shell.arg(std::env::current_exe().unwrap());
    let mut other = start_helper(shell, "fill", dir.path());
    // The pipe stays open until the helper has ended.
    let mut lines = said(&mut other);
    let error = lines.find(|line| line.starts_with("error ")).unwrap();
    assert!(
        error.starts_with("error cannot write ") && error.contains("tmp/000002.seg"),
        "{error}"
    );
    assert!(other.wait().unwrap().success());
    let store = Store::open(dir.path()).unwrap();
    assert_eq!(value(&store, &impartial(), 1), Some(1));
    assert_eq!(value(&store, &impartial(), 2), Some(2));
    assert_eq!(value(&store, &impartial(), 3), None);
    assert!(store.stat().unwrap().orphans.is_empty());
    assert_eq!(fs::read_dir(dir.path().join("tmp")).unwrap().count(), 0);
}

#[test]
fn unwritable_places_are_errors_with_path_and_operation() {
    let dir = TempDir::new().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "").unwrap();
    let below = file.join("store");
    let error = Store::open(&below).unwrap_err();
    assert!(
        matches!(error, StoreError::Io { .. }) && !error.is_damage(),
        "{error}"
    );
    assert!(
        error.to_string().starts_with("cannot open the folder "),
        "{error}"
    );
    // The directory did not exist when the store was opened, and a file has its name now.
    let path = dir.path().join("store");
    let store = Store::open(&path).unwrap();
    fs::write(&path, "").unwrap();
    let text = store.writer().unwrap_err().to_string();
    assert!(text.starts_with("cannot create the directory "), "{text}");
    assert!(text.contains(path.to_str().unwrap()), "{text}");
}

#[test]
fn the_bytes_of_a_segment_do_not_change() {
    // If this fails, the format has changed and old stores are unreadable: a new format version is
    // needed.
    let dir = TempDir::new().unwrap();
    let path = seal(dir.path(), partisan_contents());
    assert!(fs::read(path).unwrap() == golden(2));
}

#[test]
fn format_1_is_read_and_compaction_converts_it() {
    let dir = TempDir::new().unwrap();
    let segments = dir.path().join("segments");
    fs::create_dir(&segments).unwrap();
    fs::write(segments.join("000001-00000000.seg"), golden(1)).unwrap();
    let store = Store::open(dir.path()).unwrap();
    let mut writer = store.writer().unwrap();
    assert_eq!(writer.adopt_orphans().unwrap().0.len(), 1);
    let reader = store.reader(&partisan());
    let expected = partisan_contents();
    for (key, value) in &expected.records {
        assert_eq!(reader.get(*key).unwrap().map(|hit| hit.value), Some(*value));
        assert_eq!(reader.get(key ^ 1 << 40).unwrap(), None);
    }
    let reports = store.verify();
    assert!(reports.iter().all(|report| report.problems.is_empty()));
    let before = contents(&reader);
    assert_eq!(before.len(), expected.records.len());
    writer.compact(&partisan()).unwrap();
    let reader = store.reader(&partisan());
    assert_eq!(contents(&reader), before);
    let written = fs::read(reader.segments()[0].path()).unwrap();
    assert_eq!(written[8], 2);
}

/// The segment of [`partisan_contents`] in a format.
fn golden(format: u32) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    fs::read(folder.join(format!("format-{format}.seg"))).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn a_store_is_a_map(
        batches in vec(vec((key(), 0u32..4), 0..20), 1..6),
    ) {
        let dir = TempDir::new().unwrap();
        let store = Store::open(dir.path()).unwrap();
        let mut writer = store.writer().unwrap();
        let mut model = HashMap::new();
        for batch in batches {
            let mut merged = model.clone();
            let agrees =
                batch.iter().all(|&(key, value)| *merged.entry(key).or_insert(value) == value);
            let sealed = writer.seal(impartial_contents(batch));
            prop_assert_eq!(sealed.is_ok(), agrees);
            if agrees {
                model = merged;
            }
            for key in (0..60).flat_map(|i| [i, i << 66]) {
                prop_assert_eq!(value(&store, &impartial(), key), model.get(&key).copied());
            }
        }
    }
}

/// Some narrow and some wide keys, few enough that segments share keys.
fn key() -> impl Strategy<Value = u128> {
    (0u128..60).prop_map(|i| if i % 3 == 0 { i << 66 } else { i })
}
