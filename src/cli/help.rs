//! `seedbank help`

use clap::{Args, Command};
use seedbank::board::BoardKind;
use seedbank::game::heap::HeapRules;
use seedbank::game::impartial::COMPONENTS;
use seedbank::game::{GameEntry, GameKind, elsewhere, games};

use super::names::named;
use super::output::{print_line, print_styled};
use super::{CliError, Exit};

/// Prints the help of a command, or the rules of games.
#[derive(Debug, Args)]
pub(super) struct HelpArgs {
    #[arg(value_name = "COMMAND or GAME", help = help_of_names())]
    names: Vec<String>,
}

/// The name for all games.
const GAMES: &str = "games";

/// Prints the help of a command or the rules of games. If both have the name, the rules come first.
pub(super) fn run(args: &HelpArgs, mut seedbank: Command) -> Result<Exit, CliError> {
    if args.names == [GAMES] {
        let rules: Vec<&str> = games().map(|game| game.rules).collect();
        print_line(rules.join("\n").trim_end());
        return Ok(Exit::Done);
    }
    let game = match &args.names[..] {
        [name] => games().find(|game| game.name == name),
        _ => None,
    };
    if let Some(GameEntry {
        name, rules, kind, ..
    }) = game
    {
        print_line(rules.trim_end());
        print_line(&format!("\nTry:\n\n    {}", example(name, kind)));
        if let GameKind::Sum(_) = kind {
            print_line(&format!("\n{COMPONENTS}"));
        }
    }
    seedbank.build();
    let mut command = &mut seedbank;
    for name in &args.names {
        command = match (command.find_subcommand_mut(name), game) {
            (Some(command), _) => command,
            (None, Some(_)) => return Ok(Exit::Done),
            (None, None) => {
                let games = names_of_games();
                let elsewhere =
                    elsewhere(name).map_or_else(String::new, |found| format!("; {found}"));
                return Err(CliError::usage(format!(
                    "no command and no game {name:?}; \"seedbank help\" lists the commands, and the games are {games}{elsewhere}"
                )));
            }
        };
    }
    if game.is_some() {
        print_line("");
    }
    let help = command.render_long_help();
    if super::color::on_stdout() {
        print_styled(help.ansi().to_string().trim_end())
    } else {
        print_line(help.to_string().trim_end())
    }
    Ok(Exit::Done)
}

/// Returns a command that evaluates a position of a game.
fn example(name: &str, kind: GameKind) -> String {
    match kind {
        GameKind::Pots(game) => {
            let position = match game.shape().kind() {
                BoardKind::Row => "312",
                BoardKind::Coloured => "b 2br",
                BoardKind::Grid => "11/11",
            };
            let play = game.plays()[0];
            let rules = if game.has_rules() {
                " --rule last=occupied"
            } else {
                ""
            };
            format!("seedbank eval --game {game}{rules} --play {play} '{position}'")
        }
        GameKind::Heaps(HeapRules::Code) => {
            "seedbank eval --game octal --code 0.77 0..=9".to_owned()
        }
        GameKind::Heaps(HeapRules::Grundy) => "seedbank eval --game grundy 0..=9".to_owned(),
        GameKind::Heaps(HeapRules::Subtraction) => {
            "seedbank eval --game subtraction --set-of 1,3,4 0..=9".to_owned()
        }
        GameKind::Sum(sum) => format!("seedbank eval --game {sum} 'kayles(5) + nim(3)'"),
        GameKind::Tchoukaillon => "seedbank tchoukaillon board 15".to_owned(),
        GameKind::TchukaRuma => "seedbank eval --game tchuka-ruma '2 2 2 2'".to_owned(),
        GameKind::Moves => {
            "seedbank eval --game moves --file jobs/moves/clobber.ndjson --play partisan xo"
                .to_owned()
        }
        GameKind::SowingGraph => "seedbank graph --generate 'star(3, 2)'".to_owned(),
        GameKind::Scored(game) => {
            let (key, rules) = (game.key(), game.rules());
            format!("seedbank eval --game {name} --{key} {rules} '0 0 3 / 0 2 2' --moves")
        }
    }
}

/// Returns the command with the names that `help` completes to: commands and games.
pub(super) fn completed(seedbank: Command) -> Command {
    // The names last as long as the process.
    let commands = seedbank.get_subcommands().map(Command::get_name);
    let commands: Vec<&'static str> = commands.map(|name| &*name.to_owned().leak()).collect();
    let names = games().map(|game| game.name).chain([GAMES]).chain(commands);
    let names = named::<String>(names);
    seedbank.mut_subcommand("help", |help| {
        help.mut_arg("names", |arg| arg.value_parser(names))
    })
}

fn help_of_names() -> String {
    let games = names_of_games();
    format!("A command, such as run or store verify; a game: {games}; or {GAMES} for all of these")
}

fn names_of_games() -> String {
    let names: Vec<&str> = games().map(|game| game.name).collect();
    names.join(", ")
}
