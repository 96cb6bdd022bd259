//! Families of sowing graphs.
//!
//! In all families except the cycle and the random ones, edges lead towards one Ruma, named `r`,
//! and there are no directed cycles, so there are finitely many winning boards. A graph has at most
//! [`VERTICES_MAX`](super::VERTICES_MAX) vertices.
//!
//! Source of the path, the star and the cycle: Jones, Taalman, Tongen, section 5, Examples 5.3 and
//! 5.4.

use super::vertex_count::{VertexCount, drawn_edges_max};
use super::{GraphError, SowingGraph};

impl SowingGraph {
    /// Returns Tchoukaillon on `bins` bins, named `1`, `2`, ... from the Ruma outwards.
    ///
    /// # Errors
    ///
    /// [`GraphError::TooLarge`] when there are too many vertices.
    ///
    /// ```
    /// use cggames::game::sowing_graph::SowingGraph;
    ///
    /// let graph = SowingGraph::path(2)?;
    /// assert_eq!(graph.to_string(), "ruma r\nbin 1 2\n1 -> r\n2 -> 1\n");
    /// # Ok::<(), cggames::game::sowing_graph::GraphError>(())
    /// ```
    pub fn path(bins: usize) -> Result<Self, GraphError> {
        VertexCount::path(bins)?;
        let names = (1..=bins).map(|bin| bin.to_string());
        Self::round_one_ruma(names, (1..=bins).map(|bin| (bin, bin - 1)))
    }

    /// Returns `spokes` paths of `length` bins round one Ruma; the bins of the first spoke are
    /// named `1.1`, `1.2`, ... from the Ruma outwards.
    ///
    /// # Errors
    ///
    /// [`GraphError::TooLarge`] when there are too many vertices.
    ///
    /// ```
    /// use cggames::game::sowing_graph::SowingGraph;
    ///
    /// let graph = SowingGraph::star(2, 1)?;
    /// assert_eq!(graph.to_string(), "ruma r\nbin 1.1 2.1\n1.1 -> r\n2.1 -> r\n");
    /// # Ok::<(), cggames::game::sowing_graph::GraphError>(())
    /// ```
    pub fn star(spokes: usize, length: usize) -> Result<Self, GraphError> {
        VertexCount::star(spokes, length)?;
        let places = (0..spokes).flat_map(|spoke| (1..=length).map(move |bin| (spoke, bin)));
        let names = places
            .clone()
            .map(|(spoke, bin)| format!("{}.{bin}", spoke + 1));
        let edges = places.map(|(spoke, bin)| {
            let place = spoke * length + bin;
            (place, if bin == 1 { 0 } else { place - 1 })
        });
        Self::round_one_ruma(names, edges)
    }

    /// Returns the directed cycle on `vertices` vertices, one of them the Ruma; the bins are named
    /// `1`, `2`, ... by their distance to the Ruma.
    ///
    /// # Errors
    ///
    /// [`GraphError::Shape`] when there are no vertices, [`GraphError::TooLarge`] when there are
    /// too many.
    ///
    /// ```
    /// use cggames::game::sowing_graph::SowingGraph;
    ///
    /// let graph = SowingGraph::cycle(3)?;
    /// assert_eq!(graph.to_string(), "ruma r\nbin 1 2\nr -> 2\n1 -> r\n2 -> 1\n");
    /// # Ok::<(), cggames::game::sowing_graph::GraphError>(())
    /// ```
    pub fn cycle(vertices: usize) -> Result<Self, GraphError> {
        VertexCount::cycle(vertices, 1)?;
        let names = (1..vertices).map(|bin| bin.to_string());
        let edges = (1..vertices).map(|bin| (bin, bin - 1));
        Self::round_one_ruma(names, edges.chain([(0, vertices - 1)]))
    }

    /// Returns the directed cycle on `vertices` vertices, `rumas` of them Rumas at equal distances.
    ///
    /// With one Ruma it is [`Self::cycle`]. With more they are named `r1`, `r2`, ...; the bins from
    /// which the next Ruma is `r1` are named `1.1`, `1.2`, ... by their distance to it, and the
    /// edge into the last of them comes from `r2`.
    ///
    /// # Errors
    ///
    /// [`GraphError::Shape`] when there are no vertices, or their number is no multiple of that of
    /// the Rumas, [`GraphError::TooLarge`] when there are too many vertices.
    ///
    /// ```
    /// use cggames::game::sowing_graph::SowingGraph;
    ///
    /// let printed = "ruma r1\nbin 1.1\nruma r2\nbin 2.1\nr1 -> 2.1\n1.1 -> r1\nr2 -> 1.1\n2.1 -> r2\n";
    /// assert_eq!(SowingGraph::cycle_with_rumas(4, 2)?.to_string(), printed);
    /// # Ok::<(), cggames::game::sowing_graph::GraphError>(())
    /// ```
    pub fn cycle_with_rumas(vertices: usize, rumas: usize) -> Result<Self, GraphError> {
        if rumas == 1 {
            return Self::cycle(vertices);
        }
        VertexCount::cycle(vertices, rumas)?;
        let spacing = vertices / rumas;
        let named = (0..vertices).map(|place| match (place / spacing + 1, place % spacing) {
            (number, 0) => (format!("r{number}"), true),
            (number, bin) => (format!("{number}.{bin}"), false),
        });
        let edges =
            (0..vertices).map(|place| (place, place.checked_sub(1).unwrap_or(vertices - 1)));
        Self::new(named, edges)
    }

    /// Returns `bins` bins in a row behind one Ruma, with an edge from each vertex to all before
    /// it: all possible edges without a directed cycle. Bins are named `1`, `2`, ....
    ///
    /// # Errors
    ///
    /// [`GraphError::Shape`] when there are more than 1000 bins, which would have half a million
    /// edges.
    ///
    /// ```
    /// use cggames::game::sowing_graph::SowingGraph;
    ///
    /// let graph = SowingGraph::complete_acyclic(2)?;
    /// assert_eq!(graph.to_string(), "ruma r\nbin 1 2\n1 -> r\n2 -> r\n2 -> 1\n");
    /// # Ok::<(), cggames::game::sowing_graph::GraphError>(())
    /// ```
    pub fn complete_acyclic(bins: usize) -> Result<Self, GraphError> {
        VertexCount::complete(bins)?;
        let names = (1..=bins).map(|bin| bin.to_string());
        let edges = (1..=bins).flat_map(|from| (0..from).map(move |to| (from, to)));
        Self::round_one_ruma(names, edges)
    }

    /// Returns the grid of `width` by `height` vertices with the Ruma in a corner; edges lead one
    /// step towards it in either direction. The vertex `x` to the right of the Ruma and `y` above
    /// it is named `x.y`. A grid of height 2 is a ladder.
    ///
    /// # Errors
    ///
    /// [`GraphError::Shape`] when a side is 0, [`GraphError::TooLarge`] when there are too many
    /// vertices.
    ///
    /// ```
    /// use cggames::game::sowing_graph::SowingGraph;
    ///
    /// let printed = "ruma r\nbin 1.0 0.1 1.1\n1.0 -> r\n0.1 -> r\n1.1 -> 1.0\n1.1 -> 0.1\n";
    /// assert_eq!(SowingGraph::grid(2, 2)?.to_string(), printed);
    /// # Ok::<(), cggames::game::sowing_graph::GraphError>(())
    /// ```
    pub fn grid(width: usize, height: usize) -> Result<Self, GraphError> {
        VertexCount::grid(width, height)?;
        let places = (1..width * height).map(|place| (place, place % width, place / width));
        let names = places.clone().map(|(_, x, y)| format!("{x}.{y}"));
        let edges = places.flat_map(|(place, x, y)| {
            let left = (x > 0).then(|| (place, place - 1));
            let down = (y > 0).then(|| (place, place - width));
            left.into_iter().chain(down)
        });
        Self::round_one_ruma(names, edges)
    }

    /// Returns the complete tree in which each vertex down to depth `depth` has `children`
    /// children; the Ruma is the root, and edges lead to the parent. Bins are named `1`, `2`, ...
    /// level by level.
    ///
    /// # Errors
    ///
    /// [`GraphError::Shape`] when there are no children, [`GraphError::TooLarge`] when there are
    /// too many vertices.
    ///
    /// ```
    /// use cggames::game::sowing_graph::SowingGraph;
    ///
    /// let printed = "ruma r\nbin 1 2 3 4 5 6\n1 -> r\n2 -> r\n3 -> 1\n4 -> 1\n5 -> 2\n6 -> 2\n";
    /// assert_eq!(SowingGraph::tree(2, 2)?.to_string(), printed);
    /// # Ok::<(), cggames::game::sowing_graph::GraphError>(())
    /// ```
    pub fn tree(children: usize, depth: usize) -> Result<Self, GraphError> {
        let vertices = VertexCount::tree(children, depth)?.0;
        let names = (1..vertices).map(|bin| bin.to_string());
        let edges = (1..vertices).map(|bin| (bin, (bin - 1) / children));
        Self::round_one_ruma(names, edges)
    }

    /// Returns a graph with `edges` different edges, no loops among them, drawn uniformly from
    /// `seed`. Bins are named `1`, `2`, ... and Rumas `r1`, `r2`, ...; the same arguments always
    /// give the same graph.
    ///
    /// # Errors
    ///
    /// [`GraphError::Shape`] when there are no Rumas or more edges than possible,
    /// [`GraphError::TooLarge`] when there are too many vertices.
    pub fn random(bins: usize, rumas: usize, edges: usize, seed: u64) -> Result<Self, GraphError> {
        Self::drawn(bins, rumas, edges, seed, false)
    }

    /// Returns a graph as [`Self::random`] does, but with edges only from later to earlier vertices
    /// of the list `r1`, `r2`, ..., `1`, `2`, ..., so there is no directed cycle.
    ///
    /// # Errors
    ///
    /// As for [`Self::random`].
    pub fn random_acyclic(
        bins: usize,
        rumas: usize,
        edges: usize,
        seed: u64,
    ) -> Result<Self, GraphError> {
        Self::drawn(bins, rumas, edges, seed, true)
    }

    fn drawn(
        bins: usize,
        rumas: usize,
        edges: usize,
        seed: u64,
        acyclic: bool,
    ) -> Result<Self, GraphError> {
        let count = VertexCount::drawn(bins, rumas, edges, acyclic)?.0;
        let room = drawn_edges_max(count, acyclic);
        let mut random = SplitMix(seed);
        // Floyd's algorithm to draw a set: each subset of the possible edges is equally likely.
        let mut chosen = std::collections::BTreeSet::new();
        for last in room - edges..room {
            let place = random.below(last as u64 + 1) as usize;
            if !chosen.insert(place) {
                chosen.insert(last);
            }
        }
        let names = (1..=rumas).map(|ruma| (format!("r{ruma}"), true));
        let names = names.chain((1..=bins).map(|bin| (bin.to_string(), false)));
        let edges = chosen.into_iter().map(|place| {
            if acyclic {
                below_diagonal(place)
            } else {
                let (from, to) = (place / (count - 1), place % (count - 1));
                (from, to + usize::from(to >= from))
            }
        });
        Self::new(names, edges)
    }

    fn round_one_ruma(
        names: impl Iterator<Item = String>,
        edges: impl Iterator<Item = (usize, usize)>,
    ) -> Result<Self, GraphError> {
        let ruma = ("r".to_owned(), true);
        Self::new(
            [ruma].into_iter().chain(names.map(|name| (name, false))),
            edges,
        )
    }
}

/// Returns the pair `(row, column)`, `column < row`, of this place in the list (1, 0), (2, 0), (2,
/// 1), (3, 0), ....
fn below_diagonal(place: usize) -> (usize, usize) {
    // Rows before `row` hold row (row - 1) / 2 pairs; the integer square root is exact.
    let row = (8 * place + 1).isqrt().div_ceil(2);
    (row, place - row * (row - 1) / 2)
}

/// Steele, Lea and Flood's SplitMix64: small, with a stream that never changes.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number below `bound`, each with the same probability up to a relative error of
    /// `bound` / 2^64.
    fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::sowing_graph::VERTICES_MAX;

    fn degrees(graph: &SowingGraph) -> (usize, usize, usize) {
        (
            graph.bins().count(),
            graph.rumas().count(),
            graph.edges().count(),
        )
    }

    #[test]
    fn shapes_have_their_counts() {
        for n in 0..6 {
            assert_eq!(degrees(&SowingGraph::path(n).unwrap()), (n, 1, n));
            assert_eq!(
                degrees(&SowingGraph::star(3, n).unwrap()),
                (3 * n, 1, 3 * n)
            );
            let bins = 3_usize.pow(n as u32 + 1) / 2 - 1;
            let tree = SowingGraph::tree(3, n).unwrap();
            assert_eq!(degrees(&tree), (bins, 1, bins));
        }
        for n in 1..6 {
            assert_eq!(degrees(&SowingGraph::cycle(n).unwrap()), (n - 1, 1, n));
            let ladder = SowingGraph::grid(n, 2).unwrap();
            assert_eq!(degrees(&ladder), (2 * n - 1, 1, 3 * n - 2));
        }
        assert!(SowingGraph::path(0).unwrap().is_empty());
    }

    /// In a tree, a star and a path each bin has one edge out; in a cycle each vertex one in and
    /// one out; in a grid each vertex has one for each coordinate above 0.
    #[test]
    fn shapes_have_their_edges() {
        let outward = |graph: &SowingGraph| -> Vec<usize> {
            graph
                .vertices()
                .map(|v| graph.successors(v).len())
                .collect()
        };
        assert_eq!(outward(&SowingGraph::path(3).unwrap()), [0, 1, 1, 1]);
        assert_eq!(outward(&SowingGraph::star(2, 2).unwrap()), [0, 1, 1, 1, 1]);
        assert_eq!(outward(&SowingGraph::cycle(3).unwrap()), [1, 1, 1]);
        assert_eq!(
            outward(&SowingGraph::grid(3, 2).unwrap()),
            [0, 1, 1, 1, 2, 2]
        );
        let complete = SowingGraph::complete_acyclic(4).unwrap();
        assert_eq!(outward(&complete), [0, 1, 2, 3, 4]);
        let full = SowingGraph::random_acyclic(4, 1, 10, 0).unwrap();
        assert!(complete.edges().eq(full.edges()));
        // Two steps against the edges lead from each Ruma to a bin, three steps to the other Ruma.
        let rumas = SowingGraph::cycle_with_rumas(6, 2).unwrap();
        assert_eq!(degrees(&rumas), (4, 2, 6));
        for ruma in rumas.rumas() {
            let back = |v| rumas.predecessors(v)[0];
            let (two, three) = (back(back(ruma)), back(back(back(ruma))));
            assert!(!rumas.is_ruma(two) && rumas.is_ruma(three) && three != ruma);
        }
        let only = SowingGraph::cycle_with_rumas(3, 3).unwrap();
        assert_eq!((outward(&only), only.is_empty()), (vec![1, 1, 1], true));
        let one = SowingGraph::grid(4, 1).unwrap();
        assert_eq!(outward(&one), outward(&SowingGraph::path(3).unwrap()));
        assert_eq!(outward(&SowingGraph::tree(1, 3).unwrap()), [0, 1, 1, 1]);
    }

    #[test]
    fn random_graphs_are_what_was_asked_for() {
        let mut texts = std::collections::BTreeSet::new();
        for seed in 0..50 {
            let graph = SowingGraph::random(4, 2, 11, seed).unwrap();
            assert_eq!(degrees(&graph), (4, 2, 11));
            assert!(graph.edges().all(|(from, to)| from != to));
            assert_eq!(graph, SowingGraph::random(4, 2, 11, seed).unwrap());
            assert_eq!(graph.to_string().parse(), Ok(graph.clone()));
            texts.insert(graph.to_string());
            let acyclic = SowingGraph::random_acyclic(4, 2, 11, seed).unwrap();
            assert_eq!(degrees(&acyclic), (4, 2, 11));
            assert!(acyclic.edges().all(|(from, to)| from > to));
        }
        assert_eq!(texts.len(), 50);
        for seed in 0..3 {
            let full = SowingGraph::random(3, 1, 12, seed).unwrap();
            assert_eq!(full, SowingGraph::random(3, 1, 12, 99).unwrap());
            let full = SowingGraph::random_acyclic(3, 1, 6, seed).unwrap();
            assert_eq!(full.edges().count(), 6);
        }
    }

    #[test]
    fn shapes_that_do_not_exist_are_refused() {
        assert_eq!(
            SowingGraph::cycle(0).unwrap_err().to_string(),
            "the number of vertices of a cycle is 0; accepted is 1 or more"
        );
        assert_eq!(
            SowingGraph::random(2, 1, 7, 0).unwrap_err().to_string(),
            "the number of edges is 7; accepted is 0 to 6 with 3 vertices"
        );
        assert_eq!(
            SowingGraph::path(VERTICES_MAX).unwrap_err().to_string(),
            "65537 vertices; at most 65536 are accepted"
        );
        assert_eq!(
            SowingGraph::cycle_with_rumas(6, 4).unwrap_err().to_string(),
            "the number of rumas of a cycle is 4; accepted is a divisor of the number of vertices, 6"
        );
        assert!(SowingGraph::cycle_with_rumas(6, 0).is_err());
        assert!(SowingGraph::complete_acyclic(1001).is_err());
        let huge = [
            SowingGraph::star(usize::MAX, 2),
            SowingGraph::grid(usize::MAX, usize::MAX),
            SowingGraph::tree(2, 1000),
            SowingGraph::tree(usize::MAX, 2),
            SowingGraph::path(usize::MAX),
            SowingGraph::random(usize::MAX, 1, 0, 0),
        ];
        for error in huge {
            assert!(matches!(error, Err(GraphError::TooLarge { .. })));
        }
        assert!(SowingGraph::grid(0, 3).is_err() && SowingGraph::tree(0, 3).is_err());
        assert!(SowingGraph::random(3, 0, 0, 0).is_err());
    }

    #[test]
    fn pairs_below_the_diagonal_are_listed_once() {
        let expected = (1..40).flat_map(|row| (0..row).map(move |column| (row, column)));
        for (place, pair) in expected.enumerate() {
            assert_eq!(below_diagonal(place), pair);
        }
    }
}
