//! `seedbank tchoukaillon`: boards, lengths and plays; `reconstruct` has a file of its own

use std::mem;

use clap::{Args, Subcommand};
use serde_json::json;

use super::error::printed;
use super::output::{Printer, Unprinted};
use super::progress::Meter;
use super::reconstruct::{self, ReconstructArgs};
use super::{CliError, Exit};
use crate::engine::tchoukaillon::boards::Boards;
use crate::engine::tchoukaillon::lengths::{fill, length_counted, shortest, shortest_counted};
use crate::ruleset::brief;
use crate::ruleset::tchoukaillon::Board;

/// The most bins of a board that is printed: some 80 MB of text.
pub(super) const BINS_PRINTED: u64 = 10_000_000;

/// Lengths computed before any of them is printed: neighbours are cheaper together.
const LENGTHS_TOGETHER: u64 = 1024;

/// Steps counted before others see them.
const STEPS_TOGETHER: u64 = 1 << 16;

#[derive(Debug, Args)]
pub(super) struct TchoukaillonArgs {
    #[command(subcommand)]
    command: TchoukaillonCommand,
}

#[derive(Debug, Subcommand)]
enum TchoukaillonCommand {
    /// Print the winning board of n stones, nearest bin first, for each n
    Board(BoardArgs),
    /// Print N(l), the fewest stones of a winning board of length l, for each l
    Length(LengthArgs),
    /// Print L(n), the length of the winning board of n stones, for each n, without the board
    BoardLength(BoardLengthArgs),
    /// Print the bins in the order in which they are played: the nearest that can be, until none can
    Play(PlayArgs),
    /// Find boards from the stones of some bins: the one of the fewest stones, further ones, all residues
    Reconstruct(ReconstructArgs),
}

#[derive(Debug, Args)]
struct BoardArgs {
    /// Numbers of stones, and ranges such as 1..=20, printed as they are found; of boards of at most 10000000 bins, which
    /// is about 3 * 10^13 stones
    #[arg(required = true, value_name = "N")]
    stones: Vec<String>,
    /// Print one JSON object a line: stones, a string, and bins, nearest first
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct LengthArgs {
    /// Lengths, and ranges such as 1..=20. One takes some l^(2/3) steps: 1 s for 10^12, a hundred times as long for a
    /// length a thousand times as great
    #[arg(required = true, value_name = "L")]
    lengths: Vec<String>,
    /// Print one JSON object a line: length, and stones, both strings, as they may need more than 53 bits
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct BoardLengthArgs {
    /// Numbers of stones, and ranges such as 1..=20. One takes some n^(1/3) steps: 1 s for 10^24, ten times as long for a
    /// number a thousand times as great
    #[arg(required = true, value_name = "N")]
    stones: Vec<String>,
    /// Print one JSON object a line: stones, and length, both strings, as they may need more than 53 bits
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct PlayArgs {
    /// A number of stones, whose winning board is played, or a board such as '(0, 1, 3)', winning or not. A winning board
    /// of n stones has n plays
    #[arg(required = true, value_name = "BOARD")]
    boards: Vec<String>,
    /// Print one JSON object a line: bins, those of the board; plays, the bins played; left, the bins when none can be played
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &TchoukaillonArgs) -> Result<Exit, CliError> {
    match &args.command {
        TchoukaillonCommand::Board(args) => boards(args),
        TchoukaillonCommand::Length(args) => lengths(args),
        TchoukaillonCommand::BoardLength(args) => board_lengths(args),
        TchoukaillonCommand::Play(args) => plays(args),
        TchoukaillonCommand::Reconstruct(args) => reconstruct::run(args),
    }
}

fn boards(args: &BoardArgs) -> Result<Exit, CliError> {
    let ranges = ranges(&args.stones, "number of stones", u128::MAX)?;
    // All are looked at before any is printed; boards of more stones are no shorter.
    for &(_, last) in &ranges {
        refuse_long(last)?;
    }
    let mut out = Printer::new();
    let mut print_range = |first, last| -> Result<Result<(), Unprinted>, CliError> {
        let mut boards = Boards::starting_at(first).map_err(CliError::failed)?;
        loop {
            let (stones, bins) = (boards.stones(), boards.bins());
            if let Err(stop) = print_board(&mut out, stones, bins, args.json) {
                return Ok(Err(stop));
            }
            if stones == last {
                return Ok(out.flush());
            }
            boards.advance();
        }
    };
    for (first, last) in ranges {
        if let Err(stop) = print_range(first, last)? {
            return printed(Err(stop));
        }
    }
    Ok(Exit::Done)
}

/// Prints a board with its number of stones on a line.
pub(super) fn print_board(
    out: &mut Printer,
    stones: u128,
    bins: &[u32],
    as_json: bool,
) -> Result<(), Unprinted> {
    if as_json {
        return out.line(json!({ "stones": stones.to_string(), "bins": bins }));
    }
    out.part(format_args!("{stones} = ("))?;
    for (index, bin) in bins.iter().enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        out.part(format_args!("{comma}{bin}"))?;
    }
    out.line(")")
}

/// Refuses a board that has too many bins to be printed.
fn refuse_long(stones: u128) -> Result<(), CliError> {
    let most = most_printed();
    if stones <= most {
        return Ok(());
    }
    Err(CliError::usage(format!(
        "the board of {stones} stones has more than {BINS_PRINTED} bins, too many to print; boards of up to {most} stones \
         are accepted"
    )))
}

/// Returns the most stones of a board that is printed, in some 50000 steps.
pub(super) fn most_printed() -> u128 {
    shortest(BINS_PRINTED + 1) - 1
}

fn lengths(args: &LengthArgs) -> Result<Exit, CliError> {
    let ranges = ranges(&args.lengths, "length", u64::MAX.into())?;
    let mut out = Printer::new();
    let mut print = || -> Result<(), Unprinted> {
        for &(first, last) in &ranges {
            let mut next = Some(first as u64);
            while let Some(from) = next.filter(|&from| u128::from(from) <= last) {
                let left = last - u128::from(from) + 1;
                let together = left.min(LENGTHS_TOGETHER.into()) as usize;
                let mut fewest = vec![0; together];
                match from.checked_add(together as u64) {
                    // One alone is cheaper than a block with one in it.
                    Some(_) if together > 1 => {
                        let to = from + together as u64 - 1;
                        let _meter = Meter::new(format!("N({from}) to N({to})"), "counting", "");
                        fill(from, &mut fewest);
                    }
                    _ => (from..=u64::MAX)
                        .zip(&mut fewest)
                        .for_each(|(length, stones)| *stones = watched_shortest(length)),
                }
                for (length, stones) in (from..=u64::MAX).zip(fewest) {
                    match args.json {
                        true => out.line(json!({
                            "length": length.to_string(),
                            "stones": stones.to_string(),
                        }))?,
                        false => out.line(format_args!("N({length}) = {stones}"))?,
                    }
                }
                out.flush()?;
                next = from.checked_add(together as u64);
            }
        }
        Ok(())
    };
    printed(print())
}

/// Returns N(l), and logs how far it has come where that takes long.
fn watched_shortest(length: u64) -> u128 {
    let known = 1_000_000_u64;
    let growth = (length as f64 / known as f64).powf(2.0 / 3.0);
    let name = format!("N({length})");
    counted(
        &name,
        growth,
        |step| {
            shortest_counted(known, step);
        },
        |step| shortest_counted(length, step),
    )
}

/// Returns L(n), and logs how far it has come where that takes long.
fn watched_length(stones: u128) -> u128 {
    let known = 1_000_000_000_000_u128;
    let growth = (stones as f64 / known as f64).powf(1.0 / 3.0);
    let name = format!("L({stones})");
    counted(
        &name,
        growth,
        |step| {
            length_counted(known, step);
        },
        |step| length_counted(stones, step),
    )
}

/// Works with a counter of steps. All are about `growth` times those of the sample, which takes some 10^4.
fn counted<T>(
    name: &str,
    growth: f64,
    sample: impl FnOnce(&mut dyn FnMut()),
    work: impl FnOnce(&mut dyn FnMut()) -> T,
) -> T {
    // Less than a second's work is not watched.
    if growth < 1000.0 {
        return work(&mut || ());
    }
    let mut all = 0_u64;
    sample(&mut || all += 1);
    let all = all as f64 * growth;
    let meter = Meter::new(name, "counting", "step");
    meter.set_total(all as u64);
    let mut steps = 0;
    work(&mut || {
        steps += 1;
        if steps == STEPS_TOGETHER {
            meter.add(mem::take(&mut steps));
        }
    })
}

fn board_lengths(args: &BoardLengthArgs) -> Result<Exit, CliError> {
    let ranges = ranges(&args.stones, "number of stones", u128::MAX)?;
    let mut out = Printer::new();
    let mut print = || -> Result<(), Unprinted> {
        for &(first, last) in &ranges {
            let mut bins = watched_length(first);
            // The boards before this number of stones are as long; where lengths exceed 64 bits, each is found alone.
            let longer = |bins: u128| u64::try_from(bins + 1).ok().map(watched_shortest);
            let mut end = if first < last { longer(bins) } else { None };
            let mut stones = first;
            loop {
                match args.json {
                    true => out.line(json!({
                        "stones": stones.to_string(),
                        "length": bins.to_string(),
                    }))?,
                    false => out.line(format_args!("L({stones}) = {bins}"))?,
                }
                if stones == last {
                    break;
                }
                stones += 1;
                match end {
                    Some(next) if stones < next => {}
                    Some(_) => {
                        bins += 1;
                        end = longer(bins);
                    }
                    None => bins = watched_length(stones),
                }
            }
            out.flush()?;
        }
        Ok(())
    };
    printed(print())
}

fn plays(args: &PlayArgs) -> Result<Exit, CliError> {
    let mut asked = Vec::new();
    for text in &args.boards {
        let refuse =
            |error: &dyn std::fmt::Display| CliError::usage(format!("{:?}: {error}", brief(text)));
        let board = if text.contains(['(', ',']) {
            let board: Board = text.parse().map_err(|error| refuse(&error))?;
            (None, board)
        } else {
            let stones = number(text, u128::MAX).ok_or_else(|| {
                refuse(&"expected a number of stones, or a board such as (0, 1, 3)")
            })?;
            refuse_long(stones)?;
            let boards = Boards::starting_at(stones).map_err(CliError::failed)?;
            (Some(stones), Board::new(boards.bins().to_vec()))
        };
        asked.push(board);
    }
    let mut out = Printer::new();
    let mut print = || {
        for (stones, board) in &asked {
            print_plays(&mut out, *stones, board, args.json)?;
        }
        out.flush()
    };
    printed(print())
}

/// Prints the plays of a board on a line, each as it is made: there may be more than memory holds.
fn print_plays(
    out: &mut Printer,
    stones: Option<u128>,
    board: &Board,
    as_json: bool,
) -> Result<(), Unprinted> {
    match (as_json, stones) {
        (true, _) => out.part(format_args!(
            "{{\"bins\":{},\"plays\":[",
            json!(board.bins())
        ))?,
        (false, Some(stones)) => out.part(format_args!("{stones}:"))?,
        (false, None) => out.part(format_args!("{board}:"))?,
    }
    let mut plays = board.plays();
    let between = if as_json { "," } else { ", " };
    let mut before = if as_json { "" } else { " " };
    for bin in plays.by_ref() {
        out.part(format_args!("{before}{bin}"))?;
        before = between;
    }
    let left = plays.board();
    match (as_json, left.length()) {
        (true, _) => out.line(format_args!("],\"left\":{}}}", json!(left.bins()))),
        (false, 0) => out.line(""),
        (false, _) => out.line(format_args!("; no bin of {left} can be played")),
    }
}

/// Reads numbers and ranges of them.
fn ranges(texts: &[String], what: &str, most: u128) -> Result<Vec<(u128, u128)>, CliError> {
    let read = |text: &String| {
        let parsed = match text.split_once("..=") {
            Some((first, last)) => number(first, most).zip(number(last, most)),
            None => number(text, most).map(|one| (one, one)),
        };
        parsed.filter(|(first, last)| first <= last).ok_or_else(|| {
            CliError::usage(format!(
                "{:?} is no {what}; write a number from 0 to {most}, or a range such as 1..=20",
                brief(text)
            ))
        })
    };
    texts.iter().map(read).collect()
}

/// Reads a number that is only digits and not greater than the most.
fn number(text: &str, most: u128) -> Option<u128> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|&number| digits && number <= most)
}
