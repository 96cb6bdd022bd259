//! Maintenance of a store: compaction and import change no value that a lookup can find, or report
//! an error and change nothing.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use crate::common::contents::contents;
use seedbank::store::{FormTable, Namespace, SegmentContents, Store, StoreError, form_ref};
use tempfile::TempDir;

fn partisan() -> Namespace {
    Namespace::new("sowing", 1, "partisan")
}

fn impartial() -> Namespace {
    Namespace::new("sowing", 1, "impartial")
}

/// The forms 0, 1, +-1, *, {1|*}, ^ = {0|*}, and some that no value needs, numbered in one of two
/// ways. With `turned`, the table holds `^` as its negative.
fn forms(turned: bool) -> (FormTable, [u32; 6]) {
    let mut table = FormTable::new();
    let mut push = |left: &[u32], right: &[u32]| form_ref(table.push(left, right).unwrap(), false);
    let zero = push(&[], &[]);
    let star;
    let one;
    let up;
    if turned {
        star = push(&[zero], &[zero]);
        let unused = push(&[star], &[zero]);
        push(&[unused], &[]);
        one = push(&[], &[zero]) ^ 1;
        up = push(&[star], &[zero]) ^ 1;
    } else {
        one = push(&[zero], &[]);
        star = push(&[zero ^ 1], &[zero]);
        up = push(&[zero], &[star ^ 1]);
    }
    let switch = push(&[one], &[one ^ 1]);
    let hot = push(&[one], &[star]);
    (table, [zero, one, switch, star, hot, up])
}

/// An unlisted file is removed if the store has all its records. It stays if the store lacks one,
/// or if the file is not whole.
#[test]
fn leftover_files_are_removed_unless_they_hold_new_values() {
    let dir = TempDir::new().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let mut writer = store.writer().unwrap();
    let seal = |writer: &mut seedbank::store::Writer, records: Vec<(u128, u32)>| {
        let (namespace, forms) = (impartial(), FormTable::new());
        let sealed = writer.seal(SegmentContents {
            namespace,
            records,
            forms,
        });
        dir.path().join("segments").join(&sealed.unwrap()[0].file)
    };
    let first = seal(&mut writer, vec![(1, 10), (1 << 90, 11)]);
    let copy = |name: &str, change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = fs::read(&first).unwrap();
        change(&mut bytes);
        let path = dir.path().join("segments").join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    let same = copy("000007-0badf00d.seg", &|_| {});
    let broken = copy("000008-0badf00d.seg", &|bytes| {
        *bytes.last_mut().unwrap() ^= 1
    });
    let short = copy("000009-0badf00d.seg", &|bytes| bytes.truncate(5000));
    assert_eq!(writer.remove_left_over().unwrap(), [same]);
    assert!(first.exists() && broken.exists() && short.exists());
    fs::remove_file(broken).unwrap();
    fs::remove_file(short).unwrap();

    // Two files listed elsewhere. In one every key is known here, but one has another value; the
    // other has a new key.
    let elsewhere = TempDir::new().unwrap();
    for (number, records) in [(4, vec![(1, 12)]), (5, vec![(1, 10), (3, 10)])] {
        let other = Store::open(&elsewhere.path().join(number.to_string())).unwrap();
        let (namespace, forms) = (impartial(), FormTable::new());
        let contents = SegmentContents {
            namespace,
            records,
            forms,
        };
        let file = other
            .writer()
            .unwrap()
            .seal(contents)
            .unwrap()
            .remove(0)
            .file;
        let name = format!("{number:06}-{}", file.split_once('-').unwrap().1);
        let from = other.dir().join("segments").join(&file);
        fs::copy(from, dir.path().join("segments").join(name)).unwrap();
    }
    assert_eq!(
        writer.remove_left_over().unwrap(),
        [""; 0].map(std::path::PathBuf::from)
    );
    assert_eq!(store.stat().unwrap().orphans.len(), 2);
    // Once the key is known, the second file is only a leftover.
    seal(&mut writer, vec![(3, 10)]);
    assert_eq!(writer.remove_left_over().unwrap().len(), 1);
    assert_eq!(store.stat().unwrap().orphans.len(), 1);
    assert_eq!(
        store
            .reader(&impartial())
            .get(1)
            .unwrap()
            .map(|hit| hit.value),
        Some(10)
    );
}

fn key(i: u64) -> u128 {
    u128::from(i) << if i.is_multiple_of(3) { 66 } else { 0 }
}

/// Seals segments of random records with keys 0 to 199. A key always has the value that `value`
/// returns.
fn sealed(dir: &Path, namespace: &Namespace, segments: u64, seed: u64) -> Store {
    let store = Store::open(dir).unwrap();
    let mut writer = store.writer().unwrap();
    let mut random = fastrand::Rng::with_seed(seed);
    for segment in 0..segments {
        let is_partisan = namespace.play == "partisan";
        let (table, values) = match is_partisan {
            true => forms((segment + seed) % 2 == 1),
            false => (FormTable::new(), [0; 6]),
        };
        let value = |i: u64| match is_partisan {
            true => values[(i % 6) as usize] ^ u32::from(i % 4 == 1),
            false => (i % 7) as u32,
        };
        let records = (0..40)
            .map(|_| random.u64(..200))
            .map(|i| (key(i), value(i)));
        writer
            .seal(SegmentContents {
                namespace: namespace.clone(),
                records: records.collect(),
                forms: table,
            })
            .unwrap();
    }
    drop(writer);
    store
}

fn segment_files(dir: &Path) -> usize {
    fs::read_dir(dir.join("segments")).unwrap().count()
}

fn assert_whole(store: &Store) {
    for report in store.verify() {
        assert!(report.problems.is_empty(), "{report:?}");
    }
    assert!(store.stat().unwrap().orphans.is_empty());
}

#[test]
fn compaction_leaves_one_segment_with_the_same_values() {
    for namespace in [partisan(), impartial()] {
        let dir = TempDir::new().unwrap();
        let store = sealed(dir.path(), &namespace, 9, 1);
        // Compaction leaves another namespace's segments alone.
        let other = Namespace::new("atomic-wari", 1, namespace.play.as_str());
        sealed(dir.path(), &other, 2, 2);
        store.refresh().unwrap();
        let before = contents(&store.reader(&namespace));
        let other_before = contents(&store.reader(&other));
        let compaction = store.writer().unwrap().compact(&namespace).unwrap();
        assert_eq!((compaction.segments_before, compaction.segments), (9, 1));
        assert_eq!(compaction.records, before.len() as u64);
        assert_eq!(compaction.differing, 0);
        assert!(compaction.bytes < compaction.bytes_before);
        assert_eq!(contents(&store.reader(&namespace)), before);
        assert_eq!(contents(&store.reader(&other)), other_before);
        assert_eq!(segment_files(dir.path()), 1 + 2);
        assert_whole(&store);
        let reopened = Store::open(dir.path()).unwrap();
        assert_eq!(contents(&reopened.reader(&namespace)), before);
        // A second compaction has nothing to do, and the file stays the same.
        let file = reopened.reader(&namespace).segments()[0].entry().clone();
        let again = reopened.writer().unwrap().compact(&namespace).unwrap();
        assert_eq!((again.segments_before, again.segments), (1, 1));
        assert_eq!(*reopened.reader(&namespace).segments()[0].entry(), file);
    }
}

#[test]
fn unneeded_forms_are_dropped_and_others_are_stored_once() {
    let dir = TempDir::new().unwrap();
    let store = sealed(dir.path(), &partisan(), 8, 3);
    let compaction = store.writer().unwrap().compact(&partisan()).unwrap();
    // 0, 1, +-1, *, {1|*}, ^: neither the tables' numbering nor their signs turn two forms into
    // one.
    assert_eq!(compaction.forms, 6);
    assert!(compaction.forms_before >= 8 * 6);
}

#[test]
fn a_lone_segment_loses_unneeded_forms_too() {
    let dir = TempDir::new().unwrap();
    let (table, [zero, ..]) = forms(true);
    let store = Store::open(dir.path()).unwrap();
    let mut writer = store.writer().unwrap();
    let contents = SegmentContents {
        namespace: partisan(),
        records: vec![(5, zero)],
        forms: table,
    };
    writer.seal(contents).unwrap();
    let compaction = writer.compact(&partisan()).unwrap();
    assert_eq!((compaction.forms_before, compaction.forms), (8, 1));
    assert_eq!(writer.compact(&partisan()).unwrap().forms_before, 1);
}

#[test]
fn compaction_keeps_to_the_limit_of_segments() {
    for namespace in [partisan(), impartial()] {
        for records_max in [1, 7, 20, 64, 1000] {
            let dir = TempDir::new().unwrap();
            let store = sealed(dir.path(), &namespace, 6, 4);
            let before = contents(&store.reader(&namespace));
            let wide = before.keys().filter(|&&key| key >> 64 != 0).count();
            let narrow = before.len() - wide;
            let writer = store.writer().unwrap();
            let mut writer = writer.with_segment_records_max(records_max);
            let compaction = writer.compact(&namespace).unwrap();
            let expected = match before.len() <= records_max {
                true => 1,
                false => narrow.div_ceil(records_max) + wide.div_ceil(records_max),
            };
            assert_eq!(compaction.segments, expected as u64, "{records_max}");
            let reader = store.reader(&namespace);
            assert_eq!(contents(&reader), before);
            for segment in reader.segments() {
                assert!(segment.records_len() <= records_max as u64);
            }
            assert_whole(&store);
        }
    }
}

#[test]
fn the_newest_value_still_wins_and_is_counted() {
    let dir = TempDir::new().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let mut writer = store.writer().unwrap();
    // The first key has different values; the second has one value in two spellings.
    for (turned, [a, b]) in [(false, [1, 5]), (true, [4, 5])] {
        let (forms, values) = forms(turned);
        let records = vec![(7, values[a]), (8, values[b])];
        let namespace = partisan();
        writer
            .seal(SegmentContents {
                namespace,
                records,
                forms,
            })
            .unwrap();
    }
    let before = contents(&store.reader(&partisan()));
    let compaction = writer.compact(&partisan()).unwrap();
    assert_eq!(
        (compaction.differing, compaction.first_differing),
        (1, Some(7))
    );
    assert_eq!(contents(&store.reader(&partisan())), before);
}

#[test]
fn readers_keep_the_segments_that_compaction_deleted() {
    let dir = TempDir::new().unwrap();
    let store = sealed(dir.path(), &impartial(), 5, 5);
    let elsewhere = Store::open(dir.path()).unwrap();
    let old = store.reader(&impartial());
    let before = contents(&old);
    store.writer().unwrap().compact(&impartial()).unwrap();
    assert_eq!(segment_files(dir.path()), 1);
    assert_eq!(contents(&old), before);
    assert_eq!(contents(&elsewhere.reader(&impartial())), before);
    elsewhere.refresh().unwrap();
    assert_eq!(elsewhere.reader(&impartial()).segments().len(), 1);
    assert_eq!(contents(&elsewhere.reader(&impartial())), before);
}

#[test]
fn compaction_of_a_damaged_namespace_is_refused_and_changes_nothing() {
    for at in [30, 5000] {
        let dir = TempDir::new().unwrap();
        let store = sealed(dir.path(), &impartial(), 4, 6);
        let files = || {
            let entries = fs::read_dir(dir.path().join("segments")).unwrap();
            let mut all: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
            all.sort();
            all
        };
        let path = &files()[2];
        let mut bytes = fs::read(path).unwrap();
        bytes[at] ^= 1;
        fs::remove_file(path).unwrap();
        fs::write(path, &bytes).unwrap();
        let (before, manifest) = (files(), fs::read(dir.path().join("manifest.json")).unwrap());
        let store = Store::open(store.dir()).unwrap();
        let error = store.writer().unwrap().compact(&impartial()).unwrap_err();
        assert!(error.is_damage(), "{error}");
        assert!(
            error.to_string().contains(path.to_str().unwrap()),
            "{error}"
        );
        assert_eq!(files(), before);
        assert_eq!(
            fs::read(dir.path().join("manifest.json")).unwrap(),
            manifest
        );
    }
}

#[test]
fn an_import_has_the_values_of_both_stores() {
    for namespace in [partisan(), impartial()] {
        let (dir, other_dir) = (TempDir::new().unwrap(), TempDir::new().unwrap());
        let store = sealed(dir.path(), &namespace, 4, 7);
        let other = sealed(other_dir.path(), &namespace, 3, 8);
        let ours = contents(&store.reader(&namespace));
        let theirs = contents(&other.reader(&namespace));
        let present = theirs.keys().filter(|key| ours.contains_key(key)).count();
        assert!(present > 0 && present < theirs.len());
        let files = segment_files(dir.path());
        let stopped =
            (store.writer().unwrap()).take_over(&other, std::slice::from_ref(&namespace), &|| true);
        assert!(matches!(stopped, Err(StoreError::Stopped)), "{stopped:?}");
        assert_eq!(segment_files(dir.path()), files);
        let imported = store
            .writer()
            .unwrap()
            .take_over(&other, std::slice::from_ref(&namespace), &|| false)
            .unwrap();
        assert_eq!(imported[0].present, present as u64);
        assert_eq!(imported[0].added, (theirs.len() - present) as u64);
        let mut both = ours;
        both.extend(theirs.clone());
        assert_eq!(contents(&store.reader(&namespace)), both);
        assert_eq!(contents(&other.reader(&namespace)), theirs);
        assert_whole(&store);
        // A second import finds nothing new and writes nothing.
        let files = segment_files(dir.path());
        let again = store
            .writer()
            .unwrap()
            .take_over(&other, std::slice::from_ref(&namespace), &|| false)
            .unwrap();
        assert_eq!((again[0].added, again[0].present), (0, theirs.len() as u64));
        assert_eq!(segment_files(dir.path()), files);
    }
}

#[test]
fn a_conflict_stops_an_import_before_it_changes_anything() {
    for namespace in [partisan(), impartial()] {
        let (dir, other_dir) = (TempDir::new().unwrap(), TempDir::new().unwrap());
        let store = sealed(dir.path(), &namespace, 4, 9);
        // The namespace that comes first is sound.
        let first = Namespace::new("atomic-wari", 1, namespace.play.as_str());
        let other = sealed(other_dir.path(), &first, 2, 10);
        let known = *contents(&store.reader(&namespace)).keys().next().unwrap();
        let (table, values) = forms(true);
        let wrong = SegmentContents {
            namespace: namespace.clone(),
            records: vec![(
                known,
                if namespace == partisan() {
                    values[4]
                } else {
                    99
                },
            )],
            forms: if namespace == partisan() {
                table
            } else {
                FormTable::new()
            },
        };
        other.writer().unwrap().seal(wrong).unwrap();
        let before: HashMap<_, _> = [&first, &namespace]
            .map(|space| (space.clone(), contents(&store.reader(space))))
            .into();
        let files = segment_files(dir.path());
        let error = store
            .writer()
            .unwrap()
            .take_over(&other, &other.namespaces(), &|| false)
            .unwrap_err();
        match error {
            StoreError::Conflict { key, .. } => assert_eq!(key, known),
            other => panic!("{other}"),
        }
        for (space, expected) in before {
            assert_eq!(contents(&store.reader(&space)), expected);
        }
        assert_eq!(segment_files(dir.path()), files);
        assert_whole(&store);
    }
}

#[test]
fn a_damaged_store_is_not_imported() {
    let (dir, other_dir) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let store = sealed(dir.path(), &impartial(), 1, 11);
    sealed(other_dir.path(), &impartial(), 1, 12);
    let entries = fs::read_dir(other_dir.path().join("segments")).unwrap();
    let path = entries.map(|entry| entry.unwrap().path()).next().unwrap();
    let mut bytes = fs::read(&path).unwrap();
    bytes[5000] ^= 1;
    fs::remove_file(&path).unwrap();
    fs::write(&path, &bytes).unwrap();
    let other = Store::open(other_dir.path()).unwrap();
    let before = contents(&store.reader(&impartial()));
    let error = store
        .writer()
        .unwrap()
        .take_over(&other, &[impartial()], &|| false)
        .unwrap_err();
    assert!(
        error.is_damage() && error.to_string().contains(path.to_str().unwrap()),
        "{error}"
    );
    assert_eq!(contents(&store.reader(&impartial())), before);
}

/// Two hundred checkpoints of 1 to 2,000 records each: at any time there are few segments, each
/// record is written a few times, and all values are present at the end.
#[test]
fn many_checkpoints_leave_few_segments_and_the_same_values() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let namespace = Namespace::new("sowing", 1, "partisan");
    let mut writer = store.writer().unwrap();
    let mut forms = FormTable::new();
    for (left, right) in [(&[][..], &[][..]), (&[0], &[]), (&[2], &[3])] {
        forms.push(left, right).unwrap();
    }
    let value = |key: u128| (key % 3 * 2) as u32;
    let (mut keys, mut step) = (0, 1_u64);
    for _ in 0..200 {
        step = step * 1103 % 1999;
        let records = (keys..keys + u128::from(step)).map(|key| (key << 60, value(key)));
        writer
            .seal(SegmentContents {
                namespace: namespace.clone(),
                records: records.collect(),
                forms: forms.clone(),
            })
            .unwrap();
        keys += u128::from(step);
        let before = store.reader(&namespace).segments().len();
        assert_eq!(writer.merge_newest(&namespace, 0, &|| false).unwrap(), 0);
        let fewer = writer.merge_newest(&namespace, 1 << 30, &|| false).unwrap();
        let segments = store.reader(&namespace).segments().len();
        assert_eq!(segments + fewer, before);
        assert!(segments <= 16, "{segments} segments");
    }
    let reader = Store::open(dir.path()).unwrap().reader(&namespace);
    for key in 0..keys {
        let hit = reader.get(key << 60).unwrap().unwrap();
        let form = reader.segments()[hit.segment].form(hit.value / 2).unwrap();
        assert_eq!(
            form.left().count() + form.right().count(),
            (key % 3) as usize
        );
    }
    assert_eq!(reader.iter().unwrap().count() as u128, keys);
}

#[test]
fn damaged_segments_stay_unchanged() {
    let dir = tempfile::tempdir().unwrap();
    let namespace = Namespace::new("sowing", 1, "impartial");
    let store = Store::open(dir.path()).unwrap();
    let mut writer = store.writer().unwrap();
    for key in 0..4 {
        let sealed = writer.seal(SegmentContents {
            namespace: namespace.clone(),
            records: vec![(key, 7)],
            forms: FormTable::new(),
        });
        if key == 2 {
            let path = dir.path().join("segments").join(&sealed.unwrap()[0].file);
            let mut bytes = std::fs::read(&path).unwrap();
            bytes[4096] ^= 1;
            std::fs::write(&path, bytes).unwrap();
        }
    }
    assert_eq!(
        writer.merge_newest(&namespace, 1 << 30, &|| false).unwrap(),
        0
    );
    assert_eq!(store.reader(&namespace).segments().len(), 4);
}
