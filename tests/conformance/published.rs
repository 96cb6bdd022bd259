//! The published values hold by definition, as far as the reference engine is fast enough.

use seedbank::board::AnyBoard;
use seedbank::engine::reference::ReferenceEngine;
use seedbank::game::{Game, Player};

use crate::common::notation::published;
use crate::common::rows::{row, seeds};

const ENDLESS_WARI: Game = Game::ATOMIC_WARI;

#[test]
fn published_values_of_sowing_hold_by_definition() {
    let data = data("sowing.toml");
    let mut engine = ReferenceEngine::new(Game::SOWING);
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
    let mut engine = ReferenceEngine::new(Game::SOWING);
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
                let mut found: Vec<String> = moves.iter().map(AnyBoard::to_string).collect();
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

/// Returns the positions `d^n` of a sequence and their published values.
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
