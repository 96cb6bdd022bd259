//! The sieve of first plays: strike every second number, then every third of the remaining numbers,
//! and so on.
//!
//! S^(k) holds the numbers of stones whose board is first played in bin k or beyond. S^(1) is all
//! of 1, 2, 3, ...; to go from S^(k) to S^(k+1), strike the entries at places 1, k+2, 2k+3, ...
//! (places j(k+1)+1). Its first entries are the N(l). It is the sieve of Erdős, Jabotinsky and
//! David.
//!
//! Source: Theorem 3.7.

use super::quotient::raise;

/// Returns S^(k) up to a number of stones, by sieving: O(k · entries).
///
/// ```
/// use cgsolvers::tchoukaillon::sieve::sieve;
///
/// assert_eq!(sieve(3, 28), [4, 6, 10, 12, 16, 18, 22, 24, 28]);
/// ```
pub fn sieve(round: u64, stones_max: u64) -> Vec<u64> {
    let mut left: Vec<u64> = (1..=stones_max).collect();
    for k in 1..round {
        // Once nothing is left, further rounds change nothing.
        if left.is_empty() {
            break;
        }
        let mut place = 0;
        left.retain(|_| {
            let kept = place > 0;
            place = if place == k { 0 } else { place + 1 };
            kept
        });
    }
    left
}

/// Returns the i-th entry of S^(k), counted from 1, without computing those before it: O(k) or
/// better.
///
/// A board is first played in bin k or beyond if and only if it has the fewest stones among the
/// boards with its number of stones in bin k and beyond. Those numbers are k, 2k, 3k, ..., so the
/// i-th entry has i·k stones there, and Theorem 3.5's rounding gives the rest. `None` for round or
/// place 0, and if the entry could exceed 126 bits.
///
/// ```
/// use cgsolvers::tchoukaillon::sieve::entry;
///
/// // S^(5) = 10, 12, 18, 22, 30, ...
/// assert_eq!([1, 2, 5].map(|i| entry(5, i)), [Some(10), Some(12), Some(30)]);
/// ```
pub fn entry(round: u64, place: u64) -> Option<u128> {
    if round == 0 || place == 0 {
        return None;
    }
    // In addition to place · round stones there are at most 1 + 2 + ... + (round - 1).
    let round_wide = u128::from(round);
    let bound = u128::from(place).checked_mul(round_wide)?;
    let bound = bound.checked_add(round_wide * (round_wide - 1) / 2)?;
    (bound < 1 << 126).then(|| raise(u128::from(place), round, 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tchoukaillon::boards::Boards;

    #[test]
    fn the_sieve_keeps_what_is_first_played_far_away() {
        let mut boards = Boards::starting_at(1).expect("a small board");
        let mut first_plays = vec![0];
        for _ in 1..=3000 {
            first_plays.push(boards.first_play().expect("stones") as u64);
            boards.advance();
        }
        for k in 1..70 {
            let left = sieve(k, 3000);
            let kept = (1..=3000).filter(|&n| first_plays[n as usize] >= k);
            assert!(kept.eq(left.iter().copied()), "{k}");
            for (place, &n) in (1..).zip(&left) {
                assert_eq!(entry(k, place), Some(u128::from(n)));
            }
        }
    }

    #[test]
    fn ends() {
        assert_eq!(sieve(1, 3), [1, 2, 3]);
        assert!(sieve(u64::MAX, 100).is_empty());
        assert!(sieve(4, 0).is_empty());
        assert_eq!((entry(0, 1), entry(1, 0)), (None, None));
        assert_eq!(entry(u64::MAX, u64::MAX), None);
        assert_eq!(entry(1, 77), Some(77));
    }
}
