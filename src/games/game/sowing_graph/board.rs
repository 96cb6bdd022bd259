//! Boards of a sowing graph and their notation.
//!
//! A [`GraphBoard`] only has the numbers of stones in the bins, in the graph's order; it knows no graph.
//! Notation is the paper's: `(1, 2, 0)`, here with the bins in the order of the graph's list.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::SowingGraph;

/// The most stones that one bin of a board may hold.
pub const BIN_STONES_MAX: u32 = 1_000_000_000;

/// The number of stones in each bin, in the graph's order of bins.
///
/// ```
/// use cggames::game::sowing_graph::GraphBoard;
///
/// let board: GraphBoard = "(1, 2, 0)".parse()?;
/// assert_eq!(board.bins(), [1, 2, 0]);
/// assert_eq!((board.total(), board.to_string()), (3, "(1, 2, 0)".to_owned()));
/// # Ok::<(), cggames::game::sowing_graph::GraphBoardError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GraphBoard(Box<[u32]>);

/// The reason why a text or a list is not a board, or not one of this graph.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GraphBoardError {
    /// The text is not a list of numbers in brackets.
    #[error("{found:?} is no board; write {BoardNotation}")]
    Notation {
        /// The text.
        found: String,
    },
    /// A bin's number of stones cannot be read or is too large.
    #[error("{found:?} is no number of stones for bin {place}; accepted are 0 to {BIN_STONES_MAX}")]
    Stones {
        /// The text found.
        found: String,
        /// The bin, from 1.
        place: usize,
    },
    /// The board has another number of bins than the graph.
    #[error("the board has {found} bins, the graph {accepted}: {names}")]
    Bins {
        /// The number of bins of the board.
        found: usize,
        /// The number of bins of the graph.
        accepted: usize,
        /// The names of the first of them.
        names: String,
    },
}

/// The notation of boards in words, for errors.
#[derive(Clone, Copy, Debug)]
pub struct BoardNotation;

impl fmt::Display for BoardNotation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the bins in the graph's order, for example (1, 2, 0)")
    }
}

impl GraphBoard {
    /// Returns the board with these numbers of stones.
    ///
    /// # Errors
    ///
    /// [`GraphBoardError::Stones`] when a bin holds more than [`BIN_STONES_MAX`].
    pub fn new(bins: &[u32]) -> Result<Self, GraphBoardError> {
        let over = bins.iter().position(|&stones| stones > BIN_STONES_MAX);
        match over {
            Some(index) => Err(GraphBoardError::Stones {
                found: bins[index].to_string(),
                place: index + 1,
            }),
            None => Ok(Self(bins.into())),
        }
    }

    /// Returns the empty board of a graph, from which unmoves reach every winning board.
    pub fn empty(graph: &SowingGraph) -> Self {
        Self(vec![0; graph.bins().count()].into())
    }

    /// Returns the stones in each bin.
    pub fn bins(&self) -> &[u32] {
        &self.0
    }

    /// Returns the total number of stones in bins.
    pub fn total(&self) -> u64 {
        self.0.iter().map(|&stones| u64::from(stones)).sum()
    }

    /// Returns the stones by vertex, 0 for Rumas.
    ///
    /// # Errors
    ///
    /// [`GraphBoardError::Bins`] when the graph has another number of bins.
    pub fn labels(&self, graph: &SowingGraph) -> Result<Vec<u32>, GraphBoardError> {
        let accepted = graph.bins().count();
        if self.0.len() != accepted {
            let mut names: Vec<_> = graph.bins().take(8).map(|bin| graph.name(bin)).collect();
            if accepted > names.len() {
                names.push("...");
            }
            return Err(GraphBoardError::Bins {
                found: self.0.len(),
                accepted,
                names: names.join(", "),
            });
        }
        let mut labels = vec![0; graph.len()];
        for (bin, &stones) in graph.bins().zip(&self.0) {
            labels[bin.index()] = stones;
        }
        Ok(labels)
    }

    /// Returns the board with these labels by vertex; the labels of Rumas are ignored.
    pub fn from_labels(graph: &SowingGraph, labels: &[u32]) -> Self {
        Self(graph.bins().map(|bin| labels[bin.index()]).collect())
    }
}

impl fmt::Display for GraphBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for (index, stones) in self.0.iter().enumerate() {
            write!(f, "{}{stones}", if index > 0 { ", " } else { "" })?;
        }
        f.write_str(")")
    }
}

impl FromStr for GraphBoard {
    type Err = GraphBoardError;

    fn from_str(text: &str) -> Result<Self, GraphBoardError> {
        let inner = text
            .trim()
            .strip_prefix('(')
            .and_then(|rest| rest.strip_suffix(')'));
        let Some(inner) = inner.map(str::trim) else {
            let found = text.to_owned();
            return Err(GraphBoardError::Notation { found });
        };
        if inner.is_empty() {
            return Ok(Self(Box::default()));
        }
        let bins: Result<Vec<u32>, GraphBoardError> = (1..)
            .zip(inner.split(',').map(str::trim))
            .map(|(place, found)| {
                let error = || GraphBoardError::Stones {
                    found: found.to_owned(),
                    place,
                };
                let is_digits = found.bytes().all(|byte| byte.is_ascii_digit());
                let stones: u32 = found.parse().map_err(|_| error())?;
                if !is_digits || stones > BIN_STONES_MAX {
                    return Err(error());
                }
                Ok(stones)
            })
            .collect();
        Ok(Self(bins?.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_read_back() {
        for text in ["()", "(0)", "(1, 2, 0)", "(1000000000)"] {
            assert_eq!(text.parse::<GraphBoard>().unwrap().to_string(), text);
        }
        assert_eq!(" ( 1,2 ) ".parse::<GraphBoard>().unwrap().bins(), [1, 2]);
    }

    #[test]
    fn bad_boards_are_refused() {
        let error = |text: &str| text.parse::<GraphBoard>().unwrap_err().to_string();
        assert_eq!(
            error("1, 2"),
            "\"1, 2\" is no board; write the bins in the graph's order, for example (1, 2, 0)"
        );
        assert_eq!(
            error("(1, x)"),
            "\"x\" is no number of stones for bin 2; accepted are 0 to 1000000000"
        );
        for text in [
            "(1,)",
            "(-1)",
            "(+1)",
            "(1000000001)",
            "(99999999999)",
            "(",
            "((1))",
        ] {
            assert!(text.parse::<GraphBoard>().is_err(), "{text:?}");
        }
        let graph: SowingGraph = "ruma r\nb -> a -> r".parse().unwrap();
        let board: GraphBoard = "(1)".parse().unwrap();
        assert_eq!(
            board.labels(&graph).unwrap_err().to_string(),
            "the board has 1 bins, the graph 2: b, a"
        );
        assert!(GraphBoard::new(&[BIN_STONES_MAX + 1]).is_err());
    }
}
