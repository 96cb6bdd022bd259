//! All combinations of the values of some variables, the first variable slowest.

use super::values::Values;

/// Returns the number of combinations, if it is below 2^64.
pub(super) fn count(values: &[Values]) -> Option<u64> {
    let mut values = values.iter();
    values.try_fold(1u64, |count, values| count.checked_mul(values.len()))
}

/// Returns the combination of a rank, which is below their number.
pub(super) fn combination(values: &[Values], rank: u64) -> Vec<i64> {
    let mut rest = rank;
    let mut combination = vec![0; values.len()];
    for (slot, values) in combination.iter_mut().zip(values).rev() {
        *slot = values.get(rest % values.len());
        rest /= values.len();
    }
    combination
}
