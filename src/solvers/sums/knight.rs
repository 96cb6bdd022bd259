//! The values of the knight game, on the whole board.
//!
//! Ferguson's Figure 3 shows values that repeat with period 4, without a proof. Here is one.
//!
//! # Theorem
//!
//! Adding 4 to a coordinate that is 3 or more does not change the obligated value of a square. That
//! is, `Val(x + 4, y) = Val(x, y)` for `x >= 3` and all `y`, and likewise in `y`. The bound 3 is
//! the least possible: `Val(2, 4) = 11`, `Val(6, 4) = 10`.
//!
//! *Proof.* Let `r(i) = i` for `i < 7` and `r(i) = 3 + (i - 3) mod 4` otherwise, and let `W(x, y) =
//! Val(r(x), r(y))`. Values are determined by the recursion, so it suffices that `W` satisfies it
//! on every square. The recursion at `(x, y)` involves squares whose coordinates differ from `x`
//! and `y` by -2 to 1. For `x >= 5` all of `x - 2` to `x + 1` are at least 3, so `r` of them
//! depends only on `x mod 4`, and the left edge prevents no move; the same holds for `y`. So if the
//! recursion holds on the 81 squares with coordinates below 9, it holds everywhere. This is checked
//! whenever a [`KnightBoard`] is made. ∎
//!
//! For nim-values no such period is found: they stay irregular along the diagonal of the board, and
//! the check fails for all periods up to 12 and preperiods below 30. They are taken from a table.
//!
//! Source: Ferguson, Example 2 and Figure 3, which have no proof.

use cggames::game::impartial::{Impartial, Knight, Square};

use crate::obligated::ObligatedValue;

/// The values of a knight on every square, periodic in both coordinates, by a finite proof.
///
/// ```
/// use cgsolvers::sums::KnightBoard;
/// use cggames::game::impartial::Square;
///
/// let board = KnightBoard::obligated();
/// assert_eq!((board.preperiod(), board.period()), (3, 4));
/// assert_eq!(board.value(Square::new(3, 4)).to_string(), "11");
/// assert_eq!(board.value(Square::new(4_000_005, 3)).to_string(), "10");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnightBoard<V> {
    preperiod: u32,
    period: u32,
    /// The values of the squares with coordinates below preperiod + period, row by row.
    values: Vec<V>,
}

impl KnightBoard<ObligatedValue> {
    /// Returns the obligated values, with preperiod 3 and period 4.
    pub fn obligated() -> KnightBoard<ObligatedValue> {
        let board = KnightBoard::prove(3, 4, &|options| {
            ObligatedValue::of_options(options.to_vec())
        });
        board.expect("the values of knights have period 4 from 3 on")
    }
}

impl<V: Copy + PartialEq> KnightBoard<V> {
    /// Returns the values by a rule from those of the options, if they are proved to have this
    /// preperiod and period in both coordinates.
    ///
    /// `None` means that the proof fails, so there is no such period.
    pub fn prove(preperiod: u32, period: u32, rule: &dyn Fn(&[V]) -> V) -> Option<KnightBoard<V>> {
        let board = KnightBoard {
            preperiod,
            period,
            values: block(preperiod + period, rule),
        };
        // Beyond preperiod + 2 no move reaches the edge or an unreduced coordinate.
        let side = preperiod + 2 + period;
        let squares = (0..side).flat_map(|y| (0..side).map(move |x| Square::new(x, y)));
        let satisfied = |square: Square| {
            let options: Vec<V> = options(square).map(|option| board.value(option)).collect();
            board.value(square) == rule(&options)
        };
        squares.into_iter().all(satisfied).then_some(board)
    }

    /// Returns the value of a square.
    pub fn value(&self, square: Square) -> V {
        let side = self.preperiod + self.period;
        let reduced = |i: u32| {
            if i < side {
                i
            } else {
                self.preperiod + (i - self.preperiod) % self.period
            }
        };
        self.values[(reduced(square.y) * side + reduced(square.x)) as usize]
    }

    /// Returns the coordinate from which on values repeat.
    pub fn preperiod(&self) -> u32 {
        self.preperiod
    }

    /// Returns the period of the values, in columns or rows.
    pub fn period(&self) -> u32 {
        self.period
    }
}

/// Returns the squares to which a knight on this one may move.
fn options(square: Square) -> impl Iterator<Item = Square> {
    Knight.options(&square).into_iter().flatten()
}

/// Returns the values of the squares with coordinates below `side`, row by row, by the recursion
/// alone.
fn block<V: Copy>(side: u32, rule: &dyn Fn(&[V]) -> V) -> Vec<V> {
    let diagonals = diagonals(2 * side.saturating_sub(1), rule);
    let squares = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
    squares
        .map(|(x, y)| diagonals[(x + y) as usize][x as usize])
        .collect()
}

/// Returns the values of the squares whose coordinates have a sum of at most `sum`: for each sum,
/// by column.
///
/// Moves lower the sum of the coordinates, so squares are valued in the order of that sum, by the
/// recursion alone. Cost: O(sum^2).
pub(super) fn diagonals<V: Copy>(sum: u32, rule: &dyn Fn(&[V]) -> V) -> Vec<Vec<V>> {
    let mut diagonals: Vec<Vec<V>> = Vec::new();
    for sum in 0..=sum {
        let diagonal = (0..=sum).map(|x| {
            let options = options(Square::new(x, sum - x));
            let values: Vec<V> = options
                .map(|o| diagonals[(o.x + o.y) as usize][o.x as usize])
                .collect();
            rule(&values)
        });
        let diagonal = diagonal.collect();
        diagonals.push(diagonal);
    }
    diagonals
}

#[cfg(test)]
mod tests {
    use super::super::mex;
    use super::*;

    fn obligated(options: &[ObligatedValue]) -> ObligatedValue {
        ObligatedValue::of_options(options.to_vec())
    }

    fn nim(options: &[u32]) -> u32 {
        mex(options.iter().copied())
    }

    #[test]
    fn figure_3_is_found_again() {
        let rows = [
            "01 01 10 10 00 01 10 10 00 01 10",
            "01 01 11 10 01 01 11 10 01 01 11",
            "10 11 11 11 11 11 11 11 11 11 11",
            "10 10 11 10 11 10 11 10 11 10 11",
            "00 01 11 11 00 01 10 11 00 01 10",
            "01 01 11 10 01 00 11 10 01 00 11",
            "10 11 11 11 10 11 10 11 10 11 10",
            "10 10 11 10 11 10 11 10 11 10 11",
            "00 01 11 11 00 01 10 11 00 01 10",
            "01 01 11 10 01 00 11 10 01 00 11",
            "10 11 11 11 10 11 10 11 10 11 10",
        ];
        let board = KnightBoard::obligated();
        for (y, row) in (0..).zip(rows) {
            let values: Vec<String> = (0..11)
                .map(|x| board.value(Square::new(x, y)).to_string())
                .collect();
            assert_eq!(values.join(" "), row, "row {y}");
        }
    }

    #[test]
    fn the_period_holds_on_40_by_40_squares_by_the_recursion_alone() {
        let board = KnightBoard::obligated();
        let values = block(40, &obligated);
        for y in 0..40 {
            for x in 0..40 {
                let place = (40 * y + x) as usize;
                assert_eq!(values[place], board.value(Square::new(x, y)), "{x},{y}");
                // Symmetric about the diagonal.
                assert_eq!(values[place], values[(40 * x + y) as usize]);
            }
        }
    }

    #[test]
    fn no_smaller_preperiod_or_period_is_proved() {
        for preperiod in 0..3 {
            assert_eq!(KnightBoard::prove(preperiod, 4, &obligated), None);
        }
        for period in 1..4 {
            for preperiod in 0..30 {
                assert_eq!(KnightBoard::prove(preperiod, period, &obligated), None);
            }
        }
    }

    #[test]
    fn nim_values_have_no_such_period() {
        for period in 1..=12 {
            for preperiod in 0..30 {
                assert_eq!(KnightBoard::prove(preperiod, period, &nim), None);
            }
        }
    }
}
