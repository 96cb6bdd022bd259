//! Boards of Tchoukaillon as they are printed.

use std::fmt;

use seedbank::engine::tchoukaillon::lengths::shortest;
use serde::Serialize;

use super::output::as_text;

/// The most bins of a board that is printed: some 80 MB of text.
pub(super) const BINS_PRINTED: u64 = 10_000_000;

/// A board with the number of its stones.
#[derive(Serialize)]
pub(super) struct BoardLine<'a> {
    bins: &'a [u32],
    #[serde(serialize_with = "as_text")]
    stones: u128,
}

impl BoardLine<'_> {
    pub(super) fn new(stones: u128, bins: &[u32]) -> BoardLine<'_> {
        BoardLine { bins, stones }
    }
}

impl fmt::Display for BoardLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = (", self.stones)?;
        for (index, bin) in self.bins.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(f, "{comma}{bin}")?;
        }
        f.write_str(")")
    }
}

/// Returns the most stones of a board that is printed, in some 50000 steps.
pub(super) fn most_printed() -> u128 {
    shortest(BINS_PRINTED + 1) - 1
}
