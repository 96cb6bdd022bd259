//! Which heaps of a block reach numbers, for 1016 heaps at a time.
//!
//! The heaps that have a value `v` are the ones in a row of bits, of a [`Window`]. A heap of `i` tokens
//! and value `g` beside which `n - o` tokens are left makes the option `g ^ v` for all `n` for which
//! the bit `n - o` of row `v` is 1. Such a pair of a value `g` and an offset `o` is called a tap. So the
//! heaps of a block that reach `number` by some taps are the union, over the taps, of row `number ^ g`
//! moved by `o`.
//!
//! Each row is taken once for all numbers. It is copied eight times, each moved by one bit more, so that a tap then
//! costs no more than to read from a byte of one of the copies. Rows of many heaps come first, since they
//! show most, and the last ones may be left out.
//!
//! Invariant: what is seen is so; what is not seen may be so.

use super::union::{READ, Union};
#[cfg(target_arch = "x86_64")]
use super::vectors::Vectors;
use super::window::{Bits, Window};

/// Taps of equal value are tried in fours, the last of them more than once where they do not come out even: that the
/// processor guesses how many there are is worth more.
const UNROLLED: usize = 4;

/// Taps, ready to go through rows.
#[derive(Clone, Debug)]
pub(super) struct Cover {
    /// The values of the rows that are gone through, those of the most heaps first.
    rows: Vec<u16>,
    /// Taps of equal value, the most first.
    groups: Vec<Group>,
    /// For each tap the byte of the copies at which a block begins.
    taps: Vec<u32>,
    limits: Limits,
    /// How many bytes of a row are read before the block.
    before: usize,
    /// How many bytes a copy has.
    span: usize,
    /// The copies of a row: copy `r` begins `r` bits after the first.
    copies: Vec<u8>,
}

/// Taps of equal value: where they begin and end.
#[derive(Clone, Copy, Debug, Default)]
struct Group {
    value: u16,
    from: u32,
    to: u32,
}

/// When it is enough.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// A number is done with when so many of the heaps in need, or fewer, are left.
    pub(super) left: u32,
    /// Rows that have this share of the heaps, in millionths, are gone through.
    pub(super) share: u64,
    /// Of taps of equal value so many are used, those with the smallest offsets.
    pub(super) equal: usize,
    /// After how many rows there is a look at how many heaps are left.
    pub(super) look: usize,
}

/// What is asked of numbers, and what has been seen, each by number from 0 on.
#[derive(Clone, Debug, Default)]
pub(super) struct Asked {
    /// Which numbers are to be looked at.
    wanted: Vec<bool>,
    /// The heaps of the block of which it is asked.
    need: Vec<Bits>,
    /// The heaps that are seen to reach the number.
    seen: Vec<Bits>,
}

impl Asked {
    /// Asks nothing of numbers below `rows`.
    pub(super) fn clear(&mut self, rows: usize) {
        self.wanted.clear();
        self.wanted.resize(rows, false);
        self.need.resize(rows, Bits::default());
        self.seen.resize(rows, Bits::default());
    }

    /// Asks which of the heaps in need reach a number; nothing has been seen of it.
    pub(super) fn ask(&mut self, number: u16, need: Bits) {
        let number = usize::from(number);
        self.wanted[number] = true;
        self.need[number] = need;
        self.seen[number] = Bits::default();
    }

    /// Returns the heaps in need when it was last asked of a number.
    pub(super) fn need(&self, number: u16) -> &Bits {
        &self.need[usize::from(number)]
    }

    /// Returns the heaps that are seen to reach a number of which it was asked.
    pub(super) fn seen(&self, number: u16) -> &Bits {
        &self.seen[usize::from(number)]
    }
}

impl Cover {
    /// Returns taps of these values and offsets, the latter from [`BLOCK`](super::window::BLOCK) on, for rows of
    /// which `counts` says how many heaps they have. A tap may come more than once and counts once.
    pub(super) fn new(
        mut taps: Vec<(u16, usize)>,
        counts: &[u64],
        is_row: impl Fn(u16) -> bool,
        limits: Limits,
    ) -> Cover {
        taps.sort_unstable();
        taps.dedup();
        let groups = taps.chunk_by(|a, b| a.0 == b.0);
        let groups = groups.map(|same| &same[..same.len().min(limits.equal)]);
        let groups: Vec<&[(u16, usize)]> = groups.collect();
        let reach = groups.iter().map(|same| same[same.len() - 1].1).max();
        let before = reach.unwrap_or(0).div_ceil(8);
        // Copies are made of 64 bytes at a time.
        let span = (before + READ).next_multiple_of(64);
        let mut cover = Cover {
            rows: rows(counts, is_row, limits.share),
            groups: Vec::with_capacity(groups.len()),
            taps: Vec::with_capacity(taps.len()),
            limits,
            before,
            span,
            copies: vec![0; 8 * span],
        };
        for same in groups {
            let from = cover.taps.len() as u32;
            cover.taps.extend(same.iter().map(|&(_, offset)| {
                let bytes = offset.div_ceil(8);
                ((8 * bytes - offset) * span + before - bytes) as u32
            }));
            while !(cover.taps.len() - from as usize).is_multiple_of(UNROLLED) {
                cover.taps.extend_from_within(cover.taps.len() - 1..);
            }
            cover.groups.push(Group {
                value: same[0].0,
                from,
                to: cover.taps.len() as u32,
            });
        }
        // Groups of like length follow each other, so that the processor guesses right where each ends.
        let length = |group: &Group| std::cmp::Reverse(group.to - group.from);
        cover.groups.sort_by_key(length);
        cover
    }

    /// Returns how many heaps before a block are read at most.
    pub(super) fn reach(&self) -> usize {
        8 * self.before
    }

    /// Finds which heaps of the block from `start` on, a multiple of 8, reach the numbers of which it is asked, until
    /// a limit is reached. After that it is no longer asked of any.
    ///
    /// The window must hold the [`reach`](Self::reach) before the block. Costs O(taps) vectors for each row.
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

/// Returns the values that have rows of many heaps, in descending order of these, which have a share of all heaps.
fn rows(counts: &[u64], is_row: impl Fn(u16) -> bool, share: u64) -> Vec<u16> {
    let mut rows: Vec<u16> = (0..counts.len() as u16)
        .filter(|&row| is_row(row))
        .collect();
    rows.retain(|&row| counts[usize::from(row)] > 0);
    rows.sort_by_key(|&row| std::cmp::Reverse(counts[usize::from(row)]));
    let heaps: u64 = rows.iter().map(|&row| counts[usize::from(row)]).sum();
    let wanted = u128::from(heaps) * u128::from(share) / 1_000_000;
    let mut taken = 0;
    rows.retain(|&row| {
        let go_on = taken < wanted;
        taken += u128::from(counts[usize::from(row)]);
        go_on
    });
    rows
}

/// Goes through rows, with whatever vectors the caller was compiled for.
#[inline(always)]
fn see<U: Union>(cover: &mut Cover, window: &Window, start: usize, asked: &mut Asked) {
    let limits = cover.limits;
    let Asked { wanted, need, seen } = asked;
    for (at, &row) in cover.rows.iter().enumerate() {
        let read = window.row_from(row, start, cover.before);
        copy(read, cover.span, &mut cover.copies);
        for group in &cover.groups {
            let number = usize::from(row ^ group.value);
            if !wanted.get(number).is_some_and(|&wanted| wanted) {
                continue;
            }
            let mut union = U::of(&seen[number]);
            let taps = &cover.taps[group.from as usize..group.to as usize];
            for taps in taps.as_chunks::<UNROLLED>().0 {
                for &tap in taps {
                    // SAFETY: `Cover::new` made the copies so long that this many bytes are there from every tap on.
                    let read = unsafe { &*cover.copies.as_ptr().add(tap as usize).cast() };
                    union.add(read);
                }
            }
            seen[number] = union.bits();
        }
        if (at + 1).is_multiple_of(limits.look) {
            let mut any = false;
            let open = wanted.iter_mut().enumerate().filter(|(_, wanted)| **wanted);
            for (number, wanted) in open {
                let missing = need[number].iter().zip(&seen[number]);
                let missing = missing.map(|(need, seen)| (need & !seen).count_ones());
                *wanted = missing.sum::<u32>() > limits.left;
                any |= *wanted;
            }
            if !any {
                break;
            }
        }
    }
    wanted.fill(false);
}

/// Makes the copies of a row of `span` bytes and eight more.
#[inline(always)]
fn copy(row: &[u8], span: usize, copies: &mut [u8]) {
    let mut chunks = copies.chunks_exact_mut(span);
    let mut copies: [&mut [u8]; 8] =
        std::array::from_fn(|_| chunks.next().expect("there are eight copies"));
    for at in (0..span).step_by(64) {
        let read: &[u8; 72] = row[at..]
            .first_chunk()
            .expect("eight bytes more than a copy");
        let words = |from: usize| -> [u64; 8] {
            let words = read[from..from + 64].as_chunks::<8>().0;
            std::array::from_fn(|i| u64::from_le_bytes(words[i]))
        };
        let (low, high) = (words(0), words(8));
        for (moved, copy) in copies.iter_mut().enumerate() {
            let to = copy[at..at + 64].as_chunks_mut::<8>().0;
            for i in 0..8 {
                // In two steps, since a word cannot be moved by 64 bits.
                to[i] = (low[i] >> moved | high[i] << 1 << (63 - moved)).to_le_bytes();
            }
        }
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
    use super::super::window::{BLOCK, range};
    use super::*;

    struct Random(u64);

    impl Random {
        fn below(&mut self, below: usize) -> usize {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1);
            (self.0 >> 33) as usize % below
        }
    }

    const ALL: Limits = Limits {
        left: 0,
        share: 1_000_000,
        equal: usize::MAX,
        look: 1,
    };

    type See<'a> = &'a dyn Fn(&mut Cover, &mut Asked);

    /// Whatever the vectors, what is seen is what the taps show heap by heap, also while the window moves on
    /// and where values are taken back.
    #[test]
    fn all_kernels_see_what_each_tap_shows() {
        let mut random = Random(4);
        let rows = 128;
        let mut values: Vec<u16> = (0..1500).map(|_| random.below(rows) as u16).collect();
        // Values of which some have many taps and some have none.
        let taps: Vec<(u16, usize)> = (0..120)
            .map(|_| {
                let value = random.below(rows) & random.below(rows);
                (value as u16, BLOCK + random.below(900))
            })
            .collect();
        let mut window = Window::filled(&values, rows, 2000);
        let mut cover = Cover::new(taps.clone(), &vec![1; rows], |_| true, ALL);
        assert!((BLOCK..=2000).contains(&cover.reach()));
        for step in 0..26 {
            let start = values.len() & !7;
            window.advance(start, 2000);
            if step % 19 < 4 {
                let slow = |number: usize| -> Vec<bool> {
                    let shows = |n: usize, &(value, offset): &(u16, usize)| {
                        n > offset && usize::from(values[n - offset] ^ value) == number
                    };
                    let block = start..start + BLOCK;
                    block
                        .map(|n| taps.iter().any(|tap| shows(n, tap)))
                        .collect()
                };
                let slow: Vec<Vec<bool>> = (0..rows).map(slow).collect();
                let mut check = |see: See<'_>| {
                    let mut asked = Asked::default();
                    asked.clear(rows);
                    let numbers = (0..rows as u16).filter(|number| number % 5 > 0);
                    numbers.for_each(|number| asked.ask(number, range(0, BLOCK)));
                    see(&mut cover, &mut asked);
                    for (number, slow) in (0..).zip(&slow) {
                        let bit = |i: usize| asked.seen(number)[i / 64] >> (i % 64) & 1 == 1;
                        assert!((0..BLOCK).all(|i| bit(i) == (number % 5 > 0 && slow[i])));
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
    fn a_kernel_stops_early_only_with_what_it_was_told() {
        let mut random = Random(9);
        let values: Vec<u16> = (0..3000).map(|_| random.below(64) as u16).collect();
        let taps = (0..1200).map(|_| (random.below(64) as u16, BLOCK + random.below(900)));
        let taps: Vec<_> = taps.collect();
        let window = Window::filled(&values, 64, 2000);
        let missed = |limits: Limits| {
            let mut cover = Cover::new(taps.clone(), &[1; 64], |_| true, limits);
            let mut asked = Asked::default();
            asked.clear(64);
            (0..64).for_each(|number| asked.ask(number, range(0, 300)));
            cover.see(&window, 2992, &mut asked);
            let missed = |number| -> u32 {
                let words = asked.need(number).iter().zip(asked.seen(number));
                words.map(|(need, seen)| (need & !seen).count_ones()).sum()
            };
            (0..64).map(missed).max()
        };
        assert_eq!(missed(ALL), Some(0));
        assert!(missed(Limits { left: 299, ..ALL }) > Some(0));
        let some = missed(Limits { equal: 4, ..ALL });
        assert!(some > Some(0) && some < missed(Limits { equal: 1, ..ALL }));
        let share = 100_000;
        assert!(missed(Limits { share, ..ALL }) > Some(0));
    }

    #[test]
    fn rows_of_many_heaps_come_first() {
        let counts = [0, 30, 10, 20, 40];
        assert_eq!(rows(&counts, |_| true, 1_000_000), [4, 1, 3, 2]);
        assert_eq!(rows(&counts, |_| true, 700_000), [4, 1]);
        assert_eq!(rows(&counts, |row| row != 4, 700_000), [1, 3]);
        assert_eq!(rows(&counts, |_| true, 0), [0; 0]);
    }
}
