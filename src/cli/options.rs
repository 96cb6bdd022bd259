//! Options that commands share, for folders, threads and memory; signals.

use std::path::PathBuf;

use clap::Args;
use seedbank::run::{Limits, Signals};

use super::error::CliError;
use super::output::end_at_once;
use super::streams;

/// The option for the folder of result sets.
#[derive(Debug, Args)]
pub(super) struct OutArgs {
    /// The folder of the result sets
    #[arg(long, value_name = "DIR", default_value = seedbank::run::OUT)]
    pub(super) out: PathBuf,
}

/// The options for the result that a command reads.
#[derive(Debug, Args)]
pub(super) struct ResultArgs {
    /// Read what there is of an unfinished result, and say how many rows that is
    #[arg(long)]
    pub(super) partial: bool,
    #[command(flatten)]
    pub(super) out: OutArgs,
}

/// The options for threads and memory.
#[derive(Debug, Args)]
pub(super) struct ResourceArgs {
    /// The number of worker threads [default: all processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) threads: Option<u16>,
    /// The memory to use at most, such as 16GiB [default: three quarters of what is free]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(super) memory: Option<bytesize::ByteSize>,
}

pub(super) fn size(text: &str) -> Result<bytesize::ByteSize, String> {
    let refuse = |_| "expected a size such as 512MiB or 16GiB".to_owned();
    text.parse().map_err(refuse)
}

/// Starts to listen for signals, or returns those that the caller passes. A second Ctrl-C prints a line and ends the process.
pub(super) fn listen() -> Result<Signals, CliError> {
    match streams::signals() {
        Some(signals) => Ok(signals),
        None => Signals::listen(end_at_once).map_err(CliError::failed),
    }
}

/// Reads a number of shards.
pub(super) fn shard_count() -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=i64::from(seedbank::run::SHARDS_MAX))
}

pub(super) fn time(text: &str) -> Result<humantime::Duration, String> {
    let refuse = |_| "expected a time such as 90s, 30m or 8h".to_owned();
    text.parse().map_err(refuse)
}

/// Returns the number of processors, which is the default of `--threads`.
pub(super) fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

impl ResourceArgs {
    pub(super) fn threads(&self) -> usize {
        self.threads.map_or_else(processors, usize::from)
    }

    pub(super) fn memory(&self) -> bytesize::ByteSize {
        self.memory.unwrap_or_else(seedbank::run::memory_available)
    }

    /// Returns the limits, without a deadline.
    pub(super) fn limits(&self) -> Limits {
        Limits::new(self.threads(), self.memory())
    }
}
