//! The `seedbank` command.

use std::process::ExitCode;

use seedbank::cli::Allocator;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

fn main() -> ExitCode {
    seedbank::cli::main()
}
