//! The `seedbank` command.

// `println!` and `eprintln!` panic when the terminal is closed or the disk is full.
#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))]

mod cli;

use std::process::ExitCode;

use cli::Allocator;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

fn main() -> ExitCode {
    cli::main()
}
