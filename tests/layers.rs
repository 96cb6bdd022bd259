//! Imports point down the layers, no files name each other in a circle, and only the command line
//! prints or ends the process.
//!
//! The compiler keeps the order of crates. In each crate, `lib.rs` lists the modules from the bottom
//! up. The checks read code without comments and tests.

mod declarations;
mod modules;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use modules::{Module, Modules, Uses, circles};

/// The crate whose modules are layers.
const LAYERED: &str = "src/pipeline";

/// The folder of the command line.
const CLI: &str = "src/cli";

/// Acts that only the command line may do.
const OUTWARD: [&str; 6] = [
    "println!",
    "eprintln!",
    "print!",
    "eprint!",
    "dbg!",
    "process::exit",
];

#[test]
fn imports_point_down_the_layers() {
    let wrong = wrong_imports(&Modules::read(&source(LAYERED), "lib.rs"));
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A file names an item of another if its code or its private imports do. `mod` and `pub use` are
/// no edges: a name that `pub use` exports counts as an item of the file that defines it.
#[test]
fn there_are_no_circles_of_files() {
    for (folder, root) in roots() {
        let modules = Modules::read(&source(&folder), root);
        let uses = modules.uses();
        let found: Vec<String> = circles(&uses)
            .iter()
            .map(|circle| circle_text(&uses, circle))
            .collect();
        assert!(found.is_empty(), "circles of files:\n{}", found.join("\n"));
    }
}

#[test]
fn only_the_command_line_prints_or_exits() {
    let mut wrong = Vec::new();
    for (folder, root) in roots() {
        if folder == CLI {
            continue;
        }
        for module in Modules::read(&source(&folder), root).iter() {
            let acts = outward_acts(module);
            wrong.extend(acts.map(|act| format!("{}: {act}", module.file)));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The checks above can fail: they notice a faulty file.
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
const LAST: crate::family::Subfamily = 0;
"#;
    let files = [
        (
            "lib.rs",
            "mod value; mod store; mod board; mod report; pub mod engine; mod job;",
        ),
        ("value.rs", ""),
        ("store.rs", "use crate::value;"),
        ("board/mod.rs", "mod row;"),
        ("board/row.rs", text),
        ("report.rs", ""),
        ("engine.rs", ""),
        ("job.rs", ""),
    ];
    let modules = package(&files);
    assert_eq!(
        wrong_imports(&modules),
        ["engine", "job", "report"].map(|used| format!("board/row.rs uses {used}"))
    );
    let module = modules.iter().find(|module| module.file == "board/row.rs");
    let module = module.expect("the file");
    let acts: Vec<String> = outward_acts(module).collect();
    assert_eq!(acts, ["eprintln!", "std::process::exit"]);
}

/// The check of circles can fail, too.
#[test]
fn a_circle_of_files_is_noticed() {
    let mut files = BTreeMap::from([
        ("lib.rs", "mod store; mod value;"),
        ("store.rs", "pub struct Store(crate::value::ValueId);"),
        (
            "value/mod.rs",
            "mod arena; mod error; mod order; mod text;
            pub use arena::{Arena, ValueId};
            pub(crate) use order::compare;
            pub const OPTIONS_MAX: u32 = 9;",
        ),
        (
            "value/arena.rs",
            "use super::error::ArenaError;
            pub struct ValueId(u32);
            pub struct Arena { forms: [ValueId; super::OPTIONS_MAX] }",
        ),
        (
            "value/order.rs",
            "use super::{Arena, ValueId as Id};
            pub(crate) fn compare(arena: &Arena, left: Id, right: Id) {}
            #[cfg(test)] mod tests { use crate::value::text::text; }",
        ),
        (
            "value/text.rs",
            r#"use std::fmt; use super::order::{self, compare};
            pub fn text() { let super_mod = "super::error"; order::compare(); }"#,
        ),
        ("value/error.rs", "pub enum ArenaError { Full }"),
    ]);
    let found = |files: &BTreeMap<&'static str, &'static str>| {
        let files: Vec<(&str, &str)> = files.iter().map(|(&file, &text)| (file, text)).collect();
        let modules = package(&files);
        let uses = modules.uses();
        let found = circles(&uses);
        found
            .iter()
            .map(|circle| circle_text(&uses, circle))
            .collect::<Vec<String>>()
    };
    assert!(found(&files).is_empty());

    // An exported name leads to the file that defines it.
    files.insert("value/error.rs", "pub struct ArenaError(super::ValueId);");
    assert_eq!(
        found(&files),
        ["value/arena.rs value/error.rs
    value/arena.rs names super::error::ArenaError of value/error.rs
    value/error.rs names super::ValueId of value/arena.rs
"]
    );
    // The parent's own items count, and so do the names in its own code.
    files.insert("value/error.rs", "pub enum ArenaError { Full }");
    files.insert(
        "value/mod.rs",
        "mod arena; mod error; mod order; mod text;
        pub use arena::{Arena, ValueId};
        pub(crate) use order::compare;
        pub const OPTIONS_MAX: u32 = 9;
        fn same() -> bool { text::text(); true }",
    );
    assert_eq!(
        found(&files),
        ["value/arena.rs value/mod.rs value/order.rs value/text.rs
    value/arena.rs names super::OPTIONS_MAX of value/mod.rs
    value/mod.rs names text::text of value/text.rs
    value/order.rs names super::Arena of value/arena.rs
    value/text.rs names super::order::compare of value/order.rs
"]
    );
}

/// Returns the source files below a folder: their paths and texts.
fn source(folder: &str) -> BTreeMap<String, String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut files = BTreeMap::new();
    let mut folders = vec![source.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a source folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).expect("a source file");
                let below = path.strip_prefix(&source).expect("a source file");
                files.insert(below.to_string_lossy().into_owned(), text);
            }
        }
    }
    files
}

/// Returns the modules of a package of a few files.
fn package(files: &[(&str, &str)]) -> Modules {
    let files = files
        .iter()
        .map(|&(file, text)| (file.to_owned(), text.to_owned()));
    Modules::read(&files.collect(), "lib.rs")
}

/// Returns the folder and the root of each crate of the workspace.
fn roots() -> Vec<(String, &'static str)> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let manifest = fs::read_to_string(manifest).expect("the manifest");
    let manifest: toml::Table = manifest.parse().expect("TOML");
    let members = manifest["workspace"]["members"].as_array().expect("a list");
    let folder = |member: &toml::Value| member.as_str().expect("a folder").to_owned();
    let libraries = members.iter().map(|member| (folder(member), "lib.rs"));
    libraries.chain([(CLI.to_owned(), "lib.rs")]).collect()
}

/// Returns the uses of modules that the root declares below the user's own.
fn wrong_imports(modules: &Modules) -> Vec<String> {
    let declared: Vec<&String> = modules
        .iter()
        .filter_map(|module| match module.path.as_slice() {
            [name] => Some(name),
            _ => None,
        })
        .collect();
    let layer = |name: &String| declared.iter().position(|declared| *declared == name);
    let mut wrong = Vec::new();
    for module in modules.iter() {
        let Some(own) = module.path.first().and_then(layer) else {
            continue;
        };
        let used = module.names_below_root().into_iter();
        let above = used.filter(|used| layer(&used.to_string()).is_some_and(|used| used > own));
        wrong.extend(above.map(|used| format!("{} uses {used}", module.file)));
    }
    wrong
}

/// Returns the acts of a module that only the command line may do.
fn outward_acts(module: &Module) -> impl Iterator<Item = String> {
    let is_outward = |path: &String| {
        let ends_with = |act: &&str| {
            path.strip_suffix(*act)
                .is_some_and(|before| before.is_empty() || before.ends_with("::"))
        };
        OUTWARD.iter().any(ends_with)
    };
    module.paths().filter(is_outward)
}

/// Returns the files of a circle, with an item of another file that each names.
fn circle_text(uses: &Uses, circle: &[&str]) -> String {
    let mut text = format!("{}\n", circle.join(" "));
    for file in circle {
        for (used, item) in &uses[file] {
            if circle.contains(used) {
                text.push_str(&format!("    {file} names {item} of {used}\n"));
            }
        }
    }
    text
}
