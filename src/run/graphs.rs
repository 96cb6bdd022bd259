//! Sowing graphs: a row for each graph of a family.
//!
//! Rows do not depend on one another, and each is made on one thread. A graph whose boards are many holds them within the
//! job's limits, which belong to what the job means: they decide what its rows say.

use std::sync::Arc;

use super::plain::{Maker, Shards, bytes_of_threads};
use super::supervise::Context;
use super::{Outcome, RunError, plain};
use crate::dataset::GraphRow;
use crate::engine::sowing_graph::census::{Census, CensusError, TotalRow, census_until};
use crate::engine::sowing_graph::cycle::CycleBoard;
use crate::engine::sowing_graph::finiteness::{CycleKind, Finiteness, finiteness};
use crate::engine::sowing_graph::greedy::{Fate, fate_until};
use crate::engine::sowing_graph::play::Strategy;
use crate::engine::sowing_graph::sweep::{Limits, Stop};
use crate::engine::sowing_graph::tree::InTree;
use crate::family::GraphMember;
use crate::job::GraphsTask;
use crate::job::graphs::TOTAL_MAX_INFINITE;
use crate::ruleset::sowing_graph::{BIN_STONES_MAX, GraphFamily};

/// The graphs of a shard.
pub(super) const SHARD_ROWS: u64 = 64;

/// What a board that is kept takes at most: a key of 16 bytes, doubles, and lists that grow.
const BYTES_A_BOARD: u64 = 64;

/// What a board takes on which strategies are tried: its labels and what is known of it.
const BYTES_A_TRIED_BOARD: u64 = 256;

/// The most steps of a census, some nanoseconds each.
const STEPS_MAX: u64 = 20_000_000_000;

/// The most steps for each strategy, less than a minute's work.
const STRATEGY_STEPS_MAX: u64 = 2_000_000_000;

/// How many boards of a cycle are made between two looks whether that is still wanted.
const BOARDS_A_LOOK: u64 = 1 << 12;

/// Runs a job over sowing graphs.
pub(super) fn run_graphs(
    context: Context<'_>,
    task: &GraphsTask,
    pool: &rayon::ThreadPool,
) -> Result<Outcome, RunError> {
    let threads = pool.current_num_threads() as u64;
    plain::run(context, &GraphsMaker { task, threads }, pool)
}

/// Makes the rows of table `graphs`.
struct GraphsMaker<'j> {
    task: &'j GraphsTask,
    threads: u64,
}

impl Maker for GraphsMaker<'_> {
    type Row = GraphRow;

    fn bytes_needed(&self, _: u64) -> (u64, &'static str) {
        let tried = self
            .task
            .strategy_boards_max
            .saturating_mul(BYTES_A_TRIED_BOARD);
        let each = self
            .task
            .held_max
            .saturating_mul(BYTES_A_BOARD)
            .saturating_add(tried);
        let all = bytes_of_threads(self.threads, each);
        (all, "boards of graphs, at most held_max on each thread")
    }

    fn make(&self, shards: &Shards<'_>) -> Result<(), RunError> {
        shards.in_parallel(|shard, ranks| {
            let mut writer = shards.writer::<GraphRow>(shard)?;
            for rank in ranks {
                let row = self.row(&self.task.graphs.get(rank), &|| shards.go_on().is_err());
                // Of a row that was cut short nothing is of use.
                shards.go_on()?;
                shards.push(&mut writer, &row)?;
                shards.count(1);
            }
            writer.commit()?;
            Ok(())
        })
    }
}

impl GraphsMaker<'_> {
    /// Makes the row of a graph, or, once `stop` says so, one that is of no use.
    fn row(&self, member: &GraphMember, stop: &dyn Fn() -> bool) -> GraphRow {
        let graph = &member.graph;
        let finiteness = finiteness(graph);
        let is_finite = finiteness.is_finite();
        let total_max = self.task.total_max.unwrap_or(match is_finite {
            true => BIN_STONES_MAX.into(),
            false => TOTAL_MAX_INFINITE,
        });
        let limits = Limits {
            total_max,
            boards_max: self.task.boards_max,
            held_max: self.task.held_max,
            steps_max: STEPS_MAX,
        };
        let (cycle, cycle_kind) = match &finiteness {
            Finiteness::Finite { .. } => (None, None),
            Finiteness::Infinite { cycle, kind } => {
                let names = cycle.iter().chain(cycle.first());
                let names: Vec<&str> = names.map(|&vertex| graph.name(vertex)).collect();
                let kind = match kind {
                    CycleKind::Mixed => "mixed",
                    CycleKind::Bins => "bins",
                    CycleKind::Rumas => "rumas",
                };
                (Some(names.join(" -> ")), Some(kind.into()))
            }
        };
        let (family, arguments) = match &member.generator {
            Some(generator) => (generator.family().name(), generator.arguments()),
            None => ("file", &[][..]),
        };
        let mut row = GraphRow {
            name: member.name.clone(),
            family: family.into(),
            arguments: arguments.iter().map(|&argument| argument as i64).collect(),
            vertices: graph.len() as i64,
            rumas: graph.rumas().count() as i64,
            edges: graph.edges().count() as i64,
            in_tree: InTree::new(graph).is_some(),
            finite: is_finite,
            finite_in_print: finiteness.is_finite_in_print(),
            cycle,
            cycle_kind,
            ..GraphRow::default()
        };
        let counted = match plain_cycle(member) {
            Some(vertices) => Ok(census_of_cycle(vertices, limits, stop)),
            None => census_until(graph, limits, stop),
        };
        match counted {
            Ok(counted) => enter_census(&mut row, &counted),
            Err(CensusError::Sweep(_)) => row.stop = Some("bins".into()),
            Err(CensusError::Overflow(_)) => row.stop = Some("overflow".into()),
        }
        if self.task.strategy_boards_max > 0 {
            let few = Limits {
                boards_max: self.task.strategy_boards_max,
                steps_max: STRATEGY_STEPS_MAX,
                ..limits
            };
            let of = |strategy| fate_until(graph, strategy, few, stop).ok();
            enter_fates(&mut row, of);
        }
        row
    }
}

/// Returns the vertices of a directed cycle of one Ruma and at least one bin, which needs no search.
fn plain_cycle(member: &GraphMember) -> Option<usize> {
    let generator = member.generator.as_ref()?;
    let one_ruma = member.graph.rumas().count() == 1;
    let is_cycle = generator.family() == GraphFamily::Cycle && one_ruma;
    (is_cycle && member.graph.len() >= 2).then_some(member.graph.len())
}

/// Returns the census of a directed cycle: its boards stand in a row, each of them one move from the one before.
fn census_of_cycle(vertices: usize, limits: Limits, asked: &dyn Fn() -> bool) -> Census {
    let mut board =
        CycleBoard::empty(vertices).expect("a cycle that is asked for has at least two vertices");
    let (mut by_total, mut left_out) = (Vec::new(), None);
    while let Some(total) = u64::try_from(board.total())
        .ok()
        .filter(|&total| total <= limits.total_max)
    {
        let moves = by_total.len() as u64;
        if moves.is_multiple_of(BOARDS_A_LOOK) && asked() {
            break;
        }
        if moves == limits.boards_max {
            left_out = Some(total);
            break;
        }
        by_total.push(TotalRow {
            total,
            boards: 1,
            moves_least: moves,
            moves_greatest: moves,
        });
        if board.unmove().is_err() {
            break;
        }
    }
    Census {
        by_total,
        total_complete: match left_out {
            None => Some(limits.total_max),
            // The totals before the first board that is left out.
            Some(total) => total.checked_sub(1),
        },
        stop: Some(match left_out {
            None => Stop::Total,
            Some(_) => Stop::Boards,
        }),
    }
}

fn enter_census(row: &mut GraphRow, counted: &Census) {
    let boards = counted.boards().to_string();
    row.boards = counted.stop.is_none().then(|| boards.clone());
    row.total_complete = counted.total_complete.map(|total| total as i64);
    row.boards_counted = Some(boards);
    row.stop = counted.stop.map(|stop| {
        let name = match stop {
            Stop::Total => "total",
            Stop::Width => "width",
            Stop::Boards | Stop::Visitor | Stop::Asked => "boards",
            Stop::Held => "held",
            Stop::Steps => "steps",
        };
        Arc::from(name)
    });
    let by_total = &counted.by_total;
    row.totals = by_total.iter().map(|row| row.total as i64).collect();
    let boards = by_total.iter().map(|row| i64::try_from(row.boards).ok());
    row.boards_by_total = boards.collect();
    let moves = by_total.iter().map(|row| row.moves_greatest as i64);
    row.moves_greatest = moves.max();
}

/// Enters how strategies fare; nothing where that cannot be told of the first.
fn enter_fates(row: &mut GraphRow, of: impl Fn(Strategy) -> Option<Fate>) {
    let Some(fewest) = of(Strategy::Nearest) else {
        return;
    };
    row.strategy_boards = Some(fewest.boards as i64);
    row.fewest_safe = Some(fewest.safe as i64);
    row.fewest_lucky = Some(fewest.lucky as i64);
    row.fewest_unsafe_at = fewest.first_unsafe.map(|board| board.to_string());
    let safe = |strategy| Some(of(strategy)?.safe as i64);
    row.most_safe = safe(Strategy::Fullest);
    row.home_safe = safe(Strategy::MostHome);
    row.foremost_safe = safe(Strategy::Foremost);
}
