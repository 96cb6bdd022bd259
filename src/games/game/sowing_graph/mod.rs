//! Tchoukaillon on a directed graph: a sowing graph, its boards, moves and unmoves.
//!
//! A sowing graph has vertices, some of them *Rumas* (stores) and the others *bins*, and directed
//! edges. A board gives each bin a number of stones. A move takes all `b` stones of a bin `v`,
//! picks a walk of exactly `b` edges from `v` to a Ruma, and sows one stone into each vertex that
//! the walk enters. A board is winning if moves can bring every stone into Rumas. Stones in Rumas
//! are not counted: they never move again, so a Ruma may hold any number.
//!
//! **Walks, not paths.** The paper says "path", and its examples on the 4-cycle fix the meaning.
//! The proof of Theorem 5.2 lowers *all* labels of the cycle by one each time an unmove wraps
//! around it, and drops the stones in a vertex whose label is zero by then. So a lap passes the
//! origin and sows a stone into it, and vertices may be visited many times. By Example 5.4 not
//! every integer is a total on a cycle. So a lap sows into the Ruma as well: if it skipped the
//! Ruma, each move would bring exactly one stone home and every total would occur. The text of
//! Figure 6 is truncated after the board `(1, 1, 3)`; by these rules the next board is `(5, 0, 2)`.
//!
//! Invariant: no edge is given twice, every name is given once, and there is at least one Ruma.
//! This module knows only the rules; the engine finds the winning boards.
//!
//! Source: Jones, Taalman, Tongen, "Solitaire Mancala Games and the Chinese Remainder Theorem",
//! section 5, Definition 5.1.

mod board;
mod error;
mod generate;
mod generator;
mod sowing;
mod text;
mod vertex_count;

use std::collections::HashSet;

pub use board::{BIN_STONES_MAX, BoardNotation, GraphBoard, GraphBoardError};
pub use error::{GraphError, VERTICES_MAX};
pub use generator::{Generator, GeneratorError, GraphFamily};
pub use sowing::{GraphMove, GraphUnmove, SowingError, Sown, Steps, StepsSpent};

/// The rules and one move, for the help.
pub const RULES: &str = "\
Sowing graphs: Tchoukaillon on a directed graph of bins and Rumas. Take all b
stones of a bin and follow b edges to a Ruma, on any walk, sowing one stone into
each vertex on the way. A board is winning when moves can bring every stone into
Rumas. On the path a -> b -> r the bin a is played:

    r | b: 0, a: (2)  ->  r | b: 1, a: 0
";

/// A vertex of a sowing graph: its place in the graph's list of vertices, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Vertex(u32);

impl Vertex {
    /// Returns the vertex's place in the graph's list of vertices.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    fn new(index: usize) -> Self {
        debug_assert!(index < VERTICES_MAX);
        Self(index as u32)
    }
}

/// A finite directed graph with Ruma vertices.
///
/// ```
/// use cggames::game::sowing_graph::SowingGraph;
///
/// // Three bins in a row are Tchoukaillon on three bins.
/// let graph: SowingGraph = "ruma r\n3 -> 2 -> 1 -> r".parse()?;
/// assert_eq!(graph.bins().count(), 3);
/// let first = graph.vertex("1").expect("a vertex of the graph");
/// assert_eq!(graph.name(graph.successors(first)[0]), "r");
/// # Ok::<(), cggames::game::sowing_graph::GraphError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SowingGraph {
    names: Vec<String>,
    is_ruma: Vec<bool>,
    successors: Vec<Vec<Vertex>>,
    predecessors: Vec<Vec<Vertex>>,
    /// The predecessors that are bins or reachable from bins: walks back from Rumas need to try no
    /// others. Without this restriction they would circle through Rumas that no bin reaches.
    sources: Vec<Vec<Vertex>>,
}

impl SowingGraph {
    /// Returns the graph with these vertices, each with a flag for Rumas, and these edges, which
    /// are pairs of indices into the list of vertices.
    ///
    /// Vertices keep their order, and boards list the bins in it. Edges are sorted. A loop from a
    /// vertex to itself is an edge like any other.
    ///
    /// # Errors
    ///
    /// [`GraphError`] when a name is invalid or given twice, when an edge is given twice or leads
    /// to no vertex, when there is no Ruma, or when there are more than [`VERTICES_MAX`] vertices.
    pub fn new(
        vertices: impl IntoIterator<Item = (String, bool)>,
        edges: impl IntoIterator<Item = (usize, usize)>,
    ) -> Result<Self, GraphError> {
        let (mut names, mut is_ruma) = (Vec::new(), Vec::new());
        let mut known = HashSet::new();
        for (name, ruma) in vertices {
            if !is_name(&name) {
                return Err(GraphError::Name { found: name });
            }
            if !known.insert(name.clone()) {
                return Err(GraphError::VertexTwice { name });
            }
            names.push(name);
            is_ruma.push(ruma);
        }
        let count = names.len();
        if count > VERTICES_MAX {
            return Err(GraphError::TooLarge { found: count });
        }
        if !is_ruma.contains(&true) {
            return Err(GraphError::NoRuma);
        }
        let mut successors = vec![Vec::new(); count];
        let mut predecessors = vec![Vec::new(); count];
        let mut seen = HashSet::new();
        for (from, to) in edges {
            if let Some(found) = [from, to].into_iter().find(|&end| end >= count) {
                return Err(GraphError::NoVertex { found, count });
            }
            if !seen.insert((from, to)) {
                let (from, to) = (names[from].clone(), names[to].clone());
                return Err(GraphError::EdgeTwice { from, to });
            }
            successors[from].push(Vertex::new(to));
            predecessors[to].push(Vertex::new(from));
        }
        for list in successors.iter_mut().chain(&mut predecessors) {
            list.sort_unstable();
        }
        let mut reached = vec![false; count];
        let mut queue: Vec<usize> = (0..count).filter(|&place| !is_ruma[place]).collect();
        while let Some(place) = queue.pop() {
            if !std::mem::replace(&mut reached[place], true) {
                queue.extend(
                    successors[place]
                        .iter()
                        .map(|vertex: &Vertex| vertex.index()),
                );
            }
        }
        let mut sources = predecessors.clone();
        for list in &mut sources {
            list.retain(|vertex: &Vertex| reached[vertex.index()]);
        }
        Ok(Self {
            names,
            is_ruma,
            successors,
            predecessors,
            sources,
        })
    }

    /// Returns all vertices in order.
    pub fn vertices(&self) -> impl Iterator<Item = Vertex> + use<> {
        (0..self.names.len()).map(Vertex::new)
    }

    /// Returns the vertices that are not Rumas, in the order of boards.
    pub fn bins(&self) -> impl Iterator<Item = Vertex> + '_ {
        self.vertices().filter(|&vertex| !self.is_ruma(vertex))
    }

    /// Returns the Rumas in order.
    pub fn rumas(&self) -> impl Iterator<Item = Vertex> + '_ {
        self.vertices().filter(|&vertex| self.is_ruma(vertex))
    }

    /// Returns the number of vertices, including Rumas.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Returns whether the graph has no bins, so that its only board is the empty one.
    pub fn is_empty(&self) -> bool {
        self.bins().next().is_none()
    }

    /// Returns whether the vertex is a Ruma.
    pub fn is_ruma(&self, vertex: Vertex) -> bool {
        self.is_ruma[vertex.index()]
    }

    /// Returns the vertex's name.
    pub fn name(&self, vertex: Vertex) -> &str {
        &self.names[vertex.index()]
    }

    /// Returns the vertex of this name.
    pub fn vertex(&self, name: &str) -> Option<Vertex> {
        self.names
            .iter()
            .position(|known| known == name)
            .map(Vertex::new)
    }

    /// Returns the successors of a vertex, in ascending order.
    pub fn successors(&self, vertex: Vertex) -> &[Vertex] {
        &self.successors[vertex.index()]
    }

    /// Returns the predecessors of a vertex, in ascending order.
    pub fn predecessors(&self, vertex: Vertex) -> &[Vertex] {
        &self.predecessors[vertex.index()]
    }

    /// Returns all edges in ascending order.
    pub fn edges(&self) -> impl Iterator<Item = (Vertex, Vertex)> + '_ {
        self.vertices()
            .flat_map(|from| self.successors(from).iter().map(move |&to| (from, to)))
    }
}

/// Returns whether a text may be the name of a vertex.
fn is_name(text: &str) -> bool {
    let allowed = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    !text.is_empty() && text.chars().all(allowed)
}
