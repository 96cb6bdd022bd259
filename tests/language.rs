//! Phrases that the project's prose avoids: in source, tests, scripts, job specs and pages.
//!
//! A phrase counts as whole words, in any case; within an identifier such as `was_told_to` it does
//! not count. A phrase that a line break divides is found too.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const BANNED: [&str; 11] = [
    "so many",
    "is told",
    "told to",
    "asked for",
    "cut short",
    "goes on",
    "anew",
    "keeper",
    "look-up",
    "on end",
    "what was kept",
];

/// The files and folders that are searched. Of `data`, only pages are.
const ROOTS: [&str; 7] = [
    "src",
    "tests",
    "scripts",
    "jobs",
    "data",
    "README.md",
    "CHANGELOG.md",
];

/// Folders of output and of downloaded files, and this file, which lists the phrases.
const SKIPPED: [&str; 5] = [
    "tests/golden",
    "tests/language.rs",
    "scripts/fuzz/target",
    "data/results",
    "data/store",
];

/// The kinds of files that hold prose; programs in `scripts` have no ending.
const ENDINGS: [&str; 8] = ["rs", "md", "toml", "py", "sh", "sbatch", "json", "txt"];

#[test]
fn no_line_has_a_banned_phrase() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for path in files(root) {
        let Ok(text) = fs::read_to_string(root.join(&path)) else {
            continue;
        };
        let name = path.to_str().expect("names in the repository are UTF-8");
        for (line, phrase) in banned(&text) {
            found.push(format!("{name}:{line}: {phrase:?}"));
        }
    }
    assert!(
        found.is_empty(),
        "write these in other words:\n{}",
        found.join("\n")
    );
}

/// Without this, a walk that misses the files would pass.
#[test]
fn all_kinds_of_files_are_searched() {
    let files = files(Path::new(env!("CARGO_MANIFEST_DIR")));
    for name in [
        "src/lib.rs",
        "src/README.md",
        "tests/main.rs",
        "scripts/setup",
        "jobs/table-5.toml",
        "data/reference/README.md",
        "README.md",
        "CHANGELOG.md",
    ] {
        assert!(files.contains(Path::new(name)), "{name}");
    }
    assert!(!files.contains(Path::new("tests/language.rs")));
}

#[test]
fn whole_words_are_found_in_any_case_and_across_lines() {
    assert_eq!(banned("/// Sweeps so many levels."), [(1, "so many")]);
    assert_eq!(banned("\n// Anew, then.\n"), [(2, "anew")]);
    assert_eq!(
        banned("//! A command is\n//! told how it ended."),
        [(1, "is told")]
    );
    assert_eq!(
        banned("The keeper goes on."),
        [(1, "goes on"), (1, "keeper")]
    );
    for clean in [
        "let was_told_to = keepers;",
        "fn keeper_of(is_told: bool)",
        "A path depends on endings.",
    ] {
        assert!(banned(clean).is_empty(), "{clean}");
    }
}

/// Returns the banned phrases of a text, with the lines that they begin in, from 1.
fn banned(text: &str) -> Vec<(usize, &'static str)> {
    let lines = text.lines().map(prose).collect::<Vec<_>>();
    let mut found = Vec::new();
    for (place, line) in lines.iter().enumerate() {
        let next = lines.get(place + 1).map_or("", String::as_str);
        let both = format!("{line} {next}");
        for phrase in BANNED {
            if has(&both, line.len(), phrase) {
                found.push((place + 1, phrase));
            }
        }
    }
    found
}

/// Returns a line in lower case, without blanks and comment marks around it.
fn prose(line: &str) -> String {
    line.trim_matches(|c: char| c.is_whitespace() || "/!#".contains(c))
        .to_lowercase()
}

/// Returns whether a text has a phrase as whole words that begin before `before`.
fn has(text: &str, before: usize, phrase: &str) -> bool {
    let in_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(phrase).any(|(from, _)| {
        from < before
            && !text[..from].ends_with(in_word)
            && !text[from + phrase.len()..].starts_with(in_word)
    })
}

/// Returns the files that are searched, relative to the repository.
fn files(root: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    let mut waiting = ROOTS.map(PathBuf::from).to_vec();
    while let Some(path) = waiting.pop() {
        if SKIPPED.iter().any(|skipped| path == Path::new(skipped)) {
            continue;
        }
        let whole = root.join(&path);
        if whole.is_dir() {
            let entries = fs::read_dir(&whole).expect("the folder can be read");
            waiting.extend(entries.map(|entry| {
                let entry = entry.expect("the folder can be read");
                path.join(entry.file_name())
            }));
        } else if has_prose(&path) {
            found.insert(path);
        }
    }
    found
}

fn has_prose(path: &Path) -> bool {
    let ending = path.extension().map(|e| e.to_string_lossy().into_owned());
    match ending.as_deref() {
        _ if path.starts_with("data") => ending.as_deref() == Some("md"),
        None => true,
        Some(ending) => ENDINGS.contains(&ending),
    }
}
