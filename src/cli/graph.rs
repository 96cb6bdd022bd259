//! `seedbank graph`

use std::fs::File;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use bytesize::ByteSize;
use clap::Args;
use seedbank::engine::sowing_graph::census::{Census, census};
use seedbank::engine::sowing_graph::enumeration::{Extent, Limits, Stop, bytes_a_board, enumerate};
use seedbank::engine::sowing_graph::finiteness::{CycleKind, Finiteness, finiteness};
use seedbank::game::sowing_graph::{BIN_STONES_MAX, Board, Generator, GraphError, SowingGraph};
use seedbank::input;
use seedbank::report::svg::{self, VERTICES_DRAWN};
use seedbank::task::graphs::TOTAL_MAX_INFINITE;
use serde_json::{Value, json};

use super::error::printed;
use super::output::{Printer, Unprinted};
use super::progress::Meter;
use super::{CliError, Exit};

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
    #[arg(long)]
    json: bool,
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
        return printed(out.part(dot(&graph)).and_then(|()| out.flush()));
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
    let finiteness = finiteness(&graph);
    let total_max = args.total_max.unwrap_or(if finiteness.is_finite() {
        BIN_STONES_MAX.into()
    } else {
        TOTAL_MAX_INFINITE
    });
    let memory = args.memory.unwrap_or_else(seedbank::run::memory_available);
    // A graph with too many bins for an enumeration may still have pieces that are small enough.
    let bytes = bytes_a_board(&graph, total_max).unwrap_or(64);
    let limits = Limits {
        total_max,
        boards_max: args.boards_max,
        steps_max: args.steps_max,
        held_max: memory.as_u64() / bytes,
    };
    let about = About {
        graph: &graph,
        finiteness: &finiteness,
        limits,
        memory,
    };
    // The graph can be described even if its boards cannot be counted.
    if !args.json
        && let Err(stop) = about.print_head(&mut out)
    {
        return printed(Err(stop));
    }
    let cannot =
        |error: &dyn std::fmt::Display| CliError::new(Exit::Failed, format!("{name}: {error}"));
    let too_little = |total: Option<u64>| {
        let reached = match total {
            Some(total) => format!("boards of more than {total} stones"),
            None => "any boards".to_owned(),
        };
        let error = format!(
            "the memory budget of {memory} does not suffice for {reached}; give more with --memory, or ask for fewer stones \
             with --total-max"
        );
        cannot(&error)
    };
    let meter = Meter::new(name.clone(), "counting boards", "");
    let counted = census(&graph, limits).map_err(|error| cannot(&error))?;
    drop(meter);
    let summed = if args.json {
        out.line(about.json(&counted))
    } else {
        about.print_census(&mut out, &counted)
    };
    if let Err(stop) = summed.and_then(|()| out.flush()) {
        return printed(Err(stop));
    }
    if !args.boards {
        return match counted.stop {
            Some(Stop::Held) => Err(too_little(counted.total_complete)),
            _ => Ok(Exit::Done),
        };
    }
    // Boards of one total wait until the total is complete.
    let waiting = 64 + 4 * graph.bins().count() as u64;
    let limits = Limits {
        held_max: memory.as_u64() / (bytes + waiting),
        ..limits
    };
    let mut list = List::new(&graph, &mut out, args.json);
    let meter = Meter::new(name.clone(), "listing boards", "");
    let extent = enumerate(&graph, limits, |board| {
        list.visit(board.total, board.labels, board.moves)
    });
    drop(meter);
    let extent = extent.map_err(|error| cannot(&error))?;
    let ended = printed(list.end(extent, &counted).and_then(|()| out.flush()))?;
    match extent.stop {
        Some(Stop::Held) => Err(too_little(extent.total)),
        _ => Ok(ended),
    }
}

/// Returns the graph in the language of Graphviz, Rumas as boxes.
fn dot(graph: &SowingGraph) -> String {
    let mut text = "digraph sowing {\n    rankdir=RL;\n    node [shape=circle];\n".to_owned();
    for ruma in graph.rumas() {
        text.push_str(&format!("    {:?} [shape=box];\n", graph.name(ruma)));
    }
    for bin in graph.bins() {
        text.push_str(&format!("    {:?};\n", graph.name(bin)));
    }
    for (from, to) in graph.edges() {
        text.push_str(&format!(
            "    {:?} -> {:?};\n",
            graph.name(from),
            graph.name(to)
        ));
    }
    text + "}\n"
}

/// Reads a graph from a file, a pipe, or standard input for `-`; returns it with the file's name.
///
/// A pipe is right here: this command reads one text and listens to no signals, so one ends the wait
/// for the pipe's writer.
fn read(path: &Path) -> Result<(String, SowingGraph), CliError> {
    let (file, text) = if path.as_os_str() == "-" {
        (
            "standard input".to_owned(),
            input::text_of(io::stdin().lock()),
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

/// A graph and the counts of its boards.
struct About<'a> {
    graph: &'a SowingGraph,
    finiteness: &'a Finiteness,
    limits: Limits,
    memory: ByteSize,
}

impl About<'_> {
    fn print_head(&self, out: &mut Printer) -> Result<(), Unprinted> {
        let rumas = self.graph.rumas().count();
        let bins = self.graph.bins().count();
        let plural = |count: usize, noun: &str| match count {
            1 => format!("1 {noun}"),
            _ => format!("{count} {noun}s"),
        };
        out.line(format_args!(
            "vertices   {}: {}, {}",
            self.graph.len(),
            plural(bins, "bin"),
            plural(rumas, "ruma")
        ))?;
        out.line(format_args!("edges      {}", self.graph.edges().count()))?;
        let theorem = match self.finiteness {
            Finiteness::Finite { .. } => "",
            Finiteness::Infinite {
                kind: CycleKind::Mixed,
                ..
            } => ", the kind that Theorem 5.2 names",
            Finiteness::Infinite { .. } => ", a kind that Theorem 5.2 in print overlooks",
        };
        let described = self.finiteness.describe(self.graph);
        out.line(format_args!("finiteness {described}{theorem}"))?;
        // A count may take long.
        out.flush()
    }

    fn print_census(&self, out: &mut Printer, counted: &Census) -> Result<(), Unprinted> {
        let boards = counted.boards();
        match (counted.stop, counted.total_complete) {
            (None, _) => out.line(format_args!("boards     {boards}, which are all"))?,
            (Some(stop), None) => {
                out.line(format_args!("boards     none counted: {}", self.why(stop)))?;
            }
            (Some(stop), Some(total)) => out.line(format_args!(
                "boards     {boards} of at most {total} stones; {}",
                self.why(stop)
            ))?,
        }
        let Some(moves) = moves_greatest(counted) else {
            return Ok(());
        };
        out.line(format_args!(
            "plays      the greatest shortest play has {moves} move{}",
            if moves == 1 { "" } else { "s" }
        ))?;
        out.line("")?;
        out.line("stones     boards                moves")?;
        for row in &counted.by_total {
            let boards = row.boards.to_string();
            let moves = if row.moves_least == row.moves_greatest {
                row.moves_least.to_string()
            } else {
                format!("{} to {}", row.moves_least, row.moves_greatest)
            };
            out.line(format_args!("{:<10} {boards:<21} {moves}", row.total))?;
        }
        Ok(())
    }

    /// Explains why there may be more boards, and what to do about it.
    fn why(&self, stop: Stop) -> String {
        match stop {
            Stop::Total => format!("{stop}: --total-max {}", self.limits.total_max),
            Stop::Boards => format!("{stop}: --boards-max {}", self.limits.boards_max),
            Stop::Steps => format!("{stop}: --steps-max {}", self.limits.steps_max),
            Stop::Held => format!("{stop}: --memory {}", self.memory),
            _ => stop.to_string(),
        }
    }

    fn json(&self, counted: &Census) -> Value {
        let (cycle, kind) = match self.finiteness {
            Finiteness::Finite { .. } => (Value::Null, Value::Null),
            Finiteness::Infinite { cycle, kind } => {
                let names: Vec<&str> = cycle.iter().map(|&at| self.graph.name(at)).collect();
                (json!(names), json!(kind.name()))
            }
        };
        let rows = counted.by_total.iter().map(|row| {
            json!({
                "total": row.total,
                "boards": row.boards.to_string(),
                "moves_least": row.moves_least,
                "moves_greatest": row.moves_greatest,
            })
        });
        let bins = self.graph.bins().map(|bin| self.graph.name(bin));
        json!({
            "vertices": self.graph.len(),
            "edges": self.graph.edges().count(),
            "bins": bins.collect::<Vec<&str>>(),
            "finite": self.finiteness.is_finite(),
            "finite_in_print": self.finiteness.is_finite_in_print(),
            "cycle": cycle,
            "cycle_kind": kind,
            "boards": counted.boards().to_string(),
            "complete": counted.stop.is_none(),
            "total_complete": counted.total_complete,
            "stop": counted.stop.map(|stop| self.why(stop)),
            "moves_greatest": moves_greatest(counted),
            "by_total": rows.collect::<Vec<Value>>(),
        })
    }
}

/// Returns the most moves that any of the counted boards needs.
fn moves_greatest(counted: &Census) -> Option<u64> {
    counted.by_total.iter().map(|row| row.moves_greatest).max()
}

/// The list of boards. Boards of one total wait until the total is complete, because an enumeration that stops at a limit has
/// visited only some boards of the total that it was in.
struct List<'a> {
    graph: &'a SowingGraph,
    out: &'a mut Printer,
    as_json: bool,
    total: u64,
    waiting: Vec<(Board, u64)>,
    ended: Result<(), Unprinted>,
}

impl<'a> List<'a> {
    fn new(graph: &'a SowingGraph, out: &'a mut Printer, as_json: bool) -> List<'a> {
        List {
            graph,
            out,
            as_json,
            total: 0,
            waiting: Vec::new(),
            ended: Ok(()),
        }
    }

    fn visit(&mut self, total: u64, labels: &[u32], moves: u64) -> ControlFlow<()> {
        if total > self.total || self.waiting.is_empty() {
            if self.waiting.is_empty() {
                // The names of the bins, in the order of the boards, come before the first board.
                self.ended = self.print_names();
            } else {
                self.ended = self.print_waiting();
            }
            if self.ended.is_err() {
                return ControlFlow::Break(());
            }
            self.total = total;
        }
        self.waiting
            .push((Board::from_labels(self.graph, labels), moves));
        ControlFlow::Continue(())
    }

    fn print_names(&mut self) -> Result<(), Unprinted> {
        if self.as_json {
            return Ok(());
        }
        let names: Vec<&str> = self.graph.bins().map(|bin| self.graph.name(bin)).collect();
        self.out.line("")?;
        self.out
            .line(format_args!("stones     moves  ({})", names.join(", ")))
    }

    fn print_waiting(&mut self) -> Result<(), Unprinted> {
        let total = self.total;
        for (board, moves) in self.waiting.drain(..) {
            if self.as_json {
                self.out.line(json!({
                    "board": board.bins(),
                    "total": total,
                    "moves": moves,
                }))?
            } else {
                self.out
                    .line(format_args!("{total:<10} {moves:<6} {board}"))?
            }
        }
        Ok(())
    }

    /// Prints the waiting boards if their total is complete. If the count went farther than the list, prints where the list
    /// ends.
    fn end(mut self, extent: Extent, counted: &Census) -> Result<(), Unprinted> {
        std::mem::replace(&mut self.ended, Ok(()))?;
        if extent.total.is_some_and(|complete| self.total <= complete) {
            self.print_waiting()?;
        }
        if extent.total < counted.total_complete
            && let Some(stop) = extent.stop
        {
            let reached = extent
                .total
                .map_or_else(|| "nothing".to_owned(), |t| format!("boards of {t} stones"));
            tracing::warn!(
                "the list ends with {reached}: {stop}; --boards-max and --steps-max raise the budgets"
            );
        }
        Ok(())
    }
}
