//! In-trees: sowing graphs in which each bin has one way home, so winning boards have a formula.
//!
//! Let each bin that reaches a Ruma have exactly one walk home, of d edges. **A board is winning if
//! and only if each such bin v holds b <= d stones with b + s = 0 mod d, where s is the number of
//! moves from bins behind v; then (b + s) / d moves are made from v itself.** (Bins that reach no
//! Ruma are empty.) On a path this is Theorem 2.1 and Corollary 3.1 of the paper.
//!
//! Proof. Each of the s moves behind v sows one stone into v, and v is sown only with d stones in
//! it. So the total number of stones that v ever receives or starts with is a multiple of d; and b
//! <= d, as more can never be sown. Conversely, let a nonempty board satisfy the condition. A
//! nonempty bin with no nonempty bin behind it holds d stones, so it can be sown. Take a bin that
//! can be sown with no such bin ahead of it. Sowing it adds a stone to each bin ahead, none of
//! which holds its d yet, and lowers their s by one, so the condition holds again. The choice of
//! the bin does not matter: *in in-trees every play that sows no bin behind one that could be sown
//! clears the board*, in particular the nearest-first play.
//!
//! Counting: s and v's label determine the number of moves of v and all bins behind it. So the
//! counts of boards by moves for the subtrees behind v multiply as polynomials. Then s becomes s +
//! s/d or s + s/d + 1 if d divides s (the label is 0 or d), and s + ceil(s/d) if not. As each move
//! brings home one stone, the number of moves is the total. This answers question (2) of section 5
//! for in-trees. A bin next to a Ruma (d = 1) doubles the count.
//!
//! Source: our own; it extends Jones, Taalman, Tongen, Theorem 2.1 and Corollary 3.1.

use cggames::game::sowing_graph::{GraphBoard, GraphBoardError, SowingGraph, Vertex};
use thiserror::Error;

use super::finiteness::live;

/// A graph in which each bin has one way home.
///
/// ```
/// use cgsolvers::sowing_graph::tree::InTree;
/// use cggames::game::sowing_graph::SowingGraph;
///
/// // The bin next to the Ruma doubles the number of boards of two bins at distance two.
/// let graph: SowingGraph = "ruma r\na -> c -> r\nb -> c".parse()?;
/// let tree = InTree::new(&graph).expect("one way home each");
/// assert_eq!(tree.boards_by_total(100)?, [1, 1, 2, 2, 1, 1]);
/// assert!(tree.is_winning(&"(2, 0, 2)".parse()?)?);
/// assert!(tree.is_winning(&"(2, 1, 0)".parse()?)?);
/// assert!(!tree.is_winning(&"(1, 0, 0)".parse()?)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct InTree<'g> {
    graph: &'g SowingGraph,
    /// The bins that reach a Ruma, each after all bins behind it.
    bins: Vec<TreeBin>,
}

/// A bin that reaches a Ruma.
#[derive(Clone, Copy, Debug)]
struct TreeBin {
    bin: Vertex,
    /// The number of steps to the Ruma.
    distance: u64,
    /// The bin ahead; `None` next to the Ruma.
    ahead: Option<Vertex>,
}

/// There are too many boards to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the graph has 2^128 or more winning boards; give a smaller greatest total")]
pub struct CountOverflow;

impl<'g> InTree<'g> {
    /// Returns the graph as an in-tree, or `None` if some bin has several walks to Rumas.
    ///
    /// Cost: O(edges).
    pub fn new(graph: &'g SowingGraph) -> Option<Self> {
        let live = live(graph);
        let mut ahead = vec![None; graph.len()];
        for (from, to) in graph.edges() {
            if live[from.index()] && live[to.index()] {
                // An edge out of a Ruma gives a second walk to each bin before it.
                if graph.is_ruma(from) || ahead[from.index()].is_some() {
                    return None;
                }
                ahead[from.index()] = Some(to);
            }
        }
        // Live Rumas first, then bins by increasing distance. A cycle of bins is never reached:
        // each of its vertices has two outgoing edges or does not reach a Ruma.
        let mut order: Vec<(Vertex, u64)> = graph.rumas().map(|ruma| (ruma, 0)).collect();
        let mut next = 0;
        while let Some(&(vertex, distance)) = order.get(next) {
            next += 1;
            for &before in graph.predecessors(vertex) {
                if live[before.index()] && ahead[before.index()] == Some(vertex) {
                    order.push((before, distance + 1));
                }
            }
        }
        let bins = (order.into_iter().rev())
            .filter(|&(vertex, _)| !graph.is_ruma(vertex))
            .map(|(bin, distance)| {
                let ahead = ahead[bin.index()].filter(|&to| !graph.is_ruma(to));
                TreeBin {
                    bin,
                    distance,
                    ahead,
                }
            })
            .collect();
        Some(Self { graph, bins })
    }

    /// Returns whether the board can be cleared; cost is linear in the graph.
    ///
    /// # Errors
    ///
    /// [`GraphBoardError`] when the board does not fit the graph.
    pub fn is_winning(&self, board: &GraphBoard) -> Result<bool, GraphBoardError> {
        let mut labels = board.labels(self.graph)?;
        // The number of moves from the bins behind each bin; at most the number of stones.
        let mut behind = vec![0_u64; self.graph.len()];
        for &TreeBin {
            bin,
            distance,
            ahead,
        } in &self.bins
        {
            let stones = u64::from(std::mem::take(&mut labels[bin.index()]));
            let passed = stones + behind[bin.index()];
            if stones > distance || !passed.is_multiple_of(distance) {
                return Ok(false);
            }
            if let Some(ahead) = ahead {
                behind[ahead.index()] += behind[bin.index()] + passed / distance;
            }
        }
        // Only bins from which no Ruma is reached can still have stones.
        Ok(labels.iter().all(|&stones| stones == 0))
    }

    /// Returns the most stones of a winning board; `None` beyond 64 bits. Cost: O(bins).
    ///
    /// A bin at distance d ahead of at most s moves makes at most `floor(s/d) + 1`, and attains
    /// this with the most stones that it may hold. So the greatest numbers of moves behind a bin
    /// give the greatest number ahead of it.
    pub fn greatest_total(&self) -> Option<u64> {
        let mut behind = vec![0_u64; self.graph.len()];
        let mut whole = 0_u64;
        for &TreeBin {
            bin,
            distance,
            ahead,
        } in &self.bins
        {
            let moves = behind[bin.index()];
            let after = moves.checked_add(moves / distance + 1)?;
            let onto = match ahead {
                Some(ahead) => &mut behind[ahead.index()],
                None => &mut whole,
            };
            *onto = onto.checked_add(after)?;
        }
        Some(whole)
    }

    /// Returns the numbers of winning boards with 0, 1, 2, ... stones, up to `total_max` or the
    /// greatest total.
    ///
    /// Cost: O(t^2) for each bin, t the greatest total.
    ///
    /// # Errors
    ///
    /// [`CountOverflow`] when there are 2^128 boards or more.
    pub fn boards_by_total(&self, total_max: u64) -> Result<Vec<u128>, CountOverflow> {
        self.boards_with(&[], total_max)
    }

    /// As [`Self::boards_by_total`], but returns `None` soon after `stop` returns true.
    ///
    /// # Errors
    ///
    /// As [`Self::boards_by_total`].
    pub fn boards_by_total_until(
        &self,
        total_max: u64,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<Vec<u128>>, CountOverflow> {
        self.boards_with_until(&[], total_max, stop)
    }

    /// Returns the numbers of winning boards with 0, 1, 2, ... stones that hold the given numbers
    /// in these bins, up to `total_max`; the first nonzero number belongs to the smallest such
    /// boards.
    ///
    /// This answers question (3) of section 5 for in-trees. A bin that is fixed twice must satisfy
    /// both; stones in a Ruma are not counted, so fixing a Ruma has no effect. Trailing zeros, if
    /// any, have no meaning. Cost: as for [`Self::boards_by_total`].
    ///
    /// # Errors
    ///
    /// [`CountOverflow`] when there are 2^128 such boards or more.
    pub fn boards_with(
        &self,
        fixed: &[(Vertex, u32)],
        total_max: u64,
    ) -> Result<Vec<u128>, CountOverflow> {
        let counts = self.boards_with_until(fixed, total_max, &|| false)?;
        Ok(counts.expect("a count without a stop request ends"))
    }

    fn boards_with_until(
        &self,
        fixed: &[(Vertex, u32)],
        total_max: u64,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<Vec<u128>>, CountOverflow> {
        let mut allowed: Vec<Option<u64>> = vec![None; self.graph.len()];
        for &(bin, stones) in fixed.iter().filter(|&&(bin, _)| !self.graph.is_ruma(bin)) {
            let before = allowed[bin.index()].replace(stones.into());
            let is_empty_bin = !self.bins.iter().any(|other| other.bin == bin);
            if before.is_some_and(|before| before != u64::from(stones))
                || is_empty_bin && stones > 0
            {
                return Ok(Some(Vec::new()));
            }
        }
        let mut behind: Vec<Vec<u128>> = vec![vec![1]; self.graph.len()];
        let mut whole = vec![1];
        for &TreeBin {
            bin,
            distance,
            ahead,
        } in &self.bins
        {
            let moves = std::mem::take(&mut behind[bin.index()]);
            let after = with_bin(&moves, distance, allowed[bin.index()], total_max)?;
            let onto = match ahead {
                Some(ahead) => &mut behind[ahead.index()],
                None => &mut whole,
            };
            let Some(both) = product(onto, &after, total_max, stop)? else {
                return Ok(None);
            };
            *onto = both;
        }
        // The sum must fit, too, so that the counts can be added.
        let sum = whole.iter().try_fold(0_u128, |sum, &n| sum.checked_add(n));
        sum.map(|_| Some(whole)).ok_or(CountOverflow)
    }
}

/// Returns the numbers of boards by moves after adding a bin at this distance ahead of a subtree;
/// the bin may hold any label or only the given one.
fn with_bin(
    behind: &[u128],
    distance: u64,
    allowed: Option<u64>,
    total_max: u64,
) -> Result<Vec<u128>, CountOverflow> {
    let mut counts: Vec<u128> = Vec::new();
    for (passed, &boards) in (0_u64..).zip(behind) {
        // The label that makes the sum a multiple of the distance, and also the distance itself if
        // that label is 0.
        let least = passed.next_multiple_of(distance) - passed;
        let full = (least == 0).then_some(distance);
        for label in [least].into_iter().chain(full) {
            let moves = passed + (passed + label) / distance;
            if boards == 0 || moves > total_max || allowed.is_some_and(|only| only != label) {
                continue;
            }
            let moves = moves as usize;
            if counts.len() <= moves {
                counts.resize(moves + 1, 0);
            }
            counts[moves] = counts[moves].checked_add(boards).ok_or(CountOverflow)?;
        }
    }
    Ok(counts)
}

/// Returns the numbers of pairs by the sum of their totals; `None` if `stop` returns true.
fn product(
    a: &[u128],
    b: &[u128],
    total_max: u64,
    stop: &dyn Fn() -> bool,
) -> Result<Option<Vec<u128>>, CountOverflow> {
    if a.is_empty() || b.is_empty() {
        return Ok(Some(Vec::new()));
    }
    let length = (a.len() + b.len() - 1)
        .min(usize::try_from(total_max).map_or(usize::MAX, |t| t.saturating_add(1)));
    let mut counts = vec![0_u128; length];
    for (i, &first) in a.iter().enumerate().take(length) {
        if stop() {
            return Ok(None);
        }
        for (j, &second) in b.iter().enumerate().take(length - i) {
            let boards = first.checked_mul(second).ok_or(CountOverflow)?;
            counts[i + j] = counts[i + j].checked_add(boards).ok_or(CountOverflow)?;
        }
    }
    Ok(Some(counts))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::ops::ControlFlow;

    use super::super::census::census_in_one;
    use super::super::enumeration::{EnumerationLimits, enumerate};
    use super::super::reference::winning_boards;
    use super::*;

    fn random_in_tree(bins: usize, seed: u64) -> SowingGraph {
        let full = SowingGraph::random_acyclic(bins, 2, (bins + 2) * (bins + 1) / 2, 0).unwrap();
        let drawn = SowingGraph::random_acyclic(bins, 2, 2 * bins, seed).unwrap();
        assert_eq!(full.len(), drawn.len());
        // The first edge out of each bin stays; bins without one reach no Ruma.
        let vertices = drawn
            .vertices()
            .map(|v| (drawn.name(v).to_owned(), drawn.is_ruma(v)));
        let edges = drawn.bins().filter_map(|bin| {
            let kept = drawn
                .successors(bin)
                .get(seed as usize % 2)
                .or(drawn.successors(bin).first());
            kept.map(|to| (bin.index(), to.index()))
        });
        SowingGraph::new(vertices, edges).unwrap()
    }

    /// The formula accepts exactly the boards that literal play clears.
    #[test]
    fn formula_agrees_with_literal_play() {
        let mut graphs: Vec<SowingGraph> = (0..60).map(|seed| random_in_tree(5, seed)).collect();
        graphs.extend([
            SowingGraph::path(4).unwrap(),
            SowingGraph::tree(2, 2).unwrap(),
            SowingGraph::star(2, 2).unwrap(),
        ]);
        for graph in &graphs {
            let tree = InTree::new(graph).unwrap();
            let slow = winning_boards(graph, 7);
            let bins = graph.bins().count();
            let mut by_total = BTreeMap::new();
            // All boards with at most 4 stones a bin and 7 altogether.
            for code in 0..5_u32.pow(bins as u32) {
                let stones: Vec<u32> = (0..bins as u32).map(|i| code / 5_u32.pow(i) % 5).collect();
                let board = GraphBoard::new(&stones).unwrap();
                if board.total() <= 7 {
                    let labels = board.labels(graph).unwrap();
                    let expected = slow.contains_key(&labels);
                    assert_eq!(tree.is_winning(&board), Ok(expected), "{graph}{board}");
                }
            }
            for labels in slow.keys() {
                *by_total.entry(labels.iter().sum::<u32>()).or_insert(0_u128) += 1;
            }
            let counts = tree.boards_by_total(7).unwrap();
            assert_eq!(
                counts,
                by_total.into_values().collect::<Vec<_>>(),
                "{graph}"
            );
        }
    }

    #[test]
    fn formula_agrees_with_the_sweep() {
        let mut graphs: Vec<SowingGraph> = (0..60).map(|seed| random_in_tree(9, seed)).collect();
        graphs.extend([
            SowingGraph::path(20).unwrap(),
            SowingGraph::tree(2, 3).unwrap(),
            SowingGraph::tree(3, 2).unwrap(),
        ]);
        for graph in &graphs {
            let tree = InTree::new(graph).unwrap();
            let extent = census_in_one(graph, EnumerationLimits::default()).unwrap();
            let expected: Vec<u128> = extent.by_total.iter().map(|row| row.boards).collect();
            let greatest = expected.len() as u64 - 1;
            assert_eq!(tree.greatest_total(), Some(greatest), "{graph}");
            assert_eq!(tree.boards_by_total(u64::MAX), Ok(expected), "{graph}");
        }
    }

    /// Boards with given bins agree with a search through all boards.
    #[test]
    fn fixed_bins_agree_with_the_sweep() {
        let mut some = 0;
        for seed in 0..40 {
            let graph = random_in_tree(7, seed);
            let tree = InTree::new(&graph).unwrap();
            let bins: Vec<Vertex> = graph.bins().collect();
            let mut all = Vec::new();
            enumerate(&graph, EnumerationLimits::default(), |board| {
                all.push(board.labels.to_vec());
                ControlFlow::Continue(())
            })
            .unwrap();
            for (first, second) in [(0, 6), (3, 5), (5, 6), (2, 2)] {
                for (a, b) in (0..4).flat_map(|a| (0..4).map(move |b| (a, b))) {
                    let fixed = [(bins[first], a), (bins[second], b)];
                    let mut expected = vec![0_u128; 60];
                    for labels in &all {
                        if fixed.iter().all(|&(bin, n)| labels[bin.index()] == n) {
                            expected[labels.iter().sum::<u32>() as usize] += 1;
                            some += 1;
                        }
                    }
                    let mut found = tree.boards_with(&fixed, u64::MAX).unwrap();
                    found.resize(60, 0);
                    assert_eq!(found, expected, "{graph}");
                }
            }
        }
        assert!(some > 1000, "{some}");
        // Examples 4.4, 4.8 and 4.9, with bins numbered from 1.
        let path = SowingGraph::path(24).unwrap();
        let tree = InTree::new(&path).unwrap();
        let smallest = |fixed: &[(&str, u32)]| {
            let named = |&(name, n): &(&str, u32)| (path.vertex(name).unwrap(), n);
            let fixed: Vec<_> = fixed.iter().map(named).collect();
            let counts = tree.boards_with(&fixed, u64::MAX).unwrap();
            counts.iter().position(|&boards| boards > 0)
        };
        assert_eq!(smallest(&[("4", 1), ("5", 2)]), None);
        assert_eq!(smallest(&[("3", 2), ("6", 5)]), Some(18));
        assert_eq!(smallest(&[("3", 1), ("6", 0)]), Some(10));
        assert_eq!(smallest(&[("2", 1), ("6", 2)]), Some(34));
        assert_eq!(smallest(&[("2", 1), ("6", 2), ("8", 3)]), Some(202));
    }

    #[test]
    fn other_graphs_are_no_in_trees() {
        for text in [
            "ruma r\na -> b -> r\na -> r",
            "ruma r s\na -> r -> s",
            "ruma r\na -> b -> a\nb -> r",
            "ruma r\na -> a -> r",
        ] {
            assert!(InTree::new(&text.parse().unwrap()).is_none(), "{text}");
        }
        // Edges that reach no Ruma do not matter.
        let graph: SowingGraph = "ruma r\na -> r -> b\na -> c -> c".parse().unwrap();
        let tree = InTree::new(&graph).unwrap();
        assert_eq!(tree.boards_by_total(9), Ok(vec![1, 1]));
        assert_eq!(tree.is_winning(&"(1, 0, 0)".parse().unwrap()), Ok(true));
        assert_eq!(tree.is_winning(&"(0, 1, 0)".parse().unwrap()), Ok(false));
        let wide = SowingGraph::star(128, 1).unwrap();
        assert_eq!(
            InTree::new(&wide).unwrap().boards_by_total(200),
            Err(CountOverflow)
        );
    }
}
