//! `seedbank tchoukaillon reconstruct`

use clap::{Args, ValueEnum};
use seedbank::engine::tchoukaillon::boards::board;
use seedbank::engine::tchoukaillon::lengths::{length, shortest};
use seedbank::engine::tchoukaillon::reconstruct::{FixedBins, Numbering, STONES_MAX, Verdict};
use serde_json::json;

use super::boards::{BINS_PRINTED, most_printed, print_board};
use super::error::printed;
use super::output::{Printer, Unprinted};
use super::progress::Meter;
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
    #[arg(long)]
    json: bool,
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
        NumberingArg::B => Numbering::B,
        NumberingArg::Beta => Numbering::Beta,
    };
    let fixed = FixedBins::new(numbering, args.bins.iter().copied());
    let fixed = fixed.map_err(|error| CliError::usage(error.to_string()))?;
    if let Some(found) = args.up_to.filter(|&found| found > STONES_MAX) {
        return Err(CliError::usage(format!(
            "--up-to {found}: boards of at most 2^120 = {STONES_MAX} stones are searched"
        )));
    }
    let threads = args.threads.map_or(0, usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(CliError::failed)?;
    pool.install(|| {
        if args.residues {
            residues(&fixed, args.json)
        } else {
            boards(&fixed, args)
        }
    })
}

/// Prints why there is no board.
fn none(out: &mut Printer, reason: &str, as_json: bool) -> Result<(), Unprinted> {
    if as_json {
        out.line(json!({ "stones": null, "bins": null, "reason": reason }))
    } else {
        out.line(format_args!("no board: {reason}"))
    }
}

fn residues(fixed: &FixedBins, as_json: bool) -> Result<Exit, CliError> {
    let mut out = Printer::new();
    if let Some(reason) = fixed.examine().contradiction() {
        return printed(none(&mut out, &reason.to_string(), as_json).and_then(|()| out.flush()));
    }
    let too_long = || {
        CliError::usage(
            "--residues: the boards repeat only after more than 2^120 stones; fix nearer bins, or leave --residues out",
        )
    };
    let period = fixed.period().ok_or_else(too_long)?;
    let found = fixed.residues().ok_or_else(too_long)?;
    let meter = Meter::new("residues", "searching", "");
    let found: Vec<u128> = found.take(RESIDUES_MAX + 1).collect();
    drop(meter);
    if found.len() > RESIDUES_MAX {
        return Err(CliError::usage(format!(
            "--residues: there are more than {RESIDUES_MAX} residues modulo {period}, too many to list; fix more bins, or \
             list the first boards with --next"
        )));
    }
    let mut print = || {
        if found.is_empty() {
            none(&mut out, &searched(period), as_json)?;
        }
        for residue in &found {
            if as_json {
                out.line(json!({
                    "residue": residue.to_string(),
                    "period": period.to_string(),
                }))?
            } else {
                out.line(format_args!("{residue} mod {period}"))?
            }
        }
        out.flush()
    };
    printed(print())
}

fn searched(period: u128) -> String {
    format!("all numbers of stones modulo the period {period} were searched")
}

fn boards(fixed: &FixedBins, args: &ReconstructArgs) -> Result<Exit, CliError> {
    let mut out = Printer::new();
    let verdict = fixed.examine();
    if let Some(reason) = verdict.contradiction() {
        let reason = reason.to_string();
        return printed(none(&mut out, &reason, args.json).and_then(|()| out.flush()));
    }
    let from = if args.long {
        shortest(fixed.farthest())
    } else {
        0
    };
    let most = args.up_to.unwrap_or(STONES_MAX);
    // Boards that agree repeat with the period, so a search of one period decides whether there are any.
    let undecided = matches!(verdict, Verdict::Undecided { .. });
    let period = fixed.period().filter(|_| undecided);
    let end = period.map_or(u128::MAX, |period| from.saturating_add(period - 1));
    let meter = Meter::new("boards", "searching", "board");
    let smallest = fixed.solutions(from, most.min(end)).next();
    let Some(smallest) = smallest else {
        let reason = match period {
            Some(period) if end <= most => searched(period),
            _ => format!("none of at most {most} stones agrees, though greater ones may"),
        };
        return printed(none(&mut out, &reason, args.json).and_then(|()| out.flush()));
    };
    let further = fixed.solutions(smallest.saturating_add(1), most);
    let further = further.take(usize::try_from(args.next).unwrap_or(usize::MAX));
    let further = further.inspect(|_| meter.add(1));
    let mut found = 0;
    let printable = most_printed();
    for stones in std::iter::once(smallest).chain(further) {
        let printed_now = if stones <= printable {
            let board = board(stones).map_err(CliError::failed)?;
            print_board(&mut out, stones, board.bins(), args.json)
        } else {
            print_long(&mut out, stones, args.json)
        };
        // Each board is printed when it is found, because the next may take long.
        if let Err(stop) = printed_now.and_then(|()| out.flush()) {
            return printed(Err(stop));
        }
        found += 1;
    }
    if found <= args.next {
        let end = format!("no further board of at most {most} stones agrees");
        tracing::info!("{end}");
    }
    Ok(Exit::Done)
}

/// Prints a number of stones whose board has too many bins to be printed.
fn print_long(out: &mut Printer, stones: u128, as_json: bool) -> Result<(), Unprinted> {
    // A length takes n^(1/3) steps, which is too many if n is near 2^120.
    let bins = if stones < 1 << 80 {
        length(stones).to_string()
    } else {
        format!("more than {BINS_PRINTED}")
    };
    if as_json {
        out.line(json!({ "stones": stones.to_string(), "bins": null }))
    } else {
        out.line(format_args!(
            "{stones} = a board of {bins} bins, too many to print"
        ))
    }
}
