use cggames::board::BoardKind;

use super::*;

fn row(text: &str) -> AnyBoard {
    BoardKind::Row.read(text).unwrap()
}

#[test]
fn the_worked_examples_have_their_values() {
    let mut sowing = ReferenceEngine::new(Game::SOWING);
    let value = sowing.canonical(&row("312")).unwrap();
    let forms = sowing.forms_mut();
    let zero = forms.canonical([], []);
    let one = forms.canonical([zero], []);
    let two = forms.canonical([one], []);
    let minus_two = forms.negative(two);
    assert_eq!(value, forms.canonical([zero], [minus_two]));
    assert_eq!(sowing.nim_value(&row("312")).unwrap(), 1);

    let mut wari = ReferenceEngine::new(Game::ATOMIC_WARI);
    let value = wari.canonical(&row("312")).unwrap();
    let zero = wari.forms_mut().canonical([], []);
    let star = wari.forms_mut().canonical([zero], [zero]);
    assert_eq!(value, wari.forms_mut().canonical([zero], [star]));
    assert_eq!(wari.nim_value(&row("312")).unwrap(), 2);
}

#[test]
fn endless_ends_come_back_in_options() {
    let sowing = ReferenceEngine::new(Game::SOWING);
    let options = |text, player| {
        let options = sowing.options(&row(text), player).unwrap();
        options.iter().map(AnyBoard::to_string).collect::<Vec<_>>()
    };
    assert_eq!(options("...e3e...", Player::Left), ["...e0e..."]);
    assert_eq!(
        options("1[9]1e...", Player::Left),
        ["0[10]1e...", "102e...", "190e..."]
    );
    assert_eq!(options("...e02", Player::Right), ["...e10"]);
}

#[test]
fn the_followers_of_single_seeds_are_all_rows_with_as_many() {
    let sowing = ReferenceEngine::new(Game::SOWING);
    // Rows of n seeds on at most n pots with nonempty ends: C(2n - 2, n - 1).
    for (n, count) in [(1, 1), (2, 2), (3, 6), (4, 20), (5, 70), (6, 252), (7, 924)] {
        assert_eq!(sowing.followers(&row(&"1".repeat(n))).unwrap(), count);
    }
}

#[test]
fn what_is_no_position_is_refused() {
    let mut wari = ReferenceEngine::new(Game::ATOMIC_WARI.on_board(2).unwrap());
    let error = wari.canonical(&row("312")).unwrap_err();
    assert!(
        error.to_string().contains("3 pots, but the board has 2"),
        "{error}"
    );
    assert!(wari.nim_value(&row("1e")).is_err());
    assert!(wari.outcome(&row("...e1"), Play::Partisan).is_err());
}
