//! Read-only folders and unreadable files: the error says so, and nothing is lost.

#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::workspace::{Ended, Workspace, ended, files_in};

/// The user id to whom permissions apply; tests that run as root act for this user.
const NOBODY: u32 = 65534;

/// A folder whose owner is subject to permissions.
struct Unprivileged {
    here: Workspace,
    program: PathBuf,
    is_root: bool,
}

impl Unprivileged {
    /// Returns a folder, or `None` if permissions apply to no user: root in a container may not be
    /// allowed to act for others.
    fn new() -> Option<Unprivileged> {
        let here = Workspace::new();
        let program = here.path("seedbank");
        let built = Path::new(env!("CARGO_BIN_EXE_seedbank"));
        if fs::hard_link(built, &program).is_err() {
            // Another process copies the file. The system starts no file that is open for writing,
            // and processes that other tests start at this moment could inherit it open.
            let copied = Command::new("cp").arg(built).arg(&program).status();
            assert!(copied.expect("cp starts").success());
        }
        let is_root = fs::metadata(here.path("")).expect("it is ours").uid() == 0;
        let unprivileged = Unprivileged {
            here,
            program,
            is_root,
        };
        let allowed = unprivileged.own("") && unprivileged.command(&["--version"]).output().is_ok();
        if !allowed {
            eprintln!("nothing is tested here: root may not act for others");
        }
        allowed.then_some(unprivileged)
    }

    /// Returns a folder with a finished job, under the same condition.
    fn finished() -> Option<Unprivileged> {
        let here = Unprivileged::new()?;
        here.spec();
        assert_eq!(here.run(RUN).status, Some(0));
        Some(here)
    }

    /// Makes [`NOBODY`] the owner of a folder; returns whether that is allowed.
    fn own(&self, folder: &str) -> bool {
        !self.is_root || chown(self.here.path(folder), Some(NOBODY), Some(NOBODY)).is_ok()
    }

    /// Returns a command in this folder.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(arguments).env_remove("SEEDBANK_LOG");
        command.current_dir(self.here.path(""));
        if self.is_root {
            command.uid(NOBODY).gid(NOBODY);
        }
        command
    }

    fn run(&self, arguments: &[&str]) -> Ended {
        ended(self.command(arguments))
    }

    fn spec(&self) {
        let family = "pattern = \"1^n 2\"\nn = \"1..=5\"";
        self.here.spec("ones", "sowing", "partisan", family);
    }

    fn allow(&self, path: &str, mode: u32) {
        let path = self.here.path(path);
        fs::set_permissions(&path, Permissions::from_mode(mode)).expect("it is there");
    }

    /// Returns the contents of the files of results and store, except the lock.
    fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut folders = vec![self.here.path("data")];
        let mut files = BTreeMap::new();
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                // A lock holds the process id of the last writer.
                let is_lock = path
                    .extension()
                    .is_some_and(|extension| extension == "lock");
                match path.is_dir() {
                    true => folders.push(path),
                    false if is_lock => _ = files.insert(path, Vec::new()),
                    false => _ = files.insert(path.clone(), fs::read(path).expect("a file")),
                }
            }
        }
        files
    }
}

const RUN: &[&str] = &["run", "ones.toml", "--threads", "1"];

#[test]
fn read_only_folders_are_errors_and_nothing_is_lost() {
    let Some(whole) = Unprivileged::finished() else {
        return;
    };
    let expected = whole.here.result("data/results", "ones");
    for blocked in ["data", "data/results", "data/store"] {
        let here = Unprivileged::new().expect("there was one before");
        here.spec();
        for folder in ["data", "data/results", "data/store"] {
            fs::create_dir(here.here.path(folder)).expect("it is ours");
            assert!(here.own(folder));
        }
        if blocked == "data" {
            fs::remove_dir(here.here.path("data/results")).expect("it is empty");
        }
        here.allow(blocked, 0o555);
        let refused = here.run(RUN);
        assert_eq!(refused.status, Some(1), "{refused:?}");
        let told = refused.stderr.contains(blocked);
        assert!(
            told && refused.stderr.contains("Permission denied"),
            "{refused:?}"
        );
        let option = match blocked {
            "data/results" => "another folder with --out\n",
            "data/store" => "another folder with --store\n",
            _ => "another folder with --out",
        };
        assert!(refused.stderr.contains(option), "{refused:?}");
        here.allow(blocked, 0o755);
        let finished = here.run(RUN);
        assert_eq!(finished.status, Some(0), "{finished:?}");
        assert!(here.here.result("data/results", "ones") == expected);
    }
}

#[test]
fn reading_needs_only_read_permission() {
    let Some(here) = Unprivileged::finished() else {
        return;
    };
    let files = here.files();
    let mut folders: Vec<PathBuf> = files
        .keys()
        .flat_map(|path| path.ancestors().skip(1))
        .filter(|path| path.starts_with(here.here.path("data")))
        .map(Path::to_owned)
        .collect();
    folders.push(here.here.path("data/store/tmp"));
    let allow = |mode| {
        for path in &folders {
            fs::set_permissions(path, Permissions::from_mode(mode)).expect("it is there");
        }
    };
    allow(0o555);
    for command in [
        RUN,
        &["table", "ones.toml"],
        &["status", "ones.toml", "--verify"],
        &["store", "stat"],
        &["store", "verify", "--deep"],
    ] {
        let read = here.run(command);
        assert_eq!(read.status, Some(0), "{command:?}: {read:?}");
    }
    allow(0o755);
    assert!(here.files() == files);
}

/// An unreadable file may be whole: it is not called damaged, and nothing removes it.
#[test]
fn unreadable_files_are_errors_and_stay() {
    let Some(here) = Unprivileged::finished() else {
        return;
    };
    let files = here.files();
    let segment = files_in(&here.here.path("data/store/segments")).remove(0);
    for path in files.keys() {
        let name = path.strip_prefix(here.here.path("")).expect("it is there");
        let name = name.to_str().expect("plain names");
        here.allow(name, 0o000);
        for command in [
            RUN,
            &["status", "ones.toml", "--verify"],
            &["store", "stat"],
            &["store", "verify"],
            &["store", "repair"],
        ] {
            let ended = here.run(command);
            let known = ended.status == Some(0) || ended.status == Some(1);
            assert!(known, "{name}: {command:?}: {ended:?}");
            assert!(
                !ended.stderr.contains("damaged") && !ended.stdout.contains(": damaged"),
                "{name}: {command:?}: {ended:?}"
            );
            if ended.status == Some(1) {
                let told = format!("{}{}", ended.stdout, ended.stderr);
                assert!(
                    told.contains(name) && told.contains("Permission denied"),
                    "{name}: {command:?}: {ended:?}"
                );
            }
            if *path == segment && command[0] == "store" {
                assert_eq!(ended.status, Some(1), "{command:?}: {ended:?}");
            }
        }
        here.allow(name, 0o644);
        assert!(
            here.files().get(path) == files.get(path),
            "{name} is not what it was"
        );
    }
    assert!(here.files() == files);
}

/// Job specs below a folder that cannot be read are not passed over.
#[test]
fn a_folder_of_specs_that_cannot_be_read_is_an_error() {
    let Some(here) = Unprivileged::new() else {
        return;
    };
    fs::create_dir_all(here.here.path("jobs/deep/closed")).expect("the folder is ours");
    here.here
        .spec("jobs/ones", "sowing", "partisan", "pattern = \"1\"");
    let commands = [
        &["jobs", "list"][..],
        &["jobs", "list", "jobs/deep"],
        &["plan", "twos"],
    ];
    here.allow("jobs/deep/closed", 0o000);
    for arguments in commands {
        let refused = here.run(arguments);
        assert_eq!(
            (refused.status, &*refused.stdout),
            (Some(2), ""),
            "{refused:?}"
        );
        let expected = "jobs/deep/closed cannot be read: Permission denied (os error 13); name the job specs, or go to the folder \
                        that holds jobs/";
        assert!(
            refused.stderr.contains(expected),
            "{arguments:?}: {refused:?}"
        );
    }
    here.allow("jobs/deep/closed", 0o755);
}
