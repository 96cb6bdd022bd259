//! The number of vertices of a graph of a family, or why there is no such graph, without making it.

use super::{GraphError, VERTICES_MAX};

/// The most bins of a complete acyclic graph: an edge takes about a hundred bytes.
const COMPLETE_BINS_MAX: usize = 1000;

/// The most edges of a random graph, at about a hundred bytes each.
const DRAWN_EDGES_MAX: usize = 1 << 20;

/// The number of vertices of a graph that is not made yet, from checked arguments.
pub(super) struct VertexCount(pub(super) usize);

impl VertexCount {
    pub(super) fn path(bins: usize) -> Result<VertexCount, GraphError> {
        check_size(bins.checked_add(1))
    }

    pub(super) fn star(spokes: usize, length: usize) -> Result<VertexCount, GraphError> {
        check_size(spokes.checked_mul(length).and_then(|n| n.checked_add(1)))
    }

    pub(super) fn cycle(vertices: usize, rumas: usize) -> Result<VertexCount, GraphError> {
        at_least("the number of vertices of a cycle", vertices, 1)?;
        let shape = check_size(Some(vertices))?;
        at_least("the number of rumas", rumas, 1)?;
        if !vertices.is_multiple_of(rumas) {
            return Err(GraphError::Shape {
                what: "the number of rumas of a cycle",
                found: rumas,
                accepted: format!("a divisor of the number of vertices, {vertices}"),
            });
        }
        Ok(shape)
    }

    pub(super) fn grid(width: usize, height: usize) -> Result<VertexCount, GraphError> {
        at_least("the width of a grid", width, 1)?;
        at_least("the height of a grid", height, 1)?;
        check_size(width.checked_mul(height))
    }

    pub(super) fn tree(children: usize, depth: usize) -> Result<VertexCount, GraphError> {
        at_least("the number of children in a tree", children, 1)?;
        let (mut vertices, mut level) = (1_usize, 1_usize);
        for _ in 0..depth {
            let grown = level.checked_mul(children).and_then(|next| {
                level = next;
                vertices.checked_add(next)
            });
            check_size(grown)?;
            vertices += level;
        }
        Ok(VertexCount(vertices))
    }

    pub(super) fn complete(bins: usize) -> Result<VertexCount, GraphError> {
        if bins > COMPLETE_BINS_MAX {
            return Err(GraphError::Shape {
                what: "the number of bins of a complete acyclic graph",
                found: bins,
                accepted: format!("0 to {COMPLETE_BINS_MAX}"),
            });
        }
        check_size(Some(bins + 1))
    }

    pub(super) fn drawn(
        bins: usize,
        rumas: usize,
        edges: usize,
        acyclic: bool,
    ) -> Result<VertexCount, GraphError> {
        at_least("the number of rumas", rumas, 1)?;
        let shape = check_size(bins.checked_add(rumas))?;
        let count = shape.0;
        let room = drawn_edges_max(count, acyclic);
        if edges > room.min(DRAWN_EDGES_MAX) {
            let accepted = room.min(DRAWN_EDGES_MAX);
            return Err(GraphError::Shape {
                what: "the number of edges",
                found: edges,
                accepted: format!("0 to {accepted} with {count} vertices"),
            });
        }
        Ok(shape)
    }
}

/// Returns the most edges that a graph with `count` vertices can have.
pub(super) fn drawn_edges_max(count: usize, acyclic: bool) -> usize {
    // VERTICES_MAX is small enough for its square.
    let ordered = count * (count - 1);
    if acyclic { ordered / 2 } else { ordered }
}

fn at_least(what: &'static str, found: usize, least: usize) -> Result<(), GraphError> {
    if found < least {
        return Err(GraphError::Shape {
            what,
            found,
            accepted: format!("{least} or more"),
        });
    }
    Ok(())
}

fn check_size(vertices: Option<usize>) -> Result<VertexCount, GraphError> {
    let found = vertices.unwrap_or(usize::MAX);
    if found > VERTICES_MAX {
        return Err(GraphError::TooLarge { found });
    }
    Ok(VertexCount(found))
}
