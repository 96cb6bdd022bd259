//! Result sets: records, manifests and censuses with right checksums, whose fields are missing,
//! huge, of other types or names, or lead elsewhere.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use seedbank::durable::seal;

use super::{all_variants, tried};
use crate::common::workspace::{Workspace, files_in};

/// Wrong values of a field, as JSON.
const LIES: &[&str] = &[
    "18446744073709551615",
    "9223372036854775808",
    "4294967296",
    "1",
    "0",
    "-1",
    "1e300",
    "null",
    "[]",
    "{}",
    "[1, 2]",
    "\"../../../outside\"",
    "\"/etc/passwd\"",
    "\"\\u001b]0;title\\u0007\\u202e\\u009b2J\"",
    "\"\"",
];

/// The number of variants of each file that are tried unless all are.
const SAMPLE: usize = 6;

/// Returns the body of a sealed record.
fn body(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("a run has made it");
    let body = text.split_once("\"body\":").expect("it has a body").1;
    body.strip_suffix("}\n").expect("its end").to_owned()
}

/// Writes a record with another body and the right checksum.
fn write(path: &Path, body: &str) {
    let rest = format!("\"body\":{body}}}\n");
    let _ = fs::remove_file(path);
    fs::write(path, seal("{\"blake3\":\"", rest.as_bytes())).expect("the folder is ours");
}

/// Returns the bodies that differ in one field: it has another value or another name, or is
/// missing.
fn variants(body: &str) -> Vec<(String, String)> {
    let lines: Vec<&str> = body.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some((key, value)) = line.split_once("\": ") else {
            continue;
        };
        let with = |line: String| {
            let mut lines = lines.clone();
            lines[at] = &line;
            lines.join("\n")
        };
        let comma = if line.ends_with(',') { "," } else { "" };
        if !value.ends_with(['{', '[']) {
            for lie in LIES {
                let what = format!("line {at}: {} is {lie}", key.trim());
                found.push((what, with(format!("{key}\": {lie}{comma}"))));
            }
            if !comma.is_empty() {
                found.push((format!("line {at}: no {}", key.trim()), with(String::new())));
            }
        }
        let renamed = with(format!("{key}\\u001b[2J\": {value}"));
        found.push((
            format!("line {at}: {} has another name", key.trim()),
            renamed,
        ));
    }
    found.push(("empty".to_owned(), String::new()));
    found.push(("a list".to_owned(), "[]".to_owned()));
    found.push(("deep".to_owned(), "[".repeat(100_000)));
    found
}

/// A workspace with finished jobs.
struct Finished {
    here: Workspace,
    sound: BTreeMap<PathBuf, Vec<u8>>,
}

impl Finished {
    /// Runs the jobs of these specs; with shards, one run for each of them.
    fn new(specs: &[(&str, &str)], shards: &[&str]) -> Finished {
        let here = Workspace::new();
        fs::create_dir(here.path("jobs")).expect("the folder is ours");
        for (name, rest) in specs {
            let path = here.path(&format!("{name}.toml"));
            fs::write(&path, format!("name = \"{name}\"\n{rest}")).expect("the folder is ours");
            if shards.is_empty() {
                here.finish(&path, &["--threads", "1"]);
            }
            for shard in shards {
                here.finish(&path, &["--threads", "1", "--shard", shard]);
            }
        }
        let mut sound = BTreeMap::new();
        collect(&here.path("out"), &mut sound);
        Finished { here, sound }
    }

    /// Restores the files that the runs made.
    fn restore(&self) {
        let _ = fs::remove_dir_all(self.here.path("out"));
        for (path, bytes) in &self.sound {
            fs::create_dir_all(path.parent().expect("a folder")).expect("ours");
            fs::write(path, bytes).expect("ours");
        }
    }

    /// Tries commands on every variant of every file that `is_tried` accepts. `check` receives the
    /// name of the variant, the output of `table`, and that of the sound result.
    fn try_all(
        &self,
        is_tried: impl Fn(&Path) -> bool,
        spec: &str,
        check: impl Fn(&str, &str, &str),
    ) {
        let here = &self.here;
        self.restore();
        let sound = tried(here, "sound", &["table", spec, "--out", "out"]).stdout;
        let text = fs::read_to_string(here.path(spec)).expect("a spec");
        let is_search = text.contains("[witness]");
        for path in self.sound.keys().filter(|path| is_tried(path)) {
            self.restore();
            let variants = variants(&body(path));
            let each = match all_variants() {
                Some(_) => 1,
                None => variants.len() / SAMPLE,
            };
            for (what, body) in variants.iter().step_by(each.max(1)) {
                let what = format!("{}: {what}", path.display());
                self.restore();
                write(path, body);
                for arguments in [
                    &["status", spec, "--out", "out"][..],
                    &["status", spec, "--out", "out", "--json"],
                    &["status", spec, "--out", "out", "--verify"],
                    &["status", "--all", "--out", "out"],
                    &["plan", spec, "--out", "out"],
                    &["table", spec, "--out", "out", "--partial"],
                ] {
                    tried(here, &what, arguments);
                }
                // `check` has no reference for witnesses.
                if !is_search {
                    tried(here, &what, &["check", spec, "--out", "out"]);
                }
                let table = tried(here, &what, &["table", spec, "--out", "out"]);
                if table.status == Some(0) {
                    check(&what, &table.stdout, &sound);
                }
                for command in ["merge", "run"] {
                    let arguments = [
                        command,
                        spec,
                        "--out",
                        "out",
                        "--store",
                        "store",
                        "--threads",
                        "1",
                    ];
                    tried(here, &what, &arguments);
                }
                assert!(!here.path("outside").exists() && !here.path("../outside").exists());
            }
        }
    }
}

/// Collects the files below a folder.
fn collect(dir: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for path in files_in(dir) {
        match path.is_dir() {
            true => collect(&path, found),
            false => {
                let bytes = fs::read(&path).expect("it is there");
                found.insert(path, bytes);
            }
        }
    }
}

fn is_json(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension == "json")
}

const ROWS: &str = "[ruleset]\ngame = \"sowing\"\nplay = \"partisan\"\n[family]\npattern = \"1^n\"\nn = \"1..=6\"\n";

#[test]
fn crafted_records_and_manifests() {
    let heaps = "[ruleset]\ngame = \"octal\"\ncode = \"0.77\"\n[family]\nheaps = \"0..=9\"\n";
    for (name, rest) in [("rows", ROWS), ("heaps", heaps)] {
        let finished = Finished::new(&[(name, rest)], &[]);
        finished.try_all(is_json, &format!("{name}.toml"), |what, table, sound| {
            assert_eq!(table, sound, "{what}");
        });
    }
}

#[test]
fn crafted_censuses_and_answers() {
    let rest = "[ruleset]\ngame = \"sowing\"\nplay = \"partisan\"\n[family]\nall = { pots_max = 3 }\n\
                [witness]\npattern = \"1/2^k\"\nk = \"1..=3\"\nfewest = \"pots\"\n";
    let finished = Finished::new(&[("census", rest)], &[]);
    // Nothing else contains the sums of an answer, so wrong ones cannot be noticed.
    finished.try_all(is_json, "census.toml", |_, _, _| ());
}

#[test]
fn crafted_records_of_shards() {
    let finished = Finished::new(&[("rows", ROWS)], &["0/2", "1/2"]);
    let is_first = |path: &Path| is_json(path) && path.ends_with("records/shard-00001.json");
    finished.try_all(is_first, "rows.toml", |what, table, sound| {
        assert_eq!(table, sound, "{what}")
    });
}

#[test]
fn crafted_folders_are_listed_by_name() {
    let finished = Finished::new(&[("rows", ROWS)], &[]);
    let here = &finished.here;
    let names = [
        "\u{1b}[2Jred",
        "\u{202e}gniwos",
        "a\nrows finished",
        "\"quoted\"",
        "a b",
    ];
    for name in names {
        fs::create_dir_all(here.path("out").join(name).join("records")).expect("ours");
    }
    fs::write(here.path("out/a b/records/x.json"), "{").expect("ours");
    let text = tried(here, "names", &["status", "--all", "--out", "out"]);
    // A name broken over two lines would pass for another job.
    assert_eq!(text.stdout.lines().count(), 1 + names.len(), "{text:?}");
    let json = tried(
        here,
        "names",
        &["status", "--all", "--out", "out", "--json"],
    );
    let listed: Vec<String> = json
        .stdout
        .lines()
        .map(|line| {
            let line: serde_json::Value = serde_json::from_str(line).expect("an object");
            line["job"].as_str().expect("a name").to_owned()
        })
        .collect();
    for name in names {
        assert!(
            listed.iter().any(|listed| listed == name),
            "{name:?}: {listed:?}"
        );
    }
}
