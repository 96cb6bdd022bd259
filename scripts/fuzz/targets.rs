//! The fuzz targets: each takes arbitrary bytes, and panics if a law of the package is broken.
//!
//! `cargo fuzz` calls these targets from `scripts/fuzz`, and `tests/fuzz.rs` calls them with seeded
//! bytes.

use std::fs;
use std::path::Path;

use seedbank::board::row::Row;
use seedbank::family::Pattern;
use seedbank::store::{FormTable, Namespace, SegmentContents, Store, form_ref};
use seedbank::task::Job;
use seedbank::value::{Arena, Notation, NotationWriter};

/// The most characters of a value that is read back.
const VALUE_CHARS_MAX: usize = 10_000;

/// A text is a value, or an error with a place; a written value reads back as the same value.
pub(crate) fn notation(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let arena = Arena::new();
    let mut calculator = arena.calculator();
    let Ok(value) = calculator.parse(&text) else {
        return;
    };
    for notation in [Notation::Standard, Notation::Plain] {
        let written = NotationWriter::new(&arena).limited(value, notation, VALUE_CHARS_MAX);
        if let Some(written) = written {
            let back = calculator.parse(&written);
            assert_eq!(back.ok(), Some(value), "{text:?} is written {written:?}");
        }
    }
}

/// A text is a pattern, a row, or an error; a written row reads back as the same row.
pub(crate) fn patterns(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    if let Ok(pattern) = text.parse::<Pattern>() {
        let values = vec![1; pattern.variables().len()];
        let (pots, row) = (pattern.pots(&values), pattern.expand(&values));
        if let (Ok(pots), Ok(row)) = (pots, row) {
            // The empty position is written as one empty pot.
            let row = row.row().expect("a pattern of rows");
            let empty = pots == 0 && !row.endless_left && !row.endless_right;
            assert_eq!(row.pots.len() as u64, pots + u64::from(empty), "{text:?}");
        }
    }
    if let Ok(row) = text.parse::<Row>() {
        let written = row.to_string();
        assert_eq!(
            written.parse::<Row>(),
            Ok(row),
            "{text:?} is written {written:?}"
        );
    }
}

/// A text is a job spec, or a list of problems that can be shown.
pub(crate) fn job_specs(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    match Job::parse(&text, Path::new("fuzzed.toml"), Path::new("nowhere")) {
        Ok(_) => {}
        Err(error) => assert!(error.to_string().contains("error")),
    }
}

/// The layout of a segment file, which `src/store/header.rs` draws.
const PAGE: usize = 4096;
const CHECKSUM_AT: usize = PAGE - 32;

/// A segment file with changed bytes is opened or refused, and so is each lookup in it. The first
/// byte of the data selects whether checksums are corrected afterwards, so that the checks behind
/// them are reached, too. Every three bytes after it change one byte of the file: two give its
/// place among the bytes not known to be zero, and the third the change.
pub(crate) fn segments(data: &[u8]) {
    let dir = tempfile::tempdir().expect("a folder for temporary files");
    let bytes = match data.split_first() {
        Some((&mode, changes)) if mode < 250 => changed(mode, changes),
        _ => data.to_vec(),
    };
    let store = Store::open(dir.path()).expect("a store without a manifest is empty");
    // The writer marks the folder, in which a file that is no segment would be the user's.
    let mut writer = store.writer().expect("nobody else writes there");
    let folder = dir.path().join("segments");
    fs::create_dir_all(&folder).expect("the folder is ours");
    fs::write(folder.join("000001-00000000.seg"), &bytes).expect("the folder is ours");
    let (adopted, problems) = writer.adopt_orphans().expect("the folder is ours");
    assert_ne!(adopted.is_empty(), problems.is_empty());
    for problem in problems {
        assert!(!problem.to_string().is_empty());
    }
    for entry in adopted {
        let reader = store.reader(&entry.namespace());
        let all = reader.iter().expect("what was adopted is sound");
        let all: Vec<(u128, u32)> = all.map(|(key, hit)| (key, hit.value)).collect();
        assert_eq!(all.len() as u64, entry.records());
        for (key, value) in all {
            let hit = reader.get(key).expect("what was adopted is sound");
            assert_eq!(hit.map(|hit| hit.value), Some(value));
        }
        let segment = &reader.segments()[0];
        for form in 0..segment.forms_len() {
            let form = segment
                .form(form as u32)
                .expect("what was adopted is sound");
            assert!(form.left().chain(form.right()).count() as u64 <= entry.bytes);
        }
        assert!(writer.compact(&entry.namespace()).is_ok());
    }
}

/// Returns a sound segment with some bytes changed, and right checksums if `mode` is odd.
fn changed(mode: u8, changes: &[u8]) -> Vec<u8> {
    let mut bytes = sound();
    // The fields of the header, and the beginning of each section; zeros fill the rest of the
    // pages.
    let places: Vec<usize> = (0..400)
        .chain((PAGE..bytes.len()).filter(|at| at % PAGE < 600))
        .collect();
    for change in changes.chunks_exact(3) {
        let at = usize::from(u16::from_le_bytes([change[0], change[1]]));
        bytes[places[at % places.len()]] ^= change[2];
    }
    if mode % 2 == 1 {
        for section in 0..3 {
            let entry = 256 + 48 * section;
            let number = |at: usize| {
                let number = bytes[at..at + 8].try_into().expect("8 bytes");
                usize::try_from(u64::from_le_bytes(number)).unwrap_or(usize::MAX)
            };
            let (offset, length) = (number(entry), number(entry + 8));
            let end = length
                .checked_next_multiple_of(PAGE)
                .and_then(|padded| offset.checked_add(padded));
            if let Some(section) = end.and_then(|end| bytes.get(offset..end)) {
                let checksum = blake3::hash(section);
                bytes[entry + 16..entry + 48].copy_from_slice(checksum.as_bytes());
            }
        }
        let checksum = blake3::hash(&bytes[..CHECKSUM_AT]);
        bytes[CHECKSUM_AT..PAGE].copy_from_slice(checksum.as_bytes());
    }
    bytes
}

/// Returns a segment with narrow and wide records and forms.
fn sound() -> Vec<u8> {
    let dir = tempfile::tempdir().expect("a folder for temporary files");
    let mut forms = FormTable::new();
    for (left, right) in [(&[][..], &[][..]), (&[0], &[]), (&[2], &[3]), (&[0], &[0])] {
        forms.push(left, right).expect("options come first");
    }
    let narrow = (0..9).map(|i| (1000 + i, form_ref(i as u32 % 4, i % 3 == 0)));
    let wide = (0..7).map(|i| (1 << 70 | i, form_ref(3 - i as u32 % 4, false)));
    let contents = SegmentContents {
        namespace: Namespace::new("sowing", 1, "partisan"),
        records: narrow.chain(wide).collect(),
        forms,
    };
    let store = Store::open(dir.path()).expect("an empty store");
    let mut writer = store.writer().expect("nobody else writes there");
    let sealed = writer.seal(contents).expect("the contents are sound");
    fs::read(dir.path().join("segments").join(&sealed[0].file)).expect("it was sealed")
}
