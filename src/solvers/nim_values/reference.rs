//! Nim-values straight from the definition, the reference for faster engines.
//!
//! The nim-value of a heap is the least number that is the nim-value of none of its options, and
//! that of an option is the xor of those of its heaps (R. P. Sprague 1936, P. M. Grundy 1939).
//! There are no further assumptions: no mask, no window, and no period.

use cggames::game::heap::HeapGame;

/// Returns the nim-values of the heaps of 0 to `heaps - 1` tokens.
///
/// Costs O(options) a heap: in total O(n^2) for splits in two, O(n^3) for splits in three.
///
/// Dawson's Kayles, in which two neighbours are taken from a row:
///
/// ```
/// use cgsolvers::nim_values::reference;
///
/// let game = "0.07".parse()?;
/// assert_eq!(reference::nim_values(&game, 10), [0, 0, 1, 1, 2, 0, 3, 1, 1, 0]);
/// # Ok::<(), cggames::game::heap::HeapGameError>(())
/// ```
pub fn nim_values(game: &HeapGame, heaps: usize) -> Vec<u32> {
    let mut values: Vec<u32> = Vec::with_capacity(heaps);
    // For each value, one more than the last heap that had it among its options.
    let mut seen: Vec<usize> = Vec::new();
    for n in 0..heaps {
        for option in game.options(n) {
            let value = option.as_slice().iter().fold(0, |sum, &m| sum ^ values[m]);
            let value = value as usize;
            if value >= seen.len() {
                seen.resize(value + 1, 0);
            }
            seen[value] = n + 1;
        }
        let mex = seen.iter().position(|&heap| heap != n + 1);
        values.push(mex.unwrap_or(seen.len()) as u32);
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(game: &str, heaps: usize) -> Vec<u32> {
        nim_values(&game.parse().expect("a game"), heaps)
    }

    /// Kayles, Dawson's Chess and Grundy's game, from *Winning Ways*, chapter 4.
    #[test]
    fn published_sequences_are_found() {
        assert_eq!(
            values("kayles", 25),
            [
                0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7, 1, 4, 3, 2, 1, 4, 6, 7, 4
            ]
        );
        assert_eq!(
            values("dawsons-chess", 18),
            [0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0, 5, 2, 2]
        );
        assert_eq!(
            values("grundy", 20),
            [0, 0, 0, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 3, 2, 1, 3, 2, 4, 3]
        );
    }

    #[test]
    fn taking_any_number_is_nim_itself() {
        let nim = format!("0.{}", "3".repeat(40));
        assert_eq!(values(&nim, 41), (0..41).collect::<Vec<u32>>());
    }
}
