//! Positions as arguments: a game, positions and patterns, and the values of their variables.

use std::env;
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use clap::{ArgAction, Args};
use seedbank::board::{AnyBoard, BoardKind, Shape};
use seedbank::evaluate::BoardSum;
use seedbank::family::{BindError, BoundPattern, Family, Pattern, Subfamily, Values, ValuesError};
use seedbank::game::{
    BoardError, Game, GameEntry, GameKind, OtherPlay, Play, UnknownName, elsewhere, games,
};
use seedbank::input;
use seedbank::task::strips::read_rules;

use super::CliError;
use super::arguments::{Argument, Faults, all_arguments};
use super::names::named;

/// The most positions that are evaluated without a job: their rows are held in memory, some 500
/// bytes each.
const POSITIONS_MAX: u64 = 1_000_000;

/// The most pots of these positions together, at 8 bytes each.
const POTS_MAX: u64 = 1 << 24;

/// A game and a way of playing.
#[derive(Debug, Args)]
pub(super) struct GameArgs {
    #[arg(short, long, value_name = "GAME", value_parser = named::<GameArg>(GameArg::names()), hide_possible_values = true, help = help_of_game())]
    game: Option<GameArg>,
    /// How a game on pots is played: partisan or impartial [default: the environment's
    /// SEEDBANK_PLAY]
    #[arg(short, long, value_name = "PLAY", value_parser = named::<Play>(Play::ALL.map(Play::name)), hide_possible_values = true)]
    play: Option<Play>,
    /// The width of the board, for atomic-wari and row-rules [default: the endless row]
    #[arg(long, value_name = "N")]
    pots: Option<u32>,
    /// The rules of row-rules: a file with a section [rules], such as a job spec. Or those of wari: wari, awari or oware [default:
    /// wari]
    #[arg(long, value_name = "FILE or RULES", value_parser = named::<String>(names_of_rules("rules")), hide_possible_values = true)]
    rules: Option<String>,
    /// A switch of row-rules in place of a file, such as last=occupied or 'capture=[2,3]'; may be repeated
    #[arg(long, value_name = "SWITCH=VALUE", action = ArgAction::Append, conflicts_with = "rules", value_parser = switch)]
    rule: Vec<String>,
}

/// Positions of a game.
#[derive(Debug, Args)]
pub(super) struct PositionArgs {
    #[command(flatten)]
    pub(super) of: GameArgs,
    /// Positions or patterns, such as 312, '1^11', '...e 2^4 e...', 'b 2br' or 11/11; for eval also heaps such as
    /// 0..=9 or 0..=100/5 (every fifth), sums such as '312 + *2' or 'wythoff(1,4) + kayles(5)', two rows of pits such as
    /// '3 2 0 / 1 0 3', or a ring of pits such as '2 2 2 2'; - reads one a line from standard input
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

/// A game with positions that commands take, by its name on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct GameArg(GameKind);

impl GameArg {
    /// Returns the games; Tchoukaillon has a command of its own, and so has its play on graphs.
    fn all() -> impl Iterator<Item = GameEntry> {
        let is_own = |kind| matches!(kind, GameKind::Tchoukaillon | GameKind::SowingGraph);
        games().filter(move |game| !is_own(game.kind))
    }

    fn names() -> impl Iterator<Item = &'static str> {
        GameArg::all().map(|game| game.name)
    }
}

impl FromStr for GameArg {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<GameArg, UnknownName> {
        let found = GameArg::all().find(|game| game.name == name);
        found.map(|game| GameArg(game.kind)).ok_or_else(|| {
            let accepted: Vec<&str> = GameArg::names().collect();
            let hint = elsewhere(name).map_or(String::new(), |hint| format!("; {hint}"));
            UnknownName {
                what: "game",
                found: name.to_owned(),
                accepted: accepted.join(", ") + &hint,
            }
        })
    }
}

/// The games that an option is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OptionOf {
    /// Games on pots.
    Pots,
    /// Games of heaps.
    Heaps,
    /// Sums of components.
    Sums,
    /// Scored games.
    Scored,
    /// Games whose moves are listed.
    Moves,
    /// Games with a choice of rules.
    Rules,
    /// Games whose rules are given.
    Switches,
}

/// An option, whether it was given, and what it is for.
pub(super) type OptionGiven = (&'static str, bool, OptionOf);

impl OptionOf {
    fn takes(self, kind: GameKind) -> bool {
        match kind {
            GameKind::Pots(game) => match self {
                OptionOf::Rules | OptionOf::Switches => game.has_rules(),
                _ => matches!(self, OptionOf::Pots | OptionOf::Moves),
            },
            GameKind::Heaps(_) => self == OptionOf::Heaps,
            GameKind::Sum(_) => matches!(self, OptionOf::Sums | OptionOf::Moves),
            GameKind::Scored(_) => {
                matches!(self, OptionOf::Scored | OptionOf::Moves | OptionOf::Rules)
            }
            GameKind::TchukaRuma | GameKind::Tchoukaillon | GameKind::SowingGraph => false,
        }
    }

    /// Returns the first option given that is not for a game of this kind.
    pub(super) fn unused(
        options: impl IntoIterator<Item = OptionGiven>,
        kind: GameKind,
    ) -> Option<(&'static str, OptionOf)> {
        let mut unused = options.into_iter();
        let found = unused.find(|(_, given, of)| *given && !of.takes(kind));
        found.map(|(name, _, of)| (name, of))
    }
}

impl fmt::Display for OptionOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            OptionOf::Pots => "positions of games on pots: ",
            OptionOf::Heaps => "games of heaps: ",
            OptionOf::Sums => "sums: ",
            OptionOf::Scored => "scored games: ",
            OptionOf::Moves => "games on pots, sums and scored games: ",
            OptionOf::Rules => "games with a choice of rules: ",
            OptionOf::Switches => "rules of your own: ",
        })?;
        let names = games().filter(|game| self.takes(game.kind));
        let names: Vec<&str> = names.map(|game| game.name).collect();
        f.write_str(&names.join(", "))
    }
}

/// Returns the names of the rules that scored games choose by this key.
pub(super) fn names_of_rules(key: &str) -> impl Iterator<Item = &'static str> {
    let rules = games().flat_map(move |entry| match entry.kind {
        GameKind::Scored(game) if game.key() == key => game.all_rules(),
        _ => Vec::new(),
    });
    rules.map(|(name, _)| name)
}

fn help_of_game() -> String {
    let others = GameArg::all().filter(|game| !matches!(game.kind, GameKind::Pots(_)));
    let others: Vec<&str> = others.map(|game| game.name).collect();
    format!(
        "The game: {}; eval also takes {}, and play those with moves of two players [default: the environment's SEEDBANK_GAME]",
        Game::names(),
        others.join(", ")
    )
}

impl GameArgs {
    /// Returns the options of games on pots.
    pub(super) fn options(&self) -> [OptionGiven; 4] {
        [
            ("--play", self.play.is_some(), OptionOf::Pots),
            ("--pots", self.pots.is_some(), OptionOf::Pots),
            ("--rules", self.rules.is_some(), OptionOf::Rules),
            ("--rule", !self.rule.is_empty(), OptionOf::Switches),
        ]
    }

    /// Returns the way of playing a game.
    pub(super) fn play(&self, game: Game) -> Result<Play, CliError> {
        let play = or_environment(self.play, "SEEDBANK_PLAY")?.ok_or_else(|| {
            CliError::usage(
                "--play is missing; give --play partisan or --play impartial, or set SEEDBANK_PLAY",
            )
        })?;
        if game.plays().contains(&play) {
            Ok(play)
        } else {
            Err(CliError::usage(format!(
                "--play {play}: {}",
                OtherPlay::of(game)
            )))
        }
    }

    /// Returns the game of any kind.
    pub(super) fn kind(&self) -> Result<GameKind, CliError> {
        let game = or_environment(self.game, "SEEDBANK_GAME")?;
        game.map(|GameArg(kind)| kind).ok_or_else(|| {
            CliError::usage(
                "--game is missing; give one, for example --game sowing, or set SEEDBANK_GAME",
            )
        })
    }

    /// Returns the name or the file of the rules.
    pub(super) fn rules(&self) -> Option<&str> {
        self.rules.as_deref()
    }

    /// Returns the game by the rules that the arguments give.
    fn by_rules(&self) -> Result<Game, CliError> {
        let (text, path) = match &self.rules {
            Some(file) => {
                let path = Path::new(file);
                let text = input::text(path).map_err(|error| {
                    CliError::usage(format!("--rules: cannot read {}: {error}", path.display()))
                })?;
                (text, path)
            }
            None if self.rule.is_empty() => {
                return Err(CliError::usage(format!(
                    "--game {}: its rules are missing; give a file with --rules, or switches such as --rule last=occupied",
                    Game::ROW_RULES
                )));
            }
            None => (
                format!("[rules]\n{}\n", self.rule.join("\n")),
                Path::new("--rule"),
            ),
        };
        if let Some(pots) = self
            .pots
            .filter(|pots| !(1..=Game::BOARD_POTS_MAX).contains(pots))
        {
            return Err(CliError::usage(format!(
                "--pots {pots}: {}",
                BoardError::Pots { pots }
            )));
        }
        Ok(read_rules(&text, path, self.pots)?)
    }

    /// Returns the game on pots, on the board and by the rules that the arguments name.
    pub(super) fn game(&self) -> Result<Game, CliError> {
        let GameKind::Pots(game) = self.kind()? else {
            return Err(CliError::usage(format!(
                "--game: only games on pots have such positions; accepted here: {}",
                Game::names()
            )));
        };
        if game.has_rules() {
            return self.by_rules();
        }
        let unused = OptionOf::unused(self.options(), GameKind::Pots(game));
        if let Some((name, of)) = unused {
            return Err(CliError::usage(format!("{name} is for {of}; leave it out")));
        }
        match self.pots {
            None => Ok(game),
            Some(pots) => (game.on_board(pots))
                .map_err(|error| CliError::usage(format!("--pots {pots}: {error}"))),
        }
    }
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

/// Reads a switch and its value, and returns it as TOML: a word needs no quotes.
fn switch(text: &str) -> Result<String, String> {
    let (key, value) = text
        .split_once('=')
        .ok_or("write a switch and its value: last=occupied")?;
    let (key, value) = (key.trim(), value.trim());
    let is_word = value.chars().all(|c| c.is_ascii_lowercase() || c == '_') && !value.is_empty();
    Ok(match value {
        "true" | "false" => format!("{key} = {value}"),
        _ if is_word => format!("{key} = \"{value}\""),
        _ => format!("{key} = {value}"),
    })
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
