//! The sparse space of a sequence of nim-values: its rare and its common values.
//!
//! A mask divides the values in two: `v` is *rare* if `v & mask` has an even number of ones, and
//! otherwise *common*. Parity is a homomorphism of the xor group, so for every mask
//!
//! - rare xor rare is rare,
//! - common xor common is rare,
//! - rare xor common is common, and no other pair is.
//!
//! So a heap reaches a common value only by leaving one rare and one common heap. If few heaps have
//! rare values, few pairs matter. The mask affects only the speed: no engine here assumes that a
//! heap has a common value.
//!
//! Source: Berlekamp, Conway and Guy, *Winning Ways*, chapter 4 (sparse spaces); A. Gangolli and
//! T. Plambeck, *A note on periodicity in some octal games* (1989).

/// A mask with the number of heaps of rare value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RareValues {
    pub(super) mask: u16,
    pub(super) heaps: u64,
}

impl RareValues {
    /// Returns the mask with the fewest rare heaps, the smallest of several, given the number of
    /// heaps of each value; `None` if all heaps have the value 0.
    ///
    /// Uses the Walsh-Hadamard transform of the counts, whose entry at a mask is the number of rare
    /// minus that of common heaps: O(V log V) for `V` values.
    pub(super) fn fewest(counts: &[u64]) -> Option<RareValues> {
        let used = counts.iter().rposition(|&count| count > 0)? + 1;
        let size = used.next_power_of_two();
        let mut balance: Vec<i64> = counts[..used].iter().map(|&count| count as i64).collect();
        balance.resize(size, 0);
        let mut half = 1;
        while half < size {
            for pair in balance.chunks_exact_mut(2 * half) {
                let (low, high) = pair.split_at_mut(half);
                for (a, b) in low.iter_mut().zip(high) {
                    (*a, *b) = (*a + *b, *a - *b);
                }
            }
            half *= 2;
        }
        let heaps = balance[0];
        let masks = balance.iter().enumerate().skip(1);
        let (mask, least) = masks.min_by_key(|&(_, &balance)| balance)?;
        Some(RareValues {
            mask: mask as u16,
            heaps: ((heaps + least) / 2) as u64,
        })
    }
}

/// Returns whether a value is rare; with the mask 0 all values are.
pub(super) fn is_rare(value: u16, mask: u16) -> bool {
    (value & mask).count_ones() & 1 == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mask_is_the_best_of_all() {
        let mut random = fastrand::Rng::with_seed(7);
        for size in [2usize, 5, 16, 33] {
            let counts: Vec<u64> = (0..size).map(|_| random.u64(..256)).collect();
            let rare = |mask: u16| -> u64 {
                let heaps = counts.iter().enumerate();
                heaps
                    .filter(|&(v, _)| is_rare(v as u16, mask))
                    .map(|(_, &count)| count)
                    .sum()
            };
            let found = RareValues::fewest(&counts).expect("values above 0");
            assert_eq!(found.heaps, rare(found.mask));
            let masks = 1..size.next_power_of_two() as u16;
            assert_eq!(masks.map(rare).min(), Some(found.heaps));
        }
    }

    #[test]
    fn without_values_above_zero_there_is_no_mask() {
        assert_eq!(RareValues::fewest(&[]), None);
        assert_eq!(RareValues::fewest(&[9]), None);
        assert_eq!(
            RareValues::fewest(&[1, 3]),
            Some(RareValues { mask: 1, heaps: 1 })
        );
    }
}
