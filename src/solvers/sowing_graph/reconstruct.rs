//! Winning boards with given numbers of stones in given bins.
//!
//! Source: Jones, Taalman, Tongen, section 5, question (3). On paths section 4 answers it by
//! congruences; no such method is known for other graphs, so this is a search through all boards.

use std::ops::ControlFlow;

use cggames::game::sowing_graph::{GraphBoard, SowingGraph, Vertex};
use thiserror::Error;

use super::enumeration::{EnumerationError, EnumerationLimits, Extent, enumerate};
use super::finiteness::{Finiteness, finiteness};

/// Winning boards that agree with the fixed bins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reconstruction {
    /// The boards by total, the smallest first, at most the wanted number.
    pub boards: Vec<GraphBoard>,
    /// The extent of the search. Fewer boards than wanted are all boards up to [`Extent::total`];
    /// without [`Extent::stop`] they are all boards.
    pub extent: Extent,
}

/// The error for an invalid reconstruction.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReconstructError {
    /// The graph has too many bins.
    #[error(transparent)]
    Enumeration(#[from] EnumerationError),
    /// A Ruma was fixed.
    #[error("{name} is a ruma, whose stones are not counted; fix bins only")]
    Ruma {
        /// The Ruma's name.
        name: String,
    },
}

/// Returns the `wanted` smallest winning boards that hold the given numbers of stones in these
/// bins.
///
/// If a bin is fixed at two different numbers, or at more stones than any winning board has there,
/// there are no boards. Cost: an enumeration up to the last board returned.
///
/// # Errors
///
/// [`ReconstructError`] when a Ruma is fixed or the graph has too many bins.
///
/// ```
/// use cgsolvers::sowing_graph::{reconstruct::reconstruct, enumeration::EnumerationLimits};
/// use cggames::game::sowing_graph::SowingGraph;
///
/// // Example 4.8: bins 2 and 6 from the Ruma (3 and 7 in the paper's other numbering) hold 1 and
/// // 2.
/// let graph = SowingGraph::path(10)?;
/// let fixed = [("2", 1), ("6", 2)].map(|(name, n)| (graph.vertex(name).expect("a bin"), n));
/// let found = reconstruct(&graph, &fixed, 1, EnumerationLimits::default())?;
/// assert_eq!(found.boards[0].to_string(), "(0, 1, 1, 2, 0, 2, 4, 6, 8, 10)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn reconstruct(
    graph: &SowingGraph,
    fixed: &[(Vertex, u32)],
    wanted: usize,
    limits: EnumerationLimits,
) -> Result<Reconstruction, ReconstructError> {
    if let Some(&(ruma, _)) = fixed.iter().find(|&&(vertex, _)| graph.is_ruma(vertex)) {
        let name = graph.name(ruma).to_owned();
        return Err(ReconstructError::Ruma { name });
    }
    let mut boards = Vec::new();
    if let Finiteness::Finite { longest } = finiteness(graph)
        && fixed
            .iter()
            .any(|&(bin, stones)| stones > longest[bin.index()])
    {
        let all = longest.iter().map(|&stones| u64::from(stones)).sum();
        let extent = Extent {
            total: Some(all),
            stop: None,
        };
        return Ok(Reconstruction { boards, extent });
    }
    let extent = enumerate(graph, limits, |board| {
        if boards.len() == wanted {
            return ControlFlow::Break(());
        }
        if fixed
            .iter()
            .all(|&(bin, stones)| board.labels[bin.index()] == stones)
        {
            boards.push(GraphBoard::from_labels(graph, board.labels));
        }
        ControlFlow::Continue(())
    })?;
    Ok(Reconstruction { boards, extent })
}
