//! Values of loopy positions, compared with play of the sums of the positions and other games.

use seedbank::board::AnyBoard;
use seedbank::engine::{Control, Ending, endings};
use seedbank::game::{Convention, Game, Play, Player};
use seedbank::value::{Arena, LoopyCalculator, ValueId};

/// The games added to a position.
const ADDED: [&str; 9] = ["0", "1", "-1", "1/2", "*", "^", "v*", "+-1", "{2|0}"];

/// The greatest nim heap added to a position.
const HEAP_MAX: u32 = 4;

/// Compares the value of a position with play of it beside other games.
pub(crate) fn assert_value(game: Game, play: Play, board: &AnyBoard, value: &str) {
    match play {
        Play::Partisan => assert_sides(game, board, value),
        Play::Impartial => assert_nim_value(game, board, value),
    }
}

fn assert_sides(game: Game, board: &AnyBoard, value: &str) {
    let arena = Arena::new();
    let mut c = LoopyCalculator::new(&arena);
    let sides = c.parse(value).unwrap();
    for text in ADDED {
        let added = c.parse(text).unwrap();
        let sum = c
            .sum(sides, added)
            .unwrap()
            .expect("a sum with a short game has sides");
        let id = arena.calculator().parse(text).unwrap();
        let roots = Player::BOTH.map(|player| (board.clone(), id, player));
        let options = |(board, added, mover): &(AnyBoard, ValueId, Player),
                       options: &mut Vec<_>| {
            let moves = game.literal_options(board, *mover);
            options.extend(
                moves
                    .into_iter()
                    .map(|option| (option, *added, mover.opponent())),
            );
            let form = arena.form(*added);
            let of_added: Vec<ValueId> = match mover {
                Player::Left => form.left().collect(),
                Player::Right => form.right().collect(),
            };
            options.extend(
                of_added
                    .into_iter()
                    .map(|option| (board.clone(), option, mover.opponent())),
            );
            Ok(())
        };
        let found = endings(
            roots,
            Convention::Normal,
            &Control::default(),
            |_| None,
            options,
        )
        .unwrap();
        let played = [found[0].1, found[1].1];
        assert_eq!(
            c.endings(sum).unwrap(),
            played,
            "{board} = {value}, plus {text}"
        );
    }
}

fn assert_nim_value(game: Game, board: &AnyBoard, value: &str) {
    let finite = |heap: u32| match heap {
        0 => "0".to_owned(),
        1 => "*".to_owned(),
        heap => format!("*{heap}"),
    };
    let heaps = value
        .strip_prefix("oo(")
        .map(|list| list.trim_end_matches(')').split(','));
    for heap in 0..=HEAP_MAX {
        let options = |(board, heap): &(AnyBoard, u32), options: &mut Vec<_>| {
            for player in Player::BOTH {
                let moves = game.literal_options(board, player);
                options.extend(moves.into_iter().map(|option| (option, *heap)));
            }
            options.extend((0..*heap).map(|less| (board.clone(), less)));
            Ok(())
        };
        let found = endings(
            [(board.clone(), heap)],
            Convention::Normal,
            &Control::default(),
            |_| None,
            options,
        )
        .unwrap();
        let expected = match &heaps {
            None if value == finite(heap) => Ending::Loss,
            None => Ending::Win,
            Some(heaps) if heaps.clone().any(|other| other == heap.to_string()) => Ending::Win,
            Some(_) => Ending::Draw,
        };
        assert_eq!(found[0].1, expected, "{board} = {value}, plus *{heap}");
    }
}
