//! Rules of rows in a spec: values agree with the reference engine and with the games whose rules they repeat; what is refused.

use std::fs;

use bytesize::ByteSize;
use seedbank::board::AnyBoard;
use seedbank::board::row::Row;
use seedbank::engine::Ending;
use seedbank::engine::reference::{ReferenceEngine, ReferenceError};
use seedbank::evaluate::{Evaluation, evaluate};
use seedbank::game::{Counts, First, Game, Laps, Play, RowRules};
use seedbank::value::Arena;

use crate::common::evaluations::session;
use crate::common::loopy::assert_value;
use crate::common::naive::SameForm;
use crate::common::rows::{random_row, small_rows};
use crate::common::workspace::{Workspace, ended, printed, seedbank};

/// Returns a game by random rules, on a board where the endless row is not accepted.
pub(crate) fn random_game(random: &mut fastrand::Rng, width: u32) -> Game {
    let lasts = [
        Counts::ANY,
        Counts::OCCUPIED,
        Counts::EMPTY_POT,
        Counts::of([1]),
        Counts::of([0, 2]),
    ];
    let captures = [
        Counts::NONE,
        Counts::of([2]),
        Counts::of([1, 3]),
        Counts::of([2, 3]),
    ];
    let first = [First::Next, First::Origin][random.usize(..2)];
    let least = if first == First::Origin { 2 } else { 1 };
    let rules = RowRules {
        pot_min: random.u8(least..=least + 1),
        first,
        last: lasts[random.usize(..lasts.len())],
        laps: [Laps::Single, Laps::Single, Laps::Multiple][random.usize(..3)],
        landing: random.u8(..3) == 0,
        capture: captures[random.usize(..captures.len())],
        chain: random.bool(),
    };
    let board = (rules.check_endless().is_err() || random.bool()).then_some(width);
    Game::of_rules(rules, board).expect("rules for a board, or accepted ones")
}

/// Compares rows with the reference engine; returns how many have a value, and how many have none.
fn agree(game: Game, play: Play, rows: &[Row]) -> [usize; 2] {
    let mut reference = ReferenceEngine::new(game);
    let arena = Arena::new();
    let mut same = SameForm::default();
    let mut found = [0, 0];
    let each = |place: usize, row: seedbank::dataset::PositionRow| {
        let written = &rows[place];
        let at = || format!("{:?} {play} {written}", game.rules());
        let endings = reference.endings(written, play).unwrap();
        let class = Ending::class(endings).map(|class| class.letter());
        assert_eq!(row.outcome.as_deref(), class, "{}", at());
        let Some(value) = row.value else {
            panic!("{} has no value", at());
        };
        if row.is_stopper.is_some() {
            found[1] += 1;
            let expected = reference.canonical(written);
            assert!(
                matches!(expected, Err(ReferenceError::Loopy(_))),
                "{}",
                at()
            );
            assert_value(game, play, &written.clone().into(), &value.value.unwrap());
            return;
        }
        found[0] += 1;
        if play == Play::Impartial {
            let expected = reference.nim_value(written).unwrap() as i32;
            assert_eq!(value.nim_value, Some(expected), "{}", at());
            return;
        }
        let id = arena.calculator().parse(&value.value.unwrap()).unwrap();
        let expected = reference.canonical(written).unwrap();
        assert!(
            same.same(reference.forms(), expected, &arena, id),
            "{}",
            at()
        );
    };
    let boards: Vec<AnyBoard> = rows.iter().cloned().map(AnyBoard::from).collect();
    let session = session(2, ByteSize::gib(4));
    evaluate(&Evaluation::of(game, play), &session, &boards, each).unwrap();
    found
}

#[test]
fn values_by_random_rules_agree_with_the_reference_engine() {
    let mut random = fastrand::Rng::with_seed(66);
    let small = small_rows(4, 5, false);
    let (mut valued, mut loopy) = (0, 0);
    for _ in 0..30 {
        let game = random_game(&mut random, 5);
        let mut rows: Vec<Row> = (0..6).map(|_| random_row(&mut random, 5, 7)).collect();
        rows.extend((0..30).map(|_| small[random.usize(..small.len())].clone()));
        rows.retain(|row| row.pots.len() <= 5);
        for play in Play::ALL {
            let [of_value, of_none] = agree(game, play, &rows);
            (valued, loopy) = (valued + of_value, loopy + of_none);
        }
    }
    assert!(valued > 1_000 && loopy > 50, "{valued} {loopy}");
}

/// Returns the values of rows in the order of the rows, as texts.
fn values(game: Game, play: Play, rows: &[AnyBoard]) -> Vec<String> {
    let mut values = vec![String::new(); rows.len()];
    let each = |place: usize, row: seedbank::dataset::PositionRow| {
        let value = row.value.expect("play ends");
        values[place] = format!(
            "{:?} {:?} {}",
            value.value,
            value.nim_value,
            row.outcome.unwrap()
        );
    };
    let session = session(2, ByteSize::gib(4));
    evaluate(&Evaluation::of(game, play), &session, rows, each).unwrap();
    values
}

#[test]
fn the_presets_have_the_values_of_the_games() {
    let mut random = fastrand::Rng::with_seed(67);
    let small = small_rows(5, 6, false).into_iter();
    let more = (0..rows_tried()).map(|_| random_row(&mut random, 7, 9));
    let rows: Vec<AnyBoard> = small
        .chain(more.collect::<Vec<_>>())
        .map(AnyBoard::from)
        .collect();
    let by = |rules, board| Game::of_rules(rules, board).unwrap();
    let board = Game::ATOMIC_WARI.on_board(9).unwrap();
    for (game, preset) in [
        (Game::SOWING, by(RowRules::SOWING, None)),
        (Game::ATOMIC_WARI, by(RowRules::ATOMIC_WARI, None)),
        (board, by(RowRules::ATOMIC_WARI, Some(9))),
    ] {
        for play in Play::ALL {
            let (expected, found) = (values(game, play, &rows), values(preset, play, &rows));
            for (row, (expected, found)) in rows.iter().zip(expected.iter().zip(&found)) {
                assert_eq!(expected, found, "{game} {play} {row}");
            }
        }
    }
}

/// Returns the number of random rows: `SEEDBANK_ROWS`, or enough for every run of the tests.
fn rows_tried() -> usize {
    let given = std::env::var("SEEDBANK_ROWS").ok();
    given.map_or(200, |given| {
        given.parse().expect("SEEDBANK_ROWS is a number")
    })
}

const TWOS: &str = "[rules]\npot_min = 2\nfirst = \"origin\"\ncapture = [2]\nchain = true\n";

#[test]
fn commands_take_rules_from_a_file_or_switch_by_switch() {
    let here = Workspace::new();
    let file = here.path("twos.toml");
    fs::write(&file, TWOS).unwrap();
    let file = file.to_str().unwrap();
    let game = ["--game", "row-rules", "--play", "partisan"];
    let by_file = [&["eval"][..], &game, &["--rules", file, "312", "33"]].concat();
    let found = printed(seedbank(&by_file));
    assert!(found.starts_with("312 = 0\n"), "{found}");
    let switches = "--rule pot_min=2 --rule first=origin --rule capture=[2] --rule chain=true";
    let switches: Vec<&str> = switches.split(' ').collect();
    let by_switch = [&["eval"][..], &game, &switches, &["312", "33"]].concat();
    assert_eq!(printed(seedbank(&by_switch)), found);
    let outcome = [&["outcome"][..], &game, &["--rules", file, "312"]].concat();
    assert_eq!(printed(seedbank(&outcome)), "312 = 0\n");
    let loopy = ["--rule", "last=any", "--pots", "6", "2112"];
    let loopy = printed(seedbank(&[&["eval"][..], &game, &loopy].concat()));
    assert_eq!(loopy, "2112 = 7/2 & -1\n");
}

#[test]
fn rules_that_are_wrong_are_refused() {
    for (switches, words) in [
        (
            &["last=any"][..],
            "accepted with `pots`, the width of a board",
        ),
        (
            &["first=origin", "last=any"],
            "accepted: pot_min = 2 or more",
        ),
        (
            &["first=origin", "pot_min=2", "laps=multiple"],
            "`laps = \"multiple\"` sows on",
        ),
        (
            &["first=origin", "pot_min=2", "landing=true"],
            "`landing = true` empties pots",
        ),
        (&["last=occupied", "lst=any"], "did you mean `last`?"),
        (&["last=[1,300]"], "300 is out of range; accepted: 0 to 250"),
        (&["last=[]"], "an empty list"),
        (
            &["last=occupied", "capture=3"],
            "a list of counts, such as [2, 3]",
        ),
        (&["last=some"], "accepted: any, occupied, empty"),
        (&["last=any", "pots=121"], "accepted: 1 to 120"),
        (&["last=any", "chain=yes"], "true or false"),
        (&[], "its rules are missing"),
    ] {
        let rules = switches.iter().flat_map(|switch| ["--rule", switch]);
        let start = ["eval", "--game", "row-rules", "--play", "partisan"].into_iter();
        let arguments: Vec<&str> = start.chain(rules).chain(["11"]).collect();
        let ended = ended(seedbank(&arguments));
        assert_eq!(ended.status, Some(2), "{switches:?} {ended:?}");
        assert!(ended.stderr.contains(words), "{words}: {ended:?}");
    }
    for (options, words) in [
        (
            "--game sowing --rule last=any",
            "--rule is for rules of your own: row-rules",
        ),
        (
            "--game sowing --rules a.toml",
            "--rules is for games with a choice of rules: row-rules",
        ),
        ("--game row-rules --rules no.toml", "cannot read no.toml"),
        (
            "--game row-rules --rule pots=4 --pots 5",
            "give its width once",
        ),
    ] {
        let options: Vec<&str> = options.split(' ').collect();
        let arguments = [&["outcome", "--play", "partisan"][..], &options, &["11"]].concat();
        let ended = ended(seedbank(&arguments));
        assert_eq!(ended.status, Some(2), "{ended:?}");
        assert!(ended.stderr.contains(words), "{words}: {ended:?}");
    }
}

/// Another rule is another job and another namespace of the store.
#[test]
fn jobs_have_rules_of_their_own() {
    let here = Workspace::new();
    let rest = |rules: &str| {
        format!("play = \"partisan\"\n[family]\nall = {{ pots_max = 3, seeds_max = 6 }}\n{rules}")
    };
    let of_rules = |name: &str, rules: &str| {
        let path = here.plain_spec(name, "row-rules", &rest(rules));
        here.finish(&path, &[]);
        let rows = here.rows(&path).into_iter();
        let texts = rows.map(|row| row.value.and_then(|value| value.value));
        texts.collect::<Vec<_>>()
    };
    let twos = of_rules("twos", TWOS);
    let threes = of_rules("threes", &TWOS.replace("[2]", "[2, 3]"));
    assert_ne!(twos, threes);
    let wari = here.plain_spec("wari", "atomic-wari", &rest(""));
    here.finish(&wari, &[]);
    let wari = here.rows(&wari).into_iter();
    let wari: Vec<_> = wari
        .map(|row| row.value.and_then(|value| value.value))
        .collect();
    assert_eq!(threes, wari);
    let listed = here.store("stat", &[]).stdout;
    for namespace in [
        "row-rules/pot_min=2,first=origin,capture=2,chain v1 partisan",
        "row-rules/pot_min=2,first=origin,capture=2-3,chain v1 partisan",
    ] {
        assert!(listed.contains(namespace), "{namespace}: {listed}");
    }
    assert_eq!(here.store("verify", &["--deep"]).status, Some(0));
}

#[test]
fn specs_with_wrong_rules_are_refused_with_the_place() {
    let here = Workspace::new();
    for (game, rules, words) in [
        (
            "sowing",
            "[rules]\nlast = \"any\"",
            "sowing has rules of its own",
        ),
        (
            "row-rules",
            "",
            "missing; write a section [rules] with switches such as last",
        ),
        (
            "row-rules",
            "[rules]\nlast = \"any\"",
            "`last` allows a last seed in an empty pot",
        ),
        (
            "row-rules",
            "[rules]\nlast = \"any\"\npots = 0",
            "accepted: 1 to 120",
        ),
        ("row-rules", "[rules]\nlsat = 3", "did you mean `last`?"),
    ] {
        let rest = format!("play = \"partisan\"\n[family]\npositions = [\"11\"]\n{rules}");
        let spec = here.plain_spec("wrong", game, &rest);
        let ended = ended(seedbank(&["plan", spec.to_str().unwrap()]));
        assert_eq!(ended.status, Some(2), "{rules}: {ended:?}");
        assert!(ended.stderr.contains(words), "{words}: {ended:?}");
        assert!(ended.stderr.contains("wrong.toml"), "{ended:?}");
    }
}
