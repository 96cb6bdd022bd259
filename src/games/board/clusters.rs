//! Clusters: ranges of pots between which play never passes.
//!
//! The ruleset decides how far play can pass. This module joins neighbours until no gap between
//! clusters can be crossed, which gives the finest such division of the row.

use std::ops::Range;

/// Joins neighbouring clusters, single pots at first, until all remaining ones are `apart`. `apart`
/// gets the contents of two clusters and the number of empty pots between them; `join` combines the
/// contents of two clusters. O(pots).
pub(crate) fn clusters<T: Copy>(
    pots: impl IntoIterator<Item = (Range<usize>, T)>,
    join: impl Fn(T, T) -> T,
    apart: impl Fn(T, T, usize) -> bool,
) -> Vec<(Range<usize>, T)> {
    let mut clusters: Vec<(Range<usize>, T)> = Vec::new();
    for (mut pots, mut held) in pots {
        // A cluster that has grown may now reach the one before it, so that gap is checked again.
        while let Some((before, before_held)) = clusters.last()
            && !apart(*before_held, held, pots.start - before.end)
        {
            pots.start = before.start;
            held = join(*before_held, held);
            clusters.pop();
        }
        clusters.push((pots, held));
    }
    clusters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cluster_that_grows_is_compared_with_the_one_before_again() {
        // The first two hold no more than the two pots between them; joined with the third, the
        // second holds more.
        let pots = [(0..1, 1), (3..4, 1), (5..6, 3)];
        let found = clusters(pots, |a, b| a + b, |a, b, gap| a.max(b) <= gap);
        assert_eq!(found, [(0..6, 5)]);
        let pots = [(0..1, 1), (3..4, 1), (7..8, 3)];
        let found = clusters(pots, |a, b| a + b, |a, b, gap| a.max(b) <= gap);
        assert_eq!(found, [(0..1, 1), (3..4, 1), (7..8, 3)]);
    }
}
