//! Theorem 3.1: a position of Atomic Wari without a pot above two is the sum of its runs of deuces,
//! and a run of n deuces is a heap of n in the octal game .37 (Erickson 1996, section 3).

use cggames::board::row::{Pot, Row};

/// Returns the nim-values of heaps 0 to `heap_max` of .37: take one and leave at most one heap, or
/// take two and leave at most two. Computed straight from the definition, O(n^2).
pub(super) fn nim_values(heap_max: usize) -> Vec<u32> {
    let mut values: Vec<u32> = vec![0];
    for heap in 1..=heap_max {
        let mut options = vec![values[heap - 1]];
        if let Some(rest) = heap.checked_sub(2) {
            options.extend((0..=rest / 2).map(|part| values[part] ^ values[rest - part]));
        }
        let mex = (0..).find(|value| !options.contains(value));
        values.push(mex.expect("finitely many options leave a number out"));
    }
    values
}

/// Returns the lengths of the runs of deuces if no pot holds more than two.
pub(super) fn runs(row: &Row) -> Option<Vec<usize>> {
    let mut runs = vec![0];
    for pot in &row.pots {
        match pot {
            Pot::Seeds(2) => *runs.last_mut()? += 1,
            Pot::Seeds(0 | 1) => runs.push(0),
            Pot::Seeds(_) | Pot::Full => return None,
        }
    }
    runs.retain(|&run| run > 0);
    Some(runs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heaps_have_their_known_values() {
        let expected = [0, 1, 2, 0, 1, 2, 3, 1, 2, 3, 4, 0, 3, 4, 2];
        assert_eq!(nim_values(14), expected);
        let zero: Vec<usize> = (0..=124).filter(|&n| nim_values(124)[n] == 0).collect();
        assert_eq!(zero, [0, 3, 11, 19, 29, 45, 71, 97, 123]);
    }

    #[test]
    fn sparse_positions_fall_into_runs() {
        let runs = |text: &str| runs(&text.parse().unwrap());
        assert_eq!(runs("1222201"), Some(vec![4]));
        assert_eq!(runs("22102"), Some(vec![2, 1]));
        assert_eq!(runs("1011"), Some(vec![]));
        assert_eq!(runs("2232"), None);
    }
}
