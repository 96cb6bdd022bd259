//! A job from spec to result set: the same rows whatever the circumstances, and the right values. A
//! run uses the store, does not trust damaged segments, and resumes after it ran out of memory.

use crate::common::python::python;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::fs;
use std::path::Path;

use crate::common::naive::{SameForm, options};
use crate::common::rows::row;
use crate::common::workspace::{Workspace, ended, files_in, flip_byte, seedbank, truncate};
use seedbank::board::row::{Pot, Row};
use seedbank::board::{Key, PositionError};
use seedbank::dataset::{DatasetError, FormRow};
use seedbank::engine::reference::ReferenceEngine;
use seedbank::engine::{CanonicalForms, Engine, EngineError, Formed, NimValues, NothingKnown};
use seedbank::game::{Game, Play, Player, Ruleset, Sowing};
use seedbank::store::{FormTable, Namespace, SegmentContents, Store};
use seedbank::value::{Arena, Calculator, Digester, Kind, Notation, NotationWriter, ValueId};
use serde_json::{Value, json};

/// Three parts of positions that are quick to evaluate.
const THREE_PARTS: &str = "sample = { count = 600000, seed = 7, pots_max = 4, seeds_max = 6 }";

#[test]
fn all_numbers_of_threads_and_of_runs_make_the_same_bytes() {
    let here = Workspace::new();
    let ones = here.spec(
        "ones",
        "sowing",
        "partisan",
        "pattern = \"1^n\"\nn = \"1..=9\"",
    );
    // Rows that take long, so that all workers search the same row.
    let long = here.spec(
        "long",
        "sowing",
        "partisan",
        "pattern = \"2^n\"\nn = \"6..=8\"",
    );
    let small = here.spec(
        "small",
        "atomic-wari",
        "partisan",
        "all = { pots_max = 6, seeds_max = 7 }",
    );
    let sample = here.spec("sample", "sowing", "impartial", THREE_PARTS);
    for (spec, name) in [
        (ones, "ones"),
        (long, "long"),
        (small, "small"),
        (sample, "sample"),
    ] {
        let mut results = Vec::new();
        for threads in ["1", "2", "4"] {
            let (out, store) = (here.path(threads), here.path(&format!("store-{threads}")));
            let (out, store) = (out.to_str().unwrap(), store.to_str().unwrap());
            let arguments = ["--threads", threads, "--out", out, "--store", store];
            let first = here.finish(&spec, &arguments);
            assert_eq!(first["outcome"], "finished");
            results.push(here.result(threads, name));
            let second = here.finish(&spec, &arguments);
            assert_eq!(second["outcome"], "already-finished");
            assert_eq!(second["rows"], first["rows"]);
            let said = here.run(&spec, &arguments);
            assert!(said.stdout.contains("already finished"), "{said:?}");
            assert!(
                here.result(threads, name) == results[0],
                "{name}, run twice"
            );
        }
        assert!(results[0] == results[1], "{name}, 1 and 2 threads");
        assert!(results[0] == results[2], "{name}, 1 and 4 threads");
        assert!(results[0].keys().any(|path| path.starts_with("parts")));
        assert!(results[0].keys().any(|path| path.starts_with("forms")));
    }
}

#[test]
fn a_lost_result_is_rebuilt_from_the_store_alone() {
    let here = Workspace::new();
    for (game, play) in [("sowing", "partisan"), ("atomic-wari", "impartial")] {
        let name = format!("{game}-{play}");
        let spec = here.spec(&name, game, play, "all = { pots_max = 5, seeds_max = 7 }");
        let first = here.finish(&spec, &[]);
        assert!(first["positions"].as_u64().unwrap() > 100, "{first}");
        assert!(
            first["sealed"].as_u64() >= first["rows"].as_u64(),
            "{first}"
        );
        let result = here.result("out", &name);
        fs::remove_dir_all(here.path("out").join(&name)).unwrap();
        let second = here.finish(&spec, &["--threads", "2"]);
        assert_eq!(second["outcome"], "finished");
        assert_eq!(second["positions"], 0, "{second}");
        assert_eq!(second["sealed"], 0, "{second}");
        assert!(here.result("out", &name) == result, "{name}");

        // Another job over some of the positions evaluates nothing either.
        let part = here.spec("part", game, play, "all = { pots_max = 4, seeds_max = 5 }");
        assert_eq!(here.finish(&part, &[])["positions"], 0);
        fs::remove_dir_all(here.path("out").join("part")).unwrap();
    }
}

#[test]
fn values_of_a_store_are_used_and_ways_of_playing_are_separate() {
    let here = Workspace::new();
    let (key, _) = Sowing.key(&Sowing.position(&row("312")).unwrap()).unwrap();
    let namespace = |version: u32, play: &str| Namespace::new(Sowing.id(), version, play);
    let store = Store::open(&here.path("store")).unwrap();
    let mut writer = store.writer().unwrap();
    // The game cannot have this value, so a command that prints it read it from the store.
    for (namespace, value) in [
        (namespace(Sowing.version(), "impartial"), 77),
        (namespace(Sowing.version() + 1, "impartial"), 78),
    ] {
        let contents = SegmentContents {
            namespace,
            records: vec![(key, value)],
            forms: FormTable::new(),
        };
        writer.seal(contents).unwrap();
    }
    drop(writer);
    let store = here.path("store");
    let eval = |game: &str, play: &str| {
        let mut command = seedbank(&["eval", "--game", game, "--play", play, "312", "213"]);
        command.arg("--store").arg(&store);
        ended(command).stdout
    };
    assert_eq!(eval("sowing", "impartial"), "312 = *77\n213 = *77\n");
    assert_eq!(eval("sowing", "partisan"), "312 = {0|-2}\n213 = {2|0}\n");
    assert_eq!(eval("atomic-wari", "impartial"), "312 = *2\n213 = *2\n");
}

/// All forms of a result set in an arena, by their digests.
struct Rebuilt<'a> {
    calculator: Calculator<'a>,
    forms: HashMap<[u8; 16], ValueId>,
}

impl<'a> Rebuilt<'a> {
    fn new(arena: &'a Arena, rows: &[FormRow]) -> Rebuilt<'a> {
        let mut calculator = arena.calculator();
        let mut forms: HashMap<[u8; 16], ValueId> = HashMap::new();
        for row in rows {
            // Options precede the forms that have them.
            let of = |digests: &[[u8; 16]]| -> Vec<ValueId> {
                digests.iter().map(|digest| forms[digest]).collect()
            };
            let (mut left, mut right) = (of(&row.left_options), of(&row.right_options));
            let form = calculator.canonical(&mut left, &mut right).unwrap();
            assert_eq!(left.len(), row.left_options.len(), "a form is canonical");
            assert_eq!(right.len(), row.right_options.len(), "a form is canonical");
            assert_eq!(Kind::of(arena, form).name(), row.kind);
            if let Some(there) = forms.insert(row.value_digest, form) {
                assert_eq!(there, form, "one digest, one form");
            }
        }
        let distinct: HashSet<ValueId> = forms.values().copied().collect();
        assert_eq!(distinct.len(), forms.len(), "one form, one digest");
        Rebuilt { calculator, forms }
    }
}

#[test]
fn every_row_agrees_with_the_reference_engine_and_with_the_table_of_forms() {
    let here = Workspace::new();
    for (game_name, play) in [
        ("sowing", Play::Partisan),
        ("sowing", Play::Impartial),
        ("atomic-wari", Play::Partisan),
        ("atomic-wari", Play::Impartial),
    ] {
        let name = format!("{game_name}-{play}");
        let family = "all = { pots_max = 4, seeds_max = 5 }\n[columns]\nfollowers = true\n\
                      depth = true\nbranching = true";
        let spec = here.spec(&name, game_name, play.name(), family);
        here.finish(&spec, &["--threads", "2"]);
        let game: Game = game_name.parse().unwrap();
        let mut reference = ReferenceEngine::new(game);
        let arena = Arena::new();
        let mut rebuilt = Rebuilt::new(&arena, &here.forms(&spec));
        let mut same = SameForm::default();
        let rows = here.rows(&spec);
        assert!(rows.len() > 30, "{name}: {} rows", rows.len());
        let mut values = HashSet::new();
        for found in &rows {
            let position = row(&found.position);
            let at = format!("{name}: {}", found.position);
            assert_eq!(
                (found.game.as_ref(), found.play.as_ref()),
                (game_name, play.name())
            );
            let form = rebuilt.forms[&found.value.as_ref().unwrap().value_digest];
            let notation = arena.notation(form).to_string();
            assert_eq!(
                found.value.as_ref().unwrap().value.as_deref(),
                Some(notation.as_str()),
                "{at}"
            );
            match play {
                Play::Partisan => {
                    let expected = reference.canonical(&position).unwrap();
                    assert!(same.same(reference.forms(), expected, &arena, form), "{at}");
                    assert_eq!(
                        found.value.as_ref().unwrap().nim_value,
                        arena.nimber(form).map(|n| n as i32),
                        "{at}"
                    );
                }
                Play::Impartial => {
                    let expected = reference.nim_value(&position).unwrap();
                    assert_eq!(
                        found.value.as_ref().unwrap().nim_value,
                        Some(expected as i32),
                        "{at}"
                    );
                    assert_eq!(form, rebuilt.calculator.nimber(expected).unwrap(), "{at}");
                }
            }
            let outcome = reference.outcome(&position, play).unwrap();
            assert_eq!(found.outcome.as_deref(), Some(outcome.letter()), "{at}");
            let pots = match &*found.position {
                "0" => 0,
                _ => position.pots.len(),
            };
            assert_eq!(found.features.pots, Some(pots as i32), "{at}");
            assert_eq!(
                found.value.as_ref().unwrap().kind,
                Kind::of(&arena, form).name(),
                "{at}"
            );
            assert_eq!(
                found.value.as_ref().unwrap().left_stop,
                arena.left_stop(form).to_f64_exact(),
                "{at}"
            );
            assert_eq!(
                found.value.as_ref().unwrap().right_stop,
                arena.right_stop(form).to_f64_exact(),
                "{at}"
            );
            assert_eq!(
                found.value.as_ref().unwrap().birthday.unwrap() as u32,
                arena.birthday(form),
                "{at}"
            );
            assert_eq!(
                found.value.as_ref().unwrap().dicotic,
                Some(arena.is_dicotic(form)),
                "{at}"
            );
            let (followers, depth, branching) = match game {
                Game::SOWING => followers(&Sowing, &position),
                _ => followers(&seedbank::game::AtomicWari::default(), &position),
            };
            assert_eq!(found.followers, Some(followers), "{at}");
            assert_eq!(found.depth, Some(depth), "{at}");
            assert_eq!(found.branching, Some(branching), "{at}");
            values.insert(form);
        }
        assert!(values.len() > 2, "{name} has {} values", values.len());
    }
}

#[test]
fn a_value_too_long_to_write_is_in_the_table_of_forms() {
    let here = Workspace::new();
    let position = "102212043";
    let spec = here.spec(
        "long",
        "sowing",
        "partisan",
        &format!("positions = [{position:?}]"),
    );
    here.finish(&spec, &[]);
    let engine = Engine::new(Sowing, CanonicalForms::default());
    let word = engine
        .search(&NothingKnown)
        .evaluate(&Sowing.position(&row(position)).unwrap());
    let expected = CanonicalForms::value(word.unwrap());
    let arena = &engine.valuation.arena;
    let rebuilt = Rebuilt::new(arena, &here.forms(&spec));
    let [found] = &here.rows(&spec)[..] else {
        panic!("a row for each position")
    };
    assert_eq!(
        rebuilt.forms[&found.value.as_ref().unwrap().value_digest],
        expected
    );
    assert_eq!(found.value.as_ref().unwrap().value, None);
    assert_eq!(arena.notation_limited(expected, 4096), None);
    let eval = ["eval", "--game", "sowing", "--play", "partisan", position];
    let digest: String = found
        .value
        .as_ref()
        .unwrap()
        .value_digest
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert_eq!(
        ended(seedbank(&eval)).stdout,
        format!(
            "{position} = (longer than 4096 characters, digest {digest}; --full prints up to 2^30)\n"
        )
    );
}

/// Returns the number of normal positions that some sequence of moves reaches, including the
/// position itself; the length of the longest such sequence; and the mean number of different
/// options.
fn followers<R: Ruleset<Board = Row>>(ruleset: &R, row: &Row) -> (i64, i32, f64) {
    let mut generation = HashSet::from([ruleset.position(row).unwrap()]);
    let mut options_of = HashMap::new();
    let mut depth = -1;
    // One generation for each number of moves, until no position is left.
    while !generation.is_empty() {
        depth += 1;
        let mut next = HashSet::new();
        for position in generation {
            let sides = Player::BOTH.map(|player| options(ruleset, &position, player).unwrap());
            let different: HashSet<_> = sides.concat().into_iter().collect();
            options_of.insert(position, different.len());
            next.extend(different);
        }
        generation = next;
    }
    let moves: usize = options_of.values().sum();
    let count = options_of.len();
    (count as i64, depth, moves as f64 / count as f64)
}

#[test]
fn a_union_has_a_column_for_each_variable_and_keeps_its_order() {
    let here = Workspace::new();
    let family = r#"union = [
      { pattern = "1^n", n = "1..=3" },
      { pattern = "(10)^m 03 (01)^n", m = "0..=1", n = [2, 0] },
      { positions = ["312"] },
      { pattern = "e 1^k e", k = 2 },
    ]"#;
    let spec = here.spec("union", "sowing", "partisan", family);
    here.finish(&spec, &[]);
    let results = here.result_set("out", &spec);
    assert_eq!(results.header().tables.variables(), ["n", "m", "k"]);
    let rows = here.rows(&spec);
    let found: Vec<_> = rows
        .iter()
        .map(|row| {
            (
                row.position.as_str(),
                row.pattern.as_deref(),
                row.variables.as_slice(),
            )
        })
        .collect();
    let ones = Some("1^n");
    let theorem = Some("(10)^m 03 (01)^n");
    assert_eq!(
        found,
        [
            ("1", ones, &[Some(1), None, None][..]),
            ("11", ones, &[Some(2), None, None]),
            ("111", ones, &[Some(3), None, None]),
            ("030101", theorem, &[Some(2), Some(0), None]),
            ("03", theorem, &[Some(0), Some(0), None]),
            ("10030101", theorem, &[Some(2), Some(1), None]),
            ("1003", theorem, &[Some(0), Some(1), None]),
            ("312", None, &[None, None, None]),
            ("e11e", Some("e 1^k e"), &[None, None, Some(2)]),
        ]
    );
    let values: Vec<_> = rows
        .iter()
        .map(|row| row.value.as_ref().unwrap().value.as_deref().unwrap())
        .collect();
    assert_eq!(values[3..8], ["0", "0", "0", "0", "{0|-2}"]);
    // A full pot has no exact number of seeds.
    let seeds: Vec<_> = rows.iter().map(|row| row.features.seeds).collect();
    assert_eq!(seeds[6..], [Some(4), Some(6), None]);
    assert!(rows.iter().all(|row| row.followers.is_none()));
}

#[test]
fn samples_and_files_give_their_positions() {
    let here = Workspace::new();
    fs::write(
        here.path("list.txt"),
        "312 # the text's example\n\n11\n1 1 1\n",
    )
    .unwrap();
    let file = here.spec("file", "sowing", "partisan", "file = \"list.txt\"");
    here.finish(&file, &[]);
    let found: Vec<_> = here
        .rows(&file)
        .into_iter()
        .map(|row| (row.position, row.value.unwrap().value))
        .collect();
    let expected = [("312", "{0|-2}"), ("11", "*"), ("111", "0")];
    let expected = expected.map(|(position, value)| (position.to_owned(), Some(value.into())));
    assert_eq!(found, expected);

    // The positions are part of the job: a job of the same name with other positions is refused.
    fs::write(here.path("list.txt"), "312\n").unwrap();
    let refused = here.run(&file, &[]);
    assert_eq!(refused.status, Some(1), "{refused:?}");
    assert!(refused.stderr.contains("another --out"), "{refused:?}");

    let sample = |name: &str, seed: u32, count: u32| {
        let family =
            format!("sample = {{ count = {count}, seed = {seed}, pots_max = 6, seeds_max = 9 }}");
        let spec = here.spec(name, "atomic-wari", "impartial", &family);
        here.finish(&spec, &["--threads", "2"]);
        let rows = here.rows(&spec).into_iter();
        rows.map(|row| (row.position, row.value.as_ref().unwrap().nim_value))
            .collect::<Vec<_>>()
    };
    let (few, many, other) = (
        sample("few", 1, 50),
        sample("many", 1, 80),
        sample("other", 2, 80),
    );
    assert_eq!(few, many[..50]);
    assert_ne!(many, other);
    let mut reference = ReferenceEngine::new(Game::ATOMIC_WARI);
    for (position, nim_value) in many {
        let expected = reference.nim_value(&row(&position)).unwrap();
        assert_eq!(nim_value, Some(expected as i32), "{position}");
    }
}

/// A game with one move in each position, the same for both players: to the next lower position, or
/// around a circle.
#[derive(Clone)]
struct Countdown {
    /// The number of positions on the circle, if play is circular.
    circle: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Count(u64);

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Ruleset for Countdown {
    type Board = Row;
    type Position = Count;

    fn id(&self) -> String {
        "countdown".to_owned()
    }

    fn version(&self) -> u32 {
        1
    }

    fn position(&self, row: &Row) -> Result<Count, PositionError> {
        match row.pots.as_slice() {
            [Pot::Seeds(seeds)] => Ok(Count((*seeds).into())),
            _ => Err(PositionError::FullPots {
                row: row.to_string(),
            }),
        }
    }

    fn board(&self, position: &Count) -> Row {
        Row {
            pots: vec![Pot::Seeds(position.0 as u32)],
            ..Row::default()
        }
    }

    fn each_option(
        &self,
        position: &Count,
        _: Player,
        visit: &mut impl FnMut(&Count),
    ) -> Result<(), PositionError> {
        match (position.0.checked_sub(1), self.circle) {
            (Some(below), _) => visit(&Count(below)),
            (None, Some(circle)) => visit(&Count(circle - 1)),
            (None, None) => {}
        }
        Ok(())
    }

    fn negative(&self, position: &Count) -> Count {
        position.clone()
    }

    fn key(&self, position: &Count) -> Result<(Key, bool), PositionError> {
        Ok((position.0.into(), false))
    }

    fn position_of(&self, key: Key) -> Count {
        Count(key as u64)
    }
}

#[test]
fn play_a_million_moves_deep_does_not_overflow_the_stack() {
    fn evaluate<V: Formed + Default>(depth: u64, expected: u32) {
        let engine = Engine::new(Countdown { circle: None }, V::default());
        let word = engine
            .search(&NothingKnown)
            .evaluate(&Count(depth))
            .unwrap();
        let form = V::form(&mut engine.valuation.arena().calculator(), word).unwrap();
        assert_eq!(engine.valuation.arena().nimber(form), Some(expected));
    }
    // The same depth on a stack that a few thousand calls would fill shows that play uses no stack.
    let small = std::thread::Builder::new().stack_size(256 << 10);
    let evaluated = small.spawn(|| {
        evaluate::<CanonicalForms>(1_000_000, 0);
        evaluate::<NimValues>(1_000_001, 1);
    });
    evaluated.unwrap().join().unwrap();
}

/// Rows as long as keys allow, and values whose forms are as deep as rows are long.
#[test]
fn long_rows_and_deep_values_take_no_more_stack_than_short_ones() {
    let small = std::thread::Builder::new().stack_size(256 << 10);
    let done = small.spawn(|| {
        let engine = Engine::new(Sowing, CanonicalForms::default());
        let mut search = engine.search(&NothingKnown);
        // One seed far to the left of many empty pots can be sown again and again; 1^n 0^m is an
        // integer or close to one.
        for row in ["1 0^100", "1 1 0^60 2", "0^50 3 0^50", "e 0^20 2"] {
            let Ok(row) = row.parse::<Row>() else {
                continue;
            };
            if let Ok(position) = Sowing.position(&row) {
                search.evaluate(&position).unwrap();
            }
        }
        // An integer of birthday 100,000, its notation and its digest.
        let arena = &engine.valuation.arena;
        let deep = arena.calculator().parse("100000").unwrap();
        let half = arena.calculator().parse("{100000|-100000}").unwrap();
        let mut digester = Digester::new(arena);
        assert_ne!(digester.digest(deep), digester.digest(half));
        let mut calculator = arena.calculator();
        assert!(calculator.le(deep.negative(), deep));
        let text = NotationWriter::new(arena).limited(half, Notation::Standard, 100);
        assert_eq!(text.as_deref(), Some("+-100000"));
        assert_eq!(
            calculator.sum(deep, deep.negative()).unwrap(),
            ValueId::ZERO
        );
    });
    done.unwrap().join().unwrap();
}

#[test]
fn play_in_a_circle_is_an_error() {
    fn evaluate<V: Formed + Default>(circle: u64) {
        let engine = Engine::new(
            Countdown {
                circle: Some(circle),
            },
            V::default(),
        );
        let mut search = engine.search(&NothingKnown);
        let error = search.evaluate(&Count(circle / 2)).unwrap_err();
        assert!(matches!(error, EngineError::Cycle { .. }), "{error}");
        assert!(
            error.to_string().contains("countdown does not terminate"),
            "{error}"
        );
        // The search can still be used after the error.
        let again = search.evaluate(&Count(0)).unwrap_err();
        assert!(matches!(again, EngineError::Cycle { .. }), "{again}");
    }
    for circle in [1, 2, 3, 101, 100_000] {
        evaluate::<CanonicalForms>(circle);
        evaluate::<NimValues>(circle);
    }
}

#[test]
fn a_damaged_segment_is_named_and_its_values_are_computed_again() {
    let here = Workspace::new();
    let spec = here.spec(
        "ones",
        "sowing",
        "partisan",
        "pattern = \"1^n\"\nn = \"1..=8\"",
    );
    let first = here.finish(&spec, &[]);
    let result = here.result("out", "ones");
    let last = here
        .rows(&spec)
        .pop()
        .unwrap()
        .value
        .unwrap()
        .value
        .unwrap();
    let expected = format!("1^8 = {last}\n");
    let [segment] = &here.segments()[..] else {
        panic!("one segment was sealed: {:?}", here.segments())
    };
    let whole = fs::read(segment).unwrap();
    let name = segment.file_name().unwrap().to_str().unwrap();
    let manifest = fs::read(here.path("store/manifest.json")).unwrap();
    let mut random = fastrand::Rng::with_seed(0x5eed);
    let damages: Vec<Damage> = [0, 20, 4096, whole.len() - 1]
        .into_iter()
        .chain((0..4).map(|_| random.usize(..whole.len())))
        .map(Damage::Flip)
        .chain([
            Damage::Cut(0),
            Damage::Cut(100),
            Damage::Cut(whole.len() - 1),
            Damage::Gone,
        ])
        .collect();
    for damage in damages {
        // The original store, except for the damage.
        fs::remove_dir_all(here.path("store")).unwrap();
        fs::create_dir_all(here.path("store/segments")).unwrap();
        fs::write(segment, &whole).unwrap();
        fs::write(here.path("store/manifest.json"), &manifest).unwrap();
        assert_eq!(here.store("verify", &[]).status, Some(0));
        damage.apply(segment);

        let verified = here.store("verify", &[]);
        assert_eq!(verified.status, Some(4), "{damage:?}: {verified:?}");
        assert!(verified.stdout.contains(name), "{damage:?}: {verified:?}");

        // An evaluation names the segment, too.
        let evaluate = || {
            let mut eval = seedbank(&["eval", "--game", "sowing", "--play", "partisan", "1^8"]);
            eval.arg("--store").arg(here.path("store"));
            ended(eval)
        };
        let evaluated = evaluate();
        assert_eq!(evaluated.status, Some(0), "{damage:?}: {evaluated:?}");
        assert_eq!(evaluated.stdout, expected, "{damage:?}");
        assert!(evaluated.stderr.contains(name), "{damage:?}: {evaluated:?}");

        fs::remove_dir_all(here.path("out")).unwrap();
        let ran = here.run(&spec, &["--json"]);
        assert_eq!(ran.status, Some(0), "{damage:?}: {ran:?}");
        assert!(
            ran.stderr.contains("WARN") && ran.stderr.contains(name),
            "{damage:?}: {ran:?}"
        );
        assert_eq!(ran.json()["sealed"], first["sealed"], "{damage:?}");
        assert!(here.result("out", "ones") == result, "{damage:?}");

        // The store holds the values computed again, beside the damaged segment.
        fs::remove_dir_all(here.path("out")).unwrap();
        assert_eq!(here.finish(&spec, &[])["positions"], 0, "{damage:?}");
        assert_eq!(evaluate().stdout, expected, "{damage:?}");

        // Repair removes the damaged segment, and only that.
        assert_eq!(here.store("verify", &[]).status, Some(4), "{damage:?}");
        let repaired = here.store("repair", &[]);
        assert_eq!(repaired.status, Some(0), "{damage:?}: {repaired:?}");
        assert_eq!(repaired.stdout, format!("{name}: removed\n"), "{damage:?}");
        assert_eq!(here.store("verify", &[]).status, Some(0), "{damage:?}");
        fs::remove_dir_all(here.path("out")).unwrap();
        assert_eq!(here.finish(&spec, &[])["positions"], 0, "{damage:?}");
    }
}

#[derive(Debug)]
enum Damage {
    Flip(usize),
    Cut(usize),
    Gone,
}

impl Damage {
    fn apply(&self, path: &Path) {
        match *self {
            Damage::Flip(at) => flip_byte(path, at),
            Damage::Cut(len) => truncate(path, len),
            Damage::Gone => fs::remove_file(path).unwrap(),
        }
    }
}

#[test]
fn a_damaged_manifest_of_the_store_stops_the_run() {
    let here = Workspace::new();
    let spec = here.spec(
        "ones",
        "sowing",
        "partisan",
        "pattern = \"1^n\"\nn = \"1..=5\"",
    );
    here.finish(&spec, &[]);
    fs::remove_dir_all(here.path("out")).unwrap();
    flip_byte(&here.path("store/manifest.json"), 200);
    for ended in [
        here.run(&spec, &[]),
        here.store("verify", &[]),
        here.store("stat", &[]),
    ] {
        assert_eq!(ended.status, Some(4), "{ended:?}");
        assert!(ended.stderr.contains("store/manifest.json"), "{ended:?}");
    }
}

#[test]
fn a_damaged_part_is_an_error_and_never_a_wrong_row() {
    let here = Workspace::new();
    let spec = here.spec(
        "ones",
        "sowing",
        "partisan",
        "pattern = \"1^n\"\nn = \"1..=8\"",
    );
    here.finish(&spec, &[]);
    let result = here.result("out", "ones");
    let part = &files_in(&here.path("out/ones/parts"))[0];
    let bytes = fs::metadata(part).unwrap().len() as usize;

    // Bytes changed in place are noticed when they are read.
    flip_byte(part, bytes / 2);
    let read = here.result_set("out", &spec).read_positions();
    let rows: Result<Vec<_>, DatasetError> = read.unwrap().collect();
    let error = rows.unwrap_err();
    assert!(error.is_damage(), "{error}");
    assert!(error.to_string().contains("part-00000.parquet"), "{error}");

    let mut table = seedbank(&["table"]);
    table.arg(&spec).arg("--out").arg(here.path("out"));
    let table = ended(table);
    assert_eq!(
        (table.status, table.stdout.as_str()),
        (Some(4), ""),
        "{table:?}"
    );
    assert!(table.stderr.contains("part-00000.parquet"), "{table:?}");

    let mut verified = seedbank(&["status", "--verify"]);
    verified.arg(&spec).arg("--out").arg(here.path("out"));
    let verified = ended(verified);
    assert_eq!(verified.status, Some(4), "{verified:?}");
    assert!(
        verified.stderr.contains("part-00000.parquet"),
        "{verified:?}"
    );

    // A shorter file, and records and manifests with other bytes, are noticed at once and made
    // again.
    let whole = files_in(&here.path("out/ones"));
    assert_eq!(whole.len(), 5, "{whole:?}");
    let flip_20 = |name: &str| flip_byte(&here.path("out/ones").join(name), 20);
    for (name, damage) in [
        (
            "part-00000.parquet",
            &(|| truncate(part, bytes - 10)) as &dyn Fn(),
        ),
        ("part-00000.parquet", &|| fs::remove_file(part).unwrap()),
        ("records/shard-00000.json", &|| {
            flip_20("records/shard-00000.json")
        }),
        ("ones/manifest.json", &|| flip_20("manifest.json")),
    ] {
        damage();
        let mut status = seedbank(&["status"]);
        status.arg(&spec).arg("--out").arg(here.path("out"));
        let status = ended(status);
        assert_eq!(status.status, Some(4), "{name}: {status:?}");
        assert!(status.stdout.contains("unfinished"), "{name}: {status:?}");
        assert!(status.stderr.contains(name), "{name}: {status:?}");
        let ran = here.run(&spec, &[]);
        assert_eq!(ran.status, Some(0), "{name}: {ran:?}");
        assert!(ran.stderr.contains(name), "{name}: {ran:?}");
        // The part is written again, which also repairs its flipped byte.
        assert!(here.result("out", "ones") == result, "{name}");
    }
}

#[test]
fn a_run_that_lacks_memory_reports_it_and_resumes_with_more() {
    let here = Workspace::new();
    let spec = here.spec(
        "ones",
        "sowing",
        "partisan",
        "pattern = \"1^n 2\"\nn = \"1..=11\"",
    );
    let lacking = here.run(&spec, &["--memory", "6MiB", "--threads", "1"]);
    assert_eq!(lacking.status, Some(1), "{lacking:?}");
    for part in ["ones", "memory budget of 6.0 MiB", "--memory"] {
        assert!(lacking.stderr.contains(part), "{part}: {lacking:?}");
    }
    let kept = here.values_stored();
    assert!(kept > 0);
    let rest = here.finish(&spec, &["--memory", "1GiB"]);
    assert_eq!(rest["outcome"], "finished");
    let elsewhere = ["--out", "fresh", "--store", "store-fresh"].map(|name| match name {
        "--out" | "--store" => name.to_owned(),
        folder => here.path(folder).to_str().unwrap().to_owned(),
    });
    let whole = here.finish(&spec, &elsewhere.each_ref().map(String::as_str));
    let evaluated = |summary: &Value| summary["positions"].as_u64().unwrap();
    assert!(
        evaluated(&rest) < evaluated(&whole),
        "{kept} kept, {rest}, {whole}"
    );
    assert!(here.result("out", "ones") == here.result("fresh", "ones"));

    let eval = [
        "eval", "--game", "sowing", "--play", "partisan", "1^11 2", "--memory", "6MiB",
    ];
    let lacking = ended(seedbank(&eval));
    assert_eq!(lacking.status, Some(1), "{lacking:?}");
    assert!(lacking.stderr.contains("--memory"), "{lacking:?}");
}

/// Prints Table 5 as each reader sees it, the number of rows, and the value of one position.
const TABLE_5: &str = r#"
import json, sys
import duckdb, pandas, polars, pyarrow.parquet
folder = sys.argv[1]
glob = folder + "/parts/*.parquet"
table = pyarrow.parquet.read_table(folder + "/parts").to_pylist()
duck = duckdb.sql(f"SELECT x, y, value FROM '{glob}'").fetchall()
frame = pandas.read_parquet(folder + "/parts")
json.dump({
    "pyarrow": [[row["x"], row["y"], row["value"]] for row in table],
    "duckdb": duck,
    "polars": polars.read_parquet(glob).select("x", "y", "value").rows(),
    "pandas": [list(row) for row in frame[["x", "y", "value"]].astype(object).itertuples(index=False)],
    "count": duckdb.sql(f"SELECT count(*) FROM '{glob}'").fetchall()[0][0],
    "lookup": duckdb.execute("SELECT x, y, value FROM read_parquet(?) WHERE position = ?", [glob, "7[10]"]).fetchall(),
    "by_digest": duckdb.sql(f"""
        SELECT count(*), count(DISTINCT f.value_digest) FROM '{glob}' p
        JOIN '{folder}/forms/*.parquet' f USING (value_digest)""").fetchall()[0],
}, sys.stdout)
"#;

#[test]
fn every_reader_reads_table_5() {
    let here = Workspace::new();
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.finish(&package.join("jobs/table-5.toml"), &[]);

    let facts = fs::read_to_string(package.join("data/reference/atomic_wari.toml")).unwrap();
    let facts: toml::Table = facts.parse().unwrap();
    let (legend, lines) = (&facts["table_5"]["legend"], &facts["table_5"]["rows"]);
    let arena = Arena::new();
    let mut calculator = arena.calculator();
    let mut expected = Vec::new();
    for (x, line) in (1..).zip(lines.as_array().unwrap()) {
        for (y, name) in (1..).zip(line.as_str().unwrap().split_whitespace()) {
            let value = calculator.parse(legend[name].as_str().unwrap()).unwrap();
            expected.push(json!([x, y, arena.notation(value).to_string()]));
        }
    }
    assert_eq!(expected.len(), 100);
    let values: HashSet<&Value> = expected.iter().map(|entry| &entry[2]).collect();

    let output = python()
        .args(["-c", TABLE_5])
        .arg(here.path("out/table-5"))
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    for reader in ["pyarrow", "duckdb", "polars", "pandas"] {
        assert_eq!(answer[reader], json!(expected), "{reader}");
    }
    assert_eq!(answer["count"], 100);
    assert_eq!(answer["lookup"], json!([expected[69]]));
    assert_eq!(answer["by_digest"], json!([100, values.len()]));
}
