//! Equality of the values of two codes.
//!
//! The values of a code are the only sequence that satisfies its recursion. So instead of computing
//! the values of another code, this module applies its recursion to the existing ones. Which totals
//! split into P-positions depends only on the values, not on the code. It is already known, so
//! shifting and joining words suffices.

use super::super::heaps::HeapValues;
use crate::heaps::moves::Moves;

/// Returns the first heap for which these values fail the recursion of other moves, if any: the
/// values before it are those of the other moves, and at it they differ.
///
/// The other moves must take at most 64 tokens, and leave no more parts than totals were split
/// into. Cost: O(digits * len / 64).
pub(super) fn first_difference(values: &HeapValues, moves: &Moves) -> Option<usize> {
    for word in 0..values.len().div_ceil(64) {
        let wanted = demanded(values, moves, word);
        let differ = (wanted[0] ^ values.digits[0][word]) | (wanted[1] ^ values.digits[1][word]);
        let left = values.len() - 64 * word;
        let known = if left < 64 { !(!0 << left) } else { !0 };
        if differ & known != 0 {
            return Some(64 * word + (differ & known).trailing_zeros() as usize);
        }
    }
    None
}

/// Returns the values that the recursion of `moves` gives for the heaps of one word.
fn demanded(values: &HeapValues, moves: &Moves, word: usize) -> [u64; 2] {
    let splits = &values.splits;
    let [mut normal, mut misere, mut option] = [0u64; 3];
    for (taken, digit) in moves.digits() {
        if digit & 1 != 0 && taken / 64 == word {
            normal |= 1 << (taken % 64);
            option |= 1 << (taken % 64);
        }
        let shifted = |read: &dyn Fn(usize) -> u64| {
            let (whole, part) = (taken / 64, taken % 64);
            let at = |back: usize| word.checked_sub(back).map_or(0, read);
            at(whole) << part | (at(whole + 1) >> 1) >> (63 - part)
        };
        if digit & 2 != 0 {
            normal |= shifted(&|w| splits.single(w)[0]);
            misere |= shifted(&|w| splits.single(w)[1]);
            option |= from(taken + 1, word);
        }
        if digit & 4 != 0 {
            normal |= shifted(&|w| splits.two[0][w]);
            misere |= shifted(&|w| splits.two[1][w]);
            option |= from(taken + 2, word);
        }
        if digit & 8 != 0 {
            normal |= shifted(&|w| splits.three[0][w]);
            misere |= shifted(&|w| splits.three[1][w]);
            option |= from(taken + 3, word);
        }
    }
    [normal, misere | !option]
}

/// Returns the bits of a word for numbers from `least` on.
fn from(least: usize, word: usize) -> u64 {
    match least.saturating_sub(64 * word) {
        below @ 0..64 => !0 << below,
        _ => 0,
    }
}

/// Returns whether two codes differ only in moves that leave no heap.
///
/// If their values up to the longest move are equal, all are: a larger heap has the same options in
/// both.
pub(super) fn differ_in_endings_only(one: &Moves, other: &Moves) -> bool {
    one.short[1..] == other.short[1..] && one.whole == other.whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_where_the_values_part() {
        let code = |place: usize| [0, place / 64, place / 8 % 8, place % 8].map(|d| d as u8);
        let mut engine = HeapValues::default();
        let mut all = Vec::new();
        for place in 0..512 {
            engine.restart_with(&code(place), 2);
            engine.extend(200);
            all.push(engine.clone());
        }
        let mut compared = 0;
        for (i, one) in all.iter().enumerate() {
            for other in all.iter().skip(i % 7).step_by(7) {
                let apart = (0..200).find(|&n| one.value(n) != other.value(n));
                assert_eq!(first_difference(one, &other.moves), apart);
                compared += usize::from(apart.is_none());
            }
        }
        assert!(compared > 512, "{compared}");
    }

    #[test]
    fn hexadecimal_codes_part_where_their_values_do() {
        let mut engine = HeapValues::default();
        let mut all = Vec::new();
        for place in (0..=255).step_by(3) {
            engine.restart_with(&[0, place / 16, place % 16], 3);
            engine.extend(100);
            all.push(engine.clone());
        }
        for one in &all {
            for other in &all {
                let apart = (0..100).find(|&n| one.value(n) != other.value(n));
                assert_eq!(first_difference(one, &other.moves), apart);
            }
        }
    }
}
