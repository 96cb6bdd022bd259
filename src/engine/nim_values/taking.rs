//! The engine for games in which no heap is split: what is left of a heap is one heap or none.
//!
//! For each value there is a ring of bits that says which of the heaps to come reach it. When the value
//! of a heap is known, the heaps from which it can be left are entered in the ring of that value; the value
//! of the next heap is the first one in whose ring it is not. A ring is as long as the most tokens that
//! are taken. Entering costs one word for 64 of them, so O(m / 64 + value) a heap, m = `taken_max`.
//!
//! Where the rings would take much room the values of the options are looked up instead, O(s) a heap
//! for s numbers that may be taken.
//!
//! Invariant: `values` are the nim-values of the heaps from 0 on; bit `n % length` of ring `v` is 1 where
//! heap `n`, the next one or at most `taken_max` further, has an option of value `v` among the heaps known.

use super::error::{NimValueError, VALUE_MAX};
use super::moves::Moves;

/// The most words that all rings may have: 8 MiB.
const RING_WORDS_MAX: usize = 1 << 20;

/// After how many heaps to look whether to stop.
const LOOK_EVERY: usize = 1 << 14;

/// The values of a game without splits, from heap 0 on.
#[derive(Clone, Debug)]
pub(super) struct Taking {
    moves: Moves,
    values: Vec<u16>,
    /// What may be taken to leave a heap, as bits: bit `k` for `k` tokens. Empty where rings are not used.
    taken: Vec<u64>,
    /// The rings, as many words each as `taken` has.
    rings: Vec<u64>,
    /// For each value, the last heap that was seen to have an option of it, where rings are not used.
    marks: Vec<usize>,
}

impl Taking {
    pub(super) fn new(moves: Moves) -> Taking {
        let words = moves.taken_max / 64 + 1;
        let mut taken = Vec::new();
        // No value exceeds the number of options.
        if words * (moves.one.len() + 2) <= RING_WORDS_MAX {
            taken.resize(words, 0);
            for &k in &moves.one {
                taken[k / 64] |= 1 << (k % 64);
            }
        }
        Taking {
            values: Vec::new(),
            rings: Vec::new(),
            marks: vec![usize::MAX; moves.one.len() + 2],
            taken,
            moves,
        }
    }

    /// Goes on from values that were found before; none has been found yet.
    pub(super) fn adopt(&mut self, values: Vec<u16>) {
        self.values = values;
        if self.taken.is_empty() {
            return;
        }
        // Heaps before these are out of reach.
        let first = self.values.len().saturating_sub(self.moves.taken_max);
        for n in first..self.values.len() {
            // What it takes from the rings is known; what it leaves there is not.
            self.next_in_rings(n);
            self.enter(n, usize::from(self.values[n]));
        }
    }

    /// Returns the values found so far.
    pub(super) fn values(&self) -> &[u16] {
        &self.values
    }

    /// Finds values until there are `heaps` of them or `stop` says so.
    pub(super) fn extend(
        &mut self,
        heaps: usize,
        stop: &dyn Fn() -> bool,
    ) -> Result<(), NimValueError> {
        while self.values.len() < heaps {
            let n = self.values.len();
            if n.is_multiple_of(LOOK_EVERY) && stop() {
                return Ok(());
            }
            let value = match self.taken.is_empty() {
                true => self.looked_up(n),
                false => self.next_in_rings(n),
            };
            let large = || NimValueError::LargeValue { heap: n };
            let value = u16::try_from(value).map_err(|_| large())?;
            if value > VALUE_MAX {
                return Err(large());
            }
            self.values.push(value);
            if !self.taken.is_empty() {
                self.enter(n, usize::from(value));
            }
        }
        Ok(())
    }

    /// Returns the value of heap `n`, the next one, from the values of its options.
    fn looked_up(&mut self, n: usize) -> usize {
        for taken in self.moves.one.iter().take_while(|&&taken| taken < n) {
            self.marks[usize::from(self.values[n - taken])] = n;
        }
        if self.moves.none.binary_search(&n).is_ok() {
            self.marks[0] = n;
        }
        let mex = self.marks.iter().position(|&heap| heap != n);
        mex.expect("there are more marks than options")
    }

    /// Returns the value of heap `n`, the next one, from the rings.
    fn next_in_rings(&mut self, n: usize) -> usize {
        let words = self.taken.len();
        let (word, bit) = (n / 64 % words, n % 64);
        let rings = self.rings.chunks_exact_mut(words);
        let mut whole = self.moves.none.binary_search(&n).is_ok();
        let mut mex = None;
        for (value, ring) in rings.enumerate() {
            let reached = ring[word] >> bit & 1 == 1 || whole;
            whole = false;
            if !reached && mex.is_none() {
                mex = Some(value);
            }
            // The place is that of a later heap from now on.
            ring[word] &= !(1 << bit);
        }
        mex.unwrap_or(self.rings.len() / words + usize::from(whole))
    }

    /// Enters in the ring of its value from which heaps heap `n` can be left.
    fn enter(&mut self, n: usize, value: usize) {
        let words = self.taken.len();
        if self.rings.len() < (value + 1) * words {
            self.rings.resize((value + 1) * words, 0);
        }
        if n == 0 {
            // What leaves nothing is no move to a heap.
            return;
        }
        let ring = &mut self.rings[value * words..][..words];
        let (word, bit) = (n / 64, n % 64);
        for (i, &taken) in self.taken.iter().enumerate() {
            ring[(word + i) % words] |= taken << bit;
            // What goes over the end of a word; in two steps, since a word cannot be moved by 64.
            ring[(word + i + 1) % words] |= taken >> 1 >> (63 - bit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::nim_values::reference;
    use crate::game::heap::{HeapGame, SubtractionSet};

    fn check(game: &HeapGame, heaps: usize) {
        let slow = reference::nim_values(game, heaps);
        let moves = Moves::new(game);
        let mut rings = Taking::new(moves.clone());
        let mut plain = Taking::new(moves);
        assert!(!rings.taken.is_empty());
        plain.taken.clear();
        for engine in [&mut rings, &mut plain] {
            engine.extend(heaps / 3, &|| false).expect("small values");
            engine.extend(heaps, &|| false).expect("small values");
            assert!(
                engine
                    .values
                    .iter()
                    .map(|&v| u32::from(v))
                    .eq(slow.iter().copied()),
                "{game}"
            );
        }
    }

    #[test]
    fn all_codes_of_three_digits_up_to_3_agree_with_the_reference() {
        for digits in 0..64 {
            let text = format!("0.{}{}{}", digits / 16, digits / 4 % 4, digits % 4);
            check(&text.parse().expect("a code"), 60);
        }
    }

    #[test]
    fn long_rings_agree_with_the_reference() {
        let mut seed = 3u64;
        for most in [63, 64, 65, 127, 128, 200] {
            for _ in 0..4 {
                let chosen = |k: &usize| {
                    seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1);
                    *k == most || seed >> 61 == 0
                };
                let numbers = (1..=most).filter(chosen).collect();
                let set = SubtractionSet::new(numbers).expect("numbers");
                check(&HeapGame::Subtraction(set), 900);
            }
            let ones = format!("0.{}1", "2".repeat(most - 1));
            check(&ones.parse().expect("a code"), 600);
        }
    }
}
