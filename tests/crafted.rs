//! Stores, result sets and specs from an untrusted author, with right checksums and wrong contents.
//! Every command ends soon with a documented status, sends no control character to the terminal,
//! and serves no wrong value unnoticed.
//!
//! `SEEDBANK_CRAFTED=700` tries 700 variants and the longest chains of forms; the default is a
//! sample.

mod results;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::common::workspace::{Ended, Workspace, ended, files_in, seedbank};
use seedbank::durable::seal;
use seedbank::store::{FormTable, Namespace, SegmentContents, Store, form_ref};
use serde_json::{Value, json};

const PAGE: usize = 4096;
const CHECKSUM_AT: usize = PAGE - 32;

/// The offset in the header of the sections' entries: offset, length, checksum.
const SECTIONS_AT: usize = 256;
const SECTION_BYTES: usize = 48;

/// The longest time that a command may take on a busy machine. Most take some milliseconds.
const SOON: Duration = Duration::from_secs(60);

/// The number of variants tried unless `SEEDBANK_CRAFTED` is set.
const SAMPLE: usize = 24;

const POSITIONS: &[&str] = &["12", "112", "1112", "11112", "111112", "1111112"];

/// Returns a number that is likely to overflow.
fn tempting(random: &mut fastrand::Rng) -> u64 {
    let tempting = [
        0,
        1,
        2,
        7,
        4095,
        4096,
        4097,
        1 << 31,
        (1 << 32) - 1,
        1 << 32,
        1 << 63,
    ];
    match random.usize(..tempting.len() + 3) {
        0 => u64::MAX,
        1 => u64::MAX - random.u64(..5000),
        2 => random.u64(..),
        other => tempting[other - 3],
    }
}

/// A store to craft: the bytes of its only segment, and its manifest.
#[derive(Clone)]
struct Crafted {
    segment: Vec<u8>,
    entry: Value,
    more: Vec<Value>,
    file: String,
}

impl Crafted {
    /// Takes a store that a run made.
    fn of(store: &Path) -> Crafted {
        let text = fs::read_to_string(store.join("manifest.json")).expect("a run has made it");
        let manifest: Value = serde_json::from_str(&text).expect("JSON");
        let entry = manifest["segments"][0].clone();
        let file = entry["file"].as_str().expect("a name").to_owned();
        let segment = fs::read(store.join("segments").join(&file)).expect("it is listed");
        Crafted {
            segment,
            entry,
            more: Vec::new(),
            file,
        }
    }

    fn u64_at(&self, at: usize) -> u64 {
        u64::from_le_bytes(self.segment[at..at + 8].try_into().expect("8 bytes"))
    }

    fn set(&mut self, at: usize, bytes: &[u8]) {
        self.segment[at..at + bytes.len()].copy_from_slice(bytes);
    }

    /// Returns the place of a section: 0 for narrow records, 2 for forms.
    fn section(&self, section: usize) -> std::ops::Range<usize> {
        let at = SECTIONS_AT + SECTION_BYTES * section;
        let start = self.u64_at(at) as usize;
        start..start + self.u64_at(at + 8) as usize
    }

    /// Corrects all checksums, as far as the header locates the sections, and copies the header's
    /// facts into the manifest.
    fn seal(&mut self) {
        for section in 0..3 {
            let at = SECTIONS_AT + SECTION_BYTES * section;
            let (start, bytes) = (self.u64_at(at), self.u64_at(at + 8));
            let end = bytes.checked_next_multiple_of(PAGE as u64);
            let end = end.and_then(|padded| start.checked_add(padded));
            let range = usize::try_from(start).unwrap_or(usize::MAX)
                ..end.map_or(usize::MAX, |end| end as usize);
            if bytes > 0
                && let Some(bytes) = self.segment.get(range)
            {
                let checksum = *blake3::hash(bytes).as_bytes();
                self.set(at + 16, &checksum);
            }
        }
        let checksum = blake3::hash(&self.segment[..CHECKSUM_AT]);
        self.set(CHECKSUM_AT, checksum.as_bytes());
        let name = |at: usize, length_at: usize| {
            let length = u16::from_le_bytes([self.segment[length_at], self.segment[length_at + 1]]);
            let bytes = self
                .segment
                .get(at..at + usize::from(length))
                .unwrap_or_default();
            String::from_utf8_lossy(bytes).into_owned()
        };
        self.entry["ruleset"] = name(68, 64).into();
        self.entry["play"] = name(196, 66).into();
        let version = u32::from_le_bytes(self.segment[20..24].try_into().expect("4 bytes"));
        self.entry["ruleset_version"] = version.into();
        for (key, at) in [("bytes", 24), ("narrow", 32), ("wide", 40), ("forms", 48)] {
            self.entry[key] = self.u64_at(at).into();
        }
        self.entry["checksum"] = hex::encode(checksum.as_bytes()).into();
    }

    /// Writes the store.
    fn write(&self, store: &Path) {
        let _ = fs::remove_dir_all(store);
        fs::create_dir_all(store.join("segments")).expect("the folder is ours");
        fs::write(store.join("segments").join(&self.file), &self.segment).expect("ours");
        let segments: Vec<&Value> = [&self.entry].into_iter().chain(&self.more).collect();
        let manifest = json!({ "version": 1, "next_sequence": 9, "segments": segments });
        let text = serde_json::to_string_pretty(&manifest).expect("JSON");
        let rest = format!("{}\n", text.trim_start_matches("{\n"));
        let bytes = seal("{\"checksum\": \"", rest.as_bytes());
        fs::write(store.join("manifest.json"), bytes).expect("ours");
    }

    /// Renames the segment.
    fn rename(&mut self, ruleset: &str, play: &str) {
        self.segment[64..244].fill(0);
        self.set(64, &(ruleset.len() as u16).to_le_bytes());
        self.set(66, &(play.len() as u16).to_le_bytes());
        self.set(68, ruleset.as_bytes());
        self.set(196, play.as_bytes());
    }
}

/// A workspace with a store that a run made, and the values of its positions.
struct Bench {
    here: Workspace,
    sound: Crafted,
    spec: PathBuf,
    values: String,
}

impl Bench {
    fn new() -> Bench {
        let here = Workspace::new();
        let family = format!("positions = {POSITIONS:?}");
        let spec = here.spec("rows", "sowing", "partisan", &family);
        here.finish(&spec, &["--threads", "1"]);
        let sound = Crafted::of(&here.path("store"));
        let mut eval = seedbank(&["eval", "--game", "sowing", "--play", "partisan"]);
        eval.args(POSITIONS);
        let values = ended(eval).stdout;
        assert_eq!(values.lines().count(), POSITIONS.len());
        Bench {
            here,
            sound,
            spec,
            values,
        }
    }

    fn tried(&self, what: &str, arguments: &[&str]) -> Ended {
        tried(&self.here, what, arguments)
    }

    /// Tries every command on a crafted store: values are right, or the command reports that the
    /// store is wrong.
    fn try_all(&self, what: &str, crafted: &Crafted) {
        let here = &self.here;
        let store = here.path("store");
        crafted.write(&store);
        self.tried(what, &["store", "stat", "--store", "store"]);
        self.tried(what, &["store", "stat", "--store", "store", "--json"]);
        let verified = self.tried(what, &["store", "verify", "--store", "store"]);
        let deep = [
            "store", "verify", "--deep", "--sample", "100000", "--store", "store",
        ];
        let deep = self.tried(what, &deep);
        let eval = [
            "eval", "--game", "sowing", "--play", "partisan", "--store", "store",
        ];
        let evaluated = self.tried(what, &[&eval[..], POSITIONS].concat());
        let found = verified.status == Some(4) || deep.status == Some(4);
        let right = evaluated.status != Some(0) || evaluated.stdout == self.values;
        assert!(right || found, "{what}: {evaluated:?}, but {deep:?}");
        let _ = fs::remove_dir_all(here.path("export"));
        self.tried(
            what,
            &["store", "export", "--store", "store", "--out", "export"],
        );
        let _ = fs::remove_dir_all(here.path("fresh"));
        self.tried(
            what,
            &["store", "import", "--store", "fresh", "--from", "store"],
        );
        let _ = fs::remove_dir_all(here.path("out"));
        let spec = self.spec.to_str().expect("a plain path");
        self.tried(
            what,
            &[
                "run",
                spec,
                "--threads",
                "1",
                "--store",
                "store",
                "--out",
                "out",
            ],
        );
        crafted.write(&store);
        self.tried(what, &["store", "compact", "--store", "store"]);
        crafted.write(&store);
        self.tried(what, &["store", "repair", "--store", "store"]);
        let outside = files_in(&here.path("")).len();
        assert!(outside <= 6, "{what}: {:?}", files_in(&here.path("")));
    }
}

/// Runs a command, which must end soon with a documented status and print nothing that a terminal
/// obeys.
fn tried(here: &Workspace, what: &str, arguments: &[&str]) -> Ended {
    let mut command = seedbank(arguments);
    command.current_dir(here.path(""));
    let started = Instant::now();
    let ended = ended(command);
    let told = || format!("{what}: {arguments:?}: {ended:?}");
    assert!(
        started.elapsed() < SOON,
        "{:?}: {}",
        started.elapsed(),
        told()
    );
    let documented = matches!(ended.status, Some(0 | 1 | 4));
    assert!(
        documented && !ended.stderr.contains("panicked"),
        "{}",
        told()
    );
    for text in [&ended.stdout, &ended.stderr] {
        let obeyed = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!text.contains(obeyed), "{}", told());
    }
    ended
}

/// Returns a plausible variant: wrong entries in the header, in a section, or in the manifest.
fn variant(sound: &Crafted, number: usize) -> Crafted {
    let mut crafted = sound.clone();
    let mut random = fastrand::Rng::with_seed(number as u64);
    let width = [4, 8][random.usize(..2)];
    match number % 4 {
        // A number in the header.
        0 => {
            let places: Vec<usize> = (8..68).chain(SECTIONS_AT..400).step_by(4).collect();
            let at = places[random.usize(..places.len())];
            let number = tempting(&mut random).to_le_bytes();
            crafted.set(at, &number[..width]);
        }
        // Numbers in a section: keys, values, ends, references, and the offsets that rkyv reads.
        1 | 2 => {
            let section = crafted.section([0, 2][number % 2]);
            for _ in 0..1 + random.usize(..3) {
                let at = match random.usize(..3) {
                    0 => section.end - 8 * (1 + random.usize(..4)),
                    _ => section.start + 4 * random.usize(..section.len() / 4 - 2),
                };
                let number = tempting(&mut random).to_le_bytes();
                crafted.set(at, &number[..width]);
            }
        }
        // Slots or references that are exchanged.
        _ => {
            let section = crafted.section([0, 2][random.usize(..2)]);
            for _ in 0..1 + random.usize(..4) {
                let place = |at: usize| section.start + at * 4;
                let words = section.len() / 4;
                let (one, other) = (place(random.usize(..words)), place(random.usize(..words)));
                for byte in 0..4 {
                    crafted.segment.swap(one + byte, other + byte);
                }
            }
        }
    }
    crafted.seal();
    crafted
}

/// Returns the number of variants in `SEEDBANK_CRAFTED`, if it is set.
fn all_variants() -> Option<usize> {
    std::env::var("SEEDBANK_CRAFTED").ok()?.parse().ok()
}

#[test]
fn wrong_contents_with_right_checksums_end_soon_and_serve_no_wrong_value_unnoticed() {
    let bench = Bench::new();
    bench.try_all("sound", &bench.sound);
    for number in 0..all_variants().unwrap_or(SAMPLE) {
        bench.try_all(&format!("variant {number}"), &variant(&bench.sound, number));
    }
}

#[test]
fn crafted_names_formats_and_manifests() {
    let bench = Bench::new();
    let long = "x".repeat(128);
    let names = [
        ("../../outside", "partisan"),
        ("/etc", "partisan"),
        ("sowing", "../impartial"),
        ("", ""),
        ("so\u{1b}]0;title\u{7}wing", "partisan"),
        ("sowing\n000001.seg: whole", "partisan"),
        ("sowing", "\u{9b}2J"),
        ("\u{202e}gniwos", "partisan"),
        ("atomic-wari/99999999", "partisan"),
        (&long, "partisan"),
        ("sowing", "impartial"),
        ("atomic-wari", "partisan"),
    ];
    for (ruleset, play) in names {
        let mut crafted = bench.sound.clone();
        crafted.rename(ruleset, play);
        crafted.seal();
        bench.try_all(&format!("{ruleset:?} {play:?}"), &crafted);
    }
    for format in [0u32, 1, 3, u32::MAX] {
        let mut crafted = bench.sound.clone();
        crafted.set(8, &format.to_le_bytes());
        crafted.seal();
        bench.try_all(&format!("format {format}"), &crafted);
    }
    for version in [0u32, 2, u32::MAX] {
        let mut crafted = bench.sound.clone();
        crafted.set(20, &version.to_le_bytes());
        crafted.seal();
        bench.try_all(&format!("version {version}"), &crafted);
    }
    for file in [
        "../rows.toml",
        "a/b.seg",
        "000001-\u{1b}[31m.seg",
        "",
        ".",
        "000009-00000000.seg",
    ] {
        let mut crafted = bench.sound.clone();
        crafted.entry["file"] = file.into();
        bench.try_all(&format!("listed as {file:?}"), &crafted);
        let mut more = bench.sound.clone();
        more.more.push(crafted.entry);
        bench.try_all(&format!("lists {file:?}, too"), &more);
    }
    let mut twice = bench.sound.clone();
    twice.more.push(twice.entry.clone());
    bench.try_all("listed twice", &twice);
    let mut renamed = bench.sound.clone();
    renamed.file = "000007-12345678.seg".to_owned();
    renamed.entry["file"] = "000007-12345678.seg".into();
    bench.try_all("renamed", &renamed);
    let mut records = bench.sound.clone();
    records.entry["narrow"] = u64::MAX.into();
    records.entry["wide"] = u64::MAX.into();
    bench.try_all("more records than there are", &records);
    assert!(bench.spec.exists());
}

/// Seals forms as another program might. Every position of the bench has the last of them as its
/// value.
fn sealed(bench: &Bench, forms: FormTable, value: u32) -> Crafted {
    let original = bench.here.path("original");
    bench.sound.write(&original);
    let store = Store::open(&original).expect("it is sound");
    let namespace = Namespace::new("sowing", 1, "partisan");
    let reader = store.reader(&namespace);
    let keys = reader
        .iter()
        .expect("it is sound")
        .map(|(key, _)| (key, value));
    let contents = SegmentContents {
        namespace: namespace.clone(),
        records: keys.collect(),
        forms,
    };
    let crafted = bench.here.path("original2");
    let _ = fs::remove_dir_all(&crafted);
    let store = Store::open(&crafted).expect("an empty store");
    let sealed = store.writer().expect("ours").seal(contents);
    sealed.expect("the store does not know what is canonical");
    let crafted_store = Crafted::of(&crafted);
    fs::remove_dir_all(original).expect("ours");
    fs::remove_dir_all(crafted).expect("ours");
    crafted_store
}

type Options = fn(u32) -> (Vec<u32>, Vec<u32>);

/// Returns zero and a chain of forms above it, each with options among the earlier ones.
fn chain(depth: u32, options: Options) -> FormTable {
    let mut forms = FormTable::new();
    forms.push(&[], &[]).expect("zero");
    for form in 1..=depth {
        let (left, right) = options(form);
        forms.push(&left, &right).expect("options come first");
    }
    forms
}

/// Returns references to at most `count` forms directly before this one.
fn latest(form: u32, count: u32) -> Vec<u32> {
    let first = form.saturating_sub(count);
    (first..form).map(|form| form_ref(form, false)).collect()
}

#[test]
fn forms_nested_to_excess_end_soon() {
    let bench = Bench::new();
    let chains: [(&str, Options); 6] = [
        ("integers", |form| (vec![form_ref(form - 1, false)], vec![])),
        ("ups", |form| (vec![0], vec![form_ref(form - 1, false)])),
        ("switches", |form| {
            (
                vec![form_ref(form - 1, false)],
                vec![form_ref(form - 1, true)],
            )
        }),
        ("fractions", |form| {
            (vec![0], vec![form_ref(form - 1, form == 1)])
        }),
        ("pairs", |form| {
            let before = form.saturating_sub(2);
            (
                vec![form_ref(form - 1, false), form_ref(before, false)],
                vec![form_ref(before, true)],
            )
        }),
        ("nimbers", |form| (latest(form, 24), latest(form, 24))),
    ];
    let depths: &[u32] = match all_variants() {
        Some(_) => &[300, 3_000, 100_000],
        None => &[300],
    };
    for (name, options) in chains {
        for &depth in depths {
            let forms = chain(depth, options);
            let crafted = sealed(&bench, forms, form_ref(depth, false));
            bench.try_all(&format!("{name} {depth} deep"), &crafted);
        }
    }
    let none = sealed(&bench, FormTable::new(), 77);
    bench.try_all("values of no form", &none);
}

/// Returns a chain of forms, each with a number of options a side. These are any of the latest
/// forms before it, or their negatives.
fn random_chain(depth: u32, options: u32, latest: u32) -> FormTable {
    let mut random = fastrand::Rng::with_seed(7);
    let mut forms = FormTable::new();
    forms.push(&[], &[]).expect("zero");
    for form in 1..=depth {
        let mut side = || -> Vec<u32> {
            let option = |_| {
                let before = random.usize(..latest.min(form) as usize) as u32;
                form_ref(form - 1 - before, random.bool())
            };
            (0..options).map(option).collect()
        };
        let (left, right) = (side(), side());
        forms.push(&left, &right).expect("options come first");
    }
    forms
}

#[test]
fn forms_that_take_too_long_to_restore_are_refused_by_name() {
    let bench = Bench::new();
    let integers = |form: u32| (vec![form_ref(form - 1, false)], vec![]);
    let mut wide = chain(5_000, integers);
    let all = latest(5_001, 5_001);
    wide.push(&all, &all).expect("options come first");
    let wide_and_deep = chain(300, |form| (latest(form, 200), latest(form, 200)));
    let restoring = "is refused: its forms are malformed: restoring them";
    for (name, forms, why) in [
        ("wide", wide, "form 5001 has 10002 options"),
        ("wide and deep", wide_and_deep, restoring),
        ("of any", random_chain(150, 100, 150), restoring),
        ("of the latest", random_chain(3_000, 6, 20), restoring),
    ] {
        let value = form_ref(forms.len() as u32 - 1, false);
        let crafted = sealed(&bench, forms, value);
        bench.try_all(name, &crafted);
        crafted.write(&bench.here.path("store"));
        let deep = ["store", "verify", "--deep", "--store", "store"];
        let deep = bench.tried(name, &deep);
        assert_eq!(deep.status, Some(4), "{name}: {deep:?}");
        let found = [&deep.stdout, &deep.stderr].map(|text| text.contains(why));
        assert!(found[0] || found[1], "{name}: {deep:?}");
        let eval = [
            "eval", "--game", "sowing", "--play", "partisan", "--store", "store",
        ];
        let evaluated = bench.tried(name, &[&eval[..], POSITIONS].concat());
        assert_eq!(evaluated.status, Some(0), "{name}: {evaluated:?}");
        assert_eq!(evaluated.stdout, bench.values, "{name}");
        let warned = evaluated.stderr.contains("leaving out a store segment");
        assert!(
            warned && evaluated.stderr.contains(why),
            "{name}: {evaluated:?}"
        );
    }
}

#[test]
fn specs_and_arguments_reach_the_terminal_as_text() {
    let bench = Bench::new();
    let spec = bench.here.path("spec.toml");
    fs::write(
        &spec,
        "name = \"a\u{9b}2J\"\n[ruleset]\ngame = \"so\u{202e}wing\"\n\u{7f}= 3\n",
    )
    .expect("ours");
    fs::write(bench.here.path("\u{1b}[31mred.toml"), "name = 1\n").expect("ours");
    for arguments in [
        &["plan", "spec.toml"][..],
        &["plan", "\u{1b}[31mred.toml"],
        &["plan", "\u{1b}]0;absent"],
        &["value", "\u{1b}[2J"],
        &[
            "eval",
            "--game",
            "sowing",
            "--play",
            "partisan",
            "1\u{1b}[2J",
        ],
        &["store", "import", "--from", "\u{1b}[2J", "--store", "store"],
    ] {
        let mut command = seedbank(arguments);
        command.current_dir(bench.here.path(""));
        let refused = ended(command);
        assert_eq!(refused.status, Some(2), "{refused:?}");
        let obeyed = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(
            !refused.stderr.contains(obeyed),
            "{arguments:?}: {refused:?}"
        );
    }
}
