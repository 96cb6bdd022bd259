//! `seedbank completions`

use clap::{Args, Command};
use clap_complete::Shell;

use super::output::print_line;
use super::{CliError, Exit};

#[derive(Debug, Args)]
pub(super) struct CompletionsArgs {
    /// The shell that reads the script
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

/// Prints a script that completes subcommands, options, names and paths.
pub(super) fn run(args: &CompletionsArgs, mut seedbank: Command) -> Result<Exit, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut seedbank, "seedbank", &mut script);
    let script = String::from_utf8(script).expect("scripts are made of the texts of the help");
    print_line(script.trim_end());
    Ok(Exit::Done)
}
