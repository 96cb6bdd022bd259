//! Errors of sowing graphs, from a text or from a list of vertices and edges.

use thiserror::Error;

/// The most vertices that a sowing graph may have.
pub const VERTICES_MAX: usize = 1 << 16;

/// The reason why a text or a list is not a sowing graph.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GraphError {
    /// A line of a text has an error.
    #[error("line {line}: {error}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// The error.
        error: Box<GraphError>,
    },
    /// A name has characters that are not allowed.
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
        /// The keyword.
        keyword: &'static str,
    },
    /// A vertex is declared twice, or declared after its first use.
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
        /// The number of vertices.
        count: usize,
    },
    /// No vertex is a Ruma.
    #[error("no vertex is a ruma; declare at least one, for example with the line \"ruma r\"")]
    NoRuma,
    /// There are too many vertices.
    #[error("{found} vertices; at most {VERTICES_MAX} are accepted")]
    TooLarge {
        /// The number of vertices, saturated at the greatest `usize`.
        found: usize,
    },
    /// The arguments of a generator give no graph.
    #[error("{what} is {found}; accepted is {accepted}")]
    Shape {
        /// The argument.
        what: &'static str,
        /// Its value.
        found: usize,
        /// The accepted values.
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
