//! `seedbank help`

use clap::{Args, Command};

use super::output::{print_line, print_styled};
use super::{CliError, Exit};
use crate::game::impartial::COMPONENTS;
use crate::game::{GameEntry, GameKind, games};

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
    if let Some(GameEntry { rules, kind, .. }) = game {
        print_line(rules.trim_end());
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
                return Err(CliError::usage(format!(
                    "no command and no game {name:?}; \"seedbank help\" lists the commands, and the games are {games}"
                )));
            }
        };
    }
    if game.is_some() {
        print_line("");
    }
    let help = command.render_long_help();
    match super::color::on_stdout() {
        true => print_styled(help.ansi().to_string().trim_end()),
        false => print_line(help.to_string().trim_end()),
    }
    Ok(Exit::Done)
}

fn help_of_names() -> String {
    let games = names_of_games();
    format!("A command, such as run or store verify; a game: {games}; or {GAMES} for all of these")
}

fn names_of_games() -> String {
    let names: Vec<&str> = games().map(|game| game.name).collect();
    names.join(", ")
}
