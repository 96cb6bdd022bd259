//! The text format of sowing graphs.
//!
//! ```text
//! # Two spokes, one of them forked, round one Ruma.
//! ruma r
//! bin near far
//! far -> near -> r
//! c -> b -> r
//! c -> a -> r
//! ```
//!
//! A line declares Rumas (`ruma` and names), declares bins (`bin` and names), or gives edges, which
//! may be chained. Vertices that no line declares are bins, in the order of their first use. `#`
//! begins a comment anywhere in a line. Names are letters, digits, `_` and `.`. Declarations fix
//! the order of the bins, and bins without edges need them.
//!
//! Invariant: [`SowingGraph`]'s `Display` prints a text that reads back as an equal graph.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use super::{GraphError, SowingGraph, VERTICES_MAX, is_name};

/// The content of the lines read so far.
#[derive(Default)]
struct Reader {
    places: HashMap<String, usize>,
    vertices: Vec<(String, bool)>,
    edges: Vec<(usize, usize)>,
    lines_of_edges: HashMap<(usize, usize), usize>,
}

impl Reader {
    fn add(&mut self, name: &str, is_ruma: bool) -> Result<usize, GraphError> {
        if !is_name(name) {
            let found = name.to_owned();
            return Err(GraphError::Name { found });
        }
        let place = self.vertices.len();
        if place == VERTICES_MAX {
            return Err(GraphError::TooLarge { found: place + 1 });
        }
        if self.places.insert(name.to_owned(), place).is_some() {
            let name = name.to_owned();
            return Err(GraphError::VertexTwice { name });
        }
        self.vertices.push((name.to_owned(), is_ruma));
        Ok(place)
    }

    fn declare(
        &mut self,
        keyword: &'static str,
        names: &str,
        is_ruma: bool,
    ) -> Result<(), GraphError> {
        if names.trim().is_empty() {
            return Err(GraphError::NoNames { keyword });
        }
        for name in names.split_whitespace() {
            self.add(name, is_ruma)?;
        }
        Ok(())
    }

    fn chain(&mut self, line: &str, number: usize) -> Result<(), GraphError> {
        let mut before = None;
        for name in line.split("->").map(str::trim) {
            let place = match self.places.get(name) {
                Some(&place) => place,
                None => self.add(name, false)?,
            };
            if let Some(from) = before {
                if self.lines_of_edges.insert((from, place), number).is_some() {
                    let from = self.vertices[from].0.clone();
                    let to = name.to_owned();
                    return Err(GraphError::EdgeTwice { from, to });
                }
                self.edges.push((from, place));
            }
            before = Some(place);
        }
        Ok(())
    }

    fn line(&mut self, line: &str, number: usize) -> Result<(), GraphError> {
        if line.contains("->") {
            return self.chain(line, number);
        }
        match line.split_once(char::is_whitespace).unwrap_or((line, "")) {
            ("", _) => Ok(()),
            ("ruma", names) => self.declare("ruma", names, true),
            ("bin", names) => self.declare("bin", names, false),
            _ => Err(GraphError::Unexpected {
                found: line.to_owned(),
            }),
        }
    }
}

impl FromStr for SowingGraph {
    type Err = GraphError;

    /// Reads the text format; cost is linear in the text.
    fn from_str(text: &str) -> Result<Self, GraphError> {
        let mut reader = Reader::default();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.split('#').next().unwrap_or_default().trim();
            reader
                .line(line, number)
                .map_err(|error| error.at(number))?;
        }
        Self::new(reader.vertices, reader.edges)
    }
}

impl fmt::Display for SowingGraph {
    /// Prints declarations for all vertices, in their order, and one edge a line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let vertices: Vec<_> = self.vertices().collect();
        for run in vertices.chunk_by(|&a, &b| self.is_ruma(a) == self.is_ruma(b)) {
            write!(f, "{}", if self.is_ruma(run[0]) { "ruma" } else { "bin" })?;
            for &vertex in run {
                write!(f, " {}", self.name(vertex))?;
            }
            writeln!(f)?;
        }
        for (from, to) in self.edges() {
            writeln!(f, "{} -> {}", self.name(from), self.name(to))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        text.parse::<SowingGraph>().unwrap_err().to_string()
    }

    #[test]
    fn texts_say_what_they_mean() {
        let text = "# two ways home\n ruma  r s # stores\nbin a\n\nb->a ->r\nb -> s\nb -> b\n";
        let graph: SowingGraph = text.parse().unwrap();
        let printed = "ruma r s\nbin a b\na -> r\nb -> s\nb -> a\nb -> b\n";
        assert_eq!(graph.to_string(), printed);
        assert_eq!(printed.parse(), Ok(graph));
    }

    #[test]
    fn errors_name_the_line_and_what_is_accepted() {
        assert_eq!(
            error("ruma r\na -> b c -> r"),
            "line 2: \"b c\" is no name of a vertex; names are letters, digits, \"_\" and \".\""
        );
        assert_eq!(
            error("ruma r\n\na -> r\nb -> a -> r"),
            "line 4: the edge a -> r is given twice; leave one out"
        );
        assert_eq!(
            error("ruma r\nstore s"),
            "line 2: \"store s\" is neither edges nor a declaration; a line is edges such as \
             \"c -> b -> a\", or \"ruma\" or \"bin\" with names behind it, or a comment that \
             begins with \"#\""
        );
        assert_eq!(
            error("a -> r\nruma r"),
            "line 2: vertex \"r\" is known already; declare a vertex once, before the edges that \
             use it (vertices that are not declared are bins)"
        );
        assert_eq!(
            error("ruma"),
            "line 1: \"ruma\" has no names behind it; write, for example, \"ruma a b\""
        );
        assert_eq!(
            error("a -> b"),
            "no vertex is a ruma; declare at least one, for example with the line \"ruma r\""
        );
        for text in [
            "",
            "->",
            "ruma r\na ->",
            "ruma r\na -> -> r",
            "ruma r\nbin a a",
        ] {
            assert!(text.parse::<SowingGraph>().is_err(), "{text:?}");
        }
    }
}
