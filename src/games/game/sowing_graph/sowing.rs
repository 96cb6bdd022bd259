//! Moves and unmoves along walks.
//!
//! An unmove walks from a Ruma against the edges and takes one stone from each vertex, any number
//! of times from the same one. At a bin that is empty *by then* it must stop, since there is no
//! stone to take, and drop the stones that it carries. At a bin with stones it must continue, since
//! a bin that has just been sown holds only the stones that this sowing brought to it. So an unmove
//! is determined by the Ruma and the edges, and each undoes one move along the same walk.
//!
//! Both directions cost a step for each edge tried, and there may be exponentially many walks, so
//! both take a budget of [`Steps`].
//!
//! Source: Jones, Taalman, Tongen, section 1.1 (unmoves of Tchoukaillon), Definition 5.1, and the
//! proof of Theorem 5.2.

use std::fmt;

use thiserror::Error;

use super::board::BIN_STONES_MAX;
use super::{GraphBoard, GraphBoardError, SowingGraph, Vertex};

/// The steps between two calls of `stop`, a power of two.
///
/// Unit: steps. This number takes less than a millisecond.
const STEPS_A_CHECK: u64 = 1 << 16;

/// A budget of steps along edges, which a callback may end early.
#[derive(Clone, Copy)]
pub struct Steps<'s> {
    left: u64,
    stop: Option<&'s dyn Fn() -> bool>,
}

impl fmt::Debug for Steps<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Steps")
            .field("left", &self.left)
            .finish_non_exhaustive()
    }
}

/// The budget of steps was spent before all walks were followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the budget of steps along edges is spent; raise it, or allow fewer stones")]
pub struct StepsSpent;

impl<'s> Steps<'s> {
    /// Returns a budget of `left` steps.
    pub fn new(left: u64) -> Self {
        Self { left, stop: None }
    }

    /// Returns a budget of `left` steps that also ends once `stop` returns true; `stop` is called
    /// every 65,536 steps. [`Self::left`] distinguishes the two cases.
    pub fn until(left: u64, stop: &'s dyn Fn() -> bool) -> Self {
        let stop = Some(stop);
        Self { left, stop }
    }

    /// Returns the number of steps left.
    pub fn left(self) -> u64 {
        self.left
    }

    fn spend(&mut self) -> Result<(), StepsSpent> {
        self.left = self.left.checked_sub(1).ok_or(StepsSpent)?;
        if self.left.is_multiple_of(STEPS_A_CHECK)
            && self.left > 0
            && self.stop.is_some_and(|stop| stop())
        {
            return Err(StepsSpent);
        }
        Ok(())
    }
}

/// One move or unmove: the bin, the walk, and the stones after it.
#[derive(Clone, Copy, Debug)]
pub struct Sown<'a> {
    /// The bin whose stones are sown, or that an unmove fills.
    pub origin: Vertex,
    /// The vertices that the sowing enters, in order; the last is a Ruma. Unmoves list them from
    /// the Ruma backwards.
    pub walk: &'a [Vertex],
    /// The labels by vertex after the move or unmove; those of Rumas do not change.
    pub labels: &'a [u32],
    /// The number of stones that go into Rumas, the change of the total.
    pub home: u64,
}

/// A move with its walk and its option.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GraphMove {
    /// The bin whose stones are sown.
    pub origin: Vertex,
    /// The vertices that the sowing enters, in order; the last is a Ruma.
    pub walk: Vec<Vertex>,
    /// The board after the move.
    pub option: GraphBoard,
}

/// An unmove with its walk and its board.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GraphUnmove {
    /// The bin that is filled.
    pub origin: Vertex,
    /// The vertices that the undone sowing enters, in order; the last is a Ruma.
    pub walk: Vec<Vertex>,
    /// The board before the move that is undone.
    pub board: GraphBoard,
}

/// The reason why moves or unmoves of a board cannot be listed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SowingError {
    /// The board does not fit the graph.
    #[error(transparent)]
    Board(#[from] GraphBoardError),
    /// There are too many walks.
    #[error(transparent)]
    Steps(#[from] StepsSpent),
}

impl SowingGraph {
    /// Returns the moves of a board, one for each bin and walk, in ascending order.
    ///
    /// Different walks with the same result are listed separately. Cost as for
    /// [`Self::for_each_move`].
    ///
    /// # Errors
    ///
    /// [`SowingError`] when the board does not fit, or the walks take more steps than granted.
    ///
    /// ```
    /// use cggames::game::sowing_graph::{SowingGraph, Steps};
    ///
    /// let graph: SowingGraph = "ruma r\nbin 1 2 3\n3 -> 2 -> 1 -> r".parse()?;
    /// let moves = graph.moves(&"(0, 1, 3)".parse()?, &mut Steps::new(100))?;
    /// assert_eq!(moves.len(), 1);
    /// assert_eq!(moves[0].option.to_string(), "(1, 2, 0)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn moves(
        &self,
        board: &GraphBoard,
        steps: &mut Steps<'_>,
    ) -> Result<Vec<GraphMove>, SowingError> {
        let mut moves = Vec::new();
        self.for_each_move(&mut board.labels(self)?, steps, |sown| {
            moves.push(GraphMove {
                origin: sown.origin,
                walk: sown.walk.to_vec(),
                option: GraphBoard::from_labels(self, sown.labels),
            });
        })?;
        moves.sort();
        Ok(moves)
    }

    /// Returns the unmoves of a board that lead to at most `total_max` stones, in ascending order.
    ///
    /// # Errors
    ///
    /// [`SowingError`] when the board does not fit, or the walks take more steps than granted.
    ///
    /// ```
    /// use cggames::game::sowing_graph::{SowingGraph, Steps};
    ///
    /// // Figure 6 continues with a lap through the Ruma and through the filled bin.
    /// let graph = SowingGraph::cycle(4)?;
    /// let unmoves = graph.unmoves(&"(1, 1, 3)".parse()?, 100, &mut Steps::new(100))?;
    /// assert_eq!(unmoves.len(), 1);
    /// assert_eq!(unmoves[0].board.to_string(), "(5, 0, 2)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn unmoves(
        &self,
        board: &GraphBoard,
        total_max: u64,
        steps: &mut Steps<'_>,
    ) -> Result<Vec<GraphUnmove>, SowingError> {
        let mut unmoves = Vec::new();
        self.for_each_unmove(&mut board.labels(self)?, total_max, steps, |sown| {
            unmoves.push(GraphUnmove {
                origin: sown.origin,
                walk: sown.walk.iter().rev().copied().collect(),
                board: GraphBoard::from_labels(self, sown.labels),
            });
        })?;
        unmoves.sort();
        Ok(unmoves)
    }

    /// Calls `visit` with every unmove that leads to at most `total_max` stones (and never to more
    /// than [`BIN_STONES_MAX`]); the labels are as before when this returns `Ok`.
    ///
    /// Cost: a step for each edge tried, at most `total_max` times the greatest in-degree for each
    /// unmove or dead end.
    ///
    /// # Errors
    ///
    /// [`StepsSpent`], with the labels in disorder and some unmoves visited.
    pub fn for_each_unmove(
        &self,
        labels: &mut [u32],
        total_max: u64,
        steps: &mut Steps<'_>,
        mut visit: impl FnMut(Sown<'_>),
    ) -> Result<(), StepsSpent> {
        let total: u64 = labels.iter().map(|&stones| u64::from(stones)).sum();
        let home_max = total_max.min(BIN_STONES_MAX.into()).saturating_sub(total);
        if home_max == 0 {
            return Ok(());
        }
        let mut walk = Vec::new();
        // For each vertex of the walk, the index of the next predecessor.
        let mut next = Vec::new();
        for ruma in self.rumas() {
            let mut home = 1;
            walk.push(ruma);
            next.push(0);
            while let (Some(&at), Some(which)) = (walk.last(), next.last_mut()) {
                let Some(&before) = self.sources[at.index()].get(*which) else {
                    walk.pop();
                    next.pop();
                    if self.is_ruma(at) {
                        home -= 1
                    } else {
                        labels[at.index()] += 1
                    }
                    continue;
                };
                *which += 1;
                steps.spend()?;
                if self.is_ruma(before) {
                    if home < home_max {
                        home += 1;
                        walk.push(before);
                        next.push(0);
                    }
                } else if labels[before.index()] > 0 {
                    labels[before.index()] -= 1;
                    walk.push(before);
                    next.push(0);
                } else {
                    // The walk takes `home` stones from Rumas and the others from bins, at most
                    // BIN_STONES_MAX in all, so its length fits.
                    labels[before.index()] = walk.len() as u32;
                    visit(Sown {
                        origin: before,
                        walk: &walk,
                        labels,
                        home,
                    });
                    labels[before.index()] = 0;
                }
            }
        }
        Ok(())
    }

    /// Calls `visit` with every move; the labels are as before when this returns `Ok`.
    ///
    /// Cost: O(edges) steps for each stone in the fullest bin, to find the lengths of walks to
    /// Rumas; then a step for each edge tried, where only the last edges of walks can fail.
    ///
    /// # Errors
    ///
    /// [`StepsSpent`], with the labels in disorder and some moves visited.
    pub fn for_each_move(
        &self,
        labels: &mut [u32],
        steps: &mut Steps<'_>,
        mut visit: impl FnMut(Sown<'_>),
    ) -> Result<(), StepsSpent> {
        let stones_max = labels.iter().copied().max().unwrap_or(0);
        let homeward = self.homeward(stones_max, steps)?;
        let (mut walk, mut next) = (Vec::new(), Vec::new());
        for origin in self.bins() {
            let stones = labels[origin.index()] as usize;
            if stones == 0
                || !homeward
                    .get(stones)
                    .is_some_and(|ends| ends[origin.index()])
            {
                continue;
            }
            labels[origin.index()] = 0;
            let mut home = 0;
            next.push(0);
            while let Some(which) = next.last_mut() {
                let at = walk.last().copied().unwrap_or(origin);
                let Some(&after) = self.successors(at).get(*which) else {
                    next.pop();
                    if walk.pop().is_some() {
                        if self.is_ruma(at) {
                            home -= 1
                        } else {
                            labels[at.index()] -= 1
                        }
                    }
                    continue;
                };
                *which += 1;
                steps.spend()?;
                if !homeward[stones - walk.len() - 1][after.index()] {
                    continue;
                }
                if self.is_ruma(after) {
                    home += 1
                } else {
                    labels[after.index()] += 1
                }
                walk.push(after);
                if walk.len() < stones {
                    next.push(0);
                    continue;
                }
                // All stones are sown, and the last vertex is a Ruma: zero edges from one.
                visit(Sown {
                    origin,
                    walk: &walk,
                    labels,
                    home,
                });
                walk.pop();
                home -= 1;
            }
            labels[origin.index()] = stones as u32;
        }
        Ok(())
    }

    /// Returns, for each number of edges from 0 on, which vertices have a walk of that length to a
    /// Ruma, up to `edges_max` or the first length for which no vertex has one.
    fn homeward(
        &self,
        edges_max: u32,
        steps: &mut Steps<'_>,
    ) -> Result<Vec<Vec<bool>>, StepsSpent> {
        let mut homeward = vec![self.is_ruma.clone()];
        for edges in 0..edges_max as usize {
            let mut ends = vec![false; self.len()];
            for vertex in self.vertices() {
                for successor in self.successors(vertex) {
                    steps.spend()?;
                    ends[vertex.index()] |= homeward[edges][successor.index()];
                }
            }
            let some = ends.contains(&true);
            homeward.push(ends);
            if !some {
                break;
            }
        }
        Ok(homeward)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps() -> Steps<'static> {
        Steps::new(1_000_000)
    }

    /// Every unmove of the small boards of these graphs is undone by the move along its walk, and
    /// every move by the unmove.
    #[test]
    fn moves_and_unmoves_invert() {
        let mut graphs = vec![
            SowingGraph::cycle(4).unwrap(),
            SowingGraph::grid(3, 2).unwrap(),
            SowingGraph::tree(2, 2).unwrap(),
            "ruma r s\na -> r -> s -> a\ns -> b -> b -> r"
                .parse()
                .unwrap(),
        ];
        graphs.extend((0..20).map(|seed| SowingGraph::random(3, 2, 10, seed).unwrap()));
        let mut tested = 0;
        for graph in &graphs {
            let bins = graph.bins().count();
            for code in 0..4_u32.pow(bins as u32).min(4096) {
                let labels: Vec<u32> = (0..bins as u32).map(|i| code / 4_u32.pow(i) % 4).collect();
                let board = GraphBoard::new(&labels).unwrap();
                for sown in graph.moves(&board, &mut steps()).unwrap() {
                    let back = graph.unmoves(&sown.option, board.total(), &mut steps());
                    let expected = GraphUnmove {
                        origin: sown.origin,
                        walk: sown.walk,
                        board: board.clone(),
                    };
                    assert!(back.unwrap().contains(&expected), "{graph}{board}");
                    tested += 1;
                }
                for unsown in graph
                    .unmoves(&board, board.total() + 2, &mut steps())
                    .unwrap()
                {
                    let forth = graph.moves(&unsown.board, &mut steps());
                    let expected = GraphMove {
                        origin: unsown.origin,
                        walk: unsown.walk,
                        option: board.clone(),
                    };
                    assert!(forth.unwrap().contains(&expected), "{graph}{board}");
                    tested += 1;
                }
            }
        }
        assert!(tested > 10_000, "{tested}");
    }

    /// Walks back from Rumas once circled a billion times through Rumas that no bin reaches.
    #[test]
    fn cycles_of_rumas_without_bins_are_left_alone() {
        let graph: SowingGraph = "ruma r s\nr -> s -> r\na -> b".parse().unwrap();
        let unmoves = graph.unmoves(&GraphBoard::empty(&graph), u64::MAX, &mut steps());
        assert_eq!(unmoves, Ok(Vec::new()));
        let graph: SowingGraph = "ruma r s t\nr -> s -> r -> t\na -> t".parse().unwrap();
        let unmoves = graph
            .unmoves(&GraphBoard::empty(&graph), u64::MAX, &mut Steps::new(2))
            .unwrap();
        assert_eq!(unmoves.len(), 1);
    }

    #[test]
    fn a_spent_budget_is_an_error() {
        let graph = SowingGraph::cycle(4).unwrap();
        let board: GraphBoard = "(0, 1, 3)".parse().unwrap();
        for granted in 0..5 {
            assert!(graph.moves(&board, &mut Steps::new(granted)).is_err());
        }
        assert!(graph.unmoves(&board, 9, &mut Steps::new(0)).is_err());
        let other: GraphBoard = "(1)".parse().unwrap();
        assert!(matches!(
            graph.moves(&other, &mut steps()),
            Err(SowingError::Board(_))
        ));
    }
}
