//! Jobs over sowing graphs: a row for each graph of a family.

use std::path::Path;
use std::sync::Arc;

use cggames::family::{GRAPHS_MAX, GraphPart, GraphSet};
use cggames::game::sowing_graph::BIN_STONES_MAX;
use seedbank_specs::form::{Form, integer, one_or_more, table, table_or, text};
use seedbank_specs::{choice, keys};

use crate::run::Task;
use crate::task::forms::file;
use crate::task::kind::Spec;

/// The default of the most boards to visit in each piece of a graph.
const BOARDS_MAX: u64 = 10_000_000;

/// The default of the most boards to hold in memory.
const HELD_MAX: u64 = 4_000_000;

/// The default of the most boards on which strategies are tried.
const STRATEGY_BOARDS_MAX: u64 = 10_000;

/// The greatest limit of boards to visit or to hold that a job may give.
const LIMIT_MAX: u64 = 1 << 40;

/// The greatest limit of boards on which strategies are tried.
const STRATEGY_BOARDS_LIMIT_MAX: u64 = 100_000_000;

/// A job over sowing graphs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphsTask {
    /// The graphs.
    pub graphs: GraphSet,
    /// The greatest total of boards. By default, all totals of graphs with finitely many boards,
    /// and those up to 100 of others.
    pub total_max: Option<u64>,
    /// The most boards to visit in each piece of a graph.
    pub boards_max: u64,
    /// The most boards to hold in memory.
    pub held_max: u64,
    /// The most boards on which strategies are tried; 0 for none.
    pub strategy_boards_max: u64,
    /// How the result is printed.
    pub layout: GraphsLayout,
}

choice! {
    /// How `seedbank table` prints graphs.
    pub enum GraphsLayout {
        /// A line for each graph.
        List = "list",
        /// A line for each graph: the number of boards with each total.
        Totals = "totals",
        /// A line for each graph: the number of boards on which each strategy is right.
        Strategies = "strategies",
    }
}

/// The sections of a job over sowing graphs.
pub(super) fn spec(spec: &mut Spec<'_, '_, '_>) -> Option<Arc<dyn Task>> {
    let base_dir = spec.base_dir;
    let family = spec.family(keys!({
        /// generators such as "star(1..=4, 6)", or files
        graphs: graphs(base_dir), required "graphs = \"path(1..=9)\", or a list of such";
        /// the most stones of a board that is counted
        total_max: integer(0, BIN_STONES_MAX.into()), optional;
        /// the most boards looked at in each piece of a graph
        boards_max: integer(0, LIMIT_MAX), default BOARDS_MAX;
        /// the most boards held at one time on each thread
        held_max: integer(0, LIMIT_MAX), default HELD_MAX;
        /// the most boards on which strategies are tried
        strategy_boards_max: integer(0, STRATEGY_BOARDS_LIMIT_MAX), default STRATEGY_BOARDS_MAX;
    }));
    let layout = spec.layout(GraphsLayout::NAMED);
    let (graphs, total_max, boards_max, held_max, strategy_boards_max) = family?;
    Some(Arc::new(GraphsTask {
        graphs,
        total_max,
        boards_max,
        held_max,
        strategy_boards_max,
        layout: layout?,
    }))
}

/// One family of graphs, or several.
fn graphs(base_dir: &Path) -> Form<'_, GraphSet> {
    let accepted = "a string, such as \"star(1..=4, 6)\", a table, such as { file = \"a.graph\" }, or a list of these";
    let named = keys!({
        /// a graph, by its path from the spec's folder
        file: file(base_dir).try_map(|(path, text)| GraphPart::file(&path, &text)),
            required "file = \"a.graph\"";
    });
    let part = table_or(
        text(accepted).try_map(|text| GraphPart::generated(&text)),
        table("a table, such as { file = \"a.graph\" }", named),
    );
    one_or_more("a list of families, such as [\"path(1..=9)\"]", part)
        .map(GraphSet::new)
        .at_most("graphs", GRAPHS_MAX, GraphSet::len)
}
