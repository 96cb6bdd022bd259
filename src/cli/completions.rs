//! `seedbank completions`

use std::collections::BTreeSet;

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
    let mut script = String::from_utf8(script).expect("scripts are made of the texts of the help");
    if args.shell == Shell::Bash {
        for names in names_or_files(&completed) {
            // The library's script separates names by blanks where it has set the separator of files, a line feed.
            let of_names = format!("compgen -W \"{}\"", names.join(" "));
            let of_both = format!("compgen -f -W $'{}'", names.join("\\n"));
            script = script.replace(&of_names, &of_both);
        }
    }
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

/// Returns the names of each option that takes one of them or a file, in all subcommands.
fn names_or_files(command: &Command) -> BTreeSet<Vec<String>> {
    let options = command
        .get_arguments()
        .filter(|arg| arg.get_value_hint() == ValueHint::FilePath);
    let names = options.map(|arg| {
        let names = arg.get_possible_values().into_iter();
        names.map(|name| name.get_name().to_owned()).collect()
    });
    let own = names.filter(|names: &Vec<String>| !names.is_empty());
    own.chain(command.get_subcommands().flat_map(names_or_files))
        .collect()
}
