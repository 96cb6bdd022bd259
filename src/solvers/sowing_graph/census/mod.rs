//! Counts of the winning boards of a sowing graph, by total.
//!
//! If no move can continue from a Ruma, remove the Rumas: bins in different components of the rest
//! never affect each other. So a board is winning if and only if it is on each component, and the
//! counts by total of the components multiply as polynomials. That is Example 5.3 for arbitrary
//! components, here called pieces. A piece that is an in-tree has a formula ([`super::tree`]);
//! others are enumerated.
//!
//! Source: Jones, Taalman, Tongen, section 5, Example 5.3 and question (2).

use std::cell::RefCell;
use std::ops::ControlFlow;

use cggames::game::sowing_graph::{BIN_STONES_MAX, GraphError, SowingGraph, Vertex};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Watcher;
use super::enumeration::{
    EnumerationError, EnumerationLimits, EnumerationProgress, Stop, enumerate_until,
};
use super::finiteness::passes_rumas;
use super::tree::{CountOverflow, InTree};

/// The number of boards in memory that one total of an in-tree counts as: the numbers behind two
/// bins, their product and a row, about 128 bytes.
const BOARDS_A_TOTAL: u64 = 4;

/// The boards of one total.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TotalRow {
    /// The number of stones.
    pub total: u64,
    /// The number of winning boards with this total.
    pub boards: u128,
    /// The least number of moves that clears one of them.
    pub moves_least: u64,
    /// The greatest, over these boards, of the least number of moves that clears the board.
    pub moves_greatest: u64,
}

/// The winning boards of a graph, counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Census {
    /// A row for each total that occurs, in ascending order, up to [`Self::total_complete`].
    pub by_total: Vec<TotalRow>,
    /// The total up to which the rows are complete; `None` if not even the empty board was counted.
    pub total_complete: Option<u64>,
    /// The reason why there may be boards with more stones; `None` if all are counted.
    pub stop: Option<Stop>,
}

impl Census {
    /// Returns the number of boards counted: all winning boards if [`Self::stop`] is `None`.
    ///
    /// The sum was checked when the rows were made, so it does not overflow.
    pub fn boards(&self) -> u128 {
        self.by_total.iter().map(|row| row.boards).sum()
    }
}

/// The progress of a census.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CensusProgress {
    /// The finished pieces, one of each shape.
    done: Vec<Census>,
    /// The boards visited of the current piece.
    by_total: Vec<TotalRow>,
    #[serde(rename = "sweep")]
    enumeration: EnumerationProgress,
}

impl CensusProgress {
    /// Returns the number of keys.
    pub fn keys(&self) -> usize {
        self.enumeration.keys()
    }
}

/// The error for a census that cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CensusError {
    /// The graph has too many bins.
    #[error(transparent)]
    Enumeration(#[from] EnumerationError),
    /// The product of the numbers of boards of the pieces exceeds 128 bits.
    #[error(transparent)]
    Overflow(#[from] CountOverflow),
}

/// Counts the winning boards by total; the limits apply to each piece separately. For an in-tree no
/// boards are stored, but four numbers for each total, which count towards [`EnumerationLimits::held_max`].
///
/// Cost: that of enumerating the pieces, and O(p t^2) to multiply p of them with t totals each.
///
/// # Errors
///
/// [`CensusError`] when a piece has too many bins, or there are 2^128 boards or more.
///
/// ```
/// use cgsolvers::sowing_graph::{census::census, enumeration::EnumerationLimits};
/// use cggames::game::sowing_graph::SowingGraph;
///
/// // A spoke of two bins has the boards (0, 0), (1, 0), (0, 2), (1, 2); ten spokes 4^10.
/// let census = census(&SowingGraph::star(10, 2)?, EnumerationLimits::default())?;
/// assert_eq!(census.boards(), 1 << 20);
/// assert_eq!(census.by_total[1].boards, 10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn census(graph: &SowingGraph, limits: EnumerationLimits) -> Result<Census, CensusError> {
    census_until(graph, limits, &|| false)
}

/// As [`census`], but ends with [`Stop::Asked`] soon after the watcher stops it; its counts are
/// then meaningless. If the watcher has a checkpoint, the census resumes from it.
///
/// # Errors
///
/// As [`census`].
pub fn census_until(
    graph: &SowingGraph,
    limits: EnumerationLimits,
    watcher: &dyn Watcher<CensusProgress>,
) -> Result<Census, CensusError> {
    let stop = &|| watcher.stop();
    if let Some(tree) = InTree::new(graph) {
        return of_tree(&tree, limits, stop);
    }
    let mut pieces = pieces(graph);
    if pieces.len() == 1 {
        pieces = vec![graph.clone()];
    }
    let known = watcher.known();
    let known = known.filter(|(progress, keys)| progress.keys() == keys.len());
    let (mut done, mut checkpoint) = match known {
        Some((progress, keys)) => {
            let checkpoint = (progress.by_total, progress.enumeration, keys);
            (progress.done.into_iter(), Some(checkpoint))
        }
        None => (Vec::new().into_iter(), None),
    };
    let mut whole: Option<Census> = None;
    let mut known: Vec<(SowingGraph, Census)> = Vec::new();
    for piece in pieces {
        let counted = match known.iter().find(|(graph, _)| *graph == piece) {
            Some((_, counted)) => counted.clone(),
            None => {
                let counted = match done.next() {
                    Some(counted) => counted,
                    None => {
                        let done = known.iter().map(|(_, counted)| counted.clone());
                        let done = done.collect();
                        census_of_piece(&piece, limits, watcher, done, checkpoint.take())?
                    }
                };
                known.push((piece, counted.clone()));
                counted
            }
        };
        whole = Some(match whole {
            Some(whole) => product(&whole, &counted, limits.total_max, stop)?,
            None => counted,
        });
        if whole
            .as_ref()
            .is_some_and(|whole| whole.stop == Some(Stop::Asked))
        {
            break;
        }
    }
    Ok(whole.expect("a graph that is no in-tree has bins"))
}

/// The checkpoint of the current piece: the boards visited, the progress of the enumeration, and its
/// keys.
type PieceCheckpoint = (Vec<TotalRow>, EnumerationProgress, Vec<u128>);

fn census_of_piece(
    piece: &SowingGraph,
    limits: EnumerationLimits,
    watcher: &dyn Watcher<CensusProgress>,
    done: Vec<Census>,
    checkpoint: Option<PieceCheckpoint>,
) -> Result<Census, CensusError> {
    if let Some(tree) = InTree::new(piece) {
        return of_tree(&tree, limits, &|| watcher.stop());
    }
    let (by_total, enumeration) = match checkpoint {
        Some((by_total, progress, keys)) => (by_total, Some((progress, keys))),
        None => (Vec::new(), None),
    };
    let piece_watcher = PieceWatcher {
        watcher,
        done,
        by_total: RefCell::new(by_total),
        known: RefCell::new(enumeration),
    };
    Ok(in_one_until(piece, limits, &piece_watcher)?)
}

/// Watches the enumeration of one piece on behalf of the census's watcher.
struct PieceWatcher<'w> {
    watcher: &'w dyn Watcher<CensusProgress>,
    done: Vec<Census>,
    by_total: RefCell<Vec<TotalRow>>,
    known: RefCell<Option<(EnumerationProgress, Vec<u128>)>>,
}

impl Watcher<EnumerationProgress> for PieceWatcher<'_> {
    fn stop(&self) -> bool {
        self.watcher.stop()
    }

    fn is_due(&self) -> bool {
        self.watcher.is_due()
    }

    fn take(&self, enumeration: EnumerationProgress, keys: &mut dyn Iterator<Item = u128>) {
        let progress = CensusProgress {
            done: self.done.clone(),
            by_total: self.by_total.borrow().clone(),
            enumeration,
        };
        self.watcher.take(progress, keys);
    }

    fn known(&self) -> Option<(EnumerationProgress, Vec<u128>)> {
        self.known.take()
    }
}

/// Returns an empty census with its stop reason.
fn nothing(stop: Stop) -> Census {
    Census {
        by_total: Vec::new(),
        total_complete: None,
        stop: Some(stop),
    }
}

fn of_tree(
    tree: &InTree<'_>,
    limits: EnumerationLimits,
    asked_to_stop: &dyn Fn() -> bool,
) -> Result<Census, CensusError> {
    let asked = limits.total_max.min(BIN_STONES_MAX.into());
    // Each winning board has a move, so all totals up to the greatest occur.
    let greatest = tree.greatest_total().unwrap_or(u64::MAX);
    let mut most = asked.min(greatest);
    let mut stop = (most < greatest).then_some(Stop::Total);
    if most >= limits.held_max / BOARDS_A_TOTAL {
        let Some(fit) = (limits.held_max / BOARDS_A_TOTAL).checked_sub(1) else {
            return Ok(nothing(Stop::Held));
        };
        (most, stop) = (fit, Some(Stop::Held));
    }
    let Some(counts) = tree.boards_by_total_until(most, asked_to_stop)? else {
        return Ok(nothing(Stop::Asked));
    };
    let row = |(total, boards)| TotalRow {
        total,
        boards,
        moves_least: total,
        moves_greatest: total,
    };
    Ok(Census {
        total_complete: Some(counts.len() as u64 - 1),
        by_total: (0..).zip(counts).map(row).collect(),
        stop,
    })
}

/// Counts the winning boards by total without dividing the graph: the slow twin of [`census`].
///
/// # Errors
///
/// [`EnumerationError`] when the graph has too many bins.
pub fn census_in_one(
    graph: &SowingGraph,
    limits: EnumerationLimits,
) -> Result<Census, EnumerationError> {
    let nobody = PieceWatcher {
        watcher: &|| false,
        done: Vec::new(),
        by_total: RefCell::default(),
        known: RefCell::default(),
    };
    in_one_until(graph, limits, &nobody)
}

fn in_one_until(
    graph: &SowingGraph,
    limits: EnumerationLimits,
    watcher: &PieceWatcher<'_>,
) -> Result<Census, EnumerationError> {
    let extent = enumerate_until(graph, limits, watcher, |board| {
        let mut by_total = watcher.by_total.borrow_mut();
        match by_total.last_mut() {
            Some(row) if row.total == board.total => {
                row.boards += 1;
                row.moves_least = row.moves_least.min(board.moves);
                row.moves_greatest = row.moves_greatest.max(board.moves);
            }
            _ => by_total.push(TotalRow {
                total: board.total,
                boards: 1,
                moves_least: board.moves,
                moves_greatest: board.moves,
            }),
        }
        ControlFlow::Continue(())
    })?;
    let mut by_total = watcher.by_total.take();
    by_total.retain(|row| extent.total.is_some_and(|total| row.total <= total));
    Ok(Census {
        by_total,
        total_complete: extent.total,
        stop: extent.stop,
    })
}

/// Returns graphs with one piece of bins each and a Ruma, or the graph itself if pieces may
/// interact. Bins are named `b0`, `b1`, ..., so that pieces with equal structure and numbering are
/// equal.
fn pieces(graph: &SowingGraph) -> Vec<SowingGraph> {
    if passes_rumas(graph) {
        return vec![graph.clone()];
    }
    let mut place: Vec<Option<usize>> = vec![None; graph.len()];
    let mut pieces = Vec::new();
    for first in graph.bins() {
        if place[first.index()].is_some() {
            continue;
        }
        let mut piece: Vec<Vertex> = vec![first];
        let mut queue = vec![first];
        place[first.index()] = Some(0);
        while let Some(vertex) = queue.pop() {
            let around = [graph.successors(vertex), graph.predecessors(vertex)].concat();
            for next in around {
                if !graph.is_ruma(next) && place[next.index()].is_none() {
                    place[next.index()] = Some(0);
                    piece.push(next);
                    queue.push(next);
                }
            }
        }
        piece.sort();
        for (index, &bin) in piece.iter().enumerate() {
            place[bin.index()] = Some(index);
        }
        pieces.push(piece_graph(graph, &piece, &place).expect("a piece of a graph is a graph"));
    }
    pieces
}

/// Returns the graph of these bins with one Ruma: moves end at the first Ruma that they reach, and
/// only the bins on the walk matter, not which Ruma it is.
fn piece_graph(
    graph: &SowingGraph,
    piece: &[Vertex],
    place: &[Option<usize>],
) -> Result<SowingGraph, GraphError> {
    let ruma = ("r".to_owned(), true);
    let bins = (0..piece.len()).map(|index| (format!("b{index}"), false));
    let mut edges = std::collections::BTreeSet::new();
    for (index, &bin) in piece.iter().enumerate() {
        for &next in graph.successors(bin) {
            let to = if graph.is_ruma(next) {
                Some(0)
            } else {
                place[next.index()].map(|place| place + 1)
            };
            edges.extend(to.map(|to| (index + 1, to)));
        }
    }
    SowingGraph::new([ruma].into_iter().chain(bins), edges)
}

fn product(
    a: &Census,
    b: &Census,
    total_max: u64,
    asked_to_stop: &dyn Fn() -> bool,
) -> Result<Census, CensusError> {
    if b.stop == Some(Stop::Asked) {
        return Ok(nothing(Stop::Asked));
    }
    // Boards of the sum with one stone more than a piece's complete total may miss some of that
    // piece.
    let complete = |census: &Census| match census.stop {
        Some(_) => census.total_complete,
        None => Some(u64::MAX),
    };
    let mut stop = a.stop.or(b.stop);
    let (Some(a_most), Some(b_most)) = (complete(a), complete(b)) else {
        return Ok(Census {
            by_total: Vec::new(),
            total_complete: None,
            stop,
        });
    };
    let last = |census: &Census| census.by_total.last().map_or(0, |row| row.total);
    let all = last(a) + last(b);
    let mut most = a_most.min(b_most);
    if total_max < most.min(all) {
        most = total_max;
        stop = stop.or(Some(Stop::Total));
    }
    let mut rows: std::collections::BTreeMap<u64, TotalRow> = std::collections::BTreeMap::new();
    let mut sum = 0_u128;
    for first in &a.by_total {
        if asked_to_stop() {
            return Ok(nothing(Stop::Asked));
        }
        for second in &b.by_total {
            let total = first.total + second.total;
            if total > most {
                break;
            }
            let boards = first.boards.checked_mul(second.boards);
            let boards = boards.ok_or(CountOverflow)?;
            sum = sum.checked_add(boards).ok_or(CountOverflow)?;
            let row = TotalRow {
                total,
                boards,
                // There are several pieces only if each move brings home one stone.
                moves_least: total,
                moves_greatest: total,
            };
            rows.entry(total)
                .and_modify(|row| row.boards += boards)
                .or_insert(row);
        }
    }
    Ok(Census {
        by_total: rows.into_values().collect(),
        total_complete: Some(if stop.is_some() { most } else { all }),
        stop,
    })
}

#[cfg(test)]
mod tests;
