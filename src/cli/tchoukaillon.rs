//! `seedbank tchoukaillon`: boards, lengths and plays; `reconstruct` has a file of its own

use std::cell::RefCell;
use std::fmt;

use clap::{ArgAction, Args, Subcommand};
use seedbank::board::brief;
use seedbank::engine::tchoukaillon::boards::{Boards, board};
use seedbank::family::{Number, Progression};
use seedbank::game::tchoukaillon::TchoukaillonBoard;
use seedbank::report::svg::{self, BINS_DRAWN};
use seedbank::task::lengths::{fewest_by_length, lengths_by_stones};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use super::arguments::numbers;
use super::boards::{BINS_PRINTED, BoardLine, most_printed};
use super::error::printed;
use super::output::{Format, Printer, as_text, print_line};
use super::progress::Display;
use super::reconstruct::{self, ReconstructArgs};
use super::{CliError, Exit};

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
    #[arg(long, action = ArgAction::SetTrue, value_parser = Format::of_flag())]
    json: Format,
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
    #[arg(long, action = ArgAction::SetTrue, value_parser = Format::of_flag())]
    json: Format,
}

#[derive(Debug, Args)]
struct BoardLengthArgs {
    /// Numbers of stones, and ranges such as 1..=20 or 0..=100/5 (every fifth). One takes some
    /// n^(1/3) steps: 1 s for 10^24, ten times as long for a number a thousand times as great
    #[arg(required = true, value_name = "N")]
    stones: Vec<String>,
    /// Print one JSON object a line: stones, and length, both strings, as they may need more than 53 bits
    #[arg(long, action = ArgAction::SetTrue, value_parser = Format::of_flag())]
    json: Format,
}

#[derive(Debug, Args)]
struct PlayArgs {
    /// A number of stones, whose winning board is played, or a board such as '(0, 1, 3)', winning or not. A winning board
    /// of n stones has n plays
    #[arg(required = true, value_name = "BOARD")]
    boards: Vec<String>,
    /// Print one JSON object a line: bins, those of the board; plays, the bins played; left, the bins when none can be played
    #[arg(long, action = ArgAction::SetTrue, value_parser = Format::of_flag())]
    json: Format,
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
    let mut boards = Boards::starting_at(0).map_err(CliError::failed)?;
    for range in ranges {
        for stones in range.iter() {
            boards.seek(stones).map_err(CliError::failed)?;
            let line = out.report(args.json, &BoardLine::new(stones, boards.bins()));
            if let Err(stop) = line {
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
    let (mut out, display) = (Printer::new(), Display::new());
    let mut print = |fewest: &[(u64, u128)]| {
        for &(length, stones) in fewest {
            out.report(args.json, &LengthLine::fewest(length, stones))?;
        }
        out.flush()
    };
    let mut ranges = ranges.into_iter();
    printed(ranges.try_for_each(|range| fewest_by_length(range, &display, &mut print)))
}

fn board_lengths(args: &BoardLengthArgs) -> Result<Exit, CliError> {
    let ranges = ranges(&args.stones, "number of stones", u128::MAX)?;
    let (mut out, display) = (Printer::new(), Display::new());
    let mut ranges = ranges.into_iter();
    printed(ranges.try_for_each(|range| {
        lengths_by_stones(range, &display, |stones, length| {
            out.report(args.json, &LengthLine::of_board(stones, length))
        })?;
        out.flush()
    }))
}

fn plays(args: &PlayArgs) -> Result<Exit, CliError> {
    let mut asked = Vec::new();
    for text in &args.boards {
        let refuse =
            |error: &dyn fmt::Display| CliError::usage(format!("{:?}: {error}", brief(text)));
        asked.push(if text.contains(['(', ',']) {
            let board: TchoukaillonBoard = text.parse().map_err(|error| refuse(&error))?;
            Plays {
                name: board.to_string(),
                board,
            }
        } else {
            let stones = number(text, u128::MAX).ok_or_else(|| {
                refuse(&"expected a number of stones, or a board such as (0, 1, 3)")
            })?;
            refuse_long(stones)?;
            Plays {
                name: stones.to_string(),
                board: board(stones).map_err(CliError::failed)?,
            }
        });
    }
    let mut out = Printer::new();
    let mut asked = asked.iter();
    let plays = asked.try_for_each(|plays| out.report(args.json, plays));
    printed(plays.and_then(|()| out.flush()))
}

/// A length with the fewest stones of its boards, or a number of stones with the length of its board.
#[derive(Serialize)]
struct LengthLine {
    #[serde(serialize_with = "as_text")]
    length: u128,
    #[serde(serialize_with = "as_text")]
    stones: u128,
    #[serde(skip)]
    text: String,
}

impl LengthLine {
    fn fewest(length: u64, stones: u128) -> LengthLine {
        LengthLine {
            length: length.into(),
            stones,
            text: format!("N({length}) = {stones}"),
        }
    }

    fn of_board(stones: u128, length: u128) -> LengthLine {
        LengthLine {
            length,
            stones,
            text: format!("L({stones}) = {length}"),
        }
    }
}

impl fmt::Display for LengthLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A board and its plays, each of which is printed as it is made, since memory may not hold all of them.
struct Plays {
    /// The board as it was given.
    name: String,
    board: TchoukaillonBoard,
}

impl fmt::Display for Plays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.name)?;
        let mut plays = self.board.plays();
        let mut before = " ";
        for bin in plays.by_ref() {
            write!(f, "{before}{bin}")?;
            before = ", ";
        }
        match plays.board() {
            left if left.length() == 0 => Ok(()),
            left => write!(f, "; no bin of {left} can be played"),
        }
    }
}

impl Serialize for Plays {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Made<I>(RefCell<I>);
        impl<I: Iterator<Item: Serialize>> Serialize for Made<I> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_seq(self.0.borrow_mut().by_ref())
            }
        }
        let plays = Made(RefCell::new(self.board.plays()));
        let mut object = serializer.serialize_struct("Plays", 3)?;
        object.serialize_field("bins", self.board.bins())?;
        object.serialize_field("plays", &plays)?;
        object.serialize_field("left", plays.0.borrow().board().bins())?;
        object.end()
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
