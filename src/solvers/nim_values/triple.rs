//! The engine for hexadecimal codes with splits into three heaps.
//!
//! For each number of tokens `m` the engine stores, as a bit set, the nim-sums of two heaps with
//! `m` tokens together. The nim-sums of three heaps are the union, over the first heap, of the sums
//! for the other two, each permuted by xor. First heaps of equal value are permuted together. So a
//! heap of n tokens costs O(n V / 64) words for values below V, and all heaps up to n cost O(n^2 V
//! / 64); the memory is n V bits.
//!
//! Invariant: `values` are the nim-values of the heaps from 0 on; `pairs[m]` are the nim-sums of
//! two heaps of at least one token, `m` together, for all `m` for which these heaps are known.

use std::ops::Range;

use super::error::{NimValueError, VALUE_MAX};
use crate::heaps::moves::MoveLists;

/// The values of a game with splits into at most three heaps, from heap 0 on.
#[derive(Clone, Debug)]
pub(super) struct Triple {
    moves: MoveLists,
    values: Vec<u16>,
    /// The number of words for the sums of one `m`, a power of two: values are below 64 times that.
    words: usize,
    pairs: Vec<u64>,
}

impl Triple {
    pub(super) fn new(moves: MoveLists) -> Triple {
        Triple {
            moves,
            values: Vec::new(),
            words: 1,
            pairs: Vec::new(),
        }
    }

    /// Resumes from further values that were found before, and from their sums of pairs. Returns
    /// whether the two are consistent.
    pub(super) fn adopt(&mut self, values: &[u16], pairs: &[u64]) -> bool {
        if values.is_empty() || !pairs.len().is_multiple_of(values.len()) {
            return false;
        }
        let words = pairs.len() / values.len();
        if !words.is_power_of_two() {
            return false;
        }
        if words > self.words {
            self.widen(words);
        }
        for sums in pairs.chunks_exact(words) {
            self.pairs.extend(sums);
            self.pairs.resize(self.pairs.len() + self.words - words, 0);
        }
        self.values.extend(values);
        true
    }

    /// Returns the known sums of pairs of these heaps, an equal number of words for each.
    pub(super) fn pairs(&self, heaps: Range<usize>) -> &[u64] {
        &self.pairs[heaps.start * self.words..heaps.end * self.words]
    }

    /// Returns the values found so far.
    pub(super) fn values(&self) -> &[u16] {
        &self.values
    }

    /// Finds values until there are `heaps` of them or `stop` returns true.
    pub(super) fn extend(
        &mut self,
        heaps: usize,
        stop: &dyn Fn() -> bool,
    ) -> Result<(), NimValueError> {
        while self.values.len() < heaps && !stop() {
            let n = self.values.len();
            let value = self.value(n);
            if value > usize::from(VALUE_MAX) {
                return Err(NimValueError::LargeValue { heap: n });
            }
            self.values.push(value as u16);
            if value >= 64 * self.words {
                self.widen((value / 64 + 1).next_power_of_two());
            }
        }
        Ok(())
    }

    /// Finds the value of heap `n`, the next one.
    fn value(&mut self, n: usize) -> usize {
        // All heaps of a pair with n tokens are known here.
        let sums = self.pair_sums(n);
        self.pairs.extend(sums);
        let mut reached = vec![0u64; self.words + 1];
        if self.moves.none.contains(&n) {
            reached[0] |= 1;
        }
        for &taken in self.moves.one.iter().filter(|&&taken| taken < n) {
            let value = usize::from(self.values[n - taken]);
            reached[value / 64] |= 1 << (value % 64);
        }
        for &taken in self.moves.two.iter().filter(|&&taken| taken <= n) {
            unite(&mut reached, self.pairs_of(n - taken));
        }
        for &taken in self.moves.three.iter().filter(|&&taken| taken <= n) {
            unite(&mut reached, &self.triple_sums(n - taken));
        }
        let word = reached.iter().position(|&word| word != u64::MAX);
        let word = word.expect("the last word has no nim-sum");
        64 * word + reached[word].trailing_ones() as usize
    }

    /// Returns the stored nim-sums of two heaps with `m` tokens together.
    fn pairs_of(&self, m: usize) -> &[u64] {
        &self.pairs[m * self.words..][..self.words]
    }

    /// Computes the nim-sums of two heaps with `m` tokens together.
    fn pair_sums(&self, m: usize) -> Vec<u64> {
        let mut sums = vec![0; self.words];
        for a in 1..=m / 2 {
            let sum = usize::from(self.values[a] ^ self.values[m - a]);
            sums[sum / 64] |= 1 << (sum % 64);
        }
        sums
    }

    /// Computes the nim-sums of three heaps with `m` tokens together.
    fn triple_sums(&self, m: usize) -> Vec<u64> {
        // For each value, the sums of the other two heaps over all first heaps of that value.
        let mut beside = vec![0; 64 * self.words * self.words];
        for a in 1..=m / 3 {
            let at = usize::from(self.values[a]) * self.words;
            unite(&mut beside[at..at + self.words], self.pairs_of(m - a));
        }
        let mut sums = vec![0; self.words];
        for (value, others) in beside.chunks_exact(self.words).enumerate() {
            for (word, &bits) in others.iter().enumerate() {
                if bits != 0 {
                    sums[word ^ (value / 64)] |= moved(bits, value % 64);
                }
            }
        }
        sums
    }

    /// Widens the bit sets for larger values.
    fn widen(&mut self, words: usize) {
        let old = std::mem::take(&mut self.pairs);
        for sums in old.chunks_exact(self.words) {
            self.pairs.extend(sums);
            self.pairs.resize(self.pairs.len() + words - self.words, 0);
        }
        self.words = words;
    }
}

/// Adds the bits of `more` to `bits`, which is at least as long.
fn unite(bits: &mut [u64], more: &[u64]) {
    for (bits, more) in bits.iter_mut().zip(more) {
        *bits |= more;
    }
}

/// Returns the word whose bit `i ^ by` is bit `i` of `bits`, for `by` below 64.
fn moved(mut bits: u64, by: usize) -> u64 {
    const HALVES: [u64; 6] = [
        0x5555_5555_5555_5555,
        0x3333_3333_3333_3333,
        0x0F0F_0F0F_0F0F_0F0F,
        0x00FF_00FF_00FF_00FF,
        0x0000_FFFF_0000_FFFF,
        0x0000_0000_FFFF_FFFF,
    ];
    for (i, half) in HALVES.into_iter().enumerate() {
        if by >> i & 1 == 1 {
            bits = (bits & half) << (1 << i) | (bits >> (1 << i)) & half;
        }
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nim_values::reference;

    #[test]
    fn bits_are_moved_by_xor() {
        for by in 0..64 {
            for i in 0..64 {
                assert_eq!(moved(1 << i, by), 1 << (i ^ by));
            }
        }
    }

    #[test]
    fn all_codes_of_two_digits_agree_with_the_reference() {
        for digits in 0..256 {
            for whole in ["0", "4", "8", "C"] {
                let game = format!("{whole}.{digits:02X}").parse().expect("a code");
                let mut engine = Triple::new(MoveLists::new(&game));
                engine.extend(20, &|| false).expect("small values");
                engine.extend(36, &|| false).expect("small values");
                let values: Vec<u32> = engine.values.iter().map(|&v| v.into()).collect();
                assert_eq!(values, reference::nim_values(&game, 36), "{game}");
            }
        }
    }

    #[test]
    fn values_above_64_agree_with_the_reference() {
        for code in ["0.8F", "0.FF", "0.3F8", "8.4F"] {
            let game = code.parse().expect("a code");
            let mut engine = Triple::new(MoveLists::new(&game));
            engine.extend(260, &|| false).expect("small values");
            let values: Vec<u32> = engine.values.iter().map(|&v| v.into()).collect();
            assert_eq!(values, reference::nim_values(&game, 260), "{game}");
        }
    }
}
