//! `seedbank help`

use clap::{Args, Command};

use super::output::print_line;
use super::{CliError, Exit};
use crate::game::RULES;
use crate::game::impartial::COMPONENTS;

/// Prints the help of a command, or the rules of a game.
#[derive(Debug, Args)]
pub(super) struct HelpArgs {
    /// A command, such as run or store verify, or a game: sowing, atomic-wari, octal, grundy,
    /// subtraction, disjunctive, obligated, tchoukaillon, sowing-graph
    #[arg(value_name = "COMMAND or GAME")]
    names: Vec<String>,
}

/// Prints the help of a command or the rules of a game. For a name that is both, the rules come
/// first.
pub(super) fn run(args: &HelpArgs, mut seedbank: Command) -> Result<Exit, CliError> {
    let rules = match &args.names[..] {
        [name] => RULES.iter().find(|(game, _)| game == name),
        _ => None,
    };
    if let Some((game, rules)) = rules {
        print_line(rules.trim_end());
        if ["disjunctive", "obligated"].contains(game) {
            print_line(&format!("\n{COMPONENTS}"));
        }
    }
    seedbank.build();
    let mut command = &mut seedbank;
    for name in &args.names {
        command = match (command.find_subcommand_mut(name), rules) {
            (Some(command), _) => command,
            (None, Some(_)) => return Ok(Exit::Done),
            (None, None) => {
                let games = RULES.map(|(game, _)| game).join(", ");
                return Err(CliError::usage(format!(
                    "no command and no game {name:?}; \"seedbank help\" lists the commands, and the games are {games}"
                )));
            }
        };
    }
    if rules.is_some() {
        print_line("");
    }
    let help = command.render_long_help().ansi().to_string();
    let color = super::color::on_stdout();
    print_line(&match color {
        true => help.trim_end().to_owned(),
        false => anstream::adapter::strip_str(help.trim_end()).to_string(),
    });
    Ok(Exit::Done)
}
