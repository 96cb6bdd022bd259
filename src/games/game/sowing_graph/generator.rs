//! Generators of sowing graphs as a text of one line: `path(5)`, `star(3, 4)`, `random(4, 2, 11,
//! 7)`.
//!
//! A [`Generator`] is a [`GraphFamily`] with its arguments. The command line accepts it in place of
//! a file, and tables use it as the name of a graph. The graphs themselves are made by functions of
//! [`SowingGraph`].
//!
//! Invariant: the number of arguments fits the family, and each prints as a whole number without
//! leading zeros or signs, so a generator reads back as itself. Whether the graph exists is checked
//! when it is made.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::vertex_count::VertexCount;
use super::{GraphError, SowingGraph};

/// A family of sowing graphs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GraphFamily {
    /// Tchoukaillon on some bins: [`SowingGraph::path`].
    Path,
    /// Paths of one length round one Ruma: [`SowingGraph::star`].
    Star,
    /// A directed cycle with one Ruma, or with several at equal distances:
    /// [`SowingGraph::cycle_with_rumas`].
    Cycle,
    /// A grid with the Ruma in a corner: [`SowingGraph::grid`].
    Grid,
    /// A grid of height 2, by its rungs.
    Ladder,
    /// A complete tree with the Ruma as its root: [`SowingGraph::tree`].
    Tree,
    /// All possible edges of a list of bins behind a Ruma without a directed cycle:
    /// [`SowingGraph::complete_acyclic`].
    Complete,
    /// Edges drawn by a seed: [`SowingGraph::random`].
    Random,
    /// Edges drawn by a seed, without a directed cycle: [`SowingGraph::random_acyclic`].
    Acyclic,
}

impl GraphFamily {
    /// All families.
    pub const ALL: [Self; 9] = [
        Self::Path,
        Self::Star,
        Self::Cycle,
        Self::Grid,
        Self::Ladder,
        Self::Tree,
        Self::Complete,
        Self::Random,
        Self::Acyclic,
    ];

    /// Returns the name in texts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Star => "star",
            Self::Cycle => "cycle",
            Self::Grid => "grid",
            Self::Ladder => "ladder",
            Self::Tree => "tree",
            Self::Complete => "complete",
            Self::Random => "random",
            Self::Acyclic => "acyclic",
        }
    }

    /// Returns the names of the arguments, in order.
    pub fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::Path | Self::Complete => &["bins"],
            Self::Star => &["spokes", "length"],
            Self::Cycle => &["vertices", "rumas"],
            Self::Grid => &["width", "height"],
            Self::Ladder => &["rungs"],
            Self::Tree => &["children", "depth"],
            Self::Random | Self::Acyclic => &["bins", "rumas", "edges", "seed"],
        }
    }

    /// Returns the number of required arguments; a cycle has one Ruma by default.
    pub fn arguments_least(self) -> usize {
        match self {
            Self::Cycle => 1,
            _ => self.arguments().len(),
        }
    }
}

impl fmt::Display for GraphFamily {
    /// Prints the family with the names of its arguments, optional ones in brackets: `star(spokes,
    /// length)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.name())?;
        for (place, argument) in self.arguments().iter().enumerate() {
            let before = if place > 0 { ", " } else { "" };
            if place < self.arguments_least() {
                write!(f, "{before}{argument}")?
            } else {
                write!(f, "[{before}{argument}]")?
            }
        }
        f.write_str(")")
    }
}

/// A graph of a family.
///
/// ```
/// use cggames::game::sowing_graph::{Generator, SowingGraph};
///
/// let generator: Generator = "star(2,1)".parse()?;
/// assert_eq!(generator.to_string(), "star(2, 1)");
/// assert_eq!(generator.graph()?, SowingGraph::star(2, 1)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Generator {
    family: GraphFamily,
    arguments: Vec<u64>,
}

/// The reason why a text or a list of arguments is not a generator.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GeneratorError {
    /// It does not have the form of a generator.
    #[error(
        "{found:?} is no generator; write a family with its arguments, such as path(5) or star(3, 4); {Families}"
    )]
    Notation {
        /// The text.
        found: String,
    },
    /// There is no such family.
    #[error("there is no family {found:?} of graphs; {Families}")]
    Family {
        /// The name before the parenthesis.
        found: String,
    },
    /// There are too few or too many arguments.
    #[error("{family} was given {found} argument{}", if *found == 1 { "" } else { "s" })]
    Count {
        /// The family.
        family: GraphFamily,
        /// The number of arguments.
        found: usize,
    },
    /// An argument is not a number.
    #[error(
        "the argument {argument} of {family} is {found:?}; accepted is a whole number from 0 to {}",
        u64::MAX
    )]
    Number {
        /// The family.
        family: GraphFamily,
        /// The argument's name.
        argument: &'static str,
        /// The text found.
        found: String,
    },
}

/// The families in words, for errors.
struct Families;

impl fmt::Display for Families {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("families are ")?;
        for (place, family) in GraphFamily::ALL.iter().enumerate() {
            write!(f, "{}{family}", if place > 0 { ", " } else { "" })?;
        }
        Ok(())
    }
}

impl Generator {
    /// Returns the generator with these arguments.
    ///
    /// # Errors
    ///
    /// [`GeneratorError::Count`] when the family takes more or fewer.
    pub fn new(family: GraphFamily, arguments: &[u64]) -> Result<Self, GeneratorError> {
        let found = arguments.len();
        if found < family.arguments_least() || found > family.arguments().len() {
            return Err(GeneratorError::Count { family, found });
        }
        let arguments = arguments.to_vec();
        Ok(Self { family, arguments })
    }

    /// Returns the family.
    pub fn family(&self) -> GraphFamily {
        self.family
    }

    /// Returns the given arguments, in the order of [`GraphFamily::arguments`].
    pub fn arguments(&self) -> &[u64] {
        &self.arguments
    }

    /// Checks that the graph exists, without making it: [`Generator::graph`] fails with the same
    /// error.
    ///
    /// # Errors
    ///
    /// As [`Generator::graph`].
    pub fn check(&self) -> Result<(), GraphError> {
        self.shape().map(|_| ())
    }

    fn shape(&self) -> Result<VertexCount, GraphError> {
        let size = |place: usize| usize::try_from(self.arguments[place]).unwrap_or(usize::MAX);
        match self.family {
            GraphFamily::Path => VertexCount::path(size(0)),
            GraphFamily::Star => VertexCount::star(size(0), size(1)),
            GraphFamily::Cycle => {
                VertexCount::cycle(size(0), self.arguments.get(1).map_or(1, |_| size(1)))
            }
            GraphFamily::Grid => VertexCount::grid(size(0), size(1)),
            GraphFamily::Ladder => VertexCount::grid(size(0), 2),
            GraphFamily::Tree => VertexCount::tree(size(0), size(1)),
            GraphFamily::Complete => VertexCount::complete(size(0)),
            GraphFamily::Random => VertexCount::drawn(size(0), size(1), size(2), false),
            GraphFamily::Acyclic => VertexCount::drawn(size(0), size(1), size(2), true),
        }
    }

    /// Makes the graph.
    ///
    /// # Errors
    ///
    /// [`GraphError::Shape`] when there is no such graph, [`GraphError::TooLarge`] when it has more
    /// vertices than a graph may have.
    pub fn graph(&self) -> Result<SowingGraph, GraphError> {
        // Numbers beyond `usize` are refused as too large, like all numbers beyond the limits of
        // graphs.
        let size = |place: usize| usize::try_from(self.arguments[place]).unwrap_or(usize::MAX);
        match self.family {
            GraphFamily::Path => SowingGraph::path(size(0)),
            GraphFamily::Star => SowingGraph::star(size(0), size(1)),
            GraphFamily::Cycle => match self.arguments.len() {
                1 => SowingGraph::cycle(size(0)),
                _ => SowingGraph::cycle_with_rumas(size(0), size(1)),
            },
            GraphFamily::Grid => SowingGraph::grid(size(0), size(1)),
            GraphFamily::Ladder => SowingGraph::grid(size(0), 2),
            GraphFamily::Tree => SowingGraph::tree(size(0), size(1)),
            GraphFamily::Complete => SowingGraph::complete_acyclic(size(0)),
            GraphFamily::Random => {
                SowingGraph::random(size(0), size(1), size(2), self.arguments[3])
            }
            GraphFamily::Acyclic => {
                SowingGraph::random_acyclic(size(0), size(1), size(2), self.arguments[3])
            }
        }
    }
}

impl fmt::Display for Generator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.family.name())?;
        for (place, argument) in self.arguments.iter().enumerate() {
            write!(f, "{}{argument}", if place > 0 { ", " } else { "" })?;
        }
        f.write_str(")")
    }
}

impl FromStr for Generator {
    type Err = GeneratorError;

    /// Reads `family(number, number, ...)`; blanks around names and numbers do not matter.
    fn from_str(text: &str) -> Result<Self, GeneratorError> {
        let notation = || GeneratorError::Notation {
            found: text.to_owned(),
        };
        let (name, rest) = text.trim().split_once('(').ok_or_else(notation)?;
        let inside = rest.strip_suffix(')').ok_or_else(notation)?.trim();
        let name = name.trim();
        let family = GraphFamily::ALL
            .into_iter()
            .find(|family| family.name() == name)
            .ok_or_else(|| GeneratorError::Family {
                found: name.to_owned(),
            })?;
        let words: Vec<&str> = match inside {
            "" => Vec::new(),
            _ => inside.split(',').map(str::trim).collect(),
        };
        let found = words.len();
        if found < family.arguments_least() || found > family.arguments().len() {
            return Err(GeneratorError::Count { family, found });
        }
        let number = |(&argument, word): (&&'static str, &str)| {
            let is_digits = word.bytes().all(|byte| byte.is_ascii_digit());
            let number = word.parse().ok().filter(|_| is_digits);
            number.ok_or_else(|| GeneratorError::Number {
                family,
                argument,
                found: word.to_owned(),
            })
        };
        let numbers = family.arguments().iter().zip(words).map(number);
        Self::new(family, &numbers.collect::<Result<Vec<u64>, _>>()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::sowing_graph::VERTICES_MAX;

    #[test]
    fn texts_make_the_graphs_that_functions_make() {
        let made = [
            ("path(3)", SowingGraph::path(3)),
            ("star(3, 4)", SowingGraph::star(3, 4)),
            ("cycle(4)", SowingGraph::cycle(4)),
            ("cycle(6, 2)", SowingGraph::cycle_with_rumas(6, 2)),
            ("grid(2, 3)", SowingGraph::grid(2, 3)),
            ("ladder(4)", SowingGraph::grid(4, 2)),
            ("tree(2, 3)", SowingGraph::tree(2, 3)),
            ("complete(4)", SowingGraph::complete_acyclic(4)),
            ("random(4, 2, 11, 7)", SowingGraph::random(4, 2, 11, 7)),
            (
                "acyclic(4, 2, 11, 18446744073709551615)",
                SowingGraph::random_acyclic(4, 2, 11, u64::MAX),
            ),
        ];
        let mut families = std::collections::BTreeSet::new();
        for (text, graph) in made {
            let generator: Generator = text.parse().unwrap();
            assert_eq!(generator.to_string(), text);
            assert_eq!(generator.graph(), graph);
            let again = Generator::new(generator.family(), generator.arguments());
            assert_eq!(again, Ok(generator.clone()));
            families.insert(generator.family());
        }
        assert_eq!(families.len(), GraphFamily::ALL.len());
        let blanks: Generator = " star ( 3,4 ) ".parse().unwrap();
        assert_eq!(blanks.to_string(), "star(3, 4)");
    }

    #[test]
    fn what_is_no_generator_is_refused() {
        let error = |text: &str| text.parse::<Generator>().unwrap_err().to_string();
        let families = "families are path(bins), star(spokes, length), cycle(vertices[, rumas]), grid(width, height), \
                        ladder(rungs), tree(children, depth), complete(bins), random(bins, rumas, edges, seed), \
                        acyclic(bins, rumas, edges, seed)";
        assert_eq!(
            error("path 5"),
            format!(
                "\"path 5\" is no generator; write a family with its arguments, such as path(5) or star(3, 4); {families}"
            )
        );
        assert_eq!(
            error("torus(5)"),
            format!("there is no family \"torus\" of graphs; {families}")
        );
        assert_eq!(
            error("star(3)"),
            "star(spokes, length) was given 1 argument"
        );
        assert_eq!(error("path()"), "path(bins) was given 0 arguments");
        assert_eq!(
            error("cycle(1, 2, 3)"),
            "cycle(vertices[, rumas]) was given 3 arguments"
        );
        assert_eq!(
            error("path(-1)"),
            "the argument bins of path(bins) is \"-1\"; accepted is a whole number from 0 to 18446744073709551615"
        );
        for text in [
            "",
            "path(5",
            "(5)",
            "path(+1)",
            "path(1))",
            "star(1,,2)",
            "path(99999999999999999999)",
        ] {
            assert!(text.parse::<Generator>().is_err(), "{text:?}");
        }
        for text in [
            "path(65535)",
            "path(65536)",
            "star(300, 300)",
            "star(9, 9)",
            "cycle(0)",
            "cycle(6, 4)",
            "cycle(6, 3)",
            "cycle(6, 0)",
            "grid(0, 1)",
            "grid(3, 2)",
            "ladder(40000)",
            "ladder(4)",
            "tree(0, 1)",
            "tree(2, 20)",
            "tree(2, 3)",
            "complete(1001)",
            "complete(5)",
            "random(2, 0, 1, 1)",
            "random(2, 1, 7, 1)",
            "random(2, 1, 6, 1)",
            "acyclic(2, 1, 4, 1)",
            "random(60000, 1, 3000000000, 1)",
            "acyclic(2, 1, 3, 1)",
        ] {
            let generator: Generator = text.parse().unwrap();
            assert_eq!(generator.check().err(), generator.graph().err(), "{text}");
        }
        let huge: Generator = "path(18446744073709551615)".parse().unwrap();
        assert_eq!(
            huge.graph(),
            Err(GraphError::TooLarge { found: usize::MAX })
        );
        let large: Generator = format!("path({VERTICES_MAX})").parse().unwrap();
        assert!(large.graph().is_err());
        let shapeless: Generator = "cycle(6, 4)".parse().unwrap();
        assert!(shapeless.graph().is_err());
    }
}
