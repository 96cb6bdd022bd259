//! Tests that the pictures in the rules of every game show legal moves.

use super::heap::HeapGame;
use super::impartial::Component;
use super::scored::{Kalah, Scored, Wari};
use super::sowing_graph::{GraphBoard, SowingGraph, Steps};
use super::tchoukaillon::TchoukaillonBoard;
use super::tchuka_ruma::{Played, Ring};
use super::{Game, GameEntry, GameVisitor, Player, PotGame, games};

/// Returns the position before the pictured move and the one after it.
fn picture(game: &str) -> (&'static str, &'static str) {
    let entry = games().find(|entry| entry.name == game).expect(game);
    let mut pictures = entry.rules.lines().filter(|line| line.starts_with("    "));
    let line = pictures.next().expect("a picture");
    assert_eq!(pictures.next(), None, "{game}");
    line.trim().split_once("  ->  ").expect("a move")
}

fn row(text: &str) -> String {
    text.replace(['(', ')'], "")
}

#[test]
fn rules_fit_a_terminal_of_80_columns() {
    for GameEntry { name, rules, .. } in games() {
        assert!(rules.lines().all(|line| line.len() <= 80), "{name}");
        assert!(rules.ends_with('\n'), "{name}");
    }
}

#[test]
fn the_pictured_moves_on_rows_are_legal() {
    struct LeftOptions<'a>(&'a str, &'a str);

    impl GameVisitor for LeftOptions<'_> {
        type Output = (Vec<String>, String);

        fn visit<R: PotGame>(self, ruleset: R) -> Self::Output {
            let position = |text: &str| ruleset.position(&row(text).parse().unwrap()).unwrap();
            let mut options = Vec::new();
            ruleset
                .each_option(&position(self.0), Player::Left, &mut |option| {
                    options.push(ruleset.board(option).to_string());
                })
                .unwrap();
            (options, ruleset.board(&position(self.1)).to_string())
        }
    }

    for game in Game::ALL {
        let (before, after) = picture(game.name());
        let (options, after) = game.visit(LeftOptions(before, after));
        assert!(options.contains(&after), "{game}: {after}: {options:?}");
    }
}

#[test]
fn the_pictured_moves_of_heaps_are_legal() {
    for (name, game) in [
        ("octal", "0.77"),
        ("grundy", "grundy"),
        ("subtraction", "subtraction(1,3,4)"),
    ] {
        let (before, after) = picture(name);
        let game: HeapGame = game.parse().unwrap();
        let tokens = |text: &str| text.matches('o').count();
        let mut options = game
            .options(tokens(before))
            .map(|option| option.to_string());
        let after: Vec<String> = after
            .split('|')
            .map(|heap| tokens(heap).to_string())
            .collect();
        let after = after.join(" + ");
        assert!(options.any(|option| option == after), "{name}: {after}");
    }
}

#[test]
fn the_pictured_moves_in_sums_are_legal() {
    for (name, joint) in [("disjunctive", " + "), ("obligated", " > ")] {
        let (before, after) = picture(name);
        let (component, rest) = before.split_once(" + ").unwrap();
        let component = Component::kayles(component[7..8].parse().unwrap()).unwrap();
        assert!(before.starts_with(&component.to_string()));
        let options = component.options().into_iter().map(|parts| {
            let parts: Vec<String> = parts.iter().map(ToString::to_string).collect();
            format!("{}{joint}{rest}", parts.join(" + "))
        });
        let options: Vec<String> = options.collect();
        assert!(options.iter().any(|option| option == after), "{options:?}");
    }
}

#[test]
fn the_pictured_moves_of_tchoukaillon_are_legal() {
    let numbers = |text: &str| -> Vec<u32> {
        let numbers = text.split(|c: char| !c.is_ascii_digit());
        numbers.filter_map(|number| number.parse().ok()).collect()
    };
    let (before, after) = picture("tchoukaillon");
    let mut board = TchoukaillonBoard::new(numbers(before));
    board.play(3).unwrap();
    assert_eq!(board, TchoukaillonBoard::new(numbers(after)));

    let (before, after) = picture("sowing-graph");
    let graph: SowingGraph = "ruma r\nbin b a\na -> b -> r".parse().unwrap();
    let board = |text: &str| GraphBoard::new(&numbers(text)).unwrap();
    let moves = graph.moves(&board(before), &mut Steps::new(100)).unwrap();
    assert_eq!(moves.len(), 1);
    assert_eq!(moves[0].option, board(after));
}

#[test]
fn the_pictured_moves_of_scored_games_are_legal() {
    fn check<G: Scored>(name: &str, game: G) {
        let (before, after) = picture(name);
        let pit = before.split(' ').position(|pit| pit.starts_with('('));
        let position = row(before).parse().unwrap();
        let options = game.options(&position);
        let option = options
            .iter()
            .find(|option| option.pit == pit.map(|pit| pit as u8));
        assert_eq!(option.unwrap().position.to_string(), after);
    }

    check("kalah", Kalah::default());
    check("wari", Wari::WARI);
}

#[test]
fn the_pictured_play_of_tchuka_ruma_is_legal() {
    let ring = |text: &str| row(text).replace(" | Ruma", "").parse::<Ring>().unwrap();
    let (before, after) = picture("tchuka-ruma");
    let mut played = ring(before);
    assert_eq!(played.play(2), Played::Ended);
    assert_eq!(played, ring(after));
}
