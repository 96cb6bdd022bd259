//! `scripts/bench-compare`: which arguments it refuses, and that it distinguishes wrong values from
//! slow ones.
//!
//! The two versions compared are small programs that the test writes, so that nothing is built.

use std::fs;
use std::path::Path;
use std::process::Command;

use assert_cmd::assert::OutputAssertExt;
use predicates::prelude::*;
use predicates::str::contains;

use tempfile::TempDir;

const VALUE: &str = "1^11 = +-{1/8||^3|*}";

fn compare(arguments: &[&str]) -> Command {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut command = Command::new(root.join("scripts/bench-compare"));
    command.current_dir(root).args(arguments);
    command
}

/// Compares two programs that are called like seedbank and run these scripts.
fn compare_programs(old: &str, new: &str) -> assert_cmd::assert::Assert {
    let dir = TempDir::new().expect("a temporary directory");
    let [old, new] = [("old", old), ("new", new)].map(|(name, does)| program(&dir, name, does));
    compare(&[&old, &new, "sowing-1^11", "--rounds", "3"]).assert()
}

/// Writes a program and returns its path.
///
/// Another process writes the file. The system starts no file that is open for writing, and a
/// process that another test starts at this moment inherits the files open in this one.
fn program(dir: &TempDir, name: &str, does: &str) -> String {
    let (text, path) = (dir.path().join("text"), dir.path().join(name));
    fs::write(&text, format!("#!/bin/sh\n{does}\n")).expect("the folder is ours to write to");
    let mut install = Command::new("install");
    install.args([&text, &path]).assert().success();
    path.to_str().expect("a path of letters").to_owned()
}

fn prints(line: &str) -> String {
    format!("echo '{line}'")
}

#[test]
fn programs_with_equal_output_are_timed() {
    compare_programs(&prints(VALUE), &prints(VALUE))
        .success()
        .stdout(contains("\nsowing-1^11 ").and(contains("WRONG").not()))
        .stderr(contains("measured sowing-1^11: 3 rounds"));
}

#[test]
fn different_values_are_reported_and_fail() {
    compare_programs(&prints(VALUE), &prints("1^11 = *"))
        .code(1)
        .stdout(contains(
            "WRONG: sowing-1^11: the two print different values",
        ))
        .stdout(contains(format!("old: '{VALUE}'\n  new: '1^11 = *'")));
    // A program that prints more than the other fails as well.
    compare_programs(&prints(VALUE), &format!("echo first; {}", prints(VALUE)))
        .code(1)
        .stdout(contains("old: '1^11 = +-{1/8||^3|*}'\n  new: 'first'"));
}

#[test]
fn a_value_wrong_in_both_is_reported_and_fails() {
    compare_programs(&prints("1^11 = *"), &prints("1^11 = *"))
        .code(1)
        .stdout(contains("expected the value +-{1/8||^3|*}"));
}

#[test]
fn a_failing_program_is_reported_with_its_message() {
    compare_programs(&prints(VALUE), "echo 'no such option' >&2; exit 2")
        .code(1)
        .stdout(contains("sowing-1^11  ").not())
        .stderr(contains("ended with status 2: no such option"));
}

#[test]
fn wrong_arguments_are_refused() {
    let refused = |arguments: &[&str], words: &str| {
        let stderr = contains(words).and(contains("Traceback").not());
        compare(arguments)
            .assert()
            .code(2)
            .stdout("")
            .stderr(stderr);
    };
    refused(&["."], "the following arguments are required: NEW");
    refused(
        &[".", "no-such-commit"],
        "\"no-such-commit\" is no commit here",
    );
    refused(
        &["./no-such-binary", "."],
        "\"./no-such-binary\" is no executable file",
    );
    refused(
        &[".", ".", "1^99"],
        "no workload has \"1^99\" in its name; there are sowing-1^11,",
    );
    refused(
        &[".", ".", "--rounds", "0"],
        "expected a positive integer, found '0'",
    );
}
