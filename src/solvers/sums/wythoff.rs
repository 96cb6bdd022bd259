//! The values of Wythoff's game: a formula for obligated sums, a table for nim-values.
//!
//! # Theorem (Wythoff; Ferguson, Example 1)
//!
//! Let `a_n = floor(n t)` and `b_n = a_n + n`, where `t` is the golden ratio. The squares `(a_n,
//! b_n)`, with their mirror images, are the P-positions of normal play. Those of misère play are
//! the same except for `n = 0` and 1: `(0,1)`, `(1,0)`, `(2,2)` replace `(0,0)`, `(1,2)`, `(2,1)`.
//! So values are `01` on the first three, `10` on the other three, `00` on the rest of Wythoff's
//! pairs, `11` elsewhere.
//!
//! *Proof for misère play*, given the classical part: every number is in exactly one pair `(a_n,
//! b_n)`, so Wythoff's squares have one in every column and row, and one on every diagonal `y - x =
//! d`. The six squares lie in the same columns, rows and diagonals (0, 1, 2; differences 0, 1, -1),
//! three each, so the changed set has that property as well. A queen's move stays in a row, column
//! or diagonal; thus no move joins two squares of the set. Let `(x, y)` be outside it, other than
//! `(0,0)`, with `x <= y`; we need a move into the set. Let `x <= 2`. The square of the set in
//! column `x` is `(0,1)`, `(1,0)` or `(2,2)`, and `y` is above it, so a move down reaches it. Let
//! `x >= 3`. If `x = b_n`, then `y >= x > a_n`, and a move down reaches `(b_n, a_n)`. If `x = a_n`
//! and `y > b_n`, a move down reaches `(a_n, b_n)`. If `x = a_n` and `y < b_n`, then `d = y - x <
//! n`, and the square of the set with that difference is `(a_d, b_d)` for `d >= 2`, `(0,1)` for 1,
//! `(2,2)` for 0; its column is below `x`, so a move along the diagonal reaches it. Finally
//! `(0,0)`, where play is over, is an N-position under misère play by definition. ∎
//!
//! Nim-values have no known formula; they are taken from a table.

use cggames::game::impartial::Square;

use crate::obligated::ObligatedValue::{self, V00, V01, V10, V11};

/// Returns the obligated value of a queen on a square, by the formula.
///
/// ```
/// use cgsolvers::sums::wythoff_value;
/// use cggames::game::impartial::Square;
///
/// let value = |x, y| wythoff_value(Square::new(x, y)).to_string();
/// assert_eq!(value(1, 2), "01");
/// assert_eq!(value(2, 2), "10");
/// assert_eq!(value(5, 3), "00");
/// assert_eq!(value(1, 4), "11");
/// // 1,000,000 t = 1,618,033.98...
/// assert_eq!(value(1_618_033, 2_618_033), "00");
/// ```
pub fn wythoff_value(square: Square) -> ObligatedValue {
    let (a, b) = (square.x.min(square.y), square.x.max(square.y));
    match (a, b) {
        (0, 0) | (1, 2) => V01,
        (0, 1) | (2, 2) => V10,
        _ if u64::from(a) == golden(u64::from(b - a)) => V00,
        _ => V11,
    }
}

/// Returns the integer part of `n` times the golden ratio, for `n` below 2^32.
///
/// It equals the integer part of `(n + floor(sqrt(5 n^2))) / 2`, since taking the integer part
/// before halving does not change the result.
fn golden(n: u64) -> u64 {
    let root = (5 * u128::from(n) * u128::from(n)).isqrt();
    (n + root as u64) / 2
}

/// The nim-values of queens on the squares below some coordinate.
#[derive(Clone, Debug, Default)]
pub(super) struct WythoffTable {
    side: usize,
    values: Vec<u16>,
}

impl WythoffTable {
    /// Returns the nim-value of a queen on a square, extending the table if needed. Coordinates
    /// must be below 16,384 for values to fit.
    ///
    /// Cost: O(side^2) squares, of up to side / 32 words each, when the table must grow.
    pub(super) fn nim_value(&mut self, square: Square) -> u32 {
        let needed = square.x.max(square.y) as usize + 1;
        if needed > self.side {
            // In steps, so that consecutive queries do not refill it every time.
            self.fill(needed.next_multiple_of(64));
        }
        u32::from(self.values[square.y as usize * self.side + square.x as usize])
    }

    /// Fills the table for a side, row by row; a value is the least that is not in the row to
    /// the left, the column below, or the diagonal below.
    fn fill(&mut self, side: usize) {
        self.side = side;
        self.values.clear();
        // Values are at most x + y: there are x + y + min(x, y) options, but this many rows
        // suffice.
        let words = (3 * side).div_ceil(64);
        let mut columns = vec![0u64; words * side];
        let mut diagonals = vec![0u64; words * 2 * side];
        for y in 0..side {
            let mut row = vec![0u64; words];
            for x in 0..side {
                let column = &mut columns[words * x..words * (x + 1)];
                let difference = side + x - y;
                let diagonal = &mut diagonals[words * difference..words * (difference + 1)];
                let used = row.iter().zip(&*column).zip(&*diagonal);
                let mut free = used.map(|((r, c), d)| !(r | c | d)).enumerate();
                let (word, bits) = free.find(|&(_, bits)| bits != 0).expect(
                    "a square below `side` has fewer than 3 side options, so one value is free",
                );
                let bit = bits.trailing_zeros() as usize;
                row[word] |= 1 << bit;
                column[word] |= 1 << bit;
                diagonal[word] |= 1 << bit;
                self.values.push((64 * word + bit) as u16);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{PositionMemo, mex};
    use super::*;
    use cggames::game::impartial::{Impartial, Wythoff};

    #[test]
    fn formula_and_table_agree_with_play() {
        let followers = |&square: &Square| -> Vec<Square> {
            Wythoff.options(&square).into_iter().flatten().collect()
        };
        let mut memo: PositionMemo<Square, (ObligatedValue, u32)> = PositionMemo::new(1 << 20);
        let mut table = WythoffTable::default();
        for x in 0..80 {
            for y in 0..80 {
                let square = Square::new(x, y);
                let value = memo.value(&square, followers, |square, memo| {
                    let options = followers(square);
                    let of = |s| *memo.known(s).expect("options are known");
                    (
                        ObligatedValue::of_options(options.iter().map(|s| of(s).0)),
                        mex(options.iter().map(|s| of(s).1)),
                    )
                });
                let (obligated, nim_value) = value.expect("play ends");
                assert_eq!(wythoff_value(square), obligated, "{square}");
                assert_eq!(table.nim_value(square), nim_value, "{square}");
            }
        }
    }

    #[test]
    fn the_golden_number_is_exact() {
        // Wythoff's pairs contain every number once, which determines them: a_n is the least unused
        // number.
        let mut used = vec![false; 30_000];
        for n in 1..10_000u64 {
            let a = used.iter().skip(1).position(|&u| !u).expect("room") + 1;
            assert_eq!(golden(n), a as u64);
            used[a] = true;
            used[(a + n as usize).min(29_999)] = true;
        }
        let largest = u64::from(u32::MAX);
        let product = |a: u64| u128::from(2 * a - largest) * u128::from(2 * a - largest);
        let a = golden(largest);
        let five = 5 * u128::from(largest) * u128::from(largest);
        assert!(product(a) <= five && five < product(a + 1));
    }
}
