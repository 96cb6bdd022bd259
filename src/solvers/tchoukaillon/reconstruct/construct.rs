//! The number of stones from the first bins of a board, by the Chinese Remainder Theorem.

use thiserror::Error;

use crate::tchoukaillon::remainders::gcd;

/// The reason why a row of bins has no number of stones.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ConstructError {
    /// No board begins with the bins up to this one.
    #[error(
        "no winning board begins so: bin {bin} holds {stones}, which disagrees with the bins before \
         it; Theorem 4.5 gives the conditions"
    )]
    NoBoard {
        /// The first bin, in numbering b, with which no board agrees.
        bin: u64,
        /// Its stones.
        stones: u64,
    },
    /// The period of the bins does not fit in 128 bits.
    #[error(
        "the boards that begin with these {bins} bins repeat with a period beyond 128 bits; give at most \
         87 bins"
    )]
    Period {
        /// The number of bins.
        bins: usize,
    },
}

/// Returns the least number of stones of all boards whose first bins are these, nearest first: the
/// unique number below lcm(2, ..., i+1) for i bins.
///
/// By Theorem 4.2 the partial sums are the number modulo 2, 3, ..., i+1; Theorem 4.3 combines them.
/// O(i log i).
///
/// # Errors
///
/// [`ConstructError`] for bins with which no board begins, and for periods beyond 128 bits.
///
/// ```
/// use cgsolvers::tchoukaillon::reconstruct::constructed;
///
/// // Example 4.8, numbering beta: (m_2, ..., m_7) = (0, 1, 1, 0, 2, 2).
/// assert_eq!(constructed(&[0, 1, 1, 0, 2, 2]), Ok(202));
/// ```
pub fn constructed(bins: &[u64]) -> Result<u128, ConstructError> {
    let (mut number, mut period) = (0u128, 1u128);
    let mut sum = 0u128;
    for (bin, &stones) in (1u64..).zip(bins) {
        let modulus = u128::from(bin) + 1;
        let none = ConstructError::NoBoard { bin, stones };
        if stones > bin {
            return Err(none);
        }
        sum += u128::from(stones);
        let gcd = gcd(period, modulus);
        let missing = (sum % modulus + modulus - number % modulus) % modulus;
        if !missing.is_multiple_of(gcd) {
            return Err(none);
        }
        // At most bin + 1 steps, each by a period; the sum stays below the new period.
        let step = period % modulus;
        let mut reached = 0;
        let mut steps = 0u128;
        while reached != missing {
            reached = (reached + step) % modulus;
            steps += 1;
        }
        let wider = period.checked_mul(modulus / gcd);
        let too_wide = ConstructError::Period { bins: bins.len() };
        number += steps * period;
        period = wider.ok_or(too_wide)?;
    }
    Ok(number)
}
