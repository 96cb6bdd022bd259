//! All numbers are rare: a heap at a time, by marks and by vectors of pairs.
//!
//! # Formula
//!
//! `G(n)` is the least number that no option of `n` has. The nim-sums of some pairs, those with the smallest heaps, are marked.
//! Each number without a mark, from 0 on, is sought among all other pairs ([`pairs`]); the first that none of them has is the value.
//!
//! # Cost
//!
//! With m marks for N numbers about N exp(-m/N) numbers are left, each of which takes some N pairs or, the last one, all. So a heap
//! takes O(N log N) marks and O(n / w) vectors of w pairs. The number of marks follows the numbers that were left before.
//!
//! # What it adds
//!
//! [`sparse`](super::sparse) visits all pairs of a heap, one by one, in this space.
//!
//! Invariant: the number of marks does not affect the values.

use super::sparse::Sparse;
use super::wide::pairs;

/// The numbers that should be left to be sought.
///
/// PERF: with 8 and 16 the heaps of 0.764 up to 50,000 take 2.7 and 2.0 s, those of 0.126 up to 200,000 9.5 and 8.6 s; with 16 and
/// 32 those of 0.764 up to 25,000 take 0.67 and 0.81 s.
const LEFT: usize = 16;

/// The fewest pairs that are marked of each way to take.
const PAIRS_MIN: usize = 64;

/// The state between two heaps.
#[derive(Clone, Debug)]
pub(super) struct Dense {
    /// For each number, 1 if an option of the present heap has it. A nim-sum is always an index.
    marks: Box<[u8; 1 << 16]>,
    /// The pairs that are marked of each way to take.
    pairs: usize,
}

impl Dense {
    pub(super) fn new() -> Dense {
        Dense {
            marks: Box::new([0; 1 << 16]),
            pairs: PAIRS_MIN,
        }
    }

    /// Finds the value of the next heap, which must exceed the number of tokens that a move may take.
    pub(super) fn next_value(&mut self, sparse: &Sparse) -> u16 {
        let Sparse { moves, values, .. } = sparse;
        let n = values.len();
        // A number of this length has no mark.
        self.marks[..sparse.counts.len()].fill(0);
        for taken in &moves.one {
            self.marks[usize::from(values[n - taken])] = 1;
        }
        for taken in &moves.two {
            let l = n - taken;
            let marked = self.pairs.min(moves.pairs(l));
            let (up, down) = (&values[1..=marked], &values[l - marked..l]);
            for (a, b) in up.iter().zip(down.iter().rev()) {
                self.marks[usize::from(a ^ b)] = 1;
            }
        }
        let (mut number, mut left) = (0, 0);
        loop {
            number = self.unmarked(number);
            left += 1;
            if !pairs::reaches(sparse, n, number, self.pairs) {
                break;
            }
            number += 1;
        }
        let step = self.pairs / 8;
        self.pairs = match left > LEFT {
            true => self.pairs + step,
            false => (self.pairs - step).max(PAIRS_MIN),
        };
        number
    }

    /// Returns the first number without a mark from a number on.
    fn unmarked(&self, from: u16) -> u16 {
        let marks = self.marks[usize::from(from)..].iter();
        let next = marks.take_while(|&&mark| mark == 1).count();
        from + next as u16
    }
}

#[cfg(test)]
mod tests {
    use super::super::reference;
    use super::*;
    use crate::heaps::moves::MoveLists;

    /// Whatever the number of marks. The values of all heaps are adopted as soon as a move cannot take them whole.
    #[test]
    fn values_are_those_of_the_reference() {
        for game in [
            "0.37", "0.126", "0.764", "4.06", "0.007", "0.6", "grundy", "0.0137", "0.2303",
        ] {
            let game = game.parse().expect("a game");
            let slow = reference::nim_values(&game, 900);
            for pairs in [1, PAIRS_MIN, 1 << 12] {
                let mut sparse = Sparse::new(MoveLists::new(&game));
                sparse.adopt(slow[..40].iter().map(|&value| value as u16).collect());
                let mut dense = Dense::new();
                while sparse.values.len() < slow.len() {
                    dense.pairs = pairs;
                    let value = dense.next_value(&sparse);
                    sparse.push(value).expect("small values");
                }
                let wrong = (0..slow.len()).find(|&n| u32::from(sparse.values[n]) != slow[n]);
                assert_eq!(wrong, None, "{game} with {pairs} marks");
            }
        }
    }
}
