//! Wherever a ruleset splits a position, the reference engine finds that the value of the whole is
//! the sum of the components' values. With gaps one pot shorter this fails.

use crate::common::naive::SameForm;
use crate::common::rows::{random_row, reversed, row, small_rows, with_all_ends};
use crate::common::workspace::{Workspace, printed, seedbank};
use seedbank::board::row::{Pot, Row};
use seedbank::engine::reference::ReferenceEngine;
use seedbank::engine::{CanonicalForms, Engine, NimValues, NothingKnown};
use seedbank::game::{AtomicWari, Game, Ruleset, Sowing};

const ENDLESS_WARI: Game = Game::ATOMIC_WARI;

/// The result of comparing rows with the sums of their components.
#[derive(Debug, Default)]
struct Compared {
    /// Rows that split.
    split: usize,
    /// Of these, the rows with two or more components in which there are moves.
    proper: usize,
    /// Rows that differ from the sum in either way of playing.
    wrong: Vec<String>,
}

/// Splits rows, and compares them with the sums of their components.
fn compare(game: Game, rows: &[Row], split: impl Fn(&Row) -> Vec<Row>) -> Compared {
    let mut engine = ReferenceEngine::new(game);
    let mut compared = Compared::default();
    for row in rows {
        let parts = split(row);
        if parts.len() == 1 && parts[0] == *row {
            continue;
        }
        compared.split += 1;
        let zero = engine.forms_mut().canonical([], []);
        let mut sum = (zero, 0);
        let mut moving = 0;
        for part in &parts {
            let value = engine.canonical(part).unwrap();
            sum.0 = engine.forms_mut().sum(sum.0, value);
            sum.1 ^= engine.nim_value(part).unwrap();
            moving += usize::from(engine.followers(part).unwrap() > 1);
        }
        compared.proper += usize::from(moving > 1);
        let whole = (
            engine.canonical(row).unwrap(),
            engine.nim_value(row).unwrap(),
        );
        if whole != sum {
            compared.wrong.push(row.to_string());
        }
    }
    compared
}

/// Returns the components of a row.
fn components<R: Ruleset<Board = Row>>(ruleset: &R, row: &Row) -> Vec<Row> {
    let position = ruleset.position(row).unwrap();
    let components = ruleset.components(&position);
    components.iter().map(|part| ruleset.board(part)).collect()
}

/// Returns the components that a row would have if every gap counted for one pot more than it has.
fn components_too_soon<R: Ruleset<Board = Row>>(ruleset: &R, row: &Row) -> Vec<Row> {
    let normal = ruleset.board(&ruleset.position(row).unwrap());
    let parts = components(ruleset, &with_gaps(&normal, |gap| gap + 1));
    let narrow = parts.iter().map(|part| with_gaps(part, |gap| gap - 1));
    narrow.collect()
}

/// Returns the row with gaps of other lengths.
fn with_gaps(row: &Row, length: impl Fn(usize) -> usize) -> Row {
    let mut pots = Vec::new();
    for run in row
        .pots
        .chunk_by(|a, b| (*a == Pot::Seeds(0)) == (*b == Pot::Seeds(0)))
    {
        match run[0] {
            Pot::Seeds(0) => pots.extend(vec![Pot::Seeds(0); length(run.len())]),
            _ => pots.extend(run),
        }
    }
    Row {
        pots,
        ..row.clone()
    }
}

/// Rows that are their own normal forms, so that they split only where they fall apart.
fn normal_rows<R: Ruleset<Board = Row>>(ruleset: &R, rows: Vec<Row>) -> Vec<Row> {
    let normal = |row: &Row| ruleset.board(&ruleset.position(row).unwrap()) == *row;
    rows.into_iter().filter(normal).collect()
}

fn check<R: Ruleset<Board = Row>>(ruleset: &R, game: Game, rows: Vec<Row>, proper_min: usize) {
    let rows = normal_rows(ruleset, rows);
    let right = compare(game, &rows, |row| components(ruleset, row));
    assert_eq!(right.wrong, [""; 0], "{game:?}");
    assert!(right.proper >= proper_min, "{game:?}: {right:?}");
    let wrong = compare(game, &rows, |row| components_too_soon(ruleset, row));
    assert!(!wrong.wrong.is_empty(), "{game:?}: {wrong:?}");
}

#[test]
fn all_small_rows_of_sowing_are_the_sums_of_their_components() {
    check(&Sowing, Game::SOWING, small_rows(7, 10, false), 20);
    check(&Sowing, Game::SOWING, small_rows(7, 6, true), 10);
}

#[test]
fn all_small_rows_between_endless_full_pots_are_the_sums_of_their_components() {
    let rows = with_all_ends(&small_rows(5, 5, true));
    check(&Sowing, Game::SOWING, rows, 50);
}

#[test]
fn all_small_rows_of_atomic_wari_are_the_sums_of_their_components() {
    let rows = small_rows(8, 10, false);
    check(&AtomicWari::on(None), ENDLESS_WARI, rows, 5_000);
}

#[test]
fn all_small_rows_on_boards_are_the_sums_of_their_components() {
    for pots in [5, 7] {
        let game = Game::ATOMIC_WARI.on_board(pots).unwrap();
        let rows = small_rows(pots as usize, 9, false);
        let board = AtomicWari::on(Some(pots));
        let compared = compare(game, &normal_rows(&board, rows), |row| {
            components(&board, row)
        });
        assert_eq!(compared.wrong, [""; 0]);
        assert!(compared.proper > 0, "{compared:?}");
    }
}

/// Two rows side by side with random gaps, longer than all rows above.
#[test]
fn random_rows_side_by_side_are_sums() {
    let mut random = fastrand::Rng::with_seed(1996);
    let mut rows = Vec::new();
    while rows.len() < 60 {
        let [left, right] = [(); 2].map(|()| random_row(&mut random, 4, 4));
        let gap = vec![Pot::Seeds(0); random.usize(..=5)];
        let pots = [left.pots, gap, right.pots].concat();
        rows.push(Row {
            pots,
            ..Row::default()
        });
    }
    let sowing = normal_rows(&Sowing, rows.clone());
    let compared = compare(Game::SOWING, &sowing, |row| components(&Sowing, row));
    assert_eq!(compared.wrong, [""; 0]);
    assert!(compared.proper > 0, "{compared:?}");
    let wari = AtomicWari::on(None);
    let rows = normal_rows(&wari, rows);
    let compared = compare(ENDLESS_WARI, &rows, |row| components(&wari, row));
    assert_eq!(compared.wrong, [""; 0]);
    assert!(compared.proper > 0, "{compared:?}");
}

/// The search adds the values of the components, and the value of the whole, once found, stays.
#[test]
fn a_search_adds_the_values_of_components() {
    let whole = row("2120000000001321");
    let mut reference = ReferenceEngine::new(Game::SOWING);
    let engine = Engine::new(Sowing, NimValues::default());
    let position = Sowing.position(&whole).unwrap();
    let mut search = engine.search(&NothingKnown);
    let found = search.evaluate(&position).unwrap();
    assert_eq!(
        NimValues::value(found),
        reference.nim_value(&whole).unwrap()
    );
    // Except for the whole, all evaluated positions are followers of a component.
    let followers = |text: &str| reference.followers(&row(text)).unwrap() as u64;
    assert!(engine.memo.len() <= 1 + followers("212") + followers("1321"));
    let (key, _) = Sowing.key(&position).unwrap();
    assert_eq!(engine.memo.get(key), Some(found));
    assert_eq!(engine.memo.len(), engine.control.evaluated());
}

/// Each row has one component more than the row before; the last rows are too long for a key.
#[test]
fn a_job_continues_with_rows_that_are_too_long_for_a_key() {
    let here = Workspace::new();
    let family = "pattern = \"(211100000)^n\"\nn = \"1..=13\"";
    let spec = here.spec("halves", "sowing", "partisan", family);
    here.finish(&spec, &[]);
    let rows = here.rows(&spec);
    let keyless = rows.iter().filter(|found| {
        let position = Sowing.position(&row(&found.position)).unwrap();
        Sowing.key(&position).is_err()
    });
    assert!((1..13).contains(&keyless.count()));
    let values = rows.iter().map(|row| {
        let columns = row.value.as_ref().unwrap();
        columns.value.as_deref().unwrap().to_owned()
    });
    let halves = (1..=13).map(|n| match n % 2 {
        0 => (n / 2).to_string(),
        _ => format!("{n}/2"),
    });
    assert_eq!(values.collect::<Vec<_>>(), halves.collect::<Vec<_>>());

    let sowing = ["eval", "--game", "sowing", "--play", "partisan"];
    let eval = |row: &str| printed(seedbank(&[&sowing, &["--moves", row][..]].concat()));
    let moves = eval(&"211100000".repeat(13));
    assert!(moves.contains("= 13/2"), "{moves}");
}

/// All rows are too long for a key, and those of the two patterns are different positions.
#[test]
fn rows_too_long_for_a_key_support_equalities_and_can_be_checked() {
    let here = Workspace::new();
    let pattern = |text: &str| format!("{{ pattern = \"{text}\", m = \"1..=4\", n = \"1..=4\" }}");
    let [star, other] = ["2^m 1^n 0^98 1100003333", "2^m 1^n 0^98 21100003333"];
    let family = format!("union = [{}, {}]", pattern(star), pattern(other));
    let spec = here.spec("long", "sowing", "partisan", &family);
    here.finish(&spec, &[]);
    let about = |command: &str| {
        let mut command = seedbank(&[command]);
        command.arg(&spec).arg("--out").arg(here.path("out"));
        printed(command)
    };
    let found = about("mine");
    assert!(
        found.contains(&format!("{other} at m,n = ({star} at m,n)")),
        "{found}"
    );
    assert!(about("check").contains("0 disagreements in 32 rows"));

    // Written with an empty pot more they are the same positions, so their equality proves nothing.
    let family = format!(
        "union = [{}, {}]",
        pattern(star),
        pattern(&format!("{star} 0"))
    );
    let spec = here.spec("long", "sowing", "partisan", &family);
    here.finish(&spec, &["--out", here.path("same").to_str().unwrap()]);
    let mut command = seedbank(&["mine"]);
    command.arg(&spec).arg("--out").arg(here.path("same"));
    let found = printed(command);
    assert!(!found.contains("at m,n = ("), "{found}");
}

#[test]
fn a_mirror_image_that_splits_has_the_negative_value() {
    let engine = Engine::new(Sowing, CanonicalForms::default());
    let value = |text: &str| {
        let position = Sowing.position(&row(text)).unwrap();
        let word = engine.search(&NothingKnown).evaluate(&position).unwrap();
        CanonicalForms::value(word)
    };
    for text in ["21200000001321", "312000000312", "...e2111000000312"] {
        let mirror = reversed(&row(text)).to_string();
        assert_eq!(value(text), value(&mirror).negative(), "{text}");
        // The same in the other order, with an empty memo.
        let other = Engine::new(Sowing, CanonicalForms::default());
        let position = Sowing.position(&row(&mirror)).unwrap();
        let word = other.search(&NothingKnown).evaluate(&position).unwrap();
        let arena = &other.valuation.arena;
        assert_eq!(
            arena
                .notation(CanonicalForms::value(word).negative())
                .to_string(),
            engine.valuation.arena.notation(value(text)).to_string()
        );
    }
}

/// The followers of `x y` are soon sparse. They split into runs of deuces, so that large pots take
/// few positions.
#[test]
fn sparse_followers_of_two_pots_split_into_runs() {
    let wari = AtomicWari::on(None);
    let mut reference = ReferenceEngine::new(ENDLESS_WARI);
    for (x, y) in (1..=8).flat_map(|x| (x..=8).map(move |y| (x, y))) {
        let row = Row {
            pots: vec![Pot::Seeds(x), Pot::Seeds(y)],
            ..Row::default()
        };
        let position = wari.position(&row).unwrap();
        let engine = Engine::new(wari, CanonicalForms::default());
        let word = engine.search(&NothingKnown).evaluate(&position).unwrap();
        let arena = &engine.valuation.arena;
        let value = CanonicalForms::value(word);
        let expected = reference.canonical(&row).unwrap();
        let mut same = SameForm::default();
        assert!(
            same.same(reference.forms(), expected, arena, value),
            "{row}"
        );
    }
    let position = wari.position(&row("[30][30]")).unwrap();
    let engine = Engine::new(wari, CanonicalForms::default());
    engine.search(&NothingKnown).evaluate(&position).unwrap();
    assert!(engine.memo.len() <= 500, "{}", engine.memo.len());
}
