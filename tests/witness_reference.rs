//! The witnesses in `data/reference/computed/witnesses`. Other engines find their values again. A
//! search with narrower bounds finds exactly the witnesses within these bounds. The same holds for
//! the most followers, in `data/reference/computed/followers`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::naive::rebuilt;
use crate::common::strips::{census, strips};
use crate::common::symmetry::{images, negative};
use crate::common::workspace::{Workspace, load};
use seedbank::board::AnyBoard;
use seedbank::board::row::{Pot, Row};
use seedbank::dataset::WitnessRow;
use seedbank::engine::reference::ReferenceEngine;
use seedbank::family::Family;
use seedbank::game::Play;
use seedbank::task::Job;
use seedbank::task::census::CensusTask;
use seedbank::value::Arena;
use serde::Deserialize;

#[path = "../scripts/examples/halve.rs"]
mod halve;

use halve::{halved, is_halved, shortened};

/// A file of witnesses.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Found {
    /// The job, by its path.
    job: PathBuf,
    /// The bounds of the original search, if the job's are narrower.
    pots_max: Option<u32>,
    seeds_max: Option<u64>,
    /// Bounds narrower than the job's, which a search covers again in seconds.
    narrow: String,
    searched: u64,
    witness: Vec<Witness>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Witness {
    sought: String,
    position: Option<String>,
    /// The value, if it is short.
    value: Option<String>,
    count: i64,
    before: Option<i64>,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns all files, with the jobs in `jobs/witness`.
fn all() -> Vec<(PathBuf, Found, Job)> {
    let entries =
        fs::read_dir(root().join("data/reference/computed/witnesses")).expect("the folder");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    let found = files.into_iter().map(|path| {
        let text = fs::read_to_string(&path).expect("a file of the source tree");
        let found: Found = toml::from_str(&text).unwrap_or_else(|e| panic!("{path:?}: {e}"));
        let job = load(&root().join(&found.job));
        (path, found, job)
    });
    found.collect()
}

/// Writes a job's spec with other bounds for all positions.
fn narrowed(here: &Workspace, spec: &Path, bounds: &str) -> PathBuf {
    let text = fs::read_to_string(root().join(spec)).expect("a shipped spec");
    let lines = text.lines().map(|line| match line.starts_with("all = ") {
        true => format!("all = {bounds}"),
        false => line.to_owned(),
    });
    let path = here.path(
        spec.file_name()
            .and_then(|name| name.to_str())
            .expect("a name"),
    );
    let lines: Vec<String> = lines.collect();
    fs::write(&path, lines.join("\n")).expect("the folder is ours to write to");
    path
}

fn read(job: &Job, position: &str) -> AnyBoard {
    let kind = strips(job).game.shape().kind();
    kind.read(position).expect("a position")
}

/// Returns whether a family lists a position, or its negative.
fn has(family: &Family, board: &AnyBoard) -> bool {
    let both = [board.clone(), negative(board)];
    let mut images = both.iter().flat_map(images);
    images.any(|board| family.rank(&board).is_some())
}

fn seeds(board: &AnyBoard) -> u64 {
    board
        .features()
        .seeds
        .expect("no pot of these families is full")
}

#[test]
fn files_state_their_search() {
    let files = all();
    assert!(files.len() >= 10);
    for (path, found, job) in files {
        assert!(job.task_as::<CensusTask>().is_some(), "{path:?}");
        let family = &strips(&job).family;
        if found.pots_max.is_none() {
            assert_eq!(found.searched, family.len(), "{path:?}");
        }
        // The shipped job may be narrower than the original search, never wider.
        assert!(found.searched >= family.len(), "{path:?}");
        assert!(!found.witness.is_empty(), "{path:?}");
        for witness in &found.witness {
            let Some(position) = &witness.position else {
                assert_eq!(
                    (witness.count, witness.before),
                    (0, None),
                    "{path:?}: {witness:?}"
                );
                continue;
            };
            let board = read(&job, position);
            match found.pots_max {
                Some(most) => assert!(board.features().pots <= most, "{path:?}: {position}"),
                None => assert!(has(family, &board), "{path:?}: {position}"),
            }
            assert!(
                found.seeds_max.is_none_or(|most| seeds(&board) <= most),
                "{path:?}: {position}"
            );
            assert!(witness.count > 0, "{path:?}: {position}");
        }
    }
}

/// The reference engine follows the definitions and shares nothing with the searches that found
/// these witnesses.
#[test]
fn witnesses_have_their_values_by_definition() {
    for (path, found, job) in all() {
        let arena = Arena::new();
        let mut calculator = arena.calculator();
        let mut reference = ReferenceEngine::new(strips(&job).game);
        let mut checked = 0;
        for witness in &found.witness {
            let (Some(position), Some(value)) = (&witness.position, &witness.value) else {
                continue;
            };
            let board = read(&job, position);
            if seeds(&board) > 9 {
                continue;
            }
            checked += 1;
            let expected = calculator.parse(value).expect("a value");
            match strips(&job).play {
                Play::Impartial => assert_eq!(
                    Some(reference.nim_value(&board).expect("a small row")),
                    arena.nimber(expected),
                    "{path:?}: {position}"
                ),
                Play::Partisan => {
                    let form = reference.canonical(&board).expect("a small row");
                    let found = rebuilt(reference.forms(), form, &mut calculator);
                    assert_eq!(found, expected, "{path:?}: {position} = {value}");
                }
            }
        }
        assert!(checked > 0, "{path:?}");
    }
}

#[test]
fn the_construction_halves_values() {
    for n in 1..=4 {
        let row = halved(n);
        assert!(is_halved(&row, n).unwrap(), "{row}");
        assert!(!is_halved(&row, n - 1).unwrap(), "{row}");
    }
    assert_eq!(shortened(&halved(2)), "1 e^8 9 e 0 e [13]");
    // With full pots in place of the empty ones, every second arrow halves the value.
    for (n, halvings) in [(1, 1), (2, 1), (3, 2), (4, 2)] {
        let mut row = halved(n);
        for pot in row.pots.iter_mut().filter(|pot| **pot == Pot::Seeds(0)) {
            *pot = Pot::Full;
        }
        assert!(is_halved(&row, halvings).unwrap(), "{row}");
    }
}

#[test]
fn a_narrower_search_finds_the_witnesses_within_its_bounds() {
    let here = Workspace::new();
    for (path, found, job) in all() {
        let spec = narrowed(&here, &found.job, &found.narrow);
        assert_eq!(here.finish(&spec, &[])["outcome"], "finished", "{path:?}");
        let narrow = load(&spec);
        let set = seedbank::task::census::open(&narrow.header, census(&narrow), &here.path("out"))
            .unwrap()
            .expect("a run has begun");
        let answer = set.answer(narrow.header.digest).unwrap().unwrap();
        let variables = &census(&job).question.variables;
        let rows = set.read_witnesses(&answer, variables);
        let rows: Vec<WitnessRow> = rows.collect::<Result<_, _>>().expect("whole files");
        let within: BTreeMap<&str, &str> = found
            .witness
            .iter()
            .filter_map(|witness| Some((witness.sought.as_str(), witness.position.as_deref()?)))
            .filter(|(_, position)| has(&strips(&narrow).family, &read(&job, position)))
            .collect();
        let again: BTreeMap<&str, &str> = rows
            .iter()
            .filter_map(|row| Some((row.sought.as_str(), row.position.as_deref()?)))
            .collect();
        // When the fewest pots decide, a narrower bound on seeds may make another position first,
        // so only witnesses within the bounds are compared.
        for (sought, position) in &within {
            assert_eq!(again.get(sought), Some(position), "{path:?}: {sought}");
        }
        assert!(!within.is_empty(), "{path:?}");
        for sought in again.keys() {
            let known = found
                .witness
                .iter()
                .any(|w| w.sought == **sought && w.position.is_some());
            assert!(known, "{path:?}: {sought} has a witness");
        }
    }
}

/// The most followers among positions with each number of seeds.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MostFollowers {
    job: PathBuf,
    pots_max: u32,
    seeds_max: u64,
    searched: u64,
    most: Vec<Most>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Most {
    seeds: u64,
    followers: usize,
    position: String,
}

#[test]
fn no_position_has_more_followers() {
    let here = Workspace::new();
    let path = root().join("data/reference/computed/followers/atomic-wari.toml");
    let text = fs::read_to_string(path).expect("a file of the source tree");
    let found: MostFollowers = toml::from_str(&text).expect("a file of this shape");
    let job = load(&root().join(&found.job));
    assert!(found.searched >= strips(&job).family.len());
    assert_eq!(found.most.len() as u64, found.seeds_max + 1);
    let reference = ReferenceEngine::new(strips(&job).game);
    for most in &found.most {
        let row: Row = most.position.parse().expect("a position");
        assert!(row.pots.len() as u32 <= found.pots_max);
        assert_eq!(seeds(&row.clone().into()), most.seeds);
        assert_eq!(
            reference.followers(&row).expect("a small row"),
            most.followers,
            "{row}"
        );
    }
    // All positions with fewer pots and seeds, each counted by the reference.
    let bounds = "{ pots_max = 5, seeds_max = 7, order = \"seeds\" }";
    let spec = narrowed(&here, &found.job, bounds);
    let narrow = load(&spec);
    for member in strips(&narrow).family.iter() {
        let followers = reference.followers(&member.position).expect("a small row");
        let most = &found.most[seeds(&member.position) as usize];
        assert!(followers <= most.followers, "{}", member.position);
    }
}
