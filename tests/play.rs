//! `seedbank play`: games as a script plays them, every line of a person against the program, and transcripts.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use bytesize::ByteSize;
use seedbank::board::AnyBoard;
use seedbank::board::two_rows::TwoRows;
use seedbank::engine::Ending;
use seedbank::evaluate::{BoardSum, Evaluation, with_judge};
use seedbank::game::scored::{Capture, Kalah, Scored, ScoredGame, Wari};
use seedbank::game::{Convention, Game, Play, Player, SumKind};
use seedbank::play::{
    Conclusion, Contest, PotReferee, Referee, ScoreReferee, SumReferee, Transcript, Worth,
};
use seedbank::run::{Limits, RunError, Signals};
use seedbank::task::scores::with_scores;

use crate::common::evaluations::{score_evaluation, session};
use crate::common::rows::small_rows;
use crate::common::workspace::{
    Ended, Workspace, ended, heeding_signals, seedbank, signal, started, wait,
};

/// Returns the command that plays from a position; the options are words without blanks.
fn playing(options: &str, position: &str) -> Command {
    let mut command = seedbank(&["play"]);
    command.args(options.split(' ')).arg(position);
    command
}

/// Plays with these lines as input.
fn play(options: &str, position: &str, lines: &str) -> Ended {
    let mut command = playing(options, position);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command starts");
    let mut input = child.stdin.take().expect("it is piped");
    // A game that is over reads no more.
    let _ = input.write_all(lines.as_bytes());
    drop(input);
    wait(child)
}

fn printed(options: &str, position: &str, lines: &str) -> String {
    let ended = play(options, position, lines);
    assert_eq!(
        (ended.status, ended.stderr.as_str()),
        (Some(0), ""),
        "{ended:?}"
    );
    ended.stdout
}

const SOWING: &str = "--game sowing --play partisan";
const IMPARTIAL: &str = "--game sowing --play impartial";

#[test]
fn a_game_of_sowing_is_played_line_by_line() {
    let found = printed(
        SOWING,
        "2111",
        "hint\nvalue\npot 3\nundo\nvalue\n2021\nquit\n",
    );
    let expected = "\
sowing, partisan. You are Left, seedbank is Right, and Left moves first.
Who cannot move loses.
Type the number of a move, or help for what else can be typed.
Position: 2111
Moves of Left:
  1: pot 1 to 3 -> 0221
  2: pot 2 to 3 -> 2021
  3: pot 3 to 4 -> 2102
Your move?
Hint: 3: pot 3 to 4 -> 2102; it wins.
Your move?
Values are shown.
Value: 1/2; with best play: win for Left
";
    assert!(found.starts_with(expected), "{found}");
    assert!(found.contains("  1: pot 1 to 3 -> 0221 = "), "{found}");
    assert!(
        found.contains("You (Left): pot 3 to 4 -> 2102\n"),
        "{found}"
    );
    assert!(found.contains(" taken back.\n"), "{found}");
    assert!(found.contains("Values are hidden.\n"), "{found}");
    assert!(
        found.contains("You (Left): pot 2 to 3 -> 2021\nseedbank (Right): "),
        "{found}"
    );
    assert!(found.is_ascii() && !found.contains('\u{1b}'), "{found}");
}

#[test]
fn a_won_game_ends_with_what_was_played() {
    let found = printed(SOWING, "312", "1\n");
    let expected = "\
sowing, partisan. You are Left, seedbank is Right, and Left moves first.
Who cannot move loses.
Type the number of a move, or help for what else can be typed.
Position: 312
Moves of Left:
  1: pot 2 to 3 -> 303
Your move?
You (Left): pot 2 to 3 -> 303
Position: 303
Right has no move left.
You win.
What was played:
  1. Left: pot 2 to 3 -> 303
";
    assert_eq!(found, expected);
    // Right has two winning moves; the program takes the one that is best.
    let found = printed(&format!("{SOWING} --first right"), "312", "");
    let expected = "\
sowing, partisan. You are Left, seedbank is Right, and Right moves first.
Who cannot move loses.
Type the number of a move, or help for what else can be typed.
seedbank (Right): pot 2 to 1 -> 402
Position: 402
Left has no move left.
seedbank wins.
What was played:
  1. Right: pot 2 to 1 -> 402
";
    assert_eq!(found, expected);
}

#[test]
fn other_games_are_played_alike() {
    let sum = printed(
        "--game disjunctive --values",
        "nim(1) + nim(2)",
        "nim(2)\n2\n1\n1\n1\n",
    );
    assert!(
        sum.starts_with(
            "disjunctive sum. You are First, seedbank is Second, and First moves first.\n"
        ),
        "{sum}"
    );
    assert!(
        sum.contains("Value: *3; with best play: win for First\n"),
        "{sum}"
    );
    assert!(sum.contains("\"nim(2)\" could be the moves "), "{sum}");
    assert!(
        sum.contains("nim(2) -> nim(1) -> nim(1) + nim(1) = 0, wins\n"),
        "{sum}"
    );
    let misere = printed("--game obligated --misere", "nim(1)", "1\n");
    assert!(
        misere.contains("Second has no move left.\nseedbank wins.\n"),
        "{misere}"
    );
    let kalah = printed("--game kalah", "1 1 / 1 1", "hint\nresign\n");
    assert!(kalah.starts_with("kalah by the rules "), "{kalah}");
    assert!(kalah.contains("Won so far: you 0, seedbank 0\n"), "{kalah}");
    assert!(kalah.contains("Hint: "), "{kalah}");
    assert!(kalah.ends_with("You resign. seedbank wins.\n"), "{kalah}");
    let wari = printed("--game wari --rules awari", "0 0 3 / 0 2 2", "pit 3\n");
    assert!(
        wari.contains("You (First): pit 3, wins 6 -> 1 0 0 / 0 0 0\n"),
        "{wari}"
    );
    let grid = printed(
        "--game grid-sowing --play partisan --as right",
        "11/11",
        "1\n",
    );
    assert!(
        grid.contains("seedbank (Left): pot 1,1 to 2,1 -> 01/01\n"),
        "{grid}"
    );
    let coloured = printed("--game coloured-sowing --play partisan", "b br", "0 2b\n");
    assert!(
        coloured.contains("You (Left): pot 1 to 2 -> 0 2b\n"),
        "{coloured}"
    );
    let board = printed(
        "--game atomic-wari --play impartial --pots 3 --as second",
        "312",
        "",
    );
    assert!(
        board.contains("atomic-wari, impartial, on a board of 3 pots."),
        "{board}"
    );
    let mixed = printed(SOWING, "312 + {1|0}", "{1|0}\n");
    assert!(
        mixed.contains("You (Left): {1|0}, to value(1) -> 312 + value(1)\n"),
        "{mixed}"
    );
}

#[test]
fn what_is_no_move_is_answered_and_the_end_of_the_input_ends_the_game() {
    let found = printed(SOWING, "2111", "7\nhelp\npot\n\nundo\n");
    assert!(
        found.contains("\"7\" is no move and no command. Type help for what can be typed.\n"),
        "{found}"
    );
    assert!(
        found.contains("  undo       take back your last move and the answer to it\n"),
        "{found}"
    );
    assert!(
        found.contains("\"pot\" could be the moves 1, 2, 3; type the number of one."),
        "{found}"
    );
    assert!(
        found.contains("There is no move of yours to take back.\n"),
        "{found}"
    );
    assert!(
        found.ends_with("Your move?\nThe game is unfinished.\n"),
        "{found}"
    );
    let refused = |options: &str, position: &str, words: &str| {
        let ended = play(options, position, "");
        assert_eq!(
            (ended.status, ended.stdout.as_str()),
            (Some(2), ""),
            "{ended:?}"
        );
        assert!(ended.stderr.contains(words), "{ended:?}");
    };
    let with = |options: &str, more: &str| format!("{options} {more}");
    refused(&with(SOWING, "--as first"), "312", "you are left or right");
    refused(
        &with(IMPARTIAL, "--as left"),
        "312",
        "you are first or second",
    );
    let first = with(IMPARTIAL, "--first left");
    refused(&first, "312", "--first is for partisan play");
    refused(
        "--game kalah --misere",
        "3 3 / 3 3",
        "--misere is not for this game",
    );
    let long = "kayles(60) + nim(2)";
    refused(
        "--game disjunctive --misere",
        long,
        "not found by a million moves",
    );
    let sum = "--game disjunctive --play impartial";
    refused(sum, "nim(1)", "--play is not for this game");
    let heap = "heaps are played as components of a sum";
    refused("--game octal", "5", heap);
    refused("--game tchuka-ruma", "2 2", "a game for one player");
    refused(SOWING, "31x", "has a variable");
}

#[test]
fn ctrl_c_ends_the_game_at_a_question() {
    let here = Workspace::new();
    let file = here.path("game.json");
    let mut command = playing(SOWING, "2111");
    command.arg("--transcript").arg(&file);
    heeding_signals(&mut command)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let _input = child.stdin.take();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let asked = lines.by_ref().any(|line| line.unwrap() == "Your move?");
    assert!(asked);
    signal(&child, "INT");
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{rest:?}");
    assert_eq!(rest[0], "The game is unfinished.");
    let transcript: Transcript = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    assert_eq!(transcript.result, "unfinished");
}

/// Both games think until they are killed about their first position.
#[cfg(debug_assertions)]
#[test]
fn without_a_terminal_a_line_says_that_the_program_thinks_unless_it_is_quiet() {
    let here = Workspace::new();
    let begin = |more: &str| {
        let options = format!("{SOWING} --threads 1{more}");
        started(here.held(playing(&options, "1111111111111112"), 1))
    };
    let (mut quiet, mut shown) = (begin(" --quiet"), begin(""));
    let mut said = BufReader::new(shown.stderr.take().unwrap()).lines();
    let line = said.next().unwrap().unwrap();
    assert!(line.contains("play: searching, "), "{line}");
    assert!(line.contains(" positions/s, "), "{line}");
    // The quiet game was begun first, so its line would have come by now or soon.
    std::thread::sleep(std::time::Duration::from_millis(500));
    for game in [&mut quiet, &mut shown] {
        game.kill().unwrap();
    }
    shown.wait().unwrap();
    let quiet = wait(quiet);
    assert_eq!((quiet.stdout.as_str(), quiet.stderr.as_str()), ("", ""));
}

/// Plays all lines of the person, from the present position on, and returns how many there are. Where the person has lost
/// already against best play, the program must win, and never less than a position is worth.
pub(crate) fn all_lines<R: Referee>(
    contest: &mut Contest<R>,
    worth_to_program: Option<Worth>,
) -> u64 {
    let program = contest.person().opponent();
    let mut bound = worth_to_program;
    while contest.conclusion().is_none() && contest.mover() == program {
        if bound.is_none() {
            bound = Some(contest.study().worth);
        }
        let chosen = contest.chosen().unwrap();
        contest.play(chosen).unwrap();
    }
    if let Some(conclusion) = contest.conclusion() {
        let won = conclusion == Conclusion::Won(program);
        match bound {
            Some(worth) if worth.is_won() => assert!(won, "{:?}", contest.plies()),
            Some(Worth::Ending(Ending::Draw)) => {
                assert_ne!(
                    conclusion,
                    Conclusion::Won(contest.person()),
                    "{:?}",
                    contest.plies()
                );
            }
            _ => {}
        }
        return 1;
    }
    let study = contest.study();
    // What the person is worth bounds what the program gets.
    if let Worth::Ending(ending) = study.worth {
        let own = match ending {
            Ending::Win => Ending::Loss,
            Ending::Draw => Ending::Draw,
            Ending::Loss => Ending::Win,
        };
        let own = Worth::Ending(own);
        assert!(
            bound.is_none_or(|bound| own.rank() >= bound.rank()),
            "{:?}",
            contest.plies()
        );
        bound = Some(own);
    }
    let mut lines = 0;
    for place in 0..contest.study().choices.len() {
        contest.play(place).unwrap();
        lines += all_lines(contest, bound);
        contest.undo();
    }
    lines
}

fn pots(game: Game, play: Play, texts: &[String]) -> u64 {
    let evaluation = Evaluation::of(game, play);
    let lines = with_judge(&evaluation, &session(1, ByteSize::gib(4)), 0, |judge| {
        let mut lines = 0;
        for text in texts {
            let sum = BoardSum::read(text, game.shape()).unwrap();
            for (first, person) in [
                (Player::Left, Player::Left),
                (Player::Left, Player::Right),
                (Player::Right, Player::Left),
                (Player::Right, Player::Right),
            ] {
                if play == Play::Impartial && first == Player::Right {
                    continue;
                }
                let referee = PotReferee::new(judge);
                let mut contest = Contest::new(referee, sum.clone(), first, person)?;
                lines += all_lines(&mut contest, None);
            }
        }
        Ok(lines)
    });
    lines.unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn the_program_wins_what_it_can_win_against_every_line() {
    let rows = |pots_max, seeds_max| -> Vec<String> {
        let rows = small_rows(pots_max, seeds_max, false);
        rows.iter().map(ToString::to_string).collect()
    };
    for (game, pots_max, seeds_max) in [(Game::SOWING, 5, 6), (Game::ATOMIC_WARI, 4, 5)] {
        for play in Play::ALL {
            // Each row is played by each player, and in partisan play with each to move first.
            let rows = rows(pots_max, seeds_max);
            let lines = pots(game, play, &rows);
            let games = rows.len() as u64 * if play == Play::Partisan { 4 } else { 2 };
            assert!(
                lines > games,
                "{game} {play}: {lines} lines of {games} games"
            );
        }
    }
    let grids = ["11/11", "111/111", "12/11", "111/101"].map(str::to_owned);
    assert!(pots(Game::GRID_SOWING, Play::Partisan, &grids) > 20);
    assert!(pots(Game::GRID_SOWING, Play::Impartial, &grids) > 20);
    let sums = [
        "312 + 2111",
        "11 + {1|0}",
        "312 + *2 + {1|0}",
        "21 + 12 + ^",
    ]
    .map(str::to_owned);
    assert!(pots(Game::SOWING, Play::Partisan, &sums) > 4 * 4);
}

#[test]
fn the_program_wins_sums_of_heaps_against_every_line() {
    let signals = Signals::default();
    for (added, rule) in [
        (SumKind::Disjunctive, Convention::Normal),
        (SumKind::Obligated, Convention::Normal),
        (SumKind::Obligated, Convention::Misere),
    ] {
        for text in [
            "nim(1) + nim(2)",
            "kayles(3) + nim(1)",
            "wythoff(1,2) + nim(1)",
        ] {
            for person in Player::BOTH {
                let referee = SumReferee {
                    added,
                    rule,
                    limits: Limits::new(1, ByteSize::gib(1)),
                    signals: &signals,
                };
                let sum = text.parse().unwrap();
                let mut contest = Contest::new(referee, sum, Player::Left, person).unwrap();
                assert!(all_lines(&mut contest, None) > 0);
            }
        }
    }
}

/// Plays all lines of the person in a scored game; the program gets at least the margin that it has at first.
fn scored_lines<R: Referee>(contest: &mut Contest<R>, least: i32) -> u64 {
    let program = contest.person().opponent();
    while contest.conclusion().is_none() && contest.mover() == program {
        let chosen = contest.chosen().unwrap();
        contest.play(chosen).unwrap();
    }
    if contest.conclusion().is_some() {
        let margin = contest.margin().unwrap();
        let of_program = if program == Player::Left {
            margin
        } else {
            -margin
        };
        assert!(
            of_program >= least,
            "{of_program} < {least}: {:?}",
            contest.plies()
        );
        return 1;
    }
    let mut lines = 0;
    for place in 0..contest.study().choices.len() {
        contest.play(place).unwrap();
        lines += scored_lines(contest, least);
        contest.undo();
    }
    lines
}

#[test]
fn the_program_gets_its_margin_in_kalah_against_every_line() {
    let game = ScoredGame::Kalah(Kalah {
        capture: Capture::Empty,
    });
    let mut lines = 0;
    for text in ["2 2 / 2 2", "1 1 1 / 1 1 1", "3 1 / 0 2", "2 2 2 / 2 2 2"] {
        let position: TwoRows = text.parse().unwrap();
        let evaluation = score_evaluation(game, position);
        let played = with_scores(&evaluation, &session(1, ByteSize::gib(1)), |finder| {
            let (margin, _) = finder.find(&position)?;
            for person in Player::BOTH {
                let referee = ScoreReferee::new(finder, false);
                let mut contest = Contest::new(referee, position, Player::Left, person)?;
                let least = if person == Player::Left {
                    -margin
                } else {
                    margin
                };
                lines += scored_lines(&mut contest, least);
            }
            Ok(())
        });
        played.unwrap_or_else(|error| panic!("{error}"));
    }
    assert!(lines > 30, "{lines}");
}

#[test]
fn a_game_of_awari_that_goes_round_ends_the_third_time() {
    // One seed each, which go round and round.
    let game = ScoredGame::Wari(Wari::AWARI);
    let position: TwoRows = "0 0 1 / 1 0 0".parse().unwrap();
    let evaluation = score_evaluation(game, position);
    let plies = with_scores(&evaluation, &session(1, ByteSize::gib(1)), |finder| {
        let referee = ScoreReferee::new(finder, true);
        let mut contest = Contest::new(referee, position, Player::Left, Player::Left)?;
        while contest.conclusion().is_none() && contest.plies().len() < 200 {
            let chosen = contest.chosen()?;
            contest.play(chosen)?;
        }
        assert!(contest.conclusion().is_some(), "{:?}", contest.plies());
        Ok(contest.plies().len())
    });
    assert!(plies.unwrap() > 0);
}

/// Returns the transcript of a game.
fn transcript(options: &str, position: &str, lines: &str) -> Transcript {
    let here = Workspace::new();
    let file = here.path("game.json");
    let text = file.to_str().unwrap();
    let options = format!("{options} --transcript {text}");
    let found = printed(&options, position, lines);
    assert!(found.ends_with(&format!("Transcript: {text}\n")), "{found}");
    let left: Vec<_> = std::fs::read_dir(file.parent().unwrap()).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
    serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap()
}

#[test]
fn transcripts_replay_by_literal_play() {
    for (text, lines) in [("2111", "1\nhint\n"), ("11111", "2\n1\nundo\n")] {
        let lines = format!("{lines}{}", "1\n".repeat(20));
        let found = transcript(SOWING, text, &lines);
        assert_eq!(
            (found.position.as_str(), found.person.as_str()),
            (text, "Left")
        );
        assert!(
            ["won", "lost"].contains(&found.result.as_str()),
            "{found:?}"
        );
        let mut at = found.position.clone();
        for own in &found.moves {
            assert_eq!(own.before, at);
            let player = if own.player == "Left" {
                Player::Left
            } else {
                Player::Right
            };
            let board = AnyBoard::Row(own.before.parse().unwrap());
            let options = Game::SOWING.literal_options(&board, player);
            assert!(
                options.iter().any(|option| option.to_string() == own.after),
                "{own:?}"
            );
            at.clone_from(&own.after);
        }
        // The player to move in the last position has no move and has lost.
        let loser = if found.moves.len().is_multiple_of(2) {
            Player::Left
        } else {
            Player::Right
        };
        let last = AnyBoard::Row(at.parse().unwrap());
        assert!(Game::SOWING.literal_options(&last, loser).is_empty());
        assert_eq!(found.winner, Some(loser.opponent().to_string()));
    }
    let kalah = transcript("--game kalah", "2 2 / 2 2", &"1\n".repeat(20));
    let rules = Kalah {
        capture: Capture::Empty,
    };
    let mut at: TwoRows = kalah.position.parse().unwrap();
    for own in &kalah.moves {
        assert_eq!(own.before, at.to_string());
        let options = rules.literal_options(&at);
        let next = options
            .iter()
            .find(|option| option.position.to_string() == own.after);
        let next = next.unwrap_or_else(|| panic!("{own:?}"));
        assert_eq!(next.gain, own.gain);
        at = next.position;
    }
    assert!(rules.literal_options(&at).is_empty());
    assert_eq!(
        (kalah.setting.rules.as_deref(), kalah.setting.ending),
        (Some("empty"), None)
    );
    assert!(kalah.margin.is_some());
    let hinted = transcript(SOWING, "2111", "hint\nhint\n2\nquit\n");
    assert_eq!(
        (hinted.moves[0].hints, hinted.result.as_str()),
        (2, "unfinished")
    );
}

#[test]
fn a_transcript_that_cannot_be_written_is_a_failure() {
    let here = Workspace::new();
    let file = here.path("game.json");
    std::fs::create_dir(&file).unwrap();
    let mut command = playing(SOWING, "0");
    command.arg("--transcript").arg(&file);
    let ended = ended(command);
    assert_eq!(ended.status, Some(1), "{ended:?}");
    assert!(ended.stderr.contains("cannot be written"), "{ended:?}");
}

/// Plays random moves of the person to the end, and returns whether the program could win at some time. Then it must have won.
pub(crate) fn random_line<R: Referee>(
    mut contest: Contest<R>,
    random: &mut fastrand::Rng,
) -> Result<bool, RunError> {
    let person = contest.person();
    let mut must_win = false;
    while contest.conclusion().is_none() {
        assert!(contest.plies().len() < 1000, "{:?}", contest.plies());
        let place = if contest.mover() == person {
            must_win |= contest.study().worth == Worth::Ending(Ending::Loss);
            random.usize(..contest.study().choices.len())
        } else {
            must_win |= contest.study().worth.is_won();
            contest.chosen()?
        };
        contest.play(place)?;
    }
    let is_won = contest.conclusion() == Some(Conclusion::Won(person.opponent()));
    assert!(is_won || !must_win, "{:?}", contest.plies());
    Ok(must_win)
}

#[test]
fn the_program_wins_what_it_can_win_where_positions_recur() {
    let game = Game::REVERSE_ATOMIC_WARI;
    let evaluation = Evaluation::of(game, Play::Partisan);
    let mut random = fastrand::Rng::with_seed(35);
    let circle = ["143223", "432123", "321423", "324312", "313242", "342132"];
    let outcome = with_judge(&evaluation, &session(1, ByteSize::gib(4)), 0, |judge| {
        let mut won = 0;
        for text in circle.iter().cycle().take(120) {
            for person in Player::BOTH {
                let sum = BoardSum::read(text, game.shape()).unwrap();
                let referee = PotReferee::new(judge);
                let contest = Contest::new(referee, sum, Player::Left, person)?;
                won += usize::from(random_line(contest, &mut random)?);
            }
        }
        Ok(won)
    });
    let won = outcome.unwrap_or_else(|error| panic!("{error}"));
    assert!(won > 20, "{won}");
}
