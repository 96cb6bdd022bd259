//! Every ruleset agrees with literal play on all small rows, and the suite rejects rulesets with a
//! fault.

mod published;

use crate::common::faulty::{self, Fault, Faulty};
use crate::common::naive::{Evaluator, SameForm, rebuilt};
use crate::common::notation::published;
use crate::common::rows::{random_row, reversed, seeds, small_rows, with_all_ends, written_out};
use crate::common::suite::{Seeds, Subject, check};
use crate::common::toy::{self, Toy};
use seedbank::board::coloured::{ColouredPot, ColouredRow};
use seedbank::board::grid::Grid;
use seedbank::board::row::{Pot, Row};
use seedbank::board::{AnyBoard, Board, BoardKind, Shape};
use seedbank::engine::reference::ReferenceEngine;
use seedbank::engine::sweep::{Cells, SweepProgress, sweep};
use seedbank::engine::{CanonicalForms, Control, NimValues, Word};
use seedbank::game::{
    ByPots, BySeeds, Game, GameVisitor, Play, Player, PotGame, Ruleset, Sowing, SweepOrder,
};
use seedbank::value::Arena;

const POTS_MAX: usize = 6;
const SEEDS_MAX: u32 = 6;

#[test]
fn every_game_conforms() {
    for game in games_on_rows() {
        let has_full_pots = game.shape().has_full_pots();
        let rows = small_rows(POTS_MAX, SEEDS_MAX, has_full_pots);
        let positions = conform(game, any(&rows));
        let least = if game == Game::SOWING { 3_000 } else { 400 };
        assert!(positions > least, "{game}: {positions} positions");
    }
}

/// Every row of at most `pots_max` pots, with at most `seeds_max` seeds of each colour.
fn coloured_rows(pots_max: usize, seeds_max: u32) -> Vec<AnyBoard> {
    let mut all = Vec::new();
    let mut rows = vec![ColouredRow::default()];
    for _ in 0..pots_max {
        let of_colours = |row: &ColouredRow| {
            let left = [0, 1].map(|colour| {
                let seeds = row.pots.iter().map(|pot| [pot.blue, pot.red][colour]);
                seeds_max - seeds.sum::<u32>()
            });
            let pots = (0..=left[0])
                .flat_map(move |blue| (0..=left[1]).map(move |red| ColouredPot { blue, red }));
            let longer = pots.map(|pot| ColouredRow {
                pots: row.pots.iter().copied().chain([pot]).collect(),
            });
            longer.collect::<Vec<_>>()
        };
        rows = rows.iter().flat_map(of_colours).collect();
        all.extend(rows.iter().cloned().map(AnyBoard::from));
    }
    all
}

/// Every filling of rectangles. The more pots a rectangle has, the fewer seeds a pot may hold.
fn small_grids() -> Vec<AnyBoard> {
    let sides = [
        (1, 1, 4),
        (1, 5, 3),
        (2, 1, 4),
        (2, 3, 3),
        (3, 3, 1),
        (4, 2, 1),
    ];
    let of_sides = sides.iter().flat_map(|&(rows, columns, most)| {
        let pots = rows * columns;
        let fillings = (most + 1u32).pow(pots);
        (0..fillings).map(move |code| Grid {
            columns: columns as usize,
            pots: (0..pots)
                .map(|pot| code / (most + 1).pow(pot) % (most + 1))
                .collect(),
        })
    });
    of_sides.map(AnyBoard::from).collect()
}

#[test]
fn games_with_two_colours_and_on_grids_conform() {
    for (game, boards) in [
        (Game::COLOURED_SOWING, coloured_rows(5, 3)),
        (Game::GRID_SOWING, small_grids()),
    ] {
        agree_with_the_reference(game, &boards);
        let positions = conform(game, boards);
        assert!(positions > 200, "{game}: {positions} positions");
    }
}

#[test]
fn values_agree_with_the_reference_engine_on_random_boards() {
    let mut random = fastrand::Rng::with_seed(1996);
    let mut pot = |most: u32| random.u32(..=most).saturating_sub(1);
    let rows = (0..boards_tried()).map(|_| {
        let pots = (0..5).map(|_| ColouredPot {
            blue: pot(3),
            red: pot(3),
        });
        AnyBoard::from(ColouredRow {
            pots: pots.collect(),
        })
    });
    agree_with_the_reference(Game::COLOURED_SOWING, &rows.collect::<Vec<_>>());
    let grids = (0..boards_tried()).map(|_| {
        let (rows, columns) = (random.usize(1..=4), random.usize(2..=5));
        let pots = (0..rows * columns).map(|_| random.u32(..4)).collect();
        AnyBoard::from(Grid { columns, pots })
    });
    agree_with_the_reference(Game::GRID_SOWING, &grids.collect::<Vec<_>>());
}

/// Returns the number of random boards of each game to compare: `SEEDBANK_BOARDS`, or enough for
/// every run of the tests.
fn boards_tried() -> usize {
    let given = std::env::var("SEEDBANK_BOARDS").ok();
    given.map_or(200, |given| {
        given.parse().expect("SEEDBANK_BOARDS is a number")
    })
}

#[test]
fn games_with_full_pots_conform_between_endless_ones() {
    for game in games_on_rows() {
        if game.shape().has_full_pots() {
            let rows = with_all_ends(&small_rows(POTS_MAX, SEEDS_MAX, true));
            let positions = conform(game, any(&rows));
            assert!(positions > 20_000, "{game}: {positions} positions");
        }
    }
}

#[test]
fn games_conform_on_boards() {
    for pots in [1, 2, 3, 5, 6, 9] {
        let boards = Game::ALL.iter().filter_map(|game| game.on_board(pots).ok());
        let boards: Vec<Game> = boards.collect();
        assert!(boards.contains(&Game::ATOMIC_WARI.on_board(pots).unwrap()));
        for game in boards {
            conform(
                game,
                any(&small_rows(POTS_MAX.min(pots as usize), SEEDS_MAX, false)),
            );
        }
    }
}

#[test]
fn the_toy_conforms() {
    let subject = Subject {
        ruleset: Toy,
        rows: small_rows(7, 7, false),
        moves: &toy::moves,
        negative: &reversed,
        count: &|row, _| {
            let beside = |pair: &&[Pot]| !pair.contains(&Pot::Seeds(0));
            row.pots.windows(2).filter(beside).count()
        },
        seeds: Seeds::OnePotCaptured,
        cap: &|_, _| Some(1),
    };
    // Rows of up to 7 pots, each empty or not, with nonempty ends; and the empty row.
    let (empty, of_one_pot) = (1, 1);
    let longer = (2..=7).map(|pots| 1 << (pots - 2));
    assert_eq!(
        check(&subject),
        Ok(empty + of_one_pot + longer.sum::<usize>())
    );
}

/// The suite can fail: it names the law that each of these faults breaks.
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
        (Fault::NoMirror, "negative"),
        (Fault::KeyWithoutOrder, "key"),
        (Fault::SplitsAtEmptyPots, "components"),
    ] {
        let engine = ReferenceEngine::new(Game::SOWING);
        let subject = Subject {
            ruleset: Faulty(fault),
            rows: with_all_ends(&small_rows(5, 5, true)),
            moves: &|row, player| options(&engine, row, player),
            negative: &reversed,
            count: &sowing_moves,
            seeds: Seeds::Kept,
            cap: &|pots, place| faulty::cap(fault, pots, place),
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
    for game in games_on_rows().filter(|game| !game.is_loopy()) {
        let has_full_pots = game.shape().has_full_pots();
        let rows = small_rows(POTS_MAX, SEEDS_MAX, has_full_pots);
        agree_with_the_reference(game, &any(&rows));
        if has_full_pots {
            agree_with_the_reference(game, &any(&with_all_ends(&small_rows(4, 5, true))));
        }
        if let Ok(board) = game.on_board(7) {
            agree_with_the_reference(board, &any(&rows));
        }
    }
}

#[test]
fn values_agree_with_the_reference_engine_on_random_rows() {
    let mut random = fastrand::Rng::with_seed(1996);
    let rows: Vec<Row> = (0..200).map(|_| random_row(&mut random, 8, 9)).collect();
    for game in games_on_rows().filter(|game| !game.is_loopy()) {
        agree_with_the_reference(game, &any(&rows));
        if game.shape().has_full_pots() {
            agree_with_the_reference(game, &any(&with_all_ends(&rows[..40])));
        }
        if let Ok(board) = game.on_board(11) {
            agree_with_the_reference(board, &any(&rows));
        }
    }
}

/// A sweep values the rows of a whole family at once; each of its cells agrees with the reference.
#[test]
fn sweeps_agree_with_the_reference_engine() {
    fn check<O: SweepOrder>(order: &O) {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(2)
            .build()
            .unwrap();
        let (forms, nim_values) = (CanonicalForms::default(), NimValues::default());
        let form_cells = Cells::in_memory(order.cells()).unwrap();
        let nim_cells = Cells::in_memory(order.cells()).unwrap();
        let control = Control::default();
        sweep(
            order,
            &forms,
            &form_cells,
            &SweepProgress::default(),
            &pool,
            &control,
        )
        .unwrap();
        sweep(
            order,
            &nim_values,
            &nim_cells,
            &SweepProgress::default(),
            &pool,
            &control,
        )
        .unwrap();
        let mut engine = ReferenceEngine::new(Game::SOWING);
        let mut same = SameForm::default();
        let mut rows = 0;
        for row in small_rows(POTS_MAX, SEEDS_MAX, false) {
            let seeds = |pot: &Pot| match pot {
                Pot::Seeds(seeds) => *seeds as u8,
                Pot::Full => unreachable!("these rows have no full pots"),
            };
            let pots: Vec<u8> = row.pots.iter().map(seeds).collect();
            let Some(cell) = order.cell_of(&pots) else {
                continue;
            };
            rows += 1;
            let word = Word::new(form_cells.get(cell)).unwrap();
            let expected = engine.canonical(&row).unwrap();
            let value = CanonicalForms::value(word);
            assert!(
                same.same(engine.forms(), expected, &forms.arena, value),
                "{row}"
            );
            let word = Word::new(nim_cells.get(cell).into()).unwrap();
            assert_eq!(
                NimValues::value(word),
                engine.nim_value(&row).unwrap(),
                "{row}"
            );
        }
        assert!(rows > 0);
    }
    for seeds in 1..=SEEDS_MAX as usize {
        check(&BySeeds::new(seeds, POTS_MAX).unwrap());
    }
    check(&ByPots::new(POTS_MAX).unwrap());
}

/// A full pot is worth the same as any count beyond its distance to the ends, played out without
/// any cap.
#[test]
fn full_pots_are_large_counts() {
    let mut engine = ReferenceEngine::new(Game::SOWING);
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

/// Endless ends act like finite ones: a position of S seeds does not distinguish S full pots from
/// more.
#[test]
fn endless_ends_are_long_finite_rows() {
    let arena = Arena::new();
    let mut evaluator = Evaluator::new(&Sowing, &arena);
    let mut engine = ReferenceEngine::new(Game::SOWING);
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

/// The families are complete: p pots hold at most s seeds in C(p + s, s) ways.
#[test]
fn small_rows_are_all_there() {
    let rows = small_rows(POTS_MAX, SEEDS_MAX, false);
    let of_pots = [7, 28, 84, 210, 462, 924];
    assert_eq!(rows.len(), of_pots.iter().sum::<usize>());
    // With f full pots out of p, C(p, f) C(p - f + s, s): here p = 1, 2 and s = 2.
    assert_eq!(small_rows(2, 2, true).len(), (3 + 1) + (6 + 2 * 3 + 1));
}

#[test]
fn different_forms_are_distinguished() {
    let arena = Arena::new();
    let mut calculator = arena.calculator();
    let mut engine = ReferenceEngine::new(Game::SOWING);
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

/// Returns the boards that a player can move to.
fn options<B: Board>(engine: &ReferenceEngine, board: &B, player: Player) -> Vec<B> {
    let options = engine.options(board, player).unwrap().into_iter();
    let of_kind = |option| B::of(&option).cloned().expect("moves stay on the board");
    options.map(of_kind).collect()
}

/// Runs the suite on a game, against the reference engine's literal moves.
fn conform(game: Game, boards: Vec<AnyBoard>) -> usize {
    struct Conform(Game, Vec<AnyBoard>);

    impl GameVisitor for Conform {
        type Output = Result<usize, String>;

        fn visit<R: PotGame>(self, ruleset: R) -> Self::Output {
            let Conform(game, boards) = self;
            let engine = ReferenceEngine::new(game);
            let moves = |board: &R::Board, player| options(&engine, board, player);
            let count = |board: &R::Board, player| {
                let any: AnyBoard = board.clone().into();
                match (game.name(), any.row()) {
                    ("sowing", Some(row)) => sowing_moves(row, player),
                    ("atomic-wari", Some(row)) => atomic_wari_moves(row, player, game.board_pots()),
                    ("reaping", Some(row)) => reaping_moves(row, player),
                    _ => moves(board, player).len(),
                }
            };
            let seeds = match game.name() {
                "sowing" | "reaping" => Seeds::Kept,
                "atomic-wari" => Seeds::CapturedByTwoOrThree,
                _ => Seeds::NeverMore,
            };
            let of_kind = |board: &AnyBoard| R::Board::of(board).expect("the game's board").clone();
            check(&Subject {
                ruleset,
                rows: boards.iter().map(of_kind).collect(),
                moves: &moves,
                count: &count,
                negative: &|board| of_kind(&negative(&board.clone().into())),
                seeds,
                cap: &|pots, place| match game.shape() {
                    Shape::Rows(shape) => shape.caps.cap(pots as u32, place as u32),
                    Shape::ColouredRows | Shape::Grids => None,
                },
            })
        }
    }

    game.visit(Conform(game, boards))
        .unwrap_or_else(|error| panic!("{game:?}: {error}"))
}

/// Returns the board on which each player has the other's moves: a row reversed, colours exchanged,
/// a grid transposed.
fn negative(board: &AnyBoard) -> AnyBoard {
    match board {
        AnyBoard::Row(row) => reversed(row).into(),
        AnyBoard::Coloured(row) => {
            let pots = row.pots.iter().map(|pot| ColouredPot {
                blue: pot.red,
                red: pot.blue,
            });
            ColouredRow {
                pots: pots.collect(),
            }
            .into()
        }
        AnyBoard::Grid(grid) => {
            let pots = (0..grid.columns).flat_map(|column| {
                (0..grid.rows()).map(move |row| grid.pots[row * grid.columns + column])
            });
            Grid {
                columns: grid.rows(),
                pots: pots.collect(),
            }
            .into()
        }
    }
}

/// Counts moves of Sowing by the pot that gets the last seed. It must not be empty, and its
/// distance from the pot sown must equal that pot's seeds.
fn sowing_moves(row: &Row, player: Player) -> usize {
    let (pots, endless) = ahead(row, player);
    let within = (0..pots.len())
        .filter(|&last| pots[last] != Pot::Seeds(0))
        .map(|last| {
            let from = |&from: &usize| pots[from] == Pot::Seeds((last - from) as u32);
            (0..last).filter(from).count()
        });
    let far = |&place: &usize| match pots[place] {
        Pot::Seeds(seeds) => seeds > 0 && place + seeds as usize >= pots.len(),
        Pot::Full => false,
    };
    let beyond = (0..pots.len()).filter(far).count();
    within.sum::<usize>() + if endless { beyond } else { 0 }
}

/// Counts moves of Reaping: pots of two or more.
fn reaping_moves(row: &Row, _: Player) -> usize {
    let pots = row.pots.iter();
    pots.filter(|pot| matches!(pot, Pot::Seeds(2..))).count()
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

/// Returns the pots in the direction in which the player sows, and whether they are endless.
fn ahead(row: &Row, player: Player) -> (Vec<Pot>, bool) {
    match player {
        Player::Left => (row.pots.clone(), row.endless_right),
        Player::Right => (row.pots.iter().rev().copied().collect(), row.endless_left),
    }
}

fn any(rows: &[Row]) -> Vec<AnyBoard> {
    rows.iter().cloned().map(AnyBoard::from).collect()
}

/// Returns the games on rows of one colour. tests/loopy.rs compares values of those in which play
/// need not end.
fn games_on_rows() -> impl Iterator<Item = Game> {
    let is_on_rows = |game: &Game| game.shape().kind() == BoardKind::Row;
    Game::ALL.iter().copied().filter(is_on_rows)
}

/// Evaluates boards through the ruleset and through the reference engine, in both ways of playing.
fn agree_with_the_reference(game: Game, boards: &[AnyBoard]) {
    struct Agree<'a>(Game, &'a [AnyBoard]);

    impl GameVisitor for Agree<'_> {
        type Output = ();

        fn visit<R: PotGame>(self, ruleset: R) {
            values_agree(&ruleset, self.0, self.1);
        }
    }

    game.visit(Agree(game, boards));
}

fn values_agree<R: PotGame>(ruleset: &R, game: Game, boards: &[AnyBoard]) {
    let arena = Arena::new();
    let mut evaluator = Evaluator::new(ruleset, &arena);
    let mut engine = ReferenceEngine::new(game);
    let mut same = SameForm::default();
    for row in boards {
        let position = ruleset.position_on(row).unwrap();
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
