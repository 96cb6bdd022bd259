//! Which heaps of a block reach numbers, for 1016 heaps at a time.
//!
//! The heaps that have a value `v` are the ones in a row of bits, of a [`Window`]. A heap of `i` tokens
//! and value `g` beside which `n - o` tokens are left makes the option `g ^ v` for all `n` for which
//! the bit `n - o` of row `v` is 1. Such a pair of a value `g` and an offset `o` is called a tap. So the
//! heaps of a block that reach `number` by some taps are the union, over the taps, of row `number ^ g`
//! moved by `o`.
//!
//! Which taps are worth it for which number is chosen beforehand, see [`super::plan`]. Each row is taken once for all
//! numbers. It is copied eight times, each moved by one bit more, so that a tap then costs no more than to read from a
//! byte of one of the copies.
//!
//! Invariant: what is seen is so; what is not seen may be so.

use super::plan::{BUNDLE_MAX, Bundle, Plan};
use super::union::{Line, READ, Union};
#[cfg(target_arch = "x86_64")]
use super::vectors::Vectors;
use super::window::{Bits, Window};

/// Taps, ready to go through rows.
#[derive(Clone, Debug)]
pub(super) struct Cover {
    /// The rows that are gone through: which, and where its runs end.
    rows: Vec<(u16, usize)>,
    runs: Vec<Run>,
    /// The number of each bundle.
    numbers: Vec<u16>,
    /// For each tap the byte of the copies at which a block begins.
    taps: Vec<u32>,
    /// How many bytes of a row are read before the block.
    before: usize,
    /// How many bytes a copy has.
    span: usize,
    /// The copies of a row: copy `r` begins `r` bits after the first.
    copies: Vec<Line>,
}

/// Bundles of as many taps each.
///
/// PERF: what tries them is compiled for each length, so that the processor need not guess where bundles end.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// How many taps a bundle has.
    length: usize,
    bundles: usize,
}

/// What is asked of numbers, and what has been seen, each by number from 0 on.
#[derive(Clone, Debug, Default)]
pub(super) struct Asked {
    /// The heaps of the block of which it is asked.
    need: Vec<Bits>,
    /// The heaps that are seen to reach the number.
    seen: Vec<Aligned>,
}

/// Bits in a line of the cache of their own.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct Aligned(Bits);

impl Asked {
    /// Asks nothing of numbers below `rows`.
    pub(super) fn clear(&mut self, rows: usize) {
        self.need.resize(rows, Bits::default());
        self.seen.resize(rows, Aligned::default());
    }

    /// Asks which of the heaps in need reach a number; nothing has been seen of it.
    pub(super) fn ask(&mut self, number: u16, need: Bits) {
        let number = usize::from(number);
        self.need[number] = need;
        self.seen[number].0 = Bits::default();
    }

    /// Returns the heaps in need when it was last asked of a number.
    pub(super) fn need(&self, number: u16) -> &Bits {
        &self.need[usize::from(number)]
    }

    /// Returns the heaps that are seen to reach a number of which it was asked.
    pub(super) fn seen(&self, number: u16) -> &Bits {
        &self.seen[usize::from(number)].0
    }
}

impl Cover {
    /// Returns what tries the taps of a plan.
    pub(super) fn new(plan: &Plan) -> Cover {
        let mut bundles = plan.bundles.clone();
        let length = |bundle: &Bundle| bundle.offsets().len();
        bundles.sort_by_key(|bundle| (bundle.row, length(bundle), bundle.from, bundle.number));
        let offsets = bundles
            .iter()
            .flat_map(|bundle| &plan.offsets[bundle.offsets()]);
        let before = offsets.max().map_or(0, |offset| offset.div_ceil(8));
        // Copies are made of 64 bytes at a time.
        let span = (before as usize + READ).next_multiple_of(64);
        let mut cover = Cover {
            rows: Vec::new(),
            runs: Vec::new(),
            numbers: bundles.iter().map(|bundle| bundle.number).collect(),
            taps: Vec::new(),
            before: before as usize,
            span,
            copies: vec![Line([0; 64]); 8 * span / 64],
        };
        for same in bundles.chunk_by(|a, b| a.row == b.row) {
            for alike in same.chunk_by(|a, b| length(a) == length(b)) {
                let offsets = alike
                    .iter()
                    .flat_map(|bundle| &plan.offsets[bundle.offsets()]);
                cover.taps.extend(offsets.map(|&offset| {
                    let bytes = offset.div_ceil(8);
                    (8 * bytes - offset) * span as u32 + before - bytes
                }));
                cover.runs.push(Run {
                    length: length(&alike[0]),
                    bundles: alike.len(),
                });
            }
            cover.rows.push((same[0].row, cover.runs.len()));
        }
        cover
    }

    /// Returns how many heaps before a block are read at most.
    pub(super) fn reach(&self) -> usize {
        8 * self.before
    }

    /// Finds which heaps of the block from `start` on, a multiple of 8, reach the numbers of which it is asked.
    ///
    /// The window must hold the [`reach`](Self::reach) before the block. Costs O(1) vectors for each tap of the plan.
    pub(super) fn see(&mut self, window: &Window, start: usize, asked: &mut Asked) {
        #[cfg(target_arch = "x86_64")]
        match Vectors::here() {
            // SAFETY: the processor has these vectors, as `here` has found.
            Vectors::Avx512 => return unsafe { vectors::avx512(self, window, start, asked) },
            // SAFETY: the same.
            Vectors::Avx2 => return unsafe { vectors::avx2(self, window, start, asked) },
            Vectors::None => {}
        }
        see::<Bits>(self, window, start, asked);
    }
}

/// Goes through rows, with whatever vectors the caller was compiled for.
#[inline(always)]
fn see<U: Union>(cover: &mut Cover, window: &Window, start: usize, asked: &mut Asked) {
    let mut from = 0;
    let (mut numbers, mut taps) = (&cover.numbers[..], &cover.taps[..]);
    for &(row, to) in &cover.rows {
        let read = window.row_from(row, start, cover.before);
        copy::<U>(read, cover.span, &mut cover.copies);
        for run in &cover.runs[from..to] {
            let (numbers_of_run, rest) = numbers.split_at(run.bundles);
            numbers = rest;
            let (taps_of_run, rest) = taps.split_at(run.bundles * run.length);
            taps = rest;
            unite::<U>(
                run.length,
                numbers_of_run,
                taps_of_run,
                &cover.copies,
                &mut asked.seen,
            );
        }
        from = to;
    }
}

/// Tries bundles of as many taps each.
#[inline(always)]
fn unite<U: Union>(
    length: usize,
    numbers: &[u16],
    taps: &[u32],
    copies: &[Line],
    seen: &mut [Aligned],
) {
    macro_rules! of_length {
        ($($length:literal)*) => {
            match length {
                $($length => unite_of::<U, $length>(numbers, taps, copies, seen),)*
                _ => unreachable!("a bundle has at most so many taps"),
            }
        };
    }
    const { assert!(BUNDLE_MAX == 16) }
    of_length!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16)
}

/// Tries bundles of `LENGTH` taps each.
#[inline(always)]
fn unite_of<U: Union, const LENGTH: usize>(
    numbers: &[u16],
    taps: &[u32],
    copies: &[Line],
    seen: &mut [Aligned],
) {
    for (&number, taps) in numbers.iter().zip(taps.as_chunks::<LENGTH>().0) {
        let seen = &mut seen[usize::from(number)].0;
        let mut union = U::of(seen);
        for &tap in taps {
            // SAFETY: `Cover::new` made the copies so long that this many bytes are there from every tap on.
            let read = unsafe { &*copies.as_ptr().byte_add(tap as usize).cast() };
            union.add(read);
        }
        *seen = union.bits();
    }
}

/// Makes the copies of a row, of which there are eight bytes more than a copy has.
#[inline(always)]
fn copy<U: Union>(row: &[u8], span: usize, copies: &mut [Line]) {
    let mut chunks = copies.chunks_exact_mut(span / 64);
    let mut copies: [&mut [Line]; 8] =
        std::array::from_fn(|_| chunks.next().expect("there are eight copies"));
    for line in 0..span / 64 {
        let read = row[64 * line..].first_chunk();
        let read = read.expect("eight bytes more than a copy");
        U::copy(read, copies.each_mut().map(|copy| &mut copy[line]));
    }
}

#[cfg(target_arch = "x86_64")]
mod vectors {
    use super::super::union::vectors::{Narrow, Wide};
    use super::{Asked, Cover, Window, see};

    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi2,avx512vpopcntdq")]
    pub(super) fn avx512(cover: &mut Cover, window: &Window, start: usize, asked: &mut Asked) {
        see::<Wide>(cover, window, start, asked);
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn avx2(cover: &mut Cover, window: &Window, start: usize, asked: &mut Asked) {
        see::<Narrow>(cover, window, start, asked);
    }
}

#[cfg(test)]
mod tests {
    use super::super::plan::Bundle;
    use super::super::random::Random;
    use super::super::window::{BLOCK, range};
    use super::*;

    /// A plan that tries some taps for some numbers.
    fn plan(random: &mut Random, taps: &[(u16, usize)], numbers: &[u16]) -> Plan {
        let mut plan = Plan::default();
        for same in taps.chunk_by(|a, b| a.0 == b.0) {
            let from = plan.offsets.len() as u32;
            plan.offsets.extend(same.iter().map(|tap| tap.1 as u32));
            let to = plan.offsets.len() as u32;
            for &number in numbers {
                if random.below(4) == 0 {
                    continue;
                }
                let from = from + random.below(same.len()) as u32;
                plan.bundles.push(Bundle {
                    number,
                    row: number ^ same[0].0,
                    from,
                    to: to.min(from + 1 + random.below(16) as u32),
                });
            }
        }
        plan
    }

    type See<'a> = &'a dyn Fn(&mut Cover, &mut Asked);

    /// Whatever the vectors, what is seen is what the taps of the plan show heap by heap, also while the window moves on
    /// and where values are taken back.
    #[test]
    fn all_kernels_see_what_each_tap_shows() {
        let mut random = Random(4);
        let rows = 128;
        let mut values: Vec<u16> = (0..1500).map(|_| random.below(rows) as u16).collect();
        // Values of which some have many taps and some have none.
        let mut taps: Vec<(u16, usize)> = (0..120)
            .map(|_| {
                let value = random.below(rows) & random.below(rows);
                (value as u16, BLOCK + random.below(900))
            })
            .collect();
        taps.sort_unstable();
        let numbers: Vec<u16> = (0..rows as u16).filter(|number| number % 5 > 0).collect();
        let plan = plan(&mut random, &taps, &numbers);
        let mut window = Window::filled(&values, rows, 2000);
        let mut cover = Cover::new(&plan);
        assert!((BLOCK..=2000).contains(&cover.reach()));
        for step in 0..26 {
            let start = values.len() & !7;
            window.advance(start, 2000);
            if step % 19 < 4 {
                let mut slow = vec![[false; BLOCK]; rows];
                for bundle in &plan.bundles {
                    for &offset in &plan.offsets[bundle.offsets()] {
                        for (i, slow) in slow[usize::from(bundle.number)].iter_mut().enumerate() {
                            let beside = (start + i).checked_sub(offset as usize);
                            *slow |= beside.is_some_and(|n| n > 0 && values[n] == bundle.row);
                        }
                    }
                }
                let mut check = |see: See<'_>| {
                    let mut asked = Asked::default();
                    asked.clear(rows);
                    numbers
                        .iter()
                        .for_each(|&number| asked.ask(number, range(0, BLOCK)));
                    see(&mut cover, &mut asked);
                    for &number in &numbers {
                        let bit = |i: usize| asked.seen(number)[i / 64] >> (i % 64) & 1 == 1;
                        let slow = &slow[usize::from(number)];
                        assert!((0..BLOCK).all(|i| bit(i) == slow[i]));
                    }
                };
                check(&|cover, asked| see::<Bits>(cover, &window, start, asked));
                check(&|cover, asked| cover.see(&window, start, asked));
                #[cfg(target_arch = "x86_64")]
                if Vectors::here() != Vectors::None {
                    check(&|cover, asked| {
                        // SAFETY: processors with AVX-512 have AVX2.
                        unsafe { vectors::avx2(cover, &window, start, asked) }
                    });
                }
            }
            for n in values.len()..start + BLOCK - random.below(300) {
                let value = random.below(rows) as u16;
                window.set(n, value);
                if random.below(4) == 0 {
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
    fn without_a_plan_nothing_is_seen() {
        let values = [1; 3000];
        let window = Window::filled(&values, 2, 2000);
        let mut cover = Cover::new(&Plan::default());
        assert_eq!(cover.reach(), 0);
        let mut asked = Asked::default();
        asked.clear(2);
        asked.ask(1, range(0, BLOCK));
        cover.see(&window, 2000, &mut asked);
        assert_eq!(asked.seen(1), &Bits::default());
    }
}
