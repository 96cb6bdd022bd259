//! Tchoukaillon on a directed cycle with one Ruma: the winning boards one after another.
//!
//! **At most one winning board for each total.** Each vertex of a directed cycle has one
//! predecessor, so an unmove has no choice of edges. It starts at the only Ruma, and must stop at
//! the first bin that is empty when it arrives, and not before. So each winning board has exactly
//! one unmove. As all winning boards come from the empty one, they form a sequence with growing
//! totals. No search is needed. On a cycle of m vertices an unmove makes k laps, where k is the
//! least number of stones in any bin, and continues to the bin p, the nearest to the Ruma with k
//! stones. Bins below p lose k + 1 stones, those above p lose k, p gets k m + p, and the total
//! grows by k + 1, the number of visits to the Ruma. [`cggames::game::sowing_graph`] explains the
//! laps of Figure 6.
//!
//! Source: Jones, Taalman, Tongen, Example 5.4 and the proof of Theorem 5.2.

use thiserror::Error;

/// A winning board of a directed cycle, which can advance to the next.
///
/// ```
/// use cgsolvers::sowing_graph::cycle::CycleBoard;
///
/// let mut board = CycleBoard::empty(4)?;
/// for _ in 0..6 {
///     board.unmove()?;
/// }
/// assert_eq!((board.bins(), board.total()), (&[5, 0, 2][..], 7));
/// # Ok::<(), cgsolvers::sowing_graph::cycle::CycleError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CycleBoard {
    bins: Vec<u128>,
    total: u128,
}

/// The error for a cycle or a board that does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum CycleError {
    /// Without a bin there are no unmoves.
    #[error("a cycle of {found} vertices has no unmoves; accepted is 2 or more")]
    Vertices {
        /// The requested number of vertices.
        found: usize,
    },
    /// The next board has more stones than 128 bits count.
    #[error("the next board has 2^128 or more stones; limit the totals")]
    Overflow,
}

impl CycleBoard {
    /// Returns the empty board of the cycle on `vertices` vertices, including the Ruma.
    ///
    /// # Errors
    ///
    /// [`CycleError::Vertices`] when there are fewer than two.
    pub fn empty(vertices: usize) -> Result<Self, CycleError> {
        if vertices < 2 {
            return Err(CycleError::Vertices { found: vertices });
        }
        Ok(Self {
            bins: vec![0; vertices - 1],
            total: 0,
        })
    }

    /// Returns the stones in the bins by their distance to the Ruma, the nearest first.
    pub fn bins(&self) -> &[u128] {
        &self.bins
    }

    /// Returns the number of stones in bins.
    pub fn total(&self) -> u128 {
        self.total
    }

    /// Advances to the next winning board. The cost is linear in the number of bins, whatever the
    /// number of laps.
    ///
    /// Returns the filled bin, by its distance to the Ruma.
    ///
    /// # Errors
    ///
    /// [`CycleError::Overflow`], with the board as it was, when the next total is 2^128 or more.
    pub fn unmove(&mut self) -> Result<usize, CycleError> {
        let (at, &laps) = (self.bins.iter().enumerate())
            .min_by_key(|&(_, stones)| stones)
            .expect("a cycle board has a bin");
        let vertices = self.bins.len() as u128 + 1;
        let filled = (laps.checked_mul(vertices))
            .and_then(|stones| stones.checked_add(at as u128 + 1))
            .ok_or(CycleError::Overflow)?;
        self.total = (self.total.checked_add(laps + 1)).ok_or(CycleError::Overflow)?;
        for (place, stones) in self.bins.iter_mut().enumerate() {
            // Bins below the filled one hold more than the least number, so they can lose one more.
            *stones -= laps + u128::from(place < at);
        }
        self.bins[at] = filled;
        Ok(at + 1)
    }
}

/// Returns the totals of the winning boards on the cycle, from 0 up to `total_max`, in ascending
/// order.
///
/// The totals grow geometrically: there are O(log `total_max`) for each length of the cycle.
///
/// # Errors
///
/// [`CycleError::Vertices`] when there are fewer than two vertices.
///
/// ```
/// use cgsolvers::sowing_graph::cycle::cycle_totals;
///
/// assert_eq!(cycle_totals(2, 40)?, [0, 1, 3, 7, 15, 31]);
/// assert_eq!(cycle_totals(3, 30)?, [0, 1, 2, 3, 5, 7, 10, 14, 18, 27, 29]);
/// # Ok::<(), cgsolvers::sowing_graph::cycle::CycleError>(())
/// ```
pub fn cycle_totals(vertices: usize, total_max: u64) -> Result<Vec<u64>, CycleError> {
    let mut board = CycleBoard::empty(vertices)?;
    let mut totals = Vec::new();
    while let Ok(total) = u64::try_from(board.total())
        && total <= total_max
    {
        totals.push(total);
        // Totals are below 2^65 here, and no total doubles, so the next is far below 2^128.
        board.unmove()?;
    }
    Ok(totals)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_keep_their_totals_until_they_overflow() {
        for vertices in 2..9 {
            let mut board = CycleBoard::empty(vertices).unwrap();
            let end = loop {
                let before = board.clone();
                match board.unmove() {
                    Ok(_) => assert_eq!(board.total, board.bins.iter().sum::<u128>()),
                    Err(error) => {
                        assert_eq!(before, board);
                        break error;
                    }
                }
            };
            assert_eq!(end, CycleError::Overflow);
            assert!(board.total() > u128::MAX / 8);
        }
        assert_eq!(
            CycleBoard::empty(1).unwrap_err().to_string(),
            "a cycle of 1 vertices has no unmoves; accepted is 2 or more"
        );
    }
}
