//! The game graph: winning boards and the moves between them.
//!
//! Invariant: boards are listed by total, the empty board first; each edge leads to an earlier
//! board, and no edge is listed twice, even if several walks give it.
//!
//! Source: Jones, Taalman, Tongen, section 5, after Definition 5.1, and Figure 6.

use std::collections::HashMap;
use std::ops::ControlFlow;

use cggames::game::sowing_graph::{GraphBoard, SowingGraph, Steps, StepsSpent, Vertex};
use thiserror::Error;

use super::enumeration::{EnumerationError, EnumerationLimits, Extent, enumerate};

/// Winning boards and the moves between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameGraph {
    /// The winning boards by total.
    pub boards: Vec<GraphBoard>,
    /// For each board, the least number of moves that clears it.
    pub moves_least: Vec<u64>,
    /// The moves in ascending order.
    pub moves: Vec<GraphMove>,
    /// The extent of the enumeration.
    pub extent: Extent,
}

/// A move from one winning board to another; boards are indices in [`GameGraph::boards`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GraphMove {
    /// The board.
    pub from: usize,
    /// The bin that is sown.
    pub bin: Vertex,
    /// The option.
    pub to: usize,
}

/// The error for a game graph that cannot be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum GameGraphError {
    /// The graph has too many bins.
    #[error(transparent)]
    Enumeration(#[from] EnumerationError),
    /// The moves take too many steps.
    #[error(transparent)]
    Steps(#[from] StepsSpent),
}

/// Returns the winning boards up to the last complete total, with the moves between them.
///
/// Moves are found by playing, not by unmoves. Cost: that of the enumeration, memory for each board and
/// move, and the moves' steps, which have a second budget of [`EnumerationLimits::steps_max`].
///
/// # Errors
///
/// [`GameGraphError`] when there are too many bins or steps.
///
/// ```
/// use cgsolvers::sowing_graph::{game_graph::game_graph, enumeration::EnumerationLimits};
/// use cggames::game::sowing_graph::SowingGraph;
///
/// // Two bins next to the Ruma: a square.
/// let game = game_graph(&SowingGraph::star(2, 1)?, EnumerationLimits::default())?;
/// let boards: Vec<_> = game.boards.iter().map(|board| board.to_string()).collect();
/// assert_eq!(boards, ["(0, 0)", "(1, 0)", "(0, 1)", "(1, 1)"]);
/// assert_eq!(game.moves.len(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn game_graph(
    graph: &SowingGraph,
    limits: EnumerationLimits,
) -> Result<GameGraph, GameGraphError> {
    let mut found = Vec::new();
    let extent = enumerate(graph, limits, |board| {
        let bins = GraphBoard::from_labels(graph, board.labels);
        found.push((board.total, bins, board.moves));
        ControlFlow::Continue(())
    })?;
    found.retain(|&(total, ..)| extent.total.is_some_and(|complete| total <= complete));
    let mut boards = Vec::with_capacity(found.len());
    let mut moves_least = Vec::with_capacity(found.len());
    let mut places = HashMap::with_capacity(found.len());
    for (place, (_, board, moves)) in found.into_iter().enumerate() {
        places.insert(board.clone(), place);
        boards.push(board);
        moves_least.push(moves);
    }
    let mut moves = Vec::new();
    let mut steps = Steps::new(limits.steps_max);
    for (from, board) in boards.iter().enumerate() {
        let mut labels = board.labels(graph).expect("a board of this graph");
        graph.for_each_move(&mut labels, &mut steps, |sown| {
            // Options that are not winning have no index.
            if let Some(&to) = places.get(&GraphBoard::from_labels(graph, sown.labels)) {
                let bin = sown.origin;
                moves.push(GraphMove { from, bin, to });
            }
        })?;
    }
    moves.sort_unstable();
    moves.dedup();
    Ok(GameGraph {
        boards,
        moves_least,
        moves,
        extent,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Example 5.3: boards of a star are pairs of boards of its spokes, numbered by their totals,
    /// and a move lowers one of the two numbers by one.
    #[test]
    fn star_is_a_product_of_paths() {
        for (spokes, length) in [(1, 5), (2, 4), (3, 2), (3, 3), (4, 1)] {
            let side = game_graph(
                &SowingGraph::path(length).unwrap(),
                EnumerationLimits::default(),
            )
            .unwrap();
            let n = [2, 4, 6, 10, 12][length - 1];
            assert_eq!(side.boards.len(), n, "N({length} + 1) boards");
            let star = SowingGraph::star(spokes, length).unwrap();
            let game = game_graph(&star, EnumerationLimits::default()).unwrap();
            assert_eq!(game.boards.len(), n.pow(spokes as u32));
            let coordinates: Vec<Vec<usize>> = game
                .boards
                .iter()
                .map(|board| {
                    let spoke = |bins: &[u32]| {
                        let part = GraphBoard::new(bins).unwrap();
                        side.boards.iter().position(|b| *b == part).unwrap()
                    };
                    board.bins().chunks(length).map(spoke).collect()
                })
                .collect();
            let mut degrees = 0;
            for played in &game.moves {
                let (from, to) = (&coordinates[played.from], &coordinates[played.to]);
                let lowered = from.iter().zip(to).filter(|(a, b)| **a == **b + 1).count();
                let kept = from.iter().zip(to).filter(|(a, b)| a == b).count();
                assert_eq!((lowered, kept), (1, spokes - 1));
            }
            for board in &coordinates {
                degrees += board.iter().filter(|&&number| number > 0).count();
            }
            assert_eq!(game.moves.len(), degrees);
        }
    }
}
