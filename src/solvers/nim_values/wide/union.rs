//! Unions of shifted rows of bits, as portable kernels.
//!
//! A row can be read from any byte, so a shift by a multiple of 8 is free. The remaining bits are
//! shifted when the row is read ([`or_moved`]), or once for all reads, into eight copies
//! ([`copy_moved`], [`or`]). Shifts are by 1 to 8 bits, not by 0 to 7, so the other half of a word
//! is never shifted by 64.

use super::window::{Bits, WORDS};

/// The number of bytes of a row that a block takes.
pub(crate) const READ: usize = 8 * WORDS;

/// The number of bytes for a block that may begin at any bit of the first byte.
pub(crate) const READ_MOVED: usize = READ + 8;

/// Unites with a block.
#[inline(always)]
pub(crate) fn or(union: &mut Bits, bytes: &[u8; READ]) {
    let words = bytes.as_chunks::<8>().0;
    for i in 0..WORDS {
        union[i] |= u64::from_le_bytes(words[i]);
    }
}

/// Unites with the block whose first bit is bit `moved` of these bytes, from 1 to 8.
#[inline(always)]
pub(crate) fn or_moved(union: &mut Bits, moved: u32, bytes: &[u8; READ_MOVED]) {
    let words = bytes.as_chunks::<8>().0;
    // PERF: with closures or `array::from_fn` in place of this loop the compiler does not vectorise
    // it, and 0.37 takes ten times as long.
    for i in 0..WORDS {
        let low = u64::from_le_bytes(words[i]);
        let high = u64::from_le_bytes(words[i + 1]);
        union[i] |= low >> moved | high << (64 - moved);
    }
}

/// Writes eight copies of a row that start 1 to 8 bits after its beginning. All have the same
/// length, a multiple of 8, and the row has eight bytes more.
#[inline(always)]
pub(crate) fn copy_moved(row: &[u8], copies: &mut [u8]) {
    let length = copies.len() / 8;
    for (moved, copy) in (1..).zip(copies.chunks_exact_mut(length)) {
        let copy = copy.as_chunks_mut::<8>().0;
        let words = &row.as_chunks::<8>().0[..copy.len() + 1];
        for i in 0..copy.len() {
            let low = u64::from_le_bytes(words[i]);
            let high = u64::from_le_bytes(words[i + 1]);
            copy[i] = (low >> moved | high << (64 - moved)).to_le_bytes();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_shifted_as_bit_by_bit() {
        let row: Vec<u8> = (0..READ_MOVED + 64)
            .map(|i| (i * i * 37 + i / 3) as u8)
            .collect();
        let bit = |i: usize| row[i / 8] >> (i % 8) & 1 == 1;
        let mut copies = vec![0; 8 * 192];
        copy_moved(&row, &mut copies);
        for (moved, copy) in (1..=8).zip(copies.chunks_exact(192)) {
            for at in [0, 5, 40] {
                let mut union = Bits::default();
                or_moved(&mut union, moved, row[at..].first_chunk().expect("a block"));
                let is_set = |i: usize| union[i / 64] >> (i % 64) & 1 == 1;
                assert!((0..64 * WORDS).all(|i| is_set(i) == bit(8 * at + i + moved as usize)));
                let mut same = Bits::default();
                or(&mut same, copy[at..].first_chunk().expect("a block"));
                assert_eq!(same, union);
            }
        }
    }
}
