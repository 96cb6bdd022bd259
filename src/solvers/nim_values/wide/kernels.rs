//! Rows of bits and shifts for the kernels, made from the values found so far.
//!
//! None of this affects the values. It is rebuilt when values outgrow the rows, when rare heaps have
//! occurred, and whenever the number of heaps has doubled.

use super::super::error::NimValueError;
use super::super::space::{RareHeaps, Shift, Space};
use super::super::sparse::Sparse;
use super::bytes::Bytes;
use super::set_cover::{SampleBlocks, Threshold};
use super::shift_or::ShiftOr;
use super::strip::{FarShift, STRIP};
use super::window::{BLOCK, Window};

/// The most heaps that rows reach back; the strips handle shifts that reach further.
const REACH_MAX: usize = BLOCK + 15_360;

/// The greatest offset of sample shifts; the least is a block's length.
const SAMPLE_MAX: usize = BLOCK + 16_384;

/// The most blocks that are computed before they are verified.
pub(crate) const ROUND_MAX: usize = 4;

/// The most heaps that are withdrawn: those of a round that is verified and of the one computed
/// meanwhile.
pub(crate) const BACK_MAX: usize = (2 * ROUND_MAX + 1) * BLOCK;

/// The threshold at which shifts for common numbers are worth their cost.
///
/// PERF: gains of 10, 20, 40, 80 and 160 take 2.41, 2.22, 2.41, 2.75 and 3.00 s for five million
/// speculative values of 0.37.
const COMMON: Threshold = Threshold {
    equal: usize::MAX,
    gain: 20,
};

/// The most reads of rows of bits for a strip in place of trials of numbers.
///
/// PERF: with rows a million values of 0.104 take four fifths of the time.
const STRIP_READS_MAX: usize = 4096;

/// The number of heaps for each sample block, up to [`SAMPLES_MAX`] blocks.
const SAMPLE_HEAPS: usize = 1 << 17;
const SAMPLES_MAX: usize = 8;

/// A space is used if at most one heap in `RARE_SHARE` is rare.
const RARE_SHARE: u64 = 10;

/// In addition at most one in `RARE_LATE_SHARE` of the last heaps, one in `LATE` of all, may be
/// rare: the values of a block are withdrawn when a rare heap occurs in it.
const LATE: usize = 4;
const RARE_LATE_SHARE: usize = 2000;

/// Common numbers are tried in blocks up to a number that all but one heap in `LARGE_SHARE` stay
/// below.
const LARGE_SHARE: u64 = 2048;

/// The most new rare heaps before the shifts are rebuilt.
const FRESH_MAX: usize = 32;

/// Rows and shifts.
#[derive(Clone, Debug)]
pub(crate) struct Kernels {
    pub(super) window: Window,
    /// The length of the window: it contains the heaps to which shifts lead, even after values were
    /// withdrawn.
    reach: usize,
    /// Shifts for common numbers that lead to heaps before the block and within the window.
    pub(super) shift_or: ShiftOr,
    /// The labels of the common numbers that are tried in blocks, ascending and without gaps.
    pub(super) common: Vec<u16>,
    /// The shifts of `far` by label, if they are so few that rows of bits decide the strips.
    strip_shifts: Option<Vec<Shift>>,
    /// All shifts below 2^32 that lead to heaps before the strip.
    pub(super) far: Vec<FarShift<u16>>,
    /// All other shifts.
    pub(super) near: Vec<Shift>,
    /// The byte form of `far`, if values are small.
    bytes: Option<Bytes>,
    /// The number of rare heaps found since these kernels were built.
    fresh: usize,
    /// A bound on values; a larger one ends the block.
    pub(super) rows: usize,
    /// Whether a value without a row has occurred.
    pub(super) outgrown: bool,
}

impl Kernels {
    /// Returns the kernels for the next heaps.
    pub(super) fn new(sparse: &Sparse) -> Kernels {
        let heaps = sparse.values.len();
        let rows = sparse.counts.len();
        let space = sparse.space();
        let start = heaps & !7;
        let shifts = sparse.rare_shifts();
        let within = |from: usize, to: usize| {
            let inside = move |&&(_, offset): &&Shift| (from..to).contains(&offset);
            shifts.iter().filter(inside).copied()
        };
        let is_common = |label| !space.is_rare_label(label);
        let common: Vec<u16> = (0..large(sparse))
            .filter(|&label| is_common(label))
            .collect();
        let far = within(BLOCK, REACH_MAX.min(start + 1));
        let far = far.map(|shift| space.shift(shift)).collect();
        let cover = sample_blocks(sparse).cover(far, &common, is_common, COMMON);
        let shift_or = ShiftOr::new(&cover);
        // An offset of `start` would lead to heap 0.
        let far_end = start.min(u32::MAX as usize);
        let far: Vec<Shift> = within(STRIP, far_end).collect();
        let far_max = far.iter().map(|&(_, offset)| offset).max().unwrap_or(0);
        let is_little = far_max <= REACH_MAX && far.len() * common.len() <= STRIP_READS_MAX;
        let strip_shifts = is_little.then(|| {
            far.iter()
                .map(|&shift| space.shift(shift))
                .collect::<Vec<_>>()
        });
        let rows_reach = strip_shifts.as_ref().map_or(0, |_| far_max);
        let reaches = [shift_or.reach(), rows_reach];
        let reach = reaches.into_iter().max().unwrap_or(0) + BACK_MAX;
        let near = within(0, STRIP).chain(within(far_end, usize::MAX));
        Kernels {
            window: Window::filled(space, &sparse.values, rows, reach),
            reach,
            shift_or,
            common,
            near: near.collect(),
            strip_shifts,
            bytes: Bytes::new(&sparse.values, rows, space, &far, BACK_MAX),
            far: far
                .iter()
                .map(|&(value, offset)| FarShift {
                    offset: offset as u32,
                    value,
                })
                .collect(),
            fresh: 0,
            rows,
            outgrown: false,
        }
    }

    /// Returns whether the kernels must be rebuilt for the next heap `n`.
    pub(super) fn is_stale(&self, n: usize) -> bool {
        let by_bytes = || {
            self.bytes
                .as_ref()
                .is_some_and(|bytes| bytes.decide(n & !7))
        };
        self.outgrown || self.fresh >= FRESH_MAX || self.fresh > 0 && by_bytes()
    }

    /// Returns the bytes, if they suffice for the strip from `start` on.
    pub(super) fn deciding_bytes(&self, start: usize) -> Option<&Bytes> {
        self.bytes.as_ref().filter(|bytes| bytes.decide(start))
    }

    /// Returns whether rows of bits show all numbers that the strips' heaps reach by far shifts.
    pub(super) fn rows_decide(&self) -> bool {
        self.strip_shifts.is_some()
    }

    /// Returns the heaps of the strip from `start` on that are seen to reach the common number with
    /// a label by rows of bits: all that do by far shifts if [these decide](Self::rows_decide).
    pub(super) fn seen_by_rows(&self, label: u16, start: usize) -> u64 {
        let shifts = self.strip_shifts.iter().flatten();
        shifts.fold(0, |seen, &(value, offset)| {
            seen | self.window.strip(label ^ value, start - offset)
        })
    }

    /// Advances the window to the block from `start`, a multiple of 8.
    pub(super) fn advance(&mut self, start: usize) {
        self.window.advance(start, self.reach);
    }

    /// Appends the value of the next heap.
    pub(super) fn push(&mut self, sparse: &mut Sparse, value: u16) -> Result<(), NimValueError> {
        if let Some(bytes) = &mut self.bytes {
            bytes.push(value);
        }
        if usize::from(value) < self.rows {
            self.window.set(sparse.values.len(), value);
        } else {
            // The next block starts here, with more rows.
            self.outgrown = true;
        }
        sparse.push(value)
    }

    /// Removes the values from heap `n` on, which are still in `sparse`, and adds its rare value.
    pub(super) fn withdraw(&mut self, sparse: &Sparse, n: usize, value: u16) {
        for (heap, &wrong) in (n..).zip(&sparse.values[n..]) {
            if usize::from(wrong) < self.rows {
                self.window.clear(heap, wrong);
            }
        }
        self.window.set(n, value);
        let offsets = sparse.moves.two.iter().map(|taken| n + taken);
        self.near.extend(offsets.map(|offset| (value, offset)));
        if let Some(bytes) = &mut self.bytes {
            bytes.withdraw(n, value);
        }
        self.fresh += 1;
    }
}

/// Returns the space for the next heaps: one in which few heaps are rare, and still fewer of the
/// recent ones; otherwise the one in which all numbers are rare.
pub(super) fn best_space(sparse: &Sparse) -> Space {
    let heaps = sparse.values.len();
    let is_worth = |found: &RareHeaps| {
        let from = heaps - heaps / LATE;
        let late = (from..).zip(&sparse.values[from..]);
        let rare = late.filter(|&(heap, &value)| found.space.is_rare(heap, value));
        found.heaps * RARE_SHARE <= heaps as u64 && rare.count() * RARE_LATE_SHARE <= heaps / LATE
    };
    let found = sparse.fewest_rare().filter(is_worth);
    found.map_or(Space::default(), |found| found.space)
}

/// Returns the last blocks of values, from which shifts are chosen.
pub(crate) fn sample_blocks(sparse: &Sparse) -> SampleBlocks<'_> {
    let blocks = (sparse.values.len() / SAMPLE_HEAPS).clamp(2, SAMPLES_MAX);
    let reach = REACH_MAX.max(SAMPLE_MAX);
    SampleBlocks::new(
        sparse.space(),
        &sparse.values,
        sparse.counts.len(),
        reach,
        blocks,
    )
}

/// Returns the shifts of common heaps, by label. For all later heaps the other heap of each pair is
/// the larger one.
pub(crate) fn sample_shifts(sparse: &Sparse) -> Vec<Shift> {
    let space = sparse.space();
    let heaps = SAMPLE_MAX.min(sparse.values.len() / 2);
    let mut shifts = Vec::new();
    for (heap, &value) in sparse.values[..heaps].iter().enumerate().skip(1) {
        let offsets = sparse.moves.two.iter().map(|&taken| heap + taken);
        if !space.is_rare(heap, value) {
            let fitting = offsets.filter(|offset| (BLOCK..heaps).contains(offset));
            shifts.extend(fitting.map(|offset| space.shift((value, offset))));
        }
    }
    shifts
}

/// Returns a number that exceeds the values of all but few heaps.
fn large(sparse: &Sparse) -> u16 {
    let heaps: u64 = sparse.counts.iter().sum();
    let mut few = heaps / LARGE_SHARE;
    let mut large = sparse.counts.len();
    while large > 0 && sparse.counts[large - 1] <= few {
        large -= 1;
        few -= sparse.counts[large];
    }
    large as u16
}
