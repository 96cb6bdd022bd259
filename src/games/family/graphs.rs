//! Families of sowing graphs: generators with ranges for arguments, and graphs from files.
//!
//! `star(1..=4, 6)` stands for four graphs. Members come in the order of the parts; within a part
//! the last argument varies fastest. Making the family checks that all members exist, so iterating
//! over it cannot fail.

use std::fmt;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::{Values, ValuesError};
use crate::game::sowing_graph::{Generator, GraphError, GraphFamily, SowingGraph};

/// The most graphs of a family, not counting seeds: each is checked when the family is made.
pub const SHAPES_MAX: u64 = 10_000;

/// The most graphs of a family.
pub const GRAPHS_MAX: u64 = 1 << 32;

/// A family of sowing graphs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphSet {
    parts: Vec<GraphPart>,
}

/// A part of a family of graphs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GraphPart {
    /// A generator with values for each argument.
    Generated {
        /// The generator's family.
        family: GraphFamily,
        /// The values of the arguments.
        arguments: Vec<Values>,
    },
    /// A graph from a file.
    File {
        /// The file's name.
        name: String,
        /// The graph.
        graph: SowingGraph,
    },
}

/// A graph of a family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphMember {
    /// Its name: the generator with its arguments, such as `star(3, 4)`, or the name of a file.
    pub name: String,
    /// The generator, if there is one.
    pub generator: Option<Generator>,
    /// The graph.
    pub graph: SowingGraph,
}

/// The reason why there is no such part of a family.
#[derive(Debug, Error)]
pub enum GraphPartError {
    /// The text does not have the form of a generator.
    #[error(
        "{found:?} is no family of graphs; accepted: {}, with a range such as 1..=4 for any argument",
        Families
    )]
    Notation {
        /// The text.
        found: String,
    },
    /// An argument has no values.
    #[error("{argument} of {family}: {source}")]
    Argument {
        /// The family.
        family: GraphFamily,
        /// The argument.
        argument: &'static str,
        /// Why not.
        source: ValuesError,
    },
    /// An argument has negative values.
    #[error("{argument} of {family} is {found}; accepted: whole numbers from 0 on")]
    Negative {
        /// The family.
        family: GraphFamily,
        /// The argument.
        argument: &'static str,
        /// Its least value.
        found: i64,
    },
    /// There are too many members.
    #[error(
        "found {shapes} graphs, and {members} with seeds; accepted: at most {SHAPES_MAX}, and {GRAPHS_MAX} with seeds; make \
         the ranges shorter, or divide them among several jobs"
    )]
    TooMany {
        /// The number of graphs, not counting seeds.
        shapes: u64,
        /// How many.
        members: u64,
    },
    /// A member does not exist.
    #[error("{generator}: {source}")]
    Graph {
        /// The generator.
        generator: Generator,
        /// Why not.
        source: GraphError,
    },
    /// The file holds no graph.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: GraphError,
    },
}

/// All families with their arguments.
struct Families;

impl fmt::Display for Families {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, family) in GraphFamily::ALL.iter().enumerate() {
            write!(f, "{}{family}", if place > 0 { ", " } else { "" })?;
        }
        Ok(())
    }
}

impl GraphPart {
    /// Reads a generator with ranges: `star(1..=4, 6)`.
    ///
    /// # Errors
    ///
    /// [`GraphPartError`] where the text is not a generator, or one of its graphs does not exist.
    ///
    /// ```
    /// use cggames::family::GraphPart;
    ///
    /// assert_eq!(GraphPart::generated("star(1..=4, 6)")?.len(), 4);
    /// let error = GraphPart::generated("cycle(0..=2)").unwrap_err();
    /// assert!(error.to_string().starts_with("cycle(0): the number of vertices"));
    /// # Ok::<(), cggames::family::GraphPartError>(())
    /// ```
    pub fn generated(text: &str) -> Result<GraphPart, GraphPartError> {
        let notation = || GraphPartError::Notation {
            found: text.to_owned(),
        };
        let (name, rest) = text.trim().split_once('(').ok_or_else(notation)?;
        let inside = rest.strip_suffix(')').ok_or_else(notation)?;
        let mut families = GraphFamily::ALL.into_iter();
        let family = families
            .find(|family| family.name() == name.trim())
            .ok_or_else(notation)?;
        let words: Vec<&str> = inside.split(',').map(str::trim).collect();
        let names = family.arguments();
        if words.len() < family.arguments_least() || words.len() > names.len() {
            return Err(notation());
        }
        let mut arguments = Vec::new();
        for (&argument, word) in names.iter().zip(words) {
            let values: Values = word.parse().map_err(|source| GraphPartError::Argument {
                family,
                argument,
                source,
            })?;
            if values.min() < 0 {
                return Err(GraphPartError::Negative {
                    family,
                    argument,
                    found: values.min(),
                });
            }
            arguments.push(values);
        }
        let part = GraphPart::Generated { family, arguments };
        part.check()?;
        Ok(part)
    }

    /// Reads a graph from the text of a file; its name is the file's without folders.
    ///
    /// # Errors
    ///
    /// [`GraphPartError::File`] if the text holds no graph.
    pub fn file(path: &Path, text: &str) -> Result<GraphPart, GraphPartError> {
        let graph = text.parse().map_err(|source| GraphPartError::File {
            path: path.to_owned(),
            source,
        })?;
        let name = path.file_name().unwrap_or(path.as_os_str());
        Ok(GraphPart::File {
            name: name.to_string_lossy().into_owned(),
            graph,
        })
    }

    /// Returns the number of graphs.
    #[expect(clippy::len_without_is_empty, reason = "parts are never empty")]
    pub fn len(&self) -> u64 {
        match self {
            GraphPart::Generated { arguments, .. } => product(arguments),
            GraphPart::File { .. } => 1,
        }
    }

    fn get(&self, rank: u64) -> GraphMember {
        match self {
            GraphPart::File { name, graph } => GraphMember {
                name: name.clone(),
                generator: None,
                graph: graph.clone(),
            },
            GraphPart::Generated { family, arguments } => {
                let generator = generator(*family, arguments, rank);
                let graph = generator.graph();
                GraphMember {
                    name: generator.to_string(),
                    graph: graph.expect("every shape was checked when the family was made"),
                    generator: Some(generator),
                }
            }
        }
    }

    /// Checks each shape without making a graph. Existence does not depend on the seed, the last
    /// argument.
    fn check(&self) -> Result<(), GraphPartError> {
        let GraphPart::Generated { family, arguments } = self else {
            return Ok(());
        };
        let mut shapes = arguments.clone();
        if family.arguments().last() == Some(&"seed") {
            shapes.pop();
        }
        let found = product(&shapes);
        if found > SHAPES_MAX || self.len() > GRAPHS_MAX {
            return Err(GraphPartError::TooMany {
                shapes: found,
                members: self.len(),
            });
        }
        let seeds = self.len() / found;
        for shape in 0..found {
            let generator = generator(*family, arguments, shape * seeds);
            if let Err(source) = generator.check() {
                return Err(GraphPartError::Graph { generator, source });
            }
        }
        Ok(())
    }

    fn meaning(&self) -> String {
        match self {
            GraphPart::Generated { family, arguments } => {
                let arguments: Vec<String> = arguments.iter().map(Values::to_string).collect();
                format!("{}({})", family.name(), arguments.join(", "))
            }
            GraphPart::File { name, graph } => format!("file {name}\n{graph}"),
        }
    }
}

/// Returns the number of ways to choose a value for each argument.
fn product(arguments: &[Values]) -> u64 {
    let lengths = arguments.iter().map(Values::len);
    lengths.fold(1, u64::saturating_mul)
}

/// Returns the generator of a rank; the last argument varies fastest.
fn generator(family: GraphFamily, arguments: &[Values], rank: u64) -> Generator {
    let mut rest = rank;
    let mut chosen: Vec<u64> = Vec::new();
    for values in arguments.iter().rev() {
        chosen.push(values.get(rest % values.len()).unsigned_abs());
        rest /= values.len();
    }
    chosen.reverse();
    Generator::new(family, &chosen).expect("the number of arguments was checked on reading")
}

impl GraphSet {
    /// Returns the family of these parts, one after another.
    pub fn new(parts: Vec<GraphPart>) -> GraphSet {
        GraphSet { parts }
    }

    /// Returns the parts.
    pub fn parts(&self) -> &[GraphPart] {
        &self.parts
    }

    /// Returns the number of graphs.
    pub fn len(&self) -> u64 {
        let lengths = self.parts.iter().map(GraphPart::len);
        lengths.fold(0, u64::saturating_add)
    }

    /// Returns whether there are no parts.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Returns a graph by its rank.
    ///
    /// # Panics
    ///
    /// If `rank` is not below [`GraphSet::len`].
    pub fn get(&self, rank: u64) -> GraphMember {
        let mut rest = rank;
        for part in &self.parts {
            if rest < part.len() {
                return part.get(rest);
            }
            rest -= part.len();
        }
        panic!("the rank is below the number of graphs");
    }

    /// Returns the text that defines the family; its wording is part of every digest.
    pub fn meaning(&self) -> String {
        let parts: Vec<String> = self.parts.iter().map(GraphPart::meaning).collect();
        parts.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_come_in_order() {
        let parts = ["star(1..=2, 3..=4)", "path(5)", "acyclic(3, 1, 2, 7..9)"];
        let parts = parts.map(|text| GraphPart::generated(text).unwrap());
        let set = GraphSet::new(parts.into());
        let names: Vec<String> = (0..set.len()).map(|rank| set.get(rank).name).collect();
        assert_eq!(
            names,
            [
                "star(1, 3)",
                "star(1, 4)",
                "star(2, 3)",
                "star(2, 4)",
                "path(5)",
                "acyclic(3, 1, 2, 7)",
                "acyclic(3, 1, 2, 8)"
            ]
        );
        assert_eq!(set.get(4).graph, SowingGraph::path(5).unwrap());
        assert_eq!(
            set.meaning(),
            "star(1..=2, 3..=4)\npath(5)\nacyclic(3, 1, 2, 7..=8)"
        );
    }

    #[test]
    fn what_is_no_family_is_refused() {
        for (text, part) in [
            (
                "star",
                "is no family of graphs; accepted: path(bins), star(spokes, length)",
            ),
            ("star(3)", "is no family of graphs"),
            ("star(3, 4", "is no family of graphs"),
            ("sun(3)", "is no family of graphs"),
            (
                "star(3, x)",
                "length of star(spokes, length): malformed range \"x\"",
            ),
            ("path(-1..=2)", "bins of path(bins) is -1"),
            (
                "path(0..=70000)",
                "found 70001 graphs, and 70001 with seeds; accepted: at most 10000",
            ),
            (
                "random(1..=9, 1..=9, 0..=99, 0..=1000000)",
                "found 8100 graphs, and 8100008100 with seeds; accepted: at most 10000, and 4294967296 with seeds; make",
            ),
            ("path(70000)", "path(70000): 70001 vertices; at most 65536"),
            (
                "random(2, 1, 6..=7, 0..=9)",
                "random(2, 1, 7, 0): the number of edges is 7",
            ),
        ] {
            let error = GraphPart::generated(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
