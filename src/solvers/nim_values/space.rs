//! The sparse space of a sequence of nim-values: its rare and its common values.
//!
//! # Rare and common
//!
//! A space has a mask, and may depend on the parity of heaps. Let `s` be 1 if it does, otherwise 0,
//! and let `t` be a number of tokens. With the parities
//!
//! ```text
//! X(n, v) = ones in v & mask + s (n + t)   (mod 2)
//! ```
//!
//! the number `v` is *rare* for heap `n` if `X(n, v)` is 0, and otherwise *common*. A heap is rare
//! if its value is rare for it.
//!
//! **Theorem.** Suppose that a move in heap `n` takes `k` tokens and leaves the heaps `a` and `b`,
//! where `s = 0` or `k = t` (mod 2). Then `X(n, G(a) xor G(b)) = X(a, G(a)) + X(b, G(b))`.
//!
//! *Proof.* The parity of ones is a homomorphism of the xor group. The other terms are `s (a + t)
//! + s (b + t) = s (n - k) = s (n + t)` (mod 2). ∎
//!
//! So the option is common for `n` if and only if one of the two heaps is rare and the other common.
//! If few heaps are rare, few pairs decide about the common numbers. The space affects only the
//! speed: no engine here assumes that a heap is common.
//!
//! A space with `s = 1` needs moves to two heaps that all take an even number of tokens, or all an
//! odd one. No further spaces of this kind exist: a homomorphism from the sizes of heaps to the
//! integers mod 2 is 0 or the parity. So sizes modulo another number add no space.
//!
//! # Labels
//!
//! Let `f` be the lowest bit of the mask. The *label* of a number `v` for heap `n` is `v` if `s (n +
//! t)` is even, and otherwise `v xor f`.
//!
//! - A number is rare if its label has an even number of ones under the mask: flipping `f` adds 1.
//! - If heap `n` has the option `v = g xor G(n - o)`, the label of `v` for `n` is that of `G(n - o)`
//!   for `n - o`, xor `g`, and xor `f` if `s o` is odd. So a move leads from labels to labels by
//!   one xor for all heaps.
//! - The numbers that are common for a heap, in ascending order, have the same labels for all
//!   heaps. For let `c < d` be common for heap `n`, and let `h` be the highest bit in which they
//!   differ. If `h` is not `f`, their labels differ there in the same way. And `h` cannot be `f`:
//!   then `c & mask` and `d & mask` would differ in this bit alone, and one of the two would be
//!   rare.
//!
//! Therefore rows of heaps with equal labels serve even and odd heaps alike.
//!
//! Source: Berlekamp, Conway and Guy, *Winning Ways*, chapter 4 (sparse spaces); A. Gangolli and
//! T. Plambeck, *A note on periodicity in some octal games* (1989).

/// The value `g` of one heap of an option, and an offset `o`: heap `n` has the option `g xor G(n -
/// o)` for all `n` above `o`.
///
/// A heap of `i` tokens has the offsets `i + k` for the numbers `k` that may be taken to leave two
/// heaps. Moves that leave one heap have the value 0 and the offset `k`, as if with an empty heap.
pub(super) type Shift = (u16, usize);

/// A division of the numbers into rare and common ones, for each heap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Space {
    /// The bits of a label that are counted; 0 if all numbers are rare.
    mask: u16,
    /// The bits of a number that its label for even heaps, and for odd heaps, has flipped.
    flips: [u16; 2],
}

impl Space {
    /// Returns the space that does not depend on heaps; with the mask 0 all numbers are rare.
    pub(super) fn new(mask: u16) -> Space {
        let flips = [0; 2];
        Space { mask, flips }
    }

    /// Returns the space that depends on the parity of heaps, for a game whose moves to two heaps
    /// all take a number of tokens with the parity of `taken`.
    pub(super) fn with_parity(mask: u16, taken: usize) -> Space {
        let mut flips = [0; 2];
        flips[(taken + 1) % 2] = mask & mask.wrapping_neg();
        Space { mask, flips }
    }

    /// Returns whether all numbers are rare.
    pub(super) fn is_whole(self) -> bool {
        self.mask == 0
    }

    /// Returns the highest bit of the mask, if there is one.
    pub(super) fn highest_bit(self) -> Option<u32> {
        self.mask.checked_ilog2()
    }

    /// Returns the spaces of these masks, those by parity only if `taken` is present.
    #[cfg(test)]
    pub(super) fn of_masks(masks: &[u16], taken: Option<usize>) -> Vec<Space> {
        let plain = masks.iter().map(|&mask| Space::new(mask));
        let by_parity = masks.iter().filter(|&&mask| mask > 0);
        let by_parity = taken.into_iter().flat_map(|taken| {
            let spaces = by_parity.clone();
            spaces.map(move |&mask| Space::with_parity(mask, taken))
        });
        plain.chain(by_parity).collect()
    }

    /// Returns whether the parity of heaps matters.
    #[cfg(test)]
    pub(super) fn has_parity(self) -> bool {
        self.flips != [0; 2]
    }

    /// Returns the label of a number for a heap, or the number with that label.
    pub(super) fn label(self, heap: usize, number: u16) -> u16 {
        number ^ self.flips[heap % 2]
    }

    /// Returns the shift with the label that it adds to labels instead of its value.
    pub(super) fn shift(self, (value, offset): Shift) -> Shift {
        match offset % 2 {
            0 => (value, offset),
            _ => (value ^ self.flips[0] ^ self.flips[1], offset),
        }
    }

    /// Returns whether numbers with a label are rare.
    pub(super) fn is_rare_label(self, label: u16) -> bool {
        (label & self.mask).count_ones() & 1 == 0
    }

    /// Returns whether a number is rare for a heap.
    pub(super) fn is_rare(self, heap: usize, number: u16) -> bool {
        self.is_rare_label(self.label(heap, number))
    }
}

/// A space with its number of rare heaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RareHeaps {
    pub(super) space: Space,
    pub(super) heaps: u64,
}

impl RareHeaps {
    /// Returns the space with the fewest rare heaps, given the numbers of even and of odd heaps
    /// with each value; `None` if all heaps have the value 0. Spaces that depend on the parity of
    /// heaps are considered if all moves to two heaps take a number of tokens with the parity of
    /// `taken`. Of several, the first is one that does not, then the one with the smallest mask.
    ///
    /// Uses the Walsh-Hadamard transform of the counts, whose entry at a mask is the number of heaps
    /// with an even number of ones minus that of the others: O(V log V) for `V` values.
    pub(super) fn fewest(counts: &[[u64; 2]], taken: Option<usize>) -> Option<RareHeaps> {
        let used = counts.iter().rposition(|&[even, odd]| even + odd > 0)? + 1;
        let [even, odd] = [0, 1].map(|odd| balance(counts[..used].iter().map(|count| count[odd])));
        let heaps = even[0] + odd[0];
        let masks = || (1..).zip(even.iter().zip(&odd).skip(1));
        let plain = masks().map(|(mask, (even, odd))| (even + odd, Space::new(mask)));
        let by_parity = taken.into_iter().flat_map(|taken| {
            masks().map(move |(mask, (even, odd))| {
                let more_rare = if taken % 2 == 0 {
                    even - odd
                } else {
                    odd - even
                };
                (more_rare, Space::with_parity(mask, taken))
            })
        });
        let (least, space) = plain
            .chain(by_parity)
            .min_by_key(|&(more_rare, _)| more_rare)?;
        Some(RareHeaps {
            space,
            heaps: ((heaps + least) / 2) as u64,
        })
    }
}

/// Returns the Walsh-Hadamard transform of some counts, extended to a power of two.
fn balance(counts: impl Iterator<Item = u64>) -> Vec<i64> {
    let mut balance: Vec<i64> = counts.map(|count| count as i64).collect();
    balance.resize(balance.len().next_power_of_two(), 0);
    let mut half = 1;
    while half < balance.len() {
        for pair in balance.chunks_exact_mut(2 * half) {
            let (low, high) = pair.split_at_mut(half);
            for (a, b) in low.iter_mut().zip(high) {
                (*a, *b) = (*a + *b, *a - *b);
            }
        }
        half *= 2;
    }
    balance
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Spaces of all kinds, and numbers that moves may take in them.
    fn spaces() -> Vec<(Space, Vec<usize>)> {
        let masks = [1, 2, 0x0c, 0x2d, 0x30];
        let spaces = masks.map(|mask| {
            [
                (Space::new(mask), vec![0, 1, 2, 3]),
                (Space::with_parity(mask, 0), vec![0, 2, 4]),
                (Space::with_parity(mask, 3), vec![1, 3, 5]),
            ]
        });
        spaces.concat()
    }

    #[test]
    fn options_are_common_if_one_of_two_heaps_is() {
        let mut random = fastrand::Rng::with_seed(3);
        for (space, taken) in spaces() {
            for _ in 0..2000 {
                let [a, b] = [0; 2].map(|_| random.usize(..100));
                let [g, h] = [0; 2].map(|_| random.u16(..64));
                let n = a + b + taken[random.usize(..taken.len())];
                let is_mixed = space.is_rare(a, g) != space.is_rare(b, h);
                assert_eq!(space.is_rare(n, g ^ h), !is_mixed);
                // As a shift of labels.
                let (added, offset) = space.shift((g, n - b));
                assert_eq!(offset, n - b);
                assert_eq!(space.label(n, g ^ h), space.label(b, h) ^ added);
            }
        }
    }

    #[test]
    fn common_numbers_have_the_same_labels_in_the_same_order() {
        for (space, _) in spaces() {
            let labels = |heap: usize| -> Vec<u16> {
                let common = (0..64).filter(|&number| !space.is_rare(heap, number));
                common.map(|number| space.label(heap, number)).collect()
            };
            assert_eq!(labels(0), labels(1));
            assert!(labels(0).is_sorted() && labels(0).len() == 32);
            for number in 0..64 {
                assert_eq!(space.label(1, space.label(1, number)), number);
            }
        }
    }

    #[test]
    fn the_space_is_the_best_of_all() {
        let mut random = fastrand::Rng::with_seed(7);
        let mut with_parity = 0;
        for size in [2usize, 5, 16, 33] {
            for taken in [None, Some(0), Some(3)] {
                let counts: Vec<[u64; 2]> = (0..size)
                    .map(|_| [random.u64(..256), random.u64(..256)])
                    .collect();
                let rare = |space: Space| -> u64 {
                    let heaps = (0..).zip(&counts).flat_map(|(v, count)| {
                        (0..2).map(move |odd| if space.is_rare(odd, v) { count[odd] } else { 0 })
                    });
                    heaps.sum()
                };
                let found = RareHeaps::fewest(&counts, taken).expect("values above 0");
                assert_eq!(found.heaps, rare(found.space));
                let masks = 1..size.next_power_of_two() as u16;
                let spaces = masks.flat_map(|mask| {
                    let by_parity = taken.map(|taken| Space::with_parity(mask, taken));
                    std::iter::once(Space::new(mask)).chain(by_parity)
                });
                assert_eq!(spaces.map(rare).min(), Some(found.heaps));
                with_parity += u32::from(found.space.has_parity());
            }
        }
        assert!(with_parity > 2, "{with_parity}");
    }

    #[test]
    fn without_values_above_zero_there_is_no_space() {
        assert_eq!(RareHeaps::fewest(&[], None), None);
        assert_eq!(RareHeaps::fewest(&[[4, 5]], Some(1)), None);
        let space = Space::new(1);
        let found = RareHeaps::fewest(&[[1, 0], [1, 2]], None);
        assert_eq!(found, Some(RareHeaps { space, heaps: 1 }));
    }
}
