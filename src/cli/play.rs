//! `seedbank play`: a game in the terminal against best play.
//!
//! Standard output has only plain lines, so that a screen reader and a script can follow: no colours, no cursor movement, each
//! question on a line of its own. Progress goes to standard error.

mod conversation;
mod lines;
mod thinking;

use std::path::PathBuf;

use clap::Args;
use seedbank::evaluate::{BoardSum, Evaluation, with_judge};
use seedbank::game::scored::{Scored, ScoredGame, ScoredVisitor};
use seedbank::game::{Game, GameKind, Manner, Play, Player, SumKind};
use seedbank::play::{MovesReferee, PotReferee, ScoreReferee, Setting, SumReferee};
use seedbank::run::{RunError, Session, Signals, Silent};
use seedbank::task::moves::with_moves;
use seedbank::task::scores::{ScoreEvaluation, with_scores};

pub(super) use self::conversation::COMMANDS;
use self::conversation::{Conversation, Talk};
use self::lines::Lines;
use self::thinking::{Evaluated, Thinking};
use super::arguments::Argument;
use super::error::ended_early;
use super::game_args::{GameArgs, OptionOf, convention};
use super::scores::{self, CaptureArgs};
use super::{CliError, Exit, ResourceArgs, sums};

#[derive(Debug, Args)]
pub(super) struct PlayArgs {
    #[command(flatten)]
    of: GameArgs,
    #[command(flatten)]
    capture: CaptureArgs,
    /// The position to begin with, such as 312, '312 + *2', b br, 11/11, 'kayles(5) + nim(3)' or '3 3 / 3 3', or a name in a file of moves
    #[arg(value_name = "POSITION")]
    position: String,
    /// Who you are: left or right in partisan play [default: left], else first or second [default: first]
    #[arg(long = "as", value_name = "PLAYER", value_enum)]
    seat: Option<SeatArg>,
    /// Who moves first in partisan play: left or right [default: left]
    #[arg(long, value_name = "PLAYER", value_enum)]
    first: Option<SideArg>,
    /// Let the player lose who makes the last move
    #[arg(long)]
    misere: bool,
    /// Show the values of positions and moves from the beginning
    #[arg(long)]
    values: bool,
    /// Write a transcript to this file, as a JSON object, when the game ends
    #[arg(long, value_name = "FILE")]
    transcript: Option<PathBuf>,
    #[command(flatten)]
    resources: ResourceArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum SeatArg {
    Left,
    Right,
    First,
    Second,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum SideArg {
    Left,
    Right,
}

/// The person's player, who moves first, and the names of the players.
struct Seats {
    person: Player,
    first: Player,
    names: [&'static str; 2],
}

impl PlayArgs {
    fn seats(&self, is_partisan: bool) -> Result<Seats, CliError> {
        let person = match (self.seat, is_partisan) {
            (None, _) | (Some(SeatArg::Left), true) | (Some(SeatArg::First), false) => Player::Left,
            (Some(SeatArg::Right), true) | (Some(SeatArg::Second), false) => Player::Right,
            (Some(_), true) => {
                return Err(CliError::usage(
                    "--as: in partisan play you are left or right; --first left or --first right says who moves first",
                ));
            }
            (Some(_), false) => {
                return Err(CliError::usage(
                    "--as: both players have the same moves; you are first or second",
                ));
            }
        };
        let first = match (self.first, is_partisan) {
            (None | Some(SideArg::Left), true) | (None, false) => Player::Left,
            (Some(SideArg::Right), true) => Player::Right,
            (Some(_), false) => {
                return Err(CliError::usage(
                    "--first is for partisan play; leave it out, and say with --as first or --as second who you are",
                ));
            }
        };
        Ok(Seats {
            person,
            first,
            names: if is_partisan {
                ["Left", "Right"]
            } else {
                ["First", "Second"]
            },
        })
    }

    /// Refuses options of games of other kinds.
    fn refuse_unused(&self, kind: GameKind) -> Result<(), CliError> {
        let misere = ("--misere", self.misere, OptionOf::Misere);
        let options = [self.capture.option(), misere].into_iter();
        let options = options.chain(self.of.options());
        OptionOf::unused(options, kind).map_or(Ok(()), |(name, _)| {
            Err(CliError::usage(format!(
                "{name} is not for this game; leave it out"
            )))
        })
    }

    /// Who wins, in words.
    fn notes(&self) -> &'static [&'static str] {
        if self.misere {
            &["Who makes the last move loses."]
        } else {
            &["Who cannot move loses."]
        }
    }

    fn talk(&self, setting: Setting, title: String, notes: &'static [&'static str]) -> Talk<'_> {
        Talk {
            setting,
            title,
            notes,
            values: self.values,
            transcript: self.transcript.as_deref(),
        }
    }
}

fn setting(game: &str, seats: &Seats) -> Setting {
    Setting {
        game: game.to_owned(),
        play: None,
        pots: None,
        rules: None,
        ending: Some("normal".to_owned()),
        names: seats.names.map(str::to_owned),
    }
}

pub(super) fn run(args: &PlayArgs) -> Result<Exit, CliError> {
    let kind = args.of.kind()?;
    let refuse_unused = || args.refuse_unused(kind);
    match kind {
        GameKind::Pots(game) => {
            refuse_unused()?;
            let game = args.of.game(game)?;
            pots(args, game, args.of.manner(game, args.misere)?)
        }
        GameKind::Sum(added) => {
            refuse_unused()?;
            heaps(args, added)
        }
        GameKind::Scored(game) => {
            refuse_unused()?;
            scored(args, args.capture.game(game, args.of.rules())?)
        }
        GameKind::Heaps(_) => Err(CliError::usage(
            "--game: heaps are played as components of a sum, for example --game disjunctive '0.77(5)'",
        )),
        GameKind::TchukaRuma => Err(CliError::usage(
            "--game: tchuka-ruma is a game for one player; \"seedbank eval\" finds its winning plays",
        )),
        GameKind::Moves => {
            refuse_unused()?;
            moves(args)
        }
        GameKind::Tchoukaillon | GameKind::SowingGraph => {
            unreachable!("these games have commands of their own")
        }
    }
}

/// Returns the exit status after the conversation or an error.
fn ended(
    ended: Result<Result<Exit, CliError>, RunError>,
    signals: &Signals,
) -> Result<Exit, CliError> {
    ended.unwrap_or_else(|error| ended_early(error, signals))
}

fn pots(args: &PlayArgs, game: Game, manner: Manner) -> Result<Exit, CliError> {
    let play = manner.play;
    let argument = Argument::alone(&args.position);
    let sum = BoardSum::read(&args.position, game.shape());
    let sum = sum.map_err(|error| argument.fault(error))?;
    let seats = args.seats(play == Play::Partisan)?;
    let evaluation = Evaluation::of(game, manner);
    let setting = Setting {
        play: Some(play.name().to_owned()),
        pots: game.board_pots(),
        rules: game.rules().map(|rules| rules.to_string()),
        ending: Some(manner.convention.to_string()),
        ..setting(game.name(), &seats)
    };
    let rules = game.rules();
    let rules = rules.map_or_else(String::new, |rules| format!(" by {rules}"));
    let title = match game.board_pots() {
        Some(pots) => format!("{game}{rules}, {play}, on a board of {pots} pots"),
        None => format!("{game}{rules}, {play}"),
    };
    let talk = args.talk(setting, title, args.notes());
    let signals = super::listen()?;
    let mut lines = Lines::of_input(&signals);
    let evaluated = Evaluated::default();
    let session = Session::new(args.resources.limits(), &signals, &evaluated);
    let found = with_judge(&evaluation, &session, 1, |judge| {
        let referee = Thinking::new(PotReferee::new(judge), Some(evaluated.clone()));
        let begun = Conversation::begin(referee, sum, seats.first, seats.person, talk)?;
        begun.hold(&mut lines)
    });
    ended(found, &signals)
}

fn moves(args: &PlayArgs) -> Result<Exit, CliError> {
    let (file, play) = (args.of.moves()?, args.of.any_play()?);
    let manner = Manner::of(play, convention(args.misere));
    let seats = args.seats(play == Play::Partisan)?;
    let setting = Setting {
        play: Some(play.name().to_owned()),
        ending: Some(manner.convention.to_string()),
        ..setting("moves", &seats)
    };
    let title = format!("{}, {play}", file.path.display());
    let talk = args.talk(setting, title, args.notes());
    let signals = super::listen()?;
    let mut lines = Lines::of_input(&signals);
    let session = Session::new(args.resources.limits(), &signals, &Silent);
    let found = with_moves(&file, manner, &args.position, &session, |finder| {
        let referee = MovesReferee::new(finder);
        let first = referee.first();
        let referee = Thinking::new(referee, None);
        let begun = Conversation::begin(referee, first, seats.first, seats.person, talk)?;
        begun.hold(&mut lines)
    });
    ended(found, &signals)
}

fn heaps(args: &PlayArgs, added: SumKind) -> Result<Exit, CliError> {
    let rule = convention(args.misere);
    let sum = sums::read(&Argument::alone(&args.position), added)?;
    let seats = args.seats(false)?;
    let setting = Setting {
        ending: Some(rule.to_string()),
        ..setting(added.name(), &seats)
    };
    let talk = args.talk(setting, format!("{added} sum"), args.notes());
    let signals = super::listen()?;
    let mut lines = Lines::of_input(&signals);
    let referee = SumReferee {
        added,
        rule,
        limits: args.resources.limits(),
        signals: &signals,
    };
    let referee = Thinking::new(referee, None);
    let begun = Conversation::begin(referee, sum, seats.first, seats.person, talk);
    ended(begun.and_then(|begun| begun.hold(&mut lines)), &signals)
}

fn scored(args: &PlayArgs, game: ScoredGame) -> Result<Exit, CliError> {
    struct CanRecur;

    impl ScoredVisitor for CanRecur {
        type Output = bool;

        fn visit<G: Scored>(self, _: G) -> bool {
            G::IS_LOOPY
        }
    }

    let position = scores::read(&Argument::alone(&args.position), game)?;
    let seats = args.seats(false)?;
    let name = match game {
        ScoredGame::Kalah(_) => "kalah",
        ScoredGame::Wari(_) => "wari",
    };
    let rules = game.rules();
    let setting = Setting {
        rules: Some(rules.to_owned()),
        ending: None,
        ..setting(name, &seats)
    };
    let notes = &[
        "Who wins more seeds wins. A position shows the pits of the player to move, then those of the opponent, both in the \
         order of sowing.",
    ];
    let talk = args.talk(setting, format!("{name} by the rules {rules}"), notes);
    let evaluation = ScoreEvaluation {
        game,
        positions: vec![position],
        moves: true,
    };
    let signals = super::listen()?;
    let mut lines = Lines::of_input(&signals);
    let session = Session::new(args.resources.limits(), &signals, &Silent);
    let found = with_scores(&evaluation, &session, |finder| {
        let referee = ScoreReferee::new(finder, game.visit(CanRecur));
        let referee = Thinking::new(referee, None);
        let begun = Conversation::begin(referee, position, seats.first, seats.person, talk)?;
        begun.hold(&mut lines)
    });
    ended(found, &signals)
}
