//! The numbers that each heap of a strip is not seen to reach.
//!
//! Blocks say of each number, in a word of bits, which heaps reach it; a strip needs the least numbers of each heap. So
//! the bits are transposed, 64 numbers at a time. PERF: ten million values of 0.37 take 1.3 times as long where each heap
//! tests the words one after the other.

use super::strip::STRIP;

/// For each heap of a strip, the places in an ascending list of numbers of those it is not seen to reach.
#[derive(Clone, Debug, Default)]
pub(super) struct Candidates {
    /// For each 64 numbers a word for each heap, with a bit for each number.
    words: Vec<[u64; STRIP]>,
    /// For each heap the first word that may have bits.
    at: Vec<usize>,
}

impl Candidates {
    /// Replaces all by those of another strip: `unseen` has the heaps for each place, ascending.
    pub(super) fn fill(&mut self, unseen: impl Iterator<Item = u64>) {
        self.words.clear();
        let mut unseen = unseen.peekable();
        while unseen.peek().is_some() {
            let mut word = [0; STRIP];
            for (to, heaps) in word.iter_mut().zip(&mut unseen) {
                *to = heaps;
            }
            transpose(&mut word);
            self.words.push(word);
        }
        self.at.clear();
        self.at.resize(STRIP, 0);
    }

    /// Takes out the least place that heap `i` has, if it has one.
    #[inline]
    pub(super) fn next(&mut self, i: usize) -> Option<usize> {
        loop {
            let word = &mut self.words.get_mut(self.at[i])?[i];
            if *word != 0 {
                let bit = word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(64 * self.at[i] + bit);
            }
            self.at[i] += 1;
        }
    }
}

/// Exchanges bit `i` of word `j` and bit `j` of word `i`, for all of them.
fn transpose(words: &mut [u64; 64]) {
    let mut width = 32;
    // The bits whose place has no bit of the width.
    let mut low = u64::MAX >> 32;
    while width > 0 {
        for pairs in words.chunks_exact_mut(2 * width) {
            let (first, second) = pairs.split_at_mut(width);
            for (a, b) in first.iter_mut().zip(second) {
                let apart = (*a >> width ^ *b) & low;
                *a ^= apart << width;
                *b ^= apart;
            }
        }
        width /= 2;
        low ^= low << width;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_come_as_bit_by_bit() {
        let mut random = fastrand::Rng::with_seed(5);
        // Few bits, so that words are skipped.
        let mut word = || (0..64).fold(0, |word, _| word << 1 | u64::from(random.usize(..16) == 0));
        let mut candidates = Candidates::default();
        for numbers in [0, 1, 63, 64, 65, 200] {
            let unseen: Vec<u64> = (0..numbers).map(|_| word()).collect();
            candidates.fill(unseen.iter().copied());
            for i in 0..STRIP {
                for (place, heaps) in unseen.iter().enumerate() {
                    if heaps >> i & 1 == 1 {
                        assert_eq!(candidates.next(i), Some(place));
                    }
                }
                assert_eq!(candidates.next(i), None);
            }
        }
    }
}
