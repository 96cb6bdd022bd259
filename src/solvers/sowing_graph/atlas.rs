//! All small acyclic sowing graphs, one of each shape, for exhaustive answers to open questions.
//!
//! Only graphs count in which each vertex is on a walk from a bin to a Ruma: other vertices and
//! their edges take no part in any move. Two graphs have one shape if an isomorphism maps bins to
//! bins and Rumas to Rumas.
//!
//! Invariant: each shape has exactly one graph, in whose order of vertices edges lead from later to
//! earlier ones.

use std::collections::HashSet;

use cggames::game::sowing_graph::SowingGraph;
use thiserror::Error;

use super::finiteness::live;

/// The most vertices of the graphs of an atlas: six have 2^15 sets of edges for each choice of
/// Rumas.
pub const ATLAS_VERTICES_MAX: usize = 6;

/// The error for an atlas that would be too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "all acyclic graphs of {bins} bins and {rumas} rumas are too many; accepted are at most {ATLAS_VERTICES_MAX} vertices \
     altogether"
)]
pub struct AtlasTooLarge {
    /// The requested number of bins.
    pub bins: usize,
    /// The requested number of Rumas.
    pub rumas: usize,
}

/// Returns all acyclic graphs with these numbers of bins and Rumas, one of each shape, those of
/// fewer edges first.
///
/// Rumas are named `r1`, `r2`, ... and bins `1`, `2`, ..., each in the graph's order. Cost: v!
/// 2^(v(v-1)/2) steps for v vertices, some seconds for six.
///
/// # Errors
///
/// [`AtlasTooLarge`] for more than [`ATLAS_VERTICES_MAX`] vertices.
///
/// ```
/// use cgsolvers::sowing_graph::atlas::acyclic_graphs;
///
/// // Two bins next to the Ruma, two in a row, and two in a row with a second edge from the farther
/// // to the Ruma.
/// assert_eq!(acyclic_graphs(2, 1)?.len(), 3);
/// # Ok::<(), cgsolvers::sowing_graph::atlas::AtlasTooLarge>(())
/// ```
pub fn acyclic_graphs(bins: usize, rumas: usize) -> Result<Vec<SowingGraph>, AtlasTooLarge> {
    let count = bins.saturating_add(rumas);
    if count > ATLAS_VERTICES_MAX {
        return Err(AtlasTooLarge { bins, rumas });
    }
    if bins == 0 || rumas == 0 {
        return Ok(Vec::new());
    }
    let pairs: Vec<(usize, usize)> = (0..count)
        .flat_map(|from| (0..from).map(move |to| (from, to)))
        .collect();
    let orders = permutations(count);
    let mut seen = HashSet::new();
    let mut graphs = Vec::new();
    for colours in (0..1u32 << count).filter(|set| set.count_ones() as usize == rumas) {
        for set in 0..1u32 << pairs.len() {
            let edges: Vec<(usize, usize)> = chosen(&pairs, set).collect();
            let graph = coloured(count, colours, &edges);
            if live(&graph).contains(&false) {
                continue;
            }
            let code = orders
                .iter()
                .map(|order| renamed(order, colours, &edges))
                .min();
            if seen.insert(code) {
                graphs.push((edges.len(), graph));
            }
        }
    }
    graphs.sort_by_key(|&(edges, _)| edges);
    Ok(graphs.into_iter().map(|(_, graph)| graph).collect())
}

fn chosen(pairs: &[(usize, usize)], set: u32) -> impl Iterator<Item = (usize, usize)> {
    let indexed = pairs.iter().enumerate();
    indexed
        .filter(move |&(place, _)| set >> place & 1 != 0)
        .map(|(_, &pair)| pair)
}

fn coloured(count: usize, colours: u32, edges: &[(usize, usize)]) -> SowingGraph {
    let (mut rumas, mut bins) = (0, 0);
    let vertices = (0..count).map(|place| {
        if colours >> place & 1 != 0 {
            rumas += 1;
            (format!("r{rumas}"), true)
        } else {
            bins += 1;
            (bins.to_string(), false)
        }
    });
    let graph = SowingGraph::new(vertices, edges.iter().copied());
    graph.expect("different names, different edges and a Ruma")
}

/// Returns the Rumas and the edges as bits after vertex v is renamed `order[v]`.
fn renamed(order: &[usize], colours: u32, edges: &[(usize, usize)]) -> (u64, u32) {
    let bit = |&(from, to): &(usize, usize)| 1 << (order[from] * order.len() + order[to]);
    let rumas = order
        .iter()
        .enumerate()
        .map(|(v, &name)| (colours >> v & 1) << name);
    (edges.iter().map(bit).sum(), rumas.sum())
}

fn permutations(count: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for last in 0..count {
        all = all
            .iter()
            .flat_map(|order: &Vec<usize>| {
                (0..=last).map(|place| {
                    let mut longer = order.clone();
                    longer.insert(place, last);
                    longer
                })
            })
            .collect();
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of labelled acyclic digraphs on n vertices with one sink, over all labellings,
    /// must be that of OEIS A003025: each shape has n! labellings divided by its symmetries.
    #[test]
    fn shapes_and_their_symmetries_add_up_to_labelled_graphs() {
        let labelled = [2, 15, 316, 16_885];
        for (bins, expected) in (1..).zip(labelled) {
            let count = bins + 1;
            let mut labellings = 0;
            for graph in acyclic_graphs(bins, 1).unwrap() {
                let index = |v: cggames::game::sowing_graph::Vertex| v.index();
                let edges: Vec<_> = graph.edges().map(|(a, b)| (index(a), index(b))).collect();
                let codes = permutations(count);
                let codes: HashSet<_> = codes
                    .iter()
                    .map(|order| renamed(order, 0, &edges))
                    .collect();
                labellings += codes.len();
            }
            assert_eq!(labellings, expected);
        }
    }

    #[test]
    fn an_atlas_has_each_shape_once() {
        assert_eq!(acyclic_graphs(1, 1).unwrap().len(), 1);
        // a -> r -> s, with and without a -> s; a -> r and a -> s.
        assert_eq!(acyclic_graphs(1, 2).unwrap().len(), 3);
        assert!(
            acyclic_graphs(0, 2).unwrap().is_empty() && acyclic_graphs(2, 0).unwrap().is_empty()
        );
        assert_eq!(
            acyclic_graphs(6, 1).unwrap_err().to_string(),
            "all acyclic graphs of 6 bins and 1 rumas are too many; accepted are at most 6 vertices altogether"
        );
        assert_eq!(permutations(4).len(), 24);
    }
}
