//! Positions as arguments: a game, positions and patterns, and what their variables stand for.

use std::env;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use clap::{ArgAction, Args};

use super::CliError;
use super::arguments::{Argument, Faults, all_arguments};
use crate::board::row::Row;
use crate::family::{Family, Part, Pattern, Sweep, SweepError, Values, ValuesError};
use crate::game::heap::HeapRules;
use crate::game::{Game, GameEntry, GameKind, Play, SumKind, UnknownName, games};
use crate::report::instance_text;

/// The most positions that are evaluated without a job: their rows are held in memory, some 500
/// bytes each.
const POSITIONS_MAX: u64 = 1_000_000;

/// The most pots that these have in all, at 8 bytes each.
const POTS_MAX: u64 = 1 << 24;

/// Positions of a game.
#[derive(Debug, Args)]
pub(super) struct PositionArgs {
    #[arg(short, long, value_name = "GAME", value_parser = |name: &str| name.parse::<GameArg>(), help = help_of_game())]
    game: Option<GameArg>,
    /// How a game on rows is played: partisan or impartial [default: the environment's
    /// SEEDBANK_PLAY]
    #[arg(short, long, value_name = "PLAY", value_parser = |name: &str| name.parse::<Play>())]
    play: Option<Play>,
    /// The width of the board, for atomic-wari [default: the endless row]
    #[arg(long, value_name = "N")]
    pots: Option<u32>,
    /// Positions or patterns, such as 312, '1^11' or '...e 2^4 e...'; for eval also heaps such as
    /// 0..=9 or 0..=100/5 (every fifth), or sums such as 'wythoff(1,4) + kayles(5)'; - reads one a
    /// line from standard input
    #[arg(required = true, value_name = "POSITION")]
    positions: Vec<String>,
    /// What a variable of the patterns stands for, such as n=1..=9, n=1..=9/2 (every second) or n=[1,2,5]; may be repeated
    #[arg(long, value_name = "VAR=RANGE", action = ArgAction::Append, value_parser = binding)]
    set: Vec<(char, Values)>,
}

/// A position asked for: what it is called in the answer.
pub(super) struct Asked {
    /// The position as given, or the pattern with its variables replaced by numbers.
    pub(super) name: String,
    pub(super) pattern: Option<Arc<str>>,
    /// What the pattern's variables stand for.
    pub(super) variables: Vec<(String, Option<i64>)>,
}

/// A game that commands know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GameArg {
    /// A game on rows.
    Rows(Game),
    /// A game of heaps.
    Heaps(HeapRules),
    /// A sum of components, added in this way.
    Sum(SumKind),
}

impl GameArg {
    fn of(game: GameEntry) -> Option<GameArg> {
        match game.kind {
            GameKind::Rows(game) => Some(GameArg::Rows(game)),
            GameKind::Heaps(rules) => Some(GameArg::Heaps(rules)),
            GameKind::Sum(sum) => Some(GameArg::Sum(sum)),
            GameKind::Tchoukaillon | GameKind::SowingGraph => None,
        }
    }
}

impl FromStr for GameArg {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<GameArg, UnknownName> {
        let found = games().find(|game| game.name == name);
        found.and_then(GameArg::of).ok_or_else(|| {
            let accepted = games().filter(|&game| GameArg::of(game).is_some());
            let accepted: Vec<&str> = accepted.map(|game| game.name).collect();
            UnknownName {
                what: "game",
                found: name.to_owned(),
                accepted: accepted.join(", "),
            }
        })
    }
}

fn help_of_game() -> String {
    let others = games()
        .filter(|&game| matches!(GameArg::of(game), Some(arg) if !matches!(arg, GameArg::Rows(_))));
    let others: Vec<&str> = others.map(|game| game.name).collect();
    format!(
        "The game: {}; eval also takes {} [default: the environment's SEEDBANK_GAME]",
        Game::names(),
        others.join(", ")
    )
}

impl PositionArgs {
    /// Returns the option that is for positions on strips only, if one was given.
    pub(super) fn given_for_strips(&self) -> Option<&'static str> {
        let options = [
            ("--play", self.play.is_some()),
            ("--pots", self.pots.is_some()),
            ("--set", !self.set.is_empty()),
        ];
        options
            .iter()
            .find(|(_, given)| *given)
            .map(|&(name, _)| name)
    }

    /// Returns the way of playing.
    pub(super) fn play(&self) -> Result<Play, CliError> {
        or_environment(self.play, "SEEDBANK_PLAY")?.ok_or_else(|| {
            CliError::usage(
                "--play is missing; give --play partisan or --play impartial, or set SEEDBANK_PLAY",
            )
        })
    }

    /// Returns the game of any kind.
    pub(super) fn game_arg(&self) -> Result<GameArg, CliError> {
        or_environment(self.game, "SEEDBANK_GAME")?.ok_or_else(|| {
            CliError::usage(
                "--game is missing; give one, for example --game sowing, or set SEEDBANK_GAME",
            )
        })
    }

    /// Returns the game on rows, on the board asked for.
    pub(super) fn game(&self) -> Result<Game, CliError> {
        let GameArg::Rows(game) = self.game_arg()? else {
            return Err(CliError::usage(format!(
                "--game: games of heaps and sums have no positions on rows; accepted here: {}",
                Game::names()
            )));
        };
        match self.pots {
            None => Ok(game),
            Some(pots) => (game.on_board(pots))
                .map_err(|error| CliError::usage(format!("--pots {pots}: {error}"))),
        }
    }

    /// Returns the positions as given, including those from standard input.
    pub(super) fn given(&self) -> Result<Vec<Argument>, CliError> {
        all_arguments(&self.positions)
    }

    /// Returns the positions asked for, with patterns expanded, and their rows; reports faults.
    pub(super) fn expand(
        &self,
        game: Game,
        faults: &mut Faults,
    ) -> Result<(Vec<Asked>, Vec<Row>), CliError> {
        let given = self.given()?;
        check_bindings(&self.set, &given)?;
        let mut expanded = Expanded::default();
        for argument in &given {
            let (len, pots) = (expanded.rows.len(), expanded.pots);
            let added = expanded.add(argument, &self.set, game);
            if faults.reported(added).is_none() {
                expanded.asked.truncate(len);
                expanded.rows.truncate(len);
                expanded.pots = pots;
            }
        }
        Ok((expanded.asked, expanded.rows))
    }
}

/// Returns the value of an option or, if it was not given, of a variable of the environment. An
/// empty variable counts as unset.
fn or_environment<T: FromStr<Err: fmt::Display>>(
    given: Option<T>,
    variable: &str,
) -> Result<Option<T>, CliError> {
    let text = match (given, env::var_os(variable)) {
        (None, Some(text)) if !text.is_empty() => text,
        (given, _) => return Ok(given),
    };
    let parsed = text.to_string_lossy().parse();
    parsed
        .map(Some)
        .map_err(|error| CliError::usage(format!("{variable} in the environment: {error}")))
}

/// Refuses ranges that would be ignored: of a variable bound before, or that no pattern has.
fn check_bindings(bindings: &[(char, Values)], given: &[Argument]) -> Result<(), CliError> {
    for (place, (name, _)) in bindings.iter().enumerate() {
        if bindings[..place].iter().any(|(other, _)| other == name) {
            return Err(CliError::usage(format!(
                "--set {name}: the variable {name} has a range already; give one for each"
            )));
        }
        // What is no pattern is told with its place when it is expanded.
        let mut patterns = given
            .iter()
            .map(|argument| argument.text.parse::<Pattern>());
        if !patterns.any(|pattern| pattern.map_or(true, |p| p.variables().contains(name))) {
            return Err(CliError::usage(format!(
                "--set {name}: no pattern has a variable {name}; leave it out"
            )));
        }
    }
    Ok(())
}

/// Positions asked for, patterns expanded.
#[derive(Default)]
struct Expanded {
    asked: Vec<Asked>,
    rows: Vec<Row>,
    /// The pots of all rows.
    pots: u64,
}

impl Expanded {
    /// Appends the rows of a position or pattern. After an error some of them may be there.
    fn add(
        &mut self,
        argument: &Argument,
        set: &[(char, Values)],
        game: Game,
    ) -> Result<(), CliError> {
        let text = &argument.text;
        let refuse = |error: &dyn std::fmt::Display| argument.fault(error);
        let pattern: Pattern = text.parse().map_err(|error| refuse(&error))?;
        let variables = pattern.variables().to_vec();
        let bindings: Vec<_> = set
            .iter()
            .filter(|(name, _)| variables.contains(name))
            .cloned()
            .collect();
        let sweep = Sweep::new(pattern, bindings).map_err(|error| match error {
            SweepError::Unbound { variable } => refuse(&format!(
                "the variable {variable} has no range; give one, for example --set {variable}=1..=9"
            )),
            error => refuse(&error),
        })?;
        sweep.check(game.shape()).map_err(|error| refuse(&error))?;
        let family = Family::new(vec![Part::Pattern(sweep)]).map_err(|error| refuse(&error))?;
        let too_many = |most: u64, noun: &str| {
            refuse(&format!(
                "more than {most} {noun} in all; write a job spec for them and use seedbank run"
            ))
        };
        if family.len() > POSITIONS_MAX - self.rows.len() as u64 {
            return Err(too_many(POSITIONS_MAX, "positions"));
        }
        let mut shared: Option<Arc<str>> = None;
        for member in family.iter() {
            self.pots += member.position.pots.len() as u64;
            if self.pots > POTS_MAX {
                return Err(too_many(POTS_MAX, "pots"));
            }
            let binding = variables.iter().zip(&member.variables);
            let binding: Vec<(char, i64)> = binding
                .filter_map(|(&letter, value)| Some((letter, (*value)?)))
                .collect();
            let pattern = family
                .pattern_text(&member)
                .map(|text| Arc::clone(shared.get_or_insert_with(|| Arc::from(text))));
            let name = match &pattern {
                Some(pattern) if !binding.is_empty() => instance_text(pattern, &binding),
                _ => text.to_owned(),
            };
            let letters = family.variables().iter().cloned();
            self.asked.push(Asked {
                name,
                pattern,
                variables: letters.zip(member.variables).collect(),
            });
            self.rows.push(member.position);
        }
        Ok(())
    }
}

fn binding(text: &str) -> Result<(char, Values), String> {
    let (name, values) = text
        .split_once('=')
        .ok_or("write a variable and its range: n=1..=9")?;
    let mut letters = name.trim().chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) => {
            let values = range(values).map_err(|error| error.to_string())?;
            Ok((letter, values))
        }
        _ => Err(format!("{name:?} is no variable; a variable is one letter")),
    }
}

/// Reads a range, an integer or a list such as [1, 2, 5], which a job spec has as a TOML list.
fn range(text: &str) -> Result<Values, ValuesError> {
    let inner = text
        .trim()
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    let Some(inner) = inner else {
        return text.parse();
    };
    let malformed = |_| ValuesError::Malformed {
        found: text.to_owned(),
    };
    let values: Result<Vec<i64>, _> = inner.split(',').map(|value| value.trim().parse()).collect();
    Values::list(values.map_err(malformed)?)
}
