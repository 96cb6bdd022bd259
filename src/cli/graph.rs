//! `seedbank graph`

use std::fmt;
use std::fs::File;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use bytesize::ByteSize;
use clap::{ArgAction, Args};
use seedbank::engine::sowing_graph::census::Census;
use seedbank::engine::sowing_graph::enumeration::{EnumerationLimits, Extent, Stop};
use seedbank::engine::sowing_graph::finiteness::CycleKind;
use seedbank::game::sowing_graph::{BIN_STONES_MAX, Generator, GraphError, SowingGraph};
use seedbank::input;
use seedbank::report::dot;
use seedbank::report::svg::{self, VERTICES_DRAWN};
use seedbank::run::{Session, memory_available};
use seedbank::task::graphs::{GraphBoards, ListedBoard};
use serde::{Serialize, Serializer};
use serde_json::json;

use super::error::{ended_early, printed};
use super::output::{Format, Printer, Unprinted, count};
use super::progress::Display;
use super::{CliError, Exit, streams};

/// Finds the winning boards of a directed graph, which is read from a file or generated.
///
/// The file has lines such as "ruma r", "bin a b" and "c -> b -> a -> r"; "#" begins a comment;
/// vertices that are not declared are bins. The Rumas divide the graph into pieces, and each piece
/// is counted by itself. A formula counts a piece in which each bin has one way home. Any other
/// piece is counted board by board, with the boards still to visit in memory. Limits bound the
/// boards and the steps along edges. Ctrl-C ends the command; lines printed before are right.
#[derive(Debug, Args)]
pub(super) struct GraphArgs {
    /// The graph's file, or a pipe; - stands for standard input
    #[arg(
        value_name = "FILE",
        required_unless_present = "generate",
        conflicts_with = "generate"
    )]
    file: Option<PathBuf>,
    /// A generated graph instead of a file: path(BINS), star(SPOKES, LENGTH), cycle(VERTICES[, RUMAS]), grid(WIDTH, HEIGHT),
    /// ladder(RUNGS), tree(CHILDREN, DEPTH), complete(BINS), random(BINS, RUMAS, EDGES, SEED), or acyclic with the same
    /// arguments
    #[arg(long, value_name = "FAMILY(N, ...)")]
    generate: Option<String>,
    /// Print the graph as a file, and nothing else
    #[arg(long, conflicts_with_all = ["boards", "json", "total_max", "memory"])]
    print: bool,
    /// Print a picture of the graph in SVG, of at most 60 vertices, and nothing else
    #[arg(long, conflicts_with_all = ["print", "dot", "boards", "json", "total_max", "memory"])]
    svg: bool,
    /// Print the graph in DOT, the language of Graphviz, and nothing else
    #[arg(long, conflicts_with_all = ["print", "boards", "json", "total_max", "memory"])]
    dot: bool,
    /// Count boards of at most this many stones, up to 10^9 [default: 10^9 if there are finitely
    /// many, else 100]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=u64::from(BIN_STONES_MAX)))]
    total_max: Option<u64>,
    /// Look at no more than this many boards of each piece of the graph
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    boards_max: u64,
    /// Take no more than this many steps along edges in each piece of the graph, some nanoseconds
    /// each
    #[arg(long, value_name = "N", default_value_t = 1_000_000_000)]
    steps_max: u64,
    /// The memory to use at most for boards, such as 16GiB [default: three quarters of what is free]
    #[arg(long, value_name = "SIZE", value_parser = super::size)]
    memory: Option<ByteSize>,
    /// List the boards, by their stones, each with the moves of its shortest play
    #[arg(long)]
    boards: bool,
    /// Print a JSON object once the boards are counted, and with --boards one more for each board, a line each; numbers of
    /// boards are strings. With --total-max 0 it comes at once, without a count
    #[arg(long, action = ArgAction::SetTrue, value_parser = Format::of_flag())]
    json: Format,
}

pub(super) fn run(args: &GraphArgs) -> Result<Exit, CliError> {
    let (name, graph) = match (&args.file, &args.generate) {
        (Some(file), _) => read(file)?,
        (None, generate) => generated(generate.as_deref().unwrap_or_default())?,
    };
    let mut out = Printer::new();
    if args.print {
        return printed(out.part(&graph).and_then(|()| out.flush()));
    }
    if args.dot {
        return printed(out.part(dot::graph(&graph)).and_then(|()| out.flush()));
    }
    if args.svg {
        let picture = svg::graph(&name, &graph).ok_or_else(|| {
            CliError::usage(format!(
                "{name} has {} vertices; a picture shows at most {VERTICES_DRAWN}, and programs such as Graphviz draw more: \
                 seedbank graph --dot",
                graph.len()
            ))
        })?;
        return printed(out.part(picture.document()).and_then(|()| out.flush()));
    }
    let limits = EnumerationLimits {
        boards_max: args.boards_max,
        steps_max: args.steps_max,
        ..EnumerationLimits::default()
    };
    let boards = GraphBoards::new(&graph, args.total_max, limits);
    // The graph can be described even if its boards cannot be counted, and a count may take long.
    if args.json == Format::Text
        && let Err(stop) = out.line(Described(&boards)).and_then(|()| out.flush())
    {
        return printed(Err(stop));
    }
    let available = memory_available();
    let memory = args.memory.unwrap_or(available);
    let (signals, display) = (super::listen()?, Display::new());
    // The budget is for boards.
    let limits = seedbank::run::Limits::new(1, memory.max(available));
    let session = Session::new(limits, &signals, &display);
    let counted = match boards.count(&name, memory, &session) {
        Ok(counted) => counted,
        Err(error) => return ended_early(error, &signals),
    };
    display.finish();
    let report = Counted {
        boards: &boards,
        memory,
        counted: &counted,
    };
    if let Err(stop) = out.report(args.json, &report).and_then(|()| out.flush()) {
        return printed(Err(stop));
    }
    let (stop, complete) = if args.boards {
        let mut ended = Ok(());
        let listed = boards.list(&name, memory, &session, |listed| {
            ended = print_list(&mut out, args.json, &graph, listed);
            match ended {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        });
        let extent = match listed {
            Ok(extent) => extent,
            Err(error) => return ended_early(error, &signals),
        };
        if let Err(stop) = ended.and_then(|()| out.flush()) {
            return printed(Err(stop));
        }
        warn_of_end(extent, &counted);
        (extent.stop, extent.total)
    } else {
        (counted.stop, counted.total_complete)
    };
    if stop != Some(Stop::Held) {
        return Ok(Exit::Done);
    }
    let reached = match complete {
        Some(total) => format!("boards of more than {total} stones"),
        None => "any boards".to_owned(),
    };
    Err(CliError::new(
        Exit::Failed,
        format!(
            "{name}: the memory budget of {memory} does not suffice for {reached}; give more with --memory, or ask for fewer \
             stones with --total-max"
        ),
    ))
}

/// Reads a graph from a file, a pipe, or standard input for `-`; returns it with the file's name.
///
/// A pipe is right here: this command reads one text before it listens to signals, so one ends the
/// wait for the pipe's writer.
fn read(path: &Path) -> Result<(String, SowingGraph), CliError> {
    let (file, text) = if path.as_os_str() == "-" {
        (
            "standard input".to_owned(),
            input::text_of(streams::input()),
        )
    } else {
        (
            path.display().to_string(),
            File::open(path).and_then(input::text_of),
        )
    };
    let text = text.map_err(|error| CliError::usage(format!("{file} cannot be read: {error}")))?;
    let graph = text.parse().map_err(|error| match error {
        GraphError::Line { line, error } => CliError::usage(format!("{file}:{line}: {error}")),
        error => CliError::usage(format!("{file}: {error}")),
    });
    Ok((file, graph?))
}

/// Makes a graph from a text; returns it with its name.
fn generated(text: &str) -> Result<(String, SowingGraph), CliError> {
    let generator: Generator = text
        .parse()
        .map_err(|error| CliError::usage(format!("--generate: {error}")))?;
    let graph = generator
        .graph()
        .map_err(|error| CliError::usage(format!("{generator}: {error}")))?;
    Ok((generator.to_string(), graph))
}

/// A graph in words.
struct Described<'a>(&'a GraphBoards<'a>);

impl fmt::Display for Described<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let GraphBoards {
            graph, finiteness, ..
        } = self.0;
        let bins = count(graph.bins().count() as u64, "bin");
        let rumas = count(graph.rumas().count() as u64, "ruma");
        let theorem = match finiteness.cycle(graph) {
            None => "",
            Some((_, CycleKind::Mixed)) => ", the kind that Theorem 5.2 names",
            Some(_) => ", a kind that Theorem 5.2 in print overlooks",
        };
        writeln!(f, "vertices   {}: {bins}, {rumas}", graph.len())?;
        writeln!(f, "edges      {}", graph.edges().count())?;
        write!(f, "finiteness {}{theorem}", finiteness.describe(graph))
    }
}

/// The number of boards of a graph, by total.
struct Counted<'a> {
    boards: &'a GraphBoards<'a>,
    memory: ByteSize,
    counted: &'a Census,
}

impl Counted<'_> {
    /// Explains why there may be more boards, and what to do about it.
    fn why(&self, stop: Stop) -> String {
        let limits = self.boards.limits;
        match stop {
            Stop::Total => format!("{stop}: --total-max {}", limits.total_max),
            Stop::Boards => format!("{stop}: --boards-max {}", limits.boards_max),
            Stop::Steps => format!("{stop}: --steps-max {}", limits.steps_max),
            Stop::Held => format!("{stop}: --memory {}", self.memory),
            _ => stop.to_string(),
        }
    }

    /// Returns the most moves that any of the counted boards needs.
    fn moves_greatest(&self) -> Option<u64> {
        let moves = self.counted.by_total.iter().map(|row| row.moves_greatest);
        moves.max()
    }
}

impl fmt::Display for Counted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let boards = self.counted.boards();
        match (self.counted.stop, self.counted.total_complete) {
            (None, _) => write!(f, "boards     {boards}, which are all")?,
            (Some(stop), None) => write!(f, "boards     none counted: {}", self.why(stop))?,
            (Some(stop), Some(total)) => {
                let why = self.why(stop);
                write!(f, "boards     {boards} of at most {total} stones; {why}")?;
            }
        }
        let Some(moves) = self.moves_greatest() else {
            return Ok(());
        };
        let moves = count(moves, "move");
        write!(f, "\nplays      the greatest shortest play has {moves}\n")?;
        write!(f, "\nstones     boards                moves")?;
        for row in &self.counted.by_total {
            let (least, greatest) = (row.moves_least, row.moves_greatest);
            write!(f, "\n{:<10} {:<21} {least}", row.total, row.boards)?;
            if least != greatest {
                write!(f, " to {greatest}")?;
            }
        }
        Ok(())
    }
}

impl Serialize for Counted<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Counted {
            boards, counted, ..
        } = self;
        let GraphBoards {
            graph, finiteness, ..
        } = boards;
        let (cycle, kind) = finiteness.cycle(graph).unzip();
        let rows = counted.by_total.iter().map(|row| {
            json!({
                "total": row.total,
                "boards": row.boards.to_string(),
                "moves_least": row.moves_least,
                "moves_greatest": row.moves_greatest,
            })
        });
        let object = json!({
            "vertices": graph.len(),
            "edges": graph.edges().count(),
            "bins": graph.bins().map(|bin| graph.name(bin)).collect::<Vec<_>>(),
            "finite": finiteness.is_finite(),
            "finite_in_print": finiteness.is_finite_in_print(),
            "cycle": cycle,
            "cycle_kind": kind.map(CycleKind::name),
            "boards": counted.boards().to_string(),
            "complete": counted.stop.is_none(),
            "total_complete": counted.total_complete,
            "stop": counted.stop.map(|stop| self.why(stop)),
            "moves_greatest": self.moves_greatest(),
            "by_total": rows.collect::<Vec<_>>(),
        });
        object.serialize(serializer)
    }
}

/// A board of a list.
struct Listed<'a>(&'a ListedBoard);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ListedBoard {
            board,
            total,
            moves,
        } = self.0;
        write!(f, "{total:<10} {moves:<6} {board}")
    }
}

impl Serialize for Listed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ListedBoard {
            board,
            total,
            moves,
        } = self.0;
        json!({ "board": board.bins(), "total": total, "moves": moves }).serialize(serializer)
    }
}

/// Prints boards; before the first of them, when there are none yet, the names of the bins in their order.
fn print_list(
    out: &mut Printer,
    format: Format,
    graph: &SowingGraph,
    listed: &[ListedBoard],
) -> Result<(), Unprinted> {
    if listed.is_empty() && format == Format::Text {
        let names: Vec<&str> = graph.bins().map(|bin| graph.name(bin)).collect();
        out.line(format_args!("\nstones     moves  ({})", names.join(", ")))?;
    }
    let mut listed = listed.iter();
    listed.try_for_each(|listed| out.report(format, &Listed(listed)))
}

/// If the count went farther than the list, logs where the list ends.
fn warn_of_end(listed: Extent, counted: &Census) {
    if let (Some(stop), true) = (listed.stop, listed.total < counted.total_complete) {
        let reached = listed
            .total
            .map_or_else(|| "nothing".to_owned(), |t| format!("boards of {t} stones"));
        tracing::warn!(
            "the list ends with {reached}: {stop}; --boards-max and --steps-max raise the budgets"
        );
    }
}
