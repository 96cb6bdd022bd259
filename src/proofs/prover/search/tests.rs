//! Theorems that few further claims prove, and the check of their certificates.

use std::path::Path;

use cggames::board::AnyBoard;
use cggames::game::{Game, PotGame, Sowing};
use cgsolvers::{CanonicalForms, Engine, Formed, NimValues, NothingKnown};

use super::*;
use crate::proof::Certificate;

/// Searches for a proof without a time limit.
fn verdict<V: Formed>(play: Play, valuation: V, claim: &Written) -> Verdict {
    let engine = Engine::new(Sowing, valuation);
    let mut search = engine.search(&NothingKnown);
    let arena = engine.valuation.arena();
    let mut calculator = arena.calculator();
    let mut evaluate = |board: &AnyBoard| -> SearchResult<Option<ValueId>> {
        let word = search.evaluate_within(&Sowing.position_on(board)?, 20_000)?;
        let form = word.map(|word| V::form(&mut calculator, word));
        Ok(form.transpose()?)
    };
    let theorem = Theorem {
        reading: Reading::SOWING,
        play,
        claims: std::slice::from_ref(claim),
    };
    let budget = Budget {
        until: None,
        is_stopped: &|| false,
        claims_max: 20,
    };
    prove(&theorem, budget, arena, &mut evaluate).unwrap()
}

fn proved(play: Play, rows: &str, least: i64, value: &str) -> (Written, Verdict) {
    let claim = Written {
        rows: rows.to_owned(),
        least: [('m', least)].into(),
        relation: Relation::Is,
        value: value.to_owned(),
    };
    let verdict = match play {
        Play::Partisan => verdict(play, CanonicalForms::default(), &claim),
        Play::Impartial => verdict(play, NimValues::default(), &claim),
    };
    (claim, verdict)
}

/// Seeds that go into full pots change nothing, and yet such a move is none of other pots.
#[test]
fn moves_into_full_pots_need_few_claims() {
    use Play::{Impartial, Partisan};
    for (play, rows, value, most) in [
        (Partisan, "(01)^m e", "1", 1),
        (Partisan, "(001)^m e...", "1", 1),
        (Impartial, "(001)^m e...", "*", 1),
        (Partisan, "...e (100)^m", "-1", 1),
        (Partisan, "...e (10)^m 1", "-1", 2),
        (Impartial, "1 (001)^m e22", "*2", 5),
        (Partisan, "10 (001)^m e21", "-1/2", 3),
    ] {
        let (claim, verdict) = proved(play, rows, 1, value);
        let Verdict::Proved(claims) = verdict else {
            panic!("{rows}: {verdict:?}");
        };
        assert!(claims.len() <= most, "{rows}: {claims:?}");
        let mut certificate = Certificate {
            title: None,
            source: None,
            game: Game::SOWING,
            play,
            version: Game::SOWING.version(),
            theorem: vec![claim],
            claims,
        };
        let path = Path::new("proof.toml");
        certificate.check(path).unwrap();
        certificate.claims.pop();
        assert!(certificate.check(path).is_err(), "{rows}");
    }
}

/// No row of the theorem can be evaluated. The law holds from 0 on, or from a small number on.
#[test]
fn theorems_about_long_rows_are_proved_for_short_ones() {
    for (rows, least, value) in [("11 (01)^m", 100, "{m+1|0}"), ("11 (01)^m-1", 100, "{m|0}")] {
        let (_, verdict) = proved(Play::Partisan, rows, least, value);
        assert!(matches!(verdict, Verdict::Proved(_)), "{rows}: {verdict:?}");
    }
    let (_, verdict) = proved(Play::Partisan, "11 (01)^m", 100, "{m+2|0}");
    assert!(!matches!(verdict, Verdict::Proved(_)), "{verdict:?}");
}
