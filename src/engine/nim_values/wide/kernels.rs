//! Rows of bits and shifts for the kernels, made of the values found so far.
//!
//! None of it is needed for values to be right; it is made anew when values outgrow the rows, when heaps of rare value have
//! come up, and whenever the heaps have doubled.

use super::super::error::NimValueError;
use super::super::mask::{RareValues, is_rare};
use super::super::sparse::{Shift, Sparse};
use super::bytes::Bytes;
use super::frequent_rows::{FrequentRows, Limits};
use super::set_cover::{SampleBlocks, SetCover, Threshold};
use super::shift_or::ShiftOr;
use super::strip::{FarShift, STRIP};
use super::window::{BLOCK, Window};

/// The most heaps that rows reach back; shifts that reach further are left to the strips.
const REACH_MAX: usize = BLOCK + 15_360;

/// Sample shifts have offsets from a block's length to this.
const SAMPLE_MAX: usize = BLOCK + 16_384;

/// The most blocks that are found before they are verified.
pub(crate) const ROUND_MAX: usize = 4;

/// The most heaps that are taken back: those of a round that is verified and of the one found meanwhile.
pub(crate) const BACK_MAX: usize = (2 * ROUND_MAX + 1) * BLOCK;

/// When shifts for common numbers are worth their cost.
///
/// PERF: gains of 10, 20, 40, 80 and 160 take 2.41, 2.22, 2.41, 2.75 and 3.00 s for five million speculative values of
/// 0.37.
const COMMON: Threshold = Threshold {
    equal: usize::MAX,
    gain: 20,
};

/// The heaps for which there is one sample block, up to [`SAMPLES_MAX`] blocks.
const SAMPLE_HEAPS: usize = 1 << 17;
const SAMPLES_MAX: usize = 8;

/// The number of heaps of a block that are left to be looked at one by one without a mask.
///
/// A look at pairs until one is found goes through about `1 / p` pairs, if a pair has the number with probability
/// `p`; a shift shows `p` of the heaps that are left. So the number that pays does not depend on `p`: it is the cost of
/// a shift over that of a pair, an estimate, not a measurement.
const DENSE_LEFT: u32 = 15;

/// The most shifts that are tried, in units of `1 / p`: heaps that are left then do not reach the number at all.
const DENSE_SHIFTS: u64 = 8;

/// A mask is used where at most one heap in `RARE_SHARE` is rare by it.
const RARE_SHARE: u64 = 10;

/// And at most one in `RARE_LATE_SHARE` of the second half of the heaps: the values found of a block are taken back when a heap of
/// rare value turns up in it.
const RARE_LATE_SHARE: usize = 2000;

/// Common numbers are tried in blocks up to the one that all but one heap in `LARGE_SHARE` stay below.
const LARGE_SHARE: u64 = 2048;

/// The most newly found heaps of rare value that are kept apart before the shifts are made anew.
const FRESH_MAX: usize = 32;

/// Rows and shifts.
#[derive(Clone, Debug)]
pub(crate) struct Kernels {
    pub(super) window: Window,
    /// How far back the window must go: to where shifts lead, also after values were taken back.
    reach: usize,
    /// Shifts for common numbers that lead to before the block and not beyond the window.
    pub(super) shift_or: ShiftOr,
    /// Some shifts for all numbers, without a mask.
    pub(super) sample: FrequentRows,
    /// When enough of these have been tried.
    pub(super) enough: Limits,
    /// The common numbers that are tried in blocks, ascending, none left out.
    pub(super) common: Vec<u16>,
    /// All shifts that lead to before the strip.
    pub(super) far: Vec<FarShift<u16>>,
    /// All others.
    pub(super) near: Vec<Shift>,
    /// The same as `far`, where values are small.
    bytes: Option<Bytes>,
    /// The number of heaps of rare value that have been found since these kernels were made.
    fresh: usize,
    /// Values are below this; a larger one ends the block.
    pub(super) rows: usize,
    /// A value came up that has no row.
    pub(super) outgrown: bool,
}

impl Kernels {
    /// Returns the kernels for the next heaps.
    pub(super) fn new(sparse: &Sparse) -> Kernels {
        let heaps = sparse.values.len();
        let rows = sparse.counts.len();
        let mask = sparse.mask();
        let start = heaps & !7;
        let shifts = sparse.rare_shifts();
        let within = |from: usize, to: usize| {
            let inside = move |&&(_, offset): &&Shift| (from..to).contains(&offset);
            shifts.iter().filter(inside).copied()
        };
        let is_common = |number| !is_rare(number, mask);
        let common: Vec<u16> = match mask {
            0 => Vec::new(),
            _ => (0..large(sparse))
                .filter(|&number| is_common(number))
                .collect(),
        };
        let cover = match mask {
            0 => SetCover::default(),
            _ => {
                let far = within(BLOCK, REACH_MAX.min(start + 1)).collect();
                sample_blocks(sparse).cover(far, &common, is_common, COMMON)
            }
        };
        let shift_or = ShiftOr::new(&cover);
        let sample = match mask {
            0 => FrequentRows::new(sample_shifts(sparse), &sparse.counts),
            _ => FrequentRows::default(),
        };
        let reach = shift_or.reach().max(sample.reach()) + BACK_MAX;
        let far: Vec<Shift> = within(STRIP, start + 1).collect();
        let near = within(0, STRIP).chain(within(start + 1, usize::MAX));
        Kernels {
            window: Window::filled(&sparse.values, rows, reach),
            reach,
            shift_or,
            sample,
            enough: enough(sparse),
            common,
            near: near.collect(),
            bytes: Bytes::new(&sparse.values, rows, mask, &far, BACK_MAX),
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

    /// Returns whether the kernels are to be made anew for heap `n`, the next one.
    pub(super) fn is_stale(&self, n: usize) -> bool {
        let by_bytes = || {
            self.bytes
                .as_ref()
                .is_some_and(|bytes| bytes.decide(n & !7))
        };
        self.outgrown || self.fresh >= FRESH_MAX || self.fresh > 0 && by_bytes()
    }

    /// Returns the bytes, if they decide for the strip from `start` on.
    pub(super) fn deciding_bytes(&self, start: usize) -> Option<&Bytes> {
        self.bytes.as_ref().filter(|bytes| bytes.decide(start))
    }

    /// Moves the window on to the block from `start`, a multiple of 8.
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
            // The next block begins here, with more rows.
            self.outgrown = true;
        }
        sparse.push(value)
    }

    /// Removes the values from heap `n` on, which are still in `sparse`, and puts in the rare one that it has.
    pub(super) fn take_back(&mut self, sparse: &Sparse, n: usize, value: u16) {
        for (heap, &wrong) in (n..).zip(&sparse.values[n..]) {
            if usize::from(wrong) < self.rows {
                self.window.clear(heap, wrong);
            }
        }
        self.window.set(n, value);
        let offsets = sparse.moves.two.iter().map(|taken| n + taken);
        self.near.extend(offsets.map(|offset| (value, offset)));
        if let Some(bytes) = &mut self.bytes {
            bytes.take_back(n, value);
        }
        self.fresh += 1;
    }
}

/// Returns the mask to use for the next heaps: one by which few heaps are rare, and still fewer of late; else 0.
pub(super) fn best_mask(sparse: &Sparse) -> u16 {
    let is_worth = |found: &RareValues| {
        let late = &sparse.values[sparse.values.len() / 2..];
        let rare_late = late.iter().filter(|&&v| is_rare(v, found.mask)).count();
        found.heaps * RARE_SHARE <= sparse.values.len() as u64
            && rare_late * RARE_LATE_SHARE <= late.len()
    };
    let found = RareValues::fewest(&sparse.counts).filter(is_worth);
    found.map_or(0, |found| found.mask)
}

/// Returns the last blocks of the values, by which shifts are chosen.
pub(crate) fn sample_blocks(sparse: &Sparse) -> SampleBlocks<'_> {
    let blocks = (sparse.values.len() / SAMPLE_HEAPS).clamp(2, SAMPLES_MAX);
    let reach = REACH_MAX.max(SAMPLE_MAX);
    SampleBlocks::new(&sparse.values, sparse.counts.len(), reach, blocks)
}

/// Returns the shifts of heaps that are not rare by the mask, or of all without one. The other heap of each pair is the
/// larger for all heaps to come.
pub(crate) fn sample_shifts(sparse: &Sparse) -> Vec<Shift> {
    let mask = sparse.mask();
    let heaps = SAMPLE_MAX.min(sparse.values.len() / 2);
    let mut shifts = Vec::new();
    for (heap, &value) in sparse.values[..heaps].iter().enumerate().skip(1) {
        let offsets = sparse.moves.two.iter().map(|&taken| heap + taken);
        if mask == 0 || !is_rare(value, mask) {
            let fitting = offsets.filter(|offset| (BLOCK..heaps).contains(offset));
            shifts.extend(fitting.map(|offset| (value, offset)));
        }
    }
    shifts
}

/// Returns the number that all but few heaps have values below.
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

/// Returns when enough sample shifts have been tried without a mask.
fn enough(sparse: &Sparse) -> Limits {
    let heaps: u64 = sparse.counts.iter().sum();
    // Two heaps have equal values with probability 1 / `unlike`, about what it is for any nim-sum.
    let equal: u64 = sparse.counts.iter().map(|&count| count * count).sum();
    let unlike = (heaps * heaps).checked_div(equal).unwrap_or(1);
    Limits {
        left: DENSE_LEFT,
        shifts: u32::try_from(DENSE_SHIFTS * unlike).unwrap_or(u32::MAX),
    }
}
