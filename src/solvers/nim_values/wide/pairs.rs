//! Vectorised search of all pairs for a number.
//!
//! This is [`Sparse::reaches`] in vectors, the last resort after all quicker tests. PERF: with
//! baseline vectors in place of AVX2 the codes of three digits take 1.9 times as long.

use std::ops::Range;

use super::super::sparse::Sparse;
use crate::heaps::vectors::with_widest_vectors;

/// Returns whether heap `n` has an option of this value; `n` must exceed the number of tokens that
/// a move may take. Leaves out the first pairs of each way to take, `without` of them.
pub(crate) fn reaches(sparse: &Sparse, n: usize, number: u16, without: usize) -> bool {
    let (values, moves) = (&sparse.values, &sparse.moves);
    let one = moves.one.iter().any(|taken| values[n - taken] == number);
    one || moves.two.iter().any(|taken| {
        let left = n - taken;
        has_pair(values, left, without..moves.pairs(left), number)
    })
}

/// The number of pairs compared between two checks for a match.
const CHUNK: usize = 256;

/// Returns whether `values[a] ^ values[l - a] == target` for some `a`, `a - 1` in `pairs`.
///
/// Costs O(pairs), which are at most `l / 2`; the values of heaps up to `l - 1` must be known.
fn has_pair(values: &[u16], l: usize, pairs: Range<usize>, target: u16) -> bool {
    if pairs.is_empty() {
        return false;
    }
    let (up, down) = (
        pairs.start + 1..pairs.end + 1,
        l - pairs.end..l - pairs.start,
    );
    has_nim_sum(&values[up], &values[down], target)
}

/// Scans the first heaps upwards and the second ones, of the same number, downwards.
#[inline(always)]
fn scan(up: &[u16], down: &[u16], target: u16) -> bool {
    let mut at = 0;
    while at < up.len() {
        let end = up.len().min(at + CHUNK);
        let (ups, downs) = (&up[at..end], &down[down.len() - end..down.len() - at]);
        // No early exit within a chunk, so that the comparison is vectorised.
        let mut least = u16::MAX;
        for (a, b) in ups.iter().zip(downs.iter().rev()) {
            least = least.min(a ^ b ^ target);
        }
        if least == 0 {
            return true;
        }
        at = end;
    }
    false
}

with_widest_vectors! {
    /// Returns whether the nim-sum of some value and its partner is `target`.
    fn has_nim_sum(up: &[u16], down: &[u16], target: u16) -> bool = scan;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heaps::vectors::Vectors;

    #[test]
    fn pairs_are_found_as_one_by_one() {
        let mut random = fastrand::Rng::with_seed(8);
        let values: Vec<u16> = (0..5000).map(|_| random.usize(..1024) as u16).collect();
        let mut found = 0;
        for _ in 0..400 {
            let l = 2 + random.usize(..4990);
            let pairs = random.usize(..l / 2 + 1);
            let pairs = random.usize(..=pairs)..pairs;
            let target = random.usize(..1024) as u16;
            let slow = pairs
                .clone()
                .any(|i| values[i + 1] ^ values[l - i - 1] == target);
            found += u32::from(slow);
            Vectors::each(|| assert_eq!(has_pair(&values, l, pairs.clone(), target), slow));
        }
        assert!((50..350).contains(&found), "{found}");
    }
}
