//! Jobs that search for witnesses: counts and witnesses equal those of a naive pass, for any number
//! of threads, any bounds of earlier runs, and any moment of interruption.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use bytesize::ByteSize;

use crate::common::evaluations::session;
use crate::common::naive::rebuilt;
use crate::common::schema;
use crate::common::strips::{census, strips};
use crate::common::workspace::{
    Workspace, ended, files_in, flip_byte, load, seedbank, started, truncate, wait,
};
use seedbank::board::row::{Pot, Row};
use seedbank::board::{AnyBoard, BoardKind};
use seedbank::dataset::{AnswerRecord, CensusRow, CensusSet, PositionRow, WitnessRow};
use seedbank::engine::reference::ReferenceEngine;
use seedbank::engine::{CanonicalForms, Control, Engine, NothingKnown, count_followers};
use seedbank::evaluate::{Evaluation, evaluate};
use seedbank::family::Subfamily;
use seedbank::game::{AtomicWari, Game, GameVisitor, Play, Player, PotGame, Sowing};
use seedbank::job::JobError;
use seedbank::task::Job;
use seedbank::value::{Arena, Digester, Kind, ValueId};

#[path = "../scripts/examples/explain_splits.rs"]
mod explain_splits;

#[path = "../scripts/examples/growing_rows.rs"]
mod growing_rows;

use explain_splits::{Splits, captured, explain, sown};
use growing_rows::{TooLarge, first_numbers, is_still, words_of};

/// Writes a spec with a section `[witness]`.
fn spec(
    here: &Workspace,
    name: &str,
    ruleset: (&str, &str),
    family: &str,
    witness: &str,
) -> PathBuf {
    let (game, play) = ruleset;
    here.spec(name, game, play, &format!("{family}\n[witness]\n{witness}"))
}

struct Result {
    census: Vec<CensusRow<'static>>,
    answer: AnswerRecord,
    witnesses: Vec<WitnessRow>,
}

fn census_set(here: &Workspace, out: &str, job: &Job) -> CensusSet {
    seedbank::task::census::open(&job.header, census(job), &here.path(out))
        .unwrap()
        .expect("a run has begun")
}

fn result(here: &Workspace, out: &str, spec: &Path) -> Result {
    let job = load(spec);
    let set = census_set(here, out, &job);
    let parts = set.parts().unwrap();
    assert!(parts.damage.is_empty());
    let answer = set.answer(job.header.digest).unwrap().unwrap();
    let variables = &census(&job).question.variables;
    Result {
        census: set
            .read_census(&parts.finished)
            .collect::<std::result::Result<_, _>>()
            .unwrap(),
        witnesses: set
            .read_witnesses(&answer, variables)
            .collect::<std::result::Result<_, _>>()
            .unwrap(),
        answer,
    }
}

fn finished(here: &Workspace, spec: &Path) -> Result {
    assert_eq!(here.finish(spec, &[])["outcome"], "finished");
    result(here, "out", spec)
}

/// Every Parquet file below a job's results.
fn bytes(here: &Workspace, out: &str, job: &str) -> BTreeMap<PathBuf, Vec<u8>> {
    let dir = here.path(out).join(job);
    let folders = ["census", "forms", "witnesses", "records"];
    let files = folders
        .iter()
        .flat_map(|folder| files_in(&dir.join(folder)));
    files
        .map(|path| {
            let name = path.strip_prefix(&dir).unwrap().to_owned();
            (name, fs::read(path).unwrap())
        })
        .collect()
}

/// A position in the naive pass.
struct Naive {
    row: Row,
    text: String,
    pots: u32,
    seeds: u64,
    value: ValueId,
    nim_value: u32,
    /// The mirror image, if the position stands for it under partisan play.
    mirror: Option<String>,
}

impl Naive {
    /// The position and the one that it stands for, with their values.
    fn both(&self) -> impl Iterator<Item = (&str, ValueId)> {
        let mirror = self.mirror.as_deref();
        let mirror = mirror.map(|mirror| (mirror, self.value.negative()));
        std::iter::once((&*self.text, self.value)).chain(mirror)
    }

    /// The first of both with this value.
    fn with(&self, value: ValueId) -> Option<&str> {
        let mut both = self.both();
        both.find(|&(_, of)| of == value).map(|(text, _)| text)
    }
}

/// All positions of a job in the family's order, with their values from the reference engine, as
/// forms of an arena.
fn naive(job: &Job, arena: &Arena) -> Vec<Naive> {
    let mut reference = ReferenceEngine::new(strips(job).game);
    let mut calculator = arena.calculator();
    let mut known = BTreeMap::new();
    let is_all = matches!(strips(job).family.subfamilies(), [Subfamily::All(_)]);
    let stands = is_all && strips(job).play == Play::Partisan;
    let members = strips(job).family.iter().map(|member| {
        let row = member.position;
        let (value, nim_value) = match strips(job).play {
            Play::Partisan => {
                let form = reference.canonical(&row).unwrap();
                let value = *known
                    .entry(form)
                    .or_insert_with(|| rebuilt(reference.forms(), form, &mut calculator));
                (value, 0)
            }
            Play::Impartial => {
                let n = reference.nim_value(&row).unwrap();
                (calculator.nimber(n).unwrap(), n)
            }
        };
        let features = row.features();
        let seeds = features.seeds.expect("no endless ends");
        Naive {
            text: row.to_string(),
            pots: features.pots,
            seeds,
            row: row.row().expect("a row").clone(),
            value,
            nim_value,
            mirror: stands.then(|| {
                let mut mirror = row.row().expect("a row").clone();
                mirror.pots.reverse();
                mirror.to_string()
            }),
        }
    });
    members.collect()
}

struct Space {
    name: &'static str,
    /// The game, and the way of playing.
    ruleset: (&'static str, &'static str),
    family: &'static str,
}

const SPACES: [Space; 8] = [
    Space {
        name: "sweep-by-pots",
        ruleset: ("sowing", "impartial"),
        family: "all = { pots_max = 5 }",
    },
    Space {
        name: "sweep-by-seeds",
        ruleset: ("sowing", "impartial"),
        family: "all = { pots_max = 7, seeds_max = 6 }",
    },
    Space {
        name: "partisan-by-pots",
        ruleset: ("sowing", "partisan"),
        family: "all = { pots_max = 4 }",
    },
    Space {
        name: "partisan-by-seeds",
        ruleset: ("sowing", "partisan"),
        family: "all = { pots_max = 6, seeds_max = 6, order = \"seeds\" }",
    },
    Space {
        name: "searched",
        ruleset: ("sowing", "partisan"),
        family: "all = { pots_min = 6, pots_max = 7, seeds_min = 2, seeds_max = 5 }",
    },
    Space {
        name: "wari",
        ruleset: ("atomic-wari", "partisan"),
        family: "all = { pots_max = 5, seeds_max = 7 }",
    },
    Space {
        name: "wari-impartial",
        ruleset: ("atomic-wari", "impartial"),
        family: "all = { pots_max = 5, seeds_max = 6 }",
    },
    Space {
        name: "pattern",
        ruleset: ("atomic-wari", "partisan"),
        family: "pattern = \"x y 1^n\"\nx = \"1..=4\"\ny = \"1..=4\"\nn = \"0..=2\"",
    },
];

#[test]
fn a_census_agrees_with_a_naive_pass() {
    for Space {
        name,
        ruleset,
        family,
    } in SPACES
    {
        for fewest in ["pots", "seeds"] {
            let here = Workspace::new();
            let witness = format!("each = \"value\"\nfewest = {fewest:?}");
            let spec = spec(&here, name, ruleset, family, &witness);
            let found = finished(&here, &spec);
            let job = load(&spec);
            let arena = Arena::new();
            let mut digester = Digester::new(&arena);
            let positions = naive(&job, &arena);
            assert!(positions.len() > 40, "{name}: {}", positions.len());
            let mut expected = BTreeMap::new();
            let mut groups: BTreeMap<(u32, u64), i64> = BTreeMap::new();
            for position in &positions {
                let rank = groups.entry((position.pots, position.seeds)).or_default();
                let key = (
                    position.pots,
                    position.seeds,
                    digester.digest(position.value).0,
                );
                let entry = expected.entry(key);
                entry.or_insert((position.text.clone(), *rank, 0i64)).2 += 1;
                *rank += 1;
            }
            let rows = found.census.iter().map(|row| {
                let key = (
                    row.features.pots.unwrap() as u32,
                    row.features.seeds.unwrap() as u64,
                    row.value.value_digest,
                );
                (key, (row.position.to_string(), row.rank, row.count))
            });
            let rows: BTreeMap<_, _> = rows.collect();
            assert_eq!(rows.len(), found.census.len(), "{name}: a value twice");
            assert!(rows == expected, "{name} by {fewest}");
            for row in &found.census {
                let position = positions.iter().find(|p| p.text == row.position).unwrap();
                let kind = Kind::of(&arena, position.value).name();
                assert_eq!(row.value.kind, kind, "{name}: {}", row.position);
                assert_eq!(
                    row.value.value.as_deref(),
                    Some(&*arena.notation(position.value).to_string())
                );
            }
            // One witness for each value: the first, found by brute force.
            let order = |p: &Naive| match fewest {
                "pots" => (u64::from(p.pots), p.seeds),
                _ => (p.seeds, u64::from(p.pots)),
            };
            let mut sorted: Vec<&Naive> = positions.iter().collect();
            sorted.sort_by_key(|p| order(p));
            let mut firsts = BTreeMap::new();
            for (before, position) in sorted.iter().enumerate() {
                for (text, value) in position.both() {
                    let digest = digester.digest(value).0;
                    firsts.entry(digest).or_insert((text, value, before as i64));
                }
            }
            assert_eq!(found.witnesses.len(), firsts.len(), "{name}");
            for row in &found.witnesses {
                let (position, value, before) = firsts[&row.value_digest.unwrap()];
                assert_eq!(
                    row.position.as_deref(),
                    Some(position),
                    "{name} by {fewest}"
                );
                let text = arena.notation(value).to_string();
                assert_eq!(row.value, Some(text), "{name}: {position}");
                let having = positions.iter().filter(|p| p.with(value).is_some());
                assert_eq!(row.count, having.count() as i64, "{name}: {position}");
                assert_eq!(
                    row.searched_before,
                    Some(before),
                    "{name} by {fewest}: {position}"
                );
                assert_eq!(row.searched, positions.len() as i64);
            }
            assert_eq!(found.answer.searched, positions.len() as u64);
            let listed = positions.iter().map(|p| digester.digest(p.value).0);
            let listed: BTreeSet<[u8; 16]> = listed.collect();
            assert_eq!(found.answer.values, listed.len() as u64);
            let tallied: u64 = found.answer.kinds.iter().map(|tally| tally.positions).sum();
            assert_eq!(tallied, positions.len() as u64);
        }
    }
}

#[test]
fn values_and_patterns_are_found_where_they_first_occur() {
    let here = Workspace::new();
    let family = "all = { pots_max = 5 }";
    let dyadics = spec(
        &here,
        "dyadics",
        ("sowing", "partisan"),
        family,
        "pattern = \"1/2^k\"\nk = \"0..=6\"\nfewest = \"pots\"",
    );
    let found = finished(&here, &dyadics);
    let arena = Arena::new();
    let positions = naive(&load(&dyadics), &arena);
    let mut calculator = arena.calculator();
    assert_eq!(found.witnesses.len(), 7);
    for (k, row) in found.witnesses.iter().enumerate() {
        assert_eq!(row.variables, [Some(k as i64)]);
        let value = calculator.parse(&format!("1/{}", 1 << k)).unwrap();
        let having = positions.iter().filter(|p| p.with(value).is_some());
        let mut having: Vec<&Naive> = having.collect();
        having.sort_by_key(|p| (p.pots, p.seeds));
        assert_eq!(row.count, having.len() as i64);
        assert_eq!(row.found, !having.is_empty());
        let first = having.first().and_then(|p| p.with(value));
        assert_eq!(row.position.as_deref(), first);
    }
    assert!(found.witnesses[0].found && !found.witnesses[6].found);
    // Listed is its mirror image. Erickson has it in Table 1, as corrected.
    assert_eq!(found.witnesses[1].position.as_deref(), Some("2111"));

    let nimbers = spec(
        &here,
        "nimbers",
        ("sowing", "impartial"),
        "all = { pots_max = 6 }",
        "value = [\"*5\", \"*\", \"*99\"]\nfewest = \"seeds\"",
    );
    let found = finished(&here, &nimbers);
    let positions = naive(&load(&nimbers), &arena);
    let first = |n: u32| {
        let having = positions.iter().filter(|p| p.nim_value == n);
        having
            .min_by_key(|p| (p.seeds, p.pots))
            .map(|p| p.text.clone())
    };
    let witnesses: Vec<_> = found
        .witnesses
        .iter()
        .map(|row| row.position.clone())
        .collect();
    assert_eq!(witnesses, [first(5), first(1), None]);
    assert!(witnesses[0].is_some());
    let mut command = seedbank(&["table", "--format", "csv", "--out"]);
    command.arg(here.path("out")).arg(&nimbers);
    let refused = ended(command);
    assert_eq!(refused.status, Some(2), "{refused:?}");
    let names = "choose it with --which: witnesses, nim-values";
    assert!(refused.stderr.contains(names), "{refused:?}");
    let mut command = seedbank(&["table", "--format", "csv", "--which", "witnesses", "--out"]);
    command.arg(here.path("out")).arg(&nimbers);
    let table = ended(command).stdout;
    assert!(
        table.starts_with("sought,position,pots,seeds,value,count,before\n*5,"),
        "{table}"
    );
    assert!(table.contains("\n*99,,,,,0,\n"), "{table}");
    for format in ["text", "markdown", "latex"] {
        assert!(seedbank_table(&here, &nimbers, format).contains(&witnesses[0].clone().unwrap()));
    }
}

fn seedbank_table(here: &Workspace, spec: &Path, format: &str) -> String {
    let mut command = seedbank(&["table", "--format", format, "--out"]);
    command.arg(here.path("out")).arg(spec);
    let ended = ended(command);
    assert_eq!(ended.status, Some(0), "{ended:?}");
    ended.stdout
}

#[test]
fn conditions_are_answered_from_a_stored_census() {
    let here = Workspace::new();
    let with = |witness: &str| {
        spec(
            &here,
            "small",
            ("sowing", "partisan"),
            "all = { pots_max = 5, seeds_max = 9 }",
            witness,
        )
    };
    const HOT: &str = "where = [\"temperature > 1\", \"kind != switch\"]\nfewest = \"seeds\"";
    let first = with(HOT);
    let hot = finished(&here, &first);
    let job = load(&first);
    let arena = Arena::new();
    let positions = naive(&job, &arena);
    let mut thermographs = seedbank::value::Thermographs::new(&arena);
    let one = seedbank::value::Dyadic::integer(1);
    let mut having: Vec<&Naive> = positions
        .iter()
        .filter(|p| thermographs.temperature(p.value).unwrap() > one)
        .filter(|p| Kind::of(&arena, p.value) != Kind::Switch)
        .collect();
    having.sort_by_key(|p| (p.seeds, p.pots));
    let [row] = &hot.witnesses[..] else {
        panic!("one witness")
    };
    assert_eq!(
        (row.count, row.position.as_ref()),
        (having.len() as i64, Some(&having[0].text))
    );

    let modified = |folder: &str| -> Vec<SystemTime> {
        let files = files_in(&here.path("out/small").join(folder));
        files
            .iter()
            .map(|path| fs::metadata(path).unwrap().modified().unwrap())
            .collect()
    };
    let before = modified("census");
    assert!(!before.is_empty());
    let second = with("where = \"birthday >= 4\"\neach = \"nim_value\"\nfewest = \"pots\"");
    let summary = here.finish(&second, &[]);
    assert_eq!(
        (&summary["outcome"], &summary["positions"]),
        (&"finished".into(), &0.into())
    );
    assert!(
        modified("census") == before,
        "other conditions search nothing again"
    );
    assert_eq!(here.finish(&second, &[])["outcome"], "already-finished");
    // The first answer is still there.
    let first = with(HOT);
    assert_eq!(here.finish(&first, &[])["outcome"], "already-finished");
    assert_eq!(result(&here, "out", &first).witnesses, hot.witnesses);
}

/// Of each pair of positions that are negatives of each other, `all` lists one.
#[test]
fn conditions_hold_of_negatives_too() {
    let here = Workspace::new();
    let family = "all = { pots_max = 5, seeds_max = 9 }";
    let witnesses = |witness: &str| {
        let spec = spec(&here, "small", ("sowing", "partisan"), family, witness);
        let found = finished(&here, &spec).witnesses;
        let row = |row: WitnessRow| (row.position, row.count, row.value);
        found.into_iter().map(row).collect::<Vec<_>>()
    };
    let job = load(&spec(
        &here,
        "small",
        ("sowing", "partisan"),
        family,
        "each = \"value\"\nfewest = \"pots\"",
    ));
    let arena = Arena::new();
    let mut calculator = arena.calculator();
    let positions = naive(&job, &arena);
    let integer = seedbank::value::Dyadic::integer;
    let is_miny = |value| Kind::of(&arena, value) == Kind::Miny;
    let stops = |value| [arena.left_stop(value), arena.right_stop(value)];
    let is_won = |value| stops(value).into_iter().all(|stop| stop > integer(1));
    let is_low = |value| stops(value)[1] <= integer(-3);
    let is_large = |value| arena.number(value).is_some_and(|mean| mean > integer(2));
    type Holds<'a> = &'a dyn Fn(ValueId) -> bool;
    let all: [(&str, Holds<'_>); 4] = [
        ("\"kind = miny\"", &is_miny),
        (
            "\"outcome = L\", \"left_stop > 1\", \"right_stop > 1\"",
            &is_won,
        ),
        ("\"right_stop <= -3\"", &is_low),
        ("\"mean > 2\", \"temperature < 0\"", &is_large),
    ];
    for (conditions, holds) in all {
        let found = witnesses(&format!("where = [{conditions}]\nfewest = \"pots\""));
        let has = |p: &Naive| {
            let (text, value) = p.both().find(|(_, value)| holds(*value))?;
            Some((text.to_owned(), value))
        };
        let having: Vec<(String, ValueId)> = positions.iter().filter_map(has).collect();
        let (text, value) = having.first().cloned().expect("some position has it");
        let value = arena.notation(value).to_string();
        let expected = (Some(text), having.len() as i64, Some(value));
        assert_eq!(found, [expected], "{conditions}");
    }
    // With "each", a value and its negative have a witness each, with the same count.
    let each: BTreeMap<String, i64> = witnesses("each = \"value\"\nfewest = \"pots\"")
        .into_iter()
        .map(|(_, count, value)| (value.expect("a short one"), count))
        .collect();
    for (value, count) in &each {
        let negative = calculator.parse(value).unwrap().negative();
        assert_eq!(
            each.get(&arena.notation(negative).to_string()),
            Some(count),
            "{value}"
        );
    }
    let weights = witnesses("each = \"atomic_weight\"\nfewest = \"seeds\"");
    let sought = |row: &(Option<String>, i64, Option<String>)| row.1;
    let counts: Vec<i64> = weights.iter().map(sought).collect();
    let mut reversed = counts.clone();
    reversed.reverse();
    assert!(counts.len() > 2 && counts == reversed, "{counts:?}");
}

#[test]
fn wider_bounds_reuse_the_census_of_narrower_ones() {
    for (ruleset, narrow, wide) in [
        (
            ("sowing", "impartial"),
            "all = { pots_max = 5 }",
            "all = { pots_max = 6 }",
        ),
        (
            ("sowing", "impartial"),
            "all = { pots_max = 6, seeds_max = 5 }",
            "all = { pots_max = 7, seeds_max = 7 }",
        ),
        (
            ("sowing", "partisan"),
            "all = { pots_max = 4 }",
            "all = { pots_max = 5, seeds_max = 8 }",
        ),
        (
            ("atomic-wari", "partisan"),
            "all = { pots_max = 4, seeds_max = 6 }",
            "all = { pots_max = 5, seeds_max = 7 }",
        ),
    ] {
        let here = Workspace::new();
        let fresh = Workspace::new();
        let witness = "each = \"value\"\nfewest = \"seeds\"";
        let small = finished(&here, &spec(&here, "job", ruleset, narrow, witness));
        let before = bytes(&here, "out", "job");
        let wider = spec(&here, "job", ruleset, wide, witness);
        let grown = finished(&here, &wider);
        let after = bytes(&here, "out", "job");
        assert!(
            before.iter().all(|(name, bytes)| after[name] == *bytes),
            "what was there stays"
        );
        let whole = finished(&fresh, &spec(&fresh, "job", ruleset, wide, witness));
        assert!(grown.witnesses == whole.witnesses);
        let sorted = |mut census: Vec<CensusRow<'static>>| {
            census.sort_by_key(|row| (row.features.pots, row.features.seeds, row.rank));
            census
        };
        // The narrower job may have cells beyond the wider bounds.
        let within = |row: &CensusRow| whole.census.iter().any(|other| other == row);
        let grown_census: Vec<CensusRow> = grown.census.into_iter().filter(within).collect();
        assert!(sorted(grown_census) == sorted(whole.census));
        assert_eq!(grown.answer.searched, whole.answer.searched);
        assert_eq!(grown.answer.kinds, whole.answer.kinds);
        // A job with narrower bounds reports only the cells within them.
        let again = spec(&here, "job", ruleset, narrow, witness);
        assert_eq!(here.finish(&again, &[])["outcome"], "already-finished");
        assert!(result(&here, "out", &again).witnesses == small.witnesses);
    }
}

#[test]
fn any_number_of_threads_makes_the_same_bytes() {
    for Space {
        name,
        ruleset,
        family,
    } in SPACES
    {
        let here = Workspace::new();
        let spec = spec(
            &here,
            name,
            ruleset,
            family,
            "each = \"value\"\nfewest = \"seeds\"",
        );
        for threads in ["1", "2", "3"] {
            let (out, store) = (here.path(threads), here.path(&format!("store-{threads}")));
            let arguments = [
                "--out",
                out.to_str().unwrap(),
                "--store",
                store.to_str().unwrap(),
            ];
            here.finish(&spec, &[&["--threads", threads][..], &arguments].concat());
        }
        let alone = bytes(&here, "1", name);
        assert!(alone == bytes(&here, "2", name), "{name}, 1 and 2 threads");
        assert!(alone == bytes(&here, "3", name), "{name}, 1 and 3 threads");
    }
}

#[test]
fn witnesses_found_during_the_search_agree_with_the_census() {
    let sought = [
        "each = \"nim_value\"\nfewest = \"pots\"",
        "each = \"atomic_weight\"\nfewest = \"seeds\"",
        "where = [\"birthday >= 2\"]\nfewest = \"seeds\"",
    ];
    for Space {
        name,
        ruleset,
        family,
    } in SPACES
    {
        // Impartial play has no ups to seek.
        let pattern = match ruleset.1 {
            "impartial" => "pattern = \"*m\"\nm = \"0..=3\"\nfewest = \"followers\"",
            _ => "pattern = \"n.^ + *m\"\nn = \"0..=2\"\nm = \"0..=3\"\nfewest = \"followers\"",
        };
        for sought in sought.into_iter().chain([pattern]) {
            let here = Workspace::new();
            let spec = spec(&here, name, ruleset, family, sought);
            here.finish(&spec, &[]);
            let found = bytes(&here, "out", name);
            let answer = |path: &&PathBuf| path.to_str().unwrap().contains("answer-");
            let parts: Vec<&PathBuf> = found.keys().filter(answer).collect();
            assert_eq!(parts.len(), 2, "a table and a record");
            for part in parts {
                fs::remove_file(here.path("out").join(name).join(part)).unwrap();
            }
            here.finish(&spec, &[]);
            assert!(bytes(&here, "out", name) == found, "{name}, {sought}");
        }
    }
}

#[test]
fn a_run_interrupted_anywhere_gives_the_same_answer() {
    let here = Workspace::new();
    let family = "all = { pots_max = 12, seeds_max = 12 }";
    let spec = spec(
        &here,
        "cut",
        ("atomic-wari", "partisan"),
        family,
        "pattern = \"n.^ + *m\"\nn = \"1..=3\"\nm = \"0..=2\"\nfewest = \"pots\"",
    );
    let (out, store) = (here.path("whole"), here.path("store-whole"));
    let arguments = [
        "--out",
        out.to_str().unwrap(),
        "--store",
        store.to_str().unwrap(),
    ];
    here.finish(&spec, &arguments);
    // The time limit interrupts, inside a part or between two.
    let mut stopped = 0;
    for _ in 0..200 {
        let ended = here.run(&spec, &["--threads", "1", "--time-limit", "20ms"]);
        match ended.status {
            Some(75) => stopped += 1,
            Some(0) => break,
            _ => panic!("{ended:?}"),
        }
        // Then kill -9 interrupts, some parts later.
        let records = files_in(&here.path("out/cut/records")).len();
        let mut child = started(here.running(&spec, &["--threads", "2"]));
        while files_in(&here.path("out/cut/records")).len() < records + 2 {
            if child.try_wait().unwrap().is_some() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        let _ = child.kill();
        wait(child);
    }
    assert!(stopped > 0, "the job is too small to be interrupted");
    here.finish(&spec, &["--threads", "2"]);
    assert!(bytes(&here, "out", "cut") == bytes(&here, "whole", "cut"));
    assert!(result(&here, "out", &spec).witnesses == result(&here, "whole", &spec).witnesses);
}

#[test]
fn damaged_cells_are_noticed_and_searched_again() {
    let here = Workspace::new();
    let ruleset = ("sowing", "impartial");
    let spec = spec(
        &here,
        "job",
        ruleset,
        "all = { pots_max = 5 }",
        "each = \"nim_value\"\nfewest = \"pots\"",
    );
    let whole = finished(&here, &spec);
    let status = |arguments: &[&str]| {
        let mut command = seedbank(&["status"]);
        command
            .args(arguments)
            .arg("--out")
            .arg(here.path("out"))
            .arg(&spec);
        ended(command)
    };
    assert_eq!(status(&["--verify"]).status, Some(0));
    let file = files_in(&here.path("out/job/census")).pop().unwrap();
    let good = fs::read(&file).unwrap();
    flip_byte(&file, good.len() / 2);
    assert_eq!(status(&["--verify"]).status, Some(4), "a flipped byte");
    truncate(&file, good.len() - 1);
    assert_eq!(status(&[]).status, Some(4), "a byte less");
    here.finish(&spec, &[]);
    assert!(fs::read(&file).unwrap() == good);
    assert_eq!(status(&["--verify"]).status, Some(0));
    assert!(result(&here, "out", &spec).witnesses == whole.witnesses);
    let answer = files_in(&here.path("out/job/witnesses")).pop().unwrap();
    fs::remove_file(&answer).unwrap();
    assert_eq!(here.finish(&spec, &[])["outcome"], "finished");
    assert!(result(&here, "out", &spec).witnesses == whole.witnesses);
    // The census of another game is refused there, and so are rows.
    let other = here.spec(
        "job",
        "sowing",
        "partisan",
        "all = { pots_max = 3 }\n[witness]\nvalue = \"1\"\nfewest = \"pots\"",
    );
    let refused = here.run(&other, &[]);
    assert_eq!(refused.status, Some(1), "{refused:?}");
    assert!(
        refused.stderr.contains("give the job another name"),
        "{refused:?}"
    );
}

#[test]
fn relations_agree_with_the_reference() {
    let family = "all = { pots_max = 6, seeds_max = 7 }";
    let here = Workspace::new();
    for play in ["partisan", "impartial"] {
        let name = format!("idle-{play}");
        let witness = "relation = \"end-one-idle\"\neach = \"value\"\nfewest = \"pots\"";
        let spec = spec(&here, &name, ("sowing", play), family, witness);
        let found = finished(&here, &spec);
        let job = load(&spec);
        let mut reference = ReferenceEngine::new(strips(&job).game);
        let mut counts: BTreeMap<(u32, u64), u64> = BTreeMap::new();
        let arena = Arena::new();
        for position in naive(&job, &arena) {
            let last = position.row.pots.len() - 1;
            let idle = [0, last].into_iter().any(|end| {
                let mut rest = position.row.clone();
                if rest.pots[end] != Pot::Seeds(1) || last == 0 {
                    return false;
                }
                rest.pots[end] = Pot::Seeds(0);
                match strips(&job).play {
                    Play::Partisan => {
                        reference.canonical(&rest).unwrap()
                            == reference.canonical(&position.row).unwrap()
                    }
                    Play::Impartial => reference.nim_value(&rest).unwrap() == position.nim_value,
                }
            });
            *counts.entry((position.pots, position.seeds)).or_default() += u64::from(idle);
        }
        let total: u64 = counts.values().sum();
        assert!(total > 20);
        assert_eq!(found.answer.counted, total, "{play}");
        let set = census_set(&here, "out", &job);
        for record in set.parts().unwrap().finished {
            for cell in record.cells {
                assert_eq!(
                    cell.counted,
                    counts[&(cell.features.pots, cell.features.seeds.unwrap())],
                    "{play}: {cell:?}"
                );
            }
        }
    }
}

#[test]
fn splits_agree_with_the_reference_and_exclude_those_of_the_rule() {
    let here = Workspace::new();
    let family = "all = { pots_max = 6, seeds_max = 7 }";
    let splits = "relation = \"splits\"\neach = \"value\"\nfewest = \"pots\"";
    let whole = "relation = \"whole\"\nfewest = \"pots\"";
    for game in ["sowing", "atomic-wari"] {
        let ruleset = (game, "partisan");
        let spec_of =
            |name: &str, witness| spec(&here, &format!("{name}-{game}"), ruleset, family, witness);
        let splitting = spec_of("splits", splits);
        let job = load(&splitting);
        let arena = Arena::new();
        let mut reference = ReferenceEngine::new(strips(&job).game);
        let (mut split, mut single) = (0, 0);
        for position in naive(&job, &arena) {
            let row = &position.row;
            let by_rule = components(strips(&job).game, row);
            single += u64::from(by_rule.len() == 1);
            let value = reference.canonical(row).unwrap();
            let is_sum = |cut: usize| {
                let mut parts = [row.clone(), row.clone()];
                parts[0].pots[cut..].fill(Pot::Seeds(0));
                parts[1].pots[..cut].fill(Pot::Seeds(0));
                let mut of_parts: Vec<String> = parts
                    .iter()
                    .flat_map(|part| components(strips(&job).game, part))
                    .collect();
                of_parts.sort();
                let moves = |part: &Row| {
                    let options = |player| reference.options(part, player).unwrap().len();
                    options(Player::Left) + options(Player::Right)
                };
                if of_parts == by_rule || parts.iter().any(|part| moves(part) == 0) {
                    return false;
                }
                let [left, right] = parts.map(|part| reference.canonical(&part).unwrap());
                reference.forms_mut().sum(left, right) == value
            };
            split += u64::from((1..row.pots.len()).any(is_sum));
        }
        assert!(split > 10 && single > 100, "{game}: {split}, {single}");
        assert_eq!(finished(&here, &splitting).answer.counted, split, "{game}");
        // The program that explains splits finds the same rows, and what it calls primitive splits.
        let mut rows = 0;
        let mut primitive = Vec::new();
        let mut tell = |_, [splits, _]: &[Splits; 2]| {
            rows += splits.rows;
            primitive.extend(splits.primitive.clone());
            assert!(splits.apart + splits.primitive.len() as u64 <= splits.all);
        };
        match game {
            "sowing" => explain::<Sowing>(sown, 6, 7, &mut tell),
            _ => explain::<AtomicWari>(captured, 6, 7, &mut tell),
        }
        .unwrap();
        assert_eq!(rows, split, "{game}");
        assert!(!primitive.is_empty(), "{game}");
        for text in primitive {
            let parts = text.split('|').map(|part| part.parse::<Row>().unwrap());
            let parts: Vec<_> = parts
                .map(|part| reference.canonical(&part).unwrap())
                .collect();
            let whole: Row = text.replace('|', "").parse().unwrap();
            let whole = reference.canonical(&whole).unwrap();
            assert_eq!(
                reference.forms_mut().sum(parts[0], parts[1]),
                whole,
                "{text}"
            );
        }
        let found = finished(&here, &spec_of("whole", whole));
        assert_eq!(found.answer.counted, single, "{game}");
    }
}

#[test]
fn rows_of_repeated_words_are_told_by_their_moves_and_values() {
    let reference = ReferenceEngine::new(Game::SOWING);
    // No seed of the middle one of seventeen copies reaches an end.
    for word in (1..=8).flat_map(words_of) {
        let row: Row = word.repeat(17).parse().unwrap();
        let (copy, middle) = (word.len(), 8 * word.len());
        let is_sown = |option: &AnyBoard| {
            let option = option.row().expect("a row");
            (middle..middle + copy).any(|place| {
                row.pots[place] != Pot::Seeds(0) && option.pots[place] == Pot::Seeds(0)
            })
        };
        let mut options = Player::BOTH
            .into_iter()
            .flat_map(|player| reference.options(&row, player).unwrap());
        let has_seeds = row.pots.iter().any(|pot| *pot != Pot::Seeds(0));
        assert_eq!(
            is_still(&word),
            has_seeds && !options.any(|option| is_sown(&option)),
            "{word}"
        );
    }

    let engine = Engine::new(Sowing, CanonicalForms::default());
    let mut search = engine.search(&NothingKnown);
    let mut found = |rows: [&str; 3]| first_numbers(&mut search, |n| rows[n - 1].to_owned());
    let numbers = ["1/2", "1/4", "1/8"].map(str::to_owned).to_vec();
    assert_eq!(found(["2111", "12202", "122011"]), Ok(Some(numbers)));
    assert_eq!(found(["2111", "122011", "12202"]), Ok(None));
    assert_eq!(found(["2111", "12202", "11"]), Ok(None));
    assert_eq!(found(["2111", "12202", "111111111111"]), Err(TooLarge));
}

/// The positions into which the rule of its game splits a row, sorted.
fn components(game: Game, row: &Row) -> Vec<String> {
    struct Components<'a>(&'a Row);

    impl GameVisitor for Components<'_> {
        type Output = Vec<String>;

        fn visit<R: PotGame>(self, ruleset: R) -> Vec<String> {
            let parts = ruleset.components(&ruleset.position_on(&self.0.clone().into()).unwrap());
            parts.iter().map(ToString::to_string).collect()
        }
    }

    let mut components = game.visit(Components(row));
    components.sort();
    components
}

/// Counts the followers of each position separately.
fn followers(game: Game, row: &Row) -> u64 {
    struct Followers<'a>(&'a Row);

    impl GameVisitor for Followers<'_> {
        type Output = u64;

        fn visit<R: PotGame>(self, ruleset: R) -> u64 {
            let position = ruleset.position_on(&self.0.clone().into()).unwrap();
            count_followers(&ruleset, &position, &Control::default()).unwrap()
        }
    }

    game.visit(Followers(row))
}

#[test]
fn fewest_followers_agree_with_all_positions() {
    let here = Workspace::new();
    for (name, ruleset, family) in [
        (
            "wari",
            ("atomic-wari", "partisan"),
            "all = { pots_max = 5, seeds_max = 7 }",
        ),
        ("sowing", ("sowing", "impartial"), "all = { pots_max = 5 }"),
        (
            "row",
            ("sowing", "partisan"),
            "pattern = \"x y 1^n\"\nx = \"1..=4\"\ny = \"0..=4\"\nn = \"1..=3\"",
        ),
    ] {
        let spec = spec(
            &here,
            name,
            ruleset,
            family,
            "each = \"value\"\nfewest = \"followers\"",
        );
        let found = finished(&here, &spec);
        let job = load(&spec);
        let count = |row: &Row| followers(strips(&job).game, row);
        let arena = Arena::new();
        let mut digester = Digester::new(&arena);
        let mut best: BTreeMap<[u8; 16], (u64, u32, u64, usize)> = BTreeMap::new();
        let positions = naive(&job, &arena);
        for (rank, position) in positions.iter().enumerate() {
            let followers = count(&position.row);
            let this = (followers, position.pots, position.seeds, rank);
            for (_, value) in position.both() {
                let known = best.entry(digester.digest(value).0).or_insert(this);
                *known = this.min(*known);
            }
        }
        assert_eq!(found.witnesses.len(), best.len());
        for row in &found.witnesses {
            let (followers, _, _, rank) = best[&row.value_digest.unwrap()];
            assert_eq!(row.followers, Some(followers as i64), "{name}: {row:?}");
            let mut both = positions[rank].both();
            let first =
                both.find(|(_, value)| digester.digest(*value).0 == row.value_digest.unwrap());
            assert_eq!(
                row.position.as_deref(),
                first.map(|(text, _)| text),
                "{name}"
            );
        }
    }
}

#[test]
fn faults_in_a_section_are_reported() {
    let refuse = |witness: &str| -> JobError {
        let text = format!(
            "name = \"x\"\n[ruleset]\ngame = \"sowing\"\nplay = \"partisan\"\n[family]\nall = {{ pots_max = 4 }}\n[witness]\n{witness}\n"
        );
        match Job::parse(&text, Path::new("bad.toml"), Path::new(".")) {
            Ok(_) => panic!("accepted:\n{text}"),
            Err(error) => {
                schema::assert_refused(&text, &error);
                error
            }
        }
    };
    for (witness, fragments) in [
        (
            "value = \"1\"",
            &["witness.fewest: missing; write fewest = \"seeds\""][..],
        ),
        (
            "fewest = \"seeds\"",
            &["something to look for: value, pattern, where, each or relation"],
        ),
        (
            "value = \"1\"\nfewest = \"seed\"",
            &[
                "accepted: seeds, pots, followers",
                "did you mean `seeds`?",
                "bad.toml:9:",
            ],
        ),
        (
            "value = \"1/3\"\nfewest = \"seeds\"",
            &["\"1/3\" is no value"],
        ),
        (
            "value = [\"1\", \"{\"]\nfewest = \"seeds\"",
            &["witness.value[1]: \"{\" is no value"],
        ),
        (
            "pattern = \"1/2^k\"\nfewest = \"seeds\"",
            &[
                "variable k has no range",
                "add `k = \"1..=9\"` below the pattern",
            ],
        ),
        (
            "pattern = \"1/2^k\"\nk = \"1..=3\"\nm = 2\nfewest = \"seeds\"",
            &["has no variable m"],
        ),
        (
            "pattern = \"k+v\"\nk = \"1\"\nv = \"1\"\nfewest = \"seeds\"",
            &["v is down; name the variable otherwise"],
        ),
        (
            "pattern = \"1/2^k\"\nk = \"-1..=3\"\nfewest = \"seeds\"",
            &["an exponent is below 0"],
        ),
        (
            "pattern = \"*k\"\nk = \"0..=1000000\"\nfewest = \"seeds\"",
            &["too many values; accepted: at most 65536"],
        ),
        (
            "pattern = \"*k\"\nk = 300\nfewest = \"seeds\"",
            &["\"*k for k = 300\" is no value"],
        ),
        (
            "value = \"1\"\npattern = \"k\"\nk = 1\nfewest = \"seeds\"",
            &["witness.pattern: a job with [witness] needs value or pattern, not both"],
        ),
        (
            "value = \"1\"\neach = \"value\"\nfewest = \"seeds\"",
            &["no each beside value or pattern"],
        ),
        (
            "where = \"weight > 1\"\nfewest = \"seeds\"",
            &["unknown invariant \"weight\"; accepted: nim_value, atomic_weight"],
        ),
        (
            "where = [\"mean > 1/3\"]\nfewest = \"seeds\"",
            &["witness.where[0]: malformed condition \"1/3\"; accepted: an integer or a dyadic"],
        ),
        (
            "where = \"kind = hit\"\nfewest = \"seeds\"",
            &["unknown kind \"hit\"", "did you mean `hot`?"],
        ),
        (
            "where = \"mean\"\nfewest = \"seeds\"",
            &["malformed condition \"mean\""],
        ),
        (
            "relation = \"split\"\nfewest = \"seeds\"",
            &["accepted: end-one-idle, splits"],
        ),
        (
            "value = \"1\"\nfewest = \"seeds\"\nlimit = 3",
            &[
                "witness.limit: unknown key; accepted: value, pattern, where, each, fewest, relation",
            ],
        ),
        (
            "value = \"1\"\nfewest = \"seeds\"\n[table]\nlayout = \"list\"",
            &["table: a job with [witness] needs no [table]"],
        ),
    ] {
        let error = refuse(witness);
        let message = error.to_string();
        for fragment in fragments {
            assert!(
                message.contains(fragment),
                "{witness}: no {fragment:?} in\n{message}"
            );
        }
    }
}

#[test]
fn the_question_belongs_to_a_job_and_not_to_its_census() {
    let job = |bounds: &str, witness: &str| {
        let text = format!(
            "name = \"x\"\n[ruleset]\ngame = \"sowing\"\nplay = \"partisan\"\n[family]\nall = {{ {bounds} }}\n[witness]\n{witness}\n"
        );
        Job::parse(&text, Path::new("x.toml"), Path::new("."))
            .unwrap_or_else(|error| panic!("{error}"))
    };
    let census_header = |job: &Job| seedbank::task::census::header(&job.header, census(job));
    let one = job("pots_max = 4", "value = \"1\"\nfewest = \"seeds\"");
    let same = job("pots_max = 4", "fewest = 'seeds'\nvalue = \"{0|}\"");
    assert_eq!(
        one.header.digest, same.header.digest,
        "a value counts, not its spelling"
    );
    for other in [
        job("pots_max = 4", "value = \"2\"\nfewest = \"seeds\""),
        job("pots_max = 4", "value = \"1\"\nfewest = \"pots\""),
        job("pots_max = 5", "value = \"1\"\nfewest = \"seeds\""),
        job(
            "pots_max = 4, order = \"seeds\"",
            "where = \"birthday = 1\"\nfewest = \"seeds\"",
        ),
    ] {
        assert_ne!(one.header.digest, other.header.digest);
        assert_eq!(census_header(&one), census_header(&other));
    }
    let related = job("pots_max = 4", "relation = \"splits\"\nfewest = \"seeds\"");
    assert_ne!(census_header(&one).space, census_header(&related).space);
    assert!(matches!(
        strips(&one).family.subfamilies(),
        [Subfamily::All(_)]
    ));
}

/// A witness may be the negative of a row from which play need not end, but which has a value of games that end.
#[test]
fn witnesses_may_be_rows_from_which_play_need_not_end() {
    let here = Workspace::new();
    let spec = spec(
        &here,
        "reversed",
        ("reverse-atomic-wari", "partisan"),
        "all = { pots_max = 7, seeds_max = 16, order = \"pots\" }",
        "where = \"temperature >= 0\"\neach = \"value\"\nfewest = \"pots\"",
    );
    let found = finished(&here, &spec).witnesses;
    let boards: Vec<AnyBoard> = found
        .iter()
        .map(|row| {
            BoardKind::Row
                .read(row.position.as_deref().unwrap())
                .unwrap()
        })
        .collect();
    let evaluation = Evaluation::of(Game::REVERSE_ATOMIC_WARI, Play::Partisan);
    let mut need_not_end = 0;
    let each = |place: usize, row: PositionRow| {
        let value = row.value.expect("witnesses have values");
        let sought = &found[place];
        assert_eq!(Some(value.value_digest), sought.value_digest, "{sought:?}");
        need_not_end += usize::from(row.is_stopper.is_some());
    };
    evaluate(&evaluation, &session(1, ByteSize::gib(1)), &boards, each).unwrap();
    assert!(found.len() > 1000 && need_not_end > 0, "{need_not_end}");
}
