//! The command `seedbank`: one subcommand, one file. Only this crate reads arguments, prints and exits.
//!
//! [`main`] runs the command of a process. A program that has this crate in it runs commands with [`call`], which leaves streams
//! and signals alone:
//!
//! ```
//! use seedbank_cli::{Caller, call};
//!
//! let caller = Caller { input: "{0|*}\n".into(), log: Box::new(|_| ()), signals: Default::default() };
//! let answer = call(["value", "--json", "-"], caller);
//! assert_eq!(answer.status, 0);
//! assert!(answer.output.contains("\"value\":\"^\""));
//! ```

// `println!` and `eprintln!` panic when the terminal is closed or the disk is full.
#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))]

mod allocator;
mod answers;
mod arguments;
mod boards;
mod check;
mod color;
mod completions;
mod error;
mod eval;
mod events;
mod export;
mod files;
mod game_args;
mod graph;
mod heaps;
mod help;
mod init;
mod jobs;
mod laws;
mod log;
mod man;
mod merge;
mod mine;
mod named;
mod names;
mod notify;
mod options;
mod outcome;
mod output;
mod plan;
mod play;
mod positions;
mod progress;
mod prove;
mod quotient;
mod reconstruct;
mod reference;
mod report;
mod results;
mod rings;
mod run;
mod schema;
mod scores;
mod shards;
mod site;
mod status;
mod store;
mod streams;
mod sums;
mod table;
mod tchoukaillon;
mod terminal;
mod value;
mod version;
mod writing;

use std::ffi::{OsStr, OsString};
use std::sync::{Mutex, Once};

use clap::{CommandFactory, Parser, Subcommand};
use options::{OutArgs, ResourceArgs, listen, shard_count, size, time};
use results::load_jobs;
use seedbank::run::file_size_limit_is_an_error;
use seedbank_memory::{lock, was_refused};
use streams::{is_called, with_caller};

pub use allocator::Allocator;
pub(crate) use error::{CliError, Exit};
pub use streams::Caller;

/// Computes the values of combinatorial games by the million and writes them to Parquet.
#[derive(Debug, Parser)]
#[command(
    name = "seedbank",
    version,
    long_version = version::long(),
    max_term_width = 100,
    arg_required_else_help = true,
    disable_help_subcommand = true
)]
#[command(
    after_help = Exit::statuses()
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Say more on standard error; twice for even more
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    verbose: u8,
    /// Say nothing on standard error but warnings and errors, and show no progress
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// When messages and help have colours; auto follows NO_COLOR, CLICOLOR, CLICOLOR_FORCE, TERM
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t)]
    color: color::ColorArg,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run or resume jobs
    Run(run::RunArgs),
    /// Estimate the disk space, memory and time that jobs take
    Plan(plan::PlanArgs),
    /// Join the shards of jobs, each run with "run --shard", into the jobs' results
    Merge(merge::MergeArgs),
    /// Show what is finished and what is left of jobs
    Status(status::StatusArgs),
    /// Evaluate positions, heaps and sums and print their values
    #[command(after_help = seedbank::game::impartial::COMPONENTS)]
    Eval(eval::EvalArgs),
    /// Play a game against best play, in lines of plain text
    #[command(after_help = play::COMMANDS)]
    Play(play::PlayArgs),
    /// Find out who wins positions, and which nimbers they are, without evaluating them
    Outcome(outcome::OutcomeArgs),
    /// Find the misère quotient of a heap game: who wins each sum of heaps if the last player loses
    Quotient(quotient::QuotientArgs),
    /// Print the invariants of values given in notation: kind, stops, thermograph, incentives,
    /// atomic weight
    Value(value::ValueArgs),
    /// Find the winning boards of the solitaire game Tchoukaillon, their lengths, and the plays
    /// that win them
    Tchoukaillon(tchoukaillon::TchoukaillonArgs),
    /// Find the winning boards of Tchoukaillon on a directed graph, and whether they are finitely
    /// many
    Graph(graph::GraphArgs),
    /// Print a job's result in the paper's layout; "export" writes its rows
    Table(table::TableArgs),
    /// Write the rows of a finished result as CSV, newline-delimited JSON or an OEIS b-file; "table"
    /// lays them out
    Export(export::ExportArgs),
    /// Write a page or a site for finished results: tables, charts, laws, thermographs
    Report(report::ReportArgs),
    /// Compare results with published values
    Check(check::CheckArgs),
    /// Find laws that hold in results
    Mine(mine::MineArgs),
    /// Prove the values of all rows of a pattern, or refute them
    Prove(prove::ProveArgs),
    /// Look after the store of values
    Store(store::StoreArgs),
    /// Copy the shipped job specs into a folder
    Init(init::InitArgs),
    /// Name the job specs
    Jobs(jobs::JobsArgs),
    /// Print the JSON Schema of job specs, by which editors complete and check them
    Schema,
    /// Print the help of a command, or the rules of games
    Help(help::HelpArgs),
    /// Print a script that completes commands and options in a shell
    Completions(completions::CompletionsArgs),
    /// Print the manual page, or write one for each subcommand
    Man(man::ManArgs),
}

/// Runs the command of a process, whose name comes first among its arguments. Returns the exit status.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    allocator::prepare();
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    color::choose(arguments.iter().cloned());
    let result = file_size_limit_is_an_error()
        .map_err(CliError::failed)
        .and_then(|()| command(arguments));
    ended(error::all_printed(result)) as u8
}

/// The end of a called command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The exit status, as for a process.
    pub status: u8,
    /// What it printed on standard output.
    pub output: String,
    /// Its errors.
    pub errors: Vec<String>,
}

/// Runs a command within this process, which stays as it is. One command runs at a time; a second one waits.
///
/// The arguments are those after the name of the program. `--notify` runs its command in the streams of the process.
pub fn call(arguments: impl IntoIterator<Item = impl Into<OsString>>, caller: Caller) -> Answer {
    static TURN: Mutex<()> = Mutex::new(());
    static PREPARED: Once = Once::new();

    PREPARED.call_once(allocator::prepare);
    let _turn = lock(&TURN);
    let arguments = arguments.into_iter().map(Into::into);
    let arguments: Vec<OsString> = [OsString::from("seedbank")]
        .into_iter()
        .chain(arguments)
        .collect();
    let (exit, output, errors) = with_caller(caller, || ended(command(arguments)));
    Answer {
        status: exit as u8,
        output: String::from_utf8_lossy(&output).into_owned(),
        errors,
    }
}

/// Reads arguments, of which the first is the name of the program, and carries out their command.
fn command(arguments: Vec<OsString>) -> Result<Exit, CliError> {
    let command = Cli::command();
    let is_command = |word: &OsStr| command.find_subcommand(word).is_some();
    let arguments = arguments::marked(arguments.into_iter(), is_command);
    Cli::try_parse_from(arguments).map_or_else(|answer| answered(&answer), carry_out)
}

/// Prints the error that ended a command. Returns the exit status.
fn ended(result: Result<Exit, CliError>) -> Exit {
    result.unwrap_or_else(|mut error| {
        if was_refused() {
            error.message += &format!("; the system refused more memory: {}", allocator::REMEDY);
        }
        error.print();
        error.exit
    })
}

/// Prints what clap answers in place of a command: help, the version, or an error in the arguments.
fn answered(answer: &clap::Error) -> Result<Exit, CliError> {
    if is_called() {
        let text = answer.render().to_string();
        if answer.use_stderr() {
            return Err(CliError::usage(text.trim_start_matches("error: ")));
        }
        output::print_line(text.trim_end());
        return Ok(Exit::Done);
    }
    match (answer.print(), answer.use_stderr()) {
        (_, true) => Ok(Exit::Usage),
        (printed, false) => error::printed(printed.map_err(Into::into)),
    }
}

/// Carries out a command.
fn carry_out(cli: Cli) -> Result<Exit, CliError> {
    log::start_logging(cli.verbose, cli.quiet);
    match cli.command {
        Command::Run(args) => run::run(&args),
        Command::Plan(args) => plan::run(&args),
        Command::Merge(args) => merge::run(&args),
        Command::Status(args) => status::run(&args),
        Command::Eval(args) => eval::run(&args),
        Command::Play(args) => play::run(&args),
        Command::Outcome(args) => outcome::run(&args),
        Command::Quotient(args) => quotient::run(&args),
        Command::Value(args) => value::run(&args),
        Command::Tchoukaillon(args) => tchoukaillon::run(&args),
        Command::Graph(args) => graph::run(&args),
        Command::Table(args) => table::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Mine(args) => mine::run(&args),
        Command::Prove(args) => prove::run(&args),
        Command::Store(args) => store::run(&args),
        Command::Init(args) => init::run(&args),
        Command::Jobs(args) => jobs::run(&args),
        Command::Schema => schema::run(),
        Command::Help(args) => help::run(&args, Cli::command()),
        Command::Completions(args) => completions::run(&args, Cli::command()),
        Command::Man(args) => man::run(&args, Cli::command()),
    }
}
