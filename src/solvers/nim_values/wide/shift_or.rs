//! The heaps of a block that reach numbers, for 1016 heaps at a time: unions of shifted rows of
//! bits.
//!
//! # Formula
//!
//! The heaps of a block that reach `number` by some [`Shift`](super::super::space::Shift)s are the
//! union, over these, of row `number xor g` shifted by `o`. Numbers and values are given by their
//! [labels](super::super::space). The shifts of a [`SetCover`] are tried,
//! row after row for all numbers. A row is first copied eight times, each copy shifted by one bit
//! more, so each shift is a read from some byte of one of the copies.
//!
//! # Cost
//!
//! O(1) vectors for each shift, and eight copies for each row. PERF: shifting rows at every read
//! takes a quarter more time for ten million values of 0.37.
//!
//! Invariant: a heap that is seen to reach a number reaches it; others may reach it, too.
//!
//! Source: R. Baeza-Yates and G. Gonnet, *A new approach to text searching*, 1992, for the name and
//! the idea of a shift and an OR for many positions at once.

use super::set_cover::{BUNDLE_MAX, Bundle, SetCover};
use super::union::{READ, copy_moved, or};
use super::window::{Bits, Window};
use crate::heaps::vectors::with_widest_vectors;

/// The shifts of a set cover, by row.
#[derive(Clone, Debug)]
pub(crate) struct ShiftOr {
    /// Each used row, and the end of its runs.
    rows: Vec<(u16, usize)>,
    runs: Vec<Run>,
    /// The number that each bundle tries.
    numbers: Vec<u16>,
    /// For each shift, the byte of the copies at which a block begins.
    shifts: Vec<u32>,
    /// The number of bytes of a row that are read before the block.
    before: usize,
    /// The copies of a row: the first starts one bit after its beginning, each further one a bit
    /// later.
    copies: Vec<u8>,
}

/// Bundles of equal length.
///
/// PERF: the kernel is compiled for each length, so the ends of bundles need no branch prediction.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// The number of shifts in each bundle.
    length: usize,
    bundles: usize,
}

/// For each label from 0 on, the heaps of a block that matter and those seen to reach its
/// number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Queries {
    /// The heaps that matter.
    need: Vec<Bits>,
    /// The heaps that are seen to reach the number.
    seen: Vec<Aligned>,
}

/// Bits on their own cache line.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Aligned(Bits);

impl Queries {
    /// Removes all heaps, and resizes the queries for numbers below `rows`.
    pub(crate) fn clear(&mut self, rows: usize) {
        self.need.clear();
        self.need.resize(rows, Bits::default());
        self.seen.clear();
        self.seen.resize(rows, Aligned::default());
    }

    /// Adds heaps that matter for a number.
    pub(crate) fn query(&mut self, number: u16, need: &Bits) {
        let all = &mut self.need[usize::from(number)];
        *all = std::array::from_fn(|i| all[i] | need[i]);
    }

    /// Returns the heaps that matter for a number.
    pub(crate) fn need(&self, number: u16) -> &Bits {
        &self.need[usize::from(number)]
    }

    /// Returns the heaps that are seen to reach a number.
    pub(crate) fn seen(&self, number: u16) -> &Bits {
        &self.seen[usize::from(number)].0
    }
}

impl ShiftOr {
    /// Prepares the shifts of a set cover.
    pub(crate) fn new(cover: &SetCover) -> ShiftOr {
        let mut bundles = cover.bundles.clone();
        let length = |bundle: &Bundle| bundle.offsets().len();
        bundles.sort_by_key(|bundle| (bundle.row, length(bundle), bundle.from, bundle.number));
        let offsets = bundles
            .iter()
            .flat_map(|bundle| &cover.offsets[bundle.offsets()]);
        let before = offsets.max().map_or(0, |offset| offset / 8 + 1);
        // Copies are written word by word.
        let span = (before as usize + READ).next_multiple_of(8);
        let mut shift_or = ShiftOr {
            rows: Vec::new(),
            runs: Vec::new(),
            numbers: bundles.iter().map(|bundle| bundle.number).collect(),
            shifts: Vec::new(),
            before: before as usize,
            copies: vec![0; 8 * span],
        };
        for same in bundles.chunk_by(|a, b| a.row == b.row) {
            for alike in same.chunk_by(|a, b| length(a) == length(b)) {
                let offsets = alike
                    .iter()
                    .flat_map(|bundle| &cover.offsets[bundle.offsets()]);
                shift_or.shifts.extend(offsets.map(|&offset| {
                    let bytes = offset / 8 + 1;
                    (8 * bytes - offset - 1) * span as u32 + before - bytes
                }));
                shift_or.runs.push(Run {
                    length: length(&alike[0]),
                    bundles: alike.len(),
                });
            }
            shift_or.rows.push((same[0].row, shift_or.runs.len()));
        }
        shift_or
    }

    /// Returns the number of heaps before a block that are read at most.
    pub(crate) fn reach(&self) -> usize {
        8 * self.before
    }
}

with_widest_vectors! {
    /// Finds the heaps of the block from `start` on, a multiple of 8, that reach the queried
    /// numbers.
    ///
    /// The window must hold the [`reach`](ShiftOr::reach) before the block.
    pub(crate) fn see(
        shift_or: &mut ShiftOr,
        window: &Window,
        start: usize,
        queries: &mut Queries,
    ) = kernel;
}

/// Unites rows, one after another.
#[inline(always)]
fn kernel(shift_or: &mut ShiftOr, window: &Window, start: usize, queries: &mut Queries) {
    let mut from = 0;
    let (mut numbers, mut shifts) = (&shift_or.numbers[..], &shift_or.shifts[..]);
    for &(row, to) in &shift_or.rows {
        let read = window.row_from(row, start, shift_or.before);
        copy_moved(read, &mut shift_or.copies);
        for run in &shift_or.runs[from..to] {
            let (numbers_of_run, rest) = numbers.split_at(run.bundles);
            numbers = rest;
            let (shifts_of_run, rest) = shifts.split_at(run.bundles * run.length);
            shifts = rest;
            unite(
                run.length,
                numbers_of_run,
                shifts_of_run,
                &shift_or.copies,
                &mut queries.seen,
            );
        }
        from = to;
    }
}

/// Tries bundles of equal length.
#[inline(always)]
fn unite(length: usize, numbers: &[u16], shifts: &[u32], copies: &[u8], seen: &mut [Aligned]) {
    macro_rules! of_length {
        ($($length:literal)*) => {
            match length {
                $($length => unite_of::<$length>(numbers, shifts, copies, seen),)*
                _ => unreachable!("a bundle has at most BUNDLE_MAX shifts"),
            }
        };
    }
    const { assert!(BUNDLE_MAX == 16) }
    of_length!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16)
}

/// Tries bundles of `LENGTH` shifts each.
#[inline(always)]
fn unite_of<const LENGTH: usize>(
    numbers: &[u16],
    shifts: &[u32],
    copies: &[u8],
    seen: &mut [Aligned],
) {
    for (&number, shifts) in numbers.iter().zip(shifts.as_chunks::<LENGTH>().0) {
        let mut union = seen[usize::from(number)].0;
        for &shift in shifts {
            let read: Option<&[u8; READ]> = copies[shift as usize..].first_chunk();
            or(
                &mut union,
                read.expect("a copy extends a block beyond every shift"),
            );
        }
        seen[usize::from(number)].0 = union;
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::space::Space;
    use super::super::set_cover::Bundle;
    use super::super::window::{BLOCK, range};
    use super::*;
    use crate::heaps::vectors::Vectors;

    /// A set cover that tries some shifts for some numbers.
    fn set_cover(random: &mut fastrand::Rng, shifts: &[(u16, usize)], numbers: &[u16]) -> SetCover {
        let mut cover = SetCover::default();
        for same in shifts.chunk_by(|a, b| a.0 == b.0) {
            let from = cover.offsets.len() as u32;
            cover
                .offsets
                .extend(same.iter().map(|shift| shift.1 as u32));
            let to = cover.offsets.len() as u32;
            for &number in numbers {
                if random.usize(..4) == 0 {
                    continue;
                }
                let from = from + random.usize(..same.len()) as u32;
                cover.bundles.push(Bundle {
                    number,
                    row: number ^ same[0].0,
                    from,
                    to: to.min(from + 1 + random.usize(..16) as u32),
                });
            }
        }
        cover
    }

    /// Every kind of vector sees the values that the shifts of the cover show heap by heap, even
    /// when the window advances and values are withdrawn.
    #[test]
    fn all_vectors_see_what_each_shift_shows() {
        let mut random = fastrand::Rng::with_seed(4);
        let rows = 128;
        let mut values: Vec<u16> = (0..1500).map(|_| random.usize(..rows) as u16).collect();
        // Some values have many shifts and some have none.
        let mut shifts: Vec<(u16, usize)> = (0..120)
            .map(|_| {
                let value = random.usize(..rows) & random.usize(..rows);
                (value as u16, BLOCK + random.usize(..900))
            })
            .collect();
        shifts.sort_unstable();
        let numbers: Vec<u16> = (0..rows as u16).filter(|number| number % 5 > 0).collect();
        let cover = set_cover(&mut random, &shifts, &numbers);
        let mut window = Window::filled(Space::default(), &values, rows, 2000);
        let mut shift_or = ShiftOr::new(&cover);
        assert!((BLOCK..=2000).contains(&shift_or.reach()));
        for step in 0..26 {
            let start = values.len() & !7;
            window.advance(start, 2000);
            if step % 19 < 4 {
                let mut slow = vec![[false; BLOCK]; rows];
                for bundle in &cover.bundles {
                    for &offset in &cover.offsets[bundle.offsets()] {
                        for (i, slow) in slow[usize::from(bundle.number)].iter_mut().enumerate() {
                            let beside = (start + i).checked_sub(offset as usize);
                            *slow |= beside.is_some_and(|n| n > 0 && values[n] == bundle.row);
                        }
                    }
                }
                Vectors::each(|| {
                    let mut queries = Queries::default();
                    queries.clear(rows);
                    numbers
                        .iter()
                        .for_each(|&number| queries.query(number, &range(0, BLOCK)));
                    see(&mut shift_or, &window, start, &mut queries);
                    for &number in &numbers {
                        let bit = |i: usize| queries.seen(number)[i / 64] >> (i % 64) & 1 == 1;
                        let slow = &slow[usize::from(number)];
                        assert!((0..BLOCK).all(|i| bit(i) == slow[i]));
                    }
                });
            }
            for n in values.len()..start + BLOCK - random.usize(..300) {
                let value = random.usize(..rows) as u16;
                window.set(n, value);
                if random.usize(..4) == 0 {
                    window.clear(n, value);
                    window.set(n, value ^ 1);
                    values.push(value ^ 1);
                } else {
                    values.push(value);
                }
            }
        }
    }

    #[test]
    fn without_a_cover_nothing_is_seen() {
        let values = [1; 3000];
        let window = Window::filled(Space::default(), &values, 2, 2000);
        let mut shift_or = ShiftOr::new(&SetCover::default());
        assert_eq!(shift_or.reach(), 0);
        let mut queries = Queries::default();
        queries.clear(2);
        queries.query(1, &range(0, BLOCK));
        see(&mut shift_or, &window, 2000, &mut queries);
        assert_eq!(queries.seen(1), &Bits::default());
    }
}
