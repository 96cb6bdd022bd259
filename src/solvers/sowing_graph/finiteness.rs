//! Finiteness of the winning boards of a sowing graph, with a cycle as the reason if there are
//! infinitely many.
//!
//! **Theorem 5.2, corrected.** The paper states: finitely many if and only if no directed cycle
//! contains both a Ruma and a bin. Such a cycle does give infinitely many, but other cycles do,
//! too. In `a -> b -> a`, `b -> r` no cycle contains the Ruma, yet the only unmove from each board
//! leads to another, with one stone more: (0, 1), (2, 0), (2, 1), (1, 3), (4, 1), .... And in `v ->
//! r -> s -> r` with Rumas r and s the cycle contains only Rumas, yet one move clears any number of
//! stones in v alone. The paper's proof bounds a label by the distance to "the furthest Ruma node
//! reachable", as if every walk with a cycle had to pass a Ruma and a bin.
//!
//! The correct statement is: *there are infinitely many winning boards if and only if some directed
//! cycle is reachable from a bin and reaches a Ruma.* Proof. Without such a cycle no walk from a
//! bin to a Ruma visits a vertex twice, so no bin of a winning board holds more stones than its
//! longest walk home has edges. Suppose that such a cycle contains a bin. Walk from the Ruma back
//! to the cycle and then around it for ever: the stones of that bin eventually run out. So on every
//! board this walk meets an empty bin and is an unmove, which adds a stone. Suppose that the cycle
//! contains only Rumas. Then some bin has an edge to a vertex from which only Rumas lead into the
//! cycle. Walks of unbounded length from that bin meet only Rumas, so unmoves from the empty board
//! give boards in which this bin holds any of those lengths.
//!
//! Source: Jones, Taalman, Tongen, Theorem 5.2, and the counterexamples above, which tests verify
//! by play.

use std::collections::VecDeque;
use std::fmt;

use cggames::game::sowing_graph::{SowingGraph, Vertex};

/// The vertices of a cycle that gives infinitely many winning boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CycleKind {
    /// Rumas and bins: the kind that Theorem 5.2 names.
    Mixed,
    /// Bins only; the paper's theorem overlooks it.
    Bins,
    /// Rumas only; the paper's theorem overlooks it.
    Rumas,
}

/// Whether there are finitely many winning boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finiteness {
    /// Finitely many.
    Finite {
        /// By vertex, the number of edges in the longest walk to a Ruma, which is the most stones
        /// of that bin on a winning board: 0 for bins without such a walk, and for Rumas.
        longest: Vec<u32>,
    },
    /// Infinitely many.
    Infinite {
        /// A shortest cycle as the reason, each vertex once; of the kind that Theorem 5.2 names if
        /// there is one.
        cycle: Vec<Vertex>,
        /// The kind of the cycle.
        kind: CycleKind,
    },
}

impl Finiteness {
    /// Returns whether there are finitely many winning boards.
    pub fn is_finite(&self) -> bool {
        matches!(self, Self::Finite { .. })
    }

    /// Returns whether there are finitely many according to Theorem 5.2 as printed.
    pub fn is_finite_in_print(&self) -> bool {
        !matches!(
            self,
            Self::Infinite {
                kind: CycleKind::Mixed,
                ..
            }
        )
    }

    /// Returns the names of the cycle's vertices, if there is one, and its kind.
    pub fn cycle<'g>(&self, graph: &'g SowingGraph) -> Option<(Vec<&'g str>, CycleKind)> {
        match self {
            Self::Finite { .. } => None,
            Self::Infinite { cycle, kind } => {
                let names = cycle.iter().map(|&vertex| graph.name(vertex));
                Some((names.collect(), *kind))
            }
        }
    }

    /// Returns the cycle, if there is one, as a walk that returns to its first vertex: `1 -> r -> 2 -> 1`.
    pub fn walk(&self, graph: &SowingGraph) -> Option<String> {
        let (mut names, _) = self.cycle(graph)?;
        names.extend(names.first().copied());
        Some(names.join(" -> "))
    }

    /// Returns the finding in words, with the cycle's vertices by name.
    pub fn describe(&self, graph: &SowingGraph) -> String {
        match (self.walk(graph), self) {
            (Some(walk), Self::Infinite { kind, .. }) => {
                format!("infinitely many winning boards: {walk} is a directed cycle {kind}")
            }
            _ => "finitely many winning boards".to_owned(),
        }
    }
}

impl CycleKind {
    /// Returns its name in results.
    pub fn name(self) -> &'static str {
        match self {
            CycleKind::Mixed => "mixed",
            CycleKind::Bins => "bins",
            CycleKind::Rumas => "rumas",
        }
    }
}

impl fmt::Display for CycleKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Mixed => "with a ruma and a bin",
            Self::Bins => "of bins from which a ruma is reached",
            Self::Rumas => "of rumas that a bin reaches",
        })
    }
}

/// Returns whether the graph has finitely many winning boards.
///
/// Cost: O(edges) if it has, O(edges^2) to find the shortest cycle if it has not.
///
/// ```
/// use cgsolvers::sowing_graph::finiteness::finiteness;
/// use cggames::game::sowing_graph::SowingGraph;
///
/// let graph = SowingGraph::cycle(3)?;
/// assert_eq!(
///     finiteness(&graph).describe(&graph),
///     "infinitely many winning boards: 1 -> r -> 2 -> 1 is a directed cycle with a ruma and a bin"
/// );
/// assert!(finiteness(&SowingGraph::grid(3, 3)?).is_finite());
/// # Ok::<(), cggames::game::sowing_graph::GraphError>(())
/// ```
pub fn finiteness(graph: &SowingGraph) -> Finiteness {
    let live = live(graph);
    if let Some(longest) = longest_walks(graph, &live) {
        return Finiteness::Finite { longest };
    }
    let shortest = |mixed: bool| -> Option<Vec<Vertex>> {
        graph
            .edges()
            .filter(|&(from, to)| live[from.index()] && live[to.index()])
            .filter(|&(from, to)| !mixed || graph.is_ruma(from) != graph.is_ruma(to))
            .filter_map(|(from, to)| shortest_path(graph, to, from))
            .min_by_key(Vec::len)
    };
    // A cycle with a Ruma and a bin has an edge between the two kinds, so the first search finds
    // it.
    let found = shortest(true).or_else(|| shortest(false));
    let mut cycle = found.expect("live vertices without longest walks lie on a cycle");
    let first = (0..cycle.len()).min_by_key(|&i| (graph.is_ruma(cycle[i]), cycle[i]));
    cycle.rotate_left(first.unwrap_or(0));
    let rumas = cycle
        .iter()
        .filter(|&&vertex| graph.is_ruma(vertex))
        .count();
    let kind = match rumas {
        0 => CycleKind::Bins,
        all if all == cycle.len() => CycleKind::Rumas,
        _ => CycleKind::Mixed,
    };
    Finiteness::Infinite { cycle, kind }
}

/// Returns whether a move can sow into a Ruma and continue, so that it may bring home more than one
/// stone.
///
/// If not, each move lowers the total by one, so the length of each play equals the number of
/// stones. Cost: O(edges).
pub fn passes_rumas(graph: &SowingGraph) -> bool {
    let live = live(graph);
    graph
        .edges()
        .any(|(from, to)| graph.is_ruma(from) && live[from.index()] && live[to.index()])
}

/// Returns for each vertex whether it lies on a walk from a bin to a Ruma.
pub(super) fn live(graph: &SowingGraph) -> Vec<bool> {
    let reached = closure(graph, graph.bins(), SowingGraph::successors);
    let homeward = closure(graph, graph.rumas(), SowingGraph::predecessors);
    reached.iter().zip(homeward).map(|(&a, b)| a && b).collect()
}

fn closure(
    graph: &SowingGraph,
    from: impl Iterator<Item = Vertex>,
    neighbours: fn(&SowingGraph, Vertex) -> &[Vertex],
) -> Vec<bool> {
    let mut reached = vec![false; graph.len()];
    let mut queue: Vec<Vertex> = from.collect();
    while let Some(vertex) = queue.pop() {
        if !std::mem::replace(&mut reached[vertex.index()], true) {
            queue.extend(neighbours(graph, vertex));
        }
    }
    reached
}

/// Returns the longest walk from each live bin to a Ruma, or `None` if live vertices lie on a
/// cycle.
fn longest_walks(graph: &SowingGraph, live: &[bool]) -> Option<Vec<u32>> {
    let live_vertices = || graph.vertices().filter(|vertex| live[vertex.index()]);
    let live_neighbours = |list: &[Vertex]| list.iter().filter(|v| live[v.index()]).count();
    let mut waiting: Vec<usize> = graph
        .vertices()
        .map(|vertex| live_neighbours(graph.successors(vertex)))
        .collect();
    let mut ready: Vec<Vertex> = live_vertices()
        .filter(|v| waiting[v.index()] == 0)
        .collect();
    let mut longest = vec![0; graph.len()];
    let mut done = 0;
    while let Some(vertex) = ready.pop() {
        done += 1;
        for &before in graph.predecessors(vertex) {
            if !live[before.index()] {
                continue;
            }
            let through = longest[vertex.index()] + 1;
            longest[before.index()] = longest[before.index()].max(through);
            waiting[before.index()] -= 1;
            if waiting[before.index()] == 0 {
                ready.push(before);
            }
        }
    }
    for ruma in graph.rumas() {
        longest[ruma.index()] = 0;
    }
    (done == live_vertices().count()).then_some(longest)
}

/// Returns a shortest path between two vertices, including both ends.
fn shortest_path(graph: &SowingGraph, from: Vertex, to: Vertex) -> Option<Vec<Vertex>> {
    let mut before = vec![None; graph.len()];
    let mut queue = VecDeque::from([from]);
    let mut seen = vec![false; graph.len()];
    seen[from.index()] = true;
    while let Some(vertex) = queue.pop_front() {
        if vertex == to {
            let back = std::iter::successors(Some(to), |&at| before[at.index()]);
            let mut path: Vec<_> = back.collect();
            path.reverse();
            return Some(path);
        }
        for &next in graph.successors(vertex) {
            if !std::mem::replace(&mut seen[next.index()], true) {
                before[next.index()] = Some(vertex);
                queue.push_back(next);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(text: &str) -> String {
        let graph: SowingGraph = text.parse().unwrap();
        finiteness(&graph).describe(&graph)
    }

    #[test]
    fn offending_cycles_are_named() {
        assert_eq!(
            described("ruma r\na -> b -> a\nb -> r"),
            "infinitely many winning boards: a -> b -> a is a directed cycle of bins from which a \
             ruma is reached"
        );
        assert_eq!(
            described("ruma r s\nv -> r -> s -> r"),
            "infinitely many winning boards: r -> s -> r is a directed cycle of rumas that a bin \
             reaches"
        );
        // The cycle that Theorem 5.2 names comes first, although the loop is shorter.
        assert_eq!(
            described("ruma r\na -> a -> b -> r -> a"),
            "infinitely many winning boards: a -> b -> r -> a is a directed cycle with a ruma and \
             a bin"
        );
    }

    #[test]
    fn cycles_off_every_way_home_do_no_harm() {
        for text in [
            "ruma r\na -> r\na -> b -> c -> b",
            "ruma r s\nr -> s -> r -> a",
            "ruma r\na -> r\nd -> d",
        ] {
            assert_eq!(described(text), "finitely many winning boards", "{text}");
        }
    }

    #[test]
    fn longest_walks_bound_the_bins() {
        let graph: SowingGraph = "ruma r s\nbin a b c d\nc -> b -> a -> r -> s\nc -> s\nd -> d"
            .parse()
            .unwrap();
        let longest = vec![0, 0, 2, 3, 4, 0];
        assert_eq!(finiteness(&graph), Finiteness::Finite { longest });
        assert!(passes_rumas(&graph));
        assert!(!passes_rumas(&SowingGraph::grid(3, 3).unwrap()));
        assert!(passes_rumas(&SowingGraph::cycle(3).unwrap()));
    }
}
