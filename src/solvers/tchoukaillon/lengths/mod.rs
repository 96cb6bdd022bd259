//! Lengths of boards: L(n), the fewest stones N(l) of a board of length l, and all N(l) in a range.
//!
//! N(l) is 1, 2, 4, 6, 10, 12, 18, ... (OEIS A002491) and equals `l²/pi + O(l)`. Adding stones
//! never shortens boards, so the boards of length l are those of N(l) to N(l+1) - 1 stones.
//!
//! Source: Theorem 3.5; the asymptotic formula is Broline and Loeb's, quoted in Section 1.2.

mod lanes;

use super::quotient::{last_bin, last_bin_counted, raise_counted};

pub use lanes::fill;

/// Returns N(l), the fewest stones of a winning board of this length, in O(l^(2/3)) steps.
///
/// By Theorem 3.5: start with l, and round up to a multiple of l - 1, of l - 2, ..., of 1. The
/// result fits in 127 bits for every length. About 1 s of processor time for l = 10^12.
///
/// ```
/// use cgsolvers::tchoukaillon::lengths::shortest;
///
/// // 6, to a multiple of 5: 10, of 4: 12, of 3, 2 and 1: 12.
/// assert_eq!(shortest(6), 12);
/// assert_eq!(shortest(0), 0);
/// ```
pub fn shortest(length: u64) -> u128 {
    shortest_counted(length, || ())
}

/// As [`shortest`], and calls `step` for each of its steps.
pub fn shortest_counted(length: u64, step: impl FnMut()) -> u128 {
    match length {
        0 => 0,
        length => raise_counted(1, length, 1, step),
    }
}

/// Returns L(n), the length of the winning board of n stones, in O(n^(1/3)) steps.
///
/// ```
/// use cgsolvers::tchoukaillon::lengths::length;
///
/// assert_eq!(length(11), 5);
/// assert_eq!(length(12), 6);
/// ```
pub fn length(stones: u128) -> u128 {
    last_bin(stones)
}

/// As [`length`](fn@length), and calls `step` for each of its steps.
pub fn length_counted(stones: u128, step: impl FnMut()) -> u128 {
    last_bin_counted(stones, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Theorem 3.5 literally, one rounding after another.
    fn shortest_by_rounding(length: u128) -> u128 {
        (1..length)
            .rev()
            .fold(length, |stones, i| stones.div_ceil(i) * i)
    }

    #[test]
    fn runs_agree_with_rounding() {
        for l in (0..3000).chain([12_345, 100_000]) {
            assert_eq!(shortest(l), shortest_by_rounding(u128::from(l)), "{l}");
        }
        assert_eq!(shortest(1_000_000_000), 318_309_886_063_239_022);
    }

    #[test]
    fn lengths_and_fewest_stones_agree() {
        for l in 1..2000 {
            assert_eq!(length(shortest(l)), u128::from(l));
            assert_eq!(length(shortest(l) - 1), u128::from(l) - 1);
        }
        let last = shortest(100_000_000);
        assert_eq!(length(last), 100_000_000);
        assert_eq!(length(last - 1), 99_999_999);
    }
}
