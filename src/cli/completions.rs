//! `seedbank completions`

use clap::{Args, Command, ValueHint};
use clap_complete::Shell;

use super::output::print_line;
use super::{CliError, Exit, help};

#[derive(Debug, Args)]
pub(super) struct CompletionsArgs {
    /// The shell that reads the script
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

/// Prints a script that completes subcommands, options, names and paths.
pub(super) fn run(args: &CompletionsArgs, seedbank: Command) -> Result<Exit, CliError> {
    let mut script = Vec::new();
    let mut completed = with_hints(help::completed(seedbank));
    clap_complete::generate(args.shell, &mut completed, "seedbank", &mut script);
    let script = String::from_utf8(script).expect("scripts are made of the texts of the help");
    print_line(script.trim_end());
    Ok(Exit::Done)
}

/// Returns a command whose options complete to names or paths, and to nothing where they take
/// neither.
fn with_hints(command: Command) -> Command {
    let hinted = command.mut_args(|arg| match arg.get_value_hint() {
        // The script for Bash splits names of other kinds of paths at blanks.
        ValueHint::AnyPath => arg.value_hint(ValueHint::FilePath),
        ValueHint::Unknown
            if arg.get_action().takes_values()
                && !arg.is_positional()
                && arg.get_possible_values().is_empty() =>
        {
            arg.value_hint(ValueHint::Other)
        }
        _ => arg,
    });
    hinted.mut_subcommands(with_hints)
}
