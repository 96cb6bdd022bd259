//! The `seedbank` command.

use std::env;
use std::process::ExitCode;

use seedbank_cli::Allocator;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

fn main() -> ExitCode {
    seedbank_cli::main(env::args_os()).into()
}
