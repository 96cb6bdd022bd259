//! Games without splits: a move leaves one heap or none.
//!
//! # Formula
//!
//! `G(n)` is the least number other than all `G(n - k)`, and other than 0 if `n` may be taken
//! whole.
//!
//! # Cost
//!
//! O(s) a heap, where s is the number of `k` that may be taken.
//!
//! Invariant: `values` are the nim-values of the heaps from 0 on.

use super::error::{NimValueError, VALUE_MAX};
use crate::heaps::moves::MoveLists;

/// The number of heaps valued between two calls of `stop`.
const CHECK_EVERY: usize = 1 << 14;

/// The values of a game without splits, from heap 0 on.
#[derive(Clone, Debug)]
pub(super) struct Taking {
    moves: MoveLists,
    values: Vec<u16>,
    /// For each value, the last heap that was seen to have it as an option. No value exceeds the
    /// number of options.
    marks: Vec<usize>,
}

impl Taking {
    pub(super) fn new(moves: MoveLists) -> Taking {
        Taking {
            values: Vec::new(),
            marks: vec![usize::MAX; moves.one.len() + 2],
            moves,
        }
    }

    /// Resumes from values that were found before, before any are computed.
    pub(super) fn adopt(&mut self, values: Vec<u16>) {
        self.values = values;
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
        while self.values.len() < heaps {
            let n = self.values.len();
            if n.is_multiple_of(CHECK_EVERY) && stop() {
                return Ok(());
            }
            let value = u16::try_from(self.next_value());
            let value = value.ok().filter(|&value| value <= VALUE_MAX);
            self.values
                .push(value.ok_or(NimValueError::LargeValue { heap: n })?);
        }
        Ok(())
    }

    /// Finds the value of the next heap from the values of its options.
    fn next_value(&mut self) -> usize {
        let n = self.values.len();
        for taken in self.moves.one.iter().take_while(|&&taken| taken < n) {
            self.marks[usize::from(self.values[n - taken])] = n;
        }
        if self.moves.none.binary_search(&n).is_ok() {
            self.marks[0] = n;
        }
        let mex = self.marks.iter().position(|&heap| heap != n);
        mex.expect("there are more marks than options")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nim_values::reference;
    use cggames::game::heap::{HeapGame, SubtractionSet};

    fn check(game: &HeapGame, heaps: usize) {
        let slow = reference::nim_values(game, heaps);
        let mut engine = Taking::new(MoveLists::new(game));
        engine.extend(heaps / 3, &|| false).expect("small values");
        engine.extend(heaps, &|| false).expect("small values");
        let values = engine.values.iter().map(|&v| u32::from(v));
        assert!(values.eq(slow), "{game}");
    }

    #[test]
    fn all_codes_of_three_digits_up_to_3_agree_with_the_reference() {
        for digits in 0..64 {
            let text = format!("0.{}{}{}", digits / 16, digits / 4 % 4, digits % 4);
            check(&text.parse().expect("a code"), 60);
        }
    }

    #[test]
    fn many_numbers_to_take_agree_with_the_reference() {
        let mut random = fastrand::Rng::with_seed(3);
        for most in [63, 64, 65, 127, 128, 200] {
            for _ in 0..4 {
                let chosen = |k: &usize| *k == most || random.u8(..8) == 0;
                let numbers = (1..=most).filter(chosen).collect();
                let set = SubtractionSet::new(numbers).expect("numbers");
                check(&HeapGame::Subtraction(set), 900);
            }
            let ones = format!("0.{}1", "2".repeat(most - 1));
            check(&ones.parse().expect("a code"), 600);
        }
    }
}
