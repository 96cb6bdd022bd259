//! The heaps whose values have each [label](super::super::space), as rows of bits.
//!
//! Invariant: row `l` has a bit for each heap from the first of the window on, 1 for those that
//! were set and not cleared.

use super::super::space::Space;

/// The number of heaps in a block.
pub(crate) const BLOCK: usize = 64 * WORDS - 8;

/// The number of words for the bits of a block.
pub(crate) const WORDS: usize = 16;

/// The least number of bytes of a row from the beginning of a block on.
pub(crate) const AFTER: usize = 2 * BLOCK / 8;

/// One bit for each heap of a block, the first in bit 0 of the first word; the last eight bits are
/// meaningless.
pub(crate) type Bits = [u64; WORDS];

/// Rows of bits, one row for each label, with a bit for each heap whose value has it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Window {
    space: Space,
    bytes: Vec<u8>,
    /// The number of bytes of a row.
    stride: usize,
    /// The heap of the first bit of each row, a multiple of 8; negative while there are few heaps.
    first: i64,
    /// For each row, whether it has ever had a bit.
    used: Vec<bool>,
}

impl Window {
    /// Returns `rows` empty rows that cover at least the `reach` heaps before `heap`.
    fn new(space: Space, rows: usize, reach: usize, heap: usize) -> Window {
        // A block is read whole, with one more byte, even before its last heaps are known.
        let reach = reach.next_multiple_of(8) + 8;
        let stride = (2 * reach + 16 * BLOCK) / 8;
        let first = heap as i64 / 8 * 8 - reach as i64;
        Window {
            space,
            bytes: vec![0; rows * stride],
            stride,
            first,
            used: vec![false; rows],
        }
    }

    /// Returns rows with the heaps of these values, except heap 0, as far as the rows reach back.
    pub(crate) fn filled(space: Space, values: &[u16], rows: usize, reach: usize) -> Window {
        let mut window = Window::new(space, rows, reach, values.len());
        let first = window.first();
        for (heap, &value) in values.iter().enumerate().skip(first) {
            window.set(heap, value);
        }
        window
    }

    /// Returns the first heap that has bits.
    fn first(&self) -> usize {
        self.first.max(1) as usize
    }

    /// Sets the bit of a heap and its value.
    pub(crate) fn set(&mut self, heap: usize, value: u16) {
        let row = usize::from(self.space.label(heap, value));
        let bit = (heap as i64 - self.first) as usize;
        self.bytes[row * self.stride + bit / 8] |= 1 << (bit % 8);
        self.used[row] = true;
    }

    /// Clears the bit of a heap and its value.
    pub(crate) fn clear(&mut self, heap: usize, value: u16) {
        let row = usize::from(self.space.label(heap, value));
        let bit = (heap as i64 - self.first) as usize;
        self.bytes[row * self.stride + bit / 8] &= !(1 << (bit % 8));
    }

    /// Returns a row in the block from `start` on, a multiple of 8.
    pub(crate) fn block(&self, row: u16, start: usize) -> Bits {
        let at = usize::from(row) * self.stride + self.byte(start);
        let words = self.bytes[at..at + 8 * WORDS].as_chunks::<8>().0;
        std::array::from_fn(|i| u64::from_le_bytes(words[i]))
    }

    /// Returns the 64 bits of a row from a heap on, which must lie before the heap of the last bit
    /// by a block or more.
    #[inline(always)]
    pub(crate) fn strip(&self, row: u16, heap: usize) -> u64 {
        let bit = (heap as i64 - self.first) as usize;
        let at = usize::from(row) * self.stride + bit / 8;
        let read: &[u8; 9] = self.bytes[at..].first_chunk().expect("a strip's bits");
        let low = u64::from_le_bytes(*read.first_chunk().expect("nine bytes"));
        // Two shifts, since one by 64 would overflow.
        low >> (bit % 8) | u64::from(read[8]) << 1 << (63 - bit % 8)
    }

    /// Returns a row from `bytes` bytes before the byte of a heap, a multiple of 8, to its end,
    /// which is at least [`AFTER`] bytes from that byte.
    pub(crate) fn row_from(&self, row: u16, start: usize, bytes: usize) -> &[u8] {
        let row = &self.bytes[usize::from(row) * self.stride..][..self.stride];
        &row[self.byte(start) - bytes..]
    }

    /// Returns the byte of a row for a heap, a multiple of 8.
    fn byte(&self, heap: usize) -> usize {
        (heap as i64 - self.first) as usize / 8
    }

    /// Advances the rows to the block from `start`, a multiple of 8, keeping the `reach` heaps
    /// before it.
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

/// Returns the bits of the strip from a bit on, a multiple of 8.
pub(crate) fn strip_of(bits: &Bits, at: usize) -> u64 {
    let low = bits[at / 64] >> (at % 64);
    match at % 64 {
        0 => low,
        moved => low | bits.get(at / 64 + 1).map_or(0, |high| high << (64 - moved)),
    }
}

/// Returns the bits of the even heaps, or of the odd ones, for blocks that start at an even heap.
pub(crate) fn of_parity(bits: &Bits, odd: usize) -> Bits {
    bits.map(|word| word & (EVEN << odd))
}

/// The bits of the even heaps in a word.
const EVEN: u64 = 0x5555_5555_5555_5555;

/// Returns the bits in `from..to`.
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
