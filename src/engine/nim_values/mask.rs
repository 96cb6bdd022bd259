//! The sparse space of a sequence of nim-values: which values are rare.
//!
//! A mask divides the values in two: `v` is *rare* where `v & mask` has an even number of ones, else
//! *common*. Parity is a homomorphism of the xor group, so whatever the mask, and by this alone,
//!
//! - rare xor rare is rare,
//! - common xor common is rare,
//! - rare xor common is common, and nothing else is.
//!
//! So a heap can reach a common value only by leaving one rare and one common heap, and where few
//! heaps have rare values, few pairs need to be looked at. The mask is a matter of speed alone: no
//! engine here takes it for granted that a heap has a common value.
//!
//! Source: Berlekamp, Conway and Guy, *Winning Ways*, chapter 4 (sparse spaces); A. Gangolli and
//! T. Plambeck, *A note on periodicity in some octal games* (1989).

/// A mask with the number of heaps whose values are rare by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RareValues {
    pub(super) mask: u16,
    pub(super) heaps: u64,
}

impl RareValues {
    /// Returns the mask by which the fewest heaps are rare, the smallest of several, given how many heaps
    /// have each value; none where all heaps have the value 0.
    ///
    /// By the Walsh-Hadamard transform of the counts, whose entry at a mask is rare less common heaps: for
    /// `V` values O(V log V).
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

/// Returns whether a value is rare; with the mask 0 all are.
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
