//! The numbers of winning boards on which a strategy is right, whatever ties it leaves open.
//!
//! A [`Strategy`] leaves ties open. On a winning board it is *safe* if every play that follows it
//! clears the board in the least number of moves, and *lucky* if some such play does. Both follow
//! from smaller boards. For safe, all moves that the strategy ranks best must lead to boards on
//! which it is safe and which take one move less; for lucky, one of them must lead to such a board
//! on which it is lucky. These boards have fewer stones.
//!
//! Source: Jones, Taalman, Tongen, section 5, question (1).

use std::collections::HashMap;
use std::ops::ControlFlow;

use cggames::game::sowing_graph::{GraphBoard, SowingGraph, Steps, StepsSpent};
use thiserror::Error;

use super::enumeration::{
    EnumerationError, EnumerationLimits, Extent, WinningBoard, enumerate_until,
};
use super::play::Strategy;

/// The results of a strategy on the winning boards of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fate {
    /// The number of winning boards visited, including the empty one.
    pub boards: u64,
    /// The number of boards on which the strategy is safe.
    pub safe: u64,
    /// The number of boards on which it is lucky, including safe ones.
    pub lucky: u64,
    /// The first board, by the number of stones, on which it is not safe.
    pub first_unsafe: Option<GraphBoard>,
    /// The first board on which it is not even lucky.
    pub first_unlucky: Option<GraphBoard>,
    /// The extent of the enumeration.
    pub extent: Extent,
}

impl Fate {
    /// Returns whether the strategy is safe on every board visited.
    pub fn is_safe(&self) -> bool {
        self.first_unsafe.is_none()
    }

    /// Returns whether the strategy is lucky on every board visited.
    pub fn is_lucky(&self) -> bool {
        self.first_unlucky.is_none()
    }
}

/// The error for results that cannot be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum FateError {
    /// The graph has too many bins.
    #[error(transparent)]
    Enumeration(#[from] EnumerationError),
    /// The moves take too many steps.
    #[error(transparent)]
    Steps(#[from] StepsSpent),
}

/// Computes the results of a strategy on all winning boards up to the last total that is complete
/// within the limits.
///
/// Cost: that of the enumeration, memory for every board, and the moves' steps, which have a second
/// budget of [`EnumerationLimits::steps_max`].
///
/// # Errors
///
/// [`FateError`] when there are too many bins or steps.
///
/// ```
/// use cgsolvers::sowing_graph::{greedy::fate, play::Strategy, enumeration::EnumerationLimits};
/// use cggames::game::sowing_graph::SowingGraph;
///
/// // On a path, sowing the fewest stones is always right; sowing the most is first wrong on (1, 2).
/// let path = SowingGraph::path(3)?;
/// assert!(fate(&path, Strategy::Nearest, EnumerationLimits::default())?.is_safe());
/// let most = fate(&path, Strategy::Fullest, EnumerationLimits::default())?;
/// assert_eq!((most.boards, most.safe), (6, 3));
/// assert_eq!(most.first_unlucky.map(|board| board.to_string()), Some("(1, 2, 0)".to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fate(
    graph: &SowingGraph,
    strategy: Strategy,
    limits: EnumerationLimits,
) -> Result<Fate, FateError> {
    fate_until(graph, strategy, limits, &|| false)
}

/// As [`fate`], but ends soon after `stop` returns true; its result is then meaningless.
///
/// # Errors
///
/// As [`fate`].
pub fn fate_until(
    graph: &SowingGraph,
    strategy: Strategy,
    limits: EnumerationLimits,
    stop: &dyn Fn() -> bool,
) -> Result<Fate, FateError> {
    let ranking = strategy.ranking(graph);
    let mut steps = Steps::until(limits.steps_max, stop);
    let mut known: HashMap<Box<[u32]>, BoardResult> = HashMap::new();
    let (mut now, mut completed) = (TotalCounts::default(), TotalCounts::default());
    let mut failed = None;
    let mut look = |board: WinningBoard<'_>| -> Result<(), StepsSpent> {
        if board.total != now.total {
            completed.clone_from(&now);
            now.total = board.total;
        }
        let mut best = None;
        let (mut all, mut some) = (board.total == 0, board.total == 0);
        let mut labels = board.labels.to_vec();
        graph.for_each_move(&mut labels, &mut steps, |sown| {
            let rank = ranking.rank(sown.origin, sown.walk.len() as u64, sown.home);
            if best.is_some_and(|best| rank > best) {
                return;
            }
            // Boards that are not in the map are not winning.
            let next = known.get(sown.labels).copied();
            let next = next.filter(|next| next.moves + 1 == board.moves);
            let (safe, lucky) = next.map_or((false, false), |next| (next.safe, next.lucky));
            if best == Some(rank) {
                (all, some) = (all && safe, some || lucky);
            } else {
                (best, all, some) = (Some(rank), safe, lucky);
            }
        })?;
        now.count(graph, board.labels, all, some);
        let found = BoardResult {
            moves: board.moves,
            safe: all,
            lucky: some,
        };
        known.insert(board.labels.into(), found);
        Ok(())
    };
    let extent = enumerate_until(graph, limits, &stop, |board| match look(board) {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => {
            failed = Some(error);
            ControlFlow::Break(())
        }
    })?;
    if let Some(error) = failed {
        return Err(error.into());
    }
    let complete = extent.total.is_some_and(|total| now.total <= total);
    let told = if complete { now } else { completed };
    Ok(Fate {
        boards: told.boards,
        safe: told.safe,
        lucky: told.lucky,
        first_unsafe: told.first_unsafe,
        first_unlucky: told.first_unlucky,
        extent,
    })
}

/// The results for a winning board.
#[derive(Clone, Copy)]
struct BoardResult {
    moves: u64,
    safe: bool,
    lucky: bool,
}

/// The counts up to a total.
#[derive(Clone, Default)]
struct TotalCounts {
    total: u64,
    boards: u64,
    safe: u64,
    lucky: u64,
    first_unsafe: Option<GraphBoard>,
    first_unlucky: Option<GraphBoard>,
}

impl TotalCounts {
    fn count(&mut self, graph: &SowingGraph, labels: &[u32], safe: bool, lucky: bool) {
        self.boards += 1;
        self.safe += u64::from(safe);
        self.lucky += u64::from(lucky);
        let board = || GraphBoard::from_labels(graph, labels);
        if !safe {
            self.first_unsafe.get_or_insert_with(board);
        }
        if !lucky {
            self.first_unlucky.get_or_insert_with(board);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::reference::winning_boards;
    use super::*;

    /// Returns all plays that follow the strategy to their ends: the number of moves of each that
    /// clears the board, `None` for others.
    fn ends(graph: &SowingGraph, board: &GraphBoard, strategy: Strategy) -> Vec<Option<u64>> {
        if board.total() == 0 {
            return vec![Some(0)];
        }
        let ranking = strategy.ranking(graph);
        let moves = graph.moves(board, &mut Steps::new(1_000_000)).unwrap();
        let rank = |sowing: &cggames::game::sowing_graph::GraphMove| {
            let walk = &sowing.walk;
            let home = walk.iter().filter(|&&vertex| graph.is_ruma(vertex)).count();
            ranking.rank(sowing.origin, walk.len() as u64, home as u64)
        };
        let Some(best) = moves.iter().map(rank).min() else {
            return vec![None];
        };
        let liked = moves.iter().filter(|sowing| rank(sowing) == best);
        let after = liked.flat_map(|sowing| ends(graph, &sowing.option, strategy));
        after.map(|moves| moves.map(|moves| moves + 1)).collect()
    }

    #[test]
    fn fates_are_those_of_all_plays() {
        let mut graphs: Vec<SowingGraph> = (0..40)
            .map(|seed| SowingGraph::random_acyclic(3, 2, 7, seed).unwrap())
            .collect();
        graphs.extend((0..40).map(|seed| SowingGraph::random(3, 1, 7, seed).unwrap()));
        graphs.push(SowingGraph::complete_acyclic(4).unwrap());
        let (mut unsafe_but_lucky, mut unlucky) = (0, 0);
        for graph in &graphs {
            let slow = winning_boards(graph, 7);
            let limits = EnumerationLimits {
                total_max: 7,
                ..EnumerationLimits::default()
            };
            for strategy in Strategy::ALL {
                let (mut safe, mut lucky) = (0, 0);
                for (labels, &moves) in &slow {
                    let ends = ends(graph, &GraphBoard::from_labels(graph, labels), strategy);
                    safe += u64::from(ends.iter().all(|&end| end == Some(moves)));
                    lucky += u64::from(ends.contains(&Some(moves)));
                }
                let found = fate(graph, strategy, limits).unwrap();
                let counts = (found.boards, found.safe, found.lucky);
                assert_eq!(
                    counts,
                    (slow.len() as u64, safe, lucky),
                    "{graph}{strategy}"
                );
                assert_eq!(found.is_safe(), safe == found.boards);
                assert_eq!(found.is_lucky(), lucky == found.boards);
                unsafe_but_lucky += lucky - safe;
                unlucky += found.boards - lucky;
            }
        }
        assert!(
            unsafe_but_lucky > 20 && unlucky > 100,
            "{unsafe_but_lucky} {unlucky}"
        );
    }

    #[test]
    fn totals_that_a_limit_cuts_do_not_count() {
        let graph = SowingGraph::grid(3, 2).unwrap();
        let all = fate(&graph, Strategy::Fullest, EnumerationLimits::default()).unwrap();
        for boards_max in 0..all.boards {
            let limits = EnumerationLimits {
                boards_max,
                ..EnumerationLimits::default()
            };
            let some = fate(&graph, Strategy::Fullest, limits).unwrap();
            let total_max = some.extent.total;
            assert!(some.boards <= boards_max && total_max < all.extent.total);
            let Some(total_max) = total_max else {
                assert_eq!(some.boards, 0);
                continue;
            };
            let limits = EnumerationLimits {
                total_max,
                ..EnumerationLimits::default()
            };
            let again = fate(&graph, Strategy::Fullest, limits).unwrap();
            assert_eq!((some.boards, some.safe), (again.boards, again.safe));
        }
    }
}
