//! Perft: counts of move sequences.

use std::collections::HashMap;

use crate::board::two_rows::TwoRows;
use crate::game::scored::Scored;

/// Returns the numbers of sequences of 1, 2, ..., `depth` moves from a position, where each sowing
/// is a move, or `None` if a number is 2^64 or more.
///
/// Cost: for each depth, time and memory proportional to the number of distinct positions there.
///
/// ```
/// use seedbank::engine::scores::perft;
/// use seedbank::game::scored::Kalah;
///
/// let counts = perft(Kalah::default(), &"3 3 3 3 / 3 3 3 3".parse()?, 7);
/// assert_eq!(counts, Some(vec![4, 15, 50, 158, 488, 1507, 4621]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn perft<G: Scored>(game: G, position: &TwoRows, depth: u32) -> Option<Vec<u64>> {
    let mut reached = HashMap::from([(*position, 1)]);
    let mut counts = Vec::new();
    for _ in 0..depth {
        let mut next: HashMap<TwoRows, u64> = HashMap::new();
        for (position, sequences) in &reached {
            for option in game.options(position) {
                let count = next.entry(option.position).or_default();
                *count = count.checked_add(*sequences)?;
            }
        }
        let mut sum = 0u64;
        for count in next.values() {
            sum = sum.checked_add(*count)?;
        }
        counts.push(sum);
        reached = next;
    }
    Some(counts)
}
