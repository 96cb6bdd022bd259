//! Misère play: outcomes, misère nim-values and genera agree with play by the rules as worded.

use std::collections::{BTreeSet, HashMap};
use std::fs;

use bytesize::ByteSize;
use seedbank::board::row::{Pot, Row};
use seedbank::board::{AnyBoard, BoardKind};
use seedbank::dataset::PositionRow;
use seedbank::engine::Ending;
use seedbank::evaluate::{BoardSum, Evaluation, Outcomes, evaluate, outcomes, with_judge};
use seedbank::game::{Convention, Game, Manner, Play, Player};
use seedbank::task::heaps::HeapRow;
use seedbank::task::sums::SumRow;
use seedbank::value::OutcomeClass;
use serde_json::Value;

use crate::common::evaluations::session;
use crate::common::misere::Misere;
use crate::common::rows::small_rows;
use crate::common::workspace::{Workspace, ended, of_out, printed, seedbank};
use crate::row_rules::random_game;

fn misere(play: Play) -> Manner {
    Manner::of(play, Convention::Misere)
}

fn random_row(random: &mut fastrand::Rng, pots: usize, seeds: u32) -> Row {
    let mut row = Row {
        pots: vec![Pot::Seeds(0); random.usize(1..=pots)],
        ..Row::default()
    };
    for _ in 0..random.u32(0..=seeds) {
        let place = random.usize(..row.pots.len());
        if let Pot::Seeds(seeds) = &mut row.pots[place] {
            *seeds += 1;
        }
    }
    row
}

/// Compares positions with play: rows of `eval`, and the search for winners. Returns the outcomes met.
fn agree(game: Game, play: Play, boards: &[AnyBoard]) -> BTreeSet<String> {
    let mut played = Misere::new(game, play);
    let evaluation = Evaluation {
        genus: play == Play::Impartial,
        ..Evaluation::of(game, misere(play))
    };
    let session = session(2, ByteSize::gib(4));
    let mut met = BTreeSet::new();
    let expected: Vec<[Ending; 2]> = boards
        .iter()
        .map(|board| played.endings(std::slice::from_ref(board), &[]))
        .collect();
    let each = |place: usize, row: PositionRow| {
        let board = &boards[place];
        let class = Ending::class(expected[place]).map(OutcomeClass::letter);
        assert_eq!(
            row.misere_outcome.as_deref(),
            class,
            "{game} {play} {board}"
        );
        assert_eq!((row.outcome, row.value), (None, None));
        assert_eq!(row.value_missing.as_deref(), Some("misere"));
        if game.is_loopy() {
            let found = [row.left_first, row.right_first].map(Option::unwrap);
            assert_eq!(
                found,
                expected[place].map(Ending::name),
                "{game} {play} {board}"
            );
        }
        met.insert(class.unwrap_or("draw").to_owned());
        let Some(value) = row.misere_nim_value else {
            assert!(play == Play::Partisan || game.is_loopy());
            return;
        };
        if board.row().is_some_and(|row| row.pots.len() > 4) {
            return;
        }
        assert_eq!(value as u32, played.nim_value(board, &[]), "{game} {board}");
        let genus = row.genus.expect("asked for");
        let digits = genus.split_once('^').expect("a genus").1;
        let digits = digits
            .chars()
            .map(|digit| digit.to_digit(10).expect("a small value"));
        for (twos, digit) in digits.enumerate() {
            let expected = played.nim_value(board, &vec![2; twos]);
            assert_eq!(digit, expected, "{game} {board} {genus}");
        }
    };
    evaluate(&evaluation, &session, boards, each).unwrap();
    let question = Outcomes {
        game,
        manner: misere(play),
        nimber_max: 2,
    };
    outcomes(&question, &session, boards, |place, found| {
        assert_eq!(
            found.endings, expected[place],
            "{game} {play} {}",
            boards[place]
        );
        assert_eq!(found.nimber, None);
    })
    .unwrap();
    met
}

#[test]
fn outcomes_and_genera_are_those_of_play() {
    let mut random = fastrand::Rng::with_seed(69);
    let mut rows: Vec<AnyBoard> = small_rows(4, 5, false)
        .into_iter()
        .map(AnyBoard::from)
        .collect();
    rows.extend((0..60).map(|_| random_row(&mut random, 7, 7).into()));
    for game in [
        Game::SOWING,
        Game::ATOMIC_WARI,
        Game::ATOMIC_WARI.on_board(7).unwrap(),
    ] {
        assert_eq!(agree(game, Play::Partisan, &rows).len(), 4, "{game}");
        assert_eq!(agree(game, Play::Impartial, &rows).len(), 2, "{game}");
    }
    let small: Vec<AnyBoard> = small_rows(4, 5, false)
        .into_iter()
        .map(AnyBoard::from)
        .collect();
    for play in Play::ALL {
        let met = agree(Game::REVERSE_ATOMIC_WARI, play, &small);
        assert!(met.len() > 1, "{met:?}");
    }
    let grids = [
        "11/11", "111/111", "21/12", "1/1/1/1", "102/111", "3/1", "111/020",
    ];
    let grids: Vec<AnyBoard> = grids.map(|text| BoardKind::Grid.read(text).unwrap()).into();
    agree(Game::GRID_SOWING, Play::Partisan, &grids);
    agree(Game::GRID_SOWING, Play::Impartial, &grids);
}

#[test]
fn outcomes_by_random_rules_are_those_of_play() {
    let mut random = fastrand::Rng::with_seed(70);
    let mut met = BTreeSet::new();
    for _ in 0..12 {
        let game = random_game(&mut random, 4);
        let rows: Vec<AnyBoard> = (0..25)
            .map(|_| random_row(&mut random, 4, 5).into())
            .collect();
        for play in Play::ALL {
            met.extend(agree(game, play, &rows));
        }
    }
    assert_eq!(met.len(), 5, "{met:?}");
}

#[test]
fn sums_are_won_as_they_are_played() {
    let mut random = fastrand::Rng::with_seed(71);
    let session = session(2, ByteSize::gib(1));
    for (game, play) in [
        (Game::SOWING, Play::Partisan),
        (Game::SOWING, Play::Impartial),
        (Game::ATOMIC_WARI, Play::Partisan),
    ] {
        let mut played = Misere::new(game, play);
        let evaluation = Evaluation::of(game, misere(play));
        with_judge(&evaluation, &session, 30, |judge| {
            for _ in 0..30 {
                let boards: Vec<AnyBoard> = (0..random.usize(1..=2))
                    .map(|_| random_row(&mut random, 4, 4).into())
                    .collect();
                let heap = random.u32(0..=2);
                let mut text: Vec<String> = boards.iter().map(AnyBoard::to_string).collect();
                if heap > 0 {
                    text.push(format!("*{heap}"));
                }
                let sum = BoardSum::read(&text.join(" + "), game.shape()).unwrap();
                let judged = judge.judge(&sum)?;
                let expected = played.endings(&boards, &[heap]);
                let class = Ending::class(expected).map(OutcomeClass::letter);
                assert_eq!(judged.row.misere_outcome.as_deref(), class, "{sum}");
                for (player, expected) in Player::BOTH.into_iter().zip(expected) {
                    assert_eq!(judged.ending(player), expected, "{sum}");
                }
            }
            Ok(())
        })
        .unwrap();
    }
}

#[test]
fn jobs_have_outcomes_of_misere_play() {
    let here = Workspace::new();
    for (name, play, columns, family) in [
        (
            "ones",
            "impartial",
            "genus = true",
            "pattern = \"1^n\"\nn = \"1..=9\"",
        ),
        (
            "all",
            "impartial",
            "genus = true",
            "all = { pots_max = 4, seeds_max = 5 }",
        ),
        (
            "sides",
            "partisan",
            "",
            "all = { pots_max = 4, seeds_max = 5 }",
        ),
        ("long", "partisan", "", "pattern = \"1^n\"\nn = \"9..=12\""),
    ] {
        let spec = here.path(&format!("{name}.toml"));
        let text = format!(
            "name = \"{name}\"\n[ruleset]\ngame = \"sowing\"\nplay = \"{play}\"\nending = \"misere\"\n[family]\n{family}\n[columns]\n{columns}\n"
        );
        fs::write(&spec, text).unwrap();
        here.finish(&spec, &[]);
        let rows = here.rows(&spec);
        let play = if play == "partisan" {
            Play::Partisan
        } else {
            Play::Impartial
        };
        let boards: Vec<AnyBoard> = rows
            .iter()
            .map(|row| BoardKind::Row.read(&row.position).unwrap())
            .collect();
        let evaluation = Evaluation {
            genus: play == Play::Impartial,
            ..Evaluation::of(Game::SOWING, misere(play))
        };
        evaluate(
            &evaluation,
            &session(1, ByteSize::gib(1)),
            &boards,
            |place, found| {
                let row = &rows[place];
                assert_eq!(row.misere_outcome, found.misere_outcome, "{}", row.position);
                assert_eq!(
                    row.misere_nim_value, found.misere_nim_value,
                    "{}",
                    row.position
                );
                assert_eq!((&row.genus, row.is_tame), (&found.genus, found.is_tame));
                assert_eq!((&row.value, &row.outcome), (&None, &None));
            },
        )
        .unwrap();
        let table = printed(of_out(&here, &["table"], &spec));
        let shown = rows
            .last()
            .and_then(PositionRow::misere)
            .expect("an answer");
        assert!(table.contains(&format!("= {shown}")), "{table}");
        for command in [&["check"][..], &["report"], &["export", "--format", "csv"]] {
            let found = ended(of_out(&here, command, &spec));
            assert_eq!(found.status, Some(0), "{name} {command:?}: {found:?}");
        }
        if name == "ones" {
            let mined = ended(of_out(&here, &["mine"], &spec));
            assert_eq!(mined.status, Some(0), "{mined:?}");
            let proved = ended(of_out(&here, &["prove", "--laws"], &spec));
            assert_eq!(proved.status, Some(2), "{proved:?}");
        }
        let verified = here.store("verify", &["--deep"]);
        assert_eq!(verified.status, Some(0), "{verified:?}");
    }
}

#[test]
fn files_of_moves_are_won_as_other_games_are() {
    let here = Workspace::new();
    let file = here.path("game.csv");
    // From "a" either player moves to "b", and from "b" Left to "end"; "round" goes on for ever.
    fs::write(
        &file,
        "position,left,right\na,b,b\nb,end,\nend,,\nround,round,round\n",
    )
    .unwrap();
    let file = file.to_str().unwrap();
    let of = |command: &str, play: &str, name: &str| {
        let command = seedbank(&[
            command, "--game", "moves", "--file", file, "--play", play, "--misere", "--json", name,
        ]);
        serde_json::from_str::<Value>(&printed(command)).unwrap()
    };
    for (play, name, endings) in [
        // From "b" Left must move, and then Right, who cannot, wins; Right moving first wins at once.
        ("partisan", "b", ["loss", "win"]),
        ("partisan", "a", ["loss", "win"]),
        ("impartial", "b", ["loss", "loss"]),
        ("impartial", "a", ["win", "win"]),
        ("partisan", "round", ["draw", "draw"]),
    ] {
        for command in ["eval", "outcome"] {
            let found = of(command, play, name);
            let found = [&found["left_first"], &found["right_first"]];
            assert_eq!(found, endings, "{command} {play} {name}");
        }
    }
    assert_eq!(of("eval", "impartial", "a")["misere_nim_value"], 1);
}

/// Whether the player to move wins misère play of heaps in ascending order, played out by the digits of a code without splits
/// in three.
fn wins_heaps(digits: &[u8], heaps: &[usize], known: &mut HashMap<Vec<usize>, bool>) -> bool {
    if let Some(&wins) = known.get(heaps) {
        return wins;
    }
    let mut options = Vec::new();
    for (place, &heap) in heaps.iter().enumerate() {
        for (i, digit) in digits.iter().enumerate().filter(|&(i, _)| i < heap) {
            let rest = heap - i - 1;
            let left = |parts: &[usize]| {
                let mut option = heaps.to_vec();
                option.remove(place);
                option.extend(parts);
                option.sort_unstable();
                option
            };
            if digit & 1 == 1 && rest == 0 {
                options.push(left(&[]));
            }
            if digit & 2 == 2 && rest > 0 {
                options.push(left(&[rest]));
            }
            if digit & 4 == 4 {
                options.extend((1..rest).map(|part| left(&[part, rest - part])));
            }
        }
    }
    let wins = options.is_empty()
        || options
            .iter()
            .any(|option| !wins_heaps(digits, option, known));
    known.insert(heaps.to_vec(), wins);
    wins
}

#[test]
fn jobs_over_heaps_and_sums_say_who_wins_misere_play() {
    let here = Workspace::new();
    let letter = |wins: bool| if wins { "N" } else { "P" };
    for (i, code) in ["77", "123", "15", "007", "37", "51"].iter().enumerate() {
        let digits: Vec<u8> = code.bytes().map(|digit| digit - b'0').collect();
        let mut known = HashMap::new();
        let rest =
            format!("code = \"0.{code}\"\nending = \"misere\"\n[family]\nheaps = \"0..=14\"");
        let rows: Vec<HeapRow> = here.plain_finished(&format!("heaps-{i}"), "octal", &rest);
        for row in &rows {
            let wins = wins_heaps(&digits, &[row.n as usize], &mut known);
            let found = row.misere.as_deref();
            assert_eq!(found, Some(letter(wins)), "0.{code} {}", row.n);
        }
        let table = printed(of_out(
            &here,
            &["table"],
            &here.path(&format!("heaps-{i}.toml")),
        ));
        assert!(table.contains(" 0 = N\n"), "{table}");

        let rest = format!(
            "ending = \"misere\"\n[family]\nsum = \"0.{code}(i) + 0.{code}(j)\"\ni = \"0..=7\"\nj = \"0..=7\""
        );
        let rows: Vec<SumRow> = here.plain_finished(&format!("sums-{i}"), "disjunctive", &rest);
        assert_eq!(rows.len(), 64);
        for row in &rows {
            let sizes = row
                .variables
                .iter()
                .map(|n| n.expect("two variables") as usize);
            let mut heaps: Vec<usize> = sizes.filter(|&heap| heap > 0).collect();
            heaps.sort_unstable();
            let wins = wins_heaps(&digits, &heaps, &mut known);
            let found = row.misere.as_deref();
            assert_eq!(
                (found, &row.genus),
                (Some(letter(wins)), &None),
                "{}",
                row.position
            );
        }
    }
}

#[test]
fn misere_play_is_refused_where_it_means_nothing() {
    let here = Workspace::new();
    for (rest, expected) in [
        (
            "[ruleset]\ngame = \"sowing\"\nplay = \"partisan\"\nending = \"misère\"\n[family]\nall = { pots_max = 2, seeds_max = 2 }\n",
            "accepted: normal, misere",
        ),
        (
            "[ruleset]\ngame = \"sowing\"\nplay = \"partisan\"\n[family]\nall = { pots_max = 2, seeds_max = 2 }\n[columns]\ngenus = true\n",
            "partisan positions have none",
        ),
        (
            "[ruleset]\ngame = \"sowing\"\nplay = \"impartial\"\nending = \"misere\"\n[family]\nall = { pots_max = 2, seeds_max = 2 }\n[table]\nlayout = \"first-by-value\"\n",
            "ending = \"normal\"",
        ),
        (
            "[ruleset]\ngame = \"sowing\"\nplay = \"impartial\"\nending = \"misere\"\n[family]\npattern = \"1^n\"\nn = \"1..=3\"\n[law]\n\"1^n\" = \"0\"\n",
            "a law is about values",
        ),
        (
            "[ruleset]\ngame = \"octal\"\ncode = \"0.77\"\nsum = \"obligated\"\nending = \"misere\"\n[family]\nheaps = \"0..=9\"\n",
            "under either ending; remove `ending`",
        ),
        (
            "[ruleset]\ngame = \"obligated\"\nending = \"misere\"\n[family]\nsum = \"kayles(3)\"\n",
            "under either ending; remove `ending`",
        ),
    ] {
        let spec = here.path("wrong.toml");
        fs::write(&spec, format!("name = \"wrong\"\n{rest}")).unwrap();
        let found = here.run(&spec, &[]);
        assert_eq!(found.status, Some(2), "{found:?}");
        assert!(found.stderr.contains(expected), "{}", found.stderr);
    }
    let found = ended(seedbank(&[
        "eval",
        "-g",
        "sowing",
        "-p",
        "partisan",
        "--misere",
        "312 + 1/2",
    ]));
    assert_eq!(found.status, Some(2), "{found:?}");
    assert!(found.stderr.contains("nim heap"), "{}", found.stderr);
    let found = ended(seedbank(&[
        "eval", "-g", "sowing", "-p", "partisan", "--genus", "312",
    ]));
    assert_eq!(found.status, Some(2), "{found:?}");
}
