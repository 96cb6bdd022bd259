//! Files of the user: none is deleted or overwritten, and every output is written whole or not at all.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::workspace::{Ended, Workspace, ended, seedbank};

const TEXT: &str = "the user's own text\n";

/// A folder with the spec of a short job.
fn workspace() -> (Workspace, PathBuf) {
    let here = Workspace::new();
    let spec = here.spec(
        "ones",
        "sowing",
        "partisan",
        "pattern = \"1^n 2\"\nn = \"1..=5\"",
    );
    (here, spec)
}

/// Writes a file of the user, and the folders above it.
fn put(path: &Path) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder of the test");
    fs::write(path, TEXT).expect("a file of the test");
}

/// Returns the contents of all files below a folder; of a link, its target.
fn tree(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(dir).into_iter().flatten() {
        let entry = entry.expect("an entry");
        let (path, kind) = (entry.path(), entry.file_type().expect("a type"));
        if kind.is_dir() {
            found.insert(path.clone(), Vec::new());
            found.extend(tree(&path));
        } else if kind.is_symlink() {
            let target = fs::read_link(&path).expect("a link");
            found.insert(path, target.as_os_str().as_encoded_bytes().to_vec());
        } else {
            let bytes = fs::read(&path).expect("a file");
            found.insert(path, bytes);
        }
    }
    found
}

/// Asserts that a command failed, and that its message has all of these texts.
fn assert_refused(ended: &Ended, texts: &[&str]) {
    assert_eq!(ended.status, Some(1), "{ended:?}");
    for text in texts {
        assert!(ended.stderr.contains(text), "{text:?}: {ended:?}");
    }
}

#[test]
fn a_folder_with_files_of_the_user_becomes_no_store() {
    let (here, spec) = workspace();
    assert_eq!(here.run(&spec, &[]).status, Some(0));
    let from = here.path("store").display().to_string();
    for name in [
        "tmp/thesis.txt",
        "segments/1.seg",
        "scores/thesis.txt",
        "thesis.txt",
    ] {
        let theirs = here.path("theirs");
        put(&theirs.join(name));
        let before = tree(&theirs);
        let dir = theirs.display().to_string();
        let commands: [&[&str]; 3] = [&["repair"], &["compact"], &["import", "--from", &from]];
        let mut all: Vec<Ended> = commands
            .iter()
            .map(|command| {
                ended(seedbank(
                    &[&["store"][..], *command, &["--store", &dir]].concat(),
                ))
            })
            .collect();
        let out = here.path("out2").display().to_string();
        all.push(here.run(&spec, &["--store", &dir, "--out", &out]));
        for ended in all {
            let contains = format!("it contains {name}");
            assert_refused(&ended, &[&dir, &contains, "--store"]);
            assert_eq!(tree(&theirs), before, "{name}");
        }
        fs::remove_dir_all(&theirs).expect("a folder of the test");
    }
}

#[test]
fn a_folder_with_files_of_the_user_becomes_no_result() {
    let (here, spec) = workspace();
    for name in [
        "tmp/thesis.txt",
        "checkpoint/thesis.txt",
        "checkpoint/rows/thesis.txt",
        "laws/thesis.txt",
        "thesis.txt",
    ] {
        let theirs = here.path("out/ones");
        put(&theirs.join(name));
        let before = tree(&theirs);
        for arguments in [&[][..], &["--shard", "0/2"]] {
            let ended = here.run(&spec, arguments);
            let contains = format!("it contains {name}");
            assert_refused(&ended, &["out/ones", &contains, "--out"]);
            assert_eq!(tree(&theirs), before, "{name}");
        }
        fs::remove_dir_all(&theirs).expect("a folder of the test");
    }
}

/// Files that the user adds to a store or a result stay, whatever is done with it.
#[test]
fn files_added_to_a_store_or_a_result_stay() {
    let (here, spec) = workspace();
    let sections = "[mine]\nlaws = [\"values\"]\n";
    let text = fs::read_to_string(&spec).expect("the spec") + sections;
    fs::write(&spec, text).expect("the spec");
    for shard in ["0/2", "1/2"] {
        assert_eq!(here.run(&spec, &["--shard", shard]).status, Some(0));
    }
    let added: Vec<PathBuf> = [
        "store/notes.txt",
        "store/tmp/notes.txt",
        "store/segments/notes.seg",
        "out/ones/notes.txt",
        "out/ones/tmp/notes.txt",
        "out/ones/checkpoint/notes.txt",
        "out/ones/checkpoint/rows/notes-2",
        "out/ones/laws/notes.txt",
        "out/ones/shards/notes.txt",
        "out/ones/shards/0-of-2/parts/notes.parquet",
        "out/ones/shards/0-of-2/store/segments/notes.txt",
        "out/ones/parts/notes.parquet",
        "out/ones/records/notes.json",
    ]
    .map(|name| here.path(name))
    .into();
    // The store has its mark once a run has made it.
    let merged = |arguments: &[&str]| {
        let mut command = seedbank(&["merge"]);
        command.arg(&spec).args(arguments);
        command.arg("--store").arg(here.path("store"));
        command.arg("--out").arg(here.path("out"));
        ended(command)
    };
    assert_eq!(merged(&["--take-values"]).status, Some(0));
    assert_eq!(here.run(&spec, &[]).status, Some(0));
    for path in &added {
        put(path);
    }
    let warned = merged(&["--remove"]);
    assert_eq!(warned.status, Some(0), "{warned:?}");
    assert!(
        warned.stderr.contains("shards/notes.txt stays"),
        "{warned:?}"
    );
    assert!(!here.path("out/ones/shards/1-of-2").exists());
    // A part is made again, with its record and checkpoints, and so are laws and segments.
    fs::remove_file(here.path("out/ones/manifest.json")).expect("a manifest");
    fs::remove_file(here.path("out/ones/records/shard-00000.json")).expect("a record");
    assert_eq!(here.run(&spec, &[]).status, Some(0));
    for command in ["repair", "compact"] {
        let ended = here.store(command, &[]);
        assert_eq!(ended.status, Some(0), "{ended:?}");
    }
    for path in &added {
        assert_eq!(
            fs::read_to_string(path).ok().as_deref(),
            Some(TEXT),
            "{path:?}"
        );
    }
}

#[cfg(unix)]
#[test]
fn nothing_is_removed_or_replaced_through_a_symbolic_link() {
    use std::os::unix::fs::symlink;
    for name in [
        "store/tmp",
        "store/store.lock",
        "store/segments",
        "out/ones/tmp",
        "out/ones/checkpoint",
        "out/ones/records",
        "out/ones/parts",
    ] {
        for finished in [false, true] {
            let (here, spec) = workspace();
            if finished {
                assert_eq!(here.run(&spec, &[]).status, Some(0));
            }
            let theirs = here.path("theirs");
            for file in ["thesis.txt", "a.1-1.tmp", "items-00000", "rows/items-00000"] {
                put(&theirs.join(file));
            }
            let link = here.path(name);
            fs::create_dir_all(link.parent().expect("a folder")).expect("a folder");
            let _ = fs::remove_dir_all(&link);
            let _ = fs::remove_file(&link);
            let is_file = name.ends_with(".lock");
            let target = if is_file {
                theirs.join("thesis.txt")
            } else {
                theirs.clone()
            };
            symlink(target, &link).expect("a link");
            let before = tree(&theirs);
            let base = Path::new(name)
                .file_name()
                .expect("a name")
                .to_string_lossy();
            let said = format!("{base} is a symbolic link");
            if name.starts_with("store") {
                assert_refused(&here.store("repair", &[]), &[&said, "--store"]);
            }
            let ran = here.run(&spec, &[]);
            // A finished result needs no store.
            if !(finished && name.starts_with("store")) {
                assert_refused(&ran, &[&said]);
            }
            assert_eq!(tree(&theirs), before, "{name}");
        }
    }
}

/// A lock file is a name that only seedbank should use, but it may be older than the store.
#[test]
fn a_lock_file_with_other_contents_keeps_them() {
    let (here, spec) = workspace();
    put(&here.path("store/store.lock"));
    assert_eq!(here.run(&spec, &[]).status, Some(0));
    let text = fs::read_to_string(here.path("store/store.lock")).expect("a lock");
    assert_eq!(text, TEXT);
}

#[test]
fn one_folder_is_not_both_store_and_result() {
    let (here, spec) = workspace();
    let dir = here.path("out/ones").display().to_string();
    let ran = here.run(&spec, &["--store", &dir]);
    assert_refused(&ran, &["out/ones", "marks it as a result", "--store"]);
    assert_eq!(here.run(&spec, &[]).status, Some(0));
    let repaired = ended(seedbank(&["store", "repair", "--store", &dir]));
    assert_refused(&repaired, &["marks it as a result", "--store"]);
    let result = here.result("out", "ones");
    assert_eq!(here.run(&spec, &[]).status, Some(0));
    assert!(here.result("out", "ones") == result);
}

/// Stores and results of versions that made no marks go on working, with files of the user in them.
#[test]
fn folders_without_marks_are_known_by_their_finished_files() {
    let (here, spec) = workspace();
    assert_eq!(here.run(&spec, &[]).status, Some(0));
    let expected = here.result("out", "ones");
    for dir in ["store", "out/ones"] {
        fs::remove_file(here.path(dir).join(".seedbank")).expect("a mark");
        put(&here.path(dir).join("notes.txt"));
    }
    fs::remove_file(here.path("out/ones/manifest.json")).expect("a manifest");
    for ended in [
        here.run(&spec, &[]),
        here.store("repair", &[]),
        here.store("compact", &[]),
    ] {
        assert_eq!(ended.status, Some(0), "{ended:?}");
    }
    assert!(here.result("out", "ones") == expected);
    assert!(here.path("store/notes.txt").exists() && here.path("out/ones/notes.txt").exists());
}
