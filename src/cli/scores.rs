//! Positions of scored games as arguments of `seedbank eval`: margins, moves and lines of best
//! play.

use std::fmt;

use clap::Args;
use seedbank::board::two_rows::TwoRows;
use seedbank::game::scored::ScoredGame;
use seedbank::run::Session;
use seedbank::task::scores::{
    ScoreEvaluation, ScoreMove, ScorePosition, SequenceCount, count_sequences, evaluate_scores,
    seeds_limit,
};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::arguments::{Argument, Faults};
use super::game_args::{OptionGiven, OptionOf, names_of_rules};
use super::names::named;
use super::output::{Format, as_text, emit};
use super::progress::Display;
use super::{CliError, Exit, ResourceArgs};

/// The rules of kalah; those of wari are an option of all games.
#[derive(Debug, Args)]
pub(super) struct CaptureArgs {
    /// The rules of kalah: whether the last seed captures opposite an empty pit, too (empty), or
    /// not (standard) [default: empty]
    #[arg(long, value_name = "RULES", value_parser = named::<String>(names_of_rules("capture")), hide_possible_values = true)]
    capture: Option<String>,
}

/// The options of scored games.
#[derive(Debug, Args)]
pub(super) struct ScoreArgs {
    #[command(flatten)]
    of: CaptureArgs,
    /// With scored games, count the sequences of 1 to N moves instead
    #[arg(long, value_name = "N")]
    perft: Option<u32>,
}

impl ScoreArgs {
    /// Returns the options.
    pub(super) fn options(&self) -> impl Iterator<Item = OptionGiven> {
        let perft = ("--perft", self.perft.is_some(), OptionOf::Scored);
        [self.of.option(), perft].into_iter()
    }
}

impl CaptureArgs {
    /// Returns the option.
    pub(super) fn option(&self) -> OptionGiven {
        ("--capture", self.capture.is_some(), OptionOf::Scored)
    }

    /// Returns the game by the rules that were given, here or by `--rules`.
    pub(super) fn game(
        &self,
        game: ScoredGame,
        rules: Option<&str>,
    ) -> Result<ScoredGame, CliError> {
        let mut found = game;
        for (key, given) in [("capture", self.capture.as_deref()), ("rules", rules)] {
            let Some(name) = given else { continue };
            if key != game.key() {
                return Err(CliError::usage(format!(
                    "--{key}: this game has none; leave it out, or give --{}",
                    game.key()
                )));
            }
            let rules = game.with_rules(name);
            found = rules.map_err(|error| CliError::usage(format!("--{key}: {error}")))?;
        }
        Ok(found)
    }
}

/// Evaluates positions and prints each with its margin; `moves` adds its moves and a line of best
/// play.
pub(super) fn run(
    game: ScoredGame,
    rules: Option<&str>,
    args: &ScoreArgs,
    given: &[Argument],
    moves: bool,
    resources: &ResourceArgs,
    json: Format,
) -> Result<Exit, CliError> {
    let game = args.of.game(game, rules)?;
    let mut faults = Faults::default();
    let positions = given.iter().map(|argument| read(argument, game));
    let positions: Vec<TwoRows> = positions
        .filter_map(|position| faults.reported(position))
        .collect();
    let signals = super::listen()?;
    let display = Display::new();
    let session = Session::new(resources.limits(), &signals, &display);
    if let Some(depth) = args.perft {
        let count = SequenceCount {
            game,
            positions,
            depth,
        };
        let each = |position: &TwoRows, counts: Option<Vec<u64>>| {
            let perft = counts.ok_or_else(|| {
                CliError::usage(format!(
                    "--perft {depth}: 2^64 sequences or more from {position}; give fewer moves"
                ))
            });
            if let Some(perft) = faults.reported(perft) {
                let (position, rules) = (*position, game.rules());
                emit(
                    json,
                    &Sequences {
                        perft,
                        position,
                        rules,
                    },
                );
            }
        };
        let counted = count_sequences(&count, &session, each);
        return faults.ended(counted, &signals);
    }
    let evaluation = ScoreEvaluation {
        game,
        positions,
        moves,
    };
    let each = |place: usize, found: ScorePosition| {
        let position = &evaluation.positions[place];
        emit(
            json,
            &Answer {
                game,
                position,
                found,
                moves,
            },
        );
    };
    faults.ended(evaluate_scores(&evaluation, &session, each), &signals)
}

/// Reads a position of a game.
pub(super) fn read(argument: &Argument, game: ScoredGame) -> Result<TwoRows, CliError> {
    let most = seeds_limit(game);
    let position = argument.text.parse::<TwoRows>();
    let position = position.map_err(|error| argument.fault(&error))?;
    match position.seeds() {
        seeds if seeds <= most => Ok(position),
        seeds => Err(argument.fault(format_args!(
            "{seeds} seeds; a position by these rules has at most {most}"
        ))),
    }
}

/// A position with its margin, and with its moves and a line of best play if they were requested.
struct Answer<'a> {
    game: ScoredGame,
    position: &'a TwoRows,
    found: ScorePosition,
    moves: bool,
}

impl fmt::Display for Answer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = &self.found;
        write!(f, "{} = {}", self.position, found.margin)?;
        for ScoreMove { option, margin } in &found.moves {
            let is_best = *margin == found.margin;
            let best = if is_best { ", best" } else { "" };
            let again = if option.moves_again {
                " and moves again"
            } else {
                ""
            };
            let (pit, gain, after) = (pit(option.pit), option.gain, option.position);
            write!(f, "\n  {pit}: {margin}{best}; wins {gain}{again}, {after}")?;
        }
        if found.line.is_empty() {
            return Ok(());
        }
        write!(f, "\n  best play:")?;
        for ScoreMove { option, .. } in &found.line {
            let again = if option.moves_again { "+" } else { "" };
            write!(f, " {}{again}", pit(option.pit))?;
        }
        Ok(())
    }
}

/// Returns the name of a move: its pit, counted from 1.
fn pit(pit: Option<u8>) -> String {
    pit.map_or_else(|| "pass".to_owned(), |pit| (pit + 1).to_string())
}

impl Serialize for Answer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = json!({
            "rules": self.game.rules(),
            "position": self.position.to_string(),
            "seeds": self.position.seeds(),
            "margin": self.found.margin,
        });
        if self.moves {
            let moves = |moves: &[ScoreMove]| -> Value { moves.iter().map(move_object).collect() };
            object["moves"] = moves(&self.found.moves);
            object["line"] = moves(&self.found.line);
        }
        object.serialize(serializer)
    }
}

fn move_object(found: &ScoreMove) -> Value {
    let option = &found.option;
    json!({
        "pit": option.pit.map(|pit| pit + 1),
        "gain": option.gain,
        "moves_again": option.moves_again,
        "position": option.position.to_string(),
        "margin": found.margin,
    })
}

/// The numbers of sequences of moves from a position, by their length.
#[derive(Serialize)]
struct Sequences {
    perft: Vec<u64>,
    #[serde(serialize_with = "as_text")]
    position: TwoRows,
    rules: &'static str,
}

impl fmt::Display for Sequences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts: Vec<String> = self.perft.iter().map(u64::to_string).collect();
        write!(f, "{}: {}", self.position, counts.join(" "))
    }
}
