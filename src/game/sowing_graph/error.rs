//! Why a text or a list of vertices and edges is no sowing graph.

use thiserror::Error;

/// The most vertices that a sowing graph may have.
pub const VERTICES_MAX: usize = 1 << 16;

/// Why something is no sowing graph.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GraphError {
    /// A line of a text is at fault.
    #[error("line {line}: {error}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        error: Box<GraphError>,
    },
    /// A name has other characters than names may have.
    #[error("{found:?} is no name of a vertex; names are letters, digits, \"_\" and \".\"")]
    Name {
        /// What was found.
        found: String,
    },
    /// A line that is neither a declaration nor edges.
    #[error(
        "{found:?} is neither edges nor a declaration; a line is edges such as \"c -> b -> a\", \
         or \"ruma\" or \"bin\" with names behind it, or a comment that begins with \"#\""
    )]
    Unexpected {
        /// The line without blanks at its ends.
        found: String,
    },
    /// A declaration without names.
    #[error("\"{keyword}\" has no names behind it; write, for example, \"{keyword} a b\"")]
    NoNames {
        /// The word that declares.
        keyword: &'static str,
    },
    /// A vertex is declared twice, or first used and then declared.
    #[error(
        "vertex {name:?} is known already; declare a vertex once, before the edges that use it \
         (vertices that are not declared are bins)"
    )]
    VertexTwice {
        /// The vertex's name.
        name: String,
    },
    /// An edge is given twice.
    #[error("the edge {from} -> {to} is given twice; leave one out")]
    EdgeTwice {
        /// Where the edge begins.
        from: String,
        /// Where it ends.
        to: String,
    },
    /// An edge has an end that is not in the list of vertices.
    #[error(
        "an edge ends at vertex number {found}, but vertices are numbered from 0 below {count}"
    )]
    NoVertex {
        /// The number found.
        found: usize,
        /// How many vertices there are.
        count: usize,
    },
    /// No vertex is a Ruma.
    #[error("no vertex is a ruma; declare at least one, for example with the line \"ruma r\"")]
    NoRuma,
    /// There are too many vertices.
    #[error("{found} vertices; at most {VERTICES_MAX} are accepted")]
    TooLarge {
        /// How many there would be; the greatest number, if there are more than that.
        found: usize,
    },
    /// A generator was asked for a shape that does not exist.
    #[error("{what} is {found}; accepted is {accepted}")]
    Shape {
        /// Which argument.
        what: &'static str,
        /// Its value.
        found: usize,
        /// What it may be.
        accepted: String,
    },
}

impl GraphError {
    /// Returns the error with the line of the text at which it was found.
    pub(super) fn at(self, line: usize) -> Self {
        Self::Line {
            line,
            error: Box::new(self),
        }
    }
}
