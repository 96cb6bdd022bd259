//! Sowing graphs: makes a row for each graph of a family.
//!
//! Rows are independent, and each is made on one thread. A graph with many boards holds them in
//! memory within the job's limits. The limits belong to the job's meaning, because they decide the
//! contents of rows. Every checkpoint has the finished rows of unfinished parts, and the state of
//! each row in progress.

use std::cell::{Cell, RefCell};
use std::iter;
use std::sync::Arc;
use std::time::Instant;

use cggames::family::GraphMember;
use cggames::game::sowing_graph::GraphFamily;
use cgsolvers::sowing_graph::Watcher;
use cgsolvers::sowing_graph::census::{Census, CensusError, CensusProgress, TotalRow};
use cgsolvers::sowing_graph::cycle::CycleBoard;
use cgsolvers::sowing_graph::enumeration::{EnumerationLimits, Stop};
use cgsolvers::sowing_graph::greedy::{Fate, fate_until};
use cgsolvers::sowing_graph::play::Strategy;
use cgsolvers::sowing_graph::tree::InTree;
use serde::{Deserialize, Serialize};

use super::columns::GraphRow;
use super::{GraphBoards, GraphsTask};
use crate::run::checkpoint::{ByRank, Folder};
use crate::run::memory::bytes_of_threads;
use crate::run::{Making, MemoryNeed, Parts, Phase, RowTask, RunError};

/// The graphs of a part.
const PART_ROWS: u64 = 64;

/// The most memory of a held board: a key of 16 bytes, doubled, and growing lists.
const BYTES_A_BOARD: u64 = 64;

/// The memory of a board on which strategies are tried: its labels and its results.
const BYTES_A_TRIED_BOARD: u64 = 256;

/// The most steps of a census, some nanoseconds each.
const STEPS_MAX: u64 = 20_000_000_000;

/// The most steps for each strategy, less than a minute's work.
const STRATEGY_STEPS_MAX: u64 = 2_000_000_000;

/// The number of boards of a cycle made between two checks whether to stop.
const BOARDS_A_LOOK: u64 = 1 << 12;

impl RowTask for GraphsTask {
    fn making(&self) -> Making {
        Making {
            is_uneven: true,
            ..Making::new::<GraphRow>(Phase::Counting, PART_ROWS)
        }
    }

    fn memory(&self, _end: u64, threads: u64) -> Option<MemoryNeed> {
        let tried = self.strategy_boards_max.saturating_mul(BYTES_A_TRIED_BOARD);
        let held = self.held_max.saturating_mul(BYTES_A_BOARD);
        Some(MemoryNeed {
            bytes: bytes_of_threads(threads, held.saturating_add(tried)),
            purpose: "boards of graphs, at most held_max on each thread",
        })
    }

    fn make(&self, parts: &Parts<'_>) -> Result<(), RunError> {
        let rows = ByRank::rows(parts)?;
        let folder = parts.checkpoint.folder("graphs")?;
        let make = |(): &mut (), rank| {
            let row = rows.get(rank, || {
                let in_progress = RowInProgress::new(parts, &folder, rank);
                let row = self.row(&self.graphs.get(rank), in_progress);
                parts.count(1);
                row
            })?;
            let kind = RowInProgress::kind(rank);
            if folder.has(&kind)? {
                // The state of a row is removed once a checkpoint has the row itself.
                rows.write()?;
                folder.remove(&kind, 0)?;
            }
            Ok(row)
        };
        rows.during(|| parts.make_rows(|| (), make))
    }
}

impl GraphsTask {
    /// Makes the row of a graph.
    ///
    /// # Errors
    ///
    /// The reason why the run is stopping; a state that cannot be read or written.
    fn row(
        &self,
        member: &GraphMember,
        in_progress: RowInProgress<'_>,
    ) -> Result<GraphRow, RunError> {
        let limits = EnumerationLimits {
            boards_max: self.boards_max,
            held_max: self.held_max,
            steps_max: STEPS_MAX,
            ..EnumerationLimits::default()
        };
        let boards = GraphBoards::new(&member.graph, self.total_max, limits);
        let (mut row, tried) = match in_progress.read()? {
            Some((State::Strategies { row, tried }, _)) => (*row, tried),
            Some((State::Census(census), keys)) => {
                in_progress.known.set(Some((census, keys)));
                (counted(member, &boards, &in_progress), 0)
            }
            None => (counted(member, &boards, &in_progress), 0),
        };
        if self.strategy_boards_max > 0 {
            self.try_strategies(&boards, &mut row, tried, &in_progress);
        }
        if let Some(error) = in_progress.error.into_inner() {
            return Err(error);
        }
        in_progress.parts.check_stop()?;
        Ok(row)
    }

    /// Records the results of the strategies after the first `tried`.
    fn try_strategies(
        &self,
        boards: &GraphBoards<'_>,
        row: &mut GraphRow,
        tried: usize,
        in_progress: &RowInProgress<'_>,
    ) {
        let few = EnumerationLimits {
            boards_max: self.strategy_boards_max,
            steps_max: STRATEGY_STEPS_MAX,
            ..boards.limits
        };
        for (number, strategy) in STRATEGIES.into_iter().enumerate().skip(tried) {
            let fate = fate_until(boards.graph, strategy, few, &|| in_progress.stop()).ok();
            let is_known = enter_fate(row, strategy, fate);
            if !is_known || in_progress.stop() {
                return;
            }
            if in_progress.is_due() {
                in_progress.take_state(
                    &State::Strategies {
                        row: Box::new(row.clone()),
                        tried: number + 1,
                    },
                    &mut iter::empty(),
                );
            }
        }
    }
}

/// Makes the row of a graph without the results of strategies.
fn counted(
    member: &GraphMember,
    boards: &GraphBoards<'_>,
    watcher: &dyn Watcher<CensusProgress>,
) -> GraphRow {
    let GraphBoards {
        graph, finiteness, ..
    } = boards;
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
        finite: finiteness.is_finite(),
        finite_in_print: finiteness.is_finite_in_print(),
        cycle: finiteness.walk(graph),
        cycle_kind: (finiteness.cycle(graph)).map(|(_, kind)| kind.name().into()),
        ..GraphRow::default()
    };
    let counted = match plain_cycle(member) {
        Some(vertices) => Ok(census_of_cycle(vertices, boards.limits, &|| watcher.stop())),
        None => boards.census(watcher),
    };
    match counted {
        Ok(counted) => enter_census(&mut row, &counted),
        Err(CensusError::Enumeration(_)) => row.stop = Some("bins".into()),
        Err(CensusError::Overflow(_)) => row.stop = Some("overflow".into()),
    }
    row
}

/// The strategies, in the order in which they are tried.
const STRATEGIES: [Strategy; 4] = [
    Strategy::Nearest,
    Strategy::Fullest,
    Strategy::MostHome,
    Strategy::Foremost,
];

/// The state of the row of a graph, which every checkpoint has.
struct RowInProgress<'s> {
    parts: &'s Parts<'s>,
    folder: &'s Folder,
    /// The kind of its file.
    kind: String,
    since: Cell<Instant>,
    error: RefCell<Option<RunError>>,
    /// The state from which the census resumes.
    known: Cell<Option<(CensusProgress, Vec<u128>)>>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum State {
    /// Boards are being counted.
    Census(CensusProgress),
    /// The first `tried` strategies have been tried.
    Strategies { row: Box<GraphRow>, tried: usize },
}

impl<'s> RowInProgress<'s> {
    fn new(parts: &'s Parts<'s>, folder: &'s Folder, rank: u64) -> RowInProgress<'s> {
        RowInProgress {
            parts,
            folder,
            kind: RowInProgress::kind(rank),
            since: Cell::new(Instant::now()),
            error: RefCell::default(),
            known: Cell::default(),
        }
    }

    fn kind(rank: u64) -> String {
        format!("graph-{rank}")
    }

    fn write(&self, state: &State, keys: &mut dyn Iterator<Item = u128>) -> Result<(), RunError> {
        let mut writer = self.folder.writer(&self.kind, 0, state)?;
        for key in keys {
            writer.extend(key.to_le_bytes())?;
        }
        Ok(writer.publish()?)
    }

    fn read(&self) -> Result<Option<(State, Vec<u128>)>, RunError> {
        let Some((state, mut body)) = self.folder.read::<State>(&self.kind, 0)? else {
            return Ok(None);
        };
        tracing::info!("resuming the row of {}", self.kind);
        let count = match &state {
            State::Census(census) => census.keys(),
            State::Strategies { .. } => 0,
        };
        let mut keys = Vec::with_capacity(count);
        while keys.len() < count {
            let mut key = [0; 16];
            body.fill(&mut key)?;
            keys.push(u128::from_le_bytes(key));
        }
        Ok(Some((state, keys)))
    }

    /// Writes the state of the row; an error ends the row.
    fn take_state(&self, state: &State, keys: &mut dyn Iterator<Item = u128>) {
        if let Err(error) = self.write(state, keys) {
            self.error.replace(Some(error));
        }
        self.since.set(Instant::now());
    }
}

impl Watcher<CensusProgress> for RowInProgress<'_> {
    fn stop(&self) -> bool {
        self.error.borrow().is_some() || self.parts.check_stop().is_err()
    }

    fn is_due(&self) -> bool {
        self.since.get().elapsed() >= self.parts.run.options.checkpoint
    }

    fn take(&self, census: CensusProgress, keys: &mut dyn Iterator<Item = u128>) {
        self.take_state(&State::Census(census), keys);
    }

    fn known(&self) -> Option<(CensusProgress, Vec<u128>)> {
        self.known.take()
    }
}

/// Returns the number of vertices of a directed cycle of one Ruma and at least one bin, which needs
/// no search.
fn plain_cycle(member: &GraphMember) -> Option<usize> {
    let generator = member.generator.as_ref()?;
    let one_ruma = member.graph.rumas().count() == 1;
    let is_cycle = generator.family() == GraphFamily::Cycle && one_ruma;
    (is_cycle && member.graph.len() >= 2).then_some(member.graph.len())
}

/// Returns the census of a directed cycle, whose boards form a sequence: each is one move from the
/// previous one.
fn census_of_cycle(vertices: usize, limits: EnumerationLimits, asked: &dyn Fn() -> bool) -> Census {
    let mut board = CycleBoard::empty(vertices).expect("a plain cycle has at least two vertices");
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

/// Records the result of a strategy. Returns whether to try the others: not if the first has no
/// result.
fn enter_fate(row: &mut GraphRow, strategy: Strategy, fate: Option<Fate>) -> bool {
    let safe = fate.as_ref().map(|fate| fate.safe as i64);
    match strategy {
        Strategy::Nearest => {
            let Some(fewest) = fate else {
                return false;
            };
            row.strategy_boards = Some(fewest.boards as i64);
            row.fewest_safe = safe;
            row.fewest_lucky = Some(fewest.lucky as i64);
            row.fewest_unsafe_at = fewest.first_unsafe.map(|board| board.to_string());
        }
        Strategy::Fullest => row.most_safe = safe,
        Strategy::MostHome => row.home_safe = safe,
        Strategy::Foremost => row.foremost_safe = safe,
    }
    true
}
