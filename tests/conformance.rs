//! Every ruleset agrees with literal play on all small rows, and rulesets with a fault do not pass.

mod common;

use common::faulty::{Fault, Faulty};
use common::naive::{Evaluator, SameForm, rebuilt};
use common::notation::published;
use common::rows::{Random, row, seeds, small_rows, with_all_ends, written_out};
use common::suite::{Seeds, Subject, check};
use common::toy::{self, Toy};
use seedbank::engine::reference::ReferenceEngine;
use seedbank::ruleset::row::{Pot, Row};
use seedbank::ruleset::{AtomicWari, Game, Play, Player, Ruleset, Sowing};
use seedbank::value::Arena;

const POTS_MAX: usize = 6;
const SEEDS_MAX: u32 = 6;
const ENDLESS_WARI: Game = Game::AtomicWari { board_pots: None };

#[test]
fn sowing_conforms() {
    let rows = small_rows(POTS_MAX, SEEDS_MAX, true);
    let positions = conform(Sowing, Game::Sowing, rows, Seeds::Kept);
    assert!(positions > 3_000, "{positions} positions");
}

#[test]
fn sowing_between_endless_full_pots_conforms() {
    let rows = with_all_ends(&small_rows(POTS_MAX, SEEDS_MAX, true));
    let positions = conform(Sowing, Game::Sowing, rows, Seeds::Kept);
    assert!(positions > 20_000, "{positions} positions");
}

#[test]
fn atomic_wari_on_the_endless_row_conforms() {
    let rows = small_rows(POTS_MAX, SEEDS_MAX, false);
    let captured = Seeds::CapturedByTwoOrThree;
    let positions = conform(AtomicWari::endless(), ENDLESS_WARI, rows, captured);
    assert!(positions > 400, "{positions} positions");
}

#[test]
fn atomic_wari_on_boards_conforms() {
    for pots in [1, 2, 3, 5, 6, 9] {
        let rows = small_rows(POTS_MAX.min(pots as usize), SEEDS_MAX, false);
        let game = Game::AtomicWari {
            board_pots: Some(pots),
        };
        conform(
            AtomicWari::on_board(pots),
            game,
            rows,
            Seeds::CapturedByTwoOrThree,
        );
    }
}

#[test]
fn the_toy_conforms() {
    let subject = Subject {
        ruleset: Toy,
        rows: small_rows(7, 7, false),
        moves: &toy::moves,
        count: &|row, _| {
            let beside = |pair: &&[Pot]| !pair.contains(&Pot::Seeds(0));
            row.pots.windows(2).filter(beside).count()
        },
        seeds: Seeds::OnePotCaptured,
    };
    // Rows of up to 7 pots, each empty or not, with nonempty ends; and the empty row.
    assert_eq!(check(&subject), Ok(1 + 1 + 1 + 2 + 4 + 8 + 16 + 32));
}

/// A green suite means something: it names the law that each of these faults breaks.
#[test]
fn faulty_rulesets_are_rejected() {
    for (fault, law) in [
        (Fault::None, ""),
        (Fault::AnyLastPot, "options"),
        (Fault::LostMove, "options"),
        (Fault::MovesBack, "termination"),
        (Fault::FullTooSoon, "normal form"),
        (Fault::CapTooHigh, "cap"),
        (Fault::CapTooLow, "cap"),
        (Fault::NoMirror, "mirror"),
        (Fault::KeyWithoutOrder, "key"),
        (Fault::SplitsAtEmptyPots, "components"),
    ] {
        let engine = ReferenceEngine::new(Game::Sowing);
        let subject = Subject {
            ruleset: Faulty(fault),
            rows: with_all_ends(&small_rows(5, 5, true)),
            moves: &|row, player| engine.options(row, player).unwrap(),
            count: &sowing_moves,
            seeds: Seeds::Kept,
        };
        match check(&subject) {
            Ok(_) => assert_eq!(law, "", "{fault:?} passes"),
            Err(found) => {
                let expected = !law.is_empty() && found.starts_with(law);
                assert!(expected, "{fault:?} should break a law of {law:?}: {found}");
            }
        }
    }
}

#[test]
fn values_agree_with_the_reference_engine_on_all_small_rows() {
    let full = small_rows(POTS_MAX, SEEDS_MAX, true);
    agree_with_the_reference(&Sowing, Game::Sowing, &full);
    let endless = with_all_ends(&small_rows(4, 5, true));
    agree_with_the_reference(&Sowing, Game::Sowing, &endless);
    let rows = small_rows(POTS_MAX, SEEDS_MAX, false);
    agree_with_the_reference(&AtomicWari::endless(), ENDLESS_WARI, &rows);
    let game = Game::AtomicWari {
        board_pots: Some(7),
    };
    agree_with_the_reference(&AtomicWari::on_board(7), game, &rows);
}

#[test]
fn values_agree_with_the_reference_engine_on_random_rows() {
    let mut random = Random(1996);
    let rows: Vec<Row> = (0..300).map(|_| random.row(8, 9)).collect();
    agree_with_the_reference(&Sowing, Game::Sowing, &rows);
    let endless = with_all_ends(&rows[..40]);
    agree_with_the_reference(&Sowing, Game::Sowing, &endless);
    agree_with_the_reference(&AtomicWari::endless(), ENDLESS_WARI, &rows);
    let game = Game::AtomicWari {
        board_pots: Some(11),
    };
    agree_with_the_reference(&AtomicWari::on_board(11), game, &rows);
}

/// A full pot is worth any count beyond its distance to the ends, played out without any cap.
#[test]
fn full_pots_are_large_counts() {
    let mut engine = ReferenceEngine::new(Game::Sowing);
    for full in small_rows(4, 4, true) {
        let value = engine.canonical(&full).unwrap();
        let nim_value = engine.nim_value(&full).unwrap();
        for more in [0, 1, 5] {
            let mut counted = full.clone();
            let enough = Pot::Seeds((full.pots.len() + more) as u32);
            counted
                .pots
                .iter_mut()
                .filter(|pot| **pot == Pot::Full)
                .for_each(|pot| *pot = enough);
            assert_eq!(
                engine.canonical(&counted).unwrap(),
                value,
                "{full} and {counted}"
            );
            assert_eq!(
                engine.nim_value(&counted).unwrap(),
                nim_value,
                "{full} and {counted}"
            );
        }
    }
}

/// Endless ends are finite in effect: S seeds never tell S full pots from more.
#[test]
fn endless_ends_are_long_finite_rows() {
    let arena = Arena::new();
    let mut evaluator = Evaluator::new(&Sowing, &arena);
    let mut engine = ReferenceEngine::new(Game::Sowing);
    let mut same = SameForm::default();
    for endless in with_all_ends(&small_rows(4, 5, true)) {
        let position = Sowing.position(&endless).unwrap();
        let value = evaluator.value(&position).unwrap();
        let nim_value = evaluator.nim_value(&position).unwrap();
        let total = seeds(&endless) as usize;
        for full_pots in [total, total + 1, 2 * total + 3] {
            let finite = written_out(&endless, full_pots);
            let expected = engine.canonical(&finite).unwrap();
            assert!(
                same.same(engine.forms(), expected, &arena, value),
                "{endless} and {finite}"
            );
            assert_eq!(
                engine.nim_value(&finite).unwrap(),
                nim_value,
                "{endless} and {finite}"
            );
            if total <= 3 {
                let position = Sowing.position(&finite).unwrap();
                assert_eq!(
                    evaluator.value(&position),
                    Ok(value),
                    "{endless} and {finite}"
                );
                assert_eq!(
                    evaluator.nim_value(&position),
                    Ok(nim_value),
                    "{endless} and {finite}"
                );
            }
        }
    }
}

/// The sweeps are complete: p pots hold at most s seeds in C(p + s, s) ways.
#[test]
fn small_rows_are_all_there() {
    let rows = small_rows(POTS_MAX, SEEDS_MAX, false);
    assert_eq!(rows.len(), 7 + 28 + 84 + 210 + 462 + 924);
    // With f full pots out of p, C(p, f) C(p - f + s, s): here p = 1, 2 and s = 2.
    assert_eq!(small_rows(2, 2, true).len(), (3 + 1) + (6 + 2 * 3 + 1));
}

#[test]
fn different_forms_are_told_apart() {
    let arena = Arena::new();
    let mut calculator = arena.calculator();
    let mut engine = ReferenceEngine::new(Game::Sowing);
    let texts = [
        "0", "1", "-1", "1/2", "*", "*2", "^", "v", "^*", "2.^", "{1|-1}", "{0|-2}",
    ];
    let forms = texts.map(|text| published(engine.forms_mut(), text));
    let ids = forms.map(|form| rebuilt(engine.forms(), form, &mut calculator));
    for (at, &form) in forms.iter().enumerate() {
        let equal = ids.map(|id| SameForm::default().same(engine.forms(), form, &arena, id));
        let places = (0..texts.len()).filter(|&other| equal[other]);
        assert_eq!(places.collect::<Vec<_>>(), [at], "{}", texts[at]);
    }
}

#[test]
fn published_values_of_sowing_hold_by_definition() {
    let data = data("sowing.toml");
    let mut engine = ReferenceEngine::new(Game::Sowing);
    let mut checked = 0;
    let mut values = Vec::new();
    for entry in list(&data["partisan"]) {
        values.push((text(&entry["position"]).to_owned(), text(&entry["value"])));
    }
    for entry in list(&data["partisan_sequence"]) {
        for (position, value) in sequence(entry) {
            values.push((position, text(value)));
        }
    }
    for (position, value) in values.iter().filter(|(position, _)| is_cheap(position)) {
        let expected = published(engine.forms_mut(), value);
        assert_eq!(
            engine.canonical(&row(position)).unwrap(),
            expected,
            "{position} = {value}"
        );
        checked += 1;
    }
    let mut nim_values = Vec::new();
    for (position, value) in data["impartial"].as_table().unwrap() {
        nim_values.push((position.clone(), value));
    }
    for entry in list(&data["impartial_sequence"]) {
        nim_values.extend(sequence(entry));
    }
    for (position, value) in nim_values.iter().filter(|(position, _)| is_cheap(position)) {
        let expected = value.as_integer().unwrap();
        assert_eq!(
            i64::from(engine.nim_value(&row(position)).unwrap()),
            expected,
            "{position}"
        );
        checked += 1;
    }
    checked += sums_hold(&data, &mut engine);
    assert!(checked > 90, "only {checked} facts were cheap");
}

#[test]
fn theorems_of_sowing_hold_by_definition() {
    let mut engine = ReferenceEngine::new(Game::Sowing);
    let mut holds = |position: &str, value: &str| {
        let expected = published(engine.forms_mut(), value);
        assert_eq!(
            engine.canonical(&row(position)).unwrap(),
            expected,
            "{position} = {value}"
        );
    };
    for (m, n) in (0..4).flat_map(|m| (0..4).map(move |n| (m, n))) {
        let (ten, one) = ("10".repeat(m), "01".repeat(n));
        holds(&format!("{ten}03{one}"), "0");
        if m + n > 0 {
            holds(&format!("{}2{one}", "01".repeat(m)), &(n + 1).to_string());
        }
        if n > 0 {
            holds(&format!("11{one}"), &format!("{{{}|0}}", n + 1));
        }
        if m > 0 && n > 0 {
            holds(&format!("{ten}2{one}"), &format!("{{{n}|-{m}}}"));
        }
    }
    for n in 1..=7 {
        let ones = row(&"1".repeat(n));
        assert!(engine.followers(&ones).unwrap() >= (1 << (n - 1)) - 1);
    }
}

#[test]
fn published_values_of_atomic_wari_hold_by_definition() {
    let data = data("atomic_wari.toml");
    let mut engine = ReferenceEngine::new(ENDLESS_WARI);
    for entry in list(&data["partisan"]) {
        let position = row(text(&entry["position"]));
        let expected = published(engine.forms_mut(), text(&entry["value"]));
        assert_eq!(engine.canonical(&position).unwrap(), expected, "{position}");
        if let Some(same) = entry.get("same_as") {
            assert_eq!(
                engine.canonical(&row(text(same))).unwrap(),
                expected,
                "{position}"
            );
        }
        let sides = [
            ("left_options", Player::Left),
            ("right_options", Player::Right),
        ];
        for (side, player) in sides {
            if let Some(printed) = entry.get(side) {
                let mut options: Vec<String> =
                    list(printed).iter().map(|o| text(o).into()).collect();
                let moves = engine.options(&position, player).unwrap();
                let mut found: Vec<String> = moves.iter().map(Row::to_string).collect();
                options.sort();
                found.sort();
                assert_eq!(found, options, "{side} of {position}");
            }
        }
    }
    for (position, value) in data["impartial"].as_table().unwrap() {
        let found = engine.nim_value(&row(position)).unwrap();
        assert_eq!(i64::from(found), value.as_integer().unwrap(), "{position}");
    }
    for m in 1..=2 {
        let expected = published(engine.forms_mut(), &format!("{m}.^"));
        assert_eq!(
            engine.canonical(&row(&"01300".repeat(m))).unwrap(),
            expected,
            "m = {m}"
        );
    }
    assert_eq!(sums_hold(&data, &mut engine), 2);
    let table = &data["table_5"];
    for (x, line) in list(&table["rows"]).iter().enumerate().take(6) {
        for (y, cell) in text(line).split(' ').enumerate().take(6) {
            let (position, value) = (format!("{}{}", x + 1, y + 1), text(&table["legend"][cell]));
            let expected = published(engine.forms_mut(), value);
            assert_eq!(
                engine.canonical(&row(&position)).unwrap(),
                expected,
                "{position} = {value}"
            );
        }
    }
}

/// Checks that positions are worth the sum of their components, and returns how many were checked.
fn sums_hold(data: &toml::Table, engine: &mut ReferenceEngine) -> usize {
    for entry in list(&data["sum"]) {
        let whole = row(text(&entry["position"]));
        let mut sum = engine.forms_mut().canonical([], []);
        let mut nim_sum = 0;
        for component in list(&entry["components"]) {
            let value = engine.canonical(&row(text(component))).unwrap();
            sum = engine.forms_mut().sum(sum, value);
            nim_sum ^= engine.nim_value(&row(text(component))).unwrap();
        }
        assert_eq!(engine.canonical(&whole).unwrap(), sum, "{whole}");
        assert_eq!(engine.nim_value(&whole).unwrap(), nim_sum, "{whole}");
    }
    list(&data["sum"]).len()
}

fn data(name: &str) -> toml::Table {
    let path = format!("{}/data/reference/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    text.parse()
        .unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn list(value: &toml::Value) -> &[toml::Value] {
    value.as_array().expect("a list")
}

fn text(value: &toml::Value) -> &str {
    value.as_str().expect("a text")
}

/// Returns the positions `d^n` of a sequence and what is published of them.
fn sequence(entry: &toml::Value) -> Vec<(String, &toml::Value)> {
    let (before, after) = text(&entry["pattern"])
        .split_once("^n")
        .expect("a power of n");
    let (before, digit) = before.split_at(before.len() - 1);
    let from = entry["from"].as_integer().expect("the first n") as usize;
    let position = |n| format!("{before}{}{after}", digit.repeat(n));
    let values = list(&entry["values"]).iter().enumerate();
    values
        .map(|(i, value)| (position(from + i), value))
        .collect()
}

/// Returns whether a position of Sowing is small enough for the reference engine.
fn is_cheap(position: &str) -> bool {
    let row = row(position);
    row.pots.len() <= 8 && seeds(&row) <= 14
}

/// Runs the suite on a sowing game, against the reference engine's literal moves.
fn conform<R: Ruleset>(ruleset: R, game: Game, rows: Vec<Row>, seeds: Seeds) -> usize {
    let engine = ReferenceEngine::new(game);
    let count = |row: &Row, player| match game {
        Game::Sowing => sowing_moves(row, player),
        Game::AtomicWari { board_pots } => atomic_wari_moves(row, player, board_pots),
    };
    let subject = Subject {
        ruleset,
        rows,
        moves: &|row, player| engine.options(row, player).unwrap(),
        count: &count,
        seeds,
    };
    check(&subject).unwrap_or_else(|error| panic!("{game:?}: {error}"))
}

/// Counts moves of Sowing by their last pot: a nonempty one, with as many seeds behind as it is far.
fn sowing_moves(row: &Row, player: Player) -> usize {
    let (pots, endless) = ahead(row, player);
    let within = (0..pots.len())
        .filter(|&last| pots[last] != Pot::Seeds(0))
        .map(|last| {
            let from = |&from: &usize| pots[from] == Pot::Seeds((last - from) as u32);
            (0..last).filter(from).count()
        });
    let far = |&place: &usize| matches!(pots[place], Pot::Seeds(seeds) if seeds > 0 && place + seeds as usize >= pots.len());
    let beyond = (0..pots.len()).filter(far).count();
    within.sum::<usize>() + if endless { beyond } else { 0 }
}

/// Counts moves of Atomic Wari: pots of two or more, with room for their seeds.
fn atomic_wari_moves(row: &Row, player: Player, board_pots: Option<u32>) -> usize {
    let (pots, _) = ahead(row, player);
    let room = |(place, pot): &(usize, &Pot)| match pot {
        Pot::Seeds(seeds) if *seeds >= 2 => {
            board_pots.is_none() || place + *seeds as usize <= pots.len()
        }
        _ => false,
    };
    pots.iter().enumerate().filter(room).count()
}

/// Returns the pots in the direction in which the player sows, and whether they go on for ever.
fn ahead(row: &Row, player: Player) -> (Vec<Pot>, bool) {
    match player {
        Player::Left => (row.pots.clone(), row.endless_right),
        Player::Right => (row.pots.iter().rev().copied().collect(), row.endless_left),
    }
}

/// Evaluates rows through the ruleset and through the reference engine, both ways of playing.
fn agree_with_the_reference<R: Ruleset>(ruleset: &R, game: Game, rows: &[Row]) {
    let arena = Arena::new();
    let mut evaluator = Evaluator::new(ruleset, &arena);
    let mut engine = ReferenceEngine::new(game);
    let mut same = SameForm::default();
    for row in rows {
        let position = ruleset.position(row).unwrap();
        let value = evaluator.value(&position).unwrap();
        let expected = engine.canonical(row).unwrap();
        assert!(
            same.same(engine.forms(), expected, &arena, value),
            "{game:?} {row}"
        );
        let nim_value = evaluator.nim_value(&position).unwrap();
        assert_eq!(nim_value, engine.nim_value(row).unwrap(), "{game:?} {row}");
        let outcome = engine.outcome(row, Play::Partisan).unwrap();
        assert_eq!(
            evaluator.calculator.outcome(value),
            outcome,
            "{game:?} {row}"
        );
        let star = evaluator.calculator.nimber(nim_value).unwrap();
        let outcome = engine.outcome(row, Play::Impartial).unwrap();
        assert_eq!(
            evaluator.calculator.outcome(star),
            outcome,
            "{game:?} {row}"
        );
    }
}
