//! Remainder boards, increasing remainder boards, and the periods of bins.
//!
//! The remainder board of n is c(n) = (n mod 2, n mod 3, ...). Made increasing, so that each entry
//! becomes the least number of its class that is not below the entry before, it becomes the
//! sequence of partial sums of the Tchoukaillon board: Theorem 4.2. Entries are numbered from 2, as
//! bins are in the paper's second numbering `beta_i = b_{i-1}`.
//!
//! Source: Definition 4.1, Theorem 4.2, Corollary 2.3.

use super::boards::bins;

/// Returns the infinite sequence c_2(n), c_3(n), ...: n modulo 2, 3, ....
///
/// ```
/// use cgsolvers::tchoukaillon::remainders::remainder_board;
///
/// let board: Vec<u128> = remainder_board(29).take(5).collect();
/// assert_eq!(board, [1, 2, 1, 4, 5]);
/// ```
pub fn remainder_board(stones: u128) -> impl Iterator<Item = u128> {
    (2u128..).map(move |i| stones % i)
}

/// Returns the infinite increasing remainder board, from entry 2 on: the stones in the first bin,
/// in the first two bins, and so on; constantly n from the board's length on.
///
/// ```
/// use cgsolvers::tchoukaillon::remainders::increasing_remainder_board;
///
/// // The board of 15 stones is (1, 2, 0, 2, 4, 6).
/// let sums: Vec<u128> = increasing_remainder_board(15).take(7).collect();
/// assert_eq!(sums, [1, 3, 3, 5, 9, 15, 15]);
/// ```
pub fn increasing_remainder_board(stones: u128) -> impl Iterator<Item = u128> {
    let endless = bins(stones).chain(std::iter::repeat(0));
    endless.scan(0, |sum, bin| {
        *sum += u128::from(bin);
        Some(*sum)
    })
}

/// Returns the period of the first i bins taken together, lcm(2, ..., i+1); `None` beyond 128 bits,
/// that is, from i = 88 on.
///
/// Corollary 2.3: the boards of n and n + k stones agree in their first i bins if and only if the
/// period divides k.
///
/// ```
/// use cgsolvers::tchoukaillon::remainders::period;
///
/// assert_eq!([1, 2, 3].map(period), [Some(2), Some(6), Some(12)]);
/// ```
pub fn period(bins: u64) -> Option<u128> {
    let mut period = 1u128;
    for i in 2..=u128::from(bins) + 1 {
        period = period.checked_mul(i / gcd(period, i))?;
    }
    Some(period)
}

/// Returns the greatest common divisor.
pub(super) fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn increasing_boards_are_made_from_remainders_as_defined() {
        for n in 0..500u128 {
            let mut before = 0;
            let remainders = remainder_board(n).take(60);
            let increasing = increasing_remainder_board(n);
            for ((i, remainder), sum) in (2..).zip(remainders).zip(increasing) {
                let mut next: u128 = before;
                while next % i != remainder {
                    next += 1;
                }
                assert_eq!(sum, next, "{n}, entry {i}");
                before = next;
            }
        }
    }

    #[test]
    fn periods_are_the_least() {
        let first = |n: u128, i: usize| {
            let endless = bins(n).chain(std::iter::repeat(0));
            endless.take(i).collect::<Vec<u64>>()
        };
        for i in 1..=7 {
            let period = period(i as u64).expect("a small period");
            let repeats = |k: u128| (0..period).all(|n| first(n, i) == first(n + k, i));
            assert!(repeats(period));
            assert!((1..period).all(|k| !repeats(k)));
        }
        assert_eq!(period(87).map(|p| p.is_multiple_of(88)), Some(true));
        assert_eq!(period(88), None);
    }
}
