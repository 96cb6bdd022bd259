//! Which heaps have a value, as rows of bits.
//!
//! Invariant: row `v` has a bit for each heap from the first of the window on, 1 for those that were set and not
//! cleared since.

/// How many heaps a block holds.
pub(crate) const BLOCK: usize = 64 * WORDS - 8;

/// How many words have the bits of a block.
pub(crate) const WORDS: usize = 16;

/// How many bytes of a row there are from the beginning of a block on, at least.
pub(crate) const AFTER: usize = 2 * BLOCK / 8;

/// One bit for each heap of a block, the first in bit 0 of the first word; the last eight mean
/// nothing.
pub(crate) type Bits = [u64; WORDS];

/// Rows of bits, one for each value: which heaps have it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Window {
    bytes: Vec<u8>,
    /// How many bytes a row has.
    stride: usize,
    /// The heap of the first bit of each row, a multiple of 8; below 0 while heaps are few.
    first: i64,
    /// Which rows have ever had a bit.
    used: Vec<bool>,
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
            used: vec![false; values],
        }
    }

    /// Returns rows with the heaps of these values, but for heap 0, as far as they reach back.
    pub(crate) fn filled(values: &[u16], rows: usize, reach: usize) -> Window {
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
    pub(crate) fn set(&mut self, heap: usize, value: u16) {
        let bit = (heap as i64 - self.first) as usize;
        self.bytes[usize::from(value) * self.stride + bit / 8] |= 1 << (bit % 8);
        self.used[usize::from(value)] = true;
    }

    /// Takes back that a heap has a value.
    pub(crate) fn clear(&mut self, heap: usize, value: u16) {
        let bit = (heap as i64 - self.first) as usize;
        self.bytes[usize::from(value) * self.stride + bit / 8] &= !(1 << (bit % 8));
    }

    /// Returns which heaps of the block from `start` on, a multiple of 8, have a value.
    pub(crate) fn block(&self, value: u16, start: usize) -> Bits {
        let at = usize::from(value) * self.stride + self.byte(start);
        let words = self.bytes[at..at + 8 * WORDS].as_chunks::<8>().0;
        std::array::from_fn(|i| u64::from_le_bytes(words[i]))
    }

    /// Returns what a row has from `bytes` bytes before the one at which a heap stands, a multiple of 8, to its end,
    /// which is [`AFTER`] bytes or more from there.
    pub(crate) fn row_from(&self, value: u16, start: usize, bytes: usize) -> &[u8] {
        let row = &self.bytes[usize::from(value) * self.stride..][..self.stride];
        &row[self.byte(start) - bytes..]
    }

    /// Returns the byte of a row at which a heap, a multiple of 8, stands.
    fn byte(&self, heap: usize) -> usize {
        (heap as i64 - self.first) as usize / 8
    }

    /// Makes room for the block from `start`, a multiple of 8, keeping the `reach` heaps before it.
    pub(crate) fn advance(&mut self, start: usize, reach: usize) {
        let end = self.byte(start) + AFTER;
        if end <= self.stride {
            return;
        }
        let keep = reach.div_ceil(8) + 1;
        let from = self.byte(start) - keep;
        let rows = self.bytes.chunks_exact_mut(self.stride).zip(&self.used);
        for (row, _) in rows.filter(|&(_, used)| *used) {
            row.copy_within(from.., 0);
            let kept = row.len() - from;
            row[kept..].fill(0);
        }
        self.first += 8 * from as i64;
    }
}

/// Returns the bits of a strip that begins at a bit, a multiple of 8.
pub(crate) fn strip_of(bits: &Bits, at: usize) -> u64 {
    let low = bits[at / 64] >> (at % 64);
    match at % 64 {
        0 => low,
        moved => low | bits.get(at / 64 + 1).map_or(0, |high| high << (64 - moved)),
    }
}

/// Returns the bits from `from` to before `to`.
pub(crate) fn range(from: usize, to: usize) -> Bits {
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
