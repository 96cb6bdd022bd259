//! The meaning of a spec, and changes that do not affect it.

use std::fs;

use cggames::game::{Game, Play};

use super::strips::{Layout, StripTask, TableSpec};
use super::*;

fn parse(text: &str) -> Result<Job, JobError> {
    Job::parse(text, Path::new("jobs/x.toml"), Path::new("."))
}

const SPEC: &str = r#"# Starting positions.
name = "ones"
title = "Ones"
source = "Erickson 1996, Table 2"

[ruleset]
game = "sowing"
play = "partisan"

[family]
pattern = "1^n"
n = "1..=14"

[columns]
followers = true

[table]
layout = "sequences"
rows = "n"
"#;

#[test]
fn every_section_is_read() {
    let job = parse(SPEC).unwrap();
    let task: &StripTask = job.task_as().unwrap();
    assert_eq!(job.header.name, "ones");
    assert_eq!(job.header.title.as_deref(), Some("Ones"));
    assert_eq!(job.header.source.as_deref(), Some("Erickson 1996, Table 2"));
    assert_eq!((task.game, task.play), (Game::SOWING, Play::Partisan));
    assert_eq!(task.family.len(), 14);
    assert!(task.columns.followers);
    assert_eq!(
        task.table,
        Some(TableSpec {
            layout: Layout::Sequences {
                rows: "n".to_owned(),
                columns_per_row: 1
            },
            names: Vec::new()
        })
    );
    assert_eq!(job.header.path, Path::new("jobs/x.toml"));
    assert_eq!(job.header.text, SPEC);
}

#[test]
fn the_digest_is_of_the_meaning() {
    let digest = |text: &str| parse(text).unwrap().header.digest.to_string();
    let ones = digest(SPEC);
    assert_eq!(ones.to_string().len(), 64);
    for (from, to) in [
        ("# Starting positions.", ""),
        ("\"ones\"", "\"others\""),
        ("title = \"Ones\"", ""),
        ("1..=14", "1..15"),
        ("\"1^n\"", "' 1 ^n'"),
        ("\"sequences\"", "\"list\"\ncolumns_per_row = 2 #"),
    ] {
        let same = if to.contains("list") {
            SPEC.replace(from, to).replace("rows = \"n\"\n", "")
        } else {
            SPEC.replace(from, to)
        };
        assert_ne!(same, SPEC);
        assert_eq!(digest(&same), ones, "{to}");
    }
    for (from, to) in [
        ("partisan", "impartial"),
        ("1..=14", "1..=13"),
        ("1^n", "2^n"),
        ("followers = true", "followers = false"),
        ("followers = true", "followers = true\ndepth = true"),
        ("followers = true", "followers = true\nbranching = true"),
    ] {
        assert_ne!(digest(&SPEC.replace(from, to)), ones, "{to}");
    }
    let wari = SPEC.replace("\"sowing\"", "\"atomic-wari\"");
    let board = SPEC.replace("\"sowing\"", "\"atomic-wari\"\npots = 14");
    assert_ne!(digest(&wari), ones);
    assert_ne!(digest(&board), digest(&wari));
}

#[test]
fn the_digest_never_changes() {
    // Finished results are found by it: another wording would discard them all.
    assert_eq!(
        parse(SPEC).unwrap().header.digest.to_string(),
        "34531bb6d2fbdfdef7d2c09a8efd2547c762484057214342f7235284b5dfd468"
    );
}

#[test]
fn the_positions_of_a_file_are_part_of_the_meaning() {
    let folder = tempfile::tempdir().unwrap();
    let spec = SPEC
        .replace("pattern = \"1^n\"\nn = \"1..=14\"", "file = \"rows.txt\"")
        .replace("layout = \"sequences\"\nrows = \"n\"", "layout = \"list\"");
    let path = folder.path().join("x.toml");
    fs::write(&path, spec).unwrap();
    let digest = |rows: &str| {
        fs::write(folder.path().join("rows.txt"), rows).unwrap();
        Job::load(&path).unwrap().header.digest.to_string()
    };
    let two = digest("312\n11\n");
    assert_eq!(digest("# two\n3 1 2\n\n11"), two);
    assert_ne!(digest("312\n12\n"), two);
    let list = SPEC
        .replace(
            "pattern = \"1^n\"\nn = \"1..=14\"",
            "positions = [\"312\", \"11\"]",
        )
        .replace("layout = \"sequences\"\nrows = \"n\"", "layout = \"list\"");
    assert_eq!(parse(&list).unwrap().header.digest.to_string(), two);
}

#[test]
fn a_refusal_shows_the_line_and_what_is_accepted() {
    let error = parse(&SPEC.replace("n = \"1..=14\"", "m = \"1..=14\"")).unwrap_err();
    assert_eq!(
        error.to_string(),
        r#"error: family.pattern: the pattern's variable n has no range; write n = "1..=9"
  --> jobs/x.toml:11:11
   |
11 | pattern = "1^n"
   |           ^^^^^
   |
   = help: did you mean `n` where you wrote `m = ...`?

error: family.m: the pattern 1^n has no variable m
  --> jobs/x.toml:12:1
   |
12 | m = "1..=14"
   | ^
   |
   = help: did you mean `n`?"#
    );
}

#[test]
fn colours_are_for_terminals() {
    let error = parse("name = 1").unwrap_err();
    assert!(error.reports(true)[0].contains('\u{1b}'));
    assert!(!error.reports(false)[0].contains('\u{1b}'));
}

#[test]
fn an_unreadable_spec_is_named() {
    let error = Job::load(Path::new("no/such/job.toml")).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("cannot read job spec no/such/job.toml: "),
        "{error}"
    );
    assert!(error.problems().is_empty());
}
