//! Bit sets of heap sizes, readable from either end.
//!
//! Invariant: bits at and beyond the capacity are zero, in both directions, and a word of zeros
//! follows the mirrored bits, so that windows may extend past the end.

/// Returns the 64 bits of `words` from bit `from` on; zeros beyond the end.
pub(super) fn window(words: &[u64], from: usize) -> u64 {
    let (word, shift) = (from / 64, from % 64);
    let low = words.get(word).copied().unwrap_or(0) >> shift;
    let high = words.get(word + 1).copied().unwrap_or(0);
    low | (high << 1) << (63 - shift)
}

/// Returns bit `n`; false beyond the end.
pub(super) fn bit(words: &[u64], n: usize) -> bool {
    words
        .get(n / 64)
        .is_some_and(|word| word >> (n % 64) & 1 != 0)
}

/// A set of numbers, stored forwards and mirrored.
///
/// Number `e` is bit `e` forwards and bit `capacity - 1 - e` mirrored. So for a total `m` the
/// mirrored bits from `capacity - 1 - m` on are those of `m`, `m - 1`, `m - 2`, ..., and an AND of
/// words tests 64 pairs with that total at once.
#[derive(Clone, Debug, Default)]
pub(super) struct Mirrored {
    forward: Vec<u64>,
    mirrored: Vec<u64>,
}

impl Mirrored {
    /// Empties the set and sizes it for numbers below 64 times `words`.
    pub(super) fn reset(&mut self, words: usize) {
        self.forward.clear();
        self.forward.resize(words, 0);
        self.mirrored.clear();
        self.mirrored.resize(words + 1, 0);
    }

    /// Enlarges the set for numbers below 64 times `words`.
    pub(super) fn grow(&mut self, words: usize) {
        let added = words.saturating_sub(self.forward.len());
        self.forward.resize(self.forward.len() + added, 0);
        self.mirrored.splice(0..0, std::iter::repeat_n(0, added));
    }

    /// Adds a number below the capacity.
    pub(super) fn insert(&mut self, e: usize) {
        self.forward[e / 64] |= 1 << (e % 64);
        let place = 64 * self.forward.len() - 1 - e;
        self.mirrored[place / 64] |= 1 << (place % 64);
    }

    /// Returns the words of the set, forwards.
    pub(super) fn words(&self) -> &[u64] {
        &self.forward
    }

    /// Returns whether `i` is in this set and `m - i` in the other for some `i` in the words
    /// `from..to` of this set. Both sets must have the same capacity, above `m`.
    pub(super) fn meets(&self, other: &Mirrored, m: usize, from: usize, to: usize) -> bool {
        let start = 64 * self.forward.len() - 1 - m;
        let (skip, shift) = (start / 64, (start % 64) as u32);
        let ours = &self.forward[from..to];
        let near = &other.mirrored[skip + from..skip + to];
        let far = &other.mirrored[skip + from + 1..skip + to + 1];
        any_common(ours, near, far, shift)
    }

    /// Returns the word `word` of this set AND the mirrored other, as in [`meets`](Self::meets).
    pub(super) fn common(&self, other: &Mirrored, m: usize, word: usize) -> u64 {
        let start = 64 * self.forward.len() - 1 - m;
        self.forward[word] & window(&other.mirrored, start + 64 * word)
    }
}

/// The number of words between two tests for a pair: enough for the compiler to use wide registers,
/// few enough to stop early.
const STRIDE: usize = 16;

/// Returns whether `ours` shares a bit with the words shifted together from `near` and `far`.
fn any_common(ours: &[u64], near: &[u64], far: &[u64], shift: u32) -> bool {
    let join = |near: u64, far: u64| near >> shift | (far << 1) << (63 - shift);
    let chunks = ours
        .chunks(STRIDE)
        .zip(near.chunks(STRIDE))
        .zip(far.chunks(STRIDE));
    for ((ours, near), far) in chunks {
        let words = ours.iter().zip(near).zip(far);
        if words.fold(0, |any, ((&x, &n), &f)| any | x & join(n, f)) != 0 {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_read_across_words_and_past_the_end() {
        let words = [1 << 63, 0b101];
        assert_eq!(window(&words, 0), 1 << 63);
        assert_eq!(window(&words, 63), 0b1011);
        assert_eq!(window(&words, 64), 0b101);
        assert_eq!(window(&words, 66), 1);
        assert_eq!(window(&words, 500), 0);
        assert!(bit(&words, 63) && !bit(&words, 65) && !bit(&words, 1000));
    }

    #[test]
    fn meeting_finds_exactly_the_pairs_with_a_total() {
        let (mut a, mut b) = (Mirrored::default(), Mirrored::default());
        a.reset(1);
        b.reset(1);
        let of_a = |e: usize| e % 7 == 3 && e != 17;
        let of_b = |e: usize| e.is_multiple_of(11);
        for e in 0..300 {
            if e == 64 {
                a.grow(6);
                b.grow(6);
            }
            if of_a(e) {
                a.insert(e);
            }
            if of_b(e) {
                b.insert(e);
            }
        }
        for m in 0..300 {
            for (from, to) in [
                (0, m / 64 + 1),
                (1.min(m / 64), m / 64 + 1),
                (0, m / 128 + 1),
            ] {
                let inside = |i: &usize| of_a(*i) && of_b(m - i);
                let slow = (64 * from..=m.min(64 * to - 1)).find(inside);
                assert_eq!(a.meets(&b, m, from, to), slow.is_some(), "{m} {from} {to}");
            }
        }
    }
}
