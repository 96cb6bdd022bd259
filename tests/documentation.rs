//! The commands in the documentation print the lines shown below them.
//!
//! A test follows each page from the top of the repository, in a folder of its own, as a reader
//! would. It runs every line `$ command` in a block of code in the shell there, and compares the
//! output with the lines below it. The job specs of the page lie in that folder under their names.
//! Lines with times, rates or memory are compared without their numbers; a line `...` stands for
//! any number of lines. Blocks with a second word, `console slow` and `console long`, are left to `scripts/findings`.

#![cfg(unix)]

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::common::python::package;

/// Texts of lines whose numbers depend on the machine.
const MEASURED: [&str; 5] = [
    " a second, ",
    " memory)",
    "on disk about",
    " of memory, ",
    "  unfinished  ",
];

/// Texts of commands that take minutes in the dev profile; `SEEDBANK_DOCUMENTATION=all` runs them,
/// too.
const LONG: [&str; 1] = ["sowing-impartial-pots-9"];

/// A command of a page and the lines shown below it.
struct Shown {
    line: usize,
    command: String,
    output: Vec<String>,
}

impl Shown {
    fn new(line: usize, command: &str) -> Shown {
        Shown {
            line,
            command: command.to_owned(),
            output: Vec::new(),
        }
    }
}

fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the commands and the Python scripts of a page, in order. The output of a script is the
/// block of text that follows it, if there is one.
fn commands(text: &str) -> Vec<Shown> {
    let mut shown: Vec<Shown> = Vec::new();
    let mut block = None;
    // Whether lines of a block are the output of the last command.
    let mut open = false;
    let mut after_script = false;
    for (line, content) in (1..).zip(text.lines()) {
        if let Some(language) = content.strip_prefix("```") {
            block = match block {
                Some(language) => {
                    after_script = language == "python";
                    None
                }
                None => Some(language),
            };
            open = after_script && block == Some("text");
            if block == Some("python") {
                shown.push(Shown::new(line, "python - <<'END'\n"));
            }
        } else if block == Some("python")
            && let Some(script) = shown.last_mut()
        {
            script.command.push_str(content);
            script.command.push('\n');
        } else if let Some(command) = content
            .strip_prefix("$ ")
            .filter(|_| block.is_some_and(|language| !language.contains(' ')))
        {
            open = true;
            shown.push(Shown::new(line, command));
        } else if open && let Some(last) = shown.last_mut() {
            last.output.push(content.trim_end().to_owned());
        } else if !content.is_empty() && block.is_none() {
            after_script = false;
        }
    }
    for command in &mut shown {
        if command.command.starts_with("python - <<") {
            command.command.push_str("END");
            if command.output.is_empty() {
                command.output.push("...".to_owned());
            }
        }
        // A blank line before the next command belongs to the page.
        while command.output.last().is_some_and(String::is_empty) {
            command.output.pop();
        }
    }
    shown
}

/// Writes the job specs of a page into a folder, each under its name.
fn write_specs(text: &str, folder: &Path) {
    let blocks = text.split("```toml\n").skip(1);
    for spec in blocks.filter_map(|rest| rest.split_once("```").map(|(spec, _)| spec)) {
        let name = spec.lines().find_map(|line| line.strip_prefix("name = "));
        if let Some(name) = name {
            let file = format!("{}.toml", name.trim_matches('"'));
            fs::write(folder.join(file), spec).expect("the folder is ours");
        }
    }
}

/// Returns a line unchanged, or without numbers and units if it is a measured line.
fn comparable(line: &str) -> String {
    if !MEASURED.iter().any(|mark| line.contains(mark)) {
        return line.trim_end().to_owned();
    }
    line.split_whitespace()
        .filter(|word| {
            let word = word.trim_start_matches('(');
            !word.starts_with(|c: char| c.is_ascii_digit())
        })
        .filter(|word| {
            !matches!(
                word.trim_end_matches([',', ')']),
                "B" | "KiB" | "MiB" | "GiB"
            )
        })
        .collect::<Vec<_>>()
        .join(" ")
}

/// Returns the lines to compare. The number of progress lines depends on the machine.
fn lines<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<String> {
    let lines = lines.filter(|line| !line.starts_with(" INFO "));
    lines.map(comparable).collect()
}

/// Returns whether the lines found are those shown; `...` stands for any number of lines.
fn agree(shown: &[String], found: &[String]) -> bool {
    match shown.split_first() {
        None => found.is_empty(),
        Some((first, rest)) if first == "..." => {
            (0..=found.len()).any(|skipped| agree(rest, &found[skipped..]))
        }
        Some((first, rest)) => found
            .split_first()
            .is_some_and(|(line, after)| first == line && agree(rest, after)),
    }
}

/// Makes a folder like the top of the repository.
fn clone() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a temporary directory");
    fs::create_dir(dir.path().join("data")).expect("the folder is ours");
    for name in ["jobs", "scripts", "data/proofs", "data/reference"] {
        let link = dir.path().join(name);
        std::os::unix::fs::symlink(repository().join(name), link).expect("the folder is ours");
    }
    dir
}

/// Returns the text of a page.
fn text(page: &str) -> String {
    fs::read_to_string(repository().join(page)).expect("the page is there")
}

/// Runs the commands of a page, and compares what they print with what it shows.
fn follow(page: &str) {
    let text = text(page);
    let program = Path::new(env!("CARGO_BIN_EXE_seedbank"));
    let folder = program.parent().expect("the program is in a folder");
    let python = env::var_os("SEEDBANK_PYTHON").map(PathBuf::from);
    let python = python.and_then(|python| python.parent().map(Path::to_owned));
    let path = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths(
        [folder.to_owned()]
            .into_iter()
            .chain(python)
            .chain(env::split_paths(&path)),
    );
    let path = path.expect("no folder of the path has a colon in its name");
    let all = env::var_os("SEEDBANK_DOCUMENTATION").is_some_and(|which| which == "all");
    let here = clone();
    write_specs(&text, here.path());
    let mut differences = Vec::new();
    for shown in commands(&text) {
        if !all && LONG.iter().any(|name| shown.command.contains(name)) {
            continue;
        }
        // The program is built already.
        let command = shown.command.replace("cargo run --release --", "seedbank");
        let output = Command::new("sh")
            .args(["-c", &format!("{{ {command}\n}} 2>&1")])
            .current_dir(here.path())
            .env("PATH", &path)
            .env("PYTHONPATH", package())
            .env_remove("SEEDBANK_LOG")
            .stdin(Stdio::null())
            .output()
            .expect("the shell starts");
        let found = String::from_utf8_lossy(&output.stdout).into_owned();
        let found = lines(found.trim_end().lines());
        let expected = lines(shown.output.iter().map(String::as_str));
        if !agree(&expected, &found) {
            differences.push(format!(
                "{page}:{}: $ {}\nshows\n  {}\nprints\n  {}\n",
                shown.line,
                shown.command,
                expected.join("\n  "),
                found.join("\n  ")
            ));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// Makes a test for each page that has commands.
macro_rules! followed {
    ($($test:ident: $page:literal,)+) => {
        const FOLLOWED: &[&str] = &[$($page),+];
        $(
            #[test]
            fn $test() {
                follow($page);
            }
        )+
    };
}

followed! {
    the_front_page: "README.md",
    data: "data/README.md",
    proofs: "data/proofs/README.md",
    findings: "data/reference/FINDINGS.md",
    jobs: "jobs/README.md",
    long_runs: "jobs/extended/README.md",
    graphs: "jobs/graphs/README.md",
    heaps: "jobs/heaps/README.md",
    laws: "jobs/mine/README.md",
    own_games: "jobs/moves/README.md",
    scores: "jobs/scores/README.md",
    tchoukaillon: "jobs/tchoukaillon/README.md",
    witnesses: "jobs/witness/README.md",
    scripts: "scripts/README.md",
    cli: "src/cli/README.md",
    python: "src/python/README.md",
}

/// Adds the pages below a folder of the repository, by their paths from its top.
fn add_pages(folder: &Path, pages: &mut Vec<String>) {
    for entry in fs::read_dir(repository().join(folder)).expect("the folder is there") {
        let entry = entry.expect("the folder can be read");
        let name = entry.file_name().into_string().expect("the name is UTF-8");
        let path = folder.join(&name);
        let is_made = ["target", "results", "store"].contains(&name.as_str());
        let is_hidden = name.starts_with('.') && name != ".github";
        if entry.path().is_dir() && !is_made && !is_hidden {
            add_pages(&path, pages);
        } else if name.ends_with(".md") {
            pages.push(path.to_str().expect("the path is UTF-8").to_owned());
        }
    }
}

/// Returns all pages of the repository, by their paths from its top.
fn pages() -> Vec<String> {
    let mut pages = Vec::new();
    add_pages(Path::new(""), &mut pages);
    pages.sort();
    pages
}

#[test]
fn every_page_with_commands_is_followed() {
    let number = |page: &String| commands(&text(page)).len();
    let mut pages = pages();
    let total: usize = pages.iter().map(number).sum();
    assert!(total >= 40, "the pages have {total} commands");
    pages.retain(|page| number(page) > 0);
    assert_eq!(pages, FOLLOWED);
}

/// Returns the anchor that a heading of a page has.
fn anchor(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = (text.chars()).filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// Returns the lines of a page that are not code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut in_block = false;
    text.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        in_block ^= fence;
        !fence && !in_block
    })
}

#[test]
fn links_between_pages_lead_somewhere() {
    let mut links = 0;
    for page in pages() {
        let path = repository().join(&page);
        let text = fs::read_to_string(&path).expect("the page is there");
        for line in prose(&text) {
            for target in line.split("](").skip(1) {
                let (target, _) = target.split_once(')').expect("a link ends on its line");
                if target.starts_with("http") {
                    continue;
                }
                links += 1;
                let (file, fragment) = target.split_once('#').unwrap_or((target, ""));
                let folder = path.parent().expect("a page is in a folder");
                let leads_to = if file.is_empty() {
                    path.clone()
                } else {
                    folder.join(file)
                };
                assert!(leads_to.exists(), "{page}: {target}");
                if !fragment.is_empty() {
                    let there = fs::read_to_string(&leads_to).expect("it is a page");
                    let mut headings = prose(&there).filter(|line| line.starts_with('#'));
                    assert!(
                        headings.any(|heading| anchor(heading) == fragment),
                        "{page}: {target}"
                    );
                }
            }
        }
    }
    assert!(links >= 50, "{links} links");
}

#[test]
fn the_front_page_is_short() {
    let lines = text("README.md").lines().count();
    assert!(
        lines <= 150,
        "README.md has {lines} lines; a page for its reader is the place for more"
    );
}

#[test]
fn the_version_is_the_same_everywhere() {
    let version = env!("CARGO_PKG_VERSION");
    for (file, line) in [
        ("CITATION.cff", format!("version: {version}\n")),
        ("CHANGELOG.md", format!("\n## {version},")),
    ] {
        assert!(text(file).contains(&line), "{file}: {line:?}");
    }
}

#[test]
fn a_page_with_other_lines_fails() {
    let page = "```console\n$ printf 'a\\nb\\n'\na\nb\n\n$ true\n```\n$ false\n";
    let shown = commands(page);
    assert_eq!(shown.len(), 2);
    assert_eq!(
        (shown[0].line, &*shown[0].command),
        (2, "printf 'a\\nb\\n'")
    );
    assert_eq!(shown[0].output, ["a", "b"]);
    assert!(shown[1].output.is_empty());
    let script = commands("```python\nprint(1)\n```\n\n```text\n1\n```\n");
    assert_eq!(script[0].command, "python - <<'END'\nprint(1)\nEND");
    assert_eq!(script[0].output, ["1"]);
    let alone = commands("```python\n1\n```\nThen\n```text\n1\n```\n");
    assert_eq!(alone[0].output, ["..."]);
    assert!(commands("```console slow\n$ false\n```\n").is_empty());
    let lines = |text: &str| lines(text.lines());
    assert!(agree(&lines("a\n...\nd"), &lines("a\nb\nc\nd")));
    assert!(agree(&lines("..."), &[]));
    assert!(!agree(&lines("a\n...\nd"), &lines("a\nb\nc")));
    assert!(!agree(&lines("a"), &lines("a\nb")));
    let rate = |rows: u32, rate: &str| {
        lines(&format!(
            "ones: finished, {rows} rows in 0.1 s ({rate} a second, 3.5 MiB memory)"
        ))
    };
    assert!(agree(&rate(100, "5"), &rate(100, "70")));
    assert!(!agree(&lines("rows 5"), &lines("rows 6")));
}
