//! Files of the user: none is deleted or overwritten, and every output is written whole or not at all.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::workspace::{Ended, Workspace, ended, files_in, seedbank};

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
        "out/ones/checkpoint/rows/IMG-20240101",
        "out/ones/checkpoint/photos/IMG-20240101",
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

/// A folder of scores is no link either.
#[cfg(unix)]
#[test]
fn nothing_is_removed_or_replaced_in_a_folder_that_is_a_symbolic_link() {
    let here = Workspace::new();
    let tiers = "rules = \"awari\"\n[family]\ntiers = { pits = 2, seeds = \"2..=3\" }";
    let spec = here.plain_spec("tiers", "wari", tiers);
    here.finish(&spec, &[]);
    fs::remove_dir_all(here.path("out/tiers")).expect("a result");
    let theirs = here.path("theirs");
    for file in ["tier-00000", "tmp/tier.1-1.tmp"] {
        put(&theirs.join(file));
    }
    let before = tree(&theirs);
    let link = here.path("store/scores/awari-2");
    fs::remove_dir_all(&link).expect("a folder of scores");
    std::os::unix::fs::symlink(&theirs, &link).expect("a link");
    let said = format!("{}: it is a symbolic link", link.display());
    assert_refused(&here.run(&spec, &[]), &[&said]);
    assert_eq!(tree(&theirs), before);
    fs::remove_file(&link).expect("a link");
    here.finish(&spec, &[]);
}

/// A copy that the user has made of a segment stays: its name is none that a store gives.
#[test]
fn copies_of_segments_stay() {
    let (here, spec) = workspace();
    assert_eq!(here.run(&spec, &[]).status, Some(0));
    let segment = here.segments().remove(0);
    let stem = segment.file_stem().expect("a name").to_string_lossy();
    let copies =
        [" (copy)", "-backup"].map(|end| segment.with_file_name(format!("{stem}{end}.seg")));
    for copy in &copies {
        fs::copy(&segment, copy).expect("a copy");
    }
    for command in ["verify", "repair", "compact"] {
        let ended = here.store(command, &[]);
        assert_eq!(ended.status, Some(0), "{ended:?}");
        assert!(!(ended.stdout + &ended.stderr).contains("copy"));
        assert!(copies.iter().all(|copy| copy.exists()), "{command}");
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
    assert_refused(&ran, &["out/ones", "need separate folders", "--store"]);
    assert!(!here.path("out").exists());
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

/// A file of the user may have any name, also one that a result has.
#[test]
fn names_of_results_do_not_make_a_folder_ours() {
    let (here, spec) = workspace();
    for name in [
        "manifest.json",
        "parts/part-00000.parquet",
        "forms/part-00000.parquet",
        "records/shard-00000.json",
    ] {
        let theirs = here.path("out/ones");
        put(&theirs.join(name));
        let before = tree(&theirs);
        for arguments in [&[][..], &["--shard", "0/2"]] {
            let contains = format!("it contains {name}");
            assert_refused(
                &here.run(&spec, arguments),
                &["out/ones", &contains, "--out"],
            );
            assert_eq!(tree(&theirs), before, "{name}");
        }
        fs::remove_dir_all(&theirs).expect("a folder of the test");
    }
    assert_eq!(here.run(&spec, &[]).status, Some(0));
    let laws = here.path("laws").display().to_string();
    let mine = || ended(about(&here, "mine", &spec, &["--table", &laws]));
    let export = |out: &str| here.store("export", &["--out", out]);
    let exported = here.path("exported");
    assert_eq!(export(&exported.display().to_string()).status, Some(0));
    let namespace = fs::read_dir(&exported).expect("a folder").next();
    let namespace = namespace.expect("a folder").expect("a folder").file_name();
    let theirs = here.path("theirs");
    let part = "parts/part-00000.parquet";
    put(&Path::new(&laws).join(part));
    put(&theirs.join(&namespace).join(part));
    for refused in [mine(), export(&theirs.display().to_string())] {
        assert_refused(&refused, &["it contains parts/part-00000.parquet"]);
    }
    for part in [
        Path::new(&laws).join(part),
        theirs.join(&namespace).join(part),
    ] {
        assert_eq!(fs::read_to_string(part).expect("a file"), TEXT);
    }
}

/// Names that systems and people give to copies are not read, and not reported as damaged.
#[test]
fn copies_beside_records_are_not_read() {
    let (here, spec) = workspace();
    assert_eq!(here.run(&spec, &[]).status, Some(0));
    for name in [
        "Thumbs.db",
        "desktop.ini",
        "shard-00000.json~",
        "shard-00000 (copy).json",
    ] {
        put(&here.path("out/ones/records").join(name));
    }
    let again = here.run(&spec, &[]);
    assert_eq!(again.status, Some(0), "{again:?}");
    assert!(!again.stderr.contains("damaged"), "{again:?}");
}

#[test]
fn nothing_is_made_before_all_folders_are_checked() {
    let here = Workspace::new();
    let spec = here.spec("segments", "sowing", "partisan", "positions = [\"312\"]");
    let store = here.path("store").display().to_string();
    let ran = here.run(&spec, &["--out", &store]);
    assert_refused(&ran, &["need separate folders", "--out"]);
    assert!(!here.path("store").exists());
    put(&here.path("store/thesis.txt"));
    let ran = here.run(&spec, &[]);
    assert_refused(&ran, &["it contains thesis.txt", "--store"]);
    assert!(!here.path("out").exists());
    fs::remove_dir_all(here.path("store")).expect("a folder of the test");
    put(&here.path("store"));
    let ran = here.run(&spec, &[]);
    assert_refused(&ran, &["move the file away", "--store"]);
    assert!(!here.path("out").exists());
}

#[cfg(unix)]
#[test]
fn a_mark_or_a_lock_that_is_a_pipe_is_refused_at_once() {
    let (here, spec) = workspace();
    assert_eq!(here.run(&spec, &[]).status, Some(0));
    fs::remove_dir_all(here.path("out")).expect("a folder of the test");
    for name in [".seedbank", "store.lock"] {
        let path = here.path("store").join(name);
        let kept = fs::read(&path).expect("a file");
        fs::remove_file(&path).expect("a file");
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        assert!(made.expect("mkfifo").success());
        let ran = here.run(&spec, &[]);
        assert_refused(&ran, &[name, "it is a pipe"]);
        fs::remove_file(&path).expect("a pipe");
        fs::write(&path, kept).expect("a file");
    }
}

#[test]
fn verification_of_results_covers_laws_of_other_jobs_and_parts_of_shards() {
    let here = Workspace::new();
    let spec = |name: &str, n: &str| {
        let family = format!("pattern = \"1^n\"\nn = {n:?}\n[mine]\nlaws = [\"values\"]");
        here.spec(name, "sowing", "partisan", &family)
    };
    let (one, two) = (spec("one", "1..=9"), spec("two", "1..=8"));
    for spec in [&one, &two] {
        here.finish(spec, &[]);
    }
    let verified = |spec: &Path| ended(about(&here, "status", spec, &["--verify"]));
    assert_eq!(verified(&two).status, Some(0));
    fs::remove_dir_all(here.path("out/two/laws")).expect("laws");
    fs::rename(here.path("out/one/laws"), here.path("out/two/laws")).expect("laws");
    let found = verified(&two);
    assert_eq!(found.status, Some(4), "{found:?}");
    assert!(
        found.stderr.contains("laws are those of the job \"one\""),
        "{found:?}"
    );
    fs::remove_dir_all(here.path("out/one")).expect("a result");
    here.finish(&one, &["--shard", "0/2"]);
    assert_eq!(verified(&one).status, Some(0));
    let mut parts = files_in(&here.path("out/one/shards/0-of-2/parts"));
    let part = parts.pop().expect("a part");
    let mut bytes = fs::read(&part).expect("a part");
    bytes[100] ^= 1;
    fs::write(&part, bytes).expect("a part");
    let found = verified(&one);
    assert_eq!(found.status, Some(4), "{found:?}");
    assert!(found.stderr.contains(".parquet"), "{found:?}");
}

#[cfg(unix)]
#[test]
fn verification_of_a_store_covers_links_and_folders_in_the_place_of_scores() {
    let here = Workspace::new();
    let spec = here.plain_spec(
        "small",
        "wari",
        "rules = \"awari\"\n[family]\ntiers = { pits = 2, seeds = \"0..=3\" }",
    );
    here.finish(&spec, &[]);
    let folders = fs::read_dir(here.path("store/scores")).expect("scores");
    let folder = folders
        .map(|entry| entry.expect("a folder").path())
        .next()
        .expect("a folder");
    let tier = folder.join("tier-00002");
    fs::remove_file(&tier).expect("a tier");
    put(&here.path("garbage"));
    std::os::unix::fs::symlink(here.path("garbage"), &tier).expect("a link");
    let found = here.store("verify", &[]);
    assert_eq!(found.status, Some(4), "{found:?}");
    assert!(found.stdout.contains("tier-00002"), "{found:?}");
    fs::remove_file(&tier).expect("a link");
    fs::create_dir(&tier).expect("a folder");
    let found = here.store("verify", &[]);
    assert_eq!(found.status, Some(1), "{found:?}");
    assert!(found.stdout.contains("it is a folder"), "{found:?}");
}

#[cfg(unix)]
#[test]
fn a_link_to_a_folder_above_it_lists_each_job_once() {
    let here = Workspace::new();
    fs::create_dir(here.path("jobs")).expect("a folder");
    fs::rename(
        here.spec(
            "ones",
            "sowing",
            "partisan",
            "pattern = \"1^n\"\nn = \"1..=3\"",
        ),
        here.path("jobs/ones.toml"),
    )
    .expect("a spec");
    std::os::unix::fs::symlink(".", here.path("jobs/loop")).expect("a link");
    let mut listed = seedbank(&["jobs", "list"]);
    listed.current_dir(here.path(""));
    let found = ended(listed);
    assert_eq!(found.stdout.lines().count(), 1, "{found:?}");
}

/// Returns a folder with a finished short job.
fn finished() -> (Workspace, PathBuf) {
    let (here, spec) = workspace();
    assert_eq!(here.run(&spec, &[]).status, Some(0));
    (here, spec)
}

/// Returns a command about the result of a job, in the folder of the job.
fn about(
    here: &Workspace,
    command: &str,
    spec: &Path,
    arguments: &[&str],
) -> std::process::Command {
    let mut made = seedbank(&[command]);
    made.arg(spec).args(arguments);
    made.arg("--out").arg(here.path("out"));
    made.current_dir(here.path(""));
    made
}

/// The commands that write to a file, without its name, and the beginning of what they write.
const WRITERS: [(&str, &[&str], &str); 2] = [
    ("export", &["--format", "csv", "-o"], "game,"),
    ("report", &["-o"], "<!doctype html>"),
];

#[cfg(unix)]
#[test]
fn outputs_follow_links_and_keep_permissions() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let (here, spec) = finished();
    let proof = |name: &str| {
        let mut made = seedbank(&[
            "prove",
            "-g",
            "sowing",
            "-p",
            "partisan",
            "(10)^m 03 (01)^n",
            "--value",
        ]);
        made.args(["0", "--certificate", name])
            .current_dir(here.path(""));
        made
    };
    for writer in 0..=WRITERS.len() {
        let (target, link) = (here.path("target"), here.path("link"));
        fs::write(&target, TEXT).expect("a file");
        fs::set_permissions(&target, fs::Permissions::from_mode(0o600)).expect("it is ours");
        symlink("target", &link).expect("a link");
        let (command, begin) = match WRITERS.get(writer) {
            Some((command, arguments, begin)) => (
                about(&here, command, &spec, &[arguments, &["link"][..]].concat()),
                *begin,
            ),
            None => (proof("link"), ""),
        };
        let ended = ended(command);
        assert_eq!(ended.status, Some(0), "{ended:?}");
        assert!(link.is_symlink(), "{writer}");
        let text = fs::read_to_string(&target).expect("a text");
        assert!(
            text != TEXT && text.starts_with(begin),
            "{writer}: {text:?}"
        );
        let mode = fs::metadata(&target).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{writer}");
        fs::remove_file(&link).expect("a link");
    }
}

#[test]
fn a_hyphen_is_standard_output_for_every_command() {
    let (here, spec) = finished();
    let mut commands: Vec<std::process::Command> = Vec::new();
    for (command, arguments, _) in WRITERS {
        commands.push(about(
            &here,
            command,
            &spec,
            &[arguments, &["-"][..]].concat(),
        ));
    }
    let mut play = seedbank(&["play", "--game", "sowing", "--play", "partisan", "2111"]);
    play.args(["--transcript", "-"])
        .stdin(std::process::Stdio::null());
    let mut proof = seedbank(&[
        "prove",
        "-g",
        "sowing",
        "-p",
        "partisan",
        "(10)^m 03 (01)^n",
    ]);
    proof.args(["--value", "0", "--certificate", "-"]);
    let mut log = here.running(&spec, &["--log-json", "-"]);
    log.current_dir(here.path(""));
    commands.extend([play, proof, log]);
    let expected = [
        "game,",
        "<!doctype html>",
        "\"game\": ",
        "[theorem",
        "\"event\":\"run-started\"",
    ];
    for (mut command, expected) in commands.into_iter().zip(expected) {
        command.current_dir(here.path(""));
        let ended = ended(command);
        assert_eq!(ended.status, Some(0), "{ended:?}");
        assert!(ended.stdout.contains(expected), "{expected}: {ended:?}");
        assert!(!here.path("-").exists());
    }
}

/// The name of an open file is written to where the file stands: nothing before or after is lost.
#[cfg(unix)]
#[test]
fn names_of_open_files_are_written_to() {
    let (here, spec) = finished();
    let exported = ended(about(&here, "export", &spec, &["--format", "csv"])).stdout;
    for (name, redirection) in [("/dev/stdout", ">> x.csv"), ("/dev/fd/3", "3>> x.csv")] {
        fs::write(here.path("x.csv"), "head\n").expect("a file");
        let script = format!("{{ \"$@\" -o {name} && echo tail >&1; }} {redirection}");
        let mut shell = std::process::Command::new("sh");
        shell.args([
            "-c",
            &script,
            "sh",
            env!("CARGO_BIN_EXE_seedbank"),
            "export",
        ]);
        shell
            .arg(&spec)
            .args(["--format", "csv", "--out"])
            .arg(here.path("out"));
        shell.current_dir(here.path(""));
        let ended = ended(shell);
        assert_eq!(ended.status, Some(0), "{ended:?}");
        let text = fs::read_to_string(here.path("x.csv")).expect("a text");
        let tail = if name == "/dev/stdout" { "tail\n" } else { "" };
        assert_eq!(text, format!("head\n{exported}{tail}"), "{name}");
    }
    let full = ended(about(
        &here,
        "export",
        &spec,
        &["--format", "csv", "-o", "/dev/full"],
    ));
    assert_refused(
        &full,
        &[
            "/dev/full cannot be written: No space left on device",
            "make room",
        ],
    );
}

/// The user has not named the default page, so only a page of seedbank is replaced there.
#[cfg(unix)]
#[test]
fn the_default_page_replaces_pages_alone() {
    let (here, spec) = finished();
    let page = here.path("out/ones.html");
    put(&page);
    assert_refused(
        &ended(about(&here, "report", &spec, &[])),
        &["ones.html is not replaced", "-o"],
    );
    assert_eq!(fs::read_to_string(&page).expect("a text"), TEXT);
    fs::remove_file(&page).expect("a file");
    for _ in 0..2 {
        let ended = ended(about(&here, "report", &spec, &[]));
        assert_eq!(ended.status, Some(0), "{ended:?}");
    }
    let theirs = here.path("theirs.html");
    fs::rename(&page, &theirs).expect("a page");
    std::os::unix::fs::symlink(&theirs, &page).expect("a link");
    let before = fs::read(&theirs).expect("a page");
    assert_refused(
        &ended(about(&here, "report", &spec, &[])),
        &["it is a symbolic link"],
    );
    assert!(page.is_symlink() && fs::read(&theirs).expect("a page") == before);
}

/// A disk that is full from some operation on leaves the earlier file, or the whole new one.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_the_earlier_output() {
    let (here, spec) = finished();
    let whole: Vec<String> = WRITERS
        .iter()
        .map(|(command, arguments, _)| {
            let made = ended(about(
                &here,
                command,
                &spec,
                &[arguments, &["whole"][..]].concat(),
            ));
            assert_eq!(made.status, Some(0), "{made:?}");
            fs::read_to_string(here.path("whole")).expect("a text")
        })
        .collect();
    for ((command, arguments, _), whole) in WRITERS.into_iter().zip(whole) {
        for operation in 1..=4 {
            put(&here.path("page"));
            let mut command = about(&here, command, &spec, &[arguments, &["page"][..]].concat());
            command.env("SEEDBANK_FAULT", format!("enospc:{operation}"));
            let ended = ended(command);
            let said = [
                "page cannot be written: No space left on device",
                "make room on its disk",
            ];
            assert_refused(&ended, &said);
            let error = ended
                .stderr
                .lines()
                .find(|line| line.starts_with("error: "));
            assert!(
                !error.expect("an error").contains(".seedbank."),
                "{ended:?}"
            );
            let text = fs::read_to_string(here.path("page")).expect("a text");
            assert!(text == TEXT, "{operation}");
        }
        let mut command = about(&here, command, &spec, &[arguments, &["page"][..]].concat());
        command.env("SEEDBANK_FAULT", "enospc:5");
        assert_eq!(ended(command).status, Some(1));
        assert!(fs::read_to_string(here.path("page")).expect("a text") == whole);
    }
    let hidden = fs::read_dir(here.path(""))
        .expect("a folder")
        .filter(|entry| {
            entry
                .as_ref()
                .is_ok_and(|entry| entry.file_name().to_string_lossy().starts_with(".seedbank"))
        });
    assert_eq!(hidden.count(), 0);
    let man = |order: &str| {
        let mut man = seedbank(&["man", "pages"]);
        man.current_dir(here.path("")).env("SEEDBANK_FAULT", order);
        ended(man)
    };
    assert_eq!(man("").status, Some(0));
    let before = tree(&here.path("pages"));
    for operation in [1, 2, 7] {
        assert_refused(
            &man(&format!("enospc:{operation}")),
            &["cannot be written", "make room"],
        );
        assert!(tree(&here.path("pages")) == before);
    }
}

/// A limit on the size of files cuts a file off like a disk that fills up, without injected faults.
#[cfg(unix)]
#[test]
fn a_page_that_does_not_fit_leaves_the_earlier_page() {
    let (here, spec) = finished();
    put(&here.path("page.html"));
    let mut shell = std::process::Command::new("sh");
    shell.args([
        "-c",
        "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\" 2>&1 | cat",
    ]);
    shell
        .args([env!("CARGO_BIN_EXE_seedbank"), "report"])
        .arg(&spec);
    shell
        .args(["-o", "page.html", "--out"])
        .arg(here.path("out"));
    shell.current_dir(here.path(""));
    let ended = ended(shell);
    assert!(
        ended.stdout.contains("page.html cannot be written: "),
        "{ended:?}"
    );
    assert_eq!(
        fs::read_to_string(here.path("page.html")).expect("a text"),
        TEXT
    );
}

#[cfg(unix)]
#[test]
fn init_writes_through_no_link() {
    let here = Workspace::new();
    let init = || {
        let mut init = seedbank(&["init"]);
        init.current_dir(here.path(""));
        ended(init)
    };
    assert_eq!(init().status, Some(0));
    let spec = here.path("jobs/table-5.toml");
    fs::remove_file(&spec).expect("a spec");
    std::os::unix::fs::symlink(here.path("elsewhere"), &spec).expect("a link");
    assert_refused(&init(), &["table-5.toml cannot be written"]);
    assert!(!here.path("elsewhere").exists());
    fs::remove_file(&spec).expect("a link");
    let mut full = seedbank(&["init"]);
    full.current_dir(here.path(""))
        .env("SEEDBANK_FAULT", "enospc:2");
    assert_refused(
        &ended(full),
        &["table-5.toml cannot be written", "make room on its disk"],
    );
    assert!(!spec.exists());
    assert_eq!(init().status, Some(0));
}

#[cfg(unix)]
#[test]
fn lost_events_are_reported_once() {
    let (here, spec) = workspace();
    let ended = here.run(&spec, &["--log-json", "/dev/full"]);
    assert_eq!(ended.status, Some(0), "{ended:?}");
    let lost = ended
        .stderr
        .matches("events are missing in the log of --log-json: No space left");
    assert_eq!(lost.count(), 1, "{ended:?}");
}

#[test]
fn what_to_do_about_a_refused_folder_depends_on_the_cause() {
    let (here, spec) = workspace();
    let with = |order: &str| {
        let (here, spec) = workspace();
        let mut full = here.running(&spec, &[]);
        full.env("SEEDBANK_FAULT", order);
        ended(full)
    };
    let listed = with("list:0").stderr;
    let sites = listed.lines();
    let mut sites = sites.filter_map(|line| Some(line.split_once("durable operation: ")?.1));
    let parquet = sites.find(|site| site.starts_with("Write(") && site.contains("positions-"));
    let parquet = format!("enospc:1:{}", parquet.expect("a table is written"));
    // The first change of the disk, and the first write to a Parquet file.
    for order in ["enospc:1", &parquet] {
        let full = with(order);
        let remedy = "make room on its disk, or choose another folder";
        assert_refused(&full, &["No space left on device", remedy]);
        assert!(!full.stderr.contains("writable"), "{full:?}");
    }
    put(&here.path("afile"));
    let afile = here.path("afile").display().to_string();
    for option in ["--out", "--store"] {
        let ended = here.run(&spec, &[option, &afile]);
        let said = format!(
            "move the file away that is in the place of a folder, or choose another folder with {option}"
        );
        assert_refused(&ended, &[&said]);
        assert!(!ended.stderr.contains("writable"), "{ended:?}");
    }
    assert_eq!(fs::read_to_string(&afile).expect("a text"), TEXT);
}

/// The command that a message suggests has the folder that the user has named.
#[test]
fn suggested_runs_name_the_folder_of_results() {
    let (here, spec) = workspace();
    for command in [
        &["table"][..],
        &["report"],
        &["export", "--format", "csv"],
        &["check"],
    ] {
        let mut made = seedbank(command);
        made.arg(&spec)
            .args(["--out", "no where"])
            .current_dir(here.path(""));
        assert_refused(&ended(made), &["ones.toml --out 'no where'\" first"]);
    }
    let mut default = seedbank(&["table"]);
    default.arg(&spec).current_dir(here.path(""));
    assert_refused(&ended(default), &["ones.toml\" first"]);
    assert_eq!(here.run(&spec, &["--shard", "0/2"]).status, Some(0));
    let mut merge = about(&here, "merge", &spec, &["--store", "elsewhere"]);
    merge.env_remove("SEEDBANK_FAULT");
    let merge = ended(merge);
    let out = format!("--out {} --store elsewhere", here.path("out").display());
    assert!(merge.stderr.contains(&out), "{merge:?}");
}

#[test]
fn a_result_without_a_manifest_is_to_be_finished() {
    let (here, spec) = finished();
    fs::remove_file(here.path("out/ones/manifest.json")).expect("a manifest");
    let text = fs::read_to_string(&spec).expect("the spec") + "[mine]\nlaws = [\"values\"]\n";
    for text in [None, Some(text)] {
        if let Some(text) = text {
            fs::write(&spec, text).expect("the spec");
        }
        for command in ["report", "mine"] {
            let ended = ended(about(&here, command, &spec, &[]));
            assert_refused(
                &ended,
                &["out/ones has no manifest", "run the job again to finish it"],
            );
        }
    }
    assert_eq!(here.run(&spec, &[]).status, Some(0));
    assert_eq!(ended(about(&here, "report", &spec, &[])).status, Some(0));
}
