//! `seedbank tchoukaillon reconstruct`

use std::fmt;
use std::ops::ControlFlow;

use bytesize::ByteSize;
use clap::{ArgAction, Args, ValueEnum};
use seedbank::engine::tchoukaillon::boards::board;
use seedbank::engine::tchoukaillon::lengths::length;
use seedbank::engine::tchoukaillon::reconstruct::{FixedBins, STONES_MAX};
use seedbank::family::BinNumbering;
use seedbank::run::{Limits, Session, Signals};
use seedbank::task::reconstructions::{NoBoard, Residues, reconstruct, residues};
use serde::Serialize;

use super::boards::{BINS_PRINTED, BoardLine, most_printed};
use super::error::printed;
use super::options::processors;
use super::output::{Format, Printer, as_text, emit, unprinted};
use super::progress::Display;
use super::{CliError, Exit};

/// The most residues that are listed; they are counted before any is printed.
const RESIDUES_MAX: usize = 1_000_000;

/// Finds boards by an exact search, in rising order of stones.
///
/// Let k be the farthest fixed bin. Up to n stones the search visits n/k^2 places. A place takes some nanoseconds, and some
/// more for each bin between k and the next fixed bin. All boards that agree repeat with the period lcm(2, ..., k+1).
/// Ctrl-C ends the search, --up-to bounds it.
#[derive(Debug, Args)]
pub(super) struct ReconstructArgs {
    /// How bins are numbered: b, from 1 beside the Ruma, or beta, from 2 beside the Ruma
    #[arg(long, value_enum)]
    numbering: NumberingArg,
    /// A bin and its stones, such as 3=1; give all known bins
    #[arg(long = "bin", required = true, value_name = "BIN=STONES", value_parser = bin)]
    bins: Vec<(u64, u64)>,
    /// Print this number of further boards, in rising order of stones
    #[arg(long, value_name = "K", default_value_t = 0)]
    next: u64,
    /// Print all residues modulo the period, at most 1000000, instead: the numbers of stones of all boards that agree are
    /// these plus multiples of the period
    #[arg(long, conflicts_with_all = ["next", "long", "up_to"])]
    residues: bool,
    /// Find only boards at least as long as the farthest fixed bin
    #[arg(long)]
    long: bool,
    /// Find only boards of at most this number of stones [default: 2^120]
    #[arg(long, value_name = "N")]
    up_to: Option<u128>,
    /// The number of worker threads [default: all processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print one JSON object a line: stones, a string, and bins; or residue and period, both strings; or reason, where no
    /// board agrees
    #[arg(long, action = ArgAction::SetTrue, value_parser = Format::of_flag())]
    json: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum NumberingArg {
    /// From 1 beside the Ruma: bin i holds 0 to i stones
    B,
    /// From 2 beside the Ruma: bin i holds 0 to i - 1 stones
    Beta,
}

fn bin(text: &str) -> Result<(u64, u64), String> {
    let parse = |number: &str| number.trim().parse::<u64>().ok();
    let parts = text.split_once('=');
    parts
        .and_then(|(bin, stones)| parse(bin).zip(parse(stones)))
        .ok_or_else(|| "expected a bin and its stones, such as 3=1".to_owned())
}

pub(super) fn run(args: &ReconstructArgs) -> Result<Exit, CliError> {
    let numbering = match args.numbering {
        NumberingArg::B => BinNumbering::B,
        NumberingArg::Beta => BinNumbering::Beta,
    };
    let fixed = FixedBins::new(numbering, args.bins.iter().copied());
    let fixed = fixed.map_err(|error| CliError::usage(error.to_string()))?;
    if let Some(found) = args.up_to.filter(|&found| found > STONES_MAX) {
        return Err(CliError::usage(format!(
            "--up-to {found}: boards of at most 2^120 = {STONES_MAX} stones are searched"
        )));
    }
    let threads = args.threads.map_or_else(processors, usize::from);
    // A signal ends the process: nothing is lost.
    let (signals, display) = (Signals::default(), Display::new());
    let session = Session::new(Limits::new(threads, ByteSize(u64::MAX)), &signals, &display);
    if args.residues {
        list_residues(&fixed, args, &session)
    } else {
        list_boards(&fixed, args, &session)
    }
}

/// An answer, as it is printed.
#[derive(Serialize)]
#[serde(untagged)]
enum Answer {
    /// A number of stones whose board has too many bins to be printed.
    Long {
        bins: (),
        #[serde(serialize_with = "as_text")]
        stones: u128,
        #[serde(skip)]
        length: String,
    },
    Residue {
        #[serde(serialize_with = "as_text")]
        period: u128,
        #[serde(serialize_with = "as_text")]
        residue: u128,
    },
    None {
        bins: (),
        #[serde(serialize_with = "as_text")]
        reason: NoBoard,
        stones: (),
    },
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Long { stones, length, .. } => {
                write!(f, "{stones} = a board of {length} bins, too many to print")
            }
            Answer::Residue { period, residue } => write!(f, "{residue} mod {period}"),
            Answer::None { reason, .. } => write!(f, "no board: {reason}"),
        }
    }
}

impl Answer {
    fn none(reason: NoBoard) -> Answer {
        Answer::None {
            bins: (),
            reason,
            stones: (),
        }
    }

    fn long(stones: u128) -> Answer {
        Answer::Long {
            bins: (),
            stones,
            // A length takes n^(1/3) steps, which is too many if n is near 2^120.
            length: if stones < 1 << 80 {
                length(stones).to_string()
            } else {
                format!("more than {BINS_PRINTED}")
            },
        }
    }
}

fn list_residues(
    fixed: &FixedBins,
    args: &ReconstructArgs,
    session: &Session<'_>,
) -> Result<Exit, CliError> {
    let answers: Vec<Answer> = match residues(fixed, RESIDUES_MAX, session)? {
        Residues::None(reason) => vec![Answer::none(reason)],
        Residues::Found { residues, period } => {
            let answer = |residue| Answer::Residue { period, residue };
            residues.into_iter().map(answer).collect()
        }
        Residues::TooMany(period) => {
            return Err(CliError::usage(format!(
                "--residues: there are more than {RESIDUES_MAX} residues modulo {period}, too many to list; fix more bins, or \
                 list the first boards with --next"
            )));
        }
        Residues::TooFar => {
            return Err(CliError::usage(
                "--residues: the boards repeat only after more than 2^120 stones; fix nearer bins, or leave --residues out",
            ));
        }
    };
    let mut out = Printer::new();
    let mut answers = answers.iter();
    let listed = answers.try_for_each(|answer| out.report(args.json, answer));
    printed(listed.and_then(|()| out.flush()))
}

fn list_boards(
    fixed: &FixedBins,
    args: &ReconstructArgs,
    session: &Session<'_>,
) -> Result<Exit, CliError> {
    let most = args.up_to.unwrap_or(STONES_MAX);
    let printable = most_printed();
    let (mut found, mut failed) = (0, None);
    let none = reconstruct(fixed, args.long, args.next, most, session, |stones| {
        // Each board is printed when it is found, because the next may take long.
        if stones > printable {
            emit(args.json, &Answer::long(stones));
        } else {
            match board(stones) {
                Ok(board) => emit(args.json, &BoardLine::new(stones, board.bins())),
                Err(error) => failed = Some(error),
            }
        }
        found += 1;
        if failed.is_some() || unprinted().is_some() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    })?;
    if let Some(error) = failed {
        return Err(CliError::failed(error));
    }
    if let Some(reason) = none {
        emit(args.json, &Answer::none(reason));
    } else if unprinted().is_none() && found <= args.next {
        tracing::info!("no further board of at most {most} stones agrees");
    }
    Ok(Exit::Done)
}
