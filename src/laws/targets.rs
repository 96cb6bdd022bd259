//! The cost of entries without a relation, and the sequences too simple to be targets of one.

use std::collections::BTreeMap;

use super::bits::{by_frequency, of_integer};
use super::recurrences::{order, recurrence};
use super::sought::Sought;

/// The least number of given entries that differ from their predecessors.
///
/// Of 1,200,000 ordered pairs of random sequences of 8 to 49 entries, among them sorted ones and
/// runs of 0 and 1, 64 had a relation without this constant: few sequences rise by 1 at two places.
/// With it, 2 of 2,000,000 had one.
const CHANGES_LEAST: usize = 6;

/// The greatest order of a recurrence that makes a sequence too simple to be a target.
const ORDER_MAX: usize = 2;

/// The greatest degree of a polynomial that makes a sequence too simple to be a target.
const DEGREE_MAX: usize = 3;

/// The most entries at the beginning that such a recurrence or polynomial may leave out.
const BEGINNINGS: usize = 2;

/// Returns whether entries seldom change, have a recurrence of low order or are a polynomial of low
/// degree.
pub(super) fn is_simple(entries: &[i128]) -> bool {
    let is_polynomial = |entries: &[i128]| {
        let mut last = entries.to_vec();
        for _ in 0..=DEGREE_MAX {
            last = differences(&last);
        }
        last.len() + DEGREE_MAX + 1 == entries.len() && last.iter().all(|&x| x == 0)
    };
    let changes = entries.windows(2).filter(|pair| pair[0] != pair[1]);
    if changes.count() < CHANGES_LEAST {
        return true;
    }
    (0..=BEGINNINGS).any(|begin| {
        let rest = entries.get(begin..).unwrap_or_default();
        order(rest) <= ORDER_MAX || is_polynomial(rest)
    })
}

/// Returns the bits of entries, written the cheapest way: one by one; the distinct ones once, and
/// then their order; either of these for the differences; or a recurrence with its first entries.
///
/// Cost: O(entries^2), for the recurrence.
pub(super) fn cost(entries: &[i128]) -> f64 {
    let one_by_one = |entries: &[i128]| entries.iter().map(|&entry| of_integer(entry)).sum::<f64>();
    // The distinct ones once, each by its distance from the next lower one, and then their order.
    let by_order = |entries: &[i128]| {
        let mut counts: BTreeMap<i128, usize> = BTreeMap::new();
        for &entry in entries {
            *counts.entry(entry).or_default() += 1;
        }
        let costs = by_frequency(counts.values().copied());
        let order = counts.values().zip(costs);
        let order: f64 = order.map(|(&count, cost)| count as f64 * cost).sum();
        let distinct = counts.keys().zip(counts.keys().skip(1));
        let distances = distinct.map(|(below, above)| {
            let between = i128::try_from(above.abs_diff(*below) - 1);
            // A distance has no sign.
            of_integer(between.unwrap_or(i128::MAX)) - 1.0
        });
        counts.keys().next().map_or(0.0, |&least| of_integer(least))
            + distances.sum::<f64>()
            + order
    };
    let plain = |entries: &[i128]| one_by_one(entries).min(by_order(entries));
    let mut cost = plain(entries);
    let steps = differences(entries);
    if steps.len() + 1 == entries.len() {
        cost = cost.min(of_integer(entries[0]) + plain(&steps));
    }
    if let Sought::Found(found) = recurrence(entries) {
        cost = cost.min(one_by_one(entries) - found.bits);
    }
    cost
}

/// Returns the differences of entries up to the first that does not fit.
pub(super) fn differences(entries: &[i128]) -> Vec<i128> {
    let pairs = entries.windows(2);
    pairs
        .map_while(|pair| pair[1].checked_sub(pair[0]))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(of: impl Fn(i128) -> i128) -> Vec<i128> {
        (0..12).map(of).collect()
    }

    #[test]
    fn constants_lines_cubics_and_powers_are_simple() {
        assert!(is_simple(&[]));
        assert!(is_simple(&entries(|_| 3)));
        assert!(is_simple(&entries(|n| 5 - 2 * n)));
        assert!(is_simple(&entries(|n| n * n * n - n)));
        assert!(is_simple(&entries(|n| 3 * (1 << n) - 1)));
        assert!(is_simple(&entries(|n| n / 3)));
        // From the third entry on.
        assert!(is_simple(&entries(|n| if n < 2 { 99 } else { 7 * n })));
        assert!(!is_simple(&entries(|n| n * n * n * n)));
        assert!(!is_simple(&entries(|n| n * n % 11)));
        let primes = [2, 3, 5, 7, 11, 13, 17, 19];
        assert!(!is_simple(&primes));
        assert!(!is_simple(&primes.map(|p| (p % 7 - 3) * (i128::MAX / 4))));
    }

    #[test]
    fn entries_are_written_the_cheapest_way() {
        // A sign and 5 more bits.
        assert_eq!(cost(&[3]), 6.0);
        // Two distinct entries, 0 and the next integer, and one of 20 orders.
        let order = 20f64.log2();
        assert!((cost(&[1, 0, 1, 0, 0, 1]) - (2.0 + 1.0 + order)).abs() < 1e-9);
        // The first entry, and one step.
        let thousands: Vec<i128> = (0..9).map(|n| 1000 + 100 * n).collect();
        assert_eq!(cost(&thousands), of_integer(1000) + of_integer(100));
        // Three entries and three coefficients instead of sixty entries.
        let mut sums = vec![1, 2, 4];
        for n in 3..60 {
            sums.push(2 * sums[n - 1] - sums[n - 3]);
        }
        assert_eq!(cost(&sums), 4.0 + 4.0 + 6.0 + 4.0 + 2.0 + 4.0);
        assert!(cost(&[i128::MIN, i128::MAX, 0]) > 500.0);
    }
}
