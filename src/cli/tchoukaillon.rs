//! `seedbank tchoukaillon`: boards, lengths and plays; `reconstruct` has a file of its own

use std::mem;

use clap::{Args, Subcommand};
use seedbank::board::brief;
use seedbank::engine::tchoukaillon::boards::Boards;
use seedbank::engine::tchoukaillon::lengths::{fill, length_counted, shortest_counted};
use seedbank::family::{Number, Progression};
use seedbank::game::tchoukaillon::Board;
use seedbank::report::svg::{self, BINS_DRAWN};
use serde_json::json;

use super::arguments::numbers;
use super::boards::{BINS_PRINTED, most_printed, print_board};
use super::error::printed;
use super::output::{Printer, Unprinted, print_line};
use super::progress::Meter;
use super::reconstruct::{self, ReconstructArgs};
use super::{CliError, Exit};

/// The number of lengths computed before any of them is printed: neighbours are cheaper together.
const LENGTHS_TOGETHER: u64 = 1024;

/// The greatest step of a range at which the lengths between are computed too. Near 6,000,000, all of
/// 128 neighbours take as long as some of them alone.
const STEP_TOGETHER: u64 = 8;

/// The number of steps counted locally before the meter gets them.
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
    /// Numbers of stones, and ranges such as 1..=20 or 0..=100/5 (every fifth), printed as they are
    /// found; of boards of at most 10000000 bins, which is about 3 * 10^13 stones
    #[arg(required = true, value_name = "N")]
    stones: Vec<String>,
    /// Print one JSON object a line: stones, a string, and bins, nearest first
    #[arg(long)]
    json: bool,
    /// Print the one board as a picture in SVG, of at most 100 bins
    #[arg(long, conflicts_with = "json")]
    svg: bool,
}

#[derive(Debug, Args)]
struct LengthArgs {
    /// Lengths, and ranges such as 1..=20 or 0..=100/5 (every fifth). One takes some l^(2/3) steps:
    /// 1 s for 10^12, a hundred times as long for a length a thousand times as great
    #[arg(required = true, value_name = "L")]
    lengths: Vec<String>,
    /// Print one JSON object a line: length, and stones, both strings, as they may need more than 53 bits
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct BoardLengthArgs {
    /// Numbers of stones, and ranges such as 1..=20 or 0..=100/5 (every fifth). One takes some
    /// n^(1/3) steps: 1 s for 10^24, ten times as long for a number a thousand times as great
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
    // All numbers are checked before a board is printed; boards of more stones are no shorter.
    for range in &ranges {
        refuse_long(range.last())?;
    }
    if args.svg {
        return draw(&ranges);
    }
    let mut out = Printer::new();
    let mut last: Option<Boards> = None;
    for range in ranges {
        for stones in range.iter() {
            let near = last.take().and_then(|boards| advanced(boards, stones));
            let boards = match near {
                Some(boards) => boards,
                None => Boards::starting_at(stones).map_err(CliError::failed)?,
            };
            let bins = last.insert(boards).bins();
            if let Err(stop) = print_board(&mut out, stones, bins, args.json) {
                return printed(Err(stop));
            }
        }
        if let Err(stop) = out.flush() {
            return printed(Err(stop));
        }
    }
    Ok(Exit::Done)
}

/// Prints the picture of one board.
fn draw(ranges: &[Progression<u128>]) -> Result<Exit, CliError> {
    let [range] = ranges else {
        return Err(CliError::usage("--svg takes one number of stones"));
    };
    if range.first() != range.last() {
        return Err(CliError::usage(
            "--svg takes one number of stones, not a range",
        ));
    }
    let boards = Boards::starting_at(range.first()).map_err(CliError::failed)?;
    let bins = boards.bins();
    if bins.len() > BINS_DRAWN {
        let found = bins.len();
        return Err(CliError::usage(format!(
            "the board of {} stones has {found} bins; a picture shows at most {BINS_DRAWN}",
            range.first()
        )));
    }
    print_line(svg::board(range.first(), bins).document().trim_end());
    Ok(Exit::Done)
}

/// Returns the board of a number of stones if that takes no more moves than the board has bins.
/// Then it is cheaper than a new board.
fn advanced(mut boards: Boards, stones: u128) -> Option<Boards> {
    let moves = stones.checked_sub(boards.stones())?;
    (moves <= boards.bins().len() as u128).then(|| {
        (0..moves).for_each(|_| boards.advance());
        boards
    })
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

fn lengths(args: &LengthArgs) -> Result<Exit, CliError> {
    let ranges = ranges(&args.lengths, "length", u64::MAX)?;
    let mut out = Printer::new();
    let mut print = || -> Result<(), Unprinted> {
        for range in &ranges {
            let mut next = Some(range.first());
            while let Some(from) = next {
                let to = range.last().min(from.saturating_add(LENGTHS_TOGETHER - 1));
                // A single length is cheaper alone than in a block.
                let is_block = from < to && to < u64::MAX && range.step() <= STEP_TOGETHER;
                let fewest = if is_block {
                    let _meter = Meter::new(format!("N({from}) to N({to})"), "counting", "");
                    let mut fewest = vec![0; (to - from + 1) as usize];
                    fill(from, &mut fewest);
                    fewest
                } else {
                    vec![watched_shortest(from)]
                };
                let asked = (from..=u64::MAX).zip(fewest).step_by(range.step() as usize);
                for (length, stones) in asked {
                    if args.json {
                        out.line(json!({
                            "length": length.to_string(),
                            "stones": stones.to_string(),
                        }))?
                    } else {
                        out.line(format_args!("N({length}) = {stones}"))?
                    }
                    next = (length < range.last()).then(|| length + range.step());
                }
                out.flush()?;
            }
        }
        Ok(())
    };
    printed(print())
}

/// Returns N(l), and shows progress if that takes long.
fn watched_shortest(length: u64) -> u128 {
    let shortest = |length: u128, step: &mut dyn FnMut()| shortest_counted(length as u64, step);
    watched("N", length.into(), (1_000_000, 2.0 / 3.0), shortest)
}

/// Returns L(n), and shows progress if that takes long.
fn watched_length(stones: u128) -> u128 {
    let length = |stones: u128, step: &mut dyn FnMut()| length_counted(stones, step);
    watched("L", stones, (1_000_000_000_000, 1.0 / 3.0), length)
}

/// Returns a function of a number, and shows the progress of its steps. `sample` takes some 10^4 steps, and the steps grow
/// with this power of the number.
fn watched(
    name: &str,
    number: u128,
    (sample, power): (u128, f64),
    function: impl Fn(u128, &mut dyn FnMut()) -> u128,
) -> u128 {
    let growth = (number as f64 / sample as f64).powf(power);
    // Work of less than a second shows no progress.
    if growth < 1000.0 {
        return function(number, &mut || ());
    }
    let mut all = 0_u64;
    function(sample, &mut || all += 1);
    let meter = Meter::new(format!("{name}({number})"), "counting", "step");
    meter.set_total((all as f64 * growth) as u64);
    let mut steps = 0;
    function(number, &mut || {
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
        for range in &ranges {
            // The last board found, and the number of stones from which on boards are longer.
            let mut found: Option<(u128, u128)> = None;
            for stones in range.iter() {
                let bins = match found {
                    Some((bins, longer)) if stones < longer => bins,
                    _ => {
                        let bins = watched_length(stones);
                        let next = u64::try_from(bins + 1).ok();
                        // A length beyond 64 bits is found alone, and so is the last one.
                        let next = next.filter(|_| stones < range.last());
                        found = next.map(|next| (bins, watched_shortest(next)));
                        bins
                    }
                };
                if args.json {
                    out.line(json!({
                        "stones": stones.to_string(),
                        "length": bins.to_string(),
                    }))?
                } else {
                    out.line(format_args!("L({stones}) = {bins}"))?
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

/// Prints the plays of a board on a line, each as it is made, since memory may not hold all of them.
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
fn ranges<T: Number>(
    texts: &[String],
    what: &str,
    most: T,
) -> Result<Vec<Progression<T>>, CliError> {
    let read = |text: &String| numbers(text, what, most).map_err(CliError::usage);
    texts.iter().map(read).collect()
}

/// Reads a number that is only digits and not greater than the most.
fn number(text: &str, most: u128) -> Option<u128> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|&number| digits && number <= most)
}
