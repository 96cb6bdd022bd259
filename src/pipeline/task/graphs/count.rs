//! The winning boards of a sowing graph: counted for a row of a job, and counted or listed without a job.

use std::ops::ControlFlow;

use bytesize::ByteSize;
use cggames::game::sowing_graph::{BIN_STONES_MAX, GraphBoard, SowingGraph};
use cgsolvers::sowing_graph::Watcher;
use cgsolvers::sowing_graph::census::{Census, CensusError, CensusProgress, census_until};
use cgsolvers::sowing_graph::enumeration::{
    EnumerationLimits, Extent, bytes_a_board, enumerate_until,
};
use cgsolvers::sowing_graph::finiteness::{Finiteness, finiteness};

use crate::run::{Phase, RunError, Session};

/// The default of the greatest total, for graphs with infinitely many boards.
const TOTAL_MAX_INFINITE: u64 = 100;

/// The bytes of a board of a graph with too many bins for an enumeration. Its pieces may have fewer.
const BYTES_A_BOARD: u64 = 64;

/// A graph, whether it has finitely many winning boards, and the limits within which they are counted.
#[derive(Clone, Debug)]
pub struct GraphBoards<'g> {
    /// The graph.
    pub graph: &'g SowingGraph,
    /// Whether it has finitely many winning boards.
    pub finiteness: Finiteness,
    /// The limits for each piece of the graph.
    pub limits: EnumerationLimits,
}

/// A winning board, with the number of its stones and of the moves in its shortest play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedBoard {
    /// The board.
    pub board: GraphBoard,
    /// Its stones.
    pub total: u64,
    /// Its moves.
    pub moves: u64,
}

impl<'g> GraphBoards<'g> {
    /// Returns the boards of a graph within these limits, but of at most `total_max` stones. By default these are all boards if
    /// there are finitely many, else those of at most 100 stones.
    pub fn new(
        graph: &'g SowingGraph,
        total_max: Option<u64>,
        limits: EnumerationLimits,
    ) -> GraphBoards<'g> {
        let finiteness = finiteness(graph);
        let total_max = total_max.unwrap_or(if finiteness.is_finite() {
            BIN_STONES_MAX.into()
        } else {
            TOTAL_MAX_INFINITE
        });
        GraphBoards {
            graph,
            finiteness,
            limits: EnumerationLimits {
                total_max,
                ..limits
            },
        }
    }

    /// Counts the boards by total, as far as the watcher permits.
    ///
    /// # Errors
    ///
    /// [`CensusError`] if they cannot be counted.
    pub(super) fn census(
        &self,
        watcher: &dyn Watcher<CensusProgress>,
    ) -> Result<Census, CensusError> {
        census_until(self.graph, self.limits, watcher)
    }

    /// Counts the boards by total without a job. At one time it holds the boards that fit in this memory.
    ///
    /// # Errors
    ///
    /// [`RunError::Boards`] if they cannot be counted; the reason if a signal stopped the count.
    ///
    /// ```
    /// use cggames::game::sowing_graph::SowingGraph;
    /// use cgsolvers::sowing_graph::enumeration::EnumerationLimits;
    /// use seedbank::run::{self, Session, Signals, Silent};
    /// use seedbank::task::graphs::GraphBoards;
    ///
    /// let memory = bytesize::ByteSize::gib(1);
    /// let signals = Signals::default();
    /// let session = Session::new(run::Limits::new(1, memory), &signals, &Silent);
    /// let graph = SowingGraph::star(10, 2)?;
    /// let boards = GraphBoards::new(&graph, None, EnumerationLimits::default());
    /// assert_eq!(boards.count("star(10, 2)", memory, &session)?.boards(), 1 << 20);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn count(
        &self,
        name: &str,
        memory: ByteSize,
        session: &Session<'_>,
    ) -> Result<Census, RunError> {
        let boards = self.held_in(memory, 0);
        watched(session, name, (Phase::Counting, ""), || {
            boards.census(&|| session.check_stop().is_err())
        })
    }

    /// Lists the boards in the order of their stones. It passes on no boards when it has begun, and then those of each total
    /// together, because a list that ends at a limit is incomplete for the total that it was in.
    ///
    /// # Errors
    ///
    /// As [`GraphBoards::count`].
    pub fn list(
        &self,
        name: &str,
        memory: ByteSize,
        session: &Session<'_>,
        mut each: impl FnMut(&[ListedBoard]) -> ControlFlow<()>,
    ) -> Result<Extent, RunError> {
        let waiting_bytes = 64 + 4 * self.graph.bins().count() as u64;
        let boards = self.held_in(memory, waiting_bytes);
        let mut waiting: Vec<ListedBoard> = Vec::new();
        let last = |waiting: &[ListedBoard]| waiting.last().map(|board| board.total);
        let stop = || session.check_stop().is_err();
        let extent = watched(session, name, (Phase::Listing, "board"), || {
            let visited = enumerate_until(self.graph, boards.limits, &stop, |found| {
                if last(&waiting).is_none_or(|total| total < found.total) {
                    each(&waiting)?;
                    waiting.clear();
                }
                waiting.push(ListedBoard {
                    board: GraphBoard::from_labels(self.graph, found.labels),
                    total: found.total,
                    moves: found.moves,
                });
                session.tracker.add(1, 0);
                ControlFlow::Continue(())
            });
            Ok(visited?)
        })?;
        if last(&waiting) <= extent.total && !waiting.is_empty() {
            // Whether this was the last call makes no difference.
            let _ = each(&waiting);
        }
        Ok(extent)
    }

    /// Returns the same with the limit of held boards that this memory allows, if each takes this many bytes more.
    fn held_in(&self, memory: ByteSize, more: u64) -> GraphBoards<'g> {
        let bytes = bytes_a_board(self.graph, self.limits.total_max).unwrap_or(BYTES_A_BOARD);
        GraphBoards {
            limits: EnumerationLimits {
                held_max: memory.as_u64() / (bytes + more),
                ..self.limits
            },
            ..self.clone()
        }
    }
}

/// Does work without a job under watch.
fn watched<T>(
    session: &Session<'_>,
    name: &str,
    (phase, unit): (Phase, &'static str),
    work: impl FnOnce() -> Result<T, CensusError>,
) -> Result<T, RunError> {
    session.tracker.expect_unknown();
    session.tracker.begin(phase, unit, None, 0);
    let done = session.watch((name, unit), (0, 0), None, work);
    let done = done.map_err(|source| RunError::Boards {
        graph: name.to_owned(),
        source,
    })?;
    let stopped = session.check_stop();
    stopped.map_err(|error| session.over_budget(error, name, "boards"))?;
    Ok(done)
}
