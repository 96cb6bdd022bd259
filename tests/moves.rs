//! `eval --moves` on rows, boards, grids and sums: the options are those of literal play, the winning ones those after which
//! the opponent loses when everything is played out, and the best ones those that no other exceeds.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bytesize::ByteSize;
use seedbank::board::row::Pot;
use seedbank::board::{AnyBoard, BoardKind};
use seedbank::dataset::PositionRow;
use seedbank::engine::Ending;
use seedbank::engine::reference::ReferenceEngine;
use seedbank::evaluate::{BoardSum, Evaluation, Judged, JudgedMove, evaluate, with_judge};
use seedbank::game::{Game, Play, Player};
use seedbank::run::{Observer, Progress};
use seedbank::value::{Arena, OutcomeClass};
use serde_json::{Value, json};

use crate::common::evaluations::{session, watched};
use crate::common::naive::SameForm;
use crate::common::rows::{small_rows, with_all_ends};
use crate::common::workspace::{Ended, ended, printed, seedbank};

fn judged(game: Game, play: Play, sums: &[BoardSum]) -> Vec<Judged> {
    let session = session(1, ByteSize::gib(4));
    let evaluation = Evaluation::of(game, play);
    let judged = with_judge(&evaluation, &session, sums.len(), |judge| {
        sums.iter().map(|sum| judge.judge(sum)).collect()
    });
    judged.unwrap_or_else(|error| panic!("{error}"))
}

/// Returns whether the player loses who moves next, by an outcome class.
fn loses(outcome: OutcomeClass, next: Player) -> bool {
    match next {
        Player::Left => matches!(outcome, OutcomeClass::Previous | OutcomeClass::Right),
        Player::Right => matches!(outcome, OutcomeClass::Previous | OutcomeClass::Left),
    }
}

/// Compares the moves of boards with the reference engine, and returns how many there are.
fn agree(game: Game, play: Play, boards: &[AnyBoard]) -> usize {
    let sums: Vec<BoardSum> = boards.iter().cloned().map(BoardSum::of).collect();
    let mut reference = ReferenceEngine::new(game);
    let arena = Arena::new();
    let mut same = SameForm::default();
    let mut moves = 0;
    for (board, judged) in boards.iter().zip(judged(game, play, &sums)) {
        let hands: Vec<(Option<Player>, Player)> = match play {
            Play::Partisan => Player::BOTH.map(|player| (Some(player), player)).into(),
            Play::Impartial => Player::BOTH.map(|player| (None, player)).into(),
        };
        let expected: Vec<(Option<Player>, Player, AnyBoard)> = hands
            .iter()
            .flat_map(|&(mover, hand)| {
                let options = reference.options(board, hand).unwrap().into_iter();
                options.map(move |option| (mover, hand, option))
            })
            .collect();
        let listed = judged
            .moves
            .iter()
            .map(|own| (own.mover, own.leaves.to_string()));
        let literal = expected
            .iter()
            .map(|(mover, _, option)| (*mover, option.to_string()));
        assert!(
            listed.eq(literal),
            "{game} {play} {board}: {:?}",
            judged.moves
        );
        for (own, (_, hand, option)) in judged.moves.iter().zip(&expected) {
            moves += 1;
            let at = format!("{game} {play} {board} to {option}");
            let wins = loses(reference.outcome(option, play).unwrap(), hand.opponent());
            assert_eq!(own.ending == Ending::Win, wins, "{at}");
            let notation = own.value.as_ref().and_then(|value| value.notation.as_ref());
            let form = arena.calculator().parse(notation.unwrap()).unwrap();
            if play == Play::Impartial {
                let nim_value = reference.nim_value(option).unwrap();
                assert_eq!(arena.nimber(form), Some(nim_value), "{at}");
                assert_eq!(own.ending == Ending::Win, nim_value == 0, "{at}");
                assert_eq!((own.best, own.reversible), (None, None), "{at}");
                continue;
            }
            let value = reference.canonical(option).unwrap();
            assert!(same.same(reference.forms(), value, &arena, form), "{at}");
            let whole = reference.canonical(board).unwrap();
            let others = expected.iter().filter(|(_, other, _)| other == hand);
            let others: Vec<_> = others
                .map(|(_, _, other)| reference.canonical(other).unwrap())
                .collect();
            let forms = reference.forms_mut();
            let mut is_better = |other| match hand {
                Player::Left => !forms.le(other, value) && forms.le(value, other),
                Player::Right => !forms.le(value, other) && forms.le(other, value),
            };
            let best = !others.iter().any(|&other| is_better(other));
            assert_eq!(own.best, Some(best), "{at}");
            // By definition: the opponent can reply to what is no better for the mover than the position.
            let replies = match hand {
                Player::Left => forms.right_options(value).clone(),
                Player::Right => forms.left_options(value).clone(),
            };
            let reversible = best
                && replies.iter().any(|&reply| match hand {
                    Player::Left => forms.le(reply, whole),
                    Player::Right => forms.le(whole, reply),
                });
            assert_eq!(own.reversible, Some(reversible), "{at}");
        }
    }
    moves
}

fn rows(pots_max: usize, seeds_max: u32, full: bool) -> Vec<AnyBoard> {
    let rows = small_rows(pots_max, seeds_max, full).into_iter();
    rows.map(AnyBoard::from).collect()
}

#[test]
fn moves_of_all_small_rows_agree_with_literal_play() {
    for game in [Game::SOWING, Game::ATOMIC_WARI, Game::REAPING] {
        for play in Play::ALL {
            let moves = agree(game, play, &rows(4, 6, false));
            assert!(moves > 300, "{game} {play}: {moves}");
        }
    }
}

#[test]
fn full_pots_and_endless_ends_are_played_as_full_pots_in_reach() {
    let rows = with_all_ends(&small_rows(4, 4, true));
    let rows: Vec<AnyBoard> = rows.into_iter().map(AnyBoard::from).collect();
    for play in Play::ALL {
        let moves = agree(Game::SOWING, play, &rows);
        assert!(moves > 1000, "{play}: {moves}");
    }
}

#[test]
fn moves_on_boards_of_fixed_width_stay_on_them() {
    for pots in [3, 4, 6] {
        let board = Game::ATOMIC_WARI.on_board(pots).unwrap();
        let rows = rows(3, 6, false);
        for play in Play::ALL {
            assert!(agree(board, play, &rows) > 50);
        }
    }
}

#[test]
fn moves_of_small_grids_and_coloured_rows_agree_with_literal_play() {
    let mut grids = Vec::new();
    for number in 0..3u32.pow(4) {
        let pot = |place: u32| number / 3u32.pow(place) % 3;
        for (a, b) in [("/", ""), ("", "")] {
            let text = format!("{}{}{a}{}{b}{}", pot(0), pot(1), pot(2), pot(3));
            grids.push(BoardKind::Grid.read(&text).unwrap());
        }
    }
    grids.push(BoardKind::Grid.read("111/111").unwrap());
    let pots = ["0", "b", "r", "2b", "br", "2r"];
    let mut coloured = Vec::new();
    for number in 0..6usize.pow(3) {
        let text = format!(
            "{} {} {}",
            pots[number / 36],
            pots[number / 6 % 6],
            pots[number % 6]
        );
        coloured.push(BoardKind::Coloured.read(&text).unwrap());
    }
    for &play in Game::GRID_SOWING.plays() {
        assert!(agree(Game::GRID_SOWING, play, &grids) > 100);
    }
    for &play in Game::COLOURED_SOWING.plays() {
        assert!(agree(Game::COLOURED_SOWING, play, &coloured) > 100);
    }
}

#[test]
fn moves_end_as_the_reference_says_where_play_need_not_end() {
    let game = Game::REVERSE_ATOMIC_WARI;
    let mut boards = rows(4, 7, false);
    boards.push(BoardKind::Row.read("143223").unwrap());
    boards.push(BoardKind::Row.read("324312").unwrap());
    let sums: Vec<BoardSum> = boards.iter().cloned().map(BoardSum::of).collect();
    for play in Play::ALL {
        let mut reference = ReferenceEngine::new(game);
        for (board, judged) in boards.iter().zip(judged(game, play, &sums)) {
            for player in Player::BOTH {
                let expected = reference.endings(board, play).unwrap()[player as usize];
                assert_eq!(judged.ending(player), expected, "{play} {board} {player}");
            }
            for own in &judged.moves {
                // These loopy rows have values of games that end.
                assert!(own.value.is_some(), "{play} {board}");
                let option = own.leaves.board().unwrap();
                let [left, right] = reference.endings(option, play).unwrap();
                // In impartial play both are alike.
                let of_opponent = match own.mover {
                    Some(Player::Right) => left,
                    _ => right,
                };
                let expected = match of_opponent {
                    Ending::Win => Ending::Loss,
                    Ending::Draw => Ending::Draw,
                    Ending::Loss => Ending::Win,
                };
                assert_eq!(own.ending, expected, "{play} {board} to {option}");
            }
        }
    }
}

/// Rows, and who wins when everything is played out, the player to move first.
struct PlayedOut {
    game: Game,
    play: Play,
    known: HashMap<(Vec<AnyBoard>, Player), bool>,
}

impl PlayedOut {
    fn wins(&mut self, boards: &[AnyBoard], player: Player) -> bool {
        let key = (boards.to_vec(), player);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let mut wins = false;
        for (place, board) in boards.iter().enumerate() {
            let hands: &[Player] = match self.play {
                Play::Partisan => &[player],
                Play::Impartial => &Player::BOTH,
            };
            for &hand in hands {
                for option in self.game.literal_options(board, hand) {
                    let mut next = boards.to_vec();
                    next[place] = option;
                    wins |= !self.wins(&next, player.opponent());
                }
            }
        }
        self.known.insert(key, wins);
        wins
    }
}

#[test]
fn moves_in_sums_win_where_the_sum_played_out_is_lost_for_the_opponent() {
    let rows = rows(3, 4, false);
    for game in [Game::SOWING, Game::ATOMIC_WARI] {
        for play in Play::ALL {
            let mut out = PlayedOut {
                game,
                play,
                known: HashMap::new(),
            };
            let pairs = rows.iter().flat_map(|a| rows.iter().map(move |b| (a, b)));
            let sums = pairs
                .step_by(7)
                .map(|(a, b)| BoardSum::read(&format!("{a} + {b}"), game.shape()).unwrap());
            let sums: Vec<BoardSum> = sums.collect();
            let mut winning = 0;
            for judged in judged(game, play, &sums) {
                for own in &judged.moves {
                    let boards: Vec<AnyBoard> = own.leaves.boards().cloned().collect();
                    let next = own.mover.unwrap_or(Player::Left).opponent();
                    let wins = !out.wins(&boards, next);
                    assert_eq!(own.ending == Ending::Win, wins, "{game} {play} {own:?}");
                    winning += usize::from(wins);
                }
            }
            assert!(winning > 20, "{game} {play}: {winning}");
        }
    }
}

/// The number of positions evaluated so far.
#[derive(Default)]
struct Evaluated(AtomicU64);

impl Observer for Evaluated {
    fn progress(&self, _: &str, progress: &Progress) {
        self.0.store(progress.positions, Relaxed);
    }
}

#[test]
fn a_sweep_values_a_row_of_ones_with_its_options() {
    let game = Game::SOWING;
    let sum = BoardSum::read("1^12", game.shape()).unwrap();
    let memory = ByteSize::gib(4);
    for play in Play::ALL {
        let evaluation = Evaluation::of(game, play);
        let evaluated = |with_moves: bool| {
            let count = Evaluated::default();
            let session = watched(1, memory, &count);
            let judged = with_judge(&evaluation, &session, 1, |judge| match with_moves {
                true => judge.judge(&sum),
                false => judge.value(&sum),
            });
            (judged.unwrap(), count.0.into_inner())
        };
        let ((judged, with_moves), (_, without)) = (evaluated(true), evaluated(false));
        assert_eq!(with_moves, without, "{play}: an option is searched");
        let options = judged.moves.iter().map(|own| own.leaves.board().unwrap());
        let options: Vec<AnyBoard> = options.cloned().collect();
        let mut searched = Vec::new();
        let each = |_, row: PositionRow| searched.push(row.value.unwrap().value_digest);
        evaluate(&evaluation, &session(1, memory), &options, each).unwrap();
        let swept = judged.moves.iter().map(|own| own.value.as_ref().unwrap());
        let swept: Vec<[u8; 16]> = swept.map(|value| value.digest.0).collect();
        assert_eq!(swept, searched, "{play}");
    }
}

fn one(game: Game, play: Play, text: &str) -> Judged {
    let sum = BoardSum::read(text, game.shape()).unwrap();
    judged(game, play, &[sum]).remove(0)
}

#[test]
fn values_in_a_sum_are_played_by_their_canonical_forms() {
    let judged = one(Game::SOWING, Play::Partisan, "312 + *2 + {1|0}");
    let listed = |player| -> Vec<String> {
        let own = judged.moves.iter().filter(|own| own.is_of(player));
        own.map(|own| own.leaves.to_string()).collect()
    };
    let left = [
        "303 + *2 + {1|0}",
        "312 + 0 + {1|0}",
        "312 + * + {1|0}",
        "312 + *2 + value(1)",
    ];
    assert_eq!(listed(Player::Left), left);
    // A sum with the negative of a value is zero: the second player wins, whatever the first does.
    let judged = one(Game::SOWING, Play::Partisan, "312 + {2|0}");
    assert!(
        judged
            .moves
            .iter()
            .all(|own: &JudgedMove| own.ending == Ending::Loss)
    );
    let nim = one(Game::SOWING, Play::Impartial, "312 + *2");
    let winning: Vec<String> = nim
        .moves
        .iter()
        .filter(|own| own.ending == Ending::Win)
        .map(|own| format!("{}, {}", own.summand, own.act()))
        .collect();
    assert_eq!(winning, ["1, to *"]);
}

/// Runs `eval --moves` on these positions; the options are words without blanks.
fn eval(options: &str, positions: &[&str]) -> Ended {
    let mut command = seedbank(&["eval", "--moves"]);
    command.args(options.split(' ')).args(positions);
    ended(command)
}

fn listed(options: &str, positions: &[&str]) -> String {
    let ended = eval(options, positions);
    assert_eq!(ended.status, Some(0), "{ended:?}");
    ended.stdout
}

const PARTISAN: &str = "--game sowing --play partisan";
const IMPARTIAL: &str = "--game sowing --play impartial";

#[test]
fn eval_lists_the_moves_as_played() {
    let expected = "\
312 = {0|-2}
  Left: pot 2 to 3 -> 303 = 0, best, wins
  Right: pot 2 to 1 -> 402 = -2, best, wins
  Right: pot 3 to 1 -> 420 = 0, wins
0 = 0
  Left: no move
  Right: no move
...e3e... = *
  Left: pot 1 to 4 -> ...e0e... = 0, best, wins
  Right: pot 1 to -2 -> ...e0e... = 0, best, wins
";
    assert_eq!(listed(PARTISAN, &["312", "0", "...e3e..."]), expected);
    let expected = "\
11 + *2 = *3
  11 = *
  *2 = *2
  11, pot 1 to 2 -> 02 + *2 = *2
  11, pot 2 to 1 -> 20 + *2 = *2
  *2, to 0 -> 11 + 0 = *
  *2, to * -> 11 + * = 0, wins
";
    assert_eq!(listed(IMPARTIAL, &["11 + *2"]), expected);
    let expected = "\
11/10 = *
  Left: pot 1,1 to 2,1 -> 01/00 = 0, best, wins
  Left: pot 2,1 to 1,1 -> 01/00 = 0, best, wins
  Right: pot 1,1 to 1,2 -> 00/10 = 0, best, wins
  Right: pot 1,2 to 1,1 -> 00/10 = 0, best, wins
";
    let grid = "--game grid-sowing --play partisan";
    assert_eq!(listed(grid, &["11/10"]), expected);
}

#[test]
fn patterns_and_sums_are_mixed_and_evaluated_without_moves_too() {
    let mut command = seedbank(&["eval"]);
    command.args(PARTISAN.split(' '));
    command.args(["1^2", "1^2 + 312", "--set", "n=1", "1^n"]);
    let found = printed(command);
    assert_eq!(
        found,
        "1^2 = *\n1^2 + 312 = {*|-2*}\n  11 = *\n  312 = {0|-2}\n1^1 = 0\n"
    );
}

#[test]
fn eval_lists_the_moves_as_json() {
    let found = listed(&format!("{PARTISAN} --json"), &["312", "11 + 1"]);
    let mut lines = found
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let row = lines.next().unwrap();
    assert_eq!(
        (&row["position"], &row["value"]),
        (&json!("312"), &json!("{0|-2}"))
    );
    assert!(row.get("components").is_none());
    let mut second = row["moves"][1].clone();
    assert_eq!(second["value_digest"].as_str().unwrap().len(), 32);
    second["value_digest"].take();
    let expected = json!({
        "player": "right", "component": 0, "from": "2", "to": "1", "option": "402", "leaves": "402", "value": "-2",
        "value_digest": null, "best": true, "reversible": false, "ending": "win", "wins": true,
    });
    assert_eq!(second, expected);
    let sum = lines.next().unwrap();
    assert_eq!(sum["components"][1]["component"], json!("1"));
    assert_eq!((&sum["pots"], &sum["seeds"]), (&json!(3), &json!(3)));
    assert_eq!(sum["moves"][0]["leaves"], json!("02 + 1"));
}

#[test]
fn what_cannot_be_added_is_refused() {
    for (options, positions, words) in [
        (
            IMPARTIAL,
            &["312 + 1/2"][..],
            "in impartial play values are nimbers",
        ),
        (PARTISAN, &["312 + {1"], "neither a position"),
        (PARTISAN, &["312 + "], "component 2 is empty"),
        (
            PARTISAN,
            &["1^n + 312", "1^n", "--set", "n=1"],
            "has a variable",
        ),
        (
            PARTISAN,
            &["312 + 11", "--followers"],
            "--followers is for positions",
        ),
        (
            "--game row-rules --rule last=any --pots 6 --play partisan",
            &["1 + 12"],
            "it has no value of a game that ends; give it alone",
        ),
        (
            "--game grundy",
            &["3"],
            "--moves is for games whose moves are listed",
        ),
    ] {
        let ended = eval(options, positions);
        assert_eq!(ended.status, Some(2), "{ended:?}");
        assert!(ended.stderr.contains(words), "{ended:?}");
    }
}

#[test]
fn the_pots_of_a_move_are_as_far_apart_as_it_has_seeds() {
    let apart = |game: Game, text: &str| -> Vec<(usize, isize)> {
        let board = game.shape().kind().read(text).unwrap();
        let moves = Player::BOTH.map(|player| game.literal_moves(&board, player));
        moves
            .concat()
            .iter()
            .map(|literal| (literal.from, literal.to))
            .collect()
    };
    for row in small_rows(4, 6, false) {
        for player in Player::BOTH {
            for (game, further) in [(Game::SOWING, 0), (Game::ATOMIC_WARI, 1)] {
                for literal in game.literal_moves(&row.clone().into(), player) {
                    let Pot::Seeds(seeds) = row.pots[literal.from] else {
                        panic!("{row} has no full pot")
                    };
                    let sown = match player {
                        Player::Left => literal.to - literal.from as isize,
                        Player::Right => literal.from as isize - literal.to,
                    };
                    assert_eq!(sown + further, seeds as isize, "{game} {row} {literal:?}");
                }
            }
        }
    }
    // By hand: Left reaps the second pot into the third, and Right into the pot before the row.
    assert_eq!(apart(Game::REAPING, "12"), [(1, 2), (1, -1)]);
    // Left gathers into the last pot from one, two or three pots before it; Right has no pot with one seed left of others.
    assert_eq!(
        apart(Game::REVERSE_ATOMIC_WARI, "2231"),
        [(2, 3), (1, 3), (0, 3)]
    );
    assert_eq!(apart(Game::COLOURED_SOWING, "b br"), [(0, 1), (1, 0)]);
    assert_eq!(apart(Game::GRID_SOWING, "12/01"), [(3, 1), (0, 1)]);
}
