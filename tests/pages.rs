//! Pages for finished results, looked at in a headless Chromium by `scripts/look_at_pages.py`.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::workspace::{Workspace, ended, seedbank};

/// A job: its name, its game, and the rest of its spec.
pub(crate) type Spec = (&'static str, &'static str, &'static str);

/// A small job of each kind.
pub(crate) const JOBS: [Spec; 15] = [
    (
        "grid",
        "atomic-wari",
        "play = \"partisan\"\n[family]\npattern = \"x y\"\nx = \"1..=4\"\ny = \"1..=4\"\n\
         [table]\nlayout = \"grid\"\nrows = \"x\"\ncolumns = \"y\"",
    ),
    (
        "ones",
        "sowing",
        "play = \"partisan\"\n[family]\npattern = \"1^n\"\nn = \"1..=9\"\n[table]\nlayout = \"list\"",
    ),
    (
        // The value of 131313132 has more than 4,096 characters.
        "long",
        "sowing",
        "play = \"partisan\"\n[family]\npattern = \"(13)^n 2\"\nn = \"1..=4\"\n[table]\nlayout = \"list\"\ncolumns_per_row = 2",
    ),
    (
        "nimbers",
        "sowing",
        "play = \"impartial\"\n[family]\nall = { pots_max = 4 }\n[table]\nlayout = \"list\"",
    ),
    (
        "census",
        "sowing",
        "play = \"impartial\"\n[family]\nall = { pots_max = 6, order = \"pots\" }\n\
         [witness]\neach = \"nim_value\"\nfewest = \"pots\"",
    ),
    (
        "kayles",
        "octal",
        "code = \"0.77\"\n[family]\nheaps = \"0..=300\"",
    ),
    (
        "codes",
        "octal",
        "[family]\ncodes = { digits = 2, max_digit = 3 }\nheaps_max = 512\n[table]\nlayout = \"summary\"",
    ),
    ("lengths", "tchoukaillon", "[family]\nlengths = \"1..=500\""),
    ("boards", "tchoukaillon", "[family]\nboards = \"0..=40\""),
    (
        "array",
        "tchoukaillon",
        "[family]\narray = { rows = \"1..=3\", columns = \"1..=40\" }\n[table]\nlayout = \"grid\"",
    ),
    (
        "pairs",
        "tchoukaillon",
        "[family]\nreconstructions = { numbering = \"beta\", bin_max = 4, fixed = 2 }",
    ),
    (
        "graphs",
        "sowing-graph",
        "[family]\ngraphs = [\"path(1..=6)\", \"cycle(2..=3)\"]\ntotal_max = 50",
    ),
    (
        "kalah",
        "kalah",
        "capture = \"empty\"\n[family]\nstarts = { pits = \"1..=2\", seeds = \"1..=3\" }\n\
         [table]\nlayout = \"grid\"",
    ),
    (
        "knights",
        "obligated",
        "[family]\nsum = \"knight(i,j)\"\ni = \"0..=4\"\nj = \"0..=4\"",
    ),
    (
        "rings",
        "tchuka-ruma",
        "[family]\nstarts = { pits = \"1..=3\", stones = \"1..=4\" }\n[table]\nlayout = \"grid\"",
    ),
];

/// Texts that the pages of some of these jobs have, and the page of all.
const TEXTS: [(&str, &[&str]); 6] = [
    (
        "grid",
        &["temperature", "atomic-wari", "positions by outcome"],
    ),
    ("kayles", &["period 12 from heap 71 on"]),
    ("lengths", &["N(l) and l²/π"]),
    (
        "census",
        &["positions by pots and seeds", "greatest nim-value"],
    ),
    (
        "ones",
        &["stops and mean along n", "forms along n", "Along n"],
    ),
    ("all", &["15 results"]),
];

/// Writes a page and returns its path.
fn page(workspace: &Workspace, specs: &[&Path], name: &str) -> PathBuf {
    let path = workspace.path(name);
    let mut command = seedbank(&["report"]);
    command.args(specs).arg("-o").arg(&path);
    command.arg("--out").arg(workspace.path("out"));
    let ended = ended(command);
    assert_eq!(ended.status, Some(0), "{ended:?}");
    assert_eq!(ended.stdout.trim_end(), path.display().to_string());
    path
}

/// Looks at pages in Chromium.
fn look(pages: &[PathBuf], texts: &[&str]) {
    look_with(&[], pages, texts);
}

/// Looks at pages in Chromium with these options of the script.
pub(crate) fn look_with(options: &[&OsStr], pages: &[PathBuf], texts: &[&str]) {
    let interpreter = std::env::var_os("SEEDBANK_PYTHON").unwrap_or_else(|| "python3".into());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/look_at_pages.py");
    let mut command = Command::new(interpreter);
    command.arg(script).args(options).args(pages);
    for text in texts {
        command.arg("--text").arg(text);
    }
    let ended = ended(command);
    assert_eq!(ended.status, Some(0), "{}\n{}", ended.stdout, ended.stderr);
}

/// Fails where a page names anything that a browser would load.
fn loads_nothing(html: &str) {
    for word in [
        "http:", "https:", "src=", "@import", "url(", "<iframe", "<img", "<base",
    ] {
        assert!(!html.contains(word), "the page has {word:?}");
    }
    let links: Vec<&str> = html.split("<link").skip(1).collect();
    assert_eq!(links.len(), 1);
    assert!(links[0].starts_with(" rel=\"icon\" href=\"data:,\">"));
}

#[test]
fn pages_of_jobs_of_every_kind_are_in_order() {
    let workspace = Workspace::new();
    let mut specs = Vec::new();
    for (name, game, rest) in JOBS {
        let spec = workspace.plain_spec(name, game, rest);
        workspace.finish(&spec, &[]);
        specs.push(spec);
    }
    let mut pages = Vec::new();
    for (spec, (name, ..)) in specs.iter().zip(JOBS) {
        let path = page(&workspace, &[spec], &format!("{name}.html"));
        let html = fs::read_to_string(&path).expect("it was written");
        loads_nothing(&html);
        assert!(html.len() < 1_000_000, "{name}: {}", html.len());
        // The same result has the same page.
        let again = page(&workspace, &[spec], "again.html");
        assert_eq!(fs::read_to_string(again).expect("it was written"), html);
        pages.push(path);
    }
    let all: Vec<&Path> = specs.iter().map(PathBuf::as_path).collect();
    pages.push(page(&workspace, &all, "all.html"));
    // Looking at a page takes seconds, so it is done once for each.
    let general = ["Result", "Laws", "digest of the job"];
    let (with_texts, others): (Vec<_>, Vec<_>) = pages.into_iter().partition(|path| {
        let name = path.file_stem().and_then(OsStr::to_str);
        TEXTS.iter().any(|(with, _)| Some(*with) == name)
    });
    assert_eq!(with_texts.len(), TEXTS.len());
    look(&others, &general);
    for (name, texts) in TEXTS {
        let page = workspace.path(&format!("{name}.html"));
        look(&[page], &[&general[..], texts].concat());
    }
}

#[test]
fn without_a_name_a_page_lies_beside_the_results_and_a_dash_prints_it() {
    let workspace = Workspace::new();
    let (name, game, rest) = JOBS[1];
    let spec = workspace.plain_spec(name, game, rest);
    workspace.finish(&spec, &[]);
    let report = |arguments: &[&str]| {
        let mut command = seedbank(&["report"]);
        command
            .arg(&spec)
            .args(arguments)
            .arg("--out")
            .arg(workspace.path("out"));
        ended(command)
    };
    let written = report(&[]);
    assert_eq!(written.status, Some(0), "{written:?}");
    let path = workspace.path("out").join("ones.html");
    assert_eq!(written.stdout.trim_end(), path.display().to_string());
    let html = fs::read_to_string(path).expect("it was written");
    let printed = report(&["-o", "-"]);
    assert_eq!(printed.stdout, html);
}

#[test]
fn several_jobs_need_a_name_and_unfinished_ones_are_refused() {
    let workspace = Workspace::new();
    let specs: Vec<PathBuf> = JOBS[..2]
        .iter()
        .map(|(name, game, rest)| workspace.plain_spec(name, game, rest))
        .collect();
    let report = |specs: &[PathBuf]| {
        let mut command = seedbank(&["report"]);
        command.args(specs).arg("--out").arg(workspace.path("out"));
        ended(command)
    };
    let several = report(&specs);
    assert_eq!(several.status, Some(2));
    assert!(several.stderr.contains("add -o FILE"), "{several:?}");
    let unfinished = report(&specs[..1]);
    assert_eq!(unfinished.status, Some(1));
    assert!(
        unfinished.stderr.contains("grid has no finished result"),
        "{unfinished:?}"
    );
    assert!(unfinished.stderr.contains("seedbank run"), "{unfinished:?}");
}

#[test]
fn a_large_result_has_a_small_page_that_says_what_it_sums_up() {
    let workspace = Workspace::new();
    let rest = "code = \"0.37\"\n[family]\nheaps = \"0..=300000\"\n[table]\nlayout = \"list\"";
    let spec = workspace.plain_spec("large", "octal", rest);
    workspace.finish(&spec, &[]);
    let path = page(&workspace, &[&spec], "large.html");
    let html = fs::read_to_string(path).expect("it was written");
    assert!(html.len() < 1_000_000, "{}", html.len());
    assert!(
        html.contains("Not laid out"),
        "300,001 heaps are more than a table has"
    );
    assert!(html.contains("Each point sums up 586 consecutive rows."));
    loads_nothing(&html);
}

#[test]
fn a_large_result_by_two_variables_is_shown_in_tiles() {
    let workspace = Workspace::new();
    let rest = "[family]\nsum = \"nim(x) + nim(y)\"\nx = \"0..=95\"\ny = \"0..=94\"\n[table]\nlayout = \"list\"";
    let spec = workspace.plain_spec("nim", "disjunctive", rest);
    workspace.finish(&spec, &[]);
    let path = page(&workspace, &[&spec], "nim.html");
    let html = fs::read_to_string(&path).expect("it was written");
    loads_nothing(&html);
    assert!(html.contains("<h4>mean of nim value by x and y</h4>"));
    assert!(html.contains("Each tile aggregates the sums of 2 values of x by 2 values of y: "));
    let tiles = html.matches("<title>x ").count();
    assert_eq!(tiles, 48 * 48, "only the nim-values differ among tiles");
    // By hand: an even number and the next, added to any number, have a mean half above an even number.
    for tile in [
        "x 0 to 1, y 0 to 1: 0.5 (4 sums)",
        "x 2 to 3, y 0 to 1: 2.5 (4 sums)",
        "x 64 to 65, y 66 to 67: 2.5 (4 sums)",
        "x 0 to 1, y 94: 94.5 (2 sums)",
    ] {
        assert!(html.contains(&format!("<title>{tile}</title>")), "{tile}");
    }
    look(&[path], &["126.5"]);
    // As many sums as tiles need no tiles.
    let small = rest.replace("95", "47").replace("94", "47");
    let spec = workspace.plain_spec("small", "disjunctive", &small);
    workspace.finish(&spec, &[]);
    let html = fs::read_to_string(page(&workspace, &[&spec], "small.html"));
    assert!(
        !html
            .expect("it was written")
            .contains("Each tile aggregates")
    );
}

#[test]
fn names_from_a_spec_are_text_and_nothing_else() {
    let workspace = Workspace::new();
    let path = workspace.path("odd.toml");
    let text = "name = \"odd\"\ntitle = '<script>alert(1)</script> & \"x\"'\nsource = '</title>'\n\
                [ruleset]\ngame = \"sowing\"\nplay = \"partisan\"\n[family]\npositions = [\"12\"]\n";
    fs::write(&path, text).expect("the folder is ours to write to");
    workspace.finish(&path, &[]);
    let page = page(&workspace, &[&path], "odd.html");
    let html = fs::read_to_string(page).expect("it was written");
    assert!(!html.contains("<script>alert"), "{html}");
    assert!(html.contains("&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;x&quot;"));
}
