//! The agreement of fixed bins with winning boards: which possible numbers of stones in some bins
//! occur on one.
//!
//! In a graph with finitely many winning boards no bin holds more stones than its longest walk to a
//! Ruma has edges. So some bins have finitely many possible numbers of stones, and one pass over
//! all boards finds which of them occur, and the fewest stones of a board for each. On paths
//! Theorem 4.5 decides the same by congruences; for other graphs no such theorem is known, which is
//! question (3) of section 5. [`super::reconstruct`] finds single boards.
//!
//! **Graphs in which everything agrees.** *All possible numbers of stones in all bins at once form
//! winning boards if and only if each bin has walks to Rumas of 1, 2, 3, ... edges, up to its
//! longest walk.* So these are the graphs with the most winning boards that the longest walks
//! allow: the product of their lengths plus one. For this reason the complete acyclic graph on n
//! bins has (n + 1)!. Proof. If there is no walk of b edges from a bin, the board with only b
//! stones there has no move. If there are all walks, clear the bins one after another, each after
//! those ahead of it. A bin is sown over bins that are empty by then, and leaves at most one stone
//! in each, so these bins can be cleared again in the same way; and no bin ahead of another ever
//! sows into it.
//!
//! Source: Jones, Taalman, Tongen, section 4, and section 5, questions (2) and (3); the theorem is
//! our own.

use std::ops::ControlFlow;

use cggames::game::sowing_graph::{SowingGraph, Vertex};
use thiserror::Error;

use super::enumeration::{EnumerationError, EnumerationLimits, Stop, enumerate};
use super::finiteness::{Finiteness, finiteness};

/// The most tuples of bins and stones: four bytes each.
pub const TUPLES_MAX: u64 = 1 << 28;

/// The numbers of tuples of fixed bins that agree with a winning board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agreement {
    /// The number of ways to choose bins and to give each a number of stones from 0 to the length
    /// of its longest walk.
    pub tuples: u64,
    /// The number of these that belong to a winning board.
    pub agreeing: u64,
    /// Of those, the first whose smallest board has the most stones: its bins with their stones, in
    /// the graph's order, and the stones of that board.
    pub hardest: (Vec<(Vertex, u32)>, u64),
    /// The first that belongs to no winning board, if any.
    pub first_contradiction: Option<Vec<(Vertex, u32)>>,
}

/// The error for an agreement that cannot be computed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AgreementError {
    /// There are infinitely many winning boards.
    #[error("{found}; agreement is defined for graphs with finitely many")]
    Infinite {
        /// Why, with the cycle at fault.
        found: String,
    },
    /// More bins are to be fixed than exist.
    #[error("{found} bins are to be fixed; the graph has {accepted} that can hold stones")]
    Bins {
        /// The number of bins to fix.
        found: usize,
        /// How many there are.
        accepted: usize,
    },
    /// There are too many ways to fix bins.
    #[error("there are more than {TUPLES_MAX} ways to fix {found} bins; fix fewer")]
    Tuples {
        /// The number of bins to fix.
        found: usize,
    },
    /// The graph has too many bins.
    #[error(transparent)]
    Enumeration(#[from] EnumerationError),
    /// Not all boards were visited.
    #[error("not all winning boards were visited: {0}")]
    Stopped(Stop),
}

/// The ways to give stones to some bins.
struct Choice {
    bins: Vec<(Vertex, u32)>,
    /// For each tuple, with the last bin's stones varying fastest, the fewest stones of a board, or
    /// `NONE`.
    fewest: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Choice {
    fn place(&self, labels: &[u32]) -> usize {
        self.bins.iter().fold(0, |place, &(bin, most)| {
            place * (most as usize + 1) + labels[bin.index()] as usize
        })
    }

    fn tuple(&self, mut place: usize) -> Vec<(Vertex, u32)> {
        let mut tuple: Vec<_> = (self.bins.iter().rev())
            .map(|&(bin, most)| {
                let size = most as usize + 1;
                let stones = place % size;
                place /= size;
                (bin, stones as u32)
            })
            .collect();
        tuple.reverse();
        tuple
    }
}

/// Computes which numbers of stones in `fixed` bins belong to a winning board.
///
/// Bins from which no Ruma is reached are omitted, since they are always empty. Cost: an enumeration, a
/// step for each board and choice of bins, and memory for all tuples.
///
/// # Errors
///
/// [`AgreementError`] when there are infinitely many winning boards, too few bins, too many tuples,
/// or when a limit excludes boards.
///
/// ```
/// use cgsolvers::sowing_graph::{agreement::agreement, enumeration::EnumerationLimits};
/// use cggames::game::sowing_graph::SowingGraph;
///
/// // The boards of two bins in a row are (0, 0), (1, 0), (0, 2), (1, 2): the second never holds a
/// // single stone.
/// let found = agreement(&SowingGraph::path(2)?, 1, EnumerationLimits::default())?;
/// assert_eq!((found.tuples, found.agreeing, found.hardest.1), (5, 4, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn agreement(
    graph: &SowingGraph,
    fixed: usize,
    limits: EnumerationLimits,
) -> Result<Agreement, AgreementError> {
    let finiteness = finiteness(graph);
    let Finiteness::Finite { longest } = &finiteness else {
        let found = finiteness.describe(graph);
        return Err(AgreementError::Infinite { found });
    };
    let bins = graph.bins().map(|bin| (bin, longest[bin.index()]));
    let bins: Vec<(Vertex, u32)> = bins.filter(|&(_, most)| most > 0).collect();
    if fixed > bins.len() {
        let accepted = bins.len();
        return Err(AgreementError::Bins {
            found: fixed,
            accepted,
        });
    }
    let tuples = ways(&bins, fixed);
    let tuples = tuples.filter(|&tuples| tuples <= TUPLES_MAX);
    let tuples = tuples.ok_or(AgreementError::Tuples { found: fixed })?;
    let choice = |bins: Vec<(Vertex, u32)>| {
        let size = bins.iter().map(|&(_, most)| most as usize + 1).product();
        let fewest = vec![NONE; size];
        Choice { bins, fewest }
    };
    let mut choices: Vec<Choice> = subsets(&bins, fixed).into_iter().map(choice).collect();
    let extent = enumerate(graph, limits, |board| {
        for choice in &mut choices {
            let place = choice.place(board.labels);
            // Boards come in order of their totals, which are at most BIN_STONES_MAX.
            let fewest = &mut choice.fewest[place];
            *fewest = (*fewest).min(board.total as u32);
        }
        ControlFlow::Continue(())
    })?;
    if let Some(stop) = extent.stop {
        return Err(AgreementError::Stopped(stop));
    }
    let all = || {
        let each = choices.iter().enumerate();
        each.flat_map(|(which, choice)| {
            let fewest = choice.fewest.iter().enumerate();
            fewest.map(move |(place, &fewest)| (which, place, fewest))
        })
    };
    let tuple = |(which, place, _): (usize, usize, u32)| choices[which].tuple(place);
    let mut hardest: Option<(usize, usize, u32)> = None;
    let mut agreeing = 0;
    for found in all().filter(|&(.., fewest)| fewest != NONE) {
        agreeing += 1;
        if hardest.is_none_or(|(.., before)| found.2 > before) {
            hardest = Some(found);
        }
    }
    let hardest = hardest.expect("the empty board agrees with bins fixed at nothing");
    Ok(Agreement {
        tuples,
        agreeing,
        hardest: (tuple(hardest), hardest.2.into()),
        first_contradiction: all().find(|&(.., fewest)| fewest == NONE).map(tuple),
    })
}

/// Returns the number of ways to choose `fixed` bins and the stones of each; `None` beyond 64 bits.
fn ways(bins: &[(Vertex, u32)], fixed: usize) -> Option<u64> {
    // Indexed by the number of bins chosen so far.
    let mut ways = vec![0u64; fixed + 1];
    ways[0] = 1;
    for &(_, most) in bins {
        for chosen in (0..fixed).rev() {
            let more = ways[chosen].checked_mul(u64::from(most) + 1)?;
            ways[chosen + 1] = ways[chosen + 1].checked_add(more)?;
        }
    }
    ways.pop()
}

/// Returns all subsets of `size` elements, in lexicographic order.
fn subsets<T: Copy>(all: &[T], size: usize) -> Vec<Vec<T>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let mut found = Vec::new();
    for (place, &first) in all.iter().enumerate() {
        for mut rest in subsets(&all[place + 1..], size - 1) {
            rest.insert(0, first);
            found.push(rest);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::atlas::acyclic_graphs;
    use super::super::reference::winning_boards;
    use super::*;

    /// Compares each tuple with the boards that literal play clears.
    #[test]
    fn tuples_agree_as_literal_play_finds() {
        let mut graphs = vec![
            SowingGraph::path(4).unwrap(),
            SowingGraph::grid(2, 2).unwrap(),
            SowingGraph::tree(2, 2).unwrap(),
            SowingGraph::complete_acyclic(3).unwrap(),
        ];
        graphs.extend((0..30).map(|seed| SowingGraph::random_acyclic(4, 2, 6, seed).unwrap()));
        let mut contradictions = 0;
        for graph in &graphs {
            let Finiteness::Finite { longest } = finiteness(graph) else {
                panic!("{graph}");
            };
            let boards = winning_boards(graph, longest.iter().sum());
            let live: Vec<Vertex> = graph.bins().filter(|b| longest[b.index()] > 0).collect();
            for fixed in 0..=live.len().min(3) {
                let (mut tuples, mut agreeing, mut hardest) = (0, 0, 0);
                for bins in subsets(&live, fixed) {
                    let size = |bin: &Vertex| longest[bin.index()] as usize + 1;
                    for code in 0..bins.iter().map(size).product() {
                        let mut rest: usize = code;
                        let stones: Vec<u32> = bins
                            .iter()
                            .map(|bin| {
                                let stones = rest % size(bin);
                                rest /= size(bin);
                                stones as u32
                            })
                            .collect();
                        let agrees = |labels: &&Vec<u32>| {
                            bins.iter()
                                .zip(&stones)
                                .all(|(b, &n)| labels[b.index()] == n)
                        };
                        let smallest = boards.keys().filter(agrees);
                        let smallest = smallest.map(|labels| labels.iter().sum::<u32>()).min();
                        tuples += 1;
                        agreeing += u64::from(smallest.is_some());
                        hardest = hardest.max(smallest.unwrap_or(0));
                    }
                }
                let found = agreement(graph, fixed, EnumerationLimits::default()).unwrap();
                assert_eq!(
                    (found.tuples, found.agreeing),
                    (tuples, agreeing),
                    "{graph}"
                );
                assert_eq!(found.hardest.1, u64::from(hardest), "{graph}");
                let fewest = |tuple: &[(Vertex, u32)]| {
                    let agrees =
                        |labels: &&Vec<u32>| tuple.iter().all(|&(b, n)| labels[b.index()] == n);
                    let totals = boards.keys().filter(agrees);
                    totals
                        .map(|labels| u64::from(labels.iter().sum::<u32>()))
                        .min()
                };
                assert_eq!(fewest(&found.hardest.0), Some(found.hardest.1));
                assert_eq!(found.first_contradiction.is_some(), tuples > agreeing);
                if let Some(tuple) = &found.first_contradiction {
                    assert_eq!(fewest(tuple), None);
                    contradictions += 1;
                }
            }
        }
        assert!(contradictions > 30, "{contradictions}");
    }

    /// The theorem above, on all acyclic graphs of at most five vertices.
    #[test]
    fn everything_agrees_where_walks_have_all_lengths() {
        let mut full = 0;
        for (bins, rumas) in [
            (1, 1),
            (2, 1),
            (3, 1),
            (4, 1),
            (1, 2),
            (2, 2),
            (3, 2),
            (2, 3),
        ] {
            for graph in acyclic_graphs(bins, rumas).unwrap() {
                let found = agreement(&graph, bins, EnumerationLimits::default()).unwrap();
                let all = graph.bins().all(|bin| {
                    // The vertices that are 0, 1, 2, ... edges from the bin.
                    let mut ends = std::collections::BTreeSet::from([bin]);
                    let mut gap = false;
                    let mut lengths_agree = true;
                    while !ends.is_empty() {
                        let next = ends.iter().flat_map(|&v| graph.successors(v)).copied();
                        ends = next.collect();
                        let is_home = ends.iter().any(|&v| graph.is_ruma(v));
                        lengths_agree &= !(gap && is_home);
                        gap |= !is_home;
                    }
                    lengths_agree
                });
                assert_eq!(found.tuples == found.agreeing, all, "{graph}");
                full += u32::from(all);
            }
        }
        assert!(full > 40, "{full}");
    }

    #[test]
    fn what_cannot_be_told_is_refused() {
        let error = |graph: &SowingGraph, fixed, limits| {
            agreement(graph, fixed, limits).unwrap_err().to_string()
        };
        let defaults = EnumerationLimits::default();
        assert_eq!(
            error(&SowingGraph::cycle(2).unwrap(), 1, defaults),
            "infinitely many winning boards: 1 -> r -> 1 is a directed cycle with a ruma and a bin; agreement is defined for \
             graphs with finitely many"
        );
        let path = SowingGraph::path(90).unwrap();
        assert_eq!(
            error(&path, 91, defaults),
            "91 bins are to be fixed; the graph has 90 that can hold stones"
        );
        assert_eq!(
            error(&path, 5, defaults),
            "there are more than 268435456 ways to fix 5 bins; fix fewer"
        );
        let few = EnumerationLimits {
            boards_max: 3,
            ..defaults
        };
        assert_eq!(
            error(&SowingGraph::path(3).unwrap(), 1, few),
            "not all winning boards were visited: the budget of boards is spent"
        );
    }
}
