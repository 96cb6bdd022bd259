//! The game as arguments: its name, how it is played, its board and its rules.

use std::env;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::{ArgAction, Args, ValueHint};
use seedbank::game::{
    BoardError, Convention, Game, GameEntry, GameKind, Manner, OtherPlay, Play, SumKind,
    UnknownName, elsewhere, games,
};
use seedbank::input;
use seedbank::moves::MovesFile;
use seedbank::task::strips::read_rules;

use super::CliError;
use super::names::named;

/// A game and a way of playing.
#[derive(Debug, Args)]
pub(super) struct GameArgs {
    #[arg(short, long, value_name = "GAME", value_parser = named::<GameArg>(GameArg::names()), hide_possible_values = true, help = help_of_game())]
    game: Option<GameArg>,
    /// How a game on pots or of moves is played: partisan or impartial [default: the environment's
    /// SEEDBANK_PLAY; of eval: else partisan play, where the game has it]
    #[arg(short, long, value_name = "PLAY", value_parser = named::<Play>(Play::ALL.map(Play::name)), hide_possible_values = true)]
    play: Option<Play>,
    /// The moves of the game moves: a file with a line for each position, such as {"position": "a", "left": ["b"], "right": []}
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// The width of the board, for atomic-wari and row-rules [default: the endless row]
    #[arg(long, value_name = "N")]
    pots: Option<u32>,
    /// The rules of row-rules: a file with a section [rules], such as a job spec. Or those of wari: wari, awari or oware [default:
    /// wari]
    #[arg(long, value_name = "FILE or RULES", value_parser = named::<String>(names_of_rules("rules")), hide_possible_values = true, value_hint = ValueHint::FilePath)]
    rules: Option<String>,
    /// A switch of row-rules in place of a file, such as last=occupied or 'capture=[2,3]'; may be repeated
    #[arg(long, value_name = "SWITCH=VALUE", action = ArgAction::Append, conflicts_with = "rules", value_parser = switch)]
    rule: Vec<String>,
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
    /// Scored games.
    Scored,
    /// Games whose moves are listed.
    Moves,
    /// Games with a choice of rules.
    Rules,
    /// Games whose rules are given.
    Switches,
    /// Games whose moves are given.
    File,
    /// Games with partisan and impartial play.
    Plays,
    /// Games under either convention.
    Misere,
    /// Games whose positions have genera.
    Genus,
}

/// An option, whether it was given, and what it is for.
pub(super) type OptionGiven = (&'static str, bool, OptionOf);

impl OptionOf {
    fn takes(self, kind: GameKind) -> bool {
        match kind {
            GameKind::Pots(game) => match self {
                OptionOf::Rules | OptionOf::Switches => game.has_rules(),
                _ => matches!(
                    self,
                    OptionOf::Pots
                        | OptionOf::Moves
                        | OptionOf::Plays
                        | OptionOf::Misere
                        | OptionOf::Genus
                ),
            },
            GameKind::Heaps(_) => matches!(self, OptionOf::Heaps | OptionOf::Misere),
            GameKind::Sum(added) => match self {
                OptionOf::Genus => added == SumKind::Disjunctive,
                _ => matches!(self, OptionOf::Moves | OptionOf::Misere),
            },
            GameKind::Scored(_) => {
                matches!(self, OptionOf::Scored | OptionOf::Moves | OptionOf::Rules)
            }
            GameKind::Moves => {
                matches!(
                    self,
                    OptionOf::File | OptionOf::Moves | OptionOf::Plays | OptionOf::Misere
                )
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
            OptionOf::Scored => "scored games: ",
            OptionOf::Moves => "games whose moves are listed: ",
            OptionOf::Rules => "games with a choice of rules: ",
            OptionOf::Switches => "rules of your own: ",
            OptionOf::File => "games of your own: ",
            OptionOf::Plays => "games with partisan and impartial play: ",
            OptionOf::Misere => "games under either convention: ",
            OptionOf::Genus => "games whose positions have genera: ",
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
        "The game: {}; eval also takes {}, outcome also moves, and play those with moves of two players [default: the environment's SEEDBANK_GAME]",
        Game::names(),
        others.join(", ")
    )
}

impl GameArgs {
    /// Returns the options of games on pots.
    pub(super) fn options(&self) -> [OptionGiven; 5] {
        [
            ("--play", self.play.is_some(), OptionOf::Plays),
            ("--file", self.file.is_some(), OptionOf::File),
            ("--pots", self.pots.is_some(), OptionOf::Pots),
            ("--rules", self.rules.is_some(), OptionOf::Rules),
            ("--rule", !self.rule.is_empty(), OptionOf::Switches),
        ]
    }

    /// Returns the way of playing.
    pub(super) fn any_play(&self) -> Result<Play, CliError> {
        self.play_or(None)
    }

    /// Returns the way of playing: partisan play, with a note, if none is named and the game has it.
    pub(super) fn play_or_partisan(&self, plays: &[Play]) -> Result<Play, CliError> {
        self.play_or(plays.contains(&Play::Partisan).then_some(Play::Partisan))
    }

    fn play_or(&self, default: Option<Play>) -> Result<Play, CliError> {
        if let Some(play) = or_environment(self.play, "SEEDBANK_PLAY")? {
            return Ok(play);
        }
        let play = default.ok_or_else(|| {
            CliError::usage(
                "--play is missing; give --play partisan or --play impartial, or set SEEDBANK_PLAY",
            )
        })?;
        tracing::info!("{play} play, since --play is not given");
        Ok(play)
    }

    /// Returns how a game on pots is played, under misère play if that is asked for.
    pub(super) fn manner(&self, game: Game, misere: bool) -> Result<Manner, CliError> {
        Ok(Manner::of(self.play(game)?, convention(misere)))
    }

    /// Returns how a game on pots is played, which is partisan play unless another is named.
    pub(super) fn manner_or_partisan(&self, game: Game, misere: bool) -> Result<Manner, CliError> {
        let play = self.play_or_partisan(game.plays())?;
        Ok(Manner::of(
            GameArgs::allowed(game, play)?,
            convention(misere),
        ))
    }

    /// Returns the way of playing a game on pots.
    pub(super) fn play(&self, game: Game) -> Result<Play, CliError> {
        GameArgs::allowed(game, self.any_play()?)
    }

    /// Returns the way of playing if a game on pots has it.
    fn allowed(game: Game, play: Play) -> Result<Play, CliError> {
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

    /// Returns the moves of a game of the user's own.
    pub(super) fn moves(&self) -> Result<MovesFile, CliError> {
        let path = self.file.as_deref().ok_or_else(|| {
            CliError::usage("--game moves: its moves are missing; give a file with --file")
        })?;
        MovesFile::open(path).map_err(|error| CliError::usage(error.to_string()))
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

    /// Returns a game on pots, on the board and by the rules that the arguments name.
    pub(super) fn game(&self, game: Game) -> Result<Game, CliError> {
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

/// Returns misère play if that is asked for.
pub(super) fn convention(misere: bool) -> Convention {
    if misere {
        Convention::Misere
    } else {
        Convention::Normal
    }
}

/// Returns the refusal of a game that a command does not take.
pub(super) fn refused(kind: GameKind, accepted: &str) -> CliError {
    let game = games().find(|game| game.kind == kind);
    let name = game.map_or("", |game| game.name);
    CliError::usage(format!(
        "--game {name}: accepted here: {accepted}; \"seedbank eval\" takes its positions"
    ))
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
