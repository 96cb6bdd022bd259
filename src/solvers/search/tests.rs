//! Tests of the search.

use cggames::game::{AtomicWari, ColouredSowing, GridSowing, Sowing};

use super::*;
use crate::{CanonicalForms, NimValues, NothingKnown};

fn evaluated<R: Ruleset, V: Valuation>(engine: &Engine<R, V>, text: &str) -> Word {
    let position = engine.ruleset.position(&text.parse().unwrap()).unwrap();
    engine.search(&NothingKnown).evaluate(&position).unwrap()
}

/// Values do not depend on the order in which options are evaluated, which differs between
/// workers.
#[test]
fn every_worker_finds_the_same_value_alone() {
    for text in ["1111111", "3123", "222222", "e111e", "...e21312e..."] {
        let engine = Engine::new(Sowing, CanonicalForms::default());
        let expected = evaluated(&engine, text);
        let position = Sowing.position(&text.parse().unwrap()).unwrap();
        for worker in 0..5 {
            let memo = Memo::new(false);
            let Engine { valuation, .. } = Engine::new(Sowing, CanonicalForms::default());
            let other = Engine::with_memo(Sowing, valuation, memo);
            let mut search = other.search(&NothingKnown);
            let word = search.evaluate_shared(&Shared::new(&position, &|_| true), worker);
            let value = CanonicalForms::value(word.unwrap().unwrap());
            let expected = CanonicalForms::value(expected);
            assert_eq!(
                other.valuation.arena.notation(value).to_string(),
                engine.valuation.arena.notation(expected).to_string(),
                "{text}, worker {worker}"
            );
            assert_eq!(other.memo.len(), engine.memo.len());
        }
    }
}

#[test]
fn workers_share_a_position_and_evaluate_hardly_any_twice() {
    fn shared<R: Ruleset, V: Valuation + Default>(ruleset: R, text: &str) {
        let alone = Engine::new(ruleset.clone(), V::default());
        let expected = evaluated(&alone, text);
        let engine = Engine::new(ruleset, V::default());
        let position = engine.ruleset.position(&text.parse().unwrap()).unwrap();
        let shared = Shared::new(&position, &|_| true);
        let words: Vec<Option<Word>> = std::thread::scope(|scope| {
            let (engine, shared) = (&engine, &shared);
            let threads: Vec<_> = (0..3)
                .map(|worker| {
                    scope.spawn(move || {
                        let mut search = engine.search(&NothingKnown);
                        search.evaluate_shared(shared, worker).unwrap()
                    })
                })
                .collect();
            threads.into_iter().map(|t| t.join().unwrap()).collect()
        });
        let found = evaluated(&engine, text);
        assert!(words.iter().any(Option::is_some));
        assert!(words.into_iter().flatten().all(|word| word == found));
        if alone.valuation.play() == Play::Impartial {
            assert_eq!(found, expected);
        }
        let twice = engine.control.evaluated() - engine.memo.len();
        assert!(twice * 2 < engine.memo.len(), "{twice} positions twice");
    }
    shared::<_, CanonicalForms>(Sowing, "1111111111");
    shared::<_, NimValues>(Sowing, "1111111111");
    shared::<_, CanonicalForms>(AtomicWari::on(None), "33333");
}

#[test]
fn workers_give_a_position_up_and_use_its_followers_later() {
    use std::sync::atomic::AtomicU64;

    let engine = Engine::new(Sowing, CanonicalForms::default());
    let expected = evaluated(
        &Engine::new(Sowing, CanonicalForms::default()),
        "1111111111",
    );
    let position = Sowing.position(&"1111111111".parse().unwrap()).unwrap();
    let mut search = engine.search(&NothingKnown);
    let mut tries = 0;
    let word = loop {
        let reported = AtomicU64::new(0);
        let goes_on = |positions| reported.fetch_add(positions, Relaxed) + positions < 1_500;
        let shared = Shared::new(&position, &goes_on);
        let before = engine.control.evaluated();
        tries += 1;
        if let Some(word) = search.evaluate_shared(&shared, 0).unwrap() {
            assert!(shared.is_found());
            break word;
        }
        assert!(!shared.is_found());
        assert!(engine.control.evaluated() - before < 2_000);
    };
    assert_eq!(
        (engine.valuation.arena.notation(CanonicalForms::value(word))).to_string(),
        "0"
    );
    assert_eq!(word, expected);
    assert!(tries > 5, "{tries} tries");
    let twice = engine.control.evaluated() - engine.memo.len();
    assert!(twice < 100, "{twice} positions twice");
}

#[test]
fn a_limited_search_gives_up_and_keeps_what_it_has() {
    let engine = Engine::new(Sowing, CanonicalForms::default());
    let position = Sowing.position(&"1111111111".parse().unwrap()).unwrap();
    let mut search = engine.search(&NothingKnown);
    assert_eq!(search.evaluate_within(&position, 500).unwrap(), None);
    assert_eq!((engine.memo.len(), engine.control.evaluated()), (500, 500));
    let value = search.evaluate(&position).unwrap();
    assert_eq!(search.evaluate_within(&position, 0).unwrap(), Some(value));
    assert_eq!(engine.memo.len(), engine.control.evaluated());
}

#[test]
fn rows_too_long_for_a_key_are_worth_the_sum_of_their_components() {
    let halves = ["2111"; 13].join("00000");
    let position = Sowing.position(&halves.parse().unwrap()).unwrap();
    assert!(Sowing.key(&position).is_err());
    let engine = Engine::new(Sowing, CanonicalForms::default());
    let value = CanonicalForms::value(evaluated(&engine, &halves));
    assert_eq!(engine.valuation.arena.notation(value).to_string(), "13/2");

    let runs = ["22"; 31].join("0");
    let engine = Engine::new(AtomicWari::on(None), NimValues::default());
    let position = engine.ruleset.position(&runs.parse().unwrap()).unwrap();
    assert!(engine.ruleset.key(&position).is_err());
    assert_eq!(evaluated(&engine, &runs), evaluated(&engine, "22"));

    let position = Sowing.position(&"2".repeat(60).parse().unwrap()).unwrap();
    let engine = Engine::new(Sowing, NimValues::default());
    let error = engine.search(&NothingKnown).evaluate(&position);
    assert!(matches!(error, Err(EngineError::Position(_))), "{error:?}");
}

#[test]
fn a_grid_of_ones_is_domineering() {
    for (text, value) in [
        ("11/11", "+-1"),
        ("111/111/111", "+-1"),
        ("1111", "-2"),
        ("1/1/1/1/1", "2"),
        ("11/01", "*"),
        ("111/111", "{2|-1/2}"),
    ] {
        assert_eq!(notation_of(GridSowing, text), value, "{text}");
    }
}

#[test]
fn rows_of_two_colours_have_their_worked_values() {
    for (text, value) in [
        ("b br", "1"),
        ("b r b r", "0"),
        ("b b2r 0", "1"),
        ("r br", "-1"),
    ] {
        assert_eq!(notation_of(ColouredSowing, text), value, "{text}");
    }
}

fn notation_of<R: Ruleset>(ruleset: R, text: &str) -> String {
    let engine = Engine::new(ruleset, CanonicalForms::default());
    let value = CanonicalForms::value(evaluated(&engine, text));
    engine.valuation.arena.notation(value).to_string()
}
