//! All winning boards of a sowing graph in order of their totals, by unmoves from the empty board.
//!
//! An unmove adds stones, so no board of total t can appear after the unmoves of all boards of
//! total t have been made, and boards are stored only until then. A board is stored as one integer,
//! with its labels side by side in as few bits as possible. The lowest bits hold the length of its
//! shortest play, if plays of one board can differ in length. The boards of a total are a plain
//! list, which is sorted and deduplicated whenever it has doubled.
//!
//! Invariant: the boards visited are all winning boards up to the last completed total, each once,
//! with the least number of moves that clears it.
//!
//! Source: Jones, Taalman, Tongen, section 5, proof of Theorem 5.2 (unmoves find all winning
//! boards).

use std::collections::BTreeMap;
use std::fmt;
use std::ops::ControlFlow;

use cggames::game::sowing_graph::{BIN_STONES_MAX, SowingGraph, Steps};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Watcher;
use super::finiteness::{Finiteness, finiteness, live, passes_rumas};

/// The number of boards between two calls of the watcher.
///
/// Unit: boards. A visitor may take a few microseconds for each.
const BOARDS_A_CHECK: u64 = if cfg!(test) { 1 << 4 } else { 1 << 12 };

/// The limits of an enumeration. The defaults take at worst minutes and one or two gigabytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EnumerationLimits {
    /// The greatest total of boards, at most [`BIN_STONES_MAX`].
    pub total_max: u64,
    /// The most boards to visit.
    pub boards_max: u64,
    /// The most boards to store at one time, 8 or 16 bytes each; duplicates take up to the same
    /// amount again, and half of it while they are removed.
    pub held_max: u64,
    /// The most steps along edges, some nanoseconds each.
    pub steps_max: u64,
}

impl Default for EnumerationLimits {
    fn default() -> Self {
        Self {
            total_max: BIN_STONES_MAX.into(),
            boards_max: 1_000_000_000,
            held_max: 50_000_000,
            steps_max: 100_000_000_000,
        }
    }
}

/// Returns the most bytes that an enumeration takes for each board within [`EnumerationLimits::held_max`].
///
/// Keys are 8 or 16 bytes; duplicates, the growth of lists and the boards of the current total
/// multiply that by four.
///
/// # Errors
///
/// [`EnumerationError`] when there are too many bins.
pub fn bytes_a_board(graph: &SowingGraph, total_max: u64) -> Result<u64, EnumerationError> {
    let packing = Packing::new(graph, total_max)?;
    Ok(if packing.bits <= 64 { 32 } else { 64 })
}

/// The reason why an enumeration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stop {
    /// There are boards with more stones than [`EnumerationLimits::total_max`].
    Total,
    /// There may be boards with more stones, but they do not fit in 128 bits.
    Width,
    /// [`EnumerationLimits::boards_max`] boards were visited.
    Boards,
    /// More than [`EnumerationLimits::held_max`] boards would have to be stored.
    Held,
    /// [`EnumerationLimits::steps_max`] steps were taken.
    Steps,
    /// The visitor ended the enumeration.
    Visitor,
    /// The watcher stopped the enumeration.
    Asked,
}

/// The extent of an enumeration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// All boards up to this total were visited; `None` if not even the empty board was.
    pub total: Option<u64>,
    /// The reason why there may be others; `None` if these are all.
    pub stop: Option<Stop>,
}

/// The progress of an enumeration, without its boards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnumerationProgress {
    visited: u64,
    steps_left: u64,
    completed: Option<u64>,
    beyond: bool,
    layers: Vec<LayerProgress>,
}

impl EnumerationProgress {
    /// Returns the number of keys.
    pub fn keys(&self) -> usize {
        self.layers.iter().map(|layer| layer.keys).sum()
    }
}

/// The number of keys of a total, and their number when they were last sorted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct LayerProgress {
    total: u64,
    keys: usize,
    sorted: usize,
}

/// The error for an enumeration that cannot start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum EnumerationError {
    /// A key is too small for one bit for each bin.
    #[error("{found} bins can hold stones; a search takes at most {accepted}: use a smaller graph")]
    Bins {
        /// The number of bins that can be nonempty.
        found: u32,
        /// The limit.
        accepted: u32,
    },
}

/// A winning board, as an enumeration finds it.
#[derive(Clone, Copy, Debug)]
pub struct WinningBoard<'a> {
    /// The number of its stones.
    pub total: u64,
    /// The stones by vertex, 0 for Rumas.
    pub labels: &'a [u32],
    /// The number of moves in its shortest play.
    pub moves: u64,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Total => "there are boards with more stones",
            Self::Width => "boards with more stones do not fit in 128 bits",
            Self::Boards => "the budget of boards is spent",
            Self::Held => "the budget of boards kept at one time is spent",
            Self::Steps => "the budget of steps is spent",
            Self::Visitor => "enough was found",
            Self::Asked => "it was stopped",
        })
    }
}

/// Calls `visit` with every winning board in order of the totals, and boards of one total in
/// ascending order of their bins from the last to the first, until there are no more or a limit is
/// reached.
///
/// Boards beyond the last completed total may be visited before a limit stops the enumeration; only those
/// up to [`Extent::total`] count. Cost: the steps of each board's unmoves, and the sorting.
///
/// # Errors
///
/// [`EnumerationError`] when more than 128 bins can hold stones.
///
/// ```
/// use std::ops::ControlFlow;
/// use cgsolvers::sowing_graph::enumeration::{EnumerationLimits, enumerate};
/// use cggames::game::sowing_graph::SowingGraph;
///
/// let mut totals = Vec::new();
/// let extent = enumerate(&SowingGraph::path(2)?, EnumerationLimits::default(), |board| {
///     totals.push(board.total);
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(totals, [0, 1, 2, 3]);
/// assert_eq!((extent.total, extent.stop), (Some(3), None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn enumerate(
    graph: &SowingGraph,
    limits: EnumerationLimits,
    visit: impl FnMut(WinningBoard<'_>) -> ControlFlow<()>,
) -> Result<Extent, EnumerationError> {
    enumerate_until(graph, limits, &|| false, visit)
}

/// As [`enumerate`], but ends with [`Stop::Asked`] when the watcher stops it, at most the time later
/// that it takes to sort [`EnumerationLimits::held_max`] boards. If the watcher has a checkpoint, the enumeration
/// resumes from it: boards visited before are not visited again.
///
/// # Errors
///
/// As [`enumerate`].
pub fn enumerate_until(
    graph: &SowingGraph,
    limits: EnumerationLimits,
    watcher: &dyn Watcher<EnumerationProgress>,
    visit: impl FnMut(WinningBoard<'_>) -> ControlFlow<()>,
) -> Result<Extent, EnumerationError> {
    let packing = Packing::new(graph, limits.total_max)?;
    if packing.bits <= 64 {
        Ok(Enumeration::<u64>::new(graph, limits, packing).run(watcher, visit))
    } else {
        Ok(Enumeration::<u128>::new(graph, limits, packing).run(watcher, visit))
    }
}

/// The layout of labels in a key.
struct Packing {
    /// For each bin that can hold stones.
    fields: Vec<LabelField>,
    /// The lowest bits, for the number of moves.
    moves_bits: u32,
    bits: u32,
    /// The greatest total whose boards fit.
    total_max: u64,
    /// Whether there are infinitely many boards, so that greater totals certainly exist.
    infinite: bool,
    /// Whether `total_max` is less than the requested one.
    narrowed: bool,
}

/// The bits of a key that hold the label of a bin.
struct LabelField {
    /// The index of the bin in the labels.
    bin: usize,
    shift: u32,
    /// The mask after the shift.
    mask: u128,
}

impl Packing {
    fn new(graph: &SowingGraph, total_max: u64) -> Result<Self, EnumerationError> {
        let asked = total_max.min(BIN_STONES_MAX.into());
        let (longest, bound) = match finiteness(graph) {
            Finiteness::Finite { longest } => {
                let bound = longest.iter().map(|&stones| u64::from(stones)).sum();
                (longest, Some(bound))
            }
            Finiteness::Infinite { .. } => {
                let unbounded = |live| if live { u32::MAX } else { 0 };
                (live(graph).into_iter().map(unbounded).collect(), None)
            }
        };
        let asked_of_all = asked.min(bound.unwrap_or(u64::MAX));
        let passes = passes_rumas(graph);
        let width = |vertex: usize, total: u64| bits(total.min(longest[vertex].into()));
        let bins: Vec<usize> = graph
            .bins()
            .map(|bin| bin.index())
            .filter(|&bin| longest[bin] > 0)
            .collect();
        let moves_width = |total: u64| if passes { bits(total) } else { 0 };
        let all = |total: u64| -> u32 {
            let labels: u32 = bins.iter().map(|&bin| width(bin, total)).sum();
            labels + moves_width(total)
        };
        if all(asked_of_all.min(1)) > u128::BITS {
            return Err(EnumerationError::Bins {
                found: bins.len() as u32,
                accepted: u128::BITS - moves_width(1),
            });
        }
        // The greatest total that fits, by bisection: greater totals never take fewer bits.
        let mut total_max = asked_of_all;
        if all(total_max) > u128::BITS {
            let mut too_great = total_max;
            total_max = 1;
            while too_great - total_max > 1 {
                let middle = total_max + (too_great - total_max) / 2;
                if all(middle) <= u128::BITS {
                    total_max = middle
                } else {
                    too_great = middle
                }
            }
        }
        let moves_bits = moves_width(total_max);
        let mut shift = moves_bits;
        let mut fields = Vec::new();
        for &bin in &bins {
            let width = width(bin, total_max);
            if width > 0 {
                let mask = u128::MAX >> (u128::BITS - width);
                fields.push(LabelField { bin, shift, mask });
            }
            shift += width;
        }
        Ok(Self {
            fields,
            moves_bits,
            bits: shift,
            total_max,
            infinite: bound.is_none(),
            narrowed: total_max < asked_of_all,
        })
    }

    fn pack(&self, labels: &[u32], moves: u64) -> u128 {
        let moves = if self.moves_bits == 0 { 0 } else { moves };
        self.fields.iter().fold(
            u128::from(moves),
            |key, &LabelField { bin, shift, mask }| {
                debug_assert!(u128::from(labels[bin]) <= mask);
                key | u128::from(labels[bin]) << shift
            },
        )
    }

    /// Writes the labels of a board of this total, and returns the moves of its shortest play.
    fn unpack(&self, key: u128, total: u64, labels: &mut [u32]) -> u64 {
        for &LabelField { bin, shift, mask } in &self.fields {
            labels[bin] = (key >> shift & mask) as u32;
        }
        if self.moves_bits == 0 {
            // No move brings home more than one stone.
            return total;
        }
        (key & (u128::MAX >> (u128::BITS - self.moves_bits))) as u64
    }
}

fn bits(most: u64) -> u32 {
    u64::BITS - most.leading_zeros()
}

/// An integer that stores a board.
trait Key: Copy + Ord {
    fn from_u128(key: u128) -> Self;
    fn to_u128(self) -> u128;
}

impl Key for u64 {
    fn from_u128(key: u128) -> Self {
        debug_assert!(key <= u128::from(Self::MAX));
        key as Self
    }

    fn to_u128(self) -> u128 {
        self.into()
    }
}

impl Key for u128 {
    fn from_u128(key: u128) -> Self {
        key
    }

    fn to_u128(self) -> u128 {
        self
    }
}

/// The boards known so far of one total.
struct Layer<K> {
    keys: Vec<K>,
    /// The number of keys when they were last sorted.
    sorted: usize,
}

impl<K: Key> Layer<K> {
    /// Sorts the keys and keeps for each board the one with the fewest moves.
    fn settle(&mut self, moves_bits: u32) {
        self.keys.sort_unstable();
        self.keys.dedup_by_key(|key| key.to_u128() >> moves_bits);
        self.sorted = self.keys.len();
    }
}

struct Enumeration<'g, K> {
    graph: &'g SowingGraph,
    limits: EnumerationLimits,
    packing: Packing,
    layers: BTreeMap<u64, Layer<K>>,
    /// The total number of keys in the layers.
    held: u64,
    /// Whether a board with too many stones was found.
    beyond: bool,
}

impl<'g, K: Key> Enumeration<'g, K> {
    fn new(graph: &'g SowingGraph, limits: EnumerationLimits, packing: Packing) -> Self {
        Self {
            graph,
            limits,
            packing,
            layers: BTreeMap::new(),
            held: 0,
            beyond: false,
        }
    }

    fn run(
        mut self,
        watcher: &dyn Watcher<EnumerationProgress>,
        mut visit: impl FnMut(WinningBoard<'_>) -> ControlFlow<()>,
    ) -> Extent {
        let mut labels = vec![0; self.graph.len()];
        let known = watcher
            .known()
            .and_then(|(progress, keys)| self.restore(progress, keys));
        let begun = known.unwrap_or_else(|| {
            self.keep(0, self.packing.pack(&labels, 0));
            EnumerationProgress {
                visited: 0,
                steps_left: self.limits.steps_max,
                completed: None,
                beyond: false,
                layers: Vec::new(),
            }
        });
        let (mut visited, mut completed) = (begun.visited, begun.completed);
        let asked = || watcher.stop();
        let mut steps = Steps::until(begun.steps_left, &asked);
        let stop = 'boards: loop {
            let Some((total, mut layer)) = self.layers.pop_first() else {
                break self.end();
            };
            self.held -= layer.keys.len() as u64;
            layer.settle(self.packing.moves_bits);
            // These layers are complete.
            layer.keys.shrink_to_fit();
            for (index, &key) in layer.keys.iter().enumerate() {
                if visited == self.limits.boards_max {
                    break 'boards Some(Stop::Boards);
                }
                if visited % BOARDS_A_CHECK == 0 {
                    if asked() {
                        break 'boards Some(Stop::Asked);
                    }
                    if watcher.is_due() {
                        let progress = EnumerationProgress {
                            visited,
                            steps_left: steps.left(),
                            completed,
                            beyond: self.beyond,
                            layers: Vec::new(),
                        };
                        self.hand_over(watcher, progress, total, &layer.keys[index..]);
                    }
                }
                visited += 1;
                let moves = self.packing.unpack(key.to_u128(), total, &mut labels);
                let board = WinningBoard {
                    total,
                    labels: &labels,
                    moves,
                };
                if visit(board).is_break() {
                    break 'boards Some(Stop::Visitor);
                }
                if let Err(stop) = self.unmove(&mut labels, total, moves, &mut steps) {
                    break 'boards Some(stop);
                }
            }
            completed = Some(total);
        };
        // No board has a total between those of consecutive layers.
        let total = match stop {
            Some(Stop::Total | Stop::Width) => Some(self.packing.total_max),
            _ => completed,
        };
        Extent { total, stop }
    }

    /// Passes a checkpoint to the watcher: the boards of the current total that are not visited
    /// yet, and then those of the layers.
    fn hand_over(
        &self,
        watcher: &dyn Watcher<EnumerationProgress>,
        progress: EnumerationProgress,
        total: u64,
        left: &[K],
    ) {
        let of_layer = |(&total, layer): (&u64, &Layer<K>)| LayerProgress {
            total,
            keys: layer.keys.len(),
            sorted: layer.sorted,
        };
        let in_progress = LayerProgress {
            total,
            keys: left.len(),
            sorted: left.len(),
        };
        let layers = std::iter::once(in_progress).chain(self.layers.iter().map(of_layer));
        let progress = EnumerationProgress {
            layers: layers.collect(),
            ..progress
        };
        let keys = self.layers.values().flat_map(|layer| &layer.keys);
        let keys = left.iter().chain(keys);
        watcher.take(progress, &mut keys.map(|key| key.to_u128()));
    }

    /// Restores the boards of a checkpoint; returns `None` if the number of keys does not fit.
    fn restore(
        &mut self,
        progress: EnumerationProgress,
        keys: Vec<u128>,
    ) -> Option<EnumerationProgress> {
        if progress.keys() != keys.len() {
            return None;
        }
        self.held = keys.len() as u64;
        let mut keys = keys.into_iter().map(K::from_u128);
        let layers = progress.layers.iter().map(|layer| {
            let sorted = layer.sorted;
            let keys = keys.by_ref().take(layer.keys).collect();
            (layer.total, Layer { keys, sorted })
        });
        self.layers = layers.collect();
        self.beyond = progress.beyond;
        Some(progress)
    }

    fn end(&self) -> Option<Stop> {
        let more = self.packing.infinite || self.beyond;
        more.then_some(if self.packing.narrowed {
            Stop::Width
        } else {
            Stop::Total
        })
    }

    fn unmove(
        &mut self,
        labels: &mut [u32],
        total: u64,
        moves: u64,
        steps: &mut Steps<'_>,
    ) -> Result<(), Stop> {
        let graph = self.graph;
        // With finitely many boards every unmove is made, to find out whether any has too many
        // stones. Otherwise there may be infinitely many unmoves, and some are known to have too
        // many.
        let total_max = if self.packing.infinite {
            self.packing.total_max
        } else {
            u64::MAX
        };
        graph
            .for_each_unmove(labels, total_max, steps, |sown| {
                let total = total + sown.home;
                if total > self.packing.total_max {
                    self.beyond = true;
                    return;
                }
                let key = self.packing.pack(sown.labels, moves + 1);
                self.keep(total, key);
            })
            .map_err(|_| match steps.left() {
                0 => Stop::Steps,
                _ => Stop::Asked,
            })?;
        // Duplicates may take half of the limit again. So each sorting removes at least a third of
        // the keys, and costs little for each key.
        if self.held
            > self
                .limits
                .held_max
                .saturating_add(self.limits.held_max / 2)
        {
            for layer in self.layers.values_mut() {
                layer.settle(self.packing.moves_bits);
            }
            self.held = self.layers.values().map(|l| l.keys.len() as u64).sum();
            if self.held > self.limits.held_max {
                return Err(Stop::Held);
            }
        }
        Ok(())
    }

    fn keep(&mut self, total: u64, key: u128) {
        let layer = self.layers.entry(total).or_insert_with(|| Layer {
            keys: Vec::new(),
            sorted: 0,
        });
        layer.keys.push(K::from_u128(key));
        self.held += 1;
        if layer.keys.len() >= 1024.max(2 * layer.sorted) {
            let before = layer.keys.len();
            layer.settle(self.packing.moves_bits);
            self.held -= (before - layer.keys.len()) as u64;
        }
    }
}
