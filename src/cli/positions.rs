//! Positions as arguments: positions and patterns of a game, and the values of their variables.

use std::fmt;
use std::sync::Arc;

use clap::{ArgAction, Args};
use seedbank::board::{AnyBoard, BoardKind, Shape};
use seedbank::evaluate::BoardSum;
use seedbank::family::{BindError, BoundPattern, Family, Pattern, Subfamily, Values, ValuesError};
use seedbank::game::Game;

use super::CliError;
use super::arguments::{Argument, Faults, all_arguments};
use super::game_args::{GameArgs, OptionGiven, OptionOf};

/// The most positions that are evaluated without a job: their rows are held in memory, some 500
/// bytes each.
const POSITIONS_MAX: u64 = 1_000_000;

/// The most pots of these positions together, at 8 bytes each.
const POTS_MAX: u64 = 1 << 24;

/// Positions of a game.
#[derive(Debug, Args)]
pub(super) struct PositionArgs {
    #[command(flatten)]
    pub(super) of: GameArgs,
    /// Positions or patterns, such as 312, '1^11', '...e 2^4 e...', 'b 2br' or 11/11; for eval also heaps such as
    /// 0..=9 or 0..=100/5 (every fifth), sums such as '312 + *2' or 'wythoff(1,4) + kayles(5)', two rows of pits such as
    /// '3 2 0 / 1 0 3', or a ring of pits such as '2 2 2 2'; for eval and outcome also names in a file of moves; - reads one a
    /// line from standard input
    #[arg(required = true, value_name = "POSITION")]
    positions: Vec<String>,
    /// The values of a variable of the patterns, such as n=1..=9, n=1..=9/2 (every second) or n=[1,2,5]; may be repeated
    #[arg(long, value_name = "VAR=RANGE", action = ArgAction::Append, value_parser = binding)]
    set: Vec<(char, Values)>,
}

/// A position from the command line, and its name in the answer.
pub(super) struct Asked {
    /// The position as given, or the pattern with its variables replaced by numbers.
    pub(super) name: String,
    pub(super) pattern: Option<Arc<str>>,
    /// The values of the pattern's variables.
    pub(super) variables: Vec<(String, Option<i64>)>,
}

impl PositionArgs {
    /// Returns the options that only positions on pots take.
    pub(super) fn options(&self) -> impl Iterator<Item = OptionGiven> {
        let set = ("--set", !self.set.is_empty(), OptionOf::Pots);
        self.of.options().into_iter().chain([set])
    }

    /// Returns the positions as given, including those from standard input.
    pub(super) fn given(&self) -> Result<Vec<Argument>, CliError> {
        all_arguments(&self.positions)
    }

    /// Returns the positions of the arguments, with patterns expanded. Reports faults.
    pub(super) fn expand(
        &self,
        game: Game,
        faults: &mut Faults,
    ) -> Result<(Vec<Asked>, Vec<AnyBoard>), CliError> {
        let given = self.given()?;
        check_bindings(&self.set, given.iter(), game.shape().kind())?;
        let mut expanded = Expanded::default();
        for argument in &given {
            expanded.add(argument, &self.set, game, faults);
        }
        Ok((expanded.asked, expanded.boards))
    }

    /// Returns the positions given, with patterns expanded, and sums of positions and values; reports faults.
    pub(super) fn expand_sums(
        &self,
        game: Game,
        faults: &mut Faults,
    ) -> Result<(Vec<Asked>, Vec<BoardSum>), CliError> {
        let given = self.given()?;
        let is_sum = |argument: &Argument| BoardSum::is_written(&argument.text);
        let alone = given.iter().filter(|argument| !is_sum(argument));
        check_bindings(&self.set, alone, game.shape().kind())?;
        let mut expanded = Expanded::default();
        let mut sums = Vec::new();
        for argument in &given {
            if is_sum(argument) {
                let read = BoardSum::read(&argument.text, game.shape());
                let sum = faults.reported(read.map_err(|error| argument.fault(error)));
                if let Some(sum) = sum {
                    expanded.asked.push(Asked {
                        name: argument.text.clone(),
                        pattern: None,
                        variables: Vec::new(),
                    });
                    sums.push(sum);
                }
            } else {
                expanded.add(argument, &self.set, game, faults);
                sums.extend(expanded.boards.drain(..).map(BoardSum::of));
            }
        }
        Ok((expanded.asked, sums))
    }
}

/// Refuses ranges without effect: of a variable with another range, or of one that no pattern has.
fn check_bindings<'a>(
    bindings: &[(char, Values)],
    given: impl Iterator<Item = &'a Argument> + Clone,
    kind: BoardKind,
) -> Result<(), CliError> {
    for (place, (name, _)) in bindings.iter().enumerate() {
        if bindings[..place].iter().any(|(other, _)| other == name) {
            return Err(CliError::usage(format!(
                "--set {name}: the variable {name} has a range already; give one for each"
            )));
        }
        // Text that is no pattern is reported with its place when it is expanded.
        let mut patterns = given
            .clone()
            .map(|argument| Pattern::read(&argument.text, kind));
        let is_used =
            patterns.any(|pattern| pattern.map_or(true, |p| p.variables().contains(name)));
        if kind == BoardKind::Grid || !is_used {
            return Err(CliError::usage(format!(
                "--set {name}: no pattern has a variable {name}; leave it out"
            )));
        }
    }
    Ok(())
}

/// The positions of the arguments, with patterns expanded.
#[derive(Default)]
struct Expanded {
    asked: Vec<Asked>,
    boards: Vec<AnyBoard>,
    /// The number of pots of all positions.
    pots: u64,
}

impl Expanded {
    /// Appends a position, or those of a pattern. After a fault, which it reports, it appends nothing.
    fn add(
        &mut self,
        argument: &Argument,
        set: &[(char, Values)],
        game: Game,
        faults: &mut Faults,
    ) {
        let (asked, boards, pots) = (self.asked.len(), self.boards.len(), self.pots);
        let added = self.try_add(argument, set, game);
        if faults.reported(added).is_none() {
            self.asked.truncate(asked);
            self.boards.truncate(boards);
            self.pots = pots;
        }
    }

    /// Appends a position, or those of a pattern. After an error it may have appended some.
    fn try_add(
        &mut self,
        argument: &Argument,
        set: &[(char, Values)],
        game: Game,
    ) -> Result<(), CliError> {
        let refuse = |error: &dyn fmt::Display| argument.fault(error);
        let subfamily = subfamily(argument, set, game.shape())?;
        let family = Family::new(vec![subfamily]).map_err(|error| refuse(&error))?;
        let too_many = |most: u64, noun: &str| {
            refuse(&format!(
                "more than {most} {noun} in all; write a job spec for them and use seedbank run"
            ))
        };
        if family.len() > POSITIONS_MAX.saturating_sub(self.asked.len() as u64) {
            return Err(too_many(POSITIONS_MAX, "positions"));
        }
        let pattern = family.patterns().next().flatten().map(Arc::from);
        for member in family.iter() {
            self.pots += member.position.features().pots as u64;
            if self.pots > POTS_MAX {
                return Err(too_many(POTS_MAX, "pots"));
            }
            let values: Vec<i64> = member.variables.iter().copied().flatten().collect();
            let name = match &family.subfamilies()[0] {
                Subfamily::Pattern(bound) if !values.is_empty() => {
                    bound.pattern().instance(&values)
                }
                _ => argument.text.clone(),
            };
            let letters = family.variables().iter().cloned();
            self.asked.push(Asked {
                name,
                pattern: pattern.clone(),
                variables: letters.zip(member.variables).collect(),
            });
            self.boards.push(member.position);
        }
        Ok(())
    }
}

/// Reads a position, or a pattern with values for its variables.
fn subfamily(
    argument: &Argument,
    set: &[(char, Values)],
    shape: Shape,
) -> Result<Subfamily, CliError> {
    let refuse = |error: &dyn fmt::Display| argument.fault(error);
    let kind = shape.kind();
    if kind == BoardKind::Grid {
        let grid = kind.read(&argument.text);
        return Ok(Subfamily::List(vec![grid.map_err(|error| refuse(&error))?]));
    }
    let pattern = Pattern::read(&argument.text, kind).map_err(|error| match kind {
        BoardKind::Row if argument.text.contains('-') => refuse(&format_args!(
            "{error}; a sum has no minus: write \" + \" and the negative of the row, which is its mirror image"
        )),
        _ => refuse(&error),
    })?;
    let is_used = |(name, _): &&(char, Values)| pattern.variables().contains(name);
    let bindings = set.iter().filter(is_used).cloned().collect();
    let bound = BoundPattern::new(pattern, bindings).map_err(|error| match error {
        BindError::Unbound { variable } => refuse(&format!(
            "the variable {variable} has no range; give one, for example --set {variable}=1..=9"
        )),
        error => refuse(&error),
    })?;
    bound.check(shape).map_err(|error| refuse(&error))?;
    Ok(Subfamily::Pattern(bound))
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
