//! Tells release builds the commit that they are made from, for `seedbank --version`.
//!
//! `SEEDBANK_COMMIT` is the commit, with `-dirty` behind it where tracked files of the package differ from it. It is unset in a
//! source tree without one, and in builds of the dev profile: these would recompile the library after each commit.
//! A package made by `cargo package` names its commit in `.cargo_vcs_info.json`; a clone is asked with `git`.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The package file in which Cargo notes the commit.
const VCS_INFO: &str = ".cargo_vcs_info.json";

/// The digits of a commit that are shown.
const DIGITS: usize = 12;

/// The sources of the library. When one of these changes, the library is recompiled in any case.
const SOURCES: [&str; 3] = ["src", "Cargo.toml", "Cargo.lock"];

fn main() {
    println!("cargo::rerun-if-changed=scripts/build.rs");
    if env::var("PROFILE").is_ok_and(|profile| profile == "debug") {
        return;
    }
    if let Some(commit) = packaged().or_else(cloned) {
        println!("cargo::rustc-env=SEEDBANK_COMMIT={commit}");
    }
}

/// Returns the commit that a package of Cargo's names.
fn packaged() -> Option<String> {
    let info = fs::read_to_string(VCS_INFO).ok()?;
    println!("cargo::rerun-if-changed={VCS_INFO}");
    let (_, rest) = info.split_once("\"sha1\"")?;
    let commit = rest.split('"').nth(1)?.get(..DIGITS)?;
    let dirty = rest.contains("\"dirty\": true");
    commit
        .bytes()
        .all(|digit| digit.is_ascii_hexdigit())
        .then(|| marked(commit, dirty))
}

/// Returns the commit of the clone whose top is this folder. A source tree that lies in a clone of something else has none.
fn cloned() -> Option<String> {
    if !Path::new(".git").exists() {
        return None;
    }
    let commit = git(&["rev-parse", &format!("--short={DIGITS}"), "HEAD"])?;
    let dirty = !git(&[
        &["status", "--porcelain", "--untracked-files=no", "--"],
        &SOURCES[..],
    ]
    .concat())?
    .is_empty();
    // The log of HEAD changes with every commit and checkout; a clone without it has the branch's file, or packed ones.
    let branch = git(&["rev-parse", "--symbolic-full-name", "HEAD"])?;
    for name in ["HEAD", "logs/HEAD", &branch, "packed-refs"] {
        // A path that is missing would make Cargo run this every time.
        if let Some(path) =
            git(&["rev-parse", "--git-path", name]).filter(|path| Path::new(path).exists())
        {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    for source in SOURCES {
        println!("cargo::rerun-if-changed={source}");
    }
    Some(marked(&commit, dirty))
}

fn marked(commit: &str, dirty: bool) -> String {
    let mark = if dirty { "-dirty" } else { "" };
    format!("{commit}{mark}")
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
