//! Perft: counts of move sequences.

use std::collections::HashMap;

use cggames::board::two_rows::TwoRows;
use cggames::game::scored::Scored;

use crate::{Control, StopReason};

/// Returns the numbers of sequences of 1, 2, ..., `depth` moves from a position, where each sowing
/// is a move, or `None` if a number is 2^64 or more.
///
/// Cost: for each depth, time and memory proportional to the number of distinct positions there.
///
/// # Errors
///
/// The reason for which `control` stopped it; the memory budget also if a table would exceed it.
///
/// ```
/// use cgsolvers::Control;
/// use cgsolvers::scores::perft;
/// use cggames::game::scored::Kalah;
///
/// let start = "3 3 3 3 / 3 3 3 3".parse()?;
/// let counts = perft(Kalah::default(), &start, 7, &Control::default());
/// assert_eq!(counts, Ok(Some(vec![4, 15, 50, 158, 488, 1507, 4621])));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn perft<G: Scored>(
    game: G,
    position: &TwoRows,
    depth: u32,
    control: &Control,
) -> Result<Option<Vec<u64>>, StopReason> {
    let mut reached = HashMap::from([(*position, 1)]);
    let mut counts = Vec::new();
    for _ in 0..depth {
        let mut next: HashMap<TwoRows, u64> = HashMap::new();
        for (position, sequences) in &reached {
            if let Some(reason) = control.stopped() {
                return Err(reason);
            }
            control.count_evaluated(1);
            for option in game.options(position) {
                if next.len() == next.capacity() {
                    // A table of twice the capacity has 16 slots for each 7 entries.
                    let bytes = 3 * next.capacity() * size_of::<(TwoRows, u64)>();
                    control.reserve_memory(bytes as u64)?;
                }
                let count = next.entry(option.position).or_default();
                let Some(more) = count.checked_add(*sequences) else {
                    return Ok(None);
                };
                *count = more;
            }
        }
        let sum = next.values().try_fold(0u64, |sum, &n| sum.checked_add(n));
        let Some(sum) = sum else {
            return Ok(None);
        };
        counts.push(sum);
        reached = next;
    }
    Ok(Some(counts))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cggames::game::scored::Kalah;

    #[test]
    fn a_count_keeps_to_its_memory_and_stops_when_told() {
        let start = "6 6 6 6 6 6 / 6 6 6 6 6 6".parse().expect("a position");
        let count = |control: &Control| perft(Kalah::default(), &start, 7, control);
        let control = Control::default();
        control.set_memory_left(1 << 20);
        assert_eq!(count(&control), Err(StopReason::MemoryBudget));
        assert!(control.memory_refused() > 1 << 20);
        let control = Control::default();
        control.stop(StopReason::Interrupted);
        assert_eq!(count(&control), Err(StopReason::Interrupted));
    }
}
