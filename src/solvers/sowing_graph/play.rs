//! Plays that clear a board: a shortest one, and those of simple strategies.
//!
//! **None of the strategies here always works**, and the tests contain the smallest failures.
//! Sowing the fewest stones clears every winning board of an in-tree ([`super::tree`]). With ties
//! broken by the first move it fails on `a -> b -> r`, `b -> c -> r` at `(2, 2, 0)`; without ties
//! it fails on `a -> b -> r -> b` at `(4, 1)`, where b must wait for the stones of a. It takes one
//! move too many on `a -> b -> r -> s` with Rumas r and s at `(2, 1)`: if a is sown first, b brings
//! home two stones at once. There bringing home the most stones takes one move too many as well.
//!
//! If no walk continues from a Ruma, all plays that clear a board have the same length, so any of
//! them is a shortest one. On all acyclic graphs of at most three bins sowing the foremost bin
//! finds one, by whichever walk, and so does sowing the fewest stones with the right choice of
//! ties. With four bins each strategy here fails, even on one graph and with every choice of ties:
//! on `d -> c -> b -> a -> r`, `b -> r` at `(0, 0, 2, 3)` d must be sown before c, over a.
//! ([`super::greedy`] was run on all such graphs of at most five bins; `data/reference/computed`
//! has the counts.)
//!
//! Source: Jones, Taalman, Tongen, section 5, question (1): is there a strategy that always clears
//! a board in the least number of moves?

use std::collections::HashSet;
use std::fmt;

use cggames::game::sowing_graph::{
    GraphBoard, GraphBoardError, GraphMove, SowingError, SowingGraph, Steps, StepsSpent, Vertex,
};
use thiserror::Error;

use super::finiteness::{Finiteness, finiteness};

/// The error for a board whose plays cannot be searched.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GraphPlayError {
    /// The board does not fit the graph.
    #[error(transparent)]
    Board(#[from] GraphBoardError),
    /// There are too many walks.
    #[error(transparent)]
    Steps(#[from] StepsSpent),
    /// Too many boards can be reached.
    #[error("more than {accepted} boards can be reached from {board}; raise the budget of boards")]
    Boards {
        /// The board.
        board: GraphBoard,
        /// The budget.
        accepted: usize,
    },
}

impl From<SowingError> for GraphPlayError {
    fn from(error: SowingError) -> Self {
        match error {
            SowingError::Board(error) => Self::Board(error),
            SowingError::Steps(error) => Self::Steps(error),
        }
    }
}

/// Returns a play with the least number of moves that clears the board, or `None` if no play does.
///
/// It is a breadth-first search over the reachable boards, at most `boards_max` of them. It ends,
/// since each move lowers the total.
///
/// # Errors
///
/// [`GraphPlayError`] when the board does not fit or a budget is spent.
///
/// ```
/// use cgsolvers::sowing_graph::play::shortest_play;
/// use cggames::game::sowing_graph::{SowingGraph, Steps};
///
/// let graph = SowingGraph::path(3)?;
/// let play = shortest_play(&graph, &"(0, 1, 3)".parse()?, 100, &mut Steps::new(1000))?;
/// let bins: Vec<_> = play.unwrap_or_default().iter().map(|m| graph.name(m.origin)).collect();
/// assert_eq!(bins, ["3", "1", "2", "1"]);
/// let losing = shortest_play(&graph, &"(1, 1, 0)".parse()?, 100, &mut Steps::new(1000))?;
/// assert_eq!(losing, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn shortest_play(
    graph: &SowingGraph,
    board: &GraphBoard,
    boards_max: usize,
    steps: &mut Steps<'_>,
) -> Result<Option<Vec<GraphMove>>, GraphPlayError> {
    board.labels(graph)?;
    if board.total() == 0 {
        return Ok(Some(Vec::new()));
    }
    // The moves that reach new boards, each with the index of the move before it.
    let mut reached: Vec<(GraphMove, Option<usize>)> = Vec::new();
    let mut seen = HashSet::from([board.clone()]);
    let mut next = 0;
    let (mut at, mut from) = (board.clone(), None);
    loop {
        for sowing in graph.moves(&at, steps)? {
            let is_cleared = sowing.option.total() == 0;
            if seen.contains(&sowing.option) {
                continue;
            }
            if seen.len() >= boards_max {
                return Err(GraphPlayError::Boards {
                    board: board.clone(),
                    accepted: boards_max,
                });
            }
            seen.insert(sowing.option.clone());
            reached.push((sowing, from));
            if is_cleared {
                let last = Some(reached.len() - 1);
                let back = std::iter::successors(last, |&place| reached[place].1);
                let mut play: Vec<_> = back.map(|place| reached[place].0.clone()).collect();
                play.reverse();
                return Ok(Some(play));
            }
        }
        let Some((sowing, _)) = reached.get(next) else {
            return Ok(None);
        };
        (at, from) = (sowing.option.clone(), Some(next));
        next += 1;
    }
}

/// A rule for choosing among moves without lookahead.
///
/// Ties are broken by the order of [`GraphMove`]: the first bin, then the first walk in the graph's
/// order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Sows the fewest stones: in Tchoukaillon the harvestable bin that is nearest to the Ruma,
    /// which is always right there.
    Nearest,
    /// Sows the most stones.
    Fullest,
    /// Brings the most stones home and, among such moves, sows the fewest stones.
    MostHome,
    /// Sows a bin whose longest walk to a Ruma is shortest, so that in an acyclic graph no bin
    /// ahead of it could be sown; if walks have no greatest length, all bins are tied.
    Foremost,
}

impl Strategy {
    /// All strategies.
    pub const ALL: [Self; 4] = [Self::Nearest, Self::Fullest, Self::MostHome, Self::Foremost];

    /// Returns the comparison of moves on this graph.
    pub(super) fn ranking(self, graph: &SowingGraph) -> Ranking {
        let longest = match (self, finiteness(graph)) {
            (Self::Foremost, Finiteness::Finite { longest }) => longest,
            _ => vec![0; graph.len()],
        };
        Ranking {
            strategy: self,
            longest,
        }
    }
}

/// A strategy's comparison of moves.
pub(super) struct Ranking {
    strategy: Strategy,
    /// By vertex, the longest walk to a Ruma, if the strategy uses it.
    longest: Vec<u32>,
}

impl Ranking {
    /// Returns the rank of a move that sows `stones` stones of a bin and brings `home` of them
    /// home; the strategy takes a move with the least rank.
    pub(super) fn rank(&self, origin: Vertex, stones: u64, home: u64) -> (u64, u64) {
        match self.strategy {
            Strategy::Nearest => (0, stones),
            Strategy::Fullest => (u64::MAX - stones, 0),
            Strategy::MostHome => (u64::MAX - home, stones),
            Strategy::Foremost => (0, self.longest[origin.index()].into()),
        }
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Nearest => "fewest stones",
            Self::Fullest => "most stones",
            Self::MostHome => "most stones home",
            Self::Foremost => "foremost bin",
        })
    }
}

/// Returns the strategy's moves until none is left; the board is cleared if the last option is
/// empty.
///
/// Cost: the steps of the moves of each board of the play; the number of boards is at most the
/// number of stones.
///
/// # Errors
///
/// [`GraphPlayError`] when the board does not fit or the steps are spent.
pub fn play_by(
    graph: &SowingGraph,
    board: &GraphBoard,
    strategy: Strategy,
    steps: &mut Steps<'_>,
) -> Result<Vec<GraphMove>, GraphPlayError> {
    let ranking = strategy.ranking(graph);
    let mut play: Vec<GraphMove> = Vec::new();
    loop {
        let at = play.last().map_or(board, |sowing| &sowing.option);
        let moves = graph.moves(at, steps)?;
        // `min_by_key` returns the first minimum.
        let chosen = moves.into_iter().min_by_key(|sowing| {
            let into_rumas = sowing.walk.iter().filter(|&&vertex| graph.is_ruma(vertex));
            let home = into_rumas.count() as u64;
            ranking.rank(sowing.origin, sowing.walk.len() as u64, home)
        });
        match chosen {
            Some(sowing) => play.push(sowing),
            None => return Ok(play),
        }
    }
}
