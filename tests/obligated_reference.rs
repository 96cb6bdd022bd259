//! Every key of `data/reference/obligated.toml`, against the engines and against play without
//! theory.
//!
//! The test takes each key out of the file as it compares it. A key left at the end has not been
//! compared, which is a failure.

use std::fs;
use std::path::Path;

use seedbank::engine::obligated::{HeapValues, ObligatedValue};
use seedbank::engine::sums::{
    ComponentValues, KnightBoard, ObligatedSum, SumMove, play_obligated, wythoff_value,
};
use seedbank::game::Convention;
use seedbank::game::heap::HeapGame;
use seedbank::game::impartial::{Component, Square, Sum};
use seedbank::report::reference::{self, Files, HeapClaim, HeapStatement};
use toml::{Table, Value};

/// The file, from which keys are taken.
struct Facts(Table);

impl Facts {
    fn load() -> Facts {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/reference/obligated.toml");
        let text = fs::read_to_string(path).expect("the file is part of the source tree");
        Facts(text.parse().expect("the file is TOML"))
    }

    /// Takes a key out, and then removes tables that are empty.
    fn take(&mut self, path: &str) -> Value {
        fn take(table: &mut Table, path: &[&str]) -> Option<Value> {
            let [key, rest @ ..] = path else { return None };
            if rest.is_empty() {
                return table.remove(*key);
            }
            let inner = table.get_mut(*key)?.as_table_mut()?;
            let value = take(inner, rest);
            if inner.is_empty() {
                table.remove(*key);
            }
            value
        }
        let parts: Vec<&str> = path.split('.').collect();
        take(&mut self.0, &parts).unwrap_or_else(|| panic!("no key {path}"))
    }

    fn text(&mut self, path: &str) -> String {
        let value = self.take(path);
        value.as_str().expect("a text").to_owned()
    }

    fn texts(&mut self, path: &str) -> Vec<String> {
        let value = self.take(path);
        let list = value.as_array().expect("a list").iter();
        list.map(|text| text.as_str().expect("a text").to_owned())
            .collect()
    }

    fn squares(&mut self, path: &str) -> Vec<Square> {
        let value = self.take(path);
        value
            .as_array()
            .expect("a list")
            .iter()
            .map(square)
            .collect()
    }
}

fn square(value: &Value) -> Square {
    let numbers = value.as_array().expect("a square").iter();
    let numbers: Vec<u32> = numbers
        .map(|n| n.as_integer().expect("a coordinate") as u32)
        .collect();
    Square::new(numbers[0], numbers[1])
}

fn values() -> [String; 4] {
    ObligatedValue::ALL.map(|value| value.to_string())
}

/// Returns a small game of a value, with moves in it.
fn example(value: ObligatedValue) -> Component {
    let heaps: &[u32] = match value.to_string().as_str() {
        "00" => &[2, 2],
        "01" => &[1, 1],
        "10" => &[1],
        _ => &[2],
    };
    Component::nim(heaps).expect("a small game")
}

#[test]
fn every_key_is_compared() {
    let mut facts = Facts::load();
    assert_eq!(facts.text("source"), "Ferguson, Obligated sums of games");
    sum_of_two(&mut facts);
    theorem_1(&mut facts);
    recursion(&mut facts);
    heaps(&mut facts);
    wythoff(&mut facts);
    knight(&mut facts);
    assert!(facts.0.is_empty(), "compared by nothing: {:?}", facts.0);
}

fn sum_of_two(facts: &mut Facts) {
    for a in ObligatedValue::ALL {
        let row = facts.texts(&format!("sum_of_two.{a}"));
        for (b, expected) in ObligatedValue::ALL.into_iter().zip(row) {
            assert_eq!(ObligatedValue::sum([a, b]).to_string(), expected, "{a} {b}");
            let sum = Sum::new([example(a), example(b)]);
            let played = play_obligated(&sum).expect("a small sum");
            assert_eq!(played.to_string(), expected, "{sum}");
        }
    }
}

fn theorem_1(facts: &mut Facts) {
    let positive = facts.text("theorem_1.m11_positive");
    let mut odd_and_even = |key: &str| {
        let of = |facts: &mut Facts, parity| facts.text(&format!("theorem_1.{key}.m10_{parity}"));
        [of(facts, "even"), of(facts, "odd")]
    };
    let some_00 = odd_and_even("m11_zero_m00_positive");
    let no_00 = odd_and_even("m11_zero_m00_zero");
    for counts in 0..81 {
        let count = |value: ObligatedValue| counts / 3usize.pow(value.index() as u32) % 3;
        let parts = ObligatedValue::ALL
            .into_iter()
            .flat_map(|value| std::iter::repeat_n(value, count(value)));
        let parts: Vec<ObligatedValue> = parts.collect();
        let [m00, _, m10, m11] = ObligatedValue::ALL.map(count);
        let expected = match (m11, m00) {
            (1.., _) => &positive,
            (0, 1..) => &some_00[m10 % 2],
            (0, 0) => &no_00[m10 % 2],
        };
        assert_eq!(
            ObligatedValue::sum(parts.iter().copied()).to_string(),
            *expected
        );
        let sum = Sum::new(parts.into_iter().map(example));
        let played = play_obligated(&sum).expect("a small sum");
        assert_eq!(played.to_string(), *expected, "{sum}");
    }
}

fn recursion(facts: &mut Facts) {
    assert_eq!(
        ObligatedValue::of_options([]).to_string(),
        facts.text("recursion.no_option")
    );
    // The rule in words: a digit is 1 if an option has a 0, over all sets of options.
    assert!(
        facts
            .text("recursion.rule")
            .contains("NOT AND over options")
    );
    for set in 1..16 {
        let options = ObligatedValue::ALL.into_iter();
        let options: Vec<_> = options
            .filter(|value| set >> value.index() & 1 != 0)
            .collect();
        let index = |value: &ObligatedValue| value.index();
        let and = options.iter().map(index).fold(0b11, |all, one| all & one);
        assert_eq!(ObligatedValue::of_options(options).index(), !and & 0b11);
    }
}

/// Values by the recursion and by the counts of Theorem 1, with sums as whole multisets.
fn naive(game: &HeapGame, heaps: usize) -> Vec<ObligatedValue> {
    let mut found: Vec<ObligatedValue> = Vec::new();
    for n in 0..heaps {
        let options: Vec<_> = game
            .options(n)
            .map(|parts| ObligatedValue::sum(parts.as_slice().iter().map(|&part| found[part])))
            .collect();
        found.push(ObligatedValue::of_options(options));
    }
    found
}

fn heaps(facts: &mut Facts) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/reference");
    let read = reference::Facts::load(Files::Folder(&folder));
    let read = read.expect("the files are whole").heaps;
    for name in ["grundys_game", "kayles", "dawsons_chess", "james_bond"] {
        let key = format!("heaps.{name}");
        let game: HeapGame = facts.text(&format!("{key}.code")).parse().expect("a game");
        let from = facts
            .take(&format!("{key}.from"))
            .as_integer()
            .expect("a heap") as usize;
        let listed = facts.texts(&format!("{key}.values"));
        let period = facts.take(&format!("{key}.period")).as_integer();
        let period = period.expect("a period") as usize;
        let preperiod = match name {
            "grundys_game" => facts.take(&format!("{key}.preperiod")).as_integer(),
            _ => Some(from as i64),
        };
        let preperiod = preperiod.expect("a heap") as usize;
        let cite = facts.text(&format!("{key}.cite"));

        let mut values = HeapValues::new(&game);
        values.extend(2_000);
        for (n, expected) in (from..).zip(&listed) {
            assert_eq!(values.value(n).to_string(), *expected, "{name} {n}");
            let alone = Component::heap(game.clone(), n).expect("a small heap");
            let played = play_obligated(&Sum::new([alone])).expect("a small game");
            assert_eq!(played.to_string(), *expected, "{name} {n}");
        }
        let found = values.certificate().expect("the period is proved");
        assert_eq!(
            (found.preperiod, found.period),
            (preperiod, period),
            "{name}"
        );

        // `seedbank check` reads the same values and extends them by the period.
        let fact = read
            .iter()
            .find(|fact| fact.label == name)
            .expect("it is read");
        assert!(fact.citation.ends_with(&cite));
        let statement = HeapStatement::Values {
            from: from as u64,
            values: listed,
            period: Some((preperiod as u64, period as u64)),
        };
        assert_eq!(fact.statement, statement);
        for (n, value) in naive(&game, 400).into_iter().enumerate().skip(from) {
            let value = value.to_string();
            assert_eq!(
                fact.claim(n as u64),
                Some(HeapClaim::Value(&value)),
                "{name} {n}"
            );
        }
    }
}

fn wythoff(facts: &mut Facts) {
    assert_eq!(facts.text("wythoff.cite"), "Example 1, Figure 1");
    let side = facts.take("wythoff.side").as_integer().expect("a number") as u32;
    let others = facts.text("wythoff.others");
    let [v00, v01, v10, v11] = values();
    assert_eq!(others, v11);
    let printed = [v00, v01, v10].map(|value| {
        let squares = facts.squares(&format!("wythoff.{value}"));
        (value, squares)
    });
    for x in 0..side {
        for y in 0..side {
            let at = Square::new(x, y);
            let of = printed.iter().find(|(_, squares)| squares.contains(&at));
            let expected = of.map_or(&others, |(value, _)| value);
            assert_eq!(wythoff_value(at).to_string(), *expected, "{at}");
            let queen = Component::wythoff(x, y).expect("a small board");
            let played = play_obligated(&Sum::new([queen])).expect("a small game");
            assert_eq!(played.to_string(), *expected, "{at}");
        }
    }
    let key = "wythoff.worked_sum";
    let queens = facts.squares(&format!("{key}.queens"));
    let queens = queens
        .into_iter()
        .map(|at| Component::wythoff(at.x, at.y).expect("a small board"));
    let sum = Sum::new(queens);
    let found = worked(facts, key, &sum);
    let moves = move_texts(&facts.take(&format!("{key}.winning_moves")), "queen");
    for convention in Convention::ALL {
        assert_eq!(
            texts(found.winning_moves(convention)),
            moves,
            "{convention}"
        );
        assert_eq!(played_moves(&sum, convention), moves, "{convention}");
    }
    let printed = move_text(&facts.take(&format!("{key}.printed_move")), "queen");
    let of_queen = moves.iter().filter(|text| text.starts_with("wythoff(1,4)"));
    assert_eq!(of_queen.collect::<Vec<_>>(), [&printed]);
    assert!(facts.text(&format!("{key}.print")).contains("(1,4)"));
    assert!(facts.text(&format!("{key}.note")).contains("(2,1)"));
}

fn knight(facts: &mut Facts) {
    assert_eq!(facts.text("knight.cite"), "Example 2, Figure 3");
    let board = KnightBoard::obligated();
    let rows = facts.texts("knight.rows_j_0_to_10");
    assert_eq!(rows.len(), 11);
    for (y, row) in (0..).zip(rows) {
        let cells: Vec<&str> = row.split(' ').collect();
        assert_eq!(cells.len(), 11);
        for (x, expected) in (0..).zip(cells) {
            let value = board.value(Square::new(x, y)).to_string();
            assert_eq!(value, expected, "{x},{y}");
            let knight = Component::knight(x, y).expect("a small board");
            let played = play_obligated(&Sum::new([knight])).expect("a small game");
            assert_eq!(played.to_string(), expected, "{x},{y}");
        }
    }
    let key = "knight.worked_sum";
    let knights = facts.squares(&format!("{key}.knights"));
    let knights = knights
        .into_iter()
        .map(|at| Component::knight(at.x, at.y).expect("a small board"));
    let sum = Sum::new(knights);
    let found = worked(facts, key, &sum);
    for (convention, name) in [
        (Convention::Normal, "normal"),
        (Convention::Misere, "misere"),
    ] {
        let moves = move_texts(&facts.take(&format!("{key}.{name}_moves")), "knight");
        assert_eq!(
            texts(found.winning_moves(convention)),
            moves,
            "{convention}"
        );
        assert_eq!(played_moves(&sum, convention), moves, "{convention}");
        let printed = facts.take(&format!("{key}.printed_{name}_move"));
        let printed = move_text(&printed, "knight");
        let of_knight = moves.iter().filter(|text| text.starts_with("knight(3,4)"));
        assert_eq!(of_knight.collect::<Vec<_>>(), [&printed]);
    }
    assert!(facts.text(&format!("{key}.print")).contains("(3,4)"));
    assert!(facts.text(&format!("{key}.note")).contains("(4,9)"));
}

/// Compares the values of a worked sum and of its components.
fn worked(facts: &mut Facts, key: &str, sum: &Sum) -> ObligatedSum {
    let found = ObligatedSum::new(sum, &mut ComponentValues::new());
    let components = found.components.iter().map(|(_, value)| value.to_string());
    let values = facts.texts(&format!("{key}.values"));
    assert_eq!(components.collect::<Vec<_>>(), values);
    let value = facts.text(&format!("{key}.value"));
    assert_eq!(found.value.to_string(), value);
    let played = play_obligated(sum).expect("a small sum");
    assert_eq!(played.to_string(), value);
    found
}

/// Returns the winning moves, found by playing out every move.
fn played_moves(sum: &Sum, convention: Convention) -> Vec<String> {
    let mut winning = Vec::new();
    for (place, component) in sum.components().enumerate() {
        for leaves in component.options() {
            let component = component.clone();
            let tried = SumMove {
                group: 0,
                place,
                component,
                leaves,
            };
            let after = play_obligated(&tried.obliged(sum)).expect("a small sum");
            if !after.is_n(convention) {
                winning.push(tried.to_string());
            }
        }
    }
    winning
}

fn texts<'m>(moves: impl Iterator<Item = &'m SumMove>) -> Vec<String> {
    moves.map(ToString::to_string).collect()
}

fn move_texts(moves: &Value, piece: &str) -> Vec<String> {
    let moves = moves.as_array().expect("a list").iter();
    moves.map(|one| move_text(one, piece)).collect()
}

fn move_text(one: &Value, piece: &str) -> String {
    let name = if piece == "queen" { "wythoff" } else { piece };
    let (from, to) = (square(&one[piece]), square(&one["to"]));
    format!("{name}({from}) -> {name}({to})")
}
