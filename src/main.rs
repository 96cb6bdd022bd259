//! The `seedbank` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    seedbank::cli::main()
}
