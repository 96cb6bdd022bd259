//! Which heaps of a block reach numbers, a few numbers at a time.
//!
//! What a tap is, is told in [`super::cover`]. Here rows are read where they are, from any byte, and moved by up to 7 bits then.
//! This pays where values are many, so that few taps have the same one and a row is of use to few of the numbers.
//!
//! Invariant: what is seen is so; what is not seen may be so.

use super::union::Union;
#[cfg(target_arch = "x86_64")]
use super::vectors::Vectors;
use super::window::{Bits, Window};

/// How many numbers are treated together: those of a stretch, one bit each of a word.
pub(super) const STRETCH: usize = 64;

/// Taps, grouped by value.
#[derive(Clone, Debug, Default)]
pub(super) struct Taps {
    /// For each value, where its taps begin and end in `packed`.
    groups: Vec<(u32, u32)>,
    /// For an offset `o = 8 q - r` with `r < 8`: `8 q + r`.
    packed: Vec<u32>,
    /// How many bytes of a row are read before the block.
    before: usize,
    /// The values that heaps have, those of the most heaps first.
    rows: Vec<u16>,
}

impl Taps {
    /// Returns the taps of these values and offsets, for values below the length of `counts`, which says
    /// how many heaps have each. A tap may come more than once and counts once.
    pub(super) fn new(mut taps: Vec<(u16, usize)>, counts: &[u64]) -> Taps {
        taps.sort_unstable();
        taps.dedup();
        let mut groups = vec![(0, 0); counts.len()];
        let mut packed = Vec::with_capacity(taps.len());
        for same in taps.chunk_by(|a, b| a.0 == b.0) {
            let from = packed.len() as u32;
            packed.extend(same.iter().map(|&(_, o)| {
                let q = o.div_ceil(8);
                (8 * q + (8 * q - o)) as u32
            }));
            groups[usize::from(same[0].0)] = (from, packed.len() as u32);
        }
        let mut rows: Vec<u16> = (0..counts.len() as u16).collect();
        rows.retain(|&row| counts[usize::from(row)] > 0);
        rows.sort_by_key(|&row| std::cmp::Reverse(counts[usize::from(row)]));
        let before = packed.iter().max().map_or(0, |&packed| packed >> 3) as usize;
        Taps {
            groups,
            packed,
            before,
            rows,
        }
    }

    /// Returns how many heaps before a block are read at most.
    pub(super) fn reach(&self) -> usize {
        8 * self.before
    }

    /// Returns which of the heaps of a block from `start` on, a multiple of 8, are seen to reach each
    /// number of a stretch, for the numbers in `wanted`; for others it returns nothing of use.
    ///
    /// Taps are tried until few of the heaps in `need` are left, or enough taps, as `limits` say: what is
    /// seen is so, what is not seen may be so. Rows of many heaps are tried first, since they show most, and
    /// each for all the numbers, so that it stays in a near cache meanwhile.
    pub(super) fn seen(
        &self,
        window: &Window,
        start: usize,
        stretch: usize,
        wanted: u64,
        need: &Bits,
        limits: Limits,
    ) -> [Bits; STRETCH] {
        let call = Call {
            window,
            start,
            first: (stretch * STRETCH) as u16,
            wanted,
            taps: self,
            need,
            limits,
        };
        dispatch(&call)
    }
}

/// The arguments of the kernel.
struct Call<'a> {
    window: &'a Window,
    start: usize,
    /// The first number of the stretch.
    first: u16,
    wanted: u64,
    taps: &'a Taps,
    need: &'a Bits,
    limits: Limits,
}

/// When the kernel stops with a number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// How many heaps in need may be left.
    pub(super) left: u32,
    /// After how many taps it is enough; those of equal value are not parted.
    pub(super) taps: u32,
}

/// After how many taps the kernel looks how many heaps are left.
const LOOK_EVERY: u32 = 40;

/// Unites rows, with whatever vectors the caller was compiled for.
#[inline(always)]
fn collect<U: Union>(call: &Call<'_>) -> [Bits; STRETCH] {
    let mut all = [Bits::default(); STRETCH];
    let mut tried = [0u32; STRETCH];
    let mut since = [0u32; STRETCH];
    let mut active = call.wanted;
    for &value in &call.taps.rows {
        let row = call.window.row_from(value, call.start, call.taps.before);
        let mut left = active;
        while left != 0 {
            let i = left.trailing_zeros() as usize;
            left &= left - 1;
            let (from, to) = call.taps.groups[usize::from(value ^ (call.first + i as u16))];
            let mut union = U::of(&all[i]);
            for &packed in &call.taps.packed[from as usize..to as usize] {
                let read = row[call.taps.before - (packed >> 3) as usize..].first_chunk();
                let read = read.expect("a row goes on for a block after the heaps that are known");
                union.add_moved(packed & 7, read);
            }
            all[i] = union.bits();
            since[i] += to - from;
            if since[i] >= LOOK_EVERY {
                tried[i] += since[i];
                since[i] = 0;
                let missing = call.need.iter().zip(&all[i]).map(|(need, got)| need & !got);
                let missing: u32 = missing.map(u64::count_ones).sum();
                if missing <= call.limits.left || tried[i] >= call.limits.taps {
                    active &= !(1 << i);
                }
            }
        }
        if active == 0 {
            break;
        }
    }
    all
}

#[cfg(target_arch = "x86_64")]
mod vectors {
    use super::super::union::vectors::{Narrow, Wide};
    use super::{Bits, Call, STRETCH, collect};

    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi2,avx512vpopcntdq")]
    pub(super) fn avx512(call: &Call<'_>) -> [Bits; STRETCH] {
        collect::<Wide>(call)
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn avx2(call: &Call<'_>) -> [Bits; STRETCH] {
        collect::<Narrow>(call)
    }
}

/// Runs the kernel with the widest vectors that the processor has.
fn dispatch(call: &Call<'_>) -> [Bits; STRETCH] {
    #[cfg(target_arch = "x86_64")]
    match Vectors::here() {
        // SAFETY: the processor has these vectors, as `here` has found.
        Vectors::Avx512 => return unsafe { vectors::avx512(call) },
        // SAFETY: the same.
        Vectors::Avx2 => return unsafe { vectors::avx2(call) },
        Vectors::None => {}
    }
    collect::<Bits>(call)
}

#[cfg(test)]
mod tests {
    use super::super::random::Random;
    use super::super::window::{BLOCK, range};
    use super::*;

    /// Whatever the vectors, what is seen is what the taps show heap by heap, also while the window moves on
    /// and where values are taken back.
    #[test]
    fn all_kernels_see_what_each_tap_shows() {
        let mut random = Random(4);
        let rows = 128;
        let mut values: Vec<u16> = (0..1500).map(|_| random.below(rows) as u16).collect();
        let taps: Vec<(u16, usize)> = (0..120)
            .map(|_| (random.below(rows) as u16, BLOCK + random.below(900)))
            .collect();
        let mut window = Window::filled(&values, rows, 2000);
        let all = Taps::new(taps.clone(), &vec![1; rows]);
        // The window moves on in the 20th block or so.
        for step in 0..26 {
            let start = values.len() & !7;
            window.advance(start, 2000);
            for stretch in 0..if step % 19 < 4 { 2 } else { 0 } {
                let slow: Vec<Vec<bool>> = (0..STRETCH)
                    .map(|i| {
                        let number = (stretch * STRETCH + i) as u16;
                        let shows = |n: usize, &(value, offset): &(u16, usize)| {
                            n > offset && values[n - offset] ^ value == number
                        };
                        (start..start + BLOCK)
                            .map(|n| taps.iter().any(|tap| shows(n, tap)))
                            .collect()
                    })
                    .collect();
                let check = |seen: [Bits; STRETCH]| {
                    for (seen, slow) in seen.iter().zip(&slow) {
                        let bit = |i: usize| seen[i / 64] >> (i % 64) & 1 == 1;
                        assert!((0..BLOCK).all(|i| bit(i) == slow[i]));
                    }
                };
                {
                    let call = Call {
                        window: &window,
                        start,
                        first: (stretch * STRETCH) as u16,
                        wanted: u64::MAX,
                        taps: &all,
                        need: &range(0, BLOCK),
                        limits: Limits {
                            left: 0,
                            taps: u32::MAX,
                        },
                    };
                    check(collect::<Bits>(&call));
                    check(dispatch(&call));
                    #[cfg(target_arch = "x86_64")]
                    if Vectors::here() != Vectors::None {
                        // SAFETY: processors with AVX-512 have AVX2.
                        check(unsafe { vectors::avx2(&call) });
                    }
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
    fn a_kernel_stops_early_only_with_what_it_was_told() {
        let mut random = Random(9);
        let values: Vec<u16> = (0..3000).map(|_| random.below(64) as u16).collect();
        let taps = (0..1200).map(|_| (random.below(64) as u16, BLOCK + random.below(900)));
        let all = Taps::new(taps.collect(), &[1; 64]);
        let window = Window::filled(&values, 64, 2000);
        let need = range(0, 300);
        let missed = |left, taps| {
            let limits = Limits { left, taps };
            let seen = all.seen(&window, 2992, 0, u64::MAX, &need, limits);
            let missed = |seen: &Bits| -> u32 {
                let words = seen.iter().zip(need);
                words.map(|(seen, need)| (need & !seen).count_ones()).sum()
            };
            seen.iter().map(missed).max()
        };
        assert_eq!(missed(0, u32::MAX), Some(0));
        assert!(missed(299, u32::MAX) > Some(0));
        assert!(missed(0, 1) > Some(0));
    }
}
