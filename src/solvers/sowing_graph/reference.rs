//! The slow reference: plays every board of small total, move by move, by Definition 5.1.
//!
//! It uses no unmoves, no bounds and no theorems, and shares only the graph with the fast engine. A
//! board is winning if it is empty, or if some move leads to a winning board: the move takes a
//! bin's stones along a walk to a Ruma whose length is the number of these stones.

use std::collections::BTreeMap;

use cggames::game::sowing_graph::{SowingGraph, Vertex};

/// Returns the winning boards with at most `total_max` stones, as stones by vertex (0 for Rumas),
/// each with the least number of moves that clears it.
///
/// Cost: exponential in the bins and the stones; for a few of each.
///
/// ```
/// use cgsolvers::sowing_graph::reference::winning_boards;
/// use cggames::game::sowing_graph::SowingGraph;
///
/// let boards = winning_boards(&SowingGraph::path(2)?, 9);
/// let labels: Vec<_> = boards.into_keys().collect();
/// assert_eq!(labels, [[0, 0, 0], [0, 0, 2], [0, 1, 0], [0, 1, 2]]);
/// # Ok::<(), cggames::game::sowing_graph::GraphError>(())
/// ```
pub fn winning_boards(graph: &SowingGraph, total_max: u32) -> BTreeMap<Vec<u32>, u64> {
    let mut winning = BTreeMap::new();
    let bins: Vec<Vertex> = graph.bins().collect();
    for total in 0..=total_max {
        place(graph, &bins, total, &mut vec![0; graph.len()], &mut winning);
    }
    winning
}

/// Puts `left` stones into these bins in all ways, and plays each board.
fn place(
    graph: &SowingGraph,
    bins: &[Vertex],
    left: u32,
    labels: &mut Vec<u32>,
    winning: &mut BTreeMap<Vec<u32>, u64>,
) {
    let Some((&bin, others)) = bins.split_first() else {
        if left == 0
            && let Some(moves) = least_moves(graph, labels, winning)
        {
            winning.insert(labels.clone(), moves);
        }
        return;
    };
    for stones in 0..=left {
        labels[bin.index()] = stones;
        place(graph, others, left - stones, labels, winning);
    }
    labels[bin.index()] = 0;
}

/// Returns the least number of moves that clears the board, given the results for boards with fewer
/// stones.
fn least_moves(
    graph: &SowingGraph,
    labels: &[u32],
    winning: &BTreeMap<Vec<u32>, u64>,
) -> Option<u64> {
    if labels.iter().all(|&stones| stones == 0) {
        return Some(0);
    }
    let mut least = None;
    for bin in graph.bins().filter(|bin| labels[bin.index()] > 0) {
        let mut picked_up = labels.to_vec();
        let stones = std::mem::take(&mut picked_up[bin.index()]);
        sow(graph, bin, stones, &picked_up, &mut |sown| {
            let after = winning.get(sown).map(|moves| moves + 1);
            least = [least, after].into_iter().flatten().min();
        });
    }
    least
}

/// Sows the remaining stones along every walk, and calls `visit` where the last one falls into a
/// Ruma.
fn sow(
    graph: &SowingGraph,
    at: Vertex,
    in_hand: u32,
    labels: &[u32],
    visit: &mut impl FnMut(&Vec<u32>),
) {
    for &next in graph.successors(at) {
        let mut labels = labels.to_vec();
        if !graph.is_ruma(next) {
            labels[next.index()] += 1;
        }
        if in_hand > 1 {
            sow(graph, next, in_hand - 1, &labels, visit);
        } else if graph.is_ruma(next) {
            visit(&labels);
        }
    }
}
