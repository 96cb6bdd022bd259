//! Imports point down the layers, and only the command line prints or ends the process.
//!
//! What is checked is the code of the package without comments and tests.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Each module and the modules that it may use.
const LAYERS: [(&str, &[&str]); 14] = [
    ("value", &[]),
    ("board", &[]),
    ("game", &["board"]),
    ("durable", &[]),
    ("store", &["durable"]),
    ("dataset", &["durable"]),
    ("family", &["board", "game"]),
    ("job", &["board", "game", "family", "value"]),
    ("engine", &["value", "board", "game"]),
    ("report", &["value", "board", "game", "dataset", "family"]),
    (
        "run",
        &[
            "durable", "value", "board", "store", "dataset", "engine", "report",
        ],
    ),
    (
        "evaluate",
        &[
            "value", "board", "game", "store", "dataset", "family", "engine", "run",
        ],
    ),
    (
        "task",
        &[
            "value", "board", "game", "dataset", "family", "job", "engine", "report", "run",
            "evaluate",
        ],
    ),
    (
        "cli",
        &[
            "value", "board", "game", "store", "dataset", "family", "job", "engine", "report",
            "run", "evaluate", "task",
        ],
    ),
];

/// What only the command line may do.
const OUTWARD: [&str; 6] = [
    "println!",
    "eprintln!",
    "print!",
    "eprint!",
    "dbg!",
    "process::exit",
];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

#[test]
fn imports_point_down_the_layers() {
    let mut wrong = Vec::new();
    for (module, allowed) in LAYERS {
        let files = files(&source().join(module));
        assert!(!files.is_empty(), "{module}");
        for path in files {
            let code = code(&fs::read_to_string(&path).expect("a source file"));
            for used in modules_used(&code, depth(&path)) {
                if used != module && !allowed.contains(&used.as_str()) {
                    wrong.push(format!("{} uses {used}", path.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_module_has_its_layer() {
    let entries = fs::read_dir(source()).expect("the source folder");
    let found: BTreeSet<String> = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| {
            let root = path.ends_with("lib.rs") || path.ends_with("main.rs");
            let is_source = path.is_dir() || path.extension().is_some_and(|e| e == "rs");
            is_source && !root
        })
        .map(|path| {
            path.file_stem()
                .expect("a name")
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    let listed = LAYERS.map(|(module, _)| module.to_owned());
    assert_eq!(found, BTreeSet::from(listed));
}

#[test]
fn only_the_command_line_prints_or_exits() {
    let mut wrong = Vec::new();
    for path in files(&source()) {
        if path.starts_with(source().join("cli")) {
            continue;
        }
        let code = code(&fs::read_to_string(&path).expect("a source file"));
        for outward in outward_acts(&code) {
            wrong.push(format!("{}: {outward}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The checks above mean something: they see what they are to see.
#[test]
fn a_faulty_file_is_noticed() {
    let text = r#"
//! Uses crate::cli in words only.
use std::fmt;
use crate::engine::Engine;
use crate::{job, store::{Reader, Writer}, value};
fn f() -> crate::dataset::Digest {
    super::super::report::check();
    super::inner::println();
    eprintln!("about crate::game");
    std::process::exit(1)
}
#[cfg(test)]
mod fixture;
#[cfg(test)]
use crate::cli;
#[cfg(test)]
mod tests {
    use crate::run;
}
const LAST: crate::family::Part = 0;
"#;
    let code = code(text);
    let used: Vec<String> = modules_used(&code, 2).into_iter().collect();
    assert_eq!(
        used,
        [
            "dataset", "engine", "family", "job", "report", "store", "value"
        ]
    );
    assert_eq!(outward_acts(&code), ["eprintln!", "process::exit"]);
}

/// Returns the source files of a folder and the folders in it, without those that hold tests only.
fn files(dir: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut for_tests = Vec::new();
    let mut folders = vec![dir.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a source folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).expect("a source file");
                for_tests.extend(modules_for_tests(&text).map(|module| folder.join(module)));
                files.push(path);
            }
        }
    }
    files.retain(|path| {
        !for_tests
            .iter()
            .any(|module| path.starts_with(module) || path.with_extension("") == *module)
    });
    files.sort();
    files
}

/// Returns the modules in other files that a file declares for tests.
fn modules_for_tests(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().zip(text.lines().skip(1));
    lines
        .filter(|(attribute, _)| attribute.trim() == "#[cfg(test)]")
        .filter_map(|(_, item)| {
            let (_, module) = item.trim().strip_suffix(';')?.rsplit_once("mod ")?;
            Some(module)
        })
}

/// Returns how many modules are around the code of a file: 1 in `src/value/mod.rs`, 2 in `src/value/arena.rs`.
fn depth(path: &Path) -> usize {
    let below = path.strip_prefix(source()).expect("a source file");
    below.iter().count() - usize::from(below.ends_with("mod.rs"))
}

/// Returns the code of a file without comments, texts and what is for tests only.
fn code(text: &str) -> String {
    let mut code = String::new();
    // What follows #[cfg(test)] is skipped: to the closing brace at its own indentation, or to the semicolon.
    let mut skipped: Option<String> = None;
    for line in text.lines() {
        let indentation = &line[..line.len() - line.trim_start().len()];
        let statement = without_texts(line.split("//").next().unwrap_or_default());
        if let Some(end) = &skipped {
            let ends = line == format!("{end}}}")
                || (indentation == end && statement.trim_end().ends_with(';'));
            if ends {
                skipped = None;
            }
        } else if line.trim() == "#[cfg(test)]" {
            skipped = Some(indentation.to_owned());
        } else {
            code.push_str(&statement);
            code.push('\n');
        }
    }
    code
}

/// Returns a line with what stands between quotation marks left out.
fn without_texts(line: &str) -> String {
    let line = line.replace("\\\"", "").replace("'\"'", "");
    line.split('"').step_by(2).collect::<Vec<_>>().join("\"\"")
}

/// Returns the modules of the package that some code names, written at that depth.
fn modules_used(code: &str, depth: usize) -> BTreeSet<String> {
    let root = "super::".repeat(depth);
    let mut used = BTreeSet::new();
    for prefix in ["crate::", &root] {
        for (place, _) in code.match_indices(prefix) {
            let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':' || c == '$';
            if code[..place].ends_with(is_part) {
                continue;
            }
            let rest = &code[place + prefix.len()..];
            match rest.strip_prefix('{') {
                None => used.extend(name(rest)),
                Some(group) => used.extend(names_of_group(group)),
            }
        }
    }
    used
}

/// Returns the first name of each path in a group of imports.
fn names_of_group(group: &str) -> Vec<String> {
    let mut names: Vec<String> = name(group.trim_start()).into_iter().collect();
    let mut nested = 0;
    for (place, c) in group.char_indices() {
        match c {
            '{' => nested += 1,
            '}' if nested == 0 => break,
            '}' => nested -= 1,
            ',' if nested == 0 => names.extend(name(group[place + 1..].trim_start())),
            _ => {}
        }
    }
    names
}

/// Returns the name of a module that a path begins with.
fn name(path: &str) -> Option<String> {
    let end = path.find(|c: char| !(c.is_alphanumeric() || c == '_'));
    let name = &path[..end.unwrap_or(path.len())];
    let is_module = !name.is_empty() && name.chars().all(|c| c.is_lowercase() || c == '_');
    (is_module && name != "super").then(|| name.to_owned())
}

fn outward_acts(code: &str) -> Vec<&'static str> {
    let acts = |act: &&str| {
        code.match_indices(*act)
            .any(|(place, _)| !code[..place].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
    };
    OUTWARD.into_iter().filter(acts).collect()
}
