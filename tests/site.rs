//! Sites of results: their links, the agreement of their values and positions with `eval` and with the rows of results, their
//! files, and Chromium.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::workspace::{Ended, Workspace, ended, files_in, seedbank};
use crate::pages::{JOBS, look_with};

/// Names of positions that would be markup if they were not escaped.
const MOVES: &str = concat!(
    "{\"position\": \"<script>alert(1)</script>\", \"left\": [\"\\\"a' & b\"], \"right\": []}\n",
    "{\"position\": \"\\\"a' & b\", \"left\": [], \"right\": []}\n"
);

/// A job of every kind and one over moves, finished.
fn jobs(workspace: &Workspace) -> Vec<PathBuf> {
    fs::write(workspace.path("moves.ndjson"), MOVES).expect("the folder is ours to write to");
    let moves = (
        "moves",
        "moves",
        "play = \"partisan\"\nmoves = \"moves.ndjson\"\n[family]\nall = true",
    );
    let specs = JOBS.into_iter().chain([moves]).map(|(name, game, rest)| {
        let spec = workspace.plain_spec(name, game, rest);
        workspace.finish(&spec, &[]);
        spec
    });
    specs.collect()
}

fn report(workspace: &Workspace, specs: &[PathBuf], site: &str) -> Ended {
    let mut command = seedbank(&["report"]);
    command.args(specs).arg("--site").arg(workspace.path(site));
    command.arg("--out").arg(workspace.path("out"));
    ended(command)
}

/// Writes a site and returns its files by their paths in it.
fn site(workspace: &Workspace, specs: &[PathBuf], name: &str) -> BTreeMap<String, String> {
    let written = report(workspace, specs, name);
    assert_eq!(written.status, Some(0), "{written:?}");
    let dir = workspace.path(name);
    let index = dir.join("index.html");
    assert_eq!(written.stdout.trim_end(), index.display().to_string());
    files(&dir)
}

fn files(dir: &Path) -> BTreeMap<String, String> {
    let folders = [dir.to_owned(), dir.join("jobs"), dir.join("values")];
    let paths = folders.iter().flat_map(|folder| files_in(folder));
    let paths = paths.filter(|path| path.is_file());
    let read = |path: PathBuf| {
        let name = path.strip_prefix(dir).expect("it is in there");
        let text = fs::read_to_string(&path).expect("pages are text");
        (name.display().to_string(), text)
    };
    paths.map(read).collect()
}

/// Returns what stands between two texts, each time.
fn between<'t>(text: &'t str, before: &'t str, after: &'t str) -> impl Iterator<Item = &'t str> {
    let pieces = text.split(before).skip(1);
    pieces.map(move |piece| piece.split(after).next().unwrap_or_default())
}

fn unescaped(text: &str) -> String {
    let text = text.replace("&lt;", "<").replace("&gt;", ">");
    text.replace("&quot;", "\"").replace("&amp;", "&")
}

/// The first positions on the page of a value: the game, the number of positions, the first by seeds and the first by pots.
fn places(page: &str) -> Vec<(String, u64, Vec<String>)> {
    let table = between(page, "class=\"places\"", "</table>")
        .next()
        .unwrap_or_default();
    let rows = between(table, "<tr><th scope=\"row\">", "\n");
    let place = |row: &str| {
        let (game, rest) = row
            .split_once("<td class=\"n\">")
            .expect("a number comes next");
        let count = rest.split("<td>").next().unwrap_or_default();
        let positions = between(rest, "<code>", "</code>").map(unescaped);
        (
            unescaped(game),
            count.parse().expect("a number"),
            positions.collect(),
        )
    };
    rows.map(place).collect()
}

fn title(page: &str) -> String {
    let title = between(page, "<title>", "</title>").next();
    unescaped(title.expect("a page has a title"))
}

#[test]
fn all_links_of_a_site_lead_somewhere_and_all_pages_are_found() {
    let workspace = Workspace::new();
    let specs = jobs(&workspace);
    let files = site(&workspace, &specs, "site");
    // Files of moves are games of their own.
    assert!(
        files
            .values()
            .any(|page| page.contains("moves of moves, partisan"))
    );
    let mut linked = BTreeSet::from(["index.html".to_owned()]);
    for (name, text) in files.iter().filter(|(name, _)| name.ends_with(".html")) {
        assert!(
            !text.contains("http:") && !text.contains("https:"),
            "{name}"
        );
        assert!(!text.contains("<script>alert"), "{name}");
        let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
        let links = between(text, "href=\"", "\"").chain(between(text, "src=\"", "\""));
        for link in links.filter(|link| *link != "data:,") {
            let (path, id) = link.split_once('#').unwrap_or((link, ""));
            let path = match path.strip_prefix("../") {
                _ if path.is_empty() => name.clone(),
                Some(path) => path.to_owned(),
                None if folder.is_empty() => path.to_owned(),
                None => format!("{folder}/{path}"),
            };
            let there = files.get(&path);
            let there = there.unwrap_or_else(|| panic!("{name} leads to {link}, which is missing"));
            let has_id = there.matches(&format!(" id=\"{id}\"")).count();
            assert_eq!(has_id, usize::from(!id.is_empty()), "{name}: {link}");
            linked.insert(path);
        }
    }
    let all: BTreeSet<String> = files
        .keys()
        .filter(|name| *name != ".seedbank")
        .cloned()
        .collect();
    assert_eq!(linked, all);
    assert_eq!(files_in(&workspace.path("site/jobs")).len(), specs.len());
    // The values of a scored game or of obligated sums are no games.
    for name in ["knights", "kalah", "lengths"] {
        assert!(
            !files[&format!("jobs/{name}.html")].contains("values/"),
            "{name}"
        );
    }
    // The same results have the same site, and a site is written over itself.
    assert_eq!(site(&workspace, &specs, "again"), files);
    assert_eq!(site(&workspace, &specs, "site"), files);
}

#[test]
fn values_and_first_positions_are_those_of_eval() {
    let workspace = Workspace::new();
    let specs = jobs(&workspace);
    let files = site(&workspace, &specs, "site");
    let pages = files.iter().filter(|(name, _)| name.starts_with("values/"));
    let mut claims: BTreeMap<(&str, &str), Vec<(String, String)>> = BTreeMap::new();
    let mut notations = Vec::new();
    for (name, page) in pages {
        let notation = title(page);
        for (game, _, positions) in places(page) {
            let known = [
                ("sowing, partisan", ("sowing", "partisan")),
                ("sowing, impartial", ("sowing", "impartial")),
                ("atomic-wari, partisan", ("atomic-wari", "partisan")),
            ];
            for (_, of) in known.into_iter().filter(|(name, _)| *name == game) {
                let positions = positions
                    .iter()
                    .map(|position| (position.clone(), notation.clone()));
                claims.entry(of).or_default().extend(positions);
            }
        }
        notations.push((name, notation, page));
    }
    assert_eq!(claims.len(), 3);
    for ((game, play), claims) in claims {
        let mut command = seedbank(&["eval", "--game", game, "--play", play, "--quiet"]);
        command.args(claims.iter().map(|(position, _)| position));
        let claimed = claims
            .iter()
            .map(|(position, value)| format!("{position} = {value}\n"));
        assert_eq!(ended(command).stdout, claimed.collect::<String>());
    }
    let mut command = seedbank(&["value", "--json", "--"]);
    command.args(notations.iter().map(|(_, notation, _)| notation));
    let told = ended(command);
    assert_eq!(
        told.stdout.lines().count(),
        notations.len(),
        "{}",
        told.stderr
    );
    for (line, (name, notation, page)) in told.stdout.lines().zip(notations) {
        let facts: serde_json::Value = serde_json::from_str(line).expect("an object a line");
        for key in ["kind", "mean", "temperature"] {
            let fact = format!("<dt>{key}<dd>{}<", facts[key].as_str().expect("it has one"));
            assert!(page.contains(&fact), "{name} of {notation}: {fact}");
        }
        assert!(page.contains("<title>Thermograph of "), "{name}");
    }
}

/// The rows of a result decide, read again.
#[test]
fn first_positions_are_those_of_the_rows() {
    let workspace = Workspace::new();
    let (name, game, rest) = JOBS[3];
    let spec = workspace.plain_spec(name, game, rest);
    workspace.finish(&spec, &[]);
    let mut firsts: BTreeMap<String, (u64, Vec<String>)> = BTreeMap::new();
    let size = |row: &seedbank::dataset::PositionRow| {
        (
            row.features.seeds.expect("no full pots"),
            i64::from(row.features.pots.expect("rows have pots")),
        )
    };
    let rows = workspace.rows(&spec);
    for row in &rows {
        let value = row.value.as_ref().and_then(|value| value.value.clone());
        let value = value.expect("all are short").into_owned();
        let same = rows.iter().filter(|other| {
            other
                .value
                .as_ref()
                .and_then(|value| value.value.as_deref())
                == Some(&value)
        });
        let by_seeds = same
            .clone()
            .min_by_key(|row| (size(row), row.position.len(), row.position.clone()));
        let by_pots = same.clone().min_by_key(|row| {
            let (seeds, pots) = size(row);
            (pots, seeds, row.position.len(), row.position.clone())
        });
        let first = [by_seeds, by_pots].map(|first| first.expect("this row").position.clone());
        let count = same.count() as u64;
        firsts.insert(value, (count, first.to_vec()));
    }
    let files = site(&workspace, &[spec], "site");
    let pages = files.iter().filter(|(name, _)| name.starts_with("values/"));
    let found = pages.map(|(_, page)| {
        let [(game, count, positions)] = &places(page)[..] else {
            panic!("one game: {page}");
        };
        assert_eq!(game, "sowing, impartial");
        (title(page), (*count, positions.clone()))
    });
    let found: BTreeMap<String, (u64, Vec<String>)> = found.collect();
    assert!(found.len() > 2);
    assert_eq!(found, firsts);
}

#[test]
fn a_site_of_fewer_jobs_removes_its_pages_and_no_file_of_the_user() {
    let workspace = Workspace::new();
    let specs: Vec<PathBuf> = [JOBS[1], JOBS[0]]
        .into_iter()
        .map(|(name, game, rest)| {
            let spec = workspace.plain_spec(name, game, rest);
            workspace.finish(&spec, &[]);
            spec
        })
        .collect();
    let before = site(&workspace, &specs, "site");
    for name in ["jobs/mine.html", "values/notes.txt", "readme.txt"] {
        fs::write(workspace.path("site").join(name), "mine")
            .expect("the folder is ours to write to");
    }
    let after = site(&workspace, &specs[..1], "site");
    assert!(before.contains_key("jobs/grid.html") && !after.contains_key("jobs/grid.html"));
    let values = |files: &BTreeMap<String, String>| {
        files
            .keys()
            .filter(|name| name.starts_with("values/"))
            .count()
    };
    assert!(values(&after) < values(&before));
    for name in ["jobs/mine.html", "values/notes.txt", "readme.txt"] {
        assert_eq!(after[name], "mine");
    }
    let fresh = site(&workspace, &specs[..1], "fresh");
    assert!(fresh.iter().all(|(name, text)| after[name] == *text));
}

#[test]
fn a_site_is_refused_without_results_and_in_a_folder_of_other_files() {
    let workspace = Workspace::new();
    let (name, game, rest) = JOBS[1];
    let specs = [workspace.plain_spec(name, game, rest)];
    let unfinished = report(&workspace, &specs, "site");
    assert_eq!(unfinished.status, Some(1));
    for words in ["ones has no finished result", "seedbank run"] {
        assert!(unfinished.stderr.contains(words), "{unfinished:?}");
    }
    assert!(!workspace.path("site").exists());
    workspace.finish(&specs[0], &[]);
    fs::create_dir(workspace.path("photos")).expect("the folder is ours to write to");
    fs::write(workspace.path("photos/index.html"), "mine").expect("the folder is ours to write to");
    let foreign = report(&workspace, &specs, "photos");
    assert_eq!(foreign.status, Some(1), "{foreign:?}");
    for words in [
        "it contains index.html, which seedbank did not make",
        "--site",
    ] {
        assert!(foreign.stderr.contains(words), "{foreign:?}");
    }
    assert_eq!(files_in(&workspace.path("photos")).len(), 1);
    let store = report(&workspace, &specs, "store");
    assert_eq!(store.status, Some(1), "{store:?}");
    assert!(store.stderr.contains("marks it as a store"), "{store:?}");
    let mut both = seedbank(&["report", "--site", "site", "-o", "page.html"]);
    both.args(&specs);
    assert_eq!(ended(both).status, Some(2));
}

#[test]
fn a_site_is_in_order_in_chromium_and_searched_by_keyboard() {
    let workspace = Workspace::new();
    let specs = jobs(&workspace);
    let files = site(&workspace, &specs, "site");
    let dir = workspace.path("site");
    let of = |notation: &str| {
        let found = files
            .iter()
            .find(|(name, page)| name.starts_with("values/") && title(page) == notation);
        dir.join(found.expect("it has a page").0)
    };
    let pages = [
        dir.join("index.html"),
        dir.join("jobs/grid.html"),
        dir.join("jobs/moves.html"),
        of("*"),
        of("1"),
    ];
    let site = ["--site".as_ref(), dir.as_os_str()];
    look_with(&site, &pages, &[]);
}
