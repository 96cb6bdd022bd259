//! Which heaps of a block reach a value, for 1016 heaps at a time.
//!
//! The heaps that have a value `v` are the ones in a row of bits, a [`Window`]. A heap of `i` tokens
//! and value `g` beside which `n - o` tokens are left makes the option `g ^ v` for all `n` for which
//! the bit `n - o` of row `v` is 1. Such a pair of an offset `o` and a value `g` is called a tap. So the
//! heaps of a block that reach `target` by some taps are the union, over the taps, of row `target ^ g`
//! moved by `o`.
//!
//! Rows can be read from any byte, and are moved by up to 7 bits then.

use super::vectors::Vectors;

/// How many heaps a block holds.
pub(super) const BLOCK: usize = 64 * WORDS - 8;

/// How many words have the bits of a block.
const WORDS: usize = 16;

/// How many bytes a block of a row takes where it may begin at any bit of the first one.
const READ: usize = 8 * WORDS + 8;

/// One bit for each heap of a block, the first in bit 0 of the first word; the last eight mean
/// nothing.
pub(super) type Bits = [u64; WORDS];

/// Rows of bits, one for each value: which heaps have it.
#[derive(Clone, Debug, Default)]
pub(super) struct Window {
    bytes: Vec<u8>,
    /// How many bytes a row has.
    stride: usize,
    /// The heap of the first bit of each row, a multiple of 8; below 0 while heaps are few.
    first: i64,
}

/// The taps for a number, and where those of each tile of rows end.
#[derive(Clone, Debug, Default)]
struct List {
    taps: Vec<u32>,
    ends: Vec<u32>,
}

/// Tiles are as many rows as have so many bytes before a block that taps lead to: they stay in the nearest
/// cache, of 48 KB where this was chosen, while they are used for all numbers of a stretch.
const TILE: usize = 32 << 10;

/// How many numbers are treated together: those of a stretch, one bit each of a word.
pub(super) const STRETCH: usize = 64;

/// Taps, grouped by value.
#[derive(Clone, Debug, Default)]
pub(super) struct Taps {
    /// For each value, where its taps begin and end in `packed`.
    groups: Vec<(u32, u32)>,
    /// For an offset `o = 8 q - r` with `r < 8`: `8 q + r`.
    packed: Vec<u32>,
    /// The values that heaps have, those of the most heaps first.
    rows: Vec<u16>,
    /// For each number its taps in the order of `rows`, where they are listed.
    lists: Vec<List>,
}

impl Window {
    /// Returns rows for values below `values` that hold the `reach` heaps before `heap` and more, empty.
    fn new(values: usize, reach: usize, heap: usize) -> Window {
        // A block is read whole, with a byte more, even where its last heaps are yet to come.
        let reach = reach.next_multiple_of(8) + 8;
        let stride = (2 * reach + 16 * BLOCK) / 8;
        let first = heap as i64 / 8 * 8 - reach as i64;
        let bytes = vec![0; values * stride];
        Window {
            bytes,
            stride,
            first,
        }
    }

    /// Returns rows with the heaps of these values, but for heap 0, as far as they reach back.
    pub(super) fn filled(values: &[u16], rows: usize, reach: usize) -> Window {
        let mut window = Window::new(rows, reach, values.len());
        let first = window.first();
        for (heap, &value) in values.iter().enumerate().skip(first) {
            window.set(heap, value);
        }
        window
    }

    /// Returns the first heap of which there are bits.
    fn first(&self) -> usize {
        self.first.max(1) as usize
    }

    /// Notes that a heap has a value.
    pub(super) fn set(&mut self, heap: usize, value: u16) {
        let bit = (heap as i64 - self.first) as usize;
        self.bytes[usize::from(value) * self.stride + bit / 8] |= 1 << (bit % 8);
    }

    /// Takes back that a heap has a value.
    pub(super) fn clear(&mut self, heap: usize, value: u16) {
        let bit = (heap as i64 - self.first) as usize;
        self.bytes[usize::from(value) * self.stride + bit / 8] &= !(1 << (bit % 8));
    }

    /// Returns which heaps of the block from `start` on, a multiple of 8, have a value.
    pub(super) fn block(&self, value: u16, start: usize) -> Bits {
        let at = usize::from(value) * self.stride + self.byte(start);
        let words = self.bytes[at..at + 8 * WORDS].as_chunks::<8>().0;
        std::array::from_fn(|i| u64::from_le_bytes(words[i]))
    }

    /// Returns the byte of a row at which a heap, a multiple of 8, stands.
    fn byte(&self, heap: usize) -> usize {
        (heap as i64 - self.first) as usize / 8
    }

    /// Makes room for the block from `start`, a multiple of 8, keeping the `reach` heaps before it.
    pub(super) fn advance(&mut self, start: usize, reach: usize) {
        let end = self.byte(start) + 2 * BLOCK / 8;
        if end <= self.stride {
            return;
        }
        let keep = reach.div_ceil(8) + 1;
        let from = self.byte(start) - keep;
        for row in self.bytes.chunks_exact_mut(self.stride) {
            row.copy_within(from.., 0);
            let kept = row.len() - from;
            row[kept..].fill(0);
        }
        self.first += 8 * from as i64;
    }
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
        Taps {
            groups,
            packed,
            rows,
            lists: Vec::new(),
        }
    }

    /// Lists for each number that is `wanted` the first taps up to a limit, to be found one after the other.
    ///
    /// This pays where few taps have the same value, since the kernel goes from one to the next without a guess. It serves windows with as many
    /// rows and as long a reach as this one. Does nothing where lists would take more than [`LISTED_MAX`] taps,
    /// or rows are too long.
    pub(super) fn list(&mut self, window: &Window, wanted: impl Fn(u16) -> bool, limit: u32) {
        let numbers = 0..self.groups.len() as u16;
        let limit = limit as usize;
        let listed = self.groups.len() * limit.min(self.packed.len());
        // The bytes of the rows and of one more, in bits, must fit 32 bits.
        let bits = 8 * (self.groups.len() + 1) * window.stride;
        if listed > LISTED_MAX || bits > u32::MAX as usize {
            return;
        }
        let reach = self
            .packed
            .iter()
            .max()
            .map_or(0, |&packed| packed as usize / 8);
        let tile = (TILE / (reach + READ)).max(1);
        let list = |number: u16| {
            let mut list = List::default();
            if !wanted(number) {
                return list;
            }
            for rows in self.rows.chunks(tile) {
                for &row in rows {
                    let (from, to) = self.groups[usize::from(row ^ number)];
                    // Offsets are counted from the end of the row on, so that they are not below 0.
                    let end = (8 * (usize::from(row) + 1) * window.stride) as u32;
                    let taps = self.packed[from as usize..to as usize].iter();
                    let taps = taps.map(|&packed| (end - (packed & !7)) | (packed & 7));
                    let room = limit - list.taps.len();
                    list.taps.extend(taps.take(room));
                }
                list.ends.push(list.taps.len() as u32);
                if list.taps.len() == limit {
                    break;
                }
            }
            list
        };
        self.lists = numbers.map(list).collect();
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
        need: &[Bits; STRETCH],
        limits: Limits,
    ) -> [Bits; STRETCH] {
        let call = Call {
            bytes: &window.bytes,
            stride: window.stride,
            at: window.byte(start),
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
    bytes: &'a [u8],
    stride: usize,
    at: usize,
    /// The first number of the stretch.
    first: u16,
    wanted: u64,
    taps: &'a Taps,
    need: &'a [Bits; STRETCH],
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

/// The most taps that are listed by number: 16 MB.
const LISTED_MAX: usize = 1 << 22;

/// The union of rows, with one width of vectors.
trait Union {
    /// Makes a union of bits.
    fn of(bits: &Bits) -> Self;

    /// Unites with the block whose first bit is bit `moved`, below 8, of as many bytes as are read.
    fn add(&mut self, moved: u32, bytes: &[u8; READ]);

    /// Returns the union.
    fn bits(&self) -> Bits;
}

/// Unites rows, with whatever vectors the caller was compiled for.
#[inline(always)]
fn collect<U: Union>(call: &Call<'_>) -> [Bits; STRETCH] {
    let mut all = [[0; WORDS]; STRETCH];
    if !call.taps.lists.is_empty() {
        collect_lists::<U>(call, &mut all);
        return all;
    }
    let mut tried = [0u32; STRETCH];
    let mut since = [0u32; STRETCH];
    let mut active = call.wanted;
    for &value in &call.taps.rows {
        let row = &call.bytes[usize::from(value) * call.stride..][..call.stride];
        let mut left = active;
        while left != 0 {
            let i = left.trailing_zeros() as usize;
            left &= left - 1;
            let (from, to) = call.taps.groups[usize::from(value ^ (call.first + i as u16))];
            let mut union = U::of(&all[i]);
            for &packed in &call.taps.packed[from as usize..to as usize] {
                let read = row[call.at - (packed >> 3) as usize..].first_chunk();
                let read = read.expect("a row goes on for a block after the heaps that are known");
                union.add(packed & 7, read);
            }
            all[i] = union.bits();
            since[i] += to - from;
            if since[i] >= LOOK_EVERY {
                tried[i] += since[i];
                since[i] = 0;
                let missing = call.need[i]
                    .iter()
                    .zip(&all[i])
                    .map(|(need, got)| need & !got);
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

/// Unites rows by lists of taps, a tile of rows for all numbers before the next tile.
#[inline(always)]
fn collect_lists<U: Union>(call: &Call<'_>, all: &mut [Bits; STRETCH]) {
    let mut active = call.wanted;
    let mut tile = 0;
    while active != 0 {
        let mut left = active;
        while left != 0 {
            let i = left.trailing_zeros() as usize;
            left &= left - 1;
            let list = &call.taps.lists[usize::from(call.first) + i];
            let Some(&end) = list.ends.get(tile) else {
                active &= !(1 << i);
                continue;
            };
            let from = tile.checked_sub(1).map_or(0, |before| list.ends[before]);
            let mut union = U::of(&all[i]);
            for taps in list.taps[from as usize..end as usize].chunks(LOOK_EVERY as usize) {
                for &packed in taps {
                    let at = (packed >> 3) as usize + call.at - call.stride;
                    let read = call.bytes[at..].first_chunk();
                    let read =
                        read.expect("a row goes on for a block after the heaps that are known");
                    union.add(packed & 7, read);
                }
                let got = union.bits();
                let missing = call.need[i].iter().zip(&got).map(|(need, got)| need & !got);
                if missing.map(u64::count_ones).sum::<u32>() <= call.limits.left {
                    active &= !(1 << i);
                    break;
                }
            }
            all[i] = union.bits();
        }
        tile += 1;
    }
}

impl Union for Bits {
    fn of(bits: &Bits) -> Bits {
        *bits
    }

    fn add(&mut self, moved: u32, bytes: &[u8; READ]) {
        let words = bytes.as_chunks::<8>().0;
        for i in 0..WORDS {
            let low = u64::from_le_bytes(words[i]);
            let high = u64::from_le_bytes(words[i + 1]);
            // In two steps, since a word cannot be moved by 64 bits.
            self[i] |= low >> moved | high << 1 << (63 - moved);
        }
    }

    fn bits(&self) -> Bits {
        *self
    }
}

#[cfg(target_arch = "x86_64")]
mod vectors {
    use std::arch::x86_64::{
        __m256i, __m512i, _mm_cvtsi32_si128, _mm256_loadu_si256, _mm256_or_si256, _mm256_sll_epi64,
        _mm256_srl_epi64, _mm512_loadu_si512, _mm512_or_si512, _mm512_set1_epi64,
        _mm512_shrdv_epi64,
    };

    use super::{Bits, Call, READ, STRETCH, Union, WORDS, collect};

    /// The union in vectors of AVX-512; made only where the processor has them.
    struct Wide([__m512i; WORDS / 8]);

    impl Union for Wide {
        #[inline(always)]
        fn of(bits: &Bits) -> Wide {
            // SAFETY: both have the same size, and every pattern of bits is a value.
            unsafe { Wide(std::mem::transmute::<Bits, [__m512i; WORDS / 8]>(*bits)) }
        }

        #[inline(always)]
        fn add(&mut self, moved: u32, bytes: &[u8; READ]) {
            for (i, union) in self.0.iter_mut().enumerate() {
                // SAFETY: 64 bytes each are read from an array of 8 more than all unions have, from byte 64 i
                // and 8 bytes after it on, at no particular alignment; AVX-512 F and VBMI2 are there, since
                // `avx512` alone makes these unions and asks its caller for them.
                unsafe {
                    let low = _mm512_loadu_si512(bytes.as_ptr().add(64 * i).cast());
                    let high = _mm512_loadu_si512(bytes.as_ptr().add(64 * i + 8).cast());
                    let block = _mm512_shrdv_epi64(low, high, _mm512_set1_epi64(i64::from(moved)));
                    *union = _mm512_or_si512(*union, block);
                }
            }
        }

        #[inline(always)]
        fn bits(&self) -> Bits {
            // SAFETY: both have the same size, and every pattern of bits is a value.
            unsafe { std::mem::transmute(self.0) }
        }
    }

    /// The union in vectors of AVX2; made only where the processor has them.
    struct Narrow([__m256i; WORDS / 4]);

    impl Union for Narrow {
        #[inline(always)]
        fn of(bits: &Bits) -> Narrow {
            // SAFETY: both have the same size, and every pattern of bits is a value.
            unsafe { Narrow(std::mem::transmute::<Bits, [__m256i; WORDS / 4]>(*bits)) }
        }

        #[inline(always)]
        fn add(&mut self, moved: u32, bytes: &[u8; READ]) {
            for (i, union) in self.0.iter_mut().enumerate() {
                // SAFETY: 32 bytes each are read from an array of 8 more than all unions have, from byte
                // 32 i and 8 bytes after it on, at no particular alignment; AVX2 is there, since `avx2` alone makes these unions and asks its
                // caller for it.
                unsafe {
                    let low = _mm256_loadu_si256(bytes.as_ptr().add(32 * i).cast());
                    let high = _mm256_loadu_si256(bytes.as_ptr().add(32 * i + 8).cast());
                    let low = _mm256_srl_epi64(low, _mm_cvtsi32_si128(moved as i32));
                    let high = _mm256_sll_epi64(high, _mm_cvtsi32_si128(64 - moved as i32));
                    *union = _mm256_or_si256(*union, _mm256_or_si256(low, high));
                }
            }
        }

        #[inline(always)]
        fn bits(&self) -> Bits {
            // SAFETY: both have the same size, and every pattern of bits is a value.
            unsafe { std::mem::transmute(self.0) }
        }
    }

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

/// Returns the bits of a strip that begins at a bit, a multiple of 8.
pub(super) fn strip_of(bits: &Bits, at: usize) -> u64 {
    let low = bits[at / 64] >> (at % 64);
    match at % 64 {
        0 => low,
        moved => low | bits.get(at / 64 + 1).map_or(0, |high| high << (64 - moved)),
    }
}

/// Returns the bits from `from` to before `to`.
pub(super) fn range(from: usize, to: usize) -> Bits {
    std::array::from_fn(|i| {
        let below = |end: usize| match end.saturating_sub(64 * i) {
            0 => 0,
            bits @ 1..64 => u64::MAX >> (64 - bits),
            _ => u64::MAX,
        };
        below(to) & !below(from)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Random(u64);

    impl Random {
        fn below(&mut self, below: usize) -> usize {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1);
            (self.0 >> 33) as usize % below
        }
    }

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
        let mut listed = all.clone();
        listed.list(&window, |_| true, u32::MAX);
        assert!(listed.lists.iter().any(|list| list.ends.len() > 1));
        let mut moved = false;
        // The window moves on in the 20th block or so.
        for step in 0..26 {
            let start = values.len() & !7;
            window.advance(start, 2000);
            moved |= window.first > 0;
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
                for taps in [&all, &listed] {
                    let call = Call {
                        bytes: &window.bytes,
                        stride: window.stride,
                        at: window.byte(start),
                        first: (stretch * STRETCH) as u16,
                        wanted: u64::MAX,
                        taps,
                        need: &[[u64::MAX; WORDS]; STRETCH],
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
        assert!(moved);
    }

    #[test]
    fn a_kernel_stops_early_only_with_what_it_was_told() {
        let mut random = Random(9);
        let values: Vec<u16> = (0..3000).map(|_| random.below(64) as u16).collect();
        let taps = (0..1200).map(|_| (random.below(64) as u16, BLOCK + random.below(900)));
        let all = Taps::new(taps.collect(), &[1; 64]);
        let window = Window::filled(&values, 64, 2000);
        let mut listed = all.clone();
        listed.list(&window, |_| true, u32::MAX);
        let need = [range(0, 300); STRETCH];
        let missed = |used: &Taps, left, taps| {
            let limits = Limits { left, taps };
            let seen = used.seen(&window, 2992, 0, u64::MAX, &need, limits);
            let missed = |seen: &Bits| -> u32 {
                let words = seen.iter().zip(range(0, 300));
                words.map(|(seen, need)| (need & !seen).count_ones()).sum()
            };
            seen.iter().map(missed).max()
        };
        for used in [&all, &listed] {
            assert_eq!(missed(used, 0, u32::MAX), Some(0));
            assert!(missed(used, 299, u32::MAX) > Some(0));
        }
        assert!(missed(&all, 0, 1) > Some(0));
        listed.list(&window, |_| true, 40);
        assert!(missed(&listed, 0, u32::MAX) > Some(0));
    }

    #[test]
    fn ranges_and_strips_are_what_they_say() {
        let bits = range(3, 200);
        for i in 0..512 {
            assert_eq!(bits[i / 64] >> (i % 64) & 1 == 1, (3..200).contains(&i));
        }
        for at in (0..448).step_by(8) {
            let strip = strip_of(&bits, at);
            assert!((0..64).all(|i| (strip >> i & 1 == 1) == (3..200).contains(&(at + i))));
        }
    }
}
