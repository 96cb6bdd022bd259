//! Jobs over sowing graphs: a row for each graph of a family.

use std::path::Path;
use std::sync::Arc;

use cggames::family::{GRAPHS_MAX, GraphPart, GraphSet};
use cggames::game::sowing_graph::BIN_STONES_MAX;
use seedbank_specs::sections::{at_most_rows, read_table};
use seedbank_specs::{Field, Fields, Problems};

use crate::run::Task;
use crate::task::kind::Sections;

/// The default of the greatest total, for graphs with infinitely many boards.
pub const TOTAL_MAX_INFINITE: u64 = 100;

/// The default of the most boards to visit in each piece of a graph.
const BOARDS_MAX: u64 = 10_000_000;

/// The default of the most boards to hold in memory.
const HELD_MAX: u64 = 4_000_000;

/// The default of the most boards on which strategies are tried.
const STRATEGY_BOARDS_MAX: u64 = 10_000;

/// The greatest limit of boards to visit or to hold that a job may give.
pub(super) const LIMIT_MAX: u64 = 1 << 40;

/// The greatest limit of boards on which strategies are tried.
pub(super) const STRATEGY_BOARDS_LIMIT_MAX: u64 = 100_000_000;

/// A job over sowing graphs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphsTask {
    /// The graphs.
    pub graphs: GraphSet,
    /// The greatest total of boards. By default, all totals of graphs with finitely many boards,
    /// and those up to [`TOTAL_MAX_INFINITE`] of others.
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

/// How `seedbank table` prints graphs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphsLayout {
    /// A line for each graph.
    List,
    /// A line for each graph: the number of boards with each total.
    Totals,
    /// A line for each graph: the number of boards on which each strategy is right.
    Strategies,
}

/// Reads the sections of a job over sowing graphs.
pub(super) fn read(
    problems: &mut Problems<'_>,
    sections: Sections<'_, '_>,
) -> Option<Arc<dyn Task>> {
    let Sections {
        others: fields,
        ruleset,
        family,
        base_dir,
        ..
    } = sections;
    if let Some(ruleset) = ruleset {
        ruleset.finish(problems);
    }
    let task = family.and_then(|family| read_family(problems, family, base_dir));
    let layout = read_table(problems, fields, &["list", "totals", "strategies"], false);
    let mut task = task?;
    task.layout = match layout?.0 {
        "totals" => GraphsLayout::Totals,
        "strategies" => GraphsLayout::Strategies,
        _ => GraphsLayout::List,
    };
    Some(Arc::new(task))
}

/// Reads `[family]`; the layout is left to the caller.
fn read_family(
    problems: &mut Problems<'_>,
    mut fields: Fields<'_>,
    base_dir: &Path,
) -> Option<GraphsTask> {
    let example = "graphs = \"path(1..=9)\", or a list of such";
    let graphs = fields
        .require(problems, "graphs", example)
        .and_then(|field| read_graphs(problems, &field, base_dir));
    let mut limit =
        |problems: &mut Problems<'_>, name, default: u64, max: u64| match fields.take(name) {
            Some(field) => field
                .integer(problems, 0, max as i64)
                .map(i64::unsigned_abs)
                .map(Some),
            None => Some(Some(default).filter(|_| name != "total_max")),
        };
    let total_max = limit(problems, "total_max", 0, BIN_STONES_MAX.into());
    let boards_max = limit(problems, "boards_max", BOARDS_MAX, LIMIT_MAX);
    let held_max = limit(problems, "held_max", HELD_MAX, LIMIT_MAX);
    let strategies = limit(
        problems,
        "strategy_boards_max",
        STRATEGY_BOARDS_MAX,
        STRATEGY_BOARDS_LIMIT_MAX,
    );
    fields.finish(problems);
    Some(GraphsTask {
        graphs: graphs?,
        total_max: total_max?,
        boards_max: boards_max??,
        held_max: held_max??,
        strategy_boards_max: strategies??,
        layout: GraphsLayout::List,
    })
}

/// Reads one family of graphs, or several.
fn read_graphs(
    problems: &mut Problems<'_>,
    field: &Field<'_>,
    base_dir: &Path,
) -> Option<GraphSet> {
    let elements = if field.value.is_array() {
        field.array(problems, "a list of families, such as [\"path(1..=9)\"]")?
    } else {
        vec![field.clone()]
    };
    let parts: Vec<Option<GraphPart>> = elements
        .iter()
        .map(|element| read_part(problems, element, base_dir))
        .collect();
    let set = GraphSet::new(parts.into_iter().collect::<Option<_>>()?);
    let found = set.len();
    at_most_rows(problems, field, "graphs", found, GRAPHS_MAX)?;
    Some(set)
}

fn read_part(problems: &mut Problems<'_>, field: &Field<'_>, base_dir: &Path) -> Option<GraphPart> {
    if field.value.as_table().is_some() {
        let mut fields = field.table(problems, "a table, such as { file = \"a.graph\" }")?;
        let file = fields.require(problems, "file", "file = \"a.graph\"");
        fields.finish(problems);
        let file = file?;
        let (path, text) = file.file(problems, base_dir)?;
        return problems.ok(&file, GraphPart::file(&path, &text));
    }
    let accepted = "a string, such as \"star(1..=4, 6)\", a table, such as { file = \"a.graph\" }, or a list of these";
    let text = field.string(problems, accepted)?;
    problems.ok(field, GraphPart::generated(text))
}
