//! The first 64 values of a code, in registers.
//!
//! For 64 heaps each set fits a word: the heaps of each class, the same mirrored, and the totals
//! that split in two. So this needs no memory, and no engine for each code; it is tested against
//! the engine.

use super::super::heaps::HeapValues;
use crate::heaps::moves::Moves;

/// The first 64 values of a code: bit `n` means that the heap `n` is N, by ending.
pub(super) type Prefix = [u64; 2];

/// Returns the first 64 values. `engine` is used for codes with splits into three.
pub(super) fn prefix(moves: &Moves, digits: &[u8], engine: &mut HeapValues) -> Prefix {
    if moves.parts_max() == 3 {
        engine.restart_with(digits, 3);
        engine.extend(64);
        return [engine.digits[0][0], engine.digits[1][0]];
    }
    in_registers(moves)
}

/// Returns the first 64 values of a code of at most 64 digits, none above 7.
fn in_registers(moves: &Moves) -> Prefix {
    let [none, one, two, _] = moves.short;
    let whole = moves.whole & 4 != 0;
    // The heaps in A, B, Z, O (see `splits`), and the same with the heap n - t as bit t, for t from
    // 1.
    let (mut a, mut b, mut z, mut o) = (0u64, 0u64, 0u64, 0u64);
    let (mut near_a, mut near_b) = (0u64, 0u64);
    // As bit t, whether n - 1 - t is a P-position to leave, or splits into one; and which heaps
    // have an option.
    let (mut left, mut split) = ([0u64; 2], [0u64; 2]);
    let (mut normal_n, mut misere_n) = (0u64, 0u64);
    let (mut heaps, mut totals) = (0u64, 0u64);
    for n in 0..64 {
        // Each pair is seen from both sides, so one product of each kind is enough.
        let two_normal = (a & near_a) | (b & near_b) != 0;
        let two_misere = (z & near_a) | (o & near_b) != 0;
        let all = n > 0 && none >> (n - 1) & 1 != 0;
        let normal = (left[0] & one) | (split[0] & two) != 0 || all || (whole && two_normal);
        let misere = (left[1] & one) | (split[1] & two) != 0 || (whole && two_misere);
        let option = (heaps & one) | (totals & two) != 0 || all || (whole && n >= 2);
        let misere = misere || !option;
        normal_n |= u64::from(normal) << n;
        misere_n |= u64::from(misere) << n;
        let part = n > 0;
        let bits = [
            part && !normal,
            part && normal && !misere,
            part && !normal && !misere,
            part && !normal && misere,
        ]
        .map(u64::from);
        (a, b, z, o) = (
            a | bits[0] << n,
            b | bits[1] << n,
            z | bits[2] << n,
            o | bits[3] << n,
        );
        near_a = (near_a | bits[0]) << 1;
        near_b = (near_b | bits[1]) << 1;
        left = [
            left[0] << 1 | u64::from(part && !normal),
            left[1] << 1 | u64::from(part && !misere),
        ];
        split = [
            split[0] << 1 | u64::from(two_normal),
            split[1] << 1 | u64::from(two_misere),
        ];
        heaps = heaps << 1 | u64::from(part);
        totals = totals << 1 | u64::from(n >= 2);
    }
    [normal_n, misere_n]
}

#[cfg(test)]
mod tests {
    use super::super::super::reference;
    use super::*;
    use cggames::game::heap::{Code, HeapGame};

    #[test]
    fn registers_agree_with_the_definition() {
        let codes = (0..512).map(|c| [0, c / 64, c / 8 % 8, c % 8].to_vec());
        let wholes = (0..64).map(|c| [4, c / 8, 0, c % 8].to_vec());
        for digits in codes.chain(wholes) {
            let digits: Vec<u8> = digits.into_iter().map(|d: i32| d as u8).collect();
            let mut moves = Moves::default();
            moves.set_digits(&digits);
            let fast = prefix(&moves, &digits, &mut HeapValues::default());
            let code = Code::from_digits(&digits).expect("a code");
            for (n, value) in reference(&HeapGame::Code(code), 64).into_iter().enumerate() {
                let digit = |e: usize| (fast[e] >> n & 1) as usize;
                assert_eq!(
                    2 * digit(0) + digit(1),
                    value.index(),
                    "{digits:?} heap {n}"
                );
            }
        }
    }
}
